"""One session of the `bwrap` sandbox: files by way of its holder's mounts, each command in a bubblewrap of its own."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from executor.sandbox.bounded_process import kill_helper_process, run_child_within_bounds
from executor.sandbox.cgroup import Cgroup, make_cgroup
from executor.sandbox.contract import ENV, ROOT, Command, CommandLimits, ExecResult, resolve_inner_path_against_root
from executor.sandbox.reaper import count_threads_of
from executor.sandbox.store import Store
from executor.sandbox.tree_files import copy_tree_into, read_file_beneath, write_file_beneath
from index.errors import SandboxError

_PR_SET_CHILD_SUBREAPER = 36
_INNER_ID = "1000"
# The host's user of every candidate when Graft runs as root: no account has it, and it fits a 16-bit id map.
OUTER_ID = 64321
BASE_LABEL = "graft.base"
HOST_ENV = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}

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
        self, store: Store, groups: Cgroup | None, holder: subprocess.Popen[bytes], tree: Path | None, base: str
    ) -> None:
        self._store, self._groups, self._holder, self._tree, self._base = store, groups, holder, tree, base
        self._owner = (OUTER_ID, OUTER_ID) if os.getuid() == 0 else None
        self._size = CommandLimits().disk_mb

    @property
    def root(self) -> str:
        return ROOT

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        write_file_beneath(self._locate_tree_on_host(), path, data, self._owner, keep_time=keep_time)

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        return read_file_beneath(self._locate_tree_on_host(), path, limit, inner_root=ROOT)

    def put_tree(self, source: Path) -> None:
        copy_tree_into(source, self._locate_tree_on_host(), self._owner)

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        self._locate_tree_on_host()
        if self._tree is None:
            raise SandboxError("only a builder's state can be kept")
        kill_helper_process(self._holder)
        self._store.keep_image(self._tree, key, {**labels, BASE_LABEL: self._base})

    def run(self, command: Command) -> ExecResult:
        limits = command.limits
        self._locate_tree_on_host()
        self._resize_overlay(limits.disk_mb)
        group = self._make_cgroup(limits)
        info_read, info_write = os.pipe()
        try:
            files = group.list_cgroup_procs_files() if group else []
            argv = ["/bin/sh", "-c", _ENTER, "sh", _format_ulimit_arguments(limits, group), str(len(files)), *files]
            argv += self._make_nsenter_command() + _make_bwrap_command(command, info_write)
            sandbox = _Sandbox(info_read, group)
            _become_child_subreaper()
            ended = run_child_within_bounds(
                argv,
                command,
                stop=sandbox.kill_processes,
                wait_for_descendants=sandbox.wait_for_pid_namespace_end,
                env=HOST_ENV,
                cwd=Path("/"),
                pass_fds=(info_write,),
            )
            oom = group is not None and group.count_memory_kills() > 0
            cpu = group.cpu_s() if group else (ended.cpu_s or 0.0) + sandbox.cpu_s
            code = sandbox.exit_code()
        finally:
            os.close(info_read)
            os.close(info_write)
            if group:
                group.remove()
        if code is None and not ended.timed_out and not oom:
            lines = ended.output.decode(errors="replace").strip().splitlines() or [f"exit code {ended.exit_code}"]
            raise SandboxError(f"bwrap did not report the end of {command.argv[0]!r}: {lines[-1]}")
        was_killed = ended.timed_out or (oom and code == 137)
        return replace(ended, exit_code=None if was_killed else code, cpu_s=cpu, oom=oom)

    def _make_nsenter_command(self) -> list[str]:
        """The command that enters the holder's namespaces as the unprivileged user, without further groups."""
        target = ["nsenter", "--target", str(self._holder.pid), "--mount"]
        if self._owner is None:
            return [*target, "--user", "--preserve-credentials"]
        return [*target, "--setgid", str(OUTER_ID), "--setuid", str(OUTER_ID)]

    def _resize_overlay(self, disk_mb: int) -> None:
        """Resize the overlay's tmpfs. Below what is in use the kernel refuses: the tree is full, as it should be."""
        if self._tree is not None or disk_mb == self._size:
            return
        resize = ["mount", "-o", f"remount,size={disk_mb}m", "/mnt"]
        target = ["nsenter", "--target", str(self._holder.pid), "--mount"]
        target += [] if self._owner else ["--user", "--preserve-credentials"]
        done = subprocess.run([*target, *resize], capture_output=True, env=HOST_ENV, check=False)
        if done.returncode == 0:
            self._size = disk_mb

    def _make_cgroup(self, limits: CommandLimits) -> Cgroup | None:
        if self._groups is None:
            return None
        try:
            # bwrap's own two processes and the shell that starts it are in the group too.
            return make_cgroup(self._groups, limits.memory_mb, limits.processes + 3)
        except OSError as error:
            raise SandboxError(f"can't make a cgroup: {error.strerror or error}") from error

    def _locate_tree_on_host(self) -> Path:
        if self._holder.poll() is not None:
            raise SandboxError("the bwrap session is closed")
        return Path(f"/proc/{self._holder.pid}/root/mnt/tree")


