"""Reads the library of forgeries: lab/forgeries/classes/CLASS/NAME.c.

A file opens with a comment: one sentence, then lines `language:`, `driver:` and `function:` where the forgery doesn't
suit all.
What follows is C. A line `/* body */` parts what stands before the function from the statements that begin its body,
and a line `/* after */` parts those from what stands behind it; a file without such lines is statements alone. See
`lab.forgeries.forged_text` for the words that are filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from index.errors import TaskError

CLASSES_FOLDER = Path(__file__).parent / "classes"
LANGUAGES = ("c", "cpp")
DRIVERS = ("tcl", "perl", "gtest", "lines")

_FILE = re.compile(r"/\* (?P<head>.*?)\*/\n(?P<text>.*)", re.DOTALL)
_KEYS = ("language", "driver", "function")
_PARTS = re.compile(r"^/\* (before|body|after) \*/\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Forgery:
    """A way to cheat. `family` is its class. It suits functions in `languages` whose tests are driven by `drivers`,
    and when there are `functions`, those of these names alone. `before`, `body` and `after` are its text, in which
    words are still to be filled in."""

    name: str
    family: str
    languages: tuple[str, ...]
    drivers: tuple[str, ...]
    functions: tuple[str, ...]
    before: str
    body: str
    after: str


def load_forgeries(folder: Path = CLASSES_FOLDER) -> tuple[Forgery, ...]:
    """All forgeries by class and name. Raises TaskError for a file that can't be read as one, and for a name that
    occurs twice."""
    found = tuple(_read_forgery(path) for path in sorted(folder.glob("*/*.c")))
    names = [forgery.name for forgery in found]
    for name in names:
        if names.count(name) > 1:
            raise TaskError(f"{folder}: two forgeries are called {name}; rename one")
    return found


def _read_forgery(path: Path) -> Forgery:
    match = _FILE.fullmatch(path.read_text(encoding="utf-8"))
    if match is None:
        raise TaskError(f"{path}: must open with a comment that says what it does")
    keys = _read_keys(path, match["head"])
    pieces = _PARTS.split(match["text"])
    # Without a marker the text is a body.
    parts = dict(zip(pieces[1::2], pieces[2::2], strict=True)) or {"body": pieces[0]}
    return Forgery(
        path.stem,
        path.parent.name,
        _read_words(path, "language", keys.get("language"), LANGUAGES),
        _read_words(path, "driver", keys.get("driver"), DRIVERS),
        tuple(name.strip() for name in keys.get("function", "").split(",") if name.strip()),
        parts.get("before", ""),
        parts.get("body", ""),
        parts.get("after", ""),
    )


def _read_keys(path: Path, head: str) -> dict[str, str]:
    """The keys below the sentence that says what it does."""
    lines = [line.strip().partition(": ") for line in head.strip().splitlines()]
    given = [(key, value) for key, colon, value in lines if colon and key in _KEYS]
    if len(given) == len(lines):
        raise TaskError(f"{path}: the comment lacks the sentence that says what it does")
    return dict(given)


def _read_words(path: Path, key: str, value: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    words = known if value is None else tuple(word.strip() for word in value.split(","))
    unknown = set(words) - set(known)
    if unknown:
        raise TaskError(f"{path}: {key}: {', '.join(sorted(unknown))} isn't one of {', '.join(known)}")
    return words
