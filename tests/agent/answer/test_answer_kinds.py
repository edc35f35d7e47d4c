# ruff: noqa: E501 - a table of texts reads better with a case per line
"""Prevents: a draft, a stub, an example or a wrapped copy taken for the answer in a spelling that no earlier case had."""

from __future__ import annotations

import json

import pytest

from agent.answer.extraction import extract_function

HEADER = "int sum(const int *of, int count)"
BODY = "{\n    int all = 0;\n    for (int i = 0; i < count; i++)\n        all += trim(of[i]);\n    return all;\n}"
GOOD = f"{HEADER}\n{BODY}"
BAD = f"{HEADER}\n{{\n    int all = 1;\n    while (count-- > 0)\n        all *= drop(of[count]);\n    return all;\n}}"


def fence(code, tag="c"):
    return f"```{tag}\n{code}\n```\n"


def quote(text, mark="> "):
    return "".join(f"{mark}{line}\n" for line in text.split("\n"))


def add(text):
    return "".join(f"+{line}\n" for line in text.split("\n"))


THOUGHTS = {
    "two blocks": f"<think>\n{fence(BAD)}</think>\n<think>{BAD}</think>\n{GOOD}",
    "thinking": f"<thinking>\n{fence(BAD)}\n</thinking>\n{GOOD}",
    "reasoning": f"<reasoning>{fence(BAD)}</reasoning>\nSo:\n{GOOD}",
    "scratchpad": f"<scratchpad>\n{BAD}\n</scratchpad>\n{GOOD}",
    "MiniMax": f"<mm:think>{fence(BAD)}</mm:think>{fence(GOOD)}",
    "Gemma": f"<|channel>thought\n{fence(BAD)}No.<channel|>{fence(GOOD)}",
    "Gemma, opened by the template": f"{fence(BAD)}No.<channel|>{fence(GOOD)}",
    "Mistral": f"[THINK]maybe\n{fence(BAD)}[/THINK]{GOOD}",
    "Kimi": f"◁think▷{fence(BAD)}◁/think▷\n{GOOD}",
    "Seed": f"<seed:think>\n{fence(BAD)}</seed:think>\n{GOOD}",
    "channels": f"<|channel|>analysis<|message|>Try\n{fence(BAD)}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}",
    "two lone ends": f"{fence(BAD)}</think>\n{fence(BAD)}</think>\n{GOOD}",
    "a lone end on the line of the answer": f"{fence(BAD)}No.</think>{GOOD}",
    "after a greeting": f"Let me see.\n<think>\n{fence(BAD)}</think>\n{GOOD}",
    "an end on the line of the answer": f"<think>\n{fence(BAD)}No.</think>{GOOD}",
    "the draft below an open fence": f"<think>\n```c\n{BAD}\n</think>\n{fence(GOOD)}",
}
NO_ANSWERS = {
    "#if 0 above": fence(f"#if 0\n{BAD}\n#endif\n{GOOD}"),
    "the else of #if 1": fence(f"#if 1\n{GOOD}\n#else\n{BAD}\n#endif"),
    "#if 0, #else": fence(f"#if 0\n{BAD}\n#else\n{GOOD}\n#endif\n#if 0\n{BAD}\n#endif"),
    "nested in #if 0": fence(f"{GOOD}\n#if 0\n#ifdef X\n{BAD}\n#endif\n#endif"),
    "#if (0) with a comment": fence(f"{GOOD}\n#if (0) /* never */\n{BAD}\n#endif"),
    "the original": f"{fence(GOOD)}The original was:\n{fence(BAD)}",
    "before": f"{fence(GOOD)}Before:\n\n{fence(BAD)}",
    "a comment says old": fence(f"{GOOD}\n\n/* old version */\n{BAD}"),
    "wrong": f"{fence(GOOD)}This would be wrong:\n{fence(BAD)}",
    "empty body": f"{fence(GOOD)}Fits into\n{fence(HEADER + ' {}')}",
    "return 0": f"{fence(GOOD)}To build the rest:\n{fence(HEADER + ' { return 0; }')}",
    "three dots": f"{fence(GOOD)}Put it so:\n{fence(HEADER + '{ ... }')}",
    "dots in a comment": fence(f"{GOOD}\n{HEADER}\n{{\n    // ...\n}}"),
    "same as before": f"{fence(GOOD)}And\n{fence(HEADER + '{ /* same as before */ return 1; }')}",
    "the rest is unchanged": f"{fence(GOOD)}With a log:\n{fence(HEADER + '{ log(count); /* the rest is unchanged */ }')}",
    "your code here": f"{fence(HEADER + '{ /* your code here */ }')}becomes\n{GOOD}",
    "TODO": f"{GOOD}\nTemplate:\n{fence(HEADER + '{ /* TODO */ return -1; }')}",
    "a mock for a test": f"{fence(GOOD)}A mock to test the caller:\n{fence(HEADER + '{ return count ? 7 : 8; }')}",
}
CORRECTIONS = {
    "fixed": f"{fence(BAD)}Fixed version of the previous one:\n{fence(GOOD)}",
    "corrected": f"First try:\n{fence(BAD)}Corrected:\n{fence(GOOD)}",
    "instead of the old": f"{fence(BAD)}Instead of the old one use this:\n{fence(GOOD)}",
    "without a word": f"{fence(BAD)}{fence(GOOD)}",
    "with main": f"{fence(BAD)}Complete:\n{fence(GOOD + chr(10) + 'int main(void) { return 0; }')}",
}
WRAPPED = {
    "quoted without a space": quote(fence(GOOD), ">").replace("\n>    ", "\n>     "),
    "quoted twice": quote(fence(GOOD), "> > "),
    "quoted and indented": quote(fence(GOOD), "  > "),
    "quoted without a fence": quote(GOOD),
    "quoted with tildes": quote(f"~~~c\n{GOOD}\n~~~"),
    "quoted below prose": f"You asked:\n\n{quote(fence(GOOD))}\nThat's it.",
    "a second quotation": f"{quote('Write sum.')}\n{quote(fence(GOOD))}",
    "a quotation left open": quote(f"```c\n{GOOD}"),
    "a quoted blank line": quote(fence(GOOD)).replace("> \n", ">\n"),
    "only the fence quoted": f"> ```c\n{GOOD}\n> ```\n",
    "code": json.dumps({"code": GOOD}),
    "indented JSON": json.dumps({"explanation": "a", "function": GOOD}, indent=2),
    "JSON in a bare fence": fence(json.dumps({"code": GOOD}), ""),
    "JSON below prose": f"Here:\n{json.dumps({'answer': GOOD})}\nDone.",
    "a list": json.dumps([{"file": "a.c", "content": GOOD}]),
    "lines": json.dumps({"code": GOOD.split("\n")}),
    "twice encoded": json.dumps({"name": "submit", "arguments": json.dumps({"code": GOOD})}),
    "a JSON text": json.dumps(GOOD),
    "a fence in JSON": json.dumps({"answer": f"So:\n{fence(GOOD)}"}),
    "tool_call tags": f"<tool_call>{json.dumps({'name': 'submit', 'arguments': {'code': GOOD}})}</tool_call>",
    "bare line ends": '{"code": "' + GOOD + '"}',
    "an edit": json.dumps({"old_str": BAD, "new_str": GOOD}),
    "a draft beside it": json.dumps({"code": GOOD, "draft": BAD}),
    "JSON lines": f"{json.dumps({'thought': BAD})}\n{json.dumps({'code': GOOD})}",
    "a diff tagged c": fence(f"@@ -1 +1 @@\n{add(GOOD)}"),
    "a diff without a head": fence(f" #include <a.h>\n{add(GOOD)}", "diff"),
    "an unfenced diff": f"--- a/x.c\n+++ b/x.c\n@@ -3,2 +3,9 @@\n-{HEADER}\n-{{ return 0; }}\n{add(GOOD)}",
    "git's": fence(f"diff --git a/x.c b/x.c\nindex 12ab..34cd 100644\n--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n{add(GOOD)}", "patch"),
    "a patch tool's": f"*** Begin Patch\n*** Update File: x.c\n@@\n-{HEADER} {{}}\n{add(GOOD)}*** End Patch\n",
    "all lines are new": fence(add(GOOD)),
    "two hunks": fence(f"@@ -1 +1 @@\n+#define A 1\n@@ -9 +9 @@\n{add(GOOD)}", "diff"),
    "no line end at the end": fence(f"@@ -1 +1 @@\n-{HEADER} {{}}\n{add(GOOD)}\\ No newline at end of file", "diff"),
    "context without spaces": fence(f"@@ -1,2 +1,2 @@\n{HEADER}\n{{\n-    return 0;\n" + add(BODY[2:]).rstrip("\n"), "diff"),
    "search and replace": f"x.c\n<<<<<<< SEARCH\n{HEADER}\n{{\n    return 0;\n}}\n=======\n{GOOD}\n>>>>>>> REPLACE\n",
    "fenced search and replace": fence(f"<<<<<<< SEARCH\n{BAD}\n=======\n{GOOD}\n>>>>>>> REPLACE"),
    "long marks": fence(f"<<<<<<<<< HEAD\n{BAD}\n=========\n{GOOD}\n>>>>>>>>> mine"),
    "replace tags": f"<search>\n{BAD}\n</search>\n<replace>\n{GOOD}\n</replace>",
    "a string tool's tags": f"<old_str>\n{BAD}\n</old_str>\n<new_str>\n{GOOD}\n</new_str>",
    "a BOM": f"\ufeff{GOOD}",
    "a BOM in a fence": fence(f"\ufeff{GOOD}"),
    "CRLF": fence(GOOD).replace("\n", "\r\n"),
    "CRLF and thoughts": f"<think>\n{BAD}\n</think>\n{GOOD}".replace("\n", "\r\n"),
    "a whole file": fence(f"#include <a.h>\nstatic int trim(int n) {{ return n & 7; }}\n\n/* Sum. */\n{GOOD}\n\nint use(void) {{ return sum(0, 0); }}"),
    "answer tags": f"<answer>\n{GOOD}\n</answer>",
    "code tags": f"<code>{GOOD}</code>",
}  # fmt: skip


