"""Golds written in other words: answers that are right and aren't the gold's text, which no check may fail.

    .venv/bin/python -m benchmarks.executor.verdict.equivalents redis bullet3 openssl --each 2 > answers.jsonl
    graft grade answers.jsonl repos=redis,bullet3,openssl sandbox=bwrap

Ways: locals get other names, `while` becomes `for` and `for` becomes `while`, neighbouring declarations that depend on
nothing change places, returned values go through brackets, conditions are negated twice. All that apply are applied at
once in variant 0; the others take them by turns. Writes one JSON line an answer, as `graft grade` reads it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.executor.syntax_trees import parse_function, walk_nodes
from executor.cache import cache_root
from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks
from index.values import Language

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` for the bytes `start`..`end`."""

    start: int
    end: int
    text: bytes


def write_equivalents(definition: str, language: Language, count: int) -> list[str]:
    """At most `count` different texts that mean the same; none where no way applies."""
    applicable = [way for way in WAYS if _apply_ways(definition, language, (way,)) != definition]
    groups: list[tuple[Way, ...]] = [tuple(applicable)]
    groups += [(way,) for way in applicable]
    found: dict[str, None] = {}
    for group in groups:
        text = _apply_ways(definition, language, group)
        if text != definition and len(found) < count:
            found[text] = None
    return list(found)


def _apply_ways(definition: str, language: Language, ways: Sequence[Way]) -> str:
    """The definition after each way. It is parsed anew for each, so that edits can't overlap."""
    source = definition.encode("utf-8", "surrogateescape")
    for way in ways:
        body = _find_body(parse_function(source, cpp=language == "cpp"))
        if body is None:
            break
        taken: list[Edit] = []
        for edit in sorted(way(body, source), key=lambda edit: (edit.start, -edit.end)):
            if not taken or edit.start >= taken[-1].end:
                taken.append(edit)
        for edit in reversed(taken):
            source = source[: edit.start] + edit.text + source[edit.end :]
    return source.decode("utf-8", "surrogateescape")


def rename_locals(body: Node, source: bytes) -> Iterator[Edit]:
    """Each local variable of the body gets another name. A word of a macro's line, of a nested scope's second
    declaration, or one that also names a type, field or label in the body keeps its name."""
    declared: list[bytes] = []
    for node in _walk_read_nodes(body):
        if node.type == "declaration" and not _has_child(node, "storage_class_specifier"):
            found = map(_find_declared_identifier, node.children_by_field_name("declarator"))
            declared += [_read_text(identifier, source) for identifier in found if identifier is not None]
    used: dict[bytes, set[str]] = {}
    for node in _walk_read_nodes(body):
        if node.child_count == 0 and node.is_named:
            used.setdefault(_read_text(node, source), set()).add(node.type)
    directives = b" ".join(_read_text(n, source) for n in _walk_read_nodes(body) if n.type.startswith("preproc"))
    for name in dict.fromkeys(declared):
        if used.get(name) != {"identifier"} or name in directives or declared.count(name) > 1:
            continue
        for node in _walk_read_nodes(body):
            if node.type == "identifier" and _read_text(node, source) == name:
                yield Edit(node.start_byte, node.end_byte, name + b"_local")


def change_loops(body: Node, source: bytes) -> Iterator[Edit]:
    """`while (c) s` -> `for (; c; ) s`; `for (a; b; c) s` -> `{ a; while (b) { s c; } }` where s has no continue."""
    for node in _walk_read_nodes(body):
        inner = node.child_by_field_name("body")
        condition = node.child_by_field_name("condition")
        if inner is None or condition is None:
            continue
        if node.type == "while_statement":
            yield Edit(node.start_byte, inner.start_byte, b"for (; " + _read_text(condition, source)[1:-1] + b"; ) ")
        elif node.type == "for_statement" and not any(n.type == "continue_statement" for n in _walk_read_nodes(inner)):
            first, step = node.child_by_field_name("initializer"), node.child_by_field_name("update")
            begin = b"" if first is None else _read_text(first, source).rstrip().removesuffix(b";") + b"; "
            end = b"" if step is None else _read_text(step, source) + b"; "
            head = b"{ " + begin + b"while (" + _read_text(condition, source) + b") { "
            yield Edit(node.start_byte, node.end_byte, head + _read_text(inner, source) + b" " + end + b"} }")


