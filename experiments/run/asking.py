"""What a sample's model is asked: context, an iterative arm's drafts, the conversation. Nothing is built for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from agent.drafting import Drafted, draft_context, failed, with_drafts
from agent.loop import AgentSettings, run_agent
from agent.prompts import PromptSet
from agent.tools.toolbox import MEANING, WORDS, Toolbox
from agent.values import Compiler, Explainer, ModelRequest, ModelResponse, Trajectory
from executor.values import Task
from experiments.arms.arm import BY_WORDS, Arm
from experiments.arms.context import ContextSettings, Shown, context_for
from experiments.run.reference_models import ModelFor
from experiments.run.workspace import Reading
from index.errors import AnswerPending, InfraError
from index.values import Diagnostic
from retrieval.values import Context


@dataclass(frozen=True, slots=True)
class Asker:
    """What every conversation of a run shares. `readings` are its repositories by name."""

    readings: Mapping[str, Reading]
    prompts: PromptSet
    settings: AgentSettings
    model_for: ModelFor
    contexts: ContextSettings
    draft_rounds: int
    meaning: str | None
    lookup: bool
    retrieving: threading.Lock


class Asked(NamedTuple):
    """The context that led to the answer, and all that was said."""

    context: Context
    trajectory: Trajectory


Keep = Callable[[Context, Trajectory], None]


def ask(
    asker: Asker, task: Task, arm: Arm, sample: int, first: Context, compiler: Compiler | None, keep: Keep
) -> Asked:
    """The whole conversation on the context `first`; `keep` gets it after every step."""
    drafted = _drafted(asker, task, arm, sample, first)
    if drafted.error:
        return Asked(drafted.context, failed(drafted))
    rounds = asker.settings.repair_rounds if arm.rounds is None else arm.rounds
    answer = run_agent(
        task.target,
        drafted.context,
        asker.model_for(task, sample),
        asker.prompts,
        replace(asker.settings, repair_rounds=rounds),
        compiler,
        task_id=task.id,
        sample=sample,
        instruction=task.instruction,
        context_text=task.oracle_text if arm.source == "oracle" else None,
        toolbox=_toolbox(asker, task) if arm.kind == "tools" else None,
        explainer=_explainer(asker, task) if arm.compiles and asker.lookup else None,
        on_step=lambda trail: keep(drafted.context, with_drafts(trail, drafted)),
    )
    return Asked(drafted.context, with_drafts(answer, drafted))


def context_of(asker: Asker, task: Task, arm: Arm, draft: str | None = None) -> Shown:
    """The arm's context; `draft` as in `context_for`."""
    reading = asker.readings[task.target.repo]
    # An index is read through one connection, and a query takes milliseconds: in turn is fast enough.
    with asker.retrieving:
        return context_for(arm, task, reading.index, reading.retrievers, asker.contexts, draft)


def first_request(asker: Asker, task: Task, arm: Arm, sample: int) -> ModelRequest | None:
    """What the sample's model would be asked first; nothing is asked, and nothing compiled. None where the prompt
    doesn't fit the model's window."""
    silent = replace(asker, model_for=lambda task, sample: _Listener())
    compiler = _Listener() if arm.compiles else None
    try:
        ask(silent, task, arm, sample, context_of(asker, task, arm).context, compiler, lambda context, trail: None)
    except AnswerPending as pending:
        request: ModelRequest = pending.request
        return request
    return None


class _Listener:
    """A model, or a compiler, that only hears what it is asked."""

    def complete(self, request: ModelRequest) -> ModelResponse:
        raise AnswerPending(request)

    def check(self, code: str) -> Sequence[Diagnostic]:
        raise InfraError("nothing is compiled for a first prompt")


def _explainer(asker: Asker, task: Task) -> Explainer:
    from agent.explain.declarations import Lookup

    reading = asker.readings[task.target.repo]
    if reading.index is None or reading.table is None:
        raise ValueError("compiler messages are answered from the repository's index")
    with asker.retrieving:
        return Lookup(reading.index.hide(task.target, asker.contexts.masking), task.target, reading.table)


def _toolbox(asker: Asker, task: Task) -> Toolbox:
    """The tools see the task's target and the hidden view, nothing of the task's gold or tests."""
    reading = asker.readings[task.target.repo]
    if reading.index is None or reading.table is None:
        raise ValueError("an arm with tools needs the repository's index")
    searchers = {WORDS: reading.retrievers[BY_WORDS]}
    if asker.meaning is not None:
        searchers[MEANING] = reading.retrievers[asker.meaning]
    with asker.retrieving:
        return Toolbox(reading.index.hide(task.target, asker.contexts.masking), reading.table, searchers)


def _drafted(asker: Asker, task: Task, arm: Arm, sample: int, first: Context) -> Drafted:
    """What a drafted arm's drafts lead to; the first context where an arm makes none. A draft isn't compiled: what
    it names is all that is wanted of it."""

    def draft_on(context: Context) -> Trajectory:
        return run_agent(
            task.target,
            context,
            asker.model_for(task, sample),
            asker.prompts,
            replace(asker.settings, repair_rounds=0),
            None,
            task_id=task.id,
            sample=sample,
            instruction=task.instruction,
        )

    rounds = asker.draft_rounds if arm.kind == "drafted" else 0
    return draft_context(first, lambda draft: context_of(asker, task, arm, draft).context, rounds, draft_on)
