"""Turns a unit's own command into a check: its exact flags, readable messages, and the warnings that matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

# The format of the compiler's messages. clang has no JSON, and gcc's is deprecated since 14.
Dialect = Literal["gcc json", "gcc text", "clang"]

_OUTPUT: dict[Dialect, tuple[str, ...]] = {
    "gcc json": ("-fdiagnostics-format=json",),
    "gcc text": ("-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-fdiagnostics-show-option"),
    "clang": ("-fno-caret-diagnostics", "-fno-color-diagnostics", "-fdiagnostics-show-option"),
}
# gcc's first version that may lack its JSON.
_TEXT_FROM = 15
# These are bugs more often than not, and the unit's own flags may leave them off.
_LIKELY_BUGS = ("-Wreturn-type", "-Wunused-result", "-Wformat", "-Wuninitialized")
_LIKELY_BUGS_C = (
    "-Wimplicit-function-declaration",
    "-Wimplicit-int",
    "-Wincompatible-pointer-types",
    "-Wint-conversion",
)


def detect_diagnostic_format(version: str) -> Dialect:
    """The format that the compiler prints, by the output of its `--version`."""
    if "clang" in version.lower():
        return "clang"
    number = re.search(r"\b(\d+)\.\d+(?:\.\d+)?\b", re.sub(r"\([^()]*\)", " ", version))
    return "gcc text" if number is not None and int(number[1]) >= _TEXT_FROM else "gcc json"


def make_check_arguments(argv: Sequence[str], dialect: Dialect, *, cpp: bool) -> tuple[str, ...]:
    """The syntax check `argv` (see `executor.repository.build.plan.make_syntax_check`) with its messages in `dialect`.

    Where the unit makes every warning an error, none is added: it would fail what the build itself lets pass.
    """
    if "-Werror" in argv:
        return (*argv, *_OUTPUT[dialect])
    # `-w` silences all warnings wherever it stands.
    kept = tuple(word for word in argv if word != "-w")
    return (*kept, *_LIKELY_BUGS, *(() if cpp else _LIKELY_BUGS_C), *_OUTPUT[dialect])


def make_flow_check_arguments(checking: Sequence[str]) -> tuple[str, ...]:
    """A check that goes on to code generation without optimisation: only there gcc notices a path without `return`, or
    a variable that is read before it is set."""
    return (*(word for word in checking if word != "-fsyntax-only"), "-O0", "-S", "-o", "/dev/null")
