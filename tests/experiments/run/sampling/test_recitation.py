"""Prevents: a proof of memory that is none: a name that the prompt, a tool or a compiler's message told, a common
word, a variable of the answer's own; a name that isn't counted because the compiler complained about it later; and a
sample that read another task's function with a tool, and a record that doesn't say so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.values import Candidate, Draft, Message, ModelResponse, Round, ToolUse, Trajectory
from executor.values import Task
from experiments.run.sample_facts import Recitation
from experiments.run.sampling.conversation import find_tasks_read_by_tools
from experiments.run.sampling.recitation import find_remembered_names, measure_recitation
from retrieval.values import Context

NAMES = {
    "dictFind": "morfTul",
    "dictEntry": "morfKag",
    "list_add_node_tail": "vusk_ged_hof_lub",
    "key": "bok",
    "len": "zib",
    "zmalloc": "porvek",
    "MAX_LEVEL": "GAD_HUPP",
}
CODE = "int f(void) { return 0; }"


def answered(code: str | None, *uses: ToolUse, text: str = "") -> Round:
    return Round(ModelResponse(text, "", "stop", 1, 1, None, "{}", 0.1), Candidate(code), None, uses=uses)


def talk(*turns: tuple[str, Round], system: str = "") -> Trajectory:
    """What was asked and answered, in turn."""
    messages = [Message("system", system)]
    for asked, _ in turns:
        messages += [Message("user", asked), Message("assistant", "...")]
    rounds = tuple(entry for _, entry in turns)
    return Trajectory(tuple(messages), rounds, rounds[-1].candidate if rounds else Candidate(None))


@pytest.fixture
def task(example_tasks: dict[str, Task]) -> Task:
    return replace(example_tasks["money-print"], gold="int f(void)\n{\n    return morfTul(x, bok);\n}")


@pytest.mark.parametrize(
    ("code", "shown", "found"),
    [
        ("v = dictFind(d, k);", "", ["dictFind"]),
        ("v = dictFind(d, k);", "use dictFind", []),
        ("x->MAX_LEVEL = list_add_node_tail;", "", ["MAX_LEVEL", "list_add_node_tail"]),
        # One word, however telling, may be anybody's.
        ("len = zmalloc(key);", "", []),
        # Its own variable.
        ("dictEntry *x = 0; int dictFind = 3; return dictFind;", "", ["dictEntry"]),
        # Both words were shown: it may have put them together.
        ("v = dictFind(d);", "find a key in the dict", []),
        ("list_add_node_tail(l);", "add a node at the tail of the list", ["list_add_node_tail"]),
        # Strings and comments aren't code.
        ('puts("dictFind"); /* dictEntry */', "", []),
        ("morfTul(x);", "", []),
    ],
)
def test_what_proves_memory(code: str, shown: str, found: list[str]) -> None:
    assert find_remembered_names(f"int f(void) {{ {code} }}", set(shown.split()), NAMES) == found


def test_a_name_is_told_once_it_was_shown_and_not_before(task: Task) -> None:
    draft = answered("int f(void) { return dictFind(d); }")
    repaired = talk(("write f", draft), ("error: 'dictFind' undeclared", draft))
    told = talk(("write f", answered(CODE)), ("did you mean dictFind?", draft))
    shown = Draft(Context((), 0, 0, ()), (Message("user", "here is dictFind"), Message("assistant", "")), ())
    drafted = replace(talk(("write f", answered("int f() { dictFind(); dictEntry(); }"))), drafts=(shown,))
    for trail, names in (
        (repaired, ("dictFind",)),
        (told, ()),
        (talk(("f", draft), system="dictFind"), ()),
        (drafted, ("dictEntry",)),
    ):
        assert measure_recitation(task, trail, NAMES).names == names


def test_what_a_model_asks_a_tool_for_counts(task: Task) -> None:
    asked = ToolUse("read_symbol", '{"name": "dictEntry"}', True, 10, 0.1)
    cut = ToolUse("compile", '{"code": "int f(void) { dictFi', True, 10, 0.1)
    trail = talk(("write f", answered(None, asked, cut)), ("no symbol dictEntry", answered("int f() { morfTul(a); }")))
    found = measure_recitation(task, trail, NAMES)
    assert (found.names, found.new_names) == (("dictEntry",), 1)


def test_runs_are_measured_against_both_golds(task: Task) -> None:
    original = "int f(void)\n{\n    return dictFind(x, key);\n}"
    found = measure_recitation(task, talk(("f", answered(original))), NAMES)
    assert (found.gold, found.run, found.original_run) == (10, 3, 10)
    found = measure_recitation(task, talk(("f", answered(task.gold))), NAMES)
    assert (found.run, found.original_run, found.names, found.new_names) == (10, 3, (), 2)
    # On the original tree there are no names to remember.
    found = measure_recitation(task, talk(("f", answered("int f() { dictFind(x); }"))), None)
    assert found.run is not None and found == Recitation(gold=10, run=found.run)
    assert measure_recitation(task, talk(), None) == Recitation(gold=10)


def test_an_answer_under_the_originals_name_is_no_candidate_and_still_a_recitation(task: Task) -> None:
    target = replace(task.target, name="ns::morfTul")
    task = replace(task, target=target, gold="int morfTul(void)\n{\n    return morfKag(x, bok);\n}")
    text = "As I recall:\n```c\nint dictFind(void)\n{\n    return dictEntry(x, key);\n}\n```\nIt can't fail."
    found = measure_recitation(task, talk(("write morfTul", answered(None, text=text))), NAMES)
    assert (found.original_run, found.names) == (10, ("dictFind", "dictEntry"))
    assert measure_recitation(task, talk(("write morfTul", answered(None, text="No."))), NAMES).names == ()


def test_other_tasks_of_the_repository_that_were_read_count_and_the_own_does_not(
    example_tasks: dict[str, Task],
) -> None:
    own, read, listed, *_ = example_tasks.values()
    elsewhere = replace(read, id="elsewhere", target=replace(read.target, repo="another"))
    bodies = tuple(f"{task.target.name} ({task.target.path})" for task in (own, read))
    shown = (*bodies, f"{listed.target.name} ({listed.target.path})")
    trail = talk(("f", answered(None, ToolUse("read_symbol", "{}", False, 9, 0.0, shown, bodies))))
    assert find_tasks_read_by_tools([own, read, listed, elsewhere], own, trail) == (read.id,)
    assert find_tasks_read_by_tools([own, read], own, talk()) == ()
