"""Reads the runs of a comparison, and refuses what can't be compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.report.stored_run import StoredRun, read_run
from experiments.run.pass_rule import SUITES_ALONE
from index.errors import ConfigError

# Keys that may differ: where the model is served and candidates run says nothing about what the model knows.
_MAY_DIFFER = frozenset({"variant", "api_base", "api_key_env", "sandbox", "base"})
_MOST_NAMED = 3


def read_runs_to_compare(original: Path, renamed: Sequence[Path]) -> tuple[StoredRun, tuple[StoredRun, ...]]:
    """The run on the original tree, and those under other names, all by their suites alone: plus tests don't know a
    renamed tree. Raises ConfigError that names what doesn't fit."""
    first = read_run(original, SUITES_ALONE)
    if first.variants:
        raise ConfigError(f"{original}: a run of a renamed tree ({first.tree}); the run on the original comes first")
    others: list[StoredRun] = []
    for path in renamed:
        run = read_run(path, SUITES_ALONE)
        if not run.variants:
            raise ConfigError(
                f"{path}: no run of a renamed tree (it has no variant-REPO.json); graft run ... variant=renamed makes"
                " one"
            )
        twin = next((other for other in others if _list_digests(other) == _list_digests(run)), None)
        if twin is not None:
            raise ConfigError(f"{path}: a run of the same renaming as {twin.path} ({run.tree}); leave one of them out")
        _require_comparable(first, run)
        others.append(run)
    return first, tuple(others)


def _list_digests(run: StoredRun) -> set[tuple[str, str]]:
    return {(repo, record.digest) for repo, record in run.variants.items()}


def _require_comparable(original: StoredRun, renamed: StoredRun) -> None:
    one, two = original.manifest, renamed.manifest
    differing = [
        f"{key} is {two.identity.get(key)!r}, there {one.identity.get(key)!r}"
        for key in sorted((one.identity.keys() | two.identity.keys()) - _MAY_DIFFER, key=_key_order)
        if one.identity.get(key) != two.identity.get(key)
    ]
    if (one.dataset, one.dataset_version) != (two.dataset, two.dataset_version) and one.dataset == two.dataset:
        differing.append(f"the data set's version is {two.dataset_version}, there {one.dataset_version}")
    if one.prompts != two.prompts:
        differing.append("the prompts' texts differ")
    differing += [
        f"the commit of {name} is {two.repos[name].commit[:12]}, there {one.repos[name].commit[:12]}"
        for name in sorted(one.repos.keys() & two.repos.keys())
        if one.repos[name].commit != two.repos[name].commit
    ]
    if differing:
        more = f" (and {len(differing) - _MOST_NAMED} more)" if len(differing) > _MOST_NAMED else ""
        raise ConfigError(
            f"{renamed.path}: can't be compared with {original.path}: {'; '.join(differing[:_MOST_NAMED])}{more}"
        )


def _key_order(key: str) -> tuple[bool, str]:
    return key not in ("dataset", "model"), key
