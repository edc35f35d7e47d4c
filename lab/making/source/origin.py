"""Finds the source that `graft make` was given: a folder, a git repository, a Debian source package; and when a body
was last changed there, by git."""

from __future__ import annotations

import datetime
import functools
import hashlib
import logging
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.repository.apt import (
    fetch_package_and_unpack_debian_folder,
    find_first_providing_package_or_empty,
    list_binary_package_names,
)
from executor.repository.recipe import RecipeSource
from executor.repository.source import choose_mirror_folder
from index.errors import RecipeError
from index.repo_index import RepoIndex
from index.values import Entry
from lab.making.settings import System
from lab.making.source.debian import (
    find_build_packages,
    find_build_system_or_autotools,
    find_configure_options,
    join_licence_names_or_empty,
)

log = logging.getLogger(__name__)

IsRecent = Callable[[Entry], bool]
_DEBIAN = "debian:"
_RUNS = "runs"
"""Where Graft writes runs, below the folder in which it is started."""
_UPSTREAM_HEAD = "refs/graft/head"
_EVERY_REF = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", f"+HEAD:{_UPSTREAM_HEAD}")
_URL = re.compile(r"^(https?|git|ssh|file)://|^[\w.-]+@[\w.-]+:")


@dataclass(frozen=True, slots=True)
class Origin:
    """The source. `words`, `packages`, `system`: what Debian's files say of its build; `reasons`: why so."""

    name: str
    source: RecipeSource
    words: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    system: System | None = None
    reasons: tuple[str, ...] = ()


def find_or_fetch_origin(given: str, rev: str | None, mirror: Path | None, cache: Path) -> Origin:
    """The source that is `debian:NAME`, an address of git's, or a folder. Raises RecipeError when it can't be had."""
    if given.startswith(_DEBIAN):
        if rev:
            raise RecipeError(f"--rev {rev}: a Debian source package has one version, the suite's; leave it out")
        return _fetch_debian_origin(given.removeprefix(_DEBIAN), cache)
    if _URL.match(given):
        return _clone_and_find_git_origin(given, rev, mirror, cache)
    folder = Path(given).expanduser()
    if not folder.is_dir():
        raise RecipeError(f"{given}: no such folder; give a folder, the address of a git repository or debian:NAME")
    folder = folder.resolve()
    if rev:
        if not (folder / ".git").exists() and not (folder / "HEAD").is_file():
            raise RecipeError(f"{given}: --rev needs a git repository, and this folder is none")
        return _clone_and_find_git_origin(str(folder), rev, mirror, cache)
    runs = folder / _RUNS
    # A run that is started in the folder would be a part of it, and the next one be of another tree.
    is_ours = not runs.exists() or any(runs.glob("*/journal.jsonl"))
    source = RecipeSource(directory=str(folder), exclude=("graft-build", _RUNS) if is_ours else ("graft-build",))
    origin = Origin(_make_repository_name(folder.name), source, reasons=(f"the folder {folder}, copied as it stands",))
    debian = folder / "debian"
    if not (debian / "control").is_file():
        return origin
    return replace(origin, words=tuple(find_configure_options(debian)), system=find_build_system_or_autotools(debian))


