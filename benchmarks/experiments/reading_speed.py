"""What it costs to read a run of full width: 200 tasks x 5 arms x 3 samples, made up (benchmarks.experiments.big_run).

    python -m benchmarks.record benchmarks/records/reading.json --text -- \\
        python -m benchmarks.experiments.reading_speed

Each command runs in a process of its own, its start included, and the best of several runs counts: on a busy machine
the wall clock says little, so CPU time stands beside it. The page is opened in Debian's Chromium, from its file; it is
open when its list of tasks stands. Prints Markdown tables.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.costs import measure_cost
from benchmarks.experiments.big_run import make_big_run
from benchmarks.tables import render_cells

PAGE = "page.html"
# What is read, and the seconds that it may take, where a limit was set.
COMMANDS: dict[str, float | None] = {
    "compare RUN": 5,
    "leaderboard RUN": None,
    "show RUN": None,
    f"show RUN --html OUT/{PAGE}": 10,
    "export RUN --to figures --out OUT/figures": None,
    "export RUN --to latex --out OUT/tables.tex": None,
    "export RUN --to csv --out OUT/s.csv": None,
    "export RUN --to jsonl --out OUT/s.jsonl": None,
    "export RUN --to parquet --out OUT/s.parquet": None,
    "export RUN --to lm-eval --out OUT/lm-eval": None,
    "export RUN --to inspect --out OUT/inspect": None,
}
# From the start of the navigation.
IS_OPEN = "() => document.querySelectorAll('#list tbody tr').length && performance.now()"
OPEN_STORY = """async () => {
    const start = performance.now();
    document.querySelector('#list a.m').click();
    while (!document.querySelector('#told h1')) await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""


def measure_page(page: Path, repeat: int) -> list[str]:
    """Its size in MB; seconds until it is open, and from a click until a story is."""
    from playwright.sync_api import sync_playwright

    opened, stories = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for _ in range(repeat):
            view = browser.new_page(viewport={"width": 1280, "height": 900})
            view.goto(page.as_uri(), wait_until="commit")
            opened.append(view.wait_for_function(IS_OPEN).json_value() / 1000)
            view.wait_for_load_state()
            stories.append(view.evaluate(OPEN_STORY) / 1000)
            view.close()
        browser.close()
    return [f"{page.stat().st_size / 1e6:.1f}", f"{min(opened):.2f}", f"{min(stories):.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        run, out = Path(folder) / "run", Path(folder) / "out"
        out.mkdir()
        make_big_run(run, args.tasks)
        for command, limit in COMMANDS.items():
            words = [word.replace("RUN", str(run)).replace("OUT", str(out)) for word in command.split()]
            costs = (measure_cost((sys.executable, "-m", "graft", *words)) for _ in range(args.repeat))
            best = min(costs, key=lambda cost: cost.cpu)
            shown = "-" if limit is None else f"{limit:g}"
            rows.append([f"`graft {command.replace('OUT/', '')}`", shown, f"{best.wall:.1f}", f"{best.cpu:.1f}"])
        page = measure_page(out / PAGE, args.repeat)
    tables = [
        render_cells(("command", "limit, s", "wall, s", "CPU, s"), rows),
        render_cells(("page, MB", "opens, s", "a story opens, s"), [page], left=0),
        f"Load of the machine at the end: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores.",
    ]
    sys.stdout.write("\n\n".join(tables) + "\n")


if __name__ == "__main__":
    main()
