"""The client in a model's place: each of its calls is an answer of the model, so that Graft's own loop answers, counts
and records it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection

from agent.conversation.trajectory import end_conversation
from agent.loop import run_agent
from agent.request import AgentRequest
from agent.tools.specs import make_spec
from agent.tools.tool_answer import ToolAnswer
from agent.values import ModelRequest, ModelResponse, ToolCall, Trajectory
from index.errors import ModelError

READ_TASK = make_spec("task", "What to write, where it belongs, and how to go about it. Read this first.", {}, {})
TAKEN = "Your function is taken, and your work is done. It is being judged; the verdict isn't told here."


ClientCall = tuple[str, str]
"""A tool's name, and its arguments as JSON text."""
ClientReply = tuple[ToolAnswer, bool]
"""The answer to a call, and whether it is the last: no further call is answered."""


class ClientCallsModel:
    """A model that answers with the client's next call. `channel` gives a ClientCall, or None when the client has
    left, and takes a ClientReply. `tells_verdict`: the client waits for the verdict."""

    def __init__(self, channel: Connection, *, tells_verdict: bool) -> None:
        self._channel = channel
        self.tells_verdict = tells_verdict
        self._responses: list[ModelResponse] = []
        self._is_open = True
        self.has_left = False

    def complete(self, request: ModelRequest) -> ModelResponse:
        """The next call as a response, once the one before is answered. Raises ModelError when the client has left."""
        step = sum(message.role == "assistant" for message in request.messages)
        if step < len(self._responses):  # Graft itself failed in between, and begins the conversation again
            return self._responses[step]
        if step:
            self._send_reply(request.messages[-1].content)
        start = time.monotonic()
        call = self._receive_call()
        while call is not None and call[0] == READ_TASK.name:
            self._send_reply("\n\n".join(message.content for message in request.messages[:2]))
            call = self._receive_call()
        if call is None:
            self.has_left = True
            raise ModelError("the client left")
        used = ToolCall(f"call_{step + 1}", *call)
        seconds = time.monotonic() - start
        self._responses.append(ModelResponse("", "", "tool_calls", 0, 0, None, "", seconds, calls=(used,)))
        return self._responses[-1]

    def send_last_reply_once(self, text: str) -> None:
        """The last reply, where none was sent yet."""
        if self._is_open:
            self._is_open = False
            self._send_reply(text, is_last=True)

    def _send_reply(self, text: str, *, is_last: bool = False) -> None:
        reply: ClientReply = ToolAnswer(text, mistake=text.startswith("error: ")), is_last
        with suppress(OSError):  # the server is gone: the next call doesn't come
            self._channel.send(reply)

    def _receive_call(self) -> ClientCall | None:
        with suppress(EOFError, OSError):
            call: ClientCall | None = self._channel.recv()
            return call
        return None


def run_client_agent(request: AgentRequest) -> Trajectory:
    """Graft's own loop, whose model is the client (a ClientCallsModel). A client that leaves without a submission has
    given no answer, or its last draft as in any conversation that is cut short."""
    model = request.model
    if not isinstance(model, ClientCallsModel):
        raise ValueError("this agent works in graft mcp alone")
    trail = run_agent(request)
    if model.has_left:
        trail = end_conversation(replace(trail, error=""), "left")
    if trail.ended != "submitted":
        model.send_last_reply_once(
            f"error: the session is over: {trail.error or trail.candidate.reason or trail.ended}"
        )
    elif not model.tells_verdict:
        model.send_last_reply_once(TAKEN)
    return trail
