"""What a task may spend grows with its number of functions, by one rule."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from agent.model.conversation_limits import ConversationLimits
from agent.request import AgentSettings
from retrieval.context.assembly import Packing

BUDGET_RULE = (
    "A task of k functions has (k + 1) / 2 times the budget of one: tokens of context and answer, hits, turns,"
    " repairs, and what else bounds a conversation. A third of the model's window bounds context and answer each."
)


@dataclass(frozen=True, slots=True)
class TaskBudget:
    """What a task of so many functions got. None: no bound."""

    context_tokens: int
    answer_tokens: int | None
    turns: int
    repairs: int
    tokens: int | None


def scale_amount(amount: float, holes: int) -> int:
    """The amount for a task of so many functions, by what one function gets. Half of it is for what functions that
    belong together share: their files, their types, how they are called."""
    return math.ceil(amount * (holes + 1) / 2)


def scale_settings(settings: AgentSettings, holes: int) -> AgentSettings:
    """A conversation's settings for a task of so many functions. No answer is longer than the model's can be."""
    if holes == 1:
        return settings
    limits = settings.limits
    return replace(
        settings,
        max_tokens=_scale_tokens(settings.max_tokens, holes, settings.window, settings.longest_answer),
        repair_rounds=scale_amount(settings.repair_rounds, holes),
        limits=ConversationLimits(
            scale_amount(limits.steps, holes),
            None if limits.tokens is None else scale_amount(limits.tokens, holes),
            None if limits.cost is None else limits.cost * (holes + 1) / 2,
            None if limits.seconds is None else limits.seconds * (holes + 1) / 2,
        ),
    )


def scale_packing(packing: Packing, holes: int, window: int | None) -> Packing:
    """How the context of a task of so many functions is made."""
    budget = _scale_tokens(packing.budget, holes, window) or 0
    return replace(packing, budget=budget, hits=scale_amount(packing.hits, holes))


def list_budget(settings: AgentSettings, packing: Packing, holes: int) -> TaskBudget:
    """What a task of so many functions gets under a run's settings."""
    scaled = scale_settings(settings, holes)
    return TaskBudget(
        scale_packing(packing, holes, settings.window).budget,
        scaled.max_tokens,
        scaled.limits.steps,
        scaled.repair_rounds,
        scaled.limits.tokens,
    )


def _scale_tokens(amount: int | None, holes: int, window: int | None, most: int | None = None) -> int | None:
    """Bounded by a third of the window and by `most`, but never less than what one function gets."""
    if amount is None:
        return None
    bounds = [*([] if window is None else [window // 3]), *([] if most is None else [most])]
    return max(amount, min([scale_amount(amount, holes), *bounds]))
