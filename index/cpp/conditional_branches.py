"""`#if` branches that split a function: each opens a brace that is closed behind them all, or each is a header. The
grammar wants whole statements between directives, and misreads the rest of the file. So the first branch that may be
compiled stays, and the other branches and the directives are blanked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from index.cpp.tokens import BRACES, NOT_CODE, blank_bytes_except_line_ends


class BlankedHeader(NamedTuple):
    """A function's header in a branch that is blanked. `brace` is where the body opens in the branch that stays;
    `body` is where it opens in this branch, or -1."""

    start: int
    body: int
    brace: int
    text: str


@dataclass(slots=True)
class _Branch:
    condition: bytes
    directive: int
    start: int
    end: int = 0


@dataclass(slots=True)
class _Group:
    branches: list[_Branch] = field(default_factory=list)
    end: int = 0
    """Behind the line of its `#endif`."""


_CONDITION = re.compile(rb"#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:[^\\\n]|\\\r?\n|\\.)*+)")
_DEFINED = re.compile(rb"\bdefined[ \t]*\(?[ \t]*(\w+)[ \t]*\)?")
_NEGATED = re.compile(rb"!\s*(\w+(?:\(\w+\))?)")
_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|//.*", re.DOTALL)
_LINKAGE = re.compile(rb"extern\s*\"C(?:\+\+)?\"\s*\{\Z")
_SPACE = re.compile(rb"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_HEADER_TAIL = re.compile(rb"\)\s*(?:const\s*|noexcept\s*|override\s*|final\s*)*\Z")
_OLD_HEADER_TAIL = re.compile(rb"\)\s*(?:[A-Za-z_][^;{}#]*;\s*)+\Z")
_LONGEST_GROUP = 100_000
MAX_NESTED = 200


def blank_function_splitting_branches(out: bytearray, data: bytes) -> list[BlankedHeader]:
    """Blank in `out`, which has the text `data`, what keeps the parser from reading split functions. Returns the
    headers in the branches that are blanked."""
    if b"#if" not in data and b"# " not in data:
        return []
    headers: list[BlankedHeader] = []
    assumed = {b"1"}
    for group in _find_closed_directive_groups(data):
        if group.end - group.branches[0].directive <= _LONGEST_GROUP:
            _blank_branches_if_splitting(group, out, headers, assumed)
    return headers


def _find_closed_directive_groups(data: bytes) -> list[_Group]:
    """All complete groups, inner groups before those around them."""
    found: list[_Group] = []
    open_groups: list[_Group] = []
    for match in _CONDITION.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        if data[line : match.start()].strip():
            continue
        behind = match.end() + 1
        word = match[1]
        if word.startswith(b"if"):
            open_groups.append(_Group([_Branch(_normalise_condition(word, match[2]), line, behind)]))
        elif not open_groups:
            continue
        elif word == b"endif":
            group = open_groups.pop()
            group.branches[-1].end = line
            group.end = match.end()
            if len(open_groups) < MAX_NESTED:
                found.append(group)
        else:
            open_groups[-1].branches[-1].end = line
            first = open_groups[-1].branches[0]
            is_second = word == b"else" and len(open_groups[-1].branches) == 1
            condition = _negate_condition(first.condition) if is_second else _normalise_condition(word, match[2])
            open_groups[-1].branches.append(_Branch(condition, line, behind))
    return found


def _normalise_condition(directive: bytes, text: bytes) -> bytes:
    """A branch's condition, spelled in one way: `!defined(X)` for `#ifndef X`."""
    condition = _COMMENT.sub(b"", text).strip()
    if directive in (b"ifdef", b"ifndef", b"elifdef", b"elifndef"):
        condition = b"defined(%s)" % condition
        return condition if directive in (b"ifdef", b"elifdef") else b"!" + condition
    return _DEFINED.sub(rb"defined(\1)", condition)


def _negate_condition(condition: bytes) -> bytes:
    """What holds where a single condition doesn't. b"1" for b"0", which is never kept."""
    if condition in (b"0", b"1"):
        return b"1" if condition == b"0" else b"0"
    single = _NEGATED.fullmatch(condition)
    return b"!" + condition if single is None else single[1]


