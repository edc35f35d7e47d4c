"""Runs one command for the `process` backend and outlives all that it starts. Started as a script, with the
standard library alone: `python -I -S reaper.py STATUS_FD PARENT MEMORY_MB DISK_MB PROCESSES CWD ARGV...`.

As a child subreaper it becomes the parent of every process that leaves its session (setsid, double fork), so that it
can find and kill them. It writes "EXIT CPU_S" to STATUS_FD, which the command never holds. It kills everything on
SIGTERM, which it also gets when Graft dies.
"""

from __future__ import annotations

# What this script costs is added to every command. `signal` and `pathlib` would take longer to import than Python to
# start: the former wraps what `_signal` has in enums.
import _signal as signal  # type: ignore[import-not-found]
import ctypes
import os
import resource
import sys
import time

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


class _StopError(Exception):
    pass


def _stop_on_signal(_signal: int, _frame: object) -> None:
    raise _StopError


def run_command_kill_descendants_write_status(script_arguments: list[str]) -> int:
    status_fd, parent, memory_mb, disk_mb, processes = (int(text) for text in script_arguments[:5])
    cwd, argv = script_arguments[5], script_arguments[6:]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    os.set_inheritable(status_fd, False)
    code = 137
    try:
        signal.signal(signal.SIGTERM, _stop_on_signal)
        if os.getppid() != parent:
            return 137
        child = os.fork()
        if child == 0:
            _become_command(cwd, argv, memory_mb, disk_mb, processes)
        while True:
            pid, status = os.waitpid(-1, 0)
            if pid == child:
                code = os.waitstatus_to_exitcode(status)
                break
    except _StopError:
        pass
    # A second SIGTERM must not end the clean-up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _kill_and_reap_descendants()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.write(status_fd, b"%d %f\n" % (code if code >= 0 else 128 - code, usage.ru_utime + usage.ru_stime))
    return 0


def _become_command(cwd: str, argv: list[str], memory_mb: int, disk_mb: int, processes: int) -> None:
    """Never returns: exec, or exit with the shell's codes for a program that isn't there or can't be run."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.setsid()
        _set_resource_limit(resource.RLIMIT_CORE, 0)
        _set_resource_limit(resource.RLIMIT_AS, memory_mb * 1024 * 1024)
        _set_resource_limit(resource.RLIMIT_FSIZE, disk_mb * 1024 * 1024)
        if os.getuid():
            # The kernel counts all threads of the user, and never holds root to it.
            _set_resource_limit(resource.RLIMIT_NPROC, processes + count_threads_of(os.getuid()))
        os.chdir(cwd)
    except OSError as error:
        os.write(2, f"{cwd}: {error.strerror}\n".encode())
        os._exit(126)
    try:
        os.execvp(argv[0], argv)
    except FileNotFoundError:
        os.write(2, f"{argv[0]}: not found\n".encode())
        os._exit(127)
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        os._exit(126)


def count_threads_of(user: int) -> int:
    """The live threads of all processes of this user."""
    total = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                total += len(os.listdir(f"{entry.path}/task")) if entry.stat().st_uid == user else 0  # noqa: PTH208
            except OSError:
                continue
    return total


def _set_resource_limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def _kill_and_reap_descendants() -> None:
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in _list_descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        time.sleep(0.001)


def _list_descendants() -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:  # noqa: PTH123
                    stat = file.read()
            except OSError:
                continue
            # The name, in parentheses, may hold anything: the fields after the last one are safe.
            children.setdefault(int(stat.rpartition(b")")[2].split()[1]), []).append(int(entry))
    found: list[int] = []
    frontier = [os.getpid()]
    while frontier:
        frontier = [pid for parent in frontier for pid in children.get(parent, ())]
        found += frontier
    return found


if __name__ == "__main__":
    sys.exit(run_command_kill_descendants_write_status(sys.argv[1:]))
