"""How a suite prints its tests: the part of a recipe that the reader of logs needs."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, model_validator

from index.strict import Strict


def _regex(pattern: str) -> str:
    try:
        re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return pattern


def _naming_regex(pattern: str) -> str:
    if "name" not in re.compile(_regex(pattern), re.MULTILINE).groupindex:
        raise ValueError("needs a group (?P<name>...) that captures the test's name")
    return pattern


Regex = Annotated[str, AfterValidator(_regex)]
NamingRegex = Annotated[str, AfterValidator(_naming_regex)]


class Parser(Strict):
    """How a suite prints each test: as TAP with nested subtests, or on lines that these patterns match. The patterns
    are multi-line, and ANSI colours are stripped before they are applied."""

    passed: NamingRegex | None = None
    failed: NamingRegex | None = None
    skipped: NamingRegex | None = None
    tap: bool = False

    @model_validator(mode="after")
    def _is_tap_or_lines(self) -> Parser:
        lines = self.passed or self.failed or self.skipped
        if self.tap and lines:
            raise ValueError("tap: true reads every line by itself; take passed, failed and skipped away")
        if not self.tap and self.passed is None:
            raise ValueError("passed: missing (or say tap: true)")
        return self
