"""What a repository defines, read from its sources once: against this a candidate's calls are held."""

from __future__ import annotations

import json
import logging
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

import re2
from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file
from executor.grading.code_words import Words, read_code_words
from executor.grading.flags import find_flags
from executor.grading.library_functions import CORE, can_reach_outside_process
from executor.values import Known
from index.errors import OUT_OF_STOCK
from index.symbols.source_files import find_source_paths, read_source_or_skip_reason
from index.values import Span

log = logging.getLogger(__name__)

# Raised when the names are read otherwise: they are then read again.
FORMAT = 3
# A path of these words is test code, whose functions are no part of an answer.
_TEST_PATH = re.compile(
    r"(?:^|[/_.-])(?:g?tests?|unit_?tests?|testing|testutils?|testsuite)(?:[/_.-]|$)", re.IGNORECASE
)
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".def", ".in")
# A name before parameters and a body. Linear in the file, and good enough: `if (x) {` gives a keyword, which no
# candidate is asked about.
_DEFINED = re2.compile(
    rb"([A-Za-z_]\w*)\s*\((?:[^;{}()]|\((?:[^;{}()]|\([^;{}()]*\))*\))*\)\s*(?:const|noexcept|override|final|[A-Z_]+|\s)*"
    rb"(?::[^;{}]*)?\{"
)
_BLOCKS = frozenset(b"if for while switch catch else return sizeof defined do".split())
_NOT_CODE = re.compile(rb'//[^\n]*+|/\*.*?\*/|"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)*+\'', re.DOTALL)
_CALLED = re.compile(rb"\b([A-Za-z_]\w*+)[ \t]*+\(")
_TYPES = re.compile(
    rb"#[ \t]*define[ \t]+(\w++)"
    rb"|\b(?:class|struct|union|enum)[ \t]+(?:(?:class|struct)[ \t]+)?(?:[A-Z_]++[ \t]+)?(\w++)"
    rb"|\}[ \t\n]*(\w++)[ \t]*;|\busing[ \t]+(\w++)[ \t]*=|\bnamespace[ \t]+(\w++)"
    rb"|\btypedef\b[^;{}()\n]*(?:[ \t*](\w++)[ \t]*;|\([ \t]*\*[ \t]*(\w++))"
)
_WORD = re.compile(r"[^\W\d]\w*")
_ADDRESS = re.compile(r"&[^\W\d]\w*")
_MEMBER = re.compile(r"([^\W\d]\w*)\s*(?:\.|->)\s*([^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class RepositoryNames:
    """`names`: functions, macros and types that are defined outside test code. `leads`: those of the functions that
    call something of `CORE`, themselves or by one other function, and what."""

    names: frozenset[str]
    leads: Mapping[str, str]


@lru_cache(maxsize=8)
def load_repository_names(root: Path) -> RepositoryNames:
    """The names of the tree at `root`, which never changes: they are kept beside it. A file that can't be read has
    none. Raises OSError when this machine is out of file handles or the like."""
    kept = root.with_name(f"{root.name}.names-{FORMAT}.json")
    try:
        return TypeAdapter(RepositoryNames).validate_json(kept.read_bytes())
    except (OSError, ValidationError):
        found = _read_repository_names(root)
    try:
        record = {"names": sorted(found.names), "leads": dict(sorted(found.leads.items()))}
        replace_file(kept, json.dumps(record).encode())
    except OSError as error:
        log.debug(f"{kept}: not kept: {error}")
    return found


def extract_gold_text(data: bytes, span: Span) -> str:
    """The text at `span` of a file with this content, as flags read it."""
    return "\n".join(data.decode("utf-8", "replace").split("\n")[span.first - 1 : span.last])


def recognise_names_by_tree_and_gold(
    root: Path, gold_path: str, file_data: bytes, gold_span: Span, judged_code: str
) -> Known:
    """What the tree at `root` and the gold, which stands at `gold_span` of its file, say of the names in
    `judged_code`."""
    text = file_data.decode("utf-8", "replace")
    gold = extract_gold_text(file_data, gold_span)
    names = load_repository_names(root)
    of_file = _read_code_words_of_file(text)
    called = of_file.called | of_file.members
    own = read_code_words(gold)
    of_gold = own.called | own.named
    mentioned = _find_names_addresses_and_member_paths(text)
    # In C a member that is called is a pointer. In C++ nearly each is a method.
    is_c = gold_path.endswith(".c")

    def find_known_names_and_dangerous_leads(candidate: str) -> tuple[tuple[str, ...], dict[str, str]]:
        words = set(_WORD.findall(candidate))
        read = read_code_words(candidate)
        members = frozenset() if is_c else read.members
        fine = {
            word
            for word in words
            if word in of_gold
            or word in members
            or (
                not can_reach_outside_process(word)
                and (word in called or (word in names.names and word not in names.leads))
            )
        }
        leads = {word: names.leads[word] for word in words - fine if word in names.leads}
        beside = {name for name in read.scopes | read.conditions if name in mentioned}
        return tuple(sorted(fine | beside | (read.written & mentioned))), leads

    marks = find_flags(
        gold, Known(*find_known_names_and_dangerous_leads(gold), writes=True, lasting=True, defines=True)
    )
    return Known(*find_known_names_and_dangerous_leads(judged_code), marks, writes=True, lasting=True, defines=True)


# Several texts are asked about for the same file, one after the other, and in some threads at once.
@lru_cache(maxsize=16)
def _read_code_words_of_file(text: str) -> Words:
    return read_code_words(text)


@lru_cache(maxsize=16)
def _find_names_addresses_and_member_paths(text: str) -> frozenset[str]:
    """The names in a file, the addresses `&name`, and the paths `name.member`."""
    members = (f"{owner}.{member}" for owner, member in _MEMBER.findall(text))
    return frozenset((*_WORD.findall(text), *_ADDRESS.findall(text), *members))


def _read_repository_names(root: Path) -> RepositoryNames:
    names: set[bytes] = set()
    calls: dict[bytes, set[bytes]] = {}
    for path in find_source_paths(root):
        if _TEST_PATH.search(path):
            continue
        try:
            data, reason = read_source_or_skip_reason(str(root), path)
        except OSError as error:
            if error.errno in OUT_OF_STOCK:
                # What is kept would lack the file's names for good.
                raise
            continue
        if reason:
            continue
        data = _NOT_CODE.sub(b" ", data)
        if PurePosixPath(path).suffix in _HEADERS:
            # What a header declares may be made by a macro elsewhere.
            names.update(_CALLED.findall(data))
        names.update(name for groups in _TYPES.findall(data) for name in groups if name)
        _add_functions_and_their_calls(data, names, calls)
    leads = _map_near_callers_to_dangerous_function(calls)
    found = frozenset(name.decode() for name in names)
    return RepositoryNames(found, {name.decode(): core.decode() for name, core in leads.items()})


def _add_functions_and_their_calls(data: bytes, names: set[bytes], calls: dict[bytes, set[bytes]]) -> None:
    found = [match for match in _DEFINED.finditer(data) if match[1] not in _BLOCKS]
    ends = [*(match.start() for match in found[1:]), len(data)]
    for match, end in zip(found, ends, strict=False):
        names.add(match[1])
        calls.setdefault(match[1], set()).update(_CALLED.findall(data, match.end(), end))


def _map_near_callers_to_dangerous_function(calls: Mapping[bytes, set[bytes]]) -> dict[bytes, bytes]:
    core = {name.encode() for name in CORE} | {b"_exit", b"_Exit"}
    leads: dict[bytes, bytes] = {}
    callers: dict[bytes, list[bytes]] = {}
    for name, called in calls.items():
        for other in called:
            callers.setdefault(other, []).append(name)
    waiting = deque((name, name, 0) for name in sorted(core))
    while waiting:
        name, reached, steps = waiting.popleft()
        for caller in callers.get(name, ()) if steps < 2 else ():
            if caller not in leads and caller not in core:
                leads[caller] = reached
                waiting.append((caller, reached, steps + 1))
    return leads
