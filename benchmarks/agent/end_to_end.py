"""Every arm, from the prompt to the verdict, on real tasks, with a scripted model behind real HTTP.

    .venv/bin/python -m benchmarks.agent.end_to_end redis=10 bullet3=10 --out FOLDER
    .venv/bin/python -m benchmarks.agent.end_to_end example=9 --out FOLDER --sandbox process

The model knows the golds. For every other task its first answer is the gold broken in one place
(benchmarks/executor/feedback/mutations.py, or a call of a function that doesn't exist), and the gold once it sees the
compiler's messages; for the rest the gold at once. In an arm with tools it calls every tool before it hands in. So
every verdict is known beforehand: the gold passes, the broken gold doesn't build, and an arm with `+compile` passes
all tasks. The tasks are spread evenly over the repository's. Also checked:

- records: they hold word for word what the server was sent.
- budget: no arm's context is larger than `context_tokens`.
- cause: the cause of a failed sample lies with the answer, never with Graft.

Printed for each arm: samples, how many built and passed, the mean size of the contexts, how many of the true
callees the model saw in prompts and tool results, calls and checks per sample, causes. Exit status 1 when anything
differs from what is known beforehand. The same command continues a run that was cut off.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from agent.values import Message
from benchmarks.executor.feedback.mutations import Known, breaks
from executor.cache import cache_root
from executor.doctor.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from executor.sandbox.choose import sandbox_names
from executor.tasks.load import load_rows, select
from executor.values import Outcome, Task
from experiments.arms.arm import arm_names, parse_arm
from experiments.consoles import log_to_stderr, say, stderr
from experiments.demo.scripted_server import RunningServer, Script, ScriptCall, ScriptRule, start_server
from experiments.progress import ConsoleProgress
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd, run_experiment
from experiments.run.records import SampleRecord, Story, loads, story_path
from experiments.run.sampling.attribution import FAILURES, cause_of
from experiments.run.workspace import bound_tasks
from index.errors import GraftError

# A run's folder belongs to one address of its model: the same port finds it again.
PORT = 8917
BROKEN = 2
"""Every so many tasks the first answer doesn't build."""
GOLDS_FAULT = ("didn't compile", "used wrongly", "never retrieved", "not used")


def main() -> int:
    options = _options()
    run = Path(options.out)
    config = _config(options, run)
    tasks = bound_tasks(config, cache_root()).tasks
    first = {task.id: _first(task, number % BROKEN == 1) for number, task in enumerate(tasks)}
    with start_server(Script(rules=tuple(_rules(tasks, first))), options.port) as server:
        # The answers are golds, whole or broken: that is what lets the example's run without isolation.
        end = run_experiment(config, cache_root(), ConsoleProgress(stderr()), trusted=options.sandbox == "process")
        faults = list(_faults(end, tasks, first, server, config.context_tokens))
    _table(end.records, config.arms)
    for line in faults[:20]:
        say(line)
    asked = server.log.count
    say(f"{len(end.records)} samples, {asked} requests in this stretch, {len(faults)} not as known beforehand")
    if end.stopped:
        say(f"stopped: {end.stopped}")
    return int(bool(faults) or bool(end.stopped))


