"""Prevents: an option's value taken for a source, or a library's source for an option's value."""

from __future__ import annotations

import pytest

from executor.repository.build.command_line import (
    classify_tool,
    detect_compiled_language,
    list_tool_and_unit_flags,
    may_inline,
    parse_archiver,
    parse_compiler,
    parse_copy,
    strip_call_to_front_end,
)


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("/usr/bin/cc", "compiler"),
        ("x86_64-linux-gnu-g++-12", "compiler"),
        ("clang++-15", "compiler"),
        ("gcc-ar-12", "ar"),
        ("llvm-ranlib", "ranlib"),
        ("ld.gold", "ld"),
        ("install", "copy"),
        ("ccache", None),
        ("gcov", None),
    ],
)
def test_tools_by_name(tool: str, kind: str | None) -> None:
    assert classify_tool(tool) == kind


@pytest.mark.parametrize(
    ("line", "mode", "sources", "objects", "output"),
    [
        ("cc -c a.c -o a.o", "compile", ("a.c",), (), "a.o"),
        ("cc -oapp -Iinc a.o -lm -MF a.c", "link", (), ("a.o",), "app"),
        ("cc -include conf.c -D X -c b.c", "compile", ("b.c",), (), None),
        ("c++ -x c++ -c weird", "compile", ("weird",), (), None),
        ("cc -E a.c", "preprocess", ("a.c",), (), None),
        ("cc -MM a.c", "depend", ("a.c",), (), None),
        ("cc --version", "info", (), (), None),
        ("cc -Wl,-rpath,lib a.c libx.a -o app", "link", ("a.c",), ("libx.a",), "app"),
    ],
)
def test_compilers(line: str, mode: str, sources: tuple[str], objects: tuple[str], output: str | None) -> None:
    call = parse_compiler(line.split())
    assert (call.mode, call.sources, call.objects, call.output) == (mode, sources, objects, output)


@pytest.mark.parametrize(
    ("line", "parsed"),
    [
        ("ar rcs l.a a.o b.o", ("r", "l.a", ("a.o", "b.o"))),
        ("ar -qc l.a a.o", ("q", "l.a", ("a.o",))),
        ("ar cru l.a a.o", ("r", "l.a", ("a.o",))),
        ("ar rb old.o l.a a.o", ("r", "l.a", ("a.o",))),
        ("ranlib -D l.a", ("s", "l.a", ())),
        ("ar x /b/l.a", ("x", "/b/l.a", ())),
        ("ar t l.a", None),
        ("ar -M", None),
        ("ar --version", None),
    ],
)
def test_archivers(line: str, parsed: tuple[str, str, tuple[str]] | None) -> None:
    found = parse_archiver(line.split())
    assert (found and (found.operation, found.archive, found.members)) == parsed


@pytest.mark.parametrize(
    ("line", "parsed"),
    [
        ("install -m 755 a b", ("a", "b")),
        ("cp -f a b", ("a", "b")),
        ("cp a b c", None),
        ("cp -t d a", None),
    ],
)
def test_copiers(line: str, parsed: tuple[str, str] | None) -> None:
    assert parse_copy(line.split()) == parsed


def test_the_front_end_keeps_what_the_parser_sees_and_writes_nothing() -> None:
    line = "cc -std=c99 -DX=1 -I inc -Wl,-z,now -MD -MF a.d -c a.c -o a.o -L. -lm -O2"
    call = parse_compiler(line.split())
    assert strip_call_to_front_end(call, call.sources, "-fsyntax-only") == (
        *("cc", "-fsyntax-only", "-std=c99", "-DX=1", "-I", "inc", "a.c", "-O2"),
    )
    assert list_tool_and_unit_flags(call) == ("cc", "-std=c99", "-DX=1", "-I", "inc", "-O2")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cc -c a.c", False),
        ("cc -O2 -O0 -c a.c", False),
        ("cc -O0 -O2 -c a.c", True),
        ("cc -O -c a.c", True),
        ("cc -O1 -fno-inline -c a.c", True),
        ("cc -O1 -fno-inline -flive-patching=inline-only-static -c a.c", False),
    ],
)
def test_the_last_level_decides_about_inlining(line: str, expected: bool) -> None:
    assert may_inline(line.split()) is expected


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("cc -c a.c", "c"),
        ("g++ -c a.c", "c++"),
        ("cc -c a.cc", "c++"),
        ("cc -x c++ -c a.h", "c++"),
        ("cc a.S", "other"),
    ],
)
def test_languages(line: str, language: str) -> None:
    assert detect_compiled_language(line.split()) == language
