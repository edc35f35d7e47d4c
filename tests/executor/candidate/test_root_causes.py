"""A compiler's messages are reduced to their causes. Prevents: a message that only follows from another, which sends
the model to the wrong line, and the hundreds of them behind a missing brace."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from executor.candidate.diagnostics import CandidatePlace, read_diagnostics
from executor.candidate.root_causes import find_root_causes
from executor.function.brackets import find_misplaced_bracket
from index.values import Diagnostic, Span

AFTER = "\nint next(void) { return 0; }\nint last(int a) { return a; }\n"


def compiled(code: str, folder: Path, suffix: str = "c") -> list[Diagnostic]:
    (folder / f"a.{suffix}").write_text(code + AFTER)
    argv = ["gcc", "-fsyntax-only", "-Wall", f"a.{suffix}"]
    done = subprocess.run(argv, cwd=folder, capture_output=True)
    lines = code.count("\n") + 1
    place = CandidatePlace(str(folder), str(folder), f"a.{suffix}", Span(1, lines), lines)
    return read_diagnostics(done.stderr, place, code)


def errors(code: str, folder: Path, suffix: str = "c") -> list[tuple[int, str]]:
    return [
        (item.line, item.message.split(" (")[0]) for item in compiled(code, folder, suffix) if item.severity == "error"
    ]


def test_a_type_that_isnt_there_is_one_cause(tmp_path: Path) -> None:
    code = "int f(void)\n{\n    thing_t *x = 0;\n    x->a = 1;\n    int unused;\n    return 0;\n}"
    assert errors(code, tmp_path) == [(3, "unknown type name 'thing_t'")]
    assert [item.option for item in compiled(code, tmp_path)] == [""], "no unused variable, no note of gcc's habits"


def test_an_undeclared_call_is_one_cause(tmp_path: Path) -> None:
    code = "int f(void)\n{\n    char *x = made(1);\n    bad;\n    return *x;\n}"
    found = compiled(code, tmp_path)
    assert ["bad" in found[0].message, "made" in found[1].message, len(found)] == [True, True, 2]


def test_a_name_that_isnt_there_is_told_once_in_cpp_too(tmp_path: Path) -> None:
    code = "int f()\n{\n    int a = bad;\n    int b = bad;\n    return a + b + worse;\n}"
    assert [line for line, _ in errors(code, tmp_path, "cc")] == [3, 5]


def test_two_syntax_errors_are_two_causes(tmp_path: Path) -> None:
    code = "int f(int a)\n{\n    a = 1\n    ;a++;\n    a = = 2;\n    a = = 3;\n    return a;\n}"
    assert [line for line, _ in errors(code, tmp_path)] == [5, 6]


def test_what_follows_a_missing_brace_is_left_out(tmp_path: Path) -> None:
    code = "int f(int a)\n{\n  a = bad;\n  while (a) {\n    a--;\n  if (a) {\n    a++;\n  }\n  return a;\n}"
    assert errors(code, tmp_path) == [
        (4, "a '}' is missing: this '{' is never closed"),
        (3, "'bad' undeclared"),
    ]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("int f(void)\n{\n\tif (a) {\n\t\tb();\n\treturn 1;\n}", 3),
        ("int f(void)\n{\n    if (a)\n        b();\n    }\n    return 1;\n}", 3),
        ("int f(void) { return g(1; }", 1),
        ("int f(void)\n{\n    if (a &&\n        b(c))\n        d();\n        e();\n    }\n}", 4),
        (
            "int f(void) {\n#if A\n  if (a) {\n    if (b) {\n      c();\n  }\n#else\n  d();\n#endif\n}",
            4,
        ),
        (
            "int f(void)\n{\n#if A\n    b();\n#else\n    if (a)\n        b();\n    }\n    return 1;\n#endif\n}",
            6,
        ),
        ("int f(void)\n{\n    if (a) {\n        b();\n     else {\n        c();\n    }\n    return 1;\n}", 3),
        ("int f(void)\n{\n    g('}', \"{\"); /* { */\n}\n}", 5),
        ("int f(void) {\n    if (a) {\n        x();\n    } else {\n        y();\n    return 2;\n}", 4),
    ],
)
def test_the_brace_is_found_by_the_layout(code: str, line: int) -> None:
    found = find_misplaced_bracket(code)
    assert found is not None
    assert found.line == line


@pytest.mark.parametrize(
    "code",
    [
        "int f(void)\n{\n#ifdef A\n    if (a) {\n#else\n    if (b) {\n#endif\n        c();\n    }\n}",
        "int f(void) { return '{' + \")\"[0]; } // {",
        "#define OPEN {\nint f(void) { return 1; }",
        "",
    ],
)
def test_brackets_that_are_right_are_left_alone(code: str) -> None:
    assert find_misplaced_bracket(code) is None


def test_warnings_alone_are_all_kept() -> None:
    unused = Diagnostic("warning", "unused variable 'x'", "a.c", 1, 1, True, "-Wunused-variable")
    assert find_root_causes([(unused,), (unused,)], "int x;", "a.c") == [(unused,), (unused,)]
