"""Functions that a struct's field is assigned: what a call through the field may reach. They are found in the text:
`.f = g`, `x->f = g`, and initializers of globals, which are matched with the fields by their order. The function whose
body holds an assignment is its witness: hiding the body hides the assignment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from index.callgraph.resolution.calls import FieldAssignment
from index.callgraph.resolution.declared_types import Types
from index.callgraph.resolution.names import Names
from index.cpp.type_text import split_at_outer_commas
from index.values import SymbolKind

_ASSIGNED = re.compile(r"(?:\.|->)\s*([A-Za-z_]\w*)\s*=\s*&?\s*([A-Za-z_]\w*)\s*(?=[;,}\n])")
_NAME = re.compile(r"&?\s*(?:\([\w\s*]+\)\s*)?([A-Za-z_]\w*)")
_LONGEST_INITIALIZER = 200_000
_MOST_FUNCTIONS_PER_NAME = 2
"""So many functions that one name means are counted as assigned."""


def find_functions_assigned_to_fields(names: Names, types: Types, file: int, text: str) -> list[FieldAssignment]:
    """What a file, which was entered, assigns to fields, in order, each once. `text` has a character a byte."""
    found: dict[FieldAssignment, None] = {}
    if "=" in text:
        for match in _ASSIGNED.finditer(text):
            if names[match[2]].free and names[match[1]].fields:
                witness = names.find_enclosing_function_id_or_minus_one(file, match.start())
                _add_assignments_of_free_functions(names, found, match[1], match[2], file, witness)
    for row in names.rows_in(file, SymbolKind.GLOBAL):
        initializer = text[row.start : min(row.end, row.start + _LONGEST_INITIALIZER)]
        if "{" not in initializer:
            continue
        kind = types.read_declared_type(row.signature, row.name)
        if kind is not None and (ordered := names.field_names(types.resolve_aliases(kind).base)):
            for name, function in _match_positional_initializers(initializer, ordered):
                if names[function].free:
                    _add_assignments_of_free_functions(names, found, name, function, file, -1)
    return list(found)


def _add_assignments_of_free_functions(
    names: Names, found: dict[FieldAssignment, None], field: str, function: str, file: int, witness: int
) -> None:
    rows = names[function].free
    own = [r for r in rows if r.file == file]
    fitting = own or [r for r in rows if not names.is_static_outside_headers(r) or names.visible[r.file]]
    for row in fitting[:_MOST_FUNCTIONS_PER_NAME]:
        found[FieldAssignment(field, row.id, witness)] = None


_FieldAndValueName = tuple[str, str]


def _match_positional_initializers(text: str, fields: Sequence[str]) -> Iterator[_FieldAndValueName]:
    """(field, name) of an initializer's elements that are names. A list of lists is an array of structs."""
    opening = text.find("{")
    if opening < 0:
        return
    pending = [text[opening + 1 : text.rfind("}")]]
    while pending:
        parts = [p.strip() for p in split_at_outer_commas(pending.pop())]
        for i, part in enumerate(parts):
            if part.startswith("{"):
                pending.append(part[1 : part.rfind("}")])
            elif i < len(fields) and (match := _NAME.fullmatch(part)):
                yield fields[i], match[1]
