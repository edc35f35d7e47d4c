"""What was shown of the variants in the cache: a row for each whose map `graft variants make` made.

    python -m benchmarks.record benchmarks/records/variants.json --text -- \\
        python -m benchmarks.executor.making.variants benchmarks/records/variants.json

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
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tables import read_tables, render_cells
from executor.cache import cache_root
from executor.manifest.variant.values import STYLES, Proof, VariantRecord
from lab.variants.making import all_variants

_HEAD = (
    *(
        "repository",
        "style",
        "seed",
        "renamed",
        "stay",
        "of the golds' names",
        "map and tree, s",
        "image, s",
        "build, s",
    ),
    *("rounds", "suites", "tests", "golds", "stubs", "doctor's", "proved", "tried on"),
)
_KEY = 3  # repository, style and seed


def rows(records: Sequence[VariantRecord]) -> list[list[str]]:
    """The cells, by repository, style and seed."""
    ordered = sorted(records, key=lambda record: (record.repo, STYLES.index(record.spec.style), record.spec.seed))
    return [_row(record) for record in ordered]


def _row(record: VariantRecord) -> list[str]:
    more = ", files" * record.spec.files + ", locals" * record.spec.locals
    cells = [
        record.repo,
        record.spec.style + more,
        str(record.spec.seed),
        f"{len(record.names):,}",
        f"{len(record.kept):,}",
        "-" if record.strength is None else f"{100 * record.strength:.1f} % of {record.used:,}",
    ]
    return cells + (
        ["-"] * (len(_HEAD) - len(cells) - 2) + ["no", "-"] if record.proof is None else _shown(record.proof)
    )


def _shown(proof: Proof) -> list[str]:
    """The cells of what was run."""
    made = proof.seconds.get("map", 0.0) + proof.seconds.get("tree", 0.0)
    return [
        f"{made:.0f}",
        f"{max(0.0, proof.seconds.get('build and suites', 0.0) - made):.0f}",
        f"{proof.seconds.get('build', 0.0):.0f}",
        str(proof.rounds),
        f"{proof.suites} of {proof.suites_tried}",
        str(proof.tests),
        f"{proof.golds} of {proof.golds_tried} ({proof.gold_runs} runs)",
        f"{proof.stubs} of {proof.stubs_tried}",
        f"{proof.reruns} of {proof.reruns_tried}",
        "yes" if proof.holds else "no",
        proof.date,
    ]


def with_earlier(found: list[list[str]], record: Path) -> list[list[str]]:
    """The rows, and those of an earlier record's table for variants that aren't among them."""
    earlier = [
        _with_image(row) for row in read_tables(json.loads(record.read_text(encoding="utf-8"))["result"])[0].rows
    ]
    known = {tuple(row[:_KEY]) for row in found}
    return sorted(found + [row for row in earlier if tuple(row[:_KEY]) not in known], key=lambda row: row[:_KEY])


def _with_image(row: Sequence[str]) -> list[str]:
    """A row of a record from before there was the column `image`."""
    at = _HEAD.index("image, s")
    return [*row[:at], "-", *row[at:]] if len(row) == len(_HEAD) - 1 else [*row]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("earlier", type=Path, nargs="?", help="an earlier record, whose rows stay")
    words = parser.parse_args()
    found = rows(all_variants(cache_root()))
    if words.earlier:
        found = with_earlier(found, words.earlier)
    sys.stdout.write(render_cells(_HEAD, found, left=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
