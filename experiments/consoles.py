"""Results go to stdout; progress and messages go to stderr, through `logging`."""

from __future__ import annotations

import io
import logging
import os
import re
import sys
from functools import cache
from typing import Any

from rich.console import Console

LOGGERS = ("agent", "benchmarks", "executor", "experiments", "index", "lab", "retrieval", "__main__")


# A log or an answer may hold them, and a terminal obeys them. Tabs and line ends stay.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def escape_control_characters(text: str) -> str:
    """Foreign text without what would drive a terminal: control characters as escapes."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text.replace("\r\n", "\n"))


_WIDE, _ANY_TABLE = 200, 5000


class _ControlEscapingConsole(Console):
    """Prints texts that a model or a candidate's tests wrote."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(
            *(escape_control_characters(item) if isinstance(item, str) else item for item in objects), **options
        )


def make_stdout_console(*, every_column: bool = False) -> Console:
    """A terminal's own width; elsewhere wide enough that a table's row stays one line (COLUMNS overrides), and wide
    enough for any table with `every_column`. Texts are code and paths: `a.c:key: ...` isn't a picture."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a lone surrogate has no bytes
    columns = os.environ.get("COLUMNS", "")
    width = None if sys.stdout.isatty() else int(columns if columns.isdecimal() else 0) or _WIDE
    if every_column:
        width = _ANY_TABLE
    return _ControlEscapingConsole(width=width, highlight=False, emoji=False)


@cache
def get_shared_stderr_console() -> Console:
    """The same console each time, so that messages appear above a progress bar, not in it."""
    return _ControlEscapingConsole(stderr=True, highlight=False, emoji=False)


def print_line(line: str) -> None:
    """Print one line of a result as it is."""
    make_stdout_console().print(line, markup=False, soft_wrap=True)


def set_up_stderr_logging(level: int = logging.INFO) -> None:
    """Print what Graft's packages log, message alone, from `level` on. As a library Graft prints nothing; a program
    calls this once at its start, and again to change the level."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(level)
        if not any(isinstance(handler, _StderrHandler) for handler in logger.handlers):
            logger.addHandler(_StderrHandler())


class _StderrHandler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        get_shared_stderr_console().print(self.format(record), markup=False, soft_wrap=True)
