"""The call sites of a file -> edges of the call graph: each distinct call of a function is resolved once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from index.callgraph.graph import EdgeKind
from index.callgraph.resolution.callees import CalleeFinder
from index.callgraph.resolution.calls import CERTAIN, CONSTRUCT, MEMBER, PLAIN, POINTED, Call, Callees, ResolvedCalls
from index.callgraph.resolution.made_calls import is_made
from index.callgraph.resolution.names import NOTHING, Named, Names, Row
from index.callgraph.resolution.types import CallerScope, Types
from index.cpp.made_functions import Maker
from index.store.reader import SourceFile
from index.symbols.sites import SiteTable


class Resolver:
    """Resolves the sites of one index, file by file. `text_of` gives a symbol's text, `makers` are the macros that
    define functions."""

    def __init__(self, names: Names, text_of: Callable[[Row], str], makers: Mapping[str, Maker]) -> None:
        self._names = names
        self._finder = CalleeFinder(names, text_of, makers)
        self.types: Types = self._finder.types

    def enter(self, file: int) -> None:
        """Resolve what follows as it stands in this file."""
        self._names.enter(file)
        self._finder.enter()

    def resolve(self, file: SourceFile, text: str, table: SiteTable, calls: ResolvedCalls) -> None:
        """Add the edges that start in the functions of `file`, which was entered. `text` has a character a byte."""
        functions = self._names.functions_in(file.id)
        for function in functions.values():
            if is_made(function):
                for callees in self._finder.callees_of_made(function, text[function.start : function.end]):
                    calls.add(function.id, callees)
        strings = table.strings
        named = [NOTHING] * len(strings)
        unambiguous: list[Callees | None] = [None] * len(strings)
        for number in np.unique(table.name).tolist():  # the other strings are receivers
            named[number] = self._names[strings[number].rsplit("::", 1)[-1]]
            unambiguous[number] = self._unambiguous(named[number], file.id)
        contexts: dict[int, CallerScope] = {}
        done: set[tuple[int, ...]] = set()
        for owner, name, receiver, arity, form, end in self._sites(table, named):
            caller = file.first_symbol + owner
            known = unambiguous[name] if form == PLAIN else None
            key = (owner, name) if known is not None else (owner, name, receiver, arity, form)
            if key in done or caller not in functions:
                continue
            if known is not None:
                done.add(key)
                calls.add(caller, known)
                continue
            context = contexts.get(owner)
            if context is None:
                row = functions[caller]
                context = contexts[owner] = CallerScope(row, text[row.start : row.end])
            # By `tuple` itself, millions of times: the constructor of a NamedTuple is a Python function.
            call = tuple.__new__(Call, (strings[name], strings[receiver], arity, form, end - context.row.start))
            resolved = self._finder.find(context, call)
            if resolved.by_name:
                done.add(key)
            if resolved.callees:
                calls.add(caller, resolved.callees)
            elif form == MEMBER and named[name].fields and not named[name].methods:
                field = calls.fields.setdefault(call.name, len(calls.fields))
                calls.add(caller, ((-1 - field, POINTED, EdgeKind.POINTER),))

    def _sites(self, table: SiteTable, named: Sequence[Named]) -> Iterator[tuple[int, ...]]:
        """(owner, name, receiver, arity, form, end) of the sites that may call something of the tree."""
        known = np.zeros(len(table.strings), dtype=bool)
        for number in np.unique(table.name).tolist():
            known[number] = self._finder.can_be_called(table.strings[number], named[number])
        candidates = known[table.name] | (table.form == CONSTRUCT)
        if self._finder.has_call_operators:
            candidates |= table.form == PLAIN
        rows = np.flatnonzero(candidates)
        columns = (table.owner, table.name, table.receiver, table.arity, table.form, table.end)
        return zip(*(column[rows].tolist() for column in columns), strict=True)

    def _unambiguous(self, named: Named, file: int) -> Callees | None:
        """The callees of a plain call to a name that only one function has; None where that isn't so."""
        if len(named.free) != 1 or named.methods or named.macros:
            return None
        row = named.free[0]
        return () if self._names.is_hidden_static(row, file) else ((row.id, CERTAIN, 0),)
