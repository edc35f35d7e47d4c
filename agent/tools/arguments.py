"""What a model wrote as a call's arguments -> checked values, or a hint that puts it right."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.model.wire import replace_surrogates
from agent.tools.tool_answer import Mistake
from agent.values import ToolSpec
from index.user_files import make_spelling_hint

# A name, a path or a question is never longer; code has its own bound.
_MOST_TEXT_CHARS = 400
CODE_CHARS = 64_000
_MOST_ECHO_CHARS = 80
# Models put the whole call, or its arguments, once more into the arguments.
_WRAPPERS = frozenset(("arguments", "parameters", "args", "input", "kwargs"))


@dataclass(frozen=True, slots=True)
class Arguments:
    """The checked arguments of one call: texts, and whole numbers from 1 on."""

    values: Mapping[str, str | int]

    def text(self, name: str, default: str = "") -> str:
        return str(self.values.get(name, default))

    def number(self, name: str, default: int = 1) -> int:
        return int(self.values.get(name, default))


def read_arguments(spec: ToolSpec, written: str) -> Arguments:
    """Raises Mistake: no JSON object, a name that the tool doesn't have, one that is missing, a wrong value."""
    given = _parse_argument_object(spec, written)
    schema = json.loads(spec.parameters)
    known: Mapping[str, Mapping[str, Any]] = schema["properties"]
    values: dict[str, str | int] = {}
    for key, value in given.items():
        if key not in known:
            hint = make_spelling_hint(key[:_MOST_ECHO_CHARS], known)
            raise Mistake(
                f"{spec.name} has no argument {_quote_shortened_text(key)}{hint} (it takes: {', '.join(known)})"
            )
        if value is not None and value != "":
            values[key] = _validate_and_convert_value(spec, key, known[key], value)
    missing = [key for key in schema["required"] if key not in values]
    if missing:
        raise Mistake(f"{spec.name} needs {', '.join(missing)}")
    return Arguments(values)


def _parse_argument_object(spec: ToolSpec, written: str) -> dict[str, Any]:
    schema = json.loads(spec.parameters)
    try:
        value = _read_possibly_fenced_json(written or "{}")
        if (
            isinstance(value, dict)
            and len(value) == 1
            and _WRAPPERS.difference(schema["properties"]).issuperset(value)
        ):
            value = next(iter(value.values()))
        if isinstance(value, str) and re.match(r"\s*\{\s*\"", value):
            value = _read_possibly_fenced_json(value)  # encoded twice
    except (ValueError, RecursionError) as error:
        code = "code" in schema["properties"]
        instead = "; leave code out and write it in a fenced block of the same turn" if code else ""
        raise Mistake(
            f"the arguments of {spec.name} aren't JSON ({_quote_shortened_text(str(error))}){instead}"
        ) from error
    only = [key for key in schema["properties"] if key == "code"] or schema["required"]
    if isinstance(value, str) and len(only) == 1:
        return {only[0]: replace_surrogates(value)}
    if not isinstance(value, dict):
        raise Mistake(f"the arguments of {spec.name} must be one JSON object, as " + '{"name": "value"}')
    return {
        replace_surrogates(str(key)): replace_surrogates(item) if isinstance(item, str) else item
        for key, item in value.items()
    }


def _read_possibly_fenced_json(text: str) -> Any:
    """The JSON value in a text, else that without a fence around it, a template's marks behind it and an empty object
    before it. Raises ValueError, RecursionError."""
    try:
        return json.loads(text, strict=False)  # line ends stand bare in the strings of many a model
    except ValueError:
        bare = re.sub(r"\A\s*```\w*\n|\n?```\s*\Z", "", text.strip()).removeprefix("{}")
        return json.loads(re.sub(r"<\|[^\n]*\Z", "", bare), strict=False)


def _validate_and_convert_value(spec: ToolSpec, key: str, schema: Mapping[str, Any], value: Any) -> str | int:
    if schema["type"] == "integer":
        try:
            number = int(str(value)[:20].removesuffix(".0"))  # JSON has one kind of numbers, and some write 3.0
        except ValueError:
            raise Mistake(
                f"{spec.name}: {key} must be a whole number, not {_quote_shortened_text(str(value))}"
            ) from None
        if not 1 <= number <= 10_000_000:
            raise Mistake(f"{spec.name}: {key} must be 1 or more, not {number}")
        return number
    if not isinstance(value, str):
        raise Mistake(
            f"{spec.name}: {key} must be a text, not {_quote_shortened_text(json.dumps(value, default=str))}"
        )
    limit = CODE_CHARS if key == "code" else _MOST_TEXT_CHARS
    if len(value) > limit:
        raise Mistake(f"{spec.name}: {key} is {len(value)} characters long; at most {limit} are read")
    if "enum" in schema and value not in schema["enum"]:
        among = ", ".join(schema["enum"])
        raise Mistake(f"{spec.name}: {key} must be one of {among}, not {_quote_shortened_text(value)}")
    return value.strip() if key != "code" else value


def _quote_shortened_text(text: str) -> str:
    return repr(text if len(text) <= _MOST_ECHO_CHARS else text[:_MOST_ECHO_CHARS] + "...")
