"""One call -> the symbols that it may mean, by names and declared types: no compiler and no build.

A name is looked up where the form of the call says: a plain call in the caller's class, then among the functions that
its file can see; a member call in the class that the receiver is declared with; a qualified call in the scope it
names. What a name can't decide gives several edges of less confidence, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from index.callgraph.graph import EdgeKind
from index.callgraph.resolution.calls import (
    ALTERNATIVE_CONFIDENCE,
    IN_SCOPE_CONFIDENCE,
    MOST_CANDIDATES,
    NAME_ONLY_CONFIDENCE,
    NEARER_PATH_BONUS,
    NO_CALLEES,
    Call,
    Callees,
    Key,
    ResolvedCall,
)
from index.callgraph.resolution.candidates import Candidates, count_shared_leading_parts, keep_rows_nearest_caller
from index.callgraph.resolution.declared_types import CallerScope, Types
from index.callgraph.resolution.expression_types import infer_expression_type
from index.callgraph.resolution.macro_calls import MacroCall, Macros
from index.callgraph.resolution.macro_function_calls import MacroFunctionCalls
from index.callgraph.resolution.names import NO_MEANINGS, NameMeanings, Names, Row
from index.callgraph.resolution.overloads import Overloads, extract_right_operand_or_empty, split_call_arguments
from index.cpp.declaring_macros import DeclaringMacro
from index.cpp.keywords import PRIMITIVE_TYPES, STANDARD_CLASSES
from index.cpp.type_text import Type
from index.symbols.call_sites import CONSTRUCT, MEMBER, OPERATOR, PLAIN, QUALIFIED

_LONGEST_UNSEEN_CHAIN = 6
_CALL_OPERATOR = "operator()"


class CalleeFinder:
    """Finds the callees of calls in the file that was entered."""

    def __init__(self, names: Names, text_of: Callable[[Row], str], makers: Mapping[str, DeclaringMacro]) -> None:
        self._names = names
        self._macros = Macros(names, text_of)
        self._made = MacroFunctionCalls(names, text_of, makers)
        self.types = Types(names, infer_expression_type)
        self._overloads = Overloads(names, self.types)
        self._candidates = Candidates(names, self.types)
        self._plain: dict[tuple[str, int, str, bool], ResolvedCall] = {}
        self._to_pointer = names.conversions_to_pointers()
        self.has_call_operators = bool(names[_CALL_OPERATOR].methods)
        self._list_operators_naming_type = lru_cache(maxsize=None)(
            lambda name, operand_type: [r for r in names[name].free if operand_type in r.signature]
        )

    def drop_file_caches(self) -> None:
        self.types.drop_file_caches()
        self._macros.drop_file_caches()
        self._overloads.drop_file_caches()
        self._plain.clear()
        self._candidates.drop_file_caches()

    def can_be_called(self, name: str, named: NameMeanings) -> bool:
        """Whether a call of this name, which means `named` in the tree, can have a callee."""
        if name == "operator[]" and self._to_pointer:
            return True
        return named is not NO_MEANINGS or bool(self._made.guess_calls_from_function_name(name))

    def find_macro_made_function_callees(self, function: Row, macro_use: str) -> Iterator[Callees]:
        """The callees of each call in a function that a macro makes; `macro_use` is the text of the macro's use."""
        for made in self._made.find_macro_made_function_calls(function, macro_use):
            yield self._find_callees_of_replacement_call(CallerScope(function, ""), made).callees

    def find_callees(self, context: CallerScope, call: Call) -> ResolvedCall:
        if call.form == PLAIN:
            key = (call.name, call.arity, context.row.scope, context.const)
            found = self._plain.get(key)
            if found is None:
                found = self._find_plain_callees(context, call)
                if found.by_name:
                    self._plain[key] = found
            return found
        if call.form == MEMBER:
            return self._find_methods_of_receiver_class(context, call)
        if call.form == QUALIFIED:
            return self._find_qualified_callees(context, call)
        if call.form == CONSTRUCT:
            return self._find_constructors(context, call, call.name)
        return self._find_operator_callees(context, call)

    def _find_plain_callees(
        self, context: CallerScope, call: Call, in_macro: bool = False, unseen_callers: tuple[str, ...] = ()
    ) -> ResolvedCall:
        """`unseen_callers` are the functions that led here, each called by the one before, that only a macro makes."""
        name = call.name
        named = self._names[name]
        if context.row.owner:
            for scope in reversed(context.row.scope.split("::")) if named.methods else ():
                if self.types.find_methods(scope, name):
                    return self._choose_methods(context, scope, context.const, call)
        found: Callees = ()
        by_name = True
        macros = self._macros.find_visible(name) if named.macros and not in_macro else ()
        if macros:
            found, by_name = self._find_macro_and_its_callees(context, name, macros)
        if named.free and not any(c >= IN_SCOPE_CONFIDENCE and k & EdgeKind.THROUGH_MACRO for _, c, k in found):
            chosen = self._choose_free_functions(context, named.free, call)
            return ResolvedCall(found + chosen.callees, by_name and chosen.by_name)
        if named.classes and not macros:
            return self._find_constructors(context, call, name)
        if not found:
            # A function made out of sight, by a macro that the tree shows.
            # What such a function calls is a guess from its name's pattern, and may lead back to itself.
            followed = name not in unseen_callers and len(unseen_callers) < _LONGEST_UNSEEN_CHAIN
            for made in self._made.guess_calls_from_function_name(name) if followed else ():
                callees, of_made_by_name = self._find_callees_of_replacement_call(
                    context, made, NAME_ONLY_CONFIDENCE, (*unseen_callers, name)
                )
                found, by_name = found + callees, by_name and of_made_by_name
            if not found and self.has_call_operators and not in_macro:
                return self._find_call_operator(context, call)
        return ResolvedCall(found, by_name)

    def _find_callees_of_replacement_call(
        self,
        context: CallerScope,
        macro_call: MacroCall,
        most_confidence: float = 1.0,
        unseen_callers: tuple[str, ...] = (),
    ) -> ResolvedCall:
        """The callees of a call that a macro's replacement makes, with a confidence of at most `most_confidence`."""
        call = Call(macro_call.name, "", macro_call.arity, PLAIN, -1)
        found, by_name = self._find_plain_callees(context, call, unseen_callers=unseen_callers)
        return ResolvedCall(
            tuple((i, min(c, most_confidence), k | EdgeKind.THROUGH_MACRO) for i, c, k in found), by_name
        )

    def _find_macro_and_its_callees(self, context: CallerScope, name: str, macros: Sequence[Row]) -> ResolvedCall:
        """The macro itself, where it takes arguments, and what its replacement calls."""
        found = [
            (macro.id, IN_SCOPE_CONFIDENCE, int(EdgeKind.MACRO))
            for macro in macros
            if self._macros.parse_replacement(macro).function_like
        ]
        all_by_name = True
        for made in self._macros.find_calls_through_nested_macros(name):
            if not made.member:
                call = Call(made.name, "", made.arity, PLAIN, -1)
                callees, by_name = self._find_plain_callees(context, call, in_macro=True)
                found += [(callee, confidence, kind | EdgeKind.THROUGH_MACRO) for callee, confidence, kind in callees]
                all_by_name = all_by_name and by_name
        return ResolvedCall(tuple(found), all_by_name)

    def _find_call_operator(self, context: CallerScope, call: Call) -> ResolvedCall:
        """`x(1)` of a variable or field `x` whose class has an `operator()`."""
        kind = self.types.infer_type(context, call.name)
        if kind is None or kind.pointers:
            return ResolvedCall((), by_name=False)
        call = call._replace(name=_CALL_OPERATOR)
        found = self._choose_methods(context, kind.base, kind.const, call, EdgeKind.OPERATOR)
        return ResolvedCall(found.callees, by_name=False)

    def _find_methods_of_receiver_class(self, context: CallerScope, call: Call) -> ResolvedCall:
        name = call.name
        methods_of = self._names[name].methods
        if not methods_of:
            return NO_CALLEES
        types = self.types
        kind = types.infer_type(context, call.receiver)
        if kind is not None:
            owner = kind.base
            methods = types.find_methods(owner, name)
            if not methods and kind.args:
                inner = types.parse_type(kind.args[0])
                if inner is not None:
                    owner = types.resolve_aliases(inner).base
                    methods = types.find_methods(owner, name)
            if methods:
                return self._choose_methods(context, owner, kind.const, call)
            if self._names[kind.base].classes or kind.base in STANDARD_CLASSES:
                return NO_CALLEES
        if len(methods_of) == 1:
            key = (MEMBER, name, "", False, call.arity)
            (rows,) = methods_of.values()
            return self._choose_candidates(context, key, rows, call, confidence=NAME_ONLY_CONFIDENCE)
        return NO_CALLEES

    def _find_qualified_callees(self, context: CallerScope, call: Call) -> ResolvedCall:
        scope, _, last = call.name.rpartition("::")
        owner = scope.rsplit("::", 1)[-1]
        names = self._names
        if owner and names[owner].classes:
            base = self.types.resolve_aliases(Type(owner)).base
            if self.types.find_methods(base, last):
                return self._choose_methods(context, base, context.const, call)
            if owner == last:
                return self._find_constructors(context, call, last)
        free = names[last].free
        if free:
            fitting = [r for r in free if f"::{r.scope}".endswith(f"::{scope}")]
            return self._choose_free_functions(context, fitting, call) if fitting else NO_CALLEES
        return self._find_constructors(context, call, last) if names[last].classes else NO_CALLEES

    def _find_constructors(self, context: CallerScope, call: Call, name: str) -> ResolvedCall:
        last = name.rsplit("::", 1)[-1]
        types = self.types
        kind = None
        if not self._names[last].classes and not self._names[last].macros:
            kind = types.find_field_type(context.row.owner, last) if context.row.owner else None
            if kind is None or kind.pointers:
                return NO_CALLEES
        owner = types.resolve_aliases(kind or Type(last)).base
        constructors = self._names[owner].methods.get(owner)
        if not constructors:
            return NO_CALLEES
        key = (CONSTRUCT, owner, "", False, call.arity)
        return self._choose_candidates(context, key, constructors, call, EdgeKind.CONSTRUCTOR)

    def _find_operator_callees(self, context: CallerScope, call: Call) -> ResolvedCall:
        types = self.types
        name = call.name
        kind = types.infer_type(context, call.receiver)
        if kind is None or kind.pointers:
            return NO_CALLEES
        if types.find_methods(kind.base, name):
            return self._choose_methods(context, kind.base, kind.const, call, EdgeKind.OPERATOR)
        if name == "operator[]":
            # `v[i]` of a class that converts to a pointer.
            key = (OPERATOR, "operator *", kind.base, kind.const, call.arity)
            pointers = self._candidates.prefer_overloads_fitting_const(self._to_pointer.get(kind.base, ()), kind.const)
            return self._choose_candidates(context, key, pointers, call, EdgeKind.OPERATOR)
        if kind.base not in PRIMITIVE_TYPES:
            return self._find_free_operators(context, call, kind.base)
        # Only an object on the right calls anything.
        text = extract_right_operand_or_empty(context.text, call.end) if call.arity == 2 and name[-1] != "=" else ""
        other = types.infer_type(context, text) if text else None
        if other is None or other.pointers or not self._names[other.base].classes:
            return ResolvedCall((), by_name=False)
        return ResolvedCall(self._find_free_operators(context, call, other.base).callees, by_name=False)

    def _find_free_operators(self, context: CallerScope, call: Call, operand_type: str) -> ResolvedCall:
        """The callees of an operator that is no method, on an operand of type `operand_type`.

        Of a large tree's hundreds of `operator<<` a file sees a few dozen, and uses them on the same types again.
        """
        key = (OPERATOR, call.name, operand_type, False, call.arity)
        operators = self._list_operators_naming_type(call.name, operand_type)
        return self._choose_candidates(context, key, operators, call, EdgeKind.OPERATOR)

    def _choose_free_functions(self, context: CallerScope, rows: Sequence[Row], call: Call) -> ResolvedCall:
        names = self._names
        file = context.row.file
        if len(rows) == 1:
            row = rows[0]
            hidden = names.is_hidden_static(row, file)
            return NO_CALLEES if hidden else ResolvedCall(((row.id, IN_SCOPE_CONFIDENCE, 0),))
        key, rows = self._candidates.find_own_or_visible_free_functions(rows, call, context.row.scope)
        by_name = True
        if len({r.file for r in rows}) == len(rows) > 1:
            chosen, by_name = self._filter_by_types_flagging_types_unread(context, key, rows, call)
            if len(chosen) <= 1:  # none where the arguments fit only the operator that the language has built in
                return ResolvedCall(tuple((r.id, IN_SCOPE_CONFIDENCE, 0) for r in chosen), by_name)
            # Programs of one tree that each define it, or files of which a build takes one: each may be meant, the
            # near ones more often.
            paths = names.paths
            near = keep_rows_nearest_caller(
                chosen, lambda r: count_shared_leading_parts(paths[file], paths[r.file], "/")
            )
            chosen = near if len(chosen) > MOST_CANDIDATES else chosen
            if len(chosen) <= MOST_CANDIDATES:
                nearest_id = near[0].id if len(near) == 1 else -1
                edges = tuple(
                    (r.id, ALTERNATIVE_CONFIDENCE + NEARER_PATH_BONUS * (r.id == nearest_id), 0) for r in chosen
                )
                return ResolvedCall(edges, by_name)
        found = self._choose_candidates(context, (*key, True), rows, call)
        return ResolvedCall(found.callees, by_name and found.by_name)

    def _choose_methods(
        self, context: CallerScope, owner: str, const: bool, call: Call, kind: int = 0
    ) -> ResolvedCall:
        key, rows = self._candidates.find_methods(owner, call.name.rsplit("::", 1)[-1], const, call.arity)
        return self._choose_candidates(context, key, rows, call, kind)

    def _choose_candidates(
        self,
        context: CallerScope,
        key: Key,
        rows: Sequence[Row],
        call: Call,
        kind: int = 0,
        confidence: float = IN_SCOPE_CONFIDENCE,
    ) -> ResolvedCall:
        """Edges to those candidates of `key` that fit the call best. They share the confidence where several do."""
        rows = self._candidates.prefer_visible_candidates_fitting_arity(key, rows, call.arity)
        by_name = True
        if len(rows) > 1:
            rows, by_name = self._filter_by_types_flagging_types_unread(context, key, rows, call)
        if not rows or len(rows) > 2 * MOST_CANDIDATES:
            return ResolvedCall((), by_name)
        share = confidence / len(rows)
        if (
            1 < len(rows) <= MOST_CANDIDATES
            and len({(r.scope, self._overloads.parameter_types(r)) for r in rows}) == 1
        ):
            share = ALTERNATIVE_CONFIDENCE  # branches of an `#if`
        return ResolvedCall(tuple((r.id, share, kind) for r in rows), by_name)

    def _filter_by_types_flagging_types_unread(
        self, context: CallerScope, key: Key, rows: Sequence[Row], call: Call
    ) -> tuple[Sequence[Row], bool]:
        """The candidates of `key` that the types of the arguments fit best, and whether no type was looked at. Only
        the types of arguments that tell candidates apart are."""
        if call.end < 0:
            return rows, True
        infer = self.types.infer_type
        if call.form == OPERATOR:
            texts = [call.receiver]
            if call.arity == 2:
                texts.append(extract_right_operand_or_empty(context.text, call.end))
            if rows[0].owner and self._names[rows[0].owner].classes:
                del texts[0]
            given = tuple(infer(context, t) if t else None for t in texts)
        else:
            deciding = self._overloads.find_deciding_arguments(key, rows)
            if not deciding:
                return rows, True
            texts = split_call_arguments(context.text, call.end)
            given = tuple(infer(context, t) if t and i in deciding else None for i, t in enumerate(texts))
        return self._overloads.choose_best_overloads(key, rows, given), False
