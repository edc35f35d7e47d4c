"""Prevents: a variant that counts as proved though a name was renamed that must stay, a gold of it fails, or nothing
was tried; a proof that begins from nothing each time; plus tests that grade a variant though they say something else
there than on the original."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from executor.candidate.execute import execute_edits
from executor.manifest.health import Fate, Variant
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.record import (
    describe_variant_tree_in_cache,
    digest_renaming_maps,
    find_variant,
    read_variant_record,
    require_proof,
)
from executor.manifest.variant.renamed_tasks import rename_row_keeping_id_and_span
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec
from executor.repository.images import build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Outcome, TestRun, Tier, Verdict
from index.errors import ConfigError, RecipeError
from lab.variants.name_map import make_name_map
from lab.variants.proof import task_trials as trials
from lab.variants.proof import variant_proof as prove
from lab.variants.proof.variant_proof import Demand, is_proof_sufficient, make_and_prove_variant_under_lock
from tests.fixtures.calc import add_task
from tests.support.variants import open_variant_inputs

SPEC = VariantSpec("plausible", 3)
SOME = Demand(golds=2, gold_runs=1, reruns=1)


def _making(cache, sandbox="process", ids=()):
    rows = [row for row in load_rows("example") if row.repository == "example" and row.id in ids]
    return open_variant_inputs(find_recipe("example"), cache, SPEC, rows, sandbox)


@pytest.fixture(scope="module")
def built_cache(tmp_path_factory, cache):
    """A cache with the example and its variant built in the process sandbox, and no task of it tried."""
    folder = Path(shutil.copytree(cache, tmp_path_factory.mktemp("variant") / "built", symlinks=True))
    make_and_prove_variant_under_lock(_making(folder), Demand(reruns=0))
    return folder


@pytest.fixture
def own_cache(tmp_path, built_cache):
    """The same, of the test's own."""
    return Path(shutil.copytree(built_cache, tmp_path / "own", symlinks=True))


@pytest.mark.bwrap
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_example_is_proved_in_a_sandbox_and_a_second_call_goes_on_where_the_first_one_ended(
    bwrap_cache, caplog, monkeypatch
):
    # None is in a header, on which each of its trials builds all.
    making = _making(bwrap_cache, "bwrap", ("check-digit", "price-net"))
    demand = Demand(golds=1, gold_runs=2, reruns=1)

    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prove, "try_stubs", stopped)
        with pytest.raises(KeyboardInterrupt):
            make_and_prove_variant_under_lock(making, demand)
    begun = read_variant_record(making.record_path)
    with pytest.raises(ConfigError, match="isn't proved; prove it: graft variants make example --style plausible"):
        require_proof(begun)

    caplog.clear()
    with monkeypatch.context() as patch:
        patch.setattr(prove, "make_name_map", stopped)
        patch.setattr(trials, "grade_text", counted := _Counted(trials.grade_text))
        record = make_and_prove_variant_under_lock(making, demand)
    assert not [line for line in caplog.messages if "building" in line or "baseline" in line]
    assert set(counted.texts) == {"stub"}
    assert record.proof.passed_golds_of_tried == "1 of 1 (2 tasks)"
    there = making.image.recipe, making.rows
    assert is_proof_sufficient(record, demand, *there)
    assert not is_proof_sufficient(record, Demand(), *there)
    assert not is_proof_sufficient(record, replace(demand, reruns=5), *there)
    assert not is_proof_sufficient(replace(record, proof=None), demand, *there)

    proof = record.proof
    assert proof.problems == ()
    assert (proof.suites, proof.suites_tried, proof.tests) == (2, 2, 97)
    assert (proof.golds, proof.golds_tried, proof.gold_runs) == (1, 1, 2)
    assert (proof.stubs, proof.stubs_tried, proof.reruns, proof.reruns_tried) == (1, 1, 1, 1)
    assert {"map", "tree", "build", "suites", "golds", "stubs", "reruns"} <= set(proof.seconds)
    require_proof(record)
    assert find_variant(bwrap_cache, making.source, SPEC) == record
    # The tests' names are printed by a macro: these functions stay, and everything else of the golds changes.
    assert any("makes a text of it" in reason for reason in record.kept.values())
    assert record.renamed_share_of_gold_identifiers is not None and record.renamed_share_of_gold_identifiers > 0.8


