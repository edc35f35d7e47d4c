"""Prevents: a batch's answer that lands at another task's prompt, and a replay that quietly asks a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agent.values import Message, ModelRequest
from executor.values import Outcome, Task
from experiments.arms.arm import parse_arm
from experiments.demo.scripted_server import ScriptRule
from experiments.run.batch import (
    FURTHER,
    Offline,
    Pending,
    read_batch_answers,
    write_further_requests_and_advise,
    write_prompts,
)
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd
from experiments.run.records import SampleRecord, read_json_file
from index.errors import TaskError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence, fence_gold, read_story

# Slow: each test is a whole run, and its replay.
pytestmark = pytest.mark.slow

IDS = ("date-read", "money-print")


def openai_line(custom_id: str, text: str) -> dict[str, Any]:
    body = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }  # fmt: skip
    return {"id": "b", "custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}


def anthropic_line(custom_id: str, text: str) -> dict[str, Any]:
    message = {
        "id": "msg", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": text}],
        "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 11, "output_tokens": 7},
    }  # fmt: skip
    return {"custom_id": custom_id, "result": {"type": "succeeded", "message": message}}


def gemini_line(key: str, text: str) -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
    counted = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    return {"key": key, "response": {"candidates": [candidate], "usageMetadata": counted}}


class Provider(NamedTuple):
    """Its model; where in a line of its batches the id, the request and the messages stand; a line of its answers, and
    what stands in that of a request which it refused."""

    model: str
    id: str
    request: str
    messages: str
    answer: Callable[[str, str], dict[str, Any]]
    refused: dict[str, Any]


OVERLOADED = {"message": "overloaded"}
ERRORED = {"type": "errored", "error": {"type": "error", "error": {"type": "x", "message": "overloaded"}}}
PROVIDERS = [
    Provider("openai/scripted", "custom_id", "body", "messages", openai_line, {"response": None, "error": OVERLOADED}),
    Provider("anthropic/claude-sonnet-4-5", "custom_id", "params", "messages", anthropic_line, {"result": ERRORED}),
    Provider("gemini/gemini-2.5-pro", "key", "request", "contents", gemini_line, {"error": OVERLOADED}),
]


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text().splitlines()]


def plain(record: SampleRecord) -> SampleRecord:
    """Without what the clock gave it."""
    return replace(record, test_s=0.0, build_cpu_s=None, usage=replace(record.usage, compile_seconds=0.0),
                   rounds=tuple(replace(answer, check_s=0.0) for answer in record.rounds))  # fmt: skip


def describe_end(end: RunEnd) -> dict[Any, Any]:
    """Each sample's record and messages."""
    return {
        record.key: (
            plain(record),
            [(message.role, message.content) for message in read_story(end.run, *record.key).trajectory.messages],
        )
        for record in end.records
    }


def test_a_replay_is_the_run_again_without_a_model(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task = example_tasks[IDS[0]]
    broken = fence(task.gold.replace(";", "", 1))
    server = serve(ScriptRule(last="compiler", answer=fence_gold(task)), ScriptRule(answer=broken))
    keys = {"tasks": [task.id], "arms": ["none", "none+compile"], "samples": 2, "api_base": server.base_url}
    first = run_example(**keys, out="first")
    requests = server.log.request_count
    again = run_example(**keys, out="again", offline=Offline(replay=first.run))
    assert server.log.request_count == requests > 0
    assert describe_end(again) == describe_end(first)
    repaired = [record.graft.verdict.outcome for record in first.records if record.arm == "none+compile"]
    assert repaired == [Outcome.PASSED] * 2
    with pytest.raises(TaskError, match="no responses to replay"):
        run_example(**keys, out="third", offline=Offline(replay=first.run / "samples"))


@pytest.mark.parametrize("provider", PROVIDERS, ids=[provider.model for provider in PROVIDERS])
def test_prompts_go_out_and_answers_come_in_round_by_round(
    run_example: Runner,
    example_tasks: dict[str, Task],
    used_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    provider: Provider,
) -> None:
    good, other = (example_tasks[name] for name in IDS)
    keys: dict[str, Any] = {"tasks": IDS, "arms": ("none", "none+compile", "file"), "model": provider.model}
    with monkeypatch.context() as patch:
        patch.setattr("experiments.run.workspace.choose_backend", _no_sandbox)
        write_prompts(RunConfig(dataset="example", **keys), used_cache, tmp_path / "prompts.jsonl")
    sent = read_lines(tmp_path / "prompts.jsonl")
    ids = [line[provider.id] for line in sent]
    assert len(set(ids)) == 4, "equal prompts, of none and none+compile, go out once"
    assert all(line[provider.request][provider.messages] for line in sent)
    if provider.request == "params":
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in ids)
    if provider.request == "body":
        assert ids == [f"{task}/{arm}/0" for task in IDS for arm in ("none", "file")]
        assert {(line["method"], line["url"], line["body"]["model"]) for line in sent} == {
            ("POST", "/v1/chat/completions", "scripted")
        }
        assert (sent[0]["body"]["messages"][0]["role"], sent[0]["body"]["seed"]) == ("system", 0)

    broken = fence(good.gold.replace(";", "", 1))
    texts = (broken, fence_gold(good), fence_gold(other))
    lines = [provider.answer(name, text) for name, text in zip(ids, texts, strict=False)]
    lines.append({provider.id: ids[3], **provider.refused})
    end = run_example(**keys, offline=Offline(responses=written(tmp_path / "first.jsonl", *lines)))
    assert len(end.records) == 5
    assert "1 samples need a further answer" in end.stopped
    (further,) = read_lines(end.run / FURTHER)
    assert provider.request != "body" or further["custom_id"] == f"{good.id}/none+compile/0/2"
    assert "compiler" in json.dumps(further[provider.request][provider.messages][-1])

    repaired = written(tmp_path / "second.jsonl", provider.answer(further[provider.id], fence_gold(good)))
    end = run_example(**keys, offline=Offline(responses=repaired))
    assert end.stopped == ""
    found = {(record.task_id, record.arm): record for record in end.records}
    passed = {key for key, record in found.items() if record.passed}
    assert found.keys() - passed == {(good.id, "none"), (other.id, "file")}
    assert found[good.id, "none"].graft.verdict.outcome is Outcome.BUILD_FAILED
    refused = found[other.id, "file"].graft.verdict
    assert refused.outcome is Outcome.MODEL_ERROR and "overloaded" in refused.reason
    usage = found[good.id, "none+compile"].usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (2, 22, 14, None)


