"""Which of the compiler's messages keep a draft from being the answer, and which go back to the model."""

from __future__ import annotations

from collections.abc import Sequence

from agent.values import Round
from index.values import Diagnostic

# C accepts these, and they are mostly mistakes: worth one more answer, but no reason to refuse a draft.
_SERIOUS_WARNINGS = frozenset(
    {
        "-Wimplicit-function-declaration",
        "-Wimplicit-int",
        "-Wincompatible-pointer-types",
        "-Wint-conversion",
        "-Wreturn-type",
    }
)
_RELEVANT_WARNINGS = _SERIOUS_WARNINGS | {"-Wuninitialized", "-Wunused-result", "-Wformat="}
# The first messages are the causes; what follows mostly repeats them.
_MOST_MESSAGES = 12


def has_compiled_cleanly_or_twice(rounds: Sequence[Round]) -> bool:
    """True when the last draft compiles and isn't worth another round. A serious warning is worth one: the second
    draft that compiles is the answer in any case."""
    compiled = [entry for entry in rounds if has_compiled(entry)]
    if not compiled or compiled[-1] is not rounds[-1]:
        return False
    return len(compiled) > 1 or not any(
        _is_serious_warning_in_candidate(entry) for entry in rounds[-1].diagnostics or ()
    )


def has_compiled(entry: Round) -> bool:
    """True when the round has a draft that was compiled without an error."""
    if entry.candidate.code is None or entry.diagnostics is None:
        return False
    return all(diagnostic.severity != "error" for diagnostic in entry.diagnostics)


def select_first_errors_and_bug_warnings(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The messages that go back to the model: errors, and warnings that point at a bug, those inside the candidate
    first. Notes and the rest stay in the record. At most 12."""
    relevant = [each for each in diagnostics if each.severity == "error" or each.option in _RELEVANT_WARNINGS]
    relevant.sort(
        key=lambda each: (not each.in_candidate, each.severity != "error", not _is_serious_warning_in_candidate(each))
    )
    return tuple(relevant[:_MOST_MESSAGES])


def _is_serious_warning_in_candidate(diagnostic: Diagnostic) -> bool:
    return diagnostic.in_candidate and diagnostic.option in _SERIOUS_WARNINGS
