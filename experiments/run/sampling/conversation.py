"""One sample's conversation: its context, the drafts before it, the agent. Nothing is built here."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from agent.answer.definitions import list_names_defined_outside_spans
from agent.context_drafts import add_drafts_and_usage, improve_context_by_drafts, trajectory_of_failed_draft
from agent.explain.redaction import RedactingCompiler
from agent.model import capabilities
from agent.model.conversation_limits import ConversationLimits
from agent.request import AgentRequest, AgentSettings
from agent.tools.scope import Scope
from agent.tools.toolbox import MEANING, WORDS, Toolbox
from agent.values import Compiler, Explainer, ModelRequest, ModelResponse, Trajectory
from executor.values import Task
from experiments.arms.arm import BY_WORDS, Arm
from experiments.arms.budget import scale_packing, scale_settings
from experiments.arms.context import ArmContext, ContextSettings, Reading, make_arm_context
from experiments.run.config import RunConfig
from experiments.run.reference_models import REFERENCES, ModelFor
from experiments.run.resolve import RunParts
from index.cpp.declarators import unqualified_name
from index.errors import AnswerPending, InfraError
from index.hiding.hidden_view import HiddenView
from index.values import Diagnostic, Language, Span, Target, join_targets
from retrieval.context.assembly import Packing
from retrieval.values import Context, SnippetGroup

# How the names of models begin that litellm knows nothing of: the answers in a file, a client of `graft mcp`.
ELSEWHERE = ("predictions:", "mcp:")


@dataclass(frozen=True, slots=True)
class Asker:
    """What every conversation of a run shares. `readings` are its repositories by name; the agent of `parts` writes
    the answers and the drafts."""

    parts: RunParts
    readings: Mapping[str, Reading]
    settings: AgentSettings
    model_for: ModelFor
    contexts: ContextSettings
    retrieving: threading.Lock = field(default_factory=threading.Lock)


def make_asker(parts: RunParts, readings: Mapping[str, Reading], model_for: ModelFor) -> Asker:
    config = parts.config
    packing = Packing(
        budget=config.context_tokens,
        hits=config.hits,
        bodies=config.bodies,
        groups=frozenset(SnippetGroup(name) for name in config.groups),
        show_tests=config.show_tests,
    )
    contexts = ContextSettings(packing, config.masking, config.draft_base)
    return Asker(parts, readings, make_agent_settings(config, parts.arms), model_for, contexts)


def make_agent_settings(config: RunConfig, arms: Sequence[Arm]) -> AgentSettings:
    window, protocol, known = config.window, config.protocol, False
    # litellm takes seconds to import; a model that isn't one of its own needs it for nothing.
    if config.model not in REFERENCES and not config.model.startswith(ELSEWHERE):
        window, known = window or capabilities.context_window_of(config.model), True
        tools = any(arm.kind == "tools" for arm in arms)
        protocol = capabilities.choose_tool_protocol(config.model) if tools and protocol == "auto" else protocol
    arguments = {
        **capabilities.make_ollama_window_arguments(config.model, window, config.model_args),
        **config.model_args,
    }
    return AgentSettings(
        model=config.model,
        temperature=config.temperature,
        max_tokens=config.answer_tokens,
        seed=config.seed,
        repair_rounds=config.repair_rounds,
        api_base=config.api_base,
        extra=tuple(sorted((key, json.dumps(value)) for key, value in arguments.items())),
        protocol=protocol,
        limits=ConversationLimits(config.agent_steps, config.agent_tokens, config.agent_cost, config.agent_seconds),
        window=window,
        longest_answer=capabilities.longest_answer_of(config.model) if known else None,
    )


class AskedSample(NamedTuple):
    """The context that led to the answer, and the whole conversation."""

    context: Context
    trajectory: Trajectory


Keep = Callable[[Context, Trajectory], None]


def ask_agent(
    asker: Asker,
    task: Task,
    arm: Arm,
    sample: int,
    first_context: Context,
    compiler: Compiler | None,
    keep_conversation: Keep,
) -> AskedSample:
    """The whole conversation on the context `first_context`; `keep_conversation` gets it after every step."""
    # A draft isn't compiled: only the names in it are used.
    drafted = improve_context_by_drafts(
        first_context,
        lambda draft: make_sample_context(asker, task, arm, draft).context,
        asker.parts.config.draft_rounds if arm.kind == "drafted" else 0,
        lambda context: asker.parts.agent(_make_agent_request(asker, task, sample, context, 0)),
    )
    if drafted.error:
        return AskedSample(drafted.context, trajectory_of_failed_draft(drafted))
    index, view = asker.readings[task.target.repo].index, None
    if index is not None and (arm.compiles or arm.kind == "tools"):
        with asker.retrieving:
            view = index.hide(_make_target_with_shown_repo_name(asker, task), asker.contexts.masking)
    lookup = arm.compiles and asker.parts.config.lookup
    request = replace(
        _make_agent_request(asker, task, sample, drafted.context, arm.rounds),
        compiler=None if compiler is None else RedactingCompiler(compiler, view),
        toolbox=_make_toolbox(asker, task, view) if view is not None and arm.kind == "tools" else None,
        explainer=_make_declaration_explainer(asker, task, view) if view is not None and lookup else None,
        context_text=task.oracle_text if arm.source == "oracle" else None,
        on_step=lambda trail: keep_conversation(drafted.context, add_drafts_and_usage(trail, drafted)),
    )
    return AskedSample(drafted.context, add_drafts_and_usage(asker.parts.agent(request), drafted))


def make_sample_context(asker: Asker, task: Task, arm: Arm, draft: str | None = None) -> ArmContext:
    """The arm's context; `draft` as in `make_arm_context`."""
    reading = asker.readings[task.target.repo]
    packing = scale_packing(asker.contexts.packing, len(task.target.holes), asker.settings.window)
    # An index is read through one connection, and a query takes milliseconds: in turn is fast enough.
    with asker.retrieving:
        return make_arm_context(arm, task, reading, asker.contexts._replace(packing=packing), draft)


