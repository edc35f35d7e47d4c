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


def add_half_per_further_hole(amount: float, holes: int) -> float:
    """The amount for a task of so many functions, by what one function gets. Half of it is for what functions that
    belong together share: their files, their types, how they are called."""
    return amount * (holes + 1) / 2


def scale_settings(settings: AgentSettings, holes: int) -> AgentSettings:
    """A conversation's settings for a task of so many functions. No answer is longer than the model's can be."""
    limits, longest = settings.limits, settings.longest_answer
    return replace(
        settings,
        max_tokens=settings.max_tokens
        and _scale_tokens_within_window_third(settings.max_tokens, holes, settings.window, longest),
        repair_rounds=math.ceil(add_half_per_further_hole(settings.repair_rounds, holes)),
        limits=ConversationLimits(
            math.ceil(add_half_per_further_hole(limits.steps, holes)),
            limits.tokens and math.ceil(add_half_per_further_hole(limits.tokens, holes)),
            limits.cost and add_half_per_further_hole(limits.cost, holes),
            limits.seconds and add_half_per_further_hole(limits.seconds, holes),
        ),
    )


def scale_packing(packing: Packing, holes: int, window: int | None) -> Packing:
    """How the context of a task of so many functions is made."""
    hits = math.ceil(add_half_per_further_hole(packing.hits, holes))
    return replace(packing, budget=_scale_tokens_within_window_third(packing.budget, holes, window), hits=hits)


def compute_scaled_task_budget(settings: AgentSettings, packing: Packing, holes: int) -> TaskBudget:
    """What a task of so many functions gets under a run's settings."""
    scaled, context = scale_settings(settings, holes), scale_packing(packing, holes, settings.window).budget
    limits = scaled.limits
    return TaskBudget(context, scaled.max_tokens, limits.steps, scaled.repair_rounds, limits.tokens)


def _scale_tokens_within_window_third(amount: int, holes: int, window: int | None, most: int | None = None) -> int:
    """Bounded by a third of the window and by `most`, but never less than what one function gets."""
    bounds = [bound for bound in (window and window // 3, most) if bound is not None]
    return max(amount, min([math.ceil(add_half_per_further_hole(amount, holes)), *bounds]))
