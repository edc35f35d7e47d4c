"""Draws callees that a retriever didn't find, for a person to read, and keeps what that person wrote of them.

    graft retrieval-eval --repos redis,bullet3,openssl --retrievers learned,lookup --ranks RANKS --json
    python -m benchmarks.retrieval.errors.draw benchmarks/records/retrieval_errors.json RANKS --count 30 --seed 1

The reader fills in `kind`, one of KINDS, and `why`. Drawn again, an error keeps both.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

KINDS = {
    "other words": "the comment says it in other words, or the name abbreviates them",
    "outvoted": "the words point to it; what similar functions call stands before it",
    "alike": "one of several accessors, operators, overloads or base classes' methods that fit alike",
    "twins alone": "those who call it are near-copies of the target, and hidden",
    "silent": "a step of the implementation that neither words nor similar functions tell",
}
_FOUND = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("ranks", type=Path)
    parser.add_argument("--retriever", default="learned")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    rows = [json.loads(line) for line in words.ranks.read_text(encoding="utf-8").splitlines()]
    earlier = json.loads(words.out.read_text(encoding="utf-8"))["errors"] if words.out.is_file() else []
    record = {
        "retriever": words.retriever,
        "seed": words.seed,
        "callees": len(rows),
        "missed": len(missed(rows, words.retriever)),
        "errors": drawn(rows, earlier, words.retriever, words.count, words.seed),
    }
    words.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def missed(rows: Sequence[dict[str, Any]], retriever: str) -> list[dict[str, Any]]:
    """The callees that aren't among the first ten, in one order always. Rank 0 is not found."""
    errors = [row for row in rows if not 0 < row["ranks"][retriever] <= _FOUND]
    return sorted(errors, key=lambda row: (row["repo"], row["target"], row["callee"]))


def drawn(
    rows: Sequence[dict[str, Any]], earlier: Sequence[dict[str, Any]], retriever: str, count: int, seed: int
) -> list[dict[str, Any]]:
    every = missed(rows, retriever)
    places = sorted(random.Random(seed).sample(range(len(every)), min(count, len(every))))
    read = {(row["repo"], row["target"], row["callee"]): row for row in earlier}
    found = []
    for row in (every[place] for place in places):
        known = read.get((row["repo"], row["target"], row["callee"]), {})
        found.append({**row, "kind": known.get("kind", ""), "why": known.get("why", "")})
    return found


if __name__ == "__main__":
    main()
