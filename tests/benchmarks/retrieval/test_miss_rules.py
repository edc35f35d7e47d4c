"""Prevents: an error analysis that blames the wrong thing, so that the next change is aimed at nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.retrieval.miss_rules import RULES, Facts, Misses, ceilings, facts_of, parts, reason
from experiments.retrieval_eval.evaluate import with_callees
from experiments.retrieval_eval.targets import drawn
from index.build import build_index
from index.hiding.view import HiddenView
from index.repo_index import RepoIndex, open_index
from index.values import Target
from retrieval.structure.signaller import Signaller
from retrieval.values import Hit

DOC = "/* Adds a book to the catalogue of books. */\n"
TREE = {
    "lib.h": "int book_open(int x);\nint zap(int x);\nint quux(int x);\nint over(int x);\n",
    "lib.c": '#include "lib.h"\n'
    "int book_open(int x) { return x; }\nint zap(int x) { return x + 1; }\nint quux(int x) { return x * 2; }\n",
    "add.c": '#include "lib.h"\n'
    "int shelf(int x) { return zap(x); }\n"
    f"{DOC}int book_add(int x) {{\n    int y = book_open(x);\n"
    "    y += zap(y);\n    y += quux(y);\n    return y;\n}\n",
}


class Nothing:
    """A ranker that finds nothing, so that everything is a miss."""

    name = "nothing"

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        return []


@pytest.fixture
def index(tmp_path: Path) -> Iterator[RepoIndex]:
    root = tmp_path / "tree"
    root.mkdir()
    for name, text in TREE.items():
        (root / name).write_text(text)
    build_index(root, tmp_path / "index", workers=1)
    opened = open_index(tmp_path / "index", root)
    yield opened
    opened.close()


def misses(index: RepoIndex) -> dict[str, Facts]:
    asked = [a for a in drawn(index, "tree", 10) if a.target.name == "book_add"]
    found: list[Misses] = list(facts_of(with_callees("tree", index, asked), Nothing(), Signaller(index), "strict"))
    return {f.callee: f for misses in found for f in misses.facts}


def test_what_can_be_seen_of_a_callee(index: RepoIndex) -> None:
    found = misses(index)
    assert sorted(found) == ["book_open", "quux", "zap"]
    assert (found["zap"].called, found["zap"].by_siblings) == (1, True)
    assert (found["book_open"].called, found["book_open"].by_words) == (0, True)
    assert (found["quux"].called, found["quux"].by_words, found["quux"].by_siblings) == (0, False, False)
    assert all(f.in_pool and f.known and not f.hidden and f.rank == 0 for f in found.values())


def test_each_miss_has_its_reason(index: RepoIndex) -> None:
    found = {name: reason(f, 10) for name, f in misses(index).items()}
    assert found == {
        "zap": "outranked: functions similar to the target call it; no word points to it",
        "book_open": "nothing else calls it, but words point to it",
        "quux": "nothing else calls it, and no word points to it",
    }


def fact(**changed: object) -> Facts:
    plain = Facts("r", "t", "c", 0, 1, False, True, True, 3, 0, True, True, True, True, 0)
    return plain._replace(**changed)


@pytest.mark.parametrize(
    ("changed", "number"),
    [
        ({"hidden": True, "known": False}, 0),
        ({"known": False, "in_pool": False}, 1),
        ({"in_pool": False, "callees": 11}, 2),
        ({"callees": 11, "namesake": 3}, 3),
        ({"namesake": 10}, 4),
        ({"called": 0, "by_clones": 1}, 5),
        ({"called": 0, "by_words": False}, 6),
        ({"called": 0}, 7),
        ({"by_siblings": False, "by_words": False}, 8),
        ({"by_siblings": False}, 9),
        ({"by_words": False}, 10),
        ({"namesake": 11}, 11),
        ({"called": 21, "by_words": False}, 12),
        ({"called": 21}, 13),
    ],
)
def test_the_first_rule_that_holds_is_the_reason(changed: dict[str, object], number: int) -> None:
    assert reason(fact(**changed), 10) == list(RULES)[number]


def test_what_is_found_has_no_reason() -> None:
    assert reason(fact(rank=10), 10) == ""
    assert reason(fact(rank=11), 10) != ""


def test_a_ceiling_counts_no_more_callees_than_there_are_places() -> None:
    facts = [fact(callee=str(i)) for i in range(12)] + [fact(target="u", in_pool=False)]
    assert [ceiling.share for ceiling in ceilings(facts, 10)] == [10 / 13] * 5
    assert ceilings(facts, 50)[0].share == 12 / 13


def test_parts_say_how_many_and_how_well() -> None:
    facts = [fact(rank=1, called=0), fact(rank=11), fact(rank=0, called=30)]
    found = {part.label: part[1:] for part in parts(facts)}
    assert found["all"] == (3, 1 / 3, 2 / 3)
    assert found["no visible function calls it"] == (1, 1.0, 1.0)
    assert found["more than 20"] == (1, 0.0, 0.0)
