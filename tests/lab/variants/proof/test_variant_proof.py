"""Prevents: a variant that counts as proved though a name was renamed that must stay, a gold of it fails, or nothing
was tried; and a proof that begins from nothing each time."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from executor.candidate.execute import execute_edits
from executor.manifest.health import Finding, HealthManifest, Variant
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.record import (
    digest_maps,
    find_variant,
    locate_variant_source,
    read_variant_record,
    require_proof,
)
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec
from executor.repository.recipe import Recipe, find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import bind_row, load_rows
from executor.values import Outcome, TestRun, Tier, Verdict
from index.errors import ConfigError, RecipeError
from index.values import Target
from lab.variants.name_map import VariantInputs, make_name_map
from lab.variants.proof import task_trials as trials
from lab.variants.proof import variant_proof as prove
from lab.variants.proof.variant_proof import Demand, is_proof_sufficient, make_variant
from tests.fixtures.executor_fixtures import Tiny
from tests.support.variants import open_variant_inputs

SPEC = VariantSpec("plausible", 3)
SOME = Demand(golds=2, gold_runs=1, reruns=1)


def _making(cache: Path, sandbox: str = "process", ids: Sequence[str] = ()) -> VariantInputs:
    rows = [row for row in load_rows("example") if row.repository == "example" and row.id in ids]
    return open_variant_inputs(find_recipe("example"), cache, SPEC, rows, sandbox)


@pytest.fixture(scope="module")
def built_cache(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A cache with the example and its variant built in the process sandbox, and no task of it tried."""
    folder = Path(shutil.copytree(cache, tmp_path_factory.mktemp("variant") / "built", symlinks=True))
    make_variant(_making(folder), Demand(reruns=0))
    return folder


@pytest.fixture
def own_cache(tmp_path: Path, built_cache: Path) -> Path:
    """The same, of the test's own."""
    return Path(shutil.copytree(built_cache, tmp_path / "own", symlinks=True))


@pytest.mark.bwrap
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_example_is_proved_in_a_sandbox_that_isolates_and_a_second_call_goes_on_where_the_first_ended(
    bwrap_cache: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two of C, both with plus tests, and two of C++. None is in a header, on which each of its trials builds all.
    making = _making(bwrap_cache, "bwrap", ("array-reserve", "map-remove", "check-digit", "price-net"))
    demand = Demand(golds=2, gold_runs=3, reruns=1)

    def stopped(*_: object) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prove, "try_stubs", stopped)
        with pytest.raises(KeyboardInterrupt):
            make_variant(making, demand)
    begun = read_variant_record(making.path)
    assert begun is not None
    with pytest.raises(ConfigError, match="isn't proved; prove it: graft variants make example --style plausible"):
        require_proof(begun)

    caplog.clear()
    with monkeypatch.context() as patch:
        patch.setattr(prove, "make_name_map", stopped)
        patch.setattr(trials, "grade_text", counted := _Counted(trials.grade_text))
        record = make_variant(making, demand)
    assert not [line for line in caplog.messages if "building" in line or "baseline" in line]
    assert counted.kinds == {"stub"}
    assert record.proof is not None
    assert record.proof.gold_count == "2 of 2 (4 tasks)"
    there = making.image.recipe, making.rows
    assert is_proof_sufficient(record, demand, *there)
    assert not is_proof_sufficient(record, Demand(), *there)
    assert not is_proof_sufficient(record, replace(demand, reruns=5), *there)
    assert not is_proof_sufficient(replace(record, proof=None), demand, *there)

    proof = record.proof
    assert proof.problems == ()
    assert (proof.suites, proof.suites_tried, proof.tests) == (2, 2, 97)
    assert (proof.golds, proof.golds_tried, proof.gold_runs) == (2, 2, 3)
    assert (proof.stubs, proof.stubs_tried, proof.reruns, proof.reruns_tried) == (2, 2, 1, 1)
    assert {"map", "tree", "build", "suites", "golds", "stubs", "reruns"} <= set(proof.seconds)
    require_proof(record)
    assert find_variant(bwrap_cache, making.source, SPEC) == record
    # The tests' names are printed by a macro: these functions stay, and everything else of the golds changes.
    assert any("makes a text of it" in reason for reason in record.kept.values())
    assert record.strength is not None
    assert record.strength > 0.8


