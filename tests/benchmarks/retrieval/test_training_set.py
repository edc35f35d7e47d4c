"""Prevents: a training set that loses a night's work when it is killed, teaches the benchmark's own code, or labels
the wrong candidates."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks.retrieval import generic_ranker, word_meanings
from benchmarks.retrieval.training.package_archives import look_at_tree
from benchmarks.retrieval.training.package_lot import Look, Package, Rule, draw_lot
from benchmarks.retrieval.training.set_arrays import read_questions
from benchmarks.retrieval.training.set_record import load_record
from benchmarks.retrieval.training.tree_files import Workshop, find_record_file
from benchmarks.retrieval.training_set import build_table, make_set
from benchmarks.tables import read_tables
from index.errors import RecipeError
from retrieval.ranker.forest_ranker import load_ranker
from retrieval.ranker.network_ranker import load_network
from retrieval.structure.signals import SIGNAL_NAMES
from tests.support.encoder import static_encoder

RULE = Rule(trees=3, lines=range(10, 10_000), fitting=4, of_section=9)
COUNT = 12
WORDS = {
    "garden": ("seed", "flower", "hedge", "pond", "path", "gate", "tree", "lawn"),
    "garden-fork": ("seed", "flower", "hedge", "pond", "path", "gate", "tree", "lawn"),
    "kitchen": ("spoon", "kettle", "plate", "oven", "bowl", "knife", "table", "towel"),
    "harbour": ("boat", "anchor", "sail", "mast", "crane", "buoy", "rope", "quay"),
}
PACKAGES = [Package(name, "1.0-1", "libs", f"{name}.orig.tar.gz", "0" * 64) for name in ("missing", *WORDS)]


def files_of(name: str) -> dict[str, str]:
    """A small tree: makers of things, and documented functions that call some of them."""
    things = WORDS[name]
    made = "".join(f"int make_{thing}(int n) {{ return n * {at}; }}\n" for at, thing in enumerate(things))
    head = "".join(f"int make_{thing}(int n);\n" for thing in things)
    users = "".join(
        f"/* Counts each {thing} and the {other} that stands beside it. */\n"
        f"int count_{thing}_{other}(int n)\n{{\n    int found = make_{thing}(n) + {at};\n"
        f"    found += make_{other}(found);\n    return found;\n}}\n"
        f"int peek_{thing}_{other}(int n)\n{{\n    return make_{thing}(n) - {at};\n}}\n"
        for at, (thing, other) in enumerate(zip(things, things[1:] + things[:1], strict=True))
    )
    return {"things.h": head, "things.c": '#include "things.h"\n' + made, "users.c": '#include "things.h"\n' + users}


def fetch(package: Package, folder: Path) -> Path:
    if package.name == "missing":
        raise RecipeError("its upstream archive can't be fetched (404)")
    for path, text in files_of(package.name).items():
        (folder / path).write_text(text)
    return folder


def killed_at(name: str) -> Callable[[Package, Path], Path]:
    def fetch_or_die(package: Package, folder: Path) -> Path:
        root = fetch(package, folder)
        if package.name == name:
            os.kill(os.getpid(), signal.SIGKILL)
        return root

    return fetch_or_die


def contents(work: Path) -> dict[str, object]:
    files = sorted((work / "set").rglob("*.parquet"))
    return {str(file.relative_to(work)): pq.read_table(file).to_pydict() for file in files}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole set, made without a break."""
    work = tmp_path_factory.mktemp("whole")
    assert make_set(Workshop(work, fetch, RULE), lambda: PACKAGES, COUNT) == []
    return work


def test_a_killed_run_goes_on_and_makes_the_same_set(work: Path, tmp_path: Path) -> None:
    arguments = (Workshop(tmp_path, killed_at("harbour"), RULE), lambda: PACKAGES, COUNT)
    child = multiprocessing.get_context("fork").Process(target=make_set, args=arguments)
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "set").rglob("*.parquet")}
    assert before and list(tmp_path.glob(".tree-*"))
    assert not [file for file in before if "~" in str(file)], "trees come before copies"
    assert make_set(Workshop(tmp_path, fetch, RULE), lambda: PACKAGES, COUNT) == []
    assert {file: file.stat().st_mtime_ns for file in before} == before
    assert contents(tmp_path) == contents(work)
    assert find_record_file(Workshop(tmp_path, fetch, RULE)).read_text() == (work / "trees.json").read_text()
    assert not list(tmp_path.glob(".tree-*"))


def test_a_set_that_is_whole_asks_for_nothing(work: Path) -> None:
    def never(package: Package, folder: Path) -> Path:
        raise AssertionError(package)

    assert make_set(Workshop(work, never, RULE), list, COUNT) == []


def test_who_was_taken_for_what_and_who_was_passed_over(work: Path) -> None:
    record = load_record(work / "trees.json")
    assert [(tree.name, tree.role, tree.renamed) for tree in record.taken] == [
        ("garden", "held out", "nonsense"),
        ("kitchen", "stops", "nonsense"),
        ("harbour", "teaches", ""),
    ]
    assert record.passed_over["missing"]["why"] == "its upstream archive can't be fetched (404)"
    assert record.passed_over["garden-fork"]["why"] == "100 % of its functions' names are in garden"
    (table,) = read_tables(build_table(Workshop(work, fetch, RULE)))
    assert table.rows[1][:4] == ("kitchen", "1.0-1", "libs", "stops")
    assert [row[7] for row in table.rows] == ["8", "12", "12"]


