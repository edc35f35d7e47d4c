"""One model of an evaluation, rendered as JSON and as tables for the terminal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any, Literal, NamedTuple

from rich.console import Console

from experiments.tables import Column, Table, label_column, print_table
from index.values import Masking
from lab.retrieval_eval.evaluation import RepoAccount
from lab.retrieval_eval.figures import (
    ALL_FOUND_CUTS,
    CONTEXT_BUDGETS,
    EVERYTHING,
    HITS_PER_QUERY,
    RECALL_CUTS,
    USED,
    PairedTest,
    Summary,
    TargetScore,
    compare_pairs,
    summarise_scores,
)
from lab.retrieval_eval.true_callees import Definition

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

    def select_scores(self, name: str, repo: str | None = None) -> list[TargetScore]:
        """One retriever's scores, of one repository or of all."""
        return [s for s in self.scores if s.retriever == name and repo in (None, s.repo)]


class EvaluationGroup(NamedTuple):
    """A repository, or all of them together. `summaries` are by retriever; `tests` compare each pair of retrievers
    both ways, the first less the second."""

    title: str
    summaries: Mapping[str, Summary]
    tests: Mapping[tuple[str, str], Sequence[PairedTest]]


def summarise_groups(evaluation: Evaluation) -> list[EvaluationGroup]:
    """Each repository, then all pooled."""
    groups = []
    for title, repo in [*((repo.name, repo.name) for repo in evaluation.repos), ("pooled", None)]:
        scores = {name: evaluation.select_scores(name, repo) for name in evaluation.names}
        tests = {
            (first, second): [
                compare_pairs(scores[first], scores[second], cut) for cut in PAIRED_CUTS if scores[first]
            ]
            for first, second in permutations(evaluation.names, 2)
        }
        groups.append(EvaluationGroup(title, {name: summarise_scores(found) for name, found in scores.items()}, tests))
    return groups


def convert_evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """{"repos": {NAME: {RETRIEVER: figures}}, "pooled": {RETRIEVER: figures}}; NaN is null."""
    *repos, pooled = summarise_groups(evaluation)
    how = {
        "definition": evaluation.definition,
        "split": evaluation.split,
        "masking": evaluation.masking,
        "repositories": [repo.name for repo in evaluation.repos],
    }
    accounts = {repo.name: _convert_account(repo) for repo in evaluation.repos}
    return {
        "repos": {
            group.title: {name: {**_convert_group(group, name), **accounts[group.title]} for name in evaluation.names}
            for group in repos
        },
        "pooled": {name: {**_convert_group(pooled, name), **how} for name in evaluation.names},
    }


def _convert_account(repo: RepoAccount) -> dict[str, Any]:
    """What doesn't count, and what counts though nobody can find it."""
    return {
        "left_out": list(repo.left_out),
        "excluded": [{"target": target, "call": call, "reason": why} for target, call, why in repo.excluded],
        "unknown": repo.unknown_callees,
    }


def _convert_group(group: EvaluationGroup, name: str) -> dict[str, Any]:
    summary = group.summaries[name]
    tests = {other: found for (first, other), found in group.tests.items() if first == name}
    return {
        "targets": summary.targets,
        "callees": summary.callees,
        "hidden": summary.hidden,
        **{figure: round_or_null(value.value) for figure, value in summary.figures.items()},
        "intervals": {figure: [round_or_null(v.low), round_or_null(v.high)] for figure, v in summary.figures.items()},
        "used": dict(summary.used),
        "latency_ms": {key: round_or_null(value) for key, value in summary.latency_ms.items()},
        "paired": {
            other: {f"recall@{test.cut}": {"difference": test.difference, "p": test.p} for test in found}
            for other, found in tests.items()
        },
    }


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """Per repository and pooled: recall, contexts, latency, tests; then what was counted and what wasn't."""

    print_setting(
        console,
        evaluation,
        "recall: found callees over all callees (micro), 95 % bootstrap interval over targets; the retriever's order"
        " counts, its ties go by path and place; times in CPU ms of this process",
    )
    groups = summarise_groups(evaluation)
    for group in groups if len(evaluation.repos) > 1 else groups[:-1]:
        first = next(iter(group.summaries.values()))
        hidden = f", {first.hidden} of them hidden as clones of the target" if first.hidden else ""
        print_plain(console, f"\n{group.title}: {first.callees} callees of {first.targets} targets{hidden}")
        summaries = group.summaries
        print_cells(console, [_format_recall_cells(name, summary) for name, summary in summaries.items()])
        if any(summary.used for summary in summaries.values()):
            rows = [_format_context_cells(name, summary) for name, summary in summaries.items()]
            print_cells(console, [*rows, _format_totals(summaries.values())])
        # Of each pair only the later retriever against the earlier one.
        tests = [group.tests[second, first][0] for first, second in combinations(evaluation.names, 2)]
        if tests:
            lines = [
                f"{test.first} - {test.second} {test.difference:+.3f} (p {format_p_value(test.p)})" for test in tests
            ]
            print_plain(console, f"recall@{PAIRED_CUTS[0]}, exact paired sign-flip tests: " + "; ".join(lines))
    print_accounts(console, evaluation)


