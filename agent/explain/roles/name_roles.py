"""What a missing name is used for: the syntax around it in a draft, and the types there that are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from agent.explain.roles.expression_types import ExpressionTypes, list_arguments, node_text
from agent.explain.roles.value_types import INT, ValueType, read_declared_type

if TYPE_CHECKING:
    from tree_sitter import Node

# called: the name is a function's; value: a variable, constant or function as a value; type: it names a type.
Use = Literal["called", "value", "type"]
# What is done with the value: nothing is, only its truth counts, it is used.
Result = Literal["dropped", "tested", "used"]
_MOST_ROLES = 6
_DEPTH = 12
_SIGNAL_HANDLER = "void f(int)"
# What the standard library's callbacks take and return: its headers aren't indexed.
_SYSTEM_CALLBACKS = {
    ("operand", "sa_handler", 0): _SIGNAL_HANDLER,
    ("operand", "sa_sigaction", 0): "void f(int, siginfo_t *, void *)",
    ("argument", "signal", 1): _SIGNAL_HANDLER,
    ("argument", "atexit", 0): "void f(void)",
    ("argument", "qsort", 3): "int f(const void *, const void *)",
    ("argument", "bsearch", 4): "int f(const void *, const void *)",
    ("argument", "pthread_create", 2): "void *f(void *)",
    ("argument", "pthread_once", 1): "void f(void)",
    ("argument", "pthread_key_create", 1): "void f(void *)",
}
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&", "|", "^"})


@dataclass(frozen=True, slots=True)
class UsePlace:
    """Where other code may write the same thing: argument `number` of the function `name`, an operand beside (or
    assigned to, or a case of) the variable or member `name`, or beside what the function `name` returns."""

    where: Literal["argument", "operand", "result", "index"]
    name: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Role:
    """One use of a name. `wants` is the type that its value must have, None where that isn't known; `takes` are the
    types of the arguments of a call; `owner` is the type whose member it is, for `x.name`; `read_member` is read from
    it, through a pointer when `arrow`."""

    use: Use
    wants: ValueType | None = None
    takes: tuple[ValueType | None, ...] = ()
    result: Result = "used"
    place: UsePlace | None = None
    owner: ValueType | None = None
    member: bool = False
    read_member: str = ""
    arrow: bool = False


def find_roles(expressions: ExpressionTypes, name: str) -> list[Role]:
    """The different roles that a name has in a draft, at most 6."""
    found = dict.fromkeys(_role_of_node(expressions, node) for node in expressions.find_uses(name))
    return [role for role in found if role is not None][:_MOST_ROLES]


def _role_of_node(expressions: ExpressionTypes, node: Node) -> Role | None:
    outer = node
    member = False
    owner: ValueType | None = None
    while outer.parent is not None:
        parent = outer.parent
        if parent.type == "field_expression" and parent.child_by_field_name("field") == outer:
            member = True
            owner = expressions.type_of(parent.child_by_field_name("argument"))
        elif parent.type in ("qualified_identifier", "template_function", "template_method"):
            if parent.child_by_field_name("name") != outer:
                return None
        elif parent.type != "parenthesized_expression":
            break
        outer = parent
    around = outer.parent
    if around is None:
        return None
    if node.type == "type_identifier":
        return Role("type")
    if around.type == "call_expression" and around.child_by_field_name("function") == outer:
        role = _find_role_by_surroundings_or_value(expressions, around)
        takes = tuple(expressions.type_of(each) for each in list_arguments(around.child_by_field_name("arguments")))
        return replace(role, use="called", takes=takes, member=member, owner=owner)
    if "declarator" in around.type and around.child_by_field_name("value") != outer:
        return None
    return replace(_find_role_by_surroundings_or_value(expressions, outer), member=member, owner=owner)


def _find_role_by_surroundings_or_value(expressions: ExpressionTypes, node: Node) -> Role:
    """What stands around an expression, as a role of a value."""
    role = _find_role_by_surrounding_node(expressions, node) or Role("value")
    place = role.place
    if place is not None and role.wants is None:
        known = _SYSTEM_CALLBACKS.get((place.where, place.name, place.number))
        if known is not None:
            return replace(role, wants=read_declared_type(known, "f"))
    return role


def _find_role_by_surrounding_node(expressions: ExpressionTypes, node: Node, depth: int = _DEPTH) -> Role | None:
    parent = node.parent
    if parent is None or depth == 0:
        return None
    field = parent.child_by_field_name
    match parent.type:
        case "parenthesized_expression" | "condition_clause":
            outer = parent.parent
            if outer is None or not outer.type.endswith("_statement") or outer.type == "return_statement":
                return _find_role_by_surrounding_node(expressions, parent, depth - 1)
            return Role("value", INT) if outer.type == "switch_statement" else Role("value", result="tested")
        case "expression_statement":
            return Role("value", result="dropped")
        case "comma_expression" if field("right") == node:
            return _find_role_by_surrounding_node(expressions, parent, depth - 1)
        case "cast_expression":
            return Role("value")
        case "pointer_expression":
            role = _find_role_by_surrounding_node(expressions, parent, depth - 1)
            kind = role.wants if role is not None else None
            if role is None or kind is None or kind.function is not None:
                return role
            pointers = kind.pointers + (1 if node_text(field("operator")) == "*" else -1)
            known = pointers >= 0 and kind.base != "void"
            return replace(role, wants=replace(kind, pointers=pointers) if known else None)
        case "field_expression":
            return Role("value", read_member=node_text(field("field")), arrow=node_text(field("operator")) == "->")
        case "subscript_expression" if field("argument") == node:
            role = _find_role_by_surrounding_node(expressions, parent, depth - 1)
            if role is None:
                return None
            kind = role.wants
            wants = replace(kind, pointers=kind.pointers + 1) if kind is not None else None
            return Role("value", wants, read_member=role.read_member, arrow=role.arrow)
        case "subscript_expression":
            return Role("value", INT, place=_make_use_place_of_variable("index", field("argument")))
        case "subscript_argument_list":
            array = parent.parent.child_by_field_name("argument") if parent.parent is not None else None
            return Role("value", INT, place=_make_use_place_of_variable("index", array))
        case "assignment_expression":
            other = field("left") if field("right") == node else field("right")
            return Role("value", expressions.type_of(other), place=_make_use_place_of_other_operand(other))
        case "init_declarator":
            declared = field("declarator")
            while declared is not None and declared.type != "identifier":
                declared = declared.child_by_field_name("declarator")
            return Role("value", expressions.type_of(declared), place=_make_use_place_of_other_operand(declared))
        case "binary_expression":
            return _find_operand_role(expressions, node, parent, depth)
        case "return_statement":
            return Role("value", expressions.return_type)
        case "argument_list":
            return _find_argument_role(expressions, node, parent)
        case "conditional_expression" if field("condition") == node:
            return Role("value", result="tested")
        case "conditional_expression":
            return _find_role_by_surrounding_node(expressions, parent, depth - 1)
        case "case_statement":
            switch: Node | None = parent
            while switch is not None and switch.type != "switch_statement":
                switch = switch.parent
            value = switch.child_by_field_name("condition") if switch is not None else None
            value = next(iter(value.named_children), None) if value is not None else None
            return Role("value", expressions.type_of(value) or INT, place=_make_use_place_of_other_operand(value))
        case "initializer_pair":
            name = node_text(field("designator")).lstrip(".")
            return Role("value", place=UsePlace("operand", name) if name else None)
        case "unary_expression":
            return Role("value", result="tested") if node_text(field("operator")) == "!" else Role("value", INT)
        case "for_statement" | "while_statement" | "if_statement" | "do_statement":
            return Role("value", result="tested" if field("condition") == node else "dropped")
        case "update_expression":
            return Role("value", INT)
    return None


def _find_operand_role(expressions: ExpressionTypes, node: Node, parent: Node, depth: int) -> Role:
    operator = node_text(parent.child_by_field_name("operator"))
    left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
    other = right if left == node else left
    if operator in ("&&", "||"):
        return Role("value", result="tested")
    kind = expressions.type_of(other)
    if operator not in _COMPARISONS:
        # Pointers are moved by numbers: the other side of `+` and `-` says little.
        role = _find_role_by_surrounding_node(expressions, parent, depth - 1)
        if role is not None and kind is not None and kind.is_number:
            kind = role.wants or (None if operator in "+-" else INT)
        elif role is None or kind is None or operator != "-":
            kind = INT
    return Role("value", kind, place=_make_use_place_of_other_operand(other))


def _find_argument_role(expressions: ExpressionTypes, node: Node, listed: Node) -> Role | None:
    call = listed.parent
    callee = call.child_by_field_name("function") if call is not None else None
    given = list_arguments(listed)
    if callee is None or node not in given:
        return None
    number = given.index(node)
    name = node_text(callee.child_by_field_name("field") if callee.type == "field_expression" else callee)
    name = name.rpartition("::")[2]
    signature = expressions.callee_signature(callee, len(given))
    wants = signature.takes[number] if signature is not None and number < len(signature.takes) else None
    return Role("value", wants, place=UsePlace("argument", name, number) if name.isidentifier() else None)


def _make_use_place_of_other_operand(node: Node | None) -> UsePlace | None:
    while node is not None and node.type in ("parenthesized_expression", "pointer_expression", "unary_expression"):
        node = node.child_by_field_name("argument") or next(iter(node.named_children), None)
    if node is not None and node.type == "call_expression":
        name = node_text(node.child_by_field_name("function")).rpartition("::")[2]
        return UsePlace("result", name) if name.isidentifier() else None
    if node is not None and node.type == "binary_expression":
        return _make_use_place_of_other_operand(node.child_by_field_name("left"))
    return _make_use_place_of_variable("operand", node)


def _make_use_place_of_variable(where: Literal["operand", "index"], node: Node | None) -> UsePlace | None:
    while node is not None and node.type == "subscript_expression":
        node = node.child_by_field_name("argument")
    if node is not None and node.type == "field_expression":
        return UsePlace(where, node_text(node.child_by_field_name("field")))
    return UsePlace(where, node_text(node)) if node is not None and node.type == "identifier" else None
