"""Models through litellm: any provider that it knows, with our own retries, bounds and token counts."""

from __future__ import annotations

import json
import math
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from agent.answer.wrappings import split_thoughts_and_answer
from agent.model.transport import ResponseTooLargeError, make_time_and_size_bounded_transport
from agent.model.wire import (
    litellm_model_name,
    make_chat_messages,
    make_tool_parameters,
    read_thoughts_to_send_back,
    read_tool_calls,
)
from agent.values import REFUSED, TOOLS_REFUSED, ModelRequest, ModelResponse
from index.errors import ConfigError, ContextTooLongError, ModelError

if TYPE_CHECKING:
    import tenacity

# litellm knows some providers' words for it; these are the others'.
_CONTEXT_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|available context size|maximum context length|context length"
    r"|context window|context limit|prompt is too long|too many tokens"
    # xAI, Moonshot, Alibaba, Zhipu, SGLang, and Gemini behind another provider.
    r"|maximum prompt length|model token limit|range of input length|prompt exceeds max length"
    r"|exceeds the maximum (?:allowed length|number of tokens)",
    re.IGNORECASE,
)
# The refusals of servers that run a model without tools: vLLM, llama.cpp's server, Ollama, OpenRouter, Gemini and
# others.
_NO_TOOLS = re.compile(
    r"enable-auto-tool-choice|tools param requires"
    r"|(does not|doesn't|not) support\w* (for )?(\w+ ){0,3}(tools?|functions?)\b"
    r"|(tools?|tool_choice|functions?|function calling)( \w+){0,3} (is|are) (not (supported|enabled)|unsupported)"
    r"|endpoints found that support (tool use|the provided 'tool_choice')"
    r"|unsupported (parameter|param)\w*:? \W?(tools|tool_choice)",
    re.IGNORECASE,
)
# How an answer ends that Zhipu, DeepSeek or vLLM themselves broke off; litellm says "stop".
_BROKEN_OFF = frozenset({"network_error", "insufficient_system_resource", "abort"})
# A parameter that a model doesn't take, and the key of a configuration that sets it.
_KEYS = {"temperature": "temperature", "max_tokens": "answer_tokens", "seed": "seed"}
_REFUSED_PARAMETER = re.compile(
    r"(?:unsupported|unrecognized|unknown|invalid|unexpected|extra)[^\n]{0,80}\b(?P<name>temperature|max_tokens|seed)\b"
    r"|\b(?P<second>temperature|max_tokens|seed)\b[^\n]{0,80}(?:not support|unsupported|deprecated|not permitted"
    r"|not allowed|only the default|does not accept|not a valid)",
    re.IGNORECASE,
)
_LETTERS_PER_TOKEN = 12
_LETTERS_WORTH_A_LOOK = 20_000
# A longer answer is cut there, with finish_reason "length".
_MOST_ANSWER_BYTES = 8 * 1024 * 1024
_MESSAGE_CHARS = 500


class BrokenOffError(ModelError):
    """The provider failed within an answer, and sent what there was of it."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Bounds of one request: at most `attempts` calls, and no new call that would start later than `total_s` seconds
    after the first. Waits double from `first_wait_s` to `longest_wait_s`, with jitter; a provider's Retry-After is
    obeyed. `timeout_s` is the limit of one call."""

    attempts: int = 6
    total_s: float = 900.0
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    timeout_s: float = 300.0


