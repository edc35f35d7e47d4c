"""Prevents: a doctor that writes a variant's findings over the original's manifest, and a variant whose tasks nobody
can look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.manifest.health import Health
from executor.manifest.manifest import manifest_path
from executor.manifest.variant.record import variant_folder
from executor.manifest.variant.values import VariantRecord
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from experiments.cli.tasks import check_tasks
from index.errors import ConfigError, RecipeError, UserError
from lab.cli.app import app
from lab.doctor.body_trial import Effort
from lab.doctor.data_set_examination import DoctorRequest, examine_tasks, read_stored_manifests
from tests.support.variants import renamed_example

pytestmark = pytest.mark.xdist_group("variant")
EFFORT = Effort(budget_s=60, gold_runs=1, mutants=2, forgeries=False)


@pytest.fixture
def variant(cache: Path) -> VariantRecord:
    return renamed_example(cache)


def _request(variant: str | None) -> DoctorRequest:
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
def test_the_doctor_keeps_a_variants_manifest_in_its_own_folder(variant: VariantRecord, cache: Path) -> None:
    recipe = find_recipe("example")
    before = manifest_path(recipe).read_bytes()
    ((manifest, ids),) = examine_tasks(_request("renamed"), cache)
    assert manifest_path(recipe).read_bytes() == before
    assert ids == ["text-trim"]
    entry = manifest.tasks["text-trim"]
    assert (entry.name, entry.health) == (variant.names["text_trim"], Health.VALID)
    folder = variant_folder(cache, checkout_source(recipe, None, cache), variant.spec)
    assert (folder / "manifest.json").is_file()
    ((again, _),) = read_stored_manifests(_request("renamed"), cache)
    assert again == manifest
    with pytest.raises((ConfigError, RecipeError), match="graft variants make example --style nonsense --seed 99"):
        list(read_stored_manifests(_request("renamed:seed=99"), cache))


def test_both_sides_of_a_check_are_renamed(variant: VariantRecord, cache: Path) -> None:
    plain = list(check_tasks("example", None, ("example",), None, cache))
    assert list(check_tasks("example", None, ("example",), None, cache, "renamed")) == plain


def test_a_task_is_shown_in_new_names(
    variant: VariantRecord, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAFT_CACHE", str(cache))
    app(["tasks", "show", "text-trim", "--dataset", "example", "--variant", "renamed"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert variant.names["text_trim"] in shown
    assert "text_trim" not in shown
    with pytest.raises(UserError, match="unknown style 'x'"):
        app(["tasks", "show", "text-trim", "--dataset", "example", "--variant", "renamed:style=x"],
            standalone_mode=False)  # fmt: skip
