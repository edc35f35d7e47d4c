"""The change `after-N` of a task's own function: its body works N times in a process and is a stub from then on.

The text that takes the change is a candidate's. So nothing of it is rewritten: declarations are put behind each brace
that opens a body of the function. They need neither the body's end nor what the candidate's header says, and the
stub's value comes from the unmodified definition.

A candidate that finds the change could fail on purpose. So it shows only in calls from outside: one that the body
makes while it runs, in whatever way, is counted and works. The names are drawn by chance. A text is refused when
something of it may run before the declarations, or when a compiler may find the function elsewhere than they stand.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from executor.function.definition import (
    Token,
    find_closing_bracket_or_last_index,
    find_initialiser_and_body_start,
    read_tokens_without_literals_and_directives,
    split_definition,
)
from executor.function.odd_spelling import find_lexer_misleading_spelling_or_empty
from executor.function.stub import make_zero_return_statements
from index.cpp.keywords import FUNDAMENTAL_TYPES, STANDARD_TYPES
from index.errors import TaskError
from index.values import Language, Target

# So many calls that the change never shows.
NEVER = 2**31 - 1

# What stands before a bracket that holds an expression or an attribute, never a declarator.
_HOLDS_EXPRESSION = frozenset(
    {"noexcept", "decltype", "requires", "explicit", "alignas", "_Alignas", "__attribute__", "__attribute", "typeof"}
)

# What an initialiser may call: it only passes its argument on.
_PASSES_ON = frozenset({"move", "forward", "static_cast", "const_cast", "reinterpret_cast", "sizeof"})
_TYPES = FUNDAMENTAL_TYPES | STANDARD_TYPES | {"auto"}

# A text made of mentions would take quadratic time.
_MOST_MENTIONS = 200


def name_change_after_calls(calls: int) -> str:
    """The name of the change of a task's own function that lets its body work so often."""
    return f"after-{calls}"


def read_call_limit(change: str) -> int | None:
    """How often the body works before the change `after-N` shows; None for any other change."""
    found = re.fullmatch(r"after-([0-9]+)", change)
    return int(found[1]) if found else None


def make_secret_identifier_prefix() -> str:
    """What the names of a change begin with: nobody can know it before."""
    return f"graft_{secrets.token_hex(8)}"


def make_text_stubbed_after_calls(code: str, target: Target, calls: int, gold: str, prefix: str) -> str:
    """The candidate's text with the function's body as it stands for the first `calls` calls in a process, and that of
    a stub of the unmodified `gold` afterwards. Each definition of the function counts for itself. Raises
    TaskError when there is none, when one may escape the change, or `gold` has no stub."""
    value = make_zero_return_statements(target, gold)
    is_template = read_tokens_without_literals_and_directives(gold)[0].text == "template"

    def make_limit_statements(start: int, opening: int) -> str:
        # The candidate may name a template's parameters as it likes.
        stub = make_zero_return_statements(target, f"{code[start:opening]}{{}}") if is_template else value
        # A number in memory, so that the code is the same for each.
        return (
            f"static int {prefix}; static volatile int {prefix}_most = {calls};"
            f" if ({prefix}++ >= {prefix}_most && {prefix}_outer) {{ {stub} }}"
        )

    return _insert_declarations_into_target_bodies(code, target, gold, prefix, make_limit_statements)


def insert_declarations_marking_calls_internal(code: str, target: Target, gold: str, prefix: str) -> str:
    """The text of another function of the same answer, so that what it calls isn't called from outside. Raises
    TaskError as `make_text_stubbed_after_calls` does."""
    return _insert_declarations_into_target_bodies(code, target, gold, prefix, lambda start, opening: "")


def _insert_declarations_into_target_bodies(
    code: str, target: Target, gold: str, prefix: str, change: Callable[[int, int], str]
) -> str:
    """The text with declarations behind each brace that opens a body of the function. `change` gives the statements of
    its change, by where the definition starts and the brace."""
    name = [token.text for token in read_tokens_without_literals_and_directives(target.name.rpartition("::")[2])]
    original = [token.text for token in read_tokens_without_literals_and_directives(gold)]
    openings = _map_body_openings_to_starts(code, name, original)
    if not openings:
        raise TaskError(f"no definition of {target.name}")
    if problem := _why_lexer_may_misread(code):
        raise TaskError(problem)
    done, last = "", 0
    for opening, start in sorted(openings.items()):
        _require_head_that_runs_no_code(code[start : opening + 1], gold)
        done += code[last : opening + 1] + _declare_outer_call_detection(
            prefix, target.language, change(start, opening)
        )
        last = opening + 1
    return done + code[last:]


