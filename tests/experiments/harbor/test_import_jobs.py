"""Prevents: a trial that is dropped without a word, a failure of Harbor's that counts as the model's, a verdict that
an agent could have written, and a run of other people's agents that no table takes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from agent.answer.multi_function import extract_functions, list_missing_functions
from executor.function.stub import make_stub
from executor.manifest.variant.record import read_variant_record, record_path_in_run
from executor.manifest.variant.values import VariantRecord
from executor.values import Outcome, Task
from experiments.harbor.jobs.import_jobs import import_jobs
from experiments.harbor.jobs.job_folders import Trial, TrialResult
from experiments.harbor.jobs.trial_sample import make_model_holding_trial_answer
from experiments.harbor.verify import VERDICT_FILE, VerifierRecord
from experiments.run.experiment import run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord, encode_json_value, read_finished_records
from index.errors import ConfigError, UserError
from index.hiding.holes import PLACEHOLDER
from tests.fixtures.run_fixtures import Runner
from tests.support.projects import write_files
from tests.support.runs import Graft, example_config, refuse, succeed
from tests.support.scripts import fence, read_story

MODEL = "openai/some-model"
AGENT = "mini-swe-agent"
EXAMPLE = Path(__file__).parents[3] / "examples" / "inventory"
DATE = "2026-11-28T06:{:02}:00Z"

# As Harbor 0.25's converter writes a session of mini-swe-agent: a shell's command in each step.
TRAJECTORY: dict[str, Any] = {
    "schema_version": "ATIF-v1.6",
    "session_id": "one",
    "agent": {"name": AGENT, "version": "2.1", "model_name": MODEL},
    "steps": [
        {"step_id": 1, "source": "system", "message": "You can use a shell."},
        {"step_id": 2, "source": "user", "message": "Write the function."},
        {
            "step_id": 3,
            "source": "agent",
            "message": "I look at the file.",
            "reasoning_content": "It must be near.",
            "tool_calls": [{"tool_call_id": "call_1", "function_name": "bash", "arguments": {"command": "cat map.c"}}],
            "observation": {"results": [{"content": [{"type": "text", "text": "static int map_find(void);"}]}]},
            "metrics": {"prompt_tokens": 100, "completion_tokens": 20, "cost_usd": 0.01},
        },
        {
            "step_id": 4,
            "source": "agent",
            "message": "Done.",
            "reasoning_content": "Done.",  # the converter's, where a tool was called: the text once more
            "metrics": {"prompt_tokens": 150, "completion_tokens": 80, "cost_usd": 0.02},
        },
    ],
    "final_metrics": {"total_prompt_tokens": 250, "total_completion_tokens": 100, "total_cost_usd": 0.03},
}


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


class Jobs:
    """Writes trials as Harbor 0.25 does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0
        write_json(folder / "job/config.json", {"job_name": "job", "n_attempts": 1})
        write_json(folder / "job/result.json", {"n_total_trials": 1, "stats": {}})

    def add(
        self,
        task: str,
        verdict: VerifierRecord | None = None,
        *,
        error: str = "",
        mode: str = "separate",
        agent: str = AGENT,
        began: bool = True,
        whole: bool = True,
        cost: float = 0.05,
        files: Mapping[str, str] = MappingProxyType({}),
    ) -> Path:
        self._count += 1
        name = f"{task}__{self._count}"
        place = self.folder / "job" / name
        model = MODEL if agent == AGENT else None
        config = {"task": {"path": f"tasks/example-{task}"}, "trial_name": name}
        config["agent"] = {"name": agent, "model_name": model}  # type: ignore[assignment]
        write_json(place / "config.json", config)
        result = {
            "task_name": f"graft/example-{task}",
            "config": config,
            "agent_info": {"name": agent, "version": "2.1", "model_info": None},
            "agent_result": {"n_input_tokens": 300, "n_output_tokens": 120, "cost_usd": cost},
            "verifier_environment_mode": mode,
            "exception_info": {"exception_type": error, "exception_message": "it\nbroke"} if error else None,
            "agent_execution": {"started_at": DATE.format(1), "finished_at": DATE.format(2)} if began else None,
            "started_at": DATE.format(self._count),
        }
        if whole:
            write_json(place / "result.json", result)
        if verdict is not None:
            write_json(place / "verifier" / VERDICT_FILE, json.loads(encode_json_value(verdict)))
        write_files(place, files)
        return place


