"""Call sites out of tree-sitter's nodes. Most callees are read from their text alone, which is quicker than asking the
tree; the others are read from their nodes."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.declarators import read_declared_name_or_empty, read_qualified_name_or_empty
from index.cpp.keywords import word_set
from index.symbols.call_sites import CONSTRUCT, MAX_RECEIVER, MEMBER, OPERATOR, PLAIN, QUALIFIED, SiteRow

if TYPE_CHECKING:
    from tree_sitter import Node

_OPERATORS = word_set("+ - * / % == != < > <= >= << >> ^ | & += -= *= /= %= <<= >>= |= &= ^=")

# `a->b.c(...)`: all but the last name is the receiver.
_MEMBER = re.compile(r"((?:::)?\w+(?:(?:->|\.|::)\w+)*)(?:->|\.)([A-Za-z_]\w*)")
_QUALIFIED = re.compile(r"(?:::)?([A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*)")
_MEMBER_OF_ANY = re.compile(r"(.*\S)\s*(?:->|\.)\s*([A-Za-z_]\w*)", re.DOTALL)
_LONGEST_NAME = 200
_NODES_PER_CHECK = 256
_MOST_CALLEES = 50_000
# A longer callee is a chain of calls; reading each link's whole text would be quadratic.
_LONGEST_CALLEE = 1000
_LITERALS = word_set("number_literal char_literal string_literal concatenated_string true false null nullptr")
_BUILT_IN = word_set("primitive_type sized_type_specifier placeholder_type_specifier auto type_descriptor")


class FunctionExtent(NamedTuple):
    """A function from its body on, or its whole node where that isn't known, and its position in the file's
    symbols."""

    start: int
    end: int
    owner: int


def find_call_sites(
    found: Mapping[str, Sequence[Node]], extents: Sequence[FunctionExtent], data: bytes, deadline: float
) -> list[SiteRow]:
    """The sites that lie in functions, each with its innermost function, in order of place. `extents` are in order of
    place."""
    if not extents:
        return []
    rows = _read_calls(found, data, deadline)
    rows += _read_construction_and_operator_sites(found, data, deadline)
    rows.sort()
    begins, owners = _find_innermost_function_changes(extents)
    out = []
    here = -1
    for at, end, form, name, receiver, arity in rows:
        while begins[here + 1] <= at:
            here += 1
        if here >= 0 and owners[here] >= 0:
            out.append(SiteRow(owners[here], at, end, name, form, receiver, arity))
    return out


_PlacesAndOwnersOrMinusOne = tuple[list[int], list[int]]


def _find_innermost_function_changes(extents: Sequence[FunctionExtent]) -> _PlacesAndOwnersOrMinusOne:
    """The places where the innermost function changes, and the position of the function from there on, or -1. The last
    place lies behind any file."""
    begins: list[int] = []
    owners: list[int] = []
    around: list[FunctionExtent] = []
    for extent in (*extents, FunctionExtent(sys.maxsize, sys.maxsize, -1)):
        # A function that ended may lie under one that began later only when the parser's nodes overlap; they don't.
        while around and around[-1].end <= extent.start:
            begins.append(around.pop().end)
            owners.append(around[-1].owner if around else -1)
        around.append(extent)
        begins.append(extent.start)
        owners.append(extent.owner)
    return begins, owners


_RawSite = tuple[int, int, int, str, str, int]
"""at, end, form, name, receiver, arity"""


def _read_construction_and_operator_sites(
    found: Mapping[str, Sequence[Node]], data: bytes, deadline: float
) -> Iterator[_RawSite]:
    readers = {
        "new": _read_construction,
        "variable": _read_constructions_of_declared_variables,
        "literal": _read_construction,
        "initializer": _read_member_initializer,
        "operator": _read_overloadable_operator,
    }
    for what, read in readers.items():
        for number, node in enumerate(found.get(what, ())):
            if number % _NODES_PER_CHECK == 0 and time.thread_time() > deadline:
                raise TimeoutError
            yield from (site for site in read(node, data) if site[3])


def _read_calls(found: Mapping[str, Sequence[Node]], data: bytes, deadline: float) -> list[_RawSite]:
    """Call expressions, read from the text before their arguments where possible: five times as quick as by the
    tree."""
    # Each argument list ends with a bracket of its own, so the one that ends where a call ends belongs to it. Lists
    # whose bracket is missing may end at the same place; which of them comes first is chance, so these go by the tree.
    lists = found.get("arguments", ())
    ending: dict[int, Node | None] = {node.end_byte: node for node in lists}
    if len(ending) < len(lists):
        ending |= {end: None for end, count in Counter(node.end_byte for node in lists).items() if count > 1}
    rows = []
    for node in found.get("call", ()):
        start = node.start_byte
        arguments = ending.get(node.end_byte)
        if arguments is not None:
            opening = arguments.start_byte
            callee = _parse_unambiguous_callee_caching_short_texts(data[start:opening])
            if callee is not None:
                form, name, receiver, length = callee
                arity = 0 if data.startswith(b"()", opening) else _count_elements(arguments)
                rows.append((start, start + length, form, name, receiver, arity))
                continue
        if time.thread_time() > deadline:
            raise TimeoutError
        called = node.children[0]
        for function in _list_generic_choices(called) if called.type == "generic_expression" else (called,):
            row = _read_call(function, node.children[-1], data)
            if row[3]:
                rows.append(row)
    return rows


def _list_generic_choices(generic: Node) -> Sequence[Node]:
    """What `_Generic(x, int: f, default: g)` is one of."""
    return [child for child in generic.named_children if child.type != "comment"][2::2]


_Callee = tuple[int, str, str, int]
"""form, name, receiver, bytes of the text"""


def _parse_unambiguous_callee_caching_short_texts(text: bytes) -> _Callee | None:
    """As `_parse_unambiguous_callee`, remembered: two calls of three are written like an earlier one."""
    return (
        _parse_unambiguous_callee(text) if len(text) <= _LONGEST_NAME else _parse_unambiguous_callee.__wrapped__(text)
    )


@lru_cache(maxsize=_MOST_CALLEES)
def _parse_unambiguous_callee(callee: bytes) -> _Callee | None:
    """The callee that a text spells, None where the text alone doesn't decide."""
    if len(callee) > _LONGEST_CALLEE:
        return None
    callee = callee.rstrip()
    text = callee.decode("utf-8", "replace")
    if text.isidentifier():
        return PLAIN, text, "", len(callee)
    member = _MEMBER.fullmatch(text)
    if member is not None:
        return MEMBER, member[2], member[1][:MAX_RECEIVER], len(callee)
    qualified = _QUALIFIED.fullmatch(text)
    if qualified is not None:
        return QUALIFIED, qualified[1], "", len(callee)
    member = _MEMBER_OF_ANY.fullmatch(text)
    if member is not None and "//" not in text and "/*" not in text:
        receiver = " ".join(member[1][: 4 * MAX_RECEIVER].split())
        return MEMBER, member[2], receiver[:MAX_RECEIVER], len(callee)
    return None


