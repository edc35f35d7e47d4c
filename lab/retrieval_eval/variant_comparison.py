"""Recall on a repository and on its variant, side by side: what a retriever loses with the names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console

from executor.manifest.variant.values import VariantRecord
from lab.retrieval_eval.figures import HITS_PER_QUERY, RecallLoss, measure_loss
from lab.retrieval_eval.report import (
    DEFINITIONS,
    PAIRED_CUTS,
    Evaluation,
    convert_evaluation_to_json,
    format_account_lines,
    format_p_value,
    format_two_decimals,
    print_cells,
    round_or_null,
)


@dataclass(frozen=True, slots=True)
class VariantComparison:
    """Two evaluations of the same targets in the same order: of the repositories, and of their variants `records`."""

    original: Evaluation
    renamed: Evaluation
    records: tuple[VariantRecord, ...]


class ComparedGroup(NamedTuple):
    """A repository, or all of them together: retriever -> what it loses at each cut."""

    title: str
    targets: int
    callees: int
    losses: Mapping[str, tuple[RecallLoss, ...]]


def compare_groups(comparison: VariantComparison) -> list[ComparedGroup]:
    """Each repository, then all pooled."""
    repos = [repo.name for repo in comparison.original.repos]
    return [_compare_group(comparison, name, name) for name in repos] + [_compare_group(comparison, "pooled", None)]


def _compare_group(comparison: VariantComparison, title: str, repo: str | None) -> ComparedGroup:
    targets = [t for r in comparison.original.repos if repo in (None, r.name) for t in r.targets]
    losses = {
        name: tuple(
            measure_loss(
                comparison.original.select_scores(name, repo), comparison.renamed.select_scores(name, repo), cut
            )
            for cut in PAIRED_CUTS
        )
        for name in comparison.original.names
    }
    return ComparedGroup(title, len(targets), sum(len(t.truth.callees) for t in targets), losses)


def convert_comparison_to_json(comparison: VariantComparison) -> dict[str, Any]:
    """{"variants": ..., "comparison": {REPO or "pooled": {RETRIEVER: {"recall@10": ...}}}, "original": ...,
    "renamed": ...}; the last two as `graft index eval --json` gives them for one tree."""
    return {
        "variants": {
            record.repo: {
                "variant": str(record.spec),
                "map": record.digest,
                "names": len(record.names),
                "strength": record.strength,
            }
            for record in comparison.records
        },
        "comparison": {
            group.title: {
                name: {f"recall@{found.cut}": _convert_loss(found) for found in losses}
                for name, losses in group.losses.items()
            }
            for group in compare_groups(comparison)
        },
        "original": convert_evaluation_to_json(comparison.original),
        "renamed": convert_evaluation_to_json(comparison.renamed),
    }


def _convert_loss(found: RecallLoss) -> dict[str, Any]:
    return {
        "original": round_or_null(found.original),
        "renamed": round_or_null(found.renamed),
        "difference": round_or_null(found.difference.value),
        "interval": [round_or_null(found.difference.low), round_or_null(found.difference.high)],
        "p": found.p,
    }


def print_comparison(console: Console, comparison: VariantComparison) -> None:
    """A table per repository, and one of all together."""

    def print_line(text: str) -> None:
        console.print(text, markup=False)

    original = comparison.original
    print_line(f"true callees: {original.definition} ({DEFINITIONS[original.definition]})")
    print_line(f"split {original.split}, masking {original.masking}, {HITS_PER_QUERY} hits per query")
    print_line(
        "recall on the original tree and on the renamed one, the same callees in both; difference: renamed less"
        " original with its 95 % bootstrap interval over targets; p: exact paired sign-flip test"
    )
    for record in comparison.records:
        print_line(f"{record.repo}: {record.spec}, map {record.digest}, {len(record.names)} names")
    groups = compare_groups(comparison)
    for group in groups if len(original.repos) > 1 else groups[:-1]:
        print_line(f"\n{group.title}: {group.callees} callees of {group.targets} targets")
        print_cells(console, [_format_loss_cells(name, losses) for name, losses in group.losses.items()])
    print_line("")
    for repo in original.repos:
        for line in format_account_lines(repo):
            print_line(f"{repo.name}: {line}")


def _format_loss_cells(name: str, losses: tuple[RecallLoss, ...]) -> dict[str, str]:
    cells = {"retriever": name}
    for found in losses:
        change = found.difference
        cells |= {
            f"@{found.cut}": format_two_decimals(found.original),
            f"@{found.cut} renamed": format_two_decimals(found.renamed),
            f"difference @{found.cut}": f"{change.value:+.2f} \\[{change.low:+.2f}, {change.high:+.2f}]",
            f"p @{found.cut}": format_p_value(found.p),
        }
    return cells
