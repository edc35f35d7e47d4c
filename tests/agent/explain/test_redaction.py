"""Prevents: a compiler's message that quotes the body of a hidden twin, or a test, to the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.explain.redaction import IN_A_HIDDEN_BODY, IN_A_TEST, RedactingCompiler
from index.values import Diagnostic, Span, Target
from tests.agent.conftest import index_files

BODY = "{\n    int sum = 0;\n    for (int i = 0; i < n; i++) sum += weigh(list[i], n) * i;\n    return sum + n;\n}\n"
PARAMETERS = "(int *list, int n)"
FILE = f"int wanted{PARAMETERS}\n{BODY}\nint twin{PARAMETERS}\n{BODY}\nint other(int a)\n{{\n    return a;\n}}\n"


@dataclass(frozen=True)
class Says:
    """A compiler with these messages, whatever the draft."""

    found: tuple[Diagnostic, ...]

    def check(self, code: str) -> Sequence[Diagnostic]:
        return self.found


def error(path: str, line: int, *, own: bool = False) -> Diagnostic:
    return Diagnostic("error", "expected ';' before 'weigh'", path, line, 1, own)


@pytest.mark.parametrize(
    ("diagnostic", "message"),
    [
        pytest.param(error("a.c", 11), IN_A_HIDDEN_BODY, id="in the twin"),
        pytest.param(error("a.c", 16), "expected ';' before 'weigh'", id="in what the view shows"),
        pytest.param(error("a.c", 3, own=True), "expected ';' before 'weigh'", id="in the draft"),
        pytest.param(error("tests/unit.c", 3), IN_A_TEST, id="in a test"),
        pytest.param(error("/usr/include/stdio.h", 3), "expected ';' before 'weigh'", id="in the system's headers"),
        pytest.param(error("a.c", 10_000), "expected ';' before 'weigh'", id="behind the file's end"),
    ],
)
def test_of_a_message_on_hidden_text_the_place_is_left(tmp_path: Path, diagnostic: Diagnostic, message: str) -> None:
    index = index_files(tmp_path, {"a.c": FILE})
    view = index.hide(Target("t", "a.c", Span(1, 6), "wanted", "int wanted(int *list, int n)", "", "c"), "strict")
    (found,) = RedactingCompiler(Says((diagnostic,)), view).check("...")
    assert (found.path, found.line, found.message) == (diagnostic.path, diagnostic.line, message)
    index.close()
