"""Writes tasks as folders that Harbor loads, and makes the images that they name."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import jinja2

from executor.manifest.variant.renamed_tasks import SHOWN_NAME
from executor.sandbox.contract import ROOT
from executor.values import Level, Task
from experiments.harbor.agent_image import AGENT, COMPILE, LIST_CHANGED, TEST, ensure_agent_image
from experiments.harbor.task_file import (
    HarborAgent,
    HarborCollect,
    HarborEnvironment,
    HarborPackage,
    HarborTask,
    HarborVerifier,
)
from experiments.harbor.verifier_image import VERIFIER, ensure_verifier_image
from experiments.indexing.derived_parts import PARTS
from experiments.run.config import RunConfig
from experiments.run.resolve import resolve_config_parts
from experiments.run.workspace import Repo, prepare_workspace, read_tasks
from index.build import build_index
from index.errors import ConfigError
from index.hiding.holes import PLACEHOLDER
from index.progress import SILENT, Progress
from index.repo_index import open_index

_DIFFICULTY = {
    Level.NONE: "easy", Level.STDLIB: "easy", Level.FILE: "medium", Level.PACKAGE: "medium", Level.PROJECT: "hard",
}  # fmt: skip
_AGENT_S = 3600.0
# A verdict runs the suites, and of a passing answer each again with other functions broken, up to nine times in all.
_RUNS = 12
_LEAST_S = 900.0
_SPARE_MB = 1024
_NETWORKS = ("none", "public")
_COMPOSE = "services:\n  main:\n    network_mode: none\n    pids_limit: 4096\n    stop_grace_period: 1s\n"


@dataclass(frozen=True, slots=True)
class HarborSettings:
    """`network`: none, public, or the hosts that the agent may reach, separated by commas. `visible`: the agent may
    run tests of the repository. `registry`: what begins the images' names, "" for this engine alone. `holes`: only
    tasks of so many functions."""

    network: str = "none"
    visible: bool = True
    registry: str = ""
    holes: int | None = None


@dataclass(frozen=True, slots=True)
class HarborExport:
    """The folders that were written, a line for each repository or task that was left out, and what is to be pushed:
    the names of images without their tags."""

    folders: tuple[Path, ...]
    left_out: tuple[str, ...]
    to_push: tuple[str, ...] = ()


def export_harbor_tasks(
    config: RunConfig, settings: HarborSettings, out: Path, cache: Path, progress: Progress = SILENT
) -> HarborExport:
    """Write the tasks that the configuration asks for below the new folder `out`. Raises UserError for a mistake, for
    images that can't be made, and for a folder that holds something."""
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out}: exists and isn't empty; name another folder")
    folders: list[Path] = []
    space = prepare_workspace(resolve_config_parts(config), cache, progress)
    chosen = [task for task in space.tasks if settings.holes in (None, len(task.target.holes))]
    if not chosen:
        raise ConfigError(
            f"--holes {settings.holes}: none of the {len(space.tasks)} chosen tasks has so many functions"
        )
    prefix = f"{settings.registry.rstrip('/')}/" if settings.registry else ""
    # A variant's verifier renames the original's tasks, as a run on a variant does.
    originals = read_tasks(config.model_copy(update={"variant": None}), cache)
    for repo in space.repos.values():
        # What a verdict costs is written into each task.
        repo.finish_measuring()
    for name, repo in space.repos.items():
        tasks = [task for task in chosen if task.target.repo == name]
        folder = cache / "indexes" / repo.source.root.name
        build_index(repo.source.root, folder, progress=progress, afterwards=PARTS)
        index = open_index(folder, repo.source.root)
        views = {task.id: index.hide(task.target, "strict") for task in tasks}
        shown = {task.id: views[task.id].read_files_with_holes_cut() for task in tasks}
        own = {task.id: {hole.path: shown[task.id][hole.path] for hole in task.target.holes} for task in tasks}
        plain = [task for task in originals.tasks if task.id in own]
        tree = originals.sources[name].tree
        verifier = ensure_verifier_image(repo, tree, plain, own, space.sandbox.backend, cache, prefix)
        with progress.open_count("tasks", len(tasks)) as advance:
            for task in tasks:
                agent = ensure_agent_image(repo.image, task, views[task.id], repo.chosen_suites_for(task.id), prefix)
                folders.append(write_harbor_task(out, repo, task, settings, agent, verifier, config.dataset))
                advance()
    to_push = (f"{prefix}{AGENT}", f"{prefix}{VERIFIER}") if prefix else ()
    return HarborExport(tuple(folders), tuple(space.left_out), to_push)


