"""Small whole inputs of our own, one or more for each reader; `find_real_samples` adds those of runs and caches."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "inventory" / "tasks"
YABLOCO = ROOT / "executor" / "data" / "yabloco"
# So many files of one kind are taken from a folder, the smallest first.
_MOST_FILES = 12
_LARGEST = 512 * 1024

ANSWER = b"""Here it is.

```c
/* adds */
int my_add(int a, const char *b)
{
    return a + (b[0] == '"' ? helper(a, "x\\n") : 0);
}
```

It calls `helper`.
"""
CALLS = b"""<think>first look</think>
<tool_call>{"name": "read_symbol", "arguments": {"name": "my_add", "path": "src/a.c"}}</tool_call>
<tool_call>
[{"function": {"name": "search", "arguments": "{\\"query\\": \\"adds\\", \\"by\\": \\"words\\"}"}}]
</tool_call>
```json
{"name": "submit", "arguments": {}}
```
"""
ARGUMENTS = b'{"name": "my_add", "path": "src/a.c", "page": 2, "code": "int f(void) { return 1; }", "query": "x"}'
BODY = json.dumps(
    {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{
            "index": 0, "finish_reason": "tool_calls",
            "message": {"role": "assistant", "content": "Done.", "reasoning_content": "Hm.", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"query": "x"}'}}]},
        }],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
).encode()  # fmt: skip
STORED = json.dumps(
    {
        "text": "x", "reasoning": "", "finish_reason": "stop", "prompt_tokens": 1, "completion_tokens": 1, "cost": 0.1,
        "raw": "{}", "seconds": 0.5, "cached": False, "tokens_estimated": False, "kept": "",
        "calls": [{"id": "a", "name": "b", "arguments": "{}", "kept": ""}],
    }
).encode()  # fmt: skip
PREDICTIONS = (
    b'{"task_id": "money-print", "completion": "```c\\nint f(void) { return 1; }\\n```", "sample": 0}\n'
    b'{"doc": {"meta": {"id": 7, "original_id": "date-read"}}, "resps": [["a", "b"]], "filtered_resps": ["a"]}\n'
)
BATCH = (
    b'{"custom_id": "a/none/0", "response": {"status_code": 200, "body": ' + BODY + b"}}\n"
    b'{"custom_id": "b/none/0", "result": {"type": "errored", "error": {"error": {"message": "no"}}}}\n'
    b'{"key": "c/none/0", "response": {"candidates": [{"content": {"parts": [{"text": "x"}]}}]}}\n'
    b'{"custom_id": "d/none/0", "text": "int f(void);"}\n'
)
MERA = json.dumps(
    {
        "instruction": "Write {signature}\n{docstring}\n{context}",
        "inputs": {"language": "C", "signature": "int f(void)", "docstring": "Returns one.",
                   "context": "// File name: r/a.h\n// Comment: \nint g(void);\n"},
        "outputs": "int f(void)\n{\n    return 1;\n}",
        "meta": {"id": 1, "original_id": "ab1", "repository": "redis", "file": "redis/src/a.c", "fname": "f", "pos": 3,
                 "code_length": 3, "project": 0, "same_package": 0, "same_file": 1, "stdlib": 0, "calls_num": 1},
    }
).encode()  # fmt: skip
CONFIG = b"""dataset: example
repos: [example]
model: openai/scripted
arms: [none, oracle+compile]
model_args: {top_p: 0.9, stop: [a, b]}
sandbox: process
samples: 2
temperature: 0.5
out: runs/x
"""
SCRIPT = b"""default: {answer: scripted}
rules:
  - match: 'int my_add\\('
    turn: 1
    calls: [{name: search, arguments: {query: add}}, {name: x, arguments: '{', id: c7}]
  - {last: 'error:', answer: x, repeat: 3, headers: {Retry-After: '1'}}
"""
COMPILER = b"""src/a.c: In function 'my_add':
src/a.c:4:12: error: unknown type name \xe2\x80\x98foo_t\xe2\x80\x99; did you mean 'bar_t'?
src/a.c:4:12: note: declared here
src/b.h:1:1: warning: implicit declaration of function 'helper' [-Wimplicit-function-declaration]
src/a.c:9:1: error: expected declaration or statement at end of input
"""
TAP = b"""1..3
    # Subtest: inner
    1..2
    ok 1 - a
    not ok 2 - b # TODO later
