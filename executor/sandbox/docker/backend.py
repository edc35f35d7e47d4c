"""The `docker` sandbox: each session has a container of a committed image, new or reset to the image's state.

The container's first process (first.pl) runs each command as an ordinary user and kills all that it left. A used
container is reset and kept for the next session where that can be verified (`reset_to_image`); else it is removed.
"""

from __future__ import annotations

import contextlib
import io
import logging
import subprocess
import tarfile
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from executor.sandbox.base import DEFAULT_SUITE
from executor.sandbox.cgroup import Cgroup
from executor.sandbox.contract import ROOT, Command, ExecResult, ImageInfo, resolve_inner_path_against_root
from executor.sandbox.docker.container import OWNER_LABEL, USER, WarmContainer, start_container
from executor.sandbox.docker.engine import find_image_id, open_client, translate_engine_errors
from executor.sandbox.store import has_named_process_ended, make_missing_image_error, require_valid_key
from executor.sandbox.tree_files import make_pack_command
from index.errors import ConfigError, SandboxError

log = logging.getLogger(__name__)

_REPOSITORY = "graft/warm"
_BASES = "graft-base"
_LABEL = "graft.label."
_CHUNK = 1024 * 1024
# More idle containers than this are removed, the oldest first: a run uses one image at a time, with a few workers.
_MOST_IDLE = 8
_READ = (
    f'exec 2>/dev/null; p=$(realpath -e -- "$1") || exit 3; case "$p" in {ROOT}/*) ;; *) exit 3;; esac; '
    '[ -f "$p" ] || exit 3; exec head -c "$2" -- "$p"'
)


class DockerSession:
    """Satisfies `Builder`; what `session` gives is used as a `Session` only."""

    def __init__(self, warm: WarmContainer, *, building: bool) -> None:
        self._warm, self._building = warm, building

    @property
    def root(self) -> str:
        return ROOT

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        with translate_engine_errors("reaching the session's container"):
            ended = self._warm.line.write_file(path, data, keep_time=keep_time)
        if ended.exit_code:
            line = ended.output.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise SandboxError(f"can't write {path} into the sandbox's tree: {line[-1]}")

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        with translate_engine_errors("reaching the session's container"):
            ended = self._warm.run_script_as_sandbox_user(
                _READ, resolve_inner_path_against_root(path), str(limit), output_bytes=limit
            )
        if ended.exit_code == 3:
            raise FileNotFoundError(f"{path}: no such file in the sandbox's tree")
        if ended.exit_code:
            raise SandboxError(f"can't read {path} in the sandbox: exit code {ended.exit_code}")
        return ended.output

    def put_tree(self, source: Path) -> None:
        pack = make_pack_command(source, (USER, USER))
        with translate_engine_errors(f"copying {source}"), subprocess.Popen(pack, stdout=subprocess.PIPE) as tar:
            assert tar.stdout is not None
            self._warm.client.api.put_archive(self._warm.id, ROOT, iter(partial(tar.stdout.read, _CHUNK), b""))
        if tar.returncode:
            raise SandboxError(f"copying {source} into the sandbox: tar's exit code is {tar.returncode}")

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        import docker.errors

        named = {_LABEL + name: value for name, value in labels.items()}
        client = self._warm.client
        with translate_engine_errors(f"committing image {key!r}"):
            replaced = client.images.list(name=f"{_REPOSITORY}:{require_valid_key(key)}")
            self._warm.container.commit(repository=_REPOSITORY, tag=key, conf={"Labels": named})
            for image in replaced:
                # The replaced image has lost its tag. One that a session still uses stays.
                with contextlib.suppress(docker.errors.APIError):
                    client.images.remove(str(image.id))

    def run(self, command: Command) -> ExecResult:
        limits = command.limits
        warm = self._warm
        with translate_engine_errors(f"running {command.argv[0]!r}"):
            warm.apply_limits(limits)
            cpu_before, kills_before = _measure_cpu_and_memory_kills(warm.group)
            full = False

            def is_full() -> bool:
                nonlocal full
                full = full or warm.measure_written_mb() > limits.disk_mb
                return full

            ended = warm.line.run_command(command, None if self._building or warm.bounded else is_full)
            cpu_after, kills_after = _measure_cpu_and_memory_kills(warm.group)
        oom = kills_after > kills_before
        code = 128 + 25 if full else ended.exit_code  # SIGXFSZ, as for a single file over the limit
        if ended.timed_out or (oom and code == 137):
            code = None
        cpu_s = ended.cpu_s if cpu_before is None or cpu_after is None else cpu_after - cpu_before
        return replace(ended, exit_code=code, cpu_s=cpu_s, oom=oom)


def _measure_cpu_and_memory_kills(group: Cgroup | None) -> tuple[float | None, int]:
    return (group.cpu_s(), group.count_memory_kills()) if group else (None, 0)


