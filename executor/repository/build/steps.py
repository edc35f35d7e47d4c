"""Turns recorded command lines into build steps, keeping those whose outputs are still in the built tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from executor.repository.build.command_line import (
    CompilerCall,
    classify_tool,
    parse_archive_change_or_extraction,
    parse_compiler,
    parse_copy_operands,
)
from executor.repository.build.graph import ROOT, ArgvAndCwd, BuildGraph, BuildStep

# Whether the linker takes static libraries alone for the `-l` behind this option.
_LIBRARY_MODES = {"-Bstatic": True, "-Bdynamic": False}


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One recorded command, `@file` arguments expanded. `cwd` is absolute."""

    argv: tuple[str, ...]
    cwd: str


@dataclass(frozen=True, slots=True)
class Tree:
    """The built tree in the builder. `roots` are the spellings of its root, longest first. `files`, `folders` and
    `links` (symbolic link -> its target, when that is inside) are relative to the root."""

    roots: tuple[str, ...]
    files: frozenset[str]
    links: Mapping[str, str]
    folders: frozenset[str]

    def make_relative(self, path: str, cwd: str) -> str:
        """The path that a command in `cwd` means by `path`: relative to the root, or absolute when it lies outside."""
        absolute = posixpath.normpath(posixpath.join(cwd, path))
        for root in self.roots:
            if absolute == root or absolute.startswith(root + "/"):
                return self._follow_links(absolute[len(root) + 1 :] or ".")
        return absolute

    def _follow_links(self, path: str) -> str:
        if not self.links:
            return path
        parts = path.split("/")
        for length in range(1, len(parts) + 1):
            target = self.links.get("/".join(parts[:length]))
            if target is not None:
                return self._follow_links("/".join((target, *parts[length:])))
        return path

    def replace_root_path(self, text: str) -> str:
        """`text` with a placeholder for the root's path, wherever that is a whole path or the start of one."""
        for root in self.roots:
            text = re.sub(re.escape(root) + r"""(?=[/"':,;\\ ]|$)""", ROOT, text)
        return text


def make_build_graph_of_surviving_outputs(calls: Sequence[RecordedCall], tree: Tree) -> BuildGraph:
    """The calls as steps, without `depends` yet. Probes are dropped. Of two calls that make the same file the later is
    kept."""
    steps = list(_make_steps(calls, tree))
    made = {output for step in steps for output in step.outputs}
    held: set[str] = set()
    kept: list[BuildStep] = []
    for step in reversed(steps):
        # Backwards, so that a file that was moved away counts as made when it exists at its new place.
        if step.kind == "copy":
            if step.inputs[0] not in made or step.outputs[0] not in tree.files | held:
                continue
            held.update(step.inputs)
        elif not _has_outputs_and_sources(step, tree, held):
            continue
        if step.kind == "archive":
            # The archive still holds members whose files were removed afterwards.
            held.update(step.inputs)
        kept.append(step)
    unique: list[BuildStep] = []
    seen: set[object] = set()
    for step in kept:
        key = (step.argv, step.cwd) if step.kind == "archive" else step.outputs
        if key not in seen:
            seen.add(key)
            unique.append(step)
    unique.reverse()
    archived = {path for step in unique if step.kind == "archive" for path in step.inputs}
    return BuildGraph(tuple(unique), frozenset(path for path in archived if path not in tree.files))


def _has_outputs_and_sources(step: BuildStep, tree: Tree, moved_or_archived: set[str]) -> bool:
    has_outputs = all(output in tree.files or output in moved_or_archived for output in step.outputs)
    return has_outputs and all(s in tree.files or s.startswith("/") for s in step.sources)


def _make_steps(calls: Iterable[RecordedCall], tree: Tree) -> Iterator[BuildStep]:
    archived: dict[str, dict[str, str]] = {}
    for call in calls:
        kind = classify_tool(call.argv[0])
        if kind in ("compiler", "ld"):
            yield from _make_compiler_steps(call, tree)
        elif kind == "copy":
            yield from _make_copy_steps(call, tree)
        else:
            yield from _make_archive_steps(call, tree, archived)


def _replace_root_in_call(tree: Tree, argv: Sequence[str], cwd: str) -> ArgvAndCwd:
    folder = tree.make_relative(cwd, "/")
    return tuple(tree.replace_root_path(word) for word in argv), folder


