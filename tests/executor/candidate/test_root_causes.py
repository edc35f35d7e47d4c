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


def compile_draft(code: str, folder: Path, suffix: str = "c") -> list[Diagnostic]:
    (folder / f"a.{suffix}").write_text(code + AFTER)
    argv = ["gcc", "-fsyntax-only", "-Wall", f"a.{suffix}"]
    done = subprocess.run(argv, cwd=folder, capture_output=True)
    lines = code.count("\n") + 1
    place = CandidatePlace(str(folder), str(folder), f"a.{suffix}", Span(1, lines), lines)
    return read_diagnostics(done.stderr, place, code)


@pytest.mark.parametrize(
    ("code", "causes"),
    [
        pytest.param(
            "int f(void)\n{\n    thing_t *x = 0;\n    x->a = 1;\n    int unused;\n    return 0;\n}",
            [(3, "unknown type name 'thing_t'")],
            id="a type that isn't there; no unused variable, no note of gcc's habits",
        ),
        pytest.param(
            "int f(void)\n{\n    char *x = made(1);\n    bad;\n    return *x;\n}",
            [(4, "'bad' undeclared"), (3, "implicit declaration of function 'made'")],
            id="an undeclared call",
        ),
        pytest.param(
            "int f(int a)\n{\n    a = 1\n    ;a++;\n    a = = 2;\n    a = = 3;\n    return a;\n}",
            [(5, "expected expression before '=' token"), (6, "expected expression before '=' token")],
            id="two syntax errors",
        ),
        pytest.param(
            "int f(int a)\n{\n  a = bad;\n  while (a) {\n    a--;\n  if (a) {\n    a++;\n  }\n  return a;\n}",
            [(4, "a '}' is missing: this '{' is never closed"), (3, "'bad' undeclared")],
            id="what follows a missing brace is left out",
        ),
    ],
)
def test_only_the_causes_are_told(tmp_path: Path, code: str, causes: list[tuple[int, str]]) -> None:
    found = [(item.line, item.message.split(" (")[0]) for item in compile_draft(code, tmp_path)]
    assert found == causes


def test_a_name_that_isnt_there_is_told_once_in_cpp_too(tmp_path: Path) -> None:
    code = "int f()\n{\n    int a = bad;\n    int b = bad;\n    return a + b + worse;\n}"
    assert [item.line for item in compile_draft(code, tmp_path, "cc")] == [3, 5]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("int f(void)\n{\n\tif (a) {\n\t\tb();\n\treturn 1;\n}", 3),
        ("int f(void)\n{\n    if (a)\n        b();\n    }\n    return 1;\n}", 3),
        ("int f(void) { return g(1; }", 1),
        ("int f(void)\n{\n    if (a &&\n        b(c))\n        d();\n        e();\n    }\n}", 4),
        ("int f(void) {\n#if A\n  if (a) {\n    if (b) {\n      c();\n  }\n#else\n  d();\n#endif\n}", 4),
        ("int f(void)\n{\n#if A\n    b();\n#else\n    if (a)\n        b();\n    }\n    return 1;\n#endif\n}", 6),
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
