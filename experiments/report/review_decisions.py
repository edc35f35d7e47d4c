"""What of a run a person has to look at, and the decisions on it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from executor.values import Outcome
from experiments.files import Journal, lock_folder
from experiments.report.run_end import write_report_json_and_markdown
from experiments.report.run_report import make_report
from experiments.run.manifest import read_manifest
from experiments.run.records import (
    JOURNAL,
    apply_rule_and_reviews,
    encode_json_value,
    read_finished_records,
    read_journal,
)
from experiments.run.reviews import REVIEWS, Review, read_reviews_by_execution
from index.errors import ConfigError, TaskError
from index.user_files import make_spelling_hint


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """A text that ended as `to_review`, in the samples that gave it. `execution` is its folder relative to the run's;
    `review` is None while nobody decided."""

    execution: str
    task_id: str
    samples: tuple[tuple[str, int], ...]
    flags: tuple[str, ...]
    reason: str
    review: Review | None

    @property
    def sample_names(self) -> str:
        """Its samples, as a person names them."""
        return ", ".join(f"{arm} {sample}" for arm, sample in self.samples)


def list_open_and_decided_answers(run: Path) -> tuple[OpenAnswer, ...]:
    """All that the journal leaves to a person, those decided too. A sample's answer is read twice, by Graft's rules
    and by the official ones, and may so be there twice. Raises ConfigError for a folder that holds no run, or a
    damaged file of reviews."""
    rule = read_manifest(run).pass_rule
    reviews, found = read_reviews_by_execution(run), dict[str, OpenAnswer]()
    for stored in read_journal(run / JOURNAL).values():
        record = apply_rule_and_reviews(stored, rule, {})
        for scored in (record.graft, record.official):
            if scored.verdict.outcome is not Outcome.TO_REVIEW:
                continue
            name, verdict = scored.execution, scored.verdict
            known = found[name].samples if name in found else ()
            samples = tuple(sorted({*known, (record.arm, record.sample)}))
            found[name] = OpenAnswer(name, record.task_id, samples, verdict.flags, verdict.reason, reviews.get(name))
    return tuple(found.values())


def record_decision_and_remake_report(
    run: Path, task_id: str, arm: str | None, sample: int | None, *, passed: bool, reviewer: str, why: str
) -> tuple[OpenAnswer, ...]:
    """Keep a person's decision on what is to review of one sample, and make the run's report anew. All samples that
    gave the same text are decided by it. Returns what was decided. Raises TaskError where nothing or more than one
    sample's answer is meant, ConfigError as `list_open_and_decided_answers`, when another graft works in the folder,
    and without a name or a reason: such a decision can't be defended."""
    reviewer, why = reviewer.strip(), " ".join(why.split())
    if not reviewer or not why:
        raise ConfigError(f"{'--reviewer' if not reviewer else '--why'} is empty: say who decides, and why")
    every = list_open_and_decided_answers(run)
    of_task = [answer for answer in every if answer.task_id == task_id]
    if not of_task:
        hint = make_spelling_hint(task_id, [answer.task_id for answer in every])
        raise TaskError(
            f"{run}: no answer to task {task_id!r} is to review{hint}; `graft grade {run} --to-review` lists them"
        )
    wanted = [
        answer
        for answer in of_task
        if any(arm in (None, own) and sample in (None, number) for own, number in answer.samples)
    ]
    if not wanted:
        named = "; ".join(answer.sample_names for answer in of_task)
        raise TaskError(f"{run}: no such answer to {task_id} is to review; there are (arm, sample): {named}")
    if not set.intersection(*(set(answer.samples) for answer in wanted)):
        named = "; ".join(answer.sample_names for answer in wanted)
        raise TaskError(f"{run}: {len(wanted)} answers to {task_id} are to review; choose by --arm, --sample: {named}")
    date = datetime.now(UTC).isoformat(timespec="seconds")
    with lock_folder(run), closing(Journal(run / REVIEWS)) as journal:
        for answer in wanted:
            journal.append(encode_json_value(Review(answer.execution, task_id, passed, reviewer, why, date)))
        write_report_json_and_markdown(run, make_report(run, read_manifest(run), read_finished_records(run)))
    return tuple(wanted)
