"""Finds the lines of a log that match a recipe's patterns, in time linear in the log: the candidate writes the log."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import re2

# Seconds for a pattern that RE2 refuses (look-ahead, back references), in a process of its own.
SLOW_PATTERN_S = 60.0


class LogError(Exception):
    """The log can't be read: the message says why. It is the candidate's failure, since the candidate wrote it."""


def find_match_start_and_name_of_each_line(pattern: str, log: bytes) -> Iterator[tuple[int, str]]:
    """For each line that the pattern matches, where the match starts and the group `name` ("" without that group).

    `log` is UTF-8. A pattern that RE2 takes needs time linear in the log; any other is tried by Python's `re` on each
    line, in a process that is stopped after SLOW_PATTERN_S. Raises LogError then.
    """
    compiled = _compile_pattern(pattern)
    if compiled is None:
        yield from _find_match_of_each_line_in_subprocess(pattern, log)
        return
    group = compiled.groupindex.get(b"name")
    position = 0
    # Searched from line to line: a pattern with many matches in a long line would be quadratic.
    while match := compiled.search(log, position):
        yield match.start(), "" if group is None else (match[group] or b"").decode("utf-8", "replace").strip()
        position = log.find(b"\n", match.end()) + 1
        if position == 0:
            return


@functools.cache
def _compile_pattern(pattern: str) -> re2._Regexp | None:
    options = re2.Options()
    options.never_nl = True
    options.log_errors = False
    try:
        return re2.compile(b"(?m)" + pattern.encode(), options)
    except re2.error:
        return None


def _find_match_of_each_line_in_subprocess(pattern: str, log: bytes) -> Iterator[tuple[int, str]]:
    request = json.dumps([pattern, log.decode("utf-8", "replace")]).encode()
    command = [sys.executable, "-I", str(Path(__file__).with_name("slow_pattern.py"))]
    try:
        done = subprocess.run(command, input=request, capture_output=True, timeout=SLOW_PATTERN_S, check=True)
    except subprocess.TimeoutExpired as error:
        raise LogError(f"its output can't be read within {SLOW_PATTERN_S:.0f} s") from error
    except subprocess.CalledProcessError as error:
        raise LogError(f"its output can't be read: {error.stderr.decode('utf-8', 'replace')[-200:]}") from error
    yield from json.loads(done.stdout)
