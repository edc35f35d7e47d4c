"""What a missing name is used for: the syntax around it in a draft, and the types there that are known."""

from __future__ import annotations

from collections.abc import Iterator
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
    types of the arguments of a call; `owner` is the type whose member it is, for `x.name`; `members` are read from
    it, through a pointer when `arrow`."""

    use: Use
    wants: ValueType | None = None
    takes: tuple[ValueType | None, ...] = ()
    result: Result = "used"
    place: UsePlace | None = None
    owner: ValueType | None = None
    member: bool = False
    members: tuple[str, ...] = ()
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
        listed = around.child_by_field_name("arguments")
        given = list_arguments(listed) if listed is not None else []
        role = _find_first_role_around(expressions, around)
        takes = tuple(expressions.type_of(each) for each in given)
        return replace(role, use="called", takes=takes, member=member, owner=owner)
    if "declarator" in around.type and around.child_by_field_name("value") != outer:
        return None
    return replace(_find_first_role_around(expressions, outer), member=member, owner=owner)


def _find_first_role_around(expressions: ExpressionTypes, node: Node) -> Role:
    """What stands around an expression, as a role of a value."""
    role = next(_roles_around(expressions, node), Role("value"))
    place = role.place
    if place is not None and role.wants is None:
        known = _SYSTEM_CALLBACKS.get((place.where, place.name, place.number))
        if known is not None:
            return replace(role, wants=read_declared_type(known, "f"))
    return role


def _roles_around(expressions: ExpressionTypes, node: Node, depth: int = _DEPTH) -> Iterator[Role]:
    parent = node.parent
    if parent is None or depth == 0:
        return
    field = parent.child_by_field_name
    match parent.type:
        case "parenthesized_expression" | "condition_clause":
            outer = parent.parent
            if outer is not None and outer.type.endswith("_statement") and outer.type != "return_statement":
                if outer.type == "switch_statement":
                    yield Role("value", INT)
                else:
                    yield Role("value", result="tested")
                return
            yield from _roles_around(expressions, parent, depth - 1)
        case "expression_statement":
            yield Role("value", result="dropped")
        case "comma_expression" if field("right") == node:
            yield from _roles_around(expressions, parent, depth - 1)
        case "cast_expression":
            yield Role("value")
        case "pointer_expression":
            step = 1 if node_text(field("operator")) == "*" else -1
            for role in _roles_around(expressions, parent, depth - 1):
                kind = role.wants
                if kind is not None and kind.function is None:
                    kind = replace(kind, pointers=kind.pointers + step) if kind.pointers + step >= 0 else None
                    kind = None if kind is not None and kind.base == "void" else kind
                yield replace(role, wants=kind)
        case "field_expression":
            yield Role("value", members=(node_text(field("field")),), arrow=node_text(field("operator")) == "->")
        case "subscript_expression":
            array = field("argument")
            if array == node:
                for role in _roles_around(expressions, parent, depth - 1):
                    kind = role.wants
                    wants = replace(kind, pointers=kind.pointers + 1) if kind is not None else None
                    yield Role("value", wants, members=role.members, arrow=role.arrow)
            else:
                yield Role("value", INT, place=_variable_place("index", array))
        case "subscript_argument_list":
            outer = parent.parent
            yield Role(
                "value", INT, place=_variable_place("index", outer.child_by_field_name("argument") if outer else None)
            )
        case "assignment_expression":
            other = field("left") if field("right") == node else field("right")
            yield Role("value", expressions.type_of(other), place=_use_place_beside(other))
        case "init_declarator":
            declared = field("declarator")
            while declared is not None and declared.type != "identifier":
                declared = declared.child_by_field_name("declarator")
            yield Role("value", expressions.type_of(declared), place=_use_place_beside(declared))
        case "binary_expression":
            yield from _operand_roles(expressions, node, parent, depth)
        case "return_statement":
            yield Role("value", expressions.return_type)
        case "argument_list":
            yield from _argument_roles(expressions, node, parent)
        case "conditional_expression":
            if field("condition") == node:
                yield Role("value", result="tested")
            else:
                yield from _roles_around(expressions, parent, depth - 1)
        case "case_statement":
            outer = parent
            while outer is not None and outer.type != "switch_statement":
                outer = outer.parent
            value = outer.child_by_field_name("condition") if outer is not None else None
            value = next(iter(value.named_children), None) if value is not None else None
            yield Role("value", expressions.type_of(value) or INT, place=_use_place_beside(value))
        case "initializer_pair":
            name = node_text(field("designator")).lstrip(".")
            yield Role("value", place=UsePlace("operand", name) if name else None)
        case "unary_expression":
            yield Role("value", result="tested") if node_text(field("operator")) == "!" else Role("value", INT)
        case "for_statement" | "while_statement" | "if_statement" | "do_statement":
            yield Role("value", result="tested" if field("condition") == node else "dropped")
        case "update_expression":
            yield Role("value", INT)


def _operand_roles(expressions: ExpressionTypes, node: Node, parent: Node, depth: int) -> Iterator[Role]:
    operator = node_text(parent.child_by_field_name("operator"))
    left, right = parent.child_by_field_name("left"), parent.child_by_field_name("right")
    other = right if left == node else left
    if operator in ("&&", "||"):
        yield Role("value", result="tested")
        return
    kind = expressions.type_of(other)
    if operator in _COMPARISONS:
        yield Role("value", kind, place=_use_place_beside(other))
        return
    # Pointers are moved by numbers: the other side of `+` and `-` says little.
    for role in _roles_around(expressions, parent, depth - 1):
        if kind is not None and kind.is_number:
            yield Role("value", role.wants or (None if operator in "+-" else INT), place=_use_place_beside(other))
        else:
            yield Role("value", kind if kind is not None and operator == "-" else INT, place=_use_place_beside(other))
        return
    yield Role("value", INT, place=_use_place_beside(other))


def _argument_roles(expressions: ExpressionTypes, node: Node, listed: Node) -> Iterator[Role]:
    call = listed.parent
    callee = call.child_by_field_name("function") if call is not None else None
    given = list_arguments(listed)
    if callee is None or node not in given:
        return
    number = given.index(node)
    name = node_text(callee.child_by_field_name("field") if callee.type == "field_expression" else callee)
    name = name.rpartition("::")[2]
    signature = expressions.callee_signature(callee, len(given))
    wants = signature.takes[number] if signature is not None and number < len(signature.takes) else None
    yield Role("value", wants, place=UsePlace("argument", name, number) if name.isidentifier() else None)


def _use_place_beside(node: Node | None) -> UsePlace | None:
    while node is not None and node.type in ("parenthesized_expression", "pointer_expression", "unary_expression"):
        node = node.child_by_field_name("argument") or next(iter(node.named_children), None)
    if node is not None and node.type == "call_expression":
        name = node_text(node.child_by_field_name("function")).rpartition("::")[2]
        return UsePlace("result", name) if name.isidentifier() else None
    if node is not None and node.type == "binary_expression":
        return _use_place_beside(node.child_by_field_name("left"))
    return _variable_place("operand", node)


def _variable_place(where: Literal["operand", "index"], node: Node | None) -> UsePlace | None:
    while node is not None and node.type == "subscript_expression":
        node = node.child_by_field_name("argument")
    if node is not None and node.type == "field_expression":
        return UsePlace(where, node_text(node.child_by_field_name("field")))
    return UsePlace(where, node_text(node)) if node is not None and node.type == "identifier" else None