ok 1 - inner
ok 2 # skip no network
not ok 3 - c
"""
GTEST = b"""[==========] Running 2 tests
[ RUN      ] A.b
[       OK ] A.b (0 ms)
[ RUN      ] A.c
[  FAILED  ] A.c (1 ms)
[==========] 2 tests ran.
"""
LINES = b"""\x1b[32mPASS a_b\x1b[0m
FAIL c_d: line 3
[ok]: a thing (3 ms)
[err]: b in tests/x.tcl
used: 33
2 tests, 1 failed
"""
STATUS = b'{ "child-pid": 123, "cgroup-namespace": 40 }\n{ "exit-code": 0 }\n'
RECORD = (
    b"graft1\0/usr/bin/gcc\0/r/src\0003\0-c\0a.c\0@args\0-O2 '-DX=a b'\0graft1\0/usr/bin/ar\0/r\0002\0rcs\0liba.a\0"
)
MAKE_RULE = b"a.o: src/a.c \\\n  include/a\\ b.h /usr/include/stdio.h \\\n c:d.h\n"
SOURCE = b"""#include "a.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
namespace n { template <class T> struct S { T v; int get() const { return v; } }; }
static const char *text(int k) { return k ? R"(raw)" : "a\\"b"; }
int my_add(int a, int b)
{
#if X
    return a + b;
#else
    return MAX(a, b) + n::S<int>{3}.get();
#endif
}
"""
TEMPLATES = b'["Write {signature}", "{context}\\n{docstring}"]'
CALL_LISTS = (
    b'{"a": {"calls": [{"path": "redis/src/a.c", "name": "f", "start": {"line": 3}, "end": {"line": 9}},'
    b' {"path": "", "name": "strlen"}], "code": "int f;"}}'
)
LEARNT = (
    b'{"c": {"policy": {"write": ["a"], "made": [], "symlinks": false, "bind": [], "connect": [], "calls": [],'
    b' "free": ["fork"]}, "given": []}}'
)
TASK = "array-reserve"
TREE = b'{"root": "/somewhere/tree"}'


def read_task_files() -> list[bytes]:
    """Task files, each as that of the task TASK."""
    files = _read_files(sorted(EXAMPLE.glob("*/task.yaml"))[:4])
    return [re.sub(rb"^id: .*$", b"id: " + TASK.encode(), data, flags=re.MULTILINE) for data in files]


def make_yabloco_oracle() -> bytes:
    """An oracle file for `read_yabloco_rows`."""
    ids = [row["id"] for row in csv.DictReader(read_yabloco_rows().decode().splitlines())]
    entry = {"context": ["int f(void);"], "signature": "int g(void)"}
    return json.dumps([{"id": name, **entry} for name in ids]).encode()


def read_recipe_files(name: str) -> list[bytes]:
    """Each repository's file of this name."""
    return _read_files(sorted((ROOT / "recipes").glob(f"*/{name}")))


def read_yabloco_rows() -> bytes:
    """The head of the data set's table and its first rows."""
    return b"\n".join((YABLOCO / "bench-v0.8.csv").read_bytes().split(b"\n")[:60])


def find_real_samples(folders: Iterable[Path]) -> dict[str, list[bytes]]:
    """Reader -> inputs that it reads in these folders: runs, and the images' folders of a cache."""
    found: dict[str, list[bytes]] = {}
    for folder in folders:
        for pattern, readers in _KINDS.items():
            files = [path for path in folder.glob(pattern) if path.is_file() and path.stat().st_size < _LARGEST]
            some = sorted(files, key=lambda path: (path.stat().st_size, str(path)))
            step = max(1, len(some) // _MOST_FILES)
            for reader in readers:
                found.setdefault(reader, []).extend(_read_files(some[::step][:_MOST_FILES]))
    return found


_KINDS: dict[str, Sequence[str]] = {
    "manifest.json": ("run manifest",),
    "journal.jsonl": ("journal",),
    "reviews.jsonl": ("reviews",),
    "executions/*/*/execution.json": ("execution",),
    "executions/*/*/candidate.txt": ("answer", "official answer", "definition"),
    "executions/*/*/check.log": ("diagnostics",),
    "executions/*/*/suite-*.log": ("suite log", "tap log"),
    "samples/*/*/*.json": ("story",),
    "expected/*.json": ("expected tests",),
    "responses.sqlite": ("response store file",),
    "**/baseline-1-*.log": ("suite log", "tap log"),
    "**/expected-*.json": ("baseline",),
    "**/graph.json": ("build graph",),
    "forged.json": ("forgeries' record",),
    "**/confinement-*.json": ("confinement's record",),
    "**/image.json": ("image record",),
}


def _read_files(paths: Iterable[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]
