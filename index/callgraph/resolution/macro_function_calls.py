"""The calls of functions that macros make.

A made function has no body in the tree: what it calls stands in the macro's replacement, with the arguments put in and
names pasted together. Where only a generated header uses the macro, the pattern of the names that it makes is
enough: a macro that makes `sk_T_num` out of `OPENSSL_sk_num` shows what `sk_X509_num` calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from index.callgraph.resolution.macro_calls import MacroCall, find_calls_in_replacement, split_macro_definition
from index.callgraph.resolution.names import Names, Row
from index.cpp.declaring_macros import DeclaringMacro, split_macro_arguments, substitute_arguments
from index.cpp.type_text import extract_text_in_brackets_or_empty

_MARK = "/* made by the macro "
_USE = re.compile(r"([A-Za-z_]\w*)\s*\(")
_PASTED_NAME = re.compile(r"(\w+)\s*##\s*\w+\s*##\s*(\w+)\s*\(")
_DEEPEST_EXPANSION = 6
_LONGEST_BODY = 40_000
_LEAST_FIXED_NAME_PART = 3
"""The fewest characters of a pattern before and behind the part that a use fills in: `sk_` and `_num`."""


class MacroBody(NamedTuple):
    """A maker's parameters, and its replacement with the makers that it uses put in."""

    parameters: tuple[str, ...]
    text: str


class MacroFunctionCalls:
    """Finds the calls of made functions. `makers` are the macros that define functions, by name."""

    def __init__(self, names: Names, text_of: Callable[[Row], str], makers: Mapping[str, DeclaringMacro]) -> None:
        self._names = names
        self._text_of = text_of
        self._body = lru_cache(maxsize=None)(self._read_macro_parameters_and_expanded_text)
        self._patterns = list(_find_affixes_of_made_names(makers))
        self._any = re.compile("|".join(f"{p}\\w+{s}" for p, s, _ in self._patterns)) if self._patterns else None
        self._like = lru_cache(maxsize=None)(self._guess_calls_by_name_pattern)

    def find_macro_made_function_calls(self, row: Row, macro_use: str) -> Sequence[MacroCall]:
        """What a made function calls. `macro_use` is the text of the macro's use."""
        opening = macro_use.find("(")
        body = self._body(row.signature.partition(_MARK)[2].partition(" ")[0], 0)
        if body is None or opening < 0:
            return ()
        arguments = split_macro_arguments(macro_use[opening + 1 : macro_use.rindex(")")] if ")" in macro_use else "")
        given = dict(zip(body.parameters, arguments, strict=False))
        return _find_calls_in_named_function(substitute_arguments(body.text, given), row.name)

    def guess_calls_from_function_name(self, name: str) -> Sequence[MacroCall]:
        """What a function that isn't in the tree calls if a macro makes names of its pattern."""
        if self._any is None or self._any.fullmatch(name) is None:
            return ()
        return self._like(name)

    def _guess_calls_by_name_pattern(self, name: str) -> Sequence[MacroCall]:
        for prefix, suffix, maker in self._patterns:
            if name.startswith(prefix) and name.endswith(suffix) and len(name) > len(prefix) + len(suffix):
                body = self._body(maker, 0)
                middle = name[len(prefix) : len(name) - len(suffix)]
                if body is not None:
                    text = substitute_arguments(body.text, dict.fromkeys(body.parameters, middle))
                    return _find_calls_in_named_function(text, name)
        return ()

    def _read_macro_parameters_and_expanded_text(self, name: str, depth: int) -> MacroBody | None:
        rows = self._names[name].macros
        if not rows or depth > _DEEPEST_EXPANSION:
            return None
        definition = split_macro_definition(self._text_of(rows[0]))
        if definition is None:
            return None
        return MacroBody(definition[0] or ("",), self._expand_macros_containing_braces(definition[1], depth))

    def _expand_macros_containing_braces(self, text: str, depth: int) -> str:
        out = []
        at = 0
        for match in _USE.finditer(text):
            if match.start() < at or not self._names[match[1]].macros:
                continue
            inside = extract_text_in_brackets_or_empty(text, match.end() - 1, _LONGEST_BODY)
            inner = self._body(match[1], depth + 1)
            if inner is None or "{" not in inner.text:
                continue
            given = dict(zip(inner.parameters, split_macro_arguments(inside), strict=False))
            out += [text[at : match.start()], substitute_arguments(inner.text, given, paste=False)]
            at = match.end() + len(inside) + 1
        return ("".join(out) + text[at:])[:_LONGEST_BODY]


def is_defined_by_macro(row: Row) -> bool:
    return row.body < 0 and _MARK in row.signature


_PrefixSuffixMacro = tuple[str, str, str]


def _find_affixes_of_made_names(makers: Mapping[str, DeclaringMacro]) -> Iterable[_PrefixSuffixMacro]:
    """(text before, text behind, maker) of the names that makers paste together around one argument."""
    for name, maker in makers.items():
        for part in maker.parts:
            if part.kind == "function":
                found = _PASTED_NAME.search(part.text)
                if found and min(len(found[1]), len(found[2])) >= _LEAST_FIXED_NAME_PART:
                    yield found[1], found[2], name


def _find_calls_in_named_function(expanded_text: str, name: str) -> Sequence[MacroCall]:
    """The calls in the body of a function of the expanded text."""
    for match in re.finditer(rf"(?<!\w){re.escape(name)}\s*(?=\()", expanded_text):
        parameters = extract_text_in_brackets_or_empty(expanded_text, match.end(), _LONGEST_BODY)
        rest = match.end() + len(parameters) + 2
        opening = expanded_text.find("{", rest)
        if opening < 0 or re.search(r"[;}=]", expanded_text[rest:opening]):
            continue
        body = extract_text_in_brackets_or_empty(expanded_text, opening, _LONGEST_BODY)
        return tuple(dict.fromkeys(call for call in find_calls_in_replacement(body) if not call.member))
    return ()
