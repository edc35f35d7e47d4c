"""What a run writes down, and how it is read back. docs/reference/run-folder.md lists the files.

A line of the journal is a SampleRecord, samples/ARM/TASK/N.json a Story, execution.json an Execution."""

from __future__ import annotations

import gc
import hashlib
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from agent.values import Trajectory, Usage
from executor.grading.differential import Differential
from executor.manifest.false_passes import Passing
from executor.values import Outcome, TestRun, Verdict
from experiments.files import read_journal_lines_including_torn
from experiments.run.pass_rule import (
    SUITES_ALONE,
    PassRule,
    apply_pass_rule,
    has_passed_suites,
    read_pass_rule_or_suites_alone,
)
from experiments.run.reviews import Review, decide_open_verdict_by_review, read_reviews_by_execution
from experiments.run.sample_facts import AuditFacts, CalleeFacts, HoleFacts, Recitation, RoundCost
from index.errors import ConfigError, InfraError
from retrieval.values import Context

T = TypeVar("T")

JOURNAL = "journal.jsonl"
EXECUTIONS = "executions"
SAMPLES = "samples"

# Arm, task and sample.
SampleKey = tuple[str, str, int]

# Outcomes that say nothing about the model's code: a resumed run does these samples again.
UNFINISHED = frozenset({Outcome.INFRA_ERROR})


@dataclass(frozen=True, slots=True)
class Scored:
    """A verdict on one text. `execution` is its folder relative to the run's, "" when nothing ran."""

    verdict: Verdict
    exact_match: bool
    execution: str


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """One finished sample. The answer is read twice: by Graft's rules (`graft`), and as YABLoCo and MERA parse, splice
    and compare it (`official`). The same suites judge both; in the journal `graft` is what they alone say, and
    `apply_rule_and_reviews` lays the run's rule over it. `test_s` is the wall time of check, build and tests,
    `build_cpu_s` the CPU time from the text to the linked program."""

    arm: str
    task_id: str
    sample: int
    repo: str
    level: str
    graft: Scored
    official: Scored
    edit_similarity: float
    usage: Usage
    test_s: float
    build_cpu_s: float | None
    context_tokens: int
    dropped: int
    clones: int
    infra_retries: int
    rounds: tuple[RoundCost, ...] = ()
    callees: CalleeFacts = CalleeFacts()  # noqa: RUF009 - frozen
    read_tasks: tuple[str, ...] = ()
    """Other tasks of the run whose functions the model read with a tool; only its own task's function is hidden."""

    audit: AuditFacts = AuditFacts()  # noqa: RUF009 - frozen
    confinement: str = ""
    """`TestRun.confinement`; `none` where suites ran without it, "" where none ran."""
    recitation: Recitation = Recitation()  # noqa: RUF009 - frozen
    differential: str = ""
    """Beside the gold: `same on 212 calls`, `differs on call 3: ...`; "" where it wasn't compared."""
    wrong: Passing | None = None
    """How many of the task's wrong bodies pass the suites that judged this; None where it isn't known."""
    plus: str = ""
    """By Graft's own further tests: `passed`, `failed: ...`, `not run: ...` where Graft failed, or `not told: ...`
    where the answer can't be broken for their control run; "" where the task has none or the answer doesn't pass its
    suites."""
    holes: tuple[HoleFacts, ...] = ()
    """Of a task of several functions each of them, in the task's order; such a task has no official score. Not written
    for a task of one."""

    copies: tuple[str, ...] = ()
    """The kind of each place that is no function and holds the target's text: comment, string, macro, lines."""

    wrong_plus: Passing | None = None
    """The same, where they must pass the task's plus tests too."""
    needed_names: tuple[str, ...] | None = None
    """The repository's names that the gold uses, as `retrieval.names` finds them; None where that isn't known: in a
    run without an index, or of an older Graft."""
    missing_names: tuple[str, ...] | None = None
    """Those of them that stand neither in the signature and comment nor in the context that led to the answer. What
    an arm with tools looked up isn't counted."""
    cluster: str = ""
    """In a run on the suite the repository, which intervals over several count as one; else ""."""

    @property
    def key(self) -> SampleKey:
        return (self.arm, self.task_id, self.sample)

    @property
    def name(self) -> str:
        """What a line about it begins with."""
        return f"{self.task_id} ({self.arm}, sample {self.sample})"

    @property
    def passed(self) -> bool:
        """Whether it counts as passed, by the rule that was laid over it."""
        return self.graft.verdict.outcome is Outcome.PASSED

    @property
    def passed_suites(self) -> bool:
        """Whether it passes its suites and their control runs, whatever its plus tests said."""
        return has_passed_suites(self.graft.verdict)

    @property
    def is_scored(self) -> bool:
        """Whether it is in a score: Graft's own failures are in none."""
        return self.graft.verdict.outcome is not Outcome.INFRA_ERROR

    @property
    def alone_results(self) -> tuple[bool | None, ...]:
        """For each function of a task of several whether it passes with the others' golds: each does where all pass
        together. None where that isn't known."""
        return tuple(True if self.passed else hole.alone if hole.given else False for hole in self.holes)

    @property
    def seconds(self) -> float:
        return self.usage.model_seconds + self.usage.compile_seconds + self.test_s


