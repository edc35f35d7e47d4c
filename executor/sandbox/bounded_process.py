"""Runs one child process of the host with bounded output and a deadline, for sandboxes without an engine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from executor.sandbox.contract import Command, ExecResult
from index.errors import SandboxError

_CHUNK = 1024 * 1024


def run_child_within_bounds(
    argv: Sequence[str],
    command: Command,
    *,
    stop: Callable[[subprocess.Popen[bytes]], object],
    wait_for_descendants: Callable[[], None] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> ExecResult:
    """Run the child `argv` to its end, with the standard input, the time and the kept bytes of output that `command`
    has. `env` and `cwd`: None for the host's own. The result holds the child's own exit code, also where it was
    stopped, and the CPU time of the child and of all processes that it waited for.

    `stop` is called once after the `wall_s` and must end it. `wait_for_descendants` is called after its end, before
    the rest of the pipe is read; it waits for other processes of the command.
    Raises SandboxError when it can't be started."""
    begin = time.monotonic()
    try:
        child = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            env=env,
            cwd=cwd,
            pass_fds=pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"can't start {argv[0]}: {error.strerror or error}") from error
    try:
        return _pump_process_until_end(child, command, begin, stop, wait_for_descendants)
    except BaseException:
        # An interrupt of Graft must not leave a candidate running.
        if child.returncode is None:
            stop(child)
            with contextlib.suppress(OSError):
                child.wait(timeout=10)
        raise
    finally:
        close_pipes(child)


def close_pipes(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def kill_helper_process(helper: subprocess.Popen[bytes]) -> None:
    """End a process of ours that serves a session."""
    close_pipes(helper)
    helper.kill()
    helper.wait()


def _pump_process_until_end(
    child: subprocess.Popen[bytes],
    command: Command,
    begin: float,
    stop: Callable[[subprocess.Popen[bytes]], object],
    wait_for_descendants: Callable[[], None] | None,
) -> ExecResult:
    assert child.stdin is not None and child.stdout is not None
    wall_s, most_bytes = command.limits.wall_s, command.limits.output_bytes
    pidfd = os.pidfd_open(child.pid)
    selector = selectors.DefaultSelector()
    try:
        out, feed = child.stdout.fileno(), child.stdin.fileno()
        # A large pipe turns 100 MB of output into a hundred reads instead of thousands. Some users may not have one.
        with contextlib.suppress(OSError):
            fcntl.fcntl(out, fcntl.F_SETPIPE_SZ, _CHUNK)
        os.set_blocking(out, False)
        os.set_blocking(feed, False)
        selector.register(out, selectors.EVENT_READ)
        selector.register(pidfd, selectors.EVENT_READ)
        rest = memoryview(command.stdin)
        if rest:
            selector.register(feed, selectors.EVENT_WRITE)
        else:
            child.stdin.close()
        kept = bytearray()
        dropped = False
        timed_out = False
        grace = 0.0
        ended = False
        while not ended:
            now = time.monotonic() - begin
            if not timed_out and now >= wall_s:
                timed_out, grace = True, now + 20.0
                stop(child)
            elif timed_out and now >= grace:
                raise SandboxError(f"a command did not end within 20 s of being killed (pid {child.pid})")
            for key, _ in selector.select((grace if timed_out else wall_s) - now):
                if key.fd == out:
                    data = _read_pipe_unless_empty(out)
                    if data == b"":
                        selector.unregister(out)
                    elif data is not None:
                        dropped |= _append_and_report_overflow(kept, data, most_bytes)
                elif key.fd == feed:
                    try:
                        rest = rest[os.write(feed, rest[:65536]) :]
                    except BlockingIOError:
                        continue
                    except OSError:  # the command closed its standard input: what is left is of no use
                        rest = rest[:0]
                    if not rest:
                        selector.unregister(feed)
                        child.stdin.close()
                else:
                    ended = True
        _, wait_status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(wait_status)
        wall = time.monotonic() - begin
        if wait_for_descendants is not None:
            wait_for_descendants()
        while data := _read_pipe_unless_empty(out):
            dropped |= _append_and_report_overflow(kept, data, most_bytes)
    finally:
        selector.close()
        os.close(pidfd)
    code = child.returncode
    return ExecResult(
        exit_code=code if code >= 0 else 128 - code,
        output=bytes(kept),
        truncated=dropped,
        timed_out=timed_out,
        wall_s=wall,
        cpu_s=usage.ru_utime + usage.ru_stime,
    )


def _read_pipe_unless_empty(fd: int) -> bytes | None:
    """What is in the pipe: None when it is empty but open, b"" at its end."""
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None


def _append_and_report_overflow(kept: bytearray, data: bytes, limit: int) -> bool:
    """Append to `kept` what fits into `limit`. Returns whether some of `data` was dropped."""
    room = limit - len(kept)
    kept += data[: max(room, 0)]
    return len(data) > room