def find_tasks_read_by_tools(tasks: Sequence[Task], own: Task, trajectory: Trajectory) -> tuple[str, ...]:
    """Ids of the other tasks whose function stands in a tool's answer, body and all."""
    read = {name for entry in trajectory.rounds for use in entry.uses for name in use.bodies}
    places = {(unqualified_name(name), path) for name, _, path in (shown[:-1].rpartition(" (") for shown in read)}
    return tuple(
        task.id
        for task in tasks
        if task.id != own.id
        and task.target.repo == own.target.repo
        and any((unqualified_name(hole.name), hole.path) in places for hole in task.target.holes)
    )


def make_first_request_if_it_fits(asker: Asker, task: Task, arm: Arm, sample: int) -> ModelRequest | None:
    """The first request that the sample would send; no model is asked and nothing is compiled. None where the prompt
    doesn't fit the model's window."""
    silent = replace(asker, model_for=lambda task, sample: _FirstRequestCatcher())
    compiler = _FirstRequestCatcher() if arm.compiles else None
    first = make_sample_context(asker, task, arm).context
    try:
        ask_agent(silent, task, arm, sample, first, compiler, lambda context, trail: None)
    except AnswerPending as pending:
        request: ModelRequest = pending.request
        return request
    return None


class _FirstRequestCatcher:
    """A model that hands its first request back by AnswerPending, and a compiler that is never needed."""

    def complete(self, request: ModelRequest) -> ModelResponse:
        raise AnswerPending(request)

    def check(self, code: str) -> Sequence[Diagnostic]:
        raise InfraError("nothing is compiled for a first prompt")


def _make_target_with_shown_repo_name(asker: Asker, task: Task) -> Target:
    """The target as the agent gets it: prompts and tools may call its repository by another name."""
    name = asker.readings[task.target.repo].shown_name
    return join_targets([replace(hole, repo=name) for hole in task.target.holes]) if name else task.target


def _make_declaration_explainer(asker: Asker, task: Task, view: HiddenView) -> Explainer:
    from agent.explain.declarations import make_explainer

    with asker.retrieving:
        return make_explainer(view, _make_target_with_shown_repo_name(asker, task))


def _make_toolbox(asker: Asker, task: Task, view: HiddenView) -> Toolbox:
    """The tools see the task's target and the hidden view, nothing of the task's gold or tests."""
    reading, meaning = asker.readings[task.target.repo], asker.parts.config.meaning
    if reading.table is None:
        raise ValueError("an arm with tools needs the repository's names")
    searchers = {WORDS: reading.retrievers[BY_WORDS]}
    if meaning is not None:
        searchers[MEANING] = reading.retrievers[meaning]
    with asker.retrieving:
        return Toolbox(Scope(view, reading.table), searchers)


def _make_agent_request(
    asker: Asker, task: Task, sample: int, context: Context, repair_rounds: int | None
) -> AgentRequest:
    """A request without compiler and tools. `repair_rounds` None: as many as the run allows."""
    settings = scale_settings(asker.settings, len(task.target.holes))
    return AgentRequest(
        target=_make_target_with_shown_repo_name(asker, task),
        context=context,
        model=asker.model_for(task, sample),
        prompts=asker.parts.prompts,
        settings=settings if repair_rounds is None else replace(settings, repair_rounds=repair_rounds),
        task_id=task.id,
        sample=sample,
        instruction=task.instruction,
        existing=_list_names_defined_outside_holes(asker, task),
    )


def _list_names_defined_outside_holes(asker: Asker, task: Task) -> frozenset[str]:
    """What the files of the task's functions define outside of these."""
    root = asker.readings[task.target.repo].root
    if root is None:
        return frozenset()
    spans: dict[str, tuple[Span, ...]] = {}
    for hole in task.target.holes:
        spans[hole.path] = (*spans.get(hole.path, ()), hole.span)
    return frozenset().union(
        *(_read_names_defined_outside_spans(root / path, spans[path], task.target.language) for path in spans)
    )


@lru_cache(maxsize=256)
def _read_names_defined_outside_spans(path: Path, spans: tuple[Span, ...], language: Language) -> frozenset[str]:
    return list_names_defined_outside_spans(path.read_bytes(), spans, language)
