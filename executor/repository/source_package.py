"""A distribution's source package as a recipe's source: gets the upstream archive through this machine's apt."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from executor.repository.recipe import Recipe
from executor.sandbox.store import free_mb
from index.errors import RecipeError

log = logging.getLogger(__name__)

# For the archive and the files that are unpacked from it.
_NEEDED_MB = 2048


def tree_name(recipe: Recipe) -> str:
    """A name made from the content: the archive, the parts of it to keep, and the files copied over it."""
    source = recipe.source
    digest = hashlib.sha256(json.dumps([source.sha256, sorted(source.paths)]).encode())
    laid = recipe.folder / source.files if source.files else None
    for path in sorted(laid.rglob("*")) if laid else ():
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(laid).as_posix() if laid else ""
            digest.update(f"{name}\0{os.access(path, os.X_OK)}\0{len(data)}\0".encode() + data)
    return f"{recipe.name}-package-{digest.hexdigest()[:12]}"


def unpack_package(recipe: Recipe, mirror: Path | None, cache: Path, tree: Path) -> str:
    """Fill the empty folder `tree` and return a name for the origin. The archive is taken from `mirror`, else from the
    cache, else it is downloaded. Raises RecipeError when there is no such archive, no disk space, or a path isn't in
    the archive."""
    source = recipe.source
    free = free_mb(cache)
    if free < _NEEDED_MB:
        raise RecipeError(f"{cache}: {free} MiB free, the source of {recipe.name} needs {_NEEDED_MB}: make room")
    archive = _archive(recipe, mirror, cache)
    log.info(f"{recipe.name}: unpacking {archive.name}")
    argv = ["tar", "-xf", str(archive), "-C", str(tree), "--strip-components=1", "--no-same-owner"]
    argv += ["--wildcards", "--no-wildcards-match-slash", *(f"*/{path}" for path in source.paths)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise RecipeError(f"recipe {recipe.name}: source.paths: {archive.name}: {reason}")
    if source.files is not None:
        shutil.copytree(recipe.folder / source.files, tree, dirs_exist_ok=True)
    return f"source package {source.package} {source.version}"


def _archive(recipe: Recipe, mirror: Path | None, cache: Path) -> Path:
    source = recipe.source
    upstream = str(source.version).rpartition(":")[2].rpartition("-")[0] or str(source.version)
    stem = f"{source.package}_{upstream}.orig.tar"
    store = cache / "packages"
    for folder in (mirror, store):
        for path in sorted(folder.glob(f"{stem}.*")) if folder else ():
            if path.suffix != ".asc" and _digest(path) == source.sha256:
                return path
    store.mkdir(parents=True, exist_ok=True)
    log.info(f"{recipe.name}: fetching {stem} by apt-get source")
    with tempfile.TemporaryDirectory(dir=store, prefix=".fetch-") as scratch:
        argv = ["apt-get", "source", "--download-only", "--only-source", f"{source.package}={source.version}"]
        try:
            done = subprocess.run(argv, cwd=scratch, capture_output=True, text=True, check=False)
            reason = (done.stderr.strip().splitlines() or ["nothing was fetched"])[-1]
        except OSError as error:
            reason = f"apt-get: {error.strerror}"
        for path in Path(scratch).glob(f"{stem}.*"):
            if path.suffix != ".asc" and _digest(path) == source.sha256:
                return path.replace(store / path.name)
    raise RecipeError(
        f"recipe {recipe.name}: no archive {stem}.* with the recipe's sha256 ({reason}); apt needs a deb-src line of"
        f" a suite that has {source.package} {source.version} (APT_CONFIG may name another apt.conf), or put the"
        " archive into the folder that --mirror or GRAFT_MIRROR names"
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
