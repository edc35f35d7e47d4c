"""Which of several definitions is the answer: the one whose header is the target's and whose body is most likely the
model's final word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.answer.brackets import remove_all_white_space
from agent.answer.definitions import (
    DefinitionPlaces,
    find_closed_and_unclosed_definitions,
    find_definitions_with_target_header,
    parses_as_body,
)
from agent.answer.fences import Segment
from agent.answer.header import Header, find_repository_header_start, scope_prefix
from index.cpp.mending.spellings import replace_digraphs_and_join_continued_names
from index.cpp.tokens import tokenize
from index.source_text import decode_source, encode_source
from index.values import Target

_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if\w*|el\w+|endif)\b([^\n]*)", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A comment that stands for code.
_ELISION = re.compile(
    r"^[\s/*]*(?:\.\.\.|…)|\b(?:as|same|see) (?:above|before|earlier)\b|\b(?:rest|remaining) (?:of|is|code)\b"
    r"|\b(?:unchanged|omitted|stand-?in|placeholder|stub|dummy|mock|todo|unimplemented|not implemented)\b"
    r"|\byour (?:code|implementation)\b|\b(?:implementation|code|body|logic) (?:goes |as )?(?:here|above)\b"
    r"|\b(?:existing|previous|original) (?:code|implementation|body)\b|\bwrite this\b",
    re.IGNORECASE,
)
_CONSTANT = re.compile(r"(?:return(?:-?\d\w*|nullptr|true|false|[A-Z_][A-Z0-9_]*|[\w:]*\{\})?;)?")
_NO_ANSWER = re.compile(
    r"\b(?:before|original(?:ly)?|old|previous(?:ly)?|first (?:try|attempt|idea|draft|version|thought)|wrong|incorrect"
    r"|buggy|naive|rejected|example|usage|demo|mock|stand-?in|to (?:try|test)|for testing)\b",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\b(?:final\w*|correct(?:ed|ly)?|fix\w*|better|updated?|new|revised|rewrit\w+|improved?|complete\w*|answer|solution"
    r"|use this|now|replace\w*|instead)\b",
    re.IGNORECASE,
)
_LONGEST_LABEL_CHARS = 80
_SHORT_BODY_TOKENS = 6
# A body that leaves code out has fewer tokens than this share of the longest: a whole one may hold such words too.
_PART = 0.75
# What stands farther above a definition is neither its class nor its condition: a hostile answer costs no more.
_NEAR_CHARS = 64 * 1024


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A definition of the target's name, and where it stands. `flaws`: what speaks against it, the gravest first."""

    segment: Segment
    definition: DefinitionPlaces
    flaws: tuple[str, ...] = ()

    @property
    def has_no_disqualifying_flaw(self) -> bool:
        """Whether it has the target's header and nothing says that it is a stub, an example or disabled."""
        return not self.flaws or _FLAWS.index(self.flaws[0]) >= _FLAWS.index("doesn't parse")

    @property
    def has_trivial_or_elided_body(self) -> bool:
        return _is_trivial_or_elided_body(self.segment.text[self.definition.brace : self.definition.end])

    @property
    def text(self) -> str:
        return self.segment.text[self.definition.start : self.definition.end]


@dataclass(frozen=True, slots=True)
class ChosenDefinition:
    """`best` is None where no definition is whole; `begun` is the last whose brackets never close. `note` says which
    of several was taken and which were left."""

    best: FoundDefinition | None
    begun: FoundDefinition | None
    note: str = ""


# What speaks against a definition, the gravest first: of two the one with the lesser flaws is taken.
_FLAWS = ("other parameters", "another scope", "disabled by #if", "a stub", "an example or an earlier version",
          "another overload", "doesn't parse", "in no closed fence")  # fmt: skip


def choose_definition(pieces: Iterable[Segment], target: Target, header: Header | None) -> ChosenDefinition:
    """Among equals the last counts: a model corrects itself further down."""
    found: list[FoundDefinition] = []
    begun: FoundDefinition | None = None
    for segment in pieces:
        plain = decode_source(replace_digraphs_and_join_continued_names(encode_source(segment.text)))
        candidates, broken = find_closed_and_unclosed_definitions(plain, target.name)
        if broken is not None:
            begun = FoundDefinition(segment, broken)
        braces = {each.brace for each in candidates}
        candidates += [
            each
            for each in find_definitions_with_target_header(segment.text, plain, target)
            if each.brace not in braces
        ]
        for definition in sorted(candidates, key=lambda each: each.brace):
            block = "try " if plain.startswith("try", definition.head) else ""
            clean = parses_as_body(block + plain[definition.brace : definition.end], target.language)
            known = find_repository_header_start(segment.text, definition.brace, definition.head, target) is not None
            if clean or segment.fenced or known:  # else prose that contains braces
                # A fenced one is code: what the parser can't read there may be the repository's macros.
                flaws = () if clean or segment.fenced else ("doesn't parse",)
                found.append(FoundDefinition(segment, definition, flaws))
    sizes = [len(tokenize(each.segment.text[each.definition.brace : each.definition.end])) for each in found]
    judged = [
        FoundDefinition(each.segment, each.definition, _list_flaws(each, target, header, size < _PART * max(sizes)))
        for each, size in zip(found, sizes, strict=True)
    ]
    if not judged:
        return ChosenDefinition(None, begun)
    ranks = [tuple(flaw not in each.flaws for flaw in _FLAWS) for each in judged]
    taken = max(range(len(judged)), key=lambda number: (ranks[number], number))
    return ChosenDefinition(judged[taken], begun, _describe_why_others_were_left(judged, taken))


