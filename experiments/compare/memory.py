"""The memory index: what a model scores on the original tree, and on the same tree under other names. The samples of
both, paired by task, become differences: memory = original - renamed. Runs that can't be compared are refused."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.grading.paired_tests import METHOD, Difference, estimate_paired_difference
from executor.grading.recitation import LONG_RUN
from experiments.documents import Document, Section, make_document_without_empty_sections
from experiments.report.headline import SURE
from experiments.report.metrics import (
    COMPARED,
    RECITED,
    average_by_task,
    format_number_without_trailing_zeros,
    format_percent,
    format_points_with_interval,
)
from experiments.report.stored_run import ORIGINAL, StoredRun, describe_arms_with_gaps_or_errors, read_run
from experiments.run.pass_rule import SUITES_ALONE
from experiments.run.records import SampleRecord
from experiments.tables import EXTRA, MAIN, Column, Columns, make_label_column, make_table
from index.errors import ConfigError

# Keys that may differ: where the model is served and candidates run says nothing about what the model knows.
_MAY_DIFFER = frozenset({"variant", "api_base", "api_key_env", "sandbox", "base"})
_FIRST_NAMED = ("dataset", "model")
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One figure of one arm on the original and on a renamed tree, or on the mean of several (`tree`)."""

    arm: str
    figure: str
    tree: str
    memory: Difference


@dataclass(frozen=True, slots=True)
class RecitationRow:
    """How much of an arm's answers on one tree came from memory (docs/reference/scoring.md)."""

    arm: str
    tree: str
    answers: int
    gold_run: float | None
    gold_recited: float | None
    original_run: float | None
    original_recited: float | None
    remembering: float | None
    remembered_names: float | None


@dataclass(frozen=True, slots=True)
class NamesRow:
    """The names in a sample's answers that only memory could have told."""

    task_id: str
    arm: str
    tree: str
    sample: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory index of one model. `runs`: tree -> run folder. `notes`: what isn't whole or isn't in both trees."""

    model: str
    dataset: str
    runs: Mapping[str, str]
    rows: tuple[MemoryRow, ...]
    recitation: tuple[RecitationRow, ...]
    names: tuple[NamesRow, ...]
    notes: tuple[str, ...]
    method: str = METHOD
    long_run: int = LONG_RUN


def read_comparable_runs_by_suites_alone(
    original: Path, renamed: Sequence[Path]
) -> tuple[StoredRun, tuple[StoredRun, ...]]:
    """The run on the original tree, and those under other names, all by their suites alone: plus tests don't know a
    renamed tree. Raises ConfigError that names what doesn't fit."""
    first = read_run(original, SUITES_ALONE)
    if first.variants:
        raise ConfigError(
            f"{original}: a run of a renamed tree ({first.variant_names_or_original});"
            " the run on the original comes first"
        )
    others: dict[frozenset[tuple[str, str]], StoredRun] = {}
    for path in renamed:
        run = read_run(path, SUITES_ALONE)
        if not run.variants:
            raise ConfigError(
                f"{path}: no run of a renamed tree (it has no variant-REPO.json); graft run ... variant=renamed makes"
                " one"
            )
        renaming = frozenset((repo, record.digest) for repo, record in run.variants.items())
        if renaming in others:
            twin = others[renaming].path
            raise ConfigError(
                f"{path}: a run of the same renaming as {twin} ({run.variant_names_or_original});"
                " leave one of them out"
            )
        _require_comparable_runs(first, run)
        others[renaming] = run
    return first, tuple(others.values())


def _require_comparable_runs(original: StoredRun, renamed: StoredRun) -> None:
    one, two = original.manifest, renamed.manifest
    differing = [
        f"{key} is {two.identity.get(key)!r}, there {one.identity.get(key)!r}"
        for key in sorted(one.identity.keys() | two.identity.keys(), key=lambda key: (key not in _FIRST_NAMED, key))
        if key not in _MAY_DIFFER and one.identity.get(key) != two.identity.get(key)
    ]
    if (one.dataset, one.dataset_version) != (two.dataset, two.dataset_version) and one.dataset == two.dataset:
        differing.append(f"the data set's version is {two.dataset_version}, there {one.dataset_version}")
    if one.prompts != two.prompts:
        differing.append("the prompts' texts differ")
    differing += [
        f"the commit of {name} is {two.repos[name].commit[:12]}, there {one.repos[name].commit[:12]}"
        for name in sorted(one.repos.keys() & two.repos.keys())
        if one.repos[name].commit != two.repos[name].commit
    ]
    if differing:
        more = f" (and {len(differing) - _MOST_NAMED} more)" if len(differing) > _MOST_NAMED else ""
        raise ConfigError(
            f"{renamed.path}: can't be compared with {original.path}: {'; '.join(differing[:_MOST_NAMED])}{more}"
        )


