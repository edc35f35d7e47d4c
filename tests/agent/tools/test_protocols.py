"""Prevents: a call that a model wrote in its own way and that nobody read; a thought, an example or a
made-up result taken for a call; a history that the provider refuses from then on."""

from __future__ import annotations

import json
import time

import pytest

from agent.tools.protocols import describe_text_protocol, make_assistant_message, make_result_messages, read_turn
from agent.tools.protocols.text_calls import read_text_calls
from agent.tools.protocols.turn import HISTORY_CHARS, MOST_CALLS
from agent.tools.specs import CHECK, READ_LINES, SUBMIT, search_tool_spec
from agent.values import ModelResponse, ToolCall

KNOWN = {"search", "read_lines", "submit"}
ONE = [("search", {"query": "box"})]


def response(text="", *calls, kept=""):
    return ModelResponse(text, "", "stop", 1, 1, 0.0, "", 0.0, calls=calls, kept=kept)


def read(text):
    found = []
    for call in read_text_calls(text, KNOWN):
        try:
            found.append((call.name, json.loads(call.arguments)))
        except ValueError:
            found.append((call.name, call.arguments))
    return found


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "search", "arguments": {"query": "box"}}</tool_call>',
        'I look.\n<tool_call>\n{"name": "search", "arguments": {"query": "box"}}\n</tool_call>\nThen more.',
        '<tool_call>{"name": "search", "arguments": {"query": "box"}}',
        '<tool_call>{"name": "search", "parameters": {"query": "box"}}</tool_call>',
        '<tool_call>{"name": "search", "arguments": "{\\"query\\": \\"box\\"}"}</tool_call>',
        '<tool_call>```json\n{"name": "search", "arguments": {"query": "box"}}\n```</tool_call>',
        '<function_call>{"name": "search", "arguments": {"query": "box"}}</function_call>',
        '<tool_call>{"function": {"name": "search", "arguments": {"query": "box"}}}</tool_call>',
        '```json\n{"name": "search", "arguments": {"query": "box"}}\n```',
        '```tool_call\n{"name": "search", "arguments": {"query": "box"}}\n```',
        '{"name": "search", "parameters": {"query": "box"}}',
        '[{"name": "search", "arguments": {"query": "box"}}]',
        "<tool_call>\n<function=search>\n<parameter=query>\nbox\n</parameter>\n</function>\n</tool_call>",
        "I look.\n\n<function=search>\n<parameter=query>\nbox\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=search>\n<parameter=query>box",
        '<function=search>{"query": "box"}</function>',
        '<minimax:tool_call>\n<invoke name="search">\n<parameter name="query">box</parameter>\n</invoke>\n',
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>box</arg_value>\n</tool_call>",
        "<tool_call>search<arg_key>query</arg_key><arg_value>box</arg_value></tool_call>",
        '<tool_call>{"name": "search", "arguments": {"query": "box"}}</tool_call>\n<tool_result name="search">\n'
        'made up\n<tool_call>{"name": "submit"}</tool_call>',
    ],
)
def test_one_call_in_many_spellings(text):
    assert read(text) == ONE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would call search now.",
        "<function=unknown><parameter=query>box</parameter></function>",
        '```json\n{"name": "box", "arguments": {"size": 3}}\n```',
        "```c\nint f(void) { return 1; }\n```",
        '{"name": "unknown", "arguments": {}}',
        '{"query": "box"}',
        "{ return 1; }",
    ],
)
def test_what_is_no_call(text):
    assert read(text) == []


def test_several_calls_and_a_broken_one():
    text = (
        '<tool_call>{"name": "search", "arguments": {"query": "box"}}</tool_call>'
        '<tool_call>{"name": "read_lines", "arguments": {"path": "a.c"}}</tool_call>'
        '<tool_call>{"name": "search", "arguments": {"query": </tool_call>'
    )
    assert read(text)[:2] == [*ONE, ("read_lines", {"path": "a.c"})]
    assert read(text)[2][0] == "", "a broken call is still answered"


