# ruff: noqa: E501 - a table of texts
"""Prevents: one answer of 5 MB, or one made to be slow to read, that stalls a whole run."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.answer.extraction import extract_function
from index.values import Span, Target

TARGET = Target("r", "a.c", Span(1, 2), "f", "static int f(int a)", "", "c")
METHOD = Target("r", "a.h", Span(1, 2), "X::f", "int f(int a) const", "", "cpp")
GOOD = "```c\nstatic int f(int a)\n{\n    return a;\n}\n```\n"
SIZE = 5_000_000
SHAPES = {
    "prose": "It's lorem ipsum dolor. ",
    "one letter": "x",
    "open braces": "{",
    "unfinished functions": "f(int a){",
    "unfinished calls": "f(",
    "unclosed fenced functions": "```c\nint f(int a){\n```\n",
    "fenced functions": "```c\nint f(int a){return 1;}\n```\n",
    "fences alone": "~~~\n",
    "backticks": "`",
    "comments": "/* f(",
    "open strings": 'f("',
    "open raw strings": 'f(R"(',
    "apostrophes": "f('",
    "templates": "a<",
    "scopes": "a::",
    "template words": "template <",
    "lines that could be a header": "word word\n",
    "attributes": 'FOO("x")\n',
    "directives": "#if f(\n",
    "spaces": " ",
    "thoughts": "<think>\n",
    "ends of thoughts": "</think>\n",
    "channels": "<|channel|>analysis<|message|>",
    "JSON": '{"a": "\n{"b": 1}\n',
    "lists": "[\n",
    "replacements": "<<<<<<< S\n=======\n",
    "differences": "--- a\n+++ b\n@@ \n",
    "new lines": "+\n",
    "quotations": "> \n",
    "disabled functions": "#if 0\nint f(int a) {\n return a; }\n",
    "classes": "class A {\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_five_megabytes_of_anything(shape):
    text = SHAPES[shape] * (SIZE // len(SHAPES[shape]))
    # CPU time, with room for a busy machine: alone it is a tenth of this.
    start = time.process_time()
    extract_function(text + "f(int a) {", TARGET)
    assert time.process_time() - start < 10.0


@pytest.mark.parametrize("nested", ["(", "{", "[", "a<", "if (a) ", "[](){", "#if 1\n", "1e", "x = {", "f(x, "])
def test_a_body_nested_too_deeply_for_the_parser(nested):
    for text in ("```c\n{" + nested * 12_000 + "}\n```", "```c\nint f(int a) {" + nested * 12_000 + "}\n```"):
        start = time.process_time()
        extract_function(text, METHOD)
        assert time.process_time() - start < 10.0


def test_an_answer_before_or_after_five_megabytes_is_found():
    junk = "blah `` ` f x(\n" * (SIZE // 15)
    assert extract_function(GOOD + junk, TARGET).code == "static int f(int a)\n{\n    return a;\n}"
    assert extract_function(junk + GOOD, TARGET).code == "static int f(int a)\n{\n    return a;\n}"


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["```", "```c\n", "~~~", "\n", " ", "f", "f(", "int a", ")", "{", "}", ";", "'", '"', "/*", "*/", "//",
             "#if", "#else", "#endif", "\\", "::", "<", ">", "operator", "template", "class X", "return a;", "\ud800", "é", "\r"]
        ),
        max_size=60,
    )
)  # fmt: skip
def test_no_text_raises(pieces):
    text = "".join(pieces)
    for target in (TARGET, METHOD):
        found = extract_function(text, target)
        assert (found.code is None) == bool(found.reason)
