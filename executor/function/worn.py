"""The change `after-N` of a task's own function: its body works N times in a process and is a stub from then on.

The text that takes the change is a candidate's. So nothing of it is rewritten: a declaration is put behind each brace
that opens a body of the function. It needs neither the body's end nor what the candidate's header says, and the stub's
value comes from the unmodified definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from executor.function.definition import Token, body_brace, code_tokens, matching
from executor.function.stub import zero_return
from index.cpp.tokens import tokens_at
from index.errors import TaskError
from index.values import Target

_CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")
# What stands before a bracket that holds an expression or an attribute, never a declarator.
_HOLDS_EXPRESSION = frozenset(
    {"noexcept", "decltype", "requires", "explicit", "alignas", "_Alignas", "__attribute__", "__attribute", "typeof"}
)

# A text made of mentions would take quadratic time.
_MOST_MENTIONS = 200


def after_calls(calls: int) -> str:
    """The name of the change of a task's own function that lets its body work so often."""
    return f"after-{calls}"


def calls_before(change: str) -> int | None:
    """How often the body works before the change `after-N` shows; None for any other change."""
    found = re.fullmatch(r"after-([0-9]+)", change)
    return int(found[1]) if found else None


def worn_out(code: str, target: Target, calls: int, definition: str) -> str:
    """The candidate's text with the function's body as it stands for the first `calls` calls in a process, and that of
    a stub of the unmodified `definition` afterwards. Each definition of the function counts for itself. Raises
    TaskError when there is none, or `definition` has no stub."""
    name = [token.text for token in code_tokens(target.name.rpartition("::")[2])]
    openings = _openings(code, name)
    if not openings:
        raise TaskError(f"no definition of {target.name}")
    # What runs in a call before the change could tell that it is there.
    if _has_digraph(code):
        raise TaskError("a brace that isn't written as one")
    word = "graft_calls_"
    while word in code:
        word += "_"
    value = zero_return(target, definition)
    is_template = code_tokens(definition)[0].text == "template"
    done, last = "", 0
    for opening, start in sorted(openings.items()):
        if is_template:
            # The candidate may name a template's parameters as it likes.
            value = zero_return(target, f"{code[start:opening]}{{}}")
        # A declaration, so that others may follow it in C89 too.
        worn = (
            f" int {word}gone __attribute__((unused)) = __extension__"
            f" ({{ static int {word}; if ({word}++ >= {calls}) {{ {value} }} 0; }});"
        )
        done += code[last : opening + 1] + worn
        last = opening + 1
    return done + code[last:]


@dataclass(frozen=True, slots=True)
class _Outside:
    """A token outside all bodies. `start` is where its declaration begins."""

    token: Token
    start: int


def _has_digraph(code: str) -> bool:
    """Whether a brace or a `#` is spelt `<%`, `%>` or `%:`."""
    found = pairwise(code_tokens(code))
    return any(one.end == other.at and one.text + other.text in {"<%", "%>", "%:"} for one, other in found)


def _openings(code: str, name: Sequence[str]) -> dict[int, int]:
    """The offset of each brace that opens a body of the function -> where its definition starts. Raises TaskError when
    the text names the function too often to look at each."""
    outside = list(_outside(code))
    words = [each.token.text for each in outside]
    named = [at for at in range(len(words) - len(name)) if words[at : at + len(name)] == list(name)]
    if len(named) > _MOST_MENTIONS:
        raise TaskError(f"{len(named)} mentions outside of bodies")
    pieces = [each.token for each in outside]
    braces = ((at, _brace_of(pieces, words, at, at + len(name))) for at in named)
    return {pieces[brace].at: outside[at].start for at, brace in braces if brace is not None}


def _brace_of(pieces: Sequence[Token], words: Sequence[str], at: int, after: int) -> int | None:
    """Index of the brace that opens the body of the function whose name stands from `at` to `after`; None where it is
    no definition. `words` are the pieces' texts."""
    if words[after : after + 1] == ["<"]:
        # A specialisation's arguments.
        after = next((n + 1 for n in range(after, len(words)) if words[n] == ">"), len(words))
    # `(name)(...)`, `(*name(...))(...)`
    before = at
    while before and words[before - 1] in {"*", "&", "("}:
        before -= 1
    groups = words[before:at].count("(")
    if groups and before and words[before - 1] in _HOLDS_EXPRESSION:
        return None
    while groups and words[after : after + 1] == [")"]:
        groups, after = groups - 1, after + 1
    if words[after : after + 1] != ["("]:
        return None
    rest = matching(pieces, after) + 1
    parameters = words[after + 1 : rest - 1]
    for _ in range(groups):
        if words[rest : rest + 1] != [")"] or words[rest + 1 : rest + 2] not in (["("], ["["], [")"]):
            return None
        rest += 1
    if "[" in parameters and not {"(", "{", "="}.isdisjoint(parameters[parameters.index("[") :]):
        raise TaskError("a parameter's size may be a call, which comes before the body")
    brace = body_brace(pieces, after)
    if brace is None or words[brace - 1] == "=":
        return None
    between = words[rest:brace]
    if ";" not in between:
        return brace
    # The brace is another function's, unless these are an old definition's parameters: `(a, b) int a, b; {`
    names = [word for word in parameters if word != ","]
    is_old = bool(names) and len(parameters) == 2 * len(names) - 1 and set(names) <= set(between)
    return brace if is_old and between[-1] == ";" != between[0] and "(" not in between else None


class _Brace(NamedTuple):
    """An open brace. `outside`: what stands in it is outside all bodies too, as in a namespace."""

    around: _Brace | None
    outside: bool


def _outside(code: str) -> Iterator[_Outside]:
    """The tokens outside all bodies, their braces among them. Each branch of an `#if` is read as if it were the only
    one."""
    open_: _Brace | None = None
    branches: list[_Brace | None] = []
    head: list[str] = []
    start = 0
    for token in _tokens_and_conditions(code):
        word = token.text
        if word.startswith("#"):
            if word == "#if":
                branches.append(open_)
            elif branches:
                before = branches.pop()
                if word != "#endif":
                    open_ = before
                    branches.append(before)
            continue
        outside = open_ is None or open_.outside
        if outside and not head:
            start = token.at
        if word == "{":
            open_ = _Brace(open_, outside and ("namespace" in head or head == ["extern"]))
        elif word == "}" and open_:
            open_ = open_.around
        now = open_ is None or open_.outside
        if outside or now:
            yield _Outside(token, start)
        if word in "{};" and now:
            head = []
        elif outside:
            head.append(word)


def _tokens_and_conditions(code: str) -> Iterator[Token]:
    """The tokens that decide the structure, and each directive of a condition as one (`#if`, `#else`)."""
    conditions = [
        Token("#if" if match[1].startswith("if") else f"#{match[1]}", at)
        for at, token in tokens_at(code)
        if token == "#" and (match := _CONDITION.match(code, at))
    ]
    first = [each for each in conditions if not code[code.rfind("\n", 0, each.at) + 1 : each.at].strip()]
    return iter(sorted([*code_tokens(code), *first], key=lambda token: token.at))
