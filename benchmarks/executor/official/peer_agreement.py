"""Graft's official rules beside the peers' own code: do they read, splice, compare and count alike?

    export GRAFT_PEERS=CLONES                                               # see peer_code.py
    python -m benchmarks.executor.official.peer_agreement [--each 140]  # prints JSON; status 1 for a difference
    python -m benchmarks.executor.official.peer_agreement --vectors tests/executor/grading/official_vectors.json

For every function of bench-v0.8 it draws `--each` answers (drawn_answers.py) and gives them to both: what is
spliced, the file afterwards, the exact match, and what a whole run of the harness scores. The golds are spliced into
their real files as well, for the repositories whose trees lie in Graft's cache. With --vectors it writes answers of
our own and what the peers' code made of them, for a test that needs no clone.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.executor.official.drawn_answers import draw_answers
from benchmarks.executor.official.peer_code import Container, Peers, load_peers, run_mera_task, run_yabloco_harness
from executor.cache import cache_root
from executor.function.splice import splice_function
from executor.grading.official import (
    OFFICIAL_RULES,
    OfficialName,
    OfficialRules,
    has_text_for_official_splice,
    is_officially_exact,
    is_retried_since_none_passed,
    parse_generation,
    splice_officially,
    wrap_code_in_line_ends,
)
from executor.tasks.datasets import load_rows
from executor.tasks.task_row import TaskRow, join_span_lines
from index.source_text import decode_source, split_lines_keeping_ends
from index.values import Span

BEFORE = b"#include <a.h>\n\nint first;\n"
AFTER = b"\nint last;\n"
# Answers and golds of the vectors are ours, not the data set's.
OWN = (
    "int clamp(int low, int x, int high)\n{\n    return x < low ? low : x > high ? high : x;\n}",
    "char *last_of(char *text)\n{\n    char *at = text;\n    while (*at) at++;\n    return at;\n}",
    "const Cell& Grid::at(size_t row) const {\n  return cells_[row - 1];\n}\n",
    "Cursor *cursor_new(void)\n{\n    return calloc(1, sizeof(Cursor));\n}\n",
)
RUNS, TASKS, MOST_SAMPLES = 200, 12, 4
EXAMPLES = 5
# The paper's version has no such function: its figures are counted by an app from a table of results.
SCORED: Mapping[OfficialName, Callable[..., dict[str, tuple[float, float]]]] = {
    "yabloco": run_yabloco_harness,
    "mera": run_mera_task,
}


class Tally:
    """Counts of what was compared and of what differed, with a few of the differences."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.differing: Counter[str] = Counter()
        self.examples: list[dict[str, object]] = []

    def add_comparison(self, what: str, ours: object, theirs: object, about: str) -> None:
        self.compared[what] += 1
        if ours != theirs:
            self.differing[what] += 1
            if self.differing[what] <= EXAMPLES:
                self.examples.append({"what": what, "about": about, "ours": repr(ours), "theirs": repr(theirs)})

    def summarize_tally(self) -> dict[str, object]:
        parts = {what: {"compared": n, "differing": self.differing[what]} for what, n in self.compared.items()}
        return {"parts": parts, "examples": self.examples}


def compare_answers(peers: Peers, golds: Sequence[str], each: int, seed: int = 0) -> Tally:
    """Parse, splice and exact match of drawn answers, by each of the rules."""
    tally = Tally()
    for number, answer in draw_answers(golds, each, seed):
        gold = golds[number]
        for name, rules in OFFICIAL_RULES.items():
            code = parse_generation(answer, rules)
            tally.add_comparison(f"{name}: parse", code, peers.parsers[name](answer), answer)
            tally.add_comparison(f"{name}: exact match", *_match_by_both(peers, rules, code, gold), answer)
            data = BEFORE + gold.encode() + b"\n" + AFTER
            span = Span(4, 4 + gold.count("\n"))
            tally.add_comparison(f"{name}: splice", *_splice_by_both(peers, name, data, span, code), answer)
    return tally


def compare_golds(peers: Peers, rows: Sequence[TaskRow], sources: Path | None, tally: Tally) -> None:
    """The golds: each text of a function (the JSON's, the CSV's, the repository's) against the harness's gold, and
    spliced into the repository's own file."""
    for row in rows:
        gold = row.official_gold or ""
        texts = {"JSON": gold, "CSV": row.dataset_gold or ""}
        file = None if sources is None else _find_source_file(row, sources)
        if file is not None:
            lines = split_lines_keeping_ends(decode_source(file.read_bytes()))
            texts["repository"] = join_span_lines(lines, row.span)
        for name, rules in OFFICIAL_RULES.items():
            for where, text in texts.items():
                code = parse_generation(f"```c\n{text}\n```", rules)
                about = f"{row.id}: the {where}'s text"
                tally.add_comparison(f"{name}: gold, parse", code, peers.parsers[name](f"```c\n{text}\n```"), about)
                tally.add_comparison(f"{name}: gold, exact match", *_match_by_both(peers, rules, code, gold), about)
                if file is not None:
                    both = _splice_by_both(peers, name, file.read_bytes(), row.span, code)
                    tally.add_comparison(f"{name}: gold, splice into its file", *both, about)


