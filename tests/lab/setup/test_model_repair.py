"""Prevents: a model that changes more than how the tree is built and tested, a repair that never ends, one whose
answers are paid for again, and commands of a model outside a sandbox."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend
from experiments.demo.scripted_server import RunningServer, ScriptCall, ScriptRule
from index.errors import CeilingReached, ConfigError, ModelError, RecipeError
from lab.making.make_benchmark import make_benchmark
from lab.making.settings import MAKE_FILE, MakeRequest, read_settings
from lab.making.write_data_set import describe_how_often_model_changed_settings
from lab.setup.model_repair import SetupModel, make_benchmark_with_repairs
from lab.setup.setup_rounds import read_rounds
from tests.support.projects import makefile_project

Serve = Callable[..., RunningServer]


def propose(text: str) -> ScriptCall:
    return ScriptCall(name="propose", arguments={"code": text})


def model_at(server: RunningServer, **more: object) -> SetupModel:
    return replace(SetupModel("openai/scripted", server.base_url), **more)  # type: ignore[arg-type]


@pytest.fixture
def bare(tmp_path: Path) -> MakeRequest:
    """A tree without a build system: its first make.yaml only says so, and its build fails at once."""
    root = tmp_path / "bare"
    root.mkdir()
    (root / "a.c").write_text("int main(void) { return 0; }\n")
    return MakeRequest(str(root), tmp_path / "bench", until="build")


@pytest.fixture
def process(tmp_path: Path) -> Backend:
    return open_unscheduled_backend("process", tmp_path / "cache")


def test_the_build_and_then_the_tests_are_repaired_in_the_sandbox(
    bwrap_cache: Path, serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    root = makefile_project(tmp_path / "shelf")
    text = (root / "Makefile").read_text().replace("\ncheck:", "\nprove:")
    (root / "Makefile").write_text(
        text.replace("\t$(CXX) -c", '\ttest -n "$(SHELF)" || { echo SHELF is not set; false; }\n\t$(CXX) -c')
    )
    wanted = MakeRequest(str(root), tmp_path / "bench", until="build")
    backend = open_unscheduled_backend("bwrap", bwrap_cache)
    make_benchmark(replace(wanted, until="detect"), backend, bwrap_cache)
    first = (wanted.out / MAKE_FILE).read_text()
    second = first.replace("env: {}", "env: {SHELF: '1'}")
    third = second.replace("target: ''", "target: prove").replace("|| make]", "|| make, make check_stack]")
    assert "check_stack" in third
    server = serve(
        ScriptRule(
            turn=1,
            match="SHELF is not set",
            none=("no tests:",),
            calls=(ScriptCall(name="find_text", arguments={"text": "SHELF"}),),
        ),
        ScriptRule(turn=2, last="Makefile:5", calls=(propose(second.replace("tasks: 50", "tasks: 5")),)),
        ScriptRule(turn=3, last="error: choose can't be changed", calls=(propose(second),)),
        ScriptRule(turn=1, last=r"no tests: no target runs tests.*\+  env: \{SHELF", calls=(propose(third),)),
    )
    make_benchmark_with_repairs(wanted, backend, bwrap_cache, model_at(server))
    settings = read_settings(wanted.out / MAKE_FILE)
    assert (settings.tests.target, dict(settings.build.env), settings.choose.tasks) == ("prove", {"SHELF": "1"}, 50)
    assert json.loads((wanted.out / "tests.json").read_text())["tests"] == {"prove": ""}
    rounds = read_rounds(wanted.out / "setup")
    assert [entry.proposed for entry in rounds] == [second, third]
    assert describe_how_often_model_changed_settings(wanted.out).startswith("a model changed it 2 times: setup/")
    assert "+  target: prove" in caplog.text
    assert "setup: openai/scripted: 4 calls, " in caplog.text
    talk = json.loads((wanted.out / "setup" / "1" / "conversation.json").read_text())
    assert (talk["ended"], talk["messages"][2]["calls"][0][0]) == ("submitted", "find_text")


def test_a_killed_repair_goes_on_without_a_build_and_pays_for_no_answer_twice(
    bare: MakeRequest, process: Backend, serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    gone = ScriptRule(turn=2, times=1, status=400, answer="the server is gone")
    server = serve(
        ScriptRule(turn=1, calls=(ScriptCall(name="list_files"),)),
        gone,
        ScriptRule(last=r"\ba\.c\b", calls=(ScriptCall(name="give_up", arguments={"reason": "there is no test"}),)),
    )
    with pytest.raises(ModelError, match=r"the server is gone.*the same command goes on"):
        make_benchmark_with_repairs(bare, process, tmp_path / "cache", model_at(server), trusted=True)
    caplog.clear()
    why = r"no CMakeLists.txt.*; openai/scripted: the model gave up: there is no test; see .*setup/1"
    for _ in range(2):
        with pytest.raises(RecipeError, match=why):
            make_benchmark_with_repairs(bare, process, tmp_path / "cache", model_at(server), trusted=True)
    assert server.log.request_count == 3
    assert "2/6 build" not in caplog.text


def test_the_rounds_are_bounded_and_what_was_tried_comes_back(
    bare: MakeRequest, process: Backend, serve: Serve, tmp_path: Path
) -> None:
    with pytest.raises(RecipeError, match=r"no CMakeLists\.txt"):
        make_benchmark(bare, process, tmp_path / "cache")
    first = (bare.out / MAKE_FILE).read_text()
    second = first.replace("exit 1", "exit 2")
    server = serve(
        ScriptRule(turn=1, match=r"exit 2", calls=(propose(first),)),
        ScriptRule(turn=2, last="error: this was tried before", calls=(propose(second.replace("exit 2", "exit 3")),)),
        ScriptRule(turn=1, calls=(propose(second),)),
    )
    for _ in range(2):
        with pytest.raises(RecipeError, match=r"exit 3.*; openai/scripted has changed it 2 times, see .*setup; raise"):
            make_benchmark_with_repairs(bare, process, tmp_path / "cache", model_at(server, rounds=2), trusted=True)
    assert server.log.request_count == 3


def test_an_answer_without_a_call_is_reminded_and_one_block_of_yaml_is_taken(
    bare: MakeRequest, process: Backend, serve: Serve, tmp_path: Path
) -> None:
    server = serve(
        ScriptRule(when_tools=True, status=400, answer="this model does not support tools"),
        ScriptRule(turn=1, match="<tool_call>", answer="Let me think."),
        ScriptRule(turn=2, last="hand make.yaml in with propose", answer="```yaml\nname: [\n```"),
        ScriptRule(
            turn=3,
            last="error: make.yaml: not YAML",
            answer='<tool_call>{"name": "give_up", "arguments": {"reason": "no"}}</tool_call>',
        ),
    )
    with pytest.raises(RecipeError, match="the model gave up: no;"):
        make_benchmark_with_repairs(bare, process, tmp_path / "cache", model_at(server), trusted=True)


def test_the_ceiling_on_cost_stops_it(
    bare: MakeRequest, process: Backend, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(default=ScriptRule(calls=(ScriptCall(name="list_files"),)))
    setup = SetupModel("openai/gpt-4o", server.base_url, max_cost=1e-9)
    with pytest.raises(CeilingReached, match=r"max_cost: .*; raise --setup-cost, and the same command goes on"):
        make_benchmark_with_repairs(bare, process, tmp_path / "cache", setup, trusted=True)
    assert server.log.request_count == 1


def test_a_sandbox_that_does_not_isolate_is_refused(bare: MakeRequest, process: Backend, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--setup-model: sandbox process doesn't isolate"):
        make_benchmark_with_repairs(bare, process, tmp_path / "cache", SetupModel("openai/x"))
    assert not bare.out.exists()
