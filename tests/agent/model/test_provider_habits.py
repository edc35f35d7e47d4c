# ruff: noqa: E501 - tables of texts
"""Prevents: an answer that was held back and is called empty, one in parts that is lost, and a parameter that a model
refuses without a word on which key leaves it out. All over loopback through litellm itself."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agent.loop import run_agent
from agent.model.batch_wire import read_batch_answer
from agent.model.litellm_model import LiteLLMModel
from agent.tools.arguments import read_arguments
from agent.tools.protocols.text_calls import read_text_calls, strip_tool_name_decorations
from agent.tools.specs import SUBMIT
from agent.values import Message, ModelRequest
from executor.values import Outcome
from experiments.run.sampling.attribution import FAILURES, find_cause_of_outcome, name_callees_or_test_behind_cause
from index.errors import ModelError
from tests.agent.conftest import FAST, make_request
from tests.support.runs import record as make_record

CODE = "int add(int a, int b)\n{\n    return a + b;\n}"


def ask(serve, rule):
    """The live answer. That of a batch is read alike."""
    server = serve(rule)
    request = ModelRequest("openai/scripted", (Message("user", "hi"),), 0.0, 100, 7, api_base=server.base_url)
    response = LiteLLMModel(policy=FAST).complete(request)
    assert server.log.request_count == 1, "asked once"
    batched = read_batch_answer(request, json.loads(rule["body"]))
    assert facts_of(batched) == facts_of(response)
    return response


def facts_of(response):
    return (response.text, response.reasoning, response.finish_reason, response.calls)


def body_of(message, finish="stop"):
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {
        "body": json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})
    }


TEXT = {"type": "text", "text": CODE}


@pytest.mark.parametrize(
    ("content", "reasoning"),
    [
        ([TEXT], ""),
        ([{"type": "text", "text": CODE[:9]}, {"type": "text", "text": CODE[9:]}], ""),
        ([{"type": "output_text", "text": CODE}], ""),
        ([{"type": "thinking", "thinking": "hm"}, TEXT], "hm"),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "h"}, {"type": "text", "text": "m"}]}, TEXT], "hm"),
        ([CODE[:9], CODE[9:]], ""),
        (TEXT, ""),
        ([{"type": "image"}, TEXT], ""),
        ([{"type": "text", "text": None}, TEXT], ""),
        ([TEXT, {"type": "text", "text": ""}], ""),
        ([None, TEXT], ""),
    ],
)  # fmt: skip
def test_content_as_a_list_of_parts(serve, content, reasoning):
    response = ask(serve, body_of({"content": content}))
    assert (response.text, response.reasoning) == (CODE, reasoning)


@pytest.mark.parametrize("content", [[], {}, [{}], [[]]])
def test_parts_without_text(serve, content):
    assert ask(serve, body_of({"content": content})).text == ""


def test_a_body_that_is_no_answer_is_none():
    request = ModelRequest("openai/scripted", (Message("user", "hi"),), 0.0, 100, 7)
    with pytest.raises(ModelError, match="no 'choices'"):
        read_batch_answer(request, {"object": "response", "output": []})


HELD_BACK = [
    ("only thoughts", body_of({"content": None, "reasoning_content": CODE})),
    ("only thoughts", body_of({"content": "", "reasoning": CODE})),
    ("only thoughts", body_of({"content": " \n", "reasoning_content": CODE})),
    ("only thoughts", body_of({"content": f"<think>{CODE}"})),
    ("only thoughts", body_of({"content": [{"type": "thinking", "thinking": CODE}]})),
    ("refused", body_of({"content": None, "refusal": "I can't help with that."})),
    ("refused", body_of({"content": "", "refusal": "No."})),
    ("refused", body_of({"content": "I'm sorry, but I can't assist with that request."})),
    ("refused", body_of({"content": "I cannot help with this."})),
    ("refused", body_of({"content": "Sorry, I won't write that."})),
    ("filtered", body_of({"content": None}, "content_filter")),
    ("filtered", body_of({"content": "int add("}, "content_filter")),
    ("filtered", body_of({"content": "", "reasoning_content": "hm"}, "content_filter")),
    ("cut off", body_of({"content": ""}, "length")),
    ("cut off", body_of({"content": f"```c\n{CODE[:-2]}"}, "length")),
    ("cut off", body_of({"content": None, "reasoning_content": "hm"}, "length")),
    ("no answer", body_of({"content": ""})),
    ("no answer", body_of({"content": "What should it do?"})),
    ("no answer", body_of({"content": "I can't see its callers, but `add` sums: return a + b; is all."})),
]  # fmt: skip


@pytest.mark.parametrize(("word", "rule"), HELD_BACK)
def test_an_answer_that_was_held_back_has_a_word_of_its_own(serve, make_target, word, rule):
    target = make_target("add", "int add(int a, int b)")
    ask(serve, rule)
    found = run_agent(make_request(target, serve(rule), {})).candidate
    assert found.code is None
    one = make_record("t", Outcome.NO_ANSWER)
    scored = replace(one.graft, verdict=replace(one.graft.verdict, reason=found.reason))
    record = replace(one, graft=scored)
    about = name_callees_or_test_behind_cause(record)
    assert (find_cause_of_outcome(record), about) == (word, found.reason.removeprefix(f"{word}: "))
    assert word in FAILURES
    assert ("answer_tokens" in found.reason) == (word in ("cut off", "only thoughts"))
    assert ("another model" in found.reason) == (word in ("refused", "filtered"))


@pytest.mark.parametrize(
    ("finish", "error"),
    [
        ("error", {"code": 502, "message": "upstream lost"}),
        ("network_error", None),
        ("insufficient_system_resource", None),
        ("abort", None),
    ],
)
def test_an_answer_that_the_provider_broke_off_is_asked_for_again(serve, finish, error):
    rule = body_of({"content": "int add("}, finish)
    body = json.loads(rule["body"])
    body["choices"][0] |= {"error": error} if error else {}
    server = serve({"body": json.dumps(body), "times": 1}, {"answer": CODE})
    request = ModelRequest("openai/scripted", (Message("user", "hi"),), 0.0, 100, 7, api_base=server.base_url)
    assert LiteLLMModel(policy=FAST).complete(request).text == CODE
    assert server.log.request_count == 2
    with pytest.raises(ModelError, match="the provider broke the answer off"):
        read_batch_answer(request, body)


def test_an_end_in_error_without_a_word_on_the_provider_is_the_models_answer(serve):
    assert ask(serve, body_of({"content": None}, "error")).text == ""


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
        ("Unsupported parameter: 'temperature' is not supported with this model.", "temperature"),
        ("`temperature` is deprecated for this model.", "temperature"),
        ("temperature: Extra inputs are not permitted", "temperature"),
        ("invalid temperature: only 1 is allowed for this model", "temperature"),
        ("The model only supports the default temperature; temperature=0 is not allowed", "temperature"),
        ("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", "answer_tokens"),
        ("Unrecognized request argument supplied: max_tokens", "answer_tokens"),
        ("max_tokens is not a valid parameter", "answer_tokens"),
        ("Unknown parameter: 'seed'", "seed"),
        ("seed is not supported by this deployment", "seed"),
        ("messages: text content blocks must be non-empty", ""),
        ("max_tokens is too large: 100. This model supports at most 50 completion tokens", ""),
    ],
)  # fmt: skip
def test_a_refused_parameter_names_its_key(serve, message, key):
    with pytest.raises(ModelError) as raised:
        ask(serve, {"status": 400, "answer": message})
    assert str(raised.value).endswith(f"; leave the parameter out with {key}=null") == bool(key)


@pytest.mark.parametrize(
    "name",
    ["functions.submit", "submit<|channel|>commentary", "submit.json", "functions.submit:0", "default_api.submit", "submit()", " submit ",
     "Submit", "mcp__graft__submit", "tool/submit", "`submit`", "submit<|constrain|>json", "<submit>", "graft-submit", "submit\n"],
)  # fmt: skip
def test_an_odd_name_means_the_tool(name):
    known = ("search", "read_symbol", "check", "submit")
    assert strip_tool_name_decorations(name, known) == "submit"
    call = json.dumps({"name": name, "arguments": {"code": CODE}})
    assert [each.name for each in read_text_calls(f"```json\n{call}\n```", known)] == [name]


@pytest.mark.parametrize("name", ["", "submits", "submit or check", "read", "functions", "sub_mit"])
def test_a_name_of_no_tool_stays(name):
    assert strip_tool_name_decorations(name, ("search", "read_symbol", "check", "submit")) == name


ARGUMENTS = json.dumps({"code": CODE})


@pytest.mark.parametrize(
    "written",
    [
        ARGUMENTS, json.dumps(ARGUMENTS), json.dumps({"arguments": ARGUMENTS}), json.dumps({"arguments": {"code": CODE}}),
        json.dumps({"input": {"code": CODE}}), json.dumps({"parameters": ARGUMENTS}), f"```json\n{ARGUMENTS}\n```", f"{{}}{ARGUMENTS}",
        f"{ARGUMENTS}<|call|>", f" {ARGUMENTS}\n", json.dumps(f" {ARGUMENTS}"), json.dumps(CODE), '{"code": "' + CODE + '"}',
        json.dumps({"kwargs": {"code": CODE}}),
    ],
)  # fmt: skip
def test_arguments_that_are_encoded_twice(written):
    assert read_arguments(SUBMIT, written).text("code") == CODE


def test_an_odd_name_with_arguments_encoded_twice_hands_in(serve, make_target, toolbox):
    call = {"name": "functions.submit<|channel|>json", "arguments": json.dumps(ARGUMENTS)}
    target = make_target("add", "int add(int a, int b)")
    trail = run_agent(make_request(target, serve({"calls": [call]}), {}, toolbox=toolbox))
    assert (trail.candidate.code, trail.ended, len(trail.rounds)) == (CODE, "submitted", 1)
