# ruff: noqa: E501 - a table of texts reads better with a case per line
"""Prevents: a function put into the tree with the wrong header, a class or a helper around it, or a
piece of prose taken for a function."""

from __future__ import annotations

import pytest

from agent.answer.extraction import extract_function

BODY = "{\n    return n + 1;\n}"
PLAIN = "static inline int add_one(int n)"


def fenced(code, tag="c"):
    return f"Here it is, don't worry:\n\n```{tag}\n{code}\n```\n\nThat's it.\n"


@pytest.mark.parametrize(
    "spelling",
    [
        "int add_one(int n)",
        "static int add_one(int n)",
        "inline int\nadd_one( int n )",
        "extern int add_one (int n)",
        "STATIC_INLINE int add_one(int n)",
        "__attribute__((noinline)) int add_one(int n)",
        "static inline int add_one(const int n)",
        "static inline long add_one(int n)",
        "static inline int\nadd_one(int /* the number */ n)",
    ],
)
def test_the_repositorys_header_replaces_another_spelling(make_target, spelling):
    found = extract_function(fenced(f"{spelling}\n{BODY}"), make_target("add_one", PLAIN))
    assert found.code == f"{PLAIN}\n{BODY}"
    assert found.how == "whole function, the repository's header"


# signature, answer, code
C_HEADERS = [
    # parameters keep the names that the body uses
    ("int f(int count, char *to)", "int f(int n, char *p) { return n + *p; }", "int f(int n, char *p) { return n + *p; }"),
    ("void f(void (*call)(int), int a[3])", "void f(void (*cb)(int), int v[3]) { cb(v[0]); }",
     "void f(void (*cb)(int), int v[3]) { cb(v[0]); }"),
    ("int f(void)", "int f() { return 1; }", "int f(void) { return 1; }"),
    ("int f(unsigned long n)", "int f(unsigned long) { return 1; }", "int f(unsigned long n) { return 1; }"),
    ("int f(struct s *a, ...)", "int f(struct s *x, ...) { return x->y; }", "int f(struct s *x, ...) { return x->y; }"),
    ("void *(*f(int a)) (char *)", "void *(*f(int b)) (char *) { return b; }", "void *(*f(int b)) (char *) { return b; }"),
    # K&R
    ("int f(int a, int b)", "int f(a, b)\n  int a;\n  int b;\n{ return a; }", "int f(int a, int b) { return a; }"),
    # old headers
    ("int f(a, b) int a; int b;", "int f(a, b)\n\tint a;\n\tint b;\n{ return a + b; }", "int f(a, b)\n\tint a;\n\tint b;\n{ return a + b; }"),
    ("int f(a, b) int a, b", "int f(a, b) int a, b; { return a + b; }", "int f(a, b) int a, b; { return a + b; }"),
    ("f(a) char *a;", "f(a)\nchar *a;\n{ return *a; }", "f(a)\nchar *a;\n{ return *a; }"),
    ("char *f(a) register char *a;", "char *f(char *a) { return a; }", "char *f(a) register char *a; { return a; }"),
    ("int f(a, b) int a; int b;", "int f(int x, int y) { return x + y; }", "int f(x, y) int x; int y; { return x + y; }"),
    ("int f(a, call) int a; int (*call)();", "int f(int n, int (*cb)(void)) { return cb() + n; }", "int f(n, cb) int n; int (*cb)(); { return cb() + n; }"),
    ("int f(a) struct s *a;", "static int f(struct s *a) { return a->n; }", "int f(a) struct s *a; { return a->n; }"),
    ("int f(a, b) int a[]; long b;", "int f(a, b) int *a; long b; { return a[b]; }", "int f(a, b) int a[]; long b; { return a[b]; }"),
    ("int f(int a, int b)", "int f(x, y) int x, y; { return x - y; }", "int f(int x, int y) { return x - y; }"),
    ("void f(n) unsigned n;", "{ use(n); }", "void f(n) unsigned n;\n{ use(n); }"),
    ("int f(uv_loop_t) __attribute__((cold))", "int f(uv_loop_t l) { return l; }", "int f(uv_loop_t l) __attribute__((cold)) { return l; }"),
]  # fmt: skip
# name, signature, answer, code
CPP_HEADERS = [
    # a class around the method; the hole is outside of the class
    ("X::get", "int X::get(int i) const", "class X {\npublic:\n  int get(int i) const { return a[i]; }\n};",
     "int X::get(int i) const { return a[i]; }"),
    # qualified, and the hole is inside the class
    ("X::get", "virtual int get(int i = 0) const", "int X::get(int i) const { return a[i]; }",
     "virtual int get(int i = 0) const { return a[i]; }"),
    ("ns::X::get", "int X::get(int i)", "int ns::X::get(int i) { return i; }", "int X::get(int i) { return i; }"),
    ("f", "int f(const std::map<int, int>& m, int b)", "int f(const std::map<int, int>& a, int b = g(1, 2)) { return a; }",
     "int f(const std::map<int, int>& a, int b) { return a; }"),
    # a parameter that the repository leaves unnamed gets the name that the body uses
    ("f", "int f(int, const T * = g(), void (*)(int))", "int f(int n, const T *t, void (*call)(int)) { return n + *t; }",
     "int f(int n, const T * t = g(), void (*)(int)) { return n + *t; }"),
    ("X::f", "auto f(int a) -> int", "auto X::f(int a) -> int { return a; }", "auto f(int a) -> int { return a; }"),
    # namespace around it
    ("ns::f", "int ns::f(int i)", "namespace ns {\nint f(int i) { return i; }\n}", "int ns::f(int i) { return i; }"),
    # macros before the return type
    ("V::norm", "SIMD_FORCE_INLINE btScalar norm() const", "btScalar norm() const { return 1; }",
     "SIMD_FORCE_INLINE btScalar norm() const { return 1; }"),
    # operators, destructors, conversions, constructors
    ("V::operator[]", "T& operator[](int i)", "T& V::operator [] (int i) { return a[i]; }", "T& operator[](int i) { return a[i]; }"),
    ("V::operator()", "bool operator()(int i) const", "bool V::operator()(int i) const { return i; }",
     "bool operator()(int i) const { return i; }"),
    ("V::operator bool", "operator bool() const", "V::operator bool() const { return a; }", "operator bool() const { return a; }"),
    ("V::~V", "V::~V()", "class V { V() { a(); } ~V() { b(); } };", "V::~V() { b(); }"),
    ("V::V", "V::V(int n)", "V::V(int n) : a(n), b{n} { c(); }", "V::V(int n) : a(n), b{n} { c(); }"),
    ("V::V", "V::V(int n) : a(n)", "V::V(int n) { c(); }", "V::V(int n) : a(n) { c(); }"),
    ("V::V", "explicit V(B const&... b)", "V(B const&... a) : B(a)... { c(); }", "explicit V(B const&... a) : B(a)... { c(); }"),
    # what is returned stands around it
    ("f", "static int (&f(int a))[3]", "int (&f(int n))[3] { return t[n]; }", "static int (&f(int n))[3] { return t[n]; }"),
    # a body that is a try keeps its catch clauses
    ("f", "int f(int n)", "int f(int a) try { return g(a); } catch (const E &e) { return 1; } // why\ncatch (...) { return 2; }",
     "int f(int a) try { return g(a); } catch (const E &e) { return 1; } // why\ncatch (...) { return 2; }"),
    ("V::V", "explicit V(int n)", "V::V(int n) try : a(n), b{n} { c(); } catch (...) { d(); }",
     "explicit V(int n) try : a(n), b{n} { c(); } catch (...) { d(); }"),
    # a template line: the repository's, the class's (dropped), or the function's own (kept)
    ("f", "template <class T>\nT f(T a)", "template<class T> T f(T a) { return a; }", "template<class T> T f(T a) { return a; }"),
    ("X::f", "T f(T a)", "template <class T> class X { T f(T a) { return a; } };", "T f(T a) { return a; }"),
    ("f", "T f(T a)", "template <class T>\nT f(T a) { return a; }", "template <class T>\nT f(T a) { return a; }"),
    # YABLoCo's glued signatures
    ("M::inverse", "INLINE M3M::inverse() const", "INLINE M3 M::inverse() const { return 1; }", "INLINE M3 M::inverse() const { return 1; }"),
    ("M::inverse", "INLINE M3M::inverse() const", "M3 M::inverse() const { return 1; }", "INLINE M3\nM::inverse() const { return 1; }"),
    ("operator*", "INLINE Qoperator*(const Q& a, const Q& b)", "Q operator*(const Q& x, const Q& y) { return x; }",
     "INLINE Q\noperator*(const Q& x, const Q& y) { return x; }"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "name", "signature", "answer", "code"),
    [*(("c", "f", *row) for row in C_HEADERS), *(("cpp", *row) for row in CPP_HEADERS)],
)
def test_the_repositorys_header_stands_with_the_answers_names(make_target, language, name, signature, answer, code):
    found = extract_function(fenced(answer, language), make_target(name, signature, language))
    assert " ".join(found.code.split()) == " ".join(code.split())


