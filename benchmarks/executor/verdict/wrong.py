"""How many wrong bodies pass, by repository and by kind, as Markdown tables.

    python -m benchmarks.record benchmarks/records/wrong.json --text -- \\
        python -m benchmarks.executor.verdict.wrong today=executor/data/manifests "5 CPU-s=runs/wrong"

Each argument is a title and a folder of manifests in which `graft wrong judge` kept what became of the bodies. Two
choices of suites are compared on the tasks that both judged. `--right` names runs of `graft grade` over answers that
benchmarks/executor/verdict/equivalents.py made: golds in other words, which no test may fail. `--earlier` takes that
table from an earlier record instead, whose runs are gone. `--repo` names the repositories that are wanted, if not
all. `--seen` names tasks of whose bodies the author of the plus tests saw all: none of them counts as held back.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.tables import REPOSITORIES, render_cells, write_repository
from executor.doctor.manifest import load_manifest
from executor.doctor.values import Fate, Health, HealthManifest, JudgedBodies, WrongFate
from executor.wrong.figures import (
    Passing,
    after_plus,
    false_pass_rate,
    passing,
    percent,
    pooled,
    valid_with_plus,
)
from executor.wrong.library import KINDS
from experiments.run.records import JOURNAL, read_journal

Manifests = Mapping[str, HealthManifest]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("choices", nargs="+", metavar="TITLE=FOLDER")
    parser.add_argument("--right", nargs="*", type=Path, default=[], metavar="RUN")
    parser.add_argument("--earlier", type=Path, metavar="FILE")
    parser.add_argument("--repo", nargs="*", default=REPOSITORIES, metavar="NAME")
    parser.add_argument("--seen", nargs="*", default=[], metavar="TASK")
    given = parser.parse_args()
    titles = [choice.partition("=") for choice in given.choices]
    choices = {title: _read(Path(folder), given.repo, given.seen) for title, _, folder in titles}
    first = next(iter(choices))
    if strange := set(given.seen).difference(*(manifest.tasks for manifest in choices[first].values())):
        parser.error(f"--seen: no manifest has {', '.join(sorted(strange))}")
    parts = [by_repository(choices[first]), by_kind(choices[first])]
    if any(manifest.plus for manifest in choices[first].values()):
        parts += [with_plus(choices[first]), by_kind(choices[first], plus=True)]
    if len(choices) > 1:
        parts.append(compared(choices))
    if given.right:
        parts.append(right(given.right))
    elif given.earlier:
        earlier = json.loads(given.earlier.read_text(encoding="utf-8"))["result"]
        parts += [part for part in earlier.strip().split("\n\n") if "golds in other words" in part]
    sys.stdout.write("\n\n".join(parts) + "\n")
    return 0


def _read(folder: Path, names: Iterable[str], seen: Sequence[str]) -> Manifests:
    found = {name: load_manifest(folder / f"{name}.json") for name in names}
    return {name: without_seen(m, seen) for name, m in found.items() if m is not None and m.wrong}


def without_seen(manifest: HealthManifest, tasks: Sequence[str]) -> HealthManifest:
    """The manifest, where no body of these tasks is held back."""
    judged = {
        key: replace(found, bodies=tuple(replace(body, held=body.held and key not in tasks) for body in found.bodies))
        for key, found in manifest.wrong.items()
    }
    return replace(manifest, wrong=judged)


def by_repository(manifests: Manifests) -> str:
    """A row for each repository, and one for all but the example, which is no benchmark."""
    real = [manifest for name, manifest in manifests.items() if name != "example"]
    every = [judged for manifest in real for judged in manifest.wrong.values()]
    valid = sum(map(_valid, real))
    rows = [
        *(_row(write_repository(name), _valid(m), list(m.wrong.values())) for name, m in manifests.items()),
        _row("all but the example", valid, every),
    ]
    held = ("held back: pass", "false-pass rate (95 %)")
    others = ("not held back: pass", "false-pass rate (95 %)")
    return render_cells(["repository", "valid tasks", "of these judged", *held, *others, "counted apart: pass"], rows)


def _valid(manifest: HealthManifest) -> int:
    return sum(entry.health is Health.VALID for entry in manifest.tasks.values())


def _row(name: str, valid: int, judged: Sequence[JudgedBodies]) -> list[str]:
    apart = [body for task in judged for body in task.bodies if body.only is not None]
    cells = [cell for held in (True, False) for cell in _rate(judged, held=held)]
    return [name, str(valid), str(len(judged)), *cells, f"{_survivors(apart)} of {len(apart)}"]


def _rate(judged: Iterable[JudgedBodies], *, held: bool) -> tuple[str, str]:
    tasks = [passing(task.bodies, held=held) for task in judged]
    rate = false_pass_rate(tasks)
    return _of(pooled(tasks)), percent(rate)


def with_plus(manifests: Manifests) -> str:
    """A row for each repository: what the plus tests change, over the valid tasks whose bodies were judged; another
    over those that have plus tests, where not all of them have."""
    real = {name: manifest for name, manifest in manifests.items() if name != "example"}
    rows: list[list[str]] = []
    for name, manifest in manifests.items():
        rows.append(_plus_row(write_repository(name), [manifest]))
        tried = {key: judged for key, judged in manifest.wrong.items() if key in manifest.plus}
        if 0 < len(tried) < len(manifest.wrong):
            rows.append(_plus_row(f"{write_repository(name)}: with plus tests", [replace(manifest, wrong=tried)]))
    rows.append(_plus_row("all but the example", list(real.values())))
    held = ("held back, suites: pass", "rate (95 %)", "+ plus: pass", "rate (95 %)")
    open_ones = ("not held back, + plus: pass", "rate (95 %)")
    head = ["repository", "judged", "of these with plus tests", "plus tests", "golds", *held, *open_ones]
    return render_cells([*head, "CPU-s, median", "tasks", "valid", "valid with plus"], rows)


def _plus_row(name: str, manifests: Sequence[HealthManifest]) -> list[str]:
    judged = [(m, key, found) for m in manifests for key, found in m.wrong.items()]
    tested = [plus for m in manifests for plus in m.plus.values()]
    after = [replace(found, bodies=after_plus(found, m.plus.get(key))) for m, key, found in judged]
    golds = f"{sum(p.gold_passed for p in tested)} of {sum(p.gold_runs for p in tested)}"
    return [
        name,
        str(len(judged)),
        str(sum(key in m.plus for m, key, _ in judged)),
        str(sum(plus.tests for plus in tested)),
        golds,
        *_rate([found for _, _, found in judged], held=True),
        *_rate(after, held=True),
        *_rate(after, held=False),
        f"{median(plus.cpu_s for plus in tested):.1f}" if tested else "-",
        str(sum(len(m.tasks) for m in manifests)),
        str(sum(map(_valid, manifests))),
        str(sum(valid_with_plus(m, key) for m in manifests for key in m.tasks)),
    ]


def by_kind(manifests: Manifests, *, plus: bool = False) -> str:
    """A row for each kind of fault, over all repositories but the example. `plus`: after the plus tests too."""
    real = [manifest for name, manifest in manifests.items() if name != "example"]
    judged = [(judged, m.plus.get(key) if plus else None) for m in real for key, judged in m.wrong.items()]
    bodies = [body for found, more in judged for body in after_plus(found, more)]
    rows = []
    for kind in KINDS:
        mine = [body for body in bodies if body.kind == kind]
        both = passing(mine, held=None)
        rate = f"{100 * both.rate:.0f} %" if both.bodies else "-"
        rows.append([kind, _of(passing(mine, held=True)), _of(passing(mine, held=False)), rate])
    return render_cells(["kind, + plus" if plus else "kind", "held back: pass", "not held back: pass", "both"], rows)


def compared(choices: Mapping[str, Manifests]) -> str:
    """The choices of suites on the tasks that all of them judged: the held-back bodies, and what judging costs."""
    rows = []
    for name in REPOSITORIES:
        found = [manifests[name] for manifests in choices.values() if name in manifests]
        common = set.intersection(*(set(m.wrong) for m in found)) if len(found) == len(choices) else set()
        for title, manifests in choices.items() if common else ():
            judged = [manifests[name].wrong[task] for task in sorted(common)]
            entries = [manifests[name].tasks[task] for task in sorted(common)]
            suites = f"{sum(len(entry.suites) for entry in entries) / len(entries):.1f}"
            seconds = f"{median(entry.cost_s for entry in entries):.1f}"
            rows.append([write_repository(name), title, str(len(common)), *_rate(judged, held=True), suites, seconds])
    head = ["repository", "suites", "tasks", "held back: pass", "false-pass rate (95 %)", "suites a task", "s, median"]
    return render_cells(head, rows, left=2)


def right(runs: Sequence[Path]) -> str:
    """A row for each repository: what the suites, the control run and the plus tests say of right answers."""
    records = [record for run in runs for record in read_journal(run / JOURNAL).values() if record.counts]
    rows = []
    for name in dict.fromkeys(record.repo for record in records):
        mine = [record for record in records if record.repo == name]
        tested = [record for record in mine if record.plus]
        rows.append(
            [
                write_repository(name),
                str(len(mine)),
                str(sum(record.passed for record in mine)),
                str(sum(record.audit.state == "forged" for record in mine)),
                f"{sum(record.passed_plus for record in tested)} of {len(tested)}",
            ]
        )
    head = [
        "repository",
        "golds in other words",
        "pass their suites",
        "called forged",
        "of those with plus tests, pass them",
    ]
    return render_cells(head, rows)


def _survivors(bodies: Iterable[WrongFate]) -> int:
    return sum(body.fate is Fate.SURVIVED for body in bodies)


def _of(found: Passing) -> str:
    return f"{found.passed} of {found.bodies}"


if __name__ == "__main__":
    sys.exit(main())