@pytest.mark.parametrize("text", [*THOUGHTS.values(), *NO_ANSWERS.values(), *CORRECTIONS.values()],
                         ids=[*THOUGHTS, *NO_ANSWERS, *CORRECTIONS])  # fmt: skip
def test_the_final_word_is_taken(make_target, text):
    found = extract_function(text, make_target("sum", HEADER))
    assert found.code == GOOD, found


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED)
def test_what_wraps_the_code_comes_off(make_target, text):
    found = extract_function(text, make_target("sum", HEADER), existing={"trim", "use"})
    assert found.code == GOOD, found


def test_the_record_says_which_was_taken_and_which_were_left(make_target):
    text = f"{fence(BAD)}{fence(GOOD)}\n{fence(HEADER + '{}')}#if 0:\n{fence('#if 0' + chr(10) + BAD + chr(10) + '#endif')}"
    found = extract_function(text, make_target("sum", HEADER))
    assert found.choice == "definition 2 of 4 taken; left: 1 (an earlier draft), 3 (a stub), 4 (disabled by #if)"
    assert extract_function(GOOD, make_target("sum", HEADER)).choice == ""


@pytest.mark.parametrize("named", ['[{"pattern": "^[a-z]{3}$"}]', "+++ b/x.c\n@@ -1 +1 @@\n-a;\n+b;"])
def test_json_or_a_difference_in_a_string_of_the_function_is_no_wrapping(make_target, named):
    code = f'const char *f(int a)\n{{\n    return R"(\n{named}\n)";\n}}'
    assert extract_function(fence(code, "cpp"), make_target("f", "const char *f(int a)", "cpp")).code == code


