"""All that a model can get of a tree while a target is hidden: files, symbols, tool answers, prompts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from agent.prompts.prompt_set import load_prompts
from agent.tools.name_table import NameTable
from agent.tools.scope import Scope
from agent.tools.toolbox import MEANING, WORDS, Toolbox
from executor.values import Level, Task
from experiments.arms.arm import Arm, parse_arm
from experiments.arms.context import ContextSettings, make_arm_context
from experiments.arms.context import Reading as ArmReading
from experiments.arms.retrievers import make_retriever
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Span, SymbolKind, Target
from retrieval.context.assembly import Packing
from retrieval.protocol import FindNames, Retriever, RetrieverSettings
from retrieval.ranker.name_chances import make_name_finder

ARMS = ("none", "file", "lexical", "structural", "hybrid", "learned")
_MOST_PAGES = 50
_LINES_PER_CALL = 200


@dataclass(frozen=True)
class Reading:
    """An index with all that reads it for these `targets`; each part is made when it is first asked for. Without
    `trained` nothing is trained: no arm `learned`, no search by meaning, no names that a body likely needs."""

    index: RepoIndex
    targets: tuple[Target, ...]
    trained: bool = True

    @property
    def arms(self) -> tuple[str, ...]:
        return ARMS if self.trained else ARMS[:-1]

    @cached_property
    def _settings(self) -> RetrieverSettings:
        return RetrieverSettings(self.targets)

    @cached_property
    def retrievers(self) -> Mapping[str, Retriever]:
        names = [*(["meaning"] if self.trained else []), *(parse_arm(name).source for name in self.arms[2:])]
        return {name: make_retriever(name, self.index, self._settings) for name in dict.fromkeys(names)}

    @cached_property
    def find_names(self) -> FindNames:
        return make_name_finder(self.index, self._settings).find_names if self.trained else lambda *asked: ()

    @cached_property
    def names(self) -> NameTable:
        return NameTable(self.index).build_names_and_call_graph()


def list_shown_texts(
    reading: Reading, target: Target, paths: Collection[str], words: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """(where, text) of all that is shown of the files `paths`, the target's own file, and every prompt. The tools are
    also asked for `words`."""
    view = reading.index.hide(target, "strict")
    yield f"file {target.path}", view.file_text(target.path)
    yield from _list_texts_of_files(view, paths)
    yield from _list_tool_answers(reading, view, paths, words)
    task = Task("task", target, "", "", (), Level.NONE, "made", "1")
    for name in reading.arms:
        yield f"prompt of {name}", render_prompt(reading, parse_arm(name), task)


def _list_texts_of_files(view: HiddenView, paths: Collection[str]) -> Iterator[tuple[str, str]]:
    for path in paths:
        text = view.file_text(path)
        yield f"file {path}", text
        yield f"lines of {path}", view.lines(path, Span(1, text.count("\n") + 1))
        for symbol in view.symbols_in_file(path):
            yield f"{symbol.kind} {symbol.name}", f"{symbol.docstring}\n{symbol.signature}\n{view.text(symbol)}"


def _list_tool_answers(
    reading: Reading, view: HiddenView, paths: Collection[str], words: Collection[str]
) -> Iterator[tuple[str, str]]:
    """What the tools answer, which are the tools of `graft index mcp` too."""
    ways = {WORDS: reading.retrievers["lexical"]}
    if reading.trained:
        ways[MEANING] = reading.retrievers["meaning"]
    box = Toolbox(Scope(view, reading.names), ways)
    for path in paths:
        yield from _ask_for_pages(box, "outline", path=path)
        last = view.file_text(path).count("\n") + 1
        for first in range(1, last + 1, _LINES_PER_CALL):
            yield from _ask(box, "read_lines", path=path, first=first, last=first + _LINES_PER_CALL)
        for symbol in view.symbols_in_file(path):
            yield from _ask_for_pages(box, "read_symbol", name=symbol.name, path=path)
            yield from _ask_for_pages(box, "definition", name=symbol.name, path=path)
            if symbol.kind is SymbolKind.FUNCTION:
                yield from _ask_for_pages(box, "callers", name=symbol.name)
                yield from _ask_for_pages(box, "callees", name=symbol.name)
            if symbol.kind is SymbolKind.TYPE:
                yield from _ask_for_pages(box, "functions_with_type", type=symbol.name)
    for word in (*words, view.target.name):
        yield from _ask_for_pages(box, "search", query=word)
        for way in ways:
            yield from _ask_for_pages(box, "search", query=word, by=way)


def _ask_for_pages(box: Toolbox, tool: str, **arguments: str) -> Iterator[tuple[str, str]]:
    for page in range(1, _MOST_PAGES):
        (answer,) = _ask(box, tool, **arguments, page=page)
        yield answer
        if f"page={page + 1}" not in answer[1]:
            return


def _ask(box: Toolbox, tool: str, **arguments: str | int) -> Iterator[tuple[str, str]]:
    written = json.dumps(arguments)
    yield f"{tool} {written}", box.answer_call(tool, written).text


def render_prompt(reading: Reading, arm: Arm, task: Task) -> str:
    """The first prompt of an arm, with room for much."""
    settings = ContextSettings(Packing(budget=30_000, hits=50), "strict", "lexical")
    own = ArmReading(reading.index, reading.retrievers, find_names=reading.find_names)
    made = make_arm_context(arm, task, own, settings)
    messages = load_prompts("graft").render_opening(task.target, made.context, task_id=task.id)
    return "\n".join(message.content for message in messages)
