"""The image that judges: the built tree, and beside it, for root alone, Graft with what it knows of the repository.

In it `graft grade` runs as it does here, with the same tasks, image, baseline and confinement, so that a verdict there
is a verdict here. All tasks of a repository share one image; a variable names the task.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from executor.cache import short_digest
from executor.confine.install import compile_launcher_once
from executor.confine.learn import read_or_learn_policies
from executor.manifest.variant.record import RECORD, variant_folder
from executor.repository.images import image_folder
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree, locate_tree_record
from executor.sandbox.contract import ROOT, Backend
from executor.sandbox.docker.engine import find_image_id
from executor.sandbox.docker.image_maker import ImageMaker, open_image_maker
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.tasks.task_folders import write_task_folder
from executor.threads import map_in_threads_as_completed
from executor.values import Task
from experiments.harbor.verifier_sandbox import HOME, KEY_FILE, MARKER, PRISTINE, VARIANT_FILE
from experiments.run.workspace import Repo
from index.errors import SandboxError

VERIFIER = "graft-verifier"
# In a wheel and in a checkout our packages lie side by side.
_CODE = Path(__file__).resolve().parents[2]
_PACKAGES = ("agent", "executor", "experiments", "index", "retrieval")
# What grading imports; a real trial in the tests finds what is missing here.
_LIBRARIES = (
    "pydantic", "pyyaml", "numpy", "google-re2", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp", "rapidfuzz",
    "zstandard", "jinja2",
)  # fmt: skip
_SKIP = ("__pycache__", "data", "tests", "py.typed")
_TEST = f"""#!/bin/sh
umask 077
cd {HOME} && exec env -i PATH="$PATH" HOME={HOME} TMPDIR={HOME}/tmp LANG=C.UTF-8 GRAFT_TASK="$GRAFT_TASK" \\
    GRAFT_VARIANT="$(cat {VARIANT_FILE})" GRAFT_CACHE={HOME}/cache GRAFT_RECIPES={HOME}/code/recipes \\
    OMP_NUM_THREADS=1 PYTHONPATH={HOME}/code:{HOME}/libraries python3 -m experiments.harbor.verify
