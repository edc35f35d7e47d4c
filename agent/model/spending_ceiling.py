"""A model that stops when the run's ceiling on cost or tokens is reached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agent.model.usage import add_call
from agent.values import Model, ModelRequest, ModelResponse, Usage
from index.errors import CeilingReached


def limit_spending(
    model: Model,
    max_cost: float | None,
    max_tokens: int | None,
    already: Usage,
    on_note: Callable[[str], None] | None = None,
) -> Model:
    """A model that raises CeilingReached instead of making a call, once the run has spent as much as a ceiling.

    `max_cost` is in USD, `max_tokens` counts prompt and completion tokens together; None is no ceiling. `already`
    is what earlier invocations of the run spent (`response_store.total_spent`). Put this *inside* the response store:
    a stored answer costs nothing and must pass.

    Calls in progress aren't cut off: n threads may overshoot by n - 1 calls. A model without a known price can't be
    bounded by cost: `on_note` gets one line about it, such calls count as 0 USD, and only the ceiling on tokens
    holds.
    """
    known = already if already.cost is not None else replace(already, cost=0.0)
    return _LimitedModel(model, max_cost, max_tokens, on_note, _SpendingAccount(known, already.cost is None))


@dataclass(slots=True)
class _SpendingAccount:
    spent: Usage
    unpriced: bool
    noted: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class _LimitedModel:
    model: Model
    max_cost: float | None
    max_tokens: int | None
    on_note: Callable[[str], None] | None
    account: _SpendingAccount

    def complete(self, request: ModelRequest) -> ModelResponse:
        self._check_ceilings()
        response = self.model.complete(request)
        self._count_response(request, response)
        return response

    def _check_ceilings(self) -> None:
        with self.account.lock:
            spent = self.account.spent
        tokens = spent.prompt_tokens + spent.completion_tokens
        if self.max_tokens is not None and tokens >= self.max_tokens:
            raise CeilingReached(f"max_tokens: {tokens} of {self.max_tokens} tokens are spent")
        if self.max_cost is not None and (spent.cost or 0.0) >= self.max_cost:
            raise CeilingReached(f"max_cost: {spent.cost:.4f} of {self.max_cost:.4f} USD are spent")

    def _count_response(self, request: ModelRequest, response: ModelResponse) -> None:
        if response.cached:
            return
        account = self.account
        with account.lock:
            account.unpriced = account.unpriced or response.cost is None
            usage = add_call(account.spent, response)
            account.spent = usage if usage.cost is not None else replace(usage, cost=account.spent.cost)
            unknown_price = account.unpriced and self.max_cost is not None and not account.noted
            account.noted = account.noted or unknown_price
        if unknown_price and self.on_note is not None:
            held = (
                "the ceiling on tokens alone holds"
                if self.max_tokens is not None
                else "no ceiling holds; set max_tokens"
            )
            self.on_note(f"max_cost: the price of {request.model} is unknown, so {held}")
