"""Prevents: an answer of several functions in which one is taken for another, lost, or spliced in twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.answer.multi_function import extract_functions, list_missing_functions, prepend_used_helpers
from index.function_texts import join_present_functions_under_heads, split_functions
from index.values import Span, Target, join_targets

PUSH = Target("r", "stack.c", Span(20, 25), "push", "int push(struct stack *s, int v)", "", "c")
POP = Target("r", "stack.c", Span(30, 35), "pop", "int pop(struct stack *s)", "", "c")
BOTH = join_targets([PUSH, POP])
A = "int push(struct stack *s, int v)\n{\n    s->at[s->used++] = v;\n    return 1;\n}"
B = "int pop(struct stack *s)\n{\n    return s->at[--s->used];\n}"
HELPER = "static int room(struct stack *s)\n{\n    return s->size - s->used;\n}"
A_USING, B_USING = A.replace("s->at", "if (room(s)) s->at"), B.replace("return", "room(s); return")
CASES = {
    "labelled": f"```c\n// function 1: push\n{A}\n```\ntext\n```c\n// function 2: pop\n{B}\n```\n",
    "in the other order": f"```c\n// function 2: pop\n{B}\n```\n```c\n// function 1: push\n{A}\n```\n",
    "in one block": f"```c\n// function 1: push\n{A}\n\n// function 2: pop\n{B}\n```\n",
    "without labels": f"First:\n```c\n{A}\n```\nSecond:\n```c\n{B}\n```\n",
    "in one block without labels": f"```c\n{A}\n\n{B}\n```\n",
    "labels mixed up": f"```c\n// function 2: pop\n{A}\n```\n```c\n// function 1: push\n{B}\n```\n",
    "without fences": f"{A}\n\n{B}\n",
    "as it was stored": f"```c\n{join_present_functions_under_heads([A, B])}\n```\n",
}


@pytest.mark.parametrize("name", CASES)
def test_each_function_is_found(name):
    candidate = extract_functions(CASES[name], BOTH)
    assert [piece and piece.strip() for piece in split_functions(candidate.code, 2)] == [A, B]
    assert candidate.reason == ""


def test_what_is_missing_is_named_and_what_was_handed_in_stays():
    first = extract_functions(f"```c\n// function 1: push\n{A}\n```", BOTH)
    assert first.reason == "no definition of pop"
    assert list_missing_functions(first.code, BOTH) == ("pop",)
    second = extract_functions(f"```c\n// function 2: pop\n{B}\n```", BOTH, earlier_code=first.code)
    assert split_functions(second.code, 2) == (A, B)
    changed = A.replace("return 1", "return 2")
    third = extract_functions(f"```c\n{changed}\n```", BOTH, earlier_code=second.code)
    assert split_functions(third.code or "", 2) == (changed, B)
    assert extract_functions("I can't.", BOTH).code is None


def test_a_bare_body_needs_its_label():
    body = "{\n    return s->at[--s->used];\n}"
    assert extract_functions(f"```c\n{body}\n```", BOTH).code is None
    labelled = extract_functions(f"```c\n// function 2: pop\n{body}\n```", BOTH)
    assert split_functions(labelled.code or "", 2) == (None, f"{POP.signature}\n{body}")


def test_a_comment_on_another_function_is_no_label():
    b = B.replace("    return", "    // function 1 has pushed it\n    return")
    candidate = extract_functions(f"```c\n// function 1: push\n{A}\n```\n```c\n// function 2: pop\n{b}\n```\n", BOTH)
    assert split_functions(candidate.code or "", 2) == (A, b)


def test_a_helper_stands_once_and_above_its_first_user():
    """Both functions use it. Twice in one file it wouldn't compile, and below its first use neither."""
    text = f"```c\n{HELPER}\n{B_USING}\n{A_USING}\n```"
    candidate = extract_functions(text, BOTH)
    assert split_functions(candidate.code or "", 2) == (f"{HELPER}\n\n{A_USING}", B_USING)
    # The task lists them the other way round; what counts is where they stand in the file.
    turned = extract_functions(text, join_targets([POP, PUSH]))
    assert split_functions(turned.code or "", 2) == (B_USING, f"{HELPER}\n\n{A_USING}")


def test_methods_of_one_name_are_told_apart_by_their_class():
    get = [
        Target("r", "a.cpp", Span(n, n + 2), f"{c}::get", f"int {c}::get() const", "", "cpp")
        for n, c in ((1, "A"), (9, "B"))
    ]
    text = "```cpp\nint A::get() const { return a; }\n\nint B::get() const { return b; }\n```"
    assert split_functions(extract_functions(text, join_targets(get)).code or "", 2) == (
        "int A::get() const { return a; }",
        "int B::get() const { return b; }",
    )


