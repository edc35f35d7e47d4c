"""Writes tasks as folders that Harbor loads, and makes the images that they name."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2

from executor.manifest.variant.renamed_tasks import SHOWN_NAME
from executor.sandbox.contract import ROOT
from executor.values import Level, Task
from experiments.harbor.agent_image import AGENT, COMPILE, LIST_CHANGED, TEST, ensure_agent_image
from experiments.harbor.verifier_image import VERIFIER, ensure_verifier_image
from experiments.run.config import RunConfig
from experiments.run.resolve import resolve_config_parts
from experiments.run.workspace import Repo, build_and_open_index, prepare_workspace, read_tasks
from index.errors import ConfigError
from index.hiding.holes import PLACEHOLDER
from index.progress import SILENT, Progress

_DIFFICULTY = {
    Level.NONE: "easy", Level.STDLIB: "easy", Level.FILE: "medium", Level.PACKAGE: "medium", Level.PROJECT: "hard",
}  # fmt: skip
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
        repo.built.finish_measuring()
    for name, repo in space.repos.items():
        tasks = [task for task in chosen if task.target.repo == name]
        index = build_and_open_index(repo.source, cache, progress)
        views = {task.id: index.hide(task.target, "strict") for task in tasks}
        shown = {task.id: views[task.id].cut_files_that_have_holes() for task in tasks}
        own = {task.id: {hole.path: shown[task.id][hole.path] for hole in task.target.holes} for task in tasks}
        plain = [task for task in originals.tasks if task.id in own]
        tree = originals.sources[name].tree
        verifier = ensure_verifier_image(repo, tree, plain, own, space.sandbox.backend, cache, prefix)
        with progress.open_count("tasks", len(tasks)) as advance:
            for task in tasks:
                agent = ensure_agent_image(
                    repo.image, task, views[task.id], repo.list_suites_answer_must_pass(task.id), prefix
                )
                folders.append(write_harbor_task(out, repo, task, settings, agent, verifier, config.dataset))
                advance()
    to_push = (f"{prefix}{AGENT}", f"{prefix}{VERIFIER}") if prefix else ()
    return HarborExport(tuple(folders), tuple(space.left_out), to_push)


def write_harbor_task(
    out: Path, repo: Repo, task: Task, settings: HarborSettings, agent_image: str, verifier_image: str, dataset: str
) -> Path:
    """Write one task's folder and return it. `dataset` names the data set, for `graft import harbor`."""
    place, holes = out / f"{task.target.repo}-{task.id}", task.target.holes
    suites = [*repo.list_judging_suites(task.id), *(suite.name for suite in repo.list_plus_tests_gold_passes(task.id))]
    values = {
        "task": task,
        "holes": holes,
        # What the agent reads in the repository's place: the name of a variant would tell which it is.
        "name": repo.recipe.display if repo.variant is None else f"a {SHOWN_NAME}",
        "root": ROOT,
        "mark": PLACEHOLDER.decode(),
        "compile": Path(COMPILE).name,
        "test": Path(TEST).name,
        "visible": settings.visible,
        "agent": agent_image,
        "verifier": verifier_image,
        "image": repo.image.key,
        "variant": "" if repo.variant is None else str(repo.variant.spec),
        "dataset": dataset,
        "difficulty": _DIFFICULTY[task.level],
        "artifacts": [*dict.fromkeys(f"{ROOT}/{hole.path}" for hole in holes), "/answer.c"],
        "hosts": [] if settings.network in _NETWORKS else settings.network.split(","),
        "collect": LIST_CHANGED,
        # As measured on the unmodified tree.
        "cpu_s": round(sum(repo.image.suite_cpu_s.get(name, 0.0) for name in suites), 2),
        "verifier_s": max(_LEAST_S, _RUNS * sum(repo.image.suite_seconds.get(name, 0.0) for name in suites)),
        # A unit may take 4 GiB to compile.
        "memory_mb": max(4096, _SPARE_MB + max(repo.recipe.find_suite(name).memory_mb for name in suites)),
    }
    golds = shlex.quote("\n\n".join(task.golds))
    texts = {
        "task.toml": _render_template("task.toml.j2", values),
        "instruction.md": _render_template("instruction.md.j2", values),
        # The true bodies, for Harbor's oracle agent alone.
        "solution/solve.sh": f"#!/bin/sh\nprintf '%s\\n' {golds} > /answer.c\n",
        "tests/docker-compose.yaml": _COMPOSE,
    }
    if settings.network == "none":
        texts["environment/docker-compose.yaml"] = _COMPOSE
    if settings.registry:
        # Where the environment builds, or is told to (--force-build); others pull the images that task.toml names.
        texts |= {"environment/Dockerfile": f"FROM {agent_image}\n", "tests/Dockerfile": f"FROM {verifier_image}\n"}
    for path, text in texts.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(text.encode("utf-8", "surrogateescape"))
    (place / "environment").mkdir(exist_ok=True)
    (place / "solution" / "solve.sh").chmod(0o755)
    return place


def _render_template(name: str, values: Mapping[str, object]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    # JSON's strings, numbers and lists of them are TOML's too.
    environment.filters["json"] = json.dumps
    return environment.get_template(name).render(values)
