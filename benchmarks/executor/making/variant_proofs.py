"""What was shown of the variants in the cache: a row for each whose map `graft variants make` made.

    python -m benchmarks.record benchmarks/records/variants.json --text -- \\
        python -m benchmarks.executor.making.variant_proofs benchmarks/records/variants.json

The file is an earlier record: its rows stay, but for the variants that the cache has. `tried on` is the day of the
proof.

`map and tree` are the wall seconds to make them, every round of mending included; `image` those of its builds and
suites, `build` those of the final build from nothing, on the same machine. `golds` pass each run, `stubs` fail,
`doctor's` are tasks whose examination on the original was tried again and agrees. A variant that couldn't be built has
its map alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.tables import Column, read_tables, render_cells
from executor.cache import cache_root
from executor.manifest.variant.values import STYLES, Proof, VariantRecord
from lab.variants.commands import list_variants

KEY_COLUMNS = 3  # repository, style and seed


def show_proof(write: Callable[[Proof], object]) -> Callable[[VariantRecord], object]:
    """What a column shows of a variant's proof; nothing where it has none."""
    return lambda record: None if record.proof is None else write(record.proof)


def sum_making_seconds(proof: Proof) -> float:
    return proof.seconds.get("map", 0.0) + proof.seconds.get("tree", 0.0)


def write_image_seconds(proof: Proof) -> str:
    return f"{max(0.0, proof.seconds.get('build and suites', 0.0) - sum_making_seconds(proof)):.0f}"


def write_style(record: VariantRecord) -> str:
    return record.spec.style + ", files" * record.spec.files + ", locals" * record.spec.locals


def write_strength(record: VariantRecord) -> str | None:
    return (
        None
        if record.renamed_share_of_gold_identifiers is None
        else f"{100 * record.renamed_share_of_gold_identifiers:.1f} % of {record.used:,}"
    )


COLUMNS = (
    Column("repository", lambda record: record.repo),
    Column("style", write_style),
    Column("seed", lambda record: record.spec.seed),
    Column("renamed", lambda record: len(record.names), ","),
    Column("stay", lambda record: len(record.kept), ","),
    Column("of the golds' names", write_strength),
    Column("map and tree, s", show_proof(lambda proof: f"{sum_making_seconds(proof):.0f}")),
    Column("image, s", show_proof(write_image_seconds)),
    Column("build, s", show_proof(lambda proof: f"{proof.seconds.get('build', 0.0):.0f}")),
    Column("rounds", show_proof(lambda proof: proof.rounds)),
    Column("suites", show_proof(lambda proof: f"{proof.suites} of {proof.suites_tried}")),
    Column("tests", show_proof(lambda proof: proof.tests)),
    Column("golds", show_proof(lambda proof: f"{proof.golds} of {proof.golds_tried} ({proof.gold_runs} runs)")),
    Column("stubs", show_proof(lambda proof: f"{proof.stubs} of {proof.stubs_tried}")),
    Column("doctor's", show_proof(lambda proof: f"{proof.reruns} of {proof.reruns_tried}")),
    Column(
        "proved",
        lambda record: "yes" if record.proof is not None and record.proof.has_tried_suites_without_problems else "no",
    ),
    Column("tried on", show_proof(lambda proof: proof.date)),
)


def build_rows(records: Sequence[VariantRecord]) -> list[tuple[str, ...]]:
    """The cells, by repository, style and seed."""
    ordered = sorted(records, key=lambda record: (record.repo, STYLES.index(record.spec.style), record.spec.seed))
    return [tuple(column.write_cell(record) for column in COLUMNS) for record in ordered]


def add_earlier_rows(found: Sequence[tuple[str, ...]], record: Path) -> list[tuple[str, ...]]:
    """The rows, and those of an earlier record's table for variants that aren't among them."""
    known = {row[:KEY_COLUMNS] for row in found}
    earlier = read_tables(json.loads(record.read_text(encoding="utf-8"))["result"])[0].rows
    rows = [*found, *(row for row in earlier if row[:KEY_COLUMNS] not in known)]
    return sorted(rows, key=lambda row: row[:KEY_COLUMNS])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("earlier", type=Path, help="an earlier record, whose rows stay")
    rows = add_earlier_rows(build_rows(list_variants(cache_root())), parser.parse_args().earlier)
    sys.stdout.write(render_cells([column.head for column in COLUMNS], rows, left=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
