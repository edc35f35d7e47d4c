"""Prevents: a batch's answer that lands at another task's prompt, and a replay that quietly asks a model."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.cache import cache_root
from executor.values import Outcome, Task
from experiments.demo.scripted_server import ScriptRule
from experiments.run.batch import FURTHER, Offline, read_batch_answers, write_prompts
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd
from experiments.run.records import SampleRecord
from index.errors import TaskError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence, read_story

# Slow: each test is a whole run, and its replay.
pytestmark = pytest.mark.slow

IDS = ("date-read", "money-print")
NOBODY = "http://127.0.0.1:9/v1"


def line(custom_id: str, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    body = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }  # fmt: skip
    return {"id": "b", "custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def send_prompts(folder: Path, **keys: Any) -> list[dict[str, Any]]:
    """The lines that go out for the tasks IDS."""
    write_prompts(RunConfig(dataset="example", tasks=IDS, **keys), cache_root(), folder / "prompts.jsonl")
    return [json.loads(text) for text in (folder / "prompts.jsonl").read_text().splitlines()]


def plain(record: SampleRecord) -> SampleRecord:
    """Without what the clock gave it."""
    return replace(record, test_s=0.0, build_cpu_s=None, usage=replace(record.usage, compile_seconds=0.0),
                   rounds=tuple(replace(answer, check_s=0.0) for answer in record.rounds))  # fmt: skip


def messages_of(end: RunEnd, record: SampleRecord) -> Any:
    return [(message.role, message.content) for message in read_story(end.run, *record.key).trajectory.messages]


def test_a_replay_is_the_run_again_without_a_model(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    task = example_tasks[IDS[0]]
    broken = task.gold.replace(";", "", 1)
    server = serve(ScriptRule(last="compiler", answer=fence(task.gold)), ScriptRule(answer=fence(broken)))
    keys = {"tasks": [task.id], "arms": ["none", "none+compile"], "samples": 2, "api_base": server.base_url}
    first = run_example(**keys, out="first")
    requests = server.log.count
    again = run_example(**keys, out="again", offline=Offline(replay=first.run))
    assert server.log.count == requests > 0
    key = lambda record: record.key  # noqa: E731
    assert [plain(record) for record in sorted(again.records, key=key)] == [
        plain(record) for record in sorted(first.records, key=key)
    ]
    assert all(messages_of(first, record) == messages_of(again, record) for record in first.records)
    assert {record.graft.verdict.outcome for record in first.records if record.arm == "none+compile"} == {
        Outcome.PASSED
    }
    with pytest.raises(TaskError, match="no responses to replay"):
        run_example(**keys, out="third", offline=Offline(replay=first.run / "samples"))


def test_prompts_go_out_and_answers_come_in_round_by_round(
    run_example: Runner,
    example_tasks: dict[str, Task],
    used_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("experiments.run.workspace.choose_backend", _no_sandbox)
    sent = send_prompts(tmp_path, model="openai/scripted", arms=["none", "none+compile"])
    monkeypatch.undo()
    assert [request["custom_id"] for request in sent] == [f"{name}/none/0" for name in IDS], (
        "equal prompts go out once"
    )
    assert {(request["method"], request["url"], request["body"]["model"]) for request in sent} == {
        ("POST", "/v1/chat/completions", "scripted")
    }
    assert sent[0]["body"]["messages"][0]["role"] == "system"
    assert sent[0]["body"]["seed"] == 0

    good, other = (example_tasks[name] for name in IDS)
    broken = other.gold.replace(";", "", 1)
    first = written(
        tmp_path / "first.jsonl",
        {"custom_id": sent[0]["custom_id"], "text": fence(good.gold)},
        line(sent[1]["custom_id"], fence(broken)),
    )
    keys = {"tasks": list(IDS), "arms": ["none", "none+compile"], "api_base": None}
    end = run_example(**keys, offline=Offline(responses=first))
    assert len(end.records) == 3
    assert "1 samples need a further answer" in end.stopped
    (further,) = [json.loads(text) for text in (end.run / FURTHER).read_text().splitlines()]
    assert further["custom_id"] == f"{other.id}/none+compile/0/2"
    assert "compiler" in further["body"]["messages"][-1]["content"]

    second = written(tmp_path / "second.jsonl", line(further["custom_id"], fence(other.gold)))
    end = run_example(**keys, offline=Offline(responses=second))
    assert end.stopped == ""
    assert sorted((record.task_id, record.arm, record.graft.verdict.outcome.value) for record in end.records) == [
        ("date-read", "none", "passed"),
        ("date-read", "none+compile", "passed"),
        ("money-print", "none", "build_failed"),
        ("money-print", "none+compile", "passed"),
    ]
    record = next(record for record in end.records if record.task_id == "money-print" and record.arm == "none+compile")
    assert (record.usage.prompt_tokens, record.usage.completion_tokens, record.usage.cost) == (22, 14, None)


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


@pytest.mark.parametrize("provider", ["anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-pro"])
def test_a_providers_own_batches(
    run_example: Runner, example_tasks: dict[str, Task], used_cache: Path, tmp_path: Path, provider: str
) -> None:
    arms = ["none+compile", "file"]
    sent = send_prompts(tmp_path, model=provider, arms=arms)
    claude = provider.startswith("anthropic/")
    name, holds, line_of = ("custom_id", "params", anthropic_line) if claude else ("key", "request", gemini_line)
    ids = [request[name] for request in sent]
    assert len(set(ids)) == 4
    assert not claude or all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in ids)
    assert all(request[holds]["messages" if claude else "contents"] for request in sent)
    golds = [example_tasks[task].gold for task in IDS for _ in arms]
    golds[0] = golds[0].replace(";", "", 1)
    answers = [line_of(one, fence(gold)) for one, gold in zip(ids, golds, strict=True)]
    refused = {"type": "errored", "error": {"type": "error", "error": {"type": "x", "message": "overloaded"}}}
    answers[3] = {name: ids[3], "result": refused} if claude else {name: ids[3], "error": {"message": "overloaded"}}
    keys = {"tasks": list(IDS), "arms": arms, "model": provider}
    end = run_example(**keys, offline=Offline(responses=written(tmp_path / "a.jsonl", *answers)))
    (further,) = [json.loads(text) for text in (end.run / FURTHER).read_text().splitlines()]
    repaired = written(tmp_path / "b.jsonl", line_of(further[name], fence(example_tasks[IDS[0]].gold)))
    end = run_example(**keys, offline=Offline(responses=repaired))
    assert end.stopped == ""
    found = {(record.task_id, record.arm): record for record in end.records}
    outcomes = {key: record.graft.verdict.outcome for key, record in found.items()}
    assert outcomes.pop((IDS[1], "file")) is Outcome.MODEL_ERROR
    assert set(outcomes.values()) == {Outcome.PASSED}
    assert "overloaded" in found[IDS[1], "file"].graft.verdict.reason
    usage = found[IDS[0], "none+compile"].usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (2, 22, 14, None)


def _no_sandbox(*given: Any) -> Any:
    raise AssertionError("prompts are written without a sandbox")


def test_ids_that_are_missing_or_unknown_are_named(run_example: Runner, tmp_path: Path) -> None:
    one = line("money-print/none/0", fence("int x;"))
    for lines, message in (
        ((one,), r"1 of 2 first prompts have no answer, the first is 'date-read/none/0'"),
        ((one, line("date-raed/none/0", "")), r"line 2: custom_id 'date-raed/none/0' is none.*date-read/none/0"),
    ):
        path = written(tmp_path / "answers.jsonl", *lines)
        with pytest.raises(TaskError, match=message):
            run_example(tasks=list(IDS), offline=Offline(responses=path))


def test_a_batchs_error_is_a_model_error(run_example: Runner, tmp_path: Path) -> None:
    failed = {"custom_id": "money-print/none/0", "response": None, "error": {"message": "expired"}}
    refused = {"custom_id": "date-read/none/0", "response": {"status_code": 429, "body": {"error": "busy"}}}
    end = run_example(tasks=list(IDS), offline=Offline(responses=written(tmp_path / "a.jsonl", failed, refused)))
    assert sorted(record.graft.verdict.reason.split(": ")[1] for record in end.records) == ["busy", "expired"]
    assert {record.graft.verdict.outcome for record in end.records} == {Outcome.MODEL_ERROR}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no answers"),
        ("{", "line 1: not JSON"),
        ('{"text": "x"}', "line 1: custom_id is missing"),
        ('{"custom_id": "a"}', "neither response, nor result, nor text, nor error"),
        (
            '{"custom_id": "a", "text": ""}\n\n{"custom_id": "a", "text": ""}',
            "line 3: .*already answered at .* line 1",
        ),
    ],
)
def test_a_file_that_is_none_is_told_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(TaskError, match=message):
        read_batch_answers(tmp_path / "a.jsonl")
    with pytest.raises(TaskError, match="can't be read"):
        read_batch_answers(tmp_path / "none.jsonl")