def _make_compiler_steps(call: RecordedCall, tree: Tree) -> Iterator[BuildStep]:
    parsed = parse_compiler(call.argv)
    if parsed.mode in ("info", "depend") or "-" in parsed.sources:
        return
    if parsed.mode == "link":
        sources = tuple(tree.make_relative(source, call.cwd) for source in parsed.sources)
        output = tree.make_relative(parsed.output or "a.out", call.cwd)
        argv, cwd = _replace_root_in_call(tree, call.argv, call.cwd)
        yield BuildStep("link", argv, cwd, (output,), sources, _find_link_inputs(parsed, call.cwd, tree), sources)
        return
    if parsed.mode == "preprocess" and parsed.output is None:
        return
    for source in parsed.sources:
        output = tree.make_relative(parsed.output_of(source), call.cwd)
        relative = tree.make_relative(source, call.cwd)
        others = [other for other in parsed.sources if other != source]
        argv, cwd = _replace_root_in_call(tree, [word for word in call.argv if word not in others], call.cwd)
        yield BuildStep("compile", argv, cwd, (output,), (relative,), (), (relative,))


def _find_link_inputs(call: CompilerCall, cwd: str, tree: Tree) -> tuple[str, ...]:
    """The files of the tree that the linker reads, as far as the command line shows."""
    folders = [tree.make_relative(arg.value, cwd) for arg in call.args if arg.option == "-L"]
    found: dict[str, None] = {}
    # A driver hands `-static` to the linker before all libraries, wherever it stands.
    static = any(arg.option in ("-static", "-static-pie") for arg in call.args)
    for arg in call.args:
        static = _LIBRARY_MODES.get(arg.option.removeprefix("-Wl,"), static)
        if arg.option == "-l":
            shared = [] if static else [f"lib{arg.value}.so"]
            names = [arg.value[1:]] if arg.value.startswith(":") else [*shared, f"lib{arg.value}.a"]
            spots = (posixpath.join(folder, name) for folder in folders for name in names)
            named = [at for at in (tree.make_relative(spot, tree.roots[0]) for spot in spots) if at in tree.files]
            found.update(dict.fromkeys(named[:1]))
            continue
        words = arg.words[0].split(",")[1:] if arg.option.startswith("-Wl,") else [arg.value]
        if arg.option in ("", "-T", "-Xlinker", "--version-script") or arg.option.startswith("-Wl,"):
            for word in words:
                for part in (word, word.partition("=")[2]):
                    path = tree.make_relative(part, cwd) if part else ""
                    if path in tree.files and part not in call.sources:
                        found[path] = None
    return tuple(found)


def _make_archive_steps(call: RecordedCall, tree: Tree, archived: dict[str, dict[str, str]]) -> Iterator[BuildStep]:
    """`archived`: archive -> each member's name and the file it was made of, as far as the calls before this show."""
    parsed = parse_archive_change_or_extraction(call.argv)
    if parsed is None:
        return
    archive = tree.make_relative(parsed.archive, call.cwd)
    if parsed.operation == "x":
        # libtool extracts its convenience libraries to make one static library, and removes what it extracted.
        for name, file in archived.get(archive, {}).items():
            if name in parsed.members or not parsed.members:
                member = tree.make_relative(name, call.cwd)
                copied = ("install", "-D", f"{ROOT}/{file}", f"{ROOT}/{member}")
                yield BuildStep("copy", copied, ".", (member,), (), (file,))
        return
    members = tuple(tree.make_relative(member, call.cwd) for member in parsed.members)
    archived.setdefault(archive, {}).update({posixpath.basename(member): member for member in members})
    argv, cwd = _replace_root_in_call(tree, call.argv, call.cwd)
    yield BuildStep("archive", argv, cwd, (archive,), (), members)


def _make_copy_steps(call: RecordedCall, tree: Tree) -> Iterator[BuildStep]:
    operands = parse_copy_operands(call.argv)
    if operands is None:
        return
    sources, destination = operands.sources, tree.make_relative(operands.destination, call.cwd)
    is_symbolic = any(word.startswith("-") and "s" in word for word in call.argv[1:])
    if posixpath.basename(call.argv[0]) == "ln" and is_symbolic:
        return
    for word in sources:
        source, target = tree.make_relative(word, call.cwd), destination
        if destination in tree.folders:
            target = posixpath.normpath(posixpath.join(destination, posixpath.basename(word)))
        others = [other for other in sources if other != word]
        argv, cwd = _replace_root_in_call(tree, [word for word in call.argv if word not in others], call.cwd)
        if posixpath.basename(argv[0]) == "ln":
            # In the replay the destination exists already.
            argv = (argv[0], "-f", *argv[1:])
        yield BuildStep("copy", argv, cwd, (target,), (), (source,))
