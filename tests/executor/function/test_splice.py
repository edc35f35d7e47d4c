"""Splicing a candidate. Prevents: a changed line ending or byte outside the span, with which a gold would no longer be
the repository's own text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.function.splice import splice_function
from index.errors import TaskError
from index.values import Span

LINES = st.lists(
    st.tuples(st.binary(max_size=6).map(lambda b: b.replace(b"\n", b"")), st.sampled_from([b"\n", b"\r\n"])),
    min_size=1,
    max_size=8,
)


@given(LINES, st.data(), st.booleans())
def test_a_spans_own_text_gives_the_same_bytes(
    lines: list[tuple[bytes, bytes]], data: st.DataObject, ends_in_newline: bool
) -> None:
    whole = [text + ending for text, ending in lines]
    if not ends_in_newline:
        whole[-1] = b"last"
    first = data.draw(st.integers(1, len(whole)))
    last = data.draw(st.integers(first, len(whole)))
    gold = b"".join(whole[first - 1 : last]).decode("utf-8", "surrogateescape")
    assert splice_function(b"".join(whole), Span(first, last), gold) == b"".join(whole)


@given(LINES, st.data(), st.text(alphabet="ab{}\n", max_size=20))
def test_nothing_outside_the_span_changes(lines: list[tuple[bytes, bytes]], data: st.DataObject, code: str) -> None:
    whole = [text + ending for text, ending in lines]
    first = data.draw(st.integers(1, len(whole)))
    last = data.draw(st.integers(first, len(whole)))
    spliced = splice_function(b"".join(whole), Span(first, last), code)
    before, after = b"".join(whole[: first - 1]), b"".join(whole[last:])
    assert spliced.startswith(before)
    assert spliced.endswith(after)
    middle = spliced[len(before) : len(spliced) - len(after)]
    # A text that ends in CR makes a CRLF line with the LF behind it.
    ending = b"\r\n" if whole[last - 1].endswith(b"\r\n") else b"\n"
    assert middle == code.removesuffix("\n").encode() + ending


@pytest.mark.parametrize(
    ("data", "code", "expected"),
    [
        (b"a\nb\nc\n", "X", b"a\nX\nc\n"),
        (b"a\nb\nc\n", "X\n", b"a\nX\nc\n"),
        (b"a\nb\nc\n", "X\nY", b"a\nX\nY\nc\n"),
        (b"a\r\nb\r\nc\r\n", "X\n", b"a\r\nX\r\nc\r\n"),
        (b"a\nb", "X\n", b"a\nX"),
        (b"a\rx\nb\nc", "X", b"a\rx\nX\nc"),
        (b"a\nb\xff\nc", "\udcff\ud800", b"a\n??\nc"),
        (b"a\nb\nc", "\udcff", b"a\n\xff\nc"),
    ],
)
def test_line_endings(data: bytes, code: str, expected: bytes) -> None:
    assert splice_function(data, Span(2, 2), code) == expected


@pytest.mark.parametrize("span", [Span(0, 1), Span(2, 1), Span(2, 4)])
def test_a_span_outside_the_file_is_named(span: Span) -> None:
    with pytest.raises(TaskError, match=r"span \d+..\d+ lies outside the file, which has 3 lines"):
        splice_function(b"a\nb\nc\n", span, "x")
