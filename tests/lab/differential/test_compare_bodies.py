"""graft audit differential. Prevents: bodies compared under another's name, work that is done again, and answers that
are passed over since the task's gold, or other answers to it, were compared before."""

from __future__ import annotations

import json

import pytest

from lab.differential.compare_bodies import RECORD, read_compared_bodies

# Slow: each answer is compiled beside the gold.
pytestmark = pytest.mark.slow


def test_the_command_compares_an_answer_and_continues(graft, used_cache, example_tasks, tmp_path):
    gold = example_tasks["money-quotient"].gold
    header = gold[: gold.index("{")]
    texts = [gold.replace("return ", "return  "), header + "{\n    return 0;\n}"]
    # These can't stand beside the others, who are compared nonetheless. The last would run in the program itself.
    texts += [header + "{\n    static int n;\n    return n;\n}", header + "{\n    return unknown_;\n}"]
    listed = '__asm__(".section .init_array,\\"aw\\"; .quad 0; .previous");'
    texts += [header + "{\n    " + listed + "\n    return 0;\n}"]
    # Each of two has a helper of this name, which comes along from a fenced block.
    helper = "static long graft_own(void)\n{{\n    return {};\n}}\n\n"
    texts += [f"```c\n{helper.format(n)}{header}{{\n    return graft_own();\n}}\n```" for n in (70, 80)]
    answers = tmp_path / "answers.jsonl"
    lines = [{"task_id": "money-quotient", "completion": text, "sample": n} for n, text in enumerate(texts)]
    answers.write_text("\n".join(map(json.dumps, lines)))
    words = ("audit", "differential", "--dataset", "example", "--repos", "example", "--tasks", "money-quotient")
    options = ("--answers", answers, "--out", tmp_path / "out", "--sandbox", "process")
    code, out, _ = graft(*words, *options)
    shown = out.splitlines()
    assert (code, len(shown)) == (0, 8)
    assert shown[0].startswith("example money_quotient gold: same on ")
    assert shown[1].startswith("example money_quotient sample 0: same on ")
    assert shown[2].startswith("example money_quotient sample 1: differs on call 1 (test_c): the returned value was ")
    assert shown[3].endswith("not applicable: it keeps a static variable of its own")
    assert all("not applicable: it doesn't compile beside the gold" in line for line in shown[4:6])
    assert all(": differs on call " in line for line in shown[6:])
    assert ("is 70" in shown[6], "is 80" in shown[7]) == (True, True)
    assert [found.origin for found in read_compared_bodies(tmp_path / "out" / RECORD)] == ["gold", *["answer"] * 7]
    assert graft(*words, *options)[:2] == (0, "")
    # Another answer to the task is another body.
    answers.write_text(json.dumps({**lines[0], "completion": gold.replace("return ", "return   ")}))
    code, out, _ = graft(*words, *options)
    assert (code, len(out.splitlines())) == (0, 1)
    assert out.startswith("example money_quotient sample 0: same on ")


def test_a_method_is_compared_on_its_object(graft, used_cache, tmp_path):
    words = ("audit", "differential", "--dataset", "example", "--repos", "example", "--tasks", "check-digit")
    _, out, _ = graft(*words, "--out", tmp_path / "out", "--sandbox", "process")
    assert "gold: same on " in out