@dataclass(frozen=True, slots=True)
class LiteLLMModel:
    """A model that asks whatever provider `ModelRequest.model` names ("openai/gpt-4o", "ollama/qwen2.5-coder").

    Keys come from the provider's usual environment variables, or `api_key`. A server at `api_base` without a key
    gets a placeholder. `on_retry` gets one line before each wait. litellm is imported with the first call. A server
    that refuses a request for its tools alone answers with finish_reason TOOLS_REFUSED; a call that the server can't
    read is an answer in plain text.

    `complete` raises ContextTooLongError, ModelError (after the retries; at once for a wrong key or a bad request),
    and ConfigError for a model name without a provider.
    """

    policy: RetryPolicy = RetryPolicy()
    api_key: str | None = None
    on_retry: Callable[[str], None] | None = None

    def complete(self, request: ModelRequest) -> ModelResponse:
        import tenacity

        retrying = tenacity.Retrying(
            stop=tenacity.stop_any(
                tenacity.stop_after_attempt(self.policy.attempts),
                tenacity.stop_before_delay(self.policy.total_s),
            ),
            wait=self._compute_wait_before_retry,
            retry=tenacity.retry_if_exception(_is_transient),
            before_sleep=self._pass_retry_message_to_callback,
            reraise=True,
        )
        try:
            return retrying(self._call_once, request)
        except ConfigError:
            raise
        except Exception as error:  # litellm lets errors of its parsers through as they are
            if request.tools and _is_tool_refusal(error):
                return _make_tool_refusal(error)
            if written := _read_failed_generation(error):
                return _make_response_of_failed_generation(request, written)
            raise _to_model_error(error, request, retrying.statistics.get("attempt_number", 1)) from error

    def _call_once(self, request: ModelRequest) -> ModelResponse:
        litellm = load_litellm()
        start = time.monotonic()
        own = {
            "api_base": request.api_base,
            "api_key": self.api_key or _choose_placeholder_api_key(request),
            "timeout": self.policy.timeout_s,
            "num_retries": 0,
            "max_retries": 0,  # else the provider's client retries by its own rules
        }
        response = litellm.completion(**own | make_completion_arguments(request))
        return read_response(request, response, time.monotonic() - start)

    def _compute_wait_before_retry(self, state: tenacity.RetryCallState) -> float:
        asked = _read_retry_after(state.outcome.exception() if state.outcome else None)
        if asked is not None:
            return asked
        wait = min(self.policy.longest_wait_s, self.policy.first_wait_s * 2.0 ** (state.attempt_number - 1))
        return wait * random.uniform(0.5, 1.0)

    def _pass_retry_message_to_callback(self, state: tenacity.RetryCallState) -> None:
        if self.on_retry is not None and state.outcome is not None:
            line = _explain_failure(state.outcome.exception(), state.args[0])
            self.on_retry(f"call {state.attempt_number} failed, next in {state.upcoming_sleep:.1f} s: {line}")


def load_litellm() -> ModuleType:
    """litellm, quiet and offline but for the calls themselves."""
    # Read at import: the price list comes with the package, and no hub is asked for a tokenizer.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import litellm

    litellm.telemetry = False
    if litellm.client_session is None:
        import httpx

        # OpenAI's own library uses the first; other providers (Anthropic, Gemini, Ollama, vLLM) the second.
        litellm.client_session = httpx.Client(transport=make_time_and_size_bounded_transport(), follow_redirects=True)
        litellm.sync_transport = make_time_and_size_bounded_transport()
    litellm.suppress_debug_info = True
    module: ModuleType = litellm
    return module


def make_completion_arguments(request: ModelRequest) -> dict[str, Any]:
    """The arguments of litellm's `completion` that shape the body that it sends."""
    sampling = {"temperature": request.temperature, "max_tokens": request.max_tokens, "seed": request.seed}
    return {
        "model": litellm_model_name(request.model),
        "messages": make_chat_messages(request),
        "drop_params": True,  # some providers don't take `seed`
        **{key: value for key, value in sampling.items() if value is not None},
        **make_tool_parameters(request),
        **{key: json.loads(value) for key, value in request.extra},
    }


def _choose_placeholder_api_key(request: ModelRequest) -> str | None:
    """A key for local servers: they need none, but OpenAI's client refuses to start without one."""
    if request.api_base is None or not request.model.startswith(("openai/", "hosted_vllm/")):
        return None
    return None if os.environ.get("OPENAI_API_KEY") else "none"


