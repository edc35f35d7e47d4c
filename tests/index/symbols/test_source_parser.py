"""Prevents: a function that the index doesn't know (nothing finds it, and hiding it falls back on guesses), a wrong
span or name, and a broken file that stops or stalls a build."""

from __future__ import annotations

import time

import pytest

from index.cpp.language import detect_language, is_source
from index.cpp.macros import LearntMacros
from index.symbols.source_parser import SymbolRow, parse_source
from tests.support.indexes import parse_text


def parse(source: str, path: str = "a.cpp") -> dict[str, SymbolRow]:
    parsed = parse_text(source, path)
    assert parsed.reason == ""
    return {s.qualified_name: s for s in parsed.symbols if s.kind == "function"}


CPP = """\
namespace outer { namespace {
// not this

// adds,
// at length
template <class T>
inline T Box<T>::add(T x) const { return helper<T>(x) + this->own(x) + other::far(x); }
}
class Box : public Base {
public:
    Box(int x) : Base(x), size(x) {}
    ~Box() {}
    Box(const Box&) = delete;
    int operator+ (int y) const { return y; }
    operator bool() const { return true; }
    struct Inner { int deep() { return 1; } };
    int declared(int);
};
}
int outer::Box::declared(int v) { return v; }
void (*choose(int s))(int) { return 0; }
int *pointer(void) { return 0; }
"""


def test_functions_have_their_qualified_names_and_spans() -> None:
    found = parse(CPP)
    assert set(found) == {
        "outer::Box::add",
        "outer::Box::Box",
        "outer::Box::~Box",
        "outer::Box::operator+",
        "outer::Box::operator bool",
        "outer::Box::Inner::deep",
        "outer::Box::declared",
        "choose",
        "pointer",
    }
    add = found["outer::Box::add"]
    assert (add.first, add.last) == (6, 7)
    assert add.signature == "template <class T> inline T Box<T>::add(T x) const"
    assert add.docstring == "// adds,\n// at length"
    called = [s.name for s in parse_text(CPP).sites if s.owner == 0 and s.form < 3]
    assert called == ["helper", "own", "other::far"]
    assert found["outer::Box::operator+"].name == "operator+"


def test_a_body_begins_with_the_initializer_list() -> None:
    box = parse(CPP)["outer::Box::Box"]
    assert CPP.encode()[box.body :].startswith(b": Base(x), size(x) {}")


def test_other_kinds_are_found() -> None:
    source = b"""#define TWICE(x) ((x) + (x))
#define LIMIT 3
typedef struct { int a; } pair_t;
struct node { int v; };
enum colour { RED };
typedef void (*callback)(int);
int declared(int x);
char **names(void);
"""
    rows = parse_text(source, "a.c").symbols
    assert {(s.kind, s.name) for s in rows} == {
        ("macro", "TWICE"),
        ("macro", "LIMIT"),
        ("type", "pair_t"),
        ("type", "node"),
        ("type", "colour"),
        ("type", "callback"),
        ("field", "a"),
        ("field", "v"),
        ("enumerator", "RED"),
        ("prototype", "declared"),
        ("prototype", "names"),
    }
    macro = next(s for s in rows if s.name == "TWICE")
    assert (macro.first, macro.last, macro.signature) == (1, 1, "#define TWICE(x)")


def test_attribute_macros_do_not_hide_a_definition_and_belong_to_it() -> None:
    found = parse(
        "#define NO_SANITIZE(s) __attribute__((no_sanitize(s)))\n#define API(a) a __attribute__((aligned(4)))\n"
        '/* why */\nNO_SANITIZE("bounds")\nsize_t copy(char *s) {\n  return 0;\n}\n'
        "API(class) V {\n  int x() { return 1; }\n};\n"
    )
    assert set(found) == {"copy", "V::x"}
    assert (found["copy"].first, found["copy"].last) == (4, 7)
    assert found["copy"].docstring == "/* why */"


def test_a_comment_behind_code_is_no_docstring() -> None:
    assert parse("int x; // about x\nint f() { return 1; }\n")["f"].docstring == ""


