"""The same targets with the same true callees in a variant of their repository. Lines stay where they are in a
variant, so a symbol is found again by its place and its new name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from executor.manifest.variant.renamed_tasks import rename_code_and_files, rename_qualified_name, rename_target
from executor.manifest.variant.values import VariantRecord
from index.repo_index import RepoIndex
from index.values import Symbol, Target
from lab.retrieval_eval.evaluation import RepoTargets
from lab.retrieval_eval.targets import EvaluationTarget
from lab.retrieval_eval.true_callees import Callee, Truth, find_entry_of_target


@dataclass(frozen=True, slots=True)
class RenamedRepo:
    """A repository's targets in its own tree and in the variant's, the same in the same order. `barred`: what no
    trained ranker may learn from, in the variant's names."""

    record: VariantRecord
    original: RepoTargets
    renamed: RepoTargets
    barred: tuple[Target, ...]


def pair_with_variant(
    repo: RepoTargets, barred: Sequence[Target], record: VariantRecord, index: RepoIndex
) -> RenamedRepo:
    """The targets in both trees. `index` is the variant's. A target is left out of both when the variant's index has
    no symbol in its place or in that of one of its callees; the account of the original says how many."""
    pairs = [(target, _rename_evaluation_target(target, record, index)) for target in repo.targets]
    found = [(target, other) for target, other in pairs if other is not None]
    left_out = repo.left_out
    if len(found) < len(pairs):
        lost = len(pairs) - len(found)
        left_out += (f"{lost} targets: they or a callee aren't where they were in the variant's index",)
    return RenamedRepo(
        record,
        replace(repo, targets=tuple(target for target, _ in found), left_out=left_out),
        RepoTargets(repo.name, tuple(other for _, other in found), (), (), index),
        tuple(rename_target(target, record) for target in barred),
    )


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
    return target._replace(target=own, truth=Truth(callees), gold=rename_code_and_files(target.gold, record))


def _find_counterparts(symbol: Symbol, record: VariantRecord, index: RepoIndex) -> list[Symbol]:
    path, name = record.new_path_of(symbol.path), rename_qualified_name(symbol.name, record.names)
    there = (entry.symbol for entry in index.entries_in_file(path))
    return [other for other in there if (other.kind, other.span, other.name) == (symbol.kind, symbol.span, name)]
