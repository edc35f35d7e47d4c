"""The declared type of a name in a function, where the text shows it: a parameter, a local variable, a field, a
global, a return type.

A function's own variable is declared where its text has the name first, and the type stands before it. Expressions are
read in `expressions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from index.callgraph.resolution.names import Names, Row
from index.cpp.keywords import PRIMITIVE_TYPES
from index.cpp.types import (
    Type,
    find_word,
    in_comment,
    is_word,
    listed_type,
    split_arguments,
    type_before,
    type_of_text,
    until,
    with_arrays,
)


class CallerScope:
    """Where an expression stands: a function's text and its class."""

    def __init__(self, row: Row, text: str) -> None:
        self.row = row
        self.text = text
        self.const = row.const
        self.variables: dict[str, Type | None] = {}
        self.receivers: dict[str, Type | None] = {}


_MANY_TYPES = 64
_LOOKS = 4
"""How many places of a name are looked at: fields of that name and comments may come before its declaration."""
_CHAIN = re.compile(r"->|\.")
_MAP_LIKE = re.compile(r"[Mm]ap$|Map\w*$|_map$")
_BASES = re.compile(r"(?<!:):(?!:)\s*(.*)$", re.DOTALL)


Reader = Callable[["Types", CallerScope, str], Type | None]
"""Reads an expression that isn't a chain of names."""


