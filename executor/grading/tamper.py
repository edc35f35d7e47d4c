"""Finds files of the repository that were changed while a candidate's tests ran: code that rewrites the next test, or
the program that it starts, judges itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from executor.build.graph import GRAFT_FOLDER, BuildGraph
from executor.sandbox.contract import Command, CommandLimits, Session
from index.errors import SandboxError

_NUL = b"\0"
_LIMITS = CommandLimits(wall_s=120.0)


def changed_since(session: Session, moment: float, graph: BuildGraph, source_root: Path) -> tuple[str, ...]:
    """Sorted paths of source files and build products whose inode changed after `moment` (seconds since the epoch).

    The kernel sets that time at each write, rename and change of mode. An unprivileged program can't set it back, as
    it can a modification time. Files that tests write beside the source don't count, and a file that was deleted isn't
    seen. Raises SandboxError when the tree can't be searched.
    """
    script = ["find", ".", "-path", f"./{GRAFT_FOLDER}", "-prune", "-o", "-type", "f"]
    done = session.run(Command([*script, "-newerct", f"@{moment:.6f}", "-print0"], limits=_LIMITS))
    if done.exit_code not in (0, 1) or done.truncated:
        raise SandboxError(f"the tree can't be searched for changes: {done.text[:200]}")
    paths = [raw.decode("utf-8", "surrogateescape").removeprefix("./") for raw in done.output.split(_NUL)[:-1]]
    made = {output for step in graph.steps for output in step.outputs} if paths else set()
    return tuple(sorted(path for path in paths if path in made or _is_source(source_root, path)))


def _is_source(root: Path, path: str) -> bool:
    return (root / path).is_file()


def first_names(names: Sequence[str]) -> str:
    """The first three, and how many more there are, for a verdict's reason."""
    shown = ", ".join(names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")
