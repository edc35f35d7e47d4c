"""Checks out a recipe's source: exported once per commit into the cache, from a mirror or from upstream."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import logging
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from executor.cache import hold_file_lock
from executor.published.images import pull_source
from executor.published.store_place import store_from_env
from executor.repository.recipe import Recipe
from executor.repository.source_package import name_package_tree_by_content, unpack_package_and_name_origin
from index.errors import InfraError, RecipeError

log = logging.getLogger(__name__)

# A commit's first 12 digits name its folder: enough to be unique, short enough for paths inside object files.
COMMIT_DIGITS = 12


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A repository's files, without .git, at `root`. `commit` is "" when they come from a plain source tree. `origin`
    names the place that they come from. `notes` name what differs from a full checkout of the commit."""

    root: Path
    repo: str
    commit: str
    origin: str
    notes: tuple[str, ...] = ()


def choose_mirror_folder(given: Path | None = None) -> Path | None:
    """The folder of mirrors: `given` (--mirror), else GRAFT_MIRROR, else none."""
    if given is not None:
        return given.expanduser()
    env = os.environ.get("GRAFT_MIRROR")
    return Path(env).expanduser() if env else None


def checkout_source(recipe: Recipe, mirror: Path | None, cache: Path) -> SourceTree:
    """The recipe's source tree under `cache`/sources, made unless it exists.

    `mirror` is a folder that holds, under the recipe's name or NAME.git, a bare clone, an ordinary clone or a plain
    source tree. Raises RecipeError when no source has the commit; the message names the places that were searched.
    """
    sources = cache / "sources"
    if recipe.source.directory is not None:
        folder = (recipe.folder / recipe.source.directory).resolve()
        if not folder.is_dir():
            raise RecipeError(f"recipe {recipe.name}: source.directory: no folder {folder}")
        return _copy_plain_tree(recipe, folder, sources, note=None)
    if recipe.source.package is not None:
        return _unpack_source_package(recipe, mirror, cache)
    commit = str(recipe.source.commit)
    final = sources / _name_commit_tree(recipe)
    # A tree without git can't prove its commit, so it never fills the commit's folder.
    found = _find_source_folder_in_mirror(recipe, mirror) if mirror is not None else None
    if found is not None and _find_git_dir(found) is None:
        note = f"a plain source tree: that it is commit {commit[:COMMIT_DIGITS]} wasn't checked"
        return _copy_plain_tree(recipe, found, sources, note=note)
    if final.is_dir():
        return read_recorded_tree(final, recipe.name)
    if found is not None:
        git_dir = _find_git_dir(found)
        assert git_dir is not None
        if not _has_commit(git_dir, commit):
            raise RecipeError(
                f"mirror {found} has no commit {commit}; add it: git -C {found} fetch {recipe.source.url} {commit}"
            )
        return _export_commit(recipe, git_dir, str(found), final)
    if _pull_from_store(final):
        return read_recorded_tree(final, recipe.name)
    (cache / "git").mkdir(parents=True, exist_ok=True)
    # git itself ends with an error where another process fetches into the same repository.
    with hold_file_lock(cache / "git" / f"{recipe.name}.lock", f"clone of {recipe.name}"):
        git_dir = _fetch_commit_from_upstream(recipe, mirror, cache)
    return _export_commit(recipe, git_dir, str(recipe.source.url), final)


def _pull_from_store(final: Path) -> bool:
    """Whether a store is named and has the tree, which is then here."""
    place = store_from_env()
    return place is not None and pull_source(final.name, final.parent, place)


def is_source_at_hand(recipe: Recipe, mirror: Path | None, cache: Path) -> bool:
    """Whether `checkout_source` gives the tree without fetching or unpacking anything."""
    if recipe.source.directory is not None:
        return True
    if recipe.source.package is not None:
        return (cache / "sources" / name_package_tree_by_content(recipe)).is_dir()
    in_mirror = mirror is not None and _find_source_folder_in_mirror(recipe, mirror) is not None
    return in_mirror or (cache / "sources" / _name_commit_tree(recipe)).is_dir()


def _name_commit_tree(recipe: Recipe) -> str:
    return f"{recipe.name}-{str(recipe.source.commit)[:COMMIT_DIGITS]}"


def _unpack_source_package(recipe: Recipe, mirror: Path | None, cache: Path) -> SourceTree:
    final = cache / "sources" / name_package_tree_by_content(recipe)
    if final.is_dir() or _pull_from_store(final):
        return read_recorded_tree(final, recipe.name)
    with open_scratch_tree_beside(final) as tree:
        origin = unpack_package_and_name_origin(recipe, mirror, cache, tree)
        note = () if recipe.rebinds is None else (f"{recipe.display}: tasks of {recipe.rebinds} bound by text",)
        return record_and_move_tree(tree, SourceTree(final, recipe.name, "", origin, note))


