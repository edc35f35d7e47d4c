"""The `bwrap` sandbox: bubblewrap over a base root file system, no daemon.

A session has a *holder*: a process that owns a private mount namespace with the base at /mnt/base and the tree at
/mnt/tree, and waits for the end of its standard input. Each command enters that namespace, becomes an unprivileged
user and starts bwrap. When Graft dies, the holder's input ends, and the kernel drops the mounts with the namespace:
there is nothing to unmount later.

A builder's tree is a folder on the cache's disk. A session's is an overlay: the image's folder below, a tmpfs of a
limited size above. So a fresh state costs milliseconds, and disk use is bounded by the kernel.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.base import DEFAULT_SUITE, base_path
from executor.sandbox.bounded import run_bounded
from executor.sandbox.cgroup import Cgroup, CgroupHome, find_home, make_cgroup, sweep_cgroups
from executor.sandbox.contract import Builder, Command, ExecResult, ImageInfo, Limits, Session
from executor.sandbox.store import Store
from executor.sandbox.treefs import copy_in, read_beneath, remove_tree, write_beneath
from index.errors import SandboxError

_ROOT = "/graft/src"
_PR_SET_CHILD_SUBREAPER = 36
_INNER_ID = "1000"
# The host's user of every candidate when Graft runs as root: no account has it, and it fits a 16-bit id map.
_OUTER_ID = 64321
_BASE_LABEL = "graft.base"
_TOOLS = {"bwrap": "bubblewrap", "unshare": "util-linux", "nsenter": "util-linux", "setpriv": "util-linux"}
_NAMESPACES = (
    "are namespaces allowed? sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
    "kernel.apparmor_restrict_unprivileged_userns; a container needs CAP_SYS_ADMIN"
)
_HOST_ENV = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}

# $1 base, $2 tree or image, $3 size in MiB, $4 owner "uid:gid" or "", $5 overlay options, "builder" for no overlay.
# All is below a private /mnt, so that the unprivileged user can reach it wherever the cache lies. A program less
# saves over a millisecond: one tmpfs for all, the shell's own `read`, a lower folder that needs no mount.
_HOLD = """
set -e
mount -t tmpfs -o "mode=0755,size=$3m" graft /mnt
mkdir /mnt/base /mnt/tree /mnt/upper /mnt/work
mount --bind "$1" /mnt/base
cd -- "$2"
if [ "$5" = builder ]; then
  mount --bind . /mnt/tree
else
  [ -z "$4" ] || chown "$4" /mnt/upper
  mount -t overlay -o "lowerdir=.,upperdir=/mnt/upper,workdir=/mnt/work$5" graft /mnt/tree
