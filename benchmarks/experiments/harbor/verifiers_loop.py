"""An evaluation loop of verifiers over four exported tasks, with a scripted model on loopback.

    python -m benchmarks.record benchmarks/records/verifiers_loop.json -- \\
        python -m benchmarks.experiments.harbor.verifiers_loop --harbor VENV --work DIR

VENV holds `verifiers` 0.4 and `harbor` 0.25. Tasks are exported with `--network public` to the folder in which
verifiers keeps data sets of Harbor, below a home of its own, and run by `vf-eval harbor` with its mini-swe-agent and
its Docker runtime: an agent's container and a verifier's container a task, as they are, on one machine. The model
writes the true body for every other task, else a stub that compiles. Exit status 1 where a reward isn't what it has to
be, or the verifier's other values aren't there as metrics.

verifiers starts containers on the engine's own network `bridge`, and installs its agent in them by uv. Here the engine
has no such network (`dockerd --bridge=none`) and no way out: a `docker` in front of the real one names a network of
the same kind instead, and mounts into the agent's container what `agent_trials` has made ready.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiments.harbor.agent_trials import mount_in_place, mount_scripts, prepare_mini
from benchmarks.experiments.harbor.commands import export_tasks
from benchmarks.experiments.harbor.scripted_sessions import DATASET, Session, plan_sessions, write_script
from executor.cache import cache_root
from experiments.demo.scripted_server import start_server

NAME, NETWORK = "graft-example", "graft-verifiers-loop"
# The values of reward.json beside the reward.
PARTS = {"built", "suites", "control", "plus", "exact", "flags", "noted"}
_SETTINGS = """model = "scripted"
max_concurrent = 2
output_dir = "{out}"
[client]
base_url = "{url}"
api_key_var = "NO_KEY"
[env.taskset]
id = "harbor"
dataset = "{name}"
[env.agent.harness]
id = "mini_swe_agent"
env = {{ LITELLM_LOCAL_MODEL_COST_MAP = "True" }}  # else it asks the network for prices
[env.agent.runtime]
type = "docker"
"""
# Takes the place of `docker`: NETWORK instead of the engine's bridge, and MOUNTS for an agent's container.
_ENGINE = """#!{python}
import os, sys
argv = sys.argv[1:]
if argv[:1] == ["run"] and "bridge" in argv:
    at = argv.index("bridge")
    is_agent = any(word.startswith("graft-agent:") for word in argv)
    argv[at : at + 1] = [{network!r}, *({mounts!r} if is_agent else [])]
os.execv({docker!r}, ["docker", *argv])
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--harbor", type=Path, required=True, help="an environment with verifiers and Harbor")
    parser.add_argument("--work", type=Path, required=True, help="a folder for tasks, tools and traces")
    parser.add_argument("--tasks", type=int, default=4)
    args = parser.parse_args()
    work = args.work.absolute()
    sessions = plan_sessions(args.tasks, cache_root())
    home = work / "home"
    ids = ",".join(session.task for session in sessions)
    place = home / ".cache" / "harbor" / NAME
    export_tasks(place, "--dataset", DATASET, "--tasks", ids, "--network", "public")
    write_engine(args.harbor, work)
    shutil.rmtree(work / "traces", ignore_errors=True)
    subprocess.run(["docker", "network", "create", NETWORK], stdout=subprocess.DEVNULL, check=True)
    try:
        with start_server(write_script(sessions)) as server:
            run_loop(args.harbor, server.base_url, home, work)
            calls, unfit = server.log.count, sum(served.status != 200 for served in server.log.requests)
    finally:
        subprocess.run(["docker", "network", "rm", NETWORK], stdout=subprocess.DEVNULL, check=False)
    row = {"model calls": calls, "refused calls": unfit, **count_traces(work / "traces", sessions)}
    sys.stdout.write(json.dumps(row, indent=1) + "\n")
    return int(any(row[name] != len(sessions) for name in ("tasks", "ended", "rewards right", "with metrics")))


def write_engine(harbor: Path, work: Path) -> None:
    """The `docker` of the loop, and the `uv` in the agent's container, which finds all installed."""
    venv, base = prepare_mini(harbor, work)
    answer = f'case "$*" in *--help*) echo --script;; "python find"*) echo {venv}/bin/python;; esac'
    mounts = [*mount_scripts(work / "uv-bin", {"uv": answer}), *mount_in_place(venv, base)]
    volumes = [word for mount in mounts for word in ("--volume", f"{mount['source']}:{mount['target']}:ro")]
    engine = work / "engine" / "docker"
    engine.parent.mkdir(parents=True, exist_ok=True)
    docker = shutil.which("docker")
    engine.write_text(_ENGINE.format(python=sys.executable, network=NETWORK, mounts=volumes, docker=docker))
    engine.chmod(0o755)


def run_loop(harbor: Path, model_url: str, home: Path, work: Path) -> None:
    """verifiers' own command; what it says lies beside the traces."""
    settings = work / "loop.toml"
    settings.write_text(_SETTINGS.format(name=NAME, url=model_url, out=work / "traces"))
    argv = [str(harbor / "bin" / "vf-eval"), "@", str(settings), "--no-rich", "--no-push"]
    path = f"{work / 'engine'}:{os.environ['PATH']}"
    environment = {**os.environ, "HOME": str(home), "PATH": path, "NO_KEY": "none"}
    with (work / "traces.log").open("wb") as log:
        subprocess.run(argv, cwd=work, stdout=log, stderr=subprocess.STDOUT, env=environment, check=False)


def count_traces(traces: Path, sessions: Sequence[Session]) -> dict[str, int]:
    """What the traces say of rewards and metrics: an episode a line, each with the trace of its one agent."""
    lines = [line for file in traces.glob("*/traces.jsonl") for line in file.read_text().splitlines()]
    episodes = [json.loads(line) for line in lines]
    found = {episode["task"]["data"]["name"]: trace for episode in episodes for trace in episode["traces"]}
    own = {session.task: found.get(f"graft/example-{session.task}", {}) for session in sessions}
    return {
        "tasks": len(lines),
        "ended": sum(bool(trace.get("ok")) for trace in own.values()),
        "right bodies": sum(session.is_right for session in sessions),
        "rewards right": sum(read_reward(own[session.task]) == session.is_right for session in sessions),
        "with metrics": sum(trace.get("metrics", {}).keys() >= PARTS for trace in own.values()),
    }


def read_reward(trace: Mapping[str, Any]) -> float | None:
    """The reward that training would take."""
    given = trace.get("rewards", {}).get("reward")
    return given["score"] * given["weight"] if given else None


if __name__ == "__main__":
    sys.exit(main())
