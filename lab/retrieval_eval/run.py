"""From command line to scores: sources, indexes, targets, truth, retrievers."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from executor.cache import cache_root
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.repository.uncompiled import load_uncompiled_lines
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
from executor.tasks.task_row import TaskRow
from executor.workers.contract import Needs, Workers
from experiments.indexing.index_builds import PARTS
from experiments.indexing.index_place import choose_index_place, record_indexed_tree
from experiments.run.variant_source import open_original_or_proved_variant
from index.build import build_index
from index.errors import ConfigError, RecipeError
from index.hiding.holes import NO_LINES
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex, open_index
from index.values import Masking
from lab.retrieval_eval.evaluation import (
    RepoAccount,
    RepoScores,
    RepoTargets,
    keep_found_targets,
    make_queries,
    score_retrievers_and_prompts,
)
from lab.retrieval_eval.report import Evaluation, Split
from lab.retrieval_eval.targets import DEV_TARGETS, draw_dev_targets, draw_targets, make_benchmark_targets
from lab.retrieval_eval.true_callees import Definition, load_yabloco_calls
from lab.retrieval_eval.variant_comparison import RenamedRepo, VariantComparison, pair_targets_with_variant
from lab.retrieval_eval.written_drafts import (
    WrittenTexts,
    keep_targets_in_every_written_row,
    make_written_queries,
    read_written_texts,
    require_known_tasks,
)
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.name_chances import make_name_finder

log = logging.getLogger(__name__)

# An index is built in two processes; the ranker and the encoder train in the memory of a large tree's arrays.
_NEEDS = Needs(cores=2, memory_mb=4096)


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """What to evaluate. `trees`: plain folders whose own functions are drawn; `sources`: (name, folder) of
    repositories of the data set that have no recipe. `drafts`: a file or a run's folder with what models wrote first;
    `draft_base` as in a run's configuration."""

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
    drafts: Path | None = None
    draft_base: str = "hybrid"


def run_comparison(request: EvaluationRequest, variant: str, progress: Progress = SILENT) -> VariantComparison:
    """The evaluation on the repositories and on their proved `variant` (as RunConfig.variant). Raises UserError's
    children."""
    if request.trees or request.sources:
        raise ConfigError("--variant: a variant is made of a repository with a recipe; leave out --tree and --source")
    repos: list[RenamedRepo] = []
    before: list[RepoScores] = []
    after: list[RepoScores] = []
    for found in prepare_repositories(request):
        recipe = find_recipe(found.name)
        original = checkout_source(recipe, choose_mirror_folder(request.mirror), cache_root())
        opened = open_original_or_proved_variant(recipe, original, variant, cache_root())
        assert opened.variant is not None
        repo = pair_targets_with_variant(found, opened.variant, open_updated_index(opened.tree.root))
        if not repo.original.targets:
            raise ConfigError(f"{found.name}: no target stands where it was in the variant's index")
        before.append(_score_repository(request, repo.original, progress))
        after.append(_score_repository(request, repo.renamed, progress))
        repos.append(repo)
    return VariantComparison(
        _make_evaluation(request, [repo.original for repo in repos], before),
        _make_evaluation(request, [repo.renamed for repo in repos], after),
        tuple(repo.record for repo in repos),
    )


EvaluatedRepo = tuple[RepoAccount, RepoScores]
"""A repository's part of an evaluation: plain values, which another machine can send."""


def run_evaluation(
    request: EvaluationRequest, progress: Progress = SILENT, workers: Workers | None = None
) -> Evaluation:
    """Run the evaluation, repository by repository, or at `workers` all at once. Raises UserError's children: one line
    each."""
    written = None if request.drafts is None else read_written_texts(request.drafts)
    parts = (
        _evaluate_repositories_here(request, progress, written)
        if workers is None
        else _evaluate_repositories_at_workers(workers, request)
    )
    names = (*request.names, *(() if written is None else written.rows))
    accounts, scores = zip(*parts, strict=True)
    return _make_evaluation(replace(request, names=names), accounts, scores)


def _evaluate_repositories_here(
    request: EvaluationRequest, progress: Progress, written: WrittenTexts | None = None
) -> list[EvaluatedRepo]:
    found = prepare_repositories(request) if written is None else _prepare_written_repositories(request, written)
    return [(repo.account, _score_repository(request, repo, progress, written)) for repo in found]


def _evaluate_repositories_at_workers(workers: Workers, request: EvaluationRequest) -> list[EvaluatedRepo]:
    parts = [
        (replace(request, repos=(name,) if rows else (), trees=() if rows else (root,), sources=()), root)
        for name, root, rows in _check_out_sources_with_rows(request)
    ]

    def evaluate_part(part: tuple[EvaluationRequest, Path]) -> list[EvaluatedRepo]:
        with tempfile.TemporaryDirectory() as folder:
            return workers.run_work_on_tree(evaluate_request_on_tree, part[1], Path(folder), part[0], needs=_NEEDS)

    with ThreadPoolExecutor(len(parts)) as pool:
        return [repo for found in pool.map(evaluate_part, parts) for repo in found]


def evaluate_request_on_tree(cache: Path, tree: Path, folder: Path, request: EvaluationRequest) -> list[EvaluatedRepo]:
    """The part of the one repository that the request names, of which the source is `tree` here."""
    del cache, folder
    own = replace(request, sources=((request.repos[0], tree),)) if request.repos else replace(request, trees=(tree,))
    return _evaluate_repositories_here(own, SILENT)