@pytest.mark.parametrize("thoughts", ["", "<think>\nhm\n</think>\n", "It ends at `</think>`, hm.\n</think>\n"])
@pytest.mark.parametrize("named", [r'puts("\n</think>\n\n");', r'puts("\"</think>");', "/* up to `</think>` */"])
def test_code_that_names_the_tags_of_thoughts_is_no_thought(make_target, thoughts, named):
    code = f"{HEADER}\n{{\n    {named}\n    return count;\n}}"
    text = f"{thoughts}{fence(code)}All before the `[/THINK]` goes.\n"
    assert extract_function(text, make_target("sum", HEADER)).code == code


def test_thoughts_alone_are_no_answer(make_target):
    found = extract_function(f"<think>\n{fence(GOOD)}", make_target("sum", HEADER))
    assert (found.code, found.reason) == (None, "the answer holds thoughts alone")


@pytest.mark.parametrize(
    ("header", "answer"),
    [
        ("int (sum)(const int *of, int count)", "int (sum)(const int *of, int count)"),
        (HEADER, "int (sum) (const int *of, int count)"),
        (HEADER, "int( sum )(const int *of, int count)"),
        (HEADER, "static int\n(sum)(const int *of, int count)"),
        (HEADER, "extern int (sum)\n(const int *of, int count)"),
        (HEADER, "int (sum)(const int* of, int count)"),
        (HEADER, "int (sum)(of, count)\n    const int *of;\n    int count;\n"),
        (HEADER, "FOO_API int (sum)(const int *of, int count)"),
        ("int *(sum)(const int *of, int count)", "int *(sum)(const int *of, int count)"),
        ("int *sum(const int *of, int count)", "int *(sum)(const int *of, int count)"),
        (HEADER, "inline int (sum)(const int *of, int count)"),
    ],
)  # fmt: skip
def test_names_in_parentheses(make_target, header, answer):
    found = extract_function(fence(f"{answer}\n{BODY}"), make_target("sum", header))
    assert found.code is not None and "".join(found.code.split()) == "".join(f"{header}{BODY}".split())


