"""Prevents: a copy of the target that stays readable in text that is no function to the index. Over a hundred places:
each kind that a reader of foreign code meets, in ten spellings and more."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from index.build import build_index
from index.cpp.tokens import remove_comments
from index.hiding.text_tokens import encode_tokens_grouped_by_kind, locate_text_tokens
from index.repo_index import RepoIndex, open_index
from index.values import Masking, Span, SymbolKind, Target
from retrieval.ranker.training_groups import make_target
from tests.support.indexes import Indexed
from tests.support.targets import find_function

RUN = 14
BODY = """{
    unsigned total = 17; /* the seed */
    for (unsigned at = 0; at < count; at++) {
        total = total * 31 + bytes[at] % 7; // mix
        if (total > 100000)
            total -= 99991;
    }
    log_it("total %u\\n", total);
    return total ^ (count << 3);
}"""
HEAD = "/* Mix. */\nunsigned label_bucket(const unsigned char *bytes, unsigned count)\n"
PLAIN = remove_comments(BODY)
INSIDE = PLAIN[1:-1]
LINES = INSIDE.strip("\n").splitlines()
OPENED = PLAIN.removesuffix("}")
MACRO = " \\\n".join(line for line in PLAIN.splitlines() if line.strip())
ONE_LINE = " ".join(PLAIN.split())
DIGRAPHS = {"[": "<:", "]": ":>", "{": "<%", "}": "%>"}


def prefixed(prefix: str, text: str = PLAIN) -> str:
    return "\n".join(prefix + line for line in text.splitlines())


def each_line(form: str) -> str:
    return "\n".join(form.format(json.dumps(line + "\n")) for line in PLAIN.splitlines())


def renamed(prefix: str) -> str:
    return re.sub(r"\b(total|at|count|bytes)\b", rf"{prefix}\1", PLAIN)


HEADS_WITH_MACROS = [
    "static LOG_FMT(1, 2) void note(const char *t, ...);\nstatic COLD(2) unsigned f(int a)\n",
    "extern PRINTF_LIKE(2, 3) void e(int, const char *, ...);\nNORETURN_IF(x) static unsigned g(int a) ALLOC(1)\n",
    "EXPORT(unsigned) h(int a) REQUIRES(mu)\n",
    '__section(".init") P_((x)) unsigned k(int b)\n',
    "Q_INVOKABLE CONST_FN(1) unsigned m(int b)\n",
    "DEFINE_THING(foo, int, bar)\n",
    "SYSCALL_DEFINE3(read, unsigned int, fd, char *, buf, size_t, count)\n",
    "static ALIGN(16) int t[4];\nunsigned z(int c) UNUSED(c)\n",
    "ATTR((x, y)) NOINLINE(1)\nunsigned y1(int c)\n",
    'TEST_CASE("a", "[b]")\n',
]
HEADS_IN_K_AND_R = [
    "static char *\nold(a, b) char *a; int b;\n",
    "old2(a)\n",
    "char *old3(a, b, c)\nregister char *a;\nint (*b)();\nlong c;\n",
    "struct x *\nold4()\n",
    "unsigned old5(a) unsigned a;\n",
    "static FILE **\nold6(p)\nchar p[];\n",
    "int (*old7(a))()\nint a;\n",
    "void\nold8(a, b)\n#ifdef X\nint a;\n#else\nlong a;\n#endif\nint b;\n",
    "double old9(x, y) double x, y;\n",
    "PROTO char *old10 P2(char*, a, int, b)\n",
]
LAMBDAS = [
    "static auto l = [](int a)->int {};\n",
    "std::function<int(int)> l = [=](int a) mutable {};\n",
    "struct S {{ std::function<int()> f = [] {}; }};\n",
    "int v = [] {} ();\n",
    "auto l = [&]<class T>(T a) {};\n",
    'static const Op ops[] = {{ {{ "a", [](int a) {} }} }};\n',
    "int run = call([](int a) {});\n",
    "namespace {{ constexpr auto l = []() constexpr noexcept -> unsigned {}; }}\n",
    "template <class T> auto l = [](T a) {};\n",
    "auto x = ^(int a) {};\n",
]
MACROS = [
    f"#define A(b) {MACRO}",
    f"#define A do {MACRO} while (0)",
    "#define A(b, c) \\\n" + " \\\n".join(LINES),
    "# define A(x) ({ " + " \\\n".join(LINES) + " })",
    f"#define A {ONE_LINE}",
    f"#if X\n#  define A(...) {MACRO}\n#endif",
    f"#define A(b) /* c */ {MACRO}",
    f"%:define A(b) {MACRO}",
    "#define A(b)\\\n" + MACRO.replace("\n", "\r\n"),
    f"#define A(bytes, count) unsigned f_##bytes(int q) {MACRO}",
    "#define A() " + MACRO.replace("total", "to\\\ntal"),
    f"#define A(x) {MACRO}".replace("total", "m_total"),
]
COMMENTS = [
    f"/*{PLAIN}*/",
    f"/**\n{prefixed(' * ')}\n */",
    prefixed("// ", BODY),
    f"{prefixed('/// ')}\nint w;",
    f"/* {ONE_LINE} */",
    f"/*\n{prefixed(' | ')}\n*/",
    f"//! \\code\n{prefixed('//! ')}\n//! \\endcode\nint w;",
    f"int g; /**< {ONE_LINE} */",
    "\n".join(f"int a{number}; // {line.strip()}" for number, line in enumerate(PLAIN.splitlines())),
    f"void f(void)\n{{\n  /* old:\n{PLAIN}\n */\n  g();\n}}",
    "/* <pre>" + PLAIN.replace("<", "&lt;").replace(">", "&gt;") + "</pre> */",
    "int x; /*" + PLAIN.replace("\n", "\n\n") + "*/",
    f"# if 0 // {ONE_LINE}\n#endif",
    f"/*\n{prefixed('-- ')}\n*/",
    "/*\n" + "\n".join(f"{number:3}: {line}" for number, line in enumerate(PLAIN.splitlines())) + "\n*/",
    f"/*{renamed('my_')}*/",
    "/*" + PLAIN.replace("17", "17u").replace("31", "31UL") + "*/",
    "/*" + PLAIN.replace("99991", "99989") + "*/",
]
STRINGS = [
    f"const char *s =\n{each_line('{}')};",
    f"const char *s = {json.dumps(PLAIN)};",
    f"const char *s[] = {{\n{each_line('{},')}\n}};",
    f"void f(void) {{\n{each_line('puts({});')}\n}}",
    f"void f(void) {{\n{each_line('fprintf(o, {}, 1);')}\n}}",
    'const char *s = "\\\n' + "\\n\\\n".join(json.dumps(line)[1:-1] for line in PLAIN.splitlines()) + '";',
    f"const char *s = {json.dumps(json.dumps(PLAIN))};",
    f"const wchar_t *s = L{json.dumps(PLAIN)};",
    "#define SRC " + " \\\n".join(json.dumps(line) for line in PLAIN.splitlines()),
    f"#define TEXT(x) #x\nconst char *s = TEXT({INSIDE});",
    f"const char *s = u8{json.dumps(PLAIN)};",
    f"__asm__({json.dumps(PLAIN)});",
    f'const char *s = R"({PLAIN})";',
    f'const char *s = R"xx({BODY})xx";',
]
DEAD = [
    f"#if 0\nint f(int a){OPENED}\n#endif",
    f"#if 0\n{INSIDE}\n#else\nint q;\n#endif",
    f"#ifdef NOPE\nint f(int a)\n{{\n{INSIDE}\n#endif",
    f"#if 0\nTHING(x)\n{INSIDE}\n#endif",
    f"#if 0\ndon't compile this\n{INSIDE}\n#endif",
    f"#if 0\n}}\n{OPENED}\n{{\n#endif",
    f"#if A\nint f(void)\n#else\nint f(int q)\n#endif\n{PLAIN}",
    f"#ifdef A\nint f(void) {{\n#else\nint f(int q) {{\n#endif\n{INSIDE}}}",
    f"#if 0\n#error x\n/* open\n{OPENED}\n#endif",
    f"#ifndef ALWAYS\n#if 0\nint f()\n{OPENED}\n#endif\n#endif",
    f'#if 0 /* " */\nint f(void){OPENED}\n#endif',
    "#if 0\n" + INSIDE.replace("if (total", "trace(at);\nif (total") + "\n#endif",
    "int f(int q)\n" + "".join(DIGRAPHS.get(char, char) for char in PLAIN),
    "#if 0\n" + renamed("q").replace("unsigned", "size_t") + "\n#endif",
]
NOTES = [
    f"Notes:\n\n{INSIDE}\n",
    f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n{prefixed('+')}\n",
    f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n{prefixed('-')}\n",
    *(prefixed(mark) for mark in ("> ", ">> ", "| ", "; ", "dnl ", "REM ", "%% ")),
    f"# generated\n{prefixed('# ')}\n",
    f"<code>{PLAIN}</code>",
    "1. " + "\n2. ".join(PLAIN.splitlines()),
    "\t".join(PLAIN.split()),
    f"\\begin{{code}}\n{PLAIN}\n\\end{{code}}",
    f"\ufeff{PLAIN}",
]
PLACES = {
    "macro-heads": (".c", [head + PLAIN for head in HEADS_WITH_MACROS]),
    "k-and-r": (".c", [head + PLAIN for head in HEADS_IN_K_AND_R]),
    "lambdas": (".cpp", [form.format(PLAIN) for form in LAMBDAS]),
    "macros": (".h", MACROS),
    "comments": (".c", COMMENTS),
    "strings": (".cpp", STRINGS),
    "dead": (".c", DEAD),
    "notes": (".inc", NOTES),
}


def runs(text: str) -> set[tuple[str, ...]]:
    """A text's runs, by a measure of the test's own."""
    cleaned = re.sub(r"\\+[a-z]?|[\"'*/#]|^[-+]", " ", text, flags=re.MULTILINE)
    found = re.findall(r"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]", cleaned)
    return {tuple(found[at : at + RUN]) for at in range(len(found) - RUN + 1)}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RepoIndex]:
    root, folder = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("index")
    again = f"/* Again:\n{PLAIN} */\nint after;\n"
    (root / "main.c").write_text(f"void log_it(const char *f, ...);\n{HEAD}{BODY}\n{again}")
    for kind, (suffix, texts) in PLACES.items():
        for number, text in enumerate(texts):
            (root / f"{kind}_{number}{suffix}").write_text(text + "\nint last;\n", newline="")
    build_index(root, folder, workers=1)
    index = open_index(folder, root)
    yield index
    index.close()


@pytest.mark.parametrize("kind", [*PLACES, "main"])
def test_every_copy_is_hidden(planted: RepoIndex, kind: str) -> None:
    view = planted.hide(make_target(find_function(planted, "label_bucket")), "strict")
    secret = runs(PLAIN) | runs(BODY)
    paths = [path for path in view.files() if path.startswith(kind)]
    assert len(paths) >= 10 or kind == "main"
    touched = {copy.path for copy in view.copies} | {clone.path for clone in view.clones}
    assert [path for path in paths if path not in touched] == []
    assert [path for path in paths if secret & runs(view.file_text(path))] == []
    for symbol in (symbol for some in SymbolKind for symbol in view.symbols(some)):
        if symbol.path in paths:
            text = f"{symbol.docstring} {symbol.signature} {view.text(symbol)}"
            assert not secret & runs(text), (symbol.path, symbol.name)


@pytest.mark.parametrize("masking", ["strict", "realistic"])
def test_realistic_masking_counts_what_strict_hides(planted: RepoIndex, masking: Masking) -> None:
    view = planted.hide(make_target(find_function(planted, "label_bucket")), masking)
    assert {copy.kind for copy in view.copies} == {"comment", "string", "macro", "lines"}
    shown = view.file_text("comments_0.c")
    assert (runs(PLAIN) <= runs(shown)) == (masking == "realistic")


def test_what_only_shares_an_idiom_stays(indexed: Indexed) -> None:
    """Prevents: half of a tree hidden, because all of its functions check their arguments alike."""
    check = "if (a == 0 || b == 0) return -1;"
    rest = "for (int i = 0; i < b; i++) { a += table[i] ^ (b << 2); if (a > limit) a -= limit; } return a;"
    index = indexed({"a.c": f"int one(int a, int b) {{ {check} {rest} }}\n/* Use: {check} */\nint x;\n"})
    view = index.hide(make_target(find_function(index, "one")), "strict")
    assert (view.copies, view.twins) == ((), ())


def test_an_edit_is_seen(tmp_path: Path) -> None:
    """Prevents: a copy that was pasted after the index was built, and stays readable when it is updated."""
    root, folder = tmp_path / "tree", tmp_path / "index"
    root.mkdir()
    (root / "main.c").write_text(HEAD + BODY)
    (root / "other.c").write_text("int x;\n")
    build_index(root, folder, workers=1)
    (root / "other.c").write_text(f"int x;\n/* {PLAIN} */\n")
    build_index(root, folder, workers=1)
    index = open_index(folder, root)
    view = index.hide(make_target(find_function(index, "label_bucket")), "strict")
    assert [(copy.path, copy.kind) for copy in view.copies] == [("other.c", "comment")]
    assert view.file_text("other.c") == "int x;\n{ /* body hidden */ }\n"
    index.close()


def weighing_body(number: int) -> str:
    return "".join(f"  total += weigh(list[{(number + i) % 5}], {number}) * {i};\n" for i in range(number % 4))


def weighing_file(numbers: list[int]) -> str:
    return "\n".join(f"int f{n}(int *list)\n{{\n{weighing_body(n)}}}" for n in numbers) + "\n"


def test_a_clone_that_an_edit_brings_is_hidden_and_one_that_it_takes_is_gone(tmp_path: Path) -> None:
    """Prevents: clones found by the runs and shapes of an earlier state of the index."""
    root, folder = tmp_path / "tree", tmp_path / "index"
    root.mkdir()
    for i in range(3):
        (root / f"f{i}.c").write_text(weighing_file([i]))
    (root / "f0.c").write_text(weighing_file([3]))
    target = Target("t", "f0.c", Span(1, 6), "f3", "int f3(int *list)", "", "c")
    seen = []
    for path, numbers in (("f1.c", [1]), ("f1.c", [4, 3]), ("f2.c", [3]), ("f1.c", [4]), ("f2.c", [5])):
        (root / path).write_text(weighing_file(numbers))
        build_index(root, folder, workers=1)
        with closing(open_index(folder, root)) as index:
            seen.append([clone.path for clone in index.hide(target, "strict").clones])
    assert seen == [[], ["f1.c"], ["f1.c", "f2.c"], ["f2.c"], []]


@pytest.mark.parametrize(
    "text", [b"/*", b"//", b"/", b'"', b"'", b"\\", b"/*/", b"&amp;", b"a\\\n", b"0, ", b"\n -- "]
)
def test_no_text_takes_long(text: bytes) -> None:
    """Prevents: one odd file that a build waits for, by a pattern that is tried again at each character."""
    data = text * (300_000 // len(text))
    began = time.process_time()
    encode_tokens_grouped_by_kind(data)
    locate_text_tokens(data)
    assert time.process_time() - began < 10
