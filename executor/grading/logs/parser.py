"""How a suite prints its tests: the part of a recipe that the reader of logs needs."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from index.user_files import StrictModel


def _require_regex(pattern: str) -> str:
    try:
        re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return pattern


def _require_naming_regex(pattern: str) -> str:
    if "name" not in re.compile(_require_regex(pattern), re.MULTILINE).groupindex:
        raise ValueError("needs a group (?P<name>...) that captures the test's name")
    return pattern


Regex = Annotated[str, AfterValidator(_require_regex)]
NamingRegex = Annotated[str, AfterValidator(_require_naming_regex)]


class Parser(StrictModel):
    """How a suite prints each test: as TAP with nested subtests, or on lines that these patterns match. A pattern is
    applied to each line by itself and counts once a line; ANSI colours are stripped before.

    `start` and `end`: the lines that the suite's own driver prints once each, before its first result and after its
    last. A log in which one of them is missing or stands twice, or with a result outside them, doesn't pass. TAP has
    its plan for that. `failed_status`: the exit status after an ordinary failed test. `ends`: False for output without
    a plan and closing line.
    """

    passed: NamingRegex | None = None
    failed: NamingRegex | None = None
    skipped: NamingRegex | None = None
    tap: bool = False
    start: Regex | None = None
    end: Regex | None = None
    failed_status: int = Field(default=1, ge=1, le=128)
    ends: bool = True

    @model_validator(mode="after")
    def _require_tap_or_lines(self) -> Parser:
        lines = self.passed or self.failed or self.skipped or self.start or self.end
        if self.tap and lines:
            raise ValueError("tap: true reads every line by itself; take passed, failed, skipped, start and end away")
        if not self.tap and self.passed is None:
            raise ValueError("passed: missing (or say tap: true)")
        return self

    @property
    def has_neither_tap_nor_failed_pattern(self) -> bool:
        """Whether lines count as tests that may be about anything: no line of it says that a test failed."""
        return not self.tap and self.failed is None


# The keys that say when results stand, not which there are: results that were measured before stay valid.
BOUNDS = frozenset({"start", "end", "failed_status", "ends"})