def measure_score_lost_by_renaming(
    original: StoredRun, renamed: Sequence[StoredRun], *, valid: bool = False
) -> Memory:
    """Compare the runs arm by arm over the tasks that all of them have; `valid`: over those alone that the doctor's
    manifests call valid. Raises ConfigError when no arm has such a task."""
    runs = {ORIGINAL: original, **_label_runs_by_variant(renamed)}
    trees = [tree for tree in runs if tree != ORIGINAL]
    groups = {f"mean of {len(trees)}": trees} if len(trees) > 1 else {}
    groups |= {tree: [tree] for tree in trees}
    records = {tree: run.select_counted_records(valid=valid) for tree, run in runs.items()}
    everywhere = list(dict.fromkeys(record.arm for run in runs.values() for record in run.records))
    notes = [
        f"{tree}: partial run: {line}"
        for tree, run in runs.items()
        for line in describe_arms_with_gaps_or_errors(run.manifest, run.records).values()
    ]
    rows: list[MemoryRow] = []
    recitation: list[RecitationRow] = []
    for arm in everywhere:
        of_arm = {tree: [r for r in found if r.arm == arm] for tree, found in records.items()}
        absent = [tree for tree, found in of_arm.items() if not found]
        if absent:
            notes.append(f"{arm}: no sample counts in {', '.join(absent)}; the arm is left out")
            continue
        means = {
            name: {tree: average_by_task(r, value) for tree, r in of_arm.items()} for name, value in COMPARED.items()
        }
        by_tree = means["pass@1"]
        common = [task for task in by_tree[ORIGINAL] if all(task in found for found in by_tree.values())]
        lonely = len(set().union(*by_tree.values())) - len(common)
        if lonely:
            notes.append(f"{arm}: {lonely} tasks aren't in every run, and count in none")
        if not common:
            continue
        rows += [
            MemoryRow(arm, name, label, _compare_original_with_renamed_mean(of_figure, group, common))
            for name, of_figure in means.items()
            for label, group in groups.items()
        ]
        recitation += [_make_recitation_row(arm, tree, found, common) for tree, found in of_arm.items()]
    if not rows:
        raise ConfigError(
            f"{original.path}: no {'valid ' if valid else ''}task of it has a counted sample of the same arm in every"
            f" other run: {'; '.join(notes) or 'name the same tasks'}"
        )
    return Memory(
        model=original.manifest.model,
        dataset=f"{original.manifest.dataset} {original.manifest.dataset_version}",
        runs={tree: str(run.path) for tree, run in runs.items()},
        rows=tuple(rows),
        recitation=tuple(recitation),
        names=tuple(
            NamesRow(record.task_id, record.arm, tree, record.sample, record.recitation.names)
            for tree in trees
            for record in sorted(records[tree], key=lambda record: (record.task_id, record.arm, record.sample))
            if record.recitation.names
        ),
        notes=tuple(notes),
    )


def _compare_original_with_renamed_mean(
    by_tree: Mapping[str, Mapping[str, float]], trees: Sequence[str], tasks: Sequence[str]
) -> Difference:
    """The original against the mean over renamed trees, task by task."""
    second = [math.fsum(by_tree[tree][task] for tree in trees) / len(trees) for task in tasks]
    return estimate_paired_difference([by_tree[ORIGINAL][task] for task in tasks], second)


def _label_runs_by_variant(renamed: Sequence[StoredRun]) -> dict[str, StoredRun]:
    """Each run by its tree's name; the map's digest tells two trees of the same seed and style apart."""
    slugs = [run.variant_names_or_original for run in renamed]
    return {
        run.variant_names_or_original
        if slugs.count(run.variant_names_or_original) == 1
        else f"{run.variant_names_or_original} {min(record.digest for record in run.variants.values())[:8]}": run
        for run in renamed
    }


