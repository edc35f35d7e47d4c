"""What Graft itself costs beside the model: per step of a conversation with tools, and per task.

    .venv/bin/python -m benchmarks.agent.overhead TREE --index FOLDER              # 30 functions of TREE, all tools
    .venv/bin/python -m benchmarks.agent.overhead TREE --index FOLDER --http       # over HTTP, beside bare litellm

A model that costs nothing plays eleven turns on each of some functions of TREE, drawn at random: ten look-ups with
names of the tree itself, then a submission. Answers go through the response store, and each step is written to disk
as in a run; the function's body, its edges and its clones are hidden. Figures are CPU-ms (user + system) of this
process; nothing is compiled. `step`: everything from an answer of the model to the next request. `task`: what
happens once, before the first request (hiding, the first prompt) and after the last answer (its parsing). With
--http the model is the scripted server on loopback, asked through litellm; the control is bare litellm calls; the
server's time is in both. Exit status 1 when a median is above the goals (50 ms a step, 300 ms a task).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from agent.loop import run_agent
from agent.model.limits import Limits
from agent.model.responses import stored
from agent.prompts import load_prompts
from agent.request import AgentRequest, AgentSettings
from agent.tools.names import NameTable
from agent.tools.scope import Scope
from agent.tools.toolbox import MEANING, WORDS, Toolbox
from agent.values import Model, ModelRequest, ModelResponse, ToolCall, Trajectory
from experiments.arms.retrievers import make_retriever
from experiments.consoles import say
from experiments.files import write_atomically
from experiments.run.records import Story, dumps
from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Entry, SymbolKind, Target
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.text.lexical import LexicalRetriever
from retrieval.values import Context

GOAL_STEP_MS, GOAL_TASK_MS = 50.0, 300.0
EMPTY = Context((), 0, 0, ())


@dataclass(slots=True)
class Clock:
    """CPU-ms outside of the model's calls: `before` the first, between two (`steps`), and `after` the last."""

    at: float = 0.0
    steps: list[float] = field(default_factory=list)
    last: float = 0.0

    def start(self) -> None:
        self.at = time.process_time()

    def lap(self) -> float:
        return 1000 * (time.process_time() - self.at)


@dataclass(slots=True)
class Played:
    """Plays `calls`, a turn each, and then a submission. `clock` runs while it isn't asked."""

    calls: list[ToolCall]
    clock: Clock
    inner: Model | None = None
    turn: int = 0

    def complete(self, request: ModelRequest) -> ModelResponse:
        self.clock.steps.append(self.clock.lap())
        self.turn += 1
        if self.inner is not None:
            response = self.inner.complete(request)
        else:
            call = self.calls[min(self.turn, len(self.calls)) - 1]
            raw = json.dumps({"choices": [{"message": {"tool_calls": [call.arguments]}}]})
            response = ModelResponse("", "", "tool_calls", 100, 10, 0.0, raw, 0.0, calls=(call,))
        self.clock.start()
        return response


def main() -> int:
    options = _options()
    report = build_index(options.tree, options.index)
    index = open_index(options.index, options.tree)
    chosen = list(_functions(index, options.targets, options.seed))
    held_out = RetrieverSettings(tuple(_target(entry) for entry in chosen))
    began = time.process_time()
    table = NameTable(index).prepare()
    searchers = {WORDS: LexicalRetriever(index), MEANING: make_retriever("meaning", index, held_out)}
    opened = 1000 * (time.process_time() - began)
    say(f"{options.tree}: {report.functions} functions in {report.files} files; opened in {opened:.0f} CPU-ms")
    steps: list[float] = []
    tasks: list[float] = []
    by_tool: dict[str, list[float]] = {}
    bare: list[float] = []
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, entry in enumerate(chosen):
            calls = _calls(entry, index)
            clock = Clock()
            with ExitStack() as stack:
                inner, base = _served(stack, calls) if options.http else (None, None)
                trail = _run(entry, index, table, searchers, calls, clock, Path(folder) / str(number), inner, base)
                if options.http and inner is not None and number % 3 == 0:
                    bare += _bare(trail, base)
            ends[trail.ended] += 1
            tasks.append(clock.steps[0] + clock.last)
            steps += clock.steps[1:]
            for call, cost in zip(calls, clock.steps[1:], strict=False):
                way = json.loads(call.arguments).get("by")
                by_tool.setdefault(f"{call.name} by {way}" if way else call.name, []).append(cost)
    for name, costs in by_tool.items():
        say(f"  {name:20} {_figures(costs)}")
    say(f"ends: {dict(ends)}")
    say(f"step  {_figures(steps)}")
    say(f"task  {_figures(tasks)}")
    if bare:
        say(f"a bare litellm call, server's time included  {_figures(bare)}")
    return int(statistics.median(steps) > GOAL_STEP_MS or statistics.median(tasks) > GOAL_TASK_MS)


