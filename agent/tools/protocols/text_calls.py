"""Tool calls in plain text: how the model is asked to write them, and how they are read.

The form is the one that open models were trained on (Hermes, Qwen): a JSON object between <tool_call> tags. Code
needn't be escaped as JSON: a call without `code` takes the fenced block of the same answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from agent.values import ToolCall, ToolSpec

_OPEN = re.compile(r"<(tool_call|function_call|tool_use)[ \t\n]{0,20}>")
# A tag that is never closed ends at the next one, or with the text.
_CLOSE = {
    name: re.compile(rf"</{name}[ \t\n]{{0,20}}>|(?=<{name}[ \t\n]{{0,20}}>)|\Z")
    for name in ("tool_call", "function_call", "tool_use")
}
_FENCE = re.compile(r"^[ \t]{0,20}(```)[ \t]{0,20}(?:tool_call|tool|json)[ \t]{0,20}$", re.MULTILINE)
_FENCE_END = {"```": re.compile(r"^[ \t]{0,20}```", re.MULTILINE)}
# A model that goes on after its call makes up the result. What follows isn't part of its turn.
_INVENTED = re.compile(r"^[ \t]*<tool_result\b", re.MULTILINE)
_BETWEEN = re.compile(r"[ \t\r\n,;]*")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
# Qwen3-Coder, Llama, MiniMax and GLM write tags, and their servers' parsers often leave a call in the text.
_FUNCTION = re.compile(r'<(function|invoke)(?:=| name=)"?([^<>"\n]{1,100})"?>(.*?)(?:</\1>|(?=<\1[= ])|\Z)', re.DOTALL)
_NAME_AND_KEYS = re.compile(r"([\w.-]{1,100})\s*(<arg_key>.*)?", re.DOTALL)
_TAGGED_ARGUMENT = re.compile(
    r'<(?:parameter(?:=| name=)"?|arg_key>)([^<>"\n]{1,100})(?:"?>|</arg_key>\s*<arg_value>)\n?(.*?)\n?'
    r"(?:</(?:parameter|arg_value)>|(?=<(?:parameter[= ]|arg_key>))|\Z)",
    re.DOTALL,
)
# Only the beginning of a longer answer is searched: no honest call comes after so much text.
_MOST_CHARS = 256 * 1024
_MOST_CALLS = 256


def describe_text_protocol(specs: Sequence[ToolSpec]) -> str:
    """How to call the tools, and a list of them, for the system message. The same text for every task of a run."""
    lines = [
        "To use a tool, write its call as JSON between tags, one call or several per turn, then stop:",
        "",
        '<tool_call>{"name": "NAME", "arguments": {"KEY": "VALUE"}}</tool_call>',
        "",
        "Where a tool takes `code`, leave that argument out and write the code in a fenced block of the same turn.",
        "Only the next message holds results, between <tool_result> tags; never write them yourself.",
        "",
        "Tools:",
    ]
    for spec in specs:
        lines += ["", f"{spec.name}: {spec.description}"]
        schema = json.loads(spec.parameters)
        needed = set(schema.get("required", ()))
        for name, value in schema.get("properties", {}).items():
            kind = " | ".join(map(json.dumps, value["enum"])) if "enum" in value else value.get("type", "string")
            optional = "" if name in needed else ", optional"
            lines.append(f"  {name} ({kind}{optional}): {value.get('description', '')}")
    return "\n".join(lines)


def strip_tool_name_decorations(name: str, known: Collection[str]) -> str:
    """The tool that a name with a template's or a provider's trappings means (`functions.submit`, `submit.json`,
    `submit<|channel|>commentary`, `mcp__graft__submit`); the name itself where it isn't one tool of `known`."""
    words = {word.lower() for word in re.split(r"__|[^\w]+", name.partition("<|")[0])}
    meant = [tool for tool in known if tool.lower() in words]
    return meant[0] if name not in known and len(meant) == 1 else name


