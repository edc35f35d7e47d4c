"""A base for the sandboxes without a registry: Debian by debootstrap, from the host's own apt source."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.store import free_mb, owner
from executor.sandbox.treefs import remove_tree
from index.errors import SandboxError, UserError

log = logging.getLogger(__name__)

DEFAULT_SUITE = "bookworm"
PACKAGES = ("gcc", "g++", "make", "cmake", "tcl", "perl", "python3", "procps", "pkg-config", "libc6-dev")
# 690 MB unpacked, and the packages beside them while they are unpacked.
_NEEDED_MB = 1500


@dataclass(frozen=True, slots=True)
class AptSource:
    """`keyring` is a file, or None for debootstrap's own."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    keyring: Path | None


def base_path(cache: Path, suite: str) -> Path:
    """Where the root file system of `suite` lies, or will."""
    return cache / "base" / suite / "rootfs"


def debootstrap_path() -> str | None:
    """Looked for in /usr/sbin too, which an ordinary user's PATH lacks."""
    return shutil.which("debootstrap", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")


def make_base(
    cache: Path,
    suite: str = DEFAULT_SUITE,
    packages: Sequence[str] = PACKAGES,
    *,
    name: str | None = None,
    without: Sequence[str] = (),
    needed_mb: int = _NEEDED_MB,
) -> Path:
    """The base root file system of `suite`, made when it isn't there yet (about 30 CPU-s, 690 MB). `name`: what it
    is called when it holds other packages than the usual ones. `without`: files, relative to its root, that are
    taken away once the packages are there.

    A killed call leaves downloaded packages in `cache/base/<name>/packages`, which the next call uses. Raises
    UserError when debootstrap, root's rights, an apt source or disk space is missing, SandboxError when debootstrap
    fails or when a file that should be taken away isn't there."""
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
        source = find_source(suite, apt_folder())
        for stale in target.parent.glob(".rootfs.*"):
            remove_tree(stale)
        fresh = target.parent / f".rootfs.{owner()}"
        store = target.parent / "packages"
        store.mkdir(exist_ok=True)
        argv = [program, "--variant=minbase", f"--include={','.join(packages)}"]
        argv += [f"--cache-dir={store.absolute()}"]
        argv += [f"--keyring={source.keyring}"] if source.keyring else []
        _follow([*argv, suite, str(fresh), source.uri], {**os.environ, **_proxies()})
        _take_away(fresh, without)
        # Both sandboxes mount or put the repository's tree here.
        (fresh / "graft" / "src").mkdir(parents=True)
        _name_loopback(fresh)
        for kept_by_apt in ("var/cache/apt", "var/lib/apt/lists"):
            remove_tree(fresh / kept_by_apt)
            (fresh / kept_by_apt).mkdir()
        fresh.rename(target)
        remove_tree(store)
        log.info(f"base {name}: made {target}")
        return target


def _take_away(rootfs: Path, without: Sequence[str]) -> None:
    """A file that isn't there has moved in a newer package, and would be left in the base under another name."""
    for path in without:
        if not (rootfs / path).is_file():
            raise SandboxError(f"base: without names {path}, and no package put it there")
        (rootfs / path).unlink()


def _name_loopback(rootfs: Path) -> None:
    """debootstrap leaves no /etc/hosts; without it `localhost` has no address and servers' tests wait for ever."""
    hosts = rootfs / "etc" / "hosts"
    if hosts.parent.is_dir() and not hosts.exists():
        hosts.write_text("127.0.0.1 localhost\n::1 localhost\n")


def apt_folder() -> Path:
    """Where apt's list of sources lies: /etc/apt, or what APT_CONFIG names (apt.conf(5), Dir::Etc::sourcelist)."""
    try:
        argv = ["apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f"]
        said = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
    except OSError:
        said = ""
    named = re.fullmatch(r"LIST='(/.+)'\s*", said)
    return Path(named[1]).parent if named else Path("/etc/apt")


def find_source(suite: str, apt: Path) -> AptSource:
    """The host's apt source that carries `suite` with the component main. Reads sources.list and
    sources.list.d/{*.list,*.sources} (apt's sources.list(5)). Raises UserError naming the suites that it found."""
    files = [apt / "sources.list", *sorted((apt / "sources.list.d").glob("*.list"))]
    sources = [source for path in files if path.is_file() for source in parse_one_line(path.read_text())]
    for path in sorted((apt / "sources.list.d").glob("*.sources")):
        sources += parse_deb822(path.read_text())
    for source in sources:
        if suite in source.suites and "main" in source.components:
            return source
    known = sorted({name for source in sources for name in source.suites if "main" in source.components})
    raise UserError(f"no apt source of this machine carries suite {suite!r}; it has: {', '.join(known) or 'none'}")


def parse_one_line(text: str) -> list[AptSource]:
    """`deb [options] URI SUITE COMPONENT...`"""
    found = []
    for line in text.splitlines():
        match = re.match(r"\s*deb\s+(?:\[([^]]*)\]\s*)?(\S+)\s+(\S+)((?:\s+[^\s#]+)*)", line)
        if match:
            options = dict(part.partition("=")[::2] for part in (match[1] or "").split())
            keyring = _keyring(options.get("signed-by", ""))
            found.append(AptSource(match[2], (match[3],), tuple(match[4].split()), keyring))
    return found


def parse_deb822(text: str) -> list[AptSource]:
    """Stanzas of `Field: value`, continued on lines that begin with a space; comments begin with #."""
    found = []
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for stanza in re.split(r"\n\s*\n", lines):
        fields: dict[str, str] = {}
        last = ""
        for line in stanza.splitlines():
            if line[:1].isspace():
                fields[last] = f"{fields.get(last, '')} {line.strip()}".strip()
            elif ":" in line:
                last, _, value = line.partition(":")
                last = last.strip().lower()
                fields[last] = value.strip()
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() in ("no", "false"):
            continue
        suites, components = fields.get("suites", "").split(), fields.get("components", "").split()
        for uri in fields.get("uris", "").split():
            found.append(AptSource(uri, tuple(suites), tuple(components), _keyring(fields.get("signed-by", ""))))
    return found


def _keyring(value: str) -> Path | None:
    """debootstrap's gpgv reads binary key rings only; an armoured or inline key leaves it with its own."""
    first = value.split(",")[0].split()[:1]
    return Path(first[0]) if first and first[0].startswith("/") and first[0].endswith(".gpg") else None


def _proxies() -> Mapping[str, str]:
    """apt's own proxy settings as wget wants them; the environment's win."""
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


def _follow(argv: Sequence[str], env: Mapping[str, str]) -> None:
    last = ""
    with subprocess.Popen(
        list(argv), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=dict(env)
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            last = line.strip() or last
            log.info(last)
    if child.returncode:
        raise SandboxError(f"debootstrap failed: {last}")
