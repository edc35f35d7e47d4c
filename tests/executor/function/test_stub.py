"""Bug prevented: a stub that doesn't compile, so that the build, not the tests, "catches" it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from executor.function.stub import make_stub
from executor.tasks.datasets import bind_row, load_rows, select_rows
from executor.tasks.task_row import read_file_lines
from index.errors import TaskError
from index.values import Language, Span, Target

C_PRELUDE = """
#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>
struct pair { int a; void *b; };
typedef struct pair pair_t;
typedef char *sds;
typedef enum { ONE, TWO } kind;
#define my_inline inline
#define NO_SANITIZE(x) __attribute__((noinline))
typedef void (*callback)(int);
"""
C_GOLDS = {
    "f": "void f(void) { }",
    "g": "static my_inline int g(int a, char *b, const pair_t *const *c)\n{\n    return a;\n}",
    "size": "size_t size(void) { return 3; }",
    "text": "sds text(sds s) { return s; }",
    "value": "pair_t value(struct pair p) { return p; }",
    "tagged": "struct pair tagged(int n[], int m[3][4]) { return (struct pair){n[0], m[0]}; }",
    "kinds": "kind kinds(kind k) { return k; }",
    "getter": "void *(*getter(const int *m)) (int *, void *) { (void)m; return 0; }",
    "calls": "unsigned long long calls(void (*now)(void *arg), callback cb, va_list ap) { return 1; }",
    "marked": 'NO_SANITIZE("bounds")\nsize_t marked(int c, ...) {\n    return c;\n}',
    "pointer": "static const unsigned char *pointer(unsigned long, const char *restrict s) { return 0; }",
    "counted": "uint64_t counted(uint64_t x) { return x; }",
}
CPP_PRELUDE = """
#include <functional>
#include <memory>
#include <string>
#include <vector>
#define FORCE_INLINE inline
struct Base { explicit Base(int); virtual ~Base(); virtual int pure() const = 0; };
struct V {
  float m[3];
  V();
  V &operator*=(const V &v);
  const V &self() const;
  float &at(int i);
  operator bool() const;
  static const V &zero();
  const Base &base() const;
};
struct C : Base { const int &ref; const int k; std::string s; C(int &r, int k, std::vector<int> v = {});
  ~C(); int pure() const override; };
template <typename T> struct Box { T t; T get() const; Box &set(const T &v); };
enum class Colour { red };
template <typename T> struct Counted { explicit Counted() = default; T *t = nullptr; };
using Handle = Counted<V>;
template <typename T> struct Shelf { struct Row { T t; explicit Row(int); }; const Row &row() const;
  template <typename... A> int add(A &&...a); };
