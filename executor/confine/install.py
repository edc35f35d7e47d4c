"""Puts the launcher into the place of a session's programs."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

from executor.cache import hold_file_lock, replace_file
from executor.confine.policy import Kernel
from executor.repository.build.graph import GRAFT_FOLDER, BuildGraph
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits, Session
from index.errors import SandboxError

log = logging.getLogger(__name__)

HOME = f"{GRAFT_FOLDER}/confine"
POLICY = f"{HOME}/policy"
OBSERVED = f"{HOME}/observed"
_LAUNCHER = f"{HOME}/launcher"
_SOURCE = Path(__file__).with_name("launcher.c")
_LIMITS = CommandLimits(wall_s=120.0)
_INSTALL = f'chmod 755 {_LAUNCHER} && exec {_LAUNCHER} "$@"'
_RESTORE = f"""
cd {HOME}/real 2> /dev/null || exit 0
find . -type f | while IFS= read -r p; do mv -f -- "$p" "{"../" * (HOME.count("/") + 2)}$p" || exit 1; done
"""


def digest_launcher_source() -> str:
    """Names the launcher's source and all else that decides what a policy means."""
    return hashlib.sha256(_SOURCE.read_bytes()).hexdigest()[:16]


def compile_launcher_once(image: Image, backend: Backend) -> bytes | None:
    """The launcher's program for the image's sessions, compiled in one and kept in the image's folder. None where the
    image has no folder, the sandbox doesn't isolate, or it can't be compiled there. Raises SandboxError."""
    if image.folder is None or not backend.isolated:
        return None
    path = image.folder / f"launcher-{digest_launcher_source()}"
    if not path.is_file():
        with hold_file_lock(path.with_suffix(".lock"), ""):
            if not path.is_file():
                with backend.session(image.key) as session:
                    program = _compile_launcher_or_empty(session)
                if not program:
                    log.warning(f"{image.key}: the launcher can't be compiled there, so candidates run without it")
                replace_file(path, program)
    return path.read_bytes() or None


def _compile_launcher_or_empty(session: Session) -> bytes:
    session.write(f"{_LAUNCHER}.c", _SOURCE.read_bytes())
    where = [f'-DROOT="{session.root}"', f'-DHOME="{session.root}/{HOME}"']
    # Static, so that a library that a suite preloads stays out of it.
    for linking in (["-static"], []):
        argv = ["gcc", "-O2", "-s", *linking, *where, "-o", _LAUNCHER, f"{_LAUNCHER}.c"]
        done = session.run(Command(argv, limits=_LIMITS))
        if done.ok:
            return session.read(_LAUNCHER)
        if done.timed_out or done.oom:
            # For want of a machine, and not for good: what is kept would leave every later run unconfined.
            raise SandboxError(f"compiling the launcher {done.ending}")
    log.debug(f"the launcher: {done.text}")
    return b""


def select_executable_goals(graph: BuildGraph, goals: Sequence[str]) -> tuple[str, ...]:
    """Those of the goals that are started, not loaded."""
    found: set[str] = set()
    for step in graph.steps:
        linked = step.kind == "link" and "-shared" not in step.argv and "-r" not in step.argv
        if linked or (step.kind == "copy" and found.intersection(step.inputs)):
            found.update(step.outputs)
    return tuple(goal for goal in goals if goal in found)


def install_launcher(session: Session, launcher: bytes, paths: Sequence[str]) -> Kernel:
    """Move the programs aside and put the launcher in their places. Those that it stands in already are left. Returns
    what the sandbox's kernel can refuse. Raises SandboxError."""
    session.write(_LAUNCHER, launcher)
    done = session.run(Command(("/bin/sh", "-c", _INSTALL, "sh", *paths), limits=_LIMITS))
    words = done.text.split()
    if not done.ok or len(words) != 4:
        raise SandboxError(f"the launcher can't take the programs' places: {done.text[:200]}")
    return Kernel(int(words[1]), words[3] == "1")


def restore_programs(session: Session) -> None:
    """Put the programs back into their places, as before a build that reads them. Raises SandboxError."""
    done = session.run(Command(("/bin/sh", "-c", _RESTORE), limits=_LIMITS))
    if not done.ok:
        raise SandboxError(f"the programs can't be put back: {done.text[:200]}")
