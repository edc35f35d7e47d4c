"""Make the training set of the ranker: trees drawn by lot, and their functions with all candidates and signals.

    python -m benchmarks.retrieval.training_set WORK [--targets 200]
    python -m benchmarks.retrieval.training_set WORK --table    # only print what the set holds, as Markdown

docs/decisions/training-set.md is the rule, benchmarks/retrieval/training/candidate_rows.py says what the files hold.
WORK keeps the archives, the record trees.json and the set; sources and indexes are removed after each tree. Copies
under other names come after all trees. A run that was stopped goes on where it was, and loses at most one tree. When
the signals have changed, all trees are made again: a new column needs the same fetch, index and hiding as all
columns.

apt is asked as `graft make` asks it, with lists of its own in Graft's cache. Exit status 1: a tree's files couldn't be
made; trees.json says why, and the next run tries again.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.retrieval.training.candidate_rows import count_targets, is_whole
from benchmarks.retrieval.training.package_archives import fetch_tree
from benchmarks.retrieval.training.package_lot import Package, Rule, draw_lot
from benchmarks.retrieval.training.set_record import load_record
from benchmarks.retrieval.training.tree_files import Workshop, find_record_file, make_copy, make_tree, take_package
from benchmarks.tables import Column, render_table
from executor.cache import cache_root
from executor.repository.apt import read_source_package_list
from experiments.consoles import print_line, set_up_stderr_logging

log = logging.getLogger(__name__)


def make_set(shop: Workshop, list_packages: Callable[[], Sequence[Package]], count: int) -> list[str]:
    """Make the set, with so many functions of each tree. `list_packages` gives the lot; it isn't asked when all trees
    are taken. Returns the names of trees whose files couldn't be made."""
    record = load_record(find_record_file(shop))
    record.failed.clear()

    def try_work(name: str, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:
            # One bad tree in a night mustn't cost the others.
            log.exception(f"{name}: not made")
            record.failed[name] = f"{type(error).__name__}: {error}"[:300]
            record.save(find_record_file(shop))

    def look_at_package(package: Package) -> None:
        before = len(record.taken)
        why = take_package(shop, package, record, count)
        log.info(f"{package.name}: {why or 'taken'}")
        if len(record.taken) == before:
            record.passed_over[package.name] = {"version": package.version, "why": why}
        record.save(find_record_file(shop))

    for place, tree in enumerate(record.taken):
        if not is_whole(shop.find_folder(tree)):
            try_work(tree.name, partial(make_tree, shop, record, place, count))
    remaining = list(list_packages() if len(record.taken) < shop.rule.trees else ())
    while len(record.taken) < shop.rule.trees:
        known = {tree.name for tree in record.taken} | record.passed_over.keys() | record.failed.keys()
        sections = [tree.package.section for tree in record.taken]
        remaining = [p for p in remaining if p.name not in known and not shop.rule.is_full(p.section, sections)]
        if not remaining or record.looked_at >= shop.rule.tries:
            break
        try_work(remaining[0].name, partial(look_at_package, remaining[0]))
    for tree in record.taken:
        if tree.renamed and not is_whole(shop.find_copy_folder(tree)):
            try_work(tree.name, partial(make_copy, shop, tree))
    return list(record.failed)


def build_table(shop: Workshop) -> str:
    """Which trees were taken, and what the set holds of each."""
    columns = (
        Column("package", lambda tree: tree.name),
        Column("version", lambda tree: tree.package.version),
        Column("section", lambda tree: tree.package.section),
        Column("role", lambda tree: tree.role),
        Column("language", lambda tree: tree.look.language),
        Column("lines", lambda tree: tree.look.lines, ","),
        Column("functions", lambda tree: tree.functions, ","),
        Column("in the set", lambda tree: count_targets(shop.find_folder(tree))),
        Column("copy's names", lambda tree: tree.renamed or "-"),
        Column("SHA-256 of upstream's archive", lambda tree: tree.package.sha256),
    )
    return render_table(columns, load_record(find_record_file(shop)).taken)


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--targets", type=int, default=200, help="functions of a tree")
    parser.add_argument("--table", action="store_true", help="make nothing; print what the set holds")
    given = parser.parse_args()
    set_up_stderr_logging(logging.INFO)
    rule = Rule()
    work = given.work.absolute()
    shop = Workshop(work, partial(fetch_tree, work / "archives"), rule)
    if given.table:
        print_line(build_table(shop))
        return 0
    return 1 if make_set(shop, lambda: draw_lot(read_source_package_list(cache_root()), rule), given.targets) else 0


if __name__ == "__main__":
    sys.exit(main())
