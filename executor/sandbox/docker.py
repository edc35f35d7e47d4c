"""The `docker` sandbox: one fresh container per session, from a committed image.

The first process of the container is root without capabilities and only waits; each command is an exec as an
ordinary user. So `kill -9 -1` as that user ends all that a command left behind and can't touch the first process.
Where even that can't run (a full process table), the container is restarted, which keeps its files.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from executor.sandbox.base import DEFAULT_SUITE
from executor.sandbox.cgroup import Cgroup, cgroup_of
from executor.sandbox.contract import Builder, Command, ExecResult, ImageInfo, Limits, Session
from executor.sandbox.docker_exec import ExecEnded, connect, exec_bounded, guarded
from executor.sandbox.store import check_key, missing_image, owner, owner_is_gone
from executor.sandbox.treefs import pack_command
from index.errors import SandboxError

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

_ROOT = "/graft/src"
_USER = "1000:1000"
_REPOSITORY = "graft/warm"
_OWNER_LABEL = "graft.owner"
_LABEL = "graft.label."
_ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/tmp", "LANG": "C.UTF-8"}
# The plain `wait` also reaps what falls to the first process.
_FIRST = ["/bin/sh", "-c", "while :; do sleep 86400 & wait; done"]
# $1 seconds, $2 file size in blocks of 512 bytes, $3 working folder, then the command. `timeout` is for the case
# that Graft itself is gone; the shell's own messages ("Killed") must not get into the command's output.
_RUN = (
    'cd -- "$3" || exit 126; ulimit -c 0; ulimit -f "$2"; s=$1; shift 3; exec 2>/dev/null; '
    """timeout -s KILL "$s" /bin/sh -c 'exec "$@" 2>&1' sh "$@"; c=$?; kill -9 -1; exit $c"""
)
_KILL = "kill -9 -1; exit 0"
_READ = (
    f'p=$(realpath -e -- "$1" 2>/dev/null) || exit 3; case "$p" in {_ROOT}/*) ;; *) exit 3;; esac; '
    '[ -f "$p" ] || exit 3; exec head -c "$2" -- "$p"'
)
_WRITE = (
    f'r=$(realpath -m -- "$(dirname -- "$1")"); case "$r/" in {_ROOT}/*) ;; *) echo leads out of the tree; '
    'exit 3;; esac; mkdir -p -- "$r" || exit 4; t="$r/.graft-$$"; n="$r/$(basename -- "$1")"; '
    '{ cat > "$t" && if [ -f "$n" ] && [ ! -L "$n" ]; then chmod --reference="$n" -- "$t"; '
    'else chmod 644 -- "$t"; fi && mv -fT -- "$t" "$n"; } || { rm -f -- "$t"; exit 4; }'
)


class DockerSession:
    """Satisfies `Builder`; what `session` gives is used as a `Session` only."""

    def __init__(self, client: DockerClient, container: Container, *, bounded_disk: bool) -> None:
        self._client, self._container, self._bounded_disk = client, container, bounded_disk
        self._limits = Limits()

    @property
    def root(self) -> str:
        return _ROOT

    def write(self, path: str, data: bytes) -> None:
        ended = self._shell(_WRITE, [_inside(path)], stdin=data, output_bytes=4096)
        if ended.code:
            line = ended.output.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise SandboxError(f"can't write {path} into the sandbox's tree: {line[-1]}")

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        ended = self._shell(_READ, [_inside(path), str(limit)], output_bytes=limit, stdout_only=True)
        if ended.code == 3:
            raise FileNotFoundError(f"{path}: no such file in the sandbox's tree")
        if ended.code:
            raise SandboxError(f"can't read {path} in the sandbox: exit code {ended.code}")
        return ended.output

    def put_tree(self, source: Path) -> None:
        if not source.is_dir():
            raise SandboxError(f"{source}: no such folder to copy into the sandbox")
        pack = pack_command(source)
        pack[1:1] = ["--numeric-owner", "--owner=graft:1000", "--group=graft:1000"]
        with guarded(f"copying {source}"), subprocess.Popen(pack, stdout=subprocess.PIPE) as tar:
            assert tar.stdout is not None
            self._client.api.put_archive(self._id, _ROOT, _chunks(tar.stdout))
        if tar.returncode:
            raise SandboxError(f"copying {source} into the sandbox: tar's exit code is {tar.returncode}")

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        import docker.errors

        named = {_LABEL + name: value for name, value in labels.items()}
        with guarded(f"committing image {key!r}"):
            replaced = self._client.images.list(name=f"{_REPOSITORY}:{check_key(key)}")
            self._container.commit(repository=_REPOSITORY, tag=key, conf={"Labels": named})
            for image in replaced:
                # Without its tag nobody would find it again; one that a session still uses stays.
                with contextlib.suppress(docker.errors.APIError):
                    self._client.images.remove(str(image.id))

    def run(self, command: Command) -> ExecResult:
        limits = command.limits
        with guarded(f"running {command.argv[0]!r}"):
            self._fit(limits)
            before = _usage(self._group())
            full = _Flag()
            blocks = limits.disk_mb * 2048
            cwd = command.cwd if command.cwd.startswith("/") else f"{_ROOT}/{command.cwd}"
            backstop = str(int(limits.wall_s) + 30)
            ended = exec_bounded(
                self._client,
                self._id,
                ["/bin/sh", "-c", _RUN, "sh", backstop, str(blocks), cwd, *command.argv],
                env={**_ENV, **command.env},
                user=_USER,
                stdin=command.stdin,
                output_bytes=limits.output_bytes,
                wall_s=limits.wall_s,
                stop=self._kill_all,
                watch=(lambda: full.set(self._written_mb() > limits.disk_mb)) if self._bounded_disk else None,
            )
            if ended.code == 137 and not (ended.timed_out or full.on):
                # Perhaps the command killed the shell that would have cleaned up after it.
                self._kill_all()
            # A restart gave the container a new cgroup, whose counts begin at nothing.
            used = _usage(self._group()).since(before)
        code: int | None = ended.code
        if full.on:
            code = 128 + 25  # SIGXFSZ, as for a single file over the limit
        if ended.timed_out or (used.kills and code == 137):
            code = None
        return ExecResult(
            exit_code=code,
            output=ended.output,
            truncated=ended.truncated,
            timed_out=ended.timed_out,
            wall_s=ended.wall_s,
            cpu_s=used.cpu_s,
            oom=used.kills > 0,
        )

    @property
    def _id(self) -> str:
        return str(self._container.id)

    def _shell(
        self, script: str, args: Sequence[str], *, stdin: bytes = b"", output_bytes: int, stdout_only: bool = False
    ) -> ExecEnded:
        with guarded("reaching the session's container"):
            return exec_bounded(
                self._client,
                self._id,
                ["/bin/sh", "-c", script, "sh", *args],
                env=_ENV,
                user=_USER,
                stdin=stdin,
                output_bytes=output_bytes,
                wall_s=120,
                stop=self._kill_all,
                stdout_only=stdout_only,
            )

    def _kill_all(self) -> None:
        """An exec needs a place in the container's process table, which a fork bomb may hold; a restart doesn't."""
        try:
            killed = exec_bounded(
                self._client,
                self._id,
                ["/bin/sh", "-c", _KILL],
                env=_ENV,
                user=_USER,
                stdin=b"",
                output_bytes=4096,
                wall_s=5,
                stop=self._restart,
            )
            done = killed.code == 0
        except Exception:
            done = False
        if not done:
            self._restart()

    def _restart(self) -> None:
        self._container.restart(timeout=0)

    def _fit(self, limits: Limits) -> None:
        """Limits belong to the container, so they change only when a command asks for others."""
        import docker.errors

        now = self._limits
        if (limits.memory_mb, limits.processes) == (now.memory_mb, now.processes):
            return
        try:
            self._update(_bounds(limits))
        except docker.errors.APIError:
            # The kernel refuses a memory limit below what files in /tmp hold; a restart empties it.
            self._restart()
            self._update(_bounds(limits))
        self._limits = limits

    def _update(self, bounds: Mapping[str, int]) -> None:
        # The SDK's update_container doesn't know PidsLimit.
        api: Any = self._client.api
        api._raise_for_status(api._post_json(api._url("/containers/{0}/update", self._id), data=dict(bounds)))

    def _group(self) -> Cgroup | None:
        """The container's cgroup, where the engine is on this machine. It costs nothing to read; the engine's own
        statistics take a second."""
        pid = int(self._client.api.inspect_container(self._id)["State"]["Pid"] or 0)
        return cgroup_of(pid, self._id) if pid else None

    def _written_mb(self) -> float:
        """What this container has written beside the image. An overlay has no quota of its own on most disks."""
        api: Any = self._client.api
        answer = api._get(api._url("/containers/{0}/json", self._id), params={"size": 1})
        return float(api._result(answer, True).get("SizeRw") or 0) / (1024 * 1024)


@dataclass(frozen=True, slots=True)
class _Usage:
    """CPU seconds, None where unknown, and how many processes the kernel killed for the memory limit."""

    cpu_s: float | None
    kills: int

    def since(self, before: _Usage) -> _Usage:
        known = self.cpu_s is not None and before.cpu_s is not None and self.cpu_s >= before.cpu_s
        return _Usage(
            cpu_s=self.cpu_s - before.cpu_s if known and self.cpu_s and before.cpu_s is not None else None,
            kills=max(self.kills - before.kills, 0),
        )


def _usage(group: Cgroup | None) -> _Usage:
    return _Usage(group.cpu_s(), group.memory_kills()) if group else _Usage(None, 0)


class _Flag:
    on = False

    def set(self, value: bool) -> bool:
        self.on = self.on or value
        return self.on


def _bounds(limits: Limits) -> dict[str, int]:
    memory = limits.memory_mb * 1024 * 1024
    # The first process, its sleep, the shell and `timeout` count as well, and the shell that kills.
    return {"Memory": memory, "MemorySwap": memory, "PidsLimit": limits.processes + 8}


def _inside(path: str) -> str:
    return path if path.startswith("/") else f"{_ROOT}/{path}"


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while data := stream.read(1024 * 1024):
        yield data


def _empty_root() -> bytes:
    """A tar with the empty folder of the tree, owned by the sandbox's user, its parent by root."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, uid in (("graft", 0), ("graft/src", 1000)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.uid, entry.gid = tarfile.DIRTYPE, 0o755, uid, uid
            tar.addfile(entry)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class DockerBackend:
    """Satisfies `Backend`. The engine is the one that the environment names (DOCKER_HOST), else the local one."""

    cache: Path
    name: str = "docker"
    isolated: bool = True

    def problem(self) -> str | None:
        try:
            with guarded("no answer"), _client(timeout=10) as client:
                client.ping()
        except SandboxError as error:
            return str(error)
        return None

    def builder(self, base: str | None) -> AbstractContextManager[Builder]:
        return self._open(base or f"graft-base:{DEFAULT_SUITE}", None)

    def session(self, key: str) -> AbstractContextManager[Session]:
        return self._open(f"{_REPOSITORY}:{check_key(key)}", key)

    @contextmanager
    def _open(self, image: str, key: str | None) -> Iterator[DockerSession]:
        import docker.errors
        from docker.types import LogConfig

        limits = Limits()
        size = f"size={limits.disk_mb}m"
        with guarded("opening a session"):
            client = connect()
        with contextlib.closing(client):
            with guarded(f"starting a container of {image}"):
                try:
                    container = client.containers.create(
                        image,
                        _FIRST,
                        user="0:0",
                        network_mode="none",
                        hostname="graft",
                        cap_drop=["ALL"],
                        security_opt=["no-new-privileges"],
                        mem_limit=f"{limits.memory_mb}m",
                        memswap_limit=f"{limits.memory_mb}m",
                        pids_limit=_bounds(limits)["PidsLimit"],
                        shm_size=f"{limits.memory_mb}m",
                        tmpfs={
                            "/tmp": f"{size},mode=1777,exec",
                            "/var/tmp": "ro,size=4k",
                            "/run/lock": "ro,size=4k",
                        },
                        labels={_OWNER_LABEL: owner()},
                        log_config=LogConfig(type="none"),
                        entrypoint="",
                        working_dir="/",
                    )
                except docker.errors.ImageNotFound as error:
                    if key is not None:
                        raise missing_image(self.name, key) from error
                    raise SandboxError(f"docker image {image!r} isn't there: run `graft images base`") from error
            try:
                with guarded(f"starting a container of {image}"):
                    if key is None:
                        client.api.put_archive(str(container.id), "/", _empty_root())
                    container.start()
                yield DockerSession(client, container, bounded_disk=key is not None)
            finally:
                # A container that can't be removed now is swept by the next start.
                with contextlib.suppress(SandboxError), guarded("removing a container"):
                    container.remove(force=True, v=True)

    def images(self) -> Sequence[ImageInfo]:
        with guarded("listing images"), _client() as client:
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

        gone = contextlib.suppress(docker.errors.ImageNotFound)
        with guarded(f"removing image {key!r}"), _client() as client, gone:
            client.images.remove(f"{_REPOSITORY}:{check_key(key)}", force=True)


@contextmanager
def _client(timeout: int = 60) -> Iterator[DockerClient]:
    with contextlib.closing(connect(timeout)) as client:
        yield client


def open_docker(cache: Path) -> DockerBackend:
    """Opens the backend and, when an engine answers, removes the containers of a Graft that was killed."""
    with contextlib.suppress(SandboxError), guarded("sweeping"), _client(timeout=10) as client:
        for container in client.containers.list(all=True, filters={"label": _OWNER_LABEL}, ignore_removed=True):
            if owner_is_gone(container.labels.get(_OWNER_LABEL, "")):
                container.remove(force=True, v=True)
    return DockerBackend(cache)
