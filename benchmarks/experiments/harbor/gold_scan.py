"""Whether an agent's image holds the hidden body: every file of each is searched for runs of its text and of its
machine code, and for symbols of its name and compiled size.

    python -m benchmarks.record benchmarks/records/harbor_scan.json -- \\
        python -m benchmarks.experiments.harbor.gold_scan --work DIR

Tasks are those that `trials.py` exported below DIR. White space and comments don't count in text. A run is sought
where it stands nowhere else in the sources, in the built tree or in the base of the image, which holds no repository:
what other functions say too gives nothing away. Objects in archives are read one by one. Images are read from the
engine's layers, as root. Exit status 1 where something is found.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import re2
from elftools.elf.elffile import ELFFile

from benchmarks.experiments.harbor.commands import export_repository
from executor.cache import cache_root
from executor.values import Task
from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks
from index.cpp.body_offset import find_body_offset

# A run of text has so many characters, one of code so many bytes; one begins at each STEP-th.
_TEXT_RUN, _TEXT_STEP = 48, 8
_CODE_RUN, _CODE_STEP = 32, 4
_LEAST_TEXT = 16
_SPACE = b" \t\r\n\v\f"
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.S)
_BASE = "graft-base:bookworm"


@dataclass(frozen=True, slots=True)
class Secret:
    """What gives a task's bodies away: runs of text without white space, runs of code, and (symbol, size)."""

    text: frozenset[bytes]
    code: frozenset[bytes]
    symbols: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Search:
    """Secrets as patterns; None for one that nothing matches."""

    text: Any
    code: Any
    symbols: frozenset[tuple[str, int]]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--repos", default="example,redis")
    args = parser.parse_args()
    rows = [scan_repository(repo, export_repository(repo, args.work)) for repo in args.repos.split(",")]
    sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    return int(any(row["hits"] for row in rows))


def scan_repository(repo: str, folder: Path) -> dict[str, object]:
    """The sums of one repository's tasks, and each hit as task, path and kind."""
    files = [tomllib.loads(path.read_text()) for path in sorted(folder.glob("*/task.toml"))]
    images = {file["metadata"]["graft_task"]: file["environment"]["docker_image"] for file in files}
    config = RunConfig(dataset=files[0]["metadata"]["graft_dataset"], model="gold", tasks=tuple(images))
    bound = read_tasks(config, cache_root())
    with mount_image(f"graft/warm:{files[0]['metadata']['graft_image']}") as warm:
        built = [each for path in list_files(warm / "graft" / "src") for each in split_objects(path.read_bytes())]
    root = bound.sources[repo].tree.root
    sources = {str(path.relative_to(root)): path.read_bytes() for path in list_files(root) if ".git" not in path.parts}
    functions = [found for each in built for found in read_functions(each)]
    secrets = {task.id: make_secret(task, sources, built, functions) for task in bound.tasks}
    hits: list[tuple[str, str, str]] = []
    count = size = 0
    with mount_image(_BASE) as base:
        known = {path.relative_to(base): _identify(path) for path in list_files(base)}
        secrets = drop_known_runs(secrets, (base / path for path in known))
        for task_id, secret in secrets.items():
            search = compile_search([secret])
            with mount_image(images[task_id]) as tree:
                for path in list_files(tree):
                    if known.get(path.relative_to(tree)) == _identify(path):
                        continue
                    data = path.read_bytes()
                    count, size = count + 1, size + len(data)
                    hits += [(task_id, str(path.relative_to(tree)), kind) for kind in find_secret(search, data)]
            sys.stderr.write(f"{repo} {task_id}: {count} files, {len(hits)} hits\n")
    blind = sum(not secret.text and not secret.code for secret in secrets.values())
    return {
        "repository": repo,
        "tasks": len(secrets),
        "files": count,
        "mb": round(size / 1e6),
        "runs of text": sum(len(secret.text) for secret in secrets.values()),
        "runs of code": sum(len(secret.code) for secret in secrets.values()),
        "symbols": sum(len(secret.symbols) for secret in secrets.values()),
        "tasks without a run": blind,
        "hits": hits,
    }


def make_secret(
    task: Task, sources: Mapping[str, bytes], built: Sequence[bytes], functions: Sequence[tuple[str, bytes]]
) -> Secret:
    """What to look for: of the task's bodies what no other place of the sources or the built tree holds."""
    text: set[bytes] = set()
    bodies: set[bytes] = set()
    symbols: set[tuple[str, int]] = set()
    rest = dict(sources)
    for hole in task.target.holes:
        lines = rest[hole.path].split(b"\n")
        lines[hole.span.first - 1 : hole.span.last] = [b""] * (hole.span.last - hole.span.first + 1)
        rest[hole.path] = b"\n".join(lines)
    for hole, gold in zip(task.target.holes, task.golds, strict=True):
        body = gold[find_body_offset(gold) or 0 :].encode("utf-8", "surrogateescape")
        flat = _COMMENT.sub(b"", body).translate(None, _SPACE)
        text |= cut_runs(flat, _TEXT_RUN, _TEXT_STEP) if len(flat) >= _LEAST_TEXT else set()
        name = hole.name.rpartition("::")[2]
        for symbol, code in functions:
            if is_symbol_of(symbol, name):
                symbols.add((symbol, len(code)))
                bodies.add(code)
    for data in rest.values():
        text = {run for run in text if run not in data.translate(None, _SPACE)} if text else text
    code_runs = {run for body in bodies if len(body) >= _CODE_RUN for run in cut_runs(body, _CODE_RUN, _CODE_STEP)}
    for each in built if code_runs else ():
        left = each
        for body in bodies:
            left = left.replace(body, b"")
        code_runs = {run for run in code_runs if run not in left}
    return Secret(frozenset(text), frozenset(code_runs), frozenset(symbols))


