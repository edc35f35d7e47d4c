"""Names as seen from one file: the symbols of a name, the names nearest to it, the members of a type."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cached_property

from agent.explain.name_similarity import name_similarity_percent
from agent.tools.scope import MOST_INCLUDE_LEVELS, list_include_levels
from index.hiding.hidden_view import HiddenView
from index.values import Symbol, SymbolKind

# Below this likeness two names only share some letters.
_LEAST_SIMILARITY = 55.0
_MOST_BASE_LEVELS = 4
# The compiler also guesses by spelling alone, but it knows the scope exactly.
_COMPILER_HINT_BONUS = 5.0

_TYPE = frozenset({SymbolKind.TYPE})
_MEMBER_KINDS = frozenset({SymbolKind.FIELD, SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})


class ViewNames:
    """The names of a view, as seen from the file `home`. Nothing is read before it is asked for."""

    def __init__(self, view: HiddenView, home: str) -> None:
        self.view = view
        self.home = home

    @cached_property
    def _include_levels(self) -> dict[str, int]:
        """The files that the home file sees, with the number of includes between."""
        return list_include_levels(self.view, self.home)

    @cached_property
    def visible_symbols(self) -> dict[str, list[Symbol]]:
        found: dict[str, list[Symbol]] = {}
        for path in self._include_levels:
            for symbol in self.view.symbols_in_file(path):
                found.setdefault(symbol.name, []).append(symbol)
        return found

    def is_visible(self, path: str) -> bool:
        return path in self._include_levels

    @property
    def visible_files(self) -> Collection[str]:
        """The files that the home file sees, itself first."""
        return self._include_levels.keys()

    def include_level(self, path: str) -> int:
        """How many includes lie between the home file and another."""
        return self._include_levels.get(path, MOST_INCLUDE_LEVELS + 1)

    def has_name(self, name: str) -> bool:
        return bool(self.view.symbols_named(name))

    def find_symbols_named_exactly(self, name: str, kinds: Collection[SymbolKind]) -> list[Symbol]:
        """The symbols of a name and of these kinds, those in sight first; one for each signature."""
        found = [symbol for symbol in self.view.symbols_named(name) if symbol.kind in kinds]
        # Prototypes say as much as a definition, and stand where the users of a function look.
        order = (SymbolKind.PROTOTYPE, *SymbolKind)
        found.sort(key=lambda s: (self.include_level(s.path), order.index(s.kind), s.path, s.start_byte))
        kept: dict[str, Symbol] = {}
        for symbol in found:
            kept.setdefault(_comparable_signature(symbol), symbol)
        return list(kept.values())

    def find_nearest(
        self,
        name: str,
        kinds: Collection[SymbolKind],
        compiler_guess: str,
        most: int,
        *,
        least: float = _LEAST_SIMILARITY,
    ) -> list[str]:
        """Names in sight that look like `name`, the most similar first. `compiler_guess` may be "";
        `least` is the least likeness, 0 to 100."""
        scored: dict[str, float] = {}
        for other, symbols in self.visible_symbols.items():
            # Nobody writes a destructor's name by mistake.
            if other == name or other.startswith("~") or all(symbol.kind not in kinds for symbol in symbols):
                continue
            score = name_similarity_percent(name, other)
            if score >= least:
                scored[other] = score + (other == compiler_guess) * _COMPILER_HINT_BONUS
        return sorted(scored, key=lambda other: (-scored[other], other))[:most]

    def rank_by_similarity(self, name: str, compiler_guess: str, others: Iterable[str]) -> list[str]:
        """`others`, each once, the most similar to `name` first."""
        return sorted(
            dict.fromkeys(others),
            key=lambda other: -name_similarity_percent(name, other) - (other == compiler_guess) * _COMPILER_HINT_BONUS,
        )

    def find_types(self, written: str) -> list[Symbol]:
        """The definitions of a type that the compiler writes as `'struct s' {aka 'struct t'}` or `'A<int>'`."""
        names: list[str] = []
        for quoted in re.findall(r"'([^']*)'", written) or [written]:
            plain = re.sub(r"<.*", "", quoted)
            plain = re.sub(r"\b(?:const|volatile|struct|class|union|enum)\b|[*&]", " ", plain).strip()
            names += [plain] if plain else []
        found: list[Symbol] = []
        for name in dict.fromkeys(names):
            last = name.rpartition("::")[2]
            # Many classes have one of the name inside: `Algorithm::Config`.
            inside = [s for s in self.view.symbols_named(last) if s.kind in _TYPE and s.qualified_name.endswith(name)]
            found += inside if last != name and inside else self.find_symbols_named_exactly(last, _TYPE)
        return sorted(found, key=lambda symbol: (not self.is_visible(symbol.path), "{" not in self.view.text(symbol)))

    def symbols_within(self, owner: Symbol) -> list[Symbol]:
        """The symbols that a type's text declares, in order."""
        inside = range(owner.start_byte, owner.end_byte)
        return [symbol for symbol in self.view.symbols_in_file(owner.path) if symbol.start_byte in inside]

    def list_members(self, owner: Symbol, bases: int = _MOST_BASE_LEVELS) -> list[Symbol]:
        """Fields and methods of a type in order, then those of its base classes, at most `bases` levels up."""
        found = [symbol for symbol in self.symbols_within(owner) if symbol.kind in _MEMBER_KINDS]
        if bases > 0:
            for base in self.base_class_names(owner):
                for other in self.find_symbols_named_exactly(base, _TYPE)[:1]:
                    if other != owner:
                        found = [*found, *self.list_members(other, bases - 1)]
        return found

    def base_class_names(self, owner: Symbol) -> list[str]:
        head = self.view.text(owner).split("{", 1)[0]
        _, colon, after = re.sub(r"::", "\1", head).partition(":")
        parts = re.sub(r"<[^<>]*>", "", after).split(",") if colon else []
        names = [re.sub(r"\b(?:public|protected|private|virtual)\b", "", part).strip() for part in parts]
        return [name.split("\1")[-1].strip() for name in names if name]

    def describe_owner(self, member: Symbol) -> str:
        """The type that a member belongs to, as code writes it: by its typedef where it has one."""
        tag = member.qualified_name.rpartition("::")[0]
        around = [
            symbol
            for symbol in self.view.symbols_in_file(member.path)
            if symbol.kind in _TYPE and symbol.start_byte <= member.start_byte < symbol.end_byte
        ]
        for symbol in around:
            if self.view.text(symbol).startswith("typedef"):
                return symbol.name
        return self._visible_typedefs_by_tag.get(tag, tag) or "a type without a name"

    @cached_property
    def _visible_typedefs_by_tag(self) -> dict[str, str]:
        """Tag -> name, of the typedefs in sight."""
        signatures = (
            symbol.signature for some in self.visible_symbols.values() for symbol in some if symbol.kind in _TYPE
        )
        pattern = re.compile(r"typedef\s+(?:struct|union|enum)\s+(\w+)\s+(\w+)\s*;?$")
        return {found[1]: found[2] for text in signatures if (found := pattern.match(text)) is not None}

    def find_only_member_elsewhere(self, name: str, owner: str) -> Symbol | None:
        """A member called `name` of a type in sight other than `owner`, when only one such type has it."""
        found = [symbol for symbol in self.visible_symbols.get(name, ()) if symbol.kind is SymbolKind.FIELD]
        others = [symbol for symbol in found if owner not in symbol.qualified_name.split("::")]
        return others[0] if len(others) == 1 else None


def _comparable_signature(symbol: Symbol) -> str:
    text = re.sub(r"\b(?:extern|static|inline|virtual|override|friend)\b|[\s;{]", "", symbol.signature)
    return f"{symbol.qualified_name} {text}" if symbol.kind is SymbolKind.FIELD else text
