"""The evaluation's figures as JSON and as tables for a person."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from rich.console import Console
from rich.table import Table

from experiments.retrieval_eval.evaluate import RepoTargets
from experiments.retrieval_eval.score import (
    ALL_CUTS,
    BUDGETS,
    CUTS,
    LIMIT,
    USED,
    Figure,
    Paired,
    Scored,
    Summary,
    paired,
    summarise,
)

PAIRED_CUTS = (10, 50)

DEFINITIONS: Mapping[str, str] = {
    "benchmark": "the data set's call list (its oracle texts where it has none), resolved by file and line",
    "graph": "the edges of Graft's own call graph that start in the target, nothing hidden",
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that was scored, and how. `names` are the retrievers in the order asked for."""

    repos: tuple[RepoTargets, ...]
    names: tuple[str, ...]
    scored: tuple[Scored, ...]
    definition: str
    split: str
    masking: str

    def of(self, name: str, repo: str | None = None) -> list[Scored]:
        """One retriever's scores, of one repository or of all."""
        return [s for s in self.scored if s.retriever == name and repo in (None, s.repo)]


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """{"repos": {NAME: {RETRIEVER: figures}}, "pooled": {RETRIEVER: figures}}; NaN is null."""
    return {
        "repos": {
            repo.name: {
                name: {
                    **_figures(summarise(evaluation.of(name, repo.name))),
                    **_account(repo),
                    "paired": _tests(evaluation, name, repo.name),
                }
                for name in evaluation.names
            }
            for repo in evaluation.repos
        },
        "pooled": {
            name: {
                **_figures(summarise(evaluation.of(name))),
                "paired": _tests(evaluation, name, None),
                "definition": evaluation.definition,
                "split": evaluation.split,
                "masking": evaluation.masking,
                "repositories": [repo.name for repo in evaluation.repos],
            }
            for name in evaluation.names
        },
    }


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """Per repository and pooled: recall, context, latency, tests; then what was counted and what wasn't."""
    console.print(
        f"true callees: {evaluation.definition} ({DEFINITIONS[evaluation.definition]}); split {evaluation.split},"
        f" masking {evaluation.masking}",
        markup=False,
    )
    console.print(
        f"recall: found callees over all callees (micro), 95 % bootstrap interval over targets; {LIMIT} hits asked"
        " for; the retriever's own order counts, its ties go by path and place; times in CPU ms of this process",
        markup=False,
    )
    groups: list[tuple[str, str | None]] = [(repo.name, repo.name) for repo in evaluation.repos]
    if len(groups) > 1:
        groups.append(("pooled", None))
    for title, repo in groups:
        summaries = {name: summarise(evaluation.of(name, repo)) for name in evaluation.names}
        some = next(iter(summaries.values()))
        console.print(
            f"\n{title}: {some.callees} callees of {some.targets} targets"
            + (f", {some.hidden} of them hidden as clones of the target" if some.hidden else ""),
            markup=False,
        )
        console.print(_recall_table(summaries))
        if any(s.shown for s in summaries.values()):
            console.print(_context_table(summaries))
        _print_tests(console, evaluation, repo)
    console.print()
    for one in evaluation.repos:
        for line in account_lines(one):
            console.print(f"{one.name}: {line}", markup=False)


def account_lines(repo: RepoTargets) -> list[str]:
    """What doesn't count, and what counts though nobody can find it."""
    lines = list(repo.left_out)
    for reason, count in Counter(why for _, _, why in repo.excluded).most_common():
        names = [call for _, call, why in repo.excluded if why == reason]
        lines.append(f"{count} calls excluded: {reason} ({', '.join(names[:8])}{', ...' if count > 8 else ''})")
    unknown = [c.name for a in repo.asked for c in a.truth.callees if not c.symbols]
    if unknown:
        lines.append(f"{len(unknown)} callees counted that the index doesn't know: {', '.join(unknown[:8])}")
    return lines


