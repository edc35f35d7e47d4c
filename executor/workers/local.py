"""Work done on this machine, in the caller's thread. Its sandboxes' commands wait for their turn at the scheduler."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from executor.cache import cache_root
from executor.candidate.precompiled import open_header_store
from executor.candidate.several_functions import open_compiler
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.sandbox.scheduled import hold_machine
from executor.workers.contract import LITTLE, Checker, Needs, Site
from index.values import Target

T = TypeVar("T")


class LocalWorkers:
    """Satisfies `Workers`."""

    def __init__(self, backend: Backend, cache: Path | None = None) -> None:
        self._site = Site(backend, cache or cache_root())

    def run_work_in_sandbox(
        self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, needs: Needs = LITTLE
    ) -> T:
        folder.mkdir(parents=True, exist_ok=True)
        with hold_machine(self._site.backend) if needs.alone else nullcontext():
            return work(self._site, image, folder, *arguments)

    def run_work_on_tree(
        self, work: Callable[..., T], tree: Path, folder: Path, *arguments: Any, needs: Needs = LITTLE
    ) -> T:
        folder.mkdir(parents=True, exist_ok=True)
        return work(self._site.cache, tree, folder, *arguments)

    def make_draft_checker(self, image: Image, target: Target) -> AbstractContextManager[Checker]:
        return open_compiler(image, self._site.backend, target, open_header_store(self._site.cache))

    def close(self) -> None:
        """Nothing is held."""
