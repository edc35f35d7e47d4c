"""A sandbox whose commands wait for their turn. All that runs sandboxes on a machine shares one scheduler this way:
baselines, verdicts, the doctor, variants and whatever else is given the sandbox."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from executor.sandbox.contract import Backend, Builder, Command, ExecResult, ImageInfo, Session
from executor.sandbox.scheduler import Need, Scheduler
from executor.sandbox.store import KeepsTrees, Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScheduledSession:
    """Satisfies `Session`."""

    inner: Session
    scheduler: Scheduler
    later: bool

    @property
    def root(self) -> str:
        return self.inner.root

    def write(self, path: str, data: bytes, *, keep_time: bool = False) -> None:
        self.inner.write(path, data, keep_time=keep_time)

    def read(self, path: str, limit: int = 64 * 1024 * 1024) -> bytes:
        return self.inner.read(path, limit)

    def run(self, command: Command) -> ExecResult:
        later = self.later or command.later
        with self.scheduler.hold_turn(Need(command.cores, command.limits.memory_mb, command.alone, later)):
            done = self.inner.run(command)
        self.scheduler.record_command_cpu_use(done.cpu_s)
        return done


@dataclass(frozen=True, slots=True)
class ScheduledBuilder(ScheduledSession):
    """Satisfies `Builder`."""

    inner: Builder

    def put_tree(self, source: Path) -> None:
        self.inner.put_tree(source)

    def commit(self, key: str, labels: Mapping[str, str]) -> None:
        self.inner.commit(key, labels)


@dataclass(frozen=True, slots=True)
class ScheduledBackend:
    """Satisfies `Backend`. `later`: others' commands go first."""

    inner: Backend
    scheduler: Scheduler
    later: bool = field(default=False, kw_only=True)

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def isolated(self) -> bool:
        return self.inner.isolated

    def problem(self) -> str | None:
        return self.inner.problem()

    def has_base(self) -> bool:
        return self.inner.has_base()

    def base_name(self, name: str) -> str | None:
        return self.inner.base_name(name)

    def import_base(self, rootfs: Path, name: str) -> None:
        self.inner.import_base(rootfs, name)

    @contextmanager
    def builder(self, base: str | None) -> Iterator[ScheduledBuilder]:
        with self.inner.builder(base) as builder:
            yield ScheduledBuilder(builder, self.scheduler, self.later)

    @contextmanager
    def session(self, key: str) -> Iterator[ScheduledSession]:
        with self.inner.session(key) as session:
            yield ScheduledSession(session, self.scheduler, self.later)

    def images(self) -> Sequence[ImageInfo]:
        return self.inner.images()

    def remove(self, key: str) -> None:
        self.inner.remove(key)


@dataclass(frozen=True, slots=True)
class ScheduledTreeKeeper(ScheduledBackend):
    """Satisfies `KeepsTrees` as well."""

    keeper: KeepsTrees

    @property
    def store(self) -> Store:
        return self.keeper.store

    @property
    def owner(self) -> tuple[int, int] | None:
        return self.keeper.owner

    def find_base_rootfs(self, labels: Mapping[str, str]) -> Path | None:
        return self.keeper.find_base_rootfs(labels)


def schedule_backend(backend: Backend, scheduler: Scheduler) -> ScheduledBackend:
    """The sandbox, with commands that wait for their turn."""
    if isinstance(backend, KeepsTrees):
        return ScheduledTreeKeeper(backend, scheduler, backend)
    return ScheduledBackend(backend, scheduler)


def count_concurrent_commands(backend: Backend) -> int:
    """How many commands of the sandbox may run at once: so many threads keep it busy. 1 without a scheduler."""
    return backend.scheduler.most if isinstance(backend, ScheduledBackend) else 1


def make_low_priority_backend(backend: Backend) -> Backend:
    """The sandbox, with commands that let those of others go first."""
    return replace(backend, later=True) if isinstance(backend, ScheduledBackend) else backend


def hold_machine(backend: Backend) -> AbstractContextManager[None]:
    """In the block only this thread's commands run, as far as the sandbox's scheduler knows of others."""
    return backend.scheduler.hold_machine() if isinstance(backend, ScheduledBackend) else nullcontext()


def log_machine_use(backend: Backend) -> None:
    """Log what the sandbox's commands took so far, and how much of the machine."""
    if isinstance(backend, ScheduledBackend) and backend.scheduler.use.commands:
        log.info(f"sandbox {backend.name}: {backend.scheduler.describe_use()}")
