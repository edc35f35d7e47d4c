"""Eight typical ways to break a function of C or C++; made with tree-sitter, by seed.

Each way yields at most one break of a function: where several places would do, the seed chooses.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from benchmarks.executor.syntax_trees import parse_function, read_text, walk_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

Way = Literal[
    "misspelt callee",
    "wrong field",
    "missing argument",
    "wrong type",
    "missing cast",
    "undeclared macro",
    "missing brace",
    "missing return",
]
WAYS: tuple[Way, ...] = get_args(Way)

# Words that a model takes for each other: a name that is wrong by meaning, not by spelling.
_SYNONYMS = (
    ("get", "fetch"), ("len", "length"), ("free", "release"), ("create", "new"), ("add", "insert"),
    ("del", "delete"), ("val", "value"), ("str", "string"), ("init", "setup"), ("num", "count"),
    ("size", "length"), ("obj", "object"), ("ptr", "pointer"), ("buf", "buffer"), ("err", "error"),
    ("msg", "message"), ("ctx", "context"), ("pos", "position"), ("idx", "index"), ("cmp", "compare"),
    ("dup", "copy"), ("put", "store"), ("find", "lookup"), ("ret", "result"), ("max", "maximum"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Break:
    """`code` is the broken function; `symbol` what a helpful message names: a function, member, type or macro. For
    a missing brace it is "" and `line` that of the brace which lost its partner."""

    way: str
    code: str
    symbol: str
    line: int


@dataclass(frozen=True, slots=True)
class Known:
    """Names that the repository declares: what may be broken. `types` are what a local may be changed to;
    `variables` are globals."""

    functions: Collection[str]
    macros: Collection[str]
    types: tuple[str, ...]
    variables: Collection[str] = ()
    fields: Collection[str] = ()


def make_breaks(code: str, name: str, known: Known, seed: int, *, cpp: bool = False) -> Iterator[Break]:
    """One break of each way that applies to the function `name`, the same for the same seed."""
    data = code.encode()
    root = parse_function(data, cpp=cpp)
    taken = {*known.functions, *known.macros}
    for way in WAYS:
        draw = random.Random(f"{seed} {way} {name}")
        places = [place for place in _PLACES[way](root, data, name, known, draw) if place[2] not in taken]
        if places:
            start, end, new, symbol, at = draw.choice(places)
            broken = (data[:start] + new.encode() + data[end:]).decode()
            yield Break(way, broken, symbol, data.count(b"\n", 0, at) + 1)


# Start and end byte, the new text, the symbol, the byte whose line counts.
_Place = tuple[int, int, str, str, int]


def _misspell_callees(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    for call in walk_nodes(root, "call_expression"):
        callee = call.child_by_field_name("function")
        text = read_text(callee)
        if callee is not None and callee.type == "identifier" and text in known.functions and text != name:
            yield callee.start_byte, callee.end_byte, misspell_name(text, draw), text, callee.start_byte


def _misspell_fields(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    for expression in walk_nodes(root, "field_expression"):
        member = expression.child_by_field_name("field")
        text = read_text(member)
        if member is not None and len(text) > 1:
            yield member.start_byte, member.end_byte, misspell_name(text, draw), text, member.start_byte


def _drop_arguments(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    for call in walk_nodes(root, "call_expression"):
        callee, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if listed is None or read_text(callee) not in known.functions:
            continue
        given = [child for child in listed.named_children if child.type != "comment"]
        if len(given) >= 2:
            at = draw.randrange(len(given))
            start = given[at - 1].end_byte if at else given[0].start_byte
            end = given[at].end_byte if at else given[1].start_byte
            yield start, end, "", read_text(callee), call.start_byte


def _change_types(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    """Locals that are pointers to a type of the repository; arithmetic types convert without a word."""
    for body in walk_nodes(root, "compound_statement"):
        for declared in body.named_children:
            kind = declared.child_by_field_name("type") if declared.type == "declaration" else None
            pointer = any(child.type in ("pointer_declarator", "init_declarator") for child in declared.children)
            if kind is None or not pointer or b"*" not in (declared.text or b"").split(b"=")[0]:
                continue
            plain = re.sub(r"^(?:struct|union|enum) ", "", read_text(kind))
            words = set(re.findall(r"\w+", data.decode()))
            # A parameter may be called as its type: then the type isn't one any more.
            others = [other for other in known.types if other != plain and other not in words]
            if plain in known.types and others:
                yield kind.start_byte, kind.end_byte, draw.choice(others), plain, kind.start_byte


def _drop_casts(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    for cast in walk_nodes(root, "cast_expression"):
        value, kind = cast.child_by_field_name("value"), cast.child_by_field_name("type")
        words = [w for w in re.findall(r"\w+", read_text(kind)) if w not in ("const", "struct", "unsigned", "signed")]
        if value is not None and words and words[0] != "void":
            yield cast.start_byte, value.start_byte, "", words[0], cast.start_byte


def _misspell_macros(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    for word in walk_nodes(root, "identifier"):
        text = read_text(word)
        if text in known.macros and re.fullmatch(r"[A-Z][A-Z0-9_]{2,}", text):
            yield word.start_byte, word.end_byte, misspell_name(text, draw), text, word.start_byte


def _drop_braces(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    """A closing brace of an inner block that stands on lines of its own, or its opening brace."""
    for block in walk_nodes(root, "compound_statement"):
        parent = block.parent
        if parent is None or parent.type == "function_definition" or block.start_point[0] == block.end_point[0]:
            continue
        first, last = block.children[0], block.children[-1]
        if first.type != "{" or last.type != "}" or first.is_missing or last.is_missing:
            continue
        yield last.start_byte, last.end_byte, "", "", first.start_byte
        yield first.start_byte, first.end_byte, "", "", first.start_byte


def _empty_returns(root: Node, data: bytes, name: str, known: Known, draw: random.Random) -> Iterator[_Place]:
    for leaving in walk_nodes(root, "return_statement"):
        outer = leaving.parent.parent if leaving.parent is not None else None
        if leaving.named_children and outer is not None and outer.type == "function_definition":
            yield leaving.start_byte, leaving.end_byte, ";", name, leaving.start_byte


_PLACES: dict[Way, Callable[[Node, bytes, str, Known, random.Random], Iterator[_Place]]] = {
    "misspelt callee": _misspell_callees,
    "wrong field": _misspell_fields,
    "missing argument": _drop_arguments,
    "wrong type": _change_types,
    "missing cast": _drop_casts,
    "undeclared macro": _misspell_macros,
    "missing brace": _drop_braces,
    "missing return": _empty_returns,
}


def misspell_name(name: str, draw: random.Random) -> str:
    """`name` as somebody who half remembers it would write it; never the name itself."""
    ways = [
        _drop_letter,
        _swap_letters,
        _double_letter,
        _change_naming_convention,
        _replace_by_synonym,
        _replace_by_synonym,
    ]
    draw.shuffle(ways)
    for way in ways:
        found = way(name, draw)
        if found and found != name:
            return found
    return f"{name}x"


def _drop_letter(name: str, draw: random.Random) -> str:
    at = draw.randrange(1, len(name)) if len(name) > 3 else 0
    return name[:at] + name[at + 1 :] if at else ""


def _swap_letters(name: str, draw: random.Random) -> str:
    at = draw.randrange(0, len(name) - 1) if len(name) > 1 else 0
    other = name[:at] + name[at + 1] + name[at] + name[at + 2 :] if len(name) > 1 else ""
    return other if other.isidentifier() else ""


def _double_letter(name: str, draw: random.Random) -> str:
    at = draw.randrange(0, len(name))
    return name[: at + 1] + name[at:]


def _change_naming_convention(name: str, draw: random.Random) -> str:
    """dictGetVal <-> dict_get_val; MAX_LEN <-> MAXLEN."""
    if "_" in name.strip("_"):
        head, *rest = name.split("_")
        return head + "".join(word if word.isupper() else word.capitalize() for word in rest)
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name)


def _replace_by_synonym(name: str, draw: random.Random) -> str:
    fitting = []
    for pair in _SYNONYMS:
        for old, new in (pair, pair[::-1]):
            for spelt_old, spelt_new in ((old, new), (old.capitalize(), new.capitalize()), (old.upper(), new.upper())):
                # Whole words only: `strlen` holds none that is set apart.
                pattern = rf"(?:(?<=_)|(?<![A-Za-z])|(?<=[a-z])(?=[A-Z])){spelt_old}(?=_|$|[A-Z]|\d)"
                if re.search(pattern, name):
                    fitting.append(re.sub(pattern, spelt_new, name, count=1))
    return draw.choice(fitting) if fitting else ""
