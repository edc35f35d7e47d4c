"""Splitting off the leading includes. Prevents: a cut inside a comment or a conditional, or behind a declaration,
which changes what the unit means."""

from __future__ import annotations

import pytest

from executor.function.leading_includes import split_leading_includes
from index.values import Span

HOLE = b"int hole()\n{\n}\n"


@pytest.mark.parametrize(
    ("before", "taken"),
    [
        (b"#include <a>\n#include <b>\nint x;\n#include <c>\n", 2),
        (b"// a licence\n\n/* with\n two lines */\n#define A 1\n  #  include <a>\n#define B 2\nint x;\n", 6),
        (b'#include "a" /* goes\n on */\nint x;\n', 2),
        (b"/* ends here */ int x;\n#include <a>\n", 0),
        (b"/* goes\n on */ int x;\n#include <a>\n", 0),
        (b"#ifdef A\n#include <a>\n#endif\nint x;\n", 3),
        (b"#include <a>\n#ifdef A\n#include <b>\nint x;\n#endif\n", 1),
        (b"#if A\n#if B\n#include <a>\n#endif\n#else\n#endif\nint x;\n", 6),
        (b"#define A \\\n  int y;\n#include <a>\n", 3),
        (b'#define URL "http://x" /* " */\n#include <a>\nint x;\n', 2),
        (b"#pragma pack(1)\n#include <a>\n", 0),
        (b"#include <a>\n#line 7\n#include <b>\n", 1),
        (b"int x;\n#include <a>\n", 0),
        (b"#include <a>\r\n#include <b>\r\nint x;\r\n", 2),
        (b"/* never closed\n#include <a>\n", 0),
        (b"", 0),
    ],
)
def test_only_whole_directives_before_the_first_declaration_are_taken(before: bytes, taken: int) -> None:
    file = before + HOLE
    found = split_leading_includes(file, Span(before.count(b"\n") + 1, before.count(b"\n") + 3))
    assert (0 if found is None else found.text.count(b"\n")) == taken
    if found is not None:
        assert file.startswith(found.text)
        assert found.rest == b"\n" * taken + file[len(found.text) :], "each line keeps its number"


def test_nothing_of_the_draft_is_taken() -> None:
    file = b"#include <a>\n#include <draft>\n#include <b>\nint x;\n"
    found = split_leading_includes(file, Span(2, 2))
    assert found is not None and found.text == b"#include <a>\n"
    assert split_leading_includes(file, Span(1, 2)) is None