def describe_source_licence(source: RecipeSource, root: Path, cache: Path) -> str:
    """The licence as it was found: Debian's list of it, else the first line of the tree's own file."""
    debian = root / "debian"
    if source.package is not None:
        debian = cache / "packages" / f"{source.package}_{str(source.version).replace(':', '_')}.debian"
    if found := join_licence_names_or_empty(debian):
        return found
    names = ("LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING", "COPYING.txt", "LICENCE", "COPYRIGHT")
    path = next((root / name for name in names if (root / name).is_file()), None)
    if path is None:
        return "not found"
    lines = (line.strip() for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return next((f"{path.name}: {line}" for line in lines if line), path.name)


def _make_repository_name(text: str) -> str:
    last = text.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", last).strip("-.") or "repository"


def _fetch_debian_origin(name: str, cache: Path) -> Origin:
    if not re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", name):
        raise RecipeError(f"debian:{name}: not the name of a source package")
    found = fetch_package_and_unpack_debian_folder(name, cache)
    series = found.debian / "patches" / "series"
    patches = re.findall(r"(?m)^[ \t]*[^#\s]", series.read_text(errors="replace")) if series.is_file() else []
    digest, patched = _digest_file(found.archive), _digest_file(found.part) if patches else None
    source = RecipeSource(package=name, version=found.version, sha256=digest, debian_sha256=patched)
    known = list_binary_package_names(cache)
    packages = tuple(
        find_build_packages(found.debian, known, lambda name: find_first_providing_package_or_empty(name, cache))
    )
    reasons = (
        f"Debian's source package {name} {found.version}, with {len(patches)} patches of Debian's",
        *((f"packages: Build-Depends of debian/control: {' '.join(packages)}",) if packages else ()),
    )
    words, system = tuple(find_configure_options(found.debian)), find_build_system_or_autotools(found.debian)
    return Origin(_make_repository_name(name), source, words, packages, system, reasons)


def _digest_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _clone_and_find_git_origin(url: str, rev: str | None, mirror: Path | None, cache: Path) -> Origin:
    """A clone with its whole history lies in the cache, unless a mirror has one."""
    name = _make_repository_name(url)
    existing = _find_existing_clone(url, name, mirror)
    clone = existing or cache / "git" / f"{name}.git"
    if existing is None:
        log.info(f"{name}: fetching {url}")
        _fetch_whole_history(clone, url)
    commit = _run_git(["git", "-C", str(clone), "rev-parse", "--verify", f"{rev or 'HEAD'}^{{commit}}"], url).strip()
    if existing is None:
        # It stays when the clone gets another repository's branches.
        _run_git(["git", "--git-dir", str(clone), "update-ref", f"refs/graft/{commit}", commit], url)
    address = url if not Path(url).is_dir() else f"file://{url}"
    reason = f"{address} at {rev or 'its newest commit'}, {commit[:12]}"
    return Origin(name, RecipeSource(url=address, commit=commit), reasons=(reason,))


def _fetch_whole_history(clone: Path, url: str) -> None:
    """Bring the bare clone to what is at `url` now: every branch, every tag, and HEAD. It may be another repository's
    of the same name, or hold one commit alone, as a run fetches it."""
    base = ["git", "--git-dir", str(clone)]
    clone.mkdir(parents=True, exist_ok=True)
    # It changes nothing in one that is there.
    _run_git([*base, "init", "--quiet", "--bare"], url)
    deepen = ["--unshallow"] if (clone / "shallow").is_file() else []
    _run_git([*base, "fetch", "--quiet", "--no-tags", "--prune", *deepen, url, *_EVERY_REF], url)
    _run_git([*base, "update-ref", "--no-deref", "HEAD", _UPSTREAM_HEAD], url)


def _find_clone_and_commit(name: str, source: RecipeSource, mirror: Path | None, cache: Path) -> tuple[Path, str]:
    """The clone that holds the source's whole history, and the commit to begin at. Raises RecipeError without one."""
    clone, commit = None, "HEAD"
    if source.url is not None:
        clone, commit = _find_existing_clone(source.url.removeprefix("file://"), name, mirror), str(source.commit)
        own = cache / "git" / f"{name}.git"
        if clone is None and own.is_dir():
            clone = own
            # A checkout of the source fetches its commit alone.
            if (own / "shallow").is_file():
                _fetch_whole_history(own, source.url)
    elif source.directory is not None and (Path(source.directory) / ".git").exists():
        clone = Path(source.directory)
    if clone is None:
        raise RecipeError(f"{name}: choose.since needs the source's git history, and there is none; leave it out")
    if _run_git(["git", "-C", str(clone), "rev-parse", "--is-shallow-repository"], name).strip() == "true":
        raise RecipeError(
            f"{name}: choose.since needs the source's whole git history, and {clone} has its end alone: run git -C"
            f" {clone} fetch --unshallow"
        )
    return clone, commit


def _find_existing_clone(url: str, name: str, mirror: Path | None) -> Path | None:
    folder = choose_mirror_folder(mirror)
    places = [folder / n for n in (name, f"{name}.git")] if folder else []
    return next((place for place in [*places, Path(url)] if place.is_dir()), None)


def _run_git(argv: Sequence[str], what: str) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except OSError as error:
        raise RecipeError(f"{what}: git can't be started: {error.strerror}") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["no reason given"]
        raise RecipeError(f"{what}: {lines[-1].strip()}")
    return done.stdout


def make_recent_change_predicate(
    day: datetime.date, name: str, source: RecipeSource, mirror: Path | None, cache: Path, index: RepoIndex
) -> IsRecent:
    """Tells of a function whether a line of its body was changed on this day or later (committer's date, UTC). Raises
    RecipeError when the source has no history; what it gives raises it for a file with uncommitted changes."""
    clone, commit = _find_clone_and_commit(name, source, mirror, cache)

    @functools.cache
    def find_last_file_commit_date(path: str) -> datetime.date | None:
        return _find_last_commit_date(clone, commit, "--", path)

    def is_recent(entry: Entry) -> bool:
        symbol = entry.symbol
        date = find_last_file_commit_date(symbol.path)
        if date is None or date < day:
            return False
        if source.directory is not None and _has_uncommitted_changes(clone, symbol.path):
            raise RecipeError(
                f"{clone}: choose.since goes by the lines of git's history, and {symbol.path} has changes that aren't"
                " committed: commit them"
            )
        first = index.read_file(symbol.path)[: entry.body].count(b"\n") + 1
        changed = _find_last_commit_date(clone, commit, f"-L{first},{symbol.span.last}:{symbol.path}")
        return changed is not None and changed >= day

    return is_recent


def _has_uncommitted_changes(clone: Path, path: str) -> bool:
    argv = ["git", "-C", str(clone), "diff", "--quiet", "HEAD", "--", path]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 1


def _find_last_commit_date(clone: Path, commit: str, *log_arguments: str) -> datetime.date | None:
    argv = ["git", "-C", str(clone), "log", "-1", "-s", "--format=%ct", commit, *log_arguments]
    stamp = _run_git(argv, f"{clone}: git log").strip().split("\n")[0]
    return datetime.datetime.fromtimestamp(int(stamp), datetime.UTC).date() if stamp else None
