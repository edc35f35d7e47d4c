"""Warm images. Prevents: an image taken for complete after a failed build, expectations from one lucky round, which
judge every candidate of the repository wrong; a killed build of an hour that starts anew each time, and one that is
resumed with half of its records and relinks stale programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from executor.repository import build_parts, images
from executor.repository.baseline_measurement import make_baseline_of_rounds
from executor.repository.build.plan import plan_rebuild
from executor.repository.images import Image, build_image, image_key, own_base_name, require_image
from executor.repository.recipe import Base, Recipe
from executor.repository.source import checkout_source
from executor.sandbox.bwrap.backend import BwrapBackend
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Command, ExecResult
from executor.sandbox.process import ProcessSession
from executor.values import TestResult, TestStatus
from index.errors import ConfigError, RecipeError, SandboxError
from tests.fixtures.executor_fixtures import Tiny, build_recipe
from tests.support.engines import cache_with_base, machine_base, unavailable


def _with_build(recipe: Recipe, **change: object) -> Recipe:
    return recipe.model_copy(update={"build": recipe.build.model_copy(update=change)})


def _build(recipe: Recipe, folder: Path) -> Image:
    return build_recipe(recipe, folder / "cache").image


def _meta(folder: Path, image: Image) -> Path:
    """Where the host keeps what it knows of the image."""
    return folder / "cache" / "images" / "meta" / "process" / image.key


def test_what_is_known_of_the_image(tiny: Tiny) -> None:
    image = tiny.image
    assert image.expected.suites == {"unit": {"adds": 1, "adds_zero": 1, "doubles": 1}, "late": {"adds_negative": 1}}
    assert image.expected.ignored == frozenset()
    assert set(image.suite_seconds) == {"unit", "late"}
    assert (image.source_root / "calc.c").is_file()
    with tiny.backend.session(image.key) as session:
        listed = session.run(Command(["find", "."])).text
    assert "build/test" in listed
    assert not re.search("expected|graph", listed)


def test_what_was_built_isnt_built_again_and_a_changed_suite_only_measures(
    tmp_path: Path, tiny_recipe: Recipe, caplog: pytest.LogCaptureFixture
) -> None:
    def build(recipe: Recipe) -> list[str]:
        """What it says. It is the same image each time."""
        caplog.clear()
        assert _build(recipe, tmp_path).key == image.key
        return caplog.messages

    image = _build(tiny_recipe, tmp_path)
    assert any("build 1/1" in line for line in caplog.messages)
    assert build(tiny_recipe) == []
    # What was built needs no more room, and room is no part of what is built.
    greedy = _with_build(tiny_recipe, disk_mb=2**40)
    assert build(greedy) == []
    with pytest.raises(SandboxError, match=r"needs 1099511627776 MiB.*graft images prune"):
        _build(greedy, tmp_path / "elsewhere")
    assert build(tiny_recipe.model_copy(update={"baseline_runs": 1})) == ["tiny: baseline 1/1: 4 results"]
    # A build that was killed before its record is made again, and a damaged record is named.
    folder = _meta(tmp_path, image)
    assert json.loads((folder / "image.json").read_text())["repo"] == "tiny"
    (folder / "image.json").unlink()
    assert any("build 1/1" in line for line in build(tiny_recipe))
    for path in folder.glob("expected-*.json"):
        path.write_text("{")
    with pytest.raises(SandboxError, match=r"expected-.*\.json: damaged"):
        _build(tiny_recipe, tmp_path)


def test_an_edited_source_or_build_is_another_image(tmp_path: Path, tiny_recipe: Recipe) -> None:
    cache = tmp_path / "cache"
    source = checkout_source(tiny_recipe, None, cache)
    key = image_key(tiny_recipe, source, None)
    assert image_key(tiny_recipe, source, "other-base") != key
    assert image_key(_with_build(tiny_recipe, commands=("make -B",)), source, None) != key
    (tmp_path / "tree" / "calc.c").write_text("int add(int a, int b) { return b + a; }\n")
    assert image_key(tiny_recipe, checkout_source(tiny_recipe, None, cache), None) != key


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"commands": ("echo no; exit 3",)}, r"'echo no; exit 3' ended with status 3; its output: .*build\.log"),
        ({"goals": ("build/nothing",)}, "the build left no build/nothing"),
        ({"commands": ("mkdir -p build", "touch build/test")}, "nothing was recorded"),
    ],
)
def test_a_failed_build_is_no_image(
    tmp_path: Path, tiny_recipe: Recipe, change: dict[str, object], message: str
) -> None:
    recipe = _with_build(tiny_recipe, **change)
    with pytest.raises(RecipeError, match=message):
        _build(recipe, tmp_path)
    cache = tmp_path / "cache"
    backend = open_unscheduled_backend("process", cache)
    assert list(backend.images()) == []
    source = checkout_source(recipe, None, cache)
    with pytest.raises(SandboxError, match="graft images build tiny"):
        require_image(recipe, source, backend, None, cache)


def _with_suite(recipe: Recipe, **change: object) -> Recipe:
    first, *rest = recipe.suites
    return recipe.model_copy(update={"suites": (first.model_copy(update=change), *rest)})


@pytest.mark.parametrize(
    ("script", "end", "message"),
    [
        ("echo '[err]: adds'; exit 1", None, "suite unit on the unmodified tree: 'adds' failed"),
        ("build/test; exit 2", None, "suite unit on the unmodified tree ended with status 2"),
        ("true", None, "ran no test that parser 'lines' finds"),
        ("build/none", None, "suite unit on the unmodified tree ended with status 12[67]"),
        ("build/test", "^all ran$", r"it never printed its own end \(parser 'lines'; or say ends"),
        # An answer's suite may write so much and no more, the gold's too.
        ("truncate -s 1100M big && build/test", None, "suite unit on the unmodified tree ended with status"),
    ],
)
def test_a_suite_that_doesnt_pass_on_the_unmodified_tree_cant_judge(
    tmp_path: Path, tiny_recipe: Recipe, script: str, end: str | None, message: str
) -> None:
    parser = tiny_recipe.parsers["lines"].model_copy(update={"end": end})
    recipe = tiny_recipe.model_copy(update={"parsers": {"lines": parser}})
    with pytest.raises(RecipeError, match=message):
        _build(_with_suite(recipe, argv=("sh", "-c", script)), tmp_path)


def test_a_suite_that_lacks_memory_on_the_unmodified_tree_cant_judge(
    tmp_path: Path, tiny_recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: a suite that survives a killed process, or whose killed test is a known failure, and then fails the
    gold and every other answer: for them nothing excuses it."""
    run = ProcessSession.run

    def run_and_lose_a_process(session: ProcessSession, command: Command) -> ExecResult:
        return replace(run(session, command), oom="build/test" in command.argv)

    monkeypatch.setattr(ProcessSession, "run", run_and_lose_a_process)
    with pytest.raises(RecipeError, match="suite unit on the unmodified tree ran out of memory"):
        _build(tiny_recipe, tmp_path)


