"""What a person sees of long work: counts, rate and time left; plain lines where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from executor.values import Outcome
from experiments.run.records import SampleRecord

# Without a terminal a line every so many seconds is enough for a log.
LINE_EVERY_S = 15.0


class Progress:
    """Counts finished samples. Writes to stderr, so that stdout holds the result alone."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._bar: Bar | None = None
        self._total = 0
        self._done = 0
        self._passed = 0
        self._infra = 0
        self._began = 0.0
        self._told = 0.0

    def line(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    @contextmanager
    def counting(self, total: int) -> Iterator[None]:
        """`total` samples are to be done now."""
        self._total, self._done, self._passed, self._infra = total, 0, 0, 0
        self._began = self._told = time.monotonic()
        if total == 0:
            yield
            return
        if not self.console.is_terminal:
            yield
            self._tell()
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        )
        with Bar(*columns, console=self.console) as bar:
            self._bar = bar
            bar.add_task("samples", total=total, rate="")
            try:
                yield
            finally:
                self._bar = None

    def finished(self, record: SampleRecord) -> None:
        outcome = record.graft.verdict.outcome
        self._done += 1
        self._passed += outcome is Outcome.PASSED
        self._infra += outcome is Outcome.INFRA_ERROR
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], advance=1, rate=self._counts())
        elif time.monotonic() - self._told >= LINE_EVERY_S:
            self._tell()

    def _counts(self) -> str:
        rate = self._done / max(time.monotonic() - self._began, 1e-9)
        infra = f", {self._infra} infrastructure errors" if self._infra else ""
        return f"{self._passed} passed{infra}, {rate * 60:.1f}/min"

    def _tell(self) -> None:
        self._told = time.monotonic()
        left = (self._total - self._done) * (self._told - self._began) / max(self._done, 1)
        minutes, seconds = divmod(round(left), 60)
        self.line(f"{self._done}/{self._total} samples, {self._counts()}, {minutes}:{seconds:02d} left")
