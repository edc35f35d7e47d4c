"""The compiler of a repair round. Prevents: messages on another draft than the one given, and a compiler that couldn't
run taken for one that found nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor.candidate.compiler import SessionCompiler
from executor.repository.build.graph import BuildGraph
from executor.repository.images import Image
from index.errors import InfraError
from index.values import Diagnostic
from tests.fixtures.calc import GOLD
from tests.fixtures.executor_fixtures import Tiny


def test_rounds_of_one_task_dont_mix(tiny: Tiny) -> None:
    with SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span) as compiler:
        broken = compiler.check("int add(int a, int b)\n{\n    int c = a +;\n    return c;\n}")
        assert [(item.severity, item.line, item.in_candidate) for item in broken] == [("error", 3, True)]
        assert "expected expression" in broken[0].message
        warned = compiler.check("int add(int a, int b)\n{\n    int unused;\n    return sum(a, b);\n}")
        options = [(item.line, item.option) for item in warned]
        assert options == [(4, "-Wimplicit-function-declaration"), (3, "-Wunused-variable")]
        assert compiler.check(GOLD) == []


def _check(tiny: Tiny, code: str, image: Image | None = None) -> list[Diagnostic]:
    with SessionCompiler(image or tiny.image, tiny.backend, tiny.path, tiny.span) as compiler:
        return compiler.check(code)


def _add_flag(image: Image, flag: str) -> Image:
    """The image as if its build had passed the flag to each command."""
    steps = (replace(step, argv=(step.argv[0], flag, *step.argv[1:])) for step in image.graph.steps)
    return replace(image, graph=BuildGraph(tuple(steps)))


def test_a_signature_that_contradicts_the_header_brings_its_note(tiny: Tiny) -> None:
    found = _check(tiny, "long add(int a, int b)\n{\n    return a + b;\n}")
    places = [(item.severity, item.path, item.line) for item in found]
    assert places == [("error", "calc.c", 1), ("note", "calc.h", 1)]


def test_without_a_session_or_a_compiler_it_is_our_failure(tiny: Tiny) -> None:
    compiler = SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span)
    with pytest.raises(InfraError, match="isn't open"):
        compiler.check(GOLD)
    steps = tuple(replace(s, argv=("/no/such/cc", *s.argv[1:])) for s in tiny.image.graph.steps)
    image = replace(tiny.image, graph=BuildGraph(steps))
    with SessionCompiler(image, tiny.backend, tiny.path, tiny.span) as gone, pytest.raises(InfraError):
        gone.check(GOLD)


def test_an_undeclared_function_is_an_error_only_when_nothing_defines_it(tiny: Tiny) -> None:
    draft = 'int add(int a, int b)\n{\n    return a + b + (int)%s("x") - 1;\n}'
    with SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span) as compiler:
        known = compiler.check(draft % "strlen")
        unknown = compiler.check(draft % "no_such_function")
        assert compiler.check(GOLD) == []
    assert {item.severity for item in known} <= {"warning", "note"}
    assert known[0].option == "-Wimplicit-function-declaration"
    assert [(item.severity, item.line) for item in unknown] == [("error", 3)]
    assert "nothing defines it" in unknown[0].message


def test_warnings_that_matter_are_on_though_the_unit_leaves_them_off(tiny: Tiny) -> None:
    code = "int add(int a, int b)\n{\n    if (a)\n        return b;\n}"
    for image in (tiny.image, _add_flag(tiny.image, "-w")):
        found = _check(tiny, code, image)
        assert [(item.severity, item.option, item.line) for item in found] == [("warning", "-Wreturn-type", 5)]
    unused = "int add(int a, int b)\n{\n    int unused;\n    return a + b;\n}"
    found = _check(tiny, unused, _add_flag(tiny.image, "-Werror"))
    assert [(item.severity, item.line) for item in found] == [("error", 3)], "as in the build itself"
