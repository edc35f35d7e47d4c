"""One tree's files of the set, its copy under other names too. Whatever else a tree needs is gone when it is done."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.retrieval.training.candidate_rows import (
    FUNCTIONS,
    TARGETS,
    Drawn,
    Hashes,
    count_fitting_functions,
    draw_functions,
    find_functions,
    hash_function_names,
    hash_function_texts,
    write_functions,
    write_targets,
)
from benchmarks.retrieval.training.package_archives import Fetch, find_licence, look_at_tree
from benchmarks.retrieval.training.package_lot import Package, Rule
from benchmarks.retrieval.training.renamed_trees import write_renamed
from benchmarks.retrieval.training.set_arrays import SET
from benchmarks.retrieval.training.set_record import Record, Tree
from index.build import build_index
from index.errors import RecipeError
from index.repo_index import RepoIndex, open_index
from retrieval.structure.evidence.word_meanings import make_empty_meanings
from retrieval.structure.signal_maker import Signaller

log = logging.getLogger(__name__)

_NAMES, _TEXTS = "names.npy", "texts.npy"


class Workshop(NamedTuple):
    """The folder of a training set, how trees are fetched, and by which numbers they are taken."""

    work: Path
    fetch: Fetch
    rule: Rule

    def find_folder(self, tree: Tree) -> Path:
        """Where the tree's files of the set lie."""
        return self.work / SET / tree.name

    def find_copy_folder(self, tree: Tree) -> Path:
        """Where those of its copy under other names lie."""
        return self.work / SET / f"{tree.name}~{tree.renamed}"


def take_package(shop: Workshop, package: Package, record: Record, count: int) -> str:
    """Look at a package, and either take it and make its files, or return why not."""
    with _open_scratch_folder(shop) as scratch:
        try:
            root = shop.fetch(package, scratch / "source")
        except RecipeError as error:
            return str(error)
        look = look_at_tree(root)
        if why := shop.rule.explain_refusal(look, [tree.look for tree in record.taken]):
            return why
        with _open_new_index(root, scratch / "index") as index:
            names = hash_function_names(index)
            for tree in record.taken:
                share = np.isin(names, np.load(shop.find_folder(tree) / _NAMES)).mean() if len(names) else 0.0
                if share >= shop.rule.alike:
                    return f"{100 * share:.0f} % of its functions' names are in {tree.name}"
            if (found := count_fitting_functions(index, shop.rule.fitting)) < shop.rule.fitting:
                return f"{found} functions such as the benchmark has"
            place = len(record.taken)
            tree = Tree(
                package,
                look,
                len(index.functions),
                find_licence(root),
                shop.rule.choose_role(place),
                shop.rule.choose_style(place),
            )
            folder = shop.find_folder(tree)
            folder.mkdir(parents=True, exist_ok=True)
            np.save(folder / _NAMES, names)
            np.save(folder / _TEXTS, hash_function_texts(index))
            record.taken.append(tree)
            record.save(find_record_file(shop))
            _make_files(shop, record, place, index, count)
    return ""


def make_tree(shop: Workshop, record: Record, place: int, count: int) -> None:
    """Make the files of the tree taken at `place`, of so many functions. Raises RecipeError when its source can't be
    had."""
    with _open_scratch_folder(shop) as scratch:
        root = shop.fetch(record.taken[place].package, scratch / "source")
        with _open_new_index(root, scratch / "index") as index:
            _make_files(shop, record, place, index, count)


def make_copy(shop: Workshop, tree: Tree) -> None:
    """Make the files of the tree's copy under other names: of the functions that the set has of the tree. Raises
    RecipeError when its source can't be had."""
    with _open_scratch_folder(shop) as scratch:
        root = shop.fetch(tree.package, scratch / "source")
        with _open_new_index(root, scratch / "index") as index:
            renamed = write_renamed(root, index, tree.renamed, scratch / "renamed")
        log.info(f"{shop.find_copy_folder(tree).name}: {renamed} names are new")
        with _open_new_index(scratch / "renamed", scratch / "renamed index") as copy:
            drawn = list(find_functions(copy, _read_places(shop.find_folder(tree))))
            _write_files(copy, drawn, shop.find_copy_folder(tree))


def find_record_file(shop: Workshop) -> Path:
    """Where the record of the set lies."""
    return shop.work / "trees.json"


def _make_files(shop: Workshop, record: Record, place: int, index: RepoIndex, count: int) -> None:
    tree = record.taken[place]
    functions = draw_functions(index, tree.name, _read_texts(shop, record.taken[:place]), tree.role != "held out")
    _write_files(index, list(islice(functions, count)), shop.find_folder(tree))


def _write_files(index: RepoIndex, drawn: Sequence[Drawn], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # What words of other trees say must be learnt without the tree that is asked: in the set these signals are 0.
    signaller = Signaller(index, make_empty_meanings())
    write_functions(index, signaller, folder / FUNCTIONS)
    write_targets(index, signaller, drawn, folder)
    log.info(f"{folder.name}: {len(drawn)} functions")


def _read_places(folder: Path) -> list[tuple[tuple[str, int], bool]]:
    """The places of a tree's functions in the set, in order, and whether each is usual."""
    import pyarrow.parquet as pq

    rows = pq.read_table(folder / TARGETS, columns=["path", "line", "usual"]).to_pylist()
    return [((row["path"], row["line"]), row["usual"]) for row in rows]


def _read_texts(shop: Workshop, trees: Sequence[Tree]) -> Hashes:
    """The texts of all functions of these trees, sorted."""
    texts = [np.load(shop.find_folder(tree) / _TEXTS) for tree in trees]
    return np.unique(np.concatenate(texts)) if texts else np.zeros(0, dtype=np.uint64)


@contextmanager
def _open_scratch_folder(shop: Workshop) -> Iterator[Path]:
    shop.work.mkdir(parents=True, exist_ok=True)
    for left in shop.work.glob(".tree-*"):
        # Of a run that was killed.
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=shop.work, prefix=".tree-", ignore_cleanup_errors=True) as name:
        Path(name, "source").mkdir()
        yield Path(name)


@contextmanager
def _open_new_index(root: Path, folder: Path) -> Iterator[RepoIndex]:
    build_index(root, folder, workers=1)
    index = open_index(folder, root)
    try:
        yield index
    finally:
        index.close()
