"""Prevents: a prompt that lost a part of the task, or that differs between two runs unnoticed; fifty signatures under
fifty headings, which cost more than they do; and a snippet that is packed and counted but never shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from agent.prompts import load_prompts
from agent.prompts.prompt_set import ToolIntroduction
from agent.prompts.sections import HEADINGS
from agent.values import Candidate, Declaration
from index.errors import ConfigError
from index.values import Diagnostic, Span
from retrieval.values import Context, Snippet, SnippetGroup
from tests.agent.conftest import EMPTY

SHOWN = Context(
    (
        Snippet("helper", "src/h.c", Span(1, 2), "int helper(int a) { return {a}; }", "oracle"),
        Snippet("", "", None, "/* ```c */\nint fenced;", "file"),
    ),
    20,
    100,
    (),
)
ERROR = Diagnostic("error", "'m' undeclared", "src/a.c", 2, 12, True, "")
ELSEWHERE = Diagnostic("error", "expected ';'", "src/a.c", 99, 1, False, "")
WARNING = Diagnostic("warning", "implicit declaration", "src/a.c", 2, 5, True, "-Wimplicit-function-declaration")


@pytest.fixture
def target(make_target):
    return make_target("f", "static int f(int {n})", docstring="Adds {signature} to n.")


def open_with(prompts, target, shown=EMPTY, **more):
    """The opening's messages."""
    return load_prompts(prompts).render_opening(target, shown, **{"task_id": "t", **more})


def test_graft_first(target):
    system, user = open_with("graft", target, SHOWN)
    assert (system.role, user.role) == ("system", "user")
    helper = "int helper(int a) { return {a}; }"
    for part in ("src/a.c", target.signature, target.docstring, "## src/h.c - helper", helper):
        assert part in user.content
    assert "````c\n/* ```c */\nint fenced;\n````" in user.content, "a fence in the text must not close ours"
    assert user.content.index("## src/h.c") < user.content.index("static int f(int {n})")
    without = open_with("graft", target)[1].content
    assert "may help" not in without
    assert "\n\n\n" not in user.content + without


def test_the_system_message_is_the_same_for_every_task(make_target):
    texts = {open_with("graft", make_target(n, f"int {n}(void)", "cpp"), task_id=n)[0].content for n in "abc"}
    assert len(texts) == 1


@pytest.mark.parametrize("name", ["graft", "mera"])
def test_repair_names_each_message_with_its_line_and_shows_what_the_repository_has(target, name):
    candidate = Candidate("static int f(int n)\n{ return g(m); }")
    prompts = load_prompts(name)
    message = prompts.render_repair(target, candidate, [ERROR, ELSEWHERE, WARNING])
    assert message.role == "user"
    for part in ("'m' undeclared", "{ return g(m); }", "src/a.c", "99", "expected ';'", f"[{WARNING.option}]"):
        assert part in message.content
    assert "\n\n\n" not in message.content
    assert re.search(r"error: 'm' undeclared\n    \{ return g\(m\); \}", message.content)
    assert "```" not in prompts.render_repair(target, candidate, [ERROR], tools=True).content
    reason = prompts.render_repair(target, Candidate(None, "the answer is empty"), []).content
    assert "the answer is empty" in reason and "```" in reason
    known = Declaration("nearest to 'g'", "int gg(int m); /* ```c */", "src/h.h", 7)
    told = prompts.render_repair(target, candidate, [ERROR], [known]).content
    assert "src/h.h:7 - nearest to 'g'\n````c\nint gg(int m); /* ```c */\n````" in told
    assert told.index("'m' undeclared") < told.index("src/h.h:7") < told.rindex("```")
    assert "\n\n\n" not in told


def test_mera_asks_with_a_rows_own_template(target):
    template = "{language}|{signature}|{docstring}|{context}"
    (message,) = open_with("mera", target, SHOWN, instruction=template, context_text="{language} verbatim")
    assert message.content == "C|static int f(int {n})|Adds {signature} to n.|{language} verbatim"
    assert open_with("mera", replace(target, language="cpp"), instruction="{language}")[0].content == "C++"
    (message,) = open_with("mera", target, SHOWN, instruction="{context}")
    assert message.content == (
        "// File name: example/src/h.c\n// Comment: \nint helper(int a) { return {a}; }\n\n"
        "// Comment: \n/* ```c */\nint fenced;"
    )


