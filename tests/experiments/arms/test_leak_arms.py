"""Prevents: an arm whose context tells the answer. DESIGN.md's rule 1, for every arm that there is, on the example
and, where there is a mirror, on redis: nothing in a context or in what is said of it holds a run of the gold's
tokens that isn't elsewhere in the tree. And a copy of the target that stays readable because the parser saw no
function there: behind attribute macros, in K&R functions, lambdas, macros, comments, strings, dead code, notes. (The
cases of tests/data/foreign whose *target* is spelt strangely, a8, are tests of the index.)

The gold and the hidden places are cut out of the files here, by line numbers, not by the code under test. The draft
of an arm that makes drafts is the gold itself: the worst that a model can write.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.index import shown_texts
from executor.function.definition import split_definition
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Task
from experiments.arms.arm import Arm, list_context_sources_with_plugins, parse_arm
from experiments.arms.context import ContextSettings, Reading, make_arm_context
from experiments.arms.retrievers import make_retriever
from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Masking, Symbol
from retrieval.context.assembly import Packing
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.ranker.name_chances import make_name_finder
from retrieval.ranker.training_groups import make_target
from retrieval.values import Bodies, Context
from tests.support.engines import require_mirror
from tests.support.foreign import list_cases
from tests.support.targets import find_function
from tests.support.token_runs import Run, count_runs_in_tree, list_runs, read_lines

# In one process with the other tests of arms: the rankers are trained once.
pytestmark = pytest.mark.xdist_group("arms")

ARMS = [parse_arm(name) for name, source in list_context_sources_with_plugins().items() if source.kind != "tools"]


class Tree(NamedTuple):
    """`everywhere`: how often each run of the golds stands in the tree."""

    reading: Reading
    tasks: Sequence[Task]
    everywhere: Counter[Run]

    @property
    def index(self) -> RepoIndex:
        return self.reading.index


class Retrievers(dict[str, Retriever]):
    """Each made when an arm first asks for it: on a real tree some take a minute."""

    def __init__(self, index: RepoIndex, settings: RetrieverSettings) -> None:
        super().__init__()
        self._index = index
        self._settings = settings

    def __missing__(self, name: str) -> Retriever:
        self[name] = make_retriever(name, self._index, self._settings)
        return self[name]


def body(task: Task) -> str:
    definition = split_definition(task.gold)
    return task.gold[task.gold.index("{") :] if definition is None else task.gold[len(definition.header) :]


def make_tree(reading: Reading, tasks: Sequence[Task]) -> Tree:
    golds = {run for task in tasks for run in list_runs(body(task))}
    return Tree(reading, tasks, count_runs_in_tree(reading.index, golds))


def secret(tree: Tree, task: Task, clones: Sequence[Symbol]) -> set[Run]:
    """The runs of the gold's body that stand nowhere but in the hidden places."""
    inside = Counter(list_runs(task.gold))
    for clone in clones:
        inside.update(list_runs(read_lines(tree.index, clone.path, clone.span)))
    return {run for run in list_runs(body(task)) if tree.everywhere[run] <= inside[run]}


def made(tree: Tree, task: Task, arm: Arm, masking: Masking, bodies: Bodies) -> Iterator[Context]:
    settings = ContextSettings(Packing(budget=100_000, hits=40, bodies=bodies), masking, "lexical")
    for draft in (None, task.gold) if arm.kind == "drafted" else (None,):
        yield make_arm_context(arm, task, tree.reading, settings, draft).context


def texts(context: Context) -> Iterator[str]:
    for snippet in context.snippets:
        yield snippet.text
        yield f"{snippet.title} {snippet.path}"
    for dropped in context.dropped:
        yield f"{dropped.title} {dropped.reason}"


