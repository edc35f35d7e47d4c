"""Prevents: a stub that doesn't compile, so that the build, not the tests, "catches" it; a "mutant" that is the gold
itself, that moves every later line, or that changes with each run; a sabotage that can't be made again from its name,
one made in a text that changed, and a gated fault that is wrong at other times than its gate says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from executor.function.mutants import make_mutants
from executor.function.sabotage import (
    digest_definition,
    list_sabotage_changes_latest_first,
    make_change_conditional,
    make_sabotaged_definition,
    make_target_at,
    read_definition_at,
)
from executor.function.splice import Edit, apply_edits
from executor.function.stub import make_stub, make_trivial_definitions
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.values import Sabotage
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
    "bracketed": "static pair_t (bracketed)(int x) { return (pair_t){x, 0}; }",
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
  operator std::vector<int>() const;
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
template <typename T> std::string shown(T t);
"""
CPP_GOLDS = {
    "V::operator*=": "FORCE_INLINE V &V::operator*=(const V &v)\n{\n\tm[0] *= v.m[0];\n\treturn *this;\n}",
    "V::self": "const V &V::self() const { return *this; }",
    "V::at": "float &V::at(int i) { return m[i]; }",
    "V::operator bool": "V::operator bool() const { return true; }",
    "V::operator std::vector<int>": "V::operator std::vector<int>() const { return {1}; }",
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
    "callable": "std::function<int(int, void (*)(int))> callable() { return {}; }",
    "shown": 'template <> std::string shown<V *>(V *v) { return v ? "V" : ""; }',
    "trail": "[[nodiscard]] static inline auto trail(int x) -> std::string { return {}; }",
    "handle": "Handle handle(Handle h) { return h; }",
    "counted": "Counted<int> counted(const struct V &) { return Counted<int>(); }",
    "tagged": "struct V tagged(const V &v) { return v; }",
    "colour": "Colour colour(Colour c = Colour::red) { return c; }",
    "operator+": "V\noperator+(const V &, const V &b) { return b; }",
    "move": "std::string &&move(std::string &s) { return static_cast<std::string &&>(s); }",
    "named": "constexpr unsigned named(unsigned, const char *) { return 1u; }",
}


def stub_target(name: str, language: Language) -> Target:
    return Target("r", "f.c", Span(1, 9), name, "", "", language)


@pytest.mark.parametrize(
    ("language", "prelude", "golds"), [("c", C_PRELUDE, C_GOLDS), ("cpp", CPP_PRELUDE, CPP_GOLDS)], ids=["c", "cpp"]
)
def test_stubs_compile_without_a_warning(
    language: Language, prelude: str, golds: Mapping[str, str], tmp_path: Path
) -> None:
    """With the warnings that projects turn into errors."""
    compiler = "gcc" if language == "c" else "g++"
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    stubs = {name: make_stub(stub_target(name, language), gold) for name, gold in golds.items()}
    # The header is kept to the letter.
    assert [stub.partition("{")[0] for stub in stubs.values()] == [gold.partition("{")[0] for gold in golds.values()]
    file = tmp_path / f"stubs.{language}"
    file.write_text("\n".join([prelude, *stubs.values(), ""]))
    flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    assert subprocess.run([compiler, *flags, str(file)], capture_output=True, text=True, check=False).stderr == ""


def test_the_layout_of_the_gold_is_kept() -> None:
    gold = "\tint get(int i) const\n\t{\n\t\treturn i;\n\t}  // get"
    stub = make_stub(stub_target("A::get", "cpp"), gold)
    assert stub == "\tint get(int i) const\n\t{\n\t\t(void)i;\n\t\treturn 0;\n\t}  // get"


@pytest.mark.parametrize("gold", ["int f(void);", "", "    return 3;\n}"])
def test_a_text_without_a_body_is_an_error_that_names_the_function(gold: str) -> None:
    with pytest.raises(TaskError, match=r"f\.c:1: no function body found in f"):
        make_stub(stub_target("f", "c"), gold)


@pytest.mark.real
@pytest.mark.parametrize(("repo", "count"), [("redis", 67), ("bullet3", 23)])
def test_every_stub_of_the_benchmark_compiles(repo: str, count: int, real_tree: Callable[[str], Path]) -> None:
    tree = real_tree(repo)
    rows = select_rows(load_rows("yabloco"), repos=[repo])
    assert len(rows) == count
    stubs: dict[str, list[Edit]] = defaultdict(list)
    for row in rows:
        task = make_task_from_row(row, tree)
        stubs[row.path].append(Edit(row.path, row.span, make_stub(task.target, task.gold)))
    for path, edits in stubs.items():
        (tree / path).write_bytes(apply_edits((tree / path).read_bytes(), edits))
    broken = {}
    for path in stubs:
        # connection.h can't be compiled alone; socket.c includes it the way redis does.
        unit = "src/socket.c" if path == "src/connection.h" else path
        done = subprocess.run([*COMPILE[repo], unit], cwd=tree, capture_output=True, text=True, check=False)
        if done.returncode:
            broken[path] = done.stderr[:300]
    assert broken == {}


COMPILE = {
    "redis": ["gcc", "-fsyntax-only", "-std=gnu11", "-Wall", "-W", "-Wno-missing-field-initializers", "-Werror"]
    + ["-Wno-unused-function", "-DREDIS_STATIC="]
    + [f"-Ideps/{dep}" for dep in ("hiredis", "linenoise", "lua/src", "hdr_histogram", "fpconv")],
    "bullet3": ["g++", "-fsyntax-only", "-DBT_USE_DOUBLE_PRECISION", "-Isrc", "-x", "c++"],
}


