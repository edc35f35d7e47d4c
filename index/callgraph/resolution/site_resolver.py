"""The call sites of a file -> edges of the call graph: each distinct call of a function is resolved once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from index.arrays import sort_distinct
from index.callgraph.graph import EdgeKind
from index.callgraph.resolution.callees import CalleeFinder
from index.callgraph.resolution.calls import FIELD_CALL_CONFIDENCE, IN_SCOPE_CONFIDENCE, Call, Callees, PartialGraph
from index.callgraph.resolution.declared_types import CallerScope, Types
from index.callgraph.resolution.macro_function_calls import is_defined_by_macro
from index.callgraph.resolution.names import NO_MEANINGS, NameMeanings, Names, Row
from index.cpp.declaring_macros import DeclaringMacro
from index.cpp.type_text import find_type_before_or_empty, find_word_or_minus_one, is_in_comment
from index.store.reader import SourceFile
from index.symbols.call_sites import CONSTRUCT, MEMBER, PLAIN, SiteTable
from index.values import SymbolKind

_MOST_PLACES = 4
"""How many places of a name are looked at: comments and a K&R function's list may come before its declaration."""
_POINTER = re.compile(r"(\w+)[\s*&]*\(\s*(?:[\w:]+::\s*)?[*^&]+\s*(?:const\s+)?$")
_LONGEST_DECLARATOR = 60
_NO_TYPES = frozenset(["return", "else", "case", "throw", "if", "while", "for", "switch", "sizeof"])
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|endif)", re.MULTILINE)


_OwnerNameReceiverArityFormEnd = tuple[int, ...]


class SiteResolver:
    """Resolves the sites of one index, file by file. `text_of` gives a symbol's text, `makers` are the macros that
    define functions."""

    def __init__(self, names: Names, text_of: Callable[[Row], str], makers: Mapping[str, DeclaringMacro]) -> None:
        self._names = names
        self._finder = CalleeFinder(names, text_of, makers)
        self.types: Types = self._finder.types

    def enter_file(self, file: int) -> None:
        self._names.set_file_and_its_visibility(file)
        self._finder.drop_file_caches()

    def resolve_calls_in_file(self, file: SourceFile, text: str, table: SiteTable, calls: PartialGraph) -> None:
        """Add the edges that start in the functions of `file`, which was entered. `text` has a character a byte."""
        functions = {row.id: row for row in self._names.rows_in(file.id, SymbolKind.FUNCTION)}
        for function in functions.values():
            if is_defined_by_macro(function):
                use = text[function.start : function.end]
                for callees in self._finder.find_macro_made_function_callees(function, use):
                    calls.add_edges(function.id, callees)
        strings = table.strings
        named = [NO_MEANINGS] * len(strings)
        unambiguous: list[Callees | None] = [None] * len(strings)
        callable_names = np.zeros(len(strings), dtype=bool)
        for number in sort_distinct(table.name).tolist():  # the other strings are receivers
            named[number] = self._names[strings[number].rsplit("::", 1)[-1]]
            unambiguous[number] = self._find_unambiguous_callee(named[number], file.id)
            callable_names[number] = self._finder.can_be_called(strings[number], named[number])
        contexts: dict[int, CallerScope] = {}
        done: set[tuple[int, ...]] = set()
        for owner, name, receiver, arity, form, end in self._select_possible_call_sites(table, callable_names):
            caller = file.first_symbol + owner
            known = unambiguous[name] if form == PLAIN else None
            key = (owner, name) if known is not None else (owner, name, receiver, arity, form)
            if key in done or caller not in functions:
                continue
            if form == PLAIN and named[name].free and _is_variable_of_function(text, functions[caller], strings[name]):
                done.add(key)
                continue
            if known is not None:
                done.add(key)
                calls.add_edges(caller, known)
                continue
            context = contexts.get(owner)
            if context is None:
                row = functions[caller]
                context = contexts[owner] = CallerScope(row, text[row.start : row.end])
            # By `tuple` itself, millions of times: the constructor of a NamedTuple is a Python function.
            call = tuple.__new__(Call, (strings[name], strings[receiver], arity, form, end - context.row.start))
            resolved = self._finder.find_callees(context, call)
            if resolved.by_name:
                done.add(key)
            if resolved.callees:
                calls.add_edges(caller, self._drop_macro_hidden_callees(resolved.callees, named[name], text, end))
            elif form == MEMBER and named[name].fields and not named[name].methods:
                field = calls.fields.setdefault(call.name, len(calls.fields))
                calls.add_edges(caller, ((-1 - field, FIELD_CALL_CONFIDENCE, EdgeKind.POINTER),))

    def _drop_macro_hidden_callees(self, callees: Callees, named: NameMeanings, text: str, end: int) -> Callees:
        """The callees without the functions that a macro of their name hides where the call ends."""
        if not (named.macros and named.free):
            return callees
        hidden_from = _find_macro_hiding_start_or_minus_one(text, self._names.file, named)
        if not 0 <= hidden_from < end:
            return callees
        functions = {row.id for row in named.free}
        return tuple(callee for callee in callees if callee[2] or callee[0] not in functions)

    def _select_possible_call_sites(
        self, table: SiteTable, callable_names: npt.NDArray[np.bool_]
    ) -> Iterator[_OwnerNameReceiverArityFormEnd]:
        """(owner, name, receiver, arity, form, end) of the sites that may call something of the tree."""
        candidates = callable_names[table.name] | (table.form == CONSTRUCT)
        if self._finder.has_call_operators:
            candidates |= table.form == PLAIN
        rows = np.flatnonzero(candidates)
        columns = (table.owner, table.name, table.receiver, table.arity, table.form, table.end)
        return zip(*(column[rows].tolist() for column in columns), strict=True)

    def _find_unambiguous_callee(self, named: NameMeanings, file: int) -> Callees | None:
        """The callees of a plain call to a name that only one function has; None where that isn't so."""
        if len(named.free) != 1 or named.methods or named.macros:
            return None
        row = named.free[0]
        return () if self._names.is_hidden_static(row, file) else ((row.id, IN_SCOPE_CONFIDENCE, 0),)


def _is_variable_of_function(text: str, function: Row, name: str) -> bool:
    """Whether a parameter or local variable of a function of the file `text` has this name: it is declared where the
    function has the name first."""
    at = function.start
    for _ in range(_MOST_PLACES):
        at = find_word_or_minus_one(text, name, at)
        if not 0 <= at < function.end:
            return False
        end = at + len(name)
        following = text[end : end + 20].lstrip()[:1]
        if not is_in_comment(text, at):
            if following == "(":
                return False
            before = text[max(function.start, at - _LONGEST_DECLARATOR) : at]
            pointer = _POINTER.search(before)
            if pointer is not None:
                return pointer[1] not in _NO_TYPES
            if following in "=;,)[{:" and find_type_before_or_empty(text, at):
                return True
        at = end
    return False


def _find_macro_hiding_start_or_minus_one(text: str, file: int, named: NameMeanings) -> int:
    """From where on a macro of the file hides the functions of its name, -1 for nowhere. A macro in an `#if` hides
    them only where its condition holds, which isn't known."""
    for macro in named.macros:
        if macro.file == file and "(" in macro.signature:
            words = [match[1] for match in _CONDITION.finditer(text, 0, macro.start)]
            if words.count("if") == words.count("endif"):
                return macro.end
    return -1
