"""Prevents: recall on a renamed tree that is scored against other functions, or on a variant that nobody proved."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from executor.cache import cache_root
from executor.manifest.variant.record import (
    RECORD,
    describe_variant_tree_in_cache,
    variant_folder,
    write_variant_record,
)
from executor.manifest.variant.values import VariantSpec
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from index.cpp.tokens import tokenize
from lab.retrieval_eval.figures import TargetScore, measure_renaming_loss
from lab.retrieval_eval.run import EvaluationRequest, open_updated_index, prepare_repositories
from lab.retrieval_eval.variant_comparison import pair_targets_with_variant
from tests.support.variants import renamed_example

pytestmark = pytest.mark.xdist_group("retrieval_eval")

SPEC = VariantSpec("nonsense", 3)
REQUEST = EvaluationRequest(
    "example", (), (), (), ("bm25",), "strict", "benchmark", "benchmark", None, None, None, False
)


@pytest.fixture(scope="module")
def record(shared_cache):
    return renamed_example(shared_cache, SPEC)


@pytest.fixture
def variant(record, used_shared_cache):
    return record, describe_variant_tree_in_cache(used_shared_cache, original(), record).root


@pytest.fixture
def own_variant(record, shared_cache, tmp_path, monkeypatch):
    """The same in a cache of the test's own, which it may damage."""
    own = shutil.copytree(shared_cache, tmp_path / "cache", symlinks=True)
    monkeypatch.setenv("GRAFT_CACHE", str(own))
    return record, describe_variant_tree_in_cache(own, original(), record).root


def original():
    return checkout_source(find_recipe("example"), None, cache_root())


def test_the_variants_targets_have_the_same_callees_by_their_new_names(variant):
    record, root = variant
    (repo,) = prepare_repositories(REQUEST)
    found = pair_targets_with_variant(repo, record, open_updated_index(root))
    assert found.original.targets == repo.targets and found.original.left_out == repo.left_out
    assert len(found.renamed.barred) == len(repo.barred) > 0
    renamed = 0
    for old, new in zip(found.original.targets, found.renamed.targets, strict=True):
        assert (old.id, old.target.path, old.target.span) == (new.id, new.target.path, new.target.span)
        assert len(tokenize(old.gold)) == len(tokenize(new.gold))
        for before, after in zip(old.truth.callees, new.truth.callees, strict=True):
            assert len(before.symbols) == len(after.symbols)
            assert {s.span for s in before.symbols} == {s.span for s in after.symbols}
            renamed += {record.names.get(s.name, s.name) for s in before.symbols} == {s.name for s in after.symbols}
            assert not {s.name for s in before.symbols} & record.names.keys() & {s.name for s in after.symbols}
    assert renamed == sum(len(t.truth.callees) for t in repo.targets) > 10


def test_a_target_whose_callee_is_gone_is_left_out_of_both_and_said(own_variant):
    record, root = own_variant
    (repo,) = prepare_repositories(REQUEST)
    callee = repo.targets[0].truth.callees[0]
    for symbol in callee.symbols:
        lines = (root / symbol.path).read_text().split("\n")
        lines.insert(0, "// a line that isn't in the original")
        (root / symbol.path).write_text("\n".join(lines))
    found = pair_targets_with_variant(repo, record, open_updated_index(root))
    assert repo.targets[0].id not in {target.id for target in found.original.targets}
    assert len(found.original.targets) == len(found.renamed.targets) < len(repo.targets)
    assert "aren't where they were in the variant's index" in found.original.left_out[-1]


@pytest.mark.usefixtures("variant")
def test_the_command_puts_both_side_by_side_and_scores_prompts_in_both_trees(evaluate):
    asked = ("--retrievers", "bm25,lookup", "--variant", f"renamed:seed={SPEC.seed}", "--limit", 8)
    code, output = evaluate(*asked, "--json")
    assert code == 0, output
    found = json.loads(output)
    group = found["comparison"]["example"]
    assert group == found["comparison"]["pooled"] and group.keys() == {"bm25", "lookup"}
    for name, by_cut in group.items():
        figures = by_cut["recall@10"]
        assert figures["original"] == found["original"]["repos"]["example"][name]["recall@10"]
        assert figures["renamed"] == found["renamed"]["repos"]["example"][name]["recall@10"]
        assert figures["difference"] == pytest.approx(figures["renamed"] - figures["original"], abs=1e-5)
    # `lookup` reads the body: names matter nothing to it.
    assert group["lookup"]["recall@50"]["difference"] == 0
    assert found["variants"]["example"]["variant"] == str(SPEC)
    before, after = (found[tree]["prompts"]["pooled"] for tree in ("original", "renamed"))
    assert (before["targets"], before["needed"]) == (after["targets"], after["needed"])
    assert before["targets"] > found["original"]["pooled"]["bm25"]["targets"], "those that call nothing too"
    assert before["rows"]["oracle+"]["answerable@6000tokens"] == after["rows"]["oracle+"]["answerable@6000tokens"] == 1
    # Some of the original's names are plain words of a comment, too.
    shown = [tree["rows"]["oracle"]["functions@6000tokens"] for tree in (before, after)]
    assert shown[0] >= shown[1] > 0.8
    code, output = evaluate(*asked)
    parts = "@10 renamed", "difference @50", "example, the original: answerable", "example, renamed: answerable"
    assert code == 0 and [part for part in parts if part not in output] == []


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (("--variant", "renamed:seed=8"), "make it: graft variants make example --style nonsense --seed 8"),
        (("--variant", "renmed"), "there is renamed"),
        (("--variant", "renamed:seed=3", "--ray", "auto"), "leave out --variant"),
        (("--variant", "renamed:seed=3", "--tree", "."), "leave out --tree and --source"),
    ],
)
@pytest.mark.usefixtures("variant")
def test_what_cant_be_compared_is_a_clear_line(evaluate, asked, line):
    code, output = evaluate("--no-contexts", *asked)
    assert code == 2 and line in output, output


def test_a_tree_that_is_gone_is_written_again_and_an_unproved_variant_is_a_clear_line(evaluate, own_variant):
    record, root = own_variant
    place = variant_folder(cache_root(), original(), SPEC) / RECORD
    shutil.rmtree(root)
    code, output = evaluate("--no-contexts", "--variant", "renamed:seed=3")
    assert code == 0 and root.is_dir() and "answerable" not in output
    for proof in (None, replace(record.proof, problems=("a suite differs",))):
        write_variant_record(place, replace(record, proof=proof))
        assert "isn't proved" in evaluate("--variant", "renamed:seed=3")[1]


def test_what_is_lost_is_counted_over_the_same_callees():
    def scores(ranks):
        return [TargetScore("r", name, "bm25", of, 0, 0.0, 0.0) for name, of in ranks.items()]

    before, after = scores({"a": (1, 2), "b": (3,), "c": (11,)}), scores({"a": (1, 0), "b": (30,), "c": (2,)})
    found = measure_renaming_loss(before, after, 10)
    assert (found.original, found.renamed) == (0.75, 0.5)
    assert found.difference.value == -0.25 and found.difference.low < -0.25 < found.difference.high
    assert found.p == 1.0
    with pytest.raises(ValueError, match="same targets"):
        measure_renaming_loss(before, after[1:], 10)
