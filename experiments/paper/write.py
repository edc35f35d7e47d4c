"""Plots as SVG and PNG, tables as LaTeX and Markdown, in files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.compare.charts import charts
from experiments.compare.leaderboard import leaderboard, leaderboard_document, leaderboard_table
from experiments.compare.pairs import compare
from experiments.compare.show import comparison_document
from experiments.compare.sides import Side, read_sides
from experiments.documents import Document, Section, make_document, to_latex, write_markdown
from experiments.files import write_atomically
from experiments.paper.plots import Kind, plot
from experiments.run.manifest import read_manifest
from index.errors import ConfigError

KINDS: tuple[Kind, ...] = ("svg", "png")


def write_plots(words: Sequence[str], folder: Path) -> list[Path]:
    """Write each chart of these sides (RUN or RUN:ARM) to `folder`, as NAME.svg and NAME.png. Raises ConfigError as
    `read_sides`, without matplotlib, and for a file in the folder's place."""
    if folder.is_file():
        raise ConfigError(f"--figures {folder}: a file; name a folder")
    sides = _ranked(words)
    budgets = {side.name: int(read_manifest(side.run).config.get("context_tokens", 0)) for side in sides}
    written = []
    for chart in charts(leaderboard(sides, {}), budgets):
        for kind in KINDS:
            path = folder / f"{chart.name}.{kind}"
            data = plot(chart, [side.name for side in sides], kind)
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
            written.append(path)
    return written


def write_tables(words: Sequence[str], markdown: Path | None, latex: Path | None) -> None:
    """Write the leaderboard of these sides, and their comparison with the best, to these files. Raises ConfigError as
    `read_sides` and `compare`."""
    document = _tables(_ranked(words))
    if markdown is not None:
        write_markdown(markdown, document)
    if latex is not None:
        write_atomically(latex, to_latex(document).encode("utf-8", "backslashreplace"))


def _ranked(words: Sequence[str]) -> list[Side]:
    """The best first."""
    places = leaderboard(read_sides(words, fewest=1), {})
    if not places:
        raise ConfigError(f"{words[0]}: every sample ended in an infrastructure error; run again to retry them")
    return [place.side for place in places]


def _tables(sides: Sequence[Side]) -> Document:
    places = leaderboard(sides, {})
    ranked = leaderboard_document(places)
    sections = [*ranked.sections, Section("By level", table=leaderboard_table(places, "level")), *ranked.details]
    if len(sides) > 1:
        compared = comparison_document(compare(sides, baseline="1"), sides)
        sections += [*compared.sections, *compared.details]
    return make_document("Results", ranked.lead, "", sections)
