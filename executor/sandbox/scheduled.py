"""A sandbox whose commands wait for their turn. All that runs sandboxes on a machine shares one scheduler this way:
baselines, verdicts, the doctor, variants and whatever else is given the sandbox."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from executor.sandbox.contract import Backend, Command, ExecResult, Session
from executor.sandbox.scheduler import Need, Scheduler
from executor.sandbox.store import FolderBackend

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScheduledSession:
    """A session whose commands wait for their turn; in all else it is `inner`, a builder if that is one."""

    inner: Session
    scheduler: Scheduler
    later: bool

    def run(self, command: Command) -> ExecResult:
        # Of a load that nobody has measured a core is expected.
        cores = 1.0 if command.cores is None else command.cores
        later = self.later or command.later
        with self.scheduler.hold_turn(Need(cores, command.limits.memory_mb, command.alone, later)):
            done = self.inner.run(command)
        self.scheduler.record_command_cpu_use(done.cpu_s)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(frozen=True, slots=True)
class ScheduledBackend:
    """A sandbox whose sessions are scheduled; in all else it is `inner`. `later`: others' commands go first."""

    inner: Backend
    scheduler: Scheduler
    later: bool = False

    @contextmanager
    def builder(self, base: str | None) -> Iterator[ScheduledSession]:
        with self.inner.builder(base) as builder:
            yield ScheduledSession(builder, self.scheduler, self.later)

    @contextmanager
    def session(self, key: str) -> Iterator[ScheduledSession]:
        with self.inner.session(key) as session:
            yield ScheduledSession(session, self.scheduler, self.later)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def unwrap_folder_backend(backend: Backend) -> FolderBackend | None:
    """The sandbox itself where its images are folders, else None."""
    plain = backend.inner if isinstance(backend, ScheduledBackend) else backend
    return plain if isinstance(plain, FolderBackend) else None


def find_concurrent_command_limit(backend: Backend) -> int:
    """How many commands of the sandbox may run at once: so many threads keep it busy. 1 without a scheduler."""
    return backend.scheduler.most if isinstance(backend, ScheduledBackend) else 1


def make_low_priority_backend(backend: Backend) -> Backend:
    """The sandbox, with commands that let those of others go first."""
    return replace(backend, later=True) if isinstance(backend, ScheduledBackend) else backend


def hold_machine(backend: Backend) -> AbstractContextManager[None]:
    """In the block only this thread's commands run, as far as the sandbox's scheduler knows of others."""
    return backend.scheduler.hold_machine() if isinstance(backend, ScheduledBackend) else nullcontext()


def lend_machine(backend: Backend) -> AbstractContextManager[None]:
    """In the block others' commands run as well, where this thread has the machine."""
    return backend.scheduler.lend_machine() if isinstance(backend, ScheduledBackend) else nullcontext()


def log_machine_use(backend: Backend) -> None:
    """Log what the sandbox's commands took so far, and how much of the machine."""
    if isinstance(backend, ScheduledBackend) and backend.scheduler.ended:
        log.info(f"sandbox {backend.name}: {backend.scheduler.describe_command_count_and_cpu_share()}")
