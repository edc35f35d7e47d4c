"""Prevents: a wrong option or source of `graft make`, or a wrong style, seed, count or repository of `graft variants`,
that ends in a traceback or makes something else than asked; a first stage that needs a build; a proved variant that is
made and proved again; a doctor that writes a variant's findings over the original's manifest, and a variant whose
tasks nobody can look at."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from executor.manifest.health import Health
from executor.manifest.manifest import manifest_path
from executor.manifest.variant.record import RECORD, variant_folder, write_variant_record
from executor.manifest.variant.values import VariantSpec
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from experiments.cli.tasks import list_task_findings_and_summary_lines
from experiments.run.config import load_config
from index.errors import ConfigError, RecipeError, UserError
from lab.cli.app import app
from lab.doctor.body_trial import Effort
from lab.doctor.data_set_examination import DoctorRequest, examine_tasks, read_stored_manifests
from tests.support.projects import makefile_project, write_files
from tests.support.variants import renamed_example


@pytest.fixture
def variants(graft, monkeypatch, tmp_path):
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path))
    return partial(graft, "variants")


def _written(cache, record):
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
        (("show", "example", "--style", "x"), "unknown style 'x' (known: nonsense, plausible, swapped)"),
        (("show", "example"),
         "there is no variant renamed:style=nonsense,seed=1; make it: graft variants make example"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(variants, words, line):
    code, out, err = variants(*words)
    assert (code, out) == (2, "")
    assert line in err
    assert [text for text in err.splitlines() if not text.startswith("example: copying")] == [err.splitlines()[-1]]


def test_a_data_set_that_brings_its_recipe(graft, variants, tmp_path, monkeypatch):
    """As `graft make` writes one."""
    monkeypatch.setenv("GRAFT_RECIPES", "")
    example, mine = find_recipe("example").folder, tmp_path / "my set"
    tree = (example / "../../examples/inventory").resolve()
    text = (example / "recipe.yaml").read_text().replace("name: example", "name: mine")
    task = (tree / "tasks/text-trim/task.yaml").read_text().replace("repository: example", "repository: mine")
    recipe = text.replace("../../examples/inventory", str(tree))
    write_files(mine, {"recipes/mine/recipe.yaml": recipe, "tasks/text-trim/task.yaml": task})
    code, _, err = variants("show", "mine", "--dataset", str(mine))
    assert code == 2
    assert f"make it: graft variants make mine --style nonsense --seed 1 --dataset '{mine}'" in err
    code, _, err = graft("tasks", "check", "--dataset", str(mine), "--repos", "mine", "--variant", "renamed")
    assert code == 2
    assert f"--seed 1 --dataset '{mine}'" in err


def test_a_variant_of_another_commit_is_refused(variants, tmp_path):
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


def test_show_list_and_a_second_make(variants, tmp_path, monkeypatch):
    made = renamed_example(tmp_path)
    whole = replace(made.proof, stubs=18, stubs_tried=18, reruns=18, reruns_tried=18, plus_tried=4)
    whole = replace(whole, seconds={"map": 2.0})
    _written(tmp_path, replace(made, proof=whole, kept={"money_print": "somebody prints it"}))

    def never(*_):
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


EFFORT = Effort(budget_s=60, gold_runs=1, mutants=2, forgeries=False)


@pytest.fixture
def variant(cache):
    return renamed_example(cache)


def _request(variant):
    return DoctorRequest(
        dataset="example",
        repos=("example",),
        tasks=("text-trim",),
        sandbox="process",
        mirror=None,
        effort=EFFORT,
        variant=variant,
    )


@pytest.mark.slow
def test_the_doctor_keeps_a_variants_manifest_in_its_own_folder(variant, cache):
    recipe = find_recipe("example")
    before = manifest_path(recipe).read_bytes()
    ((repository, manifest),) = examine_tasks(_request("renamed"), cache)
    assert manifest_path(recipe).read_bytes() == before
    assert list(repository.chosen) == ["text-trim"]
    entry = manifest.tasks["text-trim"]
    assert (entry.name, entry.health) == (variant.names["text_trim"], Health.VALID)
    folder = variant_folder(cache, checkout_source(recipe, None, cache), variant.spec)
    assert (folder / "manifest.json").is_file()
    ((again, _),) = read_stored_manifests(_request("renamed"), cache)
    assert again == manifest
    with pytest.raises((ConfigError, RecipeError), match="graft variants make example --style nonsense --seed 99"):
        list(read_stored_manifests(_request("renamed:seed=99"), cache))


def test_both_sides_of_a_check_are_renamed(variant, cache):
    plain = list(list_task_findings_and_summary_lines("example", None, ("example",), None, cache))
    assert list(list_task_findings_and_summary_lines("example", None, ("example",), None, cache, "renamed")) == plain


def test_a_task_is_shown_in_new_names(variant, cache, monkeypatch, capsys):
    monkeypatch.setenv("GRAFT_CACHE", str(cache))
    app(["tasks", "show", "text-trim", "--dataset", "example", "--variant", "renamed"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert variant.names["text_trim"] in shown
    assert "text_trim" not in shown
    with pytest.raises(UserError, match="unknown style 'x'"):
        app(["tasks", "show", "text-trim", "--dataset", "example", "--variant", "renamed:style=x"],
            standalone_mode=False)  # fmt: skip


@pytest.fixture
def make(graft, monkeypatch, tmp_path):
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    return lambda *words: graft("make", *words, "--sandbox", "process", "--out", tmp_path / "bench")


def test_the_first_stage_writes_what_it_believes(make, tmp_path):
    root = makefile_project(tmp_path / "shelf")
    code, out, err = make(root, "--until", "detect", "--limit", "7", "--since", "2024-01-31")
    assert code == 0, err
    assert "stopped after detect" in out
    text = (tmp_path / "bench" / "make.yaml").read_text()
    assert "tasks: 7" in text
    assert "since: '2024-01-31'" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "nowhere: no such folder; give a folder, the address of a git repository or debian:NAME"),
        (("debian:No Name",), "debian:No Name: not the name of a source package"),
        (("debian:zlib", "--rev", "1"), "--rev 1: a Debian source package has one version"),
        ((".", "--lines", "9-5"), "--lines 9-5: give the fewest and the most, as 5-60"),
        ((".", "--hard", "--holes", "3"), "--holes 3: hard tasks have 1, 2, 4, 8 or 16 functions"),
        ((".", "--hard", "--lines", "5-60"), "--lines and --hard: leave one out"),
        ((".", "--hard", "--since", "2024-01-31"), "--since and --hard: leave one out"),
        (("redis", "--hard", "--setup-model", "x"), "--setup-model: leave it out; the recipe of redis comes with"),
    ],
)
def test_a_wrong_word_is_one_line(make, words, message):
    code, _, err = make(*words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_data_set_alone_is_enough_for_a_run(graft):
    code, _, err = graft("run", "dataset=no-bench", "model=gold", "arms=none")
    assert (code, "data set 'no-bench' is neither a name" in err) == (2, True)
    config = load_config(Path("dataset"), ["dataset=somewhere/my-bench", "model=gold"])
    assert (config.out, config.repos) == (Path("runs/my-bench-gold"), ())
