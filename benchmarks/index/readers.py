"""Two processes ask an index while a third updates it: each answer must be that of one state.

    python -m benchmarks.index.readers redis bullet3 openssl TREE... [--updates 12] [--edit 20]

Each tree is copied and indexed. Then its files are edited `--updates` times, `--edit` of them at a time, drawn at
random: lines are put before all else, so that everything moves, functions that call others of the tree are added,
and twelve files name a chain of functions anew, each calling the next. After each edit one process updates the
index. Meanwhile two others open it, ask a few questions drawn at random, and open it again: symbols of a name,
their text, callers, callees, text search, the whole chain. Hidden views, rankers and vectors aren't asked.

The process that updates asks every question itself when it has finished: these are a state's answers. An index says
which state it is of (`build`, a hash over the sources), so each answer of the readers is held against that state's.
"stale" are those that end in the error `changed since`, for texts and graphs come from sources that have gone on. At
the end the index and all answers are compared with a fresh one's. Exit status 1 for an answer that is no state's,
any other error, or a difference at the end.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.index.kills import content
from executor.cache import cache_root
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout, mirror_from_env
from experiments.consoles import log_to_stderr, say
from index.build import build_index
from index.errors import StaleIndexError
from index.repo_index import RepoIndex, open_index
from index.values import Entry, SymbolKind
from retrieval.text.lexical import LexicalRetriever

log = logging.getLogger(__name__)

CHAIN = 12
"""Functions that each state names anew, in as many files."""
NAMES = 40
"""Functions of the tree that are asked for."""
AT_ONCE = 6
"""Questions to an index before it is opened again, at most."""
BETWEEN = 4
"""Answers of each reader between two updates, at least."""
PATIENCE_S = 300.0
STALE_MESSAGE = "changed since"
KINDS = ("named", "show", "callers", "callees", "search")


class Question(NamedTuple):
    """`what` is a name, or the words of a search."""

    kind: str
    what: str


class Answer(NamedTuple):
    """What a reader got: the state, the question's number, a hash of the answer or an error's text,
    and when (time.time)."""

    build: str
    question: int
    digest: str
    error: str
    at: float


class Row(NamedTuple):
    """What came of one tree."""

    answers: int
    during: int
    states: int
    stale: int
    wrong: int
    failed: int
    same: bool


def answer(index: RepoIndex, question: Question) -> str:
    """All that an index says, without row ids: they differ from build to build."""
    if question.kind == "search":
        hits = LexicalRetriever(index).search(None, question.what, 10)
        return repr(
            [(hit.symbol.path, hit.symbol.span, hit.symbol.qualified_name, round(hit.score, 3)) for hit in hits]
        )
    if question.kind == "chain":
        found = [e for name in _chain_names(index) for e in index.entries_named(name)]
        states = {e.symbol.name.rpartition("_")[0] for e in found}
        if len(states) != 1 or len(found) != CHAIN:
            return f"MIXED {sorted(e.symbol.name for e in found)}"
        return repr([(e.symbol.name, _called(index, e)) for e in found])
    entries = index.entries_named(question.what)
    if question.kind == "named":
        return repr([(e.symbol.kind.value, e.symbol.path, e.symbol.span, e.symbol.signature) for e in entries])
    if question.kind == "show":
        return repr([index.read(e.symbol.path)[e.symbol.start_byte : e.symbol.end_byte] for e in entries])
    functions = [e for e in entries if e.symbol.kind is SymbolKind.FUNCTION]
    graph = index.graph
    related = []
    for function in functions:
        ids = graph.callers(function.id) if question.kind == "callers" else graph.callees(function.id)
        others = index.entries_by_id(ids.tolist())
        related.append([(o.symbol.path, o.symbol.span, o.symbol.qualified_name) for o in others])
    return repr(related)


def _chain_names(index: RepoIndex) -> list[str]:
    return [name for name in index.qualified_names() if name.startswith("graft_state_")]


def _called(index: RepoIndex, entry: Entry) -> list[str]:
    return [e.symbol.name for e in index.entries_by_id(index.graph.callees(entry.id).tolist())]


def digest_of(text: str) -> str:
    return text[:200] if text.startswith("MIXED") else hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def read_until_stopped(folder: Path, root: Path, questions: Path, seed: int, out: Path) -> None:
    """What a reader does: a line of JSON for each answer."""
    asked = [Question(*pair) for pair in json.loads(questions.read_text())]
    chance = random.Random(seed)
    with out.open("w") as stream:
        while not (folder / "stop").exists():
            for answer in _session(folder, root, asked, chance):
                stream.write(json.dumps(answer) + "\n")
                stream.flush()


def _session(folder: Path, root: Path, asked: Sequence[Question], chance: random.Random) -> Iterator[Answer]:
    build = ""
    number = -1
    try:
        index = open_index(folder, root)
        build = index.build
        for _ in range(chance.randint(1, AT_ONCE)):
            number = chance.randrange(len(asked))
            digest = error = ""
            try:
                digest = digest_of(answer(index, asked[number]))
            except StaleIndexError as stale:
                error = str(stale)
            yield Answer(build, number, digest, error, time.time())
        index.close()
    except Exception as failure:  # any is a finding
        yield Answer(build, number, "", f"{type(failure).__name__}: {failure}", time.time())


class Editor:
    """Edits a tree at random, from one state to the next. The texts of before are kept: each edit starts there."""

    def __init__(self, root: Path, paths: Sequence[str], names: Sequence[str], seed: int) -> None:
        self._root = root
        self._paths = paths
        self._names = names
        self._chance = random.Random(seed)
        self._state = 0
        self._chain = self._chance.sample(paths, CHAIN)
        self._was = {path: (root / path).read_bytes() for path in self._chain}

    def edit(self, count: int) -> None:
        """Bring the tree to the next state."""
        self._state += 1
        k = self._state
        for i, path in enumerate(self._chain):
            after = (i + 1) % CHAIN
            made = f"\nint graft_state_{k}_{i:02}(int a) {{ return graft_state_{k}_{after:02}(a); }}\n"
            (self._root / path).write_bytes(self._moved() + self._was[path] + made.encode())
        for j, path in enumerate(self._chance.sample(self._paths, count)):
            if path in self._was:
                continue
            data = (self._root / path).read_bytes()
            called = self._chance.choice(self._names)
            made = f"\nint graft_more_{k}_{j}(int a) {{ return {called}(a); }}\n"
            (self._root / path).write_bytes(self._moved() + data + made.encode())

    def _moved(self) -> bytes:
        return b"/* moved */\n" * self._chance.randint(0, 3)


def trial(tree: str, updates: int, edited: int, scratch: Path) -> Row:
    """All of one tree."""
    if tree in recipe_names():
        source = checkout(find_recipe(tree), mirror_from_env(), cache_root()).root
    else:
        source = Path(tree).resolve()
    root, folder = scratch / "tree", scratch / "index"
    shutil.copytree(source, root, symlinks=True)
    build_index(root, folder, workers=1)
    index = open_index(folder, root)
    chance = random.Random(1)
    own = sorted({e.symbol.name for e in index.functions if e.symbol.name.isidentifier()})
    names = chance.sample(own, NAMES)
    paths = sorted(path for path, file in index.files.items() if not file.reason and file.first_symbol >= 0)
    index.close()
    asked = [Question(kind, name.replace("_", " ") if kind == "search" else name) for name in names for kind in KINDS]
    asked += [Question("chain", "")] * NAMES
    (scratch / "questions").write_text(json.dumps(asked))
    editor = Editor(root, paths, names, 2)
    editor.edit(edited)
    build_index(root, folder, workers=1)
    states = dict([_answers(folder, root, asked)])
    outs = [scratch / f"answers-{i}" for i in range(2)]
    argv = [sys.executable, "-m", "benchmarks.index.readers", "--reader"]
    readers = [
        subprocess.Popen([*argv, str(folder), str(root), str(scratch / "questions"), str(i), str(out)])
        for i, out in enumerate(outs)
    ]
    windows = []
    try:
        for _ in range(updates):
            began = time.time()
            editor.edit(edited)
            build_index(root, folder, workers=1)
            windows.append((began, time.time()))
            states |= dict([_answers(folder, root, asked)])
            _wait(outs, readers)
    finally:
        (folder / "stop").touch()
        for reader in readers:
            reader.wait()
    fresh = scratch / "fresh"
    build_index(root, fresh, workers=1)
    same = (
        content(folder, root) == content(fresh, root)
        and _answers(fresh, root, asked)[1:] == _answers(folder, root, asked)[1:]
    )
    got = [Answer(*json.loads(line)) for out in outs for line in out.read_text().splitlines()]
    return judged(got, states, windows, same)


def judged(
    got: Sequence[Answer], states: dict[str, list[str]], windows: Sequence[tuple[float, float]], same: bool
) -> Row:
    """The answers held against the states."""
    stale = [a for a in got if STALE_MESSAGE in a.error]
    failed = [a for a in got if a.error and STALE_MESSAGE not in a.error]
    answered = [a for a in got if not a.error]
    wrong = [a for a in answered if a.build not in states or states[a.build][a.question] != a.digest]
    for text, count in Counter(a.error or f"{a.question}: {a.digest}" for a in (*failed, *wrong)).most_common(10):
        log.info(f"{count} x {text}")
    during = sum(any(began <= a.at <= ended for began, ended in windows) for a in answered)
    return Row(len(answered), during, len({a.build for a in answered}), len(stale), len(wrong), len(failed), same)


def _answers(folder: Path, root: Path, asked: Sequence[Question]) -> tuple[str, list[str]]:
    index = open_index(folder, root)
    found = {question: digest_of(answer(index, question)) for question in dict.fromkeys(asked)}
    index.close()
    return index.build, [found[question] for question in asked]


def _wait(outs: Sequence[Path], readers: Sequence[subprocess.Popen[bytes]]) -> None:
    """Until each reader has answered a few times more."""
    wanted = [_lines(out) + BETWEEN for out in outs]
    ends = time.monotonic() + PATIENCE_S
    while any(_lines(out) < count for out, count in zip(outs, wanted, strict=True)):
        if time.monotonic() > ends or any(reader.poll() is not None for reader in readers):
            raise SystemExit("a reader stands still")
        time.sleep(0.05)


def _lines(out: Path) -> int:
    return out.read_bytes().count(b"\n") if out.exists() else 0


def main() -> None:
    if sys.argv[1:2] == ["--reader"]:
        folder, root, questions, seed, out = sys.argv[2:]
        read_until_stopped(Path(folder), Path(root), Path(questions), int(seed), Path(out))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", help="names of recipes, or paths")
    parser.add_argument("--updates", type=int, default=12)
    parser.add_argument("--edit", type=int, default=20, help="files edited before each update, besides the chain's")
    args = parser.parse_args()
    say(
        "| tree | updates | answers | while an update ran | states | stale | no state's answer | other errors |"
        " at the end |"
    )
    say("| --- |" + " --- |" * 8)
    sound = True
    for tree in args.trees:
        with tempfile.TemporaryDirectory() as scratch:
            row = trial(tree, args.updates, args.edit, Path(scratch))
        sound = sound and row.same and not row.wrong and not row.failed
        say(
            f"| {Path(tree).name} | {args.updates} | {row.answers} | {row.during} | {row.states} | {row.stale} |"
            f" {row.wrong} | {row.failed} | {'equal' if row.same else 'DIFFERS'} |"
        )
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    log_to_stderr()
    main()