def _figures(summary: Summary) -> dict[str, Any]:
    out: dict[str, Any] = {"targets": summary.targets, "callees": summary.callees, "hidden": summary.hidden}
    intervals: dict[str, Any] = {}
    named: list[tuple[str, Figure]] = [
        *((f"recall@{cut}", figure) for cut, figure in summary.recall),
        ("mrr", summary.mrr),
        *((f"all_found@{cut}", figure) for cut, figure in summary.all_found),
        *((f"{used}@{budget}tokens", figure) for budget, used, figure, _ in summary.shown),
    ]
    for name, figure in named:
        out[name] = _number(figure.value)
        intervals[name] = [_number(figure.low), _number(figure.high)]
    out["intervals"] = intervals
    out["used"] = {used: total for _, used, _, total in summary.shown}
    out["latency_ms"] = {
        "median": _number(summary.median_ms),
        "p95": _number(summary.p95_ms),
        "hide_median": _number(summary.hide_median_ms),
    }
    return out


def _account(repo: RepoTargets) -> dict[str, Any]:
    return {
        "left_out": list(repo.left_out),
        "excluded": [{"target": target, "call": call, "reason": why} for target, call, why in repo.excluded],
        "unknown": [c.name for a in repo.asked for c in a.truth.callees if not c.symbols],
    }


def _tests(evaluation: Evaluation, name: str, repo: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for other in evaluation.names:
        if other != name:
            tests = _paired(evaluation, name, other, repo)
            found[other] = {f"recall@{t.cut}": {"difference": t.difference, "p": t.p} for t in tests}
    return found


def _paired(evaluation: Evaluation, first: str, second: str, repo: str | None) -> list[Paired]:
    one, other = evaluation.of(first, repo), evaluation.of(second, repo)
    return [paired(one, other, cut) for cut in PAIRED_CUTS] if one else []


def _print_tests(console: Console, evaluation: Evaluation, repo: str | None) -> None:
    lines = []
    for first, second in combinations(evaluation.names, 2):
        for test in _paired(evaluation, second, first, repo):
            if test.cut == PAIRED_CUTS[0]:
                lines.append(f"{test.first} - {test.second} {test.difference:+.3f} (p {_p(test.p)})")
    if lines:
        console.print(f"recall@{PAIRED_CUTS[0]}, exact paired sign-flip tests: " + "; ".join(lines), markup=False)


def _recall_table(summaries: Mapping[str, Summary]) -> Table:
    table = Table(box=None, pad_edge=False)
    head = [
        "retriever", *(f"@{cut}" for cut in CUTS), "@10, 95 %", "MRR",
        *(f"all found @{cut}" for cut in ALL_CUTS), "median ms", "p95 ms", "of it hiding",
    ]  # fmt: skip
    _columns(table, head)
    for name, summary in summaries.items():
        ten = dict(summary.recall)[10]
        table.add_row(
            name,
            *(_share(figure) for _, figure in summary.recall),
            f"[{_two(ten.low)}, {_two(ten.high)}]".replace("[", "\\["),
            _share(summary.mrr),
            *(_share(figure) for _, figure in summary.all_found),
            f"{summary.median_ms:.1f}",
            f"{summary.p95_ms:.1f}",
            f"{summary.hide_median_ms:.1f}",
        )
    return table


def _context_table(summaries: Mapping[str, Summary]) -> Table:
    totals = {used: total for s in summaries.values() for _, used, _, total in s.shown}
    table = Table(box=None, pad_edge=False)
    columns = [f"{used} {budget // 1000}k" for used in USED for budget in BUDGETS]
    _columns(table, ["in a context of", *columns])
    for name, summary in summaries.items():
        cells = {(used, budget): figure for budget, used, figure, _ in summary.shown}
        row = [_share(cells[used, budget]) if (used, budget) in cells else "-" for used in USED for budget in BUDGETS]
        table.add_row(name, *row)
    table.add_row("of", *(str(totals.get(used, 0)) for used in USED for _ in BUDGETS))
    return table


def _columns(table: Table, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)


def _share(figure: Figure) -> str:
    return _two(figure.value)


def _two(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)