def cut_invented_result(text: str) -> str:
    """The text up to the place where the model starts to make up a tool's result."""
    invented = _INVENTED.search(text)
    return text if invented is None else text[: invented.start()]


def read_text_calls(text: str, known: Collection[str]) -> tuple[ToolCall, ...]:
    """The calls in an answer, in order: <tool_call> tags, closed or not. Without any, fenced JSON, an answer that is
    JSON as a whole, or a <function=...> tag counts where it names a tool of `known`; so code and prose are never taken
    for calls."""
    text = cut_invented_result(text)[:_MOST_CHARS]
    found: list[ToolCall] = []
    for tagged in _find_texts_between(text, _OPEN, _CLOSE):
        inner = re.sub(r"\A```\w*\n|\n?```\Z", "", tagged.strip()).strip()
        calls = list(_parse_json_calls(inner)) or _parse_tagged_calls(inner) or _parse_name_and_keys(inner, known)
        found += calls or [ToolCall("", "", inner)]
    if not found:
        for fenced in _find_texts_between(text, _FENCE, _FENCE_END):
            found += [
                call for call in _parse_json_calls(fenced) if strip_tool_name_decorations(call.name, known) in known
            ]
    if not found and text.lstrip().startswith(("{", "[")):
        found = [
            call for call in _parse_json_calls(text.strip()) if strip_tool_name_decorations(call.name, known) in known
        ]
    if not found:
        found = [call for call in _parse_tagged_calls(text) if strip_tool_name_decorations(call.name, known) in known]
    return tuple(found[:_MOST_CALLS])


def _find_texts_between(text: str, opening: re.Pattern[str], closings: Mapping[str, re.Pattern[str]]) -> Iterator[str]:
    """What stands between each opening mark and the closing one that belongs to it."""
    at = 0
    for _ in range(_MOST_CALLS):
        opened = opening.search(text, at)
        # Each search goes on where the last one ended, so that unclosed tags aren't looked for again.
        closed = closings[opened[1]].search(text, opened.end()) if opened is not None else None
        if opened is None or closed is None:
            return
        yield text[opened.end() : closed.start()]
        at = closed.end()


def _parse_json_calls(text: str) -> Iterator[ToolCall]:
    """The calls that a JSON text holds: an object, a list of objects, or several objects one after another."""
    decoder = json.JSONDecoder(strict=False)  # many models leave bare line ends in strings
    at = _skip_separators(text, 0)
    for _ in range(_MOST_CALLS):
        if at >= len(text):
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        for item in value if isinstance(value, list) else [value]:
            call = _read_tool_call_from_json(item)
            if call is not None:
                yield call
        at = _skip_separators(text, at)


def _parse_tagged_calls(text: str) -> list[ToolCall]:
    """The calls of the form `<function=NAME><parameter=KEY>VALUE</parameter></function>`, or with JSON inside, or with
    `<invoke name="NAME"><parameter name="KEY">`."""
    return [ToolCall("", name, _dump_tagged_arguments(inner)) for _, name, inner in _FUNCTION.findall(text)]


def _parse_name_and_keys(text: str, known: Collection[str]) -> list[ToolCall]:
    """The call of the form `NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`; a bare name must be a tool's."""
    match = _NAME_AND_KEYS.fullmatch(text)
    if match is None or not (match[2] or strip_tool_name_decorations(match[1], known) in known):
        return []
    return [ToolCall("", match[1], _dump_tagged_arguments(match[2] or ""))]


def _dump_tagged_arguments(text: str) -> str:
    return text.strip() if text.lstrip().startswith("{") else json.dumps(dict(_TAGGED_ARGUMENT.findall(text)))


def _skip_separators(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return at if found is None else found.end()


def _read_tool_call_from_json(value: Any) -> ToolCall | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name") or value.get("tool") or value.get("function")
    if not isinstance(name, str):
        return None
    arguments: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
    if not isinstance(arguments, str):
        try:
            arguments = json.dumps(arguments)
        except RecursionError:
            arguments = "{}"
    return ToolCall("", name, arguments)
