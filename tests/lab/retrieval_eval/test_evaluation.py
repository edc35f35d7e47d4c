"""Prevents: a recall that a tie, a forgotten target or a wrong denominator made; a p-value that isn't one; a
development split that holds a target of the benchmark or its clone; a prompt that counts as answerable though a name
is missing, or not since it needs none."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from executor.tasks.datasets import load_rows
from index.errors import ConfigError
from index.values import Span, Symbol, SymbolKind
from lab.retrieval_eval.evaluation import (
    ARM_ROWS,
    find_callee_ranks_or_zeros,
    keep_found_targets,
    make_queries,
    score_retrievers_and_prompts,
    validate_retriever_names,
)
from lab.retrieval_eval.figures import (
    CONTEXT_BUDGETS,
    PromptScore,
    TargetScore,
    compare_retriever_recall,
    summarise_prompts,
    summarise_scores,
)
from lab.retrieval_eval.targets import draw_targets, has_eligible_text_and_few_callers
from lab.retrieval_eval.true_callees import Callee
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.name_chances import make_name_finder
from retrieval.values import Hit
from tests.support.projects import write_files

pytestmark = pytest.mark.xdist_group("retrieval_eval")

EXAMPLES = Path(__file__).parents[3] / "examples"

BODY = "    int a = {0}(x);\n    int b = x + {1};\n    return a * b;\n"


def function(name, callee, doc="/* One of the many numbers here. */", number=1):
    return f"{doc}\nint {name}(int x) {{\n{BODY.format(callee, number)}}}\n"


TREE = {
    "core.h": "struct box { int side; int depth; };\n#define LIMIT 7\nextern int level;\nint base(int x);\n",
    "core.c": '#include "core.h"\nint level;\nint base(int x) { return x; }\nint other(int x) { return -x; }\n',
    "use.c": '#include "core.h"\n'
    + function("first", "base")
    # Of another shape, since a renamed copy of `first` is its twin.
    + "/* One of the many numbers here. */\nint second(int x) {\n"
    + "    while (x > 3)\n        x -= other(x);\n    return x;\n}\n"
    + function("third", "base", doc="/* Too short. */", number=333)
    + function("fourth", "strlen", number=4444)
    + "/* A body of a single line is left out. */\nint fifth(int x) { return base(x); }\n",
    "twin.c": function("b3First", "base"),
    "test_use.c": function("probe", "base"),
}


@pytest.fixture
def index(indexed):
    return indexed(TREE)


def test_the_split_is_drawn_by_the_rules_and_again_the_same(index):
    asked = draw_targets(index, "tree", 10)
    assert sorted(a.target.name for a in asked) == ["b3First", "first", "second"]
    assert [a.id for a in asked] == [a.id for a in draw_targets(index, "tree", 10)]
    assert [a.id for a in asked[:2]] == [a.id for a in draw_targets(index, "tree", 2)]
    assert [
        has_eligible_text_and_few_callers(e, index) for e in index.functions if e.symbol.name in ("fourth", "fifth")
    ] == [
        True,
        False,
    ]


def test_neither_a_benchmark_target_nor_its_clone_is_drawn(index):
    first = next(a.target for a in draw_targets(index, "tree", 10) if a.target.name == "first")
    assert [a.target.name for a in draw_targets(index, "tree", 10, [first])] == ["second"]


def test_targets_without_callees_are_left_out_and_said(index):
    asked = draw_targets(index, "tree", 10)
    empty = asked[0]._replace(truth=asked[0].truth.__class__(()))
    repo = keep_found_targets("tree", index, [empty, *asked[1:], asked[1]._replace(missing="not there")])
    assert len(repo.targets) == 2
    assert repo.left_out == ("1 targets call nothing in the repository", "1 targets: not there")


def symbol(name, start, path="a.c"):
    span = Span(start, start + 1)
    return Symbol(SymbolKind.FUNCTION, name, name, path, span, start, start + 9, f"int {name}()", "", "c")


def test_a_rank_is_the_place_in_the_list_whatever_the_scores():
    tied = [Hit(symbol(f"f{i}", 10 * i), 1.0, "") for i in range(5)]
    callees = [
        Callee("f3", "a.c", (symbol("f3", 30),)),
        Callee("gone", "a.c", ()),
        Callee("f0", "a.c", (symbol("f0", 0),)),
    ]
    assert find_callee_ranks_or_zeros(tied, callees) == (4, 0, 1)
    either = [Callee("f", "a.c", (symbol("f4", 40), symbol("f2", 20)))]
    assert find_callee_ranks_or_zeros(tied, either) == (3,)


def scored(ranks_, name="r", id_="t", repo="x"):
    return TargetScore(repo, id_, name, ranks_, 0, 1, 2)


def test_figures_are_micro_over_callees_and_mean_over_targets():
    summary = summarise_scores([scored((1, 11, 0)), scored((4,)), scored((0, 0))])
    assert (summary.targets, summary.callees) == (3, 6)
    recall = {name: figure.value for name, figure in summary.figures.items() if name.startswith("recall@")}
    found = {1: 1 / 6, 3: 1 / 6, 5: 2 / 6, 10: 2 / 6, 20: 3 / 6, 50: 3 / 6}
    assert recall == {f"recall@{cut}": share for cut, share in found.items()}
    assert summary.figures["mrr"].value == pytest.approx((1 + 1 / 4 + 0) / 3)
    assert summary.figures["all_found@10"].value == pytest.approx(1 / 3)
    assert summary.latency_ms["median"] == 3
    for name in recall:
        assert 0 <= summary.figures[name].low <= summary.figures[name].value <= summary.figures[name].high <= 1
    assert math.isnan(summarise_scores([]).figures["mrr"].value)


def test_pairs_need_the_same_targets():
    first, other = [scored((1, 2), "a"), scored((0,), "a", "u")], [scored((0, 20), "b"), scored((0,), "b", "u")]
    test = compare_retriever_recall(first, other, 10)
    assert (test.first, test.second, test.difference, test.p) == ("a", "b", pytest.approx(2 / 3), 1.0)
    with pytest.raises(ValueError, match="same targets"):
        compare_retriever_recall(first, other[::-1], 10)


def prompted(needed, shown, budget=1000):
    return PromptScore("x", "t", "r", budget, 100 * sum(shown), needed, shown)


def test_a_prompt_is_answerable_when_it_lacks_no_name():
    prompts = [
        prompted((2, 1, 0, 0, 0, 0), (2, 1, 0, 0, 0, 0)),
        prompted((2, 0, 1, 0, 0, 0), (2, 0, 0, 0, 0, 0)),
        prompted((0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)),  # needs none, so it lacks none
        prompted((0, 0, 4, 0, 0, 0), (0, 0, 3, 0, 0, 0)),
    ]
    figures = summarise_prompts([*prompts, prompted((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), 2000)])
    found = {name: figure.value for name, figure in figures.items() if name.endswith("@1000tokens")}
    assert found["answerable@1000tokens"] == 2 / 4
    assert found["names@1000tokens"] == 8 / 10
    assert (found["functions@1000tokens"], found["macros@1000tokens"], found["fields@1000tokens"]) == (1, 1, 3 / 5)
    assert found["tokens@1000tokens"] == 200
    assert math.isnan(found["globals@1000tokens"]), "nobody needs one"
    assert figures["answerable@2000tokens"].value == 0
    share = figures["answerable@1000tokens"]
    assert 0 <= share.low < share.value < share.high <= 1


def test_prompts_are_scored_for_arms_and_retrievers_of_silent_targets_too(index):
    gold = "int first(int x) {\n    struct box b; b.side = base(LIMIT);\n    return b.side + level;\n}\n"
    first, second, *_ = sorted(draw_targets(index, "tree", 10), key=lambda asked: asked.target.name)[1:]
    silent = second._replace(truth=second.truth.__class__(()), gold="int second(int x) { return x; }")
    asked = [first._replace(gold=gold, oracle=(("int base(int x) { return x; }", "", ""),)), silent]
    repo = keep_found_targets("tree", index, asked)
    queries = make_queries(["lookup", "oracle"], index, RetrieverSettings(()))
    ranks, prompts = score_retrievers_and_prompts(
        repo, queries, "strict", find_names=make_name_finder(index, RetrieverSettings()).find_names
    )
    assert [(score.id, score.retriever) for score in ranks] == [(first.id, "lookup"), (first.id, "oracle")]
    shown = {(p.id, p.row): p for p in prompts if p.budget == 1000}
    assert {row for _, row in shown} == {*ARM_ROWS, "lookup"}
    assert len(prompts) == len(CONTEXT_BUDGETS) * (2 * 5 - 1), "the silent target has no oracle"
    # Functions, macros, fields, globals, types.
    assert shown[first.id, "none"].needed == (1, 1, 1, 1, 1, 0)
    assert shown[first.id, "none"].shown == (0, 0, 0, 0, 0, 0)
    assert shown[first.id, "oracle"].shown == (1, 0, 0, 0, 0, 0)
    for row in ("oracle+", "lookup"):
        assert shown[first.id, row].shown == shown[first.id, row].needed, row
    assert sum(shown[silent.id, "none"].needed) == 0
    # Without contexts nobody asks about targets that call nothing.
    assert score_retrievers_and_prompts(repo, queries, "strict").prompts == []


def test_a_misspelt_retriever_is_one_line():
    assert validate_retriever_names(["bm25", "body", "bm25"]) == ("bm25", "body")
    with pytest.raises(ConfigError, match="did you mean 'lexical'"):
        validate_retriever_names(["lexicle"])


def test_the_command_gives_json_for_the_example_and_tables_for_a_tree(evaluate, monkeypatch):
    code, output = evaluate("--retrievers", "bm25,lexical,lookup", "--limit", 6, "--json")
    found = json.loads(output)
    assert code == 0 and set(found) == {"repos", "pooled", "prompts"} and set(found["repos"]) == {"example"}
    assert set(found["repos"]["example"]) == set(found["pooled"]) == {"bm25", "lexical", "lookup"}
    for figures in found["pooled"].values():
        assert 0 <= figures["intervals"]["recall@10"][0] <= figures["recall@10"] <= figures["recall@50"] <= 1
    prompts = found["prompts"]["pooled"]
    assert prompts == found["prompts"]["example"] and prompts["targets"] >= found["pooled"]["bm25"]["targets"]
    assert list(prompts["rows"]) == ["none", "file", "oracle", "oracle+", "bm25", "lexical", "lookup"]
    for figures in prompts["rows"].values():
        low, high = figures["intervals"]["answerable@6000tokens"]
        assert 0 <= low <= figures["answerable@6000tokens"] <= high <= 1
    assert prompts["rows"]["oracle+"]["answerable@6000tokens"] == 1
    assert prompts["rows"]["none"]["answerable@6000tokens"] < 0.5
    assert found["pooled"]["lookup"]["recall@10"] > 0.8
    assert found["pooled"]["lookup"]["paired"]["bm25"]["recall@10"]["p"] <= 1
    tree = EXAMPLES / "inventory"
    monkeypatch.setenv("COLUMNS", "80")
    words = ("--tree", tree, "--retrievers", "bm25,popularity,body,oracle", "--limit", 3)
    code, output = evaluate(*words)
    assert code == 0 and "true callees: graph" in output and "exact paired sign-flip tests" in output
    assert "answerable, of 3 targets" in " ".join(output.split()) and "oracle+" in output
    assert max(map(len, output.splitlines())) <= 80, output
    assert "No room for" not in output.partition("answerable")[2]


def test_tasks_of_several_functions_are_left_out_and_counted(evaluate, tmp_path, caplog):
    for folder in ("inventory/tasks/date-plus-months", "pairs/hold-and-workdays"):
        shutil.copytree(EXAMPLES / folder, tmp_path / "both" / Path(folder).name)
    with caplog.at_level("INFO"):
        code, output = evaluate("--dataset", tmp_path / "both", "--retrievers", "bm25", "--no-contexts", "--json")
    assert code == 0 and json.loads(output)["pooled"]["bm25"]["targets"] == 1
    assert "1 tasks of several functions left out" in caplog.text


MOVED = "C9181FD72A40273A"  # of Debuginfod.cpp: line 157 at the data set's commit


def test_tasks_of_another_version_are_asked_about_where_their_text_stands(evaluate, tmp_path):
    row = next(row for row in load_rows("yabloco") if row.id == MOVED)
    before = "struct BuildIDRef {};\nint getDebuginfodCacheKey(int key) {\n  return key + 1;\n}\n"
    write_files(tmp_path / "tree", {row.path: before + (row.dataset_gold or "")})
    words = ("--dataset", "yabloco", "--repos", "llvm-prebuilt", "--source", f"llvm-prebuilt={tmp_path / 'tree'}")
    assert "--truth graph" in evaluate(*words)[1]
    code, output = evaluate(*words, "--retrievers", "random", "--truth", "graph", "--no-contexts", "--json")
    (found,) = json.loads(output)["pooled"].values()
    assert code == 0 and (found["targets"], found["callees"]) == (1, 1)
