"""graft-suite: data sets of several repositories under one name. `recipes/graft-suite/suite.yaml` lists them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from executor.repository.recipe import BUILT_IN
from executor.tasks.made_datasets import read_made_dataset_rows
from executor.tasks.task_row import TaskRow
from index.errors import TaskError
from index.user_files import StrictModel, explain_first_validation_problem, make_spelling_hint, read_yaml

SUITE = "graft-suite"


class SuiteMember(StrictModel):
    """A data set of the suite, by the name of its folder and recipe. `licence`: of its source, as SPDX writes it."""

    name: str
    split: Literal["dev", "test"]
    licence: str


class TaskSuite(StrictModel):
    """suite.yaml. `drawn` says how its members were chosen, `left_out` which drawn ones aren't members, and why."""

    version: str
    drawn: str
    left_out: Mapping[str, str] = {}
    members: tuple[SuiteMember, ...] = Field(min_length=1)


def load_task_suite() -> TaskSuite:
    """Raises TaskError when the file is damaged."""
    path = BUILT_IN / SUITE / "suite.yaml"
    try:
        return TaskSuite.model_validate(read_yaml(path, TaskError))
    except ValidationError as error:
        raise TaskError(f"{path}: {explain_first_validation_problem(error, TaskSuite)}") from error


def is_suite_dataset_name(dataset: str) -> bool:
    """Whether a data set's name is the suite's or begins with it."""
    return dataset.partition("/")[0] == SUITE


def find_suite_members_or_empty(dataset: str) -> tuple[SuiteMember, ...]:
    """The members that a name stands for: all for graft-suite; for graft-suite/NAME one, or those of a split. None for
    any other name. Raises TaskError where NAME is neither."""
    if not is_suite_dataset_name(dataset):
        return ()
    part, members = dataset.partition("/")[2], load_task_suite().members
    known = dict.fromkeys([*(member.split for member in members), *(member.name for member in members)])
    if part and part not in known:
        raise TaskError(
            f"data set {dataset!r}: {SUITE} has no {part!r}{make_spelling_hint(part, known)}"
            f" (known: {', '.join(known)})"
        )
    return tuple(member for member in members if part in ("", member.split, member.name))


def read_suite_rows(
    dataset: str, members: Sequence[SuiteMember], repos: Collection[str] | None, mirror: Path | None
) -> tuple[TaskRow, ...]:
    """The members' rows; one whose source can't be had has rows without texts."""
    read = [
        read_made_dataset_rows(BUILT_IN / member.name, None, mirror, lenient=True, repos=repos) for member in members
    ]
    content = "\n".join(
        [*(member.model_dump_json() for member in members), *(rows[0].dataset_version for rows in read)]
    )
    version = f"{load_task_suite().version}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    return tuple(replace(row, dataset=dataset, dataset_version=version) for rows in read for row in rows)
