"""What models wrote before their answers, or looked up, as rows of an evaluation.

A file has one JSON object a line: {"task_id": ..., "draft": TEXT}. A run's folder has them in its samples; of each
task the first sample counts. The rows:

    iterative     what the arm finds after the draft
    agentic, ...  the symbols that tool calls showed, in order: from a run's folder alone
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from agent.context_drafts import take_code_or_text_of_last_round
from executor.tasks.task_row import read_json_lines_with_origins
from experiments.arms.arm import BY_WORDS, COMPILE, list_built_in_context_sources
from experiments.arms.retrievers import make_retriever
from experiments.run.manifest import read_manifest
from experiments.run.records import Story, decode_json_value, locate_story, read_finished_records
from index.cpp.declarators import unqualified_name
from index.errors import ConfigError, TaskError
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.user_files import StrictModel, explain_first_validation_problem, make_spelling_hint
from lab.retrieval_eval.controls import Query
from lab.retrieval_eval.evaluation import RepoTargets
from lab.retrieval_eval.targets import EvaluationTarget
from retrieval.protocol import RetrieverSettings
from retrieval.text.draft_lookup import retrieve_after_draft
from retrieval.values import Hit, drop_repeated_hits

DRAFTED = "iterative"


class _Line(StrictModel):
    task_id: str
    draft: str


@dataclass(frozen=True, slots=True)
class WrittenTexts:
    """`rows`: by row and task id a draft, or the symbols of tools' answers, as `qualified name (path)`. `origin` is
    the file or folder."""

    origin: Path
    rows: Mapping[str, Mapping[str, str | tuple[str, ...]]]


def read_written_texts(path: Path) -> WrittenTexts:
    """What a file or a run's folder holds. Raises TaskError and ConfigError, one line each, for what can't be read
    and where there is nothing."""
    return _read_drafts_and_names_tools_showed(path) if path.is_dir() else _read_drafts_file(path)


def require_known_tasks(written: WrittenTexts, known: Iterable[str]) -> None:
    """Raises TaskError for a task id that nothing has."""
    ids = frozenset(known)
    strange = sorted(set[str]().union(*written.rows.values()) - ids)
    if strange:
        more = f" (and {len(strange) - 1} more)" if len(strange) > 1 else ""
        raise TaskError(f"{written.origin}: unknown task id {strange[0]!r}{more}{make_spelling_hint(strange[0], ids)}")


def keep_targets_in_every_written_row(repo: RepoTargets, written: WrittenTexts) -> RepoTargets:
    """The targets that every row knows, as rows are compared on the same ones; and how many others there are."""
    rows = written.rows
    kept = replace(repo, prompted=tuple(t for t in repo.prompted if all(t.id in row for row in rows.values())))
    if lost := len(repo.targets) - len(kept.targets):
        why = f"{lost} targets: {written.origin.name} doesn't have all of {', '.join(rows)}"
        return replace(kept, left_out=(*repo.left_out, why))
    return kept


def make_written_queries(
    written: WrittenTexts, index: RepoIndex, settings: RetrieverSettings, draft_base: str
) -> dict[str, Query]:
    """The rows by name; each finds for a target what its arm would. `draft_base` as in a run's configuration."""
    names = dict.fromkeys((draft_base, BY_WORDS)) if DRAFTED in written.rows else ()
    made = {name: make_retriever(name, index, settings) for name in names}

    def find_hits_of_row(row: str, view: HiddenView, asked: EvaluationTarget, limit: int) -> list[Hit]:
        text_or_symbols = written.rows[row][asked.id]
        if isinstance(text_or_symbols, str):
            base, by_words = made[draft_base], made[BY_WORDS]
            hits = retrieve_after_draft(view, asked.target, text_or_symbols, base, by_words, limit)
        else:
            hits = list(_find_hits_of_shown_symbols(view, text_or_symbols))
        return drop_repeated_hits(hits)[:limit]

    return {row: partial(find_hits_of_row, row) for row in written.rows}


def _find_hits_of_shown_symbols(view: HiddenView, shown: Iterable[str]) -> Iterable[Hit]:
    for number, text in enumerate(shown):
        name, _, path = text[:-1].rpartition(" (")
        for symbol in view.symbols_named(unqualified_name(name)):
            if (symbol.qualified_name, symbol.path) == (name, path):
                yield Hit(symbol, 1 / (1 + number), "a tool's answer showed it")


def _read_drafts_file(path: Path) -> WrittenTexts:
    drafts: dict[str, str] = {}
    for where, value in read_json_lines_with_origins(path):
        try:
            line = _Line.model_validate(value)
        except ValidationError as error:
            raise TaskError(f"{where}: {explain_first_validation_problem(error, _Line)}") from None
        if line.task_id in drafts:
            raise TaskError(f"{where}: task {line.task_id} was already given")
        drafts[line.task_id] = line.draft
    if not drafts:
        raise TaskError(f'{path}: no drafts; a line is {{"task_id": ..., "draft": ...}}')
    return WrittenTexts(path, {DRAFTED: drafts})


def _read_drafts_and_names_tools_showed(run: Path) -> WrittenTexts:
    variant = read_manifest(run).identity.get("variant")
    if variant is not None:
        raise ConfigError(f"{run}: it is of a tree under other names ({variant}); give a run on the original")
    rows: dict[str, dict[str, str | tuple[str, ...]]] = {}
    with_tools = [name for name, source in list_built_in_context_sources().items() if source.kind == "tools"]
    # Drafts are the first row. The first sample of the plain arm comes before those with compiler feedback, whose
    # drafts are the same.
    for record in sorted(read_finished_records(run), key=lambda r: (not r.arm.startswith(DRAFTED), r.arm, r.sample)):
        source = record.arm.partition(COMPILE)[0]
        path = locate_story(run, record.arm, record.task_id, record.sample)
        if source not in (DRAFTED, *with_tools) or not path.is_file():
            continue
        trail = decode_json_value(Story, path.read_bytes(), path).trajectory
        if source != DRAFTED:
            seen = dict.fromkeys(name for entry in trail.rounds for use in entry.uses for name in use.shown)
            rows.setdefault(source, {}).setdefault(record.task_id, tuple(seen))
        elif trail.drafts:
            rows.setdefault(source, {}).setdefault(
                record.task_id, take_code_or_text_of_last_round(trail.drafts[-1].rounds)
            )
    if not rows:
        raise ConfigError(f"{run}: no sample of an arm that drafts or looks things up")
    return WrittenTexts(run, rows)
