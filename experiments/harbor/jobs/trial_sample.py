"""A trial as a sample: what it ended in, its answer, and a record by what its verifier left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from agent.answer.multi_function import extract_functions
from agent.request import AgentRequest
from agent.values import Candidate, ModelRequest, ModelResponse, Trajectory
from executor.values import Outcome, Task, Tier, Verdict
from experiments.arms.arm import Arm
from experiments.arms.context import ArmContext
from experiments.harbor.jobs.atif import read_trajectory_without_answer_or_empty, set_answer_in_last_round
from experiments.harbor.jobs.job_folders import Trial
from experiments.harbor.verify import VerifierRecord
from experiments.run.pass_rule import PLUS_REASON
from experiments.run.records import SampleRecord, Scored
from experiments.run.sampling.rounds import list_round_costs
from experiments.run.sampling.sample import make_bare_record
from index.errors import ModelError
from index.hiding.holes import PLACEHOLDER
from index.source_text import decode_source
from retrieval.values import Context

AGENT = "experiments.harbor.jobs.trial_sample:answer_as_trial"
NO_CONTEXT = Context((), 0, 0, ())
# By the names of the exceptions that Harbor 0.25 records. The agent came to its own end: what it left is its answer.
_SPENT: Mapping[str, tuple[Outcome, str]] = {
    "AgentTimeoutError": (Outcome.TIMEOUT, "the agent's time was over"),
    "ContextWindowExceededError": (Outcome.NO_ANSWER, "the conversation no longer fits the model's window"),
    "ContextLengthExceededError": (Outcome.NO_ANSWER, "the conversation no longer fits the model's window"),
    "OutputTokenExceededError": (Outcome.NO_ANSWER, "cut off: the answer reached its limit"),
    "OutputLengthExceededError": (Outcome.NO_ANSWER, "cut off: the answer reached its limit"),
    "AgentSafetyRefusalError": (Outcome.NO_ANSWER, "refused: the model declined"),
    "ContentPolicyViolationError": (Outcome.NO_ANSWER, "filtered: the provider stopped the answer"),
}
_BY_VERIFIER = re.compile(r"Verifier|RewardFile")
# The environment or Harbor itself failed, or a person stopped the trial: never the model's result.
_BY_ENVIRONMENT = re.compile(
    r"Environment|Sandbox|AgentSetup|Healthcheck|Memory|^SSH|^GKE|^Runtime|AddTests|Download|^ServiceOperations|^Vercel"
    r"|^DspyImport|^MissingExtra|^Regrade|^Cancelled|^OSError|^FileNotFound"
)
_MESSAGE_CHARS = 200


@dataclass(frozen=True, slots=True)
class UncallableTrialModel:
    """The trial in a model's place: `answer_as_trial` reads it, nobody asks it. `text` is what it left as its answer,
    None for nothing."""

    trail: Trajectory
    text: str | None

    def complete(self, request: ModelRequest) -> ModelResponse:
        raise ModelError("a trial has answered already")


def answer_as_trial(request: AgentRequest) -> Trajectory:
    """An agent that gives the trial's trajectory, and as its answer what the trial left."""
    model = request.model
    if not isinstance(model, UncallableTrialModel):
        raise ValueError("this agent works in graft import alone")
    if model.text is None:
        return replace(model.trail, candidate=Candidate(None, "the agent left no answer"))
    candidate = extract_functions(model.text, request.target, existing=request.existing)
    return set_answer_in_last_round(model.trail, candidate, model.text)


def make_model_holding_trial_answer(trial: Trial, task: Task) -> UncallableTrialModel:
    """The trial's trajectory, and its answer: what the verifier took, else the file that Harbor brought out."""
    judged = trial.verifier_record_or_problem
    text = judged.answer if isinstance(judged, VerifierRecord) else ""
    return UncallableTrialModel(
        read_trajectory_without_answer_or_empty(trial), text or _read_artifact_as_fenced_answer(trial, task)
    )


def has_ended_without_agent_failure(trial: Trial) -> bool:
    """Whether what the agent left is an answer to build and test: on its own side nothing failed."""
    error = trial.result.error
    return trial.is_whole and (not error or error in _SPENT or bool(_BY_VERIFIER.search(error)))


