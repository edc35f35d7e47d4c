"""Prevents: feedback that never reaches the model, a worse draft handed in than one that compiled, a history that
isn't what the model saw; drafts that are paid for and not counted, a context that the record doesn't hold, a failed
draft that is taken for an answer, and a round that asks the same thing again.

The model is the scripted HTTP server, asked through litellm; the compiler is gcc.
"""

from __future__ import annotations

import json

import pytest

from agent.context_drafts import add_drafts_and_usage, improve_context_by_drafts, trajectory_of_failed_draft
from agent.loop import run_agent
from agent.values import Candidate, Message, ModelResponse, Round, Trajectory, Usage
from index.errors import CeilingReached, InfraError
from retrieval.values import Context, Snippet
from tests.agent.conftest import EMPTY, Gcc, make_request

GOOD = "```c\nint twice(int n)\n{\n    return 2 * n;\n}\n```"
BROKEN = "```c\nint twice(int n)\n{\n    return 2 * m;\n}\n```"
UNDECLARED = "```c\nint twice(int n)\n{\n    return dbl(n);\n}\n```"
PROSE = "I would multiply by two."


@pytest.fixture
def play(serve, make_target, tmp_path):
    """play(rule, ..., rounds=n) -> (trajectory, server, compiler)."""

    def start(*rules, rounds=0, compiler=None, model=None, context=EMPTY, **settings):
        server = serve(*rules)
        gcc = compiler or Gcc(tmp_path)
        target = make_target("twice", "int twice(int n)", docstring="Doubles n.")
        fields = {"context": context, "sample": 2, "compiler": gcc} | ({"model": model} if model else {})
        request = make_request(target, server, {"repair_rounds": rounds, "seed": 5} | settings, **fields)
        return run_agent(request), server, gcc

    return start


def sent(server, number):
    messages = json.loads(server.log.requests[number].body)["messages"]
    return [(message["role"], message["content"]) for message in messages]


def test_a_single_shot_asks_once_and_compiles_nothing(play):
    trail, server, gcc = play({"answer": BROKEN})
    assert trail.candidate.code == "int twice(int n)\n{\n    return 2 * m;\n}"
    assert (len(trail.rounds), trail.rounds[0].diagnostics, gcc.drafts, server.log.request_count) == (1, None, [], 1)
    assert json.loads(server.log.requests[0].body)["seed"] == 7


def test_the_compilers_words_reach_the_model_and_it_repairs(play):
    trail, server, _ = play({"last": "'m' undeclared", "answer": GOOD}, {"answer": BROKEN}, rounds=3)
    assert trail.candidate.code == "int twice(int n)\n{\n    return 2 * n;\n}"
    assert [len(entry.diagnostics) for entry in trail.rounds] == [1, 0]
    assert server.log.request_count == 2
    assert (trail.usage.calls, trail.usage.compiles) == (2, 2)
    assert trail.usage.prompt_tokens == sum(entry.response.prompt_tokens for entry in trail.rounds)
    assert trail.usage.cost is None
    assert "return 2 * m;" in trail.messages[3].content, "the message shows the line that it speaks of"
    history = [(message.role, message.content) for message in trail.messages]
    assert [role for role, _ in history] == ["system", "user", "assistant", "user", "assistant"]
    assert (sent(server, 0), sent(server, 1)) == (history[:2], history[:4]), "the history is what the model saw"


@pytest.mark.parametrize(
    ("answer", "hint", "shown"),
    [
        (PROSE, "could not be used", PROSE),
        ("", "the answer is empty", "(no text)"),  # several providers refuse an empty message
        (UNDECLARED, "implicit declaration", UNDECLARED),
    ],
)
def test_what_cannot_be_used_is_asked_for_again(play, answer, hint, shown):
    trail, server, _ = play({"last": hint, "answer": GOOD}, {"answer": answer}, rounds=2)
    assert "2 * n" in (trail.candidate.code or "")
    assert server.log.request_count == 2
    assert sent(server, 1)[2] == ("assistant", shown)


def test_a_serious_warning_is_worth_one_round_and_no_more(play):
    careless = "```c\nint twice(int n)\n{\n    char *p = n;\n    return p ? 2 * n : 0;\n}\n```"
    trail, server, _ = play({"answer": careless}, rounds=3)
    assert server.log.request_count == 2
    assert "[-Wint-conversion]" in trail.messages[3].content
    assert trail.candidate.code is not None


