"""A name or a path as a model wrote it -> symbols and files of the hidden view, or a hint with the nearest ones."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from agent.tools.names import NameTable
from agent.tools.results import Mistake
from index.cpp.declarators import last_name
from index.hiding.view import HiddenView
from index.values import Symbol, SymbolKind

_TAG = re.compile(r"^(?:(?:const|static|extern|struct|union|enum|class|typedef|typename)\s+)+")
# The body comes before what only announces it.
_RANK = {SymbolKind.FUNCTION: 0, SymbolKind.TYPE: 0, SymbolKind.MACRO: 0, SymbolKind.PROTOTYPE: 2}
_MOST_HINTS = 5


def find_symbols(
    view: HiddenView, table: NameTable, written: str, path: str = "", kinds: Collection[SymbolKind] = ()
) -> list[Symbol]:
    """The symbols that a name may mean, those nearest to the target first; never empty. Raises Mistake."""
    name = bare(written)
    last = last_name(name)
    found = [one for one in view.named(last) if f"::{one.qualified_name}".endswith(f"::{name}")]
    if not found and name != last:
        # A qualifier may be left out in the tree (a using, an inline namespace): the last word decides.
        found = view.named(last)
    if path:
        wanted = find_path(view, table, path)
        elsewhere, found = found, [one for one in found if one.path == wanted]
        if elsewhere and not found:
            raise Mistake(f"{name} isn't in {wanted}, but in {', '.join(sorted({one.path for one in elsewhere})[:5])}")
    if not found:
        raise Mistake(_unknown(view, table, name))
    fitting = [one for one in found if not kinds or one.kind in kinds]
    if not fitting:
        raise Mistake(f"{name} is no such thing, but a {found[0].kind.value}: read_symbol shows it")
    return sorted(fitting, key=lambda one: (_RANK.get(one.kind, 1), distance(view, one), one.path, one.start_byte))


def bare(written: str) -> str:
    """`struct dict *` -> `dict`, `ns::Vec<int>::push()` -> `ns::Vec::push`."""
    name = _TAG.sub("", written.strip())
    if "operator" not in name:
        name = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", name)).split("(")[0]
    return name.strip().strip("*&; ").removeprefix("::") or written.strip()


def distance(view: HiddenView, symbol: Symbol) -> int:
    """0 in the target's file, 1 in its folder, more further away."""
    own, other = view.target.path, symbol.path
    if own == other:
        return 0
    mine, theirs = PurePosixPath(own).parent.parts, PurePosixPath(other).parent.parts
    common = 0
    for one, two in zip(mine, theirs, strict=False):
        if one != two:
            break
        common += 1
    return 1 + len(mine) + len(theirs) - 2 * common


def find_path(view: HiddenView, table: NameTable, written: str) -> str:
    """A path of the view. A model's text never reaches the file system: it is looked up in the list of files."""
    path = written.strip().replace("\\", "/").removeprefix("./").strip("/")
    for one in (path, path.removeprefix(f"{view.target.repo}/")):
        if one in table.files:
            return one
    base = PurePosixPath(path).name
    same = table.files_by_base.get(base, ())
    ending = [one for one in same if one.endswith(f"/{path}")]
    if len(ending) == 1:
        return ending[0]
    near = (ending or same)[:_MOST_HINTS] or _near_files(table, base)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise Mistake(f"no source file {written[:120]!r} in the repository{hint}")


def _near_files(table: NameTable, base: str) -> list[str]:
    from rapidfuzz import fuzz, process

    if not base:
        return []
    bases = list(table.files_by_base)
    found = process.extract(base[:80], bases, scorer=fuzz.ratio, limit=_MOST_HINTS, score_cutoff=60)
    return [path for name, _, _ in found for path in table.files_by_base[name]][:_MOST_HINTS]


def _unknown(view: HiddenView, table: NameTable, name: str) -> str:
    if last_name(name) == last_name(view.target.name):
        return f"{name} is the function to write: its body is hidden everywhere"
    near = table.nearest(view, name, _MOST_HINTS)
    hint = f"; nearest names: {', '.join(near)}" if near else ""
    return f"the repository shows no {name[:120]!r}{hint}"
