"""The JSON of `graft retrieval-eval --json` as the tables of docs/retrieval.md.

.venv/bin/python benchmarks/retrieval/tables.py RESULT.json            # recall, context, tests against bm25
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.consoles import say
from experiments.retrieval_eval.score import ALL_CUTS, BUDGETS, CUTS, USED

CONTROL = "bm25"


def main() -> int:
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    pooled = found["pooled"]
    groups = [*found["repos"].items(), *([("pooled", pooled)] if len(found["repos"]) > 1 else [])]
    for title, figures in groups:
        one = next(iter(figures.values()))
        say(f"\n**{title}**: {one['callees']} callees, {one['targets']} targets\n")
        _recall(figures)
    say("\nIn the packed context, pooled\n")
    _context(pooled)
    return 0


def _recall(figures: Mapping[str, Any]) -> None:
    found_all = [f"all found @{cut}" for cut in ALL_CUTS]
    _head(
        [
            "retriever",
            *(f"@{cut}" for cut in CUTS),
            "MRR",
            *found_all,
            "median ms",
            "p95 ms",
            f"p against {CONTROL}",
        ]
    )
    for name, one in figures.items():
        cells = [_two(one[f"recall@{cut}"]) for cut in CUTS]
        low, high = one["intervals"]["recall@10"]
        cells[CUTS.index(10)] += f" [{_two(low)}, {_two(high)}]"
        test = one["paired"].get(CONTROL)
        p = "" if test is None else _p(test["recall@10"]["p"])
        times = [f"{one['latency_ms'][key]:.0f}" for key in ("median", "p95")]
        _row([f"`{name}`", *cells, _two(one["mrr"]), *(_two(one[f"all_found@{cut}"]) for cut in ALL_CUTS), *times, p])


def _context(figures: Mapping[str, Any]) -> None:
    if not next(iter(figures.values()))["used"]:
        say("not scored (--no-contexts)")
        return
    _head(["retriever", *(f"{used} {budget // 1000}k" for used in USED for budget in BUDGETS)])
    for name, one in figures.items():
        _row([f"`{name}`", *(_two(one.get(f"{used}@{budget}tokens")) for used in USED for budget in BUDGETS)])
    total = next(iter(figures.values()))["used"]
    _row(["of", *(str(total.get(used, 0)) if budget == BUDGETS[0] else "" for used in USED for budget in BUDGETS)])


def _head(cells: Sequence[str]) -> None:
    _row(cells)
    say("| --- |" + " ---: |" * (len(cells) - 1))


def _row(cells: Sequence[str]) -> None:
    say("| " + " | ".join(cells) + " |")


def _two(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
