"""Builds a variant. A build that fails, or a suite that prints other names, shows what must stay: the map is made
again with these names kept, until the image stands and its suites do what the original's do.

After a failed build the mended files are rewritten in one sandbox, whose build goes on where it can and reports all
errors that it meets. The image itself always comes from a build of the final tree from nothing.
"""

from __future__ import annotations

import logging
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from executor.cache import replace_file
from executor.grading.grade import shorten_name_list
from executor.manifest.variant.renamed_files import list_regular_files_outside_git
from executor.manifest.variant.values import VariantRecord
from executor.repository.baseline import (
    Baseline,
    SuiteError,
    baseline_log_path,
    baseline_path,
    read_baseline_filling_ignored_tests,
)
from executor.repository.baseline_measurement import FAILS
from executor.repository.images import (
    BuildError,
    Image,
    build_image,
    find_first_missing_goal_or_empty,
    make_build_command,
    own_base_name,
)
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.sandbox.contract import Builder, Command
from index.cpp.tokens import find_comments_literals_and_words
from index.errors import RecipeError
from index.symbols.source_files import find_source_paths
from lab.variants.external_names import require_image_folder
from lab.variants.identifier_inventory import read_source_text_or_empty
from lab.variants.name_map import VariantInputs
from lab.variants.proof.build_messages import (
    find_names_breaking_build,
    find_names_changing_output,
    find_names_in_texts_alike,
)

log = logging.getLogger(__name__)

MOST_ROUNDS = 10

# Names to keep, with reasons -> the record of the map with these kept, and its tree.
Remake = Callable[[Mapping[str, str]], tuple[VariantRecord, SourceTree]]


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """How many suites gave the original's results (`equal`) of those `tried`, and how many `tests` they hold.

    problems  suite -> how its results differ
    unsteady  a line for each test that only one side left out, because its rounds there differed
    """

    equal: int
    tried: int
    tests: int
    problems: Mapping[str, str]
    unsteady: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantBuild:
    """A variant that builds. `rounds`: how often it was built."""

    record: VariantRecord
    image: Image
    comparison: SuiteComparison
    rounds: int


def build_variant_mending_names(
    making: VariantInputs, remake: Remake, mended: Mapping[str, str], keep: Callable[[Mapping[str, str]], None]
) -> VariantBuild:
    """Build the variant that `remake` makes and compare its suites with the original's, mending as long as each round
    finds a name that must stay. `mended` are the names that an earlier call found, with the reasons; `keep` gets all
    of them whenever more were found. The builds' logs lie in the variant's folder.

    Suites that still differ are in the result's comparison. Raises RecipeError when a build fails that shows no
    further name, or for the MOST_ROUNDS-th time; when a suite doesn't pass twice and shows no name; SandboxError.
    """
    mending = _BuildRepair(making, remake, keep, dict(mended))
    original, recipe = making.image, making.image.recipe
    record, tree = remake(mending.mended)
    failed_suites: set[str] = set()
    while True:
        mending.count_round_or_give_up()
        try:
            image = build_image(recipe, tree, making.backend, None, making.cache)
        except BuildError as error:
            found = mending.move_log_and_find_names_to_keep(error.log, record)
            if not found:
                raise RecipeError(f"{error}; no name of the map is in it, see {mending.log_path}") from error
            record, tree = mending.mend_variant_in_one_sandbox(record, tree, found)
            continue
        except SuiteError as error:
            found = mending.find_names_printed_otherwise(error.suite, error.log, record)
            if found:
                record, tree = mending.remake_map_with_kept_names(record, tree, found)
            elif error.suite in failed_suites:
                raise RecipeError(
                    f"{record.repo} {record.spec}: {str(error).replace('unmodified', 'renamed')}; a name that its"
                    " tests or data hold belongs under variants: keep in the recipe; then make it with --fresh"
                ) from error
            else:
                # A busy machine fails a test now and then.
                log.info(f"{error}; it is measured once more")
                failed_suites.add(error.suite)
            continue
        folders = require_image_folder(original), require_image_folder(image)
        comparison = compare_suites(
            recipe, *(read_baseline_filling_ignored_tests(baseline_path(folder, recipe), recipe) for folder in folders)
        )
        found = {}
        for suite in comparison.problems:
            found |= mending.find_names_printed_otherwise(suite, baseline_log_path(folders[1], suite), record)
        if not found or mending.rounds == MOST_ROUNDS:
            return VariantBuild(record, image, comparison, mending.rounds)
        making.backend.remove(image.key)
        record, tree = mending.remake_map_with_kept_names(record, tree, found)


