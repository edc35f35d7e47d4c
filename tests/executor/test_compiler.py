"""A compile round that answers for another draft, or hides that no compiler ran, teaches the model nonsense."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor.build_graph import BuildGraph
from executor.compiler import SessionCompiler
from index.errors import InfraError

Tiny = Any  # conftest's
GOLD = "int add(int a, int b)\n{\n    return a + b;\n}\n"


def test_rounds_of_one_task_dont_mix(tiny: Tiny) -> None:
    with SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span) as compiler:
        broken = compiler.check("int add(int a, int b)\n{\n    int c = a +;\n    return c;\n}")
        assert [(one.severity, one.line, one.in_candidate) for one in broken] == [("error", 3, True)]
        assert "expected expression" in broken[0].message
        warned = compiler.check("int add(int a, int b)\n{\n    int unused;\n    return sum(a, b);\n}")
        assert [(one.line, one.option) for one in warned] == [
            (4, "-Wimplicit-function-declaration"),
            (3, "-Wunused-variable"),
        ]
        assert compiler.check(GOLD) == []


def test_a_missing_brace_is_shown_with_its_first_error_first(tiny: Tiny) -> None:
    with SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span) as compiler:
        found = compiler.check("int add(int a, int b)\n{\n    if (a) {\n    return a + b;\n}")
    assert found[0].severity == "error"
    assert found[0].path == "calc.c"
    assert not found[0].in_candidate
    # The original file's last line, whatever the candidate's length.
    assert found[0].line == 13


def test_a_signature_that_contradicts_the_header_brings_its_note(tiny: Tiny) -> None:
    with SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span) as compiler:
        found = compiler.check("long add(int a, int b)\n{\n    return a + b;\n}")
    assert [(one.severity, one.path, one.line) for one in found] == [("error", "calc.c", 1), ("note", "calc.h", 1)]


def test_without_a_session_or_a_compiler_it_is_our_failure(tiny: Tiny) -> None:
    compiler = SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span)
    with pytest.raises(InfraError, match="isn't open"):
        compiler.check(GOLD)
    steps = tuple(replace(s, argv=("/no/such/cc", *s.argv[1:])) for s in tiny.image.graph.steps)
    image = replace(tiny.image, graph=BuildGraph(steps))
    with SessionCompiler(image, tiny.backend, tiny.path, tiny.span) as gone, pytest.raises(InfraError):
        gone.check(GOLD)
