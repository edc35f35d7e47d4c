"""All the tools over one hidden view. Whatever is asked, the answer is a bounded text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agent.tools import calling, finding, reading, specs
from agent.tools.arguments import Arguments, read_arguments
from agent.tools.names import NameTable
from agent.tools.results import Mistake, ToolAnswer
from agent.values import ToolSpec
from index.hiding.view import HiddenView
from index.strict import did_you_mean
from retrieval.protocol import Retriever

# search's ways that need a retriever, by its name in `Toolbox.searchers`.
WORDS, MEANING = "words", "meaning"


@dataclass(frozen=True, slots=True)
class Toolbox:
    """`searchers` are the retrievers behind search's ways; a way without one isn't offered. Nothing here reads
    anything but the view, the table's names through the view, and the retrievers, which read the view."""

    view: HiddenView
    table: NameTable
    searchers: Mapping[str, Retriever]

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        ways = ["symbol", *(way for way in (WORDS, MEANING) if way in self.searchers)]
        return (
            specs.search_spec(ways),
            specs.READ_SYMBOL,
            specs.READ_LINES,
            specs.DEFINITION,
            specs.CALLERS,
            specs.CALLEES,
            specs.FUNCTIONS_WITH_TYPE,
            specs.OUTLINE,
        )

    def use(self, name: str, written: str) -> ToolAnswer:
        """The answer to a call. A mistake is answered with a hint, never raised."""
        try:
            spec = find_spec(self.specs, name)
            return self._answer(spec.name, read_arguments(spec, written))
        except Mistake as mistake:
            return mistake.answer

    def _answer(self, name: str, arguments: Arguments) -> ToolAnswer:
        if name == "search":
            return finding.search(self.view, self.table, self.searchers, arguments)
        tools: Mapping[str, Callable[[HiddenView, NameTable, Arguments], ToolAnswer]] = {
            "read_symbol": reading.read_symbol,
            "read_lines": reading.read_lines,
            "definition": reading.definition,
            "callers": calling.callers,
            "callees": calling.callees,
            "functions_with_type": finding.functions_with_type,
            "outline": finding.outline,
        }
        return tools[name](self.view, self.table, arguments)


def find_spec(known: tuple[ToolSpec, ...], name: str) -> ToolSpec:
    """Raises Mistake for a tool that there isn't, with the nearest one."""
    for spec in known:
        if spec.name == name:
            return spec
    names = [spec.name for spec in known]
    raise Mistake(f"there is no tool {name[:80]!r}{did_you_mean(name[:80], names)} (tools: {', '.join(names)})")
