"""Real trials of exported tasks under Harbor: the true bodies, nothing written, and an agent that attacks.

    python -m benchmarks.record benchmarks/records/harbor_trials.json -- \\
        python -m benchmarks.experiments.harbor.trials --harbor VENV --work DIR

VENV holds `harbor` 0.25 (Python 3.12). Tasks are exported below DIR by `graft tasks export --to harbor`; a job that
is there whole is read again, so that the same command continues. Harbor's own oracle agent plays the attacks too: each
is the solution script of a copy of one task. Exit status 1 where a reward isn't what it has to be.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import statistics
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.experiments.harbor.commands import (
    REPOSITORIES,
    call_harbor,
    export_repository,
    read_exported_tasks,
    read_rewards,
)
from executor.sandbox.docker.engine import open_client

# What each agent's trials must be given.
REWARDS = {"oracle": 1.0, "nop": 0.0, "attacks": 0.0}
ATTACKS = Path(__file__).with_name("attacks.sh")
# By repository: the task that is attacked, by the names that the attacks have for it.
ATTACKED: Mapping[str, Mapping[str, str]] = {
    "example": {
        "task": "text-trim",
        "path": "src/core/text.c",
        "name": "text_trim",
        "header": "INV_API char *text_trim(char *text)",
        "arguments": "(text)",
        "wrong": "return text;",
    },
    "redis": {
        "task": "2EFBDA204288D7E9",
        "path": "src/util.c",
        "name": "string2d",
        "header": "int string2d(const char *s, size_t slen, double *dp)",
        "arguments": "(s, slen, dp)",
        "wrong": "return 0;",
    },
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--harbor", type=Path, required=True, help="an environment with Harbor")
    parser.add_argument("--work", type=Path, required=True, help="a folder for tasks and jobs")
    parser.add_argument("--agents", default="oracle,nop,attacks")
    parser.add_argument("--trials", type=int, default=2, help="how many at once")
    args = parser.parse_args()
    rows: list[dict[str, object]] = []
    for repo in REPOSITORIES:
        tasks = export_repository(repo, args.work)
        own_kb = measure_own_kb(tasks)
        for agent in args.agents.split(","):
            if agent == "attacks":
                attacks = write_attacks(tasks, repo, args.work / f"attacks-{repo}")
                job = run_job(args.harbor, attacks, "oracle", args.work, args.trials)
            else:
                job = run_job(args.harbor, tasks, agent, args.work, args.trials)
            rows.append({"repository": repo, "agent": agent, "own_kb": own_kb, **summarize_job(job, REWARDS[agent])})
            sys.stderr.write(f"{rows[-1]}\n")
    sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    return int(any(row["other"] or (row["errors"] and row["agent"] != "attacks") for row in rows))


def measure_own_kb(tasks: Path) -> float:
    """What an agent's image takes on disk beside what it shares with the others, in kB, the mean."""
    names = {file["environment"]["docker_image"] for file in read_exported_tasks(tasks)}
    with open_client() as client:
        images = client.api.df()["Images"]
    own = [image["Size"] - image["SharedSize"] for image in images if names & set(image["RepoTags"] or ())]
    return round(statistics.mean(own) / 1000, 1)


def write_attacks(tasks: Path, repo: str, out: Path) -> Path:
    """Copies of the attacked task's folder below `out`, each with one attack as its solution. Returns `out`."""
    shutil.rmtree(out, ignore_errors=True)
    facts = ATTACKED[repo]
    task = tasks / f"{repo}-{facts['task']}"
    settings = "".join(f"{key}={shlex.quote(value)}\n" for key, value in facts.items())
    text = settings + ATTACKS.read_text()
    for name in re.findall(r"(?m)^attack_(\w+)\(\)", text):
        folder = out / name.replace("_", "-")
        shutil.copytree(task, folder)
        (folder / "solution" / "solve.sh").write_text(f"#!/bin/bash\n{text}\nattack_{name}\n")
        file = folder / "task.toml"
        file.write_text(re.sub(r'(?m)^name = "graft/.*"$', f'name = "graft/{folder.name}"', file.read_text(), count=1))
    return out


def run_job(harbor: Path, tasks: Path, agent: str, work: Path, trials: int) -> Path:
    """The folder of a job with one trial a task. It is run unless it is there whole."""
    name = f"{tasks.name}-{agent}"
    job = work / "jobs" / name
    if len(read_results(job)) == len(list(tasks.iterdir())):
        return job
    shutil.rmtree(job, ignore_errors=True)
    log = work / f"{name}.log"
    call_harbor(harbor, tasks, agent, job.parent, log, "--job-name", name, "-n", str(trials))
    return job


def read_results(job: Path) -> list[Mapping[str, Any]]:
    """What Harbor wrote of each trial that ended."""
    found = [json.loads(path.read_text()) for path in sorted(job.glob("*/result.json"))]
    return [result for result in found if result.get("finished_at")]


def summarize_job(job: Path, wanted: float) -> dict[str, object]:
    """How many trials have the wanted reward, another one, or ended as an error; seconds, medians."""
    results = read_results(job)
    rewards = [read_rewards(result) for result in results]
    given = [reward["reward"] for reward in rewards if reward]
    return {
        "trials": len(results),
        "as wanted": given.count(wanted),
        "other": len(given) - given.count(wanted),
        "errors": len(results) - len(given),
        "ready_s": measure_median_s(results, "environment_setup"),
        "verifier_s": measure_median_s(results, "verifier"),
    }


def measure_median_s(results: Sequence[Mapping[str, Any]], part: str) -> float | None:
    """Of a part of each trial, in seconds by the clock."""
    read_time = datetime.fromisoformat
    spans = [result[part] for result in results if result.get(part) and result[part].get("finished_at")]
    seconds = [(read_time(span["finished_at"]) - read_time(span["started_at"])).total_seconds() for span in spans]
    return round(statistics.median(seconds), 1) if seconds else None


if __name__ == "__main__":
    sys.exit(main())
