"""Prevents: a budget that one function doesn't have as before, and one that a model's window or answer can't hold."""

from __future__ import annotations

from dataclasses import replace

from agent.model.conversation_limits import ConversationLimits
from agent.request import AgentSettings
from experiments.arms.budget import TaskBudget, find_budget, scale_packing, scale_settings
from retrieval.context.assembly import Packing

SETTINGS = AgentSettings(
    "m", max_tokens=4096, repair_rounds=2, limits=ConversationLimits(20, 100_000, 0.5, 60.0), window=200_000
)
PACKING = Packing(6000)


def test_one_function_has_what_the_run_says() -> None:
    assert scale_settings(SETTINGS, 1) == SETTINGS
    assert scale_packing(PACKING, 1, 1000) == PACKING
    assert scale_settings(AgentSettings("m"), 4).max_tokens is None


def test_each_further_function_brings_half_of_it() -> None:
    budgets = {k: find_budget(SETTINGS, PACKING, k) for k in (1, 2, 4)}
    assert budgets == {
        1: TaskBudget(6000, 4096, 20, 2, 100_000),
        2: TaskBudget(9000, 6144, 30, 3, 150_000),
        4: TaskBudget(15_000, 10_240, 50, 5, 250_000),
    }
    assert scale_settings(SETTINGS, 2).limits == ConversationLimits(30, 150_000, 0.75, 90.0)
    assert scale_packing(PACKING, 4, None).hits == 125


def test_window_and_longest_answer_bound_it_and_never_below_one_functions() -> None:
    narrow = replace(SETTINGS, window=24_000)
    bounded = find_budget(narrow, PACKING, 16)
    assert (bounded.context_tokens, bounded.answer_tokens) == (8000, 8000)
    assert find_budget(replace(SETTINGS, longest_answer=5000), PACKING, 16).answer_tokens == 5000
    assert find_budget(replace(narrow, window=9000, longest_answer=1000), PACKING, 16).answer_tokens == 4096
