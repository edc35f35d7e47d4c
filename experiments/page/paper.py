"""What a paper shows of runs, as files: plots as SVG, tables as LaTeX and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.compare.comparison_document import make_comparison_document
from experiments.compare.leaderboard import make_leaderboard_document, make_leaderboard_table
from experiments.documents import (
    Section,
    format_document_as_latex,
    format_markdown,
    make_document_without_empty_sections,
)
from experiments.files import write_atomically
from experiments.page.chart_svg import draw_chart_file
from experiments.page.contents import read_rank_and_compare_sides
from index.errors import ConfigError


def write_plots(runs_or_arms: Sequence[str], folder: Path) -> list[Path]:
    """Write each chart of these sides (RUN or RUN:ARM) to `folder`, as NAME.svg. Raises ConfigError as
    `read_rank_and_compare_sides`, and for a file in the folder's place."""
    if folder.is_file():
        raise ConfigError(f"--figures {folder}: a file; name a folder")
    ranked = read_rank_and_compare_sides(runs_or_arms)
    written = []
    for chart in ranked.charts:
        path = folder / f"{chart.name}.svg"
        write_atomically(path, draw_chart_file(chart, [place.side.name for place in ranked.places]))
        written.append(path)
    return written


def write_tables(runs_or_arms: Sequence[str], out: Path, *, latex: bool = False) -> None:
    """Write the leaderboard of these sides, and their comparison with the best, as Markdown or LaTeX. Raises
    ConfigError as `read_rank_and_compare_sides`."""
    ranked = read_rank_and_compare_sides(runs_or_arms)
    first = make_leaderboard_document(ranked.places)
    sections = [*first.sections, Section("By level", table=make_leaderboard_table(ranked.places, "level"))]
    if ranked.comparison is not None:
        compared = make_comparison_document(ranked.comparison, [place.side for place in ranked.places])
        sections += [*compared.sections, *compared.details]
    document = make_document_without_empty_sections("Results", first.lead, "", sections, first.details)
    text = format_document_as_latex(document) if latex else format_markdown(document)
    write_atomically(out, text.encode("utf-8", "backslashreplace"))
