"""Prevents: a memory index that isn't 1 for a model that only remembers, or isn't 0 for one that only reads. Both are
scripts behind a real HTTP server; their answers are built and tested in the original and in the renamed example.

A script can't read, so the one that reads holds the answers for every tree and picks them by the function's name in
the prompt; the one that remembers recognises the task in every tree and knows the original alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from executor.manifest.variant.spec import make_variant_spec
from executor.manifest.variant.values import VariantRecord
from executor.values import Outcome, Task
from experiments.demo.scripted_server import ScriptRule
from experiments.memory.memory_index import Memory, measure_score_lost_by_renaming, read_runs_to_compare
from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks
from lab.variants.commands import make_variants
from lab.variants.proof.variant_proof import Demand
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence, match_prompt

# Runs of six tasks.
pytestmark = pytest.mark.slow

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
        return measure_score_lost_by_renaming(*read_runs_to_compare(first, renamed))

    return measured


def figures(memory: Memory) -> dict[str, float]:
    """pass@1, built and exact: original - renamed, where all renamings and arms agree."""
    found = {row.figure: row.memory.value for row in memory.rows}
    assert all(found[row.figure] == row.memory.value for row in memory.rows)
    return found


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


@pytest.mark.long
@pytest.mark.timeout(900)  # two variants are built and proved
def test_the_same_on_two_proved_variants_and_all_tasks(cache: Path, measure: Measure) -> None:
    specs = make_variant_spec("plausible", "3"), make_variant_spec("swapped", "4")
    made = (make_variants(["example"], spec, Demand(2, 1, 0), cache, sandbox="process", workers=1) for spec in specs)
    variants = [str(record.spec) for records in made for record in records]
    for code_of, lost in ((remember, 1.0), (read, 0.0)):
        found = measure(code_of, *variants, ids=(), repos=("example",))
        assert figures(found)["pass@1"] == lost
