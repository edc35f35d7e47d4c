"""The seam between a run and the machines that do its work. One conformance suite runs over all implementations
(tests/executor/workers)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from executor.candidate.control import Broken
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from index.values import Diagnostic, Target

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Site:
    """The machine on which a piece of work is done: its sandbox and its cache. `broken`: what its control runs
    compiled before. `overloaded`: why a time-out there says nothing now, or ""."""

    backend: Backend
    cache: Path
    broken: Broken = field(default_factory=Broken)
    overloaded: Callable[[], str] = str


class Checker(Protocol):
    """Gives the compiler's messages on drafts of one function."""

    def check(self, code: str) -> Sequence[Diagnostic]:
        """As agent's Compiler."""
        ...


class Workers(Protocol):
    """Does work that needs a sandbox. Model calls, the journal and every decision stay with the caller."""

    def do(self, work: Callable[..., T], image: Image, folder: Path, *arguments: Any, alone: bool = False) -> T:
        """`work(site, image, folder, *arguments)`, done somewhere; waits for it. `image` there is that machine's own
        copy. What the work writes into `folder`, which exists then, lies in the caller's `folder` afterwards.
        `work` is a function of a module, and its arguments and result can be pickled. `alone`: nothing else of
        Graft's runs on the machine meanwhile.

        Raises what the work raises, and InfraError when the machine is lost or refuses; a lost machine's work is
        given to another first."""
        ...

    def compiler(self, image: Image, target: Target) -> AbstractContextManager[Checker]:
        """The compiler for drafts in the place of the target. Its messages don't hang on where it runs.
        Raises as `open_compiler` does, and InfraError as `do`."""
        ...

    def close(self) -> None:
        """Give everything back. Work that is under way may be lost."""
        ...
