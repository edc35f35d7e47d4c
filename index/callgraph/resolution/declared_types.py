"""The declared type of a name in a function, where the text shows it: a parameter, a local variable, a field, a
global, a return type. A function's own variable is declared where its text has the name first, and the type stands
before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from index.callgraph.resolution.names import Names, Row
from index.cpp.keywords import PRIMITIVE_TYPES
from index.cpp.type_text import (
    Type,
    add_pointer_level_if_array,
    cut_at_outer_character_or_unopened_bracket,
    find_type_before_or_empty,
    find_type_of_later_declarator_or_empty,
    find_word_or_minus_one,
    is_in_comment,
    is_name_character,
    parse_type,
    split_at_outer_commas,
)


class CallerScope:
    """Where an expression stands: a function's text and its class."""

    def __init__(self, row: Row, text: str) -> None:
        self.row = row
        self.text = text
        self.const = row.const
        self.variables: dict[str, Type | None] = {}
        self.receivers: dict[str, Type | None] = {}


_MANY_DEFINITIONS = 64
_MOST_PLACES = 4
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
        self.parse_type = lru_cache(maxsize=None)(parse_type)
        self.read_base_classes = lru_cache(maxsize=None)(self._read_base_classes)
        self.read_return_type = lru_cache(maxsize=None)(self._read_return_type)
        self.resolve_aliases = lru_cache(maxsize=None)(self._resolve_aliases)
        self.find_alias_target = lru_cache(maxsize=None)(self._find_alias_target)
        self.find_alias_target_anywhere = lru_cache(maxsize=None)(
            lambda name: self._read_first_alias_target_unless_class(name, names[name].classes)
        )
        self._list_files_of_types = lru_cache(maxsize=None)(
            lambda name: np.array([r.file for r in names[name].classes])
        )
        self.collect_ancestors = lru_cache(maxsize=None)(self._collect_class_and_ancestors)
        self.find_methods = lru_cache(maxsize=None)(self._find_own_or_nearest_inherited_methods)

    def drop_file_caches(self) -> None:
        """For when another file is entered. Of several types of one name those are meant that it sees."""
        self.resolve_aliases.cache_clear()
        self.find_alias_target.cache_clear()

    def _read_base_classes(self, name: str) -> tuple[str, ...]:
        """The classes that a class is declared to derive from."""
        found: list[str] = []
        for row in self.names[name].classes:
            if row.signature.startswith(("typedef", "using", "enum")):
                continue
            match = _BASES.search(row.signature)
            for part in split_at_outer_commas(match[1]) if match else ():
                base = self.parse_type(re.sub(r"\b(?:public|private|protected|virtual)\b", "", part).strip())
                if base is not None and base.base != name:
                    # Independent of the file that asks first.
                    found.append(self._resolve_aliases(base, anywhere=True).base)
        return tuple(dict.fromkeys(found))

    def _collect_class_and_ancestors(self, name: str) -> tuple[str, ...]:
        """A class and those above it, nearest first."""
        found = [name]
        for ancestor in found:
            found += [b for b in self.read_base_classes(ancestor) if b not in found]
            if len(found) > 60:
                break
        return tuple(found)

    def _resolve_aliases(self, kind: Type, anywhere: bool = False) -> Type:
        for _ in range(5):
            if kind.base in PRIMITIVE_TYPES:
                return kind
            target = self.find_alias_target_anywhere(kind.base) if anywhere else self.find_alias_target(kind.base)
            if target is None or target.base == kind.base:
                return kind
            kind = Type(
                target.base, target.args or kind.args, kind.pointers + target.pointers, kind.const or target.const
            )
        return kind

    def _find_alias_target(self, name: str) -> Type | None:
        """The type that an alias stands for, where the entered file sees it; None for a class."""
        rows = self.names[name].classes
        if len(rows) > 1:
            rows = self._list_visible_types(name)
            if not rows:
                return self.find_alias_target_anywhere(name)
        return self._read_first_alias_target_unless_class(name, rows)

    def _list_visible_types(self, name: str) -> Sequence[Row]:
        """The types of a name that the entered file sees."""
        rows, visible = self.names[name].classes, self.names.visible
        if len(rows) < _MANY_DEFINITIONS:
            return [r for r in rows if visible[r.file]]
        # Boost defines `type` thousands of times, and each of its 35,000 files looks them through.
        seen = np.flatnonzero(np.frombuffer(visible, dtype=np.uint8)[self._list_files_of_types(name)])
        return [rows[i] for i in seen.tolist()]

    def _read_first_alias_target_unless_class(self, name: str, rows: Sequence[Row]) -> Type | None:
        if len(rows) > 1 and any(r.signature.startswith(("class", "struct")) for r in rows):
            return None  # a class in one branch of an `#if`, another library's in the other: the tree's own
        for row in rows:
            text = row.signature
            if text.startswith("using"):
                return self.parse_type(text.partition("=")[2].strip(" ;"))
            if text.startswith("typedef") and "(" not in text:
                at = text.rfind(name)
                target = self.parse_type(text[len("typedef") : at].strip()) if at > 0 else None
                if target is not None and target.base not in ("struct", "union", "enum", ""):
                    return target
            elif not text.startswith(("typedef", "enum")):
                return None  # a class of that name
        return None

    def _read_return_type(self, row: Row) -> Type | None:
        signature = row.signature
        at = signature.find(f"{row.name}(")
        if at < 0:
            at = signature.find(row.name)
        while at > 2 and signature[at - 2 : at] == "::":
            # `Type Class<T>::name(`: back over the scope.
            at -= 2
            if signature[at - 1] == ">":
                at = signature.rfind("<", 0, at)
            while at > 0 and is_name_character(signature[at - 1]):
                at -= 1
        text = find_type_before_or_empty(signature, at)
        if not text:
            return None
        if text.split()[0] == "auto":
            arrow = signature.rfind("->")
            return self.parse_type(signature[arrow + 2 :]) if arrow > 0 else None
        return self.parse_type(text)

    def find_field_type(self, owner: str, name: str) -> Type | None:
        """The type of a class's field, the bases' ones too."""
        fields = self.names[name].fields
        if fields:
            for ancestor in self.collect_ancestors(owner):
                rows = fields.get(ancestor)
                if rows:
                    row = rows[0]
                    if len(rows) > 1:
                        row = next((r for r in rows if self.names.visible[r.file]), row)
                    return self.read_declared_type(row.signature, name)
        return None

    def read_declared_type(self, signature: str, name: str) -> Type | None:
        at = find_word_or_minus_one(signature, name, 0)
        if at < 0:
            return None
        text = find_type_before_or_empty(signature, at)
        if not text:
            # `int a, b;`
            head = re.match(r"\s*((?:[\w:]+\s+)*?[\w:]+(?:<[^;]*>)?)[\s*&]+\w+\s*(?:\[[^\]]*\]\s*)*,", signature)
            text = head[1] if head else ""
        kind = self.parse_type(text) if text else None
        return None if kind is None else add_pointer_level_if_array(kind, signature, at + len(name))

    def _find_own_or_nearest_inherited_methods(self, owner: str, name: str) -> Sequence[Row]:
        """The methods of that name that a class has: its own, or the nearest base's."""
        methods = self.names[name].methods
        if methods:
            for ancestor in self.collect_ancestors(owner):
                found = methods.get(ancestor)
                if found:
                    return found
        return ()

    def find_variable_type(self, context: CallerScope, name: str) -> Type | None:
        """The type of a name in a function: its own variable or parameter, a field of its class, a global."""
        if name in context.variables:
            return context.variables[name]
        context.variables[name] = None  # against `auto x = x->next()`
        found = self._look_up_variable_type(context, name)
        context.variables[name] = found
        return found

    def _look_up_variable_type(self, context: CallerScope, name: str) -> Type | None:
        row = context.row
        if name == "this":
            return Type(row.owner, (), 1, row.const) if row.owner else None
        local = self._find_first_local_declaration_type(context, name)
        if local is not None:
            return local
        if row.owner:
            for scope in reversed(row.scope.split("::")):
                kind = self.find_field_type(scope, name)
                if kind is not None:
                    return kind._replace(const=kind.const or (context.const and not kind.pointers))
        found = self.names[name].globals
        if found:
            best = next((g for g in found if g.file == row.file), found[0])
            return self.read_declared_type(best.signature, name)
        return None

    def _find_first_local_declaration_type(self, context: CallerScope, name: str) -> Type | None:
        text = context.text
        at = -1
        for _ in range(_MOST_PLACES):
            at = find_word_or_minus_one(text, name, at + 1)
            if at < 0:
                return None
            if text[at - 1] != "." and text[at - 2 : at] != "->" and not is_in_comment(text, at):
                break
        else:
            return None
        spelt = find_type_before_or_empty(text, at)
        if not spelt:
            spelt = find_type_of_later_declarator_or_empty(text, at)
        if not spelt:
            return None
        kind = self.parse_type(spelt)
        if kind is None:
            return None
        if kind.base == "auto":
            return self._infer_auto_type(context, text, at + len(name))
        is_product = kind.pointers and text[at - 1] in " \t" and not self.names[kind.base].classes
        if is_product and self.find_variable_type(context, kind.base) is not None:
            return None  # `mass * velocity`
        is_type = (
            kind.args or kind.pointers or "::" in spelt or text[at - 1] in " &*\t\n" or kind.base in PRIMITIVE_TYPES
        )
        if is_type or self.names[kind.base].classes or self.names[kind.base].macros:
            return add_pointer_level_if_array(kind, text, at + len(name))
        return None

    def _infer_auto_type(self, context: CallerScope, text: str, end: int) -> Type | None:
        rest = text[end : end + 300].lstrip()
        if rest.startswith("="):
            return self.infer_type(context, cut_at_outer_character_or_unopened_bracket(rest[1:], ";"))
        if rest.startswith(":"):
            over = self.infer_type(context, cut_at_outer_character_or_unopened_bracket(rest[1:], ")"))
            return None if over is None else self.element_type(over)
        return None

    def element_type(self, kind: Type) -> Type | None:
        """The type of what an index or an iteration gives."""
        kind = self.resolve_aliases(kind)
        if kind.pointers:
            return kind._replace(pointers=kind.pointers - 1)
        for row in self.find_methods(kind.base, "operator[]"):
            found = self.read_return_type(row)
            if found is not None and (found.base in PRIMITIVE_TYPES or self.names[found.base].classes):
                return found
            break
        if kind.args:
            return self.parse_type(kind.args[1 if _MAP_LIKE.search(kind.base) and len(kind.args) > 1 else 0])
        return None

    def infer_type(self, context: CallerScope, text: str) -> Type | None:
        receivers = context.receivers
        if text in receivers:
            return receivers[text]
        receivers[text] = None
        kind = (
            self.find_variable_type(context, text) if text.isidentifier() else self._infer_compound_type(context, text)
        )
        if kind is not None:
            kind = self.resolve_aliases(kind)
        receivers[text] = kind
        return kind

    def _infer_compound_type(self, context: CallerScope, text: str) -> Type | None:
        names = _CHAIN.split(text)
        if all(map(str.isidentifier, names)):  # `a->b.c`, most of them
            kind = None if names[0] in ("true", "false", "new") else self.find_variable_type(context, names[0])
            for name in names[1:]:
                kind = None if kind is None else self.member_type(kind, name)
            return kind
        return self._read(self, context, text)

    def member_type(self, kind: Type, name: str) -> Type | None:
        """The type of a field of a value of type `kind`, or of what it points to."""
        kind = self.resolve_aliases(kind)
        found = self.find_field_type(kind.base, name)
        if found is None and kind.args:
            inner = self.parse_type(kind.args[0])
            found = self.find_field_type(self.resolve_aliases(inner).base, name) if inner is not None else None
        if found is not None and kind.const and not found.pointers:
            found = found._replace(const=True)
        return self.substitute_template_argument(found, kind)

    def substitute_template_argument(self, member_type: Type | None, object_type: Type) -> Type | None:
        """A member's type, a template parameter replaced by the argument: only where there is one to choose."""
        if (
            member_type is None
            or not object_type.args
            or member_type.base in PRIMITIVE_TYPES
            or self.names[member_type.base].classes
        ):
            return member_type
        if member_type.args or len(member_type.base) > 12 or self.find_alias_target(member_type.base) is not None:
            return member_type
        inner = self.parse_type(object_type.args[0])
        return None if inner is None else inner._replace(pointers=inner.pointers + member_type.pointers)

    def method_result_type(self, kind: Type, name: str) -> Type | None:
        """The type of what a method call on a value of type `kind` gives."""
        kind = self.resolve_aliases(kind)
        rows = self.find_methods(kind.base, name)
        if not rows and kind.args:
            inner = self.parse_type(kind.args[0])
            if inner is not None:
                inner = self.resolve_aliases(inner)
                rows = self.find_methods(inner.base, name)
                if not rows and name in ("get", "front", "back", "top", "value", "at", "begin", "release", "lock"):
                    return inner
        return self.substitute_template_argument(self.read_return_type(rows[0]), kind) if rows else None
