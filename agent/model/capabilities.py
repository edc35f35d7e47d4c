"""What litellm knows about a model, offline: whether it takes tools, and how large window and answers are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from agent.model.litellm_model import load_litellm
from agent.model.wire import litellm_model_name

# Ollama silently cuts prompts at its default of a few thousand tokens unless the request sets a larger window.
OLLAMA_WINDOW = 16_384
# Where litellm finds a provider's key here or nowhere. Other providers have several names for theirs, or need none.
_ONLY_KEYS = frozenset({"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GROQ_API_KEY", "DEEPSEEK_API_KEY"})
_OLLAMA = ("ollama/", "ollama_chat/")


def choose_tool_protocol(model: str) -> Literal["auto", "text"]:
    """ "text" for a model or provider that is known to refuse tools; else "auto", which asks."""
    litellm = load_litellm()
    known = _read_litellm_model_info(model)
    try:
        parameters = litellm.get_supported_openai_params(model=litellm_model_name(model))
    except Exception:  # a provider that litellm doesn't know raises what it likes
        parameters = None
    if parameters is not None and "tools" not in parameters:
        return "text"
    return "text" if known.get("supports_function_calling") is False else "auto"


def context_window_of(model: str) -> int | None:
    """Tokens of a prompt and its answer together; None when unknown."""
    if model.startswith(_OLLAMA):
        return OLLAMA_WINDOW
    return int(_read_litellm_model_info(model).get("max_input_tokens") or 0) or None


def find_missing_api_key_variable(model: str) -> str | None:
    """The environment variable without which no call of the model can succeed; None when nothing is known to lack."""
    missing = load_litellm().validate_environment(litellm_model_name(model))["missing_keys"]
    return next((name for name in missing if name in _ONLY_KEYS), None)


def longest_answer_of(model: str) -> int | None:
    """The most tokens that the model writes at once; None when unknown."""
    return int(_read_litellm_model_info(model).get("max_output_tokens") or 0) or None


def make_ollama_window_arguments(model: str, window: int | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters to send so that the server has the window that we count on."""
    if model.startswith(_OLLAMA) and window is not None and "num_ctx" not in given:
        return {"num_ctx": window}
    return {}


def _read_litellm_model_info(model: str) -> Mapping[str, Any]:
    litellm = load_litellm()
    try:
        found: Mapping[str, Any] = litellm.get_model_info(litellm_model_name(model))
    except Exception:  # an unmapped model raises a bare Exception
        return {}
    return found
