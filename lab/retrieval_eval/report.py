"""One model of an evaluation, rendered as JSON and as tables for the terminal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal, NamedTuple

from rich.console import Console
from rich.table import Table

from index.values import Masking
from lab.retrieval_eval.callees import Definition
from lab.retrieval_eval.evaluate import RepoAccount
from lab.retrieval_eval.score import (
    ALL_CUTS,
    BUDGETS,
    CUTS,
    EVERYTHING,
    LIMIT,
    USED,
    Paired,
    Summary,
    TargetScore,
    paired,
    summarise,
)

Split = Literal["benchmark", "dev"]
PAIRED_CUTS = (10, 50)

DEFINITIONS: Mapping[Definition, str] = {
    "benchmark": "the data set's call list (its oracle texts where it has none), resolved by file and line",
    "graph": "the edges of Graft's own call graph that start in the target, nothing hidden",
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All scores, and how they were made. `names` are the retrievers, in the order of the command line."""

    repos: tuple[RepoAccount, ...]
    names: tuple[str, ...]
    scores: tuple[TargetScore, ...]
    definition: Definition
    split: Split
    masking: Masking

    def of(self, name: str, repo: str | None = None) -> list[TargetScore]:
        """One retriever's scores, of one repository or of all."""
        return [s for s in self.scores if s.retriever == name and repo in (None, s.repo)]


class EvaluationGroup(NamedTuple):
    """A repository, or all of them together. `summaries` are by retriever; `tests` compare each pair of retrievers
    both ways, the first less the second."""

    title: str
    repo: RepoAccount | None
    summaries: Mapping[str, Summary]
    tests: Mapping[tuple[str, str], Sequence[Paired]]


def groups_of(evaluation: Evaluation) -> list[EvaluationGroup]:
    """Each repository, then all pooled."""
    return [_group(evaluation, repo.name, repo) for repo in evaluation.repos] + [_group(evaluation, "pooled", None)]


def _group(evaluation: Evaluation, title: str, repo: RepoAccount | None) -> EvaluationGroup:
    scores = {name: evaluation.of(name, repo.name if repo else None) for name in evaluation.names}
    tests = {
        (first, second): [paired(scores[first], scores[second], cut) for cut in PAIRED_CUTS] if scores[first] else []
        for first in evaluation.names
        for second in evaluation.names
        if first != second
    }
    return EvaluationGroup(title, repo, {name: summarise(scores[name]) for name in evaluation.names}, tests)


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """{"repos": {NAME: {RETRIEVER: figures}}, "pooled": {RETRIEVER: figures}}; NaN is null."""
    *repos, pooled = groups_of(evaluation)
    how = {
        "definition": evaluation.definition,
        "split": evaluation.split,
        "masking": evaluation.masking,
        "repositories": [repo.name for repo in evaluation.repos],
    }
    return {
        "repos": {
            group.title: {name: _json_of(group, name, before=_account(group.repo)) for name in evaluation.names}
            for group in repos
        },
        "pooled": {name: {**_json_of(pooled, name), **how} for name in evaluation.names},
    }