def _config(options: argparse.Namespace, run: Path) -> RunConfig:
    wanted = {word.partition("=")[0]: int(word.partition("=")[2] or 10) for word in options.repo}
    dataset = "example" if "example" in wanted else "yabloco"
    rows = load_rows(dataset)
    ids: list[str] = []
    for repo, count in wanted.items():
        own = select(rows, repos=[repo])
        if options.quick:
            manifest = load_manifest(manifest_path(find_recipe(repo)))
            costs = {key: entry.cost_s for key, entry in manifest.tasks.items()} if manifest is not None else {}
            own = sorted(own, key=lambda row: costs.get(row.id, math.inf))[:count]
        ids += [own[number * len(own) // count].id for number in range(min(count, len(own)))]
    return RunConfig(
        dataset=dataset,
        model="openai/scripted",
        api_base=f"http://127.0.0.1:{options.port}/v1",
        arms=tuple(options.arm or arm_names()),
        tasks=tuple(ids),
        sandbox=options.sandbox,
        concurrency=options.jobs,
        test_jobs=options.jobs,
        out=run,
    )


def _first(task: Task, broken: bool) -> str:
    """The first answer: the gold, or the gold with a fault that a compiler must find."""
    gold = task.gold.rstrip()
    if not broken:
        return gold
    head, _, body = gold.partition("{")
    names = {name for name in re.findall(r"\b([A-Za-z_]\w*)\s*\(", body) if f"{name}(" in body}
    called = [item.name.rpartition("::")[2] for item in task.oracle if item.name.rpartition("::")[2] in names]
    if task.target.language == "c" and called:
        known = Known(frozenset(called), frozenset(), ())
        found = next(
            (broken for broken in breaks(gold, task.target.name, known, 1) if broken.way == "misspelt callee"), None
        )
        if found is not None:
            return found.code
    return f"{head}{{\n    no_such_function_of_this_tree(no_such_value);{body}"


def _rules(tasks: Sequence[Task], first: Mapping[str, str]) -> Iterator[ScriptRule]:
    for task in tasks:
        target, gold = task.target, task.gold.rstrip()
        asking = (f"^File: {re.escape(target.path)}$", f"^The function to write: {re.escape(target.name)}$")
        turns = [*_looks(task), (_submit(first[task.id]),)]
        for number, calls in enumerate(turns, 1):
            yield ScriptRule(all=asking, when_tools=True, turn=number, calls=calls)
        yield ScriptRule(all=asking, when_tools=True, calls=(_submit(gold),))
        fence = f"```{target.language}\n"
        yield ScriptRule(all=asking, turn=1, answer=f"{fence}{first[task.id]}\n```\n", reasoning="as the gold has it")
        yield ScriptRule(all=asking, answer=f"{fence}{gold}\n```\n")


def _looks(task: Task) -> Iterator[tuple[ScriptCall, ...]]:
    """Two turns that use every tool, with what an engineer would ask for this task."""
    target = task.target
    words = " ".join(target.docstring.split())[:200] or target.name
    callee = next((item.name for item in task.oracle if item.name), target.name)
    types = re.findall(r"\b([A-Za-z_]\w+)\s*[*&]", target.signature) or [target.name]
    asked: list[list[tuple[str, dict[str, object]]]] = [
        [
            ("search", {"query": target.name}),
            ("search", {"query": words, "by": "words"}),
            ("search", {"query": words, "by": "meaning"}),
            ("outline", {"path": target.path}),
        ],
        [
            ("read_symbol", {"name": callee}),
            ("definition", {"name": types[0]}),
            ("callers", {"name": target.name}),
            ("callees", {"name": callee}),
            ("functions_with_type", {"type": types[0]}),
            ("read_lines", {"path": target.path, "first": 1, "last": 60}),
        ],
    ]
    for turn in asked:
        yield tuple(ScriptCall(name=name, arguments=arguments) for name, arguments in turn)


def _submit(code: str) -> ScriptCall:
    return ScriptCall(name="submit", arguments={"code": code})


def _faults(
    end: RunEnd, tasks: Sequence[Task], first: Mapping[str, str], server: RunningServer, budget: int
) -> Iterator[str]:
    golds = {task.id: task.gold.rstrip() for task in tasks}
    written: set[str] = set()
    for record in end.records:
        name = f"{record.arm} {record.task_id}"
        builds = parse_arm(record.arm).compiles or first[record.task_id] == golds[record.task_id]
        outcome, expected = record.graft.verdict.outcome, Outcome.PASSED if builds else Outcome.BUILD_FAILED
        if outcome is not expected:
            yield f"{name}: {outcome.value}, not {expected.value}: {record.graft.verdict.reason}"
        elif outcome is not Outcome.PASSED and cause_of(record) not in GOLDS_FAULT:
            yield f"{name}: the cause is {cause_of(record)!r}"
        if record.context_tokens > budget:
            yield f"{name}: a context of {record.context_tokens} tokens"
        path = story_path(end.run, record.arm, record.task_id, record.sample)
        trail = loads(Story, path.read_bytes(), path).trajectory
        for messages in (trail.messages, *(draft.messages for draft in trail.drafts)):
            written |= set(_asked(messages))
    for served in server.log.requests:
        sent = [(message["role"], message["content"] or "") for message in json.loads(served.body)["messages"]]
        if json.dumps(sent) not in written:
            yield f"sent, and not written down: {served.body[:200]}"


def _asked(messages: Sequence[Message]) -> Iterator[str]:
    """What was sent before each answer."""
    for number, message in enumerate(messages):
        if message.role == "assistant":
            yield json.dumps([(before.role, before.content) for before in messages[:number]])


def _table(records: Sequence[SampleRecord], arms: Sequence[str]) -> None:
    say("| arm | samples | built | passed | context tokens | true callees seen | calls | checks | causes |")
    say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for arm in arms:
        some = [record for record in records if record.arm == arm]
        if not some:
            continue
        causes = Counter(cause_of(record) for record in some)
        listed_causes = ", ".join(f"{cause} {causes[cause]}" for cause in FAILURES if causes[cause])
        needed = sum(len(record.callees.needed) for record in some)
        seen = sum(len(record.callees.shown) for record in some)
        say(
            f"| {arm} | {len(some)} | {sum(record.graft.verdict.built for record in some)}"
            f" | {causes['passed']} | {mean(record.context_tokens for record in some):.0f}"
            f" | {seen} of {needed} | {mean(record.usage.calls for record in some):.1f}"
            f" | {mean(record.usage.compiles for record in some):.1f} | {listed_causes or '-'} |"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("repo", nargs="+", help="NAME=COUNT of tasks, as redis=10; example=9 is the embedded one")
    parser.add_argument("--out", type=Path, required=True, help="the run's folder")
    parser.add_argument("--arm", action="append", help="only this arm; may be said again")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="in place of an even spread the tasks that the manifest knows quick suites of",
    )
    parser.add_argument("--sandbox", default="auto", choices=sandbox_names())
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--port", type=int, default=PORT)
    return parser.parse_args()


if __name__ == "__main__":
    log_to_stderr()
    try:
        sys.exit(main())
    except GraftError as error:
        sys.exit(f"arms_end_to_end: {error}")
