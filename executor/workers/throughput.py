"""What each node has done in a run, in a file that `graft show --watch` reads."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file
from executor.workers.node import Done

log = logging.getLogger(__name__)

FILE = "nodes.json"
# The file is written at most this often.
_WRITE_S = 2.0


@dataclass(frozen=True, slots=True)
class NodeCount:
    """Pieces of work that a node did, those of them that failed through no fault of the text, and the seconds that all
    took together. `last_error`: why the last of these failed."""

    done: int = 0
    failed: int = 0
    seconds: float = 0.0
    last_error: str = ""


_COUNTS = TypeAdapter(dict[str, NodeCount])


class Throughput:
    """Thread-safe. Counts what nodes do; `path` is None where nobody watches."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._counts: dict[str, NodeCount] = {}
        self._written = float("-inf")

    def count_work_of_node(self, done: Done) -> None:
        with self._lock:
            before = self._counts.get(done.node, NodeCount())
            count = replace(before, done=before.done + 1, seconds=before.seconds + done.seconds)
            if done.standing != "well":
                count = replace(count, failed=before.failed + 1, last_error=str(done.error or done.value.infra_error))
            self._counts[done.node] = count
            now = time.monotonic()
            if self._path is not None and now - self._written > _WRITE_S:
                self._written = now
                self._replace_counts_file(self._path)

    def write_unsaved_counts(self) -> None:
        """Write what the file lacks."""
        with self._lock:
            if self._path is not None and self._counts:
                self._replace_counts_file(self._path)

    def _replace_counts_file(self, path: Path) -> None:
        try:
            replace_file(path, _COUNTS.dump_json(self._counts))
        except OSError as error:
            # No sample hangs on it.
            log.warning(f"{path}: {error}")


def read_node_counts_or_empty(path: Path) -> Mapping[str, NodeCount]:
    """What the file says. None where it is missing or damaged."""
    try:
        return _COUNTS.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return {}
