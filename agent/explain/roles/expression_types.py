"""The types of a draft's expressions, as far as its own declarations and those of the repository show them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.explain.roles.type_resolver import TypeResolver
from agent.explain.roles.value_types import (
    FLOAT,
    INT,
    NULL,
    STRING,
    Signature,
    ValueType,
    read_declared_type,
    read_signature,
)
from index.cpp.declarators import read_declared_names
from index.cpp.language import load_tree_sitter_grammar
from index.values import SymbolKind, Target

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST_EXPRESSION = 24
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_TYPE_GIVING_FIELD = {"assignment_expression": "left", "comma_expression": "right", "update_expression": "argument"}
_DECLARING = frozenset({"parameter_declaration", "optional_parameter_declaration", "declaration", "for_range_loop"})


def node_text(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def walk_nodes(root: Node) -> Iterator[Node]:
    """All nodes under a node, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


class ExpressionTypes:
    """The types in one draft of the function `target`."""

    def __init__(self, code: str, target: Target, resolving: TypeResolver) -> None:
        self.target = target
        self.resolving = resolving
        from tree_sitter import Parser

        data = code.encode("utf-8", "replace")
        self.root = Parser(load_tree_sitter_grammar(target.language)).parse(data).root_node
        self._nodes = list(walk_nodes(self.root))
        self._locals: dict[str, Node] = {}
        for node in self._nodes:
            for declared in read_declared_names(node, data) if node.type in _DECLARING else ():
                if node.type != "declaration" or not declared.function:
                    self._locals.setdefault(declared.name, node)
        self._known: dict[str, ValueType | None] = {}
        scope = target.name.rpartition("::")[0].rpartition("::")[2]
        owners = resolving.names.find_types(scope) if scope else []
        self.own_class = owners[0].name if owners else ""

    def find_uses(self, name: str) -> list[Node]:
        """The places where a name stands, but not as a declared one."""
        kinds = ("identifier", "field_identifier", "type_identifier")
        return [node for node in self._nodes if node.type in kinds and node_text(node) == name]

    @property
    def return_type(self) -> ValueType | None:
        name = self.target.name.rpartition("::")[2]
        for text in (self.target.signature, node_text(self.root).split("{", 1)[0]):
            found = read_signature(text, name)
            if found is not None:
                return self.resolving.resolve_typedefs(found.returns)
        return None

    def type_of(self, node: Node | None, depth_left: int = _DEEPEST_EXPRESSION) -> ValueType | None:
        if node is None or depth_left == 0:
            return None
        below = depth_left - 1
        field = node.child_by_field_name
        match node.type:
            case "identifier" | "this":
                return self._identifier_type(node_text(node))
            case "qualified_identifier":
                return self._type_of_nonlocal_name(node_text(node).rpartition("::")[2])
            case "number_literal":
                text = node_text(node).lower()
                return FLOAT if "." in text or ("e" in text and not text.startswith("0x")) else INT
            case "string_literal" | "concatenated_string" | "raw_string_literal":
                return STRING
            case "char_literal":
                return ValueType("char", written="char")
            case "true" | "false" | "sizeof_expression":
                return INT
            case "null" | "nullptr":
                return NULL
            case "parenthesized_expression":
                return self.type_of(next(iter(node.named_children), None), below)
            case "field_expression":
                owner = self.type_of(field("argument"), below)
                return self.member_type(owner, node_text(field("field")))
            case "subscript_expression":
                return _dereference(self.type_of(field("argument"), below))
            case "pointer_expression":
                inner = self.type_of(field("argument"), below)
                if inner is None or inner.function is not None:
                    return inner
                if node_text(field("operator")) == "*":
                    return _dereference(inner)
                return replace(inner, pointers=inner.pointers + 1)
            case "cast_expression" | "compound_literal_expression":
                return self.resolving.resolve_typedefs(read_declared_type(node_text(field("type")), ""))
            case "new_expression":
                made = self.resolving.resolve_typedefs(read_declared_type(node_text(field("type")), ""))
                return None if made is None else replace(made, pointers=made.pointers + 1)
            case "call_expression":
                return self._call_result_type(node, below)
            case "assignment_expression" | "comma_expression" | "update_expression":
                return self.type_of(field(_TYPE_GIVING_FIELD[node.type]), below)
            case "conditional_expression":
                taken = self.type_of(field("consequence"), below)
                return taken if taken not in (None, NULL) else self.type_of(field("alternative"), below) or taken
            case "unary_expression":
                return INT if node_text(field("operator")) == "!" else self.type_of(field("argument"), below)
            case "binary_expression":
                if node_text(field("operator")) in _COMPARING:
                    return INT
                left, right = self.type_of(field("left"), below), self.type_of(field("right"), below)
                moved = left is not None and left.is_number and right is not None and not right.is_number
                return right if left is None or moved else left
        return None

    def member_type(self, owner: ValueType | None, name: str) -> ValueType | None:
        """The type of a member of a value; a method's is a function."""
        if owner is None or owner.pointers > 1:
            return None
        symbol = self.resolving.find_member(owner.base, name)
        if symbol is None:
            return None
        if symbol.kind is SymbolKind.FIELD:
            return self.resolving.variable_type(symbol)
        signature = self.resolving.function_signature(symbol)
        return None if signature is None else ValueType("function", function=signature)

    def _call_result_type(self, call: Node, depth_left: int) -> ValueType | None:
        callee = call.child_by_field_name("function")
        if callee is None:
            return None
        if callee.type == "template_function" and node_text(callee.child_by_field_name("name")).endswith("_cast"):
            wanted = node_text(callee.child_by_field_name("arguments"))[1:-1]
            return self.resolving.resolve_typedefs(read_declared_type(wanted, ""))
        given = list_arguments(call.child_by_field_name("arguments"))
        signature = self.callee_signature(callee, len(given), depth_left)
        if signature is not None:
            return signature.returns
        name = node_text(callee).rpartition("::")[2]
        made = self.resolving.names.find_symbols_named_exactly(name, frozenset({SymbolKind.TYPE}))
        return self.resolving.resolve_typedefs(ValueType(name, written=name)) if made else None

    def callee_signature(
        self, node: Node, argument_count: int, depth_left: int = _DEEPEST_EXPRESSION
    ) -> Signature | None:
        """The signature of what is called, of those with as many parameters as the call has arguments the first."""
        if node.type == "field_expression":
            owner = self.type_of(node.child_by_field_name("argument"), depth_left)
            if owner is None:
                return None
            name = node_text(node.child_by_field_name("field"))
            members = [each for each in self.resolving.list_members(owner.base) if each.name == name]
            fields = [self.resolving.variable_type(each) for each in members if each.kind is SymbolKind.FIELD]
            found = [kind.function for kind in fields if kind is not None]
            found += [self.resolving.function_signature(each) for each in members if each.kind in _FUNCTIONS]
            signatures = [each for each in found if each is not None]
        else:
            name = node_text(node).rpartition("::")[2]
            if name in self._locals or node.type in ("parenthesized_expression", "pointer_expression"):
                kind = self.type_of(node, depth_left)
                return None if kind is None else kind.function
            own = self.resolving.list_members(self.own_class) if self.own_class else []
            found = [self.resolving.function_signature(each) for each in own if each.name == name]
            signatures = [each for each in found if each is not None]
            signatures = signatures or self.resolving.find_function_signatures_visible_first(name)
            if not signatures:
                kind = self._type_of_nonlocal_name(name)
                return None if kind is None else kind.function
        fitting = [each for each in signatures if each.accepts_argument_count(argument_count)]
        return next(iter([*fitting, *signatures]), None)

    def _identifier_type(self, name: str) -> ValueType | None:
        if name == "this":
            return ValueType(self.own_class, 1, self.own_class) if self.own_class else None
        if name == "NULL":
            return NULL
        if name not in self._known:
            self._known[name] = None  # `auto x = f(x)` must end
            self._known[name] = self._local_type(name) if name in self._locals else self._type_of_nonlocal_name(name)
        return self._known[name]

    def _local_type(self, name: str) -> ValueType | None:
        node = self._locals[name]
        kind = node.child_by_field_name("type")
        for declarator in node.children_by_field_name("declarator"):
            plain = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else None
            plain = plain or declarator
            if name not in {node_text(each) for each in walk_nodes(plain)}:
                continue
            if kind is not None and kind.type == "placeholder_type_specifier":
                return self.type_of(declarator.child_by_field_name("value"))
            return self.resolving.resolve_typedefs(read_declared_type(f"{node_text(kind)} {node_text(plain)}", name))
        return None

    def _type_of_nonlocal_name(self, name: str) -> ValueType | None:
        if self.own_class and (member := self.resolving.find_member(self.own_class, name)) is not None:
            return self.member_type(ValueType(self.own_class), name) if member.kind is SymbolKind.FIELD else None
        names = self.resolving.names
        for symbol in names.find_symbols_named_exactly(name, frozenset({SymbolKind.GLOBAL}))[:1]:
            return self.resolving.variable_type(symbol)
        if names.find_symbols_named_exactly(name, frozenset({SymbolKind.ENUMERATOR})):
            return INT
        for symbol in names.find_symbols_named_exactly(name, _FUNCTIONS)[:1]:
            signature = self.resolving.function_signature(symbol)
            return None if signature is None else ValueType("function", function=signature)
        for symbol in names.find_symbols_named_exactly(name, frozenset({SymbolKind.MACRO}))[:1]:
            return _infer_macro_value_type(names.view.text(symbol), name)
        return None


def _infer_macro_value_type(define: str, name: str) -> ValueType | None:
    value = define.partition(name)[2].split("/*")[0].split("//")[0].strip().strip("()").strip()
    if value.startswith('"'):
        return STRING
    is_number = re.match(r"[-~]?\d", value) is not None
    return (FLOAT if "." in value and not value.startswith("0x") else INT) if is_number else None


def _dereference(kind: ValueType | None) -> ValueType | None:
    if kind is None or kind.function is not None:
        return kind
    return replace(kind, pointers=kind.pointers - 1) if kind.pointers > 0 else None


def list_arguments(listed: Node | None) -> list[Node]:
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []
