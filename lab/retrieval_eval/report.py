"""One model of an evaluation, rendered as JSON and as tables for the terminal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Literal, NamedTuple

from experiments.consoles import make_stdout_console
from experiments.tables import Column, Table, make_label_column, print_table
from index.values import Masking
from lab.retrieval_eval.evaluation import ARM_ROWS, RepoAccount
from lab.retrieval_eval.figures import (
    ALL_FOUND_CUTS,
    ANSWERABLE,
    CONTEXT_BUDGETS,
    HITS_PER_QUERY,
    NAME_KINDS,
    NAMES,
    RECALL_CUTS,
    TOKENS,
    Figure,
    PairedTest,
    PromptScore,
    Summary,
    TargetScore,
    compare_retriever_recall,
    summarise_prompts,
    summarise_scores,
)
from lab.retrieval_eval.true_callees import Definition

Split = Literal["benchmark", "dev"]
PAIRED_CUTS = (10, 50)
POOLED = "pooled"
SHOWN_BUDGET = 6000
"""Of contexts this size is shown in detail."""

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
    prompts: tuple[PromptScore, ...]
    definition: Definition
    split: Split
    masking: Masking

    def select_scores(self, retriever: str, repo: str | None = None) -> list[TargetScore]:
        """One retriever's scores, of one repository or of all."""
        return [s for s in self.scores if s.retriever == retriever and repo in (None, s.repo)]


class EvaluationGroup(NamedTuple):
    """A repository, or all of them together. `summaries` are by retriever; `tests` compare each pair of retrievers
    both ways, the first less the second."""

    title: str
    summaries: Mapping[str, Summary]
    tests: Mapping[tuple[str, str], Sequence[PairedTest]]
    prompts: PromptGroup


class PromptGroup(NamedTuple):
    """What prompts show, arm by arm and then retriever by retriever: each row's figures (`summarise_prompts`). The
    `targets` need so many names, by kind; no row where no contexts were made."""

    targets: int
    needed: Mapping[str, int]
    rows: Mapping[str, Mapping[str, Figure]]


def summarise_groups(evaluation: Evaluation) -> list[EvaluationGroup]:
    """Each repository, then all pooled."""
    groups = []
    for title, repo in [*((repo.name, repo.name) for repo in evaluation.repos), (POOLED, None)]:
        scores = {name: evaluation.select_scores(name, repo) for name in evaluation.names}
        tests = {
            (first, second): [
                compare_retriever_recall(scores[first], scores[second], cut) for cut in PAIRED_CUTS if scores[first]
            ]
            for first, second in permutations(evaluation.names, 2)
        }
        summaries = {name: summarise_scores(found) for name, found in scores.items()}
        groups.append(EvaluationGroup(title, summaries, tests, summarise_prompt_group(evaluation, repo)))
    return groups


def summarise_prompt_group(evaluation: Evaluation, repo: str | None) -> PromptGroup:
    """The prompts for one repository's targets, or for all."""
    by_row: dict[str, list[PromptScore]] = {row: [] for row in (*ARM_ROWS, *evaluation.names)}
    for prompt in evaluation.prompts:
        if repo in (None, prompt.repo):
            by_row[prompt.row].append(prompt)
    one_each = [prompt for prompt in by_row[ARM_ROWS[0]] if prompt.budget == CONTEXT_BUDGETS[0]]
    needed = {kind: sum(prompt.needed[at] for prompt in one_each) for at, kind in enumerate(NAME_KINDS.values())}
    rows = {row: summarise_prompts(prompts) for row, prompts in by_row.items() if prompts}
    return PromptGroup(len(one_each), needed, rows)


