"""Prevents: drafts that are paid for and not counted, a context that the record doesn't hold, a failed draft that
is taken for an answer, and a round that asks the same thing again."""

from __future__ import annotations

from agent.context_drafts import add_drafts_and_usage, improve_context_by_drafts, trajectory_of_failed_draft
from agent.values import Candidate, Message, ModelResponse, Round, Trajectory, Usage
from retrieval.values import Context, Snippet


def context(*titles: str) -> Context:
    return Context(tuple(Snippet(t, "a.c", None, f"int {t};", "test") for t in titles), 0, 0, ())


def answer(text: str, code: str | None, error: str = "") -> Trajectory:
    response = ModelResponse(text, "", "stop", 10, 5, 0.5, "", 1.0)
    candidate = Candidate(code)
    rounds = () if error else (Round(response, candidate, None),)
    return Trajectory((Message("user", text),), rounds, candidate, Usage(1, 10, 5, 0.5, 1.0), error)


def test_each_draft_leads_to_the_next_context_and_all_are_kept() -> None:
    asked: list[Context] = []

    def ask(shown: Context) -> Trajectory:
        asked.append(shown)
        return answer(f"text {len(asked)}", f"code {len(asked)}")

    drafted = improve_context_by_drafts(context("a"), lambda wrote: context(wrote), 2, ask)
    assert asked == [context("a"), context("code 1")]
    assert drafted.context == context("code 2")
    assert [d.context for d in drafted.drafts] == asked
    assert [d.messages[0].content for d in drafted.drafts] == ["text 1", "text 2"]
    whole = add_drafts_and_usage(answer("last", "code"), drafted)
    assert (whole.usage.calls, whole.usage.prompt_tokens, whole.usage.cost) == (3, 30, 1.5)
    assert whole.drafts == drafted.drafts
    assert whole.messages[0].content == "last"


def test_a_draft_without_a_function_is_looked_up_as_text() -> None:
    seen: list[str] = []

    def following(wrote: str) -> Context:
        seen.append(wrote)
        return context("b")

    improve_context_by_drafts(context("a"), following, 1, lambda shown: answer("call dictAdd", None))
    assert seen == ["call dictAdd"]


def test_nothing_new_ends_the_rounds() -> None:
    drafted = improve_context_by_drafts(context("a"), lambda wrote: context("a"), 5, lambda shown: answer("t", "c"))
    assert len(drafted.drafts) == 1
    assert drafted.context == context("a")


def test_a_draft_that_fails_ends_in_its_error() -> None:
    answers = [answer("t", "c"), answer("", None, "the provider is gone")]
    drafted = improve_context_by_drafts(context("a"), lambda wrote: context("b"), 3, lambda shown: answers.pop(0))
    trajectory = trajectory_of_failed_draft(drafted)
    assert trajectory.error == "the provider is gone"
    assert trajectory.candidate.code is None
    assert (len(trajectory.drafts), trajectory.usage.calls) == (2, 2)
