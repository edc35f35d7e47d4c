"""A distribution's source package as a recipe's source: gets the upstream archive through this machine's apt."""

from __future__ import annotations

import glob
import hashlib
import json
import logging
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path

from executor.repository.apt import fetch_package_and_unpack_debian_folder
from executor.repository.recipe import Recipe
from executor.sandbox.base import DEFAULT_SUITE
from executor.sandbox.store import measure_free_mb
from index.errors import RecipeError, UserError

log = logging.getLogger(__name__)

# For the archive and the files that are unpacked from it.
_NEEDED_MB = 2048


def name_package_tree_by_content(recipe: Recipe) -> str:
    """A name made from the content: the archive, the parts of it to keep, and the files copied over it."""
    source = recipe.source
    parts = [source.sha256, sorted(source.paths), *([source.debian_sha256] if source.debian_sha256 else ())]
    digest = hashlib.sha256(json.dumps(parts).encode())
    laid = recipe.folder / source.files if source.files else None
    for path in sorted(laid.rglob("*")) if laid else ():
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(laid).as_posix() if laid else ""
            digest.update(f"{name}\0{os.access(path, os.X_OK)}\0{len(data)}\0".encode() + data)
    return f"{recipe.name}-package-{digest.hexdigest()[:12]}"


def unpack_package_and_name_origin(recipe: Recipe, mirror: Path | None, cache: Path, tree: Path) -> str:
    """Fill the empty folder `tree` and return a name for the origin. The archive is taken from `mirror`, else from the
    cache, else it is downloaded. Raises RecipeError when there is no such archive, no disk space, or a path isn't in
    the archive."""
    source = recipe.source
    free = measure_free_mb(cache)
    if free < _NEEDED_MB:
        raise RecipeError(f"{cache}: {free} MiB free, the source of {recipe.name} needs {_NEEDED_MB}: make room")
    version = str(source.version).rpartition(":")[2]
    upstream = version.rpartition("-")[0] or version
    archive = _find_or_download_archive(
        recipe, f"{source.package}_{upstream}.orig.tar", str(source.sha256), mirror, cache
    )
    log.info(f"{recipe.name}: unpacking {archive.name}")
    argv = ["tar", "-xf", str(archive), "-C", str(tree), "--no-same-owner"]
    if source.paths:
        argv += ["--wildcards", "--no-wildcards-match-slash", *(f"*/{path}" for path in source.paths)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise RecipeError(f"recipe {recipe.name}: source.paths: {archive.name}: {reason}")
    _move_content_out_of_single_folder(tree)
    if source.debian_sha256 is not None:
        stem = f"{source.package}_{version}.debian.tar"
        _apply_debian_patches(
            recipe, _find_or_download_archive(recipe, stem, source.debian_sha256, mirror, cache), tree
        )
    if source.files is not None:
        shutil.copytree(recipe.folder / source.files, tree, dirs_exist_ok=True)
    return f"source package {source.package} {source.version}"


def _move_content_out_of_single_folder(tree: Path) -> None:
    """A single folder of the archive is the tree, as dpkg-source has it; an archive without one is the tree itself."""
    inside = list(tree.iterdir())
    if len(inside) != 1 or inside[0].is_symlink() or not inside[0].is_dir():
        return
    # It may hold one of its own name.
    outer = inside[0].rename(tree / ".graft-lifted")
    for path in outer.iterdir():
        path.rename(tree / path.name)
    outer.rmdir()


def _apply_debian_patches(recipe: Recipe, part: Path, tree: Path) -> None:
    """Apply the patches of Debian's part, in the order of its series; the files that they change get one time, as
    dpkg-source gives them, so that of two that a patch changes neither is newer. Raises RecipeError for one that
    doesn't fit."""
    before = _read_file_times(tree)
    with tempfile.TemporaryDirectory(prefix="graft-debian-") as scratch:
        with tarfile.open(part) as tar:
            tar.extractall(scratch, filter="data")
        folder = Path(scratch, "debian", "patches")
        series = folder / "series"
        lines = series.read_text(errors="replace").splitlines() if series.is_file() else []
        for words in (line.partition("#")[0].split() for line in lines):
            if not words:
                continue
            argv = ["patch", "--batch", "--silent", "--no-backup-if-mismatch", "-d", str(tree)]
            argv += [*(words[1:] or ["-p1"]), "-i", str(folder / words[0])]
            try:
                done = subprocess.run(argv, capture_output=True, text=True, check=False)
            except OSError as error:
                raise RecipeError(f"recipe {recipe.name}: patch can't be started: {error.strerror}") from error
            if done.returncode:
                reason = (done.stdout.strip().splitlines() or ["no reason given"])[0]
                raise RecipeError(f"recipe {recipe.name}: Debian's patch {words[0]} doesn't fit: {reason}")
    changed = [path for path, time_ns in _read_file_times(tree).items() if before.get(path) != time_ns]
    now = time.time_ns()
    for path in changed:
        os.utime(path, ns=(now, now))


def _read_file_times(tree: Path) -> dict[Path, int]:
    return {p: p.stat().st_mtime_ns for p in tree.rglob("*") if p.is_file() and not p.is_symlink()}


def _find_or_download_archive(recipe: Recipe, stem: str, sha256: str, mirror: Path | None, cache: Path) -> Path:
    """The archive of the name and digest: from the mirror, the cache, or apt; first with this machine's own settings,
    then with the lists of the recipe's suite."""
    source = recipe.source
    store = cache / "packages"

    def find_matching_archive(*folders: Path | None) -> Path | None:
        paths = [path for folder in folders if folder for path in sorted(folder.glob(f"{glob.escape(stem)}.*"))]
        return next((path for path in paths if path.suffix != ".asc" and _digest_file(path) == sha256), None)

    if (found := find_matching_archive(mirror, store)) is not None:
        return found
    store.mkdir(parents=True, exist_ok=True)
    log.info(f"{recipe.name}: fetching {stem} by apt-get source")
    with tempfile.TemporaryDirectory(dir=store, prefix=".fetch-") as scratch:
        argv = ["apt-get", "source", "--download-only", "--only-source", f"{source.package}={source.version}"]
        try:
            done = subprocess.run(argv, cwd=scratch, capture_output=True, text=True, check=False)
            reason = (done.stderr.strip().splitlines() or ["nothing was fetched"])[-1]
        except OSError as error:
            reason = f"apt-get: {error.strerror}"
        if (found := find_matching_archive(Path(scratch))) is not None:
            return found.replace(store / found.name)
    try:
        fetch_package_and_unpack_debian_folder(
            str(source.package), cache, recipe.base.suite if recipe.base else DEFAULT_SUITE
        )
    except UserError as error:
        reason = f"{reason}; {error}"
    if (found := find_matching_archive(store)) is not None:
        return found
    raise RecipeError(
        f"recipe {recipe.name}: no archive {stem}.* with the recipe's sha256 ({reason}); apt needs a deb-src line of"
        f" a suite that has {source.package} {source.version} (APT_CONFIG may name another apt.conf), or put the"
        " archive into the folder that --mirror or GRAFT_MIRROR names"
    )


def _digest_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
