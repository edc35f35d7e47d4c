"""What the names of types stand for in a view, and the types of members, globals and functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.explain.roles.value_types import INT, NUMBER_BASES, Signature, ValueType, read_declared_type, read_signature
from agent.explain.view_names import ViewNames
from index.cpp.keywords import PRIMITIVE_TYPES
from index.values import Symbol, SymbolKind

_TYPE = frozenset({SymbolKind.TYPE})
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_TAGGED = re.compile(r"typedef\s+(?:const\s+)?(?:struct|union|class)\s+(?!\{)([A-Za-z_]\w*)")
_ENUM = re.compile(r"(?:typedef\s+)?enum\b")
_USING = re.compile(r"using\s+\w+\s*=\s*(.+)$", re.DOTALL)


class TypeResolver:
    """Types by name, each looked up once."""

    def __init__(self, names: ViewNames) -> None:
        self.names = names
        self._kinds: dict[str, ValueType] = {}
        self._members: dict[str, Sequence[Symbol]] = {}
        self._lineage: dict[str, tuple[str, ...]] = {}
        self._enumerators: dict[str, frozenset[str]] = {"": frozenset()}

    def resolve_typedefs(self, kind: ValueType | None) -> ValueType | None:
        """The type with its typedefs followed."""
        if kind is None:
            return None
        if kind.function is not None:
            return replace(kind, function=self._resolve_signature(kind.function))
        if kind.base in NUMBER_BASES or kind.base in ("void", "null", "function"):
            return kind
        under = self._resolve_type_name(kind.base)
        return replace(under, pointers=under.pointers + kind.pointers, written=kind.written)

    def variable_type(self, symbol: Symbol) -> ValueType | None:
        return self.resolve_typedefs(read_declared_type(symbol.signature, symbol.name))

    def function_signature(self, symbol: Symbol) -> Signature | None:
        found = read_signature(symbol.signature, symbol.name)
        return None if found is None else self._resolve_signature(found)

    def list_members(self, base: str) -> Sequence[Symbol]:
        """Fields and methods of a type and of its bases."""
        if base not in self._members:
            owners = self.names.find_types(base)
            self._members[base] = self.names.list_members(owners[0]) if owners else []
        return self._members[base]

    def find_member(self, base: str, name: str) -> Symbol | None:
        return next((symbol for symbol in self.list_members(base) if symbol.name == name), None)

    def is_same_or_subclass_of(self, name: str, ancestor: str) -> bool:
        return name == ancestor or ancestor in self.class_lineage(name)

    def class_lineage(self, base: str) -> tuple[str, ...]:
        """A class's name and those of its bases."""
        if base not in self._lineage:
            self._lineage[base] = (base,)
            owners = self.names.find_types(base)[:1]
            above = self.names.base_class_names(owners[0]) if owners else []
            found = dict.fromkeys([base, *(name for each in above for name in self.class_lineage(each))])
            self._lineage[base] = tuple(found)
        return self._lineage[base]

    def enumerator_names(self, enum: str) -> frozenset[str]:
        """The names of an enumeration's values; none for a name of another type."""
        if enum not in self._enumerators:
            known = [] if enum in PRIMITIVE_TYPES else self.names.find_symbols_named_exactly(enum, _TYPE)
            owner = next((each for each in known if _ENUM.match(each.signature)), None)
            inside = [] if owner is None else self.names.symbols_within(owner)
            self._enumerators[enum] = frozenset(each.name for each in inside if each.kind is SymbolKind.ENUMERATOR)
        return self._enumerators[enum]

    def find_function_signatures_visible_first(self, name: str) -> list[Signature]:
        """The signatures of the functions of a name, those in sight first."""
        found = [
            self.function_signature(symbol) for symbol in self.names.find_symbols_named_exactly(name, _FUNCTIONS)[:8]
        ]
        return [signature for signature in found if signature is not None]

    def _resolve_signature(self, signature: Signature) -> Signature:
        takes = tuple(self.resolve_typedefs(kind) for kind in signature.takes)
        return replace(signature, returns=self.resolve_typedefs(signature.returns), takes=takes)

    def _resolve_type_name(self, name: str) -> ValueType:
        if name not in self._kinds:
            self._kinds[name] = ValueType(name, written=name)  # a typedef of itself must end
            found = (
                self._resolve_typedef(symbol) for symbol in self.names.find_symbols_named_exactly(name, _TYPE)[:2]
            )
            kind = next((kind for kind in found if kind is not None and kind.base != name), None)
            if kind is not None:
                self._kinds[name] = replace(kind, written=name)
        return self._kinds[name]

    def _resolve_typedef(self, symbol: Symbol) -> ValueType | None:
        text = symbol.signature
        if _ENUM.match(text):
            return replace(INT, written=symbol.name)
        tagged = _TAGGED.match(text)
        if tagged is not None:
            rest = text[tagged.end() :]
            return None if "(" in rest else ValueType(tagged[1], rest.count("*"), tagged[1])
        using = _USING.match(text)
        if using is not None:
            kind = read_declared_type(using[1], "")
        elif text.startswith("typedef"):
            kind = read_declared_type(text.removeprefix("typedef"), symbol.name)
        else:
            return None
        return kind if kind is None or kind.base == symbol.name else self.resolve_typedefs(kind)
