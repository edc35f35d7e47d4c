"""Why a sample failed: one cause for each sample, so that causes can be counted over a run. The first that holds is
the sample's; docs/how-to/read-a-failure.md says what each means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from agent.values import Trajectory
from executor.grading.grade import CONTROL
from executor.values import Outcome, Task, TestRun
from experiments.run.pass_rule import PLUS_REASON
from experiments.run.reviews import REVIEWED
from experiments.run.sample_facts import CalleeFacts
from index.callgraph.resolution.macro_calls import NOT_CALLED_WORDS
from index.cpp.tokens import remove_comments, tokenize
from index.values import SymbolKind
from retrieval.values import Context

if TYPE_CHECKING:
    from experiments.run.records import SampleRecord
    from index.repo_index import RepoIndex

Cause = Literal[
    "passed",
    "never retrieved",
    "not used",
    "used wrongly",
    "didn't compile",
    "failed tests",
    "fails plus tests",
    "forged results",
    "flagged: to review",
    "no answer",
    "cut off",
    "filtered",
    "refused",
    "only thoughts",
    "model error",
    "our error",
]
"""What became of a sample, in the order in which tables have it."""
FAILURES: tuple[Cause, ...] = get_args(Cause)[1:]

_BY_OUTCOME: dict[Outcome, Cause] = {
    Outcome.PASSED: "passed",
    Outcome.TO_REVIEW: "flagged: to review",
    Outcome.INFRA_ERROR: "our error",
    Outcome.MODEL_ERROR: "model error",
}
# As `agent.conversation.trajectory` begins a reason where the answer was held back.
_HELD_BACK: tuple[Cause, ...] = ("cut off", "filtered", "refused", "only thoughts")
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.MACRO})
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_ERROR = re.compile(r"^[^\n]*?(?:error|undefined reference)[^\n]*$", re.MULTILINE)
_LOG_BYTES = 256 * 1024


def find_cause_of_outcome(record: SampleRecord) -> Cause:
    """The sample's one cause."""
    verdict, callees = record.graft.verdict, record.callees
    if verdict.outcome is Outcome.NO_ANSWER:
        return next((word for word in _HELD_BACK if f"{word}: " in verdict.reason), "no answer")
    if verdict.outcome in _BY_OUTCOME:
        return _BY_OUTCOME[verdict.outcome]
    forged = (REVIEWED, f"{PLUS_REASON} {CONTROL}")
    if record.audit.state == "forged" or verdict.reason.startswith(forged):
        return "forged results"
    if record.passed_suites:
        return "fails plus tests"
    if not verdict.built and callees.misused:
        return "used wrongly"
    missing = [name for name in callees.needed if name not in callees.used]
    if missing:
        return "never retrieved" if any(name not in callees.shown for name in missing) else "not used"
    return "failed tests" if verdict.built else "didn't compile"


def name_callees_or_test_behind_cause(record: SampleRecord) -> str:
    """What the cause is about: callees, a test, or the verdict's reason, which doesn't name the cause again."""
    verdict, callees = record.graft.verdict, record.callees
    cause = find_cause_of_outcome(record)
    missing = [name for name in callees.needed if name not in callees.used]
    if cause == "used wrongly":
        return ", ".join(callees.misused)
    if cause == "never retrieved":
        return ", ".join(name for name in missing if name not in callees.shown)
    if cause == "not used":
        return ", ".join(missing)
    if cause == "failed tests" and (verdict.failed or verdict.missing):
        return (*verdict.failed, *verdict.missing)[0]
    return verdict.reason.removeprefix(f"{PLUS_REASON} ").replace(f"{cause}: ", "", 1) if cause != "passed" else ""


def count_failure_causes(records: Iterable[SampleRecord]) -> dict[str, int]:
    """The number of failed samples by cause. Causes that didn't occur are left out."""
    tally = Counter(find_cause_of_outcome(record) for record in records)
    return {cause: tally[cause] for cause in FAILURES if tally[cause]}


def collect_callee_facts(
    task: Task, index: RepoIndex | None, context: Context, trajectory: Trajectory, error_lines: str
) -> CalleeFacts:
    """Which true callees the model saw, used and misused; `error_lines` are the compiler's and linker's."""
    needed = _list_callees_by_index_or_oracle(task, index)
    if needed is None:
        return CalleeFacts()
    answer = set(tokenize(trajectory.candidate.code or ""))
    seen = _collect_seen_words(context, trajectory)
    used = tuple(name for name in needed if name in answer)
    words = set(re.findall(r"\w+", error_lines))
    return CalleeFacts(
        needed=needed,
        shown=tuple(name for name in needed if name in seen),
        used=used,
        misused=tuple(name for name in used if name in words),
        known=True,
    )


def read_build_error_lines(run: TestRun, folder: Path) -> str:
    """The error lines of the build steps that failed, without quoted code."""
    failed = [step for step in (*run.check, *run.build) if step.exit_code != 0]
    texts = []
    for step in failed:
        log = folder / step.log
        if log.is_file():
            with log.open("rb") as file:
                texts += _ERROR.findall(file.read(_LOG_BYTES).decode("utf-8", "replace"))
    return "\n".join(texts)


def _list_callees_by_index_or_oracle(task: Task, index: RepoIndex | None) -> tuple[str, ...] | None:
    own = {hole.name.rpartition("::")[2] for hole in task.target.holes}
    bodies = " ".join(remove_comments(gold[max(0, gold.find("{")) :]) for gold in task.golds)
    called = dict.fromkeys(_CALL.findall(bodies))
    # A vendored tree may well define a macro `if`: what the language itself says is no callee.
    names = [name for name in called if name not in own and name not in NOT_CALLED_WORDS]
    if index is not None:
        return tuple(
            name for name in names if any(entry.symbol.kind in _CALLABLE for entry in index.entries_named(name))
        )
    given = {item.name for item in task.oracle} - {""}
    for item in task.oracle:
        given.update(_CALL.findall(item.text.partition("{")[0])[:1])
    return tuple(name for name in names if name in given) if given else None


def _collect_seen_words(context: Context, trajectory: Trajectory) -> Collection[str]:
    """Every word that stood before the model: prompts, tool answers, declarations, the drafts' contexts."""
    texts = [message.content for message in trajectory.messages if message.role != "assistant"]
    texts += [snippet.text for snippet in context.snippets]
    texts += [message.content for draft in trajectory.drafts for message in draft.messages if message.role == "user"]
    return set(re.findall(r"[A-Za-z_]\w*", "\n".join(texts)))
