"""Prevents: an upper bound that isn't one since a name of the gold has no declaration, a struct shown whole for one
field, half a comment, and a budget spent on bodies while names are missing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from index.repo_index import RepoIndex
from index.values import Target
from retrieval.context.assembly import Packing, make_oracle_and_declarations_context
from retrieval.context.declarations import make_declarations
from retrieval.names.needed_names import (
    NeededName,
    find_missing_names,
    find_needed_names,
    find_needed_names_of_holes,
    join_prompt_text,
)
from retrieval.values import SnippetGroup
from tests.support.indexes import Indexed
from tests.support.targets import find_target

FILLER = "".join(f"    int unused_{number}; /* nobody asks */\n" for number in range(30))
HEADER = f"""\
#define LIMIT 7
#define LONG_ONE(a) do {{ \\
{"".join(f"    call_{number}(a); {chr(92)}{chr(10)}" for number in range(20))}}} while (0)
typedef enum mode {{ SLOW_MODE, FAST_MODE }} mode;
/* A box. */
typedef struct box {{
{FILLER}    int side; /* how wide
                 it is */
    struct {{
{FILLER}        int inner;
    }} part;
    int depth;   /* and deep */
}} box;
extern int level;
int base(int x);
"""
SOURCE = """\
#include "core.h"
int level = 12;
/* The base. More of it. */
int base(int x) {
    return x * 12345;
}
int first(box *b, int count) {
    LONG_ONE(b->depth);
    if (b->part.inner > LIMIT) return base(b->side) + level;
    return SLOW_MODE;
}
"""


def declare(index: RepoIndex, target: Target, needed: Sequence[NeededName]) -> dict[str, str]:
    found = make_declarations([(index.hide(target, "strict"), needed)])
    assert [s.path for s in found] == sorted(s.path for s in found)
    return {snippet.title: snippet.text for snippet in found}


@pytest.fixture
def index(indexed: Indexed) -> RepoIndex:
    return indexed({"core.h": HEADER, "use.c": SOURCE})


def test_each_name_has_the_least_that_tells_it(index: RepoIndex) -> None:
    target = find_target(index, "first")
    needed = find_needed_names(SOURCE[SOURCE.index("int first") :], target, index)
    found = declare(index, target, needed)
    assert found["box"] == (
        "typedef struct box {\n    ...\n    int side;\n    ...\n    struct {\n    ...\n        int inner;\n"
        "    } part;\n    int depth;   /* and deep */\n} box;"
    )
    assert found["base"] == "// The base.\nint base(int x);"
    assert found["LIMIT"] == "#define LIMIT 7"
    assert found["LONG_ONE"] == "#define LONG_ONE(a) do { ..."
    assert found["mode"] == "typedef enum mode { SLOW_MODE, FAST_MODE } mode;"
    assert "12" not in found["level"], "a declaration, and nothing more"
    assert set(found) == {"box", "base", "LIMIT", "LONG_ONE", "mode", "level"}
    whole = "\n".join(found.values())
    assert find_missing_names(needed, whole) == ()
    assert "unused" not in whole


def test_names_come_before_bodies(index: RepoIndex) -> None:
    target = find_target(index, "first")
    gold = SOURCE[SOURCE.index("int first") :]
    view = index.hide(target, "strict")
    needed = find_needed_names_of_holes((gold,), target, index)
    body = "int base(int x) {\n" + "    x += 1;\n" * 200 + "    return x;\n}"
    for budget, whole in ((4000, True), (300, False)):
        context = make_oracle_and_declarations_context(
            view, target, [(body, "", "")], Packing(budget, bodies="all"), needed
        )
        shown = [snippet.text for snippet in context.snippets]
        assert find_missing_names(needed[0], join_prompt_text(target, shown)) == ()
        assert (body in shown) == whole
        assert context.tokens <= budget
        groups = [list(SnippetGroup).index(snippet.group) for snippet in context.snippets]
        assert groups == sorted(groups)
    functions = Packing(4000, groups=frozenset({SnippetGroup.FUNCTIONS}))
    context = make_oracle_and_declarations_context(view, target, [(body, "", "")], functions, needed)
    assert {snippet.group for snippet in context.snippets} == {SnippetGroup.FUNCTIONS}
