"""The repository as seen from the file of the function to write: what is near, what it includes, what is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from agent.tools.name_table import NameTable, vendored_root
from index.cpp.declarators import unqualified_name
from index.hiding.hidden_view import HiddenView
from index.hiding.holes import PLACEHOLDER
from index.values import Span, Symbol, SymbolKind, Target

# A chain of includes in any real project ends before this; generated circles don't.
MOST_INCLUDE_LEVELS = 12
_MOST_FILES = 600
# How near a symbol is: the target's own file and what it includes, the repository's own files, vendored code.
_IN_SIGHT, _OWN, _VENDORED = 0, 1, 2


class HiddenFunction(NamedTuple):
    """A function whose body this view hides. `text` is what its file shows of it; `line` is counted there too."""

    name: str
    qualified_name: str
    path: str
    line: int
    text: str
    is_target: bool

    @property
    def kind(self) -> SymbolKind:
        return SymbolKind.FUNCTION

    @property
    def hidden_body_mark(self) -> str:
        return "[body hidden: the function to write]" if self.is_target else "[body hidden]"


Item = Symbol | HiddenFunction


class Scope:
    """A hidden view with the names of its index. Nothing is read before it is asked for."""

    def __init__(self, view: HiddenView, table: NameTable) -> None:
        self.view = view
        self.table = table

    @cached_property
    def include_levels(self) -> Mapping[str, int]:
        """The files that the target's file sees, with the number of includes between; of several files the least."""
        levels: dict[str, int] = {}
        for home in dict.fromkeys(hole.path for hole in self.view.target.holes):
            for path, level in list_include_levels(self.view, home).items():
                levels[path] = min(level, levels.get(path, level))
        return levels

    @cached_property
    def hidden_functions(self) -> tuple[HiddenFunction, ...]:
        """The target, and in strict masking its clones. Their text is their header; the body is cut by the view."""
        if not self.view.target.path:
            return ()
        clones = self.view.clones if self.view.masking == "strict" else ()
        own = [self._make_hidden_function_of_target(hole) for hole in self.view.target.holes]
        return (*own, *(self._make_hidden_function_of_clone(clone) for clone in clones))

    def find_hidden_functions_named(self, name: str) -> list[HiddenFunction]:
        """The hidden functions that a name may mean, qualified or not."""
        last = unqualified_name(name)
        called = [function for function in self.hidden_functions if function.name == last]
        exact = [function for function in called if f"::{function.qualified_name}".endswith(f"::{name}")]
        return exact or called

    def nearness_key(self, item: Item) -> tuple[int, int, str, int]:
        """A key that sorts the nearest first."""
        level = self.include_levels.get(item.path)
        place = item.line if isinstance(item, HiddenFunction) else item.start_byte
        if level is not None:
            return (_IN_SIGHT, level, item.path, place)
        root = vendored_root(item.path)
        foreign = bool(root) and not self.view.target.path.startswith(root)
        return (_VENDORED if foreign else _OWN, self._folder_distance(item.path), item.path, place)

    def _folder_distance(self, path: str) -> int:
        mine, theirs = PurePosixPath(self.view.target.path).parent.parts, PurePosixPath(path).parent.parts
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False))
        return len(mine) + len(theirs) - 2 * len(list(shared))

    def _make_hidden_function_of_target(self, hole: Target) -> HiddenFunction:
        line = self._find_first_line_in_view(hole.path, hole.span)
        signature = hole.signature.strip().rstrip("{; \n")
        return HiddenFunction(unqualified_name(hole.name), hole.name, hole.path, line, signature, is_target=True)

    def _make_hidden_function_of_clone(self, clone: Symbol) -> HiddenFunction:
        line = self._find_first_line_in_view(clone.path, clone.span)
        header = self.view.text(clone).partition(PLACEHOLDER.decode())[0].rstrip()
        return HiddenFunction(clone.name, clone.qualified_name, clone.path, line, header, is_target=False)

    def _find_first_line_in_view(self, path: str, span: Span) -> int:
        return self.view.lines(path, Span(1, span.first)).count("\n") + 1


def list_include_levels(view: HiddenView, home: str) -> dict[str, int]:
    """The files that a file sees, itself first, with the number of includes between."""
    levels = {home: 0}
    waiting = [home]
    while waiting and len(levels) < _MOST_FILES:
        path = waiting.pop(0)
        if levels[path] == MOST_INCLUDE_LEVELS:
            continue
        for other in view.includes(path):
            if other not in levels:
                levels[other] = levels[path] + 1
                waiting.append(other)
    return levels
