"""A compiler's messages without the text of what is hidden: a message on another place may quote what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.values import Compiler
from index.hiding.hidden_view import HiddenView
from index.values import Diagnostic
from retrieval.test_code import is_test_code

IN_A_HIDDEN_BODY = "a message on a function that is hidden from you; its text is not shown"
IN_A_TEST = "a message on one of the repository's tests; its text is not shown"


@dataclass(frozen=True, slots=True)
class RedactingCompiler:
    """`compiler`, with only the place left of messages on bodies that `view` hides and on the repository's tests.
    Without an index there is no view, and only tests are known."""

    compiler: Compiler
    view: HiddenView | None

    def check(self, code: str) -> Sequence[Diagnostic]:
        return redact_messages(self.view, self.compiler.check(code))


def redact_messages(view: HiddenView | None, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The messages; of those outside the candidate on hidden bodies and on tests the place alone."""
    return tuple(each if each.in_candidate else _redact_message_by_place(view, each) for each in diagnostics)


def _redact_message_by_place(view: HiddenView | None, diagnostic: Diagnostic) -> Diagnostic:
    if is_test_code(diagnostic.path):
        return replace(diagnostic, message=IN_A_TEST)
    if view is not None and view.is_hidden_line(diagnostic.path, diagnostic.line):
        return replace(diagnostic, message=IN_A_HIDDEN_BODY)
    return diagnostic
