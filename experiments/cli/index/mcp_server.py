"""graft index mcp: the agent's own look-ups for any coding agent, over a view in which nothing is hidden."""

from __future__ import annotations

import json
from collections.abc import Mapping

from agent.tools.name_table import NameTable
from agent.tools.scope import Scope
from agent.tools.tool_answer import ToolAnswer
from agent.tools.toolbox import MEANING, WORDS, Toolbox
from agent.values import ToolSpec
from experiments.arms.retrievers import make_retriever
from experiments.indexing.index_place import Place, make_view_hiding_nothing
from experiments.mcp.protocol import serve_tools
from index.errors import StaleIndexError
from index.repo_index import RepoIndex, open_index
from retrieval.protocol import RetrieverSettings

INSTRUCTIONS = (
    "Search and read a C/C++ source tree through its index: symbols, text, meaning, definitions, callers, callees."
    " Paths are relative to the tree's root."
)


class IndexTools:
    """The tools over an index as it stands: when it was updated since the last call, it is opened anew."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._index = open_index(place.folder, place.root)
        self._toolbox = make_index_toolbox(self._index)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return self._toolbox.specs

    def call_tool(self, name: str, arguments: Mapping[str, object] | None) -> ToolAnswer:
        """The answer to a call. Its text says when the call was mistaken, or the tree has been edited since."""
        try:
            self._reopen_rebuilt_index()
            return self._toolbox.answer_call(name, json.dumps(arguments or {}))
        except StaleIndexError as error:
            return ToolAnswer(f"error: {error} (graft index update {self._place.root})", mistake=True)

    def _reopen_rebuilt_index(self) -> None:
        now = open_index(self._place.folder, self._place.root)
        if now.build == self._index.build:
            now.close()
            return
        self._index.close()
        self._index, self._toolbox = now, make_index_toolbox(now)


def make_index_toolbox(index: RepoIndex) -> Toolbox:
    settings = RetrieverSettings()
    ways = {WORDS: make_retriever("lexical", index, settings), MEANING: make_retriever("meaning", index, settings)}
    return Toolbox(Scope(make_view_hiding_nothing(index), NameTable(index).build_names_and_call_graph()), ways)


def serve_index_tools_over_stdio(place: Place) -> None:
    """Answer on stdin and stdout until stdin ends. Raises ConfigError when the extra isn't installed."""
    tools = IndexTools(place)

    async def call(name: str, arguments: Mapping[str, object] | None) -> ToolAnswer:
        return tools.call_tool(name, arguments)

    serve_tools("graft index mcp", INSTRUCTIONS, tools.specs, call)
