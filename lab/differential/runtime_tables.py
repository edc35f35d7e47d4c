"""The C text of a shape, for the runtime."""

from __future__ import annotations

import json
from collections.abc import Sequence

from executor.function.definition import read_code_tokens
from lab.differential.c_unit import has_static_constant
from lab.differential.dwarf_shapes import Shape


def write_runtime_tables(
    shape: Shape, arguments: Sequence[str], bodies: Sequence[str], budget_s: float, constants: int = 0
) -> str:
    """The runtime's file tables.c; `arguments` are the parameters' names, `bodies` the gold and the candidates.
    `budget_s`: CPU seconds for the forks of all processes; half as many more go to changed states. `constants`: how
    many the unit gives."""
    words = {piece.text for body in bodies for piece in read_code_tokens(body)}
    own_constants = any(map(has_static_constant, bodies))
    fields: list[str] = []
    types: list[str] = []
    for found in shape.types:
        count = len(found.fields) if found.kind == "STRUCT" else found.count
        types.append(f"{{{found.kind}, {found.size}, {found.target}, {count}, {len(fields)}}},")
        fields += [
            f"{{{_quote_word(f.name)}, {f.offset}, {f.type}, {f.bits}, {f.shift}, {int(f.name in words)}}},"
            for f in found.fields
        ]
    taken = [f"{{{_quote_word(name)}, {kind}, 1}}," for name, kind in zip(arguments, shape.arguments, strict=True)]
    variables = [f"{{{_quote_word(name)}, {kind}, {int(name in words)}}}," for name, kind in shape.variables]
    callees = [f"{{{_quote_word(c.name)}, {_quote_word(c.taken)}, {int(c.is_void)}}}," for c in shape.callees]
    result = -1 if shape.result is None else shape.result
    return "\n".join(
        [
            '#include "graft.h"',
            *_write_array("struct type", "types", types, "{OPAQUE, 0, -1, 0, 0}"),
            *_write_array("struct field", "fields", fields, '{"", 0, 0, 0, 0, 0}'),
            *_write_array("struct named", "arguments", taken, '{"", 0, 0}'),
            *_write_array("struct named", "globals", variables, '{"", 0, 0}'),
            *_write_array("struct callee", "callees", callees, '{"", "", 0}'),
            f"const int NAMED(argument_count) = {len(taken)}, NAMED(global_count) = {len(variables)};",
            f"const int NAMED(result_type) = {result}, NAMED(candidate_count) = {len(bodies) - 1};",
            f"const long NAMED(most_microseconds) = {int(budget_s * 1e6)};",
            f"const int NAMED(own_constants) = {int(own_constants)}, NAMED(constant_count) = {constants};",
            "",
        ]
    )


def _write_array(kind: str, name: str, rows: Sequence[str], last: str) -> list[str]:
    return [f"const {kind} NAMED({name})[] = {{", *rows, last, "};"]


def _quote_word(word: str) -> str:
    return json.dumps(word)