@pytest.mark.slow
def test_each_function_of_a_task_of_several_is_tried(own_cache, monkeypatch):
    """The stub of each fails beside the others' golds; a data set that stands beside the repository's own is proved
    for itself."""
    making = _making(own_cache)
    every = [row for row in load_rows("example-pairs") if row.repository == "example"]
    making = replace(making, rows=every)
    manifest = load_manifest(manifest_path(making.image.recipe))
    some = next(iter(manifest.tasks.values()))
    examined = replace(manifest, tasks={row.id: replace(some, task_id=row.id) for row in every})
    monkeypatch.setattr(prove, "load_manifest", lambda _: examined)
    monkeypatch.setattr(trials, "grade_text", counted := _Counted(trials.grade_text))
    record = make_and_prove_variant_under_lock(making, Demand(gold_runs=1, reruns=0))
    assert (record.proof.golds, record.proof.stubs, record.proof.problems) == (2, 2, ())
    assert counted.texts.count("stub") == sum(len(row.target.holes) for row in every)
    assert record.proof.datasets == ("pairs",)
    monkeypatch.setattr(
        "executor.manifest.variant.record.find_differently_named_made_datasets", lambda _: ("example-hard",)
    )
    require_proof(record, "example")
    with pytest.raises(ConfigError, match="isn't proved by the tasks of example-hard; prove it: graft variants make"):
        require_proof(record, "example-hard")


class _Counted:
    """Calls through, and notes which kinds of trials ran."""

    def __init__(self, real):
        self.real, self.texts = real, list[str]()

    def __call__(self, place, pair, what, *more):
        self.texts.append(what)
        return self.real(place, pair, what, *more)


@pytest.mark.parametrize("name", ["main", "printf"])
def test_a_name_that_must_stay_and_is_forced_through_is_never_proved(tiny_recipe, tmp_path, monkeypatch, name):
    """As a map would be whose reasons to keep a name were wrong: whatever shows that it must stay, it is renamed."""

    def forced(*words):
        made = make_name_map(*words)
        names: Mapping[str, str] = {**made.names, name: "wrongly_renamed"}
        return replace(made, names=names, digest=digest_renaming_maps(names, {}))

    monkeypatch.setattr(prove, "make_name_map", forced)
    monkeypatch.setattr(prove, "move_names_to_kept", lambda record, *_: record)
    making = open_variant_inputs(tiny_recipe, tmp_path / "cache", SPEC)
    with pytest.raises(RecipeError, match=f"keeping {name}.* changes nothing in the map"):
        make_and_prove_variant_under_lock(making, SOME)
    record = read_variant_record(making.record_path)
    with pytest.raises(ConfigError, match="isn't proved"):
        require_proof(record)


@pytest.mark.slow
def test_a_gold_that_is_not_the_originals_and_a_stub_that_passes(own_cache, monkeypatch):
    """A tree whose lines hold another text than the renamed gold."""
    making = _making(own_cache, ids=("text-trim",))
    monkeypatch.setattr(trials, "make_plain_stub_variant_per_hole", lambda task: (Variant("stub", "zero", task.gold),))
    first = make_and_prove_variant_under_lock(making, replace(SOME, reruns=0))
    row = making.rows[0]
    assert [line.rpartition(": ")[2] for line in first.proof.problems] == ["the stub passes"]
    with pytest.raises(ConfigError, match=rf"isn't proved \(stub {row.id} .*: the stub passes\)"):
        require_proof(first)
    # Plus tests that grade the task on the variant count as well: ODE's stub that leaves its result to chance.
    failing = Verdict(Outcome.TESTS_FAILED, Tier.TESTS, True, "")
    monkeypatch.setattr(trials, "_grade_by_plus_tests", lambda *_: failing)
    manifest = load_manifest(manifest_path(making.image.recipe))
    task = make_task_from_row(row, making.source.root)
    setup = trials.TrialSetup(making.image, making.image, making.backend, {}, manifest, making.folder / "again")
    for plus_tasks, passed in ((), 0), ((row.id,), 1):
        assert len(trials.try_stubs(setup, first, [trials.TaskPair(task, task)], plus_tasks).passed) == passed
    path = describe_variant_tree_in_cache(own_cache, making.source, first).root / first.new_path_of(row.path)
    lines = path.read_text().split("\n")
    lines[row.span.first - 1] += " /* other */"
    path.write_text("\n".join(lines))
    (making.folder / "trials.jsonl").unlink()
    second = make_and_prove_variant_under_lock(making, replace(SOME, reruns=0))
    assert "doesn't hold the renamed gold at its lines" in second.proof.problems[0]


