"""Judges the same answers by the verifier's image and by `graft grade`, and forgeries by the image alone.

    python -m benchmarks.record benchmarks/records/harbor_answers.json -- \\
        python -m benchmarks.experiments.harbor.answers --work DIR

Tasks are those that `trials.py` exported below DIR. Each answer is judged in a fresh container, as Harbor leaves one
before it starts the tests. Answers are the true body, the same with a statement before it, shipped wrong bodies, a
stub, and a text that doesn't compile. Forgeries are those of `graft audit forge`: each of the library once, on a task
that it suits, and more as they are drawn. CPU seconds are those of the verifiers' containers, and those of `graft
grade` with its sandboxes' commands; the engine's own are in neither. Exit status 1 where verdicts differ, or a forgery
is rewarded.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.costs import read_children_cpu_seconds
from benchmarks.experiments.harbor.commands import export_repository, read_exported_tasks
from executor.cache import cache_root
from executor.function.definition import insert_statement_at_body_start
from executor.function.stub import make_stub
from executor.repository.recipe import find_recipe
from executor.values import Task
from experiments.harbor.verify import VerifierRecord
from experiments.run.config import RunConfig
from experiments.run.records import SampleRecord, decode_json_value, read_finished_records
from experiments.run.resolve import resolve_config_parts
from experiments.run.workspace import prepare_workspace, read_tasks
from lab.forgeries.forged_text import choose_driver_of_first_suite, compose_forgery, is_suited_to_task, load_forgeries
from lab.wrong.body_file import find_body_file, make_usable_bodies, read_body_entries

CPU_FILE = "/sys/fs/cgroup/cpuacct/cpuacct.usage"  # nanoseconds of a container, under cgroups of version 1
_WRONG_BODIES = 2
_SEED = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """A text handed in for a task; `number` tells it from others of the task."""

    task_id: str
    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What was said of an answer, None where there was no reward, and the CPU seconds that it took."""

    record: SampleRecord | None
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Judge:
    """The verifier's image, and how many containers run at once."""

    image: str
    workers: int

    def judge_answers(self, answers: Sequence[Answer]) -> list[Judged]:
        """What the image says of each."""
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(self._judge_answer, answers))

    def _judge_answer(self, answer: Answer) -> Judged:
        setting = f"GRAFT_TASK={answer.task_id}"
        name = _run("docker", "run", "-d", "--network", "none", "-e", setting, self.image, "sleep", "9999")
        try:
            _run("docker", "exec", name, "mkdir", "-p", "/logs/verifier", "/logs/artifacts")
            command = ["docker", "exec", "-i", name, "sh", "-c", "cat > /answer.c"]
            subprocess.run(command, input=answer.text.encode("utf-8", "surrogateescape"), check=True)
            done = subprocess.run(["docker", "exec", name, "/tests/test.sh"], stdout=sys.stderr, check=False)
            cpu_s = int(_run("docker", "exec", name, "cat", CPU_FILE)) / 1e9
            if done.returncode:
                return Judged(None, cpu_s)
            text = _run("docker", "exec", name, "cat", "/logs/verifier/verdict.json")
            return Judged(decode_json_value(VerifierRecord, text.encode(), name).record, cpu_s)
        finally:
            _run("docker", "rm", "-f", name)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--repos", default="example,redis")
    parser.add_argument("--answers", type=int, default=100, help="of each repository; 0: none")
    parser.add_argument("--forgeries", type=int, default=120, help="of each repository; 0: none")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    rows: list[dict[str, object]] = []
    for repo in args.repos.split(","):
        files = read_exported_tasks(export_repository(repo, args.work))
        ids = tuple(file["metadata"]["graft_task"] for file in files)
        config = RunConfig(dataset=files[0]["metadata"]["graft_dataset"], model="gold", tasks=ids, arms=("none",))
        judge = Judge(files[0]["verifier"]["environment"]["docker_image"], args.workers)
        drawn = random.Random(_SEED)
        row: dict[str, object] = {"repository": repo}
        if args.answers:
            row |= compare_verdicts(config, judge, repo, args.answers, args.work, drawn)
            sys.stderr.write(f"{row}\n")
        if args.forgeries:
            row |= judge_forgeries(config, judge, repo, args.forgeries, drawn)
        rows.append(row)
        sys.stderr.write(f"{row}\n")
    sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    return int(any(row.get("different") or row.get("forgeries rewarded") for row in rows))


