"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from executor.sandbox.choose import built_in_names, sandbox_names

Mirror = Annotated[
    Path | None,
    typer.Option(
        help="Folder that holds the repositories' sources, each under its name (a clone, a bare clone or a plain"
        " tree). Default: $GRAFT_MIRROR."
    ),
]
Dataset = Annotated[
    str,
    typer.Option(help="The data set: yabloco, example, or a path (CSV, JSON, JSON lines, parquet, folder)."),
]
Oracle = Annotated[Path | None, typer.Option(help="The oracle file that belongs to a YABLoCo CSV given by its path.")]
Repos = Annotated[list[str] | None, typer.Option("--repo", help="Only this repository. May be repeated.")]
Sandbox = Annotated[
    str,
    typer.Option(
        autocompletion=lambda: list(sandbox_names()),
        help=f"Where candidates run: {', '.join(built_in_names())}, or a plug-in. auto takes the best that works.",
    ),
]
Variant = Annotated[
    str | None,
    typer.Option(help="Under other names, by a proved variant: renamed, or renamed:style=plausible,seed=2."),
]
Overrides = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[KEY=VALUE]...", help="Changes to the configuration: model=gold limit=5. `graft keys` lists all keys."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]


def with_mirror(overrides: list[str] | None, mirror: Path | None) -> list[str]:
    """The key=value words, with --mirror as one of them."""
    return [*(overrides or []), *([] if mirror is None else [f"mirror={mirror}"])]