@pytest.mark.parametrize(
    ("name", "signature", "right", "wrong"),
    [
        ("f", "int f(long a)", "int f(long a) { return one(a); }", "int f(int a) { return two(a); }"),
        ("f", "int f(const std::string &a)", "int f(const string& a) { return one(a); }", "int f(const char *a) { return two(a); }"),
        ("f", "int f(char const *a)", "int f(const char *p) { return one(p); }", "int f(char *a) { return two(a); }"),
        ("f", "int f(int a, int b)", "int f(int a, int b) { return one(b); }", "int f(int a) { return two(a); }\nint f() { return two(); }"),
        ("X::f", "int X::f() const", "int X::f() const { return one(); }", "int X::f() { return two(); }"),
        ("X::f", "int X::f()", "int X::f() { return one(); }", "int X::f() const { return two(); }"),
        ("f", "void f(std::vector<int> a)", "void f(std::vector<int> b) { one(b); }", "void f(std::vector<long> b) { two(b); }"),
        ("f", "int f(int a, long b)", "int f(int a, long b) { return one(a); }", "int f(long a, int b) { return two(a); }"),
        ("A::f", "int f(int a)", "class A { int f(int a) { return one(a); } };", "class B { int f(int a) { return two(a); } };"),
        ("A::f", "int A::f(int a)", "int A::f(int a) { return one(a); }", "int B::f(int a) { return two(a); }"),
        ("f", "int f(T &&a)", "int f(T &&a) { return one(a); }", "int f(const T &a) { return two(a); }"),
        ("f", "int f(struct s *a)", "int f(s *a) { return one(a); }", "int f(t *a) { return two(a); }"),
        ("V::operator[]", "T &operator[](int i)", "T &operator[](int i) { return one(i); }", "const T &operator[](int i) const { return two(i); }"),
    ],
)  # fmt: skip
def test_overloads(make_target, name, signature, right, wrong):
    for both in (f"{right}\n{wrong}", f"{wrong}\n{right}"):
        found = extract_function(fence(both, "cpp"), make_target(name, signature, "cpp"))
        assert found.code is not None and "one(" in found.code and "two(" not in found.code, found


