"""Names that the linker carries between the repository's own objects and those that aren't renamed: of assembler, of
other projects' code, of libraries. No header needs to hold them: another project may make them with a prefix."""

from __future__ import annotations

import json
import logging
import posixpath
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from executor.cache import replace_file, short_digest
from executor.manifest.variant.renamed_files import is_path_matched_by_any
from executor.manifest.variant.renamed_text import IDENTIFIER
from executor.repository.build.command_line import detect_compiled_language, parse_compiler, strip_call_to_front_end
from executor.repository.build.graph import GRAFT_FOLDER, BuildGraph, bind_step
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits, Session
from index.errors import SandboxError
from index.source_text import decode_source
from lab.variants.external_names import list_c_and_cpp_units, require_image_folder, write_parallel_script

log = logging.getLogger(__name__)

_FORMAT = 7
_LIMITS = CommandLimits(wall_s=600.0, memory_mb=4096, output_bytes=1024 * 1024 * 1024)
_BATCH = 12
_KEEP_INLINE_FLAGS = ("-w", "-O0", "-fkeep-inline-functions")
_UNDEFINED_KINDS = frozenset("Uwv")
# Data that each object brings along and of which a program has one. A table of virtual functions or a type's
# description does the same under either name, and most classes have one.
_SHARED_KINDS = frozenset("uV")
_TYPE_SYMBOL_PREFIX = "_ZT"
_LIST_ARCHIVES = 'find "$@" -maxdepth 1 -name "*.a" 2>/dev/null || true'


@dataclass(slots=True)
class Symbols:
    """What some objects need from elsewhere, what they define for others, and `shares`: the data that every object
    defines that uses it, as a template's static member or an inline function's static variable."""

    needs: set[str] = field(default_factory=set)
    defines: set[str] = field(default_factory=set)
    shares: set[str] = field(default_factory=set)

    @classmethod
    def join_objects(cls, objects: Iterable[Symbols]) -> Symbols:
        """The symbols of several objects together."""
        joined = cls()
        for part in objects:
            joined.needs |= part.needs
            joined.defines |= part.defines
            joined.shares |= part.shares
        return joined


def find_names_in_symbols_shared_with_others(
    image: Image, backend: Backend, outside: Collection[str], leave: Sequence[str] = ()
) -> frozenset[str]:
    """Identifiers in the symbols that the image's own objects need from elsewhere, in those that they define and
    others need, and in those of data that both define: over all objects, and within each program, since one may link
    what another takes from a library. Where one unit may stand for a changed header (recipe: `header_mode: override`),
    what its inline functions need of a library as well, though no object has a copy of them.

    Objects of files that `leave` names (fnmatch) aren't own. A symbol whose names all stand in `outside`, the names of
    headers that aren't the repository's and C++'s own words, is judged with those headers. Raises SandboxError."""
    symbols = _find_shared_symbol_identifiers(image, backend, leave)
    return frozenset(name for names in symbols if not names.issubset(outside) for name in names)


def _find_shared_symbol_identifiers(image: Image, backend: Backend, leave: Sequence[str]) -> list[frozenset[str]]:
    """The identifiers of each such symbol, kept beside the image."""
    covers = sorted(image.recipe.covers)
    key = {"format": _FORMAT, "leave": sorted(leave), "headers": image.recipe.header_mode, "covers": covers}
    kept = require_image_folder(image) / f"linked-{short_digest(key)}.json"
    if kept.is_file():
        return [frozenset(names) for names in json.loads(kept.read_bytes())]
    own, others = _split_own_from_other_objects(image.graph, leave)
    programs = _list_linked_programs(image.graph)
    with backend.session(image.key) as session:
        symbols = _read_symbols(
            session, sorted(own | others | {path for program in programs for path in program.files})
        )
        archives = _find_outside_archives_by_program(session, programs)
        symbols |= _read_symbols(session, sorted({path for paths in archives.values() for path in paths}))
        found = _find_symbols_shared_with_others(own, others, symbols, Symbols())
        is_override = image.recipe.header_mode == "override" and any(archives.values())
        held = (
            _compile_headers_and_read_inline_symbols(session, image.graph, image.recipe.covers, leave)
            if is_override
            else Symbols()
        )
        for program in programs:
            theirs = (program.files - own).union(archives.get(program.name, ()))
            found |= _find_symbols_shared_with_others(own & program.files, theirs, symbols, held)
        plain = _run_tool(session, ("c++filt",), "\n".join(sorted(found))) if found else ""
    names = [frozenset(IDENTIFIER.findall(line)) for line in plain.splitlines()]
    replace_file(kept, json.dumps([sorted(symbol) for symbol in names]).encode())
    return names


