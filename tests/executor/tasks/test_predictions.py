"""Bug prevented: answers made elsewhere that are scored under a wrong task, or dropped without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from executor.tasks.predictions import Prediction, read_predictions, resolve_prediction_task_ids
from index.errors import TaskError
from tests.fixtures.rows import make_row


def write(folder: Path, *lines: Any) -> Path:
    path = folder / "answers.jsonl"
    path.write_bytes(
        b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    )
    return path


def read(folder: Path, *lines: Any) -> list[tuple[str, str, int]]:
    return [(p.task_id, p.completion, p.sample) for p in read_predictions(write(folder, *lines))]


def lm_eval(meta: Any, *samples: Any, **more: Any) -> dict[str, Any]:
    """A line of lm-eval's samples file with its usual other keys."""
    return {
        "doc_id": 0,
        "doc": {"instruction": "", "inputs": {}, "outputs": "", "meta": meta},
        "arguments": {"gen_args_0": {"arg_0": "prompt"}},
        "resps": [list(samples)],
        "filtered_resps": list(samples[:1]),
        "pass@1": 0.0,
    } | more


def test_our_own_lines_and_lm_evals_give_every_sample(tmp_path: Path) -> None:
    """One of a call that failed is an empty answer."""
    lines = [{"task_id": "A", "completion": f"int {name};", "sample": at} for at, name in enumerate("fg")]
    empty = {"task_id": 7, "completion": ""}
    assert read(tmp_path, *lines, empty) == [("A", "int f;", 0), ("A", "int g;", 1), ("7", "", 0)]
    lines = [lm_eval({"id": 230, "original_id": "1AA5"}, "a", "b", None), lm_eval({"id": 231}, "d")]
    assert read(tmp_path, *lines) == [("1AA5", "a", 0), ("1AA5", "b", 1), ("1AA5", "", 2), ("231", "d", 0)]


def test_a_task_with_two_filters_has_one_answer(tmp_path: Path) -> None:
    lines = [lm_eval({"id": 230}, "a", "b", filter=name) for name in ("strict", "flexible")]
    assert read(tmp_path, *lines) == [("230", "a", 0), ("230", "b", 1)]
    other = lm_eval({"id": 230}, "a", "else", filter="flexible")
    with pytest.raises(TaskError, match="sample 1 was already given"):
        read(tmp_path, lines[0], other)
    with pytest.raises(TaskError, match="sample 0 was already given"):
        read(tmp_path, lines[0], lines[0])


def test_blank_lines_and_a_missing_last_line_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\n{"task_id": "A", "completion": "x"}\n \n{"task_id": "B", "completion": "y"}')
    assert [prediction.task_id for prediction in read_predictions(path)] == ["A", "B"]
    assert read_predictions(path)[1].origin == f"{path} line 4"
    with pytest.raises(TaskError, match="no predictions"):
        read_predictions(write(tmp_path))
    with pytest.raises(TaskError, match=r"none\.jsonl: can't be read"):
        read_predictions(tmp_path / "none.jsonl")


GOOD = {"task_id": "A", "completion": "x"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"task_id": ', "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        ([1], "expected an object, not list"),
        ({"task_id": "B"}, "key completion is missing"),
        ({"completion": "x"}, "key task_id is missing"),
        ({"task_id": "B", "completion": None}, "completion must be text"),
        ({"task_id": "B", "completion": "x", "sampel": 1}, "unknown key 'sampel'; did you mean 'sample'"),
        ({"task_id": "B", "completion": "x", "sample": -1}, "sample must be a whole number from 0 to 1000000, not -1"),
        ({"task_id": "B", "completion": "x", "sample": True}, "sample must be a whole number .*, not True"),
        ({"task_id": "", "completion": "x"}, "task_id must be a text or a whole number"),
        ({"task_id": 1.5, "completion": "x"}, "task_id must be a text or a whole number, not 1.5"),
        (lm_eval(None, "x"), r"doc\.meta is missing"),
        (lm_eval({"fname": "f"}, "x"), r"doc\.meta\.id must be a text or a whole number, not None"),
        (lm_eval({"id": 3}), r"resps\[0\] must be a list of texts"),
        (lm_eval({"id": 3}, 5), r"resps\[0\] must be a list of texts"),
        (lm_eval({"id": 3}, "x", resps=[]), r"resps\[0\] must be a list of texts"),
        (GOOD, r"task A sample 0 was already given at .*answers\.jsonl line 1"),
    ],
)
def test_a_bad_line_is_named(line: Any, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, GOOD, line)
    with pytest.raises(TaskError, match=message) as caught:
        read_predictions(path)
    assert f"{path} line 2" in str(caught.value)


ROWS = (make_row(id="1AA5FDA0028F60DA", meta={"mera_id": "230"}), make_row(id="C0FFEE"))


def test_both_ids_of_mera_find_the_row() -> None:
    for task_id in ("230", "1AA5FDA0028F60DA"):
        (found,) = resolve_prediction_task_ids([Prediction(task_id, "x", 2)], ROWS)
        assert (found.task_id, found.completion, found.sample) == ("1AA5FDA0028F60DA", "x", 2)
    with pytest.raises(TaskError, match=r"a\.jsonl line 9: unknown task id 'C0FFE'; did you mean 'C0FFEE'"):
        resolve_prediction_task_ids([Prediction("C0FFE", "x", 0, "a.jsonl line 9")], ROWS)
    # One task under two ids is given twice.
    twice = [Prediction("230", "x", 0, "line 1"), Prediction("1AA5FDA0028F60DA", "y", 0, "line 2")]
    with pytest.raises(TaskError, match="line 2: task 1AA5FDA0028F60DA sample 0 was already given at line 1"):
        resolve_prediction_task_ids(twice, ROWS)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
known_keys = st.sampled_from(["task_id", "completion", "sample", "doc", "resps", "meta", "id"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(line=st.dictionaries(known_keys, json_values | st.dictionaries(known_keys, json_values), max_size=5))
def test_any_object_is_read_or_named(line: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path, line)
    try:
        found = read_predictions(path)
    except TaskError as error:
        assert "answers.jsonl line 1" in str(error)
    else:
        assert all(prediction.task_id and prediction.sample >= 0 for prediction in found)
