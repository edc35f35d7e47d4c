"""Makes a base root file system for the sandboxes, without a registry: Debian, by debootstrap, from this machine's own
apt source."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.store import free_mb, owner
from executor.sandbox.treefs import remove_tree
from index.errors import SandboxError, UserError
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)

DEFAULT_SUITE = "bookworm"
PACKAGES = ("gcc", "g++", "make", "cmake", "tcl", "perl", "python3", "procps", "pkg-config", "libc6-dev")
# 690 MB unpacked, and the packages beside them while they are unpacked.
_NEEDED_MB = 1500
# debootstrap names a package when it has fetched it, and at each of these stages.
_FETCHED = re.compile(r"I: Validating ([a-z0-9][a-z0-9+.-]+) ")
_STAGES = ("Unpacking", "Configuring")
_STEP = re.compile(rf"I: (?:{'|'.join(_STAGES)}) ([a-z0-9][a-z0-9+.-]*[a-z0-9+])")


@dataclass(frozen=True, slots=True)
class AptSource:
    """A Debian mirror. `keyring` is a file, or None for debootstrap's own key ring."""

    uri: str
    keyring: Path | None


def base_path(cache: Path, suite: str) -> Path:
    """Where the root file system of `suite` lies once it is made."""
    return cache / "base" / suite / "rootfs"