def test_mera_chooses_by_task_and_always_the_same(target):
    first, again = (
        {n: prompts.render_opening(target, EMPTY, task_id=str(n))[0].content for n in range(200)}
        for prompts in (load_prompts("mera"), load_prompts("mera"))
    )
    assert first == again
    assert len(set(first.values())) == 11
    assert "На" in "".join(first.values())
    # sha256("0")[:8] = 5feceb66 -> 0x5feceb66 % 11 = 10; a change here changes published prompts
    assert first[0].startswith(load_prompts("mera").templates[int("5feceb66", 16) % 11][:12])


def test_a_folder_of_ones_own_has_no_system_message_and_digests_that_follow_the_text(tmp_path, target):
    (tmp_path / "first.j2").write_text("{{ signature }}|{{ context }}")
    (tmp_path / "repair.j2").write_text("again")
    first = load_prompts(str(tmp_path)).file_digests()
    (tmp_path / "repair.j2").write_text("again!")
    second = load_prompts(str(tmp_path)).file_digests()
    assert [name for name, _ in first] == ["first.j2", "repair.j2", "agentic.j2"]
    assert first[0] == second[0]
    assert first[1] != second[1]
    (message,) = open_with(str(tmp_path), target)
    assert message.content == "static int f(int {n})|"


def test_with_tools_the_answer_is_handed_in_by_a_call(make_target, target):
    tools = ToolIntroduction("HOW TO CALL", 7, compiles=True)
    system, user = open_with("graft", target, SHOWN, tools=tools)
    assert "HOW TO CALL" in system.content
    assert "at most 7 turns" in system.content
    assert "`check`" in system.content
    assert "`submit`" in user.content
    assert "in one ```c block" not in user.content
    other = open_with("graft", make_target("g", "int g(void)", "cpp"), task_id="u", tools=tools)
    assert other[0] == system, "the stable part must be the same for every task"
    plain = open_with("graft", target, SHOWN, tools=ToolIntroduction("", 7, compiles=False))
    assert "check" not in plain[0].content
    assert "\n\n\n" not in system.content + plain[0].content + user.content


def test_mistakes_name_the_fix(tmp_path, target):
    with pytest.raises(ConfigError, match="did you mean 'graft'"):
        load_prompts("grafd")
    with pytest.raises(ConfigError, match=r"must hold repair\.j2"):
        load_prompts(str(tmp_path))
    (tmp_path / "repair.j2").write_text("{{ code }")
    (tmp_path / "first.j2").write_text("{{ nothing }}")
    with pytest.raises(ConfigError, match=r"repair\.j2: line 1"):
        load_prompts(str(tmp_path))
    (tmp_path / "repair.j2").write_text("again")
    with pytest.raises(ConfigError, match="'nothing' is undefined"):
        open_with(str(tmp_path), target)


def snippet(title, path, group, *, brief=False):
    return Snippet(title, path, None, f"text of {title};", "test", group, "", brief)


MIXED = (
    snippet("f", "a.c", SnippetGroup.FUNCTIONS),
    snippet("g", "a.c", SnippetGroup.FUNCTIONS),
    snippet("h", "b.c", SnippetGroup.FUNCTIONS, brief=True),
    snippet("i", "b.c", SnippetGroup.FUNCTIONS, brief=True),
    snippet("j", "c.c", SnippetGroup.FUNCTIONS, brief=True),
    snippet("s", "a.h", SnippetGroup.TYPES, brief=True),
    snippet("t", "a.h", SnippetGroup.TYPES, brief=True),
    snippet("M", "a.h", SnippetGroup.MACROS),
    snippet("N", "a.h", SnippetGroup.MACROS),
)


def test_signatures_and_macros_of_a_file_share_a_fence_and_every_snippet_stands_once(make_target):
    target = make_target("f", "int f(void)")
    (*_, user) = open_with("graft", target, Context(MIXED, 0, 0, ()))
    headings = [line for line in user.content.splitlines() if line.startswith(("# ", "## "))]
    places = ["a.c - f", "a.c - g", "b.c - signatures", "c.c - j (signature only)"]
    shown = ["# Functions", *(f"## {place}" for place in places), "# Types", "## a.h - s (shortened)"]
    shown += ["## a.h - t (shortened)", "# Macros and constants", "## a.h"]
    assert [heading for heading in headings if heading in shown] == shown
    assert [user.content.count(s.text) for s in MIXED] == [1] * len(MIXED)
    assert "text of M;\ntext of N;" in user.content
    assert "\n\n\n" not in user.content
    assert set(HEADINGS) == set(SnippetGroup)
