"""Requests in the form of a provider's batch API, and the answers of such a batch.

litellm makes Anthropic's and Gemini's own forms: it is asked to send the request, and a transport keeps the body
instead. To read an answer, the transport returns the batch's body as the live server would have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from agent.model.litellm_model import load_litellm, make_completion_arguments, read_response
from agent.model.transport import join_content_parts
from agent.values import ModelRequest, ModelResponse
from index.errors import ModelError

BatchForm = Literal["openai", "anthropic", "gemini"]


class _BodyKeptError(Exception):
    """Raised to end a call once its body is known."""


def choose_provider_or_openai_batch_form(model: str) -> BatchForm:
    """The batch API for a model: its provider's own, else OpenAI's, which most others accept."""
    provider = model.partition("/")[0]
    return "anthropic" if provider == "anthropic" else "gemini" if provider == "gemini" else "openai"


def make_anthropic_or_gemini_request_body(request: ModelRequest) -> dict[str, Any]:
    """The body that a live call would send, in Anthropic's or Gemini's form. Raises ModelError."""
    kept: list[bytes] = []
    try:
        _call_over_fake_transport(request, None, kept)
    except Exception as error:  # litellm wraps what ends the call in an error of its own
        if not kept:
            raise ModelError(f"{request.model}: no batch request can be made of it: {error}") from error
    body: dict[str, Any] = json.loads(kept[0])
    return body


def read_batch_answer(request: ModelRequest, body: Mapping[str, Any]) -> ModelResponse:
    """A batch's answer, in the form of the request's provider or as a chat completion. Its price isn't known.

    Raises ModelError when it is neither."""
    try:
        if choose_provider_or_openai_batch_form(request.model) == "openai" or "choices" in body:
            response = _convert_chat_completion(body)
        else:
            response = _call_over_fake_transport(request, json.dumps(body).encode(), [])
        return replace(read_response(request, response, 0.0), cost=None)
    except ModelError:
        raise
    except Exception as error:  # litellm's parsers raise what they like
        raise ModelError(f"{request.model}: the batch's answer can't be read: {error}") from error


def _convert_chat_completion(body: Mapping[str, Any]) -> Any:
    """The body as litellm returns it from a live call: parts joined, a refusal and thoughts in their places."""
    empty = load_litellm().ModelResponse()
    from litellm.litellm_core_utils.llm_response_utils.convert_dict_to_response import (
        convert_to_model_response_object,
    )

    plain = json.loads(join_content_parts(json.dumps(body)))
    for choice in plain.get("choices") or ():
        choice["message"].setdefault("role", "assistant")
    return convert_to_model_response_object(response_object=plain, model_response_object=empty)


def _call_over_fake_transport(request: ModelRequest, answer: bytes | None, kept_bodies: list[bytes]) -> Any:
    """litellm's call over a transport that keeps the body, then returns `answer` or, without one, ends the call."""
    import httpx

    litellm = load_litellm()
    from litellm.llms.custom_httpx.http_handler import HTTPHandler

    class Kept(httpx.BaseTransport):
        def handle_request(self, sent: httpx.Request) -> httpx.Response:
            kept_bodies.append(sent.read())
            if answer is None:
                raise _BodyKeptError
            return httpx.Response(200, content=answer, request=sent, headers={"content-type": "application/json"})

    with httpx.Client(transport=Kept()) as client:
        return litellm.completion(
            **make_completion_arguments(request)
            | {"api_key": "none", "num_retries": 0, "max_retries": 0, "client": HTTPHandler(client=client)}
        )
