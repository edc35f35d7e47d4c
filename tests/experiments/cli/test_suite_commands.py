"""Prevents: one package of a suite that fails to build and stops all others, or fails without a word at the end; a
second call that builds again what stands; an index of a suite that runs don't find."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.tasks.suite_members import SuiteMember
from experiments.cli import options
from tests.fixtures.rows import TOY_RECIPE
from tests.support.projects import write_files
from tests.support.runs import Graft, refuse


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two small projects, of which the first doesn't build, as the members of a suite."""
    main = 'int puts(const char *);\nint main(void) { return puts("ok one") < 0; }\n'
    tree = write_files(tmp_path / "tree", {"toy.c": main})
    for name, command in (("first", "false"), ("second", "gcc -o toy toy.c")):
        text = TOY_RECIPE.replace("SOURCE", f"{{directory: '{tree}'}}").replace("name: toy", f"name: {name}")
        text = text.replace("commands: [make]", f"commands: ['{command}']")
        write_files(tmp_path / "recipes" / name, {"recipe.yaml": text})
    monkeypatch.setenv("GRAFT_RECIPES", str(tmp_path / "recipes"))
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    members = tuple(SuiteMember(name=name, split="test", licence="MIT") for name in ("first", "second"))
    known = "executor.tasks.suite_members.find_members"
    monkeypatch.setattr(known, lambda name: members if name == "graft-suite" else ())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_image_that_fails_stops_no_other_and_is_named_at_the_end(graft: Graft, suite: Path) -> None:
    words = ("images", "build", "graft-suite", "--sandbox", "process")
    code, _, err = graft(*words)
    assert code == 1
    assert "recipe first: build command 'false' ended with status 1" in err and "the others go on" in err
    assert "second: image second-" in err and "2/2 images" in err
    assert err.splitlines()[-1] == "graft: 1 of 2 failed: first; what is done is kept, run it again"
    again = graft(*words)[2]
    assert "1 of 2 images are ready already" in again and "second: build" not in again


def test_the_indexes_of_a_suite_are_those_that_runs_read(graft: Graft, suite: Path) -> None:
    code, out, _ = graft("index", "build", "graft-suite")
    assert code == 0 and out.count("1 functions") == 2
    folders = [folder for folder in (suite / "cache" / "indexes").iterdir() if folder.is_dir()]
    assert {folder.name for folder in folders} <= {folder.name for folder in (suite / "cache" / "sources").iterdir()}
    assert len(folders) == 2
    refuse(graft, "index", "build", "graft-suite", "--index", "x")
    # A suite's name stands for its members, each once.
    assert [recipe.name for recipe in options.find_recipes(["second", "graft-suite"])] == ["second", "first"]
