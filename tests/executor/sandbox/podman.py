"""An example of a sandbox of one's own: `podman run` over a plain folder. A `Store` keeps its images.

docs/how-to/extend/add-a-sandbox.md says where one goes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from executor.sandbox.bounded_process import run_child_within_bounds
from executor.sandbox.contract import Command, ExecResult
from executor.sandbox.store import Store
from executor.sandbox.tree_files import copy_tree_into, read_file_beneath, write_file_beneath


@dataclass(frozen=True, slots=True)
class PodmanSession:
    store: Store
    tree: Path

    @property
    def root(self) -> str:
        return str(self.tree)

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        write_file_beneath(self.tree, path, data, owner=None, keep_time=keep_time)

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        return read_file_beneath(self.tree, path, limit, inner_root=self.root)

    def run(self, command: Command) -> ExecResult:
        limits = command.limits
        argv = ["podman", "run", "--rm", "--interactive", "--network=none", "--cap-drop=all", "--read-only"]
        argv += [
            f"--memory={limits.memory_mb}m",
            f"--pids-limit={limits.processes}",
            f"--volume={self.root}:{self.root}",
        ]
        argv += [f"--env={name}={value}" for name, value in command.env.items()]
        argv += [f"--workdir={self.tree / command.cwd}", "localhost/graft-base:bookworm", *command.argv]
        ended = run_child_within_bounds(argv, command, stop=subprocess.Popen.kill)
        return replace(ended, exit_code=None) if ended.timed_out else ended

    def put_tree(self, source: Path) -> None:
        copy_tree_into(source, self.tree)

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        self.store.keep_image(self.tree, key, labels)


@dataclass(frozen=True, slots=True)
class PodmanBackend(Store):
    name: str = "podman"
    isolated: bool = True

    def problem(self) -> str | None:
        return None if shutil.which("podman") else "podman isn't installed: `apt-get install podman`"

    def has_base(self) -> bool:
        return any(self.images())

    def base_name(self, name: str) -> str | None:
        return f"localhost/graft-base:{name}"

    def import_base(self, rootfs: Path, name: str) -> None:
        pack = subprocess.run(["tar", "-C", str(rootfs), "-c", "."], stdout=subprocess.PIPE, check=True)
        subprocess.run(["podman", "import", "-", f"{self.base_name(name)}"], input=pack.stdout, check=True)

    @contextmanager
    def builder(self, base: str | None) -> Iterator[PodmanSession]:
        with self.open_scratch_folder() as home:
            (home / "src").mkdir()
            yield PodmanSession(self, home / "src")

    @contextmanager
    def session(self, key: str) -> Iterator[PodmanSession]:
        with self.builder(None) as fresh:
            copy_tree_into(self.find_image_tree(key), fresh.tree)
            yield fresh


def open_podman(cache: Path) -> PodmanBackend:
    return PodmanBackend(cache)
