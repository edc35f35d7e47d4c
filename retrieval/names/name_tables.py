"""What each function's body names, and where each name is declared: arrays over an index, mapped from disk.

Rows are those of `retrieval.structure.tables.rank_tables`. A *use* is a name and how a body uses it: `2 * name`, or
`2 * name + 1` behind `.` or `->`. Only `uses` depends on what bodies hold, and it is read row by row: a hidden row is
left out by whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.cpp.declarators import unqualified_name
from index.repo_index import RepoIndex
from index.values import SymbolKind
from retrieval.structure.tables.compressed_lists import (
    Floats,
    Lists,
    Rows,
    group_by_key,
    invert_lists,
    make_lists,
    sum_by_row,
)
from retrieval.structure.tables.vocabulary import Hashes, number_words, number_words_in_columns, split_name_into_stems
from retrieval.text.terms import split_raw_words

TABLES_FOLDER = "name-tables-3"
"""Name of the arrays in the index's folder. It changes with what is in them."""
KINDS = tuple(SymbolKind)
"""A kind's number is its place."""

_QUIET = re.compile(
    rb"""/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'|^[ \t]*#(?:[^\\\n]|\\.)*+""",
    re.DOTALL | re.MULTILINE,
)
"""Comments, strings, characters and directives: a name in them isn't used."""
_USE = re.compile(rb"(\.|->)?\s*\b([A-Za-z_]\w*)")
_DECLARED = re.compile(
    rb"(?:(?:^|[;{}(,])\s*(?:const\s+|static\s+|struct\s+|union\s+|enum\s+|unsigned\s+|for\s*\(\s*)*[A-Za-z_][\w:<>]*\s*"
    rb"\*[\s*]*(?:const\s+)?|\b(?!(?:return|else|goto|case|delete|throw|new|sizeof|struct|union|enum)\b)[A-Za-z_]\w*[\s]+)"
    rb"([A-Za-z_]\w*)\s*(?=[=;,\[)])"
)
"""A variable's declaration: `type *name` at a statement's start, or `type name`."""
_PARAMETER = re.compile(rb"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?=[,)])")


class NameTables(NamedTuple):
    """Arrays over names unless a field says otherwise."""

    names: Hashes
    """Hashes of the names, sorted."""
    uses: Lists
    """Over rows: the uses in its body, each once; its own variables are left out."""
    frequency: Rows
    """Over uses: the number of functions that have it."""
    declared: Lists
    """The declarations of each name, as places in the next four."""
    symbol: Rows
    """Over declarations: the symbol's id."""
    name_of: Rows
    """Over declarations: the name."""
    kind: npt.NDArray[np.int8]
    """Over declarations: its place in `KINDS`."""
    file: Rows
    """Over declarations: the file's number."""
    declared_in: Lists
    """Over files: the declarations in it."""
    owner: Rows
    """Over declarations: the name of the type that has the field or enumerator, -1 without one."""
    members: Lists
    """Over names of types: the declarations of its fields and enumerators."""
    typed: Lists
    """Over declarations of fields, variables and functions: the types in its signature, as names."""
    parts: Lists
    """The numbers of the stems of its words."""
    stems: Hashes
    by_stem: Lists
    """Over stems: the names with it."""
    rarity: Floats
    """Over stems."""
    whole: Floats
    """The sum of the rarities of its words."""
    family: Rows
    """A number that names share whose words but the last are the same, -1 for names of one word."""
    by_family: Lists


def open_or_make_name_tables(index: RepoIndex) -> NameTables:
    """The tables of an index, made once for each build of it (seconds) and kept in its folder."""
    return index.load_or_make_columns(TABLES_FOLDER, NameTables, lambda _: make_name_tables(index))


class _Declared(NamedTuple):
    """What is kept of a declaration: an index may have millions."""

    name: str
    symbol: int
    kind: int
    file: int
    owner: str
    signature: str


