"""A made-up run of full width, to time what reads runs: 200 tasks x 5 arms x 3 samples by default.

Tasks, golds and oracle texts are YABLoCo's own, so ids, lengths and levels are real; what the model answered, what the
compiler and the tests said, and what it all cost are drawn by chance. The folder holds all that a run's does, but
responses.sqlite; with `bare` the manifest and the journal alone, in which from the 20th sample on a task's samples are
the first ones again, with executions of their own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agent.values import Candidate, Message, ModelResponse, Round, ToolUse, Trajectory, Usage
from executor.tasks.datasets import load_rows
from executor.tasks.task_row import TaskRow
from executor.values import Level, Outcome, Step, SuiteRun, TestResult, TestRun, TestStatus, Tier, Verdict
from experiments.run.config import RunConfig
from experiments.run.manifest import MANIFEST, RepoFacts, RunManifest
from experiments.run.records import (
    JOURNAL,
    Execution,
    SampleRecord,
    Scored,
    Story,
    encode_json_value,
    locate_story,
    name_execution_folder,
)
from experiments.run.sample_facts import AuditFacts, CalleeFacts, Recitation
from experiments.run.sampling.executions import RECORD, sum_build_cpu_s
from experiments.run.sampling.rounds import list_round_costs
from experiments.run.validity import RepoHealth
from index.values import Diagnostic
from retrieval.values import Context, DroppedSnippet, Snippet

# Name -> how much it helps (log-odds), how many answers at most, and whether it has tools.
ARMS = {
    "none": (-1.2, 1, False),
    "lexical": (-0.2, 1, False),
    "oracle": (0.4, 1, False),
    "oracle+compile": (1.1, 4, False),
    "agentic": (0.2, 6, True),
}
BUDGET = 6000
_TESTS = 40
_DISTINCT = 20
_LOG_LINES = 60


def make_big_run(
    folder: Path,
    tasks: int = 200,
    samples: int = 3,
    seed: int = 0,
    model: str = "openai/made-up",
    dataset: str = "yabloco",
    *,
    bare: bool = False,
) -> int:
    """Write the run to `folder`, which must not exist. `bare`: the manifest and the journal alone. Returns how many
    samples it has."""
    rows = sorted(load_rows(dataset), key=lambda row: (row.repository == "llvm", row.repository))[:tasks]
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    pool = [item.text for row in rows for item in row.oracle if item.text.strip()]
    with (folder / JOURNAL).open("wb") as journal:
        for row in rows:
            ease = chance.gauss(0, 1.5)
            for arm in ARMS:
                context = _make_context(arm, row, pool, chance)
                first = []
                for sample in range(min(samples, _DISTINCT) if bare else samples):
                    first.append(_make_sample(None if bare else folder, arm, row, sample, ease, context, chance))
                lines = [encode_json_value(record) + b"\n" for record in first]
                journal.writelines(lines)
                journal.writelines(
                    _repeat_sample(first[n % len(first)], lines[n % len(first)], n) for n in range(len(first), samples)
                )
    (folder / MANIFEST).write_bytes(encode_json_value(_make_manifest(rows, samples, model, dataset), indent=1))
    return len(rows) * len(ARMS) * samples


def _repeat_sample(record: SampleRecord, line: bytes, sample: int) -> bytes:
    """The record's line as another sample's, with an execution of its own."""
    if ran := record.graft.execution:
        line = line.replace(ran.encode(), f"{ran[:-5]}{sample:05x}".encode())
    return renumber_record(line, record, sample)


def renumber_record(line: bytes, record: SampleRecord, sample: int) -> bytes:
    """The record's line with another number."""
    return line.replace(b'"sample": %d, "repo"' % record.sample, b'"sample": %d, "repo"' % sample, 1)


def _make_manifest(rows: Sequence[TaskRow], samples: int, model: str, dataset: str) -> RunManifest:
    repos = tuple(dict.fromkeys(row.repository for row in rows))
    config = RunConfig(
        model=model, dataset=dataset, repos=repos, arms=tuple(ARMS), samples=samples, context_tokens=BUDGET
    )
    return RunManifest(
        created="2026-11-23T00:00:00+00:00",
        identity=config.select_keys_fixed_on_resume(),
        config=config.model_dump(mode="json"),
        dataset=config.dataset,
        dataset_version=rows[0].dataset_version,
        tasks=tuple(row.id for row in rows),
        repos={
            name: RepoFacts("0" * 40, "", (), f"{name}-made-up", ("unit",), _TESTS, _make_health(rows))
            for name in repos
        },
        left_out=(),
        sandbox="bwrap",
        sandbox_reason="made up",
        prompts=(),
        versions={},
        graft_commit="",
        machine="none: a made-up run",
        task_notes={},
        planned={arm: dict.fromkeys((row.id for row in rows), samples) for arm in ARMS},
        places={row.id: (row.repository, row.level.value) for row in rows},
        isolated=True,
    )