def _json_of(group: EvaluationGroup, name: str, before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    summary = group.summaries[name]
    tests = {other: found for (first, other), found in group.tests.items() if first == name}
    return {
        "targets": summary.targets,
        "callees": summary.callees,
        "hidden": summary.hidden,
        **{figure: number(value.value) for figure, value in summary.figures.items()},
        "intervals": {figure: [number(v.low), number(v.high)] for figure, v in summary.figures.items()},
        "used": dict(summary.used),
        "latency_ms": {key: number(value) for key, value in summary.latency_ms.items()},
        **(before or {}),
        "paired": {
            other: {f"recall@{test.cut}": {"difference": test.difference, "p": test.p} for test in found}
            for other, found in tests.items()
        },
    }


def _account(repo: RepoAccount | None) -> dict[str, Any]:
    """What doesn't count, and what counts though nobody can find it."""
    if repo is None:
        return {}
    return {
        "left_out": list(repo.left_out),
        "excluded": [{"target": target, "call": call, "reason": why} for target, call, why in repo.excluded],
        "unknown": repo.unknown,
    }


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """Per repository and pooled: recall, contexts, latency, tests; then what was counted and what wasn't."""

    def say(text: str) -> None:
        console.print(text, markup=False)

    definition = evaluation.definition
    say(f"true callees: {definition} ({DEFINITIONS[definition]})")
    say(f"split {evaluation.split}, masking {evaluation.masking}, {LIMIT} hits per query")
    say(
        "recall: found callees over all callees (micro), 95 % bootstrap interval over targets; the retriever's order"
        " counts, its ties go by path and place; times in CPU ms of this process"
    )
    groups = groups_of(evaluation)
    for group in groups if len(evaluation.repos) > 1 else groups[:-1]:
        first = next(iter(group.summaries.values()))
        hidden = f", {first.hidden} of them hidden as clones of the target" if first.hidden else ""
        say(f"\n{group.title}: {first.callees} callees of {first.targets} targets{hidden}")
        summaries = group.summaries
        console.print(table([_recall_cells(name, summary) for name, summary in summaries.items()]))
        if any(summary.used for summary in summaries.values()):
            rows = [_context_cells(name, summary) for name, summary in summaries.items()]
            console.print(table([*rows, _totals(summaries.values())]))
        # Of each pair only the later retriever against the earlier one.
        tests = [group.tests[second, first][0] for first, second in combinations(evaluation.names, 2)]
        if tests:
            lines = [f"{test.first} - {test.second} {test.difference:+.3f} (p {p_text(test.p)})" for test in tests]
            say(f"recall@{PAIRED_CUTS[0]}, exact paired sign-flip tests: " + "; ".join(lines))
    say("")
    for repo in evaluation.repos:
        for line in account_lines(repo):
            say(f"{repo.name}: {line}")


def account_lines(repo: RepoAccount) -> list[str]:
    """What doesn't count, and what counts though nobody can find it."""
    lines = list(repo.left_out)
    for reason, count in Counter(why for _, _, why in repo.excluded).most_common():
        names = [call for _, call, why in repo.excluded if why == reason]
        lines.append(f"{count} calls excluded: {reason} ({', '.join(names[:8])}{', ...' if count > 8 else ''})")
    if repo.unknown:
        lines.append(f"{len(repo.unknown)} callees counted that the index lacks: {', '.join(repo.unknown[:8])}")
    return lines


def _recall_cells(name: str, summary: Summary) -> dict[str, str]:
    """A row of the first table, by column."""
    figures, latency = summary.figures, summary.latency_ms
    ten = figures["recall@10"]
    return {
        "retriever": name,
        **{f"@{cut}": two(figures[f"recall@{cut}"].value) for cut in CUTS},
        "@10, 95 %": f"\\[{two(ten.low)}, {two(ten.high)}]",
        "MRR": two(figures["mrr"].value),
        **{f"all found @{cut}": two(figures[f"all_found@{cut}"].value) for cut in ALL_CUTS},
        "median ms": f"{latency['median']:.1f}",
        "p95 ms": f"{latency['p95']:.1f}",
        "of it hiding": f"{latency['hide_median']:.1f}",
    }


def _context_cells(name: str, summary: Summary) -> dict[str, str]:
    """A row of the table of contexts, by column."""
    cells = {"in a context of": name}
    for used, budget in product((*USED, EVERYTHING), BUDGETS):
        figure = summary.figures.get(f"{used}@{budget}tokens")
        cells[f"{used} {budget // 1000}k"] = "-" if figure is None else two(figure.value)
    return cells


def _totals(summaries: Iterable[Summary]) -> dict[str, str]:
    """The last row of the table of contexts: how many there are."""
    totals: dict[str, int] = {used: total for summary in summaries for used, total in summary.used.items()}
    totals[EVERYTHING] = sum(totals.values())
    kinds = (*USED, EVERYTHING)
    return {"": "of", **{f"{used} {budget}": str(totals.get(used, 0)) for used, budget in product(kinds, BUDGETS)}}


def table(rows: Sequence[Mapping[str, str]]) -> Table:
    """A table for the terminal. The columns are those of the first row."""
    made = Table(box=None, pad_edge=False)
    for place, column in enumerate(rows[0]):
        made.add_column(column, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        made.add_row(*row.values())
    return made


def two(value: float) -> str:
    """Two decimals, a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.2f}"


def p_text(value: float) -> str:
    """A p-value."""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def number(value: float) -> float | None:
    """A number as JSON keeps it: null for NaN."""
    return None if math.isnan(value) else round(value, 6)