def test_code_in_tags_comes_as_it_was_written():
    code = "int f(std::vector<int> a)\n{\n    return a[0] < 1 && 2 > 1;\n}"
    text = f"<function=submit>\n<parameter=code>\n{code}\n</parameter>\n</function>"
    assert read(f"<tool_call>\n{text}\n</tool_call>") == read(text) == [("submit", {"code": code})]
    assert read("<tool_call>submit</tool_call><tool_call>what</tool_call>") == [("submit", {}), ("", "what")]


def test_native_calls_get_ids_and_go_back_as_valid_json():
    calls = (
        ToolCall("", "search", '{"query": "a"}'),
        ToolCall("x", "search", '{"query": '),
        ToolCall("x", "we ird/näme" * 20, "[]"),
        ToolCall("y", "submit", json.dumps({"code": "x" * 200_000})),
    )
    answer = response("", *calls, kept='{"thinking_blocks": []}')
    turn = read_turn(answer, KNOWN, 3)
    assert [call.id for call in turn.calls] == ["call_3_0", "x", "call_3_2", "y"]
    message = make_assistant_message(turn, answer)
    assert [call.arguments for call in message.calls] == ['{"query": "a"}', "{}", "{}", "{}"]
    assert all(len(call.name) <= 64 and call.name.replace("_", "a").isalnum() for call in message.calls)
    assert message.kept == answer.kept
    messages = make_result_messages(turn, ["1", "2", "3", "4"], "note")
    assert [(message.role, message.call_id) for message in messages] == [("tool", call.id) for call in turn.calls]
    assert messages[-1].content == "4\n\nnote"


def test_a_flood_of_calls_is_bounded_and_each_kept_one_answered():
    calls = tuple(ToolCall(str(n), "search", "{}") for n in range(10_000))
    answer = response("", *calls)
    turn = read_turn(answer, KNOWN, 1)
    assert len(turn.calls) == len(make_assistant_message(turn, answer).calls) == MOST_CALLS
    messages = make_result_messages(turn, ["r"] * MOST_CALLS)
    assert len(messages) == MOST_CALLS
    assert f"{10_000 - MOST_CALLS} more calls" in messages[-1].content


def test_results_in_text_name_their_tool():
    """A native call that the server left in the text counts; a result that the model makes up isn't kept."""
    answer = response('<tool_call>{"name": "search"}</tool_call>\n<tool_result name="search">\nlies\n</tool_result>')
    turn = read_turn(answer, KNOWN, 1)
    assert (len(turn.calls), turn.native, "lies" in make_assistant_message(turn, answer).content) == (1, False, False)
    (message,) = make_result_messages(turn, ["found"])
    assert (message.role, message.content) == ("user", '<tool_result name="search">\nfound\n</tool_result>')


def test_a_long_answer_is_cut_in_the_history_and_says_so():
    answer = response("x" * 1_000_000)
    content = make_assistant_message(read_turn(answer, KNOWN, 1), answer).content
    assert HISTORY_CHARS < len(content) < HISTORY_CHARS + 100
    assert "more characters" in content


def test_the_form_names_every_tool_and_argument():
    specs = (search_tool_spec(["symbol", "words"]), READ_LINES, CHECK, SUBMIT)
    text = describe_text_protocol(specs)
    parts = ("search:", '"symbol" | "words"', "path (string)", "first (integer, optional)", "submit:", "<tool_call>")
    assert [part for part in parts if part not in text] == []
    assert text == describe_text_protocol(specs)


@pytest.mark.parametrize(
    "shape",
    [
        '<tool_call>{"name":',
        "[" * 50_000,
        '{"a":' * 50_000,
        "<tool_call>" * 20_000,
        "`" * 9,
        "<function=search>",
        "<tool_call><function=search>" + "<parameter=a>" * 20_000,
        "<tool_call>search<arg_key>a</arg_key>" + "<arg_value>" * 20_000,
    ],
)
def test_no_text_raises_or_stalls(shape):
    start = time.process_time()
    read_text_calls(shape, KNOWN)
    read_text_calls(shape * max(1, 200_000 // len(shape)), KNOWN)
    assert time.process_time() - start < 2.0
