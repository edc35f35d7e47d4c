"""The commands that trials call: Graft's, which exports tasks, and Harbor's."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.costs import run_graft

REPOSITORIES = {"example": ("--dataset", "example"), "redis": ("--repos", "redis", "--tasks", "valid")}


def call_harbor(harbor: Path, tasks: Path, agent: str, jobs: Path, log: Path, *words: str, key: str = "") -> None:
    """Run the agent on each task in Harbor's Docker environment; what Harbor says goes into `log`. `key`: of the
    model's provider."""
    argv = [str(harbor / "bin" / "harbor"), "run", "-p", str(tasks), "-a", agent, "--env", "docker", "-o", str(jobs)]
    # Else litellm asks the network for prices.
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", **({"OPENAI_API_KEY": key} if key else {})}
    with log.open("wb") as file:
        subprocess.run([*argv, *words], stdout=file, stderr=subprocess.STDOUT, env=environment, check=False)


def export_repository(repo: str, work: Path) -> Path:
    """The folder of a repository's tasks below `work`, as `export_tasks` makes it."""
    return export_tasks(work / f"tasks-{repo}", *REPOSITORIES[repo])


def read_exported_tasks(folder: Path) -> list[dict[str, Any]]:
    """The file of each task below a folder of exported tasks, by its path."""
    return [tomllib.loads(path.read_text()) for path in sorted(folder.glob("*/task.toml"))]


def read_rewards(result: Mapping[str, Any]) -> Mapping[str, float]:
    """The verifier's values in what Harbor wrote of a trial; none where it left none."""
    return (result.get("verifier_result") or {}).get("rewards") or {}


def export_tasks(out: Path, *words: str) -> Path:
    """The folder of the tasks that these words of `graft tasks export` choose. They are exported unless they are there
    whole. Raises CalledProcessError."""
    mark, wanted = out.with_name(f"{out.name}.words"), " ".join(words)
    if not mark.is_file() or mark.read_text() != wanted:
        mark.unlink(missing_ok=True)
        shutil.rmtree(out, ignore_errors=True)
        run_graft("tasks", "export", "--to", "harbor", *words, str(out))
        mark.write_text(wanted)
    return out
