"""Prevents: a context over its budget, drafts that nobody counts, and distractors that are true callees; a budget that
one function doesn't have as before, and one that a model's window or answer can't hold; a run that builds for minutes
before it reports a missing encoder, and a resumed run that mixes two encoders."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.model.conversation_limits import ConversationLimits
from agent.request import AgentSettings
from executor.values import Outcome, Task
from experiments.arms.arm import list_context_sources_with_plugins, parse_arm
from experiments.arms.budget import TaskBudget, compute_scaled_task_budget, scale_packing, scale_settings
from experiments.arms.context import ContextSettings, Reading, make_arm_context
from experiments.demo.scripted_server import ScriptRule
from experiments.run.config import RunConfig
from index.cpp.tokens import tokenize
from index.errors import ConfigError
from index.values import Span, Target
from retrieval.context.assembly import Packing
from retrieval.context.token_budget import estimate_tokens
from retrieval.names.needed_names import find_missing_names, find_needed_names_of_holes, join_prompt_text
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.name_chances import make_name_finder
from retrieval.values import Context, SnippetGroup
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.encoder import static_encoder
from tests.support.indexes import Indexed
from tests.support.scripts import fence, match_prompt, read_story

pytestmark = pytest.mark.xdist_group("arms")

# Arms with tools have no context of their own.
PLAIN = [name for name, source in list_context_sources_with_plugins().items() if source.kind != "tools"]


def shown(example: Reading, task: Task, name: str, draft: str | None = None, **packing: Any) -> Context:
    settings = ContextSettings(Packing(**{"budget": 1200, "hits": 8, **packing}), "strict", "lexical")
    return make_arm_context(parse_arm(name), task, example, settings, draft).context


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(("first", "bodies"), [(0, "all"), (1, "auto"), (2, "none")])
def test_no_arm_goes_over_the_budget(
    example: Reading, example_tasks: dict[str, Task], name: str, first: int, bodies: Any
) -> None:
    # Each task under every arm, in one of the three ways to show bodies.
    for task in list(example_tasks.values())[first::3]:
        for budget in (0, 60, 700):
            context = shown(example, task, name, bodies=bodies, budget=budget)
            assert sum(estimate_tokens(s.text) for s in context.snippets) == context.tokens <= budget
            keys = [" ".join(s.text.split()) for s in context.snippets]
            assert len(set(keys)) == len(keys)


def test_wrong_functions_are_wrong(example: Reading, example_tasks: dict[str, Task]) -> None:
    shared = 0
    for task in example_tasks.values():
        named = set(tokenize(task.gold))
        for arm in ("distractor", "random"):
            context = shown(example, task, arm)
            assert {s.group for s in context.snippets} == {SnippetGroup.FUNCTIONS}
            assert not {s.title.rpartition("::")[2] for s in context.snippets} & named
            assert shown(example, task, arm) == context
        right = {s.title.rpartition("::")[2] for s in shown(example, task, "lexical").snippets}
        shared += len(right & named)
    assert shared > 10, "the lexical arm does show what the bodies name: leaving it out is no accident"


def has_all_names(example: Reading, task: Task, context: Context) -> bool:
    """Whether the prompt shows every name of the repository that the gold uses."""
    needed = find_needed_names_of_holes(task.golds, task.target, example.index)
    text = join_prompt_text(task.target, [snippet.text for snippet in context.snippets])
    return not any(find_missing_names(names, text) for names in needed)


def test_oracle_plus_shows_every_name_that_the_gold_uses(example: Reading, example_tasks: dict[str, Task]) -> None:
    answerable = 0
    for task in example_tasks.values():
        plain = shown(example, task, "oracle", budget=6000)
        plus = shown(example, task, "oracle+", budget=6000)
        answerable += has_all_names(example, task, plus)
        functions = [s.text for s in plus.snippets if s.group is SnippetGroup.FUNCTIONS]
        assert functions[: len(plain.snippets)] == [s.text for s in plain.snippets]
        groups = {s.group for s in plus.snippets}
        assert SnippetGroup.INCLUDES in groups and SnippetGroup.EXAMPLES not in groups
    assert answerable >= 0.99 * len(example_tasks)


@pytest.mark.parametrize(("budget", "least"), [(600, 0.75), (1500, 0.85)])
def test_a_retrieved_prompt_shows_every_name_of_most_bodies(
    example: Reading, example_tasks: dict[str, Task], budget: int, least: float
) -> None:
    tasks = example_tasks.values()
    found = [has_all_names(example, task, shown(example, task, "learned", budget=budget, hits=50)) for task in tasks]
    assert sum(found) >= least * len(found)


@pytest.mark.parametrize("name", PLAIN)
def test_no_arm_shows_lines_that_the_build_does_not_compile(example: Reading, task: Task, name: str) -> None:
    settings = ContextSettings(Packing(4000), "strict", "lexical")
    headers = [file.path for file in example.index.source_files if file.path.endswith(".h")]
    seen = []
    for lines in ({}, {path: [Span(1, 9999)] for path in headers}):
        made = make_arm_context(parse_arm(name), task, replace(example, uncompiled=lines), settings).context
        # The data set's own items stay as they are.
        seen.append({s.path for s in made.snippets if s.source != "oracle"} & set(headers))
    assert seen[1] == set()
    if name in ("learned", "lexical"):
        assert seen[0]


def test_a_name_is_shown_as_the_compiled_branch_declares_it(indexed: Indexed) -> None:
    header = "#ifdef _WIN32\n#define PAUSE(ms) Sleep(ms)\n#else\n#define PAUSE(ms) usleep(1000 * (ms))\n#endif\n"
    bodies = "".join(f"void f{n}(int ms) {{\n  PAUSE(ms + {n});\n}}\n" for n in range(9))
    index = indexed({"port.h": header, "a.c": f'#include "port.h"\n{bodies}'})
    target = Target("", "a.c", Span(8, 10), "f2", "void f2(int ms)", "", "c")
    finder = make_name_finder(index, RetrieverSettings((target,)))
    view = index.hide(target, "strict").leave_out_lines({"port.h": [Span(1, 3), Span(5, 5)]})
    (found,) = [name for name in finder.find_names(view, target, []) if name.symbol.name == "PAUSE"]
    assert view.text(found.symbol).strip() == "#define PAUSE(ms) usleep(1000 * (ms))"


def test_groups_choose_what_is_shown(example: Reading, example_tasks: dict[str, Task]) -> None:
    task = example_tasks["money-print"]
    every = [shown(example, task, "lexical", budget=4000) for task in example_tasks.values()]
    # The example's only globals are its tests' (tests/retrieval/context/test_name_purchase.py shows one that isn't).
    wanted = {SnippetGroup(name) for name in RunConfig(model="gold").groups}
    assert {s.group for context in every for s in context.snippets} == wanted - {SnippetGroup.GLOBALS}
    functions = shown(example, task, "lexical", budget=4000, groups=frozenset({SnippetGroup.FUNCTIONS}))
    assert {s.group for s in functions.snippets} == {SnippetGroup.FUNCTIONS}
    assert {d.reason for d in functions.dropped if d.group is SnippetGroup.TYPES} == {"groups leaves types out"}


def test_a_draft_leads_to_what_it_names(run_example: Runner, serve: Serve, task: Task, example: Reading) -> None:
    """The first context doesn't show the callee, the draft calls it, the second context does."""
    asking = match_prompt(task)
    first = shown(example, task, "lexical", hits=1, budget=40, groups=frozenset({SnippetGroup.FUNCTIONS}))
    named = "\n".join(snippet.text for snippet in first.snippets)
    item = next(item for item in task.oracle if item.name not in named)
    callee = item.name
    marker = re.escape(next(line for line in item.text.split("\n") if callee in line))
    draft = task.gold[: task.gold.index("{")] + f"{{ {callee}(1); made_up_name(2); }}"
    server = serve(
        ScriptRule(match=asking, last=marker, answer=fence(task.gold.rstrip())),
        ScriptRule(match=asking, answer=fence(draft)),
    )
    keys = {"arms": ("lexical", "iterative"), "tasks": [task.id], "api_base": server.base_url, "context_tokens": 40}
    keys |= {"hits": 1, "groups": ("functions",), "draft_base": "lexical", "draft_rounds": 2}
    end = run_example(**keys)
    records = {r.arm: r for r in end.records}
    assert records["lexical"].graft.verdict.outcome is Outcome.BUILD_FAILED
    assert records["iterative"].graft.verdict.outcome is Outcome.PASSED
    story = read_story(end.run, "iterative", task.id)
    before, after = story.trajectory.drafts
    assert callee not in {s.title for s in before.context.snippets}
    assert callee in {s.title for s in after.context.snippets}
    assert "made_up_name" in before.messages[-1].content
    # Two drafts and the answer; the first is the lexical arm's own request and was asked once.
    assert records["iterative"].usage.calls == 3
    asked = {str(part.messages[:2]) for part in (before, after, story.trajectory)}
    assert server.log.request_count == len(asked)
    assert run_example(**keys).records == end.records