def _blank_branches_if_splitting(
    group: _Group, out: bytearray, headers: list[BlankedHeader], assumed: set[bytes]
) -> None:
    """Blank a group's directives and all its branches but one where they split a function. `assumed` are the
    conditions of the branches that were kept so far: what contradicts one of them isn't kept."""
    texts = [bytes(out[b.start : b.end]) for b in group.branches]
    closing = -1
    if any(not _has_balanced_braces(text) for text in texts):
        kept = next((i for i, b in enumerate(group.branches) if _negate_condition(b.condition) not in assumed), -1)
        if kept >= 0:
            assumed.add(group.branches[kept].condition)
        opened = texts[kept].rfind(b"{") if kept >= 0 else -1
        if kept >= 0 and (b'extern "C"' in texts[kept] or b"__cplusplus" in group.branches[0].condition):
            _blank_linkage_braces(out, group.branches[kept])
            return
        brace = group.branches[kept].start + opened if opened >= 0 else -1
        ends = [_find_closing_brace_ending_branch_or_minus_one(text) for text in texts]
        if kept >= 0 and len(texts) > 1 and -1 not in ends:
            # What each branch ends, a function mostly, ends behind the last of them.
            out[group.branches[kept].start + ends[kept]] = ord("\f")
            closing = group.branches[-1].end + len(out[group.branches[-1].end : group.end].rstrip()) - 1
    elif len(group.branches) > 1 and _has_header_in_every_branch(group, texts, out):
        # The grammar reads modern headers rather than K&R ones.
        kept = next((i for i, text in enumerate(texts) if _HEADER_TAIL.search(NOT_CODE.sub(b"", text))), 0)
        after = _SPACE.match(out, group.end)
        brace = after.end() if after is not None else -1
    else:
        return
    for i, (branch, text) in enumerate(zip(group.branches, texts, strict=True)):
        blank_bytes_except_line_ends(out, branch.directive, branch.start - 1, b"\f")
        if i != kept:
            if brace >= 0:
                _add_header_of_blanked_branch(branch, text, brace, headers)
            blank_bytes_except_line_ends(out, branch.start, branch.end, b"\f")
    blank_bytes_except_line_ends(out, group.branches[-1].end, group.end, b"\f")
    if closing >= 0:
        out[closing : closing + 1] = b"}"


def _blank_linkage_braces(out: bytearray, branch: _Branch) -> None:
    """Blank the `extern "C" {` that a branch opens, and the `}` that it closes it with."""
    opened: list[int] = []
    for match in BRACES.finditer(bytes(out[branch.start : branch.end])):
        at = branch.start + match.start()
        if match.group() == b"{":
            opened.append(at)
        elif match.group() == b"}" and opened:
            opened.pop()
        elif match.group() == b"}":
            blank_bytes_except_line_ends(out, at, at + 1, b"\f")
    for at in opened:
        linkage = _LINKAGE.search(out, branch.start, at + 1)
        blank_bytes_except_line_ends(out, linkage.start() if linkage is not None else at, at + 1, b"\f")


def _has_balanced_braces(text: bytes) -> bool:
    opening, closing = text.count(b"{"), text.count(b"}")
    if opening == closing and (not opening or 0 <= text.find(b"{") < text.find(b"}")):
        return True
    depth = 0
    for match in BRACES.finditer(text):
        if match.group() == b"{":
            depth += 1
        elif match.group() == b"}":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def _find_closing_brace_ending_branch_or_minus_one(text: bytes) -> int:
    """Where the brace stands that a branch ends with, when it is the only one that closes what was opened before."""
    last = max((match.start() for match in BRACES.finditer(text) if match.group() == b"}"), default=-1)
    ends = last >= 0 and not NOT_CODE.sub(b"", text[last + 1 :]).strip() and _has_balanced_braces(text[:last])
    return last if ends else -1


def _has_header_in_every_branch(group: _Group, texts: list[bytes], out: bytearray) -> bool:
    after = _SPACE.match(out, group.end)
    if after is None or out[after.end() : after.end() + 1] != b"{":
        return False
    codes = [NOT_CODE.sub(b"", text) for text in texts]
    return all(_HEADER_TAIL.search(code) or _OLD_HEADER_TAIL.search(code) for code in codes)


def _add_header_of_blanked_branch(branch: _Branch, text: bytes, brace: int, headers: list[BlankedHeader]) -> None:
    stripped = text.rstrip()
    body = -1
    if stripped.endswith(b"{"):
        body = branch.start + len(stripped) - 1
        stripped = stripped[:-1].rstrip()
    if not _HEADER_TAIL.search(stripped):
        return
    begin = max(stripped.rfind(b";"), stripped.rfind(b"}"), stripped.rfind(b"*/") + 1) + 1
    header = stripped[begin:]
    start = branch.start + begin + len(header) - len(header.lstrip())
    headers.append(BlankedHeader(start, body, brace, " ".join(header.decode("utf-8", "replace").split())))
