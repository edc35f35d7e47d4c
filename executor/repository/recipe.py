"""Recipes of repositories. A recipe is a folder with `recipe.yaml`: a new repository needs no code."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from executor.grading.logs.parser import BOUNDS, Parser, Regex
from executor.repository.suites import OfficialSuite, PlusHarness, PlusSuite, Suite, read_plus_tests
from index.errors import RecipeError
from index.user_files import StrictModel, explain_first_validation_problem, make_spelling_hint, read_yaml
from index.values import Language

RECIPE_FILE = "recipe.yaml"
PLUS = "plus"
_HIDDEN = ("folder", "plus_suites")
BUILT_IN = Path(__file__).parents[2] / "recipes"


class RecipeSource(StrictModel):
    """Where the source comes from, one of three: `url` and `commit` of a git repository; a `directory` relative to the
    recipe's folder; a distribution's source `package` with its `version` and the `sha256` of its upstream archive.

    `exclude`: names at the top of a directory that aren't source, as its build folder. `may_lack`: patterns (fnmatch)
    of files that neither the build nor a suite reads, so that a filtered clone may lack their content. `paths`: the
    parts of a package's archive to keep. `files`: a folder beside the recipe whose files are copied over the tree.
    `debian_sha256`: the digest of Debian's own archive, whose patches are applied to the package's."""

    url: str | None = None
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")] | None = None
    directory: str | None = None
    exclude: tuple[str, ...] = ()
    may_lack: tuple[str, ...] = ()
    package: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]+$")] | None = None
    version: str | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    debian_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    paths: tuple[str, ...] = ()
    files: str | None = None

    @model_validator(mode="after")
    def _require_exactly_one_source_kind(self) -> RecipeSource:
        given = [kind for kind in (self.url, self.directory, self.package) if kind is not None]
        if len(given) != 1 or (self.url is None) != (self.commit is None):
            raise ValueError("give either url and commit, or directory, or package, version and sha256")
        if (self.package is None) != (self.version is None) or (self.package is None) != (self.sha256 is None):
            raise ValueError("package, version and sha256 go together")
        if self.may_lack and self.url is None:
            raise ValueError("may_lack goes with url: a directory holds what it holds")
        if (self.paths or self.files or self.debian_sha256) and self.package is None:
            raise ValueError("paths, files and debian_sha256 go with package")
        return self


class Base(StrictModel):
    """The base root file system of a repository that can't use the default one: a Debian `suite` with further
    `packages`. `without`: files of these packages that are removed, because a candidate could use them instead of its
    own work. `disk_mb`: the space that must be free to make it."""

    suite: Annotated[str, Field(pattern=r"^[a-z]+$")]
    packages: tuple[str, ...] = ()
    without: tuple[Annotated[str, Field(pattern=r"^[A-Za-z0-9_][^/]*(/[A-Za-z0-9_][^/]*)*$")], ...] = ()
    disk_mb: int = Field(default=2048, gt=0)

    @property
    def name(self) -> str:
        """A name made from the content, so that recipes with the same needs share a base."""
        parts = [self.suite, *sorted(self.packages), *(f"without {path}" for path in sorted(self.without))]
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        return f"{self.suite}-{digest[:8]}"


class Build(StrictModel):
    """How the tree is built. `commands` are shell lines, run in the root with $JOBS set. `goals`: the files that the
    tests need. `keep`: folders that hold everything that the commands make, so that a killed build can be resumed
    after its last complete command. `disk_mb`: the space that must be free before it starts."""

    commands: tuple[str, ...] = Field(min_length=1)
    goals: tuple[str, ...] = Field(min_length=1)
    keep: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    jobs: int = Field(default=2, ge=1)
    timeout_s: float = Field(default=7200.0, gt=0)
    memory_mb: int = Field(default=8192, gt=0)
    disk_mb: int = Field(default=2048, gt=0)


class Tests(StrictModel):
    """Which suites judge a task: those listed for its id, else the default. `official`: patterns (fnmatch) of the
    suites that make up the repository's own tests."""

    __test__ = False

    default: tuple[str, ...] = Field(min_length=1)
    tasks: Mapping[str, tuple[str, ...]] = {}
    official: tuple[str, ...] = Field(default=("*",), min_length=1)