def test_the_rounds_end_and_the_last_draft_that_was_found_beats_a_later_answer_without_code(play):
    trail, server, gcc = play({"answer": BROKEN}, rounds=2)
    assert (server.log.request_count, len(gcc.drafts), len(trail.rounds)) == (3, 3, 3)
    assert trail.candidate.code is not None
    trail, _, _ = play({"last": "undeclared", "answer": PROSE}, {"answer": BROKEN}, rounds=1)
    assert "2 * m" in (trail.candidate.code or "")


def test_five_megabytes_do_not_go_back_to_the_model(play):
    flood = {"answer": BROKEN + "\nblah blah blah\n" * 10, "repeat": 20_000}
    trail, server, _ = play({"last": "undeclared", "answer": GOOD}, flood, rounds=1)
    assert "2 * n" in (trail.candidate.code or "")
    assert len(trail.rounds[0].response.text) > 4_000_000
    assert len(server.log.requests[1].body) < 100_000


TOO_LONG = {"status": 400, "code": "context_length_exceeded", "answer": "maximum context length"}
WRONG_KEY = {"status": 401, "answer": "wrong key"}


@pytest.mark.parametrize(
    ("answered", "rule", "error"),
    [(0, WRONG_KEY, "wrong key"), (1, WRONG_KEY, "wrong key"), (0, TOO_LONG, "doesn't fit")],
)
def test_a_model_error_is_an_error_not_an_answer(play, answered, rule, error):
    trail, _, _ = play(*[{"answer": BROKEN, "times": 1}] * answered, rule, rounds=1)
    assert error in trail.error
    assert len(trail.rounds) == answered


def test_a_repair_prompt_that_does_not_fit_leaves_the_best_draft(play):
    trail, _, _ = play(TOO_LONG | {"last": "undeclared"}, {"answer": BROKEN}, rounds=2)
    assert (trail.error, trail.ended) == ("", "window")
    assert "2 * m" in (trail.candidate.code or "")
    assert "no longer fits the model's window" in trail.candidate.how


def test_a_helper_that_the_context_shows_is_not_kept(play):
    context = Context((Snippet("dbl", "a.c", None, "static int dbl(int a) { return 2 * a; }", "oracle"),), 9, 99, ())
    answer = "```c\nstatic int dbl(int a) { return 2 * a; }\nint twice(int n) { return dbl(n); }\n```"
    trail, _, _ = play({"answer": answer}, context=context)
    assert trail.candidate.code == "int twice(int n) { return dbl(n); }"


@pytest.mark.parametrize("error", [InfraError("gone"), CeilingReached("spent")])
def test_what_is_not_the_models_doing_passes_through(play, error):
    class Failing:
        def check(self, code):
            raise error

    with pytest.raises(type(error)):
        play({"answer": GOOD}, rounds=1, compiler=Failing())


def test_samples_differ_in_seed_and_number(play):
    """`play` asks for sample 2 with seed 5."""
    seen = []

    class Model:
        def complete(self, request):
            seen.append((request.seed, request.sample))
            raise CeilingReached("enough")

    with pytest.raises(CeilingReached):
        play(model=Model())
    assert seen == [(7, 2)]


def context(*titles):
    return Context(tuple(Snippet(t, "a.c", None, f"int {t};", "test") for t in titles), 0, 0, ())


def answer(text, code, error=""):
    response = ModelResponse(text, "", "stop", 10, 5, 0.5, "", 1.0)
    candidate = Candidate(code)
    rounds = () if error else (Round(response, candidate, None),)
    return Trajectory((Message("user", text),), rounds, candidate, Usage(1, 10, 5, 0.5, 1.0), error)


def test_each_draft_leads_to_the_next_context_and_all_are_kept():
    asked: list[Context] = []

    def ask(shown):
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


def test_a_draft_without_a_function_is_looked_up_as_text():
    seen: list[str] = []

    def following(wrote):
        seen.append(wrote)
        return context("b")

    improve_context_by_drafts(context("a"), following, 1, lambda shown: answer("call dictAdd", None))
    assert seen == ["call dictAdd"]


def test_nothing_new_ends_the_rounds():
    drafted = improve_context_by_drafts(context("a"), lambda wrote: context("a"), 5, lambda shown: answer("t", "c"))
    assert len(drafted.drafts) == 1
    assert drafted.context == context("a")


def test_a_draft_that_fails_ends_in_its_error():
    answers = [answer("t", "c"), answer("", None, "the provider is gone")]
    drafted = improve_context_by_drafts(context("a"), lambda wrote: context("b"), 3, lambda shown: answers.pop(0))
    trajectory = trajectory_of_failed_draft(drafted)
    assert trajectory.error == "the provider is gone"
    assert trajectory.candidate.code is None
    assert (len(trajectory.drafts), trajectory.usage.calls) == (2, 2)