def _find_source_folder_in_mirror(recipe: Recipe, mirror: Path) -> Path | None:
    if not mirror.is_dir():
        raise RecipeError(f"mirror {mirror}: no such folder (--mirror or GRAFT_MIRROR)")
    upstream = str(recipe.source.url).rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
    for name in dict.fromkeys((recipe.name, upstream)):
        for candidate in (mirror / name, mirror / f"{name}.git"):
            if candidate.is_dir():
                return candidate
    return None


def _find_git_dir(folder: Path) -> Path | None:
    """The git directory of a clone, bare or not; None for a plain tree."""
    if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
        return folder
    if (folder / ".git").exists():
        shown = _run_git(["-C", str(folder), "rev-parse", "--absolute-git-dir"], may_fail=True)
        return Path(shown.stdout.decode().strip()) if shown.returncode == 0 else folder / ".git"
    return None


def _has_commit(git_dir: Path, commit: str) -> bool:
    done = _run_git(["--git-dir", str(git_dir), "cat-file", "-e", f"{commit}^{{tree}}"], may_fail=True)
    return done.returncode == 0


def _fetch_commit_from_upstream(recipe: Recipe, searched_mirror: Path | None, cache: Path) -> Path:
    """A bare repository in the cache that holds the commit alone, fetched from upstream."""
    url, commit = str(recipe.source.url), str(recipe.source.commit)
    git_dir = cache / "git" / f"{recipe.name}.git"
    if not (git_dir / "HEAD").is_file():
        _run_git(["init", "--quiet", "--bare", str(git_dir)])
    if not _has_commit(git_dir, commit):
        log.info(f"{recipe.name}: fetching {commit[:COMMIT_DIGITS]} from {url}")
        done = _run_git(["--git-dir", str(git_dir), "fetch", "--quiet", "--depth", "1", url, commit], may_fail=True)
        if done.returncode != 0:
            lines = done.stderr.decode("utf-8", "replace").split("\n")
            message = next((line for line in lines if line.strip()), "no message")
            where = (
                f"{searched_mirror} holds neither {recipe.name} nor {recipe.name}.git"
                if searched_mirror
                else "no mirror was given"
            )
            raise RecipeError(
                f"{recipe.name}: can't fetch {commit[:COMMIT_DIGITS]} from {url} ({message.strip()}) and {where}; "
                f"--mirror DIR or GRAFT_MIRROR names a folder that holds a clone called {recipe.name}"
            )
    return git_dir


def _export_commit(recipe: Recipe, git_dir: Path, origin: str, final: Path) -> SourceTree:
    """Export the commit's tree as files, with a git index of our own: `git archive` would leave out what
    .gitattributes marks export-ignore, and the clone's own index and work tree stay untouched."""
    commit = str(recipe.source.commit)
    log.info(f"{recipe.name}: exporting {commit[:COMMIT_DIGITS]} from {origin}")
    with open_scratch_tree_beside(final) as tree:
        env = {"GIT_INDEX_FILE": str(tree.with_name("index"))}
        base = ["--git-dir", str(git_dir), "--work-tree", str(tree)]
        _run_git([*base, "read-tree", commit], env)
        missing = _list_missing_blobs(git_dir, commit)
        if missing:
            _require_missing_files_declared(recipe, missing, origin)
            gone = b"".join(os.fsencode(path) + b"\0" for path in missing)
            _run_git([*base, "update-index", "--force-remove", "-z", "--stdin"], env, stdin=gone)
        _run_git([*base, "checkout-index", "--all", "--force", f"--prefix={tree}/"], env)
        notes = tuple(f"left out, the clone lacks its content: {path}" for path in missing)
        return record_and_move_tree(tree, SourceTree(final, recipe.name, commit, origin, notes))


def _require_missing_files_declared(recipe: Recipe, missing: Sequence[str], origin: str) -> None:
    """Raises RecipeError for a missing file that the recipe doesn't name: its absence could make a test pass or
    skip."""
    for path in missing:
        if not any(fnmatch.fnmatchcase(path, pattern) for pattern in recipe.source.may_lack):
            raise RecipeError(
                f"{origin} lacks the content of {path}, which recipe {recipe.name} doesn't name in source.may_lack:"
                f" fetch it, or name it there where neither the build nor a suite reads it"
            )


