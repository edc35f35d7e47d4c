"""A row of a data set that isn't bound to a source tree yet, and functions that read the tree's lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from executor.values import Level, OracleItem
from index.cpp.language import detect_language
from index.errors import TaskError
from index.source_text import BOM, decode_source, explain_utf16_or_utf32_or_empty, split_lines_keeping_ends
from index.values import Language, Span, Target

LEVELS = tuple(level.value for level in Level)
ID_PATTERN = re.compile(r"[A-Za-z0-9._-]+")

# The suffix `.h` doesn't show the language, so it is set by repository.
_HEADER_LANGUAGE: Mapping[str, Language] = {"bullet3": "cpp", "llvm": "cpp", "redis": "c", "openssl": "c"}


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A data set's row for one task. Nothing in it, its `target` neither, was compared with the repository yet.

    `dataset_gold` is None where the data set has no text of its own, as Graft's format may. `official_gold` is the
    text of YABLoCo's JSON, with which the peers compare; None where there is none. `origin` names the file and row for
    error messages. `unread` is "", or why its texts couldn't be read: then it has none, and can only be counted.
    """

    id: str
    target: Target
    oracle: tuple[OracleItem, ...]
    dataset_gold: str | None
    level: Level
    dataset: str
    dataset_version: str
    origin: str
    instruction: str | None = None
    oracle_text: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    official_gold: str | None = None
    unread: str = ""

    @property
    def repository(self) -> str:
        return self.target.repo

    @property
    def path(self) -> str:
        """The file of its first function."""
        return self.target.path

    @property
    def span(self) -> Span:
        """The lines of its first function."""
        return self.target.span

    @property
    def name(self) -> str:
        """The name of its first function."""
        return self.target.name

    @property
    def rows_of_functions(self) -> tuple[TaskRow, ...]:
        """The row as one row for each of its functions."""
        return tuple(replace(self, target=hole) for hole in self.target.holes)


def require_valid_task_id(text: str, origin: str) -> str:
    """The id itself. Raises TaskError for one that can't be a folder's name and a journal's key."""
    if ID_PATTERN.fullmatch(text) and text not in {".", ".."}:
        return text
    raise TaskError(f"{origin}: id {text!r} must be made of letters, digits, '.', '_' and '-'")


def require_distinct_task_ids(rows: Iterable[TaskRow]) -> None:
    """Raises TaskError for two rows of one id: they would be one task whose samples are paid for twice."""
    seen: dict[str, str] = {}
    for row in rows:
        if row.id in seen:
            raise TaskError(f"{row.origin}: id {row.id!r} was already given in {seen[row.id]}")
        seen[row.id] = row.origin


def require_path_inside_repository(text: str, origin: str) -> str:
    """The path itself. Raises TaskError unless it is relative, with forward slashes, and inside the repository."""
    parts = PurePosixPath(text).parts
    if not parts or text.startswith("/") or "\\" in text or ".." in parts:
        raise TaskError(f"{origin}: path {text!r} must be relative to the repository's root, without '..'")
    return text


def read_file_bytes(path: Path) -> bytes:
    """Raises TaskError when it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise TaskError(f"{path}: can't be read ({error.strerror})") from None


def read_json_lines_with_origins(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The object of each line that isn't blank, behind its file and line for messages. Raises TaskError."""
    for number, line in enumerate(read_file_bytes(path).split(b"\n"), start=1):
        if line.strip():
            where = f"{path} line {number}"
            value = parse_json(line, where)
            if not isinstance(value, dict):
                raise TaskError(f"{where}: expected an object, not {type(value).__name__}")
            yield where, value


def parse_json(data: bytes, where: str) -> Any:
    """The JSON value. Raises TaskError."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TaskError(f"{where}: not JSON ({error})") from None


def strip_repository_prefix(path: str, repository: str) -> str:
    """`bullet3/src/x.h` -> `src/x.h`; llvm's rows are prefixed `llvm-project/`."""
    head, _, rest = path.partition("/")
    return rest if rest and head in {repository, f"{repository}-project"} else path


def detect_file_language(path: str, repository: str) -> Language:
    """The language of a file, by its suffix and, for `.h`, its repository."""
    if PurePosixPath(path).suffix.lower() == ".h":
        return _HEADER_LANGUAGE.get(repository, "c")
    return detect_language(path, b"")


def choose_level_of_farthest_callee(*, project: int, package: int, file: int, stdlib: int) -> Level:
    """The level by the numbers of callees: the farthest place that holds one (YABLoCo, context levels)."""
    if project:
        return Level.PROJECT
    if package:
        return Level.PACKAGE
    if file:
        return Level.FILE
    return Level.STDLIB if stdlib else Level.NONE


def read_file_lines(row: TaskRow, source_root: Path) -> list[str]:
    """The lines of the row's file, each with its own line end, without a BOM. TaskError names the row when it can't
    be read."""
    file = source_root / row.path
    try:
        data = file.read_bytes()
    except OSError as error:
        raise TaskError(
            f"{row.origin}: field path: {row.path} can't be read in {source_root} ({error.strerror}); "
            f"is that {row.repository} at the benchmark's commit?"
        ) from None
    if why := explain_utf16_or_utf32_or_empty(data):
        raise TaskError(f"{row.origin}: field path: {row.path} can't be read: {why}")
    return split_lines_keeping_ends(decode_source(data.removeprefix(BOM)))


def join_span_lines(lines: Sequence[str], span: Span) -> str:
    """The text of the span's lines without the last line's end (`\\n` or `\\r\\n`)."""
    return "".join(lines[span.first - 1 : span.last]).removesuffix("\n").removesuffix("\r")


def require_span_inside_file(row: TaskRow, lines: Sequence[str]) -> None:
    """Raises TaskError when the span isn't inside the file."""
    if row.span.first < 1 or row.span.last < row.span.first:
        raise TaskError(f"{row.origin}: span {row.span.first}..{row.span.last} is not a span of lines")
    if row.span.last > len(lines):
        raise TaskError(
            f"{row.origin}: span {row.span.first}..{row.span.last} is outside {row.path}, "
            f"which has {len(lines)} lines; is that {row.repository} at the benchmark's commit?"
        )