def _prepare_written_repositories(request: EvaluationRequest, written: WrittenTexts) -> list[RepoTargets]:
    """The repositories with those targets for which models wrote something."""
    if request.split == "benchmark":
        require_known_tasks(written, (row.id for row in load_rows(request.dataset, mirror=request.mirror)))
    found = list(prepare_repositories(request))
    if request.split == "dev":
        require_known_tasks(written, (target.id for repo in found for target in repo.targets))
    kept = [keep_targets_in_every_written_row(repo, written) for repo in found]
    if not any(repo.targets for repo in kept):
        raise ConfigError(f"{written.origin}: nothing for a target of {', '.join(repo.name for repo in kept)}")
    return [repo for repo in kept if repo.targets]


def _score_repository(
    request: EvaluationRequest, repo: RepoTargets, progress: Progress, written: WrittenTexts | None = None
) -> RepoScores:
    settings = RetrieverSettings(repo.barred, request.encoder, progress)
    queries = make_queries(request.names, repo.index, settings)
    if written is not None:
        queries |= make_written_queries(written, repo.index, settings, request.draft_base)
    find_names = make_name_finder(repo.index, settings).find_names if request.contexts else None
    return score_retrievers_and_prompts(repo, queries, request.masking, progress, find_names)


def _make_evaluation(
    request: EvaluationRequest, repos: Sequence[RepoAccount], scores: Sequence[RepoScores]
) -> Evaluation:
    definition: Definition = "graph" if request.split == "dev" else request.definition
    ranks = tuple(score for found in scores for score in found.ranks)
    prompts = tuple(score for found in scores for score in found.prompts)
    return Evaluation(tuple(repos), request.names, ranks, prompts, definition, request.split, request.masking)


def prepare_repositories(request: EvaluationRequest) -> Iterator[RepoTargets]:
    """Each repository with its targets. Raises UserError's children."""
    for name, root, rows in _check_out_sources_with_rows(request):
        tasks = [
            make_task_from_row(row, root)
            for row in (_relocate_rows_if_recipe_rebinds(request, name, rows, root) if rows else ())
        ]
        index = open_updated_index(root)
        benchmark = [hole for task in tasks for hole in task.target.holes]
        single = [task for task in tasks if len(task.target.holes) == 1]
        if len(single) < len(tasks):
            log.info(f"{name}: {len(tasks) - len(single)} tasks of several functions left out")
        if request.split == "dev":
            targets = draw_targets(index, name, request.limit or DEV_TARGETS, benchmark)
        else:
            # MERA's rows keep YABLoCo's ids.
            known = load_yabloco_calls()
            calls = {task.id: known[task.id] for task in single if task.id in known and task.dataset != "example"}
            targets = make_benchmark_targets(single, calls, index, request.definition)[: request.limit]
        uncompiled = load_uncompiled_lines(find_recipe(name), root) if rows and name in recipe_names() else NO_LINES
        repo = keep_found_targets(name, index, targets, uncompiled)
        if not repo.targets:
            raise ConfigError(f"{name}: no target that calls a function of the repository")
        log.info(f"{name}: {len(repo.targets)} targets, {sum(len(t.truth.callees) for t in repo.targets)} callees")
        barred = {*benchmark, *(t.target for t in targets), *draw_dev_targets(index, name, benchmark)}
        # In a fixed order, so that a model on disk is found again.
        key = attrgetter("path", "span.first", "span.last", "name")
        yield replace(repo, barred=tuple(sorted(barred, key=key)))


def _check_out_sources_with_rows(request: EvaluationRequest) -> list[tuple[str, Path, Sequence[TaskRow]]]:
    """(name, source, the data set's rows there) of each repository. Plain trees have no rows."""
    out: list[tuple[str, Path, Sequence[TaskRow]]] = []
    given = dict(request.sources)
    rows = load_rows(request.dataset, mirror=request.mirror) if request.repos or not request.trees else ()
    chosen = select_rows(add_copies_for_rebinding_recipes(rows, request.repos), request.repos) if rows else ()
    for name in dict.fromkeys(row.repository for row in chosen):
        try:
            root = given.get(name) or check_out_repository(name, request.mirror)
        except RecipeError as error:
            if request.repos:
                raise
            log.info(f"{name}: left out ({error})")
            continue
        out.append((name, root, [row for row in chosen if row.repository == name]))
    out += [(tree.resolve().name, tree, ()) for tree in request.trees]
    if not out:
        raise ConfigError("no repository to evaluate: name --repos or --tree, and --mirror or --source for sources")
    return out


def _relocate_rows_if_recipe_rebinds(
    request: EvaluationRequest, name: str, rows: Sequence[TaskRow], root: Path
) -> Sequence[TaskRow]:
    """The rows at their lines in this tree. Where the tree is another version of the repository, those whose text it
    has, built or not: retrieval runs nothing. Raises ConfigError where the lists of calls are by another version's
    lines."""
    if name not in recipe_names() or find_recipe(name).rebinds is None:
        return rows
    if request.split == "benchmark" and request.definition == "benchmark":
        raise ConfigError(f"{name}: the lists of true callees are of another version of it; say --truth graph")
    found = fill_item_paths_and_relocate_rows(rows, find_recipe(name).model_copy(update={"covers": ()}), root)
    for note in found.exclusion_notes:
        log.info(note)
    return found.rows


def check_out_repository(name: str, mirror: Path | None) -> Path:
    """The source of a repository of the data set, by its recipe. Raises RecipeError."""
    return checkout_source(find_recipe(name), choose_mirror_folder(mirror), cache_root()).root


def open_updated_index(root: Path) -> RepoIndex:
    """The index of a tree in Graft's cache, brought up to date."""
    place = choose_index_place(root, None)
    report = build_index(place.root, place.folder, afterwards=PARTS)
    record_indexed_tree(place)
    log.info(f"index of {place.root.name}: {report.functions} functions, {report.seconds:.1f} s")
    return open_index(place.folder, place.root)
