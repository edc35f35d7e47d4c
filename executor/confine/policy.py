"""The rights that the launcher leaves a suite's programs: as a value, as the launcher's lines and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Each program may write here. None of these outlives the command, or is read by Graft.
_ALWAYS = (
    *("/tmp", "/dev/shm", "/dev/pts", "/dev/ptmx", "/dev/tty"),
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
)
# What `Policy.free` may hold, with its meaning for a reader.
FREE = {
    "files": "may write anywhere in the tree",
    "bind": "may bind any TCP port",
    "connect": "may connect to any TCP port",
    "signals": "may signal any process",
    "abstract": "may use any abstract socket",
    "descriptors": "keeps the descriptors that its starter left open",
    "fork": "may start processes",
    "exec": "may start programs",
    "syscalls": "may make any system call",
}

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Policy:
    """`write`: paths that may be written below, relative to the tree; `made`: those of them that the launcher makes
    when they are missing (a folder's name ends in /). `bind`, `connect`: TCP ports, both ends included. `calls`:
    system calls of the launcher's list that are allowed. `free`: rights that aren't restricted at all (see FREE)."""

    write: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    symlinks: bool = False
    bind: tuple[Range, ...] = ()
    connect: tuple[Range, ...] = ()
    calls: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    def to_lines(self, root: str) -> str:
        """The policy as the launcher reads it, for a tree at `root`."""
        words = [("write", path) for path in _ALWAYS]
        words += [("write", _make_absolute(path, root)) for path in self.write]
        for path in self.made:
            words.append(("make-dir" if path.endswith("/") else "make-file", _make_absolute(path, root)))
        words += [("symlinks", "yes")] if self.symlinks else []
        words += [("bind", f"{low}-{high}") for low, high in self.bind]
        words += [("connect", f"{low}-{high}") for low, high in self.connect]
        words += [("allow", name) for name in self.calls]
        words += [("free", name) for name in self.free]
        return "".join(f"{word} {value}\n" for word, value in words)


def _make_absolute(path: str, root: str) -> str:
    return path if path.startswith("/") else f"{root}/{path}".rstrip("/").removesuffix("/.")


def make_port_ranges(ports: Iterable[int]) -> tuple[Range, ...]:
    """The ports as ranges: {1, 2, 3, 7} -> ((1, 3), (7, 7))."""
    found: list[Range] = []
    for port in sorted(set(ports)):
        if found and found[-1][1] == port - 1:
            found[-1] = (found[-1][0], port)
        else:
            found.append((port, port))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class LearntPolicy:
    """A suite's policy; None when it doesn't pass behind a launcher. `given`: the rights given up for it, in words."""

    policy: Policy | None
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kernel:
    """What the launcher found in a sandbox: the version of Landlock's interface (0: none), and seccomp."""

    landlock: int
    seccomp: bool

    @property
    def actions_kernel_cannot_refuse(self) -> tuple[str, ...]:
        """What can't be refused here."""
        lacking = [
            (self.landlock < 1, "writes to the tree"),
            (self.landlock < 3, "truncation of files"),
            (self.landlock < 4, "TCP ports"),
            (self.landlock < 6, "signals and abstract sockets"),
            (not self.seccomp, "system calls"),
        ]
        return tuple(what for missing, what in lacking if missing)


NO_LAUNCHER = "isn't confined"


def describe_confinement_gaps_or_full(kernel: Kernel, learnt: Sequence[tuple[str, LearntPolicy]]) -> str:
    """One line for a record: `full`, or what didn't hold."""
    parts = (
        [f"the kernel can't refuse {', '.join(kernel.actions_kernel_cannot_refuse)}"]
        if kernel.actions_kernel_cannot_refuse
        else []
    )
    parts += [f"{name} {', '.join(found.given)}" for name, found in learnt if found.given]
    return "; ".join(parts) or "full"
