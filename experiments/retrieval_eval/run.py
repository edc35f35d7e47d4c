"""From command line to scores: sources, indexes, targets, truth, retrievers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from executor.cache import cache_root
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout, mirror_from_env
from executor.tasks.load import bind, load_rows, select
from executor.tasks.rebind import rebound, with_stand_ins
from executor.tasks.row import TaskRow
from executor.values import Task
from experiments.indexing.place import Place, note_tree, place_of
from experiments.retrieval_eval.callees import CallList, Definition, yabloco_calls
from experiments.retrieval_eval.evaluate import RepoTargets, askers, evaluate, held_out, with_callees
from experiments.retrieval_eval.report import Evaluation
from experiments.retrieval_eval.score import Scored
from experiments.retrieval_eval.targets import DEV_TARGETS, benchmark_asked, dev_targets, drawn
from index.errors import ConfigError, RecipeError
from index.values import Masking, Target
from retrieval.protocol import RetrieverSettings

if TYPE_CHECKING:
    from index.repo_index import RepoIndex

Split = Literal["benchmark", "dev"]
OnLine = Callable[[str], None]
LINE_EVERY_S = 15.0


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for. `trees`: plain folders whose own functions are drawn; `sources`: where repositories of
    the data set lie for which there is no recipe (name -> folder)."""

    dataset: str
    repos: tuple[str, ...]
    trees: tuple[Path, ...]
    sources: tuple[tuple[str, Path], ...]
    names: tuple[str, ...]
    masking: Masking
    split: Split
    definition: Definition
    mirror: Path | None
    encoder: str | None
    limit: int | None
    contexts: bool


def run_evaluation(request: Request, on_line: OnLine) -> Evaluation:
    """Everything, repository by repository. Raises UserError's children: one line each."""
    repos: list[RepoTargets] = []
    scored: list[Scored] = []
    for repo, barred in prepared(request, on_line):
        asking = askers(request.names, repo.index, RetrieverSettings(barred, request.encoder, on_line))
        scored += evaluate(repo, asking, request.masking, _Lines(on_line), contexts=request.contexts)
        repos.append(repo)
    definition = "graph" if request.split == "dev" else request.definition
    return Evaluation(tuple(repos), request.names, tuple(scored), definition, request.split, request.masking)


def prepared(request: Request, on_line: OnLine) -> Iterator[tuple[RepoTargets, tuple[Target, ...]]]:
    """Each repository with its targets, and what no trained ranker may learn from. Raises UserError's children."""
    for name, tasks, index in _opened(request, on_line):
        benchmark = [task.target for task in tasks]
        if request.split == "dev":
            asked = drawn(index, name, request.limit or DEV_TARGETS, benchmark)
            developed = dev_targets(index, name, benchmark)
        else:
            asked = benchmark_asked(tasks, _calls(request, tasks), index, request.definition)[: request.limit]
            developed = dev_targets(index, name, benchmark)
        repo = with_callees(name, index, asked)
        if not repo.asked:
            raise ConfigError(f"{name}: no target that calls a function of the repository")
        on_line(f"{name}: {len(repo.asked)} targets, {sum(len(a.truth.callees) for a in repo.asked)} callees")
        yield repo, held_out([*benchmark, *(a.target for a in asked)], developed)


def _opened(request: Request, on_line: OnLine) -> list[tuple[str, Sequence[Task], RepoIndex]]:
    """(name, the data set's tasks there, index) of each repository. Plain trees have no tasks."""
    out: list[tuple[str, Sequence[Task], RepoIndex]] = []
    given = dict(request.sources)
    rows = load_rows(request.dataset) if request.repos or not request.trees else ()
    chosen = select(with_stand_ins(rows, request.repos), request.repos) if rows else ()
    for name in dict.fromkeys(row.repository for row in chosen):
        try:
            root = given.get(name) or root_of(name, request.mirror, on_line)
        except RecipeError as error:
            if request.repos:
                raise
            on_line(f"{name}: left out ({error})")
            continue
        mine = [row for row in chosen if row.repository == name]
        tasks = [bind(row, root) for row in _standing(request, name, mine, root, on_line)]
        out.append((name, tasks, indexed(root, on_line)))
    out += [(tree.resolve().name, (), indexed(tree, on_line)) for tree in request.trees]
    if not out:
        raise ConfigError("no repository to evaluate: name --repos or --tree, and --mirror or --source for sources")
    return out


def _standing(request: Request, name: str, rows: Sequence[TaskRow], root: Path, on_line: OnLine) -> Sequence[TaskRow]:
    """The rows at their lines in this tree. Where the tree is another version of the repository, those whose text
    stands in it, built or not: retrieval runs nothing. Raises ConfigError for lists of calls by the lines of the
    version that isn't there."""
    if name not in recipe_names() or find_recipe(name).rebinds is None:
        return rows
    if request.split == "benchmark" and request.definition == "benchmark":
        raise ConfigError(f"{name}: the lists of true callees are of another version of it; say --truth graph")
    found = rebound(rows, find_recipe(name).model_copy(update={"covers": ()}), root)
    for note in found.notes:
        on_line(note)
    return found.rows


def root_of(name: str, mirror: Path | None, on_line: OnLine) -> Path:
    """The source of a repository of the data set, by its recipe. Raises RecipeError."""
    return checkout(find_recipe(name), mirror_from_env(mirror), cache_root(), on_line).root


def indexed(root: Path, on_line: OnLine) -> RepoIndex:
    """The index of a tree in Graft's cache, brought up to date."""
    from experiments.indexing.parts import PARTS
    from index.build import build_index
    from index.repo_index import open_index

    place: Place = place_of(root, None)
    report = build_index(place.root, place.folder, afterwards=PARTS)
    note_tree(place)
    on_line(f"index of {place.root.name}: {report.functions} functions, {report.seconds:.1f} s")
    return open_index(place.folder, place.root)


def _calls(request: Request, tasks: Sequence[Task]) -> dict[str, CallList]:
    """YABLoCo's call lists for its own tasks, whichever data set carries them on (MERA's rows keep the ids)."""
    known = yabloco_calls()
    return {task.id: known[task.id] for task in tasks if task.id in known and task.dataset != "example"}


class _Lines:
    """Progress as a line every so often."""

    def __init__(self, on_line: OnLine) -> None:
        self._on_line = on_line
        self._told = time.monotonic()

    def __call__(self, name: str, done: int, total: int) -> None:
        if time.monotonic() - self._told >= LINE_EVERY_S:
            self._told = time.monotonic()
            self._on_line(f"{name}: {done}/{total} targets")
