"""Resuming a killed build. Prevents: a build of an hour that starts anew each time, and one that is resumed with half
of its records and relinks stale programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from executor.repository import build_parts, images
from executor.repository.build.plan import plan_rebuild
from executor.repository.images import Image
from executor.repository.recipe import Recipe
from index.errors import ConfigError
from tests.fixtures.executor_fixtures import build_recipe
from tests.support.engines import machine_base, unavailable

COMMANDS = ("mkdir -p build && cc -c -o build/calc.o calc.c", "cc -o build/test test.c build/calc.o")


class Killed(BaseException):
    """No error that anything catches, as a kill isn't."""


def _image(recipe: Recipe, folder: Path, keep: tuple[str, ...], sandbox: str = "bwrap") -> Image:
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
        _image(tiny_recipe, tmp_path, ("build",))
    image = _image(tiny_recipe, tmp_path, ("build",))
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
        _image(tiny_recipe, tmp_path, keep, sandbox)
    image = _image(tiny_recipe, tmp_path, keep, sandbox)
    assert any("build 1/2:" in line for line in caplog.messages)
    assert plan_rebuild(image.graph, "calc.c", ["build/test"]).steps
