"""Where Graft's own packages are, and how `import index` finds them whatever else lies on the user's path.

The packages behind the door have common names: `index`, `retrieval`, `agent`, `executor`, `experiments`, `lab`. A
wheel holds them in `graft/internal`, which is on nobody's path; in a checkout they lie beside `graft/`.
`claim_package_names` puts a finder first in `sys.meta_path` that answers for these six names and no others, so that a
folder `index/` in the working directory or on PYTHONPATH is never taken for ours. docs/decisions/names.md weighs the
alternatives.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

NAMES = frozenset({"agent", "executor", "experiments", "index", "lab", "retrieval"})


class InternalFinder:
    """Finds the packages of `NAMES` in one folder; every other import is left to the finders behind it."""

    def __init__(self, folder: Path) -> None:
        self._path = [str(folder)]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec for one of our packages, None for anything else (a submodule has its package's path)."""
        if fullname not in NAMES or path is not None:
            return None
        return PathFinder.find_spec(fullname, self._path, target)


def claim_package_names() -> None:
    """Make the six names mean Graft's packages in this process; a second call changes nothing.

    Raises ImportError when another module of such a name is imported already: the two can't share a process.
    """
    here = Path(__file__).resolve().parent
    folder = here / "internal" if (here / "internal").is_dir() else here.parent
    for name in sorted(NAMES & sys.modules.keys()):
        found = _find_package_folder_or_module_file(sys.modules[name])
        if found != folder / name:
            raise ImportError(
                f"graft can't be imported: the name {name!r}, which Graft uses, is taken by {found or 'a module'};"
                f" import graft first, or give that module another name"
            )
    if not any(isinstance(finder, InternalFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, InternalFinder(folder))


def _find_package_folder_or_module_file(module: ModuleType) -> Path | None:
    """A package's folder, a plain module's file, or None for a module that has neither."""
    folders = list(getattr(module, "__path__", ()))
    place = folders[0] if folders else getattr(module, "__file__", None)
    return None if place is None else Path(place).resolve()