@dataclass(frozen=True, slots=True)
class Story:
    """The whole conversation. `context` led to the answer; the contexts of drafts are in the trajectory. `clones` are
    the target's twins elsewhere in the tree: qualified name, path, how each was found and its similarity; behind them
    the other places that hold its text, by their kind."""

    context: Context
    clones: tuple[str, ...]
    trajectory: Trajectory


@dataclass(frozen=True, slots=True)
class PlusRun:
    """What the plus tests `suites` of a task, whose text `digest` names, did with a candidate that passed."""

    digest: str
    suites: tuple[str, ...]
    run: TestRun


@dataclass(frozen=True, slots=True)
class Execution:
    """A text that was built and tested. `code` is what was spliced; `retries` counts the runs before this one, which
    ended in an infrastructure failure, or at a time limit (the next run then has the machine to itself).
    `differential` is None where it wasn't compared with the gold; `strict`: a difference fails it. `plus` is None
    where the task's plus tests weren't run."""

    task_id: str
    repo: str
    image: str
    code: str
    suites: tuple[str, ...]
    run: TestRun
    retries: int
    differential: Differential | None = None
    strict: bool = False
    plus: PlusRun | None = None


def encode_json_value(value: object, *, indent: int | None = None) -> bytes:
    """A frozen value as JSON. Lone surrogates (bytes that weren't UTF-8) survive as escapes."""
    plain = _make_adapter(cast(Any, type(value))).dump_python(value)
    if isinstance(value, SampleRecord):
        plain = {key: part for key, part in plain.items() if part or key not in ("holes", "cluster")}
    try:
        text = json.dumps(plain, default=_sort_set_for_json, indent=indent, allow_nan=False)
    except ValueError:  # JSON has no NaN, and most readers refuse the word
        text = json.dumps(_replace_nan_by_none(plain), default=_sort_set_for_json, indent=indent)
    return text.encode("ascii")


def _replace_nan_by_none(plain: Any) -> Any:
    if isinstance(plain, Mapping):
        return {key: _replace_nan_by_none(part) for key, part in plain.items()}
    if isinstance(plain, list | tuple):
        return [*map(_replace_nan_by_none, plain)]
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def decode_json_value(kind: type[T], data: bytes, origin: Path | str) -> T:
    """Read one value back. Raises InfraError that names the file when it's damaged."""
    with suppress(ValidationError):
        # Three times as fast; it refuses the escapes of lone surrogates.
        return cast(T, _make_adapter(cast(Any, kind)).validate_json(data))
    try:
        return cast(T, _make_adapter(cast(Any, kind)).validate_python(json.loads(data)))
    except (ValueError, ValidationError, RecursionError) as error:
        raise InfraError(f"{origin}: damaged: {str(error).splitlines()[0]}") from error


def read_json_file(kind: type[T], path: Path) -> T:
    """Read one value from its file. Raises InfraError that names the file when it's damaged or can't be read."""
    try:
        return decode_json_value(kind, path.read_bytes(), path)
    except OSError as error:
        raise InfraError(f"{path}: {error.strerror}") from error


@lru_cache
def _make_adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _sort_set_for_json(value: object) -> object:
    if isinstance(value, frozenset | set):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def read_journal(path: Path) -> dict[SampleKey, SampleRecord]:
    """The finished samples by their keys. The later of two entries for a sample wins; damaged lines are skipped."""
    return dict(_read_entries(path))


