"""A folder of this machine as a session and as a backend: what runs, runs there, in no sandbox."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from executor.sandbox.contract import Command


class FolderSession:
    """Runs commands in the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, str(folder)

    def run(self, command: Command) -> Any:
        done = subprocess.run(command.argv, input=command.stdin, cwd=self.folder, capture_output=True, check=False)
        return SimpleNamespace(output=done.stdout, timed_out=False, truncated=False, ending="")

    @contextmanager
    def session(self, key: str) -> Iterator[FolderSession]:
        yield self