def test_a_helper_of_functions_that_come_one_by_one_stands_once():
    """Whichever came first, whichever brings it again, and also where its own function comes again without it."""
    later, a, b = HELPER.replace("s->size", "2 * s->size"), A_USING, B_USING

    def hand_in(*drafts):
        code = None
        for draft in drafts:
            code = extract_functions(f"```c\n{draft}\n```", BOTH, earlier_code=code).code
        return split_functions(code or "", 2)

    assert hand_in(f"{HELPER}\n{b}", f"{later}\n{a}") == (f"{later}\n\n{a}", b)
    assert hand_in(f"{HELPER}\n{b}", a) == (f"{HELPER}\n\n{a}", b)
    assert hand_in(f"{HELPER}\n{a}", b, A) == (A, f"{HELPER}\n\n{b}")
    assert hand_in(f"{HELPER}\n{a}", B) == (f"{HELPER}\n\n{a}", B)


def test_a_function_alone_brings_the_helpers_that_stand_with_another():
    """Beside the other's gold it would call what isn't there, and fail though it is right."""
    inner = "static int used(struct stack *s)\n{\n    return s->used;\n}"
    room = "static int room(struct stack *s)\n{\n    return s->size - used(s);\n}"
    code = extract_functions(f"```c\n{inner}\n{room}\n{A_USING}\n{B_USING}\n```", BOTH).code or ""
    texts = split_functions(code, 2)
    assert prepend_used_helpers(texts, 0, BOTH.holes) == texts[0]
    assert prepend_used_helpers(texts, 1, BOTH.holes) == f"{inner}\n\n{room}\n\n{B_USING}"


@pytest.mark.parametrize(
    "text",
    [
        "```c\n{helper}\n\n// function 1: push\n{a}\n\n// function 2: pop\n{b}\n```",
        "```c\n{helper}\n```\n```c\n// function 1: push\n{a}\n```\n```c\n// function 2: pop\n{b}\n```",
        "```c\n// function 2: pop\n{helper}\n{b}\n```\n```c\n// function 1: push\n{a}\n```",
        "```c\n{helper}\n```\n```c\n{a}\n```\n```c\n{b}\n```",
    ],
    ids=["above the first label", "in a block of its own", "with the one below", "without labels"],
)
def test_a_helper_comes_from_whichever_block(text):
    """It was looked for in a function's own block alone."""
    a, b = A_USING, B_USING
    text = text.format(helper=HELPER, a=a, b=b)
    assert split_functions(extract_functions(text, BOTH).code or "", 2) == (f"{HELPER}\n\n{a}", b)
    # In two files each has its own, which the linker doesn't see.
    apart = join_targets([PUSH, replace(POP, path="other.c")])
    own = (f"{HELPER}\n\n{a}", f"{HELPER}\n\n{b}")
    assert split_functions(extract_functions(text, apart).code or "", 2) == own
    shared = extract_functions(f"```c\n{HELPER.removeprefix('static ')}\n```\n{text.replace(HELPER, '')}", apart)
    assert split_functions(shared.code or "", 2) == own


def test_what_is_declared_ahead_of_helpers_stays_where_functions_come_one_by_one():
    even = "static int even(int v)\n{\n    return v ? odd(v - 1) : 1;\n}"
    odd = "static int odd(int v)\n{\n    return v ? even(v - 1) : 0;\n}"
    b = B.replace("return", "even(1); return")
    first = extract_functions(f"```c\nstatic int odd(int v);\n{even}\n{odd}\n{b}\n```", BOTH)
    whole = f"static int even(int v);\n\n{odd}\n\n{even}\n\n{b}"
    assert split_functions(first.code or "", 2) == (None, whole)
    both = extract_functions(f"```c\n{A}\n```", BOTH, earlier_code=first.code)
    assert split_functions(both.code or "", 2) == (A, whole)
    texts = (A.replace("s->at", "if (even(v)) s->at"), whole)
    assert prepend_used_helpers(texts, 0, BOTH.holes) == whole.replace(b, texts[0])


def test_a_helper_of_a_namespace_stays_in_it_where_functions_come_one_by_one():
    one, two = (Target("r", "a.cpp", Span(n, n + 2), f"f{n}", f"int f{n}()", "", "cpp") for n in (1, 9))
    both = join_targets([one, two])
    block = "namespace {\nnamespace detail {\nint g() { return 1; }\n}\n}"
    a, b = (f"int f{n}() {{ return detail::g(); }}" for n in (1, 9))
    first = extract_functions(f"```cpp\n{block}\n{b}\n```", both)
    assert split_functions(first.code or "", 2) == (None, f"{block}\n\n{b}")
    then = extract_functions(f"```cpp\n{a}\n```", both, earlier_code=first.code)
    assert split_functions(then.code or "", 2) == (f"{block}\n\n{a}", b)