@pytest.mark.parametrize("signature", ["int f(int a)", "int g(int a)", "int f(int a, // why    int b)"])
def test_another_number_of_parameters_or_a_header_beyond_mending_is_left_to_the_compiler(make_target, signature):
    found = extract_function(fenced("int f(int a, int b) { return b; }"), make_target("f", signature))
    assert (found.code, found.how) == ("int f(int a, int b) { return b; }", "whole function, its own header")


def test_used_helpers_come_along_and_others_stay_behind(make_target):
    answer = fenced(
        "#include <stdio.h>\n#define N 3\nstatic const int table[] = {1, 2};\n"
        "static int deep(int a) { return table[a]; }\nstatic int helper(int a) { return deep(a); }\n"
        "static int unused(int a) { return a; }\nint known(int a) { return a; }\n"
        "int f(int a) { return helper(a) + known(a); }\nint main(void) { return f(1); }"
    )
    found = extract_function(answer, make_target("f", "int f(int a)"), existing={"known"})
    assert found.code == (
        "static const int table[] = {1, 2};\n\nstatic int deep(int a) { return table[a]; }\n\n"
        "static int helper(int a) { return deep(a); }\n\nint f(int a) { return helper(a) + known(a); }"
    )
    assert found.how == "whole function, with 3 helper(s)"


