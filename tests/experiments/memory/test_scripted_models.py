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
from tests.support.scripts import fence
from tests.support.variants import renamed_example

# Each is four runs of six tasks.
pytestmark = pytest.mark.slow

Rules = tuple[ScriptRule, ...]
# C and C++; golds with many of the repository's names, and with none.
TASKS = ("array-reserve", "money-print", "map-remove", "item-order", "reservation-available", "text-trim")


def answer_with(code_of: Callable[[Task, Task], str], original: Sequence[Task], *trees: Sequence[Task]) -> Rules:
    """A rule for each task as each tree shows it. `code_of`: the original's task, and the one that is shown."""
    own = {task.id: task for task in original}
    return tuple(_rule(task, code_of(own[task.id], task)) for tree in (original, *trees) for task in tree)


def remember(own: Task, shown: Task) -> str:
    """The original's gold, whatever names the prompt has."""
    return own.gold


def recite(own: Task, shown: Task) -> str:
    """The original's body under the function's name and signature as the prompt has them."""
    return shown.gold[: shown.gold.index("{")] + own.gold[own.gold.index("{") :]


def read(own: Task, shown: Task) -> str:
    """An answer in the names that the prompt has."""
    return shown.gold


def _rule(task: Task, code: str) -> ScriptRule:
    # An operator may have the same name in every tree.
    shown = (f"The function to write: {re.escape(task.target.name)}\n", re.escape(task.target.signature))
    return ScriptRule(all=shown, answer=fence(code, task.target.language))


@pytest.fixture
def variant(cache: Path) -> VariantRecord:
    return renamed_example(cache)


def tasks_of(cache: Path, variant: str | None = None, ids: Sequence[str] = TASKS) -> Sequence[Task]:
    return read_tasks(RunConfig(dataset="example", model="gold", tasks=ids, variant=variant), cache).tasks


@pytest.fixture
def measure(run_example: Runner, serve: Serve) -> Callable[..., Memory]:
    """The memory index of a scripted model over the example and its variants."""

    def measured(rules: Sequence[ScriptRule], *variants: str, name: str = "run", **keys: object) -> Memory:
        server = serve(*rules, default=ScriptRule(answer="I don't know this function."))
        keys = {"tasks": TASKS, "api_base": server.base_url, "audit": "none", **keys}
        original = run_example(out=f"{name}-original", **keys)
        renamed = [run_example(out=f"{name}-{number}", variant=each, **keys) for number, each in enumerate(variants)]
        assert {record.graft.verdict.outcome for record in original.records} == {Outcome.PASSED}
        return measure_score_lost_by_renaming(*read_runs_to_compare(original.run, [end.run for end in renamed]))

    return measured


def figures(memory: Memory) -> dict[str, float]:
    """pass@1, built and exact: original - renamed, where all renamings and arms agree."""
    found = {row.figure: row.memory.value for row in memory.rows}
    assert all(found[row.figure] == row.memory.value for row in memory.rows)
    return found


def test_a_model_that_remembers_has_index_1(
    variant: VariantRecord, cache: Path, measure: Callable[..., Memory]
) -> None:
    rules = answer_with(remember, tasks_of(cache), tasks_of(cache, "renamed"))
    memory = measure(rules, "renamed", arms=("none", "oracle"))
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


def test_a_body_recited_under_the_name_in_the_prompt_is_told_by_its_names(
    variant: VariantRecord, cache: Path, measure: Callable[..., Memory]
) -> None:
    """What a large model does: the signature as it is asked for, the body by heart."""
    memory = measure(answer_with(recite, tasks_of(cache), tasks_of(cache, "renamed")), "renamed")
    found = figures(memory)
    # A body without a name of the repository's is the same in every tree.
    assert 0.5 < found["pass@1"] < 1
    assert {row.task_id for row in memory.names} >= {"money-print", "map-remove"}


def test_a_model_that_reads_has_index_0(variant: VariantRecord, cache: Path, measure: Callable[..., Memory]) -> None:
    rules = answer_with(read, tasks_of(cache), tasks_of(cache, "renamed"))
    memory = measure(rules, "renamed", arms=("none", "oracle"))
    assert figures(memory) == {"pass@1": 0.0, "built": 0.0, "exact": 0.0}
    assert memory.names == ()
    renamed = memory.recitation[1]
    assert (renamed.gold_recited, renamed.remembering, renamed.remembered_names) == (1.0, 0.0, 0.0)
    assert renamed.original_run is not None and renamed.gold_run is not None
    assert renamed.original_run < renamed.gold_run


@pytest.mark.long
@pytest.mark.timeout(900)  # two variants are built and proved
def test_the_same_on_two_proved_variants_and_all_tasks(cache: Path, measure: Callable[..., Memory]) -> None:
    specs = make_variant_spec("plausible", "3"), make_variant_spec("swapped", "4")
    made = (make_variants(["example"], spec, Demand(2, 1, 0), cache, sandbox="process", workers=1) for spec in specs)
    variants = [str(record.spec) for records in made for record in records]
    original, *trees = (tasks_of(cache, name, ()) for name in (None, *variants))
    keys = {"tasks": (), "repos": ("example",)}
    assert figures(measure(answer_with(remember, original, *trees), *variants, **keys))["pass@1"] == 1.0
    assert figures(measure(answer_with(read, original, *trees), *variants, **keys, name="reads"))["pass@1"] == 0.0
