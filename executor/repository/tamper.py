"""Finds files of the repository that were changed while a candidate's tests ran: code that rewrites the next test, or
the program that it starts, judges itself."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from executor.repository.build.graph import GRAFT_FOLDER, BuildGraph
from executor.sandbox.contract import Command, CommandLimits, ExecResult, Session
from index.errors import SandboxError

_NUL = "\0"
_LIMITS = CommandLimits(wall_s=120.0, output_bytes=128 * 1024 * 1024)
# Of a directory the type and mode, since its times and size change with each scratch file; of anything else also the
# size, the times of its content and inode, and what a link leads to.
_LOOK = (
    *("find", ".", "-path", f"./{GRAFT_FOLDER}", "-prune", "-o"),
    *("-type", "d", "-printf", r"%y %m\0%p\0", "-o", "-printf", r"%y %m %s %T@ %C@ %l\0%p\0"),
)
# What stands for a tree that can't be listed: its paths would be names that nobody can read.
WHOLE_TREE = "the tree, which can't be listed any more"


@dataclass(frozen=True, slots=True)
class Tampering:
    """Sorted paths. `changed`: source files and build products that were written, replaced, moved away or removed, or
    whose mode changed; of a directory that is gone only itself. `added`: new files right beside source files."""

    changed: tuple[str, ...]
    added: tuple[str, ...]


def list_tree_state(session: Session) -> dict[str, str]:
    """Each path of the tree with what tells a changed file, before a candidate's tests run. Raises SandboxError when
    the tree can't be listed."""
    done = session.run(Command(_LOOK, limits=_LIMITS))
    if done.exit_code != 0 or done.truncated:
        raise SandboxError(f"the tree can't be listed: {done.text[:200]}")
    return _parse_tree_listing(done)


def find_tampering(
    session: Session,
    before: Mapping[str, str],
    graph: BuildGraph,
    source_root: Path,
    rewritten_by_tests: Collection[str] = (),
) -> Tampering:
    """What differs from what `list_tree_state` saw. `rewritten_by_tests` are paths that the unmodified tests
    write themselves.

    The kernel sets an inode's time at each write, rename and change of mode. An unprivileged program can't set it
    back, as it can a modification time. Files that tests write elsewhere don't count. Raises SandboxError.
    """
    done = session.run(Command(_LOOK, limits=_LIMITS))
    # A candidate's files that nobody can list are its own fault, not the sandbox's: status 1 is a closed directory.
    if done.exit_code not in (0, 1) or done.truncated:
        return Tampering((WHOLE_TREE,), ())
    after = _parse_tree_listing(done)
    differ = {path for path, entry in before.items() if after.get(path) != entry} - set(rewritten_by_tests)
    made = {output for step in graph.steps for output in step.outputs} if differ else set()
    changed = {path for path in differ if path in made or os.path.lexists(source_root / path)}
    topmost = (path for path in changed if not any(str(up) in changed for up in PurePosixPath(path).parents))
    new = (path for path, entry in after.items() if path not in before and entry[0] != "d")
    added = (path for path in new if path not in rewritten_by_tests and _has_visible_file_beside(source_root / path))
    return Tampering(tuple(sorted(topmost)), tuple(sorted(added)))


def _parse_tree_listing(done: ExecResult) -> dict[str, str]:
    fields = done.output.decode("utf-8", "surrogateescape").split(_NUL)
    return {path.removeprefix("./"): entry for entry, path in zip(fields[::2], fields[1::2], strict=False)}


def _has_visible_file_beside(path: Path) -> bool:
    """Whether the folder holds source files. One with hidden files alone (`.gitignore`) is a scratch place."""
    try:
        return any(not other.name.startswith(".") and other.is_file() for other in path.parent.iterdir())
    except OSError:
        return False