def _declare_outer_call_detection(prefix: str, language: Language, change_statements: str) -> str:
    """What stands first in a body: declarations, so that others may follow in C89 too. While a call from outside runs,
    `WORD_in` of its thread holds its frame and its own variable. All definitions share that, whatever scope or
    template they are of."""
    frame = "(char *)__builtin_frame_address(0)"
    mine = f"(char *)&{prefix}_first"
    # A call that was left by a jump is over: the next one is no deeper in the stack. One that the compiler has put
    # into its caller has that one's frame.
    inner = f"{prefix}_in[0] && ({frame} < {prefix}_in[0] || ({frame} == {prefix}_in[0] && {prefix}_in[1] != {mine}))"
    first = {
        "c": f" __extension__ void {prefix}_left(int *{prefix}_was) {{ if (*{prefix}_was) {prefix}_in[0] = 0; }}"
        f" int {prefix}_first __attribute__((unused, cleanup({prefix}_left))) = 0;",
        "cpp": f" struct {prefix}_mark {{ int on; ~{prefix}_mark() {{ if (on) {prefix}_in[0] = 0; }} }}"
        f" {prefix}_first __attribute__((unused)) = {{ 0 }};",
    }[language]
    on = f"{prefix}_first{'.on' if language == 'cpp' else ''} = 1;"
    return (
        f' extern __thread char *{prefix}_in[2] __asm__("{prefix}_in");{first}'
        f" int {prefix}_gone __attribute__((unused)) = __extension__"
        f" ({{ int {prefix}_outer = !({inner}); {change_statements}"
        f" if ({prefix}_outer) {{ {prefix}_in[0] = {frame}; {prefix}_in[1] = {mine}; {on} }}"
        f' __asm__(".tls_common {prefix}_in,16,8"); 0; }});'
    )


def _why_lexer_may_misread(code: str) -> str:
    """How a compiler may read the text otherwise than
    `_read_tokens_outside_bodies_with_declaration_starts` does, or ""."""
    if odd := find_lexer_misleading_spelling_or_empty(code):
        return odd
    found = read_tokens_without_literals_and_directives(code, with_continuations=True)
    if any(token.text == "\\" for token in found):
        return "a name may stand on two lines"
    digraphs = {"<%", "%>", "%:"}
    if any(first.end == second.at and first.text + second.text in digraphs for first, second in pairwise(found)):
        return "a brace that isn't written as one"
    return ""


def _require_head_that_runs_no_code(head: str, gold: str) -> None:
    """Raises TaskError when what stands before the body, with its brace, may run something of the answer's."""
    if "try" in (token.text for token in read_tokens_without_literals_and_directives(head)):
        raise TaskError("a handler around the body runs after it")
    parts, original = split_definition(f"{head}}}"), split_definition(gold)
    initialisers = read_tokens_without_literals_and_directives(parts.initialisers) if parts else []
    allowed = _PASSES_ON | {
        token.text for token in read_tokens_without_literals_and_directives(original.initialisers if original else "")
    }
    depth = 0
    for before, token in pairwise(initialisers):
        depth += (before.text in ("(", "{")) - (before.text in (")", "}"))
        opens = token.text in ("(", "{")
        passes_on = before.text in allowed or before.text in _TYPES or before.text in (">", "(", ",")
        if token.text == ";" or (depth and opens and not passes_on):
            raise TaskError("an initialiser comes before the body, and may run something")


def _map_body_openings_to_starts(code: str, name: Sequence[str], original_words: Collection[str]) -> dict[int, int]:
    """The offset of each brace that opens a body of the function -> where its definition starts. `original_words`
    holds the words of the unmodified definition. Raises TaskError when the text names the function too often to look
    at each, or so that a macro may make another name of it."""
    outside = list(_read_tokens_outside_bodies_with_declaration_starts(code))
    pieces = [token for token, _ in outside]
    words = [token.text for token in pieces]
    named = [at for at in range(len(words) - len(name)) if words[at : at + len(name)] == list(name)]
    if len(named) > _MOST_MENTIONS:
        raise TaskError(f"{len(named)} mentions outside of bodies")
    braces = ((at, _find_body_brace_after_name(pieces, words, at, at + len(name), original_words)) for at in named)
    return {pieces[brace].at: outside[at][1] for at, brace in braces if brace is not None}


def _find_body_brace_after_name(
    pieces: Sequence[Token], words: Sequence[str], at: int, after: int, original_words: Collection[str]
) -> int | None:
    """Index of the brace that opens the body of the function whose name stands from `at` to `after`; None where it is
    no definition. `words` are the pieces' texts. Raises as `_map_body_openings_to_starts`."""
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
    rest = find_closing_bracket_or_last_index(pieces, after) + 1
    parameters = words[after + 1 : rest - 1]
    for _ in range(groups):
        if words[rest : rest + 1] != [")"] or words[rest + 1 : rest + 2] not in (["("], ["["], [")"]):
            return None
        rest += 1
    if "[" in parameters and not {"(", "{", "="}.isdisjoint(parameters[parameters.index("[") :]):
        raise TaskError("a parameter's size may be a call, which comes before the body")
    brace = find_initialiser_and_body_start(pieces, after)[1]
    if brace is None or words[brace - 1] == "=":
        return None
    if before < at and "(" in words[before:at] and words[before - 1 : before]:
        # `int (name)(...)`, but not `MACRO(name)(...)`
        lead = words[before - 1]
        if re.match(r"\w", lead) and lead not in _TYPES and lead not in original_words:
            raise TaskError("a macro may make another name of the function's")
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


def _read_tokens_outside_bodies_with_declaration_starts(code: str) -> Iterator[tuple[Token, int]]:
    """The tokens outside all bodies, their braces among them, each with the place where its declaration begins. Each
    branch of an `#if` is read as if it were the only one."""
    open_: _Brace | None = None
    branches: list[_Brace | None] = []
    head: list[str] = []
    start = 0
    for token in read_tokens_without_literals_and_directives(code, with_condition_directives=True):
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
            yield token, start
        if word in "{};" and now:
            head = []
        elif outside:
            head.append(word)
