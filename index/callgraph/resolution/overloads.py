"""Which of several functions of one name a call means, by the types of its arguments where both sides show them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from index.callgraph.resolution.calls import Key
from index.callgraph.resolution.declared_types import Types
from index.callgraph.resolution.names import Names, Row
from index.cpp.keywords import PRIMITIVE_TYPES
from index.cpp.type_text import (
    Type,
    extract_text_in_brackets_or_empty,
    find_type_before_or_empty,
    split_at_outer_commas,
)

_LONGEST_BRACKETS = 600
_TYPE_WEIGHT = 16
"""The weight of a type against that of `const`, which counts only where nothing else tells two overloads apart."""
_OPERAND_ENDS = frozenset(";,)]}?:=<>|&\n")


class Overloads:
    """Compares arguments with parameters, for each set of candidates once in each file. The same key means the same
    candidates."""

    def __init__(self, names: Names, types: Types) -> None:
        self._names = names
        self._types = types
        self._deciding: dict[Key, Sequence[int]] = {}
        self._best: dict[tuple[Key, tuple[Type | None, ...]], Sequence[Row]] = {}
        self._parameters: dict[int, tuple[Type | None, ...]] = {}
        self._read_written_types = lru_cache(maxsize=None)(self._read_parameter_types)

    def drop_file_caches(self) -> None:
        self._parameters.clear()
        self._deciding.clear()
        self._best.clear()

    def choose_best_overloads(
        self, key: Key, rows: Sequence[Row], argument_types: tuple[Type | None, ...]
    ) -> Sequence[Row]:
        """The functions whose parameters fit the arguments best; several where nothing tells them apart."""
        if not any(argument_types):
            return rows
        found = self._best.get((key, argument_types))
        if found is None:
            scored = [(self._score_arguments(self.parameter_types(row), argument_types), row) for row in rows]
            most = max(score for score, _ in scored)
            is_built_in = most < 0 and rows[0].name.startswith("operator")
            found = [] if is_built_in else [row for score, row in scored if score == most]
            self._best[key, argument_types] = found
        return found

    def find_deciding_arguments(self, key: Key, rows: Sequence[Row]) -> Sequence[int]:
        """The positions of the parameters whose types differ between the functions; the types of other arguments
        decide nothing. All positions for an operator, where the built-in one may be meant."""
        found = self._deciding.get(key)
        if found is None:
            lists = [self.parameter_types(row) for row in rows]
            first, shortest, longest = lists[0], min(map(len, lists)), max(map(len, lists))
            decides_all = rows[0].name.startswith("operator")
            found = self._deciding[key] = [
                i
                for i in range(longest)
                if decides_all or i >= shortest or any(parameters[i] != first[i] for parameters in lists)
            ]
        return found

    def parameter_types(self, row: Row) -> tuple[Type | None, ...]:
        found = self._parameters.get(row.id)
        if found is None:
            resolved = self._types.resolve_aliases
            written = self._read_written_types(row)
            found = self._parameters[row.id] = tuple(None if kind is None else resolved(kind) for kind in written)
        return found

    def _read_parameter_types(self, row: Row) -> tuple[Type | None, ...]:
        signature = row.signature
        opening = signature.find("(", signature.find(f"{row.name}(") + len(row.name))
        inside = extract_text_in_brackets_or_empty(signature, opening, _LONGEST_BRACKETS)
        found = []
        for part in split_at_outer_commas(inside) if inside.strip() not in ("", "void") else ():
            text = part.partition("=")[0].rstrip()
            end = len(text)
            array = text.endswith("]")
            if array:
                end = text.rindex("[")
            while end > 0 and (text[end - 1].isalnum() or text[end - 1] == "_"):
                end -= 1
            spelt = find_type_before_or_empty(text, end) or text
            kind = self._types.parse_type(spelt)
            if kind is not None:
                kind = kind._replace(pointers=kind.pointers + array)
            found.append(kind)
        return tuple(found)

    def _score_arguments(self, parameters: Sequence[Type | None], given: Sequence[Type | None]) -> int:
        score = 0
        for parameter, argument in zip(parameters, given, strict=False):
            if parameter is not None and argument is not None:
                score += _TYPE_WEIGHT * self._score_argument(parameter, argument) - (parameter.const != argument.const)
        return score

    def _score_argument(self, parameter: Type, given: Type) -> int:
        if parameter.base == given.base:
            return 3 - 2 * (parameter.pointers != given.pointers)
        of_class = parameter.base not in PRIMITIVE_TYPES
        if of_class and not self._names[parameter.base].classes:
            return 0  # a template's parameter, or a type from elsewhere
        if parameter.pointers != given.pointers:
            return -3
        if of_class != (given.base not in PRIMITIVE_TYPES and bool(self._names[given.base].classes)):
            return -3
        if of_class:
            return 2 if parameter.base in self._types.collect_ancestors(given.base) else -3
        return 0


def split_call_arguments(text: str, name_end: int) -> list[str]:
    """The arguments of the call whose name ends at `name_end`."""
    while name_end < len(text) and text[name_end].isspace():
        name_end += 1
    inside = extract_text_in_brackets_or_empty(text, name_end, _LONGEST_BRACKETS)
    return [a.strip() for a in split_at_outer_commas(inside)] if inside.strip() else []


_SIMPLE_OPERAND = re.compile(r"\s*(\w+(?:(?:\.|->|::)\w+)*(?:\(\))?)\s*(?=[;,)\]&|?}])")


def extract_right_operand_or_empty(text: str, operator_end: int) -> str:
    """The operand that follows an operator, up to the next operator that binds less tightly."""
    simple = _SIMPLE_OPERAND.match(text, operator_end)
    if simple is not None:
        return simple[1]
    depth = 0
    for i in range(operator_end, min(len(text), operator_end + _LONGEST_BRACKETS)):
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}" and depth:
            depth -= 1
        elif depth == 0 and (c in _OPERAND_ENDS and text[i - 1] != "-") and text[operator_end:i].strip():
            return text[operator_end:i].strip()
    return ""
