"""Prevents: a failed build whose cause the user has to dig out of a long log."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.making.failures import explained
from executor.repository.images import BuildError


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("fatal: unable to access 'https://host/x': Could not resolve host: host\n", "build: it wants the network"),
        ("a.c:1:10: fatal error: zlib.h: No such file or directory\n", "build: the header zlib.h is missing"),
        ("No package 'libfoo' found\n", "build: libfoo is missing: add the Debian package that has it, as libfoo-dev"),
        ("/bin/sh: 1: bison: not found\n", "build: the program bison is missing"),
        ("make: *** [x] Error 1\n", "build: recipe r: it failed; correct `build: commands`"),
    ],
)
def test_the_cause_is_named_with_what_to_write(tmp_path: Path, output: str, line: str) -> None:
    (tmp_path / "build.log").write_text(output)
    assert explained(BuildError("recipe r: it failed", tmp_path / "build.log")).startswith(line)