def _list_missing_blobs(git_dir: Path, commit: str) -> list[str]:
    """Paths whose content the clone doesn't hold (partial or filtered clones)."""
    base = ["--git-dir", str(git_dir)]
    listed = _run_git([*base, "ls-tree", "-r", "-z", "--full-tree", commit]).stdout
    entries = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    blobs = [(meta.split()[2], path) for meta, path in entries if meta.split()[1] == b"blob"]
    names = b"".join(name + b"\n" for name, _ in blobs)
    answers = _run_git([*base, "cat-file", "--batch-check"], stdin=names).stdout.splitlines()
    gone = [path for (_, path), answer in zip(blobs, answers, strict=True) if answer.endswith(b" missing")]
    return [os.fsdecode(path) for path in gone]


def _copy_plain_tree(recipe: Recipe, folder: Path, sources: Path, note: str | None) -> SourceTree:
    """Copy a plain tree. The copy is named by its content, so that a changed original is another source."""
    left_out = {".git", *recipe.source.exclude}
    digest = _digest_tree(folder, left_out)
    final = sources / f"{recipe.name}-tree-{digest[:COMMIT_DIGITS]}"
    if final.is_dir():
        return read_recorded_tree(final, recipe.name)
    log.info(f"{recipe.name}: copying {folder}")
    with open_scratch_tree_beside(final) as tree:

        def list_names_not_to_copy(where: str, names: list[str]) -> set[str]:
            special = {name for name in names if _is_special_file(Path(where, name))}
            return special | (left_out & set(names) if where == str(folder) else set())

        shutil.copytree(folder, tree, symlinks=True, ignore=list_names_not_to_copy, dirs_exist_ok=True)
        return record_and_move_tree(tree, SourceTree(final, recipe.name, "", str(folder), (note,) if note else ()))


def _digest_tree(folder: Path, top_names_left_out: set[str]) -> str:
    digest = hashlib.sha256()
    for where, folders, names in os.walk(folder):
        if where == str(folder):
            folders[:], names = (sorted(set(found) - top_names_left_out) for found in (folders, names))
        folders.sort()
        for path in (Path(where, name) for name in sorted(names + folders)):
            is_link = path.is_symlink()
            if (path.is_dir() and not is_link) or _is_special_file(path):
                continue
            content = os.fsencode(path.readlink()) if is_link else path.read_bytes()
            mode = b"l" if is_link else b"x" if os.access(path, os.X_OK) else b"f"
            name = os.fsencode(path.relative_to(folder).as_posix())
            digest.update(b"%d %s %s %d\n" % (len(name), name, mode, len(content)))
            digest.update(content)
    return digest.hexdigest()


def _is_special_file(path: Path) -> bool:
    """Whether it is a socket, a pipe or a device, as a killed test leaves it: that is no source, and can't be read."""
    return stat.S_IFMT(path.lstat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)


@contextmanager
def open_scratch_tree_beside(final: Path) -> Iterator[Path]:
    """An empty folder beside `final`, for a tree that becomes `final` once it is whole."""
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=final.parent, prefix=f".{final.name}-") as scratch:
        tree = Path(scratch, "tree")
        tree.mkdir()
        yield tree


def record_and_move_tree(tree: Path, source: SourceTree) -> SourceTree:
    """Write the record, then move the tree by one rename: a tree that exists is complete. Returns the source."""
    record = {"commit": source.commit, "origin": source.origin, "notes": list(source.notes)}
    locate_tree_record(source.root).write_text(json.dumps(record, indent=1), encoding="utf-8")
    try:
        tree.rename(source.root)
    except OSError as error:
        if not source.root.is_dir():
            raise InfraError(f"{source.root}: can't be made: {error.strerror}") from error
        # Another process was faster, and its tree is the same.
    return source


def read_recorded_tree(root: Path, repo: str) -> SourceTree:
    try:
        record = json.loads(locate_tree_record(root).read_text(encoding="utf-8"))
        return SourceTree(root, repo, record["commit"], record["origin"], tuple(record["notes"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecipeError(f"{root}: its record {locate_tree_record(root).name} is damaged; delete {root}") from error


def locate_tree_record(root: Path) -> Path:
    """Where a tree in the cache has its record, beside it."""
    return root.with_name(f"{root.name}.json")


def _run_git(
    args: Sequence[str], env: dict[str, str] | None = None, stdin: bytes = b"", *, may_fail: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """Raises RecipeError without git, and when it fails unless it `may_fail`."""
    # A user's own settings (line endings, file modes) mustn't change the tree; a partial clone mustn't call home.
    fixed = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
    settings = ["-c", "core.autocrlf=false", "-c", "core.fileMode=true", "-c", "core.symlinks=true"]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *settings, *args], input=stdin, capture_output=True, env={**inherited, **fixed, **(env or {})}
        )
    except FileNotFoundError as error:
        raise RecipeError("git isn't installed: it is needed to take a source out of a clone") from error
    if done.returncode != 0 and not may_fail:
        errors = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise RecipeError(f"git {' '.join(args)} failed: {errors}")
    return done
