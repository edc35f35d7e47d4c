"""Prevents: a look-up that denies a function because its body is hidden, answers with another program's symbol of the
same name, stops without a word, or buries the answer under what nobody asked for.

Each was reported by a model that used the tools on a real task.
"""

from __future__ import annotations

import json
import re

import pytest

from agent.tools.name_table import NameTable
from agent.tools.scope import Scope
from agent.tools.toolbox import Toolbox
from index.cpp.tokens import tokenize
from index.values import Span, Target
from retrieval.text.lexical import LexicalRetriever
from tests.agent.conftest import list_all_calls
from tests.fixtures.shape import alike
from tests.support.indexes import index_files

BODY = """
{
    long total = 0;
    for (int i = 0; i < q->length; i++) {
        if (q->items[i].weight > limit)
            continue;
        total += q->items[i].weight * q->items[i].factor;
        q->items[i].seen = 1;
    }
    return total > q->most ? q->most : total;
}
"""
QUEUE = (
    """#include "queue.h"

static long
queue_limit(const struct queue *q,
            long wanted)
{
    return wanted < q->most ? wanted : q->most;
}

long queue_weigh(struct queue *q, long limit)"""
    + BODY
    + """
long queue_total(struct queue *q)
{
    long total = queue_limit(q, 1);
    total += queue_limit(q, 2);
    total += queue_limit(q, 3);
    total += queue_limit(q, 4);
    total += queue_limit(q, 5);
    return total + queue_weigh(q, 9);
}
"""
)
TREE = {
    "src/queue.h": """struct item { long weight, factor; int seen; };
struct queue { int length; long most; struct item items[9]; };
long queue_weigh(struct queue *q, long limit);
""",
    "src/queue.c": QUEUE,
    # The same body in other names: it tells the answer as well.
    "src/twin.c": '#include "queue.h"\nlong twin_weigh(struct queue *q, long limit)' + BODY.replace("total", "sum"),
    "src/uses_twin.c": '#include "queue.h"\nlong twin_weigh(struct queue *q, long limit);\n'
    "long twice(struct queue *q)\n{\n    return 2 * twin_weigh(q, 1);\n}\n",
    "src/table.c": '#include "queue.h"\n/* queue_weigh, in a comment */\n'
    'struct entry { const char *name; long (*weigh)(struct queue *, long); } table[] = {{"weigh", queue_weigh}};\n'
    "void install(struct entry *e)\n{\n    e->weigh = queue_weigh;\n}\n",
    "src/a_tool.c": "struct queue { char *command; };\nint main(void) { return 0; }\n",
    "deps/lib/queue_limits.c": "int queue_depth(void) { return 1; }\nint pair_sum(int a) { return a; }\n",
    "src/pairs.c": "int pair_sum(int a, int b) { return a + b; }\nint queue_depth(int a) { return a; }\n",
    "src/shape.hpp": """class Shape {
public:
    int area() const
    {
        int inner_detail = 4;
        return inner_detail * side;
    }
    int side;
};
""",
    "src/long.c": "".join(f"int number_{n}; /* {'x' * 60} */\n" for n in range(600)),
}


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """The tools over the tree above: queue_weigh is to be written, its twin is hidden too."""
    index = index_files(tmp_path_factory.mktemp("queues"), TREE)
    signature = "long queue_weigh(struct queue *q, long limit)"
    first = QUEUE.split("\n").index(signature) + 1
    span = Span(first, first + BODY.strip().count("\n") + 1)
    view = index.hide(Target("queues", "src/queue.c", span, "queue_weigh", signature, "", "c"), "strict")
    assert [clone.name for clone in view.clones] == ["twin_weigh"]
    yield Toolbox(Scope(view, NameTable(index)), {"words": LexicalRetriever(index)})
    index.close()


@pytest.fixture
def use(box):
    def call(tool, **arguments):
        return box.answer_call(tool, json.dumps(arguments))

    return call


@pytest.mark.parametrize(("name", "place"), [("queue_weigh", "src/queue.c:10"), ("twin_weigh", "src/twin.c:2")])
@pytest.mark.parametrize(
    ("tool", "key"),
    [("read_symbol", "name"), ("definition", "name"), ("callers", "name"), ("callees", "name"), ("search", "query")],
)
def test_a_hidden_function_is_said_to_exist(use, tool, key, name, place):
    text = use(tool, **{key: name}).text
    assert "[body hidden" in text
    assert name in text
    if tool != "definition":
        assert place in text
    assert ("the function to write" in text) == (name == "queue_weigh")


