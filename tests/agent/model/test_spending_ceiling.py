"""Prevents: a run that goes on paying past its ceiling, or stops short of it."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from agent.model.response_store import sum_stored_usage, wrap_in_store
from agent.model.spending_ceiling import LimitedModel
from agent.values import ModelRequest, ModelResponse, Usage
from index.errors import CeilingReached


class Model:
    def __init__(self, cost: float | None) -> None:
        self.calls, self.cost = 0, cost

    def complete(self, request: ModelRequest) -> ModelResponse:
        self.calls += 1
        return ModelResponse("x", "", "stop", 60, 40, self.cost, "{}", 0.1)


def request(sample: int) -> ModelRequest:
    return ModelRequest("m", (), None, None, None, sample)


@pytest.mark.parametrize(
    ("price", "max_cost", "max_tokens", "spent", "calls"),
    [
        (None, None, 250, Usage(), 3),
        (None, None, 250, Usage(prompt_tokens=100), 2),
        (None, None, 0, Usage(), 0),
        (0.5, 1.0, None, Usage(), 2),
        (0.5, 1.0, None, Usage(cost=1.0), 0),
        (9.0, None, None, Usage(), 100),
    ],
)
def test_calls_until_it_stops(price, max_cost, max_tokens, spent, calls):
    model = Model(price)
    limited = LimitedModel(model, max_cost, max_tokens, spent)
    with pytest.raises(CeilingReached) if calls < 100 else nullcontext():
        for sample in range(100):
            limited.complete(request(sample))
    assert model.calls == calls


def test_a_model_without_a_price_is_named_once_and_held_by_tokens():
    notes: list[str] = []
    model = Model(None)
    limited = LimitedModel(model, 0.01, 500, Usage(), notes.append)
    with pytest.raises(CeilingReached, match="max_tokens"):
        for sample in range(100):
            limited.complete(request(sample))
    assert model.calls == 5
    assert notes == ["max_cost: the price of m is unknown, so the ceiling on tokens alone holds"]


def test_stored_answers_pass_and_a_resumed_run_goes_on_counting(tmp_path):
    path = tmp_path / "r.sqlite"
    model = Model(0.5)
    first = wrap_in_store(LimitedModel(model, 1.0, None, sum_stored_usage(path)), path)
    for sample in (0, 1):
        first.complete(request(sample))
    resumed = wrap_in_store(LimitedModel(model, 1.0, None, sum_stored_usage(path)), path)
    for sample in (0, 1):
        assert resumed.complete(request(sample)).cached
    with pytest.raises(CeilingReached):
        resumed.complete(request(2))
    assert model.calls == 2