def compare_runs(peers: Peers, tally: Tally, runs: int = RUNS, seed: int = 0) -> None:
    """pass@1 and exact match of whole runs: which samples count, which run again, which result stands."""
    with tempfile.TemporaryDirectory() as kept:
        for number in range(runs):
            rng = random.Random(f"{seed}/{number}")
            golds = {f"{task:016X}": rng.choice(OWN) for task in range(TASKS)}
            generations = {
                task: [rng.choice((f"```c\n{gold}\n```", f"```cc\n{gold}\n```", "int f;", "", "```c\n```", "```"))
                       for _ in range(rng.randint(1, MOST_SAMPLES))]
                for task, gold in golds.items()
            }  # fmt: skip
            keys = [
                (task, sample, attempt)
                for task, texts in generations.items()
                for sample in range(len(texts))
                for attempt in range(2)
            ]
            ends = {key: rng.choice(((False, False), (True, False), (True, True))) for key in keys}
            container = partial(_read_end, ends)
            for name, scored in SCORED.items():
                folder = Path(kept) / f"{number}-{name}"
                theirs = scored(peers, generations, golds, container, folder)
                for task, texts in generations.items():
                    ours = _score_task(OFFICIAL_RULES[name], task, texts, golds[task], container)
                    # Theirs is 1 minus a product, which is off in the sixteenth digit.
                    both = [tuple(round(figure, 12) for figure in figures) for figures in (ours, theirs[task])]
                    tally.add_comparison(f"{name}: whole runs", *both, repr(texts))


def _score_task(
    rules: OfficialRules, task: str, texts: Sequence[str], gold: str, container: Container
) -> tuple[float, float]:
    """pass@1 and exact match of a task's samples by Graft's rules."""
    codes = [parse_generation(text, rules) for text in texts[: 1 if rules.first_sample else None]]
    firsts, seconds = (
        [
            has_text_for_official_splice(code) and container(task, sample, attempt)[1]
            for sample, code in enumerate(codes)
        ]
        for attempt in (0, 1)
    )
    passed = seconds if is_retried_since_none_passed(firsts, rules) else firsts
    exact = [is_officially_exact(code, gold, rules) for code in codes]
    return sum(passed) / len(codes), sum(exact) / len(codes)


def _read_end(
    ends: Mapping[tuple[str, int, int], tuple[bool, bool]], task: str, sample: int, attempt: int
) -> tuple[bool, bool]:
    return ends[task, sample, attempt]


def _match_by_both(peers: Peers, rules: OfficialRules, code: str, gold: str) -> tuple[bool, bool]:
    return is_officially_exact(code, gold, rules), peers.exact[rules.name](code, gold)


def _splice_by_both(peers: Peers, name: OfficialName, data: bytes, span: Span, code: str) -> tuple[object, object]:
    """(was it spliced, the file afterwards) by Graft and by the peer. Graft's is the text that a run builds."""
    ours = splice_function(data, span, wrap_code_in_line_ends(code)) if has_text_for_official_splice(code) else data
    lines = split_lines_keeping_ends(decode_source(data))
    if has_text_for_official_splice(code) and splice_officially(
        lines, span.first, span.last - span.first, code
    ) != decode_source(ours):
        raise AssertionError("official_splice isn't what a run builds")
    peers.files["file"] = data
    row = {"file": "file", "pos": span.first, "code_length": span.last - span.first}
    built, _, _ = peers.processes[name](row, code)
    return (has_text_for_official_splice(code), ours), (built, peers.files["file"])


def _find_source_file(row: TaskRow, sources: Path) -> Path | None:
    files = (tree / row.path for tree in sorted(sources.glob(f"{row.repository}-*")))
    return next((file for file in files if file.is_file()), None)


def make_vectors(peers: Peers, each: int) -> list[dict[str, Any]]:
    """Answers to functions of our own, with what the peers' code makes of them."""
    found = []
    for number, answer in draw_answers(OWN, each, seed=1):
        entry: dict[str, Any] = {"answer": answer, "gold": OWN[number]}
        for name, parse in peers.parsers.items():
            code = parse(answer)
            peers.files["file"] = b"a\nb\nc\n"
            built, _, _ = peers.processes[name]({"file": "file", "pos": 2, "code_length": 0}, code)
            entry[name] = {"code": code, "exact": peers.exact[name](code, OWN[number]), "spliced": built}
        found.append(entry)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--each", type=int, default=140, help="answers drawn for each function")
    parser.add_argument("--vectors", type=Path, help="write vectors to this file instead")
    options = parser.parse_args()
    peers = load_peers()
    if options.vectors:
        text = json.dumps(make_vectors(peers, 40), indent=1, ensure_ascii=True)
        options.vectors.write_text(text + "\n", encoding="ascii")
        return 0
    rows, sources = load_rows("yabloco"), cache_root() / "sources"
    tally = compare_answers(peers, [row.official_gold or "" for row in rows], options.each)
    compare_golds(peers, rows, sources, tally)
    compare_runs(peers, tally)
    files = [file for row in rows if (file := _find_source_file(row, sources))]
    result = {
        "peers": peers.commits,
        "answers": len(rows) * options.each,
        "golds": len(rows),
        "golds with a file": len(files),
        "files that hold a carriage return": sum(b"\r" in file.read_bytes() for file in files),
        "texts that differ between CSV and JSON": [row.id for row in rows if row.dataset_gold != row.official_gold],
        **tally.summarize_tally(),
    }
    sys.stdout.write(json.dumps(result, indent=1) + "\n")
    return 1 if tally.differing else 0


if __name__ == "__main__":
    sys.exit(main())