def _describe_why_others_were_left(judged: Sequence[FoundDefinition], taken: int) -> str:
    best = judged[taken]
    left = []
    for number, each in enumerate(judged):
        if number != taken and each.text != best.text:
            own = [flaw for flaw in each.flaws if flaw not in best.flaws]
            left.append(f"{number + 1} ({own[0] if own else 'an earlier draft'})")
    return f"definition {taken + 1} of {len(judged)} taken; left: {', '.join(left)}" if left else ""


def _list_flaws(found: FoundDefinition, target: Target, header: Header | None, is_shorter: bool) -> tuple[str, ...]:
    text, place = found.segment.text, found.definition
    scope = remove_all_white_space(text[place.scope : place.name]) or _find_enclosing_class_prefix(found, target)
    if place.shape is None:  # it has the repository's header to the letter
        header = None
    checks = {
        "other parameters": header is not None and len(header.parameters) != len(place.parameters),
        "another scope": bool(scope) and not f"::{scope_prefix(target.name)}".endswith(f"::{scope}"),
        "disabled by #if": _is_disabled_by_preprocessor(text, place.start),
        "a stub": is_shorter and found.has_trivial_or_elided_body,
        "an example or an earlier version": _is_labelled_example_or_earlier_version(found, target),
        # C has no overloads: another spelling of a type is the same function.
        "another overload": target.language == "cpp" and header is not None and header.shape != place.shape,
        "in no closed fence": not found.segment.closed,
    }
    return (*(flaw for flaw, holds in checks.items() if holds), *found.flaws)


def _find_enclosing_class_prefix(found: FoundDefinition, target: Target) -> str:
    """`A::` for a method that stands inside `class A {`; "" where nothing encloses it or the target has no scope."""
    if target.language != "cpp" or "::" not in target.name or not found.segment.fenced:
        return ""
    open_names: list[str] = []
    start = found.definition.start
    opener, heading, before = "", False, ""
    for token in tokenize(found.segment.text[max(0, start - _NEAR_CHARS) : start]):
        if token in ("class", "struct"):
            heading = before not in ("enum", "<", ",")
        elif token == "{":
            open_names.append(opener)
            opener, heading = "", False
        elif token == "}":
            del open_names[-1:]
        elif token in (";", ":", ")", "<"):
            opener, heading = (opener if token in ":<" else ""), False
        elif heading and token.isidentifier() and token != "final":
            opener = token
        before = token
    return next((f"{name}::" for name in reversed(open_names) if name), "")


def _is_disabled_by_preprocessor(text: str, at: int) -> bool:
    """Whether a place stands under `#if 0`, or in the other branch of `#if 1`."""
    dead: list[bool] = []
    seen: list[bool] = []
    for match in _CONDITION.finditer(text, max(0, at - _NEAR_CHARS), at):
        word, condition = match[1], _COMMENT.sub("", match[2]).strip(" \t\r()")
        if word.startswith("if"):
            dead.append(condition in ("0", "false") and word == "if")
            seen.append(condition in ("1", "true") and word == "if")
        elif word == "endif":
            del dead[-1:], seen[-1:]
        elif dead:
            dead[-1] = seen[-1] or (word == "elif" and condition in ("0", "false"))
    return any(dead)


def _is_trivial_or_elided_body(body: str) -> bool:
    """Whether a body does nothing, or a comment or `...` in it stands for code."""
    tokens = tokenize(body)[1:-1]
    if len(tokens) <= _SHORT_BODY_TOKENS and _CONSTANT.fullmatch("".join(tokens)):
        return True
    elided = any(
        token == "..." and before in ("{", "}", ";") for before, token in zip(["{", *tokens], tokens, strict=False)
    )
    return elided or any(_ELISION.search(comment) for comment in _COMMENT.findall(body))


def _is_labelled_example_or_earlier_version(found: FoundDefinition, target: Target) -> bool:
    """Whether the prose above the fence, or the comment above the definition, calls it an example or what was there
    before."""
    above = found.segment.text[: found.definition.start].rstrip().rpartition("\n")[2].strip()
    labels = [found.segment.above, above if above.startswith(("//", "/*")) else ""]
    return any(
        len(label) <= _LONGEST_LABEL_CHARS and bool(_NO_ANSWER.search(label)) and not _ANSWER.search(label)
        for label in labels
    )