def swap_declarations(body: Node, source: bytes) -> Iterator[Edit]:
    """Two neighbouring declarations without initial values, or with literal ones, change places."""
    for block in _walk_read_nodes(body):
        if block.type != "compound_statement":
            continue
        children = block.named_children
        for left, right in zip(children[::2], children[1::2], strict=False):
            if _is_independent(left, source) and _is_independent(right, source):
                between = source[left.end_byte : right.start_byte]
                text = _read_text(right, source) + between + _read_text(left, source)
                yield Edit(left.start_byte, right.end_byte, text)


def _is_independent(node: Node, source: bytes) -> bool:
    """Whether the order of the declaration and its neighbour means nothing: plain types and literals alone."""
    kinds = {n.type for n in _walk_read_nodes(node) if n.child_count == 0}
    plain = {"primitive_type", "identifier", "number_literal", "null", ";", ",", "=", "*", "true", "false", "NULL"}
    literal = all(
        child.type in ("number_literal", "null", "true", "false")
        for n in _walk_read_nodes(node)
        if n.type == "init_declarator" and (child := n.child_by_field_name("value")) is not None
    )
    return node.type == "declaration" and literal and kinds <= plain and b"#" not in _read_text(node, source)


def bracket_returns(body: Node, source: bytes) -> Iterator[Edit]:
    for node in _walk_read_nodes(body):
        if node.type == "return_statement" and node.named_child_count == 1:
            value = node.named_children[0]
            if value.type not in ("initializer_list", "comma_expression", "parenthesized_expression"):
                yield Edit(value.start_byte, value.end_byte, b"(" + _read_text(value, source) + b")")


def negate_conditions_twice(body: Node, source: bytes) -> Iterator[Edit]:
    """`if (c)` -> `if (!(!(c)))`."""
    for node in _walk_read_nodes(body):
        condition = node.child_by_field_name("condition")
        if node.type != "if_statement" or condition is None or _has_child(condition, "declaration"):
            continue
        inner = _read_text(condition, source)
        if inner.startswith(b"(") and inner.endswith(b")") and b"constexpr" not in _read_text(node, source)[:20]:
            yield Edit(condition.start_byte, condition.end_byte, b"(!(!" + inner + b"))")


Way = Callable[["Node", bytes], Iterator[Edit]]
WAYS: tuple[Way, ...] = (rename_locals, change_loops, swap_declarations, bracket_returns, negate_conditions_twice)


def _find_declared_identifier(node: Node) -> Node | None:
    """The declared identifier of a declarator."""
    inner: Node | None = node
    while inner is not None and inner.type != "identifier":
        if inner.type in ("function_declarator", "structured_binding_declarator"):
            return None
        declared = inner.child_by_field_name("declarator")
        inner = declared or next((n for n in inner.named_children if n.type == "identifier"), None)
    return inner


def _has_child(node: Node, kind: str) -> bool:
    return any(child.type == kind for child in node.children)


def _walk_read_nodes(root: Node) -> Iterator[Node]:
    """All nodes, but for what the grammar couldn't read: that may mean anything."""
    return walk_nodes(root, left_out="ERROR")


def _read_text(node: Node, source: bytes) -> bytes:
    return source[node.start_byte : node.end_byte]


def _find_body(root: Node) -> Node | None:
    """The body of the first function that was read without an error."""
    function = next(walk_nodes(root, "function_definition", left_out="ERROR"), None)
    body = None if function is None else function.child_by_field_name("body")
    return None if body is None or body.has_error else body


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repos", nargs="+")
    parser.add_argument("--dataset", default="yabloco")
    parser.add_argument("--each", type=int, default=2, help="variants of a gold, at most")
    options = parser.parse_args()
    made = 0
    config = RunConfig(dataset=options.dataset, repos=tuple(options.repos), model="gold")
    for task in read_tasks(config, cache_root()).tasks:
        for sample, text in enumerate(write_equivalents(task.gold, task.target.language, options.each)):
            fence = f"```{task.target.language}\n{text}\n```"
            sys.stdout.write(json.dumps({"task_id": task.id, "completion": fence, "sample": sample}) + "\n")
            made += 1
    sys.stderr.write(f"{made} answers\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