def compare_verdicts(
    config: RunConfig, judge: Judge, repo: str, most: int, work: Path, drawn: random.Random
) -> dict[str, object]:
    """How many verdicts are equal, what they were, and what both ways cost."""
    tasks = read_tasks(config, cache_root()).tasks
    answers = [answer for task in tasks for answer in write_answers(task, repo)]
    drawn.shuffle(answers)
    answers = answers[:most]
    inside = judge.judge_answers(answers)
    outside = grade_answers(config, answers, repo, work, judge.workers)
    found = [(describe_verdict(a.record), describe_verdict(b.record)) for a, b in zip(inside, outside, strict=True)]
    pairs = zip(answers, found, strict=True)
    return {
        "answers": len(answers),
        "different": [[answer.task_id, answer.kind, *both] for answer, both in pairs if both[0] != both[1]],
        "kinds": Counter(answer.kind for answer in answers),
        "verifier_cpu_s": round(sum(judged.cpu_s for judged in inside) / len(answers), 2),
        "grade_cpu_s": round(sum(judged.cpu_s for judged in outside) / len(answers), 2),
    }


def write_answers(task: Task, repo: str) -> Iterator[Answer]:
    """Right, wrong and broken answers to a task of one function."""
    entries = read_body_entries(find_body_file(find_recipe(repo)))
    wrong = [body.text for body in make_usable_bodies(task, entries)][:_WRONG_BODIES]
    texts = [
        ("right", task.gold),
        ("rewritten", insert_statement_at_body_start(task.gold, "(void)0;")),
        *(("wrong", t) for t in wrong),
    ]
    texts += [("stub", make_stub(task.target, task.gold)), ("broken", task.gold[: task.gold.rindex("}")])]
    return (Answer(task.id, number, kind, text) for number, (kind, text) in enumerate(texts))


def grade_answers(config: RunConfig, answers: Sequence[Answer], repo: str, work: Path, workers: int) -> list[Judged]:
    """What `graft grade` says of the answers; each has the same share of its CPU seconds."""
    file, out = work / f"answers-{repo}.jsonl", work / f"graded-{repo}"
    lines = [{"task_id": answer.task_id, "sample": answer.number, "completion": answer.text} for answer in answers]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    shutil.rmtree(out, ignore_errors=True)
    words = [f"dataset={config.dataset}", "sandbox=docker", f"workers={workers}", f"out={out}"]
    command, before = [sys.executable, "-m", "graft", "grade", str(file), *words], read_children_cpu_seconds()
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    own = read_children_cpu_seconds() - before
    commands = re.search(r"(\d+) CPU-s: ", said)
    assert commands is not None, said
    cpu_s = (own + int(commands[1])) / len(answers)
    found = {(record.task_id, record.sample): record for record in read_finished_records(out)}
    return [Judged(found.get((answer.task_id, answer.number)), cpu_s) for answer in answers]


def describe_verdict(record: SampleRecord | None) -> str:
    """All that must agree: the outcome, its flags, the control run's and the plus tests' answer."""
    if record is None:
        return "none"
    verdict = record.graft.verdict
    parts = (verdict.outcome.value, *sorted(verdict.flags), record.audit.state, record.plus.partition(":")[0])
    return " ".join(filter(None, parts))


def judge_forgeries(config: RunConfig, judge: Judge, repo: str, most: int, drawn: random.Random) -> dict[str, object]:
    """How many forgeries were rewarded, and what became of the others."""
    space = prepare_workspace(resolve_config_parts(config), cache_root())
    made, tasks = space.repos[repo], list(space.tasks)
    cells: list[list[Answer]] = []
    for number, forgery in enumerate(load_forgeries()):
        drawn.shuffle(tasks)
        suites = {task.id: made.list_judging_suites(task.id) for task in tasks}
        suited = [
            task
            for task in tasks
            if is_suited_to_task(forgery, task, choose_driver_of_first_suite(made.image, suites[task.id]))
        ]
        cells.append(
            [Answer(t.id, number, forgery.name, compose_forgery(forgery, made.image, t, suites[t.id])) for t in suited]
        )
    longest = max(map(len, cells), default=0)
    answers = [cell[turn] for turn in range(longest) for cell in cells if turn < len(cell)][:most]
    records = [judged.record for judged in judge.judge_answers(answers)]
    found = [record.graft.verdict.outcome.value if record else "error" for record in records]
    passed = [answer for answer, outcome in zip(answers, found, strict=True) if outcome == "passed"]
    return {
        "forgeries": len(answers),
        "forgeries rewarded": [[answer.task_id, answer.kind] for answer in passed],
        "forgeries' outcomes": Counter(found),
    }


def _run(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
