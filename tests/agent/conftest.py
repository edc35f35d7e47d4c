"""Shared by the agent's tests: targets, the data set's golds, a scripted server per test."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.model.litellm_model import LiteLLMModel, RetryPolicy
from agent.prompts import load_prompts
from agent.request import AgentRequest, AgentSettings
from agent.tools.name_table import NameTable
from agent.tools.scope import Scope
from agent.tools.toolbox import Toolbox
from executor.tasks.yabloco import DATA
from experiments.demo.scripted_server import RunningServer, Script, start_server
from index.values import Diagnostic, Language, Span, Target
from retrieval.text.lexical import LexicalRetriever
from retrieval.values import Context
from tests.support.indexes import index_files
from tests.support.provider_wires import ALL_PROVIDERS

EMPTY = Context((), 0, 0, ())
FAST = RetryPolicy(attempts=3, total_s=20, first_wait_s=0.02, longest_wait_s=0.1, timeout_s=20)


@dataclass(frozen=True)
class Gold:
    id: str
    target: Target
    code: str


class Gcc:
    """gcc on a draft below the text `above`, which may include a header of the folder `tree`."""

    def __init__(self, folder: Path, above: str = "", tree: Path | None = None) -> None:
        self.file, self.above, self.tree, self.drafts = folder / "draft.c", above, tree, list[str]()

    def check(self, code: str) -> Sequence[Diagnostic]:
        self.drafts.append(code)
        self.file.write_text(self.above + code + "\n")
        argv = ["gcc", "-fsyntax-only", "-Werror=implicit-function-declaration", f"-I{self.tree}", str(self.file)]
        done = subprocess.run(argv, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": os.environ["PATH"]})
        pattern = r":(\d+):(\d+): (error|warning): (.*?)(?: \[(-W[\w=-]+)\])?$"
        return [
            Diagnostic(kind, text, "src/a.c", int(line) - self.above.count("\n"), int(column), True, option or "")
            for line, column, kind, text, option in re.findall(pattern, done.stderr, re.MULTILINE)
        ]


def make_request(target: Target, server: RunningServer, settings: Mapping[str, Any], **fields: Any) -> AgentRequest:
    """A request to a scripted server, with these settings and fields beside the usual ones."""
    chosen = AgentSettings(**{"model": "openai/scripted", "api_base": server.base_url} | settings)
    usual = {"context": EMPTY, "model": LiteLLMModel(policy=FAST), "prompts": load_prompts("graft"), "task_id": "t"}
    return AgentRequest(target=target, settings=chosen, **usual | fields)


@pytest.fixture(scope="session")
def make_target():
    def make(name, signature, language="c", docstring=""):
        return Target("example", "src/a.c", Span(10, 20), name, signature, docstring, language)

    return make


@pytest.fixture(scope="session")
def golds():
    """All 218 of YABLoCo's functions, as its oracle file gives them."""
    import csv
    import sys

    csv.field_size_limit(sys.maxsize)
    with (DATA / "bench-v0.8.csv").open(newline="", encoding="utf-8") as file:
        names = {row["id"]: row["fname"] for row in csv.DictReader(file)}
    rows: list[dict[str, Any]] = json.loads((DATA / "yabloco_oracle_v1.json").read_text(encoding="utf-8"))
    found = []
    for row in rows:
        language: Language = "cpp" if row["repo"] in ("bullet3", "llvm") else "c"
        target = Target(row["repo"], "f", Span(1, 2), names[row["id"]], row["signature"], "", language)
        found.append(Gold(row["id"], target, row["code"].strip("\r\n").rstrip()))
    assert len(found) == 218
    return found


@pytest.fixture
def serve():
    """serve(rule, rule, ...) -> a running server; each rule a dict of the script's keys."""
    with ExitStack() as stack:

        def start(*rules):
            return stack.enter_context(start_server(Script.model_validate({"rules": rules}), wires=ALL_PROVIDERS))

        yield start


def list_all_calls(toolbox: Toolbox, names: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """(tool, arguments): every tool with every name, or every file of the tree, and in every way of asking."""
    found = []
    for spec in toolbox.specs:
        schema = json.loads(spec.parameters)
        (key,) = schema["required"]
        choices = [{name: way} for name, kind in schema["properties"].items() for way in kind.get("enum", ())]
        for value in (*names, *toolbox.scope.table.files):
            found += [(spec.name, {key: value} | choice) for choice in ({}, *choices)]
    return found


# Its struct is a symbol of the index that no view may show.
GOLD_BODY = """{
    struct secret_pair { long secret_first; } secret = {0};
    long secret_sum = 0;
    for (int i = 0; i < b->used; i++)
        secret_sum += b->items[i] + secret.secret_first;
    return box_clamp(secret_sum);
}"""
TREE = {
    "src/box.h": """#ifndef BOX_H
#define BOX_H
#include <stddef.h>
/* Most items in a box. */
#define BOX_MOST 64
enum box_color { BOX_RED, BOX_BLUE };
typedef struct box box;
struct box {
    int used; /* items in use */
    long items[BOX_MOST];
    enum box_color color;
};
/* Sum of all items. */
long box_sum(const box *b);
long box_clamp(long value);
box *box_make(void);
#endif
""",
    "src/box.c": """#include "box.h"
/* Keep a value in range. */
long box_clamp(long value)
{
    return value > 1000 ? 1000 : value;
}

/* Sum of all items. */
long box_sum(const box *b)
"""
    + GOLD_BODY
    + """

/* Product of all items. */
long box_product(const box *b)
{
    long product = 1;
    for (int i = 0; i < b->used; i++)
        product *= b->items[i];
    return box_clamp(product);
}
""",
    "src/main.c": """#include "box.h"
long total_of(box *b)
{
    return box_sum(b) + box_product(b);
}
"""
    + "".join(f"\nint filler_number_{n}(int a)\n{{\n    return a + {n};\n}}\n" for n in range(60)),
    "tests/grading_test.c": "int test_box_sum(void) { return 0; }\n",
    ".git/objects/gold": "long box_sum(const box *b) " + GOLD_BODY,
}


@pytest.fixture(scope="session")
def small_index(tmp_path_factory):
    """A small C project, with a .git folder that holds the gold."""
    index = index_files(tmp_path_factory.mktemp("small"), TREE)
    yield index
    index.close()


@pytest.fixture(scope="session")
def sum_target():
    """box_sum of the small project."""
    lines = TREE["src/box.c"].split("\n")
    first = lines.index("long box_sum(const box *b)") + 1
    last = first + GOLD_BODY.count("\n") + 1
    return Target("boxes", "src/box.c", Span(first, last), "box_sum", lines[first - 1], "Sum of all items.", "c")


@pytest.fixture(scope="session")
def toolbox(small_index, sum_target):
    """The tools over the small project with box_sum hidden."""
    view = small_index.hide(sum_target, "strict")
    return Toolbox(Scope(view, NameTable(small_index)), {"words": LexicalRetriever(small_index)})