class Variants(StrictModel):
    """How the repository is renamed (`graft variants make`). Patterns are of paths (fnmatch). `leave`: files of other
    projects, which stay as they are. `follow`: files that aren't C and name what the C code defines, as lists of
    symbols; they are renamed along. `keep`: identifiers that stay."""

    leave: tuple[str, ...] = ()
    follow: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


class Recipe(StrictModel):
    """Everything about a repository: its source, its build, its tests and how to read their output."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$")]
    display: str
    languages: tuple[Language, ...] = Field(min_length=1)
    source: RecipeSource
    build: Build
    suites: tuple[Suite, ...] = Field(min_length=1)
    parsers: Mapping[str, Parser]
    tests: Tests
    official: tuple[OfficialSuite, ...] = ()
    packages: tuple[str, ...] = ()
    header_mode: Literal["all", "override"] = "all"
    quarantine: tuple[Regex, ...] = ()
    # Suite -> how many of its tests may fail on the unmodified tree. Those that fail there are named and ignored from
    # then on. More of them is an error, so that a broken set-up isn't taken for a known failure.
    known_failures: Mapping[str, int] = {}
    baseline_runs: int = Field(default=2, ge=1)
    base: Base | None = None
    # The repository whose tasks this recipe takes over where their text occurs in its source
    # (executor.tasks.row_rebinding).
    rebinds: str | None = None
    # The files (fnmatch) among these that the build makes programs from; empty: all.
    covers: tuple[str, ...] = ()
    # Used only when it is named, because building it takes hours.
    on_request: bool = False
    variants: Variants = Variants()
    # How Graft's own further tests in the folder `plus` are run, by their files' suffix.
    plus: Mapping[Annotated[str, Field(pattern=r"^\.[a-z]+$")], PlusHarness] = {}
    # Not keys of the file: where it was read, and the tests in its folder `plus`.
    folder: Path = Field(default=Path(), exclude=True)
    plus_suites: tuple[PlusSuite, ...] = Field(default=(), exclude=True)

    @model_validator(mode="after")
    def _require_unique_and_known_names(self) -> Recipe:
        names = [suite.name for suite in (*self.suites, *self.official)]
        if len(set(names)) != len(names):
            raise ValueError("suites: two have the same name")
        parsers = {f"suites: {suite.name}": suite.parser for suite in (*self.suites, *self.official)}
        parsers |= {f"plus: {suffix}:": harness.parser for suffix, harness in self.plus.items()}
        for user, parser in parsers.items():
            if parser not in self.parsers:
                raise ValueError(f"{user} names parser {parser!r}; declared: {', '.join(self.parsers)}")
        for suffix, harness in self.plus.items():
            if harness.confined_as is not None and harness.confined_as not in names:
                raise ValueError(f"plus: {suffix}: confined_as: no suite {harness.confined_as!r}")
        for pattern in self.tests.official:
            if not fnmatch.filter(names, pattern):
                raise ValueError(f"tests: official: no suite's name is like {pattern!r}")
        names = [suite.name for suite in self.suites]
        for name in self.known_failures:
            if name not in names:
                raise ValueError(f"known_failures: no suite {name!r}{make_spelling_hint(name, names)}")
        for key, suites in {"default": self.tests.default, **self.tests.tasks}.items():
            for name in suites:
                if name not in names:
                    raise ValueError(f"tests: {key} names suite {name!r}; declared: {', '.join(names)}")
        return self

    def find_suite(self, name: str) -> Suite:
        """Raises RecipeError when no suite has the name."""
        suites = (*self.suites, *self.official, *self.plus_suites)
        for suite in suites:
            if suite.name == name:
                return suite
        raise RecipeError(f"recipe {self.name}: no suite {name!r}{make_spelling_hint(name, [s.name for s in suites])}")

    def find_parser(self, suite_name: str) -> Parser:
        """How the suite's output is read. Raises RecipeError when no suite has the name."""
        suite = self.find_suite(suite_name)
        parser = self.parsers[suite.parser]
        return parser if suite.ends else parser.model_copy(update={"ends": False})

    def list_judging_suites(self, task_id: str) -> tuple[str, ...]:
        """Names of the suites that judge a task."""
        return self.tests.tasks.get(task_id, self.tests.default)

    def list_plus_tests_of_task(self, task_id: str) -> tuple[PlusSuite, ...]:
        """Graft's own further tests of a task."""
        return tuple(suite for suite in self.plus_suites if task_id in suite.tasks)

    def official_suites(self) -> tuple[str, ...]:
        """Names of the suites that make up the repository's own tests, those that every candidate runs first."""
        names = [suite.name for suite in (*self.suites, *self.official)]
        return tuple(n for n in names if any(fnmatch.fnmatchcase(n, like) for like in self.tests.official))

    def find_goals(self, suites: Sequence[str] | None = None) -> tuple[str, ...]:
        """The files that these suites need, all suites without an argument, in a fixed order."""
        known = (*self.suites, *self.official, *(() if suites is None else self.plus_suites))
        chosen = [s for s in known if suites is None or s.name in suites]
        needed = {goal for suite in chosen for goal in suite.goals or self.build.goals}
        if suites is None:
            needed.update(self.build.goals)
        return tuple(sorted(needed))

    def dump_keys_deciding_results(self, *further_keys: str) -> dict[str, Any]:
        """The keys that decide the suites' results, and the `further_keys`, as JSON. Parsers that only official suites
        use are left out, and so are the keys that say when results stand."""
        kept = self.model_dump(mode="json", include={"suites", "parsers", "quarantine", *further_keys})
        used = {suite.parser for suite in self.suites}
        kept["parsers"] = {
            name: {key: value for key, value in parser.items() if key not in BOUNDS}
            for name, parser in kept["parsers"].items()
            if name in used
        }
        for suite in kept["suites"]:
            del suite["ends"]
        return kept

    def is_quarantined(self, test_name: str) -> bool:
        return any(re.search(pattern, test_name) for pattern in self.quarantine)


