"""Results go to stdout; progress and messages go to stderr, through `logging`."""

from __future__ import annotations

import logging
import os
import sys
from functools import cache

from rich.console import Console

LOGGERS = ("agent", "benchmarks", "executor", "experiments", "index", "retrieval", "__main__")


def stdout() -> Console:
    """A terminal's own width; elsewhere wide enough that a table's row stays one line (COLUMNS overrides).
    Texts are code and paths: `a.c:key: ...` isn't a picture."""
    width = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "200"))
    return Console(width=width, highlight=False, emoji=False)


@cache
def stderr() -> Console:
    """The same console each time, so that messages appear above a progress bar, not in it."""
    return Console(stderr=True, highlight=False, emoji=False)


def say(line: str) -> None:
    """Print one line of a result as it is."""
    stdout().print(line, markup=False, soft_wrap=True)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Print what Graft's packages log, message alone, from `level` on. As a library Graft prints nothing; a program
    calls this once at its start, and again to change the level."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(level)
        if not any(isinstance(handler, _StderrHandler) for handler in logger.handlers):
            logger.addHandler(_StderrHandler())


class _StderrHandler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        stderr().print(self.format(record), markup=False, soft_wrap=True)
