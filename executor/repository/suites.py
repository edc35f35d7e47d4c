"""Suites of tests: the repository's own, which a recipe declares, and Graft's further ones (*plus* tests), a file each
in the recipe's folder `plus`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError
from yaml import YAMLError

from executor.cache import short_digest
from executor.grading.logs.parser import Regex
from index.errors import RecipeError
from index.user_files import StrictModel, explain_first_validation_problem, parse_yaml_up_to_size_limit


def _flatten_lists(words: object) -> object:
    """Flatten lists inside the list, so that suites can share words by a YAML alias."""
    if not isinstance(words, list):
        return words
    spread = [_flatten_lists(word) if isinstance(word, list) else [word] for word in words]
    return [part for parts in spread if isinstance(parts, list) for part in parts]


Words = Annotated[tuple[str, ...], BeforeValidator(_flatten_lists)]
Argv = Annotated[Words, Field(min_length=1)]


class Suite(StrictModel):
    """A command that runs tests. It is stopped after `timeout_factor` times the wall time that it took on the
    unmodified tree, but never before `timeout_min_s`. Lists inside `argv` and `goals` are flattened. `{suite}` in
    `argv` is the suite's name. `goals`: the files that this suite needs, if not all of `build.goals`. `ends`: False
    for a suite that doesn't print its parser's start, end or plan."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._+-]+$")]
    argv: Argv
    parser: str
    cwd: str = "."
    env: Mapping[str, str] = {}
    timeout_factor: float = Field(default=10.0, gt=0)
    timeout_min_s: float = Field(default=30.0, gt=0)
    memory_mb: int = Field(default=2048, gt=0)
    goals: Words = ()
    ends: bool = True

    @property
    def argv_with_suite_name(self) -> tuple[str, ...]:
        return tuple(word.replace("{suite}", self.name) for word in self.argv)


class OfficialSuite(Suite):
    """A complete test command of the repository, too long for every candidate: only `suite=official` runs it, and its
    baseline is measured on first use. `known_failures` and `quarantine`: as in the recipe."""

    known_failures: int = Field(default=0, ge=0)
    quarantine: tuple[Regex, ...] = ()


class PlusHarness(StrictModel):
    """How the plus tests with one suffix are made and run, in a candidate's tree once that is built.

    `into`: the folder of the tree into which a test's file is put, with the files of the folder `plus` that no harness
    runs, as headers.
    `goals`: the files that the candidate's build has to make for it. `build`: shell lines, run in the root, that make
    its program. `argv`, `parser`, `env`, `timeout_min_s`, `memory_mb`: as of a suite. In `build` and `argv`, `{name}`
    stands for the file's name without its suffix and `{link}`, `{instead}`, `{flags}` for what the test's own head
    says. `confined_as`: the suite whose rights its programs get; None where no driver has to be kept apart from the
    candidate."""

    into: str
    goals: Words = ()
    build: tuple[str, ...] = ()
    argv: Argv
    parser: str
    env: Mapping[str, str] = {}
    timeout_min_s: float = Field(default=60.0, gt=0)
    memory_mb: int = Field(default=2048, gt=0)
    confined_as: str | None = None


class PlusHead(StrictModel):
    """The YAML that a plus test's file opens with, in a comment between two lines `---`. `tasks`: the ids of the tasks
    that it judges. `tests`: each test's name as it is printed -> where the behaviour that it pins down is stated.
    `link`: further objects to link; `instead`: objects that are left out since the test holds their source; `flags`:
    further words for the compiler; `goals`: further files that the candidate's build has to make."""

    tasks: tuple[str, ...] = Field(min_length=1)
    tests: Mapping[str, Annotated[str, Field(min_length=1)]] = Field(min_length=1)
    link: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()


class PlusSuite(Suite):
    """A plus test: `files` of the tree with their text, `build` lines, the ids of its `tasks`, and its `tests` with
    where each behaviour is stated. Its name is `plus-` and the file's."""

    files: Mapping[str, str]
    build: tuple[str, ...] = ()
    tasks: tuple[str, ...]
    tests: Mapping[str, str]
    confined_as: str | None = None


