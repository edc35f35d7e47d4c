"""What a long build has made so far, kept on the host after each command: a build that is killed goes on."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from executor.build_graph import GRAFT_FOLDER
from executor.recipe import Recipe
from executor.sandbox.contract import Builder, Command, Limits
from index.errors import SandboxError

_PART = f"{GRAFT_FOLDER}/part.tar"
_LIMITS = Limits(wall_s=1800.0, disk_mb=65536)
_LARGEST = 8 * 1024 * 1024 * 1024
_NAME = re.compile(r"part-(\d+)-([0-9a-f]{8})\.tar")


@dataclass(frozen=True, slots=True)
class Parts:
    """`folder` is the image's on the host. A recipe that names nothing to keep has no parts."""

    recipe: Recipe
    folder: Path

    def restore(self, builder: Builder) -> int:
        """Put what is kept into the builder's tree; how many of the build's commands are behind it."""
        # The records name the tree's place; a sandbox that puts each build elsewhere can't go on with one.
        kept = [part for part in self._kept() if _place(builder) in part[1].name]
        if not kept or not self.recipe.build.keep:
            return 0
        number, path = kept[-1]
        builder.write(_PART, path.read_bytes())
        self._run(builder, ("tar", "-xf", _PART))
        self._run(builder, ("rm", "-f", _PART))
        return number

    def save(self, builder: Builder, number: int) -> None:
        """Keep what the commands up to `number` made, with the records of their calls; older parts go."""
        if not self.recipe.build.keep:
            return
        what = (f"--exclude=./{_PART}", f"./{GRAFT_FOLDER}", *(f"./{path}" for path in self.recipe.build.keep))
        self._run(builder, ("tar", "-cf", _PART, *what))
        scratch = self.folder / ".part.new"
        scratch.write_bytes(builder.read(_PART, _LARGEST))
        self._run(builder, ("rm", "-f", _PART))
        older = self._kept()
        fresh = self.folder / f"part-{number}-{_place(builder)}.tar"
        scratch.replace(fresh)
        for _, path in older:
            if path != fresh:
                path.unlink()

    def forget(self) -> None:
        """The image is whole: nothing has to be gone on with."""
        for _, path in self._kept():
            path.unlink()

    def _kept(self) -> list[tuple[int, Path]]:
        found = [(_NAME.fullmatch(path.name), path) for path in self.folder.glob("part-*.tar")]
        return sorted((int(match[1]), path) for match, path in found if match is not None)

    def _run(self, builder: Builder, argv: tuple[str, ...]) -> None:
        done = builder.run(Command(argv, limits=_LIMITS))
        if not done.ok:
            said = done.output.decode("utf-8", "replace").strip()[:200]
            raise SandboxError(f"what the build has made so far can't be kept or put back: {said}")


def _place(builder: Builder) -> str:
    return hashlib.sha256(builder.root.encode()).hexdigest()[:8]
