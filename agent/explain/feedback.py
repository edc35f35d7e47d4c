"""Which of the compiler's messages keep a draft from being the answer, and which of them the model is told."""

from __future__ import annotations

from collections.abc import Sequence

from agent.values import Round
from index.values import Diagnostic

# C lets them pass and they're mostly wrong: worth one more answer, no reason to refuse a draft.
_SERIOUS_WARNINGS = frozenset(
    {
        "-Wimplicit-function-declaration",
        "-Wimplicit-int",
        "-Wincompatible-pointer-types",
        "-Wint-conversion",
        "-Wreturn-type",
    }
)
_TELLING_WARNINGS = _SERIOUS_WARNINGS | {"-Wuninitialized", "-Wunused-result", "-Wformat="}
# The first messages are the causes; what follows is mostly their echo.
_MOST = 12


def is_fatal(diagnostics: Sequence[Diagnostic]) -> bool:
    """True when the draft doesn't compile. An undeclared function that nothing defines is the compiler's error."""
    return any(one.severity == "error" for one in diagnostics)


def satisfied(rounds: Sequence[Round]) -> bool:
    """True when the last draft compiles, and nothing that C merely lets pass is worth asking once more.

    Serious warnings are worth one round: a draft that compiles after one that did is the answer in any case."""
    compiled = [one for one in rounds if compiles(one)]
    if not compiled or compiled[-1] is not rounds[-1]:
        return False
    return len(compiled) > 1 or not any(_serious(one) for one in rounds[-1].diagnostics or ())


def compiles(one: Round) -> bool:
    """True when the round's draft was found and checked, and the compiler let it pass."""
    return one.candidate.code is not None and one.diagnostics is not None and not is_fatal(one.diagnostics)


def relevant_messages(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What goes into the repair message: errors, and warnings that point at a bug, those inside the candidate
    first; notes and the rest stay in the record. At most 12."""
    telling = [one for one in diagnostics if one.severity == "error" or one.option in _TELLING_WARNINGS]
    telling.sort(key=lambda one: (not one.in_candidate, one.severity != "error", not _serious(one)))
    return tuple(telling[:_MOST])


def _serious(one: Diagnostic) -> bool:
    return one.in_candidate and one.option in _SERIOUS_WARNINGS