fi
echo ready
read -r end || :
"""
# $1 bounds for ulimit, one word each; $2 how many cgroup files follow; then they, then the command. Each program
# less in the chain saves a millisecond, so the shell sets the bounds and nsenter the user.
_ENTER = (
    'for bound in $1; do o=${bound%%=*}; v=${bound#*=}; ulimit "$o" "$v" 2> /dev/null || '
    # How many processes: -u in bash, -p in dash.
    '{ [ "$o" = -u ] && ulimit -p "$v"; } || exit 126; done; n=$2; shift 2; '
    'while [ "$n" -gt 0 ]; do echo 0 > "$1" || exit 126; shift; n=$((n-1)); done; exec "$@"'
)
_START = 'cd -- "$1" || exit 126; shift; exec "$@"'


class BwrapSession:
    """Satisfies `Builder`; what `session` gives is used as a `Session` only."""

    def __init__(
        self, store: Store, groups: CgroupHome | None, holder: subprocess.Popen[bytes], tree: Path | None, base: str
    ) -> None:
        self._store, self._groups, self._holder, self._tree, self._base = store, groups, holder, tree, base
        self._owner = (_OUTER_ID, _OUTER_ID) if os.getuid() == 0 else None
        self._size = Limits().disk_mb

    @property
    def root(self) -> str:
        return _ROOT

    def write(self, path: str, data: bytes) -> None:
        write_beneath(self._host_tree(), path, data, self._owner)

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        return read_beneath(self._host_tree(), path, limit, inside=_ROOT)

    def put_tree(self, source: Path) -> None:
        copy_in(source, self._host_tree(), self._owner)

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        self._host_tree()
        if self._tree is None:
            raise SandboxError("only a builder's state can be kept")
        self._close()
        self._store.keep(self._tree, key, {**labels, _BASE_LABEL: self._base})

    def run(self, command: Command) -> ExecResult:
        limits = command.limits
        self._host_tree()
        self._fit(limits.disk_mb)
        group = self._new_group(limits)
        info_read, info_write = os.pipe()
        try:
            doors = group.doors() if group else []
            argv = ["/bin/sh", "-c", _ENTER, "sh", self._bounds(limits, group), str(len(doors)), *doors]
            argv += self._enter() + _bwrap(command, info_write)
            sandbox = _Sandbox(info_read, group)
            _adopt_orphans()
            ended = run_bounded(
                argv,
                stdin=command.stdin,
                output_bytes=limits.output_bytes,
                wall_s=limits.wall_s,
                stop=sandbox.stop,
                settle=sandbox.settle,
                env=_HOST_ENV,
                cwd=Path("/"),
                pass_fds=(info_write,),
            )
            oom = group is not None and group.memory_kills() > 0
            cpu = group.cpu_s() if group else ended.cpu_s + sandbox.cpu_s
            code = sandbox.exit_code()
        finally:
            os.close(info_read)
            os.close(info_write)
            if group:
                group.remove()
        if code is None and not ended.timed_out and not oom:
            said = ended.output.decode(errors="replace").strip().splitlines() or [f"exit code {ended.status}"]
            raise SandboxError(f"bwrap did not report the end of {command.argv[0]!r}: {said[-1]}")
        return ExecResult(
            exit_code=None if ended.timed_out or (oom and code == 137) else code,
            output=ended.output,
            truncated=ended.truncated,
            timed_out=ended.timed_out,
            wall_s=ended.wall_s,
            cpu_s=cpu,
            oom=oom,
        )

    def _enter(self) -> list[str]:
        """Into the holder's namespaces, as the unprivileged user without further groups."""
        target = ["nsenter", "--target", str(self._holder.pid), "--mount"]
        if self._owner is None:
            return [*target, "--user", "--preserve-credentials"]
        return [*target, "--setgid", str(_OUTER_ID), "--setuid", str(_OUTER_ID)]

    @staticmethod
    def _bounds(limits: Limits, group: Cgroup | None) -> str:
        """For the shell's ulimit: files in blocks of 512 bytes, memory in KiB."""
        bounds = ["-c=0", f"-f={limits.disk_mb * 2048}"]
        if group is None:
            # Weaker: per process, and per user.
            bounds += [f"-v={limits.memory_mb * 1024}", f"-u={limits.processes + _my_threads()}"]
        return " ".join(bounds)

    def _fit(self, disk_mb: int) -> None:
        """A size below what is in use is refused by the kernel; the tree is then full, which is what was asked."""
        if self._tree is not None or disk_mb == self._size:
            return
        resize = ["mount", "-o", f"remount,size={disk_mb}m", "/mnt"]
        target = ["nsenter", "--target", str(self._holder.pid), "--mount"]
        target += [] if self._owner else ["--user", "--preserve-credentials"]
        done = subprocess.run([*target, *resize], capture_output=True, env=_HOST_ENV, check=False)
        if done.returncode == 0:
            self._size = disk_mb

    def _new_group(self, limits: Limits) -> Cgroup | None:
        if self._groups is None:
            return None
        try:
            # bwrap's own two processes and the shell that starts it are in the group too.
            return make_cgroup(self._groups, limits.memory_mb, limits.processes + 3)
        except OSError as error:
            raise SandboxError(f"can't make a cgroup: {error.strerror or error}") from error

    def _host_tree(self) -> Path:
        if self._holder.poll() is not None:
            raise SandboxError("the bwrap session is closed")
        return Path(f"/proc/{self._holder.pid}/root/mnt/tree")

    def _close(self) -> None:
        _end(self._holder)


