"""The symbols in sight that fit what a missing name is used for, the best first.

Types decide what is left out; what the file's other functions use, and how near a symbol is, decide the order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log1p

from agent.explain.likeness import likeness
from agent.explain.names import ViewNames
from agent.explain.roles.expressions import Expressions, constant
from agent.explain.roles.kinds import INT, NUMBERS, UNKNOWN, Kind, Signature, fit
from agent.explain.roles.places import Role, roles
from agent.explain.roles.resolving import Resolving
from agent.explain.roles.siblings import Siblings, family
from agent.explain.stdlib import library
from index.cpp.tokens import split_identifier
from index.values import Symbol, SymbolKind, Target
from retrieval.test_code import is_test_code

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_CONSTANTS = frozenset({SymbolKind.MACRO, SymbolKind.ENUMERATOR})
_WORD = re.compile(r"[A-Za-z_]\w*")
_PARAMETERS = re.compile(r"#\s*define\s+\w+\(([^)]*)\)")
# What a matching type weighs: one of the repository's own says more than a string, and that more than a number.
_OWN, _STRING, _NUMBER = 3.0, 1.2, 0.8
_POINTED = 5.0
# A misfit that a conversion may allow: C++ has many.
_MISFIT = -3.0
_NEAR = (1.6, 0.8, 0.4, 0.2)
_USED, _KIN, _SAME_PLACE, _SAME_FIRST = 0.5, 2.5, 2.0, 0.8
_SHARED_WORD, _ALIKE = 0.5, 1.5
_READ_MEMBERS = 3.0
_FAMILY = 2.0
_CASE = 1.5
_UNCALLED = 1.0
_MISPLACED = -100.0
_WRITTEN = 6
_REFINED = 80
_SHORT = 3
# Words count as the same by their beginnings: `resize`, `resizing`.
_STEM = 5


@dataclass(frozen=True, slots=True)
class Fitting:
    """A symbol and how well it fits: only the order of the numbers means anything."""

    symbol: Symbol
    score: float


class Fitter:
    """Answers for one draft; what it reads of the repository stays for the next."""

    def __init__(self, names: ViewNames, target: Target) -> None:
        self._names = names
        self._target = target
        self._resolving = Resolving(names)
        self._siblings = Siblings(names)
        self._tests = is_test_code(target.path)
        words = split_identifier(target.name.rpartition("::")[2]) + _WORD.findall(target.docstring.lower())
        self._about = frozenset(word[:_STEM] for word in words if len(word) > _SHORT)

    def draft(self, code: str) -> DraftRoles:
        return DraftRoles(self._names, self._target, self._resolving, self._siblings, code, self._about, self._tests)


class DraftRoles:
    """The roles of names in one draft, and what fits them."""

    def __init__(
        self,
        names: ViewNames,
        target: Target,
        resolving: Resolving,
        siblings: Siblings,
        code: str,
        about: frozenset[str],
        tests: bool,
    ) -> None:
        self._names = names
        self._target = target
        self._resolving = resolving
        self._siblings = siblings
        self._code = code
        self._about = about
        self._tests = tests

    @cached_property
    def _expressions(self) -> Expressions:
        return Expressions(self._code, self._target, self._resolving)

    @cached_property
    def _kin(self) -> Mapping[str, float]:
        return self._siblings.kin(frozenset(_WORD.findall(self._code)))

    def roles(self, name: str) -> list[Role]:
        """What the draft uses a name for; nothing for a draft that doesn't show it."""
        return roles(self._expressions, name)

    def fitting(self, name: str, found: Sequence[Role], most: int) -> list[Symbol]:
        """Symbols in sight that fit all the roles `found` of `name`, each name once, the best first."""
        if not found or found[0].use == "type":
            return []
        scored: list[Fitting] = []
        for other, symbols in self._candidates(found[0]):
            if other != name and not other.startswith("~"):
                usable = [symbol for symbol in symbols if self._usable(symbol, found[0])]
                best = self._best(usable, name, found)
                scored += [best] if best is not None else []
        ranked = sorted(scored, key=lambda each: (-each.score, each.symbol.name))
        refined = [self._refined(each, found) for each in ranked[: max(_REFINED, most)]]
        kept = sorted((each for each in refined if each is not None), key=lambda each: (-each.score, each.symbol.name))
        return [each.symbol for each in kept[:most]]

    def fits(self, symbols: Sequence[Symbol], found: Sequence[Role]) -> bool:
        """Whether a name with these symbols can stand where the missing one does, as far as their types are known."""
        if not symbols or any(symbol.kind is SymbolKind.TYPE for symbol in symbols):
            return bool(symbols)
        best = self._best(symbols, symbols[0].name, found)
        return best is not None and self._refined(best, found) is not None

    def written(self, found: Sequence[Role]) -> list[str]:
        """Constants from outside the repository (SIGTERM, O_RDONLY) that other code writes at the places of roles."""
        counted: dict[str, float] = {}
        for place in dict.fromkeys(role.place for role in found if role.place is not None and role.use == "value"):
            counted |= self._siblings.at(place)
        outside = [word for word in counted if word.isupper() and len(word) > 1 and not self._names.known(word)]
        return sorted(outside, key=lambda word: (-counted[word], word))[:_WRITTEN]

    def members(self, name: str, members: Sequence[Symbol], found: Sequence[Role]) -> list[Symbol]:
        """`members` in the order in which they may be meant; those that can't stand there come last."""
        wanted = [role for role in found if role.member] or [Role("value", member=True)]
        scores: dict[Symbol, float] = {}
        for symbol in members:
            best = self._best([symbol], name, wanted)
            scores[symbol] = best.score if best else _MISPLACED + self._context(symbol, name, wanted)
        return sorted(members, key=lambda symbol: -scores[symbol])

    def _candidates(self, role: Role) -> Iterable[tuple[str, Sequence[Symbol]]]:
        if role.member:
            owned: dict[str, list[Symbol]] = {}
            for symbol in self._resolving.members(role.owner.base) if role.owner is not None else ():
                owned.setdefault(symbol.name, []).append(symbol)
            return owned.items()
        if role.use != "called":
            return self._names.in_sight.items()
        # Of the C library what the file calls already: its header is included.
        used = [(each.name, [each]) for each in library() if self._siblings.called[each.name]]
        return [*self._names.in_sight.items(), *used]

    def _usable(self, symbol: Symbol, role: Role) -> bool:
        if symbol.path in self._hidden_tests:
            return False
        kind = symbol.kind
        if role.member:
            return kind in _FUNCTIONS or kind is SymbolKind.FIELD
        if kind is SymbolKind.TYPE:
            return False
        scope = symbol.qualified_name.rpartition("::")[0].rpartition("::")[2]
        own = bool(scope) and scope in self._own_lineage
        if kind is SymbolKind.FIELD:
            return own
        if kind in _FUNCTIONS and scope and not own and scope != symbol.name and self._is_class(scope):
            return False
        below = symbol.path == self._target.path and symbol.span.first > self._target.span.last
        return own or not below

    @cached_property
    def _hidden_tests(self) -> Collection[str]:
        """Test code in sight, which only another test may be shown."""
        return frozenset() if self._tests else frozenset(filter(is_test_code, self._names.files))

    @cached_property
    def _own_lineage(self) -> Collection[str]:
        own = self._expressions.own_class
        return frozenset(self._resolving.lineage(own)) if own else frozenset()

    def _is_class(self, scope: str) -> bool:
        return bool(self._names.exact(scope, frozenset({SymbolKind.TYPE})))

    def _best(self, symbols: Sequence[Symbol], name: str, found: Sequence[Role]) -> Fitting | None:
        """The overloads of a name that fit its roles best: the one of the first role, with the score of all."""
        if not symbols:
            return None
        total = 0.0
        first: Symbol | None = None
        for role in found:
            typed = [
                (score, n) for n, each in enumerate(symbols) if (score := self._typed(each, role, name)) is not None
            ]
            if not typed:
                return None
            score, number = max(typed, key=lambda pair: (pair[0], -pair[1]))
            total += score
            first = first or symbols[number]
        assert first is not None
        return Fitting(first, total / len(found) + self._context(first, name, found))

    def _typed(self, symbol: Symbol, role: Role, name: str) -> float | None:
        return self._called(symbol, role) if role.use == "called" else self._value(symbol, role, name)

    def _context(self, symbol: Symbol, name: str, found: Sequence[Role]) -> float:
        """All but the types: nearness, use, words."""
        own = symbol.name
        score = _NEAR[min(self._names.level(symbol.path), len(_NEAR) - 1)]
        used = (self._siblings.called if found[0].use == "called" else self._siblings.used)[own]
        score += _USED * log1p(used) + _KIN * self._kin.get(own, 0.0)
        for place in dict.fromkeys(role.place for role in found if role.place is not None):
            score += _SAME_PLACE * log1p(self._siblings.at(place).get(own, 0.0))
            if symbol.kind in _CONSTANTS:
                score += _FAMILY * self._siblings.families(place).get(family(own), 0.0)
        first = next((role.first for role in found if role.first), "")
        if first and used and re.search(rf"\b{re.escape(own)}\s*\(\s*{re.escape(first)}", self._siblings.home):
            score += _SAME_FIRST
        shared = self._about & {word[:_STEM] for word in split_identifier(own)}
        return score + _SHARED_WORD * min(len(shared), 3) + _ALIKE * max(0.0, likeness(name, own) - 50) / 50

    def _called(self, symbol: Symbol, role: Role) -> float | None:
        if symbol.kind is SymbolKind.MACRO:
            return self._macro_called(symbol, role)
        if symbol.kind in _FUNCTIONS:
            signature = self._resolving.of_function(symbol)
            if signature is not None and symbol.qualified_name.endswith(f"{symbol.name}::{symbol.name}"):
                # A constructor gives its class.
                signature = replace(signature, returns=Kind(symbol.name, written=symbol.name))
        else:
            kind = (
                self._resolving.of_variable(symbol) if symbol.kind in (SymbolKind.GLOBAL, SymbolKind.FIELD) else None
            )
            signature = kind.function if kind is not None else None
            if signature is None:
                return None
        if signature is None:
            return 0.0
        if not signature.accepts(len(role.takes)):
            return None
        score = 0.0
        for given, taken in zip(role.takes, signature.takes, strict=False):
            part = self._fit(given, taken)
            if part is None:
                return None
            score += part
        after = self._returned(signature, role)
        return None if after is None else score + after

    def _returned(self, signature: Signature, role: Role) -> float | None:
        gives = signature.returns
        nothing = gives is not None and gives.base == "void" and gives.pointers == 0
        if role.result == "dropped":
            return 0.6 if nothing else 0.0
        if nothing:
            return None
        if role.members:
            return self._read(gives, role)
        return 0.0 if role.result == "tested" else self._fit(gives, role.wants)

    def _macro_called(self, symbol: Symbol, role: Role) -> float | None:
        listed = _PARAMETERS.match(symbol.signature)
        if listed is None:
            return None
        names = [part for part in listed[1].split(",") if part.strip()]
        more = bool(names) and names[-1].strip().endswith("...")
        fits = len(names) - more <= len(role.takes) if more else len(names) == len(role.takes)
        return UNKNOWN * len(names) - 0.5 if fits else None

    def _value(self, symbol: Symbol, role: Role, name: str) -> float | None:
        kind = symbol.kind
        upper = name.isupper()
        if kind in (SymbolKind.GLOBAL, SymbolKind.FIELD):
            have = self._resolving.of_variable(symbol)
            case = 0.0 if role.member or upper else _CASE
            if role.members:
                part = self._read(have, role)
                return None if part is None else part + case
            part = self._fit(have, role.wants)
            return None if part is None else part + case
        if role.members:
            return None
        if kind in _FUNCTIONS:
            if role.member or upper or symbol.name == self._target.name:
                return None
            signature = self._resolving.of_function(symbol)
            have = Kind("function", function=signature) if signature is not None else None
            if role.wants is None:
                # A function that nothing calls by name is there to be pointed at.
                return _UNCALLED if self._siblings.called[symbol.name] <= 1 and role.place is not None else -_UNCALLED
            if role.wants.function is None:
                return None
            part = fit(have, role.wants)
            return _POINTED * part if part else None
        if kind is SymbolKind.ENUMERATOR:
            part = self._fit(INT, role.wants)
            if part is None:
                return None
            same = role.wants is not None and symbol.name in self._resolving.enumerators(role.wants.written)
            return part + (_OWN if same else 0.0) + (_CASE if upper else 0.0)
        if kind is SymbolKind.MACRO and "(" not in symbol.signature:
            if role.wants is not None and (role.wants.function is not None):
                return None
            return UNKNOWN + (_CASE if upper else 0.0)
        return None

    def _read(self, kind: Kind | None, role: Role) -> float | None:
        """What it says that a value has the members that are read from it."""
        if kind is None or kind.pointers != int(role.arrow):
            return None
        for member in role.members:
            if self._resolving.member(kind.base, member) is None:
                return None
        return _READ_MEMBERS

    def _fit(self, have: Kind | None, want: Kind | None) -> float | None:
        part = fit(have, want)
        weight = _weight(have if have is not None else want)
        if part == 0.0 and have is not None and want is not None:
            if self._target.language == "c":
                return None
            if have.pointers == want.pointers and self._resolving.derives(have.base, want.base):
                part = 0.9
            else:
                return _MISFIT
        return part * weight

    def _refined(self, found: Fitting, used: Sequence[Role]) -> Fitting | None:
        """The value of a macro is read only for the best: its text may say that it doesn't fit."""
        symbol = found.symbol
        if symbol.kind is not SymbolKind.MACRO or used[0].use == "called":
            return found
        text = self._names.view.text(symbol)
        value = text.partition(symbol.name)[2].split("/*")[0].split("//")[0].strip()
        if not value:
            return None
        have = constant(text, symbol.name)
        wants = next((role.wants for role in used if role.wants is not None), None)
        part = self._fit(have, wants)
        return None if part is None else Fitting(symbol, found.score - UNKNOWN + part)


def _weight(kind: Kind | None) -> float:
    if kind is None or kind.base in ("void", "null"):
        return _NUMBER
    if kind.base in NUMBERS:
        return _STRING if kind.pointers else _NUMBER
    return _OWN