def _read_call(callee: Node, arguments: Node, data: bytes) -> _RawSite:
    form, name, receiver = _read_callee_form_name_receiver(callee, data)
    arity = _count_arguments_or_minus_one(arguments)
    return callee.start_byte, callee.end_byte, form, name[:_LONGEST_NAME], receiver, arity


def _read_callee_form_name_receiver(callee: Node, data: bytes) -> tuple[int, str, str]:
    kind = callee.type
    if kind == "parenthesized_expression":
        # `(*method->put)(x)`, as C writes a call through a pointer.
        inner = _read_node_as_short_line(callee, data).strip("() *")
        if inner.isidentifier():
            return PLAIN, inner, ""
        member = _MEMBER.fullmatch(inner)
        return (PLAIN, "", "") if member is None else (MEMBER, member[2], member[1][:MAX_RECEIVER])
    if kind == "field_expression":
        field = callee.child_by_field_name("field")
        receiver = callee.child_by_field_name("argument")
        if field is None or receiver is None:
            return PLAIN, "", ""
        return MEMBER, _read_name_without_template_arguments(field, data), _read_node_as_short_line(receiver, data)
    if kind == "qualified_identifier":
        return QUALIFIED, read_qualified_name_or_empty(callee, data), ""
    if kind in ("template_function", "identifier", "dependent_name", "template_method"):
        name = _read_name_without_template_arguments(callee, data)
        return (QUALIFIED if "::" in name else PLAIN), name, ""
    if kind == "field_identifier":
        return PLAIN, _read_node_as_short_line(callee, data), ""
    return PLAIN, "", ""