def test_labels_are_the_true_callees_and_every_signal_has_its_column(work: Path) -> None:
    found = {}
    for question in read_questions(work / "set" / "harbour"):
        functions = pq.read_table(work / "set" / "harbour" / "functions.parquet").to_pylist()
        called = {functions[row]["name"] for row in question.signals.rows[question.callee >= 0]}
        found[question.place] = called
        assert question.signals.names == SIGNAL_NAMES
        assert len(called) == question.callees
        assert question.signals.find_column("pool").max() > 0
    first = files_of("harbour")["users.c"].splitlines().index("int count_boat_anchor(int n)") + 1
    assert found[f"users.c:{first}"] == {"make_boat", "make_anchor"}


def test_a_tree_that_is_held_out_gives_only_usual_functions(work: Path) -> None:
    assert {question.usual for question in read_questions(work / "set" / "garden")} == {True}
    assert [question.usual for question in read_questions(work / "set" / "harbour")][:6] == [True, True, False] * 2


def test_a_renamed_copy_asks_about_the_same_functions_under_other_names(work: Path) -> None:
    original, copy = (
        list(read_questions(work / "set" / "garden")),
        list(read_questions(work / "set" / "garden~nonsense")),
    )
    assert [(q.place, q.callees) for q in copy] == [(q.place, q.callees) for q in original]
    names = [
        {row["name"] for row in pq.read_table(work / "set" / folder / "functions.parquet").to_pylist()}
        for folder in ("garden", "garden~nonsense")
    ]
    assert len(names[0]) == len(names[1]) and not names[0] & names[1]


def test_trees_with_other_signals_are_made_again(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(work, tmp_path / "work")
    monkeypatch.setattr("benchmarks.retrieval.training.candidate_rows.TABLES_FOLDER", "other tables")
    shop = Workshop(tmp_path / "work", fetch, RULE)
    file = tmp_path / "work" / "set" / "harbour" / "candidates.parquet"
    before = file.stat().st_mtime_ns
    assert make_set(shop, list, COUNT) == []
    assert file.stat().st_mtime_ns > before
    assert list(read_questions(file.parent))


@pytest.mark.slow
def test_a_ranker_and_its_card_come_of_the_set(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(work, tmp_path / "work")
    shop, encoder = tmp_path / "work", static_encoder(tmp_path / "encoder")
    monkeypatch.setattr(word_meanings, "LEAST_TREES", 1)
    monkeypatch.setattr(generic_ranker, "EPOCHS", (1, 2))
    monkeypatch.setattr(sys, "argv", ["word_meanings", str(shop), "--encoder", encoder])
    word_meanings.main()
    monkeypatch.setattr(sys, "argv", ["generic_ranker", str(shop)])
    generic_ranker.main()
    assert load_ranker(shop / "generic_ranker.txt").names == SIGNAL_NAMES
    assert load_network(shop / "network.npz").names == SIGNAL_NAMES
    said = capsys.readouterr().out
    assert "| pooled | today | 8 | 16 |" in said and "Held-out trees under other names: both less forest" in said
    card = (shop / "generic_ranker.md").read_text()
    assert "| kitchen | 1.0-1 | stops | nonsense | c |" in card


PARAGRAPH = """Package: {name}
Version: 1.0-1
Section: {section}
Architecture: any
Build-Depends: debhelper-compat (= 13), {depends}
Checksums-Sha256:
 {digest} 1500 {name}_1.0-1.dsc
 {digest} {size} {name}_1.0.orig.tar.gz
 {digest} 900 {name}_1.0-1.debian.tar.xz
"""


def in_lot(name: str, section: str = "libs", depends: str = "cmake", size: int = 200_000) -> bool:
    text = PARAGRAPH.format(name=name, section=section, depends=depends, size=size, digest="a" * 64)
    return [package.archive for package in draw_lot(f"{text}\n", Rule())] == [f"{name}_1.0.orig.tar.gz"]


def test_what_is_in_the_lot() -> None:
    assert in_lot("boats")
    assert in_lot("boats", depends="autoconf (>= 2.69),\n libfoo-dev | libbar-dev")
    assert not in_lot("openssl-boats")
    assert not in_lot("busybox"), "the index is measured on it"
    assert not in_lot("boats", section="python")
    assert not in_lot("boats", depends="libfoo-dev")
    assert not in_lot("boats", depends="cmake, default-jdk-headless")
    assert not in_lot("boats", size=20_000_000)


def test_fills_keep_one_kind_of_tree_from_being_all() -> None:
    rule = Rule(of_section=2, of_language=2, of_size=1)
    small = Look(6_000, "c", "")
    assert rule.is_full("libs", ["libs", "net", "libs"]) and not rule.is_full("net", ["libs", "net", "libs"])
    assert not rule.is_full("misc", ["misc"] * 9)
    assert rule.explain_refusal(small, []) == ""
    assert rule.explain_refusal(small, [small]) == "1 trees of its size are taken"
    assert rule.explain_refusal(small, [replace(small, lines=90_000)] * 2) == "2 trees of its language are taken"
    assert rule.explain_refusal(replace(small, lines=10), []) == "10 lines of C and C++"
    assert rule.explain_refusal(replace(small, foreign="bullet3"), []) == "a folder bullet3"


def test_a_folder_that_may_be_the_benchmark_is_seen(tmp_path: Path) -> None:
    for path in ("src/a.cpp", "src/a.h", "third_party/Bullet3/b.h", "c.c"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("int x;\nint y;\n" if path.endswith("cpp") else "int x;\n")
    assert look_at_tree(tmp_path) == Look(5, "cpp", "Bullet3")
