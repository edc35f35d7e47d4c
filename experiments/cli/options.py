"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from executor.sandbox.choose import built_in_names, sandbox_names

Mirror = Annotated[
    Path | None,
    typer.Option(
        help="The folder that holds each repository's source under its name: a clone, a bare clone or a plain tree."
        " Default: $GRAFT_MIRROR."
    ),
]
Dataset = Annotated[
    str,
    typer.Option(
        help="A data set of Graft's (yabloco, example, example-pairs, cppunit, metis, pcre3), or a path: a CSV,"
        " JSON, JSON lines or parquet file, or a folder of tasks."
    ),
]
Oracle = Annotated[
    Path | None,
    typer.Option(
        help="The oracle file of a YABLoCo CSV. Needed only where the data set is such a file and not a name."
    ),
]
Repos = Annotated[list[str] | None, typer.Option("--repo", help="Only this repository. May be repeated.")]
Sandbox = Annotated[
    str,
    typer.Option(
        autocompletion=lambda: list(sandbox_names()),
        help=f"Where candidates run: {', '.join(built_in_names())}, or a plug-in. auto takes docker or bwrap, the"
        " first that works here.",
    ),
]
Variant = Annotated[
    str | None,
    typer.Option(
        help="Use a variant of the repository, whose identifiers are renamed (graft variants make): renamed, or"
        " renamed:style=plausible,seed=2."
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on the nodes of this Ray cluster: auto for the one on this machine, HOST:PORT, ray://HOST:PORT.",
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[KEY=VALUE]...",
        help="Set keys of the configuration: model=gold limit=5. `graft keys` lists all keys.",
    ),
]
ShownColumns = Annotated[
    Literal["fit", "all"],
    typer.Option("--columns", help="fit: the columns that this terminal has room for. all: every column."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]


def with_mirror(overrides: list[str] | None, mirror: Path | None) -> list[str]:
    """The key=value words, with --mirror as one of them."""
    return [*(overrides or []), *([] if mirror is None else [f"mirror={mirror}"])]
