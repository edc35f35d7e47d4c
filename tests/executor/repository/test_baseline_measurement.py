"""Prevents: cores that idle while suites are measured one by one, a suite that fails under load and then fails good
answers, a line that only a busy machine prints and every answer lacks, a measurement that was killed and begins from
nothing, and 20 minutes of waiting for a suite that ended in two seconds before and hangs now."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from executor.grading.logs.parser import Parser
from executor.repository import baseline_measurement, images
from executor.repository.baseline import Baseline, SuiteError, baseline_key, find_baseline_covering_suites
from executor.repository.baseline_measurement import BaselineMeasurement, MeasuredTree
from executor.repository.images import Image, ImageInUse, build_image_with_background_measurement
from executor.repository.recipe import Recipe, Tests
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.scheduled import ScheduledBackend
from executor.sandbox.scheduler import Scheduler
from tests.fixtures.executor_fixtures import Tiny

pytestmark = pytest.mark.slow

Measured = Callable[..., BaselineMeasurement]


@pytest.fixture
def measured(tiny: Tiny, tmp_path: Path) -> Measured:
    """measured(name=shell) -> a measurement of these suites in the tiny repository's tree, several at once."""

    def make(workers: int = 4, **scripts: str) -> BaselineMeasurement:
        recipe = tiny.image.recipe
        unit, tests = recipe.find_suite("unit"), Tests(default=tuple(scripts))
        suites = [unit.model_copy(update={"name": name, "argv": ("sh", "-c", text)}) for name, text in scripts.items()]
        recipe = recipe.model_copy(update={"suites": tuple(suites), "tests": tests})
        backend = ScheduledBackend(tiny.backend, Scheduler(workers, 2, 100_000, lambda: 0.0))
        folder = tmp_path / "known" / tiny.image.key
        folder.mkdir(parents=True, exist_ok=True)
        source = checkout_source(recipe, None, tiny.cache)
        return BaselineMeasurement(MeasuredTree(recipe, source, backend, tiny.image.key, tiny.image.graph, folder))

    return make


def test_suites_that_sleep_are_measured_side_by_side(measured: Measured, tmp_path: Path) -> None:
    """Each waits until all four run, so that one after the other would never end."""
    meet = f"d={tmp_path}; mkdir -p $d/in; echo > $d/in/$$; while [ $(ls $d/in | wc -l) -lt 4 ]; do sleep 0.1; done"
    measurement = measured(**{name: f"{meet}; echo '[ok]: {name}'" for name in ("a", "b", "c", "d")})
    measurement.run()
    baseline = measurement.finish_measuring() if measurement.start() is None else None
    assert baseline is not None
    assert baseline.expected.suites == {name: {name: 1} for name in ("a", "b", "c", "d")}


def test_a_suite_that_fails_beside_others_is_measured_alone(measured: Measured, tmp_path: Path) -> None:
    busy = f"touch {tmp_path}/busy; sleep 0.5; rm -f {tmp_path}/busy; echo '[ok]: long'"
    shy = f"sleep 0.2; [ -e {tmp_path}/busy ] && echo '[err]: shy' && exit 1; echo '[ok]: shy'"
    measurement = measured(long=busy, shy=shy)
    measurement.start()
    baseline = measurement.finish_measuring()
    assert baseline.alone == {"shy"} and baseline.expected.suites["shy"] == {"shy": 1}


def test_a_line_that_only_other_work_brings_isnt_wanted(measured: Measured, tmp_path: Path) -> None:
    """libevent's tests say "CPU is slow" on a busy machine: no answer on a quiet one could pass then."""
    busy = f"touch {tmp_path}/busy.$$; sleep 0.5; rm -f {tmp_path}/busy.$$"
    says = f"sleep 0.2; ls {tmp_path}/busy.* > /dev/null 2>&1 && echo 'CPU is slow'; sleep 0.3; echo good"
    measurement = measured(says=says, **{f"busy{number}": f"{busy}; echo done" for number in range(3)})
    lines = Parser(passed=r"^(?P<name>.+)$")
    recipe = measurement._tree.recipe.model_copy(update={"parsers": {"lines": lines}})
    suites = tuple(suite.model_copy(update={"parser": "lines"}) for suite in recipe.suites)
    tree = replace(measurement._tree, recipe=recipe.model_copy(update={"suites": suites}))
    measurement = BaselineMeasurement(tree)
    measurement.start()
    baseline = measurement.finish_measuring()
    assert baseline.expected.suites["says"] == {"good": 1} and not baseline.alone


def test_a_suite_that_fails_alone_too_is_named(measured: Measured) -> None:
    measurement = measured(good="echo '[ok]: a'", bad="echo '[err]: b'; exit 1")
    with pytest.raises(SuiteError, match="suite bad on the unmodified tree: 'b' failed"):
        measurement.run()


def test_what_has_ended_isnt_measured_again(measured: Measured, tmp_path: Path) -> None:
    count = f"echo >> {tmp_path}/count; echo '[ok]: a'"
    with pytest.raises(SuiteError):
        measured(1, a=count, b="[ -e /nowhere ] && echo '[ok]: b'").run()
    before = (tmp_path / "count").read_text().count("\n")
    # The same suites; the one that failed is mended.
    (rounds,) = tmp_path.glob("known/*/rounds-*.json")
    measurement = measured(1, a=count, b="echo '[ok]: b'")
    rounds.rename(rounds.with_name(f"rounds-{baseline_key(measurement._tree.recipe)}.json"))
    measurement.run()
    runs = (tmp_path / "count").read_text().count("\n")
    assert (before, runs) in {(1, 2), (2, 2)}
    assert list(tmp_path.glob("known/*/rounds-*.json")) == []


