"""Names that the linker carries between the repository's own objects and those that aren't renamed: of assembler, of
other projects' code, of libraries. No header needs to hold them: another project may make them with a prefix."""

from __future__ import annotations

import json
from collections.abc import Sequence

from executor.build.graph import BuildGraph
from executor.cache import short_digest, write_whole
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits, Session
from executor.tasks.row import decode
from executor.variants.outside import c_units, matches
from executor.variants.rewrite import IDENTIFIER
from index.errors import SandboxError

_FORMAT = 1
_LIMITS = CommandLimits(wall_s=600.0, memory_mb=4096, output_bytes=512 * 1024 * 1024)
_UNDEFINED = frozenset("Uwv")


def linked_names(image: Image, backend: Backend, leave: Sequence[str] = ()) -> frozenset[str]:
    """Identifiers in the symbols that the image's own objects need from elsewhere, and in those that they define and
    others need. Objects of files that `leave` names (fnmatch) aren't own. The result is kept beside the image. Raises
    SandboxError."""
    kept = None
    if image.folder is not None:
        kept = image.folder / f"linked-{short_digest({'format': _FORMAT, 'leave': sorted(leave)})}.json"
        if kept.is_file():
            return frozenset(json.loads(kept.read_bytes()))
    own, others = _objects(image.graph, leave)
    with backend.session(image.key) as session:
        needs, defines = _symbols(session, own)
        wanted, _ = _symbols(session, others)
        found = sorted((needs - defines) | (defines & wanted))
        plain = _run(session, ("c++filt",), "\n".join(found)) if found else ""
    names = frozenset(IDENTIFIER.findall(plain))
    if kept is not None:
        write_whole(kept, json.dumps(sorted(names)).encode())
    return names


def _objects(graph: BuildGraph, leave: Sequence[str]) -> tuple[list[str], list[str]]:
    """What the build makes of the repository's own C and C++, and of all else that it compiles."""
    own = {path for unit in c_units(graph) if not matches(unit.sources[0], leave) for path in unit.outputs}
    compiled = {path for step in graph.steps if step.kind == "compile" for path in step.outputs}
    return sorted(own), sorted(compiled - own)


def _symbols(session: Session, objects: Sequence[str]) -> tuple[set[str], set[str]]:
    """The symbols that the objects need, and those that they define for others. Files that are gone have none."""
    needs: set[str] = set()
    defines: set[str] = set()
    for line in _run(session, ("xargs", "-0", "-r", "nm", "-P"), "\0".join(objects)).splitlines():
        match line.split():
            case [name, kind, *_] if len(kind) == 1:
                if kind in _UNDEFINED:
                    needs.add(name.partition("@")[0])
                elif kind.isupper() or kind in "ui":
                    defines.add(name)
    return needs, defines


def _run(session: Session, argv: tuple[str, ...], given: str) -> str:
    done = session.run(Command(argv, stdin=given.encode("utf-8", "surrogateescape"), limits=_LIMITS))
    if done.timed_out or done.truncated:
        raise SandboxError(f"{argv[-1]} on the build's objects {done.ending}")
    return decode(done.output)