def make_name_tables(index: RepoIndex) -> NameTables:
    declared = list(_read_every_symbol_as_declaration(index))
    names, number = number_words(each.name for each in declared)
    by_bytes = {name.encode("utf-8", "replace"): at for name, at in number.items()}
    uses = make_lists(_list_nonlocal_name_uses_by_function(index, by_bytes))
    named = np.array([number[each.name] for each in declared], dtype=np.int32)
    spelled = [""] * len(number)
    for name, at in number.items():
        spelled[at] = name
    words = number_words_in_columns({"parts": map(split_name_into_stems, spelled)})
    parts = words.lists["parts"]
    by_stem = invert_lists(parts, len(words.vocabulary))
    rarity = np.log(1.0 + len(number) / (1.0 + by_stem.measure_lengths()))
    file = np.array([each.file for each in declared], dtype=np.int32)
    family = _number_prefixes_without_last_word(spelled)
    owner = np.array([number.get(each.owner, -1) if each.owner else -1 for each in declared], dtype=np.int32)
    types = {each.name.encode("utf-8", "replace") for each in declared if KINDS[each.kind] is SymbolKind.TYPE}
    return NameTables(
        names=names,
        uses=uses,
        frequency=np.bincount(uses.flat, minlength=2 * len(number)).astype(np.int32),
        declared=group_by_key(named, len(number)),
        symbol=np.array([each.symbol for each in declared], dtype=np.int32),
        name_of=named,
        kind=np.array([each.kind for each in declared], dtype=np.int8),
        file=file,
        declared_in=group_by_key(file, len(index.source_files)),
        owner=owner,
        members=group_by_key(owner, len(number)),
        typed=make_lists(_list_types_in_signature(each, by_bytes, types) for each in declared),
        parts=parts,
        stems=words.vocabulary,
        by_stem=by_stem,
        rarity=rarity,
        whole=sum_by_row(np.repeat(np.arange(len(number)), parts.measure_lengths()), rarity[parts.flat], len(number))
        + 1e-9,
        family=family,
        by_family=group_by_key(family, int(family.max(initial=-1)) + 1),
    )


def _read_every_symbol_as_declaration(index: RepoIndex) -> Iterable[_Declared]:
    for number, file in enumerate(index.source_files):
        for entry in index.entries_in_file(file.path):
            symbol = entry.symbol
            inner = symbol.kind in (SymbolKind.FIELD, SymbolKind.ENUMERATOR)
            owner = unqualified_name(symbol.qualified_name.rpartition("::")[0]) if inner else ""
            typed = symbol.kind not in (SymbolKind.MACRO, SymbolKind.TYPE, SymbolKind.ENUMERATOR)
            signature = symbol.signature if typed else ""
            yield _Declared(symbol.name, entry.id, KINDS.index(symbol.kind), number, owner, signature)


def _list_nonlocal_name_uses_by_function(index: RepoIndex, number: Mapping[bytes, int]) -> Iterable[list[int]]:
    """For each function the uses in its body."""
    for entry in index.functions:
        if entry.body < 0:
            yield []
            continue
        symbol = entry.symbol
        text = _QUIET.sub(b" ", index.read_file(symbol.path)[entry.body : symbol.end_byte])
        own = {name for name in _DECLARED.findall(text) if name in number}
        own.update(_PARAMETER.findall(symbol.signature.encode("utf-8", "replace")))
        found: dict[int, None] = {}
        for before, word in _USE.findall(text):
            at = number.get(word)
            if at is not None and (before or word not in own):
                found[2 * at + bool(before)] = None
        yield list(found)


def _list_types_in_signature(declared: _Declared, number: Mapping[bytes, int], types: set[bytes]) -> list[int]:
    """The types that the signature names, as names."""
    own = declared.name.encode("utf-8", "replace")
    words = dict.fromkeys(split_raw_words(declared.signature.encode("utf-8", "replace")))
    return [number[word] for word in words if word in types and word != own]


def _number_prefixes_without_last_word(names: Sequence[str]) -> Rows:
    known: dict[str, int] = {}
    stems = (name.rstrip("_").rpartition("_")[0] for name in names)
    return np.array([known.setdefault(stem, len(known)) if stem else -1 for stem in stems], dtype=np.int32)
