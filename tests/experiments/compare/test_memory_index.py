"""Prevents: a memory index over tasks that only one run has, or with a sample that Graft itself spoilt; runs that
differ in more than their names and are compared all the same; an unfinished run that reads like a whole one; an index
that isn't 1 for a model that only remembers, or isn't 0 for one that only reads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.manifest.variant.record import record_path_in_run
from executor.manifest.variant.spec import make_variant_spec
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.values import Outcome, Task
from experiments.compare.memory import (
    Memory,
    MemoryRow,
    measure_score_lost_by_renaming,
    read_comparable_runs_by_suites_alone,
)
from experiments.demo.scripted_server import ScriptRule
from experiments.run.config import RunConfig
from experiments.run.manifest import read_manifest, write_manifest
from experiments.run.records import JOURNAL, SampleRecord
from experiments.run.sample_facts import Recitation
from experiments.run.workspace import read_tasks
from index.errors import ConfigError, RecipeError
from lab.variants.commands import make_variants
from lab.variants.proof.variant_proof import Demand
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import Graft, format_report, make_run, record, refuse, report_of, succeed
from tests.support.scripts import fence, match_prompt

PASSED, FAILED, BROKEN = Outcome.PASSED, Outcome.TESTS_FAILED, Outcome.INFRA_ERROR


def index(original: Path, *renamed: Path, valid: bool = False) -> Memory:
    return measure_score_lost_by_renaming(*read_comparable_runs_by_suites_alone(original, renamed), valid=valid)


def pair(folder: Path, original: list[SampleRecord], renamed: list[SampleRecord], **keys: Any) -> tuple[Path, Path]:
    return make_run(folder / "o", original, **keys), make_run(folder / "r", renamed, VariantSpec())


def rows(memory: Memory) -> dict[tuple[str, str], MemoryRow]:
    return {(row.arm, row.tree): row for row in memory.rows if row.figure == "pass@1"}


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
    second = make_run(tmp_path / "r2", outcomes(False, False), VariantSpec("plausible", 2))
    found = rows(index(*pair(tmp_path, outcomes(True, True), outcomes(True, False)), second))
    means = {tree: row.memory.value for (_, tree), row in found.items()}
    assert means == {"mean of 2": 0.75, "nonsense-1": 0.5, "plausible-2": 1.0}


def test_an_arm_that_a_run_lacks_and_an_unfinished_run_are_noted(tmp_path: Path) -> None:
    original, renamed = ([*outcomes(True), *outcomes(True, arm=arm)] for arm in ("oracle", "grep"))
    memory = index(*pair(tmp_path / "arms", original, renamed))
    assert {row.arm for row in memory.rows} == {"none"}
    assert [note.partition(":")[0] for note in memory.notes] == ["oracle", "grep"]
    whole = make_run(tmp_path / "o", outcomes(True, True), planned=1)
    part = make_run(tmp_path / "r", outcomes(True, False), VariantSpec(), planned=3)
    assert index(whole, part).notes == ("nonsense-1: partial run: none: 2 of 6 samples are finished",)


def test_over_valid_tasks_alone(tmp_path: Path) -> None:
    found = index(*pair(tmp_path, outcomes(True, True), outcomes(False, True)), valid=True)
    row = rows(found)["none", "nonsense-1"].memory
    assert (row.value, row.tasks) == (1.0, 1)


def test_what_cant_be_compared_is_refused_in_one_line(tmp_path: Path) -> None:
    original, renamed = pair(tmp_path, outcomes(True), outcomes(True))

    def other(name: str, **keys: Any) -> Path:
        return make_run(tmp_path / name, outcomes(True), VariantSpec(), **keys)

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
        "no task of it": (original, make_run(tmp_path / "tasks", [record("z", PASSED)], VariantSpec())),
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


# Scripted models behind a real HTTP server: their answers are built and tested in the original and in the renamed
# example. A script can't read, so the one that reads holds the answers for every tree and picks them by the function's
# name in the prompt; the one that remembers recognises the task in every tree and knows the original alone.

# C and C++; golds with many of the repository's names, and with none.
TASKS = ("array-reserve", "money-print", "map-remove", "item-order", "reservation-available", "text-trim")
Code = Callable[[Task, Task], str]


def remember(own: Task, shown: Task) -> str:
    """The original's gold, whatever names the prompt has."""
    return own.gold


def recite(own: Task, shown: Task) -> str:
    """The original's body under the function's name and signature as the prompt has them: what a large model does."""
    return shown.gold[: shown.gold.index("{")] + own.gold[own.gold.index("{") :]


def read(own: Task, shown: Task) -> str:
    """An answer in the names that the prompt has."""
    return shown.gold


