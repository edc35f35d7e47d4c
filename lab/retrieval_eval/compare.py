"""Recall on a repository and on its variant, side by side: what a retriever loses with the names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console

from executor.manifest.variant.values import VariantRecord
from lab.retrieval_eval.report import (
    DEFINITIONS,
    PAIRED_CUTS,
    Evaluation,
    account_lines,
    number,
    p_text,
    table,
    to_json,
    two,
)
from lab.retrieval_eval.score import LIMIT, Loss, loss


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
    losses: Mapping[str, tuple[Loss, ...]]


def compared_groups(comparison: VariantComparison) -> list[ComparedGroup]:
    """Each repository, then all pooled."""
    repos = [repo.name for repo in comparison.original.repos]
    return [_group(comparison, name, name) for name in repos] + [_group(comparison, "pooled", None)]


def _group(comparison: VariantComparison, title: str, repo: str | None) -> ComparedGroup:
    targets = [t for r in comparison.original.repos if repo in (None, r.name) for t in r.targets]
    losses = {
        name: tuple(
            loss(comparison.original.of(name, repo), comparison.renamed.of(name, repo), cut) for cut in PAIRED_CUTS
        )
        for name in comparison.original.names
    }
    return ComparedGroup(title, len(targets), sum(len(t.truth.callees) for t in targets), losses)


def comparison_json(comparison: VariantComparison) -> dict[str, Any]:
    """{"variants": ..., "comparison": {REPO or "pooled": {RETRIEVER: {"recall@10": ...}}}, "original": ...,
    "renamed": ...}; the last two as `graft retrieval-eval --json` gives them for one tree."""
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
                name: {f"recall@{found.cut}": _json_of(found) for found in losses}
                for name, losses in group.losses.items()
            }
            for group in compared_groups(comparison)
        },
        "original": to_json(comparison.original),
        "renamed": to_json(comparison.renamed),
    }


def _json_of(found: Loss) -> dict[str, Any]:
    return {
        "original": number(found.original),
        "renamed": number(found.renamed),
        "difference": number(found.difference.value),
        "interval": [number(found.difference.low), number(found.difference.high)],
        "p": found.p,
    }


def print_comparison(console: Console, comparison: VariantComparison) -> None:
    """A table per repository, and one of all together."""

    def say(text: str) -> None:
        console.print(text, markup=False)

    original = comparison.original
    say(f"true callees: {original.definition} ({DEFINITIONS[original.definition]})")
    say(f"split {original.split}, masking {original.masking}, {LIMIT} hits per query")
    say(
        "recall on the original tree and on the renamed one, the same callees in both; difference: renamed less"
        " original with its 95 % bootstrap interval over targets; p: exact paired sign-flip test"
    )
    for record in comparison.records:
        say(f"{record.repo}: {record.spec}, map {record.digest}, {len(record.names)} names")
    groups = compared_groups(comparison)
    for group in groups if len(original.repos) > 1 else groups[:-1]:
        say(f"\n{group.title}: {group.callees} callees of {group.targets} targets")
        console.print(table([_cells(name, losses) for name, losses in group.losses.items()]))
    say("")
    for repo in original.repos:
        for line in account_lines(repo):
            say(f"{repo.name}: {line}")


def _cells(name: str, losses: tuple[Loss, ...]) -> dict[str, str]:
    cells = {"retriever": name}
    for found in losses:
        change = found.difference
        cells |= {
            f"@{found.cut}": two(found.original),
            f"@{found.cut} renamed": two(found.renamed),
            f"difference @{found.cut}": f"{change.value:+.2f} \\[{change.low:+.2f}, {change.high:+.2f}]",
            f"p @{found.cut}": p_text(found.p),
        }
    return cells
