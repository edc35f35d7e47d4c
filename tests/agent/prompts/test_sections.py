"""Prevents: fifty signatures under fifty headings, which cost more than they do; and a snippet that is packed
and counted but never shown."""

from __future__ import annotations

from agent.prompts import load_prompts
from agent.prompts.sections import HEADINGS, group_snippets
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


def test_signatures_and_macros_of_a_file_share_a_fence() -> None:
    functions, types, macros = group_snippets(MIXED)
    assert [(p.path, p.title) for p in functions.parts] == [
        ("a.c", "f"),
        ("a.c", "g"),
        ("b.c", "signatures"),
        ("c.c", "j (signature only)"),
    ]
    assert [p.title for p in types.parts] == ["s (shortened)", "t (shortened)"]
    assert [(p.title, p.text) for p in macros.parts] == [("", "text of M;\ntext of N;")]
    assert [s.heading for s in (functions, types, macros)] == ["Functions", "Types", "Macros and constants"]


def test_every_snippet_stands_in_the_prompt_once(make_target) -> None:
    prompts = load_prompts("graft")
    target = make_target("f", "int f(void)")
    (*_, user) = prompts.render_opening(target, Context(MIXED, 0, 0, ()), task_id="t")
    assert [user.content.count(s.text) for s in MIXED] == [1] * len(MIXED)
    assert (
        user.content.index("# Functions") < user.content.index("## b.c - signatures") < user.content.index("# Types")
    )
    assert "\n\n\n" not in user.content


def test_every_group_has_a_heading() -> None:
    assert set(HEADINGS) == set(SnippetGroup)
