"""A name or a path as a model wrote it -> symbols and files of the hidden view, or a hint with the nearest ones."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from agent.tools.name_table import NameTable
from agent.tools.scope import Item, Scope
from agent.tools.tool_answer import Mistake
from index.cpp.declarators import unqualified_name
from index.values import SymbolKind

_TAG = re.compile(r"^(?:(?:const|static|extern|struct|union|enum|class|typedef|typename)\s+)+")
# The body comes before what only announces it.
_KIND_ORDER = {SymbolKind.FUNCTION: 0, SymbolKind.TYPE: 0, SymbolKind.MACRO: 0, SymbolKind.PROTOTYPE: 2}
_MOST_HINTS = 5


def find_items_by_written_name(
    scope: Scope, written: str, path: str = "", kinds: Collection[SymbolKind] = ()
) -> list[Item]:
    """What a name may mean, the nearest to the target first: symbols that the view shows, and, where `kinds` don't
    exclude functions, functions whose body it hides. Never empty. Raises Mistake: no such name, not in that file, not
    of these kinds."""
    name = strip_name_decorations(written)
    last = unqualified_name(name)
    # A qualifier may be missing in the tree (a using, an inline namespace): then the last word decides.
    called = scope.view.symbols_named(last)
    exact = [symbol for symbol in called if f"::{symbol.qualified_name}".endswith(f"::{name}")]
    symbols, hidden = exact or called, scope.find_hidden_functions_named(name)
    if path and (symbols or hidden):
        wanted = resolve_written_path(scope, path)
        paths = sorted({symbol.path for symbol in symbols} | {function.path for function in hidden})
        symbols = [symbol for symbol in symbols if symbol.path == wanted]
        hidden = [function for function in hidden if function.path == wanted]
        if not symbols and not hidden:
            raise Mistake(f"{name} isn't in {wanted}, but in {', '.join(paths[:5])}")
    if not symbols and not hidden:
        raise Mistake(f"the repository has no {name[:120]!r}{hint_nearest_names(scope, name)}")
    items: list[Item] = [*symbols, *hidden]
    found = [item for item in items if not kinds or item.kind in kinds]
    if not found:
        mark = f" {hidden[0].hidden_body_mark}" if hidden else ""
        raise Mistake(f"{name} is a {items[-1].kind.value}{mark}: use read_symbol")
    return sorted(found, key=lambda item: (_KIND_ORDER.get(item.kind, 1), scope.nearness_key(item)))


def strip_name_decorations(written: str) -> str:
    """`struct dict *` -> `dict`, `ns::Vec<int>::push()` -> `ns::Vec::push`."""
    name = _TAG.sub("", written.strip())
    if "operator" not in name:
        name = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", name)).split("(")[0]
    return name.strip().strip("*&; ").removeprefix("::") or written.strip()


def resolve_written_path(scope: Scope, written: str) -> str:
    """A path of the view. A model's text never reaches the file system: it is looked up in the list of files."""
    table = scope.table
    path = written.strip().replace("\\", "/").removeprefix("./").strip("/")
    for candidate in (path, path.removeprefix(f"{scope.view.target.repo}/")):
        if candidate in table.files:
            return candidate
    base = PurePosixPath(path).name
    same = table.files_by_base.get(base, ())
    ending = [known for known in same if known.endswith(f"/{path}")]
    if len(ending) == 1:
        return ending[0]
    near = (ending or same)[:_MOST_HINTS] or _find_similar_files(table, base)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise Mistake(f"no source file {written[:120]!r} in the repository{hint}")


def hint_nearest_names(scope: Scope, name: str) -> str:
    """The end of a hint, or ""."""
    near = scope.table.find_nearest_names(scope.view, name, _MOST_HINTS)
    return f"; nearest names: {', '.join(near)}" if near and name not in near else ""


def _find_similar_files(table: NameTable, base: str) -> list[str]:
    from rapidfuzz import fuzz, process

    if not base:
        return []
    bases = list(table.files_by_base)
    found = process.extract(base[:80], bases, scorer=fuzz.ratio, limit=_MOST_HINTS, score_cutoff=60)
    return [path for name, _, _ in found for path in table.files_by_base[name]][:_MOST_HINTS]
