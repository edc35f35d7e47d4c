"""Splicing a candidate. Prevents: a changed line ending or byte outside the span, with which a gold would no longer be
the repository's own text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from executor.function.splice import splice_function
from index.errors import TaskError
from index.source_text import explain_utf16_or_utf32
from index.values import Span

LINE = st.tuples(st.binary(max_size=6).map(lambda data: data.replace(b"\n", b"")), st.sampled_from([b"\n", b"\r\n"]))


@st.composite
def cut_files(draw: st.DrawFn) -> tuple[bytes, bytes, bytes, Span]:
    """A file in three parts, and the lines of the middle one."""
    whole = [text + ending for text, ending in draw(st.lists(LINE, min_size=1, max_size=8))]
    if draw(st.booleans()):
        whole[-1] = b"last"
    # A file in UTF-16 is refused, and a BOM isn't the span's: both have tests of their own.
    assume(not whole[0].startswith(codecs.BOM_UTF8) and not explain_utf16_or_utf32(b"".join(whole)))
    first = draw(st.integers(1, len(whole)))
    last = draw(st.integers(first, len(whole)))
    return b"".join(whole[: first - 1]), b"".join(whole[first - 1 : last]), b"".join(whole[last:]), Span(first, last)


@given(cut_files())
def test_a_spans_own_text_gives_the_same_bytes(cut: tuple[bytes, bytes, bytes, Span]) -> None:
    *parts, span = cut
    assert splice_function(b"".join(parts), span, cut[1].decode("utf-8", "surrogateescape")) == b"".join(parts)


@given(cut_files(), st.text(alphabet="ab{}\n", max_size=20))
def test_nothing_outside_the_span_changes(cut: tuple[bytes, bytes, bytes, Span], code: str) -> None:
    before, middle, after, span = cut
    # A text that ends in CR makes a CRLF line with the LF behind it.
    ending = b"\r\n" if middle.endswith(b"\r\n") else b"\n" if middle.endswith(b"\n") else b""
    spliced = splice_function(before + middle + after, span, code)
    assert spliced == before + code.removesuffix("\n").encode() + ending + after


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
