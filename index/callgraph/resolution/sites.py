"""Call sites -> edges of the call graph, by name resolution: no compiler, no build, the whole tree at once.

A site's name is looked up where its form says: a plain call in the caller's class, then among the functions that
its file can see; a member call in the class that the receiver is declared with; a qualified one in the scope it
names. What a name can't decide stays several edges of less confidence, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from index.callgraph.graph import EdgeKind
from index.callgraph.resolution.calls import Call, Calls, Found
from index.callgraph.resolution.candidates import Candidates, Key
from index.callgraph.resolution.expressions import type_of_expression
from index.callgraph.resolution.macro_calls import MacroCall, Macros
from index.callgraph.resolution.made_calls import Made, is_made
from index.callgraph.resolution.names import NOTHING, Named, Names, Row
from index.callgraph.resolution.nearest import nearest, shared
from index.callgraph.resolution.overloads import Overloads, arguments, right_operand
from index.callgraph.resolution.types import Context, Types
from index.cpp.keywords import PRIMITIVE_TYPES
from index.cpp.made_functions import Maker
from index.cpp.types import Type
from index.store.reader import SourceFile
from index.symbols.sites import FORMS, SiteTable

CERTAIN = 0.95
"""One candidate, found where the language would look."""
LIKELY = 0.7
"""One candidate, found by its name alone."""
ALTERNATIVE = 0.5
"""One of several definitions that never meet in one program."""
POINTED = 0.45
"""A call through a field, shared by all that the field is assigned anywhere: any of them, never a claim."""
MOST_POINTERS = 64
NEARER = 0.1
"""Added for the one whose path has more in common with the caller's."""
MOST_CANDIDATES = 4
"""More candidates than this, and a name says nothing."""

_CALL = "operator()"

PLAIN, MEMBER, QUALIFIED, CONSTRUCT, OPERATOR = range(len(FORMS))


