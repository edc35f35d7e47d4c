"""Reading a compiler's output, and asking for it. Prevents: a message at the wrong line, which sends a repair round to
the wrong code, follow-up errors that hide the first one, messages in a format that nobody reads, and an added -Werror
that fails what the build lets pass."""

from __future__ import annotations

import json
import time

import pytest

from executor.candidate.check_flags import detect_diagnostic_format, make_check_arguments, make_flow_check_arguments
from executor.candidate.diagnostics import MAX_DIAGNOSTICS, CandidatePlace, read_diagnostics
from index.values import Span

# The candidate has 3 lines and stands in place of lines 10 to 14.
PLACE = CandidatePlace(root="/graft/src", cwd="/graft/src/src", path="src/a.c", span=Span(10, 14), lines=3)


def _item(kind: str, file: str, line: int, message: str = "m", **more: object) -> dict[str, object]:
    caret = {"file": file, "line": line, "column": 7}
    return {"kind": kind, "message": message, "locations": [{"caret": caret}], "children": [], **more}


def _json(*items: dict[str, object]) -> bytes:
    return json.dumps(list(items)).encode() + b"\n"


def test_lines_are_the_candidates_own_and_behind_it_the_original_files() -> None:
    items = [_item("error", "a.c", line) for line in (9, 10, 12, 13)]
    found = read_diagnostics(_json(*items), PLACE)
    assert [(item.line, item.in_candidate) for item in found] == [
        (9, False),
        (1, True),
        (3, True),
        (15, False),
    ]
    assert {item.path for item in found} == {"src/a.c"}
    assert found[0].column == 7


def test_paths_are_relative_to_the_tree() -> None:
    items = [_item("error", "../deps/x.h", 11), _item("fatal error", "/usr/include/stdio.h", 1)]
    found = read_diagnostics(_json(*items), PLACE)
    assert [(item.path, item.in_candidate) for item in found] == [
        ("deps/x.h", False),
        ("/usr/include/stdio.h", False),
    ]
    assert found[1].severity == "error"


def test_errors_come_first_and_foreign_warnings_not_at_all() -> None:
    note = {"kind": "note", "message": "declared here", "locations": [{"caret": {"file": "a.h", "line": 3}}]}
    output = _json(
        _item("warning", "a.c", 2, "old"),
        _item("warning", "a.c", 11, "mine", option="-Wreturn-type"),
        _item("error", "a.c", 12, "bad", children=[note]),
    )
    found = read_diagnostics(b"cc: some remark\n" + output, PLACE)
    assert [(item.severity, item.message) for item in found] == [
        ("error", "bad"),
        ("note", "declared here"),
        ("warning", "mine"),
    ]
    assert found[2].option == "-Wreturn-type"


def test_a_flood_is_cut() -> None:
    flood = _json(*[_item("error", "a.c", 10, str(number)) for number in range(300)])
    found = read_diagnostics(flood, PLACE)
    assert [item.message for item in found] == [str(number) for number in range(MAX_DIAGNOSTICS)]


def test_a_compiler_without_json_is_understood_too() -> None:
    output = b"""\
a.c: In function 'f':
a.c:11:5: error: use of undeclared identifier 'x' [-Wfoo]
a.h:3:1: note: declared here
a.c:2:1: warning: old
/graft/src/src/a.c:12:9: warning: ignoring return value [-Wunused-result]
2 warnings and 1 error generated.
"""
    found = read_diagnostics(output, PLACE)
    assert [(item.severity, item.line, item.in_candidate, item.option) for item in found] == [
        ("error", 2, True, "-Wfoo"),
        ("note", 3, False, ""),
        ("warning", 3, True, "-Wunused-result"),
    ]


def test_output_that_is_no_message_gives_none() -> None:
    assert read_diagnostics(b'[1, 2\n["x"]\nSegmentation fault\n\xff', PLACE) == []


@pytest.mark.parametrize("start", [b'{"\n', b"[\n", b'{"a": 1,\n'])
def test_output_that_opens_documents_without_end_is_read_in_linear_time(start: bytes) -> None:
    """Each failed try of the JSON reader counts all lines before it: 256 KiB of `{` and `"` took 5 CPU-s."""
    place = CandidatePlace("/r", ".", "src/a.c", Span(3, 9), 7)
    began = time.process_time()
    read_diagnostics(start * (256 * 1024 // len(start)), place)
    assert time.process_time() - began < 5


def test_a_message_that_quotes_an_endless_name_is_read_in_bounded_time() -> None:
    """A name of 256 KiB kept the host busy for 25 CPU-s."""
    text = f"src/a.c:4:1: error: unknown type name 'To\n{'true[ok]: a' * 24_000}".replace("\n", "")
    began = time.process_time()
    found = read_diagnostics(text.encode(), CandidatePlace("/r", ".", "src/a.c", Span(3, 9), 7), "int f;")
    assert time.process_time() - began < 5
    assert [diagnostic.line for diagnostic in found] == [2]


@pytest.mark.parametrize(
    ("version", "dialect"),
    [
        ("cc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022", "gcc json"),
        ("g++ (GCC) 15.1.0", "gcc text"),
        ("Debian clang version 18.1.8 (18+b1)\nTarget: x86_64", "clang"),
        ("Apple clang version 15.0.0", "clang"),
        ("", "gcc json"),
    ],
)
def test_each_compiler_is_asked_for_what_it_can(version: str, dialect: str) -> None:
    assert detect_diagnostic_format(version) == dialect


def test_the_units_own_strictness_stands() -> None:
    strict = make_check_arguments(("cc", "-fsyntax-only", "-Werror", "a.c"), "gcc json", cpp=False)
    assert strict == ("cc", "-fsyntax-only", "-Werror", "a.c", "-fdiagnostics-format=json")
    loose = make_check_arguments(("cc", "-fsyntax-only", "-w", "a.c"), "gcc json", cpp=False)
    assert "-w" not in loose
    assert "-Wimplicit-function-declaration" in loose
    assert "-Wint-conversion" not in make_check_arguments(("c++", "a.cc"), "gcc json", cpp=True)
    assert make_flow_check_arguments(loose)[:2] == ("cc", "a.c")