def test_what_another_recipe_wrote_since_is_measured_again(measured: Measured, tmp_path: Path) -> None:
    """Prevents: tests that count no more, since a changed suite of that name was tried and taken back."""
    whole, once = "echo '[ok]: a'; echo '[ok]: more'", f"[ -e {tmp_path}/go ] && echo '[ok]: b'"
    with pytest.raises(SuiteError):
        measured(1, a=whole, b=once).run()
    (tmp_path / "go").touch()
    measured(1, a="echo '[ok]: a'", b=once).run()
    measurement = measured(1, a=whole, b=once)
    measurement.start()
    assert measurement.finish_measuring().expected.suites["a"] == {"a": 1, "more": 1}


def test_a_suite_that_hangs_in_a_later_round_is_soon_measured_alone(
    measured: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline_measurement, "HANGING_S", 2.0)
    # The second of its runs hangs, the third doesn't.
    hangs = f"echo >> {tmp_path}/runs; [ $(wc -l < {tmp_path}/runs) = 2 ] && sleep 1000; echo '[ok]: a'"
    # Of two at once the one that has ended `a` begins its second round while the other is in `b`.
    measurement = measured(2, a=hangs, b="sleep 1; echo '[ok]: b'")
    measurement.start()
    baseline = measurement.finish_measuring()
    assert baseline.alone == {"a"} and baseline.expected.suites == {"a": {"a": 1}, "b": {"b": 1}}
    assert baseline.suite_seconds["a"] < 100


def test_the_first_round_is_known_while_the_second_runs(measured: Measured, tmp_path: Path) -> None:
    """And a test that the second round lacks counts no more once that has ended."""
    first = f"[ -e {tmp_path}/seen ] && until [ -e {tmp_path}/go ]; do sleep 0.1; done; "
    first += f"[ -e {tmp_path}/seen ] || echo '[ok]: shaky'; touch {tmp_path}/seen; echo '[ok]: a'"
    measurement = measured(a=first)
    measurement.start()
    assert measurement.wait_until_suites_passed(["a"]).expected.suites == {"a": {"shaky": 1, "a": 1}}
    (tmp_path / "go").touch()
    baseline = measurement.finish_measuring()
    assert baseline.expected.suites == {"a": {"a": 1}} and baseline.expected.list_ignored_tests("a") == {"shaky"}


def test_an_image_in_use_waits_for_what_a_verdict_needs(tiny_recipe: Recipe, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    backend = ScheduledBackend(open_unscheduled_backend("process", cache), Scheduler(4))
    source = checkout_source(tiny_recipe, None, cache)
    image = build_image_with_background_measurement(tiny_recipe, source, backend, None, cache, ["unit"])
    assert image.suites_measured == {"unit"}
    known: Image = image.wait_until_suites_passed(["unit"])
    assert known.expected.suites["unit"] and "late" not in known.suite_seconds
    assert image.finish_measuring().suite_seconds.keys() == {"unit"}
    assert known.folder is not None and find_baseline_covering_suites(known.folder, tiny_recipe, ["unit"]) is not None
    again = build_image_with_background_measurement(tiny_recipe, source, backend, None, cache, ["unit"])
    assert not again.suites_measured and again.wait_until_suites_passed(["unit"]) == replace(image.image)


class _UnitThenLate:
    """A measurement that knows `unit` first, and then `late` too."""

    def __init__(self, tree: MeasuredTree, suites: object) -> None:
        del suites
        self._whole = find_baseline_covering_suites(tree.folder, tree.recipe, None)

    def start(self) -> None:
        pass

    def wait_until_suites_passed(self, suites: list[str]) -> Baseline:
        assert self._whole is not None
        known = {name: s for name, s in self._whole.suite_seconds.items() if name in ("unit", *suites)}
        return replace(self._whole, suite_seconds=known)


def test_who_waited_for_fewer_suites_takes_none_from_others(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevents: an answer judged by a suite of which nothing is expected, since a thread that waited for another one
    came late."""
    assert tiny.image.folder is not None
    comes_late, others_came = threading.Event(), threading.Event()

    def wait_for_others(folder: Path) -> None:
        if threading.current_thread() is slow:
            comes_late.set()
            assert others_came.wait(30)

    tree = MeasuredTree(
        tiny.image.recipe,
        checkout_source(tiny.image.recipe, None, tiny.cache),
        tiny.backend,
        tiny.image.key,
        tiny.image.graph,
        tiny.image.folder,
    )
    with monkeypatch.context() as patched:
        patched.setattr(images, "BaselineMeasurement", _UnitThenLate)
        patched.setattr(images, "find_baseline_covering_suites", lambda *_: None)
        image = ImageInUse(tree, ["unit", "late"])
    monkeypatch.setattr(images, "mark_fetched_image_in_use", wait_for_others)
    slow = threading.Thread(target=image.wait_until_suites_passed, args=(["unit"],), daemon=True)
    slow.start()
    assert comes_late.wait(30)
    assert image.wait_until_suites_passed(["late"]).suite_seconds.keys() == {"unit", "late"}
    others_came.set()
    slow.join(30)
    assert image.image.suite_seconds.keys() == {"unit", "late"}
