"""How long the reports of a run of full width take, and how large the page is.

    python -m benchmarks.record benchmarks/records/page.json --text -- python -m benchmarks.experiments.page_speed

The runs are made up (benchmarks.experiments.big_run). The page is opened in Debian's Chromium, from its file; it is
open when its list of tasks stands. Of three times the fastest: whatever else the machine does only adds to it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.costs import cost_of
from benchmarks.experiments.big_run import ARMS, make_big_run

# Tasks and samples of each: 3,000 samples and 1,005.
WIDTHS = ((200, 3), (67, 3))
TIMES = 3
_GRAFT = (sys.executable, "-m", "graft")
# From the start of the navigation.
_OPEN = "() => document.querySelectorAll('#list tbody tr').length && performance.now()"
_STORY = """async () => {
    const start = performance.now();
    document.querySelector('#list a.m').click();
    while (!document.querySelector('#told h1')) await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""


def measure(tasks: int, samples: int, folder: Path) -> Sequence[str]:
    """The cells of a row."""
    run, html = folder / "run", folder / "report.html"
    count = make_big_run(run, tasks, samples)
    environment = {"GRAFT_CACHE": str(folder / "cache")}
    commands = ([*_GRAFT, "compare", str(run)], [*_GRAFT, "report", str(run), "--html", str(html)])
    costs = [min(cost_of(command, env=environment)[0] for _ in range(TIMES)) for command in commands]
    beside = folder / "report_files"
    lazily = sum(path.stat().st_size for path in beside.iterdir()) if beside.is_dir() else 0
    return (
        f"{tasks} x {len(ARMS)} x {samples} = {count}",
        *(f"{cost.wall:.1f} ({cost.cpu:.1f})" for cost in costs),
        f"{html.stat().st_size / 1e6:.1f}",
        f"{lazily / 1e6:.1f}",
        *(f"{seconds:.2f}" for seconds in _opened(html)),
    )


def _opened(html: Path) -> tuple[float, float]:
    """Seconds until the page is open, and from a click until a story is."""
    from playwright.sync_api import sync_playwright

    opened, stories = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for _ in range(TIMES):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(html.as_uri(), wait_until="commit")
            opened.append(page.wait_for_function(_OPEN).json_value() / 1000)
            page.wait_for_load_state()
            stories.append(page.evaluate(_STORY) / 1000)
            page.close()
        browser.close()
    return min(opened), min(stories)


HEAD = (
    "tasks x arms x samples",
    "compare, s (CPU)",
    "report, s (CPU)",
    "page, MB",
    "beside it, MB",
    "opens, s",
    "a story opens, s",
)


def main() -> None:
    rows: list[Sequence[str]] = [HEAD, ["---"] * len(HEAD)]
    for tasks, samples in WIDTHS:
        with tempfile.TemporaryDirectory(prefix="graft-page-") as folder:
            rows.append(measure(tasks, samples, Path(folder)))
    sys.stdout.write("".join(f"| {' | '.join(row)} |\n" for row in rows))


if __name__ == "__main__":
    main()
