"""The compiler of a repair round. Prevents: messages on another draft than the one given, and a compiler that couldn't
run taken for one that found nothing; a message at the wrong line, which sends a repair round to the wrong code,
follow-up errors that hide the first one, messages in a format that nobody reads, and an added -Werror that fails what
the build lets pass; the hundreds of messages behind a missing brace; words of a test, or of a function that is hidden,
in a message: of a draft that includes their file, or whose macros print what the rest of its own file passes to
them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from executor.candidate.compiler import (
    SessionCompiler,
    add_diagnostic_options_to_check,
    turn_syntax_check_into_unoptimised_compile,
)
from executor.candidate.diagnostics import MAX_DIAGNOSTICS, CandidatePlace, read_root_cause_diagnostics
from executor.candidate.draft_refusals import restore_macros_after_draft, why_draft_is_refused
from executor.candidate.root_causes import find_root_causes
from executor.function.brackets import find_misplaced_bracket
from executor.repository.build.graph import BuildGraph
from executor.repository.images import Image
from index.errors import InfraError
from index.values import Diagnostic, Span
from tests.fixtures.calc import GOLD
from tests.fixtures.executor_fixtures import Tiny


@pytest.fixture
def compiler(tiny: Tiny) -> Iterator[SessionCompiler]:
    with SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span) as opened:
        yield opened


def test_rounds_of_one_task_dont_mix(compiler: SessionCompiler) -> None:
    broken = compiler.check("int add(int a, int b)\n{\n    int c = a +;\n    return c;\n}")
    assert [(item.severity, item.line, item.in_candidate) for item in broken] == [("error", 3, True)]
    assert "expected expression" in broken[0].message
    warned = compiler.check("int add(int a, int b)\n{\n    int unused;\n    return sum(a, b);\n}")
    options = [(item.line, item.option) for item in warned]
    assert options == [(4, "-Wimplicit-function-declaration"), (3, "-Wunused-variable")]
    # A signature that contradicts the header brings its note.
    found = compiler.check("long add(int a, int b)\n{\n    return a + b;\n}")
    places = [(item.severity, item.path, item.line) for item in found]
    assert places == [("error", "calc.c", 1), ("note", "calc.h", 1)]
    assert compiler.check(GOLD) == []


def _check(tiny: Tiny, code: str, image: Image) -> list[Diagnostic]:
    with SessionCompiler(image, tiny.backend, tiny.path, tiny.span) as compiler:
        return compiler.check(code)


def _add_flag(image: Image, flag: str) -> Image:
    """The image as if its build had passed the flag to each command."""
    steps = (replace(step, argv=(step.argv[0], flag, *step.argv[1:])) for step in image.graph.steps)
    return replace(image, graph=BuildGraph(tuple(steps)))


def test_without_a_session_or_a_compiler_it_is_our_failure(tiny: Tiny) -> None:
    compiler = SessionCompiler(tiny.image, tiny.backend, tiny.path, tiny.span)
    with pytest.raises(InfraError, match="isn't open"):
        compiler.check(GOLD)
    steps = tuple(replace(s, argv=("/no/such/cc", *s.argv[1:])) for s in tiny.image.graph.steps)
    image = replace(tiny.image, graph=BuildGraph(steps))
    with pytest.raises(InfraError):
        _check(tiny, GOLD, image)


def test_an_undeclared_function_is_an_error_only_when_nothing_defines_it(compiler: SessionCompiler) -> None:
    draft = 'int add(int a, int b)\n{\n    return a + b + (int)%s("x") - 1;\n}'
    known, unknown = compiler.check(draft % "strlen"), compiler.check(draft % "no_such_function")
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


# The candidate has 3 lines and stands in place of lines 10 to 14.
PLACE = CandidatePlace(root="/graft/src", cwd="/graft/src/src", path="src/a.c", span=Span(10, 14), lines=3)


def test_lines_are_the_candidates_own_behind_it_the_original_files_and_paths_are_relative_to_the_tree() -> None:
    output = "".join(f"a.c:{line}:7: error: m\n" for line in (9, 10, 12, 13))
    output += "../deps/x.h:11: error: m\n/usr/include/stdio.h:1:1: fatal error: m\n"
    found = read_root_cause_diagnostics(output.encode(), PLACE)
    own, outside = [("src/a.c", 1, True), ("src/a.c", 3, True)], [("src/a.c", 9, False), ("src/a.c", 15, False)]
    outside += [("deps/x.h", 11, False), ("/usr/include/stdio.h", 1, False)]
    assert sorted((item.path, item.line, item.in_candidate) for item in found) == sorted(own + outside)
    assert {item.severity for item in found} == {"error"} and {item.column for item in found[:4]} == {7}


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
    found = read_root_cause_diagnostics(output.encode(), PLACE)
    assert [(item.severity, item.message, item.line, item.in_candidate, item.option) for item in found] == [
        ("error", "[bad]", 3, True, "-fpermissive"),
        ("note", "declared here", 3, False, ""),
        ("warning", "'x' is mine", 2, True, "-Wreturn-type"),
    ]


def test_a_flood_is_cut_and_output_that_is_no_message_gives_none() -> None:
    flood = "".join(f"a.c:10:7: error: {number}\n" for number in range(300))
    found = read_root_cause_diagnostics(flood.encode(), PLACE)
    assert [item.message for item in found] == [str(number) for number in range(MAX_DIAGNOSTICS)]
    assert read_root_cause_diagnostics(b'[1, 2\n["x"]\nSegmentation fault\n\xff', PLACE) == []


def test_a_message_that_quotes_an_endless_name_is_read_in_bounded_time() -> None:
    """A name of 256 KiB kept the host busy for 25 CPU-s."""
    text = f"src/a.c:4:1: error: unknown type name 'To\n{'true[ok]: a' * 24_000}".replace("\n", "")
    began = time.process_time()
    found = read_root_cause_diagnostics(text.encode(), CandidatePlace("/r", ".", "src/a.c", Span(3, 9), 7), "int f;")
    assert time.process_time() - began < 5
    assert [diagnostic.line for diagnostic in found] == [2]


def test_the_units_own_strictness_stands() -> None:
    strict = add_diagnostic_options_to_check(("cc", "-fsyntax-only", "-Werror", "a.c"), clang=False, cpp=False)
    assert [word for word in strict if word.startswith("-W")] == ["-Werror"]
    loose = add_diagnostic_options_to_check(("cc", "-fsyntax-only", "-w", "a.c"), clang=False, cpp=False)
    assert "-w" not in loose
    assert "-Wimplicit-function-declaration" in loose
    assert "-Wint-conversion" not in add_diagnostic_options_to_check(("c++", "a.cc"), clang=False, cpp=True)
    assert turn_syntax_check_into_unoptimised_compile(loose)[:2] == ("cc", "a.c")


AFTER = "\nint next(void) { return 0; }\nint last(int a) { return a; }\n"


def compile_draft(code: str, folder: Path, suffix: str = "c") -> list[Diagnostic]:
    (folder / f"a.{suffix}").write_text(code + AFTER)
    argv = ["gcc", "-fsyntax-only", "-Wall", f"a.{suffix}"]
    done = subprocess.run(argv, cwd=folder, capture_output=True)
    lines = code.count("\n") + 1
    place = CandidatePlace(str(folder), str(folder), f"a.{suffix}", Span(1, lines), lines)
    return read_root_cause_diagnostics(done.stderr, place, code)


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
        # Brackets that are right are left alone.
        ("int f(void)\n{\n#ifdef A\n    if (a) {\n#else\n    if (b) {\n#endif\n        c();\n    }\n}", None),
        ("int f(void) { return '{' + \")\"[0]; } // {", None),
        ("#define OPEN {\nint f(void) { return 1; }", None),
        ("", None),
    ],
)
def test_a_misplaced_bracket_is_found_by_the_layout(code: str, line: int | None) -> None:
    found = find_misplaced_bracket(code)
    assert (found and found.line) == line


def test_warnings_alone_are_all_kept() -> None:
    unused = Diagnostic("warning", "unused variable 'x'", "a.c", 1, 1, True, "-Wunused-variable")
    assert find_root_causes([(unused,), (unused,)], "int x;", "a.c") == [(unused,), (unused,)]


ADD = GOLD.rstrip()
# What test.c and the rest of calc.c hold and the drafts don't.
SECRETS = ("adds_negative", "adds_zero", "doubles", "failed", "argc", "strcmp", "twice", "late")

# Whatever brings test.c in: gcc then prints the names that its checks have.
PRINTS = "#define check(name, ok) _Static_assert(0, name)\n"

READS = {
    "include": '#include "test.c"\n' + ADD,
    "an absolute path": '#include "/graft/src/test.c"\n' + ADD,
    "a path in brackets": "#include <../src/test.c>\n" + ADD,
    "inside the body": 'int add(int a, int b)\n{\n#include "test.c"\n    return a + b;\n}',
    "indented": 'int add(int a, int b)\n{\n    #   include "test.c"\n    return a + b;\n}',
    "a name made by a macro": '#define T "test.c"\n#include T\n' + ADD,
    "include_next": '#include_next "test.c"\n' + ADD,
    "import": '#import "test.c"\n' + ADD,
    "a spliced line": '#\\\ninclude "test.c"\n' + ADD,
    "a splice in the word": '#inc\\\nlude "test.c"\n' + ADD,
    "a digraph": '%:include "test.c"\n' + ADD,
    "a trigraph": '??=include "test.c"\n' + ADD,
    "a comment before": '/* a\n b */ #include "test.c"\n' + ADD,
    "a comment between": '#/* a\n b */include "test.c"\n' + ADD,
    "behind a string that looks like a comment": 'const char *s = "/*";\n#include "test.c"\nchar *t = "*/";\n' + ADD,
    "embed": 'const char t[] = {\n#embed "test.c"\n};\n' + ADD,
    "a probe": '#if __has_include("test.c")\n#error it is there\n#endif\n' + ADD,
    "a pasted probe": '#define P(x) __has_##x("test.c")\n#if P(include)\n#error there\n#endif\n' + ADD,
    "a line marker": '# 3 "test.c"\nint x = unknown_name;\n' + ADD,
    "line": '#line 3 "test.c"\nint x = unknown_name;\n' + ADD,
    "a pragma": '#pragma GCC dependency "test.c" words\n' + ADD,
    "the operator _Pragma": '_Pragma("GCC dependency \\"test.c\\"")\n' + ADD,
    "a computed _Pragma": '#define D(x) _Pragma(#x)\nD(GCC dependency "test.c")\n' + ADD,
    "the assembler's incbin": '__asm__(".incbin \\"test.c\\"");\n' + ADD,
    "the assembler's include": '__asm__(".inc" "lude \\"test.c\\"");\n' + ADD,
}


@pytest.fixture(scope="module")
def bwrap_compiler(tiny_bwrap: Tiny) -> Iterator[SessionCompiler]:
    with SessionCompiler(tiny_bwrap.image, tiny_bwrap.backend, tiny_bwrap.path, tiny_bwrap.span) as opened:
        yield opened


@pytest.mark.bwrap
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in READS.items()])
def test_no_message_holds_words_of_another_file(bwrap_compiler: SessionCompiler, code: str) -> None:
    found = bwrap_compiler.check(PRINTS + code)
    shown = " ".join(f"{item.path} {item.message}" for item in found)
    assert not [secret for secret in SECRETS if secret in shown], shown
    assert not any("test.c" in item.path for item in found)
    # gcc 12 has no #embed, and the others tell no words, but that there is such a file.
    assert "isn't compiled here" in found[0].message
    assert bwrap_compiler.check(ADD) == []


@pytest.mark.bwrap
def test_a_macro_ends_with_the_draft(bwrap_compiler: SessionCompiler) -> None:
    """twice, behind the draft, calls add(a, a)."""
    prints = ADD + "\n#define add(...) _Static_assert(0, #__VA_ARGS__), 0\n"
    assert bwrap_compiler.check(prints) == []
    # The draft's own lines keep their numbers, and so do those of the file behind it.
    own = bwrap_compiler.check("#define LIMIT 3\nint add(int a, int b)\n{\n    return a + b + LIMIT + nowhere;\n}")
    assert [(item.line, item.in_candidate) for item in own[:1]] == [(4, True)]
    behind = bwrap_compiler.check("#define LIMIT 3\nint add(int a)\n{\n    return a + LIMIT;\n}")
    errors = [(item.path, item.line) for item in behind if item.severity == "error"]
    assert errors == [("calc.c", 2), ("calc.c", 12)]


@pytest.mark.bwrap
@pytest.mark.parametrize("end", [" // \\", " /*", ' R"(', " // ??/"])
def test_a_draft_does_not_swallow_the_lines_that_end_its_macros(bwrap_compiler: SessionCompiler, end: str) -> None:
    """A line that goes on behind the draft, a comment or a string that is left open. twice calls add(a, a)."""
    prints = ADD + "\n#define add(...) ({ _Static_assert(0, #__VA_ARGS__); 0; })" + end
    assert [item for item in bwrap_compiler.check(prints) if "a, a" in item.message] == []


def test_comments_and_raw_strings_may_not_hide_where_a_draft_ends() -> None:
    macro = "#define SLOTS 4\n"
    assert "closes the comment" in (why_draft_is_refused(ADD + "/* open", ADD) or "")
    assert "raw strings" in (why_draft_is_refused(macro + ADD + 'R"(', ADD) or "")
    assert why_draft_is_refused(macro + ADD + "/* closed */ // and this", ADD) is None
    assert why_draft_is_refused('const char *s = R"(#)";', ADD) is None


TABLE = 'int add(int a, int b)\n{\n#include  "table.def"\n    return a + b;\n}'
HALF = "#ifdef A\nint add(int a, int b)\n#else\nint add(int a, int b, int c)\n#endif\n{\n    return a + b;\n}\n#if B"


@pytest.mark.parametrize(
    ("code", "original", "is_refused"),
    [
        ("#include <string.h>\n#include <vector>\n" + ADD, ADD, False),
        ("#ifdef A\n" + ADD + "\n#else\n" + ADD + "\n#endif", ADD, False),
        ('#pragma GCC diagnostic push\n_Pragma("GCC unroll 4")\n' + ADD, ADD, False),
        ('int f(void) { return puts("a # include in a string"); }', ADD, False),
        ("/* It isn't read: #include */ " + ADD, ADD, False),
        ("#define LIMIT 4\n" + ADD + "\n#undef LIMIT", ADD, False),
        ("#error not here\n" + ADD, ADD, False),
        # What the original reads a draft may read.
        (TABLE.replace("  ", " "), TABLE, False),
        (TABLE, ADD, True),
        # A draft closes what it opens: else its #if could switch off the lines that take its macros back.
        (ADD + "\n#if 0", ADD, True),
        ("#endif\n" + ADD + "\n#if 1", ADD, True),
        (ADD + "\n#if 0\n/*\n#endif\n*/", ADD, True),
        ('const char *s = R"(\n#endif\n)";\n#if 0\n' + ADD, ADD, True),
        ('const char *s = R\\\n"(\n#endif\n)";\n#if 0\n' + ADD, ADD, True),
        ('#ifdef A\nconst char *s = "ERROR";\n#endif\n' + ADD, ADD, False),
        ("#else\n" + ADD, ADD, True),
        # An original that spans a conditional may be answered likewise.
        (HALF, HALF, False),
        (ADD, HALF, False),
    ],
)
def test_an_honest_draft_is_compiled_and_one_that_reads_or_leaves_a_conditional_open_isnt(
    code: str, original: str, is_refused: bool
) -> None:
    assert (why_draft_is_refused(code, original) is not None) is is_refused


def test_a_macro_of_the_original_is_defined_behind_the_draft_too() -> None:
    original = "#define SLOTS 4 \\\n  + 1\n" + ADD
    around = restore_macros_after_draft("#define SLOTS(x) #x\n" + ADD, original)
    assert around.text.endswith('#pragma pop_macro("SLOTS")\n#define SLOTS 4   + 1')
    assert (around.before, around.after) == (1, 4)
