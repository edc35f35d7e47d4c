"""One command in a running container: the engine's exec stream read by ourselves, with a cap and a deadline.

The SDK's own reader needs 10 s for 20 MB and knows no deadline. The stream is a sequence of frames: one byte for
the stream (1 stdout, 2 stderr), three of padding, four of length in network order, then the data (Engine API,
"Attach to a container")."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from index.errors import SandboxError

if TYPE_CHECKING:
    from docker import DockerClient

_CHUNK = 1024 * 1024
_API_TIMEOUT_S = 60
# How long the stream may stay open after everything in the container was killed.
_GRACE_S = 45.0


@dataclass(frozen=True, slots=True)
class ExecEnded:
    """`code` comes from the engine, not from the stream."""

    code: int
    output: bytes
    truncated: bool
    timed_out: bool
    wall_s: float


def connect(timeout: int = _API_TIMEOUT_S) -> DockerClient:
    """A client of its own, for one thread at a time. Raises what `guarded` turns into SandboxError."""
    import docker

    # The SDK leaves its socket open when nobody answers at the other end, so ask first.
    host = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    if host.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(host.removeprefix("unix://"))
    return docker.from_env(timeout=timeout)


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Turns each failure of the engine, the SDK or the connection into SandboxError with one line."""
    import docker.errors
    import requests

    try:
        yield
    except docker.errors.APIError as error:
        reason = error.explanation or str(error)
        raise SandboxError(f"docker: {what}: {' '.join(str(reason).split())}") from error
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
        reason = " ".join(str(error).split())[:300]
        raise SandboxError(f"docker: {what}: is the engine running? ({reason})") from error


def exec_bounded(
    client: DockerClient,
    container: str,
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    user: str,
    stdin: bytes,
    output_bytes: int,
    wall_s: float,
    stop: Callable[[], None],
    watch: Callable[[], bool] | None = None,
    stdout_only: bool = False,
) -> ExecEnded:
    """Run `argv`, keep the first `output_bytes` of its output and drop the rest. At `wall_s`, or when `watch`
    (asked every other second) returns True, `stop` is called in a thread and must make everything end."""
    api = client.api
    begin = time.monotonic()
    made = api.exec_create(container, list(argv), environment=dict(env), user=user, stdin=bool(stdin))
    exec_id = str(made["Id"])
    stream = api.exec_start(exec_id, socket=True)
    # On a local engine the SDK wraps the socket; over TLS it is the socket.
    raw = cast("socket.socket", getattr(stream, "_sock", stream))
    frames = _Frames(output_bytes, stdout_only)
    timed_out = False
    stopped_at = 0.0
    # The engine reports the ends of a container's execs in order, and holds an exec's end back until its output is
    # read: whoever kills by another exec must not be the one that reads.
    killer = threading.Thread(target=_quietly, args=(stop,), daemon=True)
    try:
        raw.setblocking(False)
        rest = memoryview(stdin)
        next_watch = 2.0
        while True:
            now = time.monotonic() - begin
            if not stopped_at and (now >= wall_s or (watch and now >= next_watch and watch())):
                timed_out, stopped_at = now >= wall_s, now
                killer.start()
            elif stopped_at and time.monotonic() - begin - stopped_at > _GRACE_S:
                raise SandboxError(f"docker: a command in {container[:12]} did not end after being killed")
            if watch and now >= next_watch:
                next_watch = now + 2.0
            until = stopped_at + _GRACE_S if stopped_at else min(wall_s, next_watch if watch else wall_s)
            ready, writable, _ = select.select([raw], [raw] if rest else [], [], max(until - now, 0.01))
            if writable:
                rest = _feed(raw, rest)
            if ready:
                try:
                    data = raw.recv(_CHUNK)
                except BlockingIOError:
                    continue
                if not data:
                    break
                frames.take(data)
    finally:
        with contextlib.suppress(OSError):
            raw.close()
        with contextlib.suppress(OSError):
            stream.close()
        if stopped_at:
            killer.join(_GRACE_S)
    wall = time.monotonic() - begin
    code = _exit_code(client, exec_id)
    return ExecEnded(code, bytes(frames.kept), frames.dropped, timed_out, wall)


def _quietly(stop: Callable[[], None]) -> None:
    """What goes wrong here shows as a stream that does not end, or as an exit code that can't be had."""
    with contextlib.suppress(Exception):
        stop()


def _feed(raw: socket.socket, rest: memoryview) -> memoryview:
    try:
        rest = rest[raw.send(rest[:65536]) :]
    except BlockingIOError:
        return rest
    except OSError:  # the command closed its standard input
        rest = rest[:0]
    if not rest:
        with contextlib.suppress(OSError):
            raw.shutdown(socket.SHUT_WR)
    return rest


def _exit_code(client: DockerClient, exec_id: str) -> int:
    """The engine may close the stream a moment before it knows the exit code."""
    for _ in range(500):
        code = client.api.exec_inspect(exec_id)["ExitCode"]
        if code is not None:
            return int(code)
        time.sleep(0.01)
    raise SandboxError("docker: the engine does not tell a command's exit code")


class _Frames:
    """Takes the stream as it comes, in pieces of any size."""

    def __init__(self, limit: int, stdout_only: bool) -> None:
        self.kept = bytearray()
        self.dropped = False
        self._limit, self._stdout_only = limit, stdout_only
        self._head = bytearray()
        self._left = 0
        self._wanted = True

    def take(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            if self._left == 0:
                need = 8 - len(self._head)
                self._head += view[:need]
                view = view[need:]
                if len(self._head) == 8:
                    self._left = int.from_bytes(self._head[4:], "big")
                    self._wanted = not self._stdout_only or self._head[0] == 1
                    self._head.clear()
                continue
            piece, view = view[: self._left], view[self._left :]
            self._left -= len(piece)
            if self._wanted:
                room = max(self._limit - len(self.kept), 0)
                self.kept += piece[:room]
                self.dropped |= len(piece) > room
