"""Where results and progress are printed: results to stdout, everything else to stderr."""

from __future__ import annotations

import os
import sys

from rich.console import Console


def stdout() -> Console:
    """A terminal's own width; elsewhere wide enough that a table's row stays one line (COLUMNS overrides).
    Texts are code and paths: `a.c:key: ...` isn't a picture."""
    width = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "200"))
    return Console(width=width, highlight=False, emoji=False)


def stderr() -> Console:
    return Console(stderr=True, highlight=False, emoji=False)


def say(line: str) -> None:
    """One line of a result, as it is."""
    stdout().print(line, markup=False, soft_wrap=True)


def tell(line: str) -> None:
    """One line of progress."""
    stderr().print(line, markup=False, soft_wrap=True)