class _Sandbox:
    """What bwrap reports of one command: its init's pid at the start, the exit code at the end. The command never
    holds the descriptor, so it can't write there."""

    def __init__(self, info: int, group: Cgroup | None) -> None:
        self._info, self._group = info, group
        self._text = b""
        # Of the init and all that it reaped, when it fell to us; else bwrap itself reaped it.
        self.cpu_s = 0.0
        os.set_blocking(info, False)

    def stop(self, child: subprocess.Popen[bytes]) -> None:
        if self._group:
            self._group.stop_forks()
        with contextlib.suppress(ProcessLookupError):
            child.kill()

    def settle(self) -> None:
        """bwrap may end before its pid namespace does; the init's end comes after the last process's."""
        pid = self._report().get("child-pid")
        if pid is None:
            return
        try:
            init = os.pidfd_open(pid)
        except OSError:
            return
        try:
            if not select.select([init], [], [], 0)[0]:
                # It has the death of its parent as a signal already; a second one does no harm.
                with contextlib.suppress(OSError):
                    signal.pidfd_send_signal(init, signal.SIGKILL)
            if not select.select([init], [], [], 20)[0]:
                raise SandboxError("a sandbox's processes did not end within 20 s of being killed")
            with contextlib.suppress(ChildProcessError):
                usage = os.wait4(pid, os.WNOHANG)[2]
                self.cpu_s = usage.ru_utime + usage.ru_stime
        finally:
            os.close(init)

    def exit_code(self) -> int | None:
        return self._report().get("exit-code")

    def _report(self) -> dict[str, int]:
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._info, 4096):
                self._text += data
        merged: dict[str, int] = {}
        for line in self._text.splitlines():
            with contextlib.suppress(ValueError):
                merged.update(json.loads(line))
        return merged