def read_response(request: ModelRequest, response: Any, seconds: float) -> ModelResponse:
    """What litellm's `completion` returned, as our value. Raises ModelError, BrokenOffError, ContextTooLongError."""
    choices = getattr(response, "choices", None)
    if not choices:
        raise ModelError(f"{request.model}: the response holds no choice")
    fields = getattr(choices[0], "provider_specific_fields", None) or {}
    end = fields.get("native_finish_reason")
    # OpenRouter says "error" with the provider's error beside it, and without one for a call that Gemini misspelt.
    if end in _BROKEN_OFF or (end == "error" and fields.get("error")):
        why = " ".join(str(fields.get("error") or end).split())[:_MESSAGE_CHARS]
        raise BrokenOffError(f"{request.model}: the provider broke the answer off: {why}")
    message = choices[0].message
    calls = read_tool_calls(message, _MOST_ANSWER_BYTES)
    text, cut = _cut_text_to_byte_limit(str(message.content or ""))
    thoughts, text = split_thoughts_and_answer(text)
    refusal = str((getattr(message, "provider_specific_fields", None) or {}).get("refusal") or "")
    reasoning, _ = _cut_text_to_byte_limit(getattr(message, "reasoning_content", None) or thoughts)
    usage = getattr(response, "usage", None)
    prompt_tokens = int(getattr(usage, "prompt_tokens", 0) or 0)
    completion_tokens = int(getattr(usage, "completion_tokens", 0) or 0)
    priced = getattr(response, "_hidden_params", {}).get("response_cost")
    estimated = prompt_tokens == 0
    if not estimated and _was_prompt_cut(request, prompt_tokens):
        raise ContextTooLongError(
            f"{request.model}: the server counted {prompt_tokens} tokens in a prompt of far more: it cut the prompt"
            " silently; raise its window (num_ctx, --ctx-size), or say window=N, or lower context_tokens"
        )
    if estimated:
        prompt_tokens = sum(_estimate_tokens(message.content) for message in request.messages)
        completion_tokens = (
            _estimate_tokens(text)
            + _estimate_tokens(reasoning)
            + sum(_estimate_tokens(call.arguments) for call in calls)
        )
    return ModelResponse(
        text=text or _cut_text_to_byte_limit(refusal)[0],
        reasoning=reasoning,
        finish_reason="length" if cut else REFUSED if refusal else str(choices[0].finish_reason or ""),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost=None if priced is None else float(priced),
        raw=json.dumps(response.model_dump(warnings=False), default=str),
        seconds=seconds,
        tokens_estimated=estimated,
        calls=calls,
        kept=read_thoughts_to_send_back(message, request.model) if calls else "",
    )


def _is_tool_refusal(error: BaseException) -> bool:
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and 400 <= status <= 501 and bool(_NO_TOOLS.search(str(error)))


def _make_tool_refusal(error: BaseException) -> ModelResponse:
    return ModelResponse(
        text=_format_error_in_one_line(error),
        reasoning="",
        finish_reason=TOOLS_REFUSED,
        prompt_tokens=0,
        completion_tokens=0,
        cost=0.0,
        raw="",
        seconds=0.0,
    )


def _read_failed_generation(error: BaseException) -> str:
    """What the model wrote where Groq found no call in it that it could read, and refused it; "" for another error."""
    message = str(error)
    start = message.find('{"error"')
    if start < 0 or "failed_generation" not in message:
        return ""
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(message, start)
        return str(value["error"]["failed_generation"] or "")
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _make_response_of_failed_generation(request: ModelRequest, written: str) -> ModelResponse:
    text, _ = _cut_text_to_byte_limit(written)
    return ModelResponse(
        text=text,
        reasoning="",
        finish_reason="stop",
        prompt_tokens=sum(_estimate_tokens(message.content) for message in request.messages),
        completion_tokens=_estimate_tokens(text),
        cost=None,
        raw="",
        seconds=0.0,
        tokens_estimated=True,
    )


def _cut_text_to_byte_limit(text: str) -> tuple[str, bool]:
    """Valid UTF-8 of a bounded size, and whether it was cut. JSON may carry lone surrogates; no file can."""
    data = text.encode("utf-8", "replace")
    return data[:_MOST_ANSWER_BYTES].decode("utf-8", "ignore"), len(data) > _MOST_ANSWER_BYTES


