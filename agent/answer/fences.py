"""Cut a model's text into the pieces that may hold code: its fenced blocks, else all of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from index.source_text import split_lines_keeping_ends

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})([^\n]*)")
_QUOTATION = re.compile(r"[ \t]*>(?:[ \t]?>)*[ \t]?")
_TAG = re.compile(r"(?i:c\+\+|cpp|cxx|cc|c|hpp|hxx|hh|h|objective-c|objc|text|txt|code|plaintext)(?![\w+])")
_LANGUAGE = re.compile(r"[\w+#.-]{1,20}")
_ATTRIBUTES = re.compile(r"\{|[\w-]+=")
_CODE_SIGNS = frozenset("(){};#")
# Behind one of these a fence is the comment's: documentation shows examples.
_COMMENT_MARKS = frozenset(("//", "///", "//!", "*"))
# A hostile answer may hold a hundred thousand fences; the answer is among the first or the last of them.
_MOST_BLOCKS = 64


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the model's text. `closed` is False for a fence left open, or no fence at all; `above` is the line of
    prose above the fence."""

    text: str
    fenced: bool
    closed: bool
    above: str = ""


def list_fenced_blocks(text: str) -> tuple[Segment, ...]:
    """The fenced blocks in order. A fence may be of backticks or tildes, with any tag or none, with code on the
    opening or closing line, left open, in a quotation, or run into the next one."""
    found: list[Segment] = []
    lines: list[str] = []
    mark = above = ""
    is_quoted = False
    for line in split_lines_keeping_ends(text):
        if mark and is_quoted:
            line = _strip_blockquote_prefix(line)
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if not mark:
            if fence is None:
                above = line.strip(" \t\r\n>") or above
            else:
                mark, is_quoted = fence[1], ">" in line[: fence.start(1)]
                rest, inline = _read_opening_code_and_end(fence[2].strip(), mark)
                lines = [rest] if rest else []
                if inline:
                    found.append(Segment("".join(lines), True, True, above))
                    mark = above = ""
            continue
        if fence is not None and fence[1][0] == mark[0] and _LANGUAGE.fullmatch(fence[2].strip()):
            # A new tagged fence inside an open one: the author forgot to close the first.
            found.append(Segment("".join(lines), True, True, above))
            lines, mark, above = [], fence[1], ""
            continue
        ended = line.rstrip()
        before = ended.rstrip(mark[0])
        if len(ended) - len(before) >= len(mark) and before.strip() not in _COMMENT_MARKS:
            found.append(Segment("".join((*lines, before)), True, True, above))
            lines, mark, above = [], "", ""
            continue
        lines.append(line)
    if mark:
        found.append(Segment("".join(lines), True, False, above))
    if len(found) > _MOST_BLOCKS:
        found = found[: _MOST_BLOCKS // 2] + found[-_MOST_BLOCKS // 2 :]
    return tuple(found)


def drop_fence_lines(text: str) -> Segment:
    """All of the text, fence lines left out: for an answer that stands beside a fence, or where there is none."""
    lines = split_lines_keeping_ends(text)
    if all(line.startswith(">") or not line.strip() for line in lines):
        lines = [_strip_blockquote_prefix(line) for line in lines]
    return Segment("".join(line for line in lines if not _FENCE.match(line)), False, False)


def _strip_blockquote_prefix(line: str) -> str:
    quotation = _QUOTATION.match(line)
    return line[quotation.end() :] if quotation is not None else line


def _read_opening_code_and_end(info: str, mark: str) -> tuple[str, bool]:
    """Code on the opening line itself ("```C int f(void) {"), and whether the block ends there too."""
    ends = info.endswith(mark)
    code = info.removesuffix(mark) if ends else info
    tag = _TAG.match(code)
    if tag is not None:
        code = code[tag.end() :].lstrip(" \t")
    elif not any(sign in _CODE_SIGNS for sign in code):
        code = ""  # another language's tag, or a file's name
    if not code or _ATTRIBUTES.match(code):
        return "", ends
    return f"{code}\n", ends
