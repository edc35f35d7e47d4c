"""Turns a unit's own command into a check: its exact flags, readable messages, and the warnings that matter."""

from __future__ import annotations

from collections.abc import Sequence

# Without its quoted lines of source gcc says less in some messages.
_GCC_OUTPUT = ("-fdiagnostics-color=never", "-fdiagnostics-show-option")
_CLANG_OUTPUT = ("-fno-caret-diagnostics", "-fno-color-diagnostics", "-fdiagnostics-show-option")
# These are bugs more often than not, and the unit's own flags may leave them off.
_LIKELY_BUGS = ("-Wreturn-type", "-Wunused-result", "-Wformat", "-Wuninitialized")
_LIKELY_BUGS_C = (
    "-Wimplicit-function-declaration",
    "-Wimplicit-int",
    "-Wincompatible-pointer-types",
    "-Wint-conversion",
)


def make_check_arguments(argv: Sequence[str], *, clang: bool, cpp: bool) -> tuple[str, ...]:
    """The syntax check `argv` (see `executor.repository.build.plan.make_syntax_check`) with messages that
    `read_diagnostics` reads.

    Where the unit makes every warning an error, none is added: it would fail what the build itself lets pass.
    """
    output = _CLANG_OUTPUT if clang else _GCC_OUTPUT
    if "-Werror" in argv:
        return (*argv, *output)
    # `-w` silences all warnings wherever it stands.
    kept = tuple(word for word in argv if word != "-w")
    return (*kept, *_LIKELY_BUGS, *(() if cpp else _LIKELY_BUGS_C), *output)


def make_flow_check_arguments(checking: Sequence[str]) -> tuple[str, ...]:
    """A check that goes on to code generation without optimisation: only there gcc notices a path without `return`, or
    a variable that is read before it is set."""
    return (*(word for word in checking if word != "-fsyntax-only"), "-O0", "-S", "-o", "/dev/null")
