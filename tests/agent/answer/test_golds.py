# ruff: noqa: E501 - a table of texts reads better with a case per line
"""Prevents: a right answer scored as none, or changed by a byte, because of how it was presented; a draft, a stub or
an example taken for it.

Every gold of YABLoCo, in every presentation that a model has been seen to choose, must come out as it is; so must the
golds of the shipped data sets in what models wrap them in, and the cases of tests/data/foreign, each of which stands
for a kind.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable

import pytest

from agent.answer.definitions import list_names_defined_outside_spans
from agent.answer.extraction import extract_function
from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.tasks.datasets import list_shipped_datasets, load_rows
from executor.tasks.made_datasets import list_built_in_made_datasets
from executor.tasks.task_row import join_span_lines, read_file_lines
from index.build import build_index
from index.errors import RecipeError
from index.repo_index import open_index
from index.values import Target
from retrieval.ranker.training_groups import make_target as make_symbol_target
from tests.support.foreign import list_cases

Present = Callable[[str], str]

TAGS = ["c", "C", "cpp", "CPP", "C++", "c++", "cc", "cxx", "h", "", "python", "c title=file.c", " c", "text"]
AROUND: dict[str, Present] = {
    "tildes": lambda code: f"~~~cpp\n{code}\n~~~\n",
    "long fence": lambda code: f"````c\n{code}\n````\n",
    "indented fence": lambda code: f"1. It's this:\n\n   ```c\n{code}\n   ```\n",
    "unclosed": lambda code: f"```c\n{code}\n",
    "closed on the last line": lambda code: f"```c\n{code}```",
    "CRLF fence lines": lambda code: f"```c\r\n{code}\n```\r\n",
    "no fence": lambda code: code,
    "includes and main": lambda code: (
        f'```c\n#include <stdio.h>\n#include "x.h"\n\n{code}\n\nint main(void) {{\n    return 0;\n}}\n```'
    ),
    "doc comment above": lambda code: f"```c\n/* It's what was\n * asked for. */\n{code}\n```",
    "line comment above": lambda code: f"```c\n// it's that\n{code}\n```",
    "unused helper above": lambda code: f"```c\nstatic int zz_unused(int a)\n{{\n    return a;\n}}\n\n{code}\n```",
    "shell fence before": lambda code: f"```sh\nmake -j2\n```\nand then\n```c\n{code}\n```",
    "output fence after": lambda code: f"```c\n{code}\n```\nOutput:\n```\nOK {{}} (1)\n```",
    "two fences run together": lambda code: f"```c\nint zz_other(void);\n```c\n{code}\n```",
    "draft, then the answer": lambda code: (
        f"```c\n{code[: code.rindex('}')]}zz_draft();\n}}\n```\nBetter:\n```c\n{code}\n```"
    ),
    "code beside an empty fence": lambda code: f"```\n```\n{code}\n",
}

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


@pytest.mark.parametrize("tag", TAGS)
def test_every_gold_under_every_tag(golds, tag):
    for gold in golds:
        found = extract_function(f"```{tag}\n{gold.code}\n```\n", gold.target)
        assert (found.code, found.how) == (gold.code, "whole function"), gold.id


@pytest.mark.parametrize("how", AROUND)
def test_every_gold_in_every_setting(golds, how):
    for gold in golds:
        assert extract_function(AROUND[how](gold.code), gold.target).code == gold.code, gold.id


def test_code_on_the_opening_line_as_mera_asks_for_it(golds):
    for gold in golds:
        tag = "C++" if gold.target.language == "cpp" else "C"
        found = extract_function(f"```{tag} {gold.code.lstrip()}```", gold.target)
        assert found.code == gold.code.lstrip(), gold.id


def test_a_method_inside_its_class(golds):
    methods = [gold for gold in golds if gold.target.repo == "bullet3" and gold.code.startswith("\t")]
    assert len(methods) >= 15
    for gold in methods:
        text = f"```cpp\nclass Any : public Base\n{{\n\tint m_a;\n\npublic:\n{gold.code}\n\n\tvoid zz() {{}}\n}};\n```"
        assert extract_function(text, gold.target).code == gold.code, gold.id


def test_only_the_body_gets_the_repositorys_header(golds):
    """tree-sitter has no preprocessor: a few bodies with macros for syntax don't parse, and stay unproven."""
    found = 0
    for gold in golds:
        body = gold.code[_brace(gold.code, gold.target.signature) :]
        candidate = extract_function(f"```c\n{body}\n```", gold.target)
        if candidate.code is not None:
            assert candidate.how == "body only, the repository's header", gold.id
            assert candidate.code.endswith(f"\n{body}"), gold.id
            found += 1
    assert found >= 0.95 * len(golds)


def _brace(code, signature):
    """Where the body opens: behind as many signs as the signature has, white space apart."""
    left = len("".join(signature.split()))
    for place, sign in enumerate(code):
        if left == 0 and sign == "{":
            return place
        left -= not sign.isspace()
    raise AssertionError(signature)


def read_golds(dataset):
    """Each function of the data set: the target, its gold, its whole file and what else the file defines."""
    for row in load_rows(dataset):
        for each in row.rows_of_functions:
            root = checkout_source(find_recipe(each.repository), choose_mirror_folder(), cache_root()).root
            lines = read_file_lines(each, root)
            others = list_names_defined_outside_spans(
                (root / each.path).read_bytes(), [each.span], each.target.language
            )
            yield each.target, join_span_lines(lines, each.span), "".join(lines), others


def _list_failures(target, gold, file, others):
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
        if dataset not in list_built_in_made_datasets():
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


FOREIGN = list_cases("extract")


def find_target(tree, case, tmp_path):
    """The case's function, as the index of the case's file or folder has it."""
    root = tmp_path / "tree"
    if tree.is_dir():
        shutil.copytree(tree, root)
    else:
        root.mkdir()
        shutil.copy(tree, root)
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    try:
        found = [entry.symbol for entry in index.functions if entry.symbol.name == case["target"]]
        return make_symbol_target(sorted(found, key=lambda symbol: symbol.span.first)[case.get("nth", 0)])
    finally:
        index.close()


@pytest.mark.parametrize(("folder", "case"), FOREIGN, ids=[case["id"] for _, case in FOREIGN])
def test_a_foreign_answer(folder, case, tmp_path):
    if "tree" in case:
        tree, answer = folder / case["tree"], folder / case["answer"]
        contains, lacks = case["contains"], case["lacks"]
    else:
        tree, answer = folder / case["file"], folder / case["file"] / "answer.md"
        contains, lacks = case["expect"]["candidate_contains"], case["expect"].get("candidate_lacks", [])
    found = extract_function(answer.read_text(), find_target(tree, case, tmp_path))
    assert found.code is not None, found.reason
    assert not [text for text in contains if text not in found.code], found.code
    assert not [text for text in lacks if text in found.code], found.code
