"""Prevents: a draft's names that lead to a namesake in another corner of the tree, to the draft's own variables or
to the hidden body, and a made-up name that leads nowhere though a cousin of it exists."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Span, SymbolKind, Target
from retrieval.context.assembly import Packing, make_retrieved_context, make_surroundings_context
from retrieval.context.surroundings import find_most_similar_functions_in_file, make_includes_snippet
from retrieval.text.draft_lookup import (
    find_identifiers,
    find_mentions,
    find_symbols_named_in_draft,
    find_unresolved_calls,
    retrieve_after_draft,
)
from retrieval.text.lexical import LexicalRetriever
from retrieval.text.nearness import ELSEWHERE, INCLUDED, INCLUDED_TWICE, SAME_FILE, SAME_FOLDER, Nearness
from retrieval.values import Hit, NameChance, SnippetGroup
from tests.support.indexes import Indexed
from tests.support.targets import find_target

DICT_H = """\
#include "types.h"
#define DICT_OK 0
typedef struct dict dict;
struct dict { int used; int rehash_index; };
enum side { LEFT_SIDE, RIGHT_SIDE };
int dictAdd(dict *d, int key);
void dictPause(dict *d);
extern int dict_count;
"""
DICT_C = """\
#include <stdio.h> /* for printf */
#include "dict.h"
int dict_count = 0;
/* Adds a key. It may
 * already be there. */