def print_plain(console: Console, text: str) -> None:
    console.print(text, markup=False)


def print_setting(console: Console, evaluation: Evaluation, figures: str) -> None:
    """How the targets and callees were chosen, and what the `figures` are."""
    definition = evaluation.definition
    print_plain(console, f"true callees: {definition} ({DEFINITIONS[definition]})")
    print_plain(console, f"split {evaluation.split}, masking {evaluation.masking}, {HITS_PER_QUERY} hits per query")
    print_plain(console, figures)


def print_accounts(console: Console, evaluation: Evaluation) -> None:
    """Of each repository what doesn't count, and what counts though nobody can find it."""
    print_plain(console, "")
    for repo in evaluation.repos:
        for line in _format_account_lines(repo):
            print_plain(console, f"{repo.name}: {line}")


def _format_account_lines(repo: RepoAccount) -> list[str]:
    lines = list(repo.left_out)
    for reason, count in Counter(why for _, _, why in repo.excluded).most_common():
        names = [call for _, call, why in repo.excluded if why == reason]
        lines.append(f"{count} calls excluded: {reason} ({', '.join(names[:8])}{', ...' if count > 8 else ''})")
    if repo.unknown_callees:
        lines.append(
            f"{len(repo.unknown_callees)} callees counted that the index lacks: {', '.join(repo.unknown_callees[:8])}"
        )
    return lines


def _format_recall_cells(name: str, summary: Summary) -> dict[str, str]:
    """A row of the first table, by column."""
    figures, latency = summary.figures, summary.latency_ms
    ten = figures["recall@10"]
    return {
        "retriever": name,
        **{f"@{cut}": format_two_decimals(figures[f"recall@{cut}"].value) for cut in RECALL_CUTS},
        "@10, 95 %": f"[{format_two_decimals(ten.low)}, {format_two_decimals(ten.high)}]",
        "MRR": format_two_decimals(figures["mrr"].value),
        **{f"all found @{cut}": format_two_decimals(figures[f"all_found@{cut}"].value) for cut in ALL_FOUND_CUTS},
        "median ms": f"{latency['median']:.1f}",
        "p95 ms": f"{latency['p95']:.1f}",
        "of it hiding": f"{latency['hide_median']:.1f}",
    }


def _format_context_cells(name: str, summary: Summary) -> dict[str, str]:
    """A row of the table of contexts, by column."""
    cells = {"in a context of": name}
    for used, budget in product((*USED, EVERYTHING), CONTEXT_BUDGETS):
        figure = summary.figures.get(f"{used}@{budget}tokens")
        cells[f"{used} {budget // 1000}k"] = "-" if figure is None else format_two_decimals(figure.value)
    return cells


def _format_totals(summaries: Iterable[Summary]) -> dict[str, str]:
    """The last row of the table of contexts: how many there are."""
    totals: dict[str, int] = {used: total for summary in summaries for used, total in summary.used.items()}
    totals[EVERYTHING] = sum(totals.values())
    kinds = (*USED, EVERYTHING)
    return {
        "": "of",
        **{f"{used} {budget}": str(totals.get(used, 0)) for used, budget in product(kinds, CONTEXT_BUDGETS)},
    }


def print_cells(console: Console, rows: Sequence[Mapping[str, str]]) -> None:
    """Print a table. The columns are those of the first row, whose first says which row it is."""
    name, *figures = rows[0]
    columns = (label_column(name), *map(Column, figures))
    print_table(console, Table(columns, tuple(tuple(row.values()) for row in rows)))


def format_two_decimals(value: float) -> str:
    """Two decimals, a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.2f}"


def format_p_value(value: float) -> str:
    """A p-value."""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def round_or_null(value: float) -> float | None:
    """A number as JSON keeps it: null for NaN."""
    return None if math.isnan(value) else round(value, 6)