CLAMP = """\
static int clamp(int *counts, int size, int most)
{
    int sum = 0;
    for (int at = 0; at < size; at++)
        sum += counts[at];
    if (sum > most)
        report(sum,
               most);
#if defined(FAST) && defined(WIDE)
    return sum - most;
#endif
    return sum > most ? most : sum;
}
"""


def test_each_operator_has_its_turn_and_lines_stay() -> None:
    found = make_mutants(CLAMP, "c", 50)
    texts = [mutant.text for mutant in found]
    assert CLAMP not in texts
    assert len(set(texts)) == len(texts) == len({mutant.name for mutant in found})
    assert {mutant.text.count("\n") for mutant in found} == {CLAMP.count("\n")}
    operators = "negate drop-call drop-assignment swap-operands off-by-one change-operator"
    assert {mutant.operator for mutant in found} == set(operators.split())
    changes = {"(sum > most) -> (!(sum > most))", "at < size -> at <= size", "sum - most -> (most) - (sum)"}
    assert changes <= {mutant.detail for mutant in found}
    # A directive's condition is no condition of the function.
    assert all("#if defined(FAST) && defined(WIDE)\n" in text for text in texts)

    few = make_mutants(CLAMP, "c", 6)
    assert few == found[:6], "a limit keeps the spread, and the order is fixed"
    assert len({mutant.operator for mutant in few}) == 6
    assert make_mutants(CLAMP, "c", 0) == make_mutants("int f(int);", "c", 5) == ()


@pytest.mark.parametrize(
    ("name", "signature", "body", "returned"),
    [
        ("keep", "char *keep(char *text, int size)", "return text + size;", {"zero": "0", "first-argument": "text"}),
        (
            "half",
            "int half(int n)",
            "return n / 2;",
            {"zero": "0", "one": "1", "minus-one": "-1", "first-argument": "n"},
        ),
        ("stop", "void stop(void)", "halt();", {"zero": ""}),
    ],
)
def test_bodies_of_the_right_type(name: str, signature: str, body: str, returned: dict[str, str]) -> None:
    bodies = make_trivial_definitions(stub_target(name, "c"), f"{signature}\n{{\n    {body}\n}}\n")
    assert list(bodies) == list(returned)
    for text, value in zip(bodies.values(), returned.values(), strict=True):
        assert re.findall(r"return (.*);", text) == ([value] if value else [])


FILE = b"""\
static int total;
int count(int size, int most)
{
    int sum = 0;
    for (int at = 0; at < size; at++)
        sum += at;
    total = sum;
    if (sum > most)
        goto full;
    return sum - 1;
full:
    return most;
}
"""
SPAN = Span(2, 13)
DEFINITION = read_definition_at(FILE, SPAN)
TARGET = make_target_at("a.c", SPAN, "count", "c")


def _sabotage(change: str) -> Sabotage:
    return Sabotage("a.c", "count", 2, 13, change, digest_definition(DEFINITION))


def test_each_change_is_made_again_from_its_name() -> None:
    found = list_sabotage_changes_latest_first(DEFINITION, TARGET, 50)
    assert {change.name for change in found if change.mutant is None} == {"one", "zero", "minus-one", "first-argument"}
    assert len({change.name for change in found}) == len(found) > 8
    for change in found:
        assert make_sabotaged_definition(FILE, _sabotage(change.name), "c") == change.text != DEFINITION


def test_a_function_that_gives_nothing_back_returns_at_once_too() -> None:
    """Its stub has no statement to return by, so what came behind it ran as before."""
    text = "static void note(int a)\n{\n    total += a;\n}"
    changes = list_sabotage_changes_latest_first(text, make_target_at("a.c", Span(1, 4), "note", "c"), 9)
    (early,) = [each for each in changes if each.mutant is None]
    assert early.text.startswith("static void note(int a)\n{ if (1) { (void)a; return; } ")


def test_another_text_or_an_unknown_change_is_refused() -> None:
    with pytest.raises(TaskError, match="isn't the text that was examined"):
        make_sabotaged_definition(FILE.replace(b"sum - 1", b"sum - 2"), _sabotage("one"), "c")
    with pytest.raises(TaskError, match="has no change none"):
        make_sabotaged_definition(FILE, _sabotage("none"), "c")


def test_a_gated_fault_is_there_exactly_while_its_gate_is_open(tmp_path: Path) -> None:
    """Compiled with the gate open, it does what the change does; with it shut, what the gold does."""
    main = (
        "#include <stdio.h>\nint main(int words, char **word) { (void)word; gate = words > 1; "
        'for (int n = 0; n < 6; n++) printf("%d %d;", count(n, 4), total); return 0; }'
    )

    def outputs(text: str) -> list[bytes]:
        """With the gate shut, and open."""
        source, program = tmp_path / "x.c", tmp_path / "x"
        source.write_text(f"static int gate;\nstatic int total;\n{text}\n{main}")
        subprocess.run(["cc", "-o", program, source], check=True)
        runs = (["timeout", "2", program, *more] for more in ([], ["open"]))
        return [subprocess.run(argv, capture_output=True, check=False).stdout for argv in runs]

    gold, _ = outputs(DEFINITION)
    for change in list_sabotage_changes_latest_first(DEFINITION, TARGET, 50):
        _, changed = outputs(change.text)
        assert outputs(make_change_conditional(DEFINITION, change, "gate")) == [gold, changed], change
