"""Whether an agent's image holds the hidden body: every file of each is searched for runs of its text and of its
machine code, and for symbols of its name and compiled size.

    python -m benchmarks.record benchmarks/records/harbor_scan.json -- \\
        python -m benchmarks.experiments.harbor.gold_scan --work DIR

Tasks are those that `trials.py` exported below DIR. White space and comments don't count in text. A run is sought
where it stands nowhere else in the sources, in the built tree or in the base of the image, which holds no repository:
what other functions say too gives nothing away. Objects in archives are read one by one. Images are read from the
engine's layers, as root; a file of a layer that several images share is read once. That the search finds what is there
is shown by the image in which nothing is hidden. Exit status 1 where a body is found, or isn't found there.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from elftools.elf.elffile import ELFFile

from benchmarks.experiments.harbor.commands import REPOSITORIES, export_repository, read_exported_tasks
from benchmarks.experiments.harbor.run_search import RunSearch
from executor.cache import cache_root
from executor.values import Task
from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks
from index.cpp.body_offset import find_body_or_initializer_list_offset

# A run of text has so many characters, one of code so many bytes; one begins at each STEP-th.
_TEXT_RUN, _TEXT_STEP = 48, 8
_CODE_RUN, _CODE_STEP = 32, 4
_LEAST_TEXT = 16
_SPACE = b" \t\r\n\v\f"
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.S)
_BASE = "graft-base:bookworm"

Symbol = tuple[str, int]
Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Clues:
    """What gives bodies away, or what of that a file holds: runs of text without white space, runs of code, and
    symbols with their size."""

    text: Set[bytes] = frozenset()
    code: Set[bytes] = frozenset()
    symbols: Set[Symbol] = frozenset()

    def list_kinds(self, other: Clues) -> list[str]:
        """The kinds in which both have something."""
        pairs = {"text": (self.text, other.text), "code": (self.code, other.code)}
        pairs_of_symbols = self.symbols & other.symbols
        return [kind for kind, (mine, theirs) in pairs.items() if mine & theirs] + ["symbol"] * bool(pairs_of_symbols)


class Scanner:
    """Searches files for the clues of all tasks at once. `count` files were read."""

    def __init__(self, clues: Iterable[Clues]) -> None:
        every = list(clues)
        self._text = RunSearch(run for each in every for run in each.text)
        self._code = RunSearch(run for each in every for run in each.code)
        self._symbols = {symbol for each in every for symbol in each.symbols}
        self._known: dict[Key, Clues] = {}
        self.count = 0

    def search_file(self, path: Path, key: Key) -> Clues:
        """The clues in a file. One with a known key is that file again, in another image."""
        if key not in self._known:
            self._known[key] = self.search_data(path.read_bytes())
            self.count += 1
        return self._known[key]

    def search_data(self, data: bytes) -> Clues:
        """The clues in a file's content."""
        objects = split_objects(data) if self._symbols else ()
        symbols = {(name, len(code)) for each in objects for name, code in read_functions(each)}
        text = self._text.count_runs(data.translate(None, _SPACE))
        return Clues(text.keys(), self._code.count_runs(data).keys(), symbols & self._symbols)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    args = parser.parse_args()
    rows = [scan_repository(repo, export_repository(repo, args.work)) for repo in REPOSITORIES]
    sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    return int(any(row["hits"] or row["found in the unhidden tree"] != row["tasks"] for row in rows))


def scan_repository(repo: str, folder: Path) -> dict[str, object]:
    """The sums of one repository's tasks, and each hit as task, path and kind."""
    files = read_exported_tasks(folder)
    images = {file["metadata"]["graft_task"]: file["environment"]["docker_image"] for file in files}
    config = RunConfig(dataset=files[0]["metadata"]["graft_dataset"], model="gold", tasks=tuple(images))
    bound = read_tasks(config, cache_root())
    unhidden = f"graft/warm:{files[0]['metadata']['graft_image']}"
    with mount_image(unhidden) as warm:
        built = [each for path, _ in list_files(warm / "graft" / "src") for each in split_objects(path.read_bytes())]
    root = bound.sources[repo].tree.root
    sources = [path.read_bytes() for path, _ in list_files(root) if ".git" not in path.parts]
    clues = make_clues(bound.tasks, sources, list(dict.fromkeys(built)))
    hits: list[tuple[str, str, str]] = []
    with mount_image(_BASE) as base:
        known = {key: path for path, key in list_files(base)}
        clues = drop_known_runs(clues, known)
        scanner = Scanner(clues.values())
        for task_id, own in clues.items():
            with mount_image(images[task_id]) as tree:
                for path, key in list_files(tree):
                    if key not in known:
                        found = own.list_kinds(scanner.search_file(path, key))
                        hits += [(task_id, str(path.relative_to(tree)), kind) for kind in found]
            sys.stderr.write(f"{repo} {task_id}: {scanner.count} files read, {len(hits)} hits\n")
        with mount_image(unhidden) as warm:
            found_there = [scanner.search_file(path, key) for path, key in list_files(warm) if key not in known]
    return {
        "repository": repo,
        "tasks": len(clues),
        "found in the unhidden tree": sum(any(map(own.list_kinds, found_there)) for own in clues.values()),
        "tasks without a run": sum(not own.text and not own.code for own in clues.values()),
        "hits": hits,
    }