def _bwrap(command: Command, info: int) -> list[str]:
    size = str(command.limits.disk_mb * 1024 * 1024)
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/tmp", "LANG": "C.UTF-8"}
    argv = ["bwrap", "--unshare-user", "--unshare-all", "--disable-userns", "--uid", _INNER_ID]
    argv += ["--gid", _INNER_ID, "--hostname", "graft", "--die-with-parent", "--cap-drop", "ALL"]
    argv += ["--json-status-fd", str(info)]
    argv += ["--ro-bind", "/mnt/base", "/", "--proc", "/proc", "--dev", "/dev"]
    argv += ["--size", size, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    argv += ["--size", size, "--perms", "1777", "--tmpfs", "/tmp", "--bind", "/mnt/tree", _ROOT, "--clearenv"]
    for name, value in {**env, **command.env}.items():
        argv += ["--setenv", name, value]
    cwd = command.cwd if command.cwd.startswith("/") else f"{_ROOT}/{command.cwd}"
    return [*argv, "--", "/bin/sh", "-c", _START, "sh", cwd, *command.argv]


def _private_mounts(as_root: bool) -> list[str]:
    space = ["unshare", "--mount", "--propagation", "private"]
    return space if as_root else [*space, "--map-root-user"]


def _adopt_orphans() -> None:
    """bwrap ends before its pid namespace's init does, so that init falls to a new parent. In a container the first
    process often reaps nobody, and the dead would count against the container's process limit for good."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _my_threads() -> int:
    mine = os.getuid()
    total = 0
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == mine:
                total += sum(1 for _ in (entry / "task").iterdir())
    return total


def _end(holder: subprocess.Popen[bytes]) -> None:
    for pipe in (holder.stdin, holder.stdout, holder.stderr):
        if pipe is not None:
            pipe.close()
    holder.kill()
    holder.wait()


@dataclass(frozen=True, slots=True)
class BwrapBackend:
    """Satisfies `Backend`. `groups` is None where Graft may not make cgroups: then memory is bounded per process
    and processes per user (docs/explanation/threat-model.md)."""

    cache: Path
    groups: CgroupHome | None
    name: str = "bwrap"
    isolated: bool = True

    @property
    def _store(self) -> Store:
        return Store(self.cache, self.name)

    def problem(self) -> str | None:
        for tool, package in _TOOLS.items():
            if shutil.which(tool, path=_HOST_ENV["PATH"]) is None:
                return f"{tool} isn't installed: `apt-get install {package}`"
        as_root = os.getuid() == 0
        user = ["setpriv", f"--reuid={_OUTER_ID}", f"--regid={_OUTER_ID}", "--clear-groups"] if as_root else []
        trial = ["bwrap", "--unshare-user", "--unshare-all", "--disable-userns", "--ro-bind", "/", "/"]
        trial += ["--proc", "/proc", "--dev", "/dev", "--size", "4096", "--tmpfs", "/tmp", "true"]
        for argv in ([*_private_mounts(as_root), "true"], [*user, *trial]):
            tried = subprocess.run(argv, capture_output=True, env=_HOST_ENV, check=False, cwd="/")
            if tried.returncode:
                line = (tried.stderr.decode(errors="replace").strip().splitlines() or [f"{argv[0]} failed"])[-1]
                if "nknown option" in line:
                    return f"{line}: bubblewrap 0.8 or newer is needed"
                return f"{line} ({_NAMESPACES})"
        return None

    def base_name(self, name: str) -> str | None:
        return name

    def import_base(self, rootfs: Path, name: str) -> None:
        """Nothing to do: the folder is used where `make_base` puts it."""

    def builder(self, base: str | None) -> AbstractContextManager[Builder]:
        return self._builder(base)

    def session(self, key: str) -> AbstractContextManager[Session]:
        return self._session(key)

    @contextmanager
    def _builder(self, base: str | None) -> Iterator[Builder]:
        root = self._base(base)
        home = self._store.new_scratch()
        try:
            tree = home / "src"
            tree.mkdir()
            if os.getuid() == 0:
                os.chown(tree, _OUTER_ID, _OUTER_ID)
            with self._holder(root, tree, None) as holder:
                yield BwrapSession(self._store, self.groups, holder, tree, base or DEFAULT_SUITE)
        finally:
            remove_tree(home)

    @contextmanager
    def _session(self, key: str) -> Iterator[Session]:
        tree = self._store.tree(key)
        base = self._store.info(key).labels.get(_BASE_LABEL)
        inode = tree.stat().st_ino
        with self._holder(self._base(base), tree, Limits().disk_mb) as holder:
            yield BwrapSession(self._store, self.groups, holder, None, "")
        # Below an overlay that lost its lower layer every command fails like a bad candidate's.
        if self._store.tree(key).stat().st_ino != inode:
            raise SandboxError(f"bwrap image {key!r} was replaced while a session used it")

    @contextmanager
    def _holder(self, base: Path, tree: Path, size_mb: int | None) -> Iterator[subprocess.Popen[bytes]]:
        as_root = os.getuid() == 0
        owner = f"{_OUTER_ID}:{_OUTER_ID}" if as_root else ""
        overlay = "builder" if size_mb is None else "" if as_root else ",userxattr"
        args = [str(base), str(tree), str(size_mb or 1), owner, overlay]
        holder = subprocess.Popen(
            [*_private_mounts(as_root), "/bin/sh", "-c", _HOLD, "sh", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_HOST_ENV,
            start_new_session=True,
        )
        try:
            assert holder.stdout is not None and holder.stderr is not None
            if holder.stdout.readline() != b"ready\n":
                line = holder.stderr.read().decode(errors="replace").strip().splitlines() or ["no reason given"]
                raise SandboxError(f"can't mount a session: {line[-1]}")
            yield holder
        finally:
            _end(holder)

    def _base(self, name: str | None) -> Path:
        """A suite made by make_base, or any root file system's folder."""
        root = Path(name) if name and "/" in name else base_path(self.cache, name or DEFAULT_SUITE)
        if not root.is_dir():
            raise SandboxError(f"no base root file system at {root}: run `graft images base`")
        if not (root / _ROOT.lstrip("/")).is_dir():
            raise SandboxError(f"the base {root} lacks the folder {_ROOT}: `mkdir -p {root}{_ROOT}`")
        return root

    def images(self) -> Sequence[ImageInfo]:
        return self._store.list_images()

    def remove(self, key: str) -> None:
        self._store.remove(key)


def open_bwrap(cache: Path) -> BwrapBackend:
    """Opens the backend and sweeps what a killed Graft left in `cache` and among the cgroups."""
    Store(cache, "bwrap").sweep()
    groups = find_home()
    if groups is not None:
        sweep_cgroups(groups)
    return BwrapBackend(cache, groups)
