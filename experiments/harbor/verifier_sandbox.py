"""The sandbox of the verifier's container: the container itself, which serves one answer and is thrown away.

Graft is root there without any right to make namespaces, so a command runs as an ordinary user without capabilities
in the container's own tree, and the container's engine keeps network, memory and processes in bounds. When a command
has ended, all processes of that user are killed. Before a session everything that was changed in the tree is put back
from a copy that only root can read: a file's time of change (ctime) can't be set by anybody.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from executor.sandbox.bounded_process import run_child_within_bounds
from executor.sandbox.cgroup import ROOT as CGROUPS
from executor.sandbox.cgroup import Cgroup
from executor.sandbox.contract import (
    ENV,
    ROOT,
    Builder,
    Command,
    ExecResult,
    ImageInfo,
    resolve_inner_path_against_root,
)
from executor.sandbox.tree_files import read_file_beneath, remove_tree, restore_folder, write_file_beneath
from index.errors import SandboxError

HOME = Path("/graft/verifier")
"""Where the verifier's own files lie in its image. Only root may enter."""
PRISTINE = HOME / "pristine"
MARKER = HOME / "marker"
KEY_FILE = HOME / "image-key"
VARIANT_FILE = HOME / "variant"
_USER = 1000
_BECOME = f"setpriv --reuid {_USER} --regid {_USER} --clear-groups --inh-caps -all --bounding-set -all --no-new-privs"
# The pipes are given to the user, so that it may open /dev/stdout anew. Out of memory, the kernel takes it first.
_START = f"""
echo 500 > /proc/self/oom_score_adj; chown {_USER}:{_USER} /proc/self/fd/0 /proc/self/fd/1
exec {_BECOME} -- /bin/sh -c 'cd -- "$2" || exit 126; ulimit -c 0; ulimit -f "$1"; shift 2; exec "$@"' sh "$@"
"""
_SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock")
_PR_SET_CHILD_SUBREAPER = 36
_KILL_S = 20.0


class VerifierSession:
    """Satisfies `Session`."""

    def __init__(self, group: Cgroup) -> None:
        self._group = group

    @property
    def root(self) -> str:
        return ROOT

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        write_file_beneath(Path(ROOT), path, data, (_USER, _USER), keep_time=keep_time)

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        return read_file_beneath(Path(ROOT), path, limit, inner_root=ROOT)

    def run(self, command: Command) -> ExecResult:
        argv = [
            "/bin/sh",
            "-c",
            _START,
            "sh",
            str(command.limits.disk_mb * 2048),
            resolve_inner_path_against_root(command.cwd),
        ]
        before, kills = self._group.cpu_s(), self._group.count_memory_kills()
        ended = run_child_within_bounds(
            [*argv, *command.argv],
            command,
            stop=lambda _: _kill_user_processes(reap=False),
            wait_for_descendants=_kill_user_processes,
            env={**ENV, **command.env},
            cwd=Path("/"),
        )
        after, oom = self._group.cpu_s(), self._group.count_memory_kills() > kills
        was_killed = ended.timed_out or (oom and ended.exit_code == 137)
        cpu_s = ended.cpu_s if before is None or after is None else after - before
        return replace(ended, exit_code=None if was_killed else ended.exit_code, cpu_s=cpu_s, oom=oom)


@dataclass(frozen=True, slots=True)
class VerifierBackend:
    """Satisfies `Backend` for the one image whose tree lies in this container. It has the name of the sandbox in which
    that image was made, so that what is known of the image there holds here."""

    group: Cgroup
    name: str = "docker"
    isolated: bool = True
    _busy: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def problem(self) -> str | None:
        if os.getuid() or not MARKER.is_file():
            return "it works as root in an image that `graft tasks export --to harbor` made, and nowhere else"
        return None

    def has_base(self) -> bool:
        return False

    def base_name(self, name: str) -> str | None:
        return f"graft-base:{name}"

    def import_base(self, rootfs: Path, name: str) -> None:
        raise SandboxError("the verifier's container holds one image, and makes none")

    def builder(self, base: str | None) -> contextlib.AbstractContextManager[Builder]:
        raise SandboxError("the verifier's container holds one image, and makes none")

    @contextmanager
    def session(self, key: str) -> Iterator[VerifierSession]:
        if not any(info.key == key for info in self.images()):
            raise SandboxError(f"the verifier's container doesn't hold the image {key!r}")
        if not self._busy.acquire(blocking=False):
            raise SandboxError("the verifier's container has one tree, and it is in use")
        try:
            # Become the parent of processes that leave their own: the container's first process may reap nobody.
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            _kill_user_processes()
            _restore_tree_and_clear_temporaries()
            yield VerifierSession(self.group)
        finally:
            _kill_user_processes()
            self._busy.release()

    def images(self) -> Sequence[ImageInfo]:
        return [ImageInfo(KEY_FILE.read_text().strip(), {}, 0, "")]

    def remove(self, key: str) -> None:
        raise SandboxError("the verifier's container holds one image, and removes none")


def open_verifier_sandbox(cache: Path) -> VerifierBackend:
    """Opens the sandbox. Nothing of it lies in the cache."""
    del cache
    if (CGROUPS / "memory").is_dir():
        return VerifierBackend(Cgroup(1, tuple(CGROUPS / name for name in ("memory", "pids", "cpuacct"))))
    return VerifierBackend(Cgroup(2, (CGROUPS,)))


def _kill_user_processes(*, reap: bool = True) -> None:
    """Kill all processes of the judged code's user. `reap`: nobody else waits for one of them. Raises SandboxError
    when one is left."""
    until = time.monotonic() + _KILL_S
    while living := _list_live_user_process_ids(reap=reap):
        if time.monotonic() > until:
            raise SandboxError(f"{len(living)} processes of the judged code did not end within {_KILL_S:.0f} s")
        # The kernel takes them all at once, those too that are being born.
        subprocess.run([*_BECOME.split(), "--", "/bin/sh", "-c", "kill -9 -1"], check=False, capture_output=True)
        time.sleep(0.002)


def _list_live_user_process_ids(*, reap: bool) -> list[int]:
    """Processes of the user that aren't dead yet. With `reap` dead ones that became ours are buried."""
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            lines = Path(entry.path, "status").read_text(errors="replace").splitlines()
            fields = {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
            if str(_USER) not in fields["Uid"].split():
                continue
            if not fields["State"].startswith(("Z", "X")):
                found.append(int(entry.name))
            elif reap and fields["PPid"] == str(os.getpid()):
                os.waitpid(int(entry.name), os.WNOHANG)
    return found


def _restore_tree_and_clear_temporaries() -> None:
    """Bring tree, temporary folders and shared memory back to the image's state."""
    for folder in _SHARED_FOLDERS:
        with contextlib.suppress(OSError):
            for entry in list(os.scandir(folder)):
                remove_tree(Path(entry.path))
    subprocess.run([*_BECOME.split(), "--", "ipcrm", "--all"], check=False, capture_output=True)
    root = os.lstat(ROOT)
    if not stat.S_ISDIR(root.st_mode):
        raise SandboxError(f"{ROOT} is no folder any more")
    restore_folder(PRISTINE, Path(ROOT), MARKER.stat().st_ctime_ns)
    # What is changed from now on has this time or a later one.
    MARKER.touch()
