"""Chooses the functions that may become tasks."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from executor.function.definition import split_definition
from executor.repository.build.graph import BuildGraph
from executor.tasks.task_row import TaskRow
from index.hiding.holes import Hole
from index.hiding.twins import find_twins
from index.repo_index import RepoIndex
from index.source_text import decode_source
from index.values import Entry, Target
from lab.making.functions.direct_calls import find_direct_calls
from lab.making.functions.doc_comments import read_doc_text
from lab.making.functions.function_groups import TaskCandidate, group_functions
from lab.making.settings import ChooseSettings
from lab.making.source.history import IsRecent

_TEST_FOLDERS = frozenset({
    "test", "tests", "testing", "t", "unittest", "unittests", "unit_tests", "gtest", "googletest", "testsuite",
    "check", "example", "examples", "demo", "demos", "sample", "samples", "bench", "benchmark", "benchmarks", "fuzz",
    "fuzzing", "fuzzer", "fuzzers", "third_party", "thirdparty", "3rdparty", "external", "extern", "vendor", "contrib",
    "doc", "docs",
})  # fmt: skip
_TEST_FILE = re.compile(
    r"^(?:tests?|test[-_].*|.*[-_](?:unit)?tests?|.*[a-z0-9](?:Unit)?Tests?|.*[-_]?fuzz(?:er)?|bench.*)$"
)
NO_COMMENT = "No comment in the repository: what it does follows from its name, its signature and its callers."


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates, the best spread first, and how many functions were left out for which reason."""

    candidates: tuple[TaskCandidate, ...]
    left_out: Mapping[str, int]


def choose_functions(
    index: RepoIndex, graph: BuildGraph, settings: ChooseSettings, repository: str, is_recent: IsRecent | None
) -> Choice:
    """All functions that fit the settings. `is_recent` tells those whose body changed since the day that the settings
    name; None where no day is named. Raises RecipeError where the history can't be read."""
    left_out: Counter[str] = Counter()
    compiled = {path for step in graph.steps for path in (*step.depends, *step.sources)}
    names = Counter((entry.symbol.path, entry.symbol.qualified_name) for entry in index.functions)
    # Overloads are functions of their own; two of one signature are what the preprocessor chooses from.
    counts = Counter(map(_make_overload_key, index.functions))
    found: list[TaskCandidate] = []
    for entry in index.functions:
        symbol = entry.symbol
        lines = symbol.span.last - symbol.span.first + 1
        doc = read_doc_text(entry, index)
        reason = ""
        if entry.body < 0 or symbol.name == "main":
            reason = "no body to write"
        elif is_test_code(symbol.path) or any(fnmatch.fnmatchcase(symbol.path, p) for p in settings.exclude):
            reason = "test code, examples or copies of other projects"
        elif symbol.path not in compiled:
            reason = "not compiled by this build"
        elif counts[_make_overload_key(entry)] > 1:
            reason = "defined twice in its file"
        elif not settings.lines[0] <= lines <= settings.lines[1]:
            reason = f"not of {settings.lines[0]} to {settings.lines[1]} lines"
        elif settings.documented and len(re.findall(r"[^\W\d_]{2,}", doc)) < settings.words:
            reason = "no comment"
        elif is_recent is not None and not is_recent(entry):
            reason = f"not changed since {settings.since}"
        else:
            is_overloaded = names[symbol.path, symbol.qualified_name] > 1
            candidate = _make_candidate(entry, doc or NO_COMMENT, index, repository, is_overloaded)
            reason = candidate if isinstance(candidate, str) else ""
            if not isinstance(candidate, str):
                found.append(candidate)
        if reason:
            left_out[reason] += 1
    spread = _spread_candidates(found)
    if settings.holes == (1, 1):
        return Choice(spread, dict(left_out.most_common()))
    together = tuple(group_functions(spread, index, settings.holes))
    alone = len(spread) - sum(len(candidate.row.rows_of_functions) for candidate in together)
    if alone:
        left_out[f"belongs to no group of {settings.holes[0]} functions"] = alone
    return Choice(together, dict(left_out.most_common()))


def is_test_code(path: str) -> bool:
    """Whether the file is a test, an example, a benchmark, or another project's copy, by its path."""
    place = PurePosixPath(path)
    return any(part.lower() in _TEST_FOLDERS for part in place.parts[:-1]) or _TEST_FILE.match(place.stem) is not None


def _make_overload_key(entry: Entry) -> tuple[str, str, str]:
    return entry.symbol.path, entry.symbol.qualified_name, re.sub(r"\s+", "", entry.symbol.signature)


def _make_candidate(
    entry: Entry, doc: str, index: RepoIndex, repository: str, is_overloaded: bool
) -> TaskCandidate | str:
    """The candidate, or why the function can't be one."""
    symbol = entry.symbol
    data = index.read_file(symbol.path)
    whole = decode_source(data[symbol.start_byte : symbol.end_byte])
    before = data[data.rfind(b"\n", 0, symbol.start_byte) + 1 : symbol.start_byte]
    after = data[symbol.end_byte : data.find(b"\n", symbol.end_byte) % (len(data) + 1)]
    if before.strip() or after.strip(b" \t\r;"):
        return "shares a line with other code"
    parts = split_definition(whole)
    if parts is None or not parts.body.strip("{} \t\r\n"):
        return "no body to write"
    target = Target(
        repository, symbol.path, symbol.span, symbol.qualified_name, symbol.signature, doc, symbol.language
    )
    if find_twins(index, target, data[entry.body : symbol.end_byte], Hole(entry.body, symbol.end_byte)):
        return "a near-copy of another function"
    calls = find_direct_calls(entry, index)
    row = TaskRow(
        id=_make_task_id(symbol.qualified_name, symbol.path, symbol.signature if is_overloaded else ""),
        repository=repository,
        path=symbol.path,
        first=symbol.span.first,
        code_length=symbol.span.last - symbol.span.first,
        name=symbol.qualified_name,
        docstring=doc,
        signature=parts.header.strip(),
        oracle=calls.items,
        dataset_gold=None,
        level=calls.level,
        dataset=repository,
        dataset_version="",
        language=symbol.language,
        origin=f"{symbol.path}:{symbol.span.first}",
    )
    return TaskCandidate(row, entry)


def _make_task_id(name: str, path: str, signature: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]+", ".", name).strip(".")[:60] or "function"
    return f"{plain}-{hashlib.sha256(f'{path}:{name}{signature}'.encode()).hexdigest()[:6]}"


def _spread_candidates(found: Sequence[TaskCandidate]) -> tuple[TaskCandidate, ...]:
    """In an order in which every beginning is spread over files and levels: in rounds, a file gives one function in
    each, and of its functions the level that has come least so far. Ties go by the digest of the id, not by name."""
    left: dict[str, list[TaskCandidate]] = {}
    for candidate in sorted(found, key=lambda c: hashlib.sha256(c.row.id.encode()).digest()):
        left.setdefault(candidate.row.path, []).append(candidate)
    levels: Counter[str] = Counter()
    order: list[TaskCandidate] = []
    while left:
        for path in sorted(left, key=lambda p: hashlib.sha256(p.encode()).digest()):
            best = min(left[path], key=lambda c: levels[c.row.level.value])
            left[path].remove(best)
            levels[best.row.level.value] += 1
            order.append(best)
            if not left[path]:
                del left[path]
    return tuple(order)
