"""What a person decided on answers that Graft leaves open (`to_review`): RUN/reviews.jsonl, one Review a line. The
journal stays as it is; a decision is laid over it whenever it is read."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.values import Outcome, Verdict
from experiments.files import read_journal_lines_including_torn
from index.errors import ConfigError

log = logging.getLogger(__name__)

REVIEWS = "reviews.jsonl"
# A verdict's reason begins so where a person decided.
REVIEWED = "review:"


@dataclass(frozen=True, slots=True)
class Review:
    """A decision on one text. `execution` is its folder relative to the run's, whose name is the digest of the task,
    the image, the suites and the text: for another text it says nothing."""

    execution: str
    task_id: str
    passed: bool
    reviewer: str
    why: str
    date: str


def read_reviews_by_execution(run: Path) -> dict[str, Review]:
    """The decisions by execution; of two on one the later stands. A torn line is skipped with a warning. Raises
    ConfigError for a whole line that is no Review: a person's decision isn't dropped in silence."""
    path, found, adapter = run / REVIEWS, dict[str, Review](), TypeAdapter(Review)
    for number, line in enumerate(read_journal_lines_including_torn(path), start=1):
        try:
            plain = json.loads(line)
        except (ValueError, RecursionError):
            log.warning(f"{path}:{number}: a torn line; it is skipped")
            continue
        try:
            review = adapter.validate_python(plain)
        except ValidationError:
            raise ConfigError(f"{path}:{number}: no review; mend or delete this line") from None
        found[review.execution] = review
    return found


def decide_open_verdict_by_review(verdict: Verdict, review: Review | None) -> Verdict:
    """The verdict as the review leaves it. Only what is to review takes one: the tests and their controls decide on
    all else."""
    if review is None or verdict.outcome is not Outcome.TO_REVIEW:
        return verdict
    outcome = Outcome.PASSED if review.passed else Outcome.TESTS_FAILED
    return replace(verdict, outcome=outcome, reason=f"{REVIEWED} {review.reviewer}: {review.why}")