"""
_FINISH = f"""
set -e
rm -rf {ROOT}/.graft/confine; cp -a {ROOT} {PRISTINE}; mkdir -p {HOME}/tmp
# An agent may leave no file; then the repository's own mustn't be taken for its answer.
for path; do rm -f -- "{ROOT}/$path"; done
python3 -m compileall -q {HOME}/code {HOME}/libraries > /dev/null || true
chown -R 0:0 {HOME}/code {HOME}/libraries {HOME}/cache {HOME}/tasks /tests; chmod 700 {HOME}; chmod -R go-rwx /tests
touch {MARKER}
"""


def ensure_verifier_image(
    repo: Repo, original: SourceTree, tasks: Sequence[Task], agent_files: Mapping[str, Mapping[str, bytes]],
    backend: Backend, cache: Path, prefix: str,
) -> str:  # fmt: skip
    """The name of the image that judges these tasks of the repository, made unless it is there. Of a variant the tasks
    are those of the tree `original`, and the verifier renames them. `agent_files`: by task, the files of its functions
    as the agent finds them. What confinement has to know is learnt first. Raises SandboxError."""
    image, recipe = repo.image, repo.recipe
    _learn_suite_confinement_policies(repo, tasks, backend)
    known = image_folder(cache, backend, image.key)
    spec = "" if repo.variant is None else str(repo.variant.spec)
    roots = list(dict.fromkeys((original.root, repo.source.root)))
    records = [locate_tree_record(root) for root in roots]
    if repo.variant is not None:
        records.append(variant_folder(cache, original, repo.variant.spec) / RECORD)
    parts = {
        "code": _digest_folders_without_skipped_files([_CODE / name for name in _PACKAGES]),
        "recipe": _digest_folders_without_skipped_files([recipe.folder]),
        "known": _digest_folders_without_skipped_files([known]),
        "records": [path.read_text(encoding="utf-8") for path in records],
        "tasks": [(task.id, task.gold, {p: d.decode("latin-1") for p, d in agent_files[task.id].items()})
                  for task in tasks],
    }  # fmt: skip
    name = f"{prefix}{VERIFIER}:{recipe.name}-{short_digest({'image': image.key, **parts})}"
    if find_image_id(name) is not None:
        return name
    with open_image_maker(f"graft/warm:{image.key}") as maker:
        _require_same_python(maker)
        for package in _PACKAGES:
            maker.put_folder(_CODE / package, f"{HOME}/code/{package}", _SKIP)
        for path in list_distribution_and_dependency_paths(_LIBRARIES):
            maker.put_folder(path, f"{HOME}/libraries/{path.name}", _SKIP)
        _copy_recipe_and_sources_into_image(maker, recipe)
        for path in (*records, *roots):
            maker.put_folder(path, f"{HOME}/cache/{path.relative_to(cache)}", (".git",))
        logs_and_locks = [path.name for path in known.iterdir() if path.suffix in (".log", ".lock")]
        maker.put_folder(known, f"{HOME}/cache/images/meta/docker/{image.key}", logs_and_locks)
        if (cache / "plus-controls").is_dir():
            maker.put_folder(cache / "plus-controls", f"{HOME}/cache/plus-controls")
        with tempfile.TemporaryDirectory() as scratch:
            for task in tasks:
                write_task_folder(task, Path(scratch))
            maker.put_folder(Path(scratch), f"{HOME}/tasks")
        holes = {f"{HOME}/holes/{task}/{path}": d for task, files in agent_files.items() for path, d in files.items()}
        maker.put_files({**holes, str(KEY_FILE): image.key.encode(), str(VARIANT_FILE): spec.encode()}, mode=0o600)
        maker.put_files({"/tests/test.sh": _TEST.encode()}, mode=0o700)
        maker.run_script(_FINISH, *sorted({path for files in agent_files.values() for path in files}))
        maker.keep_image(name, "/", {"graft.image": image.key})
    return name


def _learn_suite_confinement_policies(repo: Repo, tasks: Sequence[Task], backend: Backend) -> None:
    """What the suites' programs need is learnt here, where a suite can run in a session of its own."""
    names = {name for task in tasks for name in repo.list_judging_and_plus_confining_suites(task.id)}
    compile_launcher_once(repo.image, backend)
    workers = find_concurrent_command_limit(backend)
    for _ in map_in_threads_as_completed(
        lambda name: read_or_learn_policies(repo.image, backend, [name]), sorted(names), workers
    ):
        pass


def _require_same_python(maker: ImageMaker) -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    there = maker.run_script("python3 -c \"import sys; print(*sys.version_info[:2], sep='.')\" 2> /dev/null || true")
    if there.strip() != here:
        raise SandboxError(
            f"the verifier runs Graft on the image's own Python, which must be {here} as here; it is"
            f" {there.strip() or 'missing'}: add python3 to the recipe's base, or run Graft on that Python"
        )


def _copy_recipe_and_sources_into_image(maker: ImageMaker, recipe: Recipe) -> None:
    """The recipe's folder, and where it names a folder of sources, that too, at the same place relative to it."""
    maker.put_folder(recipe.folder, f"{HOME}/code/recipes/{recipe.name}", _SKIP)
    if recipe.source.directory is not None:
        folder = (recipe.folder / recipe.source.directory).resolve()
        place = posixpath.normpath(f"{HOME}/code/recipes/{recipe.name}/{recipe.source.directory}")
        maker.put_folder(folder, place, ("__pycache__",))


def list_distribution_and_dependency_paths(names: Sequence[str]) -> list[Path]:
    """The top-level files and folders of installed distributions and of all that they need."""
    found: dict[Path, None] = {}
    waiting, seen = list(names), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            there: Distribution = distribution(name)
        except PackageNotFoundError:
            if name in names:
                raise SandboxError(f"the verifier needs the Python package {name}, which isn't installed") from None
            continue
        for need in there.requires or ():
            if "extra ==" not in need:
                waiting.append(re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0])
        tops = {Path(path.parts[0]) for path in there.files or () if path.parts[0] not in ("..", "__pycache__")}
        found |= dict.fromkeys(Path(str(there.locate_file(top))) for top in sorted(tops))
    return [path for path in found if path.exists()]


def _digest_folders_without_skipped_files(folders: Sequence[Path]) -> str:
    files = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not set(path.parts) & set(_SKIP) and path.suffix not in (".log", ".lock"):
                files[f"{folder.name}/{path.relative_to(folder)}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    return short_digest(files)