def _read_name_without_template_arguments(node: Node, data: bytes) -> str:
    """A name without template arguments."""
    while node.type in ("template_function", "template_method", "template_type"):
        inner = node.child_by_field_name("name")
        if inner is None:
            return ""
        node = inner
    if node.type in ("qualified_identifier", "dependent_name"):
        return read_qualified_name_or_empty(node, data)
    return _read_node_as_short_line(node, data)


def _read_node_as_short_line(node: Node, data: bytes) -> str:
    # Only as much as is kept: the left operands of `a < a < a < ...` together are quadratic in its length.
    start = node.start_byte
    text = data[start : min(node.end_byte, start + 4 * MAX_RECEIVER)].decode("utf-8", "replace")
    return " ".join(text.split())[:MAX_RECEIVER]


def _count_arguments_or_minus_one(arguments: Node) -> int:
    """The number of arguments, -1 when it is unknown."""
    return _count_elements(arguments) if arguments.type in ("argument_list", "initializer_list") else -1


def _count_elements(arguments: Node) -> int:
    """The number of elements of an argument or initializer list, counted by commas: a comment is a node too."""
    named = arguments.named_child_count
    commas = arguments.child_count - 2 - named
    if commas > 0:
        return commas + 1
    if named <= 1:
        return named
    return int(any(c.type != "comment" for c in arguments.named_children))


def _read_construction(node: Node, data: bytes) -> Iterator[_RawSite]:
    """`new T(x)` and `T{x}`."""
    kind = node.child_by_field_name("type")
    arguments = node.child_by_field_name("arguments") or node.child_by_field_name("value")
    if kind is not None and kind.type not in _BUILT_IN:
        arity = 0 if arguments is None else _count_arguments_or_minus_one(arguments)
        yield node.start_byte, kind.end_byte, CONSTRUCT, _read_name_without_template_arguments(kind, data), "", arity


def _read_constructions_of_declared_variables(node: Node, data: bytes) -> Iterator[_RawSite]:
    """`T v(x), w{y}, u, a[4];`."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type in _BUILT_IN or data.startswith(b"extern", node.start_byte):
        return
    name = _read_name_without_template_arguments(kind, data)
    for declarator in node.children_by_field_name("declarator"):
        if declarator.type == "identifier":
            yield node.start_byte, declarator.end_byte, CONSTRUCT, name, _read_node_as_short_line(declarator, data), 0
            continue
        if declarator.type == "array_declarator":
            yield (
                node.start_byte,
                declarator.end_byte,
                CONSTRUCT,
                name,
                read_declared_name_or_empty(declarator, data),
                0,
            )
            continue
        inner = declarator.child_by_field_name("declarator")
        value = declarator.child_by_field_name("value")
        if inner is None or value is None or inner.type != "identifier":
            continue  # a pointer or a reference constructs nothing of that type
        if value.type in ("argument_list", "initializer_list"):
            variable = read_declared_name_or_empty(declarator, data)
            yield node.start_byte, inner.end_byte, CONSTRUCT, name, variable, _count_arguments_or_minus_one(value)


def _read_member_initializer(node: Node, data: bytes) -> Iterator[_RawSite]:
    member, arguments = node.children[0], node.children[-1]
    name = _read_name_without_template_arguments(member, data)
    yield member.start_byte, member.end_byte, CONSTRUCT, name, "", _count_arguments_or_minus_one(arguments)


def _read_overloadable_operator(node: Node, data: bytes) -> Iterator[_RawSite]:
    """An operator whose operands may be objects: a literal is no object, except behind a shift or an index."""
    left, *others = node.children
    if node.type == "subscript_expression":
        yield node.start_byte, left.end_byte, OPERATOR, "operator[]", _read_node_as_short_line(left, data), 2
    elif len(others) == 1:
        (operand,), symbol = others, left.type
        if symbol in ("-", "~") and operand.type not in _LITERALS:
            text = _read_node_as_short_line(operand, data)
            yield node.start_byte, operand.end_byte, OPERATOR, f"operator{symbol}", text, 1
    elif len(others) == 2 and left.type not in _LITERALS and others[0].type in _OPERATORS:
        symbol, right = others[0].type, others[1].type
        if right in _LITERALS and symbol not in ("<<", "+", "+=", "==", "!="):
            return
        if right in ("number_literal", "char_literal", "true", "false", "null") and symbol != "<<":
            return
        text = _read_node_as_short_line(left, data)
        yield node.start_byte, others[0].end_byte, OPERATOR, f"operator{symbol}", text, 2