def test_a_recipes_own_base_is_part_of_the_images_name(tmp_path: Path, tiny_recipe: Recipe) -> None:
    """By the name each sandbox knows it under; one that isolates nothing runs on the host and has no base."""
    recipe = tiny_recipe.model_copy(update={"base": Base(suite="trixie", packages=("llvm-18-dev",))})
    source = checkout_source(tiny_recipe, None, tmp_path / "cache")
    assert recipe.base is not None
    bwrap = BwrapBackend(tmp_path / "cache")
    assert own_base_name(recipe, bwrap) == recipe.base.name
    assert own_base_name(tiny_recipe, bwrap) is None
    assert own_base_name(recipe, open_unscheduled_backend("process", tmp_path / "cache")) is None
    assert image_key(recipe, source, own_base_name(recipe, bwrap)) != image_key(recipe, source, None)
    with pytest.raises(SandboxError, match="no warm image"):
        require_image(recipe, source, bwrap, None, tmp_path / "cache")


def test_the_usual_base_is_made_where_it_is_missing(
    tmp_path: Path, tiny_recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: `graft images build` of several on a bare machine, where those without packages of their own fail."""
    monkeypatch.setattr("executor.repository.images.make_base", cache_with_base)
    backend = open_unscheduled_backend("bwrap", tmp_path / "cache")
    assert not backend.has_base()
    source = checkout_source(tiny_recipe, None, tmp_path / "cache")
    image = build_image(tiny_recipe, source, backend, None, tmp_path / "cache")
    assert image.expected.suites["late"] == {"adds_negative": 1}


def test_a_known_failure_is_named_and_ignored_and_one_more_is_an_error(
    tmp_path: Path, tiny_recipe: Recipe, caplog: pytest.LogCaptureFixture
) -> None:
    """A quarantined one is ignored without a word."""
    script = "build/test; echo '[err]: latency_95'; echo '[err]: needs_asserts'; exit 1"
    recipe = _with_suite(tiny_recipe, argv=("sh", "-c", script)).model_copy(update={"quarantine": ("^latency_",)})
    with pytest.raises(RecipeError, match="'needs_asserts' failed"):
        _build(recipe, tmp_path)
    recipe = recipe.model_copy(update={"known_failures": {"unit": 1}})
    image = _build(recipe, tmp_path)
    assert image.expected.ignored == {"needs_asserts", "latency_95"}
    assert image.expected.suites["unit"] == {"adds": 1, "adds_zero": 1, "doubles": 1}
    assert image.expected.ignored_in == {"unit": {"needs_asserts", "latency_95"}, "late": frozenset()}
    assert image.expected.statuses == {"unit": {1}}
    assert any("'needs_asserts' fails on the unmodified tree, ignored" in line for line in caplog.messages)
    # An older baseline kept no suite's own names: its logs have them.
    path = next(_meta(tmp_path, image).glob("expected-*.json"))
    record = json.loads(path.read_text())
    del record["expected"]["ignored_in"], record["expected"]["statuses"]
    path.write_text(json.dumps(record))
    assert _build(recipe, tmp_path).expected.ignored_in == image.expected.ignored_in


def test_what_isnt_the_same_in_every_round_is_ignored(tiny_recipe: Recipe) -> None:
    def results(*names: str) -> tuple[TestResult, ...]:
        return tuple(TestResult(name, TestStatus.PASSED) for name in names)

    late = results("z")
    rounds = [
        {"unit": results("a", "b", "b", "took 3 ms"), "late": late},
        {"unit": results("a", "b", "took 4 ms"), "late": late},
    ]
    baseline = make_baseline_of_rounds(tiny_recipe, rounds, {"unit": 1.0, "late": 1.0})
    assert baseline.expected.suites == {"unit": {"a": 1}, "late": {"z": 1}}
    assert baseline.expected.ignored == {"b", "took 3 ms", "took 4 ms"}
    assert len(baseline.notes) == 3


COMMANDS = ("mkdir -p build && cc -c -o build/calc.o calc.c", "cc -o build/test test.c build/calc.o")


class Killed(BaseException):
    """No error that anything catches, as a kill isn't."""


def _image_by_commands(recipe: Recipe, folder: Path, keep: tuple[str, ...], sandbox: str = "bwrap") -> Image:
    build = recipe.build.model_copy(update={"commands": COMMANDS, "keep": keep})
    recipe = recipe.model_copy(update={"build": build, "baseline_runs": 1})
    base = str(machine_base()) if sandbox == "bwrap" else None
    try:
        return build_recipe(recipe, folder / "cache", sandbox, base).image
    except ConfigError as error:
        unavailable(str(error))


@contextmanager
def _killed_at_the_second_command() -> Iterator[None]:
    def kill(line: str) -> None:
        if "build 2/2:" in line:
            raise Killed

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        patch.setattr(images.log, "info", kill)
        yield


def test_a_killed_build_goes_on_with_its_objects_and_its_record(
    tmp_path: Path, tiny_recipe: Recipe, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # A part of several pieces, the last not full.
    monkeypatch.setattr(build_parts, "_PIECE_BYTES", 10_007)
    with _killed_at_the_second_command():
        _image_by_commands(tiny_recipe, tmp_path, ("build",))
    image = _image_by_commands(tiny_recipe, tmp_path, ("build",))
    assert "tiny: resuming after build 1/2" in caplog.messages
    assert not any("build 1/2:" in line for line in caplog.messages)
    # The call recorded before the kill is in the graph: a changed calc.c is compiled again, then linked.
    steps = plan_rebuild(image.graph, "calc.c", ["build/test"]).steps
    assert [step.kind for step in steps] == ["compile", "link"]
    assert not list((tmp_path / "cache" / "images" / "meta").rglob("part-*"))


# The process sandbox builds in another folder each time, so records of the first would name files that are gone.
@pytest.mark.parametrize(("sandbox", "keep"), [("bwrap", ()), ("process", ("build",))])
def test_without_a_folder_or_a_fixed_place_it_begins_anew(
    tmp_path: Path, tiny_recipe: Recipe, sandbox: str, keep: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    with _killed_at_the_second_command():
        _image_by_commands(tiny_recipe, tmp_path, keep, sandbox)
    image = _image_by_commands(tiny_recipe, tmp_path, keep, sandbox)
    assert any("build 1/2:" in line for line in caplog.messages)
    assert plan_rebuild(image.graph, "calc.c", ["build/test"]).steps
