"""Which of the compiler's messages keep a draft from being the answer, and which of them the model is told."""

from __future__ import annotations

from collections.abc import Sequence

from index.values import Diagnostic

# C accepts a call of an undeclared function and the linker then doesn't find it: as good as an error.
_FATAL_WARNINGS = frozenset({"-Wimplicit-function-declaration"})
_TELLING_WARNINGS = _FATAL_WARNINGS | {
    "-Wimplicit-int",
    "-Wincompatible-pointer-types",
    "-Wint-conversion",
    "-Wreturn-type",
    "-Wuninitialized",
    "-Wunused-result",
    "-Wformat=",
}
# The first messages are the causes; what follows is mostly their echo.
_MOST = 12


def is_fatal(diagnostics: Sequence[Diagnostic]) -> bool:
    """True when the draft doesn't compile, or would not link."""
    return any(_fatal(one) for one in diagnostics)


def worth_telling(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What goes into the repair message: errors, and warnings that point at a bug, those inside the candidate
    first; notes and the rest stay in the record. At most 12."""
    telling = [one for one in diagnostics if one.severity == "error" or one.option in _TELLING_WARNINGS]
    telling.sort(key=lambda one: (not one.in_candidate, not _fatal(one)))
    return tuple(telling[:_MOST])


def _fatal(one: Diagnostic) -> bool:
    return one.severity == "error" or one.option in _FATAL_WARNINGS