def convert_evaluation_to_json(evaluation: Evaluation) -> dict[str, Any]:
    """{"repos": {NAME: {RETRIEVER: figures}}, "pooled": {RETRIEVER: figures}, "prompts": {NAME or "pooled":
    {"targets": N, "needed": {KIND: N}, "rows": {ARM or RETRIEVER: figures}}}}; the last where contexts were made. NaN
    is null."""
    *repos, pooled = groups = summarise_groups(evaluation)
    how = {
        "definition": evaluation.definition,
        "split": evaluation.split,
        "masking": evaluation.masking,
        "repositories": [repo.name for repo in evaluation.repos],
    }
    # What doesn't count, and what counts though nobody can find it.
    accounts = {
        repo.name: {
            "left_out": list(repo.left_out),
            "excluded": [{"target": target, "call": call, "reason": why} for target, call, why in repo.excluded],
            "unknown": repo.unknown_callees,
        }
        for repo in evaluation.repos
    }
    return {
        "repos": {
            group.title: {
                name: {**_convert_retriever_summary(group, name), **accounts[group.title]} for name in evaluation.names
            }
            for group in repos
        },
        "pooled": {name: {**_convert_retriever_summary(pooled, name), **how} for name in evaluation.names},
        **({"prompts": {g.title: _convert_prompts(g.prompts) for g in groups}} if pooled.prompts.rows else {}),
    }


def _convert_prompts(prompts: PromptGroup) -> dict[str, Any]:
    return {
        "targets": prompts.targets,
        "needed": dict(prompts.needed),
        "rows": {row: _convert_figures(figures) for row, figures in prompts.rows.items()},
    }