@pytest.mark.slow
def test_each_function_of_a_task_of_several_is_tried(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stub of each fails beside the others' golds; a data set that stands beside the repository's own is proved
    for itself."""
    making = _making(own_cache)
    every = [row for row in load_rows("example-pairs") if row.repository == "example"]
    making = replace(making, rows=every)
    manifest = load_manifest(manifest_path(making.image.recipe))
    assert manifest is not None
    some = next(iter(manifest.tasks.values()))
    examined = replace(manifest, tasks={row.id: replace(some, task_id=row.id) for row in every})
    monkeypatch.setattr(prove, "load_manifest", lambda _: examined)
    monkeypatch.setattr(trials, "grade_text", counted := _Counted(trials.grade_text))
    record = make_variant(making, Demand(gold_runs=1, reruns=0))
    assert record.proof is not None
    assert (record.proof.golds, record.proof.stubs, record.proof.problems) == (2, 2, ())
    assert counted.texts.count("stub") == sum(len(row.target.holes) for row in every)
    assert record.proof.datasets == ("pairs",)
    monkeypatch.setattr(
        "executor.manifest.variant.record.find_differently_named_datasets", lambda _: ("example-hard",)
    )
    require_proof(record, "example")
    with pytest.raises(ConfigError, match="isn't proved by the tasks of example-hard; prove it: graft variants make"):
        require_proof(record, "example-hard")


class _Counted:
    """Calls through, and notes which kinds of trials ran."""

    def __init__(self, real: Any) -> None:
        self.real, self.kinds, self.texts = real, set[str](), list[str]()

    def __call__(self, place: Any, pair: Any, what: str, *more: Any) -> Any:
        self.kinds.add(what)
        self.texts.append(what)
        return self.real(place, pair, what, *more)


@pytest.mark.parametrize("name", ["main", "printf"])
def test_a_name_that_must_stay_and_is_forced_through_is_never_proved(
    tiny_recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As a map would be whose reasons to keep a name were wrong: whatever shows that it must stay, it is renamed."""

    def forced(*words: Any) -> VariantRecord:
        made = make_name_map(*words)
        names: Mapping[str, str] = {**made.names, name: "wrongly_renamed"}
        return replace(made, names=names, digest=digest_maps(names, {}))

    monkeypatch.setattr(prove, "make_name_map", forced)
    monkeypatch.setattr(prove, "move_names_to_kept", lambda record, *_: record)
    making = open_variant_inputs(tiny_recipe, tmp_path / "cache", SPEC)
    with pytest.raises(RecipeError, match=f"keeping {name}.* changes nothing in the map"):
        make_variant(making, SOME)
    record = read_variant_record(making.path)
    assert record is not None
    with pytest.raises(ConfigError, match="isn't proved"):
        require_proof(record)


@pytest.mark.slow
def test_a_gold_that_is_not_the_originals_and_a_stub_that_passes(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tree whose lines hold another text than the renamed gold."""
    making = _making(own_cache, ids=("text-trim",))
    monkeypatch.setattr(trials, "make_plain_stubs", lambda task: (Variant("stub", "zero", task.gold),))
    first = make_variant(making, replace(SOME, reruns=0))
    assert first.proof is not None
    row = making.rows[0]
    assert [line.rpartition(": ")[2] for line in first.proof.problems] == ["the stub passes"]
    with pytest.raises(ConfigError, match=rf"isn't proved \(stub {row.id} .*: the stub passes\)"):
        require_proof(first)
    path = locate_variant_source(own_cache, making.source, first).root / first.new_path_of(row.path)
    lines = path.read_text().split("\n")
    lines[row.span.first - 1] += " /* other */"
    path.write_text("\n".join(lines))
    (making.folder / "trials.jsonl").unlink()
    second = make_variant(making, replace(SOME, reruns=0))
    assert second.proof is not None
    assert "doesn't hold the renamed gold at its lines" in second.proof.problems[0]


def test_what_one_variant_showed_to_stay_stays_in_the_next_from_the_start(tiny_recipe: Recipe, tmp_path: Path) -> None:
    """A name that the linker's command line holds: only the build shows it."""
    makefile = tmp_path / "tree" / "Makefile"
    makefile.write_text(makefile.read_text().replace("cc -o $@ ", "cc -o $@ -Wl,--defsym=other=twice "))
    records = [
        make_variant(open_variant_inputs(tiny_recipe, tmp_path / "cache", spec), Demand(reruns=0))
        for spec in (VariantSpec(), VariantSpec("plausible", 2))
    ]
    assert [record.proof and (record.proof.holds, record.proof.rounds) for record in records] == [(True, 2), (True, 1)]
    assert records[0].kept["twice"] == records[1].kept["twice"]
    assert records[1].learnt == records[0].learnt == ("twice",)


def _trim_setup(tmp_path: Path, manifest: HealthManifest | None) -> tuple[trials.TrialSetup, trials.TaskPair]:
    """The example's task text-trim under its own names, in an image that is never used."""
    row = next(row for row in load_rows("example") if row.id == "text-trim")
    task = bind_row(row, checkout_source(find_recipe("example"), None, tmp_path).root)
    image: Any = SimpleNamespace(recipe=find_recipe("example"), key="key")
    setup = trials.TrialSetup(image, image, None, {}, manifest, tmp_path)  # type: ignore[arg-type]
    return setup, trials.TaskPair(task, task)


@pytest.mark.parametrize("repeats", [True, False])
def test_a_finding_that_differs_counts_only_when_it_repeats_on_the_original(
    repeats: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """redis: a stub that the doctor saw killed by a test that failed by chance."""
    setup, pair = _trim_setup(tmp_path, load_manifest(manifest_path(find_recipe("example"))))

    def repeat(setup: trials.TrialSetup, planner: object, side: str, found: Finding, text: str) -> str:
        is_plain = (found.kind, found.name) == ("stub", "zero")
        return "stub zero passes c" if is_plain and (side == "renamed" or not repeats) else ""

    monkeypatch.setattr(trials, "_repeat_finding", repeat)
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
def test_a_gold_is_built_once_and_fresh_sandboxes_decide_where_a_round_fails(
    failing: set[tuple[int, int]], calls: list[tuple[int, int]], good: int, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    setup, pair = _trim_setup(tmp_path, None)
    made: list[tuple[int, int]] = []

    def grade(setup: Any, pair: Any, what: str, code: str, number: int, rounds: int = 1) -> Verdict:
        made.append((number, rounds))
        outcome = Outcome.TESTS_FAILED if made[-1] in failing else Outcome.PASSED
        return Verdict(outcome, Tier.TESTS, True, "a test failed")

    monkeypatch.setattr(trials, "grade_text", grade)
    tally = trials.try_golds(setup, [pair], 3)
    assert (made, len(tally.passed)) == (calls, good)
    assert all(line.endswith("run 2: a test failed") for line in tally.problems)


@pytest.mark.parametrize(("body", "outcome", "ran"), [("a + b", "passed", 6), ("a - b", "tests_failed", 1)])
def test_the_suites_of_one_build_run_in_rounds(
    tiny: Tiny, body: str, outcome: str, ran: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code = f"int add(int a, int b)\n{{\n    return {body};\n}}"
    target = Target("tiny", tiny.path, tiny.span, "add", "int add(int a, int b)", "", "c")
    task: Any = SimpleNamespace(target=target, id="add")
    setup = trials.TrialSetup(tiny.image, tiny.image, tiny.backend, {}, None, tmp_path)
    runs: list[TestRun] = []

    def kept(*words: Any) -> TestRun:
        runs.append(execute_edits(*words))
        return runs[-1]

    monkeypatch.setattr(trials, "execute_edits", kept)
    verdict = trials.grade_text(setup, trials.TaskPair(task, task), "gold", code, 0, 3)
    assert (verdict.outcome.value, len(runs), len(runs[0].suites)) == (outcome, 1, ran)


@pytest.fixture(autouse=True)
def _messages(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def test_a_mended_map_keeps_its_other_names_and_counts_the_golds_again() -> None:
    names = {"list_add": "golp", "list_end": "vusk", "hidden": "brin"}
    proof = Proof("process", "key", "2026-11-22", suites=1, suites_tried=1)
    record = VariantRecord("tiny", SPEC, "", "o", names, {"main": "entry"}, {}, "d", 2, 2, proof)
    golds = {"int", "f", "return", "list_add", "list_end"}
    made = prove.move_names_to_kept(record, {"list_add": "build: x", "hidden": "build: y"}, golds)
    assert made.names == {"list_end": "vusk"}
    assert made.kept == {"hidden": "build: y", "list_add": "build: x", "main": "entry"}
    assert (made.used, made.used_renamed, made.proof) == (2, 1, None)
    assert made.digest == digest_maps(made.names, {})
    assert prove.move_names_to_kept(made, {"list_add": "build: x"}, golds) is made