CPP_HELPERS = [
    "constexpr int kept = 3;", "inline constexpr int kept{4};", "enum class kept { a, b };", "thread_local int kept;",
    "static constexpr char kept[] = \"a\";", "const std::string kept{\"a\"};",
]  # fmt: skip


@pytest.mark.parametrize(
    "helper",
    [
        "static int kept;", "static int *kept;", "static int kept[4];", "static int other, kept;", "static struct s kept;",
        "static int (*kept)(int);", "const int kept = 3;", "static const char *const kept[] = {\"a\"};", "const double kept = 1.5;",
        "enum { other, kept };", "enum kept { other };", "typedef enum { other, kept } mood;", "typedef enum { other } kept;",
        "static _Thread_local int kept;", "static int kept = 1, other = 2;", "static int kept(int a)\n{\n    return a;\n}",
        *CPP_HELPERS,
    ],
)  # fmt: skip
def test_helpers(make_target, helper):
    language = "cpp" if helper in CPP_HELPERS else "c"
    code = "int f(int a)\n{\n    return a + use(kept);\n}"
    target, before = make_target("f", "int f(int a)", language), "int use(int);\nstatic int kept_too(int);\n"
    assert extract_function(fence(f"{before}{helper}\n\n{code}", language), target).code == f"{helper}\n\n{code}"
    assert extract_function(fence(f"{helper}\n\n{code}", language), target, existing={"kept"}).code == code


@pytest.mark.parametrize("mark", ["///", "//", " *"])
def test_a_fence_in_a_comment_ends_no_block(make_target, mark):
    helper, code = "static int twice(int a) { return 2 * a; }", "int f(int a) { return twice(a); }"
    example = "\n".join(f"{mark} {line}".rstrip() for line in ("Doubles:", "```", "f(2);", "```"))
    comment = f"/*\n{example}\n */" if mark == " *" else example
    found = extract_function(fence(f"{helper}\n\n{comment}\n{code}"), make_target("f", "int f(int a)"))
    assert found.code == f"{helper}\n\n{code}"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("f", "static int f P_((int n))\n{ return n; }"),
        ("f_", "void F77(f)(int *n)\n{ *n = 1; }"),
        ("lib_f", "int EXPORT(f)(void)\n{ return 1; }"),
        ("f", "static LOG_FMT(1, 2) void f(const char *text, ...)\n{ use(text); }"),
        ("f", "ALIGN(16) static int f(int n) { return n; }"),
        ("f", "int f(int n) __attribute__((noinline, section(\".x\")))\n{ return n; }"),
        ("f", "int f(n)\n    int n; /* how many */\n{ return n; }"),
        ("f", "int f(int n)\n<%\n    int a<:2:> = <% 1, 2 %>;\n    return a<:n:>;\n%>"),
        ("f", "int f(int n)\n??<\n    return n ??! 1;\n??>"),
        ("long_f", "int long_\\\nf(int n) { return n; }"),
        ("f", "int f(int n)\n{\n#ifdef A\n    if (n) {\n#endif\n#ifndef A\n    if (!n) {\n#endif\n        n++;\n    }\n    return n;\n}"),
        ("f", "int f(int n)\n{\n#if !defined(A)\n    if (n) {\n#endif\n#if defined(A)\n    if (!n) {\n#endif\n        n++;\n    }\n    return n;\n}"),
    ],
)  # fmt: skip
def test_golds_that_a_parser_stumbles_over(make_target, name, code):
    brace = min(place for place in (code.find("{"), code.find("<%"), code.find("??<")) if place >= 0)
    signature = " ".join(code[:brace].replace("/* how many */", "").split())
    for text in (fence(code), f"<think>no</think>\n{code}\n", json.dumps({"code": code})):
        assert extract_function(text, make_target(name, signature)).code == code