def _convert_figures(figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {
        **{name: round_or_null(figure.value) for name, figure in figures.items()},
        "intervals": {name: [round_or_null(f.low), round_or_null(f.high)] for name, f in figures.items()},
    }


def _convert_retriever_summary(group: EvaluationGroup, retriever: str) -> dict[str, Any]:
    summary = group.summaries[retriever]
    tests = {other: found for (first, other), found in group.tests.items() if first == retriever}
    return {
        "targets": summary.targets,
        "callees": summary.callees,
        "hidden": summary.hidden,
        **_convert_figures(summary.figures),
        "latency_ms": {key: round_or_null(value) for key, value in summary.latency_ms.items()},
        "paired": {
            other: {f"recall@{test.cut}": {"difference": test.difference, "p": test.p} for test in found}
            for other, found in tests.items()
        },
    }


def print_evaluation(evaluation: Evaluation) -> None:
    """Per repository and pooled: recall, contexts, latency, tests; then what was counted and what wasn't."""
    print_evaluation_setting(
        evaluation,
        "recall: found callees over all callees (micro), 95 % bootstrap interval over targets; the retriever's order"
        " counts, its ties go by path and place; times in CPU ms of this process",
    )
    groups = summarise_groups(evaluation)
    for group in groups if len(evaluation.repos) > 1 else groups[:-1]:
        first = next(iter(group.summaries.values()))
        hidden = f", {first.hidden} of them hidden as clones of the target" if first.hidden else ""
        print_plain(f"\n{group.title}: {first.callees} callees of {first.targets} targets{hidden}")
        summaries = group.summaries
        print_cell_rows_as_table([_format_recall_cells(name, summary) for name, summary in summaries.items()])
        # Of each pair only the later retriever against the earlier one.
        tests = [group.tests[second, first][0] for first, second in combinations(evaluation.names, 2)]
        if tests:
            lines = [
                f"{test.first} - {test.second} {test.difference:+.3f} (p {format_p_value(test.p)})" for test in tests
            ]
            print_plain(f"recall@{PAIRED_CUTS[0]}, exact paired sign-flip tests: " + "; ".join(lines))
        print_prompt_figures(group.title, group.prompts)
    print_exclusions_and_unindexed_callees(evaluation)


def print_plain(text: str) -> None:
    make_stdout_console().print(text, markup=False)


def print_evaluation_setting(evaluation: Evaluation, figures_explanation: str) -> None:
    """How the targets and callees were chosen, and what the `figures_explanation` are."""
    definition = evaluation.definition
    print_plain(f"true callees: {definition} ({DEFINITIONS[definition]})")
    print_plain(f"split {evaluation.split}, masking {evaluation.masking}, {HITS_PER_QUERY} hits per query")
    print_plain(figures_explanation)


def print_exclusions_and_unindexed_callees(evaluation: Evaluation) -> None:
    """Of each repository what doesn't count, and what counts though nobody can find it."""
    print_plain("")
    for repo in evaluation.repos:
        lines = list(repo.left_out)
        for reason, count in Counter(why for _, _, why in repo.excluded).most_common():
            names = [call for _, call, why in repo.excluded if why == reason]
            lines.append(f"{count} calls excluded: {reason} ({', '.join(names[:8])}{', ...' if count > 8 else ''})")
        if unknown := repo.unknown_callees:
            lines.append(f"{len(unknown)} callees counted that the index lacks: {', '.join(unknown[:8])}")
        for line in lines:
            print_plain(f"{repo.name}: {line}")


def _format_recall_cells(name: str, summary: Summary) -> dict[str, str]:
    """A row of the first table, by column."""
    figures, latency = summary.figures, summary.latency_ms
    ten = figures["recall@10"]
    return {
        "retriever": name,
        **{f"@{cut}": format_two_decimals_or_dash(figures[f"recall@{cut}"].value) for cut in RECALL_CUTS},
        "@10, 95 %": f"[{format_two_decimals_or_dash(ten.low)}, {format_two_decimals_or_dash(ten.high)}]",
        "MRR": format_two_decimals_or_dash(figures["mrr"].value),
        **{
            f"all found @{cut}": format_two_decimals_or_dash(figures[f"all_found@{cut}"].value)
            for cut in ALL_FOUND_CUTS
        },
        "median ms": f"{latency['median']:.1f}",
        "p95 ms": f"{latency['p95']:.1f}",
        "of it hiding": f"{latency['hide_median']:.1f}",
    }


def print_prompt_figures(title: str, prompts: PromptGroup) -> None:
    """How many prompts show every name that the body needs, by budget; which names are shown, by kind, at one budget.
    Nothing where no contexts were made."""
    if not prompts.rows:
        return
    total = sum(prompts.needed.values())
    print_plain(
        f"\n{title}: answerable, of {prompts.targets} targets: the share of prompts that show every name of the"
        f" repository that the true body uses ({total} names; a body that uses none counts), by tokens of context;"
        f" 95 % interval at {SHOWN_BUDGET}",
    )
    print_cell_rows_as_table([_format_answerable_cells(row, figures) for row, figures in prompts.rows.items()])
    print_plain(f"\n{title}: names shown at {SHOWN_BUDGET} tokens, by kind")
    counts = {"row": "of", "all": str(total), **{kind: str(count) for kind, count in prompts.needed.items()}}
    rows = [_format_shown_name_cells(row, figures) for row, figures in prompts.rows.items()]
    print_cell_rows_as_table([*rows, {**dict.fromkeys(rows[0], ""), **counts}])


def _format_answerable_cells(row: str, figures: Mapping[str, Figure]) -> dict[str, str]:
    found = figures[f"{ANSWERABLE}@{SHOWN_BUDGET}tokens"]
    low, high = format_two_decimals_or_dash(found.low), format_two_decimals_or_dash(found.high)
    return {
        "row": row,
        **{
            f"{budget // 1000}k": format_two_decimals_or_dash(figures[f"{ANSWERABLE}@{budget}tokens"].value)
            for budget in CONTEXT_BUDGETS
        },
        f"{SHOWN_BUDGET // 1000}k, 95 %": f"[{low}, {high}]",
    }


def _format_shown_name_cells(row: str, figures: Mapping[str, Figure]) -> dict[str, str]:
    titles = {"all": NAMES, **{kind: kind for kind in NAME_KINDS.values()}}
    found = {title: figures[f"{name}@{SHOWN_BUDGET}tokens"].value for title, name in titles.items()}
    shown = {title: format_two_decimals_or_dash(value) for title, value in found.items()}
    return {"row": row, **shown, TOKENS: f"{figures[f'{TOKENS}@{SHOWN_BUDGET}tokens'].value:.0f}"}


def print_cell_rows_as_table(rows: Sequence[Mapping[str, str]]) -> None:
    """Print a table. The columns are those of the first row, whose first says which row it is."""
    name, *figures = rows[0]
    columns = (make_label_column(name), *map(Column, figures))
    print_table(make_stdout_console(), Table(columns, tuple(tuple(row.values()) for row in rows)))


def format_two_decimals_or_dash(value: float) -> str:
    """Two decimals, a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.2f}"


def format_p_value(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def round_or_null(value: float) -> float | None:
    """A number as JSON keeps it: null for NaN."""
    return None if math.isnan(value) else round(value, 6)
