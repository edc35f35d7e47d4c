"""What the lab's commands share: which tasks they work on, and the folder of the manifests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli.options import TaskOptions, split_comma_list_without_repeats

Manifests = Annotated[Path | None, typer.Option(help="The manifests' folder. Default: where runs read them.")]


def make_task_choice_arguments(options: TaskOptions) -> dict[str, Any]:
    """The arguments of a request that say which tasks of which data set it is about, and where it works."""
    return {
        "dataset": options.dataset,
        "repos": split_comma_list_without_repeats(options.repos),
        "tasks": split_comma_list_without_repeats(options.tasks),
        "sandbox": options.sandbox,
        "mirror": options.mirror,
    }
