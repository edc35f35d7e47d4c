"""Mutants: small faults put into a function's true body, to learn which tests would notice one.

The operators follow DeMillo, Lipton and Sayward (1978) and the sufficient set of Offutt et al. (1996), without those
that mostly give equivalent programs. This module makes texts only. Building a mutant shows whether it compiles, and
whether to an object that differs from the gold's.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from executor.function.definition import split_definition
from index.cpp.language import load_grammar
from index.source_text import decode_source, encode_source
from index.values import Language

if TYPE_CHECKING:
    from tree_sitter import Node

Operator = Literal["negate", "drop-call", "swap-operands", "off-by-one", "change-operator", "drop-assignment"]

_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_CHANGED = {"&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+", "&": "|", "|": "&", "<<": ">>", ">>": "<<"}
_UNORDERED = frozenset({"-", "/", "%", "<<", ">>", "<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class Mutant:
    """`text` is the whole definition; `line` is 1-based in it; `detail` shows the change: `a < b -> a <= b`. `place`:
    where the changed expression or statement begins and ends in the unmodified definition, in bytes; `new` stands
    there afterwards."""

    operator: Operator
    line: int
    detail: str
    text: str
    place: tuple[int, int] = (0, 0)
    new: bytes = b""

    @property
    def name(self) -> str:
        """Stable for an unchanged definition: the operator, the line and a digest of the text."""
        return f"{self.operator}@{self.line}-{hashlib.sha256(self.text.encode('utf-8', 'replace')).hexdigest()[:6]}"


@dataclass(frozen=True, slots=True)
class _Edit:
    operator: Operator
    start: int
    end: int
    text: bytes
    detail: str
    whole: tuple[int, int]


def make_mutants(definition: str, language: Language, limit: int) -> tuple[Mutant, ...]:
    """At most `limit` different mutants, spread over the operators and then over the body.

    Empty when no body is found. Lines keep their numbers, and the same text gives the same mutants.
    """
    parts = split_definition(definition)
    if parts is None or limit < 1:
        return ()
    source = encode_source(definition)
    start = len(encode_source(parts.header + parts.initialisers))
    end = start + len(encode_source(parts.body))
    edits: dict[Operator, list[_Edit]] = defaultdict(list)
    for edit in _make_mutating_edits(_parse_root(source, language), source):
        if start < edit.start and edit.end < end:
            edits[edit.operator].append(edit)
    found: dict[str, Mutant] = {}
    for edit in _spread_edits(list(edits.values())):
        text = decode_source(source[: edit.start] + edit.text + source[edit.end :])
        line = source.count(b"\n", 0, edit.start) + 1
        if text != definition:
            first, last = edit.whole
            new = source[first : edit.start] + edit.text + source[edit.end : last]
            found.setdefault(text, Mutant(edit.operator, line, edit.detail, text, edit.whole, new))
        if len(found) == limit:
            break
    return tuple(found.values())


def _spread_edits(groups: Sequence[Sequence[_Edit]]) -> Iterator[_Edit]:
    """The operators take turns. Within an operator the middle edit comes first, then the middles of the halves."""
    orders = [_order_by_halving(len(group)) for group in groups]
    for turn in range(max(map(len, groups), default=0)):
        for group, order in zip(groups, orders, strict=True):
            if turn < len(group):
                yield group[order[turn]]


def _order_by_halving(count: int) -> list[int]:
    order: list[int] = []
    ranges = [(0, count)]
    while ranges:
        low, high = ranges.pop(0)
        if low < high:
            middle = (low + high) // 2
            order.append(middle)
            ranges += [(low, middle), (middle + 1, high)]
    return order


def _parse_root(source: bytes, language: Language) -> Node:
    from tree_sitter import Parser

    return Parser(load_grammar(language)).parse(source).root_node


def _make_mutating_edits(root: Node, source: bytes) -> Iterator[_Edit]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR":
            # Text that a macro made unreadable may mean anything.
            continue
        # A directive's condition tells configurations apart, not inputs.
        condition = node.child_by_field_name("condition") if node.type.startswith("preproc_") else None
        waiting.extend(child for child in reversed(node.children) if child != condition)
        yield from _mutate_node(node, source)


def _mutate_node(node: Node, source: bytes) -> Iterator[_Edit]:
    text = _text_of_node(node, source)
    if node.type in ("if_statement", "conditional_expression"):
        condition = node.child_by_field_name("condition")
        if condition is not None and not condition.has_error:
            inner = _text_of_node(condition, source)
            new = b"(!" + inner + b")" if inner.startswith(b"(") else b"!(" + inner + b")"
            yield _make_edit("negate", condition, new, source)
    elif node.type == "expression_statement" and node.named_child_count == 1:
        child = node.named_children[0]
        if child.type == "call_expression":
            # The line count stays, so that messages and assertions keep their line numbers.
            yield _make_edit("drop-call", node, b";" + b"\n" * text.count(b"\n"), source)
        elif child.type in ("assignment_expression", "update_expression"):
            yield _make_edit("drop-assignment", node, b";" + b"\n" * text.count(b"\n"), source)
    elif node.type == "binary_expression":
        yield from _mutate_binary_expression(node, source)
    elif node.type == "number_literal" and text.isdigit() and not _is_declared_array_size(node):
        yield _make_edit("off-by-one", node, str(int(text, 8 if _is_octal(text) else 10) + 1).encode(), source)


def _mutate_binary_expression(node: Node, source: bytes) -> Iterator[_Edit]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return
    sign = _text_of_node(operator, source).decode("utf-8", "replace")
    if sign in _COMPARISONS:
        new = _COMPARISONS[sign].encode()
        name: Operator = "off-by-one" if sign in ("<", "<=", ">", ">=") else "change-operator"
        yield _make_part_edit(name, node, operator, new, source)
    elif sign in _CHANGED:
        yield _make_part_edit("change-operator", node, operator, _CHANGED[sign].encode(), source)
    if sign in _UNORDERED and b"\n" not in _text_of_node(node, source):
        between = source[left.end_byte : right.start_byte]
        new = b"(" + _text_of_node(right, source) + b")" + between + b"(" + _text_of_node(left, source) + b")"
        yield _make_edit("swap-operands", node, new, source)


def _is_octal(text: bytes) -> bool:
    return len(text) > 1 and text.startswith(b"0") and not set(text) & set(b"89")


def _is_declared_array_size(node: Node) -> bool:
    """Whether it is an array's size in a declaration: one more element is no fault that a test could see."""
    parent = node.parent
    return parent is not None and parent.type == "array_declarator"


def _make_edit(operator: Operator, node: Node, new: bytes, source: bytes) -> _Edit:
    place = (node.start_byte, node.end_byte)
    return _Edit(operator, *place, new, f"{_shorten_text(_text_of_node(node, source))} -> {_shorten_text(new)}", place)


def _make_part_edit(operator: Operator, whole: Node, part: Node, new: bytes, source: bytes) -> _Edit:
    """An edit of `part` whose detail shows all of `whole`."""
    after = source[whole.start_byte : part.start_byte] + new + source[part.end_byte : whole.end_byte]
    detail = f"{_shorten_text(_text_of_node(whole, source))} -> {_shorten_text(after)}"
    return _Edit(operator, part.start_byte, part.end_byte, new, detail, (whole.start_byte, whole.end_byte))


def _text_of_node(node: Node, source: bytes) -> bytes:
    return source[node.start_byte : node.end_byte]


def _shorten_text(text: bytes) -> str:
    words = " ".join(text.decode("utf-8", "replace").split())
    return words if len(words) <= 60 else words[:57] + "..."