"""
CPP_GOLDS = {
    "V::operator*=": "FORCE_INLINE V &V::operator*=(const V &v)\n{\n\tm[0] *= v.m[0];\n\treturn *this;\n}",
    "V::self": "const V &V::self() const { return *this; }",
    "V::at": "float &V::at(int i) { return m[i]; }",
    "V::operator bool": "V::operator bool() const { return true; }",
    "V::zero": "const V &V::zero() { static V v; return v; }",
    "V::base": "const Base &V::base() const { static int i; static C c(i, 1); return c; }",
    "C::C": "C::C(int &r, int k, std::vector<int> v) : Base(k), ref(r), k{k}, s{} { v.clear(); }",
    "C::~C": "C::~C() { s.clear(); }",
    "C::pure": "int C::pure() const { return k; }",
    "Box::get": "template <typename T>\nT Box<T>::get() const { return t; }",
    "Box::set": "template <typename T> Box<T> &Box<T>::set(const T &v) { t = v; return *this; }",
    "Shelf::row": "template <class T>\nconst typename Shelf<T>::Row &Shelf<T>::row() const { return *(Row *)0; }",
    "Shelf::add": "template <class T> template <typename... A>\nint Shelf<T>::add(A &&...a) { return 1; }",
    "make": "std::unique_ptr<Base> make(const std::function<void(Base &)> &f) { (void)f; return nullptr; }",
    "trail": "[[nodiscard]] static inline auto trail(int x) -> std::string { return {}; }",
    "handle": "Handle handle(Handle h) { return h; }",
    "counted": "Counted<int> counted(const struct V &) { return Counted<int>(); }",
    "tagged": "struct V tagged(const V &v) { return v; }",
    "colour": "Colour colour(Colour c = Colour::red) { return c; }",
    "operator+": "V\noperator+(const V &, const V &b) { return b; }",
    "move": "std::string &&move(std::string &s) { return static_cast<std::string &&>(s); }",
    "named": "constexpr unsigned named(unsigned, const char *) { return 1u; }",
}


def target(name: str, language: Language) -> Target:
    return Target("r", "f.c", Span(1, 9), name, "", "", language)


def compiles(source: str, language: Language, tmp_path: Path) -> str:
    """The compiler's complaints with the warnings that projects turn into errors; "" when there are none."""
    compiler = "gcc" if language == "c" else "g++"
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    file = tmp_path / ("stub.c" if language == "c" else "stub.cpp")
    file.write_text(source)
    flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    return subprocess.run([compiler, *flags, str(file)], capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize(("language", "name"), [*product(["c"], C_GOLDS), *product(["cpp"], CPP_GOLDS)])
def test_a_stub_compiles_without_a_warning(language: Language, name: str, tmp_path: Path) -> None:
    prelude, gold = (C_PRELUDE, C_GOLDS[name]) if language == "c" else (CPP_PRELUDE, CPP_GOLDS[name])
    stub = make_stub(target(name, language), gold)
    # The header is kept to the letter.
    assert stub.partition("{")[0] == gold.partition("{")[0]
    assert compiles(f"{prelude}{stub}\n", language, tmp_path) == ""


def test_the_layout_of_the_gold_is_kept() -> None:
    gold = "\tint get(int i) const\n\t{\n\t\treturn i;\n\t}  // get"
    stub = make_stub(target("A::get", "cpp"), gold)
    assert stub == "\tint get(int i) const\n\t{\n\t\t(void)i;\n\t\treturn 0;\n\t}  // get"


def test_initialisers_stay() -> None:
    stub = make_stub(target("C::C", "cpp"), CPP_GOLDS["C::C"])
    assert ": Base(k), ref(r), k{k}, s{} {" in stub
    assert "clear" not in stub


@pytest.mark.parametrize("gold", ["int f(void);", "", "    return 3;\n}"])
def test_a_text_without_a_body_is_an_error_that_names_the_function(gold: str) -> None:
    with pytest.raises(TaskError, match=r"f\.c:1: no function body found in f"):
        make_stub(target("f", "c"), gold)


@pytest.mark.real
@pytest.mark.parametrize(("repo", "count"), [("redis", 67), ("bullet3", 23)])
def test_every_stub_of_the_benchmark_compiles(repo: str, count: int, real_tree: Callable[[str], Path]) -> None:
    tree = real_tree(repo)
    rows = select_rows(load_rows("yabloco"), repos=[repo])
    assert len(rows) == count
    broken = []
    for row in rows:
        task = bind_row(row, tree)
        file = tree / row.path
        original = file.read_bytes()
        lines = read_file_lines(row, tree)
        stub = make_stub(task.target, task.gold)
        text = "".join(lines[: row.span.first - 1]) + stub + "\n" + "".join(lines[row.span.last :])
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        # connection.h can't be compiled alone; socket.c includes it the way redis does.
        unit = "src/socket.c" if row.path == "src/connection.h" else row.path
        done = subprocess.run([*COMPILE[repo], unit], cwd=tree, capture_output=True, text=True, check=False)
        file.write_bytes(original)
        if done.returncode:
            broken.append(f"{row.name}: {done.stderr[:300]}")
    assert broken == []


COMPILE = {
    "redis": ["gcc", "-fsyntax-only", "-std=gnu11", "-Wall", "-W", "-Wno-missing-field-initializers", "-Werror"]
    + ["-Wno-unused-function", "-DREDIS_STATIC="]
    + [f"-Ideps/{dep}" for dep in ("hiredis", "linenoise", "lua/src", "hdr_histogram", "fpconv")],
    "bullet3": ["g++", "-fsyntax-only", "-DBT_USE_DOUBLE_PRECISION", "-Isrc", "-x", "c++"],
}
