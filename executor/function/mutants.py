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
from index.cpp.language import load_tree_sitter_grammar
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


# An operator, the expression or statement that it changes, the part of it that is replaced, and by what.
_Edit = tuple[Operator, "Node", "Node", bytes]


def make_mutants(definition: str, language: Language, limit: int) -> tuple[Mutant, ...]:
    """At most `limit` different mutants, spread over the operators and then over the body.

    Empty when no body is found. Lines keep their numbers, and the same text gives the same mutants.
    """
    from tree_sitter import Parser

    parts = split_definition(definition)
    if parts is None or limit < 1:
        return ()
    source = encode_source(definition)
    start = len(encode_source(parts.header + parts.initialisers))
    end = start + len(encode_source(parts.body))
    edits: dict[Operator, list[_Edit]] = defaultdict(list)
    for edit in _find_mutation_edits(Parser(load_tree_sitter_grammar(language)).parse(source).root_node):
        if start < edit[2].start_byte and edit[2].end_byte < end:
            edits[edit[0]].append(edit)
    found: dict[str, Mutant] = {}
    for operator, whole, part, new in _alternate_operators_middle_edits_first(list(edits.values())):
        text = decode_source(source[: part.start_byte] + new + source[part.end_byte :])
        if text != definition and text not in found:
            place = (whole.start_byte, whole.end_byte)
            after = source[whole.start_byte : part.start_byte] + new + source[part.end_byte : whole.end_byte]
            detail = f"{_shorten_text(_read_text(whole))} -> {_shorten_text(after)}"
            found[text] = Mutant(operator, part.start_point.row + 1, detail, text, place, after)
        if len(found) == limit:
            break
    return tuple(found.values())


def _alternate_operators_middle_edits_first(groups: Sequence[Sequence[_Edit]]) -> Iterator[_Edit]:
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


def _find_mutation_edits(root: Node) -> Iterator[_Edit]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR":
            # Text that a macro made unreadable may mean anything.
            continue
        # A directive's condition tells configurations apart, not inputs.
        condition = node.child_by_field_name("condition") if node.type.startswith("preproc_") else None
        waiting.extend(child for child in reversed(node.children) if child != condition)
        yield from _find_mutation_edits_of_node(node)


def _find_mutation_edits_of_node(node: Node) -> Iterator[_Edit]:
    text = _read_text(node)
    if node.type in ("if_statement", "conditional_expression"):
        condition = node.child_by_field_name("condition")
        if condition is not None and not condition.has_error:
            inner = _read_text(condition)
            yield "negate", condition, condition, b"(!%s)" % inner if inner.startswith(b"(") else b"!(%s)" % inner
    elif node.type == "expression_statement" and node.named_child_count == 1:
        # The line count stays, so that messages and assertions keep their line numbers.
        nothing = b";" + b"\n" * text.count(b"\n")
        child = node.named_children[0]
        if child.type == "call_expression":
            yield "drop-call", node, node, nothing
        elif child.type in ("assignment_expression", "update_expression"):
            yield "drop-assignment", node, node, nothing
    elif node.type == "binary_expression":
        yield from _find_mutation_edits_of_binary_expression(node)
    elif node.type == "number_literal" and text.isdigit():
        is_octal = len(text) > 1 and text.startswith(b"0") and not set(text) & set(b"89")
        # One more element in a declared array is no fault that a test could see.
        if not (node.parent and node.parent.type == "array_declarator"):
            yield "off-by-one", node, node, b"%d" % (int(text, 8 if is_octal else 10) + 1)


def _find_mutation_edits_of_binary_expression(node: Node) -> Iterator[_Edit]:
    left, right, sign = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
    if left is None or right is None or sign is None:
        return
    spelt = _read_text(sign).decode("utf-8", "replace")
    if spelt in _COMPARISONS:
        name: Operator = "change-operator" if spelt in ("==", "!=") else "off-by-one"
        yield name, node, sign, _COMPARISONS[spelt].encode()
    elif spelt in _CHANGED:
        yield "change-operator", node, sign, _CHANGED[spelt].encode()
    text = _read_text(node)
    if spelt in _UNORDERED and b"\n" not in text:
        between = text[left.end_byte - node.start_byte : right.start_byte - node.start_byte]
        yield "swap-operands", node, node, b"(%s)%s(%s)" % (_read_text(right), between, _read_text(left))


def _read_text(node: Node) -> bytes:
    assert node.text is not None
    return node.text


def _shorten_text(text: bytes) -> str:
    words = " ".join(text.decode("utf-8", "replace").split())
    return words if len(words) <= 60 else words[:57] + "..."