# A task's budget, by its number of functions

SETTINGS = AgentSettings(
    "m", max_tokens=4096, repair_rounds=2, limits=ConversationLimits(20, 100_000, 0.5, 60.0), window=200_000
)
PACKING = Packing(6000)


def test_one_function_has_what_the_run_says_and_each_further_one_brings_half_of_it() -> None:
    assert scale_settings(SETTINGS, 1) == SETTINGS
    assert scale_packing(PACKING, 1, 1000) == PACKING
    assert scale_settings(AgentSettings("m"), 4).max_tokens is None
    budgets = {k: compute_scaled_task_budget(SETTINGS, PACKING, k) for k in (1, 2, 4)}
    assert budgets == {
        1: TaskBudget(6000, 4096, 20, 2, 100_000),
        2: TaskBudget(9000, 6144, 30, 3, 150_000),
        4: TaskBudget(15_000, 10_240, 50, 5, 250_000),
    }
    assert scale_settings(SETTINGS, 2).limits == ConversationLimits(30, 150_000, 0.75, 90.0)
    assert scale_packing(PACKING, 4, None).hits == 125


@pytest.mark.parametrize(
    ("window", "longest", "context", "answer"),
    [(24_000, None, 8000, 8000), (200_000, 5000, 51_000, 5000), (9000, 1000, 6000, 4096)],
)
def test_window_and_longest_answer_bound_it_and_never_below_one_functions(
    window: int, longest: int | None, context: int, answer: int
) -> None:
    found = compute_scaled_task_budget(replace(SETTINGS, window=window, longest_answer=longest), PACKING, 16)
    assert (found.context_tokens, found.answer_tokens) == (context, answer)