def choose_verifier_or_error_verdict(trial: Trial) -> Verdict:
    """The verifier's verdict, or what stands in its place.

    It stands where the agent came to its own end, by its budget too, and where the answer passes, whatever else went
    wrong. Else the error that Harbor recorded says what the trial is: an answer that was cut off by a failing provider
    is no answer."""
    judged, error = trial.verifier_record_or_problem, trial.result.error
    if isinstance(judged, VerifierRecord):
        verdict = judged.record.graft.verdict
        left_answer = verdict.outcome is not Outcome.NO_ANSWER
        if not error or verdict.has_passed_or_awaits_review or (left_answer and error in _SPENT):
            return verdict
    elif not error:
        return Verdict(Outcome.INFRA_ERROR, Tier.ANSWER, False, judged)
    detail = f"{error}: {' '.join(trial.result.message.split())[:_MESSAGE_CHARS]}".rstrip(": ")
    # Before the agent began, what fails is its environment.
    ours = trial.result.started is None or _BY_VERIFIER.search(error) or _BY_ENVIRONMENT.search(error)
    outcome, reason = _SPENT.get(error, (Outcome.INFRA_ERROR if ours else Outcome.MODEL_ERROR, "Harbor"))
    return Verdict(outcome, Tier.ANSWER, False, f"{reason}: {detail}")


def make_trial_record(
    trial: Trial, task: Task, sample: int, arm: Arm, model: UncallableTrialModel
) -> tuple[SampleRecord, Trajectory]:
    """The sample by the verifier's record, or by the error that stands in its place; and the trajectory with the
    answer."""
    verdict, judged, trail = choose_verifier_or_error_verdict(trial), trial.verifier_record_or_problem, model.trail
    if isinstance(judged, VerifierRecord) and verdict is judged.record.graft.verdict:
        if model.text is not None:
            changed = "; ".join((*judged.notes, *(f"{path} was changed" for path in judged.changed_files)))
            candidate = replace(extract_functions(model.text, task.target), choice=changed)
            trail = set_answer_in_last_round(trail, candidate, model.text)
        # What was built lies in the verifier's container, which is gone.
        record = replace(
            judged.record,
            graft=_undo_plus_rule_and_clear_execution(judged.record.graft),
            official=replace(judged.record.official, execution=""),
            holes=tuple(replace(hole, execution="") for hole in judged.record.holes),
        )
    else:
        trail = replace(trail, candidate=Candidate(None, verdict.reason))
        scored = Scored(verdict, exact_match=False, execution="")
        record = make_bare_record(task, arm, sample, ArmContext(NO_CONTEXT, ()), scored)
    rounds = list_round_costs(trail)
    return replace(record, arm=arm.name, sample=sample, usage=trail.usage, rounds=rounds), trail


def _undo_plus_rule_and_clear_execution(scored: Scored) -> Scored:
    """As a journal keeps it: by the suites alone, since the rule on plus tests is laid over it when it is read."""
    verdict = scored.verdict
    if verdict.reason.startswith(PLUS_REASON):
        verdict = replace(verdict, outcome=Outcome.PASSED, reason="")
    return replace(scored, verdict=verdict, execution="")


def _read_artifact_as_fenced_answer(trial: Trial, task: Task) -> str | None:
    """The answer's file, else the files of the functions, as Harbor brought them out of the agent's environment; None
    without one, and where the body is still hidden."""
    names = sorted(str(path.relative_to(trial.folder)) for path in (trial.folder / "artifacts").rglob("*"))
    groups = [[name for name in names if Path(name).stem == "answer"]]
    for path in dict.fromkeys(hole.path for hole in task.target.holes):
        groups.append([name for name in names if name.endswith(f"/{path}")])
    answer, *files = [
        next(
            (data for name in group if (data := trial.read_small_regular_file(name)) and PLACEHOLDER not in data), b""
        )
        for group in groups
    ]
    texts = [decode_source(data).rstrip() for data in ([answer] if answer else files) if data]
    # A file's comments may hold fences. The official reading knows three backticks alone.
    fences = ["`" * (12 if "```" in text else 3) for text in texts]
    pairs = zip(fences, texts, strict=True)
    return "\n".join(f"{fence}{task.target.language}\n{text}\n{fence}\n" for fence, text in pairs) or None