def check(tree: Tree, arm: Arm, masking: Masking) -> int:
    """How many golds have something to tell."""
    telling = 0
    for number, task in enumerate(tree.tasks):
        view = tree.index.hide(task.target, masking)
        wanted = secret(tree, task, view.clones if masking == "strict" else ())
        telling += bool(wanted)
        bodies: Bodies = ("all", "auto", "none")[number % 3]
        for context in made(tree, task, arm, masking, bodies):
            assert context.snippets or arm.kind in ("none", "oracle"), (arm.name, task.id)
            leaking = [text for text in texts(context) if not wanted.isdisjoint(list_runs(text))]
            assert leaking == [], (arm.name, task.id)
    return telling


@pytest.fixture(scope="module")
def small(example: Reading, example_tasks: dict[str, Task]) -> Tree:
    return make_tree(example, list(example_tasks.values()))


@pytest.mark.parametrize("masking", ["strict", "realistic"])
@pytest.mark.parametrize("arm", ARMS, ids=[arm.name for arm in ARMS])
def test_no_arm_tells_the_gold(small: Tree, arm: Arm, masking: Masking) -> None:
    assert check(small, arm, masking) >= len(small.tasks) // 2


def test_the_check_finds_the_gold_where_it_is_shown(small: Tree) -> None:
    found = 0
    for task in small.tasks:
        wanted = secret(small, task, ())
        found += not wanted.isdisjoint(list_runs(small.index.read_file(task.target.path).decode()))
    assert found >= len(small.tasks) // 2


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    mirror = require_mirror("redis")
    folder = tmp_path_factory.mktemp("redis")
    root = checkout_source(find_recipe("redis"), mirror, folder / "cache").root
    tasks = [make_task_from_row(row, root) for row in load_rows("yabloco") if row.repository == "redis"]
    settings = RetrieverSettings(tuple(task.target for task in tasks))
    build_index(root, folder / "index", workers=1)
    with closing(open_index(folder / "index", root)) as index:
        find_names = make_name_finder(index, settings).find_names
        yield make_tree(Reading(index, Retrievers(index, settings), find_names=find_names), tasks)


@pytest.mark.real
@pytest.mark.parametrize("arm", ARMS, ids=[arm.name for arm in ARMS])
def test_no_arm_tells_a_gold_of_redis(redis: Tree, arm: Arm) -> None:
    some = redis._replace(tasks=redis.tasks[::6])
    assert check(some, arm, "strict") >= len(some.tasks) // 2


# Copies where the parser saw no function


CASES = [(folder, case) for folder, case in list_cases("hide", "hiding") if not case["id"].startswith("a8-")]


def squeeze(text: str) -> str:
    """A text without what a comment, a string, a macro or the tools' line numbers put between its tokens."""
    unnumbered = re.sub(r"^ *\d+ ", "", text, flags=re.MULTILINE)
    return re.sub(r'\\n|[\s"\\*]+', "", unnumbered)


def list_secrets(case: dict) -> list[str]:
    return case.get("secret") or case["expect"]["not_visible"]


@pytest.mark.xdist_group("foreign")
@pytest.mark.parametrize(("folder", "case"), CASES, ids=[case["id"] for _, case in CASES])
def test_no_copy_can_be_read(tmp_path: Path, folder: Path, case: dict) -> None:
    tree = folder / case.get("tree", case.get("file"))
    build_index(tree, tmp_path, workers=1)
    index = open_index(tmp_path, tree)
    target = make_target(find_function(index, case["target"]))
    secrets = [squeeze(secret) for secret in list_secrets(case)]
    raw = squeeze("".join(path.read_text() for path in sorted(tree.rglob("*.*"))))
    assert all(raw.count(secret) >= 2 for secret in secrets), "the tree holds the copy"
    paths = [file.path for file in index.source_files]
    words = re.findall(r"[a-z]{4,}", " ".join(list_secrets(case)))
    shown = list(shown_texts.list_shown_texts(shown_texts.Reading(index, (target,)), target, paths, words))
    assert len(shown) > 20
    for secret in secrets:
        assert [where for where, text in shown if secret in squeeze(text)] == [], secret
    index.close()
