# ruff: noqa: E501 - a table of texts reads better with a case per line
"""Prevents: the gold of a shipped data set that doesn't grade as the gold because of what a model wraps it in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent.answer.definitions import list_names_defined_outside_spans
from agent.answer.extraction import extract_function
from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.tasks.datasets import list_shipped_datasets, load_rows
from executor.tasks.made_datasets import list_made_datasets
from executor.tasks.task_row import join_span_lines, read_file_lines
from index.errors import RecipeError
from index.values import Target

DRAFT = "\n```c\n{header}\n{{\n    return zz_draft(1, 2, 3);\n}}\n```\n"

# A target, its gold and its whole file -> an answer.
Wrap = Callable[[Target, str, str], str]
WRAPPINGS: dict[str, Wrap] = {
    "fence": lambda target, gold, _: f"```{target.language}\n{gold}\n```\n",
    "chat": lambda target, gold, _: f"Sure, here's it:\n\n```\n{gold}\n```\n\nIt doesn't leak; isn't it fine?",
    "no fence": lambda target, gold, _: f"Here's the function:\n\n{gold}\n\nThat's all.",
    "think": lambda target, gold, _: f"<think>{DRAFT.format(header=target.signature)}No.</think>\n\n{gold}\n",
    "lone end of think": lambda target, gold, _: f"{DRAFT.format(header=target.signature)}</think>\n```c\n{gold}\n```",
    "draft before": lambda target, gold, _: f"{DRAFT.format(header=target.signature)}Better:\n```c\n{gold}\n```",
    "stub behind": lambda target, gold, _: f"```c\n{gold}\n```\nIn its file:\n```c\n{target.signature} {{ /* as above */ }}\n```",
    "JSON": lambda target, gold, _: json.dumps({"code": gold, "confidence": 0.9}),
    "JSON in a fence": lambda target, gold, _: f"```json\n{json.dumps({'name': 'submit', 'arguments': {'code': gold}})}\n```",
    "difference": lambda target, gold, _: "```diff\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n" + "".join(f"+{line}\n" for line in gold.split("\n")) + "```\n",
    "search and replace": lambda target, gold, _: f"<<<<<<< SEARCH\n/* here */\n=======\n{gold}\n>>>>>>> REPLACE\n",
    "quotation": lambda target, gold, _: "".join(f"> {line}\n" for line in f"```c\n{gold}\n```".split("\n")),
    "BOM": lambda target, gold, _: f"\ufeff{gold}\n",
    "CRLF": lambda target, gold, _: f"So:\n```c\n{gold}\n```\n".replace("\r\n", "\n").replace("\n", "\r\n"),
    "whole file": lambda target, gold, file: f"```c\n{file}\n```",
}  # fmt: skip


def read_golds(dataset: str) -> Iterator[tuple[Target, str, str, frozenset[str]]]:
    """Each function of the data set: the target, its gold, its whole file and what else the file defines."""
    for row in load_rows(dataset):
        for each in row.rows_of_functions:
            root = _find_root(each.repository)
            lines = read_file_lines(each, root)
            others = list_names_defined_outside_spans(
                (root / each.path).read_bytes(), [each.span], each.target.language
            )
            yield each.target, join_span_lines(lines, each.span), "".join(lines), others


def _find_root(repository: str) -> Path:
    return checkout_source(find_recipe(repository), choose_mirror_folder(), cache_root()).root


def _list_failures(target: Target, gold: str, file: str, others: frozenset[str]) -> Iterator[str]:
    for name, wrap in WRAPPINGS.items():
        found = extract_function(wrap(target, gold, file), target, existing=others)
        wanted = gold.replace("\r\n", "\n") if name == "CRLF" else gold
        if found.code != wanted:
            yield f"{target.name} as {name}: {found.code if found.code is not None else found.reason}"


@pytest.mark.parametrize("dataset", [name for name in list_shipped_datasets() if name != "yabloco"])
@pytest.mark.slow
def test_every_gold_in_every_wrapping(dataset):
    try:
        golds = list(read_golds(dataset))
    except RecipeError as error:
        if dataset not in list_made_datasets():
            raise
        pytest.skip(f"the source can't be had: {error}")
    assert [failure for gold in golds for failure in _list_failures(*gold)] == []


@pytest.mark.slow
def test_every_gold_of_yabloco_in_every_wrapping(golds):
    failures = [
        failure
        for gold in golds
        for failure in _list_failures(gold.target, gold.code, f"int zz(void);\n\n{gold.code}\n", frozenset())
    ]
    assert failures == []
