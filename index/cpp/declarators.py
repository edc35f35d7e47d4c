"""Names out of tree-sitter's declarators. `source` is the parsed text, which names are cut from: asking a node for its
text is ten times as slow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.keywords import word_set

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = word_set(
    "pointer_declarator reference_declarator parenthesized_declarator function_declarator array_declarator "
    "attributed_declarator init_declarator template_function template_method"
)
_IDENTIFIERS = word_set("identifier field_identifier type_identifier namespace_identifier")
_NAMED_NODES = word_set("template_type template_function template_method dependent_name alias_declaration")
_MAX_DEPTH = 100
_OPERATOR_NAME = re.compile(r"(?:(?<=::)|^)operator(?!\w)")
_SYMBOLIC_OPERATOR = re.compile(r"^operator\s*([^\w\s].*)$", re.DOTALL)


def read_declared_name_or_empty(node: Node, source: bytes) -> str:
    """The name that a function definition, declaration or typedef declares, as `ns::Class::method` without template
    arguments, or ""."""
    inner = node.child_by_field_name("declarator") or node.child_by_field_name("name")
    for _ in range(_MAX_DEPTH):
        if inner is None:
            return ""
        if inner.type not in _WRAPPERS:
            return read_qualified_name_or_empty(inner, source)
        inner = _unwrap_declarator(inner)
    return ""


class DeclaredName(NamedTuple):
    """A name that a declaration declares. `function` says that it is a function (not a pointer to a function).
    `value` is where a variable's initializer begins, or -1."""

    name: str
    function: bool
    value: int


def read_declared_names(node: Node, source: bytes) -> Iterator[DeclaredName]:
    for declarator in node.children_by_field_name("declarator"):
        inner: Node | None = declarator
        nearest = ""
        for _ in range(_MAX_DEPTH):
            if inner is None or inner.type not in _WRAPPERS:
                break
            if inner.type not in ("parenthesized_declarator", "init_declarator", "attributed_declarator"):
                nearest = inner.type
            inner = _unwrap_declarator(inner)
        if inner is None:
            continue
        name = read_qualified_name_or_empty(inner, source)
        if not name:
            continue
        if nearest == "function_declarator" or inner.type == "operator_cast":
            yield DeclaredName(name, True, -1)
            continue
        holder, field = (declarator, "value") if declarator.type == "init_declarator" else (node, "default_value")
        value = holder.child_by_field_name(field)
        yield DeclaredName(name, False, -1 if value is None else value.start_byte)


def _unwrap_declarator(wrapper: Node) -> Node | None:
    return (
        wrapper.child_by_field_name("declarator")
        or wrapper.child_by_field_name("name")
        or next((c for c in wrapper.named_children if c.type not in ("ms_call_modifier", "comment")), None)
    )


def read_qualified_name_or_empty(node: Node, source: bytes) -> str:
    """The qualified name that `node` spells, without template arguments; "" for an anonymous node."""
    parts = []
    current: Node | None = node
    for _ in range(_MAX_DEPTH):
        if current is None:
            break
        kind = current.type
        if kind in _IDENTIFIERS:
            parts.append(read_node_text(current, source))
            break
        if kind in ("qualified_identifier", "nested_namespace_specifier"):
            scope = current.child_by_field_name("scope")
            if scope is not None:
                parts.append(_read_plain_name(scope, source))
            name = current.child_by_field_name("name")
            if kind == "nested_namespace_specifier":
                # `a::inline b`
                parts += [w for w in _read_plain_name(current, source).replace("::", " ").split() if w != "inline"]
                break
            current = name
        elif kind.endswith(("_specifier", "_definition")) or kind in _NAMED_NODES:
            current = current.child_by_field_name("name") or (
                next(iter(current.named_children), None) if kind == "dependent_name" else None
            )
        else:
            parts.append(_read_plain_name(current, source))
            break
    return "::".join(p for p in parts if p)


def read_node_text(node: Node | None, source: bytes) -> str:
    """What a node spells; "" for no node."""
    return "" if node is None else source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _read_plain_name(node: Node, source: bytes) -> str:
    if node.type in ("template_type", "template_function"):
        inner = node.child_by_field_name("name")
        node = inner if inner is not None else node
    text = read_node_text(node, source)
    if node.type in _IDENTIFIERS:
        return text
    if node.type == "operator_cast":
        # `operator const char *() const`: the type is the name, the parameter list isn't
        return " ".join(text.split("(")[0].split())
    text = " ".join(text.split())
    symbolic = _SYMBOLIC_OPERATOR.match(text)
    return "operator" + symbolic.group(1).replace(" ", "") if symbolic else text


def unqualified_name(qualified: str) -> str:
    """The unqualified name: `a::b` -> `b`, `a::operator ns::T` -> `operator ns::T`, `operators::b` -> `b`."""
    operator = _OPERATOR_NAME.search(qualified)
    return qualified[operator.start() :] if operator else qualified.rsplit("::", 1)[-1]
