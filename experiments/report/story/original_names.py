"""Reads what a run on a variant kept back into the repository's own names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, cast

from executor.manifest.variant.record import read_variant_record, record_path_in_run
from executor.manifest.variant.renamed_files import rename_files_in_prose
from executor.manifest.variant.renamed_text import restore_original_names
from index.errors import ConfigError

T = TypeVar("T")
Reader = Callable[[str], str]

# The fields, of whatever value, that hold text of the repository or about it. Others hold ids and settings, which may
# look like a name.
_TEXTS = frozenset({
    "arguments", "bodies", "clones", "code", "content", "flags", "message", "missing_names", "misused", "needed",
    "needed_names", "path", "reason", "reasoning", "shown", "submitted", "text", "title", "used",
})  # fmt: skip


def make_name_restorer_for_renamed_run(run: Path, repo: str) -> Reader:
    """What turns a text of the run into the repository's own names, by the map that the run's folder holds. Raises
    ConfigError where it holds none."""
    record = read_variant_record(record_path_in_run(run, repo))
    if record is None:
        raise ConfigError(
            f"{run}: --original-names: {repo} wasn't renamed there (no {record_path_in_run(run, repo).name})"
        )
    names, paths = record.names, {new: old for old, new in record.paths.items()}
    return lambda text: rename_files_in_prose(restore_original_names(text, names), paths)


def restore_names_in_value(value: T, restore_text: Reader, *, is_text: bool = False) -> T:
    """The frozen value with its texts read back. `is_text`: a string is one."""
    found: Any = value
    if isinstance(value, str) and not isinstance(value, Enum):
        found = restore_text(value) if is_text else value
    elif isinstance(value, tuple):
        found = tuple(restore_names_in_value(part, restore_text, is_text=is_text) for part in value)
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: getattr(value, part.name) for part in fields(value)}
        read_back = {
            name: restore_names_in_value(part, restore_text, is_text=name in _TEXTS) for name, part in parts.items()
        }
        found = replace(value, **read_back)
    return cast(T, found)