@pytest.mark.parametrize("name", ["queue_weigh", "twin_weigh"])
def test_a_hidden_function_stands_in_lists(use, name):
    path = "src/queue.c" if name == "queue_weigh" else "src/twin.c"
    marked = [line for line in use("outline", path=path).text.splitlines() if "[body hidden" in line]
    assert [name in line for line in marked] == [True]
    assert use("search", query=name, by="words").text.splitlines()[0].startswith(f"{path}:")
    takes = use("functions_with_type", type="struct queue", role="takes").text
    assert f"{name}(struct queue *q, long limit)  [body hidden" in takes
    assert "[body hidden" in use("search", query="weigh").text


def test_no_tool_shows_a_run_of_the_hidden_bodies(box):
    gold = tokenize(BODY)
    runs = {tuple(gold[at : at + 8]) for at in range(len(gold) - 7)}
    names = ["queue_weigh", "twin_weigh", "queue_total", "queue", "item", "total", "weight", "install", "table"]
    asked = 0
    for tool, arguments in list_all_calls(box, names):
        answer = box.answer_call(tool, json.dumps(arguments))
        asked += not answer.mistake
        shown = tokenize(answer.text)
        assert runs.isdisjoint(tuple(shown[at : at + 8]) for at in range(len(shown) - 7)), arguments
        assert not alike(BODY, "\n".join(re.sub(r"^ *\d+ ", "", line) for line in answer.text.split("\n")))
    assert asked > 60


def test_lines_keep_to_the_range_and_name_the_next(use):
    lines = use("read_lines", path="src/long.c", first=11, last=130).text.splitlines()
    assert [int(line.split()[0]) for line in lines[1:-1]] == list(range(11, 131))
    assert lines[-1] == "[the next line is 131; the file has 601]"
    cut = use("read_lines", path="src/long.c", first=1, last=600).text.splitlines()
    after = int(cut[-2].split()[0]) + 1
    assert cut[-1] == (f"[too long for one answer: lines {after} to 600 are missing; go on with first={after}]")
    assert "page" not in cut[-1]
    assert use("read_lines", path="src/long.c", first=601).text.splitlines()[-1].split() == ["601"]


def test_callers_list_references_that_are_no_calls(use):
    text = use("callers", name="queue_weigh").text
    calls, _, references = text.partition("queue_weigh is also named without a call:")
    assert "return total + queue_weigh(q, 9);" in calls
    assert [line.split(":")[0] for line in references.split("\n")[1:]] == ["src/table.c", "src/table.c"]
    assert "e->weigh = queue_weigh;" in references
    assert "comment" not in references


def test_a_name_that_does_not_exist_is_said_first(use):
    text = use("search", query="queue_totalling", by="words").text
    first, second, *found = text.splitlines()
    assert first.startswith("no symbol is called 'queue_totalling'; nearest names: queue_total")
    assert second == "functions that hold words of it:"
    assert any("queue_total" in line for line in found)
    assert "no symbol" not in use("search", query="queue_total", by="words").text
    assert "no symbol" not in use("search", query="weigh the queue", by="words").text


LAID_OUT = "static long\nqueue_limit(const struct queue *q,\n            long wanted)"


@pytest.mark.parametrize(
    ("tool", "asked", "shown", "absent"),
    [
        # callers say how many calls they leave out
        ("callers", "queue_limit", ["[2 more lines with calls]"], []),
        # signatures keep their line breaks
        ("search", "queue_limit", [LAID_OUT], []),
        ("outline", "src/queue.c", [LAID_OUT], []),
        ("callees", "queue_total", [LAID_OUT], []),
        # a class is defined without the bodies of its functions
        ("definition", "Shape", ["int area() const;", "int side;", "read_symbol shows them"], ["inner_detail"]),
        ("read_symbol", "Shape", ["inner_detail"], []),
        # no prototype is listed below its definition
        ("read_symbol", "queue_weigh", [], ["prototype"]),
        ("read_symbol", "queue_total", [], ["Other definitions"]),
        # a definition is the one that the target includes
        ("definition", "queue", ["src/queue.h:2 type queue", "read one):\nsrc/a_tool.c:1"], []),
        # vendored code comes after the repository's own
        ("read_symbol", "pair_sum", ["src/pairs.c:1 "], []),
        ("search", "queue_depth", ["src/pairs.c:2 function: int queue_depth(int a)\ndeps/lib/queue_limits.c"], []),
    ],
)
def test_what_an_answer_shows(use, tool, asked, shown, absent):
    key = {"search": "query", "outline": "path"}.get(tool, "name")
    text = use(tool, **{key: asked}).text
    assert [part for part in shown if part not in text] == []
    assert [part for part in absent if part in text] == []


def test_what_was_read_is_recorded(use):
    assert use("read_symbol", name="queue_total").bodies == ("queue_total (src/queue.c)",)
    assert use("read_symbol", name="queue_weigh").bodies == ()
    lines = use("read_lines", path="src/queue.c", first=11, last=14)
    assert lines.bodies == ("queue_total (src/queue.c)",), "counted as the view counts its lines"
    assert use("search", query="queue_total").bodies == ()
