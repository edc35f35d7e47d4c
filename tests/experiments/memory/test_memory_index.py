"""Prevents: a memory index over tasks that only one run has, or with a sample that Graft itself spoilt; runs that
differ in more than their names and are compared all the same; an unfinished run that reads like a whole one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.manifest.variant.record import digest_maps, record_path_in_run
from executor.manifest.variant.values import Style, VariantRecord, VariantSpec
from executor.values import Outcome
from experiments.memory.memory_index import Memory, MemoryRow, measure_score_lost_by_renaming, read_runs_to_compare
from experiments.run.manifest import read_manifest, write_manifest
from experiments.run.records import JOURNAL, SampleRecord
from experiments.run.sample_facts import Recitation
from index.errors import ConfigError, RecipeError
from tests.support.reports import format_report, report_of
from tests.support.runs import Graft, make_run, record, refuse, succeed

PASSED, FAILED, BROKEN = Outcome.PASSED, Outcome.TESTS_FAILED, Outcome.INFRA_ERROR


def variant(style: Style = "nonsense", seed: int = 1) -> VariantRecord:
    names = {"dictFind": f"{style}{seed}"}
    return VariantRecord("tiny", VariantSpec(style, seed), "c0ffee", "tiny", names, {}, {}, digest_maps(names, {}))


def index(original: Path, *renamed: Path, valid: bool = False) -> Memory:
    return measure_score_lost_by_renaming(*read_runs_to_compare(original, renamed), valid=valid)


def pair(folder: Path, original: list[SampleRecord], renamed: list[SampleRecord], **keys: Any) -> tuple[Path, Path]:
    return make_run(folder / "o", original, **keys), make_run(folder / "r", renamed, variant())


def rows(memory: Memory, figure: str = "pass@1") -> dict[tuple[str, str], MemoryRow]:
    return {(row.arm, row.tree): row for row in memory.rows if row.figure == figure}


def outcomes(*passed: bool, arm: str = "none") -> list[SampleRecord]:
    return [record(name, PASSED if ok else FAILED, arm) for name, ok in zip("abcdefghijkl", passed, strict=False)]


def test_the_trial_on_redis(tmp_path: Path) -> None:
    memory = index(*pair(tmp_path, outcomes(*[True] * 12), outcomes(*[True] * 5, *[False] * 7)))
    row = rows(memory)["none", "nonsense-1"].memory
    assert (row.first, row.second, row.tasks) == (1.0, pytest.approx(5 / 12), 12)
    assert (row.value, row.p) == (pytest.approx(7 / 12), pytest.approx(0.0156, abs=1e-4))
    assert {row.figure for row in memory.rows} == {"pass@1", "built", "exact"}
    assert memory.notes == ()


def test_only_tasks_of_both_runs_count_and_samples_are_averaged_first(tmp_path: Path) -> None:
    original = [record("a", PASSED, sample=0), record("a", FAILED, sample=1), record("b", PASSED), record("c", PASSED)]
    # What Graft itself spoilt counts nowhere, so b has no pair.
    renamed = [record("a", FAILED), record("b", BROKEN), record("d", PASSED)]
    memory = index(*pair(tmp_path, original, renamed))
    row = rows(memory)["none", "nonsense-1"].memory
    assert (row.first, row.second, row.tasks) == (0.5, 0.0, 1)
    assert memory.notes[-1] == "none: 3 tasks aren't in every run, and count in none"


def test_several_renamings_stand_alone_and_as_their_mean(tmp_path: Path) -> None:
    second = make_run(tmp_path / "r2", outcomes(False, False), variant("plausible", 2))
    found = rows(index(*pair(tmp_path, outcomes(True, True), outcomes(True, False)), second))
    means = {tree: row.memory.value for (_, tree), row in found.items()}
    assert means == {"mean of 2": 0.75, "nonsense-1": 0.5, "plausible-2": 1.0}


def test_an_arm_that_a_run_lacks_and_an_unfinished_run_are_noted(tmp_path: Path) -> None:
    original, renamed = ([*outcomes(True), *outcomes(True, arm=arm)] for arm in ("oracle", "grep"))
    memory = index(*pair(tmp_path / "arms", original, renamed))
    assert {row.arm for row in memory.rows} == {"none"}
    assert [note.partition(":")[0] for note in memory.notes] == ["oracle", "grep"]
    whole = make_run(tmp_path / "o", outcomes(True, True), planned=1)
    part = make_run(tmp_path / "r", outcomes(True, False), variant(), planned=3)
    assert index(whole, part).notes == ("nonsense-1: partial run: none: 2 of 6 samples are finished",)


def test_over_valid_tasks_alone(tmp_path: Path) -> None:
    found = index(*pair(tmp_path, outcomes(True, True), outcomes(False, True)), valid=True)
    row = rows(found)["none", "nonsense-1"].memory
    assert (row.value, row.tasks) == (1.0, 1)


def test_what_cant_be_compared_is_refused_in_one_line(tmp_path: Path) -> None:
    original, renamed = pair(tmp_path, outcomes(True), outcomes(True))

    def other(name: str, **keys: Any) -> Path:
        return make_run(tmp_path / name, outcomes(True), variant(), **keys)

    prompted = other("prompts")
    manifest = read_manifest(prompted)
    facts = replace(manifest.repos["tiny"], commit="beef" * 10)
    write_manifest(prompted, replace(manifest, prompts=(("repair.j2", "2"),), repos={"tiny": facts}))
    cases: dict[str, tuple[Path, ...]] = {
        "the run on the original comes first": (renamed, original),
        "no run of a renamed tree": (original, make_run(tmp_path / "plain", outcomes(True))),
        "a run of the same renaming as": (original, renamed, other("again")),
        "model is 'openai/other', there 'openai/some'": (original, other("model", model="openai/other")),
        "dataset is 'other', there 'tiny'": (original, other("data", dataset="other", model="openai/other")),
        "temperature is 1.0, there 0.0": (original, other("config", temperature=1.0, lookup=False)),
        "the prompts' texts differ; the commit of tiny is beef": (original, prompted),
        "not a run folder": (original, tmp_path / "nothing"),
        "no task of it": (original, make_run(tmp_path / "tasks", [record("z", PASSED)], variant())),
    }
    for line, paths in cases.items():
        with pytest.raises(ConfigError) as caught:
            index(*paths)
        assert line in str(caught.value)
        assert "\n" not in str(caught.value)
    # Another server of the same model.
    index(original, other("server", api_base="http://127.0.0.1:1/v1"))
    # A record that is damaged or gone is named.
    record_path_in_run(renamed, "tiny").write_text("{")
    with pytest.raises(RecipeError, match=r"variant-tiny\.json"):
        index(original, renamed)


REMEMBERING = Recitation(gold=40, run=8, original_run=40, names=("dictFind", "dictAdd"), new_names=2)
READING = Recitation(gold=40, run=40, original_run=8, new_names=4)


@pytest.fixture
def recited(tmp_path: Path) -> tuple[Path, Path]:
    """On the original both answers are the gold; renamed, one is written from memory."""
    own = Recitation(gold=40, run=40)
    renamed = [record("a", FAILED, recitation=REMEMBERING), record("b", PASSED, recitation=READING)]
    return pair(tmp_path, [record(name, PASSED, recitation=own) for name in "ab"], renamed)


def test_recitation_stands_beside_it(recited: tuple[Path, Path]) -> None:
    memory = index(*recited)
    original, renamed = memory.recitation
    assert (original.gold_run, original.gold_recited) == (40, 1)
    assert (original.original_run, original.remembering) == (None, None)
    assert (renamed.gold_run, renamed.gold_recited) == (24, 0.5)
    assert (renamed.original_run, renamed.original_recited) == (24, 0.5)
    assert (renamed.remembering, renamed.remembered_names) == (0.5, 2 / 8)
    (row,) = memory.names
    assert (row.task_id, row.tree, row.names) == ("a", "nonsense-1", ("dictFind", "dictAdd"))


def test_a_report_has_the_columns_where_names_are_not_the_trees_own(recited: tuple[Path, Path]) -> None:
    original, renamed = (format_report(report_of(run)) for run in recited)
    for title in ("run of original", "recited", "with old names"):
        assert title in renamed
        assert title not in original
    assert "| 24 | 50.0 | 50.0 |" in renamed


def test_a_journal_of_an_older_graft_is_read(recited: tuple[Path, Path]) -> None:
    for path in recited:
        lines = [json.loads(line) for line in (path / JOURNAL).read_bytes().splitlines()]
        for line in lines:
            del line["recitation"]
        (path / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    memory = index(*recited)
    assert len(memory.rows) == 3
    assert memory.recitation[1].gold_run is None
    assert memory.names == ()


def test_the_command(graft: Graft, recited: tuple[Path, Path], tmp_path: Path) -> None:
    code, out, err = graft("audit", "memory", *recited, "--names", "--details", "--json", tmp_path / "m.json")
    assert (code, err) == (0, "")
    for part in ("memory = original - renamed", "+50.0 [", "dictFind, dictAdd", "exact sign-flip test", "longest run"):
        assert part in out, part
    kept = json.loads((tmp_path / "m.json").read_text())
    assert kept["rows"][0]["memory"]["value"] == 0.5
    assert kept["names"][0]["names"] == ["dictFind", "dictAdd"]
    assert "2 names that only memory could have told: --names" in succeed(graft, "audit", "memory", *recited)
    assert "\n" not in refuse(graft, "audit", "memory", *reversed(recited))
