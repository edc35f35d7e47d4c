"""The C text of a shape, for the runtime."""

from __future__ import annotations

import json
from collections.abc import Sequence

from executor.differential.shapes import Shape


def tables(
    shape: Shape, arguments: Sequence[str], candidates: int, budget_s: float, *, own_constants: bool = False
) -> str:
    """The runtime's file tables.c; `arguments` are the parameters' names. `budget_s`: CPU seconds for the forks of all
    processes; half as many more go to changed states. `own_constants`: a body has a static constant of its own."""
    fields: list[str] = []
    types: list[str] = []
    for found in shape.types:
        count = len(found.fields) if found.kind == "STRUCT" else found.count
        types.append(f"{{{found.kind}, {found.size}, {found.target}, {count}, {len(fields)}}},")
        fields += [f"{{{_text(f.name)}, {f.offset}, {f.type}, {f.bits}, {f.shift}}}," for f in found.fields]
    taken = [f"{{{_text(name)}, {kind}}}," for name, kind in zip(arguments, shape.arguments, strict=True)]
    variables = [f"{{{_text(name)}, {kind}}}," for name, kind in shape.variables]
    result = -1 if shape.result is None else shape.result
    return "\n".join(
        [
            '#include "graft.h"',
            *_array("struct type", "types", types, "{OPAQUE, 0, -1, 0, 0}"),
            *_array("struct field", "fields", fields, '{"", 0, 0, 0, 0}'),
            *_array("struct named", "arguments", taken, '{"", 0}'),
            *_array("struct named", "globals", variables, '{"", 0}'),
            f"const int NAMED(argument_count) = {len(taken)}, NAMED(global_count) = {len(variables)};",
            f"const int NAMED(result_type) = {result}, NAMED(candidate_count) = {candidates};",
            f"const long NAMED(most_microseconds) = {int(budget_s * 1e6)};",
            f"const int NAMED(own_constants) = {int(own_constants)};",
            "",
        ]
    )


def _array(kind: str, name: str, rows: Sequence[str], last: str) -> list[str]:
    return [f"const {kind} NAMED({name})[] = {{", *rows, last, "};"]


def _text(word: str) -> str:
    return json.dumps(word)