def _was_prompt_cut(request: ModelRequest, prompt_tokens: int) -> bool:
    """Whether the server can't have read the whole prompt: no tokenizer puts so many letters into a token. Ollama is
    left out: it may not count what it has in its cache, and its window is sent with the request."""
    if request.model.startswith("ollama"):
        return False
    readable = max(_LETTERS_WORTH_A_LOOK, prompt_tokens * _LETTERS_PER_TOKEN)
    # To count without white space takes longer than to read the answer; few prompts need it.
    if sum(len(message.content) for message in request.messages) <= readable:
        return False
    return sum(len("".join(message.content.split())) for message in request.messages) > readable


def _estimate_tokens(text: str) -> int:
    """A rough count, a quarter of the bytes, for providers that don't count."""
    return math.ceil(len(text.encode("utf-8", "replace")) / 4)


def _is_transient(error: BaseException) -> bool:
    """True for rate limits, time-outs, lost connections, 5xx and an answer that was broken off; not for a wrong key, a
    bad request, no quota."""
    if isinstance(error, BrokenOffError):
        return True
    if isinstance(error, (ModelError, ConfigError)) or _is_context_too_long(error):
        return False
    if any(isinstance(cause, ResponseTooLargeError) for cause in _error_chain(error)):
        return False
    # With "RecursionError" litellm's own parser gives up on deeply nested arguments.
    if any(words in str(error) for words in ("RecursionError", "insufficient_quota", "Missing credentials")):
        return False
    if _is_tool_refusal(error):  # llama.cpp's server says so with a 500
        return False
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and (status >= 500 or status in (408, 409, 429))


def _is_context_too_long(error: BaseException) -> bool:
    import litellm.exceptions as kinds

    if isinstance(error, kinds.ContextWindowExceededError):
        return True
    if not isinstance(error, kinds.BadRequestError):
        return False
    # litellm's own error lacks the provider's error code; the error that it wraps still has it.
    return _CONTEXT_TOO_LONG.search(str(error)) is not None or any(
        getattr(cause, "code", None) == "context_length_exceeded" for cause in _error_chain(error)
    )


def _error_chain(error: BaseException | None) -> Iterator[BaseException]:
    at = error
    while at is not None:
        yield at
        at = at.__cause__ or at.__context__


def _to_model_error(error: Exception, request: ModelRequest, attempts: int) -> Exception:
    if isinstance(error, ModelError):
        return error
    if _is_context_too_long(error):
        return ContextTooLongError(f"{request.model}: the prompt doesn't fit: {_format_error_in_one_line(error)}")
    if "LLM Provider NOT provided" in str(error):
        return ConfigError(f"model: {request.model!r} names no provider; for a server of your own write openai/NAME")
    calls = "1 call" if attempts == 1 else f"{attempts} calls"
    hint = ""
    refused = _REFUSED_PARAMETER.search(str(error)) if getattr(error, "status_code", None) in (400, 422) else None
    if refused is not None:
        key = _KEYS[(refused["name"] or refused["second"]).lower()]
        hint = f"; leave the parameter out with {key}=null"
    elif getattr(error, "status_code", None) == 404:
        hint = "; put the key model right" + (" (or api_base)" if request.api_base else "")
    return ModelError(f"{request.model}: {calls} failed: {_explain_failure(error, request)}{hint}")


def _explain_failure(error: BaseException | None, request: ModelRequest) -> str:
    # httpx's, for no such host, nobody who listens, no way.
    if request.api_base and any(type(cause).__name__ == "ConnectError" for cause in _error_chain(error)):
        return f"api_base {request.api_base}: nothing answers there"
    return _format_error_in_one_line(error)


def _format_error_in_one_line(error: BaseException | None) -> str:
    kind = type(error).__name__
    # litellm repeats it.
    text = re.sub(rf"^((litellm\.)?{kind}: )+", "", " ".join(str(error).split()))
    text = f"{kind}: {text}".rstrip(".")
    return text if len(text) <= _MESSAGE_CHARS else text[:_MESSAGE_CHARS] + "..."


def _read_retry_after(error: BaseException | None) -> float | None:
    """Seconds that the provider asks to wait, or None. Only the form in seconds is read: no provider sends a date."""
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    try:
        asked = float((headers or {}).get("retry-after", ""))
    except ValueError:
        return None
    return asked if math.isfinite(asked) and asked >= 0 else None
