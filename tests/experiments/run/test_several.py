"""Tasks of several functions, from the prompt to the report. Prevents: a prompt that shows a body, an answer that
loses what was handed in before, a score for half an answer, and any change of what a task of one function is
asked, called and kept under.

The model is the scripted server, the compiler is gcc, the tests are the example's own.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from agent.prompts import load_prompts
from agent.tools.specs import CHECK, SUBMIT, SUBMIT_CHECKED, draft_tool_specs
from executor.values import Outcome, Task
from experiments.demo.scripted_rules import ScriptCall, ScriptRule
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, encode_json_value
from index.errors import ConfigError
from index.values import Target
from lab.differential.compare_with_gold import compare_with_gold
from lab.doctor.task_examination import digest_gold
from retrieval.values import Context
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import Graft, record, refuse, succeed
from tests.support.scripts import fence, read_story
from tests.support.token_runs import find_secret_runs, list_runs

PAIR = "hold-and-workdays"
HOLD, WORKDAYS = "store::hold_until", "date_plus_workdays"


@pytest.fixture
def run_pair(run_example: Runner) -> Runner:
    return partial(run_example, dataset="example-pairs", tasks=(PAIR,))


def _label_gold(task: Task, number: int) -> str:
    return f"// function {number}: {task.target.holes[number - 1].name}\n{task.golds[number - 1]}"


def test_what_a_task_of_one_function_is_asked_and_kept_under_stays(example_tasks: dict[str, Task]) -> None:
    """The digests are those from before there were tasks of several: runs, manifests and stored answers hang on
    them."""
    task = example_tasks["date-read"]
    assert type(task.target) is Target

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    bare = replace(task.target, signature=task.target.signature.strip())
    asked = (bare, task.gold, task.dataset_gold, task.oracle, task.oracle_text, task.instruction)
    assert digest("\0".join(encode_json_value(part).decode("ascii") for part in asked)) == "9b4f22fc940d27c5"
    prompts = load_prompts("graft")
    opening = prompts.select_set_for_hole_count(task.target)
    messages = opening.render_opening(task.target, Context((), 0, 0, ()), task_id=task.id)
    assert digest("\0".join(m.role + m.content for m in messages)) == "f699d6a1336f7958"
    assert digest(repr(prompts.file_digests())) == "0efd34fb8b2dd684"
    assert digest_gold(task) == "274a1bb4e8f0c41f"
    assert draft_tool_specs(checked=True, several=False) == (CHECK, SUBMIT_CHECKED)
    assert draft_tool_specs(checked=False, several=False) == (SUBMIT,)
    assert "holes" not in json.loads(encode_json_value(record("t")))


def test_no_arm_shows_a_body_of_the_task(run_pair: Runner, pair: Task, example_root: Path) -> None:
    """Six tokens in a row that stand in one of the bodies and nowhere else in the tree are nowhere in a prompt."""
    end = run_pair(model="gold", arms=("file", "oracle+", "hybrid", "agentic-file"))
    assert all(r.graft.verdict.outcome is Outcome.PASSED and r.graft.exact_match for r in end.records)
    secret = find_secret_runs(pair, example_root, 6)
    assert len(secret) > 40
    for found in end.records:
        story = read_story(end.run, *found.key)
        shown = [m.content for m in story.trajectory.messages if m.role != "assistant"]
        shown += [snippet.text for snippet in story.context.snippets]
        assert [text for text in shown if not secret.isdisjoint(list_runs(text, 6))] == [], found.arm
        if found.arm in ("hybrid", "file"):
            paths = {snippet.path for snippet in story.context.snippets}
            assert {hole.path for hole in pair.target.holes} <= paths
    manifest = read_manifest(end.run)
    assert {"several/first.j2", "several/repair.j2"} <= {name for name, _ in manifest.prompts}


def test_half_an_answer_is_none_and_its_half_counts_alone(
    run_pair: Runner, serve: Serve, pair: Task, graft: Graft, used_cache: Path
) -> None:
    server = serve(ScriptRule(answer=fence(_label_gold(pair, 2))))
    end = run_pair(api_base=server.base_url)
    (found,) = end.records
    assert found.graft.verdict.outcome is Outcome.NO_ANSWER
    assert found.graft.verdict.reason == f"no definition of {HOLD}"
    assert [(h.name, h.given, h.exact_match, h.alone) for h in found.holes] == [
        (HOLD, False, False, None),
        (WORKDAYS, True, True, True),
    ]
    assert found.official.verdict.reason == "the official rules know one function a task"
    out = succeed(graft, "show", end.run, PAIR)
    assert f"{HOLD} (src/store/reservation.cpp) is missing" in out
    assert re.search(
        rf"{WORKDAYS} \(src/core/date.c\) passes alone, with the others' golds, equal to the gold: exe", out
    )
    out = succeed(graft, "tasks", "show", PAIR, "--dataset", "example-pairs")
    assert (out.count("\nsignature\n"), out.count("\ngold\n")) == (2, 2)
    succeed(graft, "show", end.run, "--html", end.run / "page.html")
    assert (end.run / "page.html").is_file()
    succeed(graft, "export", end.run, "--to", "csv", "--out", end.run / "x.csv")
    assert (end.run / "x.csv").read_text().count(",2,1,") == 1
    for kind in ("lm-eval", "mera"):
        assert "has one function a task" in refuse(graft, "export", end.run, "--to", kind, "--out", end.run / kind)
    assert "the official rules know one function a task" in refuse(graft, "grade", end.run, "--as", "official")
    (line,) = (end.run / JOURNAL).read_text().splitlines()
    assert json.loads(line)["holes"][0]["given"] is False


def _call(tool: str, **arguments: str) -> tuple[ScriptCall, ...]:
    return (ScriptCall(name=tool, arguments=arguments),)


def test_functions_are_handed_in_one_by_one(run_pair: Runner, serve: Serve, pair: Task) -> None:
    """One that was checked counts as handed in. One that isn't there yet is its hole, so that nothing but its absence
    is wrong."""
    first, second = (_label_gold(pair, number) for number in (1, 2))
    handed_in = [
        ScriptRule(turn=1, calls=_call("read_symbol", name=HOLD)),
        ScriptRule(turn=2, last="body hidden", calls=_call("submit", code=second)),
        ScriptRule(turn=3, last=f"Still to hand in: {HOLD}", calls=_call("submit", code=first)),
    ]
    missing = rf", line 1: error: function 1, {HOLD}, is missing from your answer\s*\Z"
    checked = [
        ScriptRule(turn=1, calls=_call("check", code=second)),
        ScriptRule(turn=2, last=missing, calls=_call("submit", code=first)),
    ]
    scripts = ("agentic", handed_in), ("agentic+compile", handed_in), ("agentic+compile", checked)
    for number, (arm, rules) in enumerate(scripts):
        end = run_pair(api_base=serve(*rules).base_url, arms=(arm,), out=str(number))
        (found,) = end.records
        assert found.graft.verdict.outcome is Outcome.PASSED, (arm, found.graft.verdict)
        assert [cost.handed_in for cost in found.rounds] == [False] * (len(rules) - 1) + [True]


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"prompts": "mera"}, "prompts mera: it asks for one function, and a task has 2; use prompts=graft"),
        ({"official": "mera"}, "official=mera: it knows one function a task, and 2 tasks have several"),
        ({"generation": "mera"}, "generation=mera: it knows one function a task"),
        ({"differential": "passed"}, "differential=passed: it knows one function a task"),
    ],
)
def test_what_knows_one_function_a_task_is_refused_in_one_line(
    run_example: Runner, keys: dict[str, str], problem: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(problem)) as caught:
        run_example(dataset="example-pairs", model="gold", comparison=compare_with_gold, **keys)
    assert "\n" not in str(caught.value)