def debootstrap_path() -> str | None:
    """The program's path, None when it isn't installed. /usr/sbin is searched too: a user's PATH may lack it."""
    return shutil.which("debootstrap", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")


def make_base(
    cache: Path,
    suite: str = DEFAULT_SUITE,
    packages: Sequence[str] = PACKAGES,
    *,
    name: str | None = None,
    without: Sequence[str] = (),
    needed_mb: int = _NEEDED_MB,
    progress: Progress = SILENT,
) -> Path:
    """The folder of the base root file system of `suite`, made unless it exists (about 30 CPU-s, 690 MB). `name`: its
    name when `packages` aren't the usual ones. `without`: files, relative to its root, that are removed once the
    packages are installed.

    A killed call leaves downloaded packages in `cache/base/<name>/packages`, which the next call uses. Raises
    UserError when debootstrap, root's rights, an apt source or disk space is missing, SandboxError when debootstrap
    fails or when a file to remove isn't there; `debootstrap.log` beside the base holds its output."""
    name = name or suite
    target = base_path(cache, name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if target.is_dir():
            _name_loopback(target)
            log.info(f"base {name}: {target} is there")
            return target
        program = debootstrap_path()
        if program is None:
            raise UserError("debootstrap isn't installed: `apt-get install debootstrap`")
        if os.getuid() != 0:
            raise UserError("making a base needs root: `sudo graft images base` (with the same GRAFT_CACHE)")
        if free_mb(target) < needed_mb:
            raise UserError(f"{target.parent}: {free_mb(target)} MB free, a base needs {needed_mb}")
        source = find_source(suite)
        for stale in target.parent.glob(".rootfs.*"):
            remove_tree(stale)
        fresh = target.parent / f".rootfs.{owner()}"
        store = target.parent / "packages"
        store.mkdir(exist_ok=True)
        argv = [program, "--variant=minbase", f"--include={','.join(packages)}"]
        argv += [f"--cache-dir={store.absolute()}"]
        argv += [f"--keyring={source.keyring}"] if source.keyring else []
        log.info(f"base {name}: fetching packages from {source.uri}")
        lines = _output([*argv, suite, str(fresh), source.uri], target.parent / "debootstrap.log")
        _show_steps(lines, progress)
        _remove_files(fresh, without)
        # The sandboxes put the repository's tree here.
        (fresh / "graft" / "src").mkdir(parents=True)
        _name_loopback(fresh)
        for kept_by_apt in ("var/cache/apt", "var/lib/apt/lists"):
            remove_tree(fresh / kept_by_apt)
            (fresh / kept_by_apt).mkdir()
        fresh.rename(target)
        remove_tree(store)
        log.info(f"base {name}: made {target}")
        return target


def _remove_files(rootfs: Path, without: Sequence[str]) -> None:
    """Raises SandboxError for a file that isn't there: a newer package may have it under another name."""
    for path in without:
        if not (rootfs / path).is_file():
            raise SandboxError(f"base: without names {path}, and no package put it there")
        (rootfs / path).unlink()


def _name_loopback(rootfs: Path) -> None:
    """debootstrap leaves no /etc/hosts; without it `localhost` has no address and servers' tests wait for ever."""
    hosts = rootfs / "etc" / "hosts"
    if hosts.parent.is_dir() and not hosts.exists():
        hosts.write_text("127.0.0.1 localhost\n::1 localhost\n")


def find_source(suite: str) -> AptSource:
    """This machine's apt source that carries `suite` with the component main, as apt itself reads its configuration
    (APT_CONFIG may name another). Raises UserError that names the suites of this machine, or tells apt's error."""
    fields = "$(RELEASE)|$(COMPONENT)|$(REPO_URI)|$(SOURCESENTRY)"
    argv = ["apt-get", "indextargets", "--no-release-info", "--format", fields, "Created-By: Packages"]
    try:
        listed = subprocess.run(argv, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(f"apt-get: {error.strerror}: the base is made from this machine's own apt source") from error
    if listed.returncode:
        raise UserError(f"apt can't list its sources: {' '.join(listed.stderr.split())}")
    rows = [line.split("|", 3) for line in listed.stdout.splitlines()]
    for release, component, uri, entry in rows:
        if release == suite and component == "main":
            return AptSource(uri.rstrip("/"), _keyring(entry))
    suites = sorted({release for release, component, *_ in rows if component == "main"})
    raise UserError(f"no apt source of this machine carries suite {suite!r}; it has: {', '.join(suites) or 'none'}")


def _keyring(entry: str) -> Path | None:
    """The key ring of the source at `entry` (FILE:NUMBER; the number is of a line in FILE.list, of a stanza in
    FILE.sources), which apt doesn't list. None for an inline or armoured key: debootstrap's gpgv can't read those."""
    file, _, number = entry.rpartition(":")
    text = Path(file).read_text()
    text = re.sub(r"^#.*\n", "" if file.endswith(".sources") else "\n", text, flags=re.MULTILINE)
    parts = re.split(r"\n\s*\n", text.strip("\n")) if file.endswith(".sources") else text.splitlines()
    signed = re.search(r"signed-by\s*[=:]\s*(/[^\s,\]]+\.gpg)", parts[int(number) - 1], re.IGNORECASE)
    return Path(signed[1]) if signed else None


def _proxies() -> Mapping[str, str]:
    """apt's proxy settings as variables for wget. Those of the environment take precedence."""
    try:
        dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return {}
    found = re.findall(r'^Acquire::(https?)::proxy "([^"]+)";', dump, re.IGNORECASE | re.MULTILINE)
    return {
        f"{scheme.lower()}_proxy": url
        for scheme, url in found
        if url.upper() != "DIRECT" and f"{scheme.lower()}_proxy" not in os.environ
    }


def _show_steps(lines: Iterator[str], progress: Progress) -> None:
    """Reads debootstrap's lines to the end. How many packages there are is known once all are fetched."""
    packages = set()
    for line in lines:
        if (fetched := _FETCHED.match(line)) is not None:
            packages.add(fetched[1])
        elif packages and line.startswith("I: Extracting"):
            break
    seen: set[str] = set()
    with progress.counting("steps of installing packages", len(_STAGES) * len(packages)) as advance:
        for line in lines:
            step = _STEP.match(line)
            if step is not None and step[0] not in seen and step[1] in packages:
                seen.add(step[0])
                advance(note=line.removeprefix("I: ").rstrip("."))


def _output(argv: Sequence[str], output: Path) -> Iterator[str]:
    """The command's lines as they come; the file `output` gets them too. Raises SandboxError when it fails."""
    last = ""
    with (
        output.open("w", encoding="utf-8") as log_file,
        subprocess.Popen(
            list(argv),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, **_proxies()},
        ) as child,
    ):
        assert child.stdout is not None
        for line in child.stdout:
            log_file.write(line)
            last = line.strip() or last
            yield line.strip()
    if child.returncode:
        raise SandboxError(f"debootstrap failed: {last} (its output: {output})")
