"""Builds a variant. A build that fails, or a suite that prints other names, shows what must stay: the map is made
again with these names kept, until the image stands and its suites do what the original's do.

After a failed build the mended files are rewritten in one sandbox, whose build goes on where it can and reports all
errors that it meets. The image itself always comes from a build of the final tree from nothing.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from executor.cache import replace_file
from executor.manifest.variant.values import VariantRecord
from executor.repository.baseline import Baseline, SuiteError, baseline_log_path, baseline_path, read_baseline
from executor.repository.images import (
    BuildError,
    Image,
    build_image,
    find_missing_goal,
    make_build_command,
    own_base_name,
)
from executor.repository.source import SourceTree
from executor.sandbox.contract import Backend, Builder, Command
from index.errors import InfraError, RecipeError
from lab.variants.proof.build_messages import find_names_breaking_build
from lab.variants.proof.suite_comparison import SuiteComparison, compare_suites, find_names_printed_otherwise

log = logging.getLogger(__name__)

MOST_ROUNDS = 10

# Names to keep, with reasons -> the record of the map with these kept, and its tree.
Remake = Callable[[Mapping[str, str]], tuple[VariantRecord, SourceTree]]


@dataclass(frozen=True, slots=True)
class VariantBuild:
    """A variant that builds. `mended`: the names that its build and its suites made stay, with the reasons; `rounds`:
    how often it was built."""

    record: VariantRecord
    image: Image
    comparison: SuiteComparison
    mended: Mapping[str, str]
    rounds: int


def build_variant(
    original: Image,
    backend: Backend,
    cache: Path,
    remake: Remake,
    mended: Mapping[str, str],
    folder: Path,
    keep: Callable[[Mapping[str, str]], None],
) -> VariantBuild:
    """Build the variant that `remake` makes and compare its suites with the original's, mending as long as each round
    finds a name that must stay. `mended` are the names that an earlier call found; `keep` gets all of them whenever
    more were found. `folder` receives the builds' logs.

    Suites that still differ are in the result's comparison. Raises RecipeError when a build fails that shows no
    further name, or for the MOST_ROUNDS-th time; when a suite doesn't pass twice and shows no name; SandboxError.
    """
    mending = _BuildRepair(original, backend, cache, remake, folder, keep, dict(mended))
    record, tree = remake(mending.mended)
    failed_suites: set[str] = set()
    while True:
        mending.begin_round()
        try:
            image = build_image(original.recipe, tree, backend, None, cache)
        except BuildError as error:
            found = mending.move_and_read_build_log(error.log, record)
            if not found:
                raise RecipeError(f"{error}; no name of the map is in it, see {mending.log_path}") from error
            record, tree = mending.mend_variant_in_one_sandbox(record, tree, found)
            continue
        except SuiteError as error:
            found = find_names_printed_otherwise(
                error.suite, _find_image_folder(original), error.log, record.names, original.recipe.baseline_runs
            )
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
        comparison = compare_suites(original.recipe, read_image_baseline(original), read_image_baseline(image))
        found = {}
        for suite in comparison.problems:
            printed = baseline_log_path(_find_image_folder(image), suite)
            found |= find_names_printed_otherwise(
                suite, _find_image_folder(original), printed, record.names, original.recipe.baseline_runs
            )
        if not found or mending.rounds == MOST_ROUNDS:
            return VariantBuild(record, image, comparison, mending.mended, mending.rounds)
        backend.remove(image.key)
        record, tree = mending.remake_map_with_kept_names(record, tree, found)


def read_image_baseline(image: Image) -> Baseline:
    """The image's baseline with its notes. Raises SandboxError when it is damaged."""
    return read_baseline(baseline_path(_find_image_folder(image), image.recipe), image.recipe)


def _find_image_folder(image: Image) -> Path:
    if image.folder is None:
        raise InfraError(f"{image.key}: nothing is known of how its suites ran")
    return image.folder


@dataclass(slots=True)
class _BuildRepair:
    original: Image
    backend: Backend
    cache: Path
    remake: Remake
    folder: Path
    keep: Callable[[Mapping[str, str]], None]
    mended: dict[str, str]
    rounds: int = 0

    def begin_round(self) -> None:
        if self.rounds == MOST_ROUNDS:
            raise RecipeError(
                f"{self.original.recipe.name}: the variant doesn't build after {MOST_ROUNDS} rounds of mending; the"
                f" last build's output: {self.log_path}"
            )
        self.rounds += 1

    def move_and_read_build_log(self, printed: Path, record: VariantRecord) -> dict[str, str]:
        """What the failed build's output shows. The log moves into the variant's own folder, and the image's goes."""
        text = printed.read_bytes() if printed.is_file() else b""
        self._write_log(text)
        shutil.rmtree(printed.parent, ignore_errors=True)
        return self._read_build_messages(text, record)

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
        recipe = self.original.recipe
        with self.backend.builder(own_base_name(recipe, self.backend)) as builder:
            record, tree = self.remake_map_with_kept_names(record, tree, found)
            builder.put_tree(tree.root)
            while True:
                printed = self._build_in_place(builder)
                if printed is None:
                    return record, tree
                self.begin_round()
                self._write_log(printed)
                found = self._read_build_messages(printed, record)
                if not found:
                    # What an older round left behind may be what fails: the next build begins from nothing.
                    return record, tree
                before = _read_tree_files(tree.root)
                record, tree = self.remake_map_with_kept_names(record, tree, found)
                _rewrite_tree(builder, before, tree.root)

    def _build_in_place(self, builder: Builder) -> bytes | None:
        """Run the build's commands, each as far as it gets. Returns what they printed, None when all went well."""
        recipe = self.original.recipe
        env = {**recipe.build.env, "JOBS": str(recipe.build.jobs), "MAKEFLAGS": "k"}
        output = b""
        for line in recipe.build.commands:
            done = builder.run(make_build_command(recipe, line, env))
            output += done.output
            if not done.ok:
                return output
        return output if find_missing_goal(recipe, builder) else None

    def _read_build_messages(self, printed: bytes, record: VariantRecord) -> dict[str, str]:
        found = find_names_breaking_build(printed.decode("utf-8", "replace"), record.names, record.kept)
        return {name: f"build: {reason}" for name, reason in found.items()}

    @property
    def log_path(self) -> Path:
        return self.folder / f"build-{self.rounds}.log"

    def _write_log(self, data: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_file(self.log_path, data)


def _read_tree_files(root: Path) -> dict[str, bytes]:
    """The content of each regular file of the tree, by path."""
    return {path: (root / path).read_bytes() for path in _list_regular_files(root)}


def _list_regular_files(root: Path) -> Iterator[str]:
    for where, _, names in os.walk(root):
        for name in names:
            path = Path(where, name)
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(root).as_posix()


def _rewrite_tree(builder: Builder, before: Mapping[str, bytes], root: Path) -> None:
    """Bring the builder's tree, which holds the files `before`, to the state of `root`."""
    after = set(_list_regular_files(root))
    for path in after:
        data = (root / path).read_bytes()
        if before.get(path) != data:
            builder.write(path, data)
    if gone := sorted(set(before) - after):
        builder.run(Command(("sh", "-c", f"rm -f -- {shlex.join(gone)}")))
