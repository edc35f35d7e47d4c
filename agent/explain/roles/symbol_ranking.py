"""The symbols in sight that fit what a missing name is used for, the best first.

Types decide what is left out; what the file's other functions use, and how near a symbol is, decide the order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import log1p

from agent.explain.roles.expression_types import ExpressionTypes
from agent.explain.roles.name_roles import Role, find_roles
from agent.explain.roles.sibling_usage import SiblingUsage, take_first_word_of_constant
from agent.explain.roles.type_resolver import TypeResolver
from agent.explain.roles.value_types import INT, UNKNOWN_TYPE_FIT, Signature, ValueType, score_type_fit
from index.cpp.tokens import split_identifier
from index.values import Symbol, SymbolKind, Target
from retrieval.test_code import is_test_code

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_CONSTANTS = frozenset({SymbolKind.MACRO, SymbolKind.ENUMERATOR})
_WORD = re.compile(r"[A-Za-z_]\w*")
_PARAMETERS = re.compile(r"#\s*define\s+\w+\(([^)]*)\)")
# A value of the very enumeration that is wanted, and a function of the very signature.
_OWN_ENUMERATION_BONUS, _CALLBACK_WEIGHT = 3.0, 5.0
# A derived class for its base, and a misfit that a conversion may allow: C++ has many.
_DERIVED_CLASS_FIT, _CONVERSION_PENALTY = 0.9, -3.0
# By how many includes lie between: the file itself, what it includes, and so on.
_INCLUDE_LEVEL_BONUS = (1.6, 0.8, 0.4, 0.2)
# How often the file uses a name (the logarithm), its functions that use what the draft uses, and what stands at the
# same place.
_USE_COUNT_WEIGHT, _RELATED_FUNCTION_WEIGHT, _SAME_PLACE_WEIGHT = 0.5, 2.5, 2.0
# Words that the target's name or comment has too.
_SHARED_WORD_WEIGHT = 0.5
# A type that has the member which is read from the value.
_READ_MEMBER_WEIGHT = 3.0
# A constant that begins as those at the same place do.
_NAME_FAMILY_WEIGHT = 2.0
_UNCALLED_FUNCTION_WEIGHT = 1.0
_MISPLACED_PENALTY = -100.0
_MOST_SYSTEM_CONSTANTS = 6
_SHORT_WORD_CHARS = 3
# Words count as the same by their beginnings: `resize`, `resizing`.
_STEM_CHARS = 5


class DraftSymbols:
    """The roles of names in one draft, and the symbols that fit them. What `resolver` and `siblings` read of the
    repository stays for the target's next draft."""

    def __init__(self, code: str, target: Target, resolver: TypeResolver, siblings: SiblingUsage) -> None:
        self._code = code
        self._target = target
        self._resolver = resolver
        self._siblings = siblings
        self._names = resolver.names
        words = split_identifier(target.name.rpartition("::")[2]) + _WORD.findall(target.docstring.lower())
        self._topic = frozenset(word[:_STEM_CHARS] for word in words if len(word) > _SHORT_WORD_CHARS)

    @cached_property
    def _expression_types(self) -> ExpressionTypes:
        return ExpressionTypes(self._code, self._target, self._resolver)

    @cached_property
    def _related_words(self) -> Mapping[str, float]:
        return self._siblings.weigh_related_words(frozenset(_WORD.findall(self._code)))

    def find_roles(self, name: str) -> list[Role]:
        """What the draft uses a name for; nothing for a draft that doesn't show it."""
        return find_roles(self._expression_types, name)

    def rank_fitting_visible_symbols(self, name: str, found: Sequence[Role], most: int) -> list[Symbol]:
        """Symbols in sight that fit all the roles `found` of `name`, each name once, the best first."""
        if not found or found[0].use == "type":
            return []
        scored: list[tuple[float, Symbol]] = []
        for other, symbols in self._list_owner_members_or_visible_symbols(found[0]):
            if other != name and not other.startswith("~"):
                usable = [symbol for symbol in symbols if self._has_usable_kind_and_scope(symbol, found[0])]
                best = self._score_overloads(usable, name, found)
                scored += [best] if best is not None else []
        scored.sort(key=lambda pair: (-pair[0], pair[1].name))
        return [symbol for _, symbol in scored[:most]]

    def can_symbols_fill_all_roles(self, symbols: Sequence[Symbol], found: Sequence[Role]) -> bool:
        """Whether a name with these symbols can stand where the missing one does, as far as their types are known."""
        if not symbols or any(symbol.kind is SymbolKind.TYPE for symbol in symbols):
            return bool(symbols)
        return self._score_overloads(symbols, symbols[0].name, found) is not None

    def list_system_constants_siblings_use(self, found: Sequence[Role]) -> list[str]:
        """Constants from outside the repository (SIGTERM, O_RDONLY) that other code writes at the places of roles."""
        counted: dict[str, float] = {}
        for place in dict.fromkeys(role.place for role in found if role.place is not None and role.use == "value"):
            counted |= self._siblings.count_names_at_doubling_lone_ones(place)
        outside = [word for word in counted if word.isupper() and len(word) > 1 and not self._names.has_name(word)]
        return sorted(outside, key=lambda word: (-counted[word], word))[:_MOST_SYSTEM_CONSTANTS]

    def rank_members(self, name: str, members: Sequence[Symbol], found: Sequence[Role]) -> list[Symbol]:
        """`members` in the order in which they may be meant; those that can't stand there come last."""
        wanted = [role for role in found if role.member] or [Role("value", member=True)]
        scores: dict[Symbol, float] = {}
        for symbol in members:
            best = self._score_overloads([symbol], name, wanted)
            scores[symbol] = best[0] if best else _MISPLACED_PENALTY + self._score_nearness_and_use(symbol, wanted)
        return sorted(members, key=lambda symbol: -scores[symbol])

    def _list_owner_members_or_visible_symbols(self, role: Role) -> Iterable[tuple[str, Sequence[Symbol]]]:
        if role.member:
            owned: dict[str, list[Symbol]] = {}
            for symbol in self._resolver.list_members(role.owner.base) if role.owner is not None else ():
                owned.setdefault(symbol.name, []).append(symbol)
            return owned.items()
        return self._names.visible_symbols.items()

    def _has_usable_kind_and_scope(self, symbol: Symbol, role: Role) -> bool:
        if symbol.path in self._withheld_test_files:
            return False
        kind = symbol.kind
        if role.member:
            return kind in _FUNCTIONS or kind is SymbolKind.FIELD
        if kind is SymbolKind.TYPE:
            return False
        scope = symbol.qualified_name.rpartition("::")[0].rpartition("::")[2]
        own = bool(scope) and scope in self._own_class_lineage
        if kind is SymbolKind.FIELD:
            return own
        if kind in _FUNCTIONS and scope and not own and scope != symbol.name:
            of_another_class = self._names.find_symbols_named_exactly(scope, frozenset({SymbolKind.TYPE}))
            if of_another_class:
                return False
        below = symbol.path == self._target.path and symbol.span.first > self._target.span.last
        return own or not below

    @cached_property
    def _withheld_test_files(self) -> Collection[str]:
        """Test code in sight, which only another test may be shown."""
        is_test = is_test_code(self._target.path)
        return frozenset() if is_test else frozenset(filter(is_test_code, self._names.visible_files))

    @cached_property
    def _own_class_lineage(self) -> Collection[str]:
        own = self._expression_types.own_class
        return frozenset(self._resolver.class_lineage(own)) if own else frozenset()

    def _score_overloads(
        self, symbols: Sequence[Symbol], name: str, found: Sequence[Role]
    ) -> tuple[float, Symbol] | None:
        """How well the overloads of a name fit its roles, and the one that fits the first best; None where no overload
        fits a role. Only the order of scores means anything."""
        best: list[tuple[float, Symbol]] = []
        for role in found:
            scored = [
                (
                    self._score_signature_fit_or_reject(each, role)
                    if role.use == "called"
                    else self._score_symbol_as_value(each, role, name),
                    each,
                )
                for each in symbols
            ]
            fitting = [(score, each) for score, each in scored if score is not None]
            if not fitting:
                return None
            best.append(max(fitting, key=lambda pair: pair[0]))
        chosen = best[0][1]
        total = sum(score for score, _ in best)
        return total / len(found) + self._score_nearness_and_use(chosen, found), chosen

    def _score_nearness_and_use(self, symbol: Symbol, found: Sequence[Role]) -> float:
        """All but the types: nearness, use, words."""
        own = symbol.name
        score = _INCLUDE_LEVEL_BONUS[min(self._names.include_level(symbol.path), len(_INCLUDE_LEVEL_BONUS) - 1)]
        used = (self._siblings.call_counts if found[0].use == "called" else self._siblings.word_counts)[own]
        score += _USE_COUNT_WEIGHT * log1p(used) + _RELATED_FUNCTION_WEIGHT * self._related_words.get(own, 0.0)
        for place in dict.fromkeys(role.place for role in found if role.place is not None):
            score += _SAME_PLACE_WEIGHT * log1p(self._siblings.count_names_at_doubling_lone_ones(place).get(own, 0.0))
            if symbol.kind in _CONSTANTS:
                families = self._siblings.weigh_constant_prefixes_at(place)
                score += _NAME_FAMILY_WEIGHT * families.get(take_first_word_of_constant(own), 0.0)
        shared = self._topic & {word[:_STEM_CHARS] for word in split_identifier(own)}
        return score + _SHARED_WORD_WEIGHT * min(len(shared), 3)

    def _score_signature_fit_or_reject(self, symbol: Symbol, role: Role) -> float | None:
        if symbol.kind is SymbolKind.MACRO:
            return self._score_macro_call(symbol, role)
        if symbol.kind in _FUNCTIONS:
            signature = self._resolver.function_signature(symbol)
            if signature is not None and symbol.qualified_name.endswith(f"{symbol.name}::{symbol.name}"):
                # A constructor gives its class.
                signature = replace(signature, returns=ValueType(symbol.name, written=symbol.name))
        else:
            is_variable = symbol.kind in (SymbolKind.GLOBAL, SymbolKind.FIELD)
            kind = self._resolver.variable_type(symbol) if is_variable else None
            signature = kind.function if kind is not None else None
            if signature is None:
                return None
        if signature is None:
            return 0.0
        if not signature.accepts_argument_count(len(role.takes)):
            return None
        score = 0.0
        for given, taken in zip(role.takes, signature.takes, strict=False):
            part = self._score_type_or_subclass_fit(given, taken)
            if part is None:
                return None
            score += part
        after = self._score_return_type_fit(signature, role)
        return None if after is None else score + after

    def _score_return_type_fit(self, signature: Signature, role: Role) -> float | None:
        gives = signature.returns
        nothing = gives is not None and gives.base == "void" and gives.pointers == 0
        if role.result == "dropped":
            return 0.6 if nothing else 0.0
        if nothing:
            return None
        if role.read_member:
            return self._score_read_member(gives, role)
        return 0.0 if role.result == "tested" else self._score_type_or_subclass_fit(gives, role.wants)

    def _score_macro_call(self, symbol: Symbol, role: Role) -> float | None:
        listed = _PARAMETERS.match(symbol.signature)
        if listed is None:
            return None
        names = [part for part in listed[1].split(",") if part.strip()]
        more = bool(names) and names[-1].strip().endswith("...")
        fits = len(names) - more <= len(role.takes) if more else len(names) == len(role.takes)
        return UNKNOWN_TYPE_FIT * len(names) - 0.5 if fits else None

    def _score_symbol_as_value(self, symbol: Symbol, role: Role, name: str) -> float | None:
        if symbol.kind in (SymbolKind.GLOBAL, SymbolKind.FIELD):
            have = self._resolver.variable_type(symbol)
            return (
                self._score_read_member(have, role)
                if role.read_member
                else self._score_type_or_subclass_fit(have, role.wants)
            )
        if role.read_member:
            return None
        if symbol.kind in _FUNCTIONS:
            is_member_or_constant = role.member or name.isupper()
            return None if is_member_or_constant else self._score_function_as_callback(symbol, role)
        if symbol.kind is SymbolKind.ENUMERATOR:
            part = self._score_type_or_subclass_fit(INT, role.wants)
            same = role.wants is not None and symbol.name in self._resolver.enumerator_names(role.wants.written)
            return part + _OWN_ENUMERATION_BONUS if part is not None and same else part
        is_constant = symbol.kind is SymbolKind.MACRO and "(" not in symbol.signature
        wants_function = role.wants is not None and role.wants.function is not None
        return UNKNOWN_TYPE_FIT if is_constant and not wants_function else None

    def _score_function_as_callback(self, symbol: Symbol, role: Role) -> float | None:
        """How well a function stands where a pointer to one is wanted, or where nobody knows what is."""
        if symbol.name == self._target.name:
            return None
        if role.wants is None:
            # A function that nothing calls by name is there to be pointed at.
            uncalled = self._siblings.call_counts[symbol.name] <= 1 and role.place is not None
            return _UNCALLED_FUNCTION_WEIGHT if uncalled else -_UNCALLED_FUNCTION_WEIGHT
        signature = self._resolver.function_signature(symbol)
        have = ValueType("function", function=signature) if signature is not None else None
        part = score_type_fit(have, role.wants) if role.wants.function is not None else 0.0
        return _CALLBACK_WEIGHT * part if part else None

    def _score_read_member(self, kind: ValueType | None, role: Role) -> float | None:
        """What it says that a value has the member that is read from it."""
        if kind is None or kind.pointers != int(role.arrow):
            return None
        return None if self._resolver.find_member(kind.base, role.read_member) is None else _READ_MEMBER_WEIGHT

    def _score_type_or_subclass_fit(self, have: ValueType | None, want: ValueType | None) -> float | None:
        part = score_type_fit(have, want)
        if part > 0.0 or have is None or want is None:
            return part
        if self._target.language == "c":
            return None
        is_derived = have.pointers == want.pointers and self._resolver.is_same_or_subclass_of(have.base, want.base)
        return _DERIVED_CLASS_FIT if is_derived else _CONVERSION_PENALTY