# An encoder of one's own


@pytest.mark.slow
@pytest.mark.xdist_group("encoder")  # one process alone imports torch
def test_the_dense_arm_runs_end_to_end(run_example: Runner, task: Task, cache: Path, tmp_path: Path) -> None:
    keys = {"model": "gold", "tasks": [task.id], "encoder": static_encoder(tmp_path / "static")}
    end = run_example(**keys, arms=("dense",))
    assert [record.graft.verdict.outcome for record in end.records] == [Outcome.PASSED]
    context = read_story(end.run, "dense", task.id).context
    assert context.snippets
    assert {s.source for s in context.snippets if s.group is SnippetGroup.FUNCTIONS} == {"dense"}
    assert task.target.name not in {snippet.title for snippet in context.snippets}

    def written() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in cache.glob("indexes/*/derived/dense-*/vectors.npy")}

    before = written()
    assert before
    run_example(**keys, arms=("lexical", "dense"), out="again")
    assert written() == before


@pytest.mark.xdist_group("encoder")
def test_an_encoder_that_is_not_there_is_refused_before_anything_is_built(run_example: Runner, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^encoder: .*nowhere: no sentence-transformers model"):
        run_example(model="gold", arms=("dense",), encoder=str(tmp_path / "nowhere"))
    assert not (tmp_path / "run").exists()
