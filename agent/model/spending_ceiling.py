"""A model that stops when the run's ceiling on cost or tokens is reached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agent.model.usage import add_call
from agent.values import Model, ModelRequest, ModelResponse, Usage
from index.errors import CeilingReached


@dataclass(slots=True)
class SpendingLimitedModel:
    """A model that raises CeilingReached instead of making a call, once the run has spent as much as a ceiling.

    `max_cost` is in USD, `max_tokens` counts prompt and completion tokens together; None is no ceiling. `spent` begins
    with what earlier invocations of the run spent (`response_store.sum_stored_usage`, with `known_prices_alone`: what
    has no price counts as 0 USD). Put this *inside* the response store: a stored answer costs nothing and must pass.

    Calls in progress aren't cut off: n threads may overshoot by n - 1 calls. A model without a known price can't be
    bounded by cost: `on_note` gets one line about it, such calls count as 0 USD, and only the ceiling on tokens
    holds.
    """

    model: Model
    max_cost: float | None
    max_tokens: int | None
    spent: Usage
    on_note: Callable[[str], None] | None = None
    _noted: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: ModelRequest) -> ModelResponse:
        spent = self.spent
        tokens = spent.prompt_tokens + spent.completion_tokens
        if self.max_tokens is not None and tokens >= self.max_tokens:
            raise CeilingReached(f"max_tokens: {tokens} of {self.max_tokens} tokens are spent")
        if self.max_cost is not None and (spent.cost or 0.0) >= self.max_cost:
            raise CeilingReached(f"max_cost: {spent.cost or 0.0:.4f} of {self.max_cost:.4f} USD are spent")
        response = self.model.complete(request)
        if not response.cached:
            with self._lock:
                self._add_spending_and_note_unknown_price(request, response)
        return response

    def _add_spending_and_note_unknown_price(self, request: ModelRequest, response: ModelResponse) -> None:
        unpriced = self.spent.cost is None or response.cost is None
        known = replace(self.spent, cost=self.spent.cost or 0.0)
        self.spent = add_call(known, replace(response, cost=response.cost or 0.0))
        if unpriced and self.max_cost is not None and self.on_note is not None and not self._noted:
            self._noted = True
            held = (
                "no ceiling holds; set max_tokens" if self.max_tokens is None else "the ceiling on tokens alone holds"
            )
            self.on_note(f"max_cost: the price of {request.model} is unknown, so {held}")
