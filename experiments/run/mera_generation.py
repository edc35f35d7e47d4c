"""How MERA Code lets a model generate: the settings of its YABLoCo task, for `generation=mera`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Generation = Literal["graft", "mera"]

# Greedy decoding, and at most this many tokens.
_SETTINGS: Mapping[str, Any] = {"temperature": 0.0, "answer_tokens": 2048}
# Plain texts to every server, though some look like patterns.
STOPS = (
    "<|endoftext|>",
    "<|im_end|>",
    "\n\n\n",
    r"\sclass\s",
    r"\sdef\s",
    r"^def\s",
    r"^class\s",
    r"^if\s",
    "@",
    r"^#",
)
# OpenAI takes four. lm-eval, by which MERA asks, sends the first four to every chat server; a server of one's own
# takes all ten, as lm-eval's other clients send them.
_MOST_STOPS = 4
_FEW_STOPS = ("openai/", "azure/", "gpt-")


def apply_mera_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """A run's keys with MERA's settings written in, so that its record names them. Stop texts of its own stay.

    Raises ValueError for a key that says otherwise.
    """
    for key, value in _SETTINGS.items():
        if given.get(key, value) != value:
            raise ValueError(f"generation: mera means {key}={value}, not {given[key]!r}; leave {key} out")
    arguments = given.get("model_args") or {}
    if not isinstance(arguments, Mapping):
        return dict(given)
    return {**given, **_SETTINGS, "model_args": {"stop": list(_choose_stop_texts(given)), **arguments}}


def _choose_stop_texts(given: Mapping[str, Any]) -> tuple[str, ...]:
    model = str(given.get("model", ""))
    if model.startswith("anthropic/"):
        # Its server refuses a stop text of white space alone.
        return tuple(text for text in STOPS if text.strip())
    own_server = given.get("api_base") is not None
    return STOPS[:_MOST_STOPS] if model.startswith(_FEW_STOPS) and not own_server else STOPS
