"""The same targets in a repository and in its variant, and recall on both: what a retriever loses with the names.
Lines stay where they are in a variant, so a symbol is found again by its place and its new name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from executor.manifest.variant.renamed_tasks import rename_code_and_files, rename_qualified_name, rename_target
from executor.manifest.variant.values import VariantRecord
from index.repo_index import RepoIndex
from index.values import Symbol
from lab.retrieval_eval.evaluation import RepoTargets
from lab.retrieval_eval.figures import RecallLoss, measure_renaming_loss
from lab.retrieval_eval.report import (
    PAIRED_CUTS,
    POOLED,
    Evaluation,
    convert_evaluation_to_json,
    format_p_value,
    format_two_decimals_or_dash,
    print_cell_rows_as_table,
    print_evaluation_setting,
    print_exclusions_and_unindexed_callees,
    print_plain,
    print_prompt_figures,
    round_or_null,
    summarise_prompt_group,
)
from lab.retrieval_eval.targets import EvaluationTarget
from lab.retrieval_eval.true_callees import Callee, Truth, find_entry_of_target


@dataclass(frozen=True, slots=True)
class RenamedRepo:
    """A repository's targets in its own tree and in the variant's, the same in the same order."""

    record: VariantRecord
    original: RepoTargets
    renamed: RepoTargets


def pair_targets_with_variant(repo: RepoTargets, record: VariantRecord, index: RepoIndex) -> RenamedRepo:
    """The targets in both trees. `index` is the variant's. A target is left out of both when the variant's index has
    no symbol in its place or in that of one of its callees; the account of the original says how many."""
    pairs = [
        (target, other) for target in repo.prompted if (other := _rename_evaluation_target(target, record, index))
    ]
    original = replace(repo, prompted=tuple(target for target, _ in pairs))
    if lost := len(repo.targets) - len(original.targets):
        why = f"{lost} targets: they or a callee aren't where they were in the variant's index"
        original = replace(original, left_out=(*repo.left_out, why))
    uncompiled = {record.new_path_of(path): spans for path, spans in repo.uncompiled.items()}
    barred = tuple(rename_target(target, record) for target in repo.barred)
    others = tuple(other for _, other in pairs)
    return RenamedRepo(record, original, RepoTargets(repo.name, others, (), (), index, uncompiled, barred))


def _rename_evaluation_target(
    target: EvaluationTarget, record: VariantRecord, index: RepoIndex
) -> EvaluationTarget | None:
    own = rename_target(target.target, record)
    callees = tuple(
        Callee(
            rename_qualified_name(callee.name, record.names),
            record.new_path_of(callee.path),
            tuple(found for symbol in callee.symbols for found in _find_counterparts(symbol, record, index)),
        )
        for callee in target.truth.callees
    )
    # A callee that the original's index lacks too counts in both.
    lost = any(old.symbols and not new.symbols for old, new in zip(target.truth.callees, callees, strict=True))
    if lost or find_entry_of_target(own, index) is None:
        return None
    oracle = target.oracle and tuple(
        (rename_code_and_files(text, record), record.new_path_of(path), rename_qualified_name(name, record.names))
        for text, path, name in target.oracle
    )
    gold = rename_code_and_files(target.gold, record)
    return target._replace(target=own, truth=Truth(callees), gold=gold, oracle=oracle)


def _find_counterparts(symbol: Symbol, record: VariantRecord, index: RepoIndex) -> list[Symbol]:
    path, name = record.new_path_of(symbol.path), rename_qualified_name(symbol.name, record.names)
    there = (entry.symbol for entry in index.entries_in_file(path))
    return [other for other in there if (other.kind, other.span, other.name) == (symbol.kind, symbol.span, name)]


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
    original, renamed = comparison.original, comparison.renamed
    groups = []
    for title, repo in [*((repo.name, repo.name) for repo in original.repos), (POOLED, None)]:
        targets = [t for r in original.repos if repo in (None, r.name) for t in r.targets]
        losses = {
            name: tuple(
                measure_renaming_loss(original.select_scores(name, repo), renamed.select_scores(name, repo), cut)
                for cut in PAIRED_CUTS
            )
            for name in original.names
        }
        groups.append(ComparedGroup(title, len(targets), sum(len(t.truth.callees) for t in targets), losses))
    return groups


def convert_comparison_to_json(comparison: VariantComparison) -> dict[str, Any]:
    """{"variants": ..., "comparison": {REPO or "pooled": {RETRIEVER: {"recall@10": ...}}}, "original": ...,
    "renamed": ...}; the last two as `graft index eval --json` gives them for one tree."""
    return {
        "variants": {
            record.repo: {
                "variant": str(record.spec),
                "map": record.digest,
                "names": len(record.names),
                "strength": record.renamed_share_of_gold_identifiers,
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


def print_comparison(comparison: VariantComparison) -> None:
    """A table per repository, and one of all together."""
    original = comparison.original
    print_evaluation_setting(
        original,
        "recall on the original tree and on the renamed one, the same callees in both; difference: renamed less"
        " original with its 95 % bootstrap interval over targets; p: exact paired sign-flip test",
    )
    for record in comparison.records:
        print_plain(f"{record.repo}: {record.spec}, map {record.digest}, {len(record.names)} names")
    groups = compare_groups(comparison)
    for group in groups if len(original.repos) > 1 else groups[:-1]:
        print_plain(f"\n{group.title}: {group.callees} callees of {group.targets} targets")
        print_cell_rows_as_table([_format_loss_cells(name, losses) for name, losses in group.losses.items()])
        repo = None if group.title == POOLED else group.title
        for tree, evaluation in (("the original", original), ("renamed", comparison.renamed)):
            print_prompt_figures(f"{group.title}, {tree}", summarise_prompt_group(evaluation, repo))
    print_exclusions_and_unindexed_callees(original)


def _format_loss_cells(name: str, losses: tuple[RecallLoss, ...]) -> dict[str, str]:
    cells = {"retriever": name}
    for found in losses:
        change = found.difference
        cells |= {
            f"@{found.cut}": format_two_decimals_or_dash(found.original),
            f"@{found.cut} renamed": format_two_decimals_or_dash(found.renamed),
            f"difference @{found.cut}": f"{change.value:+.2f} [{change.low:+.2f}, {change.high:+.2f}]",
            f"p @{found.cut}": format_p_value(found.p),
        }
    return cells
