"""Reading a compiler's output, and asking for it. Prevents: a message at the wrong line, which sends a repair round to
the wrong code, follow-up errors that hide the first one, messages in a format that nobody reads, and an added -Werror
that fails what the build lets pass."""

from __future__ import annotations

import time

from executor.candidate.compiler import add_diagnostic_options_to_check, make_unoptimised_compile_arguments
from executor.candidate.diagnostics import MAX_DIAGNOSTICS, CandidatePlace, read_diagnostics
from index.values import Span

# The candidate has 3 lines and stands in place of lines 10 to 14.
PLACE = CandidatePlace(root="/graft/src", cwd="/graft/src/src", path="src/a.c", span=Span(10, 14), lines=3)


def test_lines_are_the_candidates_own_and_behind_it_the_original_files() -> None:
    output = "".join(f"a.c:{line}:7: error: m\n" for line in (9, 10, 12, 13))
    found = read_diagnostics(output.encode(), PLACE)
    assert [(item.line, item.in_candidate) for item in found] == [(9, False), (1, True), (3, True), (15, False)]
    assert {(item.path, item.column) for item in found} == {("src/a.c", 7)}


def test_paths_are_relative_to_the_tree() -> None:
    output = b"../deps/x.h:11: error: m\n/usr/include/stdio.h:1:1: fatal error: m\n"
    found = read_diagnostics(output, PLACE)
    assert [(item.path, item.in_candidate, item.severity) for item in found] == [
        ("deps/x.h", False, "error"),
        ("/usr/include/stdio.h", False, "error"),
    ]


def test_errors_come_first_and_foreign_warnings_not_at_all() -> None:
    output = """\
cc: some remark
a.c: In function ‘f’:
a.c:2:1: warning: old
a.c:11:3: warning: ‘x’ is mine [-Wreturn-type]
   11 |   return x; // error: x
      |   ^~~~~~
/graft/src/src/a.c:12:5: sorry, unimplemented: [bad] [-fpermissive]
a.h:3:1: note: declared here
2 warnings and 1 error generated.
"""
    found = read_diagnostics(output.encode(), PLACE)
    assert [(item.severity, item.message, item.line, item.in_candidate, item.option) for item in found] == [
        ("error", "[bad]", 3, True, "-fpermissive"),
        ("note", "declared here", 3, False, ""),
        ("warning", "'x' is mine", 2, True, "-Wreturn-type"),
    ]


def test_a_flood_is_cut() -> None:
    flood = "".join(f"a.c:10:7: error: {number}\n" for number in range(300))
    found = read_diagnostics(flood.encode(), PLACE)
    assert [item.message for item in found] == [str(number) for number in range(MAX_DIAGNOSTICS)]


def test_output_that_is_no_message_gives_none() -> None:
    assert read_diagnostics(b'[1, 2\n["x"]\nSegmentation fault\n\xff', PLACE) == []


def test_a_message_that_quotes_an_endless_name_is_read_in_bounded_time() -> None:
    """A name of 256 KiB kept the host busy for 25 CPU-s."""
    text = f"src/a.c:4:1: error: unknown type name 'To\n{'true[ok]: a' * 24_000}".replace("\n", "")
    began = time.process_time()
    found = read_diagnostics(text.encode(), CandidatePlace("/r", ".", "src/a.c", Span(3, 9), 7), "int f;")
    assert time.process_time() - began < 5
    assert [diagnostic.line for diagnostic in found] == [2]


def test_the_units_own_strictness_stands() -> None:
    strict = add_diagnostic_options_to_check(("cc", "-fsyntax-only", "-Werror", "a.c"), clang=False, cpp=False)
    assert [word for word in strict if word.startswith("-W")] == ["-Werror"]
    loose = add_diagnostic_options_to_check(("cc", "-fsyntax-only", "-w", "a.c"), clang=False, cpp=False)
    assert "-w" not in loose
    assert "-Wimplicit-function-declaration" in loose
    assert "-Wint-conversion" not in add_diagnostic_options_to_check(("c++", "a.cc"), clang=False, cpp=True)
    assert make_unoptimised_compile_arguments(loose)[:2] == ("cc", "a.c")
