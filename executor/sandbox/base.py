"""Makes a base root file system for the sandboxes, without a registry: Debian, by debootstrap, from this machine's own
apt source. Further packages are added by apt, since debootstrap knows no virtual packages and of alternatives only the
first, which may conflict with a package that is wanted."""

from __future__ import annotations

import logging
import os
import re
import shutil
import stat
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.cache import hold_file_lock
from executor.sandbox.store import measure_free_mb, name_this_process
from executor.sandbox.tree_files import remove_tree
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

    def to_sources_line(self, suite: str, kind: str = "deb") -> str:
        signed = f"[signed-by={self.keyring}] " if self.keyring else ""
        return f"{kind} {signed}{self.uri} {suite} main"


def base_rootfs_path(cache: Path, base_name: str) -> Path:
    return cache / "base" / base_name / "rootfs"


def debootstrap_path() -> str | None:
    """The program's path, None when it isn't installed. /usr/sbin is searched too: a user's PATH may lack it."""
    return shutil.which("debootstrap", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")


def make_base(
    cache: Path,
    suite: str = DEFAULT_SUITE,
    packages: Sequence[str] = (),
    *,
    name: str | None = None,
    files_to_remove: Sequence[str] = (),
    needed_mb: int = _NEEDED_MB,
    progress: Progress = SILENT,
) -> Path:
    """The folder of the base root file system of `suite`, made unless it exists (about 30 CPU-s, 690 MB). It holds
    PACKAGES. With further `packages` it is a copy of that base to which they are added; it needs a `name` then.
    `files_to_remove`: files, relative to its root, that are removed once the packages are installed.

    A killed call leaves downloaded packages in `cache/base/<name>/packages`, which the next call uses. Raises
    UserError when debootstrap, root's rights, an apt source or disk space is missing, SandboxError when debootstrap or
    apt fails or when a file to remove isn't there; `debootstrap.log` or `apt.log` beside the base holds its output."""
    name = name or suite
    if packages and name == suite:
        raise ValueError("a base with further packages needs a name of its own")
    target = base_rootfs_path(cache, name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(target.parent / "lock", f"base {name}"):
        if target.is_dir():
            _write_hosts_file_if_missing(target)
            log.info(f"base {name}: {target} is there")
            return target
        program = debootstrap_path()
        if program is None:
            raise UserError("debootstrap isn't installed: `apt-get install debootstrap`")
        if os.getuid() != 0:
            raise UserError("making a base needs root: `sudo graft images base` (with the same GRAFT_CACHE)")
        if measure_free_mb(target) < needed_mb:
            raise UserError(f"{target.parent}: {measure_free_mb(target)} MB free, a base needs {needed_mb}")
        source = find_apt_source_or_raise(suite)
        for stale in target.parent.glob(".rootfs.*"):
            remove_tree(stale)
        fresh = target.parent / f".rootfs.{name_this_process()}"
        store = target.parent / "packages"
        store.mkdir(exist_ok=True)
        log.info(f"base {name}: fetching packages from {source.uri}")
        if packages:
            usual = make_base(cache, suite, progress=progress)
            fresh.mkdir()
            # The dot, since the usual base may be a link to one in another cache, which must stay as it is.
            subprocess.run(["cp", "-a", f"{usual}/.", str(fresh)], check=True)
            copied_ns = time.time_ns()
            _install_packages_by_apt(
                fresh.absolute(), packages, f"{source.to_sources_line(suite)}\n", store.absolute()
            )
        else:
            argv = [program, "--variant=minbase", f"--include={','.join(PACKAGES)}"]
            argv += [f"--cache-dir={store.absolute()}"]
            argv += [f"--keyring={source.keyring}"] if source.keyring else []
            argv += [suite, str(fresh), source.uri]
            output = target.parent / "debootstrap.log"
            output.unlink(missing_ok=True)
            lines = _run_and_log_output_lines("debootstrap", argv, _read_apt_proxy_settings(), output)
            _show_debootstrap_progress(lines, progress)
        for path in files_to_remove:
            if not (fresh / path).is_file():
                # A newer package may have it under another name.
                raise SandboxError(f"base: without names {path}, and no package put it there")
            (fresh / path).unlink()
        # The sandboxes put the repository's tree here.
        (fresh / "graft" / "src").mkdir(parents=True, exist_ok=True)
        _write_hosts_file_if_missing(fresh)
        _add_sandbox_user(fresh)
        for kept_by_apt in ("var/cache/apt", "var/lib/apt/lists"):
            remove_tree(fresh / kept_by_apt)
            (fresh / kept_by_apt).mkdir()
        if packages:
            _hard_link_unchanged_files(fresh, usual, copied_ns)
        fresh.rename(target)
        remove_tree(store)
        log.info(f"base {name}: made {target}")
        return target


def _install_packages_by_apt(rootfs: Path, packages: Sequence[str], sources_list: str, download_folder: Path) -> None:
    """Install these packages, or for a virtual one a package that provides it, by this machine's apt, which reads no
    setting of the machine but its proxies. Downloads go to `download_folder` first, so that a killed call keeps
    them."""
    settings = {
        "Dir": rootfs,
        "Dir::State::status": rootfs / "var/lib/dpkg/status",
        "Dir::Etc::sourcelist": download_folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "DPkg::Chroot-Directory": rootfs,
        "DPkg::Use-Pty": 0,
        "APT::Get::Assume-Yes": 1,
        "APT::Install-Recommends": 0,
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    (download_folder / "sources.list").write_text(sources_list)
    (download_folder / "apt.conf").write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()))
    variables = {
        **_read_apt_proxy_settings(),
        "APT_CONFIG": str(download_folder / "apt.conf"),
        "DEBIAN_FRONTEND": "noninteractive",
    }
    archives = rootfs / "var/cache/apt/archives"
    for folder in (download_folder, archives, rootfs / "var/lib/apt/lists"):
        (folder / "partial").mkdir(parents=True, exist_ok=True)
    # A package may start its service once it is installed, unless this program forbids it.
    policy = rootfs / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)

    output = rootfs.parent / "apt.log"
    output.unlink(missing_ok=True)
    satisfy = ["apt-get", "-q", "satisfy", ", ".join(packages)]
    # Some packages' scripts need /proc; it is mounted for this command alone.
    with_proc = ["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc"; exec "$@"', str(rootfs)]
    for argv in (
        ["apt-get", "-q", "update"],
        [*satisfy, "--download-only", "-o", f"Dir::Cache::archives={download_folder}"],
    ):
        deque(_run_and_log_output_lines("apt", argv, variables, output), maxlen=0)
    for package in download_folder.glob("*.deb"):
        shutil.copy2(package, archives)
    deque(_run_and_log_output_lines("apt", [*with_proc, *satisfy], variables, output), maxlen=0)
    policy.unlink()


def _hard_link_unchanged_files(fresh: Path, usual: Path, copied_ns: int) -> None:
    """Make each file of `fresh` that hasn't changed since it was copied from `usual` (nanoseconds since the epoch) a
    hard link to its original: some 500 MB of each base. Nothing writes into a base that is made."""
    for folder, _, names in os.walk(fresh):
        for name in names:
            path = Path(folder) / name
            found, original = path.lstat(), usual / path.relative_to(fresh)
            # A rename, new rights or new content all set the time of the last change of state; that of the files in a
            # folder which was renamed stays.
            if not stat.S_ISREG(found.st_mode) or found.st_ctime_ns >= copied_ns or not original.is_file():
                continue
            other = original.stat()
            if (found.st_dev, found.st_size, found.st_mtime_ns) == (other.st_dev, other.st_size, other.st_mtime_ns):
                path.unlink()
                path.hardlink_to(original)


def _write_hosts_file_if_missing(rootfs: Path) -> None:
    """debootstrap leaves no /etc/hosts; without it `localhost` has no address and servers' tests wait for ever."""
    hosts = rootfs / "etc" / "hosts"
    if hosts.parent.is_dir() and not hosts.exists():
        hosts.write_text("127.0.0.1 localhost\n::1 localhost\n")


def _add_sandbox_user(rootfs: Path) -> None:
    """Without a name for user and group 1000 `whoami` fails, and builds that ask it go on with an empty word."""
    for name, line in (("passwd", "graft:x:1000:1000::/tmp:/bin/sh\n"), ("group", "graft:x:1000:\n")):
        path = rootfs / "etc" / name
        if path.is_file() and not re.search(r"(?m)^graft:", path.read_text()):
            with path.open("a") as file:
                file.write(line)


def find_apt_source_or_raise(suite: str) -> AptSource:
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
            return AptSource(uri.rstrip("/"), _read_binary_keyring_path(entry))
    suites = sorted({release for release, component, *_ in rows if component == "main"})
    raise UserError(f"no apt source of this machine carries suite {suite!r}; it has: {', '.join(suites) or 'none'}")


def _read_binary_keyring_path(sources_entry: str) -> Path | None:
    """The key ring of the source at `sources_entry` (FILE:NUMBER; the number is of a line in FILE.list, of a stanza in
    FILE.sources), which apt doesn't list. None for an inline or armoured key: debootstrap's gpgv can't read those."""
    file, _, number = sources_entry.rpartition(":")
    text = Path(file).read_text()
    text = re.sub(r"^#.*\n", "" if file.endswith(".sources") else "\n", text, flags=re.MULTILINE)
    parts = re.split(r"\n\s*\n", text.strip("\n")) if file.endswith(".sources") else text.splitlines()
    signed = re.search(r"signed-by\s*[=:]\s*(/[^\s,\]]+\.gpg)", parts[int(number) - 1], re.IGNORECASE)
    return Path(signed[1]) if signed else None


def _read_apt_proxy_settings() -> Mapping[str, str]:
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


def _show_debootstrap_progress(lines: Iterator[str], progress: Progress) -> None:
    """Reads debootstrap's lines to the end. How many packages there are is known once all are fetched."""
    packages = set()
    for line in lines:
        if (fetched := _FETCHED.match(line)) is not None:
            packages.add(fetched[1])
        elif packages and line.startswith("I: Extracting"):
            break
    seen: set[str] = set()
    with progress.open_count("steps of installing packages", len(_STAGES) * len(packages)) as advance:
        for line in lines:
            step = _STEP.match(line)
            if step is not None and step[0] not in seen and step[1] in packages:
                seen.add(step[0])
                advance(note=line.removeprefix("I: ").rstrip("."))


def _run_and_log_output_lines(
    name: str, argv: Sequence[str], variables: Mapping[str, str], output: Path
) -> Iterator[str]:
    """The command's lines as they come; they are added to the file `output` too. Raises SandboxError when it fails."""
    last = ""
    with (
        output.open("a", encoding="utf-8") as log_file,
        subprocess.Popen(
            list(argv),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, **variables},
        ) as child,
    ):
        assert child.stdout is not None
        for line in child.stdout:
            log_file.write(line)
            # apt's last line says only that it failed; the one before names the package.
            last = line.strip() if line.strip() and "held broken packages" not in line else last
            yield line.strip()
    if child.returncode:
        raise SandboxError(f"{name} failed: {last} (its output: {output})")
