"""Prevents: a wrong style, seed, count or repository that ends in a traceback or makes another variant than asked; and
a proved variant that is made and proved again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from executor.manifest.variant.record import RECORD, variant_folder, write_variant_record
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from tests.support.runs import Graft
from tests.support.variants import renamed_example


@pytest.fixture
def variants(graft: Graft, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Graft:
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path))
    return partial(graft, "variants")


def _written(cache: Path, record: VariantRecord) -> None:
    source = checkout_source(find_recipe("example"), None, cache)
    write_variant_record(variant_folder(cache, source, record.spec) / RECORD, record)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("make", "example", "--style", "nonsens"), "unknown style 'nonsens'; did you mean 'nonsense'?"),
        (("make", "example", "--seed", "one"), "seed 'one' must be a whole number, 0 or more"),
        (("make", "example", "--seed", "-1"), "seed '-1' must be a whole number, 0 or more"),
        (("make", "example", "--golds", "few"), "--golds 'few' must be all, or a number"),
        (("make", "exampel"), "no recipe for repository 'exampel'; did you mean 'example'?"),
        (("make", "example", "--dataset", "yablocco"), "data set 'yablocco' is neither a name"),
        (("show", "example", "--style", "x"), "unknown style 'x'; there are nonsense, plausible, swapped"),
        (
            ("show", "example"),
            "there is no variant renamed:style=nonsense,seed=1; make it: graft variants make example",
        ),
    ],
)
def test_a_mistake_is_one_line(variants: Graft, words: tuple[str, ...], line: str) -> None:
    code, out, err = variants(*words)
    assert (code, out) == (2, "")
    assert line in err
    assert [text for text in err.splitlines() if not text.startswith("example: copying")] == [err.splitlines()[-1]]


def test_a_data_set_that_brings_its_recipe(
    graft: Graft, variants: Graft, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `graft make` writes one."""
    monkeypatch.setenv("GRAFT_RECIPES", "")
    example, mine = find_recipe("example").folder, tmp_path / "my set"
    text = (example / "recipe.yaml").read_text().replace("name: example", "name: mine")
    (mine / "recipes" / "mine").mkdir(parents=True)
    tree = (example / "../../examples/inventory").resolve()
    (mine / "recipes/mine/recipe.yaml").write_text(text.replace("../../examples/inventory", str(tree)))
    task = (tree / "tasks/text-trim/task.yaml").read_text().replace("repository: example", "repository: mine")
    (mine / "tasks/text-trim").mkdir(parents=True)
    (mine / "tasks/text-trim/task.yaml").write_text(task)
    code, _, err = variants("show", "mine", "--dataset", str(mine))
    assert code == 2
    assert f"make it: graft variants make mine --style nonsense --seed 1 --dataset '{mine}'" in err
    code, _, err = graft("tasks", "check", "--dataset", str(mine), "--repos", "mine", "--variant", "renamed")
    assert code == 2
    assert f"--seed 1 --dataset '{mine}'" in err


def test_a_variant_of_another_commit_is_refused(variants: Graft, tmp_path: Path) -> None:
    made = renamed_example(tmp_path)
    _written(tmp_path, replace(made, commit="1" * 40))
    for command in ("make", "show"):
        code, _, err = variants(command, "example")
        assert code == 2
        assert "was made of example-tree-" in err
        assert "commit 1111111" in err
        assert "graft variants make example --style nonsense --seed 1 --fresh" in err
    place = variant_folder(tmp_path, checkout_source(find_recipe("example"), None, tmp_path), VariantSpec())
    (place / RECORD).write_text("{")
    assert "the variant's record can't be read" in variants("make", "example")[2]


def test_show_list_and_a_second_make(variants: Graft, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = renamed_example(tmp_path)
    assert made.proof is not None
    whole = replace(made.proof, stubs=18, stubs_tried=18, reruns=18, reruns_tried=18, plus_tried=4)
    whole = replace(whole, seconds={"map": 2.0})
    _written(tmp_path, replace(made, proof=whole, kept={"money_print": "somebody prints it"}))

    def never(*_: object) -> None:
        raise AssertionError("a proved variant was opened again")

    monkeypatch.setattr("lab.variants.commands.choose_backend", never)
    code, out, err = variants("make", "example")
    assert (code, out.count("\n")) == (0, 1)
    assert "is proved already; nothing is done" in err
    assert "proved in process on 2026-11-22: 2/2 suites" in out
    code, out, _ = variants("show", "example")
    assert code == 0
    assert f"{len(made.names)} identifiers are renamed (" in out
    assert "as function" in out
    assert "golds use 100 of the repository's identifiers, 95 of them renamed (95.0 %)" in out
    assert "somebody prints it" in out
    assert "map    2.0" in out
    code, out, _ = variants("show", "example", "--names")
    assert out.splitlines() == [f"{name} {new}" for name, new in made.names.items()]
    code, out, _ = variants("list")
    assert [line.split()[:3] for line in out.splitlines()[1:]] == [["example", "nonsense", "1"]]