Judge = Callable[[Task, str], VerifierRecord]
Load = Callable[..., tuple[SampleRecord, ...]]
OTHER = "map-remove"


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    return Jobs(tmp_path / "jobs")


@pytest.fixture(scope="module")
def judge(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """What the verifier would say, by a real run of the reference answers, each made once."""
    folder, known = tmp_path_factory.mktemp("judged"), dict[tuple[str, str], VerifierRecord]()

    def judged(task: Task, model: str) -> VerifierRecord:
        if (task.id, model) not in known:
            config = example_config(model=model, tasks=(task.id,), out=folder / f"{model}-{task.id}")
            (record,) = run_experiment(config, cache).records
            code = task.gold if model == "gold" else make_stub(task.target, task.gold)
            known[task.id, model] = VerifierRecord(record, fence(code, task.target.language))
        return known[task.id, model]

    return judged


@pytest.fixture
def load(used_cache: Path, tmp_path: Path) -> Load:
    def loaded(jobs: Jobs, *words: str, out: str = "run", **more: Any) -> tuple[SampleRecord, ...]:
        (end,) = import_jobs(jobs.folder, tmp_path / out, ["dataset=example", *words], used_cache, **more)
        return end.records

    return loaded


@pytest.mark.usefixtures("used_cache")
def test_an_imported_run_stands_beside_others(
    jobs: Jobs,
    judge: Judge,
    task: Task,
    example_tasks: dict[str, Task],
    graft: Graft,
    tmp_path: Path,
    run_example: Runner,
) -> None:
    noted = replace(judge(task, "gold"), changed_files=("src/Makefile",))
    jobs.add(task.id, noted, files={"agent/trajectory.json": json.dumps(TRAJECTORY)})
    jobs.add(OTHER, judge(example_tasks[OTHER], "stub"), cost=0.0)  # the agent knows no price
    run = tmp_path / "run"
    out = succeed(graft, "import", "harbor", jobs.folder, run, "dataset=example")
    assert out.startswith("mini-swe-agent passes 50.0 % of 2 tasks")
    good, bad = sorted(read_finished_records(run), key=lambda record: not record.passed)
    assert (good.arm, good.task_id, good.graft.verdict.outcome) == (AGENT, task.id, Outcome.PASSED)
    assert (good.graft.exact_match, good.official.exact_match, good.graft.execution) == (True, True, "")
    assert (bad.task_id, bad.graft.verdict.outcome) == (OTHER, Outcome.TESTS_FAILED)
    assert (good.usage.prompt_tokens, good.usage.completion_tokens, good.usage.cost) == (300, 120, 0.05)
    assert bad.usage.cost is None
    assert (good.usage.calls, good.usage.model_seconds) == (2, 60.0)
    assert [entry.tokens for entry in good.rounds] == [120, 230]
    trail = read_story(run, AGENT, task.id).trajectory
    assert [message.role for message in trail.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert [entry.response.reasoning for entry in trail.rounds] == ["It must be near.", ""]
    (use,) = trail.rounds[0].uses
    assert (use.name, use.arguments, use.chars) == ("bash", '{"command": "cat map.c"}', 26)
    assert (trail.candidate.code or "").strip() == task.gold.strip()

    story = succeed(graft, "show", run, task.id)
    assert "cat map.c" in story
    assert "the same text" in story
    assert "src/Makefile was changed" in story
    none = run_example(model="stub", tasks=[task.id, OTHER], out="none").run
    compared = succeed(graft, "compare", run, none)
    assert compared.startswith(f"{AGENT} passes 50.0 % of 2 tasks, 50.0 points more than none")
    assert MODEL in succeed(graft, "leaderboard", run, none)
    succeed(graft, "export", run, "--out", tmp_path / "samples.csv")
    with (tmp_path / "samples.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = {(row["arm"], row["task"], row["outcome"]) for row in rows}
    assert found == {(AGENT, task.id, "passed"), (AGENT, OTHER, "tests_failed")}
    assert "exists already" in refuse(graft, "import", "harbor", jobs.folder, run, "dataset=example")


def test_every_trial_has_its_outcome(jobs: Jobs, judge: Judge, task: Task, load: Load) -> None:
    passed, failed = judge(task, "gold"), judge(task, "stub")
    ended = failed.record.graft
    verdict = replace(ended.verdict, outcome=Outcome.NO_ANSWER, reason="the answer is empty")
    silent = replace(failed, answer="", record=replace(failed.record, graft=replace(ended, verdict=verdict)))
    wanted = [
        (Outcome.INFRA_ERROR, "Harbor: EnvironmentStartTimeoutError: i", {"error": "EnvironmentStartTimeoutError"}),
        (Outcome.INFRA_ERROR, "Harbor: ValueError: it broke", {"error": "ValueError", "began": False}),
        (Outcome.INFRA_ERROR, "Harbor: RewardFileNotFoundError", {"error": "RewardFileNotFoundError"}),
        (Outcome.INFRA_ERROR, "Harbor: CancelledError", {"error": "CancelledError"}),
        (Outcome.INFRA_ERROR, "its verifier left no verdict.json", {}),
        (Outcome.INFRA_ERROR, "its verifier ran where the agent", {"verdict": passed, "mode": "shared"}),
        (Outcome.INFRA_ERROR, "it has no result.json", {"whole": False}),
        (Outcome.MODEL_ERROR, "Harbor: ApiRateLimitError", {"error": "ApiRateLimitError", "verdict": failed}),
        (Outcome.MODEL_ERROR, "Harbor: NonZeroAgentExitCodeError", {"error": "NonZeroAgentExitCodeError"}),
        (Outcome.TIMEOUT, "the agent's time was over", {"error": "AgentTimeoutError"}),
        (Outcome.TIMEOUT, "the agent's time was over", {"error": "AgentTimeoutError", "verdict": silent}),
        (Outcome.TESTS_FAILED, "", {"error": "AgentTimeoutError", "verdict": failed}),
        (Outcome.PASSED, "", {"error": "ApiRateLimitError", "verdict": passed}),
        (Outcome.NO_ANSWER, "refused: ", {"error": "AgentSafetyRefusalError"}),
        (Outcome.NO_ANSWER, "", {"verdict": silent}),
    ]  # fmt: skip
    for _, _, trial in wanted:
        jobs.add(task.id, **trial)
    records = sorted(load(jobs), key=lambda record: record.sample)
    found = [(record.graft.verdict.outcome, record.graft.verdict.reason) for record in records]
    # A trial that Harbor was stopped in has no time: it comes last.
    wanted.sort(key=lambda one: not one[2].get("whole", True))
    for (outcome, reason), (expected, begins, trial) in zip(found, wanted, strict=True):
        assert (outcome, reason.startswith(begins)) == (expected, True), (trial, outcome, reason)


def test_unknown_tasks_are_named(jobs: Jobs, judge: Judge, task: Task, load: Load, tmp_path: Path) -> None:
    jobs.add("of-another-set")
    with pytest.raises(UserError, match="no trial is of a task of the data set example"):
        load(jobs)
    jobs.add(task.id, judge(task, "gold"))
    assert len(load(jobs)) == 1
    (line,) = read_manifest(tmp_path / "run").left_out
    assert line == "graft/example-of-another-set: 1 trials left out (no such task in example)"
    with pytest.raises(UserError, match="no trial of Harbor's lies there"):
        import_jobs(tmp_path / "run", tmp_path / "other", [], tmp_path)


def test_what_an_agent_wrote_is_no_trial_and_no_way_out(
    jobs: Jobs, judge: Judge, task: Task, load: Load, tmp_path: Path
) -> None:
    """A forged trial in the agent's own folder, a trajectory that is a link to a file of the host, one that is no
    trajectory."""
    forged = {"agent/config.json": json.dumps({"trial_name": "x"}), "agent/verifier/verdict.json": "{}"}
    place = jobs.add(task.id, judge(task, "stub"), files=forged)
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps(TRAJECTORY))
    (place / "agent" / "trajectory.json").symlink_to(secret)
    jobs.add(task.id, judge(task, "stub"), files={"agent/trajectory.json": '{"steps": [{"source": 3}]}'})
    records = load(jobs)
    assert [record.graft.verdict.outcome for record in records] == [Outcome.TESTS_FAILED] * 2
    assert [read_story(tmp_path / "run", AGENT, task.id, n).trajectory.messages for n in (0, 1)] == [(), ()]


def test_agents_and_variants_have_a_run_each(
    jobs: Jobs, judge: Judge, task: Task, used_cache: Path, variant: VariantRecord, tmp_path: Path
) -> None:
    renamed = replace(judge(task, "gold"), variant=str(variant.spec))
    jobs.add(task.id, judge(task, "gold"), agent="oracle")
    jobs.add(task.id, renamed)
    jobs.add(task.id, judge(task, "stub"))
    ends = import_jobs(jobs.folder, tmp_path / "runs", ["dataset=example"], used_cache)
    name = "mini-swe-agent-openai-some-model"
    found = {end.run.name: (end.records[0].passed, read_manifest(end.run).config["variant"]) for end in ends}
    by_variant = f"{name}-renamed-style-nonsense-seed-1"
    assert found == {"oracle": (True, None), by_variant: (True, str(variant.spec)), name: (False, None)}
    run = tmp_path / "runs" / by_variant
    facts = read_manifest(run).repos["example"].variant
    assert facts is not None and facts.digest == variant.digest
    assert read_variant_record(record_path_in_run(run, "example")) == variant
    jobs.add(task.id, replace(renamed, map_digest="another"))
    with pytest.raises(ConfigError, match=r"judged in other names than renamed:style=nonsense,seed=1 has here"):
        import_jobs(jobs.folder, tmp_path / "others", ["dataset=example"], used_cache)


def test_what_an_agent_left_in_two_files_is_one_answer(pair: Task, example_root: Path, tmp_path: Path) -> None:
    for hole in pair.target.holes:
        text = f"// ```\n{(example_root / hole.path).read_text()}"
        write_files(tmp_path, {f"artifacts/graft/src/{hole.path}": text})
    model = make_model_holding_trial_answer(Trial(tmp_path, TrialResult(), True), pair)
    found = extract_functions(model.text or "", pair.target)
    assert list_missing_functions(found.code, pair.target) == ()


@pytest.mark.bwrap
def test_answers_are_judged_anew(jobs: Jobs, judge: Judge, task: Task, bwrap_cache: Path, tmp_path: Path) -> None:
    """The verifier's words have no say: an answer, files that Harbor brought out, one as the agent found it, and an
    answer that passed before its provider failed."""
    passed, failed = judge(task, "gold"), judge(task, "stub")
    jobs.add(task.id, replace(failed, answer=passed.answer), files={"agent/trajectory.json": json.dumps(TRAJECTORY)})
    jobs.add(task.id, error="VerifierTimeoutError", files={"artifacts/answer.c": failed.answer.split("```c\n")[1]})
    source = (EXAMPLE / task.target.path).read_text()
    hidden = source.replace(task.gold[task.gold.index("{") :].rstrip(), PLACEHOLDER.decode())
    jobs.add(task.id, files={f"artifacts/graft/src/{task.target.path}": source})
    jobs.add(task.id, files={f"artifacts/graft/src/{task.target.path}": hidden})
    jobs.add(task.id, passed, error="ApiOverloadedError")
    words = ["dataset=example", "sandbox=bwrap"]
    (end,) = import_jobs(jobs.folder, tmp_path / "run", words, bwrap_cache, regrade=True)
    records = sorted(end.records, key=lambda record: record.sample)
    assert [record.graft.verdict.outcome for record in records] == [
        Outcome.PASSED, Outcome.TESTS_FAILED, Outcome.PASSED, Outcome.NO_ANSWER, Outcome.PASSED,
    ]  # fmt: skip
    assert all(record.graft.execution for record in records[:3])
    assert (records[0].usage.cost, records[0].arm) == (0.05, AGENT)
    assert len(read_story(end.run, AGENT, task.id).trajectory.messages) == 5
