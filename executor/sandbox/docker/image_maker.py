"""Makes images of an engine from its other images: a container's files are changed, and the container is kept."""

from __future__ import annotations

import contextlib
import io
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from executor.sandbox.docker.container import OWNER_LABEL
from executor.sandbox.docker.engine import connect_engine, translate_engine_errors
from executor.sandbox.store import name_this_process
from index.errors import SandboxError

if TYPE_CHECKING:
    from docker.models.containers import Container

_MINUTES = 600


@dataclass(frozen=True, slots=True)
class ImageMaker:
    """A running container without network, in which root works. What is done in it becomes a layer."""

    container: Container

    def run_script(self, script: str, *arguments: str) -> str:
        """What the shell script printed. Raises SandboxError when it fails."""
        with translate_engine_errors("making an image"):
            code, output = self.container.exec_run(["/bin/sh", "-c", script, "sh", *arguments], user="0:0")
        text = output.decode(errors="replace") if isinstance(output, bytes) else ""
        if code:
            lines = text.strip().splitlines() or ["no reason given"]
            raise SandboxError(f"docker: making an image: {lines[-1]}")
        return text

    def put_files(self, files: Mapping[str, bytes], *, owner: int = 0, mode: int = 0o644) -> None:
        """Write files, by absolute path. Raises SandboxError."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            for path, data in files.items():
                entry = tarfile.TarInfo(path.lstrip("/"))
                entry.size, entry.mode, entry.uid, entry.gid = len(data), mode, owner, owner
                tar.addfile(entry, io.BytesIO(data))
        self._put_archive(buffer)

    def put_folder(self, source: Path, place: str, skip: Sequence[str] = ()) -> None:
        """Copy a file or folder of this machine to an absolute path, as root's. `skip`: names that are left out.
        Raises SandboxError."""

        def give_entry_to_root(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
            if Path(entry.name).name in skip:
                return None
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            return entry

        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
            tar.add(source, arcname=place.lstrip("/"), filter=give_entry_to_root)
        self._put_archive(buffer)

    def _put_archive(self, buffer: io.BytesIO) -> None:
        with translate_engine_errors("making an image"):
            self.container.put_archive("/", buffer.getvalue())

    def keep_image(self, name: str, workdir: str, labels: Mapping[str, str]) -> None:
        """Keep the container's state as the image `name`. Raises SandboxError."""
        repository, _, tag = name.rpartition(":")
        # The warm image's label names a Graft that has ended. With it the next Graft would remove these containers.
        config = {"Labels": {**labels, OWNER_LABEL: ""}, "WorkingDir": workdir, "User": "", "Cmd": ["/bin/sh"]}
        with translate_engine_errors(f"keeping image {name}"):
            self.container.commit(repository=repository, tag=tag, conf=config)


@contextmanager
def open_image_maker(base: str) -> Iterator[ImageMaker]:
    """A container of the image `base`, which is removed in the end. Raises SandboxError."""
    with translate_engine_errors("reaching the engine"):
        client = connect_engine(_MINUTES)
    container: Container | None = None
    try:
        with translate_engine_errors(f"starting a container of {base}"):
            labels = {OWNER_LABEL: name_this_process()}
            argv = ["sleep", "infinity"]
            container = client.containers.run(
                base, argv, detach=True, network_mode="none", user="0:0", entrypoint=[], labels=labels
            )
        yield ImageMaker(container)
    finally:
        if container is not None:
            with contextlib.suppress(SandboxError), translate_engine_errors("removing a container"):
                container.remove(force=True, v=True)
        client.close()
