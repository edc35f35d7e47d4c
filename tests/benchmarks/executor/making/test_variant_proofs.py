"""Prevents: a table of variants that calls one proved that isn't, or shows figures where nothing was run, and a
record that forgets what another machine's cache held."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.executor.making.variant_proofs import add_earlier_rows, build_rows
from benchmarks.tables import render_cells
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec


def _record(style: str, proof: Proof | None) -> VariantRecord:
    spec = VariantSpec(style, 2)  # type: ignore[arg-type]
    return VariantRecord("redis", spec, "c", "o", {"a": "b"}, {"c": "why"}, {}, "d", 200, 190, proof)


def test_a_row_for_each_variant() -> None:
    shown = Proof(
        "bwrap",
        "k",
        "2026-11-22",
        2,
        46,
        46,
        900,
        67,
        67,
        3,
        48,
        48,
        20,
        20,
        {"map": 20.4, "tree": 5.0, "build and suites": 225.4, "build": 139},
    )
    failed = Proof("bwrap", "k", "2026-11-22", suites=1, suites_tried=2, problems=("suite c: differs",))
    found = build_rows([_record("swapped", failed), _record("plausible", None), _record("nonsense", shown)])
    assert found[0] == (
        *("redis", "nonsense", "2", "1", "1", "95.0 % of 200", "25", "200", "139", "2", "46 of 46", "900"),
        *("67 of 67 (3 runs)", "48 of 48", "20 of 20", "yes", "2026-11-22"),
    )
    unproved = ("redis", "plausible", "2", "1", "1", "95.0 % of 200", *["-"] * 9, "no", "-")
    assert found[1] == unproved
    assert [row[1:3] + row[-2:-1] for row in found[2:]] == [("swapped", "2", "no")]


def test_an_earlier_records_rows_stay(tmp_path: Path) -> None:
    head = ["repository", "style", "seed", "proved"]
    record = tmp_path / "variants.json"
    rows_then = [("redis", "nonsense", "1", "no"), ("redis", "swapped", "1", "yes")]
    record.write_text(json.dumps({"result": render_cells(head, rows_then, left=2)}))
    found = add_earlier_rows([("redis", "nonsense", "1", "yes"), ("example", "nonsense", "1", "yes")], record)
    assert found == [("example", "nonsense", "1", "yes"), ("redis", "nonsense", "1", "yes"), rows_then[1]]