def test_a_function_after_a_define_with_comments_is_found() -> None:
    source = "#define A(x) do { \\\n if (x) { /* one */ \\\n f(x); } \\\n} while (0)\nint after(void) { return 1; }\n"
    assert set(parse(source, "a.c")) == {"after"}


def test_a_header_with_signs_of_cpp_stays_cpp_however_badly_it_parses() -> None:
    # The C grammar takes `operator ( ;` for a call and the namespace for a function: fewer errors, all wrong.
    source = "namespace n {\nint f(int a)\n{\n" + "  operator ( ;\n" * 20 + "}\n}\n"
    parsed = parse_text(source, "a.h")
    assert parsed.language == "cpp"
    assert "n" not in [s.name for s in parsed.symbols]


def test_a_file_that_others_include_is_read_when_it_holds_bodies() -> None:
    code = '#include "x.h"\nstatic int half(int a)\n{\n  return a / 2;\n}\n'
    listed = "ENTRY(a, 1)\nENTRY(b, {2})\nENTRY(broken, (\n"
    found = parse_text(code, "a.def"), parse_text(listed, "a.def")
    assert [[s.name for s in parsed.symbols] for parsed in found] == [["half"], []]
    assert found[1].error_bytes == 0
    assert [is_source(p) for p in ("a.inc", "b.def", "a.in", "Makefile.inc.am")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("int f(void);", "c"),
        ('#ifdef __cplusplus\nextern "C" {\nclass X {};\n#endif\nint f(void);', "c"),
        ("#ifndef A_H\n#define A_H\n#if defined(__cplusplus)\nnamespace a { int f(); }\n#endif\n#endif\n", "cpp"),
        ("/* a\n class of things: */\nint f(void);", "c"),
        ("class Vector {\n};", "cpp"),
        ("namespace a { int f(); }", "cpp"),
        ("struct A {\npublic:\n int x; };", "cpp"),
        ("struct A {\n  int f(const B &b) { return 1; }\n};", "cpp"),
        ("struct A {\n  int f() const { return 1; }\n};", "cpp"),
        ("int f(const int a, int b) { return a & b; } /* const T &t */", "c"),
    ],
)
def test_a_header_is_read_by_its_content(text: str, language: str) -> None:
    assert detect_language("a.h", text.encode()) == language


HOSTILE = {
    "open braces": b"int f() {" + b"{" * 100_000,
    "braces": b"int f() {" + b"{" * 100_000 + b"}" * 100_001,
    "parentheses": b"int x = " + b"(" * 100_000,
    "templates": b"a<" * 40_000,
    "if without end": b"#if A\n" * 20_000,
    "NUL": b"\0" * 1_000_000,
    "invalid UTF-8": b"int \xff\xfe(void) { return '\xc3'; }\n" * 1000,
    "comments": b"/* " * 50_000 + b"*/",
    "defines": b"#define A \\\n" * 20_000,
    "attributes": b"#define A inline\n" + b"A " * 100_000,
    "a word before blanks": b"int x;\nABC" + b" " * 400_000 + b"x;\n",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("path", ["a.c", "a.cpp", "a.h"])
def test_hostile_files_end_in_bounded_time(name: str, path: str) -> None:
    began = time.process_time()
    parsed = parse_text(HOSTILE[name], path)
    assert time.process_time() - began < 15
    assert parsed.reason == "" or not parsed.symbols


def test_a_call_that_is_not_closed_reads_the_same_each_time() -> None:
    # Both argument lists end at the missing bracket, and tree-sitter hands captures on in a new order each time.
    text = b'void f() { DEBUG(out() << "a" << m->number(); out() << "b";); }\n'
    sites = {tuple(s for s in parse_source("a.cpp", text, LearntMacros()).sites) for _ in range(20)}
    assert len(sites) == 1
    assert {"DEBUG", "number"} <= {s.name for s in next(iter(sites))}


def test_a_loaded_machine_skips_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    # By the clock a process that waits for its turn would have used up its seconds.
    clock = iter(range(0, 10**9, 100))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    assert set(parse(CPP * 20)) >= {"choose", "pointer"}