def _read_entries(path: Path) -> Iterator[tuple[SampleKey, SampleRecord]]:
    """Each entry that is whole, in the file's order."""
    # A million lines are read so: a call for each of them counts.
    read = _make_adapter(SampleRecord).validate_json
    # Records hold no circles: Python's collector would walk all of them again and again, and free nothing.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        for line in read_journal_lines_including_torn(path):
            try:
                record: SampleRecord = read(line)
            except ValidationError:
                try:
                    record = decode_json_value(SampleRecord, line, path)
                except InfraError:
                    continue
            yield (record.arm, record.task_id, record.sample), record
    finally:
        if is_collecting:
            gc.enable()


def read_finished_samples_with_executions(
    path: Path, outcomes_to_repeat: Collection[Outcome], rule: PassRule, passed_to_fill: set[SampleKey] | None = None
) -> dict[SampleKey, tuple[str, ...]]:
    """The samples that a resumed run needn't do, with the folders of their executions. A sample whose last entry has
    by the rule an outcome in `outcomes_to_repeat` isn't one of them; a damaged line is skipped, as in a report.
    `passed_to_fill` receives those that pass by their last entry."""
    found: dict[SampleKey, tuple[str, ...]] = {}
    for key, record in _read_entries(path):
        outcome = apply_pass_rule(record.graft.verdict, record.plus, rule).outcome
        if passed_to_fill is not None and outcome is Outcome.PASSED:
            passed_to_fill.add(key)
        elif passed_to_fill is not None:
            passed_to_fill.discard(key)
        if outcome in outcomes_to_repeat:
            found.pop(key, None)
        else:
            graft, official = record.graft.execution, record.official.execution
            found[key] = tuple(filter(None, (graft, official if official != graft else "")))
    return found


def read_finished_records(run: Path, rule: PassRule | None = None) -> tuple[SampleRecord, ...]:
    """The run's finished samples, as the rule (None: the run's own) and persons decide on them. Raises ConfigError
    when there is none, and for a damaged file of reviews."""
    return apply_rule_and_stored_reviews(
        run, read_records_before_pass_rule(run), rule or read_pass_rule_or_suites_alone(run)
    )


def read_records_before_pass_rule(run: Path) -> tuple[SampleRecord, ...]:
    """The run's finished samples as the journal has them, by their suites alone. Raises ConfigError when there is
    none."""
    records = tuple(read_journal(run / JOURNAL).values())
    if not records:
        raise ConfigError(f"{run}: no sample is finished yet")
    return records


def apply_rule_and_stored_reviews(
    run: Path, records: Iterable[SampleRecord], rule: PassRule
) -> tuple[SampleRecord, ...]:
    """The journal's records, as the rule and the run's reviews decide on them. Raises ConfigError for a damaged file
    of reviews."""
    reviews = read_reviews_by_execution(run)
    return tuple(apply_rule_and_reviews(record, rule, reviews) for record in records)


def apply_rule_and_reviews(record: SampleRecord, rule: PassRule, reviews: Mapping[str, Review]) -> SampleRecord:
    """A record of the journal with Graft's verdict by the rule, and the verdicts that persons left."""
    if rule == SUITES_ALONE and record.wrong_plus is not None:
        record = replace(record, wrong_plus=None)
    graft, official = record.graft, record.official
    own, other = reviews.get(graft.execution), reviews.get(official.execution)
    # A person may decide on what the suites leave open, and then on what the plus tests do.
    verdict = decide_open_verdict_by_review(
        apply_pass_rule(decide_open_verdict_by_review(graft.verdict, own), record.plus, rule), own
    )
    if verdict is not graft.verdict:
        record = replace(record, graft=replace(graft, verdict=verdict))
    if other is not None:
        record = replace(
            record, official=replace(official, verdict=decide_open_verdict_by_review(official.verdict, other))
        )
    return record


def locate_story(run: Path, arm: str, task_id: str, sample: int) -> Path:
    return run / SAMPLES / arm / task_id / f"{sample}.json"


def name_execution_folder(task_id: str, image: str, suites: tuple[str, ...], code: str) -> str:
    """The execution's folder, relative to the run's. Equal texts of a task in the same image share it."""
    seed = "\0".join((image, *suites, code)).encode("utf-8", "surrogatepass")
    return f"{EXECUTIONS}/{task_id}/{hashlib.sha256(seed).hexdigest()[:16]}"
