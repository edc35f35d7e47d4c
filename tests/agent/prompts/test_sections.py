"""Prevents: fifty signatures under fifty headings, which cost more than they do; and a snippet that is packed
and counted but never shown."""

from __future__ import annotations

from agent.prompts import load_prompts
from agent.prompts.sections import HEADINGS
from retrieval.values import Context, Snippet, SnippetGroup


def snippet(title: str, path: str, group: SnippetGroup, *, brief: bool = False) -> Snippet:
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


def test_signatures_and_macros_of_a_file_share_a_fence_and_every_snippet_stands_once(make_target) -> None:
    target = make_target("f", "int f(void)")
    (*_, user) = load_prompts("graft").render_opening(target, Context(MIXED, 0, 0, ()), task_id="t")
    headings = [line for line in user.content.splitlines() if line.startswith(("# ", "## "))]
    places = ["a.c - f", "a.c - g", "b.c - signatures", "c.c - j (signature only)"]
    shown = ["# Functions", *(f"## {place}" for place in places), "# Types", "## a.h - s (shortened)"]
    shown += ["## a.h - t (shortened)", "# Macros and constants", "## a.h"]
    assert [heading for heading in headings if heading in shown] == shown
    assert [user.content.count(s.text) for s in MIXED] == [1] * len(MIXED)
    assert "text of M;\ntext of N;" in user.content
    assert "\n\n\n" not in user.content


def test_every_group_has_a_heading() -> None:
    assert set(HEADINGS) == set(SnippetGroup)
