"""An agent's trajectory in Harbor's format (ATIF 1.0 to 1.8) -> a trajectory of ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pydantic import Field, ValidationError

from agent.conversation.tool_results import make_tool_use_record
from agent.tools.tool_answer import ToolAnswer
from agent.values import Candidate, Message, ModelResponse, Round, ToolCall, Trajectory, Usage
from experiments.harbor.jobs.job_folders import HarborModel, Trial, make_field_at_path

Content = str | list[dict[str, Any]] | None
EMPTY = ModelResponse("", "", "", 0, 0, None, "", 0.0)


class AtifCall(HarborModel):
    tool_call_id: str = ""
    function_name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class AtifResult(HarborModel):
    source_call_id: str | None = None
    content: Content = None


class AtifStep(HarborModel):
    source: str
    message: Content = None
    reasoning_content: str | None = None
    tool_calls: list[AtifCall] | None = None
    results: list[AtifResult] = make_field_at_path("observation", "results", default=())
    prompt_tokens: int | None = make_field_at_path("metrics", "prompt_tokens")
    completion_tokens: int | None = make_field_at_path("metrics", "completion_tokens")
    cost: float | None = make_field_at_path("metrics", "cost_usd")


class AtifDocument(HarborModel):
    steps: list[AtifStep] = Field(default_factory=list)
    prompt_tokens: int | None = make_field_at_path("final_metrics", "total_prompt_tokens")
    completion_tokens: int | None = make_field_at_path("final_metrics", "total_completion_tokens")
    cost: float | None = make_field_at_path("final_metrics", "total_cost_usd")


def read_trajectory_without_answer_or_empty(trial: Trial) -> Trajectory:
    """What the agent did, without its answer; nothing where it left no trajectory, or one that can't be read."""
    document = AtifDocument()
    if (data := trial.read_small_regular_file("agent/trajectory.json")) is not None:
        with suppress(ValidationError):
            document = AtifDocument.model_validate_json(data)
    messages: list[Message] = []
    rounds: list[Round] = []
    for step in document.steps:
        text = _join_text(step.message)
        calls = tuple(
            ToolCall(call.tool_call_id, call.function_name, json.dumps(call.arguments))
            for call in step.tool_calls or ()
        )
        if step.source == "agent":
            messages.append(Message("assistant", text, calls))
            rounds.append(_make_round(step, text, calls))
        else:
            messages.append(Message("system" if step.source == "system" else "user", text))
        messages += [Message("tool", _join_text(r.content), call_id=r.source_call_id or "") for r in step.results]
    usage = _choose_reported_or_summed_usage(trial, document, [entry.response for entry in rounds])
    return Trajectory(tuple(messages), tuple(rounds), Candidate(None, "no answer"), usage)


def set_answer_in_last_round(trail: Trajectory, candidate: Candidate, answer: str) -> Trajectory:
    """The trajectory with the function that was taken out of the agent's tree, as what its last step handed in."""
    last = trail.rounds[-1] if trail.rounds else Round(EMPTY, candidate, None)
    last = replace(last, candidate=candidate, submitted=answer)
    return replace(trail, rounds=(*trail.rounds[:-1], last), candidate=candidate, ended="submitted")


def _make_round(step: AtifStep, text: str, calls: tuple[ToolCall, ...]) -> Round:
    response = replace(
        EMPTY,
        text=text,
        # Harbor gives mini-swe-agent's text twice.
        reasoning=(step.reasoning_content or "") if step.reasoning_content != step.message else "",
        prompt_tokens=step.prompt_tokens or 0,
        completion_tokens=step.completion_tokens or 0,
        cost=step.cost,
        calls=calls,
    )
    answers = {result.source_call_id: _join_text(result.content) for result in step.results}
    # Some agents don't say which call a result belongs to.
    rest = answers.get(None, "") if len(calls) == 1 else ""
    uses = tuple(make_tool_use_record(call, ToolAnswer(answers.get(call.id, rest)), 0.0) for call in calls)
    return Round(response, Candidate(None, "no draft"), None, uses=uses)


def _join_text(content: Content) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part.get("text") or f"[{part.get('type', 'part')}]") for part in content)


def _choose_reported_or_summed_usage(
    trial: Trial, document: AtifDocument, responses: Sequence[ModelResponse]
) -> Usage:
    """By what Harbor counted, else by what the trajectory says in all, else by its steps."""
    result = trial.result
    costs = [response.cost for response in responses if response.cost is not None]
    return Usage(
        calls=len(responses),
        prompt_tokens=result.prompt_tokens or document.prompt_tokens or sum(r.prompt_tokens for r in responses),
        completion_tokens=result.completion_tokens
        or document.completion_tokens
        or sum(response.completion_tokens for response in responses),
        # 0 is what mini-swe-agent says of a model whose price it doesn't know.
        cost=result.cost or document.cost or sum(costs) or None,
        model_seconds=result.agent_seconds_or_zero,
    )
