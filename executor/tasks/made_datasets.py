"""Data sets that come with Graft without a line of their repositories: `places.json` says where in the source each
task's texts stand, and the rows are read there. The source comes from the user's mirror or package archive."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from executor.cache import cache_root, replace_file
from executor.function.definition import split_definition
from executor.repository.recipe import BUILT_IN, find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.tasks.task_row import TaskRow
from executor.values import Level, OracleItem
from index.errors import RecipeError, TaskError
from index.source_text import decode_source, split_byte_lines_keeping_ends
from index.user_files import StrictModel
from index.values import Language, Span, Target, join_targets

_FILE = "places.json"
_MARKUP = re.compile(r"(?m)^[ \t]*(?:/\*+[!<]?|\*+/|//[/!]*<?|\*(?!/))[ \t]?|[ \t]*\*+/[ \t]*$")
_RULE = re.compile(r"(?m)^[ \t]*([-=*#~_+/])\1{3,}[ \t]*$")


class Passage(StrictModel):
    """The bytes [start, end) of a file. `name`: of the function that they define, for the oracle's."""

    path: str
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    name: str = ""


class HolePlace(StrictModel):
    """Where a function's text stands. `first` and `last` are lines of `path`, 1-based, both included; `sha256` is the
    digest of their text. `comment` documents the function; without one its docstring is `no_comment`."""

    path: str
    first: int = Field(ge=1)
    last: int = Field(ge=1)
    sha256: str
    name: str
    language: Language
    comment: Passage | None


class TaskPlace(HolePlace):
    """Where a task's texts stand: its function's, or the first of several, of which `further` are the others."""

    id: str
    level: str
    oracle: tuple[Passage, ...]
    further: tuple[HolePlace, ...] = ()


class Places(StrictModel):
    """The whole file. `repository` is its recipe's name, `lines` those of its C and C++ source, 0: not counted."""

    repository: str
    no_comment: str
    lines: int = 0
    tasks: tuple[TaskPlace, ...]


def list_built_in_made_datasets() -> tuple[str, ...]:
    """The data sets of this kind that come with Graft."""
    return tuple(sorted(path.parent.name for path in BUILT_IN.glob(f"*/{_FILE}")))


def find_differently_named_made_datasets(repository: str) -> tuple[str, ...]:
    """The data sets of this kind whose tasks are another recipe's, here `repository`'s."""
    names = [name for name in list_built_in_made_datasets() if name != repository]
    return tuple(name for name in names if _load_places_and_digest(BUILT_IN / name)[0].repository == repository)


def read_made_dataset_rows(
    folder: Path,
    cache: Path | None = None,
    mirror: Path | None = None,
    *,
    lenient: bool = False,
    repos: Collection[str] | None = None,
) -> tuple[TaskRow, ...]:
    """The rows, read from the source, which is fetched unless it is at hand. Raises RecipeError when it can't be had,
    TaskError when it isn't the one that the data set was made from. Where it can't be had and `lenient` is set, or is
    none of `repos` (None: all), `TaskRow.unread` says so."""
    places, version = _load_places_and_digest(folder)
    recipe, root, why = find_recipe(places.repository), None, f"{places.repository} isn't asked for"
    if repos is None or recipe.name in repos:
        try:
            root, why = checkout_source(recipe, choose_mirror_folder(mirror), cache or cache_root()).root, ""
        except RecipeError as error:
            if not lenient:
                raise
            why = f"its source can't be had: {error}"
    return tuple(_make_row(place, places, root, folder.name, version, why) for place in places.tasks)


def _load_places_and_digest(folder: Path) -> tuple[Places, str]:
    data = (folder / _FILE).read_bytes()
    try:
        return Places.model_validate_json(data), hashlib.sha256(data).hexdigest()[:12]
    except ValidationError as error:
        raise TaskError(f"{folder / _FILE}: damaged; install Graft again") from error


def write_places(places: Places, folder: Path) -> None:
    """Write places.json into the folder, made unless it exists."""
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / _FILE, places.model_dump_json(indent=1).encode() + b"\n")


def digest_lines(root: Path, path: str, first: int, last: int) -> str:
    """The digest of these lines of a file."""
    return hashlib.sha256(_read_lines(root, path, first, last)).hexdigest()


def find_byte_offsets_in_item_files(root: Path, texts: Sequence[OracleItem]) -> tuple[Passage, ...]:
    """Where these texts stand in their files. Raises ValueError for one that doesn't."""
    found = []
    for item in texts:
        text = item.text.encode("utf-8", "surrogateescape")
        start = (root / str(item.path)).read_bytes().index(text)
        found.append(Passage(path=str(item.path), start=start, end=start + len(text), name=item.name))
    return tuple(found)


def strip_comment_markup(comment: str) -> str:
    """The text of a comment without its markers and rules."""
    text = _RULE.sub("", _MARKUP.sub("", comment))
    lines = [line.rstrip() for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _make_row(place: TaskPlace, places: Places, root: Path | None, dataset: str, version: str, unread: str) -> TaskRow:
    return TaskRow(
        id=place.id,
        target=join_targets(
            [_read_target_or_bare_without_root(each, places, root, dataset) for each in (place, *place.further)]
        ),
        oracle=tuple(
            OracleItem(_decode_passage_byte_range(root, item), item.path, item.name) for item in place.oracle if root
        ),
        dataset_gold=None,
        level=Level(place.level),
        dataset=dataset,
        dataset_version=version,
        origin=f"{place.path}:{place.first}",
        unread=unread,
    )


def _read_target_or_bare_without_root(place: HolePlace, places: Places, root: Path | None, dataset: str) -> Target:
    span = Span(place.first, place.last)
    if root is None:
        return Target(places.repository, place.path, span, place.name, place.name, "", place.language)
    text = _read_lines(root, place.path, place.first, place.last)
    if hashlib.sha256(text).hexdigest() != place.sha256:
        raise TaskError(
            f"{dataset}: {place.name} in {place.path} isn't what the data set was made from; remove {root}, so that"
            " the source is unpacked again"
        )
    definition = split_definition(decode_source(text))
    comment = (
        strip_comment_markup(_decode_passage_byte_range(root, place.comment)) if place.comment else places.no_comment
    )
    header = definition.header.strip() if definition else place.name
    return Target(places.repository, place.path, span, place.name, header, comment, place.language)


def _read_lines(root: Path, path: str, first: int, last: int) -> bytes:
    return b"".join(split_byte_lines_keeping_ends(_read_source_file(root, path))[first - 1 : last])


def _decode_passage_byte_range(root: Path, passage: Passage) -> str:
    return decode_source(_read_source_file(root, passage.path)[passage.start : passage.end])


def _read_source_file(root: Path, path: str) -> bytes:
    try:
        return (root / path).read_bytes()
    except OSError as error:
        raise TaskError(
            f"{root / path}: {error.strerror}; remove {root}, so that the source is unpacked again"
        ) from error