def _make_health(rows: Sequence[TaskRow]) -> RepoHealth:
    health = {row.id: "weak" if number % 9 == 4 else "valid" for number, row in enumerate(rows)}
    reasons = {task: "made up: every stub passes" for task, found in health.items() if found == "weak"}
    return RepoHealth("2026-11-22", "bwrap", health, reasons)


def _make_context(arm: str, row: TaskRow, pool: Sequence[str], chance: random.Random) -> Context:
    """The oracle's texts for an oracle arm; for the others some of them, among texts of other tasks."""
    if arm in ("none", "agentic"):
        return Context((), 0, BUDGET, ())
    own = [item.text for item in row.oracle]
    if arm == "lexical":
        own = [text for text in own if chance.random() < 0.5] + chance.choices(pool, k=40)
    snippets, dropped, spent = [], [], 0
    for number, text in enumerate(own):
        tokens = len(text) // 4
        title = (text.strip().splitlines() or ["?"])[0][:60]
        if spent + tokens > BUDGET:
            dropped.append(DroppedSnippet(title, tokens, "over the budget"))
            continue
        spent += tokens
        snippets.append(Snippet(title, f"src/part{number % 7}.c", None, text, arm.removesuffix("+compile")))
    return Context(tuple(snippets), spent, BUDGET, tuple(dropped))


def _make_sample(
    folder: Path | None, arm: str, row: TaskRow, sample: int, ease: float, context: Context, chance: random.Random
) -> SampleRecord:
    help_, rounds, tools = ARMS[arm]
    passes = chance.random() < 1 / (1 + math.exp(-(ease + help_)))
    outcome = (
        Outcome.PASSED
        if passes
        else chance.choices(
            (Outcome.TESTS_FAILED, Outcome.BUILD_FAILED, Outcome.TIMEOUT, Outcome.NO_ANSWER, Outcome.MODEL_ERROR),
            (40, 48, 3, 8, 1),
        )[0]
    )
    if chance.random() < 0.002:
        outcome = Outcome.INFRA_ERROR
    gold = row.dataset_gold or f"{row.target.signature}\n{{\n}}\n"
    code = gold if passes and chance.random() < 0.1 else _change_gold(gold, chance)
    answered = outcome not in (Outcome.NO_ANSWER, Outcome.MODEL_ERROR, Outcome.INFRA_ERROR)
    story = _make_story(
        arm, row, context, code if answered else None, chance.randint(1, rounds), tools, outcome, chance
    )
    if folder is not None:
        path = locate_story(folder, arm, row.id, sample)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_json_value(story, indent=1))
    name, run = _make_execution(folder, row, code, outcome, chance) if answered else ("", TestRun((), (), ()))
    built = outcome in (Outcome.PASSED, Outcome.TESTS_FAILED, Outcome.TIMEOUT)
    tier = Tier.TESTS if built else Tier.CHECK if answered else Tier.ANSWER
    failed = ("unit: made up 3",) if outcome is Outcome.TESTS_FAILED else ()
    reason = "" if passes else f"{tier.value}: made up"
    flags = ("calls exit",) if chance.random() < 0.01 else ()
    verdict = Verdict(outcome, tier, built, reason, _TESTS - len(failed) if built else 0, failed, (), flags)
    scored = Scored(verdict, code == gold and answered, name)
    official = replace(scored, verdict=replace(verdict, flags=()))
    # A data set's folder may have no oracle.
    callees = len(row.oracle) or (0 if row.level is Level.NONE else 2)
    needed = tuple(f"callee_{number}" for number in range(callees))
    shown = (
        needed if "oracle" in arm else tuple(n for n in needed if chance.random() < (0.6 if context.tokens else 0.1))
    )
    used = needed if passes else tuple(n for n in shown if chance.random() < 0.8)
    trajectory = story.trajectory
    return SampleRecord(
        arm=arm,
        task_id=row.id,
        sample=sample,
        repo=row.repository,
        level=row.level.value,
        graft=scored,
        official=official,
        edit_similarity=1.0 if code == gold else chance.uniform(0.3, 0.95) if answered else 0.0,
        usage=trajectory.usage,
        test_s=sum(suite.step.wall_s for suite in run.suites),
        build_cpu_s=sum_build_cpu_s(run) if answered else None,
        context_tokens=context.tokens,
        dropped=len(context.dropped),
        clones=0,
        infra_retries=0,
        rounds=list_round_costs(trajectory),
        callees=CalleeFacts(needed, shown, used, (), known=bool(needed)),
        audit=AuditFacts("honest", 1.0, 3.0) if passes else AuditFacts(),
        confinement="full" if built else "",
        recitation=Recitation(100, chance.randint(5, 40) if answered else None),
    )


