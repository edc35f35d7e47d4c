"""Harbor's own agents, real code, on ten tasks of the example, with a scripted model on loopback.

    python -m benchmarks.record benchmarks/records/harbor_agents.json -- \\
        python -m benchmarks.experiments.harbor.agent_trials --harbor VENV --work DIR

VENV holds `harbor` 0.25 (Python 3.12). The model writes the true body in every other task, else a stub that compiles.
For each agent: trials, those that ended without an exception, those whose reward is right, those that `graft import
harbor` gave the right outcome, and those that came with turns and tokens. Exit status 1 when one of the counts is
short.

Containers have no network here. What Harbor would install in them (mini-swe-agent by uv, tmux by apt) is made ready
below DIR and mounted, with commands that only have to be there (uv, curl, git) as empty scripts. mini-swe-agent calls
the model from its container: its copies of the tasks say `network_mode: host` where the export says `none`. terminus-2
calls it from the host.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.costs import run_graft
from benchmarks.experiments.harbor.commands import call_harbor, export_tasks, read_rewards
from benchmarks.experiments.harbor.scripted_sessions import DATASET, Session, plan_sessions, write_script
from executor.cache import cache_root
from executor.values import Outcome
from experiments.demo.scripted_server import start_server
from experiments.run.records import SampleRecord, Story, locate_story, read_finished_records, read_json_file

MINI, TERMINUS = "mini-swe-agent", "terminus-2"
MINI_VERSION = "2.4.6"
_TASKS = 10
TMUX_PACKAGES = ("tmux", "libevent-core-2.1-7", "libutempter0")
COMPOSE = "environment/docker-compose.yaml"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--harbor", type=Path, required=True, help="an environment with Harbor")
    parser.add_argument("--work", type=Path, required=True, help="a folder for tasks, tools and jobs")
    args = parser.parse_args()
    work = args.work.absolute()
    sessions = plan_sessions(_TASKS, cache_root())
    ids = ",".join(session.task for session in sessions)
    tasks = export_tasks(work / "tasks", "--dataset", DATASET, "--tasks", ids)
    rows: list[dict[str, object]] = []
    for agent in (MINI, TERMINUS):
        mounts = mount_mini(args.harbor, work) if agent == MINI else mount_tmux(work)
        own = copy_with_network(tasks, work / "tasks-host") if agent == MINI else tasks
        jobs, run = work / "jobs" / agent, work / "runs" / agent
        for old in (jobs, run):
            shutil.rmtree(old, ignore_errors=True)
        with start_server(write_script(sessions)) as server:
            run_agent(args.harbor, own, agent, server.base_url, mounts, jobs)
        run_graft("import", "harbor", str(jobs), str(run))
        rows.append({"agent": agent, **count_trials(jobs, run, agent, sessions)})
        sys.stderr.write(f"{rows[-1]}\n")
    sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    counts = ("trials", "ended", "rewards right", "imported", "with trajectory")
    return int(any(row[name] != len(sessions) for row in rows for name in counts))


def copy_with_network(tasks: Path, out: Path) -> Path:
    """The tasks with the host's network for the agent's container."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(tasks, out)
    for file in out.glob(f"*/{COMPOSE}"):
        file.write_text(file.read_text().replace("network_mode: none", "network_mode: host"))
    return out


def mount_mini(harbor: Path, work: Path) -> list[dict[str, object]]:
    """An environment with mini-swe-agent, and the Python that it and Harbor's own stand on."""
    venv, python = work / "mini", str(harbor / "bin" / "python")
    if not (venv / "bin" / MINI).exists():
        subprocess.run([python, "-m", "venv", "--clear", str(venv)], check=True)
        wanted = f"{MINI}=={MINI_VERSION}"
        subprocess.run([str(venv / "bin" / "pip"), "install", "-q", wanted], stdout=sys.stderr, check=True)
    base = subprocess.run([python, "-c", "import sys; print(sys.base_prefix)"], stdout=subprocess.PIPE, check=True)
    scripts = dict.fromkeys(("uv", "curl", "git"), "exit 0")
    scripts[MINI] = f'LITELLM_LOCAL_MODEL_COST_MAP=True exec {venv}/bin/{MINI} "$@"'
    return [*mount_scripts(work / "mini-bin", scripts), *mount_in_place(venv, Path(base.stdout.decode().strip()))]


def mount_tmux(work: Path) -> list[dict[str, object]]:
    """tmux and what the base image lacks for it, from Debian's packages."""
    place = work / "tmux"
    if not (place / "usr/bin/tmux").exists():
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", *TMUX_PACKAGES], cwd=place, stdout=sys.stderr, check=True)
        for package in place.glob("*.deb"):
            subprocess.run(["dpkg", "-x", str(package), str(place)], check=True)
    libraries = ":".join(str(folder) for folder in place.glob("usr/lib/*-linux-gnu"))
    script = f'LD_LIBRARY_PATH={libraries} exec {place}/usr/bin/tmux "$@"'
    return [*mount_scripts(work / "tmux-bin", {"tmux": script}), *mount_in_place(place)]


def mount_scripts(folder: Path, scripts: Mapping[str, str]) -> list[dict[str, object]]:
    """Each script as a command of the container."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return [_mount(folder / name, f"/usr/local/bin/{name}") for name in scripts]


def mount_in_place(*folders: Path) -> list[dict[str, object]]:
    """Each folder at its own path."""
    return [_mount(folder, str(folder)) for folder in folders]


def _mount(source: Path, target: str) -> dict[str, object]:
    return {"type": "bind", "source": str(source), "target": target, "read_only": True}


def run_agent(
    harbor: Path, tasks: Path, agent: str, model_url: str, mounts: Sequence[Mapping[str, object]], jobs: Path
) -> None:
    """One trial a task, two at once; Harbor's own words lie beside the folder of jobs."""
    words = ["-m", "openai/scripted", "-n", "2", "--base-url", model_url, "--mounts", json.dumps(mounts)]
    if agent == TERMINUS:
        # Else it installs asciinema.
        words += ["--ak", "record_terminal_session=false"]
    jobs.mkdir(parents=True)
    call_harbor(harbor, tasks, agent, jobs, jobs.with_suffix(".log"), *words, key="none")


def count_trials(jobs: Path, run: Path, agent: str, sessions: Sequence[Session]) -> dict[str, int]:
    """What Harbor's results and the imported run say of the trials."""
    results = [json.loads(path.read_text()) for path in sorted(jobs.glob("*/*/result.json"))]
    rewards = {result["task_name"].rpartition("/")[2]: read_rewards(result) for result in results}
    own = {session.task: rewards.get(f"{DATASET}-{session.task}", {}) for session in sessions}
    records = {record.task_id: record for record in read_finished_records(run)}
    stories = {task: read_json_file(Story, locate_story(run, agent, task, 0)) for task in records}
    return {
        "trials": len(results),
        "ended": sum(bool(result["finished_at"]) and not result["exception_info"] for result in results),
        "rewards right": sum(own[session.task].get("reward") == session.is_right for session in sessions),
        "imported": sum(has_right_outcome(records.get(session.task), session) for session in sessions),
        "with trajectory": sum(
            story.trajectory.usage.calls > len(session.commands) and records[session.task].usage.prompt_tokens > 0
            for session in sessions
            if (story := stories.get(session.task))
        ),
    }


def has_right_outcome(record: SampleRecord | None, session: Session) -> bool:
    wanted = Outcome.PASSED if session.is_right else Outcome.TESTS_FAILED
    return record is not None and record.graft.verdict.outcome is wanted


if __name__ == "__main__":
    sys.exit(main())
