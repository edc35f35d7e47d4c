"""Prevents: words of a test, or of a function that is hidden, in a compiler's message that goes back to the model: a
draft that includes their file, or whose macros print what the rest of its own file passes to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from executor.candidate.compiler import SessionCompiler
from executor.candidate.draft_refusals import restore_macros_after_draft, why_draft_is_refused
from tests.fixtures.executor_fixtures import Tiny

GOLD = "int add(int a, int b)\n{\n    return a + b;\n}"
# What test.c and the rest of calc.c hold and the drafts don't.
SECRETS = ("adds_negative", "adds_zero", "doubles", "failed", "argc", "strcmp", "twice", "late")

# Whatever brings test.c in: gcc then prints the names that its checks have.
PRINTS = "#define check(name, ok) _Static_assert(0, name)\n"

READS = {
    "include": '#include "test.c"\n' + GOLD,
    "an absolute path": '#include "/graft/src/test.c"\n' + GOLD,
    "a path in brackets": "#include <../src/test.c>\n" + GOLD,
    "inside the body": 'int add(int a, int b)\n{\n#include "test.c"\n    return a + b;\n}',
    "indented": 'int add(int a, int b)\n{\n    #   include "test.c"\n    return a + b;\n}',
    "a name made by a macro": '#define T "test.c"\n#include T\n' + GOLD,
    "include_next": '#include_next "test.c"\n' + GOLD,
    "import": '#import "test.c"\n' + GOLD,
    "a spliced line": '#\\\ninclude "test.c"\n' + GOLD,
    "a splice in the word": '#inc\\\nlude "test.c"\n' + GOLD,
    "a digraph": '%:include "test.c"\n' + GOLD,
    "a trigraph": '??=include "test.c"\n' + GOLD,
    "a comment before": '/* a\n b */ #include "test.c"\n' + GOLD,
    "a comment between": '#/* a\n b */include "test.c"\n' + GOLD,
    "behind a string that looks like a comment": 'const char *s = "/*";\n#include "test.c"\nchar *t = "*/";\n' + GOLD,
    "embed": 'const char t[] = {\n#embed "test.c"\n};\n' + GOLD,
    "a probe": '#if __has_include("test.c")\n#error it is there\n#endif\n' + GOLD,
    "a pasted probe": '#define P(x) __has_##x("test.c")\n#if P(include)\n#error there\n#endif\n' + GOLD,
    "a line marker": '# 3 "test.c"\nint x = unknown_name;\n' + GOLD,
    "line": '#line 3 "test.c"\nint x = unknown_name;\n' + GOLD,
    "a pragma": '#pragma GCC dependency "test.c" words\n' + GOLD,
    "the operator _Pragma": '_Pragma("GCC dependency \\"test.c\\"")\n' + GOLD,
    "a computed _Pragma": '#define D(x) _Pragma(#x)\nD(GCC dependency "test.c")\n' + GOLD,
    "the assembler's incbin": '__asm__(".incbin \\"test.c\\"");\n' + GOLD,
    "the assembler's include": '__asm__(".inc" "lude \\"test.c\\"");\n' + GOLD,
}


@pytest.fixture(scope="module")
def compiler(tiny_bwrap: Tiny) -> Iterator[SessionCompiler]:
    with SessionCompiler(tiny_bwrap.image, tiny_bwrap.backend, tiny_bwrap.path, tiny_bwrap.span) as opened:
        yield opened


@pytest.mark.bwrap
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in READS.items()])
def test_no_message_holds_words_of_another_file(compiler: SessionCompiler, code: str) -> None:
    found = compiler.check(PRINTS + code)
    shown = " ".join(f"{item.path} {item.message}" for item in found)
    assert not [secret for secret in SECRETS if secret in shown], shown
    assert not any("test.c" in item.path for item in found)
    # gcc 12 has no #embed, and the others tell no words, but that there is such a file.
    assert "isn't compiled here" in found[0].message
    assert compiler.check(GOLD) == []


@pytest.mark.bwrap
def test_a_macro_ends_with_the_draft(compiler: SessionCompiler) -> None:
    """twice, behind the draft, calls add(a, a)."""
    prints = GOLD + "\n#define add(...) _Static_assert(0, #__VA_ARGS__), 0\n"
    assert compiler.check(prints) == []
    # The draft's own lines keep their numbers, and so do those of the file behind it.
    own = compiler.check("#define LIMIT 3\nint add(int a, int b)\n{\n    return a + b + LIMIT + nowhere;\n}")
    assert [(item.line, item.in_candidate) for item in own[:1]] == [(4, True)]
    behind = compiler.check("#define LIMIT 3\nint add(int a)\n{\n    return a + LIMIT;\n}")
    errors = [(item.path, item.line) for item in behind if item.severity == "error"]
    assert errors == [("calc.c", 2), ("calc.c", 12)]


TABLE = 'int add(int a, int b)\n{\n#include  "table.def"\n    return a + b;\n}'
HALF = "#ifdef A\nint add(int a, int b)\n#else\nint add(int a, int b, int c)\n#endif\n{\n    return a + b;\n}\n#if B"


@pytest.mark.parametrize(
    ("code", "original", "is_refused"),
    [
        ("#include <string.h>\n#include <vector>\n" + GOLD, GOLD, False),
        ("#ifdef A\n" + GOLD + "\n#else\n" + GOLD + "\n#endif", GOLD, False),
        ('#pragma GCC diagnostic push\n_Pragma("GCC unroll 4")\n' + GOLD, GOLD, False),
        ('int f(void) { return puts("a # include in a string"); }', GOLD, False),
        ("/* It isn't read: #include */ " + GOLD, GOLD, False),
        ("#define LIMIT 4\n" + GOLD + "\n#undef LIMIT", GOLD, False),
        ("#error not here\n" + GOLD, GOLD, False),
        # What the original reads a draft may read.
        (TABLE.replace("  ", " "), TABLE, False),
        (TABLE, GOLD, True),
        # A draft closes what it opens: else its #if could switch off the lines that take its macros back.
        (GOLD + "\n#if 0", GOLD, True),
        ("#endif\n" + GOLD + "\n#if 1", GOLD, True),
        (GOLD + "\n#if 0\n/*\n#endif\n*/", GOLD, True),
        ('const char *s = R"(\n#endif\n)";\n#if 0\n' + GOLD, GOLD, True),
        ('const char *s = R\\\n"(\n#endif\n)";\n#if 0\n' + GOLD, GOLD, True),
        ('#ifdef A\nconst char *s = "ERROR";\n#endif\n' + GOLD, GOLD, False),
        ("#else\n" + GOLD, GOLD, True),
        # An original that spans a conditional may be answered likewise.
        (HALF, HALF, False),
        (GOLD, HALF, False),
    ],
)
def test_an_honest_draft_is_compiled_and_one_that_reads_or_leaves_a_conditional_open_isnt(
    code: str, original: str, is_refused: bool
) -> None:
    assert (why_draft_is_refused(code, original) is not None) is is_refused


def test_a_macro_of_the_original_is_defined_behind_the_draft_too() -> None:
    original = "#define SLOTS 4 \\\n  + 1\n" + GOLD
    around = restore_macros_after_draft("#define SLOTS(x) #x\n" + GOLD, original)
    assert around.text.endswith('#pragma pop_macro("SLOTS")\n#define SLOTS 4   + 1')
    assert (around.before, around.after) == (1, 2)
