"""Prevents: a form of definition or call that the index silently doesn't see: nothing finds it, no edge leads to
it, and hiding it falls back on guesses."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from index.cpp.declarators import unqualified_name
from index.cpp.declaring_macros import parse_declaring_replacement_or_empty
from index.cpp.initializer_directives import blank_initializer_directives
from index.cpp.macros import LearntMacros
from index.symbols.call_sites import FORMS
from index.symbols.source_parser import ParsedFile, parse_source
from index.values import Span, SymbolKind, Target
from tests.support.indexes import Indexed, parse_text


def of_kind(found: ParsedFile, kind: str) -> list[tuple[str, int, int]]:
    return [(s.qualified_name, s.first, s.last) for s in found.symbols if s.kind == kind]


FUNCTIONS = {
    "inline conversion out of its class": (
        "namespace v {\ninline Box::operator bool() const\n{\n  return get();\n}\n}\n",
        [("v::Box::operator bool", 2, 5)],
    ),
    "header made by a macro over two lines": (
        "#define ONCE_ALT(f, g) static int f(void)\n#define ONCE(f) static int f(void)\n"
        "ONCE_ALT(no_strings,\n         strings)\n{\n  return 1;\n}\nONCE(last)\n{\n  return 2;\n}\n",
        [("no_strings", 3, 7), ("last", 8, 11)],
    ),
    "a cast to unsigned as the condition": (
        "static int f(K kind) {\n  switch (unsigned(kind)) {\n  default: g();\n  case 1: return 2;\n  }\n}\n"
        "int h(int a) {\n  if (unsigned(a) > 3 && k(unsigned(a))) return 1;\n  return a;\n}\n",
        [("f", 1, 6), ("h", 7, 10)],
    ),
    "attribute macro on the line above": (
        "#define HOT __attribute__((hot))\nHOT\nint f(void) {\n  return 1;\n}\n",
        [("f", 2, 5)],
    ),
    "unknown macro before a struct's name": (
        "struct LIB_API Box {\n  Box() : v(1) {}\n  int v;\n};\n",
        [("Box::Box", 2, 2)],
    ),
    "unknown macro in lower case before a struct's name": (
        "struct api Box {\n  Box() {\n  }\n  ~Box() {\n  }\n};\n",
        [("Box::Box", 2, 3), ("Box::~Box", 4, 5)],
    ),
    "unknown macros that stand apart from what follows": (
        "LIB_BEGIN_NAMESPACE\nint f(void) { return 1; }\nLIB_DECLS\n\nHOT\nint g(void) { return 1; }\n",
        [("f", 2, 2), ("g", 5, 6)],
    ),
    "unknown macro before the class's name": (
        "class SOME_API Box : public Base {\npublic:\n  int f() { return 1; }\n};\n",
        [("Box::f", 3, 3)],
    ),
    "unknown macro between parameters and body": (
        "int f(int a) LOCKS_EXCLUDED(m) {\n return a; }\n",
        [("f", 1, 2)],
    ),
    "unknown macro alone in a class": (
        "class Box : public Q {\n  Q_OBJECT\npublic:\n  Box() : v(1) {}\n  int v;\n};\n",
        [("Box::Box", 4, 4)],
    ),
    "noexcept by macro": (
        "#define NO_THROW_IF(x) noexcept(x)\nstruct A { A(A&& o) NO_THROW_IF(true) : v(o.v) {} int v; };\n",
        [("A::A", 2, 2)],
    ),
    "device specifiers": (
        "#define DEVICE __host__ __device__\nDEVICE inline float4 f(int a) { return g(a); }\n",
        [("f", 2, 2)],
    ),
    "declspec": ("__declspec(dllexport) int f(void) { return 1; }\n", [("f", 1, 1)]),
    "extern C block": (
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void) { return 1; }\n#ifdef __cplusplus\n}\n#endif\n'
        "int g(void) { return 2; }\n",
        [("f", 4, 4), ("g", 8, 8)],
    ),
    "extern C alone": ('extern "C" int f() { return 2; }\n', [("f", 1, 1)]),
    "function try block": (
        "int f() try { return 1; } catch (...) { return 2; }\nstruct S { S() try : x(1) {} catch (...) {} int x; };\n",
        [("f", 1, 1), ("S::S", 2, 2)],
    ),
    "names that begin like operators": (
        "namespace operators { struct operator_box { int get(); operator n::T(); }; void f(); }\n"
        "void operators::f() {}\nint operators::operator_box::get() { return 1; }\n"
        "operators::operator_box::operator n::T() { return 0; }\n",
        [
            ("operators::f", 2, 2),
            ("operators::operator_box::get", 3, 3),
            ("operators::operator_box::operator n::T", 4, 4),
        ],
    ),
    "operators": (
        "struct A {\n A& operator=(const A& o) { return *this; }\n int operator()(int x) const { return x; }\n"
        " operator const char*() const { return 0; }\n};\nbool operator==(const A&, const A&) { return true; }\n"
        "A::operator bool() { return true; }\n",
        [
            ("A::operator=", 2, 2),
            ("A::operator()", 3, 3),
            ("A::operator const char*", 4, 4),
            ("operator==", 6, 6),
            ("A::operator bool", 7, 7),
        ],
    ),
    "initialisers, nested and out of line": (
        "namespace n {\nstruct A { struct B { B(); int v; }; };\ntemplate <class T> struct C { void m(); };\n}\n"
        "n::A::B::B() : v(1) {}\ntemplate <class T>\nvoid n::C<T>::m() {}\n",
        [("n::A::B::B", 5, 5), ("n::C::m", 6, 7)],
    ),
    "initialisers in branches": (
        "// In f(x):\n#ifdef X\nA::A(int a) :\n#if Y\n  B{k()},\n#else\n  B(1),\n#endif\n  v(a) { k(); }\n#endif\n"
        "int f() { return 1; }\n",
        [("A::A", 3, 9), ("f", 11, 11)],
    ),
    "requires and trailing type": (
        "template <class T> requires (sizeof(T) > 1) T f(T a) { return a; }\n"
        "template <class T> T g(T a) requires C<T> { return a; }\nauto h() -> int { return 1; }\n",
        [("f", 1, 1), ("g", 2, 2), ("h", 3, 3)],
    ),
    "a member template of a class template": (
        "template <class T>\ntemplate <class U>\nvoid A<T>::m(U u)\n{\n  u.f();\n}\n",
        [("A::m", 1, 6)],
    ),
    "what a module exports": (
        "export module m;\nexport namespace n {\nint f() { return 1; }\n}\nexport {\nint g() { return 1; }\n}\n"
        "export int h() { return 1; }\n",
        [("n::f", 3, 3), ("g", 6, 6), ("h", 8, 8)],
    ),
    "an inline namespace in a nested one": (
        "namespace a::inline b { int f() { return 1; } }\n",
        [("a::b::f", 1, 1)],
    ),
    "a lambda is no function": ("auto l = [](int x) { return x; };\nint f() { return l(1); }\n", [("f", 2, 2)]),
    "an empty body with a semicolon": ("struct A {\n virtual void f(int){};\n int x{};\n};\n", [("A::f", 2, 2)]),
    "braces split by branches": (
        "void f(int a) {\n#ifdef A\n if (a) {\n#else\n if (!a) {\n#endif\n  g();\n }\n}\nint h() { return 1; }\n",
        [("f", 1, 9), ("h", 10, 10)],
    ),
    "a body that goes on behind blocks of macros": (
        "static int f(int a)\n{\n    TRY\n    {\n        g(a);\n    }\n    CATCH (e)\n    {\n        h();\n    }\n"
        "    int left = k();\n    return left;\n}\nint h() { return 1; }\n",
        [("f", 1, 13), ("h", 14, 14)],
    ),
    "headers split by branches": (
        "#if A\nint f(int a)\n#else\nint g(int a)\n#endif\n{\n return x(a);\n}\nint h() { return 1; }\n",
        [("f", 2, 8), ("g", 4, 8), ("h", 9, 9)],
    ),
    "ends in branches": (
        "int f(int a)\n{\n#ifdef A\n return g(a);\n} /* } */\n#else\n return k(a);\n}\n#endif // A\n"
        "int h() { return 1; }\n",
        [("f", 1, 9), ("h", 10, 10)],
    ),
    "headers with their braces in branches": (
        "#if A\nint f(int a) {\n#else\nint g(int a) {\n#endif\n return 2;\n}\nint h() { return 1; }\n",
        [("f", 2, 7), ("g", 4, 7), ("h", 8, 8)],
    ),
    "a macro alone swallows nothing": (
        "#define MAKE(t) int t##_size(void) { return sizeof(t); }\nMAKE(box)\nint f(void)\n{\n return 1;\n}\n",
        [("box_size", 2, 2), ("f", 3, 6)],
    ),
    "an unknown macro alone at file level swallows nothing": (
        'MODULE_THING("x", y)\nstatic int f(void)\n{\n return 1;\n}\n',
        [("f", 2, 5)],
    ),
    "macros in macros": (
        "#define NEW(t) t *t##_new(void) { return 0; }\n#define FREE(t) void t##_free(t *a) { }\n"
        "#define BOTH(t) NEW(t) FREE(t)\n"
        "#define ALL(t, name) BOTH(t) \\\n  static int name##_count(void) { return 1; }\n"
        "ALL(box, big_##box);\n",
        [("box_new", 6, 6), ("box_free", 6, 6), ("big_box_count", 6, 6)],
    ),
    "a header made by a macro": (
        "#define ONCE(f) static int f##_once(void)\nONCE(init)\n{\n  return 1;\n}\n",
        [("init_once", 2, 5)],
    ),
    "a name that a macro makes over two lines": (
        "#define C_NAME(x) x##_c\nvoid C_NAME(\n    report)(int) {}\nint after() { return 1; }\n",
        [("report_c", 2, 3), ("after", 4, 4)],
    ),
    "a macro before an unnamed namespace": (
        "namespace a {\nNAMESPACE_BEGIN\nnamespace {\nint f() { return 1; }\n}\n}\n",
        [("a::f", 4, 4)],
    ),
    "a macro makes members": (
        "#define GETTER(n) int get_##n() const { return n; }\nstruct A {\n GETTER(x)\n int x;\n};\n",
        [("A::get_x", 3, 3)],
    ),
    "a pack's initializers where the parser loses the class": (
        "template <class T> class A : public B<T {\n  A(T const&... b) : B<T>(b)... {\n    k();\n  }\n};\n"
        "int h() { return 1; }\n",
        [("A::A", 2, 4), ("h", 6, 6)],
    ),
    "pointers and references to what stands in brackets, behind an error": (
        "void q() {\n  if (a {\n    b();\n  }\n}\nint (&f(int n))[3] {\n  return k(n);\n}\n"
        "void q() {\n  if (a {\n    b();\n  }\n}\nrow (*S<T>::g(int n) const)(int) {\n  return k(n);\n}\n",
        [("q", 1, 5), ("f", 6, 8), ("q", 9, 13), ("S::g", 14, 16)],
    ),
    "C: letters beyond ASCII": (
        "int größe(int ä) { return ä; }\nvoid añade(void) {}\n",
        [("größe", 1, 1), ("añade", 2, 2)],
    ),
    "C: a macro that makes the header gives no name": (
        "TEST(grows)\n{\n    go();\n}\n\nTEST(keeps)\n{\n    go();\n}\n",
        [("grows", 1, 4), ("keeps", 6, 9)],
    ),
    "C: K&R": ("int f(a, b)\n int a;\n char *b;\n{ return a; }\nint g() { return 1; }\n", [("f", 1, 4), ("g", 5, 5)]),
    "C: static inline macro": ("#define QUICK static inline\nQUICK int *f(void) { return 0; }\n", [("f", 2, 2)]),
    "C: returns a function pointer": ("int (*f(int a))(void) { return 0; }\n", [("f", 1, 1)]),
    "C: annotation with text": (
        '#define NO_CHECK(what) __attribute__((no_sanitize(what)))\nNO_CHECK("bounds")\nint f(void) { return 1; }\n',
        [("f", 2, 3)],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_found_with_name_and_span(name: str) -> None:
    source, expected = FUNCTIONS[name]
    assert of_kind(parse_text(source, "a.c" if name.startswith("C:") else "a.cpp"), "function") == expected


ODD = json.loads((Path(__file__).parents[2] / "data" / "clang" / "declarations.json").read_text())


@pytest.mark.parametrize("case", ODD, ids=lambda case: case["kind"])
def test_functions_around_an_odd_declaration_are_found(case: dict[str, Any]) -> None:
    rows = parse_text(case["text"], case["path"]).symbols
    found = [row.qualified_name for row in rows if row.kind == "function" and row.body >= 0]
    assert sorted(found) == sorted(case["functions"])


@pytest.mark.parametrize("path", ["a.c", "a.cpp"])
def test_a_block_behind_a_macro_belongs_to_the_function_around_it(path: str) -> None:
    found = parse_text("int f(int a)\n{\n  WITH_LOCK(m) {\n    k();\n  }\n  return a;\n}\n", path)
    assert of_kind(found, "function") == [("f", 1, 7)]
    assert [found.symbols[s.owner].name for s in found.sites if s.name == "k"] == ["f"]


@pytest.mark.parametrize(
    "before", ["__attribute__((format(printf, 1, 2))) void", "struct { int m() { return m(); } }"]
)
def test_the_header_of_a_function_calls_nothing(before: str) -> None:
    found = parse_text(f"{before} f(const char *a, int b = g()) noexcept(noexcept(h(a))) {{ k(a); }}\n")
    assert [s.name for s in found.sites if found.symbols[s.owner].name == "f"] == ["k"]


def test_a_friend_begins_with_that_word() -> None:
    """Without it an answer with the signature is a method."""
    source = "struct A {\n  // Of both.\n  friend int sum(A a, A b) { return 1; }\n  int x;\n};\n"
    row = next(s for s in parse_text(source).symbols if s.name == "sum")
    assert (row.signature, row.docstring) == ("friend int sum(A a, A b)", "// Of both.")
    assert source[row.start : row.end] == "friend int sum(A a, A b) { return 1; }"


def test_an_enum_with_attributes_is_found() -> None:
    found = parse_text('enum class [[nodiscard]] E : int { X };\nenum [[deprecated("no")]] F { Y };\n')
    assert [s.qualified_name for s in found.symbols] == ["E", "E::X", "F", "Y"]


def test_only_an_operator_keeps_what_stands_behind_the_last_colons() -> None:
    source, expected = FUNCTIONS["names that begin like operators"]
    found = [s.name for s in parse_text(source).symbols if s.kind == "function"]
    assert found == ["f", "get", "operator n::T"]
    assert [unqualified_name(qualified) for qualified, *_ in expected] == found
    assert unqualified_name("operator+") == "operator+"
    assert unqualified_name('literals::operator""_km') == 'operator""_km'


def test_what_a_macro_makes_is_marked_and_its_text_is_the_use() -> None:
    source = (
        "#define DECLARE(t) t *t##_new(void); extern int t##_count;\n"
        "#define DEFINE(t) t *t##_new(void) { return 0; }\n"
        "DECLARE(box)\n/* makes boxes */\nDEFINE(box)\n"
    )
    rows = [s for s in parse_text(source, "a.c").symbols if s.name == "box_new"]
    assert [(s.kind, s.first) for s in rows] == [("prototype", 3), ("function", 5)]
    assert rows[1].signature == "box *box_new(void) /* made by the macro DEFINE */"
    assert source[rows[1].start : rows[1].end] == "DEFINE(box)"
    assert (rows[1].body, rows[1].docstring) == (-1, "/* makes boxes */")


@pytest.mark.parametrize(
    "replacement",
    [
        "do { f(x); } while (0)",
        "if (x) { f(x); }",
        "((x) == (y))",
        "struct stack_##x",
        "x(y) == 1",
        "(void) f(x)",
        "return f(x);",
        "f(x); return",
        "{ f(x); }",
        "unsigned x",
        "x = f(y)",
    ],
)
def test_a_macro_that_does_something_declares_nothing(replacement: str) -> None:
    assert all(part.kind == "use" for part in parse_declaring_replacement_or_empty(replacement))


def test_a_variable_made_by_a_macro_in_a_function_is_no_symbol() -> None:
    source = '#define PROFILE(n) Timer timer(n)\nvoid f() {\n  PROFILE("x");\n  g();\n}\n'
    found = parse_text(source)
    assert of_kind(found, "function") == [("f", 2, 5)]
    assert of_kind(found, "prototype") == []
    assert [s.name for s in found.sites] == ["PROFILE", "g"]


SITES = {
    "plain": ("f(a, b);", ("f", "plain", "", 2)),
    "member": ("o.f(a);", ("f", "member", "o", 1)),
    "arrow": ("p->f();", ("f", "member", "p", 0)),
    "qualified": ("n::C::f(1);", ("n::C::f", "qualified", "", 1)),
    "template": ("f<int>(1);", ("f", "plain", "", 1)),
    "template member": ("o.template f<int>(1);", ("f", "member", "o", 1)),
    "launched kernel": ("f<<<i, dim3(1, 2)>>>(a);", ("f", "plain", "", 1)),
    "new": ("new T(1, 2);", ("T", "construct", "", 2)),
    "declared": ("T v(1, 2);", ("T", "construct", "v", 2)),
    "operator": ("a + b;", ("operator+", "operator", "a", 2)),
    "index": ("a[i];", ("operator[]", "operator", "a", 2)),
    "pointer": ("(*p)(a);", ("p", "plain", "", 1)),
    "field pointer": ("o->handler(a);", ("handler", "member", "o", 1)),
    "in an argument of a macro": ("CHECK(f(a));", ("f", "plain", "", 1)),
}


@pytest.mark.parametrize("name", SITES)
def test_calls_are_found_in_each_form(name: str) -> None:
    source, expected = SITES[name]
    found = parse_text(f"void caller(C o, C *p, int a, int b, int i) {{\n  {source}\n}}\n")
    assert expected in [(s.name, FORMS[s.form], s.receiver, s.arity) for s in found.sites]


def test_hiding_one_header_of_a_split_function_hides_the_body_of_all(indexed: Indexed) -> None:
    source = (
        "#if A\nint f(int a)\n#else\nint g(int a)\n#endif\n{\n return secret(a);\n}\nint h(void) { return f(1); }\n"
    )
    index = indexed({"a.c": source})
    for name, first in (("f", 2), ("g", 4)):
        view = index.hide(Target("t", "a.c", Span(first, 8), name, "", "", "c"), "strict")
        assert [s.name for s in view.symbols(SymbolKind.FUNCTION)] == ["h"]
        assert "secret" not in view.file_text("a.c")
        assert [s.name for s in view.symbols_named("secret")] == []


TABLES = """\
static const struct row first[] = {
#define ROW(n, k) { n, k },
#include "rows.def"
};
void fill(int kind) {
  switch (kind) {
  case 1: {
    const struct row rows[] = {
#define SECOND_ROWS
#include "rows.def"
    };
    add(rows);
    break;
  }
  case 2: {
    const struct row rows[] = {
#define THIRD_ROWS
#define MAKE(a, b)                   \\
  { a, b },
#include "rows.def"
#ifdef WIDE
      { 1, 2 },
#endif
    };
    add(rows);
  }
  }
}
#define BEHIND 1
bool told(int x) { return x == BEHIND; }
"""


def test_directives_in_an_initializer_cost_neither_the_functions_nor_the_macros() -> None:
    data = TABLES.encode()
    parsed = parse_source("a.cpp", data, LearntMacros())
    assert parsed.error_bytes == 0
    found = {(s.kind, s.name): (s.first, s.last, s.signature) for s in parsed.symbols}
    assert found["function", "fill"][:2] == (5, 28)
    assert found["function", "told"][:2] == (30, 30)
    assert found["macro", "ROW"] == (2, 2, "#define ROW(n, k)")
    assert found["macro", "MAKE"] == (18, 19, "#define MAKE(a, b)")
    assert found["macro", "THIRD_ROWS"] == (17, 17, "#define THIRD_ROWS")
    assert found["macro", "BEHIND"][:2] == (29, 29)
    assert [s.start for s in parsed.symbols] == sorted(s.start for s in parsed.symbols)
    functions = {i for i, s in enumerate(parsed.symbols) if s.name == "fill"}
    assert {s.owner for s in parsed.sites if s.name == "add"} == functions


@pytest.mark.parametrize("text", [b"={" * 300_000 + b"#", b"={\n#if x\n" * 100_000], ids=["far", "near"])
def test_braces_that_never_close_are_read_in_bounded_time(text: bytes) -> None:
    began = time.process_time()
    assert blank_initializer_directives(bytearray(text), text) == []
    # A tenth of this; when each brace is read to the end it takes minutes.
    assert time.process_time() - began < 5