def answer_with(code_of: Code, original: Sequence[Task], tree: Sequence[Task]) -> list[ScriptRule]:
    """A rule for each task as the tree shows it. `code_of`: the original's task, and the one that is shown."""
    own = {task.id: task for task in original}
    return [
        # An operator may have the same name in every tree.
        ScriptRule(
            all=(match_prompt(task), re.escape(task.target.signature)),
            answer=fence(code_of(own[task.id], task), task.target.language),
        )
        for task in tree
    ]


def tasks_of(cache: Path, variant: str | None = None, ids: Sequence[str] = TASKS) -> Sequence[Task]:
    return read_tasks(RunConfig(dataset="example", model="gold", tasks=ids, variant=variant), cache).tasks


Measure = Callable[..., Memory]


@pytest.fixture
def measure(run_example: Runner, serve: Serve, cache: Path, tmp_path: Path) -> Measure:
    """The memory index of a scripted model over the example and its variants. On the original all models answer
    alike, so that run is made once."""

    def measured(code_of: Code, *variants: str, ids: Sequence[str] = TASKS, **keys: object) -> Memory:
        original = tasks_of(cache, None, ids)
        trees = {None: original, **{name: tasks_of(cache, name, ids) for name in variants}}
        rules = [rule for tree in trees.values() for rule in answer_with(code_of, original, tree)]
        server = serve(*rules, default=ScriptRule(answer="I don't know this function."))
        keys = {"tasks": ids, "api_base": server.base_url, **keys}
        first = tmp_path / "original"
        if not first.exists():
            found = run_example(out=first, **keys).records
            assert {record.graft.verdict.outcome for record in found} == {Outcome.PASSED}
        renamed = [run_example(out=f"{code_of.__name__}-{name}", variant=name, **keys).run for name in variants]
        return measure_score_lost_by_renaming(*read_comparable_runs_by_suites_alone(first, renamed))

    return measured


def figures(memory: Memory) -> dict[str, float]:
    """pass@1, built and exact: original - renamed, where all renamings and arms agree."""
    found = {row.figure: row.memory.value for row in memory.rows}
    assert all(found[row.figure] == row.memory.value for row in memory.rows)
    return found


@pytest.mark.slow
def test_a_model_that_remembers_has_index_1_and_one_that_reads_index_0(
    variant: VariantRecord, measure: Measure
) -> None:
    arms = ("none", "oracle")
    memory = measure(remember, "renamed", arms=arms)
    assert figures(memory) == {"pass@1": 1.0, "built": 1.0, "exact": 1.0}
    assert {row.memory.tasks for row in memory.rows} == {len(TASKS)}
    assert all(row.memory.low > 0 and row.memory.p == 2 / 2**6 for row in memory.rows)
    original, renamed = memory.recitation[:2]
    assert (original.gold_recited, original.remembering) == (1.0, None)
    assert renamed.original_recited == 1.0
    assert renamed.remembering is not None and renamed.remembering >= 0.5
    assert renamed.remembered_names == 1.0
    proved = {name for row in memory.names for name in row.names}
    assert proved >= {"array_reserve", "map_remove"}
    assert proved <= variant.names.keys()
    assert {row.task_id for row in memory.names} <= set(TASKS)

    memory = measure(read, "renamed", arms=arms)
    assert figures(memory) == {"pass@1": 0.0, "built": 0.0, "exact": 0.0}
    assert memory.names == ()
    renamed = memory.recitation[1]
    assert (renamed.gold_recited, renamed.remembering, renamed.remembered_names) == (1.0, 0.0, 0.0)
    assert renamed.original_run is not None and renamed.gold_run is not None
    assert renamed.original_run < renamed.gold_run

    # A body recited under the name in the prompt is told by its names. One without a name of the repository's is the
    # same in every tree.
    memory = measure(recite, "renamed", arms=arms)
    assert all(0.5 < row.memory.value < 1 for row in memory.rows if row.figure == "pass@1")
    assert {row.task_id for row in memory.names} >= {"money-print", "map-remove"}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(900)  # two variants are built and proved
def test_the_same_on_two_proved_variants_and_all_tasks(cache: Path, measure: Measure) -> None:
    specs = make_variant_spec("plausible", "3"), make_variant_spec("swapped", "4")
    made = (make_variants(["example"], spec, Demand(2, 1, 0), cache, sandbox="process", workers=1) for spec in specs)
    variants = [str(record.spec) for records in made for record in records]
    for code_of, lost in ((remember, 1.0), (read, 0.0)):
        found = measure(code_of, *variants, ids=(), repos=("example",))
        assert figures(found)["pass@1"] == lost