def make_clues(tasks: Sequence[Task], sources: Sequence[bytes], built: Sequence[bytes]) -> dict[str, Clues]:
    """By task, what to look for: of its bodies what no other place of the sources or of the built objects holds."""
    functions = [found for each in built for found in read_functions(each)]
    shown = demangle_symbols(sorted({symbol for symbol, _ in functions}))
    bodies: dict[str, set[bytes]] = {}
    made: dict[str, Clues] = {}
    for task in tasks:
        names = [hole.name for hole in task.target.holes]
        wanted = {symbol for symbol, text in shown.items() if any(is_function(text, name) for name in names)}
        own = {(symbol, code) for symbol, code in functions if symbol in wanted}
        bodies[task.id] = {code for _, code in own if len(code) >= _CODE_RUN}
        code = {run for body in bodies[task.id] for run in cut_runs(body, _CODE_RUN, _CODE_STEP)}
        text: set[bytes] = set()
        for gold in task.golds:
            flat = _COMMENT.sub(b"", encode_body(gold)).translate(None, _SPACE)
            text |= cut_runs(flat, _TEXT_RUN, _TEXT_STEP) if len(flat) >= _LEAST_TEXT else set()
        made[task.id] = Clues(text, code, {(symbol, len(code)) for symbol, code in own})
    text_search = RunSearch(run for own in made.values() for run in own.text)
    code_search = RunSearch(run for own in made.values() for run in own.code)
    in_text = count_in_all(text_search, (data.translate(None, _SPACE) for data in sources))
    in_code = count_in_all(code_search, built)
    for task in tasks:
        own_text = count_in_all(text_search, (encode_body(gold).translate(None, _SPACE) for gold in task.golds))
        own_code: Counter[bytes] = Counter()
        for body in bodies[task.id]:
            copies = sum(each.count(body) for each in built)
            own_code.update({run: n * copies for run, n in code_search.count_runs(body).items()})
        found = made[task.id]
        made[task.id] = Clues(
            {run for run in found.text if in_text[run] <= own_text[run] and text_search.seeks(run)},
            {run for run in found.code if in_code[run] <= own_code[run] and code_search.seeks(run)},
            found.symbols,
        )
    return made


def encode_body(gold: str) -> bytes:
    """A function's body, as it stands in its file."""
    return gold[find_body_or_initializer_list_offset(gold) or 0 :].encode("utf-8", "surrogateescape")


def count_in_all(search: RunSearch, every: Iterable[bytes]) -> Counter[bytes]:
    """At how many places of all data each run begins."""
    found: Counter[bytes] = Counter()
    for data in every:
        found.update(search.count_runs(data))
    return found


def drop_known_runs(clues: Mapping[str, Clues], files: Mapping[Key, Path]) -> dict[str, Clues]:
    """The clues without the runs that stand in one of the files."""
    scanner = Scanner([Clues(own.text, own.code) for own in clues.values()])
    text: set[bytes] = set()
    code: set[bytes] = set()
    for key, path in files.items():
        found = scanner.search_file(path, key)
        text |= found.text
        code |= found.code
    return {name: Clues(own.text - text, own.code - code, own.symbols) for name, own in clues.items()}


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


def read_functions(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The symbol and the code of each function of an ELF object that has a table of symbols."""
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


def demangle_symbols(symbols: Sequence[str]) -> dict[str, str]:
    """How C++ spells each; what isn't C++'s stays."""
    done = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True, check=True)
    return dict(zip(symbols, done.stdout.split("\n"), strict=True))


def is_function(demangled: str, name: str) -> bool:
    """Whether a symbol is that of the function or of a part of it (`name.cold`), and not of one that merely has it in
    its arguments."""
    text = demangled.replace("(anonymous namespace)::", "")
    if "(" not in text:
        return text.partition(".")[0] == name
    return re.match(rf"(?:[^(]*[ :])?{re.escape(name)}(?:<[^(]*>)?\(", text) is not None


def list_files(root: Path) -> Iterator[tuple[Path, Key]]:
    """All regular files below a folder. Of a mounted image the key is that of the file in its layer: images that share
    the layer have the same one."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for path in (Path(folder, name) for name in sorted(names)):
            found = path.lstat()
            if stat.S_ISREG(found.st_mode):
                yield path, (found.st_ino, found.st_size, found.st_mtime_ns)


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