def _run(
    entry: Entry,
    index: RepoIndex,
    table: NameTable,
    searchers: Mapping[str, Retriever],
    calls: list[ToolCall],
    clock: Clock,
    folder: Path,
    inner: Model | None,
    base: str | None,
) -> Trajectory:
    folder.mkdir()
    played = Played(calls, clock, inner)
    clock.start()
    target = _target(entry)
    toolbox = Toolbox(Scope(index.hide(target, "strict"), table), searchers)

    def keep(trail: Trajectory) -> None:
        write_atomically(folder / "0.json", dumps(Story(EMPTY, (), trail), indent=1))

    request = AgentRequest(
        target=target,
        context=EMPTY,
        model=stored(played, folder / "responses.sqlite"),
        prompts=load_prompts("graft"),
        settings=AgentSettings("openai/played", api_base=base, limits=Limits(steps=len(calls) + 2)),
        task_id="t",
        toolbox=toolbox,
        on_step=keep,
    )
    trail = run_agent(request)
    clock.last = clock.lap()
    return trail


def _functions(index: RepoIndex, count: int, seed: int) -> Iterator[Entry]:
    """Functions of ten lines and more, drawn by chance."""
    ids = [number for number, _ in index.signatures([SymbolKind.FUNCTION])]
    random.Random(seed).shuffle(ids)
    found = 0
    for start in range(0, len(ids), 50):
        for entry in index.entries_by_id(ids[start : start + 50]):
            span = entry.symbol.span
            if span.last - span.first >= 10 and entry.symbol.name and found < count:
                found += 1
                yield entry
        if found >= count:
            return


def _target(entry: Entry) -> Target:
    symbol = entry.symbol
    return Target(
        "tree", symbol.path, symbol.span, symbol.qualified_name, symbol.signature, symbol.docstring, symbol.language
    )


def _calls(entry: Entry, index: RepoIndex) -> list[ToolCall]:
    """Each tool once, with what an engineer would ask at this function; then the submission."""
    symbol = entry.symbol
    others = [other.symbol for other in index.entries_of(symbol.path) if other.symbol.name != symbol.name]
    functions = [other for other in others if other.kind is SymbolKind.FUNCTION] or [symbol]
    types = [other for other in others if other.kind is SymbolKind.TYPE and other.name] or [symbol]
    # Its own text, so that the submission is found whatever its signature looks like.
    own = index.read(symbol.path)[symbol.start_byte : symbol.end_byte].decode("utf-8", "replace")
    asked: list[tuple[str, dict[str, object]]] = [
        ("search", {"query": symbol.name[:12]}),
        ("search", {"query": symbol.docstring[:200] or symbol.name, "by": "words"}),
        ("search", {"query": symbol.docstring[:200] or symbol.name, "by": "meaning"}),
        ("outline", {"path": symbol.path}),
        ("read_lines", {"path": symbol.path, "first": 1, "last": 80}),
        ("read_symbol", {"name": functions[0].qualified_name}),
        ("definition", {"name": types[0].qualified_name + "x"}),
        ("callers", {"name": functions[-1].qualified_name}),
        ("callees", {"name": functions[0].qualified_name}),
        ("functions_with_type", {"type": types[0].name}),
        ("submit", {"code": own}),
    ]
    return [ToolCall(f"c{n}", name, json.dumps(arguments)) for n, (name, arguments) in enumerate(asked)]


def _served(stack: ExitStack, calls: list[ToolCall]) -> tuple[Model, str]:
    from agent.model.litellm_model import litellm_model
    from experiments.demo.scripted_server import Script, ScriptCall, ScriptRule, start_server

    rules = [
        ScriptRule(turn=n, calls=(ScriptCall(name=call.name, arguments=json.loads(call.arguments)),))
        for n, call in enumerate(calls, 1)
    ]
    server = stack.enter_context(start_server(Script(rules=tuple(rules))))
    return litellm_model(), server.base_url


def _bare(trail: Trajectory, base: str | None) -> list[float]:
    """CPU-ms of litellm's call alone, with the last request's messages."""
    import litellm

    messages = [
        {"role": message.role, "content": message.content}
        for message in trail.messages
        if message.role in ("system", "user")
    ]
    out = []
    for _ in range(5):
        start = time.process_time()
        litellm.completion(model="openai/played", messages=messages, api_base=base, api_key="none", max_retries=0)
        out.append(1000 * (time.process_time() - start))
    return out


def _figures(costs: list[float]) -> str:
    ordered = sorted(costs)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"median {statistics.median(costs):6.1f}  95 % {high:6.1f}  most {ordered[-1]:6.1f} CPU-ms  ({len(costs)})"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--index", type=Path, required=True, help="the index's folder; made or refreshed")
    parser.add_argument("--targets", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--http", action="store_true", help="the model behind HTTP, through litellm")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
