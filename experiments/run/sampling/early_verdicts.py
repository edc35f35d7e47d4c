"""Verdicts that were given while the suites had passed only once on the unmodified tree: the further rounds confirm
them, or take them back where a suite's results differ. What is taken back is judged again."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.values import ExpectedTests
from experiments.files import write_atomically
from experiments.run.pass_rule import PassRule
from experiments.run.records import (
    JOURNAL,
    SampleKey,
    encode_json_value,
    read_finished_samples_with_executions,
    read_json_file,
)
from experiments.run.sampling.executions import (
    EXPECTED,
    RECORD,
    find_changed_suites,
    save_expected_tests_in_run,
    select_samples_with_matching_execution,
)
from experiments.run.workspace import Repo

log = logging.getLogger(__name__)

Finished = Mapping[SampleKey, Sequence[str]]
"""Finished samples, each with the folders of its executions."""


def note_unmeasured_suites_and_find_samples_to_judge_again(
    run: Path, repos: Mapping[str, Repo], finished: Finished
) -> set[SampleKey]:
    """Note in the run's folder which suites are still measured. Returns the samples of an earlier part of the run that
    was stopped before theirs were: they are judged again, from stored answers and executions."""
    found: set[SampleKey] = set()
    for name, repo in repos.items():
        early = _read_suites_being_measured(run, name)
        if early:
            found |= _find_samples_judged_by_suites(run, finished, name, early).keys()
        if repo.built.suites_measured:
            suites = sorted(early | repo.built.suites_measured)
            write_atomically(_locate_early_suites_file(run, name), encode_json_value(suites))
    return found


@dataclass(frozen=True, slots=True)
class Confirmation:
    """How many verdicts on a repository were early, and those of the samples that are to be judged again. `expected`:
    what all rounds say."""

    repo: str
    early: int
    taken_back: frozenset[SampleKey]
    expected: ExpectedTests


def wait_and_confirm_early_verdicts(run: Path, repos: Mapping[str, Repo], rule: PassRule) -> list[Confirmation]:
    """Wait for the rounds that are left, and write what they say into the run's folder. Raises as `build_image`."""
    found: list[Confirmation] = []
    suites_of = {name: suites for name in repos if (suites := _read_suites_being_measured(run, name))}
    # Only where it is needed, for a journal may have a million lines.
    finished = read_finished_samples_with_executions(run / JOURNAL, frozenset(), rule) if suites_of else {}
    for name, suites in suites_of.items():
        repo = repos[name]
        before = repo.image.expected
        after = repo.built.finish_measuring().expected
        early = _find_samples_judged_by_suites(run, finished, name, suites)
        taken_back = _find_samples_judged_by_changed_suites(run, name, early, before, after)
        for folder in {folder for names in taken_back.values() for folder in names}:
            (run / folder / RECORD).unlink(missing_ok=True)
        save_expected_tests_in_run(run, {name: repo.image})
        _locate_early_suites_file(run, name).unlink()
        found.append(Confirmation(name, len(early), frozenset(taken_back), after))
        tasks = ", ".join(dict.fromkeys(task for _, task, _ in taken_back))
        ended = f"judged again: {tasks}" if tasks else "it confirms all of them"
        log.info(f"{name}: {len(early)} verdicts were given before the suites' last round; {ended}")
    return found


def _find_samples_judged_by_changed_suites(
    run: Path, repo: str, early: Finished, before: ExpectedTests, after: ExpectedTests
) -> Finished:
    # A file that the unmodified tests change was held against an answer while nobody knew it.
    blamed = select_samples_with_matching_execution(
        run, early, lambda found: not after.rewritten.isdisjoint((*found.run.changed, *found.run.added))
    )
    return {**blamed, **_find_samples_judged_by_suites(run, early, repo, find_changed_suites(before, after))}


def _find_samples_judged_by_suites(run: Path, finished: Finished, repo: str, suites: Collection[str]) -> Finished:
    """The samples on the repository that one of the suites judged."""
    if not suites:
        return {}
    return select_samples_with_matching_execution(
        run, finished, lambda found: found.repo == repo and not set(suites).isdisjoint(found.suites)
    )


def _locate_early_suites_file(run: Path, name: str) -> Path:
    return run / EXPECTED / f"{name}.early.json"


def _read_suites_being_measured(run: Path, name: str) -> frozenset[str]:
    path = _locate_early_suites_file(run, name)
    return frozenset(read_json_file(list[str], path)) if path.is_file() else frozenset()
