"""Drafts with a name that a model made up: unlike the true one, by a fixed rule from what the name is used for.

The true name counts only for what may not be used: a made-up name shares no word with it and few of its letters, and
the repository doesn't have it. Every use of the symbol in the function is replaced, as a model would write it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, get_args

from benchmarks.executor.feedback.broken_drafts import Break, Known
from benchmarks.executor.syntax_trees import parse_function, read_text, walk_nodes
from index.cpp.keywords import PRIMITIVE_TYPES, word_set
from index.cpp.tokens import split_identifier

if TYPE_CHECKING:
    from tree_sitter import Node

InventedWay = Literal[
    "invented callee", "invented callback", "invented method", "invented field", "invented global", "invented constant"
]
INVENTED: tuple[InventedWay, ...] = get_args(InventedWay)

_IDENTIFIERS = ("identifier", "field_identifier")
_NOUNS = ("entry", "item", "value", "data", "state", "object", "info", "record")
_VERBS = {
    "statement": ("process", "handle", "update", "apply", "run"),
    "condition": ("check", "is_valid", "has", "test"),
    "value": ("get", "compute", "resolve", "make"),
}
_FIELDS = ("current_value", "inner_data", "state_info", "extra", "item_count", "raw_entry", "local_flags", "payload")
_GLOBALS = ("global_state", "shared_data", "default_config", "main_context", "current_info", "g_instance")
_CONSTANTS = ("DEFAULT_MODE", "STATUS_VALUE", "MAX_ITEMS", "KIND_NORMAL", "ITEM_FLAG", "RESULT_CODE")
_CALLBACKS = ("invoke_callback", "g_callback", "handle_event", "process_entry", "on_item", "default_handler")
# Names with more letters in common than this might be found by their spelling.
_MOST_ALIKE = 60.0
# Methods of the standard library's classes, which a repository's class may have as well: the index knows no receiver
# of such a call.
_OF_THE_LIBRARY = word_set(
    "append at back begin c_str clear count data empty end erase find front get insert length pop_back push_back "
    "reserve reset resize size str substr swap"
)
_DECLARES = frozenset({"parameter_declaration", "declaration", "init_declarator", "pointer_declarator",
                       "array_declarator", "reference_declarator", "optional_parameter_declaration",
                       "function_declarator", "for_range_loop", "labeled_statement"})  # fmt: skip


def make_inventions(
    code: str, name: str, known: Known, exists: Callable[[str], bool], seed: int, *, cpp: bool = False
) -> Iterator[Break]:
    """One break of each way that applies to the function `name`, the same for the same seed. `exists` says whether
    the repository has a name."""
    data = code.encode()
    root = parse_function(data, cpp=cpp)
    uses: dict[InventedWay, dict[str, list[Node]]] = {way: {} for way in INVENTED}
    # A macro before the function's type makes the parser take the type for a value.
    own = _list_own_names(root) | PRIMITIVE_TYPES | {name}
    for node in walk_nodes(root, *_IDENTIFIERS):
        text = read_text(node)
        way = None if text in own and node.type == "identifier" else _classify_use(node, text, known)
        if way is not None:
            uses[way].setdefault(text, []).append(node)
    for way in INVENTED:
        draw = random.Random(f"{seed} {way} {name}")
        symbols = sorted(uses[way])
        draw.shuffle(symbols)
        for symbol in symbols:
            nodes = uses[way][symbol]
            new = _invent_name(way, nodes[0], symbol, exists, draw, cpp=cpp)
            if new:
                broken = data
                for node in sorted(nodes, key=lambda node: -node.start_byte):
                    broken = broken[: node.start_byte] + new.encode() + broken[node.end_byte :]
                yield Break(way, broken.decode(), symbol, nodes[0].start_point[0] + 1)
                break


def _classify_use(node: Node, text: str, known: Known) -> InventedWay | None:
    parent = node.parent
    if parent is None:
        return None
    if node.type == "field_identifier":
        if parent.type != "field_expression":
            return None
        called = parent.parent is not None and parent.parent.type == "call_expression" and _is_callee(parent)
        if called:
            return "invented method" if text in known.functions and text not in _OF_THE_LIBRARY else None
        return "invented field" if text in known.fields else None
    if parent.type == "call_expression" and _is_callee(node):
        return "invented callee" if text in known.functions else None
    if parent.type == "qualified_identifier":
        return None
    if text in known.functions and text not in known.macros and parent.type in _VALUE_PLACES:
        return "invented callback"
    if text in known.variables:
        return "invented global"
    return "invented constant" if text in known.macros and text.isupper() and len(text) > 2 else None


_VALUE_PLACES = frozenset({"argument_list", "assignment_expression", "init_declarator", "initializer_list",
                           "initializer_pair", "pointer_expression", "return_statement",
                           "conditional_expression"})  # fmt: skip


def _invent_name(
    way: InventedWay, node: Node, symbol: str, exists: Callable[[str], bool], draw: random.Random, *, cpp: bool
) -> str:
    if way in ("invented callee", "invented method"):
        verbs = _VERBS[_classify_result_use(node)]
        names = [f"{verb}_{noun}" for verb in verbs for noun in _NOUNS]
    else:
        names = list(
            {
                "invented callback": _CALLBACKS,
                "invented field": _FIELDS,
                "invented global": _GLOBALS,
                "invented constant": _CONSTANTS,
            }[way]
        )
    draw.shuffle(names)
    if cpp and way != "invented constant":
        names = [_to_camel_case(word) for word in names]
    return next((word for word in names if not _are_alike(word, symbol) and not exists(word)), "")


def _are_alike(word: str, symbol: str) -> bool:
    from rapidfuzz import fuzz

    letters = fuzz.ratio(word.replace("_", "").lower(), symbol.replace("_", "").lower())
    return letters >= _MOST_ALIKE or bool(set(split_identifier(word)) & set(split_identifier(symbol)))


def _to_camel_case(word: str) -> str:
    head, *rest = word.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _classify_result_use(node: Node) -> str:
    """What the call's result is used for."""
    call = node.parent
    while call is not None and call.type != "call_expression":
        call = call.parent
    outer = call.parent if call is not None else None
    while outer is not None and outer.type in ("parenthesized_expression", "unary_expression", "binary_expression"):
        if outer.parent is not None and outer.parent.type in ("if_statement", "while_statement"):
            return "condition"
        outer = outer.parent
    return "statement" if outer is not None and outer.type == "expression_statement" else "value"


def _is_callee(node: Node) -> bool:
    return node.parent is not None and node.parent.child_by_field_name("function") == node


def _list_own_names(root: Node) -> set[str]:
    """Names that the function declares itself."""
    return {
        read_text(node)
        for node in walk_nodes(root, *_IDENTIFIERS)
        if node.parent is not None
        and node.parent.type in _DECLARES
        and node.parent.child_by_field_name("value") != node
        and node.parent.child_by_field_name("size") != node
    }
