"""Runs a reader on damaged input, under a bound on its CPU time."""

from __future__ import annotations

import random
import signal
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from benchmarks.fuzz.readers import Reader
from benchmarks.fuzz.sample_damage import damage_sample
from index.errors import GraftError


class HangError(BaseException):
    """The reader took longer than the bound. No Exception, so that no reader catches it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a reader did that none may do; `data` is the input."""

    reader: str
    problem: str
    trace: str
    data: bytes


def play_readers(
    readers: Sequence[Reader], folder: Path, chance: random.Random, *, rounds: int | None = None, seconds: float = 0.0
) -> tuple[dict[str, int], list[Finding]]:
    """Damage the readers' samples in turn, for so many rounds or seconds. `folder` is scratch. Returns how many inputs
    each reader got, and the findings, each kind of a reader once."""
    counts = dict.fromkeys((reader.name for reader in readers), 0)
    spent = dict.fromkeys(counts, 0.0)
    found: dict[tuple[str, str], Finding] = {}
    end = time.monotonic() + seconds
    while any(count < rounds for count in counts.values()) if rounds is not None else time.monotonic() < end:
        # Each gets the same time, in rounds the same number: one that is slow mustn't starve the others.
        reader = min(readers, key=lambda reader: counts[reader.name] if rounds is not None else spent[reader.name])
        data = damage_sample(chance.choice(reader.samples), chance)
        began = time.monotonic()
        finding = try_input(reader, data, folder)
        spent[reader.name] += time.monotonic() - began
        counts[reader.name] += 1
        if finding is not None:
            found.setdefault((finding.reader, finding.problem.split(":")[0]), finding)
    return counts, list(found.values())


def try_input(reader: Reader, data: bytes, folder: Path) -> Finding | None:
    """What is wrong with the reader on this input; None where it returns or raises an error of Graft's own."""
    try:
        with _bound_cpu_time(reader.bound_s):
            reader.read(data, folder)
    except GraftError:
        return None
    except HangError:
        return Finding(
            reader.name, f"hang: more than {reader.bound_s:g} CPU-s for {len(data)} bytes", _write_trace(), data
        )
    except Exception as error:  # what the fuzzer is there to find
        return Finding(reader.name, f"{type(error).__name__}: {str(error)[:200]}", _write_trace(), data)
    return None


def _write_trace() -> str:
    return "".join(traceback.format_exc().splitlines(keepends=True)[-12:])


@contextmanager
def _bound_cpu_time(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
