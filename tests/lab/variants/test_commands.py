"""Prevents: a command that is told where the sources lie, and reads a data set's rows from another place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from executor.manifest.variant.values import VariantSpec
from executor.tasks import made_datasets
from experiments.report.predictions import judge_given_answers
from index.errors import RecipeError
from lab.variants.commands import summarize_renamed_kinds_and_kept_names
from lab.wrong.plus_listing import (
    find_plus_tests_quoting_hidden_text_and_count_all,
    list_plus_tests_with_doc_references,
)


def grade_answers(folder: Path) -> None:
    answers = folder / "answers.jsonl"
    answers.write_text('{"task_id": "a", "completion": "x"}\n')
    judge_given_answers(answers, ["dataset=redis-hard", f"mirror={folder}"])


def show_variant(folder: Path) -> None:
    summarize_renamed_kinds_and_kept_names("redis", VariantSpec(), None, folder, folder / "cache")


def list_plus_tests(folder: Path) -> None:
    find_plus_tests_quoting_hidden_text_and_count_all("redis-hard", (), (), folder, folder / "cache")


def list_where_plus_tests_are_stated(folder: Path) -> None:
    list(list_plus_tests_with_doc_references("redis-hard", (), (), folder))


@pytest.mark.parametrize("read", [grade_answers, show_variant, list_plus_tests, list_where_plus_tests_are_stated])
def test_rows_are_read_where_the_mirror_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], None]
) -> None:
    asked: list[Path | None] = []

    def refuse_source(_: Any, mirror: Path | None, cache: Path) -> None:
        asked.append(mirror)
        raise RecipeError("not here")

    monkeypatch.setattr(made_datasets, "checkout_source", refuse_source)
    with pytest.raises(RecipeError, match="not here"):
        read(tmp_path)
    assert asked == [tmp_path]