def test_what_a_helper_uses_ahead_is_declared(make_target):
    even = "static int even(int a) { return a ? odd(a - 1) : f(1); }"
    odd = "static int odd(int a) { return a ? even(a - 1) : 0; }"
    code = "static int f(int a)\n{\n    return even(a);\n}"
    answer = f"int f(int n);\nstatic int odd(int a);\nint unused(int a);\n{even}\n{odd}\n{code}"
    found = extract_function(fenced(answer), make_target("f", "static int f(int a)"))
    ahead = "static int even(int a);\n\nstatic int f(int a);"
    assert found.code == f"{ahead}\n\n{odd}\n\n{even}\n\n{code}"
    assert found.how == "whole function, with 2 helper(s)"
    known = extract_function(fenced(answer.partition("\n")[2]), make_target("f", "static int f(int a)"))
    assert known.code == found.code.replace("\n\nstatic int f(int a);", ""), "the repository declares it"


INNER = "static int inner(int a) { return a ? outer(a - 1) : 0; }"
OUTER = "static int outer(int a) { return inner(a); }"


@pytest.mark.parametrize(
    ("name", "signature", "answer", "code"),
    [
        # a namespace that the function names, and one without a name
        ("f", "int f(int a)", f"namespace detail {{\n{OUTER}\n{INNER}\n}}\nint f(int a) {{ return detail::outer(a); }}",
         "namespace detail {\nstatic int outer(int a);\n}\n\n"
         f"namespace detail {{\n{INNER}\n}}\n\nnamespace detail {{\n{OUTER}\n}}\n\n"
         "int f(int a) { return detail::outer(a); }"),
        ("f", "int f(int a)", "namespace { int g(int a) { return a; } }\nint f(int a) { return g(a); }",
         "namespace {\nint g(int a) { return a; }\n}\n\nint f(int a) { return g(a); }"),
        # the hole stands in `ns`, as the function does in the answer, or says that it does
        ("ns::f", "int f(int a)", "namespace ns::detail { int g(int a) { return a; } }\n"
         "namespace ns { int f(int a) { return detail::g(a); } }",
         "namespace detail {\nint g(int a) { return a; }\n}\n\nint f(int a) { return detail::g(a); }"),
        ("ns::f", "int f(int a)", "namespace ns { namespace { int g(int a) { return a; } }\nint f(int a) { return g(a); } }",
         "namespace {\nint g(int a) { return a; }\n}\n\nint f(int a) { return g(a); }"),
        ("ns::f", "int ns::f(int a)", "namespace ns { int g(int a) { return a; } }\nint ns::f(int a) { return g(a) + ns::g(1); }",
         "namespace ns {\nint g(int a) { return a; }\n}\n\nint ns::f(int a) { return g(a) + ns::g(1); }"),
        # a class may stand around the hole; a directive that doesn't come along
        ("X::f", "int f(int a)", "namespace { int g(int a) { return a; } }\nint X::f(int a) { return g(a); }",
         "int g(int a) { return a; }\n\nint f(int a) { return g(a); }"),
        ("f", "int f(int a)", "namespace d { int g(int a) { return a; } }\nusing namespace d;\nint f(int a) { return g(a); }",
         "int g(int a) { return a; }\n\nint f(int a) { return g(a); }"),
    ],
)  # fmt: skip
def test_a_helper_keeps_the_namespaces_that_the_hole_is_not_in(make_target, name, signature, answer, code):
    """Without `detail` the call of `detail::g` finds nothing, and what had no name outside its unit collides."""
    assert extract_function(fenced(answer, "cpp"), make_target(name, signature, "cpp")).code == code