class Types:
    """Types of names and expressions, from the tree's declarations."""

    def __init__(self, names: Names, read: Reader) -> None:
        self.names = names
        self._read = read
        self.spelt = lru_cache(maxsize=None)(type_of_text)
        self.bases = lru_cache(maxsize=None)(self._bases)
        self.returns = lru_cache(maxsize=None)(self._returns)
        self.resolved = lru_cache(maxsize=None)(self._resolved)
        self.alias = lru_cache(maxsize=None)(self._alias)
        self.alias_anywhere = lru_cache(maxsize=None)(self._alias_anywhere)
        self._files_of_types: dict[str, npt.NDArray[np.int64]] = {}
        self.ancestors = lru_cache(maxsize=None)(self._ancestors)
        self.methods = lru_cache(maxsize=None)(self._methods)

    def enter(self) -> None:
        """Another file was entered. Of several types of one name those are meant that it sees."""
        self.resolved.cache_clear()
        self.alias.cache_clear()

    def _bases(self, name: str) -> tuple[str, ...]:
        """The classes that a class is declared to derive from."""
        found: list[str] = []
        for row in self.names[name].classes:
            if row.signature.startswith(("typedef", "using", "enum")):
                continue
            match = _BASES.search(row.signature)
            for part in split_arguments(match[1]) if match else ():
                base = self.spelt(re.sub(r"\b(?:public|private|protected|virtual)\b", "", part).strip())
                if base is not None and base.base != name:
                    # Independent of the file that asks first.
                    found.append(self._resolved(base, anywhere=True).base)
        return tuple(dict.fromkeys(found))

    def _ancestors(self, name: str) -> tuple[str, ...]:
        """A class and those above it, nearest first."""
        found = [name]
        for ancestor in found:
            found += [b for b in self.bases(ancestor) if b not in found]
            if len(found) > 60:
                break
        return tuple(found)

    def _resolved(self, kind: Type, anywhere: bool = False) -> Type:
        """A type with its aliases followed."""
        for _ in range(5):
            if kind.base in PRIMITIVE_TYPES:
                return kind
            target = self.alias_anywhere(kind.base) if anywhere else self.alias(kind.base)
            if target is None or target.base == kind.base:
                return kind
            kind = Type(
                target.base, target.args or kind.args, kind.pointers + target.pointers, kind.const or target.const
            )
        return kind

    def _alias(self, name: str) -> Type | None:
        """The type that an alias stands for, where the entered file sees it; None for a class."""
        rows = self.names[name].classes
        if len(rows) > 1:
            rows = self._visible_of(name, rows)
            if not rows:
                return self.alias_anywhere(name)
        return self._alias_of(name, rows)

    def _alias_anywhere(self, name: str) -> Type | None:
        """The type that an alias stands for, whatever the entered file sees."""
        return self._alias_of(name, self.names[name].classes)

    def _visible_of(self, name: str, rows: Sequence[Row]) -> Sequence[Row]:
        """The classes and aliases of a name that the entered file sees."""
        visible = self.names.visible
        if len(rows) < _MANY_TYPES:
            return [r for r in rows if visible[r.file]]
        # Boost defines `type` thousands of times, and each of its 35,000 files looks them through.
        files = self._files_of_types.get(name)
        if files is None:
            files = self._files_of_types[name] = np.array([r.file for r in rows])
        seen = np.flatnonzero(np.frombuffer(visible, dtype=np.uint8)[files])
        return [rows[i] for i in seen.tolist()]

    def _alias_of(self, name: str, rows: Sequence[Row]) -> Type | None:
        if len(rows) > 1 and any(r.signature.startswith(("class", "struct")) for r in rows):
            return None  # a class in one branch of an `#if`, another library's in the other: the tree's own
        for row in rows:
            text = row.signature
            if text.startswith("using"):
                return self.spelt(text.partition("=")[2].strip(" ;"))
            if text.startswith("typedef") and "(" not in text:
                at = text.rfind(name)
                target = self.spelt(text[len("typedef") : at].strip()) if at > 0 else None
                if target is not None and target.base not in ("struct", "union", "enum", ""):
                    return target
            elif not text.startswith(("typedef", "enum")):
                return None  # a class of that name
        return None

    def _returns(self, row: Row) -> Type | None:
        """The return type of a function."""
        signature = row.signature
        at = signature.find(f"{row.name}(")
        if at < 0:
            at = signature.find(row.name)
        while at > 2 and signature[at - 2 : at] == "::":
            # `Type Class<T>::name(`: back over the scope.
            at -= 2
            if signature[at - 1] == ">":
                at = signature.rfind("<", 0, at)
            while at > 0 and is_word(signature[at - 1]):
                at -= 1
        text = type_before(signature, at)
        if not text:
            return None
        if text.split()[0] == "auto":
            arrow = signature.rfind("->")
            return self.spelt(signature[arrow + 2 :]) if arrow > 0 else None
        return self.spelt(text)

    def field(self, owner: str, name: str) -> Type | None:
        """The type of a class's field, the bases' ones too."""
        fields = self.names[name].fields
        if fields:
            for ancestor in self.ancestors(owner):
                rows = fields.get(ancestor)
                if rows:
                    row = rows[0]
                    if len(rows) > 1:
                        row = next((r for r in rows if self.names.visible[r.file]), row)
                    return self.declared(row.signature, name)
        return None

    def declared(self, signature: str, name: str) -> Type | None:
        """The type of the variable or field that a declaration declares."""
        at = find_word(signature, name, 0)
        if at < 0:
            return None
        text = type_before(signature, at)
        if not text:
            # `int a, b;`
            head = re.match(r"\s*((?:[\w:]+\s+)*?[\w:]+(?:<[^;]*>)?)[\s*&]+\w+\s*(?:\[[^\]]*\]\s*)*,", signature)
            text = head[1] if head else ""
        kind = self.spelt(text) if text else None
        return None if kind is None else with_arrays(kind, signature, at + len(name))

    def _methods(self, owner: str, name: str) -> Sequence[Row]:
        """The methods of that name that a class has: its own, or the nearest base's."""
        methods = self.names[name].methods
        if methods:
            for ancestor in self.ancestors(owner):
                found = methods.get(ancestor)
                if found:
                    return found
        return ()

    def variable(self, context: CallerScope, name: str) -> Type | None:
        """The type of a name in a function: its own variable or parameter, a field of its class, a global."""
        if name in context.variables:
            return context.variables[name]
        context.variables[name] = None  # against `auto x = x->next()`
        found = self._variable(context, name)
        context.variables[name] = found
        return found

    def _variable(self, context: CallerScope, name: str) -> Type | None:
        row = context.row
        if name == "this":
            return Type(row.owner, (), 1, row.const) if row.owner else None
        local = self._local(context, name)
        if local is not None:
            return local
        if row.owner:
            for scope in reversed(row.scope.split("::")):
                kind = self.field(scope, name)
                if kind is not None:
                    return kind._replace(const=kind.const or (context.const and not kind.pointers))
        found = self.names[name].globals
        if found:
            best = next((g for g in found if g.file == row.file), found[0])
            return self.declared(best.signature, name)
        return None

    def _local(self, context: CallerScope, name: str) -> Type | None:
        text = context.text
        at = -1
        for _ in range(_LOOKS):
            at = find_word(text, name, at + 1)
            if at < 0:
                return None
            if text[at - 1] != "." and text[at - 2 : at] != "->" and not in_comment(text, at):
                break
        else:
            return None
        spelt = type_before(text, at)
        if not spelt:
            spelt = listed_type(text, at)
        if not spelt:
            return None
        kind = self.spelt(spelt)
        if kind is None:
            return None
        if kind.base == "auto":
            return self._auto(context, text, at + len(name))
        if kind.pointers and text[at - 1] in " \t" and self.variable(context, kind.base) is not None:
            return None  # a product, `mass * velocity`
        is_type = (
            kind.args or kind.pointers or "::" in spelt or text[at - 1] in " &*\t\n" or kind.base in PRIMITIVE_TYPES
        )
        if is_type or self.names[kind.base].classes or self.names[kind.base].macros:
            return with_arrays(kind, text, at + len(name))
        return None

    def _auto(self, context: CallerScope, text: str, end: int) -> Type | None:
        rest = text[end : end + 300].lstrip()
        if rest.startswith("="):
            return self.expression(context, until(rest[1:], ";"))
        if rest.startswith(":"):
            over = self.expression(context, until(rest[1:], ")"))
            return None if over is None else self.element(over)
        return None

    def element(self, kind: Type) -> Type | None:
        """The type of what an index or an iteration gives."""
        kind = self.resolved(kind)
        if kind.pointers:
            return kind._replace(pointers=kind.pointers - 1)
        for row in self.methods(kind.base, "operator[]"):
            found = self.returns(row)
            if found is not None and (found.base in PRIMITIVE_TYPES or self.names[found.base].classes):
                return found
            break
        if kind.args:
            return self.spelt(kind.args[1 if _MAP_LIKE.search(kind.base) and len(kind.args) > 1 else 0])
        return None

    def expression(self, context: CallerScope, text: str) -> Type | None:
        """The type of an expression, or None when it is unknown."""
        receivers = context.receivers
        if text in receivers:
            return receivers[text]
        receivers[text] = None
        kind = self.variable(context, text) if text.isidentifier() else self._compound(context, text)
        if kind is not None:
            kind = self.resolved(kind)
        receivers[text] = kind
        return kind

    def _compound(self, context: CallerScope, text: str) -> Type | None:
        names = _CHAIN.split(text)
        if all(map(str.isidentifier, names)):  # `a->b.c`, most of them
            kind = None if names[0] in ("true", "false", "new") else self.variable(context, names[0])
            for name in names[1:]:
                kind = None if kind is None else self.member(kind, name)
            return kind
        return self._read(self, context, text)

    def member(self, kind: Type, name: str) -> Type | None:
        """The type of a field of a value of type `kind`, or of what it points to."""
        kind = self.resolved(kind)
        found = self.field(kind.base, name)
        if found is None and kind.args:
            inner = self.spelt(kind.args[0])
            found = self.field(self.resolved(inner).base, name) if inner is not None else None
        if found is not None and kind.const and not found.pointers:
            found = found._replace(const=True)
        return self.substituted(found, kind)

    def substituted(self, found: Type | None, kind: Type) -> Type | None:
        """A member's type, a template parameter replaced by the argument: only where there is one to choose."""
        if found is None or not kind.args or found.base in PRIMITIVE_TYPES or self.names[found.base].classes:
            return found
        if found.args or len(found.base) > 12 or self.alias(found.base) is not None:
            return found
        inner = self.spelt(kind.args[0])
        return None if inner is None else inner._replace(pointers=inner.pointers + found.pointers)

    def method_result(self, kind: Type, name: str) -> Type | None:
        """The type of what a method call on a value of type `kind` gives."""
        kind = self.resolved(kind)
        rows = self.methods(kind.base, name)
        if not rows and kind.args:
            inner = self.spelt(kind.args[0])
            if inner is not None:
                inner = self.resolved(inner)
                rows = self.methods(inner.base, name)
                if not rows and name in ("get", "front", "back", "top", "value", "at", "begin", "release", "lock"):
                    return inner
        return self.substituted(self.returns(rows[0]), kind) if rows else None
