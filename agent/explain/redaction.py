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
    """`compiler`, with only the place left of messages on bodies that `view` hides and on the repository's tests, and
    lines of other places numbered as the view shows them. Without an index there is no view, and only tests are
    known."""

    compiler: Compiler
    view: HiddenView | None

    def check(self, code: str) -> Sequence[Diagnostic]:
        return tuple(map(self._redact_hidden_text_and_renumber_line, self.compiler.check(code)))

    def _redact_hidden_text_and_renumber_line(self, diagnostic: Diagnostic) -> Diagnostic:
        if diagnostic.in_candidate:
            return diagnostic
        message = diagnostic.message
        if is_test_code(diagnostic.path):
            message = IN_A_TEST
        elif self.view is not None and self.view.is_hidden_line(diagnostic.path, diagnostic.line):
            message = IN_A_HIDDEN_BODY
        line = diagnostic.line
        if self.view is not None:
            line = self.view.renumber_line_as_shown(diagnostic.path, line)
        return replace(diagnostic, message=message, line=line)
