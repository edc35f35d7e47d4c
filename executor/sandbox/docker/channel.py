"""The connection to a container's first process (first.pl): commands in, output and exit status out.

The engine carries it as the container's attached standard input and output: frames of one byte for the stream,
three zero bytes, the length in network order, the data (Engine API, "Attach to a container"). Within standard
output lie the first process's own frames. A command has no descriptor of either, so it can't write here.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from executor.sandbox.contract import ENV, ROOT, Command, ExecResult, resolve_inner_path_against_root
from index.errors import SandboxError

if TYPE_CHECKING:
    from docker import DockerClient

_CHUNK = 1024 * 1024
_STDERR = 2
# How long an answer may take after everything in the container was killed.
_GRACE_S = 30.0
# In case Graft hangs: the first process itself ends a command so long after Graft's deadline.
_BACKSTOP_S = 30


class Line:
    """One command at a time. Every method raises SandboxError once the container is gone."""

    def __init__(self, client: DockerClient, container: str) -> None:
        """Attaches to a container that isn't started yet. Raises as `connect_engine` does."""
        params = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        self._stream: Any = client.api.attach_socket(container, params=params)
        # On a local engine the SDK wraps the socket; over TLS it is the socket.
        self._raw = cast("socket.socket", getattr(self._stream, "_sock", self._stream))
        self._raw.setblocking(False)
        self._name = container[:12]
        self._outer = bytearray()
        self._inner = bytearray()
        self._errors = bytearray()

    def close(self) -> None:
        """Close the connection. That ends the container too: its first process notices."""
        for end in (self._raw, self._stream):
            with contextlib.suppress(OSError):
                end.close()

    def run_command(self, command: Command, watch: Callable[[], bool] | None = None) -> ExecResult:
        """Run the command as the sandbox's user and return when no process that it started is alive. Everything is
        killed after its `wall_s`, or when `watch`, called every other second, returns True. A file's size and the
        output are bounded; other limits are the container's. `cpu_s` is what the first process measured of its
        children, in steps of 0.01."""
        limits = command.limits
        entries = [f"{name}={value}" for name, value in {**ENV, **command.env}.items()]
        fields = [str(int(limits.wall_s) + _BACKSTOP_S), str(limits.output_bytes), str(limits.disk_mb * 2048)]
        fields += [resolve_inner_path_against_root(command.cwd), str(len(entries)), *entries, *command.argv]
        return self._send_order_and_await_end(b"R", fields, command.stdin, limits.wall_s, watch)

    def write_file(self, path: str, data: bytes, *, keep_time: bool) -> ExecResult:
        """Write as the sandbox's user. Fails where `path` leads out of the tree; the output is then one line."""
        fields = [resolve_inner_path_against_root(path), ROOT, "1" if keep_time else ""]
        return self._send_order_and_await_end(b"W", fields, data, 120.0, None)

    def _send_order_and_await_end(
        self, order: bytes, fields: Sequence[str], data: bytes, wall_s: float, watch: Callable[[], bool] | None
    ) -> ExecResult:
        begin = time.monotonic()
        self._send_bytes(
            _make_frame(order, "\0".join(fields).encode("utf-8", "surrogateescape")) + _make_frame(b"I", data)
        )
        output = bytearray()
        killed_at: float | None = None
        timed_out = False
        next_watch = 2.0
        while True:
            now = time.monotonic() - begin
            if killed_at is None:
                timed_out = now >= wall_s
                if timed_out or (watch is not None and now >= next_watch and watch()):
                    killed_at = now
                    self._send_bytes(_make_frame(b"K", b""))
                if watch is not None and now >= next_watch:
                    next_watch = now + 2.0
            elif now - killed_at > _GRACE_S:
                raise SandboxError(f"docker: a command in {self._name} did not end after being killed")
            until = killed_at + _GRACE_S if killed_at is not None else min(wall_s, next_watch if watch else wall_s)
            for kind, payload in self._receive_frames(max(until - now, 0.01)):
                if kind == b"O":
                    output += payload
                elif kind == b"E":
                    code, dropped, cpu = payload.split()
                    wall = time.monotonic() - begin
                    return ExecResult(int(code), bytes(output), dropped == b"1", timed_out, wall, float(cpu))

    def kill_processes_and_describe_rest(self) -> str:
        """Kill all but the first process. Returns what else is left behind than files, "" for nothing."""
        self._send_bytes(_make_frame(b"C", b""))
        until = time.monotonic() + _GRACE_S
        while (wait := until - time.monotonic()) > 0:
            for kind, data in self._receive_frames(wait):
                if kind == b"C":
                    return data.decode(errors="replace")
        raise SandboxError(f"docker: {self._name} doesn't answer")

    def is_alive(self) -> bool:
        """Whether the container of an idle connection still runs."""
        try:
            self._receive_frames(0)
        except SandboxError:
            return False
        return True

    def _wait_for_socket_event(self, event: int, seconds: float) -> bool:
        waiting = select.poll()  # select knows no descriptor above 1,023
        waiting.register(self._raw, event)
        return bool(waiting.poll(1000 * seconds))

    def _send_bytes(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                if not self._wait_for_socket_event(select.POLLOUT, _GRACE_S):
                    raise SandboxError(f"docker: {self._name} accepts no commands")
                with contextlib.suppress(BlockingIOError):
                    rest = rest[self._raw.send(rest[:_CHUNK]) :]
        except OSError as error:
            raise self._make_gone_error() from error

    def _receive_frames(self, wait: float) -> list[tuple[bytes, bytes]]:
        """The complete frames that arrive within `wait` seconds: kind and data of each."""
        if not self._wait_for_socket_event(select.POLLIN, wait):
            return []
        try:
            data = self._raw.recv(_CHUNK)
        except BlockingIOError:
            return []
        except OSError as error:
            raise self._make_gone_error() from error
        if not data:
            raise self._make_gone_error()
        self._outer += data
        while len(self._outer) >= 8:
            stream, length = struct.unpack_from(">BxxxI", self._outer)
            if len(self._outer) < 8 + length:
                break
            (self._errors if stream == _STDERR else self._inner).extend(self._outer[8 : 8 + length])
            del self._outer[: 8 + length]
        found = []
        while len(self._inner) >= 5:
            kind, length = struct.unpack_from(">cI", self._inner)
            if len(self._inner) < 5 + length:
                break
            found.append((kind, bytes(self._inner[5 : 5 + length])))
            del self._inner[: 5 + length]
        return found

    def _make_gone_error(self) -> SandboxError:
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return SandboxError(f"docker: the container {self._name} is gone" + (f": {lines[-1]}" if lines else ""))


def _make_frame(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "big") + data
