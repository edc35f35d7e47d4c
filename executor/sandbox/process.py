"""The `process` sandbox: a copy of the tree, resource limits, and every descendant killed. It doesn't isolate: it is
for trusted candidates (gold, stubs, the demo's scripted answers) on a machine with only Python, gcc and make."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from executor.sandbox import reaper
from executor.sandbox.bounded_process import run_child_within_bounds
from executor.sandbox.contract import Command, ExecResult
from executor.sandbox.store import FolderBackend, Store
from executor.sandbox.tree_files import copy_tree_into, read_file_beneath, write_file_beneath
from index.errors import SandboxError


class ProcessSession:
    """Satisfies `Builder`; what `session` gives is used as a `Session` only."""

    def __init__(self, store: Store, home: Path) -> None:
        self._store, self._home, self._tree = store, home, home / "src"

    @property
    def root(self) -> str:
        return str(self._tree)

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        write_file_beneath(self._ensure_tree_folder(), path, data, owner=None, keep_time=keep_time)

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        return read_file_beneath(self._ensure_tree_folder(), path, limit, inner_root=self.root)

    def run(self, command: Command) -> ExecResult:
        limits = command.limits
        self._ensure_tree_folder()
        status_read, status_write = os.pipe()
        try:
            head = [sys.executable, "-I", "-S", reaper.__file__, str(status_write), str(os.getpid())]
            bounds = [str(limits.memory_mb), str(limits.disk_mb), str(limits.processes)]
            ended = run_child_within_bounds(
                [*head, *bounds, str(self._tree / command.cwd), *command.argv],
                command,
                stop=subprocess.Popen.terminate,
                env=self._make_environment(command.env),
                cwd=self._home,
                pass_fds=(status_write,),
            )
            os.set_blocking(status_read, False)
            report = b""
            with contextlib.suppress(BlockingIOError):
                report = os.read(status_read, 200)
        finally:
            os.close(status_read)
            os.close(status_write)
        if not report:
            raise SandboxError(f"the command's supervisor died (exit code {ended.exit_code})")
        code, cpu = report.split()
        return replace(ended, exit_code=None if ended.timed_out else int(code), cpu_s=float(cpu))

    def put_tree(self, source: Path) -> None:
        copy_tree_into(source, self._ensure_tree_folder())

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        self._store.keep_image(self._ensure_tree_folder(), key, labels)

    def _ensure_tree_folder(self) -> Path:
        if not self._tree.is_dir():
            # A candidate can delete the folder of the tree; the next command then finds it empty.
            if not self._home.is_dir():
                raise SandboxError("the session is closed")
            self._tree.mkdir()
        return self._tree

    def _make_environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        """The host's PATH and none of its other variables, which may hold keys."""
        tmp = self._home / "tmp"
        tmp.mkdir(exist_ok=True)
        ours = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(tmp), "TMPDIR": str(tmp)}
        return {**ours, "LANG": "C.UTF-8", **extra}


@dataclass(frozen=True, slots=True)
class ProcessBackend(FolderBackend):
    """Satisfies `Backend`. Needs only a POSIX system; limits are rlimits, per process."""

    name: str = "process"
    isolated: bool = False

    def problem(self) -> str | None:
        return None if sys.platform == "linux" else "the process sandbox needs Linux"

    def has_base(self) -> bool:
        return True

    def base_name(self, name: str) -> str | None:
        """None: the host's own tools are used."""
        return None

    @contextmanager
    def builder(self, base: str | None) -> Iterator[ProcessSession]:
        with self.open_scratch_folder() as home:
            (home / "src").mkdir()
            yield ProcessSession(self, home)

    @contextmanager
    def session(self, key: str) -> Iterator[ProcessSession]:
        image = self.find_image_tree(key)
        with self.open_scratch_folder() as home:
            copied = subprocess.run(
                ["cp", "-a", "--reflink=auto", "--", str(image), str(home / "src")],
                stderr=subprocess.PIPE,
                check=False,
            )
            if copied.returncode:
                raise SandboxError(f"copying image {key!r}: {copied.stderr.decode(errors='replace').strip()}")
            yield ProcessSession(self, home)


def open_process_and_remove_leftovers(cache: Path) -> ProcessBackend:
    """Opens the backend and sweeps what a killed Graft left in `cache`."""
    backend = ProcessBackend(cache)
    backend.remove_leftovers()
    return backend