def write_harbor_task(
    out: Path, repo: Repo, task: Task, settings: HarborSettings, agent: str, verifier: str, dataset: str
) -> Path:
    """Write one task's folder and return it. `dataset` names the data set, for `graft import harbor`."""
    place = out / f"{task.target.repo}-{task.id}"
    texts = {
        "task.toml": make_task_file(repo, task, settings, agent, verifier, dataset).to_toml(),
        "instruction.md": write_instruction(task, name_repository_for_agent(repo), visible=settings.visible),
        "solution/solve.sh": write_solution(task),
        "tests/docker-compose.yaml": _COMPOSE,
    }
    if settings.network == "none":
        texts["environment/docker-compose.yaml"] = _COMPOSE
    if settings.registry:
        # Where the environment builds, or is told to (--force-build); others pull the images that task.toml names.
        texts |= {"environment/Dockerfile": f"FROM {agent}\n", "tests/Dockerfile": f"FROM {verifier}\n"}
    for path, text in texts.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(text.encode("utf-8", "surrogateescape"))
    (place / "environment").mkdir(exist_ok=True)
    (place / "solution" / "solve.sh").chmod(0o755)
    return place


def make_task_file(
    repo: Repo, task: Task, settings: HarborSettings, agent: str, verifier: str, dataset: str
) -> HarborTask:
    """The task's `task.toml`, with what was measured on the unmodified tree."""
    suites = [*repo.suites_for(task.id), *(suite.name for suite in repo.plus_for(task.id))]
    seconds = sum(repo.image.suite_seconds.get(name, 0.0) for name in suites)
    cpu = sum(repo.image.suite_cpu_s.get(name, 0.0) for name in suites)
    memory = max(repo.recipe.find_suite(name).memory_mb for name in suites) + _SPARE_MB
    # A unit may take this much to compile.
    memory = max(memory, 4096)
    hosts = () if settings.network in _NETWORKS else tuple(settings.network.split(","))
    tags = (task.target.language, task.target.repo, f"callees-{task.level.value}")
    return HarborTask(
        schema_version="1.4",
        artifacts=(*dict.fromkeys(f"{ROOT}/{hole.path}" for hole in task.target.holes), "/answer.c"),
        task=HarborPackage(
            name=f"graft/{task.target.repo}-{task.id}".lower(),
            version="1",
            description=f"Write {', '.join(hole.name for hole in task.target.holes)} of"
            f" {name_repository_for_agent(repo)}",
            keywords=tags,
        ),
        metadata={
            "difficulty": _DIFFICULTY[task.level],
            "category": "function-writing",
            "tags": tags,
            "graft_task": task.id,
            "graft_dataset": dataset,
            "graft_dataset_version": task.dataset_version,
            "graft_variant": "" if repo.variant is None else str(repo.variant.spec),
            "graft_image": repo.image.key,
            "suites_cpu_sec": round(cpu, 2),
        },
        agent=HarborAgent(timeout_sec=_AGENT_S),
        environment=HarborEnvironment(
            docker_image=agent,
            network_mode="allowlist" if hosts else "public",
            allowed_hosts=hosts or None,
            workdir=ROOT,
            cpus=2,
            memory_mb=memory,
        ),
        verifier=HarborVerifier(
            environment_mode="separate",
            timeout_sec=max(_LEAST_S, _RUNS * seconds),
            env={"GRAFT_TASK": task.id},
            environment=HarborEnvironment(
                docker_image=verifier, network_mode="public", workdir="/", cpus=2, memory_mb=memory
            ),
            collect=(HarborCollect(command=LIST_CHANGED, timeout_sec=60.0),),
        ),
    )


def name_repository_for_agent(repo: Repo) -> str:
    """What the agent reads in the repository's place: the name of a variant would tell which it is."""
    return repo.recipe.display if repo.variant is None else f"a {SHOWN_NAME}"


def write_instruction(task: Task, name: str, *, visible: bool) -> str:
    """What the agent reads."""
    source = files("experiments.harbor").joinpath("instruction.md.j2").read_text(encoding="utf-8")
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True).from_string(source)
    return template.render(
        holes=task.target.holes, name=name, root=ROOT, mark=PLACEHOLDER.decode(),
        compile=Path(COMPILE).name, test=Path(TEST).name, visible=visible,
    )  # fmt: skip


def write_solution(task: Task) -> str:
    """The script that writes the true bodies, for Harbor's oracle agent alone."""
    text = "\n\n".join(task.golds)
    return f"#!/bin/sh\nprintf '%s\\n' {shlex.quote(text)} > /answer.c\n"