ONE = "int f(int a) { return 1; }"
BOTH_BRANCHES = (
    "int f(int a)\n{\n#ifdef A\n    if (a) {\n#else\n    if (!a) {\n#endif\n        return 1;\n    }\n    return 0;\n}"
)
QUOTED = "int f(int a)\n{\n    char c = '}', d = '\"';\n    puts(\"}}}\\\" /* {\");\n    return a;\n}"
# what holds: answer, code
TAKEN = {
    "members of a class are no helpers": ("class X { int g() { return 1; }\nint f(int a) { return g(); } };", "int f(int a) { return g(); }"),
    "a helper that calls it isn't it": ("int run(int a)\n{\n    if (f(a)) {\n        return 1;\n    }\n    return f(a);\n}\n" + ONE, ONE),
    "nor is one in a comment": ("/* int f(int a) { return 9; } */\n// int f(int a) { return 8; }\n" + ONE, ONE),
    "nor is a macro that calls it": (ONE + "\n#define F(n) \\\n    f(n)\nint run(int b) { return F(b) + 1; }", ONE),
    "a rule of stars opens no comment": ("//**** g\nint g(int a) { return a; }\n//**** f\n" + ONE, ONE),
    "both branches of a condition stay": (BOTH_BRANCHES, BOTH_BRANCHES),
    "strings and characters hide brackets": (QUOTED, QUOTED),
    "statements alone become the body": ("    int b = a;\n    return b + 1;", "int f(int a)\n{\n    int b = a;\n    return b + 1;\n}"),
    "a name in other case": ("int F_(int a)\n{\n    return a;\n}", "int f(int a)\n{\n    return a;\n}"),
    "lone surrogates are replaced": ('int f(int a) { puts("\ud800"); }', 'int f(int a) { puts("?"); }'),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "code"), TAKEN.values(), ids=TAKEN)
def test_the_function_alone_is_taken_as_it_stands(make_target, answer, code):
    assert extract_function(fenced(answer, "cpp"), make_target("f", "int f(int a)", "cpp")).code == code


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        (" \n\n", "the answer is empty"),
        ("I can't help with that; sorry.", "the answer holds no code block and no definition of f"),
        ("I refuse;", "the answer holds no code block and no definition of f"),
        ("Call f(1) and { see }.", "the answer holds no code block and no definition of f"),
        ("```c\n```", "no code block holds a definition of f"),
        ("```c\nint f(int a);\n```", "no code block holds a definition of f"),
        ("```c\nint r = f(1);\nprintf(\"%d\", r);\n```", "no code block holds a definition of f"),
        ("```c\nint g(int a) { return a; }\n```", "the answer defines g, but not f"),
        ("```c\nint f(int a)\n{\n    if (a) {\n        return", "the body of f is never closed"),
        ("```python\ndef f(a):\n    return a\n```", "no code block holds a definition of f"),
        ("```json\n{\"a\": 1}\n```", "no code block holds a definition of f"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said(make_target, text, reason):
    found = extract_function(text, make_target("f", "int f(int a)"))
    assert (found.code, found.reason) == (None, reason)


@pytest.mark.parametrize("body", ["{\n    return f(1;\n}", "{\n    if (a) {\n        return 1;\n}", "{ nothing(; }"])
def test_finished_answer_with_a_missing_bracket_is_the_compilers_to_judge(make_target, body):
    code = f"int f(int a)\n{body}"
    found = extract_function(f"Here it is:\n```c\n{code}\n```\nThat should do.", make_target("f", "int f(int a)"))
    assert found.code == code
    assert "brackets don't match" in found.how
