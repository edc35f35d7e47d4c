"""Which lines of a repository no unit of its build compiles, kept beside its recipe for contexts to leave out.

In: a warm image. Out: `uncompiled.json`, line numbers alone. A branch of `#if` counts when no unit takes it, and a
header when no unit reads it. Files that no unit reads and that are no headers stay: another build may compile them.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from executor.cache import replace_file
from executor.repository.build.branches import (
    MARK,
    find_preprocessor_branch_groups,
    insert_branch_marker_macros,
    list_untaken_branch_and_directive_spans,
    read_taken_directive_lines_by_file_number,
)
from executor.repository.build.command_line import parse_compiler, strip_call_to_front_end
from executor.repository.build.graph import BuildStep, bind_step
from executor.repository.images import Image
from executor.repository.recipe import Recipe
from executor.sandbox.contract import Backend, Command, CommandLimits
from index.errors import RecipeError
from index.hiding.holes import Lines
from index.progress import SILENT, Progress
from index.user_files import StrictModel
from index.values import Span

FILE = "uncompiled.json"
FORMAT = 1
HEADER_SUFFIXES = frozenset({".h", ".hh", ".hpp", ".hxx", ".h++"})
_LIMITS = CommandLimits(wall_s=120.0, memory_mb=2048, disk_mb=1024, output_bytes=8 * 1024 * 1024)
# A unit's macros are megabytes, of which the marks are a few lines.
_SCRIPT = 'out=$(mktemp) && "$@" > "$out" && { grep -o "$MARK[0-9_]*" "$out"; rm -f "$out"; }'

log = logging.getLogger(__name__)


class UncompiledFile(StrictModel):
    """`sha256`: the first 16 digits, of the file that the lines are of; `lines`: first and last of each span."""

    sha256: str
    lines: tuple[tuple[int, int], ...]


class Uncompiled(StrictModel):
    """uncompiled.json."""

    format: int
    files: Mapping[str, UncompiledFile]


def find_uncompiled_lines(image: Image, backend: Backend, progress: Progress = SILENT) -> Uncompiled:
    """Preprocess each unit of the image's build with marked files. Raises SandboxError, and RecipeError where no unit
    could be preprocessed."""
    compilations = (step for step in image.graph.steps if step.kind == "compile" and step.sources)
    units = list(dict.fromkeys(map(_make_macro_dump_step, compilations)))
    read = {path for step in image.graph.steps for path in step.depends}
    texts = {path: data for path in sorted(read) if (data := _read_file(image.source_root / path)) is not None}
    groups = {path: find_preprocessor_branch_groups(data.decode("latin-1")) for path, data in texts.items()}
    paths = [path for path, found in groups.items() if found]
    taken: dict[str, set[int]] = {path: set() for path in paths}
    unknown: set[str] = set()
    failed = 0
    with backend.session(image.key) as session, progress.open_count("units", len(units)) as advance:
        for number, path in enumerate(paths):
            text = insert_branch_marker_macros(texts[path].decode("latin-1"), groups[path], number)
            session.write(path, text.encode("latin-1"))
        for unit in units:
            argv, cwd = bind_step(unit, session.root)
            script = Command(("sh", "-c", _SCRIPT, "sh", *argv), cwd=cwd, env={"MARK": MARK}, limits=_LIMITS)
            done = session.run(script)
            if not done.ok:
                # What it would have taken isn't known: the files that it reads stay whole.
                unknown.update(unit.depends)
                failed += 1
            for number, firsts in read_taken_directive_lines_by_file_number(done.text).items():
                taken[paths[number]] |= firsts
            advance()
    if failed == len(units):
        raise RecipeError(f"{image.recipe.name}: none of {len(units)} units could be preprocessed")
    if failed:
        what = f"{failed} of {len(units)} units couldn't be preprocessed; their files stay whole"
        log.warning(f"{image.recipe.name}: {what}")
    files: dict[str, UncompiledFile] = {}
    for path in paths:
        if path not in unknown:
            lines = tuple(
                (span.first, span.last) for span in list_untaken_branch_and_directive_spans(groups[path], taken[path])
            )
            files[path] = UncompiledFile(sha256=_digest(texts[path]), lines=lines)
    headers = (path for path in image.source_root.rglob("*") if path.suffix.lower() in HEADER_SUFFIXES)
    for path in sorted(header.relative_to(image.source_root).as_posix() for header in headers):
        if path not in read and (data := _read_file(image.source_root / path)) is not None:
            files[path] = UncompiledFile(sha256=_digest(data), lines=((1, data.count(b"\n") + 1),))
    return Uncompiled(format=FORMAT, files={path: file for path, file in sorted(files.items()) if file.lines})


def save_uncompiled_lines(found: Uncompiled, recipe: Recipe) -> Path:
    """Write the lines beside the recipe, a file a line."""
    path = recipe.folder / FILE
    files = ",\n".join(f"{json.dumps(path)}: {file.model_dump_json()}" for path, file in found.files.items())
    replace_file(path, f'{{"format": {found.format}, "files": {{\n{files}\n}}}}\n'.encode())
    return path


def load_uncompiled_lines(recipe: Recipe, root: Path) -> Lines:
    """The lines by path, of the files of the tree at `root` that are as they were; nothing where none are known.
    Raises RecipeError when the file is damaged or of another format."""
    path, again = recipe.folder / FILE, f"graft images branches {recipe.name}"
    if not path.is_file():
        return {}
    try:
        known = Uncompiled.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise RecipeError(f"{path}: can't be read; make it again: {again}") from error
    if known.format != FORMAT:
        raise RecipeError(f"{path}: format {known.format}, this Graft reads {FORMAT}: {again}")
    return {
        name: [Span(first, last) for first, last in file.lines]
        for name, file in known.files.items()
        if (data := _read_file(root / name)) is not None and _digest(data) == file.sha256
    }


def _make_macro_dump_step(step: BuildStep) -> BuildStep:
    call = parse_compiler(step.argv)
    argv = strip_call_to_front_end(call, call.sources, "-E", "-dM")
    return BuildStep("compile", argv, step.cwd, (), step.sources, (), step.depends)


def _read_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