int dictAdd(dict *d, int key) {
    d->used += key;
    return DICT_OK;
}
void dictPause(dict *d) {
    d->rehash_index++;
    step(d);
}
/* Forget every key of the dictionary. */
int dictClear(dict *d, int used) {
    dictPause(d);
    d->used = 0;
    secret_one(d, used, dict_count);
    return DICT_OK;
}
static int step(dict *d) {
    return d->used;
}
"""
FILES = {
    "dict.h": DICT_H,
    "dict.c": DICT_C,
    "types.h": "struct deep { int level; };\nint deepest(void);\n",
    "other.c": "int step(int a) {\n    return a;\n}\nint lonely(void) {\n    return 1;\n}\n"
    "struct box { int used; };\n",
    "lib_dict.h": "int dictAdd(int other);\nstruct wide { int rehash_index; };\n",
}
TARGET = Target("t", "dict.c", Span(15, 20), "dictClear", "int dictClear(dict *d, int used)", "Forget all.", "c")
DRAFT = """\
int dictClear(dict *d, int used) {
    struct deep *level = 0;
    int lonely = used, side = LEFT_SIDE;
    dictPause(d);
    if (dictAdd(d, lonely) == DICT_OK) step(d);
    d->rehash_index = dict_count;
    dictForget(d);
    dictClear(d, 0);
    printf("dictPause");
    return helper(level) * d->used;
}
"""


@pytest.fixture
def index(indexed: Indexed) -> RepoIndex:
    return indexed(FILES)


@pytest.fixture
def view(index: RepoIndex) -> HiddenView:
    return index.hide(TARGET, "strict")


def test_what_a_draft_names_is_found_where_it_is_nearest(view: HiddenView) -> None:
    got = [(hit.symbol.qualified_name, hit.symbol.path) for hit in find_symbols_named_in_draft(view, DRAFT, TARGET)]
    assert got[:3] == [("dictPause", "dict.c"), ("dictAdd", "dict.c"), ("step", "dict.c")]
    assert set(got[3:]) >= {
        ("DICT_OK", "dict.h"),
        ("dict_count", "dict.c"),
        ("deep", "types.h"),
        ("dict", "dict.h"),
    }
    assert ("LEFT_SIDE", "dict.h") in {(name.rpartition("::")[2], path) for name, path in got}
    # `lonely` and `level` are the draft's own, `dictClear` is the hole, `used` is a field of two types.
    assert not {name for name, _ in got} & {"lonely", "level", "dictClear", "box", "helper", "printf"}


def test_a_field_leads_to_the_type_that_has_it(view: HiddenView) -> None:
    hits = find_symbols_named_in_draft(view, "void f(void) { g->rehash_index = 1; }", TARGET)
    assert [(h.symbol.kind, h.symbol.name, h.symbol.path) for h in hits] == [(SymbolKind.TYPE, "dict", "dict.h")]
    assert "rehash_index" in hits[0].reason


@pytest.mark.parametrize(
    ("tree", "signature", "draft", "found"),
    [
        # Operators count for the types in hand alone.
        (
            "struct vec {\n    float x;\n    vec &operator+=(const vec &o) { x += o.x; return *this; }\n};\n"
            "struct money { long n; };\nmoney operator+(money a, money b) { return a; }\n",
            "void use(vec &v)",
            "{ v += v; int i = 1 + 2; }",
            ["vec", "vec::operator+="],
        ),
        (
            "namespace one { int make(int a) { return a; } }\nnamespace two { int make(int a) { return a; } }\n"
            "struct Box { int size() const { return 1; } };\n",
            "int use(Box &b)",
            "{ return two::make(b.size()); }",
            ["two::make", "Box::size", "Box"],
        ),
    ],
)
def test_operators_qualified_names_and_members(
    indexed: Indexed, tree: str, signature: str, draft: str, found: list[str]
) -> None:
    index = indexed({"a.cpp": f"{tree}{signature} {{\n    return;\n}}\n"})
    target = find_target(index, "use")
    hits = find_symbols_named_in_draft(index.hide(target, "strict"), f"{signature} {draft}", target)
    assert [hit.symbol.qualified_name for hit in hits] == found


def test_names_that_nothing_has(view: HiddenView) -> None:
    assert find_unresolved_calls(view, DRAFT, TARGET) == ["dictForget", "printf", "helper"]


def test_mentions_leave_out_keywords_strings_and_own_variables() -> None:
    text = 'int f(int n) { for (char *p = s; *p; p++) if (n) g("h(", p->next); return sizeof(n) + M; }'
    target = Target("t", "a.c", Span(1, 1), "f", "int f(int n)", "", "c")
    assert [tuple(m) for m in find_mentions(text, target)] == [
        ("g", "call"),
        ("s", "plain"),
        ("M", "plain"),
        ("next", "field"),
    ]
    assert find_identifiers('int x = "no" + 0x1f;') == ["x"]


def mentions_in(text: str, signature: str) -> dict[str, str]:
    """Name -> how it is mentioned."""
    return dict(find_mentions(text, Target("t", "a.cpp", Span(1, 9), "f", signature, "", "cpp")))


def test_a_call_with_template_arguments_is_a_call() -> None:
    text = "int f(int a) { return make<std::vector<int>>(a) + o.get<K>(a) + (i < n && m > (k)) + Limits<T>::max; }"
    found = mentions_in(text, "int f(int a)")
    assert (found["make"], found["get"]) == ("call", "member")
    assert {found[name] for name in ("i", "n", "m", "Limits")} == {"plain"}


def test_a_statement_declares_nothing() -> None:
    text = "A::~A() { delete m_data; throw last; co_await step; co_yield item; co_return total; }"
    assert mentions_in(text, "A::~A()").keys() - {"A"} == {"m_data", "last", "step", "item", "total"}


def test_a_comparison_a_shift_or_a_mask_declares_nothing() -> None:
    signature = "int f(int flags, std::vector<int> seen)"
    body = "{ std::map<int, vector<box *>> boxes; if (flags & MASK) flags >>= 1; g(more, flags > LIMIT);"
    found = mentions_in(f"{signature} {body} return h(other *kept, flags >> SHIFT); }}", signature)
    assert {found[name] for name in ("MASK", "LIMIT", "SHIFT", "more")} == {"plain"}
    assert not found.keys() & {"boxes", "seen", "kept", "flags"}


def test_how_far_a_file_is(indexed: Indexed) -> None:
    index = indexed({**FILES, "z.c": "int z;\n"})
    near = Nearness(index.hide(TARGET, "strict"))
    paths = ("dict.c", "dict.h", "types.h", "types.c", "z.c", "far/z.c")
    levels = [SAME_FILE, INCLUDED, INCLUDED_TWICE, INCLUDED_TWICE, SAME_FOLDER, ELSEWHERE]
    assert [near.find_distance_level(path) for path in paths] == levels


def test_a_draft_leads_to_names_then_cousins_then_the_rest(index: RepoIndex, view: HiddenView) -> None:
    lexical = LexicalRetriever(index)
    hits = retrieve_after_draft(view, TARGET, DRAFT, lexical, lexical, 5)
    reasons = [hit.reason for hit in hits]
    assert reasons[0] == "the draft calls it"
    assert any("dictForget" in reason for reason in reasons)
    base = lexical.retrieve(view, TARGET, 5)
    assert hits[-len(base) :] == base


def make_names_of_hits(view: HiddenView, target: Target, hits: Sequence[Hit]) -> list[NameChance]:
    """The likeliest first."""
    return [NameChance(hit.symbol, 0.9 / (1 + rank)) for rank, hit in enumerate(hits)]


def test_what_is_named_comes_first_in_the_context_though_the_base_finds_it_too(
    index: RepoIndex, view: HiddenView
) -> None:
    """A symbol that came twice stood at its last place: what a draft named sank to where the base had it."""
    base = LexicalRetriever(index).retrieve(view, TARGET, 5)
    last = base[-1]
    context = make_retrieved_context(
        view, TARGET, [last, *base], Packing(4000, hits=2, bodies="none"), "t", make_names_of_hits
    )
    assert {last.symbol.name, base[0].symbol.name} <= {s.title for s in context.snippets}
    assert base[1].symbol.name in {d.title for d in context.dropped}


def test_includes_and_examples_of_the_file(view: HiddenView) -> None:
    (block,) = make_includes_snippet(view, TARGET)
    assert block.text == '#include <stdio.h>\n#include "dict.h"'
    assert [hit.symbol.name for hit in find_most_similar_functions_in_file(view, TARGET)] == ["dictPause", "dictAdd"]


@pytest.mark.parametrize("show_tests", [True, False])
def test_code_of_tests_is_a_choice(indexed: Indexed, show_tests: bool) -> None:
    index = indexed({**FILES, "test_dict.c": "int forget_dictionary_key(int a) {\n    return dictAdd(a);\n}\n"})
    view = index.hide(TARGET, "strict")
    hits = LexicalRetriever(index).retrieve(view, TARGET, 20)
    context = make_retrieved_context(
        view, TARGET, hits, Packing(5000, show_tests=show_tests), "lexical", make_names_of_hits
    )
    assert ("forget_dictionary_key" in {s.title for s in context.snippets}) == show_tests
    assert context.tests == int(show_tests)
    assert ("code of tests" in {d.reason for d in context.dropped}) != show_tests


def test_a_file_is_cut_at_whole_lines_near_the_hole(view: HiddenView) -> None:
    context = make_surroundings_context(view, TARGET, Packing(60))
    above, below = context.snippets
    assert above.text.endswith("/* Forget every key of the dictionary. */")
    assert below.text.startswith("static int step(dict *d) {")
    assert context.tokens <= 60
    assert all(line in DICT_C.split("\n") for s in context.snippets for line in s.text.split("\n"))
    assert {s.group for s in context.snippets} == {SnippetGroup.FILE}
    cut = make_surroundings_context(view, TARGET, Packing(20)).dropped
    assert [dropped.title for dropped in cut] == ["above the function", "below the function"]
    whole = make_surroundings_context(view, TARGET, Packing(100_000)).snippets
    lines = DICT_C.split("\n")
    assert whole[0].text == "\n".join(lines[: TARGET.span.first - 1]).strip("\n")
    assert whole[1].text == "\n".join(lines[TARGET.span.last :]).strip("\n")
