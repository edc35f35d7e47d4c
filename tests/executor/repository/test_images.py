"""Warm images. Prevents: an image taken for complete after a failed build, and expectations from one lucky round,
which judge every candidate of the repository wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from executor.repository.baseline_measurement import make_baseline_of_rounds
from executor.repository.images import Image, build_image, image_key, own_base_name, require_image
from executor.repository.recipe import Base, Recipe
from executor.repository.source import checkout_source
from executor.sandbox.bwrap.backend import BwrapBackend
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Command
from executor.values import TestResult, TestStatus
from index.errors import RecipeError, SandboxError
from tests.fixtures.executor_fixtures import Tiny, build_recipe
from tests.support.engines import cache_with_base


def _with_build(recipe: Recipe, **change: object) -> Recipe:
    return recipe.model_copy(update={"build": recipe.build.model_copy(update=change)})


def _build(recipe: Recipe, folder: Path) -> Image:
    return build_recipe(recipe, folder / "cache").image


def _meta(folder: Path, image: Image) -> Path:
    """Where the host keeps what it knows of the image."""
    return folder / "cache" / "images" / "meta" / "process" / image.key


def test_what_is_known_of_the_image(tiny: Tiny) -> None:
    image = tiny.image
    assert image.expected.suites == {
        "unit": {"adds": 1, "adds_zero": 1, "doubles": 1},
        "late": {"adds_negative": 1},
    }
    assert image.expected.ignored == frozenset()
    assert set(image.suite_seconds) == {"unit", "late"}
    assert (image.source_root / "calc.c").is_file()
    with tiny.backend.session(image.key) as session:
        listed = session.run(Command(["find", "."])).output.decode()
    assert "build/test" in listed
    assert "expected" not in listed
    assert "graph" not in listed


def test_a_second_call_does_nothing_and_a_changed_suite_only_measures(
    tmp_path: Path, tiny_recipe: Recipe, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    image = _build(tiny_recipe, tmp_path)
    assert any("build 1/1" in line for line in caplog.messages)
    caplog.clear()
    assert _build(tiny_recipe, tmp_path) == image
    assert caplog.messages == []
    fewer = tiny_recipe.model_copy(update={"baseline_runs": 1})
    caplog.clear()
    assert _build(fewer, tmp_path).key == image.key
    assert caplog.messages == ["tiny: baseline 1/1: 4 results"]


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
    ("argv", "message"),
    [
        (("sh", "-c", "echo '[err]: adds'; exit 1"), "suite unit on the unmodified tree: 'adds' failed"),
        (("sh", "-c", "build/test; exit 2"), "suite unit on the unmodified tree ended with status 2"),
        (("true",), "ran no test that parser 'lines' finds"),
        (("build/none",), "suite unit on the unmodified tree ended with status 12[67]"),
    ],
)
def test_a_suite_that_doesnt_pass_on_the_unmodified_tree_cant_judge(
    tmp_path: Path, tiny_recipe: Recipe, argv: tuple[str, ...], message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        _build(_with_suite(tiny_recipe, argv=argv), tmp_path)


def test_a_quarantined_failure_is_let_through(tmp_path: Path, tiny_recipe: Recipe) -> None:
    argv = ("sh", "-c", "build/test; echo '[err]: latency_95'; exit 1")
    recipe = _with_suite(tiny_recipe, argv=argv).model_copy(update={"quarantine": ("^latency_",)})
    image = _build(recipe, tmp_path)
    assert image.expected.ignored == {"latency_95"}
    assert "latency_95" not in image.expected.suites["unit"]


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
    argv = ("sh", "-c", "build/test; echo '[err]: needs_asserts'; exit 1")
    recipe = _with_suite(tiny_recipe, argv=argv)
    with pytest.raises(RecipeError, match="'needs_asserts' failed"):
        _build(recipe, tmp_path)
    caplog.clear()
    recipe = recipe.model_copy(update={"known_failures": {"unit": 1}})
    image = _build(recipe, tmp_path)
    assert image.expected.ignored == {"needs_asserts"}
    assert image.expected.suites["unit"] == {"adds": 1, "adds_zero": 1, "doubles": 1}
    assert image.expected.ignored_in == {"unit": {"needs_asserts"}, "late": frozenset()}
    assert image.expected.statuses == {"unit": {1}}
    assert any("'needs_asserts' fails on the unmodified tree, ignored" in line for line in caplog.messages)
    # An older baseline kept no suite's own names: its logs have them.
    path = next(_meta(tmp_path, image).glob("expected-*.json"))
    record = json.loads(path.read_text())
    del record["expected"]["ignored_in"], record["expected"]["statuses"]
    path.write_text(json.dumps(record))
    assert _build(recipe, tmp_path).expected.ignored_in == image.expected.ignored_in


def test_a_suite_that_never_prints_its_end_is_refused(tmp_path: Path, tiny_recipe: Recipe) -> None:
    parser = tiny_recipe.parsers["lines"].model_copy(update={"end": "^all ran$"})
    recipe = tiny_recipe.model_copy(update={"parsers": {"lines": parser}})
    with pytest.raises(
        RecipeError, match=r"suite unit .*: it never printed its own end \(parser 'lines'; or say ends"
    ):
        _build(recipe, tmp_path)


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


def test_a_build_doesnt_begin_on_a_disk_that_it_would_fill(tmp_path: Path, tiny_recipe: Recipe) -> None:
    key = _build(tiny_recipe, tmp_path).key
    greedy = _with_build(tiny_recipe, disk_mb=2**40)
    # What was built needs no more room, and room is no part of what is built.
    assert _build(greedy, tmp_path).key == key
    with pytest.raises(SandboxError, match=r"needs 1099511627776 MiB.*graft images prune"):
        _build(greedy, tmp_path / "elsewhere")


def test_a_damaged_record_is_named(tmp_path: Path, tiny_recipe: Recipe) -> None:
    image = _build(tiny_recipe, tmp_path)
    folder = _meta(tmp_path, image)
    assert json.loads((folder / "image.json").read_text())["repo"] == "tiny"
    next(folder.glob("expected-*.json")).write_text("{")
    with pytest.raises(SandboxError, match=r"expected-.*\.json: damaged"):
        _build(tiny_recipe, tmp_path)


def test_a_build_killed_before_its_record_is_made_again(
    tmp_path: Path, tiny_recipe: Recipe, caplog: pytest.LogCaptureFixture
) -> None:
    image = _build(tiny_recipe, tmp_path)
    (_meta(tmp_path, image) / "image.json").unlink()
    caplog.clear()
    assert _build(tiny_recipe, tmp_path) == image
    assert any("build 1/1" in line for line in caplog.messages)
