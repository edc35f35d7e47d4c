"""The memory index as a document."""

from __future__ import annotations

from executor.grading.recitation import LONG_RUN
from experiments.documents import Document, Section, make_document_without_empty_sections
from experiments.memory.memory_index import Memory, MemoryRow, NamesRow, RecitationRow
from experiments.report.headline import SURE
from experiments.report.metrics import (
    format_number_without_trailing_zeros,
    format_percent,
    format_points_with_interval,
)
from experiments.tables import EXTRA, MAIN, Column, Columns, make_label_column, make_table

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
