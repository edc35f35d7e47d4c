"""The one contract that every sandbox keeps; tests/executor/sandbox runs one conformance suite over all of them.

A *backend* owns images and opens sessions. A *session* is one fresh state of an image: what a candidate leaves
behind (files, processes, ports) is gone with it. Inside, the repository's tree stands at `Session.root`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one command: wall seconds, memory and disk in MiB, live processes, kept bytes per stream."""

    wall_s: float = 60.0
    memory_mb: int = 4096
    disk_mb: int = 4096
    processes: int = 512
    output_bytes: int = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Command:
    """`argv` is run without a shell. A relative `cwd` is taken from the session's root."""

    argv: Sequence[str]
    cwd: str = "."
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class ExecResult:
    """The exit status comes from the sandbox's API. `exit_code` is None when the command was killed by us
    (`timed_out`, or `oom` where the backend can tell); a death by signal N is 128+N. stderr is merged into
    `output` in the order written. `cpu_s` is user+system where known, else None."""

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
        """The output as text."""
        return self.output.decode("utf-8", "replace")

    @property
    def cost_s(self) -> float:
        """CPU seconds, or wall seconds where the sandbox doesn't measure CPU time."""
        return self.wall_s if self.cpu_s is None else self.cpu_s


class Session(Protocol):
    """One fresh state. Every method raises SandboxError when the sandbox itself fails."""

    @property
    def root(self) -> str:
        """Absolute path, inside, of the repository's tree."""
        ...

    def write(self, path: str, data: bytes) -> None:
        """Replace the file at `path` (relative to root); parents are made."""
        ...

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        """The file's bytes, at most `limit`. Raises FileNotFoundError, also for what is no regular file and for a
        link that leads out of the tree."""
        ...

    def run(self, command: Command) -> ExecResult:
        """Run to the end. When it returns, no process that the command started is alive, those that left its
        session or process group (setsid, double fork) included. A program or folder that isn't there is the
        command's failure (127, 126), not the sandbox's. What a command leaves in /tmp may be gone at the next."""
        ...


class Builder(Session, Protocol):
    """A session whose state is kept by `commit`. Builds run as the same ordinary user as candidates do."""

    def put_tree(self, source: Path) -> None:
        """Copy a directory of the host (without .git) to `root`, owned by the sandbox's user."""
        ...

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        """Keep the state as image `key`; atomic: an image either is whole or isn't there. An image of that key is
        replaced. The last call on a builder: its state may have been moved, not copied."""
        ...


@dataclass(frozen=True, slots=True)
class ImageInfo:
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
        """None when usable; else one line: what is missing and the command that mends it."""
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
        """Raises SandboxError that names the image and `graft images build` when the image isn't there."""
        ...

    def images(self) -> Sequence[ImageInfo]: ...

    def remove(self, key: str) -> None: ...
