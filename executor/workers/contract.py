"""The seam between a run and the machines that do its work. One conformance suite runs over all implementations
(tests/executor/workers)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from executor.candidate.control_runs import BrokenObjects
from executor.candidate.execute import KeptObjects
from executor.grading.differential import Differential
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Task
from index.errors import InfraError
from index.values import Diagnostic, Target

T = TypeVar("T")


class RefusedError(InfraError):
    """A machine can't do a kind of work, whatever the text: another Graft or image, none, a sandbox that fails."""


@dataclass(frozen=True, slots=True)
class Site:
    """The machine on which a piece of work is done: its sandbox and its cache. `broken`: what its control runs
    compiled before; `objects`: what candidates were compiled to. `overloaded`: why a time-out there says nothing now,
    or ""."""

    backend: Backend
    cache: Path
    broken: BrokenObjects = field(default_factory=dict)
    objects: KeptObjects = field(default_factory=KeptObjects)
    overloaded: Callable[[], str] = str


@dataclass(frozen=True, slots=True)
class Needs:
    """What a piece of work takes: cores and MiB of memory that a machine must have free, and the seconds that it takes
    as a rule. `alone`: nothing else of Graft's runs on the machine meanwhile."""

    cores: float = 1
    memory_mb: int = 1024
    seconds: float = 0.0
    alone: bool = False


LITTLE = Needs()


def estimate_needs(image: Image, suites: Sequence[str], *, alone: bool = False) -> Needs:
    """What these suites take by the recipe and as they were measured. A suite that keeps two processes busy gets two
    cores, one that waits most of its time half a core."""
    busy = [image.estimate_load(name).cores for name in suites]
    cores = max((round(2 * (1.0 if known is None else known)) / 2 for known in busy), default=1.0)
    memory = [image.recipe.find_suite(name).memory_mb for name in suites]
    seconds = sum(image.suite_seconds.get(name, 0.0) for name in suites)
    return Needs(max(0.5, cores), max([Needs().memory_mb, *memory]), seconds, alone)


GoldComparison = Callable[[Image, Task, Sequence[str], Backend, Sequence[str], Path], tuple[Differential, ...]]
"""(image, task, bodies, backend, suites, folder for logs) -> what a comparison with the gold, call by call, found of
each body. Raises SandboxError. A function of a module, so that it can be pickled. The lab has one
(`lab.differential.compare_with_gold`), and the core can't import it: a run is given it."""


class Checker(Protocol):
    """Gives the compiler's messages on drafts of one function."""

    def check(self, code: str) -> Sequence[Diagnostic]:
        """As agent's Compiler."""
        ...


class Workers(Protocol):
    """Does work that takes long. Model calls, the journal and every decision stay with the caller."""

    def run_work_in_sandbox(
        self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, needs: Needs = LITTLE
    ) -> T:
        """`work(site, image, folder, *arguments)`, done somewhere; waits for it. `image` there is that machine's own
        copy. What the work writes into `folder`, which exists then, lies in the caller's `folder` afterwards.
        `work` is a function of a module, and its arguments and result can be pickled.

        Raises what the work raises, and InfraError when the machine is lost or refuses; a lost machine's work is
        given to another first."""
        ...

    def run_work_on_tree(
        self, work: Callable[..., T], tree: Path, folder: Path, *arguments: Any, needs: Needs = LITTLE
    ) -> T:
        """`work(cache, tree, folder, *arguments)`: the same for work that reads a source tree and needs no sandbox.
        `tree` there is that machine's own copy of a source in Graft's cache; any other tree has the same path
        everywhere."""
        ...

    def make_draft_checker(self, image: Image, target: Target) -> AbstractContextManager[Checker]:
        """The compiler for drafts in the place of the target. Its messages don't hang on where it runs.
        Raises as `open_compiler` does, and InfraError as `run_work_in_sandbox`."""
        ...

    def close(self) -> None:
        """Give everything back. Work that is under way may be lost."""
        ...
