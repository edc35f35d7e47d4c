"""Stand-ins for a model that answer with the gold, a stub or given texts, to check the harness itself. Only here does
a gold reach a model's place; no prompt is made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agent.answer.multi_function import block_label
from agent.values import Model, ModelRequest, ModelResponse
from executor.function.stub import make_stub
from executor.values import Task

GOLD = "gold"
STUB = "stub"
REFERENCES = frozenset({GOLD, STUB})

# Task and sample number -> the model that answers.
ModelFor = Callable[[Task, int], Model]


@dataclass(frozen=True, slots=True)
class FixedModel:
    """Always gives the same response, free of cost."""

    text: str

    def complete(self, request: ModelRequest) -> ModelResponse:
        return ModelResponse(
            text=self.text,
            reasoning="",
            finish_reason="stop",
            prompt_tokens=0,
            completion_tokens=0,
            cost=0.0,
            raw="",
            seconds=0.0,
        )


def make_gold_model(task: Task, sample: int) -> Model:
    return FixedModel(_write_gold_answer(task))


def make_stub_model(task: Task, sample: int) -> Model:
    return FixedModel(_write_stub_answer(task))


def is_reference_answer(task: Task, text: str) -> bool:
    """Whether the text is what the gold or the stub model answers to the task."""
    return text in (_write_gold_answer(task), _write_stub_answer(task))


def make_prediction_or_empty_answer_models(answers: Mapping[tuple[str, int], str]) -> ModelFor:
    """Answers made elsewhere, by task id and sample. A missing one is an empty response, which ends in NO_ANSWER."""
    return lambda task, sample: FixedModel(answers.get((task.id, sample), ""))


def _write_gold_answer(task: Task) -> str:
    return _fence_each_function_code(task, task.golds)


def _write_stub_answer(task: Task) -> str:
    golds = zip(task.target.holes, task.golds, strict=True)
    return _fence_each_function_code(task, [make_stub(hole, gold) for hole, gold in golds])


def _fence_each_function_code(task: Task, codes: Sequence[str]) -> str:
    # `cpp`, not `C++`: the official parser ruins the latter, and these two must be right under both.
    holes = task.target.holes
    heads = [""] if len(holes) == 1 else [f"{block_label(number, hole)}\n" for number, hole in enumerate(holes, 1)]
    parts = zip(holes, heads, codes, strict=True)
    return "\n".join(f"```{hole.language}\n{head}{code.rstrip()}\n```\n" for hole, head, code in parts)