def _no_sandbox(*given: Any) -> Any:
    raise AssertionError("prompts are written without a sandbox")


def test_ids_that_are_missing_or_unknown_are_named(run_example: Runner, tmp_path: Path) -> None:
    answer = openai_line("money-print/none/0", fence("int x;"))
    for lines, message in (
        ((answer,), r"1 of 2 first prompts have no answer, the first is 'date-read/none/0'"),
        ((answer, openai_line("date-raed/none/0", "")), r"line 2: custom_id 'date-raed/none/0' is none.*date-read/no"),
    ):
        path = written(tmp_path / "answers.jsonl", *lines)
        with pytest.raises(TaskError, match=message):
            run_example(tasks=list(IDS), offline=Offline(responses=path))


def test_a_batchs_error_is_a_model_error(run_example: Runner, tmp_path: Path) -> None:
    refused = {"custom_id": "date-read/none/0", "response": {"status_code": 429, "body": {"error": "busy"}}}
    broken = openai_line("money-print/none/0", fence("int x;"))
    broken["response"]["body"]["choices"][0]["finish_reason"] = "network_error"
    end = run_example(tasks=list(IDS), offline=Offline(responses=written(tmp_path / "a.jsonl", refused, broken)))
    verdicts = {record.task_id: record.graft.verdict for record in end.records}
    assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.MODEL_ERROR}
    assert verdicts["date-read"].reason.split(": ")[1] == "busy"
    assert "the provider broke the answer off: network_error" in verdicts["money-print"].reason


def test_a_further_request_goes_out_once_under_an_id_of_its_own(task: Task, tmp_path: Path) -> None:
    """Arms that repair the same draft share a line; a draft that follows another has no turn more."""

    def send(arms: Sequence[str], text: str) -> list[str]:
        request = ModelRequest("openai/m", (Message("user", text),), 0.0, 9, None)
        pending = [((task, parse_arm(arm), 0), request) for arm in arms]
        write_further_requests_and_advise(tmp_path, pending)
        return [line["custom_id"] for line in read_lines(tmp_path / FURTHER)]

    assert send(["none+compile1", "none+compile2"], "repair") == [f"{task.id}/none+compile1/0/1"]
    assert send(["iterative"], "second draft") == [f"{task.id}/iterative/0/1"]
    for _ in range(2):
        assert send(["iterative"], "third draft") == [f"{task.id}/iterative/0/2"]
    earlier = read_json_file(Pending, tmp_path / "further-requests.json").requests
    assert earlier[f"{task.id}/iterative/0/1"].messages[0].content == "second draft"
    assert len(earlier) == 4


TWICE = '{"custom_id": "a", "text": ""}\n\n{"custom_id": "a", "text": ""}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no answers"),
        ("{", "line 1: not JSON"),
        ('{"text": "x"}', "line 1: custom_id is missing"),
        ('{"custom_id": "a"}', "neither response, nor result, nor text, nor error"),
        (TWICE, "line 3: .*already answered at .* line 1"),
        (None, "can't be read"),
    ],
)
def test_a_file_that_is_none_is_told_by_its_line(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "a.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(TaskError, match=message):
        read_batch_answers(path)
