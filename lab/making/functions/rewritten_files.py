"""Files of the source that the build itself wrote: generated code, whatever its text says."""

from __future__ import annotations

from executor.repository.build.recorder import BIN
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits
from index.errors import RecipeError

# The wrappers are put into the tree after the source and before the first command of the build.
_SCRIPT = 'for first in "$0"/*; do break; done; exec find . -path ./.graft -prune -o -type f -newer "$first" -print0'
_LIMITS = CommandLimits(wall_s=300.0, output_bytes=256 * 1024 * 1024)


def find_rewritten_files(image: Image, backend: Backend) -> frozenset[str]:
    """All files of the built tree that are newer than the build's begin or that one of its steps writes: of the source
    those that it made anew, and objects. Raises SandboxError, and RecipeError where they can't be listed."""
    with backend.session(image.key) as session:
        done = session.run(Command(("sh", "-c", _SCRIPT, BIN), limits=_LIMITS))
    if not done.ok or done.truncated:
        raise RecipeError(f"{image.recipe.name}: which files the build wrote can't be listed: find {done.ending}")
    newer = (path.removeprefix("./") for path in done.output.decode("utf-8", "surrogateescape").split("\0"))
    return frozenset(newer).union(*(step.outputs for step in image.graph.steps))