def recipe_folders() -> list[Path]:
    """The folders that are searched for recipes, in order: those in GRAFT_RECIPES, then Graft's own."""
    given = os.environ.get("GRAFT_RECIPES", "")
    return [*(Path(part).expanduser() for part in given.split(os.pathsep) if part), BUILT_IN]


def add_recipe_folder(folder: Path) -> None:
    """Search this folder for recipes first, in this process and those that it starts: a data set may bring its own."""
    given = os.environ.get("GRAFT_RECIPES", "")
    place = str(folder.absolute())
    if place not in given.split(os.pathsep):
        os.environ["GRAFT_RECIPES"] = os.pathsep.join([place, *([given] if given else [])])


def recipe_names() -> list[str]:
    return sorted({path.parent.name for folder in recipe_folders() for path in folder.glob(f"*/{RECIPE_FILE}")})


def find_recipe(name: str) -> Recipe:
    """The recipe of a repository by its name. Raises RecipeError, which lists the known names."""
    for folder in recipe_folders():
        path = folder / name / RECIPE_FILE
        if path.is_file():
            return load_recipe(path)
    known = recipe_names()
    raise RecipeError(
        f"no recipe for repository {name!r}{make_spelling_hint(name, known)} (known: {', '.join(known) or 'none'})"
        " (GRAFT_RECIPES names folders with more)"
    )


def load_recipe(path: Path) -> Recipe:
    """Read one recipe. Raises RecipeError: one line that names the file and the key."""
    data = read_yaml(path, RecipeError)
    for key in _HIDDEN:
        if key in data:
            raise RecipeError(f"{path}: {key}: unknown key")
    try:
        recipe = Recipe.model_validate({**data, "folder": path.parent.resolve()})
    except ValidationError as error:
        raise RecipeError(f"{path}: {explain_first_validation_problem(error, Recipe, hidden=_HIDDEN)}") from error
    if recipe.plus:
        recipe = recipe.model_copy(update={"plus_suites": read_plus_tests(recipe.folder / PLUS, recipe.plus)})
    if recipe.name != path.parent.name:
        raise RecipeError(f"{path}: name: {recipe.name!r} differs from its folder's, {path.parent.name!r}")
    return recipe
