"""What an answer wraps its code in: thoughts, JSON, a difference, search and replace. Each is taken off here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from agent.answer.fences import Segment, list_fenced_blocks

_THOUGHT_TAGS = r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|seed:think|mm:think|antml:thinking"
_THOUGHTS = re.compile(
    rf"^[ \t]*<({_THOUGHT_TAGS})>.*?(?:</\1>|\Z)"
    r"|^[ \t]*\[THINK\].*?(?:\[/THINK\]|\Z)|◁think▷.*?(?:◁/think▷|\Z)|^[ \t]*<\|channel>.*?(?:<channel\|>|\Z)"
    r"|<\|channel\|>(?:analysis|commentary)[^<\n]*<\|message\|>.*?(?:<\|end\|>|(?=<\|start\|>)|\Z)",
    re.DOTALL | re.MULTILINE,
)
# Templates that open the tag in the prompt leave only the end.
_END_OF_THOUGHTS = re.compile(
    rf"(?<![\"'])(?P<tag></(?:{_THOUGHT_TAGS})>|\[/THINK\]|◁/think▷|<channel\|>)(?![\"'])[ \t]*\n?"
)
_THOUGHT_MARK = re.compile(
    rf"</?(?:{_THOUGHT_TAGS})>|\[/?THINK\]|◁/?think▷|<\|channel>(?:thought)?|<channel\|>"
    r"|<\|[^<>|]*\|>(?:analysis|commentary)?"
)
_JSON_START = re.compile(r"^[^\S\n]*(?:<[\w|]{1,30}>[^\S\n]*)?(?=[{\[]\s*[\"{])", re.MULTILINE)
# Under these keys stands what isn't the answer.
_OTHER_KEY = re.compile(r"old|search|original|before|reason|thought|thinking|expla|draft|previous", re.IGNORECASE)
_DIFF_HEAD = re.compile(r"^(?:@@ |@@$|diff --git |\*\*\* (?:Begin|Update|Add)|--- [^\n]+\n\+\+\+ )", re.MULTILINE)
_DIFF_NOISE = re.compile(r"@@|diff --git |index [0-9a-f]+\.\.|\\ No newline|\*\*\* (?:Begin|End|Update|Add)")
# The lines around what a search and replace puts in; a closing one needs no opening one before it.
_REPLACEMENT_START = re.compile(r"={5,9}\s*|\s*<(?:replace|replacement|new_str|new_string|new_code)>\s*")
_REPLACEMENT_END = re.compile(r">{5,9}(?!>)[^>]*|\s*</(?:replace|replacement|new_str|new_string|new_code)>\s*")
# A line is longer in a hostile answer alone, which must not cost more.
_QUOTED_CHARS = 200
_MOST_PIECES = 16
_MOST_LEVELS = 3


def split_thoughts_and_answer(text: str) -> tuple[str, str]:
    """A model's thoughts, and the rest of its text. Thoughts are blocks between tags, all before a lone closing tag,
    all after one that is never closed."""
    kept = _THOUGHTS.sub("", text)
    ends = reversed(list(_END_OF_THOUGHTS.finditer(kept)))
    end = next((match.end() for match in ends if not _is_quoted_in_line(kept, *match.span("tag"))), 0)
    thoughts = [kept[:end], *(match[0] for match in _THOUGHTS.finditer(text))]
    return _THOUGHT_MARK.sub("", "\n".join(thoughts)).strip(), kept[end:]


def _is_quoted_in_line(text: str, start: int, end: int) -> bool:
    """Whether quotes or backticks stand around a place in its line: code and prose about a chat template name its
    tags."""
    before = re.sub(r"\\.", "", text[max(0, start - _QUOTED_CHARS) : start].rpartition("\n")[2])
    after = text[end : end + _QUOTED_CHARS].partition("\n")[0]
    return any(before.count(mark) % 2 == 1 and mark in after for mark in '"`')


def unwrap_json_replacements_or_diff(segment: Segment) -> tuple[Segment, ...]:
    """The pieces of code in a segment: the texts in JSON, what a search and replace puts in, the new side of a
    difference, else the segment itself."""
    texts = list(_find_json_texts(segment.text, _MOST_LEVELS))
    if texts:
        fenced = [list_fenced_blocks(text) or (Segment(text, True, True),) for text in texts[:_MOST_PIECES]]
        return tuple(piece for pieces in fenced for piece in pieces)
    found = _read_texts_of_search_replace_blocks(segment.text)
    if found:
        return tuple(replace(segment, text=text) for text in found[:_MOST_PIECES])
    if _is_diff_text(segment.text):
        return (replace(segment, text=_read_new_side_of_diff(segment.text)),)
    return (segment,)


def _read_texts_of_search_replace_blocks(text: str) -> list[str]:
    found: list[str] = []
    opened: list[str] | None = None
    for line in text.split("\n"):
        if _REPLACEMENT_START.fullmatch(line):
            opened = []
        elif opened is not None and _REPLACEMENT_END.fullmatch(line):
            found.append("\n".join(opened))
            opened = None
        elif opened is not None:
            opened.append(line)
    return found


def _find_json_texts(text: str, levels: int) -> Iterator[str]:
    """The texts in the JSON values of a piece that may be code; JSON in a text is read in its turn."""
    starts = [match.end() for _, match in zip(range(_MOST_PIECES), _JSON_START.finditer(text), strict=False)]
    if not starts and text.lstrip().startswith('"'):
        starts = [len(text) - len(text.lstrip())]
    decoder, reached = json.JSONDecoder(strict=False), 0  # many models leave bare line ends in strings
    for start in starts:
        if start < reached:
            continue
        try:
            value, reached = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield from _collect_code_texts_in_json(value, levels) if levels else ()


def _collect_code_texts_in_json(value: Any, levels: int) -> Iterator[str]:
    if isinstance(value, dict):
        keys = [key for key in value if not _OTHER_KEY.search(key)]
        for key in keys:
            yield from _collect_code_texts_in_json(value[key], levels - 1) if levels else ()
    elif isinstance(value, list):
        if len(value) > 1 and all(isinstance(item, str) for item in value):
            value = ["\n".join(line.rstrip("\n") for line in value)]
        for item in value:
            yield from _collect_code_texts_in_json(item, levels - 1) if levels else ()
    elif isinstance(value, str):
        inner = list(_find_json_texts(value, levels - 1)) if levels else []
        yield from inner or ([value] if "{" in value or ";" in value else [])


def _is_diff_text(text: str) -> bool:
    if _DIFF_HEAD.search(text):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    return any(line[0] == "+" for line in lines) and all(line[0] in "+- " for line in lines)


def _read_new_side_of_diff(text: str) -> str:
    head = _DIFF_HEAD.search(text)
    kept = []
    for line in text[head.start() if head else 0 :].split("\n"):
        if line.startswith(("+++ ", "-")) or _DIFF_NOISE.match(line):
            continue
        kept.append(line[1:] if line[:1] in ("+", " ") else line)
    return "\n".join(kept)