def _change_gold(gold: str, chance: random.Random) -> str:
    """The gold with about a tenth of its lines changed, as an answer that is nearly right."""
    lines = gold.splitlines()
    return "\n".join(f"{line} /* {chance.randint(0, 9999)} */" if chance.random() < 0.1 else line for line in lines)


def _make_story(
    arm: str,
    row: TaskRow,
    context: Context,
    code: str | None,
    answers: int,
    tools: bool,
    outcome: Outcome,
    chance: random.Random,
) -> Story:
    shown = "\n\n".join(snippet.text for snippet in context.snippets)
    messages = [
        Message("system", "You write one function of a C or C++ repository."),
        Message("user", f"{shown}\n\nWrite this function:\n\n/* {row.target.docstring} */\n{row.target.signature}"),
    ]
    rounds = []
    for number in range(1, answers + 1):
        last = number == answers
        text = f"Here it is:\n\n```c\n{code}\n```\n" if code is not None else "I can't write this function."
        response = ModelResponse(
            text,
            "",
            "stop",
            sum(len(m.content) for m in messages) // 4,
            len(text) // 4,
            0.002,
            "{}",
            chance.uniform(1, 9),
        )
        message = Diagnostic("error", f"'made_up_{number}' undeclared", row.path, 3, 5, in_candidate=True)
        fails = not last or outcome is Outcome.BUILD_FAILED
        checked = "compile" in arm and code is not None
        diagnostics = (message,) if checked and fails else () if checked else None
        uses = (
            (ToolUse("search", '{"query": "made up"}', False, 812, 0.02, ("helper (src/part1.c)",)),) if tools else ()
        )
        candidate = Candidate(code, "" if code else "no code in the answer", "whole function" if code else "")
        rounds.append(Round(response, candidate, diagnostics, 0.4 if diagnostics is not None else 0.0, (), uses))
        messages.append(Message("assistant", text))
        if not last:
            messages.append(Message("user", f"{row.path}:3: error: {message.message}\nCorrect the function."))
    usage = Usage(
        calls=answers,
        prompt_tokens=sum(entry.response.prompt_tokens for entry in rounds),
        completion_tokens=sum(entry.response.completion_tokens for entry in rounds),
        cost=sum(entry.response.cost or 0.0 for entry in rounds),
        model_seconds=sum(entry.response.seconds for entry in rounds),
        compiles=sum(entry.diagnostics is not None for entry in rounds),
        compile_seconds=sum(entry.check_seconds for entry in rounds),
    )
    error = "made up: 503" if outcome is Outcome.MODEL_ERROR else ""
    trajectory = Trajectory(tuple(messages), tuple(rounds), rounds[-1].candidate, usage, error, "answered")
    return Story(context, (), trajectory)


def _make_execution(
    folder: Path | None, row: TaskRow, code: str, outcome: Outcome, chance: random.Random
) -> tuple[str, TestRun]:
    fails = outcome is Outcome.BUILD_FAILED

    def make_step(name: str, tier: Tier, status: int | None) -> Step:
        wall = chance.uniform(0.1, 3)
        return Step(name, tier, (name,), "/src", status, status is None, False, False, wall, wall * 0.9, f"{name}.log")

    late = outcome is Outcome.TIMEOUT
    tests = tuple(
        TestResult(f"made up {number}", TestStatus.FAILED if number == 3 and not late else TestStatus.PASSED)
        for number in range(_TESTS)
    )
    suite = SuiteRun("unit", make_step("unit", Tier.TESTS, None if late else 0), tests)
    check = (make_step("check", Tier.CHECK, 1 if fails else 0),)
    build = () if fails else (make_step("build", Tier.BUILD, 0),)
    run = TestRun(check, build, () if fails else (suite,), confinement="" if fails else "full")
    name = name_execution_folder(row.id, f"{row.repository}-made-up", ("unit",), code)
    if folder is not None and not (place := folder / name).is_dir():
        place.mkdir(parents=True)
        (place / "candidate.txt").write_text(code, encoding="utf-8", errors="surrogateescape")
        (place / RECORD).write_bytes(
            encode_json_value(
                Execution(row.id, row.repository, f"{row.repository}-made-up", code, ("unit",), run, 0), indent=1
            )
        )
        for ran in (*check, *build, *(suite.step for suite in run.suites)):
            lines = [f"{ran.name}: line {number} of a made-up log" for number in range(_LOG_LINES)]
            (place / ran.log).write_text("\n".join(lines) + "\n")
    return name, run
