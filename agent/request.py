"""What one conversation needs, as one frozen value, and the seam at which an agent can be replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from agent.model.conversation_limits import ConversationLimits
from agent.prompts import PromptSet
from agent.tools.toolbox import Toolbox
from agent.values import Compiler, Explainer, Model, ToolProtocol, Trajectory
from index.values import Target
from retrieval.values import Context


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """The settings that all conversations of a run share.

    `seed` is the first sample's; sample n gets seed + n. `extra` is as in ModelRequest. `window` is the model's, in
    tokens, prompt and answer together; None: unknown, so the server must refuse what doesn't fit. `longest_answer`: as
    many tokens as the model can write at once, where that is known. `protocol` "auto"
    means native tool calls, and plain text once the server has refused them. `limits` hold for conversations with
    tools; `repair_rounds` is how often a draft that doesn't compile goes back to the model.
    """

    model: str
    temperature: float | None = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    repair_rounds: int = 0
    api_base: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    protocol: ToolProtocol = "auto"
    limits: ConversationLimits = ConversationLimits()  # noqa: RUF009 - frozen
    window: int | None = None
    longest_answer: int | None = None


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """One function to write.

    `compiler` is None where no draft is compiled, `toolbox` None where there are no tools; `explainer` adds the
    repository's declarations to the compiler's messages. `instruction` and `context_text` are the data set's own
    template and context (see PromptSet.first). `existing` names what the target's files define: in an answer it is a
    quotation, not a helper. `on_step` gets the trajectory after every answer and every reaction.
    """

    target: Target
    context: Context
    model: Model
    prompts: PromptSet
    settings: AgentSettings
    task_id: str
    sample: int = 0
    compiler: Compiler | None = None
    toolbox: Toolbox | None = None
    explainer: Explainer | None = None
    instruction: str | None = None
    context_text: str | None = None
    existing: frozenset[str] = frozenset()
    on_step: Callable[[Trajectory], None] | None = None


class Agent(Protocol):
    """Anything that writes the function that a request asks for. `agent.loop.run_agent` is one.

    A failed call of the model ends in `Trajectory.error`. CeilingReached, AnswerPending, InfraError and UserError
    must pass through: they stop or postpone the sample, and are never a model's result.
    """

    def __call__(self, request: AgentRequest, /) -> Trajectory: ...
