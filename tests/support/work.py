"""Work for the conformance suite of workers: functions that a node can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from executor.repository.images import Image
from executor.workers.contract import Site
from index.errors import RecipeError, SandboxError


def where(site: Site, image: Image, folder: Path) -> tuple[str, bool, bool]:
    """The cache, and whether the machine has the image's tree and its source."""
    del folder
    has = any(info.key == image.key for info in site.backend.images())
    return str(site.cache), has, (image.source_root / "calc.c").is_file()


def write(site: Site, image: Image, folder: Path, text: str) -> int:
    del site, image
    (folder / "deep").mkdir(exist_ok=True)
    (folder / "deep" / "log").write_text(text)
    return len(text)


def fail(site: Site, image: Image, folder: Path, kind: str) -> None:
    del site, image, folder
    if kind == "sandbox":
        raise SandboxError("the engine is gone")
    if kind == "recipe":
        raise RecipeError("no such suite")
    if kind == "memory":
        raise MemoryError("No space left in memory")
    raise OSError(28, "No space left on device")


def die(site: Site, image: Image, folder: Path, marks: Path, times: int) -> int:
    """Kill this process the first `times` times; return how often it was begun."""
    del site, image, folder
    begun = len(list(marks.iterdir())) + 1
    (marks / str(begun)).touch()
    if begun <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return begun


def linger(site: Site, image: Image, folder: Path, marks: Path, seconds: float, problem: str = "") -> str:
    """Leave a mark with this machine's cache, and wait the first time, with a `problem` only until a later one has
    left its mark too. That one fails then."""
    del image, folder
    first = not list(marks.iterdir())
    (marks / f"{time.monotonic_ns()}").write_text(str(site.cache))
    if first:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not (problem and len(list(marks.iterdir())) > 1):
            time.sleep(0.1)
        # Long enough for the other's end to be seen.
        time.sleep(2.0 if problem else 0.0)
    elif problem:
        raise SandboxError(problem)
    return str(site.cache)


def do_nothing(cache: Path, tree: Path, folder: Path) -> None:
    """Under a name that no other test's metrics have."""
    del cache, tree, folder


def count(cache: Path, tree: Path, folder: Path, suffix: str) -> tuple[int, str]:
    """How many files of the tree end so, and the cache. A list of them is written."""
    found = sorted(path.name for path in tree.rglob(f"*{suffix}"))
    (folder / "list").write_text("\n".join(found))
    return len(found), str(cache)