def drop_known_runs(secrets: Mapping[str, Secret], files: Iterable[Path]) -> dict[str, Secret]:
    """The secrets without the runs that stand in one of the files."""
    every = compile_search(secrets.values())
    text = {run for secret in secrets.values() for run in secret.text}
    code = {run for secret in secrets.values() for run in secret.code}
    for path in files:
        data = path.read_bytes()
        kinds = set(find_secret(every, data))
        if "text" in kinds:
            flat = data.translate(None, _SPACE)
            text = {run for run in text if run not in flat}
        if "code" in kinds:
            code = {run for run in code if run not in data}
    return {
        name: replace(secret, text=secret.text & text, code=secret.code & code) for name, secret in secrets.items()
    }


def find_secret(search: Search, data: bytes) -> Iterator[str]:
    """The kinds in which a file gives bodies away: text, code, symbol."""
    if search.text and search.text.search(data.translate(None, _SPACE)):
        yield "text"
    if search.code and search.code.search(data):
        yield "code"
    if search.symbols and any(not search.symbols.isdisjoint(read_symbols(each)) for each in split_objects(data)):
        yield "symbol"


def compile_search(secrets: Iterable[Secret]) -> Search:
    """One search for all that the secrets hold."""
    found = list(secrets)
    text, code = {run for secret in found for run in secret.text}, {run for secret in found for run in secret.code}
    return Search(_join_runs(text), _join_runs(code), frozenset(pair for secret in found for pair in secret.symbols))


def _join_runs(runs: Set[bytes]) -> Any:
    """A pattern for any of the runs; None for none."""
    options = re2.Options()
    # A byte is a letter; the automaton of many runs is larger than what re2 allows by itself.
    options.encoding, options.max_mem = re2.Options.Encoding.LATIN1, 1 << 30
    return re2.compile(b"|".join(map(re2.escape, sorted(runs))), options) if runs else None


def cut_runs(data: bytes, length: int, step: int) -> set[bytes]:
    """The runs of this length; data that is shorter is one."""
    return {data[at : at + length] for at in range(0, max(1, len(data) - length + 1), step)}


def split_objects(data: bytes) -> Iterator[bytes]:
    """The ELF objects in a file: itself, or an archive's members."""
    if data.startswith(b"\x7fELF"):
        yield data
    if not data.startswith(b"!<arch>\n"):
        return
    at = 8
    while at + 60 <= len(data):
        size = int(data[at + 48 : at + 58])
        if data[at + 60 : at + 64] == b"\x7fELF":
            yield data[at + 60 : at + 60 + size]
        at += 60 + size + size % 2


def read_symbols(data: bytes) -> Iterator[tuple[str, int]]:
    """Name and size of each function of an ELF object that has a table of symbols."""
    yield from ((name, len(code)) for name, code in read_functions(data))


def read_functions(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The symbol and the code of each function of an ELF object."""
    elf = ELFFile(io.BytesIO(data))
    table = elf.get_section_by_name(".symtab")
    sections: dict[int, tuple[int, bytes]] = {}
    for symbol in table.iter_symbols() if table else ():
        number = symbol["st_shndx"]
        if symbol["st_info"]["type"] != "STT_FUNC" or not isinstance(number, int):
            continue
        if number not in sections:
            section = elf.get_section(number)
            sections[number] = (0 if elf["e_type"] == "ET_REL" else section["sh_addr"], section.data())
        start, code = sections[number]
        at = symbol["st_value"] - start
        yield symbol.name, code[at : at + symbol["st_size"]]


def is_symbol_of(symbol: str, name: str) -> bool:
    """Whether a symbol is that of a function: the name itself, or C++'s spelling with the length before it."""
    return symbol == name or re.search(rf"(?<!\d){len(name)}{re.escape(name)}", symbol) is not None


def list_files(root: Path) -> Iterator[Path]:
    """All regular files below a folder."""
    return (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())


def _identify(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


@contextmanager
def mount_image(name: str) -> Iterator[Path]:
    """The image's tree, read-only, from the engine's layers. Raises CalledProcessError without an image of the name,
    or without the rights."""
    asked = ["docker", "image", "inspect", name, "--format", "{{json .GraphDriver.Data}}"]
    layers = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    folders = [layers["UpperDir"], *filter(None, layers.get("LowerDir", "").split(":"))]
    with TemporaryDirectory() as place:
        if len(folders) == 1:
            argv = ["mount", "--bind", "-o", "ro", folders[0], place]
        else:
            argv = ["mount", "-t", "overlay", "-o", f"ro,lowerdir={':'.join(folders)}", "overlay", place]
        subprocess.run(argv, check=True)
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", place], check=True)


if __name__ == "__main__":
    sys.exit(main())
