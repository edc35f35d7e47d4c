"""All the tools over one hidden view. Every answer is a bounded text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from agent.tools import call_tools, read_tools, search_tools, specs
from agent.tools.arguments import Arguments, read_arguments
from agent.tools.scope import Scope
from agent.tools.tool_answer import Mistake, ToolAnswer
from agent.values import ToolSpec
from index.user_files import make_spelling_hint
from retrieval.protocol import Retriever

# The ways of search that need a retriever, by its name in `Toolbox.searchers`.
WORDS, MEANING = "words", "meaning"

Tool = Callable[[Scope, Arguments], ToolAnswer]
_TOOLS: Mapping[str, tuple[ToolSpec, Tool]] = {
    spec.name: (spec, tool)
    for spec, tool in (
        (specs.READ_SYMBOL, read_tools.read_symbol),
        (specs.READ_LINES, read_tools.read_lines),
        (specs.DEFINITION, read_tools.show_type_macro_or_variable),
        (specs.CALLERS, call_tools.list_callers),
        (specs.CALLEES, call_tools.list_callees),
        (specs.FUNCTIONS_WITH_TYPE, search_tools.list_functions_with_type),
        (specs.OUTLINE, search_tools.outline_file),
    )
}


@dataclass(frozen=True, slots=True)
class Toolbox:
    """`searchers` are the retrievers behind the ways of search; a way without one isn't offered. The tools read
    only the view, names through the view, and the retrievers, which read the view too."""

    scope: Scope
    searchers: Mapping[str, Retriever]

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return list_lookup_tools([way for way in (WORDS, MEANING) if way in self.searchers])

    def answer_call(self, name: str, written: str) -> ToolAnswer:
        """The answer to a call. A mistake is answered with a hint, never raised."""
        try:
            spec = find_spec(self.specs, name)
            arguments = read_arguments(spec, written)
            if spec.name == "search":
                return search_tools.answer_search(self.scope, self.searchers, arguments)
            return _TOOLS[spec.name][1](self.scope, arguments)
        except Mistake as mistake:
            return mistake.answer


def list_lookup_tools(ways: Iterable[str]) -> tuple[ToolSpec, ...]:
    """What a model is told of the tools that look things up, where there are these ways of search beside `symbol`."""
    return (specs.search_tool_spec(["symbol", *ways]), *(spec for spec, _ in _TOOLS.values()))


def find_spec(known: tuple[ToolSpec, ...], name: str) -> ToolSpec:
    """Raises Mistake for a tool that doesn't exist, with the nearest name."""
    for spec in known:
        if spec.name == name:
            return spec
    names = [spec.name for spec in known]
    raise Mistake(f"there is no tool {name[:80]!r}{make_spelling_hint(name[:80], names)} (tools: {', '.join(names)})")
