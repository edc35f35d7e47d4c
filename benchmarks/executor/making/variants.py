"""What was shown of the variants in the cache: a row for each whose map `graft variants make` made.

    python -m benchmarks.record docs/measured/json/variants.json --text -- \\
        python -m benchmarks.executor.making.variants docs/measured/json/variants.json

    python -m benchmarks.record docs/measured/json/variants_doctor.json --text -- \\
        python -m benchmarks.executor.making.variants --doctor

The file is an earlier record: its rows stay, but for the variants that the cache has. `tried on` is the day of the
proof. `--doctor` prints the doctor's figures of the originals beside those of the variants whose tasks were all
examined again (`graft variants make --reruns N`).

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

from benchmarks.markdown import rows_of, table
from executor.cache import cache_root
from executor.doctor.manifest import load_manifest, manifest_path
from executor.doctor.values import Health
from executor.repository.recipe import find_recipe
from executor.tasks.load import load_rows
from executor.tasks.places import made_names
from executor.variants.proof.trials import to_repeat
from executor.variants.values import STYLES, Proof, VariantRecord
from experiments.checks.variants import all_variants

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
_BESIDE = (
    *("repository", "style", "seed", "tasks", "valid on the original", "on the variant"),
    *("weak on the original", "on the variant", "stubs and mutants tried again", "tasks where all met the same fate"),
)


def rows(records: Sequence[VariantRecord]) -> list[list[str]]:
    """The cells, by repository, style and seed."""
    ordered = sorted(records, key=lambda record: (record.repo, STYLES.index(record.spec.style), record.spec.seed))
    return [_row(record) for record in ordered]


def beside(records: Sequence[VariantRecord]) -> list[list[str]]:
    """The doctor's figures on the original and on the variant, for proved variants of which every task was examined
    again. A task's plain stub was among what was tried, and it decides whether the task is valid."""
    found = []
    for name in made_names():
        load_rows(name)  # a made data set brings its recipe
    for record in records:
        proof, manifest = record.proof, load_manifest(manifest_path(find_recipe(record.repo)))
        if proof is None or not proof.holds or manifest is None or proof.reruns_tried < len(manifest.tasks):
            continue
        healths = [task.health for task in manifest.tasks.values()]
        # What differed would be among the proof's problems.
        weak = str(healths.count(Health.WEAK))
        again = sum(len(to_repeat(task)) for task in manifest.tasks.values())
        found.append(
            [
                *(record.repo, record.spec.style, str(record.spec.seed), str(len(healths))),
                *(str(healths.count(Health.VALID)), str(proof.stubs), weak, weak),
                *(str(again), f"{proof.reruns} of {proof.reruns_tried}"),
            ]
        )
    return sorted(found)


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
    earlier = [_with_image(row) for row in rows_of(json.loads(record.read_text(encoding="utf-8"))["result"])]
    known = {tuple(row[:_KEY]) for row in found}
    return sorted(found + [row for row in earlier if tuple(row[:_KEY]) not in known], key=lambda row: row[:_KEY])


def _with_image(row: list[str]) -> list[str]:
    """A row of a record from before there was the column `image`."""
    at = _HEAD.index("image, s")
    return [*row[:at], "-", *row[at:]] if len(row) == len(_HEAD) - 1 else row


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("earlier", type=Path, nargs="?", help="an earlier record, whose rows stay")
    parser.add_argument("--doctor", action="store_true", help="the doctor's figures beside the originals'")
    words = parser.parse_args()
    if words.doctor:
        sys.stdout.write(table(_BESIDE, beside(all_variants(cache_root())), left=2) + "\n")
        return 0
    found = rows(all_variants(cache_root()))
    if words.earlier:
        found = with_earlier(found, words.earlier)
    sys.stdout.write(table(_HEAD, found, left=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
