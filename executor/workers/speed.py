"""How fast a machine is: what a gold's suites take there, beside what they took where the baseline was measured."""

from __future__ import annotations

import logging
import statistics
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import locked, write_whole
from executor.candidate.execute import Runner, run_suite, suite_limit_s
from executor.grading.grade import suite_problem
from executor.published.budget import FETCHED
from executor.repository.baseline import found_baseline
from executor.repository.images import Image
from executor.workers.contract import RefusedError, Site

log = logging.getLogger(__name__)

FILE = "speed.json"
# A calibration runs up to so many suites, or those of so many seconds.
_SUITES = 10
_SECONDS = 30.0
# The time of a shorter suite is the sandbox's.
_LEAST_S = 0.2
_TIMES = TypeAdapter(dict[str, float])


def slowness(site: Site, image: Image, scratch: Path) -> float:
    """How many times as long suites take here as where the image's baseline was measured, at least 1: a limit that is
    too short would be our mistake, one that is too long costs time.

    Where the image came from a store, up to ten suites are run on the unmodified tree first, as a gold would run them.
    What they took is kept beside the image, unless the machine is overloaded. Raises RefusedError when one fails here.
    """
    assert image.folder is not None
    if not (image.folder / FETCHED).is_file():
        own = found_baseline(image.folder, image.recipe, ())
        return ratio({} if own is None else own.suite_seconds, image.suite_seconds)
    path = image.folder / FILE
    if not (known := read_times(path)):
        with locked(image.folder / "speed.lock", f"{image.key}: its calibration"):
            if not (known := read_times(path)):
                known = _calibrate(site, image, scratch)
                if not site.overloaded():
                    write_whole(path, _TIMES.dump_json(known))
    return ratio(known, image.suite_seconds)


def read_times(path: Path) -> Mapping[str, float]:
    """The seconds of each suite that ran. None where the file is missing or damaged."""
    try:
        return _TIMES.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return {}


def ratio(here: Mapping[str, float], there: Mapping[str, float]) -> float:
    """The middle ratio of the suites' times, at least 1."""
    found = [here[name] / there[name] for name in here.keys() & there.keys() if there[name] >= _LEAST_S]
    return max(1.0, statistics.median(found)) if found else 1.0


def _calibrate(site: Site, image: Image, scratch: Path) -> dict[str, float]:
    by_time = sorted(image.suite_seconds, key=lambda name: image.suite_seconds[name])
    chosen = [name for name in by_time if image.suite_seconds[name] >= _LEAST_S] or by_time[:1]
    found: dict[str, float] = {}
    scratch.mkdir(parents=True, exist_ok=True)
    with site.backend.session(image.key) as session:
        runner = Runner(session, scratch)
        for name in chosen[:_SUITES]:
            if found and sum(found.values()) + image.suite_seconds[name] > _SECONDS:
                break
            suite = image.recipe.suite(name)
            for left in (1, 0):
                # A slow machine is what is looked for: no limit of its own stops it.
                ran = run_suite(runner, image, suite, 10 * suite_limit_s(image, suite))
                problem = suite_problem(ran, image.expected)
                if not problem:
                    break
                if not left:
                    raise RefusedError(f"refused: suite {name} of the unmodified {image.recipe.name} fails: {problem}")
            found[name] = ran.step.wall_s
    log.info(f"{image.key}: suites take {ratio(found, image.suite_seconds):.1f} times as long here as in the baseline")
    return found