def read_plus_tests(folder: Path, harnesses: Mapping[str, PlusHarness]) -> tuple[PlusSuite, ...]:
    """The plus tests of a folder, by name, and those of its subfolders, which are groups. With a test go all files of
    the folder that no harness runs, as headers; with a test of a group those that it includes, of the group's too.
    Raises RecipeError: one line that names the file and the key, or the two tests of one name."""
    shared, tests = _split_headers_from_tests(folder, harnesses)
    included = dict.fromkeys(tests, shared)
    for group in sorted(path for path in folder.glob("*") if path.is_dir()):
        headers, tests = _split_headers_from_tests(group, harnesses)
        included |= {test: _select_included_files(test, [*shared, *headers]) for test in tests}
    names: dict[str, Path] = {}
    for test in included:
        if names.setdefault(test.stem, test) != test:
            raise RecipeError(f"{test}: {names[test.stem]} has the same name; rename one")
    order = sorted(included, key=lambda test: test.stem)
    return tuple(_read_plus_test(test, harnesses[test.suffix], included[test]) for test in order)


def _split_headers_from_tests(folder: Path, harnesses: Mapping[str, PlusHarness]) -> tuple[list[Path], list[Path]]:
    headers, tests = list[Path](), list[Path]()
    for path in sorted(path for path in folder.glob("*") if path.is_file()):
        (tests if path.suffix in harnesses else headers).append(path)
    return headers, tests


def _read_utf8(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: it isn't UTF-8: {error.reason} at byte {error.start}") from error


def _select_included_files(path: Path, beside: Sequence[Path]) -> list[Path]:
    """The files that this one includes by `#include "name"`, in the order of `beside`, and what these include."""
    names, unread = set[str](), [path]
    while unread:
        text = _read_utf8(unread.pop())
        for file in beside:
            if file.name not in names and re.search(
                rf'^\s*#\s*include\s*"{re.escape(file.name)}"', text, re.MULTILINE
            ):
                names.add(file.name)
                unread.append(file)
    return [file for file in beside if file.name in names]


def digest_plus_tests(suites: Iterable[PlusSuite]) -> str:
    """A name for the text of these tests and the way in which they are run."""
    return short_digest({suite.name: suite.model_dump(mode="json") for suite in suites})


def _read_plus_test(path: Path, harness: PlusHarness, beside: Sequence[Path]) -> PlusSuite:
    text = _read_utf8(path)
    found = re.search(r"^\W*---$(.*?)^\W*---", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise RecipeError(f"{path}: doesn't open with its tasks and tests between two lines ---")
    try:
        plain = re.sub(r"^ ?(?:\*|#|//) ?", "", found[1], flags=re.MULTILINE)
        head = PlusHead.model_validate(parse_yaml_up_to_size_limit(plain))
    except ValidationError as error:
        raise RecipeError(f"{path}: {explain_first_validation_problem(error, PlusHead)}") from error
    except YAMLError as error:
        raise RecipeError(f"{path}: its head isn't YAML: {' '.join(str(error).split())}") from error
    words = {key: " ".join(getattr(head, key)) for key in ("link", "instead", "flags")} | {"name": path.stem}
    return PlusSuite(
        **harness.model_dump(include={"parser", "env", "timeout_min_s", "memory_mb", "confined_as"}),
        name=f"plus-{path.stem}",
        argv=tuple(_fill_known_placeholders(word, words) for word in harness.argv),
        goals=(*harness.goals, *head.goals),
        files={f"{harness.into}/{file.name}": _read_utf8(file) for file in (*beside, path)},
        build=tuple(_fill_known_placeholders(line, words) for line in harness.build),
        tasks=head.tasks,
        tests=head.tests,
    )


def _fill_known_placeholders(text: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), text)
