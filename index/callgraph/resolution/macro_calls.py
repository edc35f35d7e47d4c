"""Calls that macros make: the names called in a macro's replacement, through macros that it uses itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from index.callgraph.resolution.names import Names, Row
from index.cpp.declaring_macros import split_macro_arguments
from index.cpp.keywords import word_set
from index.cpp.type_text import extract_text_in_brackets_or_empty

_WORD = re.compile(r"\w+")
_DEEPEST_EXPANSION = 4
_MOST_CALLS = 40
_CALL = re.compile(r"(?<![\w#])(?P<member>(?:\.|->)\s*)?(?P<name>[A-Za-z_]\w*)\s*\((?!\s*\*)")
_NAME = re.compile(r"\(*\s*([A-Za-z_]\w*)\s*\)*")
_TAIL = re.compile(r",\s*([A-Za-z_]\w*)\s*\)*$")
_CHOICE = re.compile(r":\s*\(*\s*([A-Za-z_]\w*)\s*\)*$")
_OBJECT = re.compile(r"([A-Za-z_]\w*)\s+[A-Za-z_]\w*\s*\(")
"""`#define PROFILE(name) Timer timer(name)`: a use constructs a `Timer`."""
_HEAD = re.compile(r"\s*#\s*define\s+[A-Za-z_]\w*(?:\(([^()]*)\))?")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NOT_CALLED_WORDS = word_set(
    "if while for switch return sizeof defined do else case __attribute__ alignof decltype typeof __typeof__ "
    "static_assert _Static_assert __asm__ asm volatile __declspec alignas noexcept"
)


class MacroCall(NamedTuple):
    """A name that a use of a macro calls. The receiver of a `member` call is unknown. `arity` is as in a call site."""

    name: str
    member: bool
    arity: int


class Replacement(NamedTuple):
    """A macro's definition: whether it takes arguments, what it calls, and the single name that it stands for, or
    ""."""

    function_like: bool
    calls: tuple[MacroCall, ...]
    alias: str


class Macros:
    """The tree's macros by name. `text_of` gives a symbol's text."""

    def __init__(self, names: Names, text_of: Callable[[Row], str]) -> None:
        self._names = names
        self.parse_replacement = lru_cache(maxsize=None)(lambda row: _parse_macro_definition(text_of(row)))
        self.find_visible = lru_cache(maxsize=None)(self._find_visible_or_header_definitions)
        self.find_calls_through_nested_macros = lru_cache(maxsize=None)(self._find_calls_through_nested_macros)

    def drop_file_caches(self) -> None:
        self.find_visible.cache_clear()
        self.find_calls_through_nested_macros.cache_clear()

    def _find_visible_or_header_definitions(self, name: str) -> tuple[Row, ...]:
        """The definitions of a macro that the file sees. When it sees none and no function has the name, the
        definitions in headers: a build may find a header by flags that the text doesn't show."""
        names = self._names
        rows = names[name].macros
        seen = tuple(r for r in rows if names.visible[r.file])
        if seen or names[name].free:
            return seen
        return tuple(r for r in rows if r.file in names.headers)

    def _find_calls_through_nested_macros(self, name: str) -> tuple[MacroCall, ...]:
        """What a use of a macro calls, through the macros that it uses itself, in the order of the text. (A set's
        order would differ from process to process.)"""
        found: dict[MacroCall, None] = {}
        seen = {name}
        level = [name]
        for _ in range(_DEEPEST_EXPANSION):
            following = []
            for macro in level:
                for row in self.find_visible(macro):
                    body = self.parse_replacement(row)
                    calls = body.calls or ((MacroCall(body.alias, False, -1),) if body.alias else ())
                    for call in calls:
                        found[call] = None
                        if call.name not in seen and self._names[call.name].macros:
                            seen.add(call.name)
                            following.append(call.name)
            level = following
            if not level or len(found) > _MOST_CALLS:
                break
        return tuple(found)


def split_macro_definition(text: str) -> tuple[tuple[str, ...] | None, str] | None:
    """The parameters of a `#define`, None without brackets, and its replacement without comments and line ends; None
    for a text that is no `#define`."""
    text = _COMMENT.sub(" ", text.replace("\\\r\n", "  ").replace("\\\n", "  "))
    head = _HEAD.match(text)
    if head is None:
        return None
    parameters = None if head[1] is None else tuple(p.strip() for p in head[1].split(","))
    return parameters, text[head.end() :]


def find_calls_in_replacement(replacement: str) -> Iterator[MacroCall]:
    """The calls that a replacement makes, in order, but those of a name that `##` makes."""
    for match in _CALL.finditer(replacement):
        if match["name"] == "_Generic":
            yield from _find_calls_of_generic_choice(replacement, match.end() - 1)
        elif match["name"] not in NOT_CALLED_WORDS and not replacement[: match.start()].rstrip().endswith("##"):
            arity = _count_arguments_or_minus_one(replacement, match.end() - 1)
            yield MacroCall(match["name"], match["member"] is not None, arity)


def _find_calls_of_generic_choice(replacement: str, opening: int) -> Iterator[MacroCall]:
    """The functions of which `_Generic(x, int: f, default: g)(x)` calls one; `opening` is its first bracket."""
    inside = extract_text_in_brackets_or_empty(replacement, opening, len(replacement))
    end = opening + len(inside) + 2
    given = end + len(replacement[end:]) - len(replacement[end:].lstrip())
    for choice in split_macro_arguments(inside)[1:] if replacement.startswith("(", given) else ():
        if (name := _CHOICE.search(choice)) is not None:
            yield MacroCall(name[1], False, _count_arguments_or_minus_one(replacement, given))


def _parse_macro_definition(text: str) -> Replacement:
    definition = split_macro_definition(text)
    if definition is None:
        return Replacement(False, (), "")
    parameters, body = definition[0] or (), definition[1].strip()
    calls = dict.fromkeys(call for call in find_calls_in_replacement(body) if call.name not in parameters)
    made = _OBJECT.match(body)
    if made is not None and made[1] not in NOT_CALLED_WORDS and made[1] not in parameters:
        calls[MacroCall(made[1], False, _count_arguments_or_minus_one(body, made.end() - 1))] = None
    alias = _NAME.fullmatch(body)
    name = alias[1] if alias and alias[1] not in parameters else ""
    tail = _TAIL.search(body) if calls and definition[0] is None else None
    if tail is not None:
        # `#define RAISE (prepare(), report)`: the use brings the arguments of the last.
        calls[MacroCall(tail[1], False, -1)] = None
    return Replacement(definition[0] is not None, tuple(calls)[:_MOST_CALLS], name)


def _count_arguments_or_minus_one(body: str, opening: int) -> int:
    """The number of arguments in the brackets that open at `opening`, -1 where the text doesn't tell."""
    inside = extract_text_in_brackets_or_empty(body, opening, len(body))
    if "__VA_ARGS__" in inside or "##" in inside or not (inside or body.startswith("()", opening)):
        return -1
    return len(split_macro_arguments(inside)) if inside.strip() else 0