class _Sandbox:
    """bwrap's own report on one command: its init's pid at the start, the exit code at the end. The command never
    holds the descriptor, so it can't forge the report."""

    def __init__(self, info: int, group: Cgroup | None) -> None:
        self._info, self._group = info, group
        self._text = b""
        # CPU time of the init and all that it reaped. 0 when bwrap itself reaped it.
        self.cpu_s = 0.0
        os.set_blocking(info, False)

    def kill_processes(self, child: subprocess.Popen[bytes]) -> None:
        if self._group:
            self._group.forbid_forks()
        with contextlib.suppress(ProcessLookupError):
            child.kill()

    def wait_for_pid_namespace_end(self) -> None:
        """Wait for the end of the pid namespace: its init ends after the last process, and maybe after bwrap."""
        pid = self._read_report().get("child-pid")
        if pid is None:
            return
        try:
            init = os.pidfd_open(pid)
        except OSError:
            return
        try:
            ended = select.poll()  # select knows no descriptor above 1,023
            ended.register(init, select.POLLIN)
            if not ended.poll(0):
                # The death of its parent has sent it this signal already; a second one does no harm.
                with contextlib.suppress(OSError):
                    signal.pidfd_send_signal(init, signal.SIGKILL)
            if not ended.poll(20_000):
                raise SandboxError("a sandbox's processes did not end within 20 s of being killed")
            with contextlib.suppress(ChildProcessError):
                usage = os.wait4(pid, os.WNOHANG)[2]
                self.cpu_s = usage.ru_utime + usage.ru_stime
        finally:
            os.close(init)

    def exit_code(self) -> int | None:
        return self._read_report().get("exit-code")

    def _read_report(self) -> dict[str, int]:
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._info, 4096):
                self._text += data
        return read_bwrap_status(self._text)


def read_bwrap_status(report: bytes) -> dict[str, int]:
    """The numbers in bwrap's report, an object a line. A line that is cut off, or is none, counts nothing."""
    merged: dict[str, int] = {}
    for line in report.splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(line)
            if isinstance(value, dict):
                merged.update({key: item for key, item in value.items() if type(item) is int})
    return merged


def _format_ulimit_arguments(limits: CommandLimits, group: Cgroup | None) -> str:
    """The bounds for the shell's ulimit: file sizes in blocks of 512 bytes, memory in KiB."""
    bounds = ["-c=0", f"-f={limits.disk_mb * 2048}"]
    if group is None:
        # Weaker: per process, and per user, whose other sandboxes count as well.
        running = count_threads_of(os.getuid() or OUTER_ID)
        bounds += [f"-v={limits.memory_mb * 1024}", f"-u={limits.processes + running}"]
    return " ".join(bounds)


def _make_bwrap_command(command: Command, status_fd: int) -> list[str]:
    size = str(command.limits.disk_mb * 1024 * 1024)
    argv = ["bwrap", "--unshare-user", "--unshare-all", "--disable-userns", "--uid", _INNER_ID]
    argv += ["--gid", _INNER_ID, "--hostname", "graft", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    argv += ["--json-status-fd", str(status_fd)]
    argv += ["--ro-bind", "/mnt/base", "/", "--proc", "/proc", "--dev", "/dev"]
    argv += ["--size", size, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    argv += ["--size", size, "--perms", "1777", "--tmpfs", "/tmp", "--bind", "/mnt/tree", ROOT, "--clearenv"]
    for name, value in {**ENV, **command.env}.items():
        argv += ["--setenv", name, value]
    return [*argv, "--", "/bin/sh", "-c", _START, "sh", resolve_inner_path_against_root(command.cwd), *command.argv]


def _become_child_subreaper() -> None:
    """Become the new parent of the pid namespaces' inits, which end after bwrap. In a container the first process
    often reaps nobody, and the dead would count against the container's process limit for good."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
