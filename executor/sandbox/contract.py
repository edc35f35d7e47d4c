"""The one contract that every sandbox keeps; tests/executor/sandbox runs one conformance suite over all of them.

A *backend* keeps images and opens sessions. A *session* is a fresh state of an image: everything that a candidate
leaves behind (files, processes, ports) disappears with it. Inside, the repository's tree is at `Session.root`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

ROOT = "/graft/src"
"""Where the tree stands in a sandbox that has a root file system of its own."""
ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/tmp", "LANG": "C.UTF-8"}
"""What a command there finds in its environment."""


def resolve_inner_path_against_root(path: str) -> str:
    """The absolute path that a command there means by `path`."""
    return path if path.startswith("/") else f"{ROOT}/{path}"


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """Bounds of one command: wall seconds, memory and disk in MiB, live processes, kept bytes per stream."""

    wall_s: float = 60.0
    memory_mb: int = 4096
    disk_mb: int = 4096
    processes: int = 512
    output_bytes: int = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Command:
    """`argv` is run without a shell. A relative `cwd` is taken from the session's root. For whoever shares a machine
    among commands: `cores` that it keeps busy, None where that isn't known; `alone`: it is sensitive to time, so that
    nothing else should run meanwhile; `later`: nobody waits for it, so that others go first."""

    argv: Sequence[str]
    cwd: str = "."
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    limits: CommandLimits = CommandLimits()
    cores: float | None = None
    alone: bool = False
    later: bool = False


@dataclass(frozen=True, slots=True)
class ExecResult:
    """How a command ended, as the sandbox itself reports it. `exit_code` is None when the sandbox killed the command
    (`timed_out`, or `oom` where it can tell), 128+N for a death by signal N. `output` holds stdout and stderr in the
    order written. `cpu_s` is user and system time, None where it isn't measured."""

    exit_code: int | None
    output: bytes
    truncated: bool
    timed_out: bool
    wall_s: float
    cpu_s: float | None = None
    oom: bool = False

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.timed_out

    @property
    def ending(self) -> str:
        """How it ended, for a message: `ended with status 2`."""
        if self.oom:
            return "ran out of memory"
        if self.timed_out:
            return f"was stopped after {self.wall_s:.0f} s"
        return f"ended with status {self.exit_code}"

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "replace")

    @property
    def cost_s(self) -> float:
        """CPU seconds, or wall seconds where the sandbox doesn't measure CPU time."""
        return self.wall_s if self.cpu_s is None else self.cpu_s


class Session(Protocol):
    """A fresh state of an image. Every method raises SandboxError when the sandbox itself fails."""

    @property
    def root(self) -> str:
        """Absolute path, inside, of the repository's tree."""
        ...

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        """Replace the file at `path` (relative to root); parents are made. `keep_time`: it keeps the time of the file
        that it replaces, to the second, so that make sees no change."""
        ...

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        """The file's bytes, at most `limit`. Raises FileNotFoundError, also for what is no regular file and for a
        link that leads out of the tree."""
        ...

    def run(self, command: Command) -> ExecResult:
        """Run the command to its end. When this returns, no process that the command started is alive, not even one
        that left its session or process group (setsid, double fork). A missing program or folder is the command's
        failure (127, 126), not the sandbox's. Files in /tmp may be gone at the next command."""
        ...


class Builder(Session, Protocol):
    """A session whose state `commit` keeps. Builds run as the same ordinary user as candidates."""

    def put_tree(self, source: Path) -> None:
        """Copy a directory of the host (without .git) to `root`, owned by the sandbox's user."""
        ...

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        """Keep the state as the image `key`, which replaces an image of that key. Atomic: an image is whole or isn't
        there. This is the last call on a builder, whose state may have been moved instead of copied."""
        ...


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """An image in a sandbox's list. `labels` are those given to `commit`; `created` is an ISO 8601 time."""

    key: str
    labels: Mapping[str, str]
    size_bytes: int
    created: str


class Backend(Protocol):
    """A sandbox that Graft can run candidates in. `executor.sandbox.choose` lists them by name."""

    @property
    def name(self) -> str:
        """What a user calls it; also the name of its folders in the cache."""
        ...

    @property
    def isolated(self) -> bool:
        """Whether untrusted candidates may run in it: no network, not root, no capabilities, limits that hold."""
        ...

    def problem(self) -> str | None:
        """None when the sandbox can be used; else one line: what is missing and the command that installs it."""
        ...

    def has_base(self) -> bool:
        """Whether a run can start in it at once: it has Debian's default suite as a base, or an image that was built
        on one. Asked for `auto` alone, once `problem` is None."""
        ...

    def base_name(self, name: str) -> str | None:
        """What `builder` takes for the base called `name`: a Debian suite, or a recipe's own base. It is part of the
        keys of the images built on it. None when the sandbox uses the host's own tools and needs no base."""
        ...

    def import_base(self, rootfs: Path, name: str) -> None:
        """Make the root file system in the folder `rootfs`, which `executor.sandbox.base` made, usable as the base
        called `name`. Replaces one of that name. Raises SandboxError."""
        ...

    def builder(self, base: str | None) -> AbstractContextManager[Builder]:
        """A session to build an image in. `base`: what `base_name` gives, or whatever else of the user's the sandbox
        can start from; None for Debian's default suite. Raises SandboxError when there is no such base."""
        ...

    def session(self, key: str) -> AbstractContextManager[Session]:
        """A session of the image. Raises SandboxError, which names `graft images build`, where it isn't there."""
        ...

    def images(self) -> Sequence[ImageInfo]:
        """All images of this sandbox, sorted by key."""
        ...

    def remove(self, key: str) -> None:
        """Remove the image if it exists."""
        ...