@pytest.mark.slow
def test_plus_tests_hold_where_each_text_meets_its_fate(own_cache, tmp_path, monkeypatch):
    making = _making(own_cache, ids=("map-remove",))
    record = make_and_prove_variant_under_lock(making, Demand(golds=0, reruns=0))
    (row,), recipe, root = making.rows, making.image.recipe, making.source.root
    tree = describe_variant_tree_in_cache(own_cache, making.source, record)
    image = build_image(recipe, tree, making.backend, None, own_cache)
    pair = trials.TaskPair(
        make_task_from_row(row, root),
        make_task_from_row(rename_row_keeping_id_and_span(row, record, root, tree.root), tree.root),
    )
    manifest = load_manifest(manifest_path(recipe))
    plus = manifest.plus[row.id]

    def prove_in(folder, manifest):
        folder.mkdir()
        setup = trials.TrialSetup(image, making.image, making.backend, record.names, manifest, folder)
        return trials.prove_renamed_plus_tests(setup, record, [pair], 1)

    found = prove_in(tmp_path / "whole", manifest)
    assert (found.passed, found.tried, found.problems) == ((row.id,), 1, ())
    # Also without the bodies: graft-suite's don't stand beside its recipes.
    with monkeypatch.context() as without_bodies:
        without_bodies.setattr("lab.variants.proof.task_trials.find_body_file", lambda _: tmp_path / "wrong.yaml")
        assert prove_in(tmp_path / "bare", manifest) == found

    wrong = next(body for body in plus.bodies if body.fate is Fate.KILLED)
    survived = tuple(replace(body, fate=Fate.SURVIVED) if body is wrong else body for body in plus.bodies)
    for line, changed in (
        ("is survived on the original alone", replace(plus, bodies=survived)),
        ("stubs fail, on the original 0 of", replace(plus, stubs_killed=0)),
    ):
        found = prove_in(tmp_path / line.split()[1], replace(manifest, plus={row.id: changed}))
        assert found.passed == ()
        assert line in found.problems[0]
    unsound = replace(manifest, plus={row.id: replace(plus, gold_passed=0)})
    assert prove_in(tmp_path / "unsound", unsound).tried == 0


def test_what_one_variant_showed_to_stay_stays_in_the_next_from_the_start(tiny_recipe, tmp_path):
    """A name that the linker's command line holds: only the build shows it."""
    makefile = tmp_path / "tree" / "Makefile"
    makefile.write_text(makefile.read_text().replace("cc -o $@ ", "cc -o $@ -Wl,--defsym=other=twice "))
    records = [
        make_and_prove_variant_under_lock(open_variant_inputs(tiny_recipe, tmp_path / "cache", spec), Demand(reruns=0))
        for spec in (VariantSpec(), VariantSpec("plausible", 2))
    ]
    assert [
        record.proof and (record.proof.has_tried_suites_without_problems, record.proof.rounds) for record in records
    ] == [(True, 2), (True, 1)]
    assert records[0].kept["twice"] == records[1].kept["twice"]
    assert records[1].learnt == records[0].learnt == ("twice",)


def _trim_setup(tmp_path, manifest):
    """The example's task text-trim under its own names, in an image that is never used."""
    row = next(row for row in load_rows("example") if row.id == "text-trim")
    task = make_task_from_row(row, checkout_source(find_recipe("example"), None, tmp_path).root)
    image: Any = SimpleNamespace(recipe=find_recipe("example"), key="key")
    setup = trials.TrialSetup(image, image, None, {}, manifest, tmp_path)
    return setup, trials.TaskPair(task, task)


