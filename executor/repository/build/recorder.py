"""Records the commands of a repository's own build, whatever its build system, while the warm image is made.

`install_recording_wrappers` puts wrappers of the compilers, archivers and copiers first in PATH. Each call writes one
file and then runs the real tool. `take_recorded_graph` turns the files into a BuildGraph. Calls by absolute path and
the work of other programs (code generators, `cmake -E copy`) aren't recorded: docs/decisions/relinking.md."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from executor.repository.build.command_line import PLAIN_ASSEMBLY, may_inline, parse_compiler, strip_call_to_front_end
from executor.repository.build.graph import (
    GRAFT_FOLDER,
    ROOT,
    BuildGraph,
    BuildStep,
    sort_steps_into_reproducible_order,
)
from executor.repository.build.steps import RecordedCall, Tree, make_build_graph_of_surviving_outputs
from executor.sandbox.contract import Builder, Command, CommandLimits, ExecResult
from index.errors import RecipeError

BIN = f"{GRAFT_FOLDER}/bin"
RECORD = f"{GRAFT_FOLDER}/record"
WORK = f"{GRAFT_FOLDER}/work"

_NAMES = (
    "cc gcc g++ c++ clang clang++ ar ranlib ld gcc-ar gcc-ranlib llvm-ar llvm-ranlib ld.bfd ld.gold ld.lld "
    "cp mv ln install"
)
_PATTERNS = "gcc-[0-9]* g++-[0-9]* clang-[0-9]* clang++-[0-9]* *-linux-gnu-gcc *-linux-gnu-g++ *-linux-gnu-ar"
_LIMITS = CommandLimits(wall_s=3600.0, memory_mb=8192, output_bytes=4 * 1024 * 1024)
_READ_LIMIT = 1024 * 1024 * 1024
_COUNT_DIGITS = 9

# A nested call (collect2's ld, a compiler that is a script) belongs to the outer call, so only that is recorded.
# A call that can't be recorded fails, because a lost step would silently leave a stale program.
_WRAPPER = r"""#!/bin/sh
if [ -n "$GRAFT_RECORD" ] && [ -z "$GRAFT_RECORDING" ]; then
  export GRAFT_RECORDING=1
  graft_file="$GRAFT_RECORD/$(date +%s%N).$$"
  printf '%s\0' graft1 "@REAL@" "$(pwd -P)" "$#" "$@" >"$graft_file" || exit 97
  for graft_arg in "$@"; do
    case $graft_arg in
      @*) if [ -f "${graft_arg#@}" ]; then printf '%s\0' "$(cat "${graft_arg#@}")" >>"$graft_file" || exit 97
          else printf '\0' >>"$graft_file" || exit 97; fi ;;
    esac
  done
fi
exec "@REAL@" "$@"
"""

_INSTALL = r"""
set -eu
mkdir -p "$1" "$2"
cd /
wrapper=$3
for name in $4 $5; do
  IFS=:
  for folder in $PATH; do
    unset IFS
    for real in "$folder"/$name; do
      [ -f "$real" ] && [ -x "$real" ] || continue
      made="$1/${real##*/}"
      [ -e "$made" ] || { printf '%s' "$wrapper" | sed "s|@REAL@|$real|g" >"$made"; chmod 755 "$made"; }
    done
  done
  unset IFS
done
printf '%s' "$PATH"
"""


def install_recording_wrappers(builder: Builder) -> Mapping[str, str]:
    """Put the wrappers into the builder's tree (`.graft/bin`) and return the environment to build with.

    The wrappers stay in the image, because build systems store the compilers' paths when they configure. Without
    GRAFT_RECORD they only pass calls on. Raises RecipeError when the wrappers can't be installed.
    """
    folders = (f"{builder.root}/{BIN}", f"{builder.root}/{RECORD}")
    result = builder.run(Command(("sh", "-c", _INSTALL, "sh", *folders, _WRAPPER, _NAMES, _PATTERNS)))
    if not result.ok:
        raise RecipeError(
            f"the build recorder can't be put into the tree: {_choose_first_output_line_or_ending(result)}"
        )
    path = result.output.decode("utf-8", "surrogateescape")
    return {"PATH": f"{builder.root}/{BIN}:{path}", "GRAFT_RECORD": f"{builder.root}/{RECORD}"}


def take_recorded_graph(builder: Builder, jobs: int = 2) -> BuildGraph:
    """The graph of all calls recorded since `install_recording_wrappers`. Removes the records.

    `jobs` preprocessors run at once, because each of LLVM's 3,000 units takes 0.1 to 0.3 s. Steps whose outputs are
    gone (configure's probes) are left out. Raises RecipeError when nothing was recorded or when a unit's dependencies
    can't be determined.
    """
    tree = _read_tree_listing(builder)
    calls = parse_records(_gather_records(builder))
    if not calls:
        raise RecipeError("the build called no compiler by way of PATH, so nothing was recorded")
    graph = make_build_graph_of_surviving_outputs(calls, tree)
    steps = _add_weak_and_local_symbols(builder, _add_dependencies(builder, graph.steps, tree, jobs), tree)
    _run_script(builder, f"rm -rf {RECORD} {WORK}", "remove the records")
    return replace(graph, steps=sort_steps_into_reproducible_order(steps))


def parse_records(data: bytes) -> list[RecordedCall]:
    """The calls in the concatenated record files, in order. Raises RecipeError when the data are damaged."""
    fields = data.decode("utf-8", "surrogateescape").split("\0")
    calls: list[RecordedCall] = []
    position = 0
    while position + 4 <= len(fields) - 1:
        mark, tool, cwd, count = fields[position : position + 4]
        damaged = RecipeError(f"the build's record is damaged at command {len(calls) + 1}")
        if mark != "graft1" or not (count.isascii() and count.isdigit()) or len(count) > _COUNT_DIGITS:
            raise damaged
        position += 4
        arguments = fields[position : position + int(count)]
        position += int(count)
        argv = [tool]
        for word in arguments:
            if word.startswith("@"):
                if position >= len(fields):
                    raise damaged
                text = fields[position]
                position += 1
                try:
                    argv.extend(shlex.split(text) if text else [word])
                except ValueError as error:
                    raise damaged from error
            else:
                argv.append(word)
        calls.append(RecordedCall(tuple(argv), cwd))
    return calls


def _run_script(builder: Builder, script: str, purpose: str) -> ExecResult:
    result = builder.run(Command(("sh", "-c", script), limits=_LIMITS))
    if not result.ok:
        raise RecipeError(f"the build recorder couldn't {purpose}: {_choose_first_output_line_or_ending(result)}")
    return result


def _choose_first_output_line_or_ending(result: ExecResult) -> str:
    return (result.text.strip() or result.ending).splitlines()[0]


def _gather_records(builder: Builder) -> bytes:
    _run_script(
        builder,
        f"mkdir -p {WORK} && cd {RECORD} && find . -type f | LC_ALL=C sort | xargs -r cat >../work/records",
        "gather its records",
    )
    return builder.read(f"{WORK}/records", _READ_LIMIT)


def _read_work_file(builder: Builder, name: str) -> str:
    return builder.read(f"{WORK}/{name}", _READ_LIMIT).decode("utf-8", "surrogateescape")


def _read_tree_listing(builder: Builder) -> Tree:
    # Links that lead nowhere are left out: `realpath -m` never ends at one that leads back to itself.
    _run_script(
        builder,
        f"""mkdir -p {WORK} && find . -path ./{GRAFT_FOLDER} -prune -o -type f -print0 >{WORK}/files
        find . -path ./{GRAFT_FOLDER} -prune -o -type d -print0 >{WORK}/folders
        find . -path ./{GRAFT_FOLDER} -prune -o -type l -print0 |
            xargs -0 -r sh -c 'for link; do [ ! -e "$link" ] || printf "%s\\0" "$link"; done' sh >{WORK}/links
        pwd -P >{WORK}/targets && xargs -0 -r realpath -m <{WORK}/links >>{WORK}/targets""",
        "list the tree",
    )

    def read_path_list(name: str) -> list[str]:
        return [posixpath.normpath(path) for path in _read_work_file(builder, name).split("\0")[:-1]]

    real, *targets = _read_work_file(builder, "targets").splitlines()
    links = {
        link: target[len(real) + 1 :]
        for link, target in zip(read_path_list("links"), targets, strict=True)
        if target.startswith(real + "/")
    }
    roots = tuple(sorted({builder.root.rstrip("/"), real}, key=len, reverse=True))
    return Tree(roots, frozenset(read_path_list("files")), links, frozenset(read_path_list("folders")))


def _add_dependencies(builder: Builder, steps: Sequence[BuildStep], tree: Tree, jobs: int) -> tuple[BuildStep, ...]:
    """The steps, each compilation with the files that its preprocessor reads, listed by `-M` with the step's flags."""
    compiled = [
        number
        for number, step in enumerate(steps)
        if step.sources and posixpath.splitext(step.sources[0])[1] not in PLAIN_ASSEMBLY
    ]
    for shard in range(jobs):
        lines = [
            _make_dependency_listing_shell_line(number, steps[number], builder.root)
            for number in compiled[shard::jobs]
        ]
        builder.write(f"{WORK}/depends{shard}.sh", "".join(lines).encode("utf-8", "surrogateescape"))
    parts = [f"sh {WORK}/depends{shard}.sh >{WORK}/depends{shard} 2>&1" for shard in range(jobs)]
    _run_script(builder, " & ".join(parts) + " & wait", "list what each unit includes")
    found: dict[int, tuple[str, ...]] = {}
    for shard in range(jobs):
        for block in _read_work_file(builder, f"depends{shard}").split("\n#graft-begin ")[1:]:
            head, _, rest = block.partition("\n")
            body, _, status = rest.rpartition("\n#graft-end ")
            step = steps[int(head)]
            if status.split()[:1] != ["0"]:
                error = next((line for line in body.splitlines() if "error" in line), body.strip()[:200])
                raise RecipeError(f"{step.title}: its dependencies can't be listed: {error}")
            cwd = posixpath.join(builder.root, step.cwd)
            paths = {tree.make_relative(path, cwd) for path in parse_make_rule_prerequisites(body)}
            inside = sorted(path for path in paths if path in tree.files)
            found[int(head)] = tuple(dict.fromkeys((*step.sources, *inside)))
    if len(found) != len(compiled):
        raise RecipeError("the build recorder couldn't list what each unit includes: the run was cut short")
    return tuple(
        replace(step, depends=found[number]) if number in found else step for number, step in enumerate(steps)
    )


def _add_weak_and_local_symbols(builder: Builder, steps: Sequence[BuildStep], tree: Tree) -> tuple[BuildStep, ...]:
    """The steps, each object that was compiled without inlining with the identifiers of its weak and local symbols. A
    unit without the symbol of a template or static function needn't be compiled again when that function changes."""
    objects = {
        step.outputs[0]: number
        for number, step in enumerate(steps)
        if step.kind == "compile" and not may_inline(step.argv)
        if step.outputs[0].endswith(".o") and step.outputs[0] in tree.files
    }
    if not objects:
        return tuple(steps)
    builder.write(f"{WORK}/objects", "".join(f"{path}\0" for path in objects).encode("utf-8", "surrogateescape"))
    script = f"xargs -0 -n 64 nm -A -C --defined-only <{WORK}/objects >{WORK}/symbols"
    _run_script(builder, script, "list the objects' symbols")
    found: dict[str, set[str]] = {path: set() for path in objects}
    listed = _read_work_file(builder, "symbols")
    for path, name in re.findall(r"^(.*?):[0-9a-f]+ [wWvVtu] (.*)$", listed, re.MULTILINE):
        if path in found:
            found[path].update(re.findall(r"[A-Za-z_]\w*", name))
    emits = {objects[path]: frozenset(names) for path, names in found.items()}
    return tuple(replace(step, emits=emits[number]) if number in emits else step for number, step in enumerate(steps))


def _make_dependency_listing_shell_line(number: int, step: BuildStep, root: str) -> str:
    call = parse_compiler(tuple(word.replace(ROOT, root) for word in step.argv))
    sources = [source for source in call.sources if posixpath.splitext(source)[1] not in PLAIN_ASSEMBLY]
    argv = shlex.join(strip_call_to_front_end(call, sources, "-M", "-w"))
    folder = shlex.quote(posixpath.join(root, step.cwd))
    return f"printf '\\n#graft-begin {number}\\n'; (cd {folder} && {argv}); printf '\\n#graft-end %s\\n' $?\n"


def parse_make_rule_prerequisites(text: str) -> list[str]:
    """The prerequisites of the rules that a compiler writes with -M, unescaped."""
    found: list[str] = []
    for rule in text.replace("\\\n", " ").splitlines():
        _, colon, prerequisites = rule.partition(": ")
        if colon:
            words = re.findall(r"(?:\\.|[^\s\\])+", prerequisites)
            found.extend(re.sub(r"\\([ #\\:])", r"\1", word).replace("$$", "$") for word in words)
    return found