def _make_recitation_row(
    arm: str, tree: str, records: Sequence[SampleRecord], tasks: Collection[str]
) -> RecitationRow:
    chosen = [record for record in records if record.task_id in tasks]
    figures = {key: measure(chosen) for key, measure in RECITED.items()}
    return RecitationRow(arm, tree, sum(record.recitation.run is not None for record in chosen), **figures)


MEMORY_COLUMNS: Columns[MemoryRow] = {
    make_label_column("arm"): lambda row: row.arm,
    make_label_column("figure"): lambda row: row.figure,
    make_label_column("renamed"): lambda row: row.tree,
    Column("tasks"): lambda row: str(row.memory.tasks),
    Column("original %"): lambda row: format_percent(row.memory.first),
    Column("renamed %"): lambda row: format_percent(row.memory.second),
    Column("memory", priority=MAIN): lambda row: format_points_with_interval(row.memory),
    Column("tasks lost", priority=EXTRA): lambda row: str(row.memory.higher),
    Column("tasks won", priority=EXTRA): lambda row: str(row.memory.lower),
    Column("p", priority=MAIN): lambda row: f"{row.memory.p:.3g}",
}

RECITATION_COLUMNS: Columns[RecitationRow] = {
    make_label_column("arm"): lambda row: row.arm,
    make_label_column("tree"): lambda row: row.tree,
    Column("answers"): lambda row: str(row.answers),
    Column("longest run"): lambda row: format_number_without_trailing_zeros(row.gold_run),
    Column(f"{LONG_RUN}+ %"): lambda row: format_percent(row.gold_recited),
    Column("run of the original"): lambda row: format_number_without_trailing_zeros(row.original_run),
    Column(f"{LONG_RUN}+ % of the original"): lambda row: format_percent(row.original_recited),
    Column("answers with old names %"): lambda row: format_percent(row.remembering),
    Column("old names %"): lambda row: format_percent(row.remembered_names),
}

NAMES_COLUMNS: Columns[NamesRow] = {
    make_label_column("task"): lambda row: row.task_id,
    make_label_column("arm"): lambda row: row.arm,
    make_label_column("tree"): lambda row: row.tree,
    Column("sample"): lambda row: str(row.sample),
    Column("names", "text", MAIN): lambda row: ", ".join(row.names),
}


def make_memorization_document(memory: Memory, *, list_names: bool = False) -> Document:
    """What is lost without the old names, and how much of the answers is recited; `list_names` lists the names
    that only memory could have told."""
    count = len({name for row in memory.names for name in row.names})
    told = f"{count} names that only memory could have told: --names lists them by task"
    recited = memory.recitation if any(row.gold_run is not None for row in memory.recitation) else ()
    return make_document_without_empty_sections(
        f"{memory.model} on {memory.dataset}: memory = original - renamed",
        _describe_largest_loss_by_renaming(memory),
        f"{memory.model} on {memory.dataset}: memory = original - renamed",
        [
            Section(
                "Memory",
                table=make_table(memory.rows, MEMORY_COLUMNS),
                items=(*((told,) if count and not list_names else ()), *memory.notes),
            ),
            Section(
                "Recitation",
                f"How many tokens of the gold stand in an answer without a gap, and in how many answers are there"
                f" {memory.long_run} or more?",
                make_table(recited, RECITATION_COLUMNS),
            ),
            Section(
                "Names from memory",
                "Which names of the original, that only memory could have told, do answers to renamed tasks use?",
                make_table(memory.names, NAMES_COLUMNS),
                () if memory.names else ("No answer has a name that only memory could have told.",),
            )
            if list_names
            else Section(""),
        ],
        [Section("How it is computed", "What are the intervals, and what is p?", items=(f"{memory.method}.",))],
    )


def _describe_largest_loss_by_renaming(memory: Memory) -> tuple[str, ...]:
    """The arm that loses most without the names that the model may know."""
    row = max((row for row in memory.rows if row.figure == "pass@1"), key=lambda row: row.memory.value)
    found = row.memory
    lost = round(100 * found.value, 1)
    most = ", the arm that loses most," if len({row.arm for row in memory.rows}) > 1 else ""
    first = f"Without the original's names {row.arm}{most} passes {100 * found.second:.1f} % of {found.tasks} tasks"
    if not lost:
        return (f"{first}, as many as with them.",)
    sure = "chance alone doesn't explain" if found.p < SURE else f"with {found.tasks} tasks chance may explain"
    return (f"{first}, {abs(lost)} points {'fewer' if lost > 0 else 'more'} than with them; {sure} the difference.",)
