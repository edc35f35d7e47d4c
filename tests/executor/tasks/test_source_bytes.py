"""Prevents: a byte outside the function's lines that a step changes, or a file that can't be read for its encoding.

Steps: index, hide, bind, splice, probe, plus (a differential test's unit), variant, make, export.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.answer.extraction import extract_function
from executor.function.splice import Edit, apply_edits, make_edits, splice_function
from executor.manifest.variant.renamed_files import rewrite_file_text
from executor.manifest.variant.renamed_text import rename_source
from executor.tasks.datasets import make_task_from_row
from executor.tasks.made_datasets import digest_lines
from executor.tasks.task_folders import read_task_folders, write_task_folder
from executor.tasks.task_row import read_file_lines
from executor.values import Task
from experiments.report.story.story_parts import _diff_gold_with_answer_lines
from index.build import build_index
from index.errors import TaskError
from index.repo_index import RepoIndex
from index.source_text import BOM
from index.values import Span, Target
from lab.differential.noted_calls import declare_callee_probes
from lab.doctor.function_watch import WATCH_DECLARATIONS
from retrieval.ranker.training_groups import make_target
from tests.fixtures.rows import make_row
from tests.support.foreign import list_cases
from tests.support.indexes import index_files
from tests.support.targets import find_target

# What stands in comments and strings, byte for byte.
WORDS = {
    "UTF-8": "café – Zähler".encode(),
    "Latin-1": "café".encode("latin-1"),
    "Shift-JIS": "表示".encode("shift-jis"),  # the second byte of one is a backslash
    "form feed": b"a\x0cb",
    "NUL": b"a\x00b",
    "U+2028": "a\u2028b\u2029c\x85d".encode(),
    "lone CR": b"a\rb",
    "vertical tab": b"a\x0bb",
    "BOM inside": b"a" + BOM,
    "file separator": b"a\x1cb\x1d",
    "all signs": bytes(byte for byte in range(1, 256) if byte not in b'\n\r"\\*/' and not chr(byte).isalnum()),
    "lone surrogate": b"\xed\xa0\x80",
}
FILES = st.fixed_dictionaries(
    {
        "word": st.sampled_from(sorted(WORDS))
        | st.binary(max_size=6).map(lambda data: data.translate(None, b'\n\r"\\*/?')),
        "start": st.sampled_from([b"", BOM]),
        "above": st.booleans(),
        "below": st.booleans(),
        "ending": st.sampled_from([b"\n", b"\r\n"]),
        "ends": st.booleans(),
    }
)


def make_file(
    word: str | bytes, start: bytes, above: bool, below: bool, ending: bytes, ends: bool
) -> tuple[bytes, Task]:
    """A file with the function `two`, whose comment and string hold the word, as do the lines around it."""
    text = WORDS[word] if isinstance(word, str) else word
    head = [b"/* one " + text + b" */", b"int one(int n) { return n; }"] if above else []
    gold = [
        b"const char *two(int n)",
        b"{",
        b"    /* two() " + text + b". */",
        b'    return one(n) ? "' + text + b'." : 0;',
        b"}",
    ]
    tail = [b"int three(void) { return 3; } // " + text + b"."] if below else []
    data = start + ending.join([*head, *gold, *tail]) + (ending if ends else b"")
    first = len(head) + 1
    row = make_row(
        path="a.c", span=Span(first, first + 4), name="two", signature="const char *two(int n)", dataset_gold=None
    )
    own = ending.join(gold).decode("utf-8", "surrogateescape")
    return data, Task("t", row.target, own, own, (), row.level, "mine", "1")


@given(FILES)
@example({"word": "Latin-1", "start": BOM, "above": False, "below": False, "ending": b"\r\n", "ends": False})
def test_bytes_outside_the_span_stay(drawn):
    data, task = make_file(**drawn)
    span, target = task.target.span, task.target
    assert apply_edits(data, make_edits(target, task.gold)) == data
    # The gold as an answer, in a fence.
    found = extract_function(f"```c\n{task.gold}\n```\n", target)
    assert found.code is not None
    assert splice_function(data, span, found.code) == data
    # Another body.
    mark = b"//mark"
    other = splice_function(data, span, mark.decode())
    before, _, after = other.partition(mark)
    assert data.startswith(before) and data.endswith(after) and len(before) + len(after) < len(data)
    # The doctor's probe, and what a differential test asks.
    probed = apply_edits(data, [Edit("a.c", span, task.gold, WATCH_DECLARATIONS)])
    assert probed == drawn["start"] + WATCH_DECLARATIONS.encode() + data.removeprefix(drawn["start"])
    asked = declare_callee_probes(data, span, ["one"])
    assert asked.startswith(drawn["start"])
    at = asked.index(b"#ifndef one")
    assert asked[:at] + asked[asked.index(b"\n", asked.index(b"#line")) + 1 :] == data


@given(FILES)
def test_a_files_bytes_through_data_sets_and_variants(tmp_path_factory, drawn):
    data, task = make_file(**drawn)
    root = tmp_path_factory.mktemp("tree")
    (root / "a.c").write_bytes(data)
    bound = make_task_from_row(make_row(target=task.target), root)
    assert bound.gold == task.gold
    assert digest_lines(root, "a.c", task.target.span.first, task.target.span.last)
    # Export: a folder of tasks, written and read again.
    text = (WORDS[drawn["word"]] if isinstance(drawn["word"], str) else drawn["word"]).decode(
        "utf-8", "surrogateescape"
    )
    task = replace(
        bound, target=replace(bound.target, docstring=text.strip()), dataset_gold=f"{bound.gold}\n// {text}"
    )
    write_task_folder(task, root / "out")
    (again,) = read_task_folders(root / "out")
    assert (again.target, again.dataset_gold) == (task.target, task.dataset_gold)
    # A variant that renames nothing, and one that renames a name.
    assert not rewrite_file_text(root / "a.c", lambda text: rename_source("a.c", text, {}))
    rewrite_file_text(root / "a.c", lambda text: rename_source("a.c", text, {"two": "owt"}))
    assert (root / "a.c").read_bytes() == data.replace(b"two(", b"owt(")


# Of all signs the run around the function would be a copy of what is hidden in it.
@pytest.mark.parametrize("word", [word for word in WORDS if word != "all signs"])
@pytest.mark.parametrize("start", [b"", BOM], ids=["", "BOM"])
def test_the_index_and_what_is_hidden(tmp_path, word, start):
    data, task = make_file(word, start, above=True, below=True, ending=b"\r\n", ends=False)
    with closing(index_files(tmp_path, {"a.c": data})) as index:
        symbols = {entry.symbol.name: entry.symbol for entry in index.functions}
        assert set(symbols) == {"one", "two", "three"}
        two = symbols["two"]
        assert (two.span, data[two.start_byte : two.end_byte].decode("utf-8", "surrogateescape")) == (
            task.target.span,
            task.gold,
        )
        shown = index.hide(make_target(two), "strict").file_text("a.c")
        place = data.decode("utf-8", "replace").index("{", data.decode("utf-8", "replace").index("two("))
        assert shown.startswith(data.decode("utf-8", "replace")[:place])
        assert shown.endswith(data[two.end_byte :].decode("utf-8", "replace"))
        assert index.read_file("a.c") == data


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_refused_with_a_clear_line(tmp_path, encoding, caplog):
    data = "/* one */\nint one(int n)\n{\n    return n;\n}\n".encode(encoding)
    index_files(tmp_path, {"a.c": data}).close()
    report = build_index(tmp_path / "tree", tmp_path / "index", workers=1)
    assert report.skipped == (("a.c", "its text is UTF-16 or UTF-32; convert it to UTF-8"),)
    with pytest.raises(TaskError, match=r"a\.c can't be read: its text is UTF-16"):
        read_file_lines(make_row(path="a.c"), tmp_path / "tree")
    with pytest.raises(TaskError, match="can't be changed: its text is UTF-16"):
        splice_function(data, Span(2, 5), "int one(int n) { return n; }")
    assert not rewrite_file_text(tmp_path / "tree" / "a.c", lambda text: text.replace("n", "m"))
    assert caplog.messages == ["a.c keeps its names: its text is UTF-16 or UTF-32; convert it to UTF-8"]


FILE_CASES = list_cases("file")


@pytest.mark.parametrize(("folder", "case"), FILE_CASES, ids=[case["id"] for _, case in FILE_CASES])
def test_a_foreign_file(folder, case, tmp_path):
    data = (folder / case["file"]).read_bytes()
    with closing(index_files(tmp_path, {case["file"]: data})) as index:
        check_foreign_file(case, data, index, find_target(index, case["target"]))


def check_foreign_file(case: dict, data: bytes, index: RepoIndex, target: Target) -> None:
    expect = case["expect"]
    lines = read_file_lines(make_row(path=target.path), index.root)
    gold = "".join(lines[target.span.first - 1 : target.span.last])
    probed = apply_edits(data, [Edit(target.path, target.span, gold, WATCH_DECLARATIONS)])
    for key in ("probed_boms_behind_the_start", "boms_behind_the_start_with_text_above"):
        assert probed[1:].count(BOM) == expect.get(key, probed[1:].count(BOM))
    if "gold_comes_back" in expect:
        found = extract_function(f"```{target.language}\n{gold}```\n", target)
        assert (splice_function(data, target.span, found.code or "") == data) is expect["gold_comes_back"]
    if "difference_contains" in expect:
        assert expect["difference_contains"] in [
            mark + line for mark, line in _diff_gold_with_answer_lines(gold, gold.replace(*case["change"]))
        ]
    if "answer_contains" in expect:
        from agent.tools.name_table import NameTable
        from agent.tools.scope import Scope
        from agent.tools.toolbox import Toolbox

        box = Toolbox(Scope(index.hide(target, "strict"), NameTable(index).build_names_and_call_graph()), {})
        tool, name = case["asked"].split()
        assert expect["answer_contains"] in box.answer_call(tool, f'{{"name": "{name}"}}').text