@dataclass(slots=True)
class _BuildRepair:
    making: VariantInputs
    remake: Remake
    keep: Callable[[Mapping[str, str]], None]
    mended: dict[str, str]
    rounds: int = 0

    @property
    def log_path(self) -> Path:
        return self.making.folder / f"build-{self.rounds}.log"

    def count_round_or_give_up(self) -> None:
        if self.rounds == MOST_ROUNDS:
            raise RecipeError(
                f"{self.making.image.recipe.name}: the variant doesn't build after {MOST_ROUNDS} rounds of mending;"
                f" the last build's output: {self.log_path}"
            )
        self.rounds += 1

    def move_log_and_find_names_to_keep(self, printed: Path, record: VariantRecord) -> dict[str, str]:
        """What the failed build's output shows. The log moves into the variant's own folder, and the image's goes."""
        text = printed.read_bytes() if printed.is_file() else b""
        shutil.rmtree(printed.parent, ignore_errors=True)
        return self._save_output_and_find_names_to_keep(text, record)

    def remake_map_with_kept_names(
        self, record: VariantRecord, tree: SourceTree, found: Mapping[str, str]
    ) -> tuple[VariantRecord, SourceTree]:
        """The map made again with these names kept, and its tree. The older tree is removed."""
        shown = ", ".join(list(found)[:5]) + ("" if len(found) <= 5 else f" and {len(found) - 5} more")
        log.info(f"{record.repo}: {shown} must stay: {next(iter(found.values()))}")
        self.mended |= found
        self.keep(self.mended)
        fresh, fresh_tree = self.remake(self.mended)
        if fresh.digest == record.digest:
            raise RecipeError(f"{record.repo}: keeping {shown} changes nothing in the map")
        shutil.rmtree(tree.root, ignore_errors=True)
        tree.root.with_name(f"{tree.root.name}.json").unlink(missing_ok=True)
        return fresh, fresh_tree

    def mend_variant_in_one_sandbox(
        self, record: VariantRecord, tree: SourceTree, found: Mapping[str, str]
    ) -> tuple[VariantRecord, SourceTree]:
        """Mend until one sandbox's build is complete."""
        backend = self.making.backend
        with backend.builder(own_base_name(self.making.image.recipe, backend)) as builder:
            record, tree = self.remake_map_with_kept_names(record, tree, found)
            builder.put_tree(tree.root)
            while True:
                printed = self._build_and_collect_failure_output(builder)
                if printed is None:
                    return record, tree
                self.count_round_or_give_up()
                found = self._save_output_and_find_names_to_keep(printed, record)
                if not found:
                    # What an older round left behind may be what fails: the next build begins from nothing.
                    return record, tree
                before = dict(_read_tree_files(tree.root))
                record, tree = self.remake_map_with_kept_names(record, tree, found)
                _update_builder_tree(builder, before, tree.root)

    def _build_and_collect_failure_output(self, builder: Builder) -> bytes | None:
        """Run the build's commands, each as far as it gets. Returns what they printed, None when all went well."""
        recipe = self.making.image.recipe
        env = {**recipe.build.env, "JOBS": str(recipe.build.jobs), "MAKEFLAGS": "k"}
        output = b""
        for line in recipe.build.commands:
            done = builder.run(make_build_command(recipe, line, env))
            output += done.output
            if not done.ok:
                return output
        return output if find_first_missing_goal_or_empty(recipe, builder) else None

    def _save_output_and_find_names_to_keep(self, printed: bytes, record: VariantRecord) -> dict[str, str]:
        """Name -> why it must stay, by what a failed build printed, which is this round's log."""
        self.making.folder.mkdir(parents=True, exist_ok=True)
        replace_file(self.log_path, printed)
        found = find_names_breaking_build(printed.decode("utf-8", "replace"), record.names, record.kept)
        return {name: f"build: {reason}" for name, reason in found.items()}

    def find_names_printed_otherwise(self, suite: str, printed: Path, record: VariantRecord) -> dict[str, str]:
        """Name -> why it must stay, for names that the suite prints otherwise than in the original's rounds. `printed`
        holds what it printed on the variant."""
        if not printed.is_file():
            return {}
        image = self.making.image
        rounds = range(1, image.recipe.baseline_runs + 1)
        known = [baseline_log_path(require_image_folder(image), suite, number) for number in rounds]
        original = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in known if path.is_file())
        found = find_names_changing_output(
            printed.read_text(encoding="utf-8", errors="replace"), original, record.names
        )
        alike = find_names_in_texts_alike(self._read_literals(), found, record.names) if found else ()
        for name in sorted(alike):
            found.setdefault(name, f"compares with a text that is like that of {next(iter(found))}")
        return {name: f"suite {suite} {reason}" for name, reason in found.items()}

    def _read_literals(self) -> set[str]:
        """The texts in the original tree's C and C++ files."""
        root = self.making.source.root
        return {
            piece.text
            for path in find_source_paths(root)
            for piece in find_comments_literals_and_words(read_source_text_or_empty(root, path))
            if piece.kind == "literal"
        }


