"""What a run is made of: written before its first sample, and compared when the run is resumed."""

from __future__ import annotations

import contextlib
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from agent.prompts import PromptSet
from experiments.files import write_atomically
from experiments.run.config import RunConfig
from experiments.run.records import dumps, loads
from experiments.run.validity import RepoHealth, repo_health
from experiments.run.workspace import Workspace
from index.errors import ConfigError
from index.plugins import plugin_distributions
from index.strict import did_you_mean

MANIFEST = "manifest.json"
LIBRARIES = (
    "graft", "litellm", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp", "numpy", "pydantic", "docker",
    "faiss-cpu", "sentence-transformers", "torch",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RepoFacts:
    commit: str
    origin: str
    notes: tuple[str, ...]
    image: str
    suites: tuple[str, ...]
    expected_tests: int
    health: RepoHealth | None = None


@dataclass(frozen=True, slots=True)
class RunManifest:
    """`identity` is the part of the configuration that must stay the same when the run is resumed; `tasks` are the ids
    chosen so far; `prompts` are pairs of file and SHA-256; `graft_commit` is "" outside a checkout and ends in
    `+changes` when files were edited."""

    created: str
    identity: Mapping[str, Any]
    config: Mapping[str, Any]
    dataset: str
    dataset_version: str
    tasks: tuple[str, ...]
    repos: Mapping[str, RepoFacts]
    left_out: tuple[str, ...]
    sandbox: str
    sandbox_reason: str
    prompts: tuple[tuple[str, str], ...]
    versions: Mapping[str, str]
    graft_commit: str
    machine: str
    task_notes: Mapping[str, tuple[str, ...]]


def make_manifest(config: RunConfig, space: Workspace, prompts: PromptSet) -> RunManifest:
    first = space.tasks[0]
    return RunManifest(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        identity=config.identity(),
        config=config.model_dump(mode="json"),
        dataset=config.dataset,
        dataset_version=first.dataset_version,
        tasks=tuple(task.id for task in space.tasks),
        repos={
            name: RepoFacts(
                commit=repo.source.commit,
                origin=repo.source.origin,
                notes=repo.source.notes,
                image=repo.image.key,
                suites=tuple(repo.image.expected.suites),
                expected_tests=sum(sum(tests.values()) for tests in repo.image.expected.suites.values()),
                health=repo_health(repo.health),
            )
            for name, repo in space.repos.items()
        },
        left_out=tuple(space.left_out),
        sandbox=space.sandbox.backend.name,
        sandbox_reason=space.sandbox.reason,
        prompts=tuple(prompts.digests()),
        versions=_versions(),
        graft_commit=_own_commit(),
        machine=f"{platform.machine()} {platform.system()} {platform.release()}",
        task_notes={task.id: task.notes for task in space.tasks if task.notes},
    )


def read_manifest(run: Path) -> RunManifest:
    """Raises ConfigError when `run` isn't a run folder."""
    path = run / MANIFEST
    if not path.is_file():
        known = (
            [child.name for child in run.parent.iterdir() if (child / MANIFEST).is_file()]
            if run.parent.is_dir()
            else []
        )
        raise ConfigError(f"{run}: not a run folder (it has no {MANIFEST}){did_you_mean(run.name, known)}")
    return loads(RunManifest, path.read_bytes(), path)


def keep_manifest(run: Path, manifest: RunManifest) -> None:
    """Write the manifest, or compare it with the one that is there. Raises ConfigError that names what differs."""
    if (run / MANIFEST).is_file():
        old = read_manifest(run)
        _refuse_other(run, old, manifest)
        tasks = tuple(dict.fromkeys((*old.tasks, *manifest.tasks)))
        manifest = replace(
            manifest,
            created=old.created,
            tasks=tasks,
            repos={**old.repos, **manifest.repos},
            task_notes={**old.task_notes, **manifest.task_notes},
        )
    write_atomically(run / MANIFEST, dumps(manifest, indent=1))


def _refuse_other(run: Path, old: RunManifest, new: RunManifest) -> None:
    differing = [
        f"{key} was {old.identity.get(key)!r}, is {new.identity.get(key)!r}"
        for key in dict.fromkeys((*old.identity, *new.identity))
        if old.identity.get(key) != new.identity.get(key)
    ]
    if old.sandbox != new.sandbox:
        differing.append(f"sandbox was {old.sandbox}, is {new.sandbox}")
    if old.prompts != new.prompts:
        differing.append("the prompts' texts changed")
    for name in set(old.repos) & set(new.repos):
        if old.repos[name].image != new.repos[name].image:
            differing.append(f"the image of {name} was {old.repos[name].image}, is {new.repos[name].image}")
    if differing:
        raise ConfigError(f"{run}: it holds another run: {'; '.join(differing)}; name another folder with out=")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in (*LIBRARIES, *plugin_distributions()):
        # Extras needn't be installed.
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _own_commit() -> str:
    """The commit of the checkout that this code is in; "" when it was installed otherwise."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return ""
    try:
        head = _git(root, "rev-parse", "HEAD")
        return head + ("+changes" if _git(root, "status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(("git", "-C", str(root), *words), capture_output=True, text=True, timeout=20, check=True)
    return done.stdout.strip()
