"""The whole command line: the core's commands, and those of the lab beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.cli import app as core
from experiments.cli.app import DATA_SETS, app
from experiments.cli.index.app import index_app
from lab.cli.audit import audit_app
from lab.cli.doctor import examine_which_tasks_are_valid
from lab.cli.make import make_data_set
from lab.cli.retrieval import evaluate_retrievers
from lab.cli.variants import variants_app

if TYPE_CHECKING:
    from executor.grading.differential import Differential
    from executor.repository.images import Image
    from executor.sandbox.contract import Backend
    from executor.values import Task

app.command("make", rich_help_panel=DATA_SETS)(make_data_set)
app.command("doctor", rich_help_panel=DATA_SETS)(examine_which_tasks_are_valid)
app.add_typer(variants_app, name="variants", rich_help_panel=DATA_SETS)
app.add_typer(audit_app, name="audit", rich_help_panel=DATA_SETS)
index_app.command("eval")(evaluate_retrievers)


def import_and_compare_with_gold(
    image: Image, task: Task, candidates: Sequence[str], backend: Backend, suites: Sequence[str], folder: Path
) -> tuple[Differential, ...]:
    """`lab.differential.compare_with_gold.compare_with_gold`, imported only where a run asks for it."""
    from lab.differential.compare_with_gold import compare_with_gold

    return compare_with_gold(image, task, candidates, backend, suites, folder)


def main() -> None:
    """See `experiments.cli.app.main`."""
    core.main(import_and_compare_with_gold)