def _read_tree_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """The path and the content of each regular file of the tree."""
    return ((path, (root / path).read_bytes()) for path in list_regular_files_outside_git(root))


def _update_builder_tree(builder: Builder, before: Mapping[str, bytes], root: Path) -> None:
    """Bring the builder's tree, which holds the files `before`, to the state of `root`."""
    gone = set(before)
    for path, data in _read_tree_files(root):
        gone.discard(path)
        if before.get(path) != data:
            builder.write(path, data)
    if gone:
        builder.run(Command(("sh", "-c", f"rm -f -- {shlex.join(sorted(gone))}")))


def compare_suites(recipe: Recipe, original: Baseline, variant: Baseline) -> SuiteComparison:
    """Compare the two baselines. A test that a side left out for being unsteady or quarantined counts on neither; a
    test that fails on the variant alone is a difference even where the recipe excuses so many failures."""
    problems: dict[str, str] = {}
    unsteady: list[str] = []
    tests = 0
    for suite in recipe.suites:
        name = suite.name
        fails, known = (
            {test for test in side.expected.list_ignored_tests(name) if f"{name}: {test!r} {FAILS}" in side.notes}
            for side in (variant, original)
        )
        ignored = {
            "original": original.expected.list_ignored_tests(name) - known,
            "variant": variant.expected.list_ignored_tests(name) - fails,
        }
        out = ignored["original"] | ignored["variant"]
        unsteady += [
            f"{name}: {test!r} is unsteady on the {side} alone"
            for side, other in (("original", "variant"), ("variant", "original"))
            for test in sorted(ignored[side] - ignored[other])
            if not recipe.is_quarantined(test)
        ]
        before = {t: n for t, n in original.expected.suites.get(name, {}).items() if t not in out}
        after = {t: n for t, n in variant.expected.suites.get(name, {}).items() if t not in out}
        tests += sum(before.values())
        problem = _describe_suite_difference_or_empty(before, after, fails - known - out)
        more = variant.expected.statuses.get(name, frozenset()) - original.expected.statuses.get(name, frozenset())
        if more and not problem:
            problem = f"ends with status {min(more)}"
        if problem:
            problems[name] = problem
    tried = len(recipe.suites)
    return SuiteComparison(tried - len(problems), tried, tests, problems, tuple(unsteady))


def _describe_suite_difference_or_empty(before: Mapping[str, int], after: Mapping[str, int], failing: set[str]) -> str:
    lost = [name for name, count in before.items() if after.get(name, 0) < count and name not in failing]
    more = [name for name, count in after.items() if before.get(name, 0) < count]
    parts = (("fail", sorted(failing)), ("don't pass as often", lost), ("pass that the original lacks", more))
    return "; ".join(f"{len(names)} {what}: {shorten_name_list(tuple(names))}" for what, names in parts if names)
