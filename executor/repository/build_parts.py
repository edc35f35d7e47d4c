"""Keeps the files of a long build on the host after each command, so that a killed build can be resumed."""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from executor.repository.build.graph import GRAFT_FOLDER
from executor.repository.recipe import Recipe
from executor.sandbox.contract import Builder, Command, CommandLimits
from index.errors import SandboxError

_PART = f"{GRAFT_FOLDER}/part.tar"
_PIECE = f"{GRAFT_FOLDER}/part.piece"
# How much is held in memory at once: a part may be gigabytes.
_PIECE_BYTES = 64 * 1024 * 1024
_LIMITS = CommandLimits(wall_s=1800.0, disk_mb=65536)
_NAME = re.compile(r"part-(\d+)-([0-9a-f]{8})\.tar")


class KeptPart(NamedTuple):
    command_number: int
    path: Path


@dataclass(frozen=True, slots=True)
class Parts:
    """The kept files of one build. `folder` is the image's on the host. A recipe without `keep` has no parts."""

    recipe: Recipe
    folder: Path

    def restore_files_and_count_commands(self, builder: Builder) -> int:
        """Put the kept files into the builder's tree. Returns how many of the build's commands they contain."""
        # The recorded calls hold the tree's path, so a build at another path can't be resumed with them.
        kept = [part for part in self._list_kept_parts() if _digest_root_path(builder) in part.path.name]
        if not kept or not self.recipe.build.keep:
            return 0
        number, path = kept[-1]
        with path.open("rb") as file:
            while data := file.read(_PIECE_BYTES):
                builder.write(_PIECE, data)
                self._run_script(builder, f"cat {_PIECE} >>{_PART}")
        self._run_script(builder, f"tar -xf {_PART} && rm -f {_PART} {_PIECE}")
        return number

    def save_files_after_command(self, builder: Builder, command_number: int) -> None:
        """Keep what the commands up to `command_number` made, with the records of their calls. Older parts are
        removed."""
        if not self.recipe.build.keep:
            return
        what = shlex.join(f"./{path}" for path in (GRAFT_FOLDER, *self.recipe.build.keep))
        size = self._run_script(builder, f"tar --exclude=./{_PART} -cf {_PART} {what} && stat -c %s {_PART}")
        fresh = self.folder / f"part-{command_number}-{_digest_root_path(builder)}.tar"
        scratch = self.folder / ".part.new"
        with scratch.open("wb") as file:
            for place in range(-(-int(size) // _PIECE_BYTES)):
                self._run_script(
                    builder, f"dd if={_PART} of={_PIECE} bs={_PIECE_BYTES} skip={place} count=1 status=none"
                )
                file.write(builder.read(_PIECE, _PIECE_BYTES))
        self._run_script(builder, f"rm -f {_PART} {_PIECE}")
        older = self._list_kept_parts()
        scratch.replace(fresh)
        for _, path in older:
            if path != fresh:
                path.unlink()

    def remove_parts(self) -> None:
        """Remove all parts: the image is complete."""
        for _, path in self._list_kept_parts():
            path.unlink()

    def _list_kept_parts(self) -> list[KeptPart]:
        found = [(_NAME.fullmatch(path.name), path) for path in self.folder.glob("part-*.tar")]
        return sorted(KeptPart(int(match[1]), path) for match, path in found if match is not None)

    def _run_script(self, builder: Builder, script: str) -> str:
        done = builder.run(Command(("/bin/sh", "-c", script), limits=_LIMITS))
        if not done.ok:
            raise SandboxError(f"the build's files can't be kept or put back: {done.text.strip()[:200]}")
        return done.text.strip()


def _digest_root_path(builder: Builder) -> str:
    return hashlib.sha256(builder.root.encode()).hexdigest()[:8]