class _IdleContainers:
    """Reset containers by their image's id. They are removed at the end of Graft, or of the backend."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[tuple[str, WarmContainer]] = []
        weakref.finalize(self, _remove_containers_of_entries, self._kept)

    def take_container(self, image: str) -> WarmContainer | None:
        while True:
            with self._lock:
                found = next((entry for entry in self._kept if entry[0] == image), None)
                if found is None:
                    return None
                self._kept.remove(found)
            if found[1].line.is_alive():
                return found[1]
            found[1].remove_container()

    def keep_container(self, image: str, warm: WarmContainer) -> None:
        with self._lock:
            self._kept.append((image, warm))
            extra = [self._kept.pop(0) for _ in range(len(self._kept) - _MOST_IDLE)]
        _remove_containers_of_entries(extra)

    def drop_containers(self, image: str) -> None:
        with self._lock:
            gone = [entry for entry in self._kept if entry[0] == image]
            self._kept[:] = [entry for entry in self._kept if entry[0] != image]
        _remove_containers_of_entries(gone)


def _remove_containers_of_entries(entries: list[tuple[str, WarmContainer]]) -> None:
    while entries:
        entries.pop()[1].remove_container()


@dataclass(frozen=True, slots=True)
class DockerBackend:
    """Satisfies `Backend`. The engine is the one that DOCKER_HOST names, else the local one. `reuse`: whether used
    containers are reset where that is possible."""

    cache: Path
    name: str = "docker"
    isolated: bool = True
    reuse: bool = True
    _idle: _IdleContainers = field(default_factory=_IdleContainers, repr=False, compare=False)

    def problem(self) -> str | None:
        try:
            with translate_engine_errors("no answer"), open_client(timeout=10) as client:
                client.ping()
        except SandboxError as error:
            return str(error)
        return None

    def has_base(self) -> bool:
        return find_image_id(f"{_BASES}:{DEFAULT_SUITE}") is not None or bool(self.images())

    def base_name(self, name: str) -> str | None:
        return f"{_BASES}:{name}"

    def import_base(self, rootfs: Path, name: str) -> None:
        """Done each time, because only the engine knows whether its copy is whole."""
        log.info("base %s: giving it to docker as %s", name, self.base_name(name))
        skip = ["--exclude=./proc/*", "--exclude=./sys/*", "--exclude=./dev/*", "--exclude=./tmp/*"]
        argv = ["tar", "--numeric-owner", "--one-file-system", *skip, "-C", str(rootfs), "-c", "-f", "-", "."]
        packing = subprocess.Popen(argv, stdout=subprocess.PIPE)
        with translate_engine_errors("importing the base"), open_client(timeout=600) as client, packing as tar:
            assert tar.stdout is not None
            chunks = iter(partial(tar.stdout.read, _CHUNK), b"")
            client.api.import_image_from_data(chunks, repository=_BASES, tag=name)
        if tar.returncode:
            raise SandboxError(f"packing {rootfs} failed: tar's exit code is {tar.returncode}")

    @contextmanager
    def builder(self, base: str | None) -> Iterator[DockerSession]:
        given, base = base, base or f"{_BASES}:{DEFAULT_SUITE}"
        if find_image_id(base) is None:
            if given:
                raise ConfigError(f"base: docker has no image {base!r}; name another, or leave it out for Graft's own")
            raise SandboxError(f"docker image {base!r} isn't there: run `graft images base`")
        warm = start_container(base, with_mount_helper=False, root_tar=_make_tree_folder_tar())
        try:
            yield DockerSession(warm, building=True)
        finally:
            warm.remove_container()

    @contextmanager
    def session(self, key: str) -> Iterator[DockerSession]:
        # Looked up each time: an idle container must not stand for an image that was removed or built anew.
        image = find_image_id(f"{_REPOSITORY}:{require_valid_key(key)}")
        if image is None:
            raise make_missing_image_error(self.name, key)
        warm = (self._idle.take_container(image) if self.reuse else None) or start_container(
            image, with_mount_helper=self.reuse
        )
        fit = False
        try:
            yield DockerSession(warm, building=False)
            fit = True
        except Exception as error:
            # Any other error is the caller's and says nothing about the container.
            fit = not isinstance(error, SandboxError)
            raise
        finally:
            if fit and warm.reset_to_image():
                self._idle.keep_container(image, warm)
            else:
                warm.remove_container()

    def images(self) -> Sequence[ImageInfo]:
        with translate_engine_errors("listing images"), open_client() as client:
            found = []
            for image in client.images.list(name=_REPOSITORY):
                attrs = image.attrs
                held = attrs.get("Config", {}).get("Labels") or {}
                labels = {name.removeprefix(_LABEL): v for name, v in held.items() if name.startswith(_LABEL)}
                for tag in image.tags:
                    repository, _, key = tag.rpartition(":")
                    if repository == _REPOSITORY:
                        found.append(ImageInfo(key, labels, int(attrs["Size"]), str(attrs["Created"])))
            return sorted(found, key=lambda info: info.key)

    def remove(self, key: str) -> None:
        import docker.errors

        name = f"{_REPOSITORY}:{require_valid_key(key)}"
        image = find_image_id(name)
        if image is None:
            return
        self._idle.drop_containers(image)
        gone = contextlib.suppress(docker.errors.ImageNotFound)
        with translate_engine_errors(f"removing image {key!r}"), open_client() as client, gone:
            client.images.remove(name, force=True)


def _make_tree_folder_tar() -> bytes:
    """A tar with the empty folder of the tree, owned by the sandbox's user, its parent by root."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, uid in (("graft", 0), ("graft/src", USER)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.uid, entry.gid = tarfile.DIRTYPE, 0o755, uid, uid
            tar.addfile(entry)
    return buffer.getvalue()


def open_docker_and_remove_leftovers(cache: Path) -> DockerBackend:
    """Opens the backend and, when an engine answers, removes the containers of a Graft that was killed."""
    with contextlib.suppress(SandboxError), translate_engine_errors("sweeping"), open_client(timeout=10) as client:
        for container in client.containers.list(all=True, filters={"label": OWNER_LABEL}, ignore_removed=True):
            if has_named_process_ended(container.labels.get(OWNER_LABEL, "")):
                container.remove(force=True, v=True)
    return DockerBackend(cache)
