"""Which files are the repository's own tests, by path."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_FOLDERS = frozenset({"test", "tests", "testing", "unittest", "unittests", "unit_tests", "gtest", "googletest"})
_FILE = re.compile(r"^(?:tests?|test_.*|.*_(?:unit)?tests?|.*[a-z0-9](?:Unit)?Tests?)$")
"""`test_dict.c`, `dict_test.c`, `DictTest.cpp`, `json_unittest.cc`; not `latest.c` or `contest.c`."""


def is_test_code(path: str) -> bool:
    """Whether `path`, relative to the repository's root, is a test, or in a folder of tests."""
    place = PurePosixPath(path)
    return any(part.lower() in _FOLDERS for part in place.parts[:-1]) or _FILE.match(place.stem) is not None