@pytest.mark.parametrize("repeats", [True, False])
def test_a_finding_that_differs_counts_only_when_it_repeats_on_the_original(repeats, monkeypatch, tmp_path, caplog):
    """redis: a stub that the doctor saw killed by a test that failed by chance."""
    setup, pair = _trim_setup(tmp_path, load_manifest(manifest_path(find_recipe("example"))))

    def repeat(setup, planner, side, found, text):
        is_plain = (found.kind, found.name) == ("stub", "zero")
        return "stub zero passes c" if is_plain and (side == "renamed" or not repeats) else ""

    monkeypatch.setattr(trials, "_repeat_finding_and_explain_difference", repeat)
    tally = trials.repeat_findings(setup, [pair])
    assert (len(tally.passed), tally.tried) == ((0, 1) if repeats else (1, 1))
    assert ("nor does it repeat on the original" in caplog.text) == (not repeats)


@pytest.mark.parametrize(
    ("failing", "calls", "good"),
    [
        (set[tuple[int, int]](), [(0, 3)], 1),
        # A suite that its own leftovers disturb.
        ({(0, 3)}, [(0, 3), (0, 1), (1, 1), (2, 1)], 1),
        ({(0, 3), (1, 1)}, [(0, 3), (0, 1), (1, 1)], 0),
    ],
)
def test_a_gold_is_built_once_and_fresh_sandboxes_decide_when_one_fails(failing, calls, good, monkeypatch, tmp_path):
    setup, pair = _trim_setup(tmp_path, None)
    made: list[tuple[int, int]] = []

    def grade(setup, pair, what, code, number, rounds=1):
        made.append((number, rounds))
        outcome = Outcome.TESTS_FAILED if made[-1] in failing else Outcome.PASSED
        return Verdict(outcome, Tier.TESTS, True, "a test failed")

    monkeypatch.setattr(trials, "grade_text", grade)
    tally = trials.try_golds(setup, [pair], 3)
    assert (made, len(tally.passed)) == (calls, good)
    assert all(line.endswith("run 2: a test failed") for line in tally.problems)


def test_a_gold_whose_comment_names_a_renamed_file_is_the_originals(monkeypatch, tmp_path):
    setup, pair = _trim_setup(tmp_path, None)
    setup = replace(setup, names={"trim": "zot"}, paths={"src/text.h": "src/vex.h"})
    texts = [pair.original.gold.replace("{", f"{{ /* See {name}. */", 1) for name in ("text.h", "vex.h")]
    pair = trials.TaskPair(*(replace(pair.original, gold=text) for text in texts))
    monkeypatch.setattr(trials, "grade_text", lambda *_: Verdict(Outcome.PASSED, Tier.TESTS, True, ""))
    assert trials.try_golds(setup, [pair], 1).problems == ()


@pytest.mark.parametrize(("body", "outcome", "ran"), [("a + b", "passed", 6), ("a - b", "tests_failed", 1)])
def test_the_suites_of_one_build_run_in_rounds(tiny, body, outcome, ran, monkeypatch, tmp_path):
    task = add_task()
    setup = trials.TrialSetup(tiny.image, tiny.image, tiny.backend, {}, None, tmp_path)
    runs: list[TestRun] = []

    def kept(*words):
        runs.append(execute_edits(*words))
        return runs[-1]

    monkeypatch.setattr(trials, "execute_edits", kept)
    verdict = trials.grade_text(setup, trials.TaskPair(task, task), "gold", task.gold.replace("a + b", body), 0, 3)
    assert (verdict.outcome.value, len(runs), len(runs[0].suites)) == (outcome, 1, ran)


@pytest.fixture(autouse=True)
def _messages(caplog):
    caplog.set_level(logging.INFO)


def test_a_mended_map_keeps_its_other_names_and_counts_the_golds_again():
    names = {"list_add": "golp", "list_end": "vusk", "hidden": "brin"}
    proof = Proof("process", "key", "2026-11-22", suites=1, suites_tried=1)
    record = VariantRecord("tiny", SPEC, "", "o", names, {"main": "entry"}, {}, "d", 2, 2, proof)
    golds = {"int", "f", "return", "list_add", "list_end"}
    made = prove.move_names_to_kept(record, {"list_add": "build: x", "hidden": "build: y"}, golds)
    assert made.names == {"list_end": "vusk"}
    assert made.kept == {"hidden": "build: y", "list_add": "build: x", "main": "entry"}
    assert (made.used, made.used_renamed, made.proof) == (2, 1, None)
    assert made.digest == digest_renaming_maps(made.names, {})
    assert prove.move_names_to_kept(made, {"list_add": "build: x"}, golds) is made
