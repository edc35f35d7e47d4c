"""Functions of C and C++ as trees of tree-sitter, for benchmarks that change them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from index.cpp.language import load_tree_sitter_grammar

if TYPE_CHECKING:
    from tree_sitter import Node


def parse_function(source: bytes, *, cpp: bool) -> Node:
    """The root of the source's tree."""
    from tree_sitter import Parser

    return Parser(load_tree_sitter_grammar("cpp" if cpp else "c")).parse(source).root_node


def walk_nodes(root: Node, *kinds: str, left_out: str = "") -> Iterator[Node]:
    """The node and all below it, in the order of the text; of these kinds, where any are given. Nodes of the kind
    `left_out` aren't entered."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == left_out:
            continue
        if not kinds or node.type in kinds:
            yield node
        waiting.extend(reversed(node.children))


def read_text(node: Node | None) -> str:
    """The node's text; "" where there is none."""
    return node.text.decode("utf-8", "surrogateescape") if node is not None and node.text is not None else ""