def _find_symbols_shared_with_others(
    own: Collection[str], others: Collection[str], symbols: Mapping[str, Symbols], own_inline_symbols: Symbols
) -> set[str]:
    """The symbols that objects `own` need and none of them defines, those that they define for `others`, and data of
    both, which would be two things under two names. Of what a unit that stands for a header holds
    (`own_inline_symbols`), only what the others have."""
    mine, theirs = (Symbols.join_objects(symbols[path] for path in paths) for paths in (own, others))
    lacked = (mine.needs - mine.defines) | ((own_inline_symbols.needs & theirs.defines) - mine.defines)
    return lacked | (mine.defines & theirs.needs) | ((mine.shares | own_inline_symbols.shares) & theirs.shares)


def _split_own_from_other_objects(graph: BuildGraph, leave: Sequence[str]) -> tuple[set[str], set[str]]:
    """What the build makes of the repository's own C and C++, and of all else that it compiles."""
    own = {
        path
        for unit in list_c_and_cpp_units(graph)
        if not is_path_matched_by_any(unit.sources[0], leave)
        for path in unit.outputs
    }
    compiled = {path for step in graph.steps if step.kind == "compile" for path in step.outputs}
    # An archive stands for those of its objects that the build has removed.
    gone = [step for step in graph.steps if step.kind == "archive" and not graph.missing.isdisjoint(step.inputs)]
    archives = {path for step in gone if own.issuperset(step.inputs) for path in step.outputs}
    return own | archives, compiled - own


@dataclass(frozen=True, slots=True)
class _Program:
    """A program or shared library: the objects of which it is linked, in archives and other libraries of the tree as
    well, and the command that links it."""

    name: str
    files: frozenset[str]
    argv: tuple[str, ...]


def _list_linked_programs(graph: BuildGraph) -> list[_Program]:
    parts: dict[str, frozenset[str]] = {}
    found = []
    for step in graph.steps:
        if step.kind == "compile":
            parts |= dict.fromkeys(step.outputs, frozenset(step.outputs))
            continue
        # An object that the build has removed stands in the archive alone: the archive is asked instead.
        gone = any(path in graph.missing for path in step.inputs)
        files = frozenset(step.outputs[:1]) if gone and step.kind == "archive" else frozenset[str]()
        if step.kind == "archive":
            # `ar` may add to an archive command by command.
            files = files.union(*(parts.get(path, ()) for path in step.outputs))
        files = files.union(*(parts.get(path, frozenset({path})) for path in step.inputs if path not in graph.missing))
        parts |= dict.fromkeys(step.outputs, files)
        if step.kind == "link":
            found.append(_Program(step.outputs[0], files, step.argv))
    return found


