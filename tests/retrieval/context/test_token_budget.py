"""Prevents: a prompt over its budget, a useful snippet lost without a word, texts that come twice,
and a misshapen class where its methods' bodies were left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.values import Span
from retrieval.context import token_budget
from retrieval.context.snippets import extract_summary, make_snippets_from_oracle, strip_method_bodies
from retrieval.context.token_budget import estimate_tokens, pack_snippets
from retrieval.test_code import is_test_code
from retrieval.values import Bodies, DroppedSnippet, Snippet, SnippetGroup


def snippet(text: str, title: str = "f", group: SnippetGroup = SnippetGroup.FUNCTIONS, brief: str = "") -> Snippet:
    return Snippet(title, "a.c", None, text, "test", group, brief)


def function(number: int, size: int) -> Snippet:
    """A function of `size` words, two of them its brief form."""
    body = " ".join(["w"] * (size - 2))
    return snippet(f"f{number}() {body} }}", f"f{number}", brief=f"f{number} ;")


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture
def tokens_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_budget, "estimate_tokens", words)


@pytest.mark.usefixtures("tokens_are_words")
def test_what_fits_is_kept_in_order_and_what_does_not_is_told() -> None:
    big = snippet("one two three four", "big")
    context = pack_snippets([snippet("a b", "x"), big, snippet("c d", "y")], 5)
    assert [s.title for s in context.snippets] == ["x", "y"]
    assert (context.tokens, context.budget) == (4, 5)
    assert context.dropped == (DroppedSnippet("big", 4, "4 tokens, 1 left"),)


@pytest.mark.usefixtures("tokens_are_words")
def test_a_function_that_does_not_fit_leaves_its_signature() -> None:
    text = "// doc { not code\nint\nf(int a) /* why */ { return a + b + c + d; }"
    context = pack_snippets([snippet(text, "ns::f")], 8)
    (kept,) = context.snippets
    assert (kept.title, kept.text, kept.is_brief) == ("ns::f", "int f(int a);", True)
    assert context.tokens == 3
    assert context.dropped == (DroppedSnippet("ns::f", words(text) - 3, "shown in brief"),)
    assert pack_snippets([snippet(text)], 2).snippets == ()
    # A type has no signature to fall back on.
    context = pack_snippets([snippet("struct node { int a; int b; };", "node", SnippetGroup.TYPES)], 4)
    assert context.snippets == () and [d.title for d in context.dropped] == ["node"]


def test_repeated_and_empty_texts_are_dropped() -> None:
    context = pack_snippets([snippet("int  f;"), snippet("int f;\n", "again"), snippet(" \n", "blank")], 100)
    assert len(context.snippets) == 1
    assert [(d.title, d.reason) for d in context.dropped] == [("again", "duplicate"), ("blank", "empty")]


def test_an_oracle_keeps_its_order_and_drops_what_repeats() -> None:
    got = make_snippets_from_oracle(
        [("int f();", "a.c", "f"), ("", "b.c", "g"), ("int  f();", "c.c", "f"), ("int h();", "", "")]
    )
    assert [(s.title, s.path, s.text, s.source) for s in got] == [
        ("f", "a.c", "int f();", "oracle"),
        ("", "", "int h();", "oracle"),
    ]


@pytest.mark.usefixtures("tokens_are_words")
def test_bodies_is_a_factor() -> None:
    functions = [function(i, 10) for i in range(10)]

    def shown(bodies: Bodies) -> tuple[list[str], list[str]]:
        kept = pack_snippets(functions, 40, bodies=bodies).snippets
        return [s.title for s in kept if not s.is_brief], [s.title for s in kept if s.is_brief]

    assert shown("none") == ([], [f"f{i}" for i in range(10)])
    assert shown("all") == (["f0", "f1", "f2", "f3"], [])
    # Twenty words of signatures leave room for two bodies, each of which takes the place of its signature.
    assert shown("auto") == (["f0", "f1"], [f"f{i}" for i in range(2, 10)])


def test_without_bodies_even_a_getter_shows_none() -> None:
    getter = snippet("int get() { return x; }", "get", brief="// Gets the thing that was put last.\nint get();")
    assert [s.text for s in pack_snippets([getter], 100, bodies="none").snippets] == [getter.brief]
    assert [s.text for s in pack_snippets([getter], 100, bodies="auto").snippets] == [getter.text]


@pytest.mark.usefixtures("tokens_are_words")
def test_signatures_stand_file_by_file() -> None:
    mixed = [Snippet(f"f{i}", "ab"[i % 2], None, f"int f{i}() {{ x y z }}", "t", brief=f"f{i};") for i in range(4)]
    assert [s.title for s in pack_snippets(mixed, 8, bodies="none").snippets] == ["f0", "f2", "f1", "f3"]


def test_lines_that_were_shown_are_not_shown_again() -> None:
    outer = Snippet("s", "a.h", Span(1, 3), "typedef struct s {\nint a;\n} s_t;", "t", SnippetGroup.TYPES)
    inner = Snippet("s", "a.h", Span(1, 3), "struct s {\nint a;\n}", "t", SnippetGroup.TYPES)
    beside = Snippet("m", "a.h", Span(2, 2), "#define m 1", "t", SnippetGroup.MACROS)
    context = pack_snippets([outer, inner, beside], 100)
    assert [s.title for s in context.snippets] == ["s", "m"]
    assert [(d.title, d.reason, d.group) for d in context.dropped] == [("s", "duplicate", SnippetGroup.TYPES)]


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("tests/helper.c", True),
        ("llvm/unittests/ADT/x.cpp", True),
        ("src/test_dict.c", True),
        ("src/DictTest.cpp", True),
        ("src/dict_unittest.cc", True),
        ("src/latest.c", False),
        ("src/contest/a.c", False),
        ("testdata.c", False),
        ("tests.c", True),
    ],
)
def test_tests_are_known_by_their_path(path: str, test: bool) -> None:
    assert is_test_code(path) is test
    assert pack_snippets([Snippet(path, path, None, "int x;", "t")], 100).tests == int(test)


CLASS = """\
class A : public B {
  int x = f(3);
public:
  A() : x(0), y{1} { do_it(); }
  A(int a) noexcept : x(a) {}
  int get() const { if (x) { return 1; } return 0; }
  void put(int v = (3));
  struct In { int q; int m() { return q; } } in;
  enum E { P, Q };
  INLINE void g()
  { h("}"); }
#if defined(X)
  union { int u; };
#endif
  auto typed() -> int { return 1; }
  int operator()(int a) const { return a; }
  __attribute__((noinline)) int slow(int a) EXCLUDES(mu) { return a; }
  std::enable_if_t<(N > 1), int> some(int a) { return a; }
  std::function<int(int)> call = [](int a) { return a; };
  A(long a) try : x(1) { do_it(); } catch (...) { undo_it(); }
  void last() {};
  std::vector<int> v{1, 2};
};"""
BARE = """\
class A : public B {
  int x = f(3);
public:
  A();
  A(int a) noexcept;
  int get() const;
  void put(int v = (3));
  struct In { int q; int m(); } in;
  enum E { P, Q };
  INLINE void g();
#if defined(X)
  union { int u; };
#endif
  auto typed() -> int;
  int operator()(int a) const;
  __attribute__((noinline)) int slow(int a) EXCLUDES(mu);
  std::enable_if_t<(N > 1), int> some(int a);
  std::function<int(int)> call = [](int a) { return a; };
  A(long a);
  void last();
  std::vector<int> v{1, 2};
};"""


def test_a_class_is_shown_without_the_bodies_of_its_methods() -> None:
    assert strip_method_bodies(CLASS) == BARE
    assert strip_method_bodies(BARE) == BARE
    assert strip_method_bodies("class A { void f() { never closed ") == "class A { void f()"


def test_a_summary_is_one_sentence() -> None:
    assert extract_summary("/* Free every\n * entry. And more. */") == "Free every entry."
    assert extract_summary("/// Adds.\n/// \\return it") == "Adds."
    assert extract_summary("/// @brief Subtracts. Slowly.") == "Subtracts."
    assert extract_summary("") == ""
    assert len(extract_summary("// " + "long " * 100)) <= 160


@given(
    st.lists(st.tuples(st.text(alphabet="ab {}()\n", max_size=30), st.sampled_from(SnippetGroup)), max_size=12),
    st.integers(0, 40),
    st.sampled_from(["all", "auto", "none"]),
)
def test_no_budget_is_ever_exceeded_and_nothing_vanishes(
    texts: list[tuple[str, SnippetGroup]], budget: int, bodies: Bodies
) -> None:
    context = pack_snippets([snippet(t, str(i), g) for i, (t, g) in enumerate(texts)], budget, bodies=bodies)
    assert context.tokens == sum(estimate_tokens(s.text) for s in context.snippets) <= budget
    whole = [s.title for s in context.snippets if not s.is_brief]
    dropped = [d.title for d in context.dropped]
    assert sorted(whole + dropped) == sorted(str(i) for i in range(len(texts)))


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("x + 1;\n", 5), ("serverAssert", 3), ("123456", 2), ("    ", 0)]
)
def test_the_estimate_follows_its_rule(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