class Resolver:
    """Resolves the sites of one index, file by file. `text_of` gives a symbol's text."""

    def __init__(self, names: Names, text_of: Callable[[Row], str], makers: Mapping[str, Maker]) -> None:
        self._names = names
        self._macros = Macros(names, text_of)
        self._made = Made(names, text_of, makers)
        self.types = Types(names, type_of_expression)
        self._told_by_types = False
        self._overloads = Overloads(names, self.types)
        self._candidates = Candidates(names, self.types, self._overloads)
        self._plain: dict[tuple[str, int, str, bool], Found] = {}
        self._to_pointer = names.conversions_to_pointers()
        self._objects_called = bool(names[_CALL].methods)
        self._operators: dict[tuple[str, str], Sequence[Row]] = {}

    def enter(self, file: int) -> None:
        """What follows is read as it stands in a file."""
        self._names.enter(file)
        self.types.enter()
        self._macros.enter()
        self._overloads.enter()
        self._plain.clear()
        self._candidates.enter()

    def resolve(self, file: SourceFile, text: str, table: SiteTable, calls: Calls) -> None:
        """Add the edges that start in the functions of the file that was entered. `text` has a character a byte."""
        strings = table.strings
        named = [NOTHING] * len(strings)
        whole: list[Found | None] = [None] * len(strings)
        told = np.zeros(len(strings), dtype=bool)
        for number in np.unique(table.name).tolist():  # the other strings are receivers
            name = strings[number]
            entry = named[number] = self._names[name.rsplit("::", 1)[-1]]
            whole[number] = self._unambiguous(entry, file.id)
            told[number] = self._can_be_called(name, entry)
        rows = told[table.name] | (table.form == CONSTRUCT)
        if self._objects_called:
            rows |= table.form == PLAIN
        rows = np.flatnonzero(rows)
        columns = (table.owner, table.name, table.receiver, table.arity, table.form, table.end)
        functions = self._names.functions_in(file.id)
        for one in functions.values():
            if is_made(one):
                for made in self._made.calls_of(one, text[one.start : one.end]):
                    calls.add(one.id, self._of_made(Context(one, ""), made))
        contexts: dict[int, Context] = {}
        done: set[tuple[int, ...]] = set()
        for owner, name, receiver, arity, form, end in zip(*(c[rows].tolist() for c in columns), strict=True):
            plain = whole[name] if form == PLAIN else None
            key = (owner, name) if plain is not None else (owner, name, receiver, arity, form)
            if key in done:
                continue
            caller = file.first_symbol + owner
            if plain is not None:
                done.add(key)
                if caller in functions:
                    calls.add(caller, plain)
                continue
            context = contexts.get(owner)
            if context is None:
                row = functions.get(caller)
                if row is None:
                    continue
                context = contexts[owner] = Context(row, text[row.start : row.end])
            parts = (strings[name], strings[receiver], arity, form, end - context.row.start)
            call = tuple.__new__(Call, parts)
            found, by_name = self._found(context, call)
            if by_name:
                done.add(key)
            if found:
                calls.add(caller, found)
            elif form == MEMBER and named[name].fields and not named[name].methods:
                field = calls.fields.setdefault(call.name, len(calls.fields))
                calls.add(caller, ((-1 - field, POINTED, EdgeKind.POINTER),))

    def _unambiguous(self, entry: Named, file: int) -> Found | None:
        """The callees of a plain call to a name that only one function has, wherever it stands in the file."""
        if len(entry.free) != 1 or entry.methods or entry.macros:
            return None
        row = entry.free[0]
        hidden = row.file != file and not self._names.visible[row.file] and self._names.is_static(row)
        return () if hidden else ((row.id, CERTAIN, 0),)

    def _of_made(self, context: Context, made: MacroCall, least: float = 1.0) -> Found:
        call = Call(made.name, "", made.arity, PLAIN, -1)
        found = self._plain_call(context, call)
        return tuple((i, min(confidence, least), k | EdgeKind.THROUGH_MACRO) for i, confidence, k in found)

    def _can_be_called(self, name: str, entry: Named) -> bool:
        if name == "operator[]" and self._to_pointer:
            return True
        return entry is not NOTHING or bool(self._made.calls_like(name))

    def _found(self, context: Context, call: Call) -> tuple[Found, bool]:
        """The callees of a call, and whether the same words mean the same everywhere in the function."""
        if call.form == PLAIN:
            key = (call.name, call.arity, context.row.scope, context.const)
            found = self._plain.get(key)
            if found is None:
                found = self._plain_call(context, call)
                if not self._told_by_types:
                    self._plain[key] = found
            return found, key in self._plain
        self._told_by_types = False
        if call.form == MEMBER:
            found = self._member_call(context, call)
        elif call.form == QUALIFIED:
            found = self._qualified_call(context, call)
        elif call.form == CONSTRUCT:
            found = self._construction(context, call, call.name)
        else:
            found = self._operator(context, call)
        return found, not self._told_by_types

    def _plain_call(self, context: Context, call: Call, in_macro: bool = False) -> Found:
        row = context.row
        names = self._names
        name = call.name
        self._told_by_types = False
        if row.owner:
            for scope in reversed(row.scope.split("::")) if names[name].methods else ():
                if self.types.methods(scope, name):
                    return self._chosen_method(context, scope, context.const, call, CERTAIN)
        found: list[tuple[int, float, int]] = []
        macros = self._macros.visible(name) if names[name].macros and not in_macro else ()
        if macros:
            found += self._by_macro(context, name, macros)
        free = names[name].free
        if free and not any(c >= CERTAIN and k & EdgeKind.THROUGH_MACRO for _, c, k in found):
            found += self._chosen_free(context, free, call, CERTAIN)
        elif names[name].classes and not macros:
            return self._construction(context, call, name)
        elif not found:
            # Made out of sight, by a macro that the tree shows.
            for made in self._made.calls_like(name):
                found += self._of_made(context, made, LIKELY)
            if not found and self._objects_called and not in_macro:
                return self._call_of_object(context, call)
        return tuple(found)

    def _call_of_object(self, context: Context, call: Call) -> Found:
        """`x(1)` of a variable or field `x` whose class has an `operator()`."""
        self._told_by_types = True
        kind = self.types.expression(context, call.name)
        if kind is None or kind.pointers:
            return ()
        call = call._replace(name=_CALL)
        return self._chosen_method(context, kind.base, kind.const, call, CERTAIN, EdgeKind.OPERATOR)

    def _by_macro(self, context: Context, name: str, macros: Sequence[Row]) -> Iterator[tuple[int, float, int]]:
        for macro in macros:
            if self._macros.replacement(macro).function_like:
                yield macro.id, CERTAIN, EdgeKind.MACRO
        for made in self._macros.expanded(name):
            if made.member:
                continue
            call = Call(made.name, "", made.arity, PLAIN, -1)
            for callee, confidence, kind in self._plain_call(context, call, in_macro=True):
                yield callee, confidence, kind | EdgeKind.THROUGH_MACRO

    def _chosen_free(self, context: Context, rows: Sequence[Row], call: Call, confidence: float) -> Found:
        names = self._names
        file = context.row.file
        if len(rows) == 1:
            row = rows[0]
            if row.file != file and not names.visible[row.file] and names.is_static(row):
                return ()
            return ((row.id, confidence, 0),)
        key, rows = self._candidates.free(rows, call, context.row.scope)
        if len({r.file for r in rows}) == len(rows) > 1:
            chosen = self._by_types(context, key, rows, call)
            if len(chosen) <= 1:  # none where the arguments fit only the operator that the language has built in
                return tuple((r.id, confidence, 0) for r in chosen)
            # Programs of one tree that each define it, or files of which a build takes one: each is the one meant,
            # the near ones more often.
            paths = names.paths
            near = nearest(chosen, lambda r: shared(paths[file], paths[r.file], "/"))
            chosen = near if len(chosen) > MOST_CANDIDATES else chosen
            if len(chosen) <= MOST_CANDIDATES:
                return tuple((r.id, ALTERNATIVE + NEARER * (len(near) == 1 and r is near[0]), 0) for r in chosen)
        key = (*key, True)
        return self._chosen(context, key, self._candidates.fitting(key, rows, call.arity), call, confidence)

    def _chosen_method(
        self, context: Context, owner: str, const: bool, call: Call, confidence: float, kind: int = 0
    ) -> Found:
        """Edges to the methods of a class, or of the nearest of its bases, that a call on a const or other object
        means."""
        key, rows = self._candidates.methods(owner, call.name.rsplit("::", 1)[-1], const, call.arity)
        return self._chosen(context, key, rows, call, confidence, kind)

    def _chosen(
        self, context: Context, key: Key, rows: Sequence[Row], call: Call, confidence: float, kind: int = 0
    ) -> Found:
        """Edges to those of `rows`, the narrowed ones of `key`, that the call fits best: the confidence is shared
        where it can't decide."""
        if len(rows) > 1:
            rows = self._by_types(context, key, rows, call)
        return self._shares(rows, confidence, kind)

    def _shares(self, rows: Sequence[Row], confidence: float, kind: int) -> Found:
        if not rows or len(rows) > 2 * MOST_CANDIDATES:
            return ()
        if len(rows) == 1:
            return ((rows[0].id, confidence, kind),)
        if len(rows) <= MOST_CANDIDATES and len({(r.scope, self._overloads.parameters(r)) for r in rows}) == 1:
            return tuple((r.id, ALTERNATIVE, kind) for r in rows)  # branches of an `#if`
        return tuple((r.id, confidence / len(rows), kind) for r in rows)

    def _by_types(self, context: Context, key: Key, rows: Sequence[Row], call: Call) -> Sequence[Row]:
        """Those of the narrowed rows of `key` that the types of the arguments fit best."""
        if call.end < 0:
            return rows
        return self._candidates.best(key, rows, self._given(context, key, rows, call))

    def _given(self, context: Context, key: Key, rows: Sequence[Row], call: Call) -> tuple[Type | None, ...]:
        """The types of a call's arguments; None where all candidates take the same, which tells nothing."""
        expression = self.types.expression
        if call.form == OPERATOR:
            self._told_by_types = True
            texts = [call.receiver, right_operand(context.text, call.end)] if call.arity == 2 else [call.receiver]
            if rows[0].owner and self._names[rows[0].owner].classes:
                del texts[0]
            return tuple(expression(context, t) if t else None for t in texts)
        telling = self._candidates.told_apart_by(key, rows)
        if not telling:
            return ()
        self._told_by_types = True
        texts = arguments(context.text, call.end)
        return tuple(expression(context, t) if t and i in telling else None for i, t in enumerate(texts))

    def _member_call(self, context: Context, call: Call) -> Found:
        name = call.name
        methods_of = self._names[name].methods
        if not methods_of:
            return ()
        types = self.types
        kind = types.expression(context, call.receiver)
        if kind is not None:
            owner = kind.base
            methods = types.methods(owner, name)
            if not methods and kind.args:
                inner = types.spelt(kind.args[0])
                if inner is not None:
                    owner = types.resolved(inner).base
                    methods = types.methods(owner, name)
            if methods:
                return self._chosen_method(context, owner, kind.const, call, CERTAIN)
            if self._names[kind.base].classes:
                return ()
        if len(methods_of) == 1:
            key = (MEMBER, name, "", False, call.arity)
            rows = self._candidates.fitting(key, next(iter(methods_of.values())), call.arity)
            return self._chosen(context, key, rows, call, LIKELY)
        return ()

    def _qualified_call(self, context: Context, call: Call) -> Found:
        scope, _, last = call.name.rpartition("::")
        owner = scope.rsplit("::", 1)[-1]
        names = self._names
        if owner and names[owner].classes:
            base = self.types.resolved(Type(owner)).base
            if self.types.methods(base, last):
                return self._chosen_method(context, base, context.const, call, CERTAIN)
            if owner == last:
                return self._construction(context, call, last)
        free = names[last].free
        if free:
            fitting = [r for r in free if f"::{r.scope}".endswith(f"::{scope}")]
            return self._chosen_free(context, fitting, call, CERTAIN) if fitting else ()
        return self._construction(context, call, last) if names[last].classes else ()

    def _construction(self, context: Context, call: Call, name: str) -> Found:
        last = name.rsplit("::", 1)[-1]
        types = self.types
        kind = None
        if not self._names[last].classes and not self._names[last].macros:
            kind = types.field(context.row.owner, last) if context.row.owner else None
            if kind is None or kind.pointers:
                return ()
        owner = types.resolved(kind or Type(last)).base
        constructors = self._names[owner].methods.get(owner)
        if not constructors:
            return ()
        key = (CONSTRUCT, owner, "", False, call.arity)
        rows = self._candidates.fitting(key, constructors, call.arity)
        return self._chosen(context, key, rows, call, CERTAIN, EdgeKind.CONSTRUCTOR)

    def _operator(self, context: Context, call: Call) -> Found:
        types = self.types
        name = call.name
        kind = types.expression(context, call.receiver)
        if kind is None or kind.pointers:
            return ()
        if types.methods(kind.base, name):
            return self._chosen_method(context, kind.base, kind.const, call, CERTAIN, EdgeKind.OPERATOR)
        if name == "operator[]":
            # `v[i]` of a class that converts to a pointer.
            key = (OPERATOR, "operator *", kind.base, kind.const, call.arity)
            pointers = self._candidates.by_const(self._to_pointer.get(kind.base, ()), kind.const)
            rows = self._candidates.fitting(key, pointers, call.arity)
            return self._chosen(context, key, rows, call, CERTAIN, EdgeKind.OPERATOR)
        if kind.base in PRIMITIVE_TYPES:
            # Only an object on the right calls anything.
            text = right_operand(context.text, call.end) if call.arity == 2 and name[-1] != "=" else ""
            self._told_by_types = True
            other = types.expression(context, text) if text else None
            if other is None or other.pointers or not self._names[other.base].classes:
                return ()
            kind = other
        return self._free_operator(context, call, kind.base)

    def _free_operator(self, context: Context, call: Call, base: str) -> Found:
        """Of a large tree's hundreds of `operator<<` a file sees a few dozen, and uses them on the same types again
        and again."""
        key = (OPERATOR, call.name, base, False, call.arity)
        rows = self._candidates.fitting(key, self._free_operators(call.name, base), call.arity)
        return self._chosen(context, key, rows, call, CERTAIN, EdgeKind.OPERATOR)

    def _free_operators(self, name: str, base: str) -> Sequence[Row]:
        key = (name, base)
        found = self._operators.get(key)
        if found is None:
            found = self._operators[key] = [r for r in self._names[name].free if base in r.signature]
        return found