def _find_outside_archives_by_program(session: Session, programs: Sequence[_Program]) -> dict[str, list[str]]:
    """Program -> the archives outside the tree that its command names by `-L` and `-l`."""
    places = {program.name: [word[2:] for word in program.argv if word.startswith("-L/")] for program in programs}
    folders = dict.fromkeys(folder for named in places.values() for folder in named)
    if not folders:
        return {}
    there = set(_run_tool(session, ("sh", "-c", _LIST_ARCHIVES, "sh", *folders), "").splitlines())
    found: dict[str, list[str]] = {}
    for program in programs:
        for name in dict.fromkeys(word[2:] for word in program.argv if word.startswith("-l")):
            paths = [path for place in places[program.name] if (path := f"{place}/lib{name}.a") in there]
            # The linker takes the first.
            found.setdefault(program.name, []).extend(paths[:1])
    return found


def _compile_headers_and_read_inline_symbols(
    session: Session, graph: BuildGraph, covers: Sequence[str], leave: Sequence[str]
) -> Symbols:
    """What the inline functions of the own headers need and define, of those that `covers` names where it names any.
    They are in no object unless something calls them."""
    units = [unit for unit in list_c_and_cpp_units(graph) if detect_compiled_language(unit.argv) == "c++"]
    headers = {
        path
        for unit in units
        for path in unit.depends
        if path not in unit.sources
        and not is_path_matched_by_any(path, leave)
        and (not covers or is_path_matched_by_any(path, covers))
    }
    # Beneath the tree: a sandbox's /tmp may be gone with the command that wrote it.
    folder = posixpath.join(session.root, GRAFT_FOLDER, "held")
    _run_tool(session, ("mkdir", "-p", folder), "")
    lines: list[str] = []
    while units:
        unit = max(units, key=lambda unit: len(headers.intersection(unit.depends)))
        if headers.isdisjoint(unit.depends):
            break
        headers.difference_update(unit.depends)
        argv, cwd = bind_step(unit, session.root)
        call = parse_compiler(argv)
        words = (
            *strip_call_to_front_end(call, call.sources),
            *_KEEP_INLINE_FLAGS,
            "-c",
            "-o",
            f"{folder}/{len(lines)}.o",
        )
        lines.append(f"(cd {shlex.quote(posixpath.join(session.root, cwd))} && {shlex.join(words)}) 2>/dev/null")
    for start in range(0, len(lines), _BATCH):
        _run_tool(session, ("sh", "-c", write_parallel_script(lines[start : start + _BATCH])), "")
    found = _read_symbols(session, [f"{folder}/{number}.o" for number in range(len(lines))]).values()
    failed = sum(not symbols.defines for symbols in found)
    if lines and failed == len(lines):
        raise SandboxError(f"none of {len(lines)} units compiles with all inline functions of its headers")
    if failed:
        log.info(f"{failed} of {len(lines)} units don't compile with all inline functions of their headers")
    return Symbols.join_objects(found)


def _read_symbols(session: Session, files: Sequence[str]) -> dict[str, Symbols]:
    """The symbols of each object or archive. Files that are gone have none."""
    found = {path: Symbols() for path in files}
    for line in _run_tool(session, ("xargs", "-0", "-r", "nm", "-P", "-A"), "\0".join(files)).splitlines():
        where, _, rest = line.partition(": ")
        # `libdata.a[table.o]: table_find T 0 1a`.
        symbols = found.get(where) or found.get(where.partition("[")[0])
        match rest.split():
            case [name, kind, *_] if len(kind) == 1 and symbols is not None:
                if kind in _UNDEFINED_KINDS:
                    symbols.needs.add(name.partition("@")[0])
                elif kind.isupper() or kind in "ui":
                    symbols.defines.add(name)
                if kind in _SHARED_KINDS and not name.startswith(_TYPE_SYMBOL_PREFIX):
                    symbols.shares.add(name)
    return found


def _run_tool(session: Session, argv: tuple[str, ...], stdin_text: str) -> str:
    done = session.run(Command(argv, stdin=stdin_text.encode("utf-8", "surrogateescape"), limits=_LIMITS))
    if done.timed_out or done.truncated:
        raise SandboxError(f"{argv[0]} on the build's objects {done.ending}")
    return decode_source(done.output)
