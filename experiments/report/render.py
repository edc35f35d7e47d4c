"""A document as Markdown and in a terminal; a report as JSON."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from experiments.files import write_atomically
from experiments.report.layout import Document, Section, TextTable, document
from experiments.report.model import Report
from experiments.run.records import dumps


def keep_report(run: Path, report: Report) -> None:
    """Write RUN/report.json and RUN/report.md."""
    write_atomically(run / "report.json", dumps(to_json(report), indent=1))
    write_atomically(run / "report.md", to_markdown(document(report)).encode("utf-8", "backslashreplace"))


def to_json(report: Report) -> dict[str, Any]:
    """The report's fields; each row's figures stand beside its other keys, and pass@k by k under `pass_at`."""
    plain: dict[str, Any] = {**asdict(report), "official_comparable": not report.variants}
    for name in ("rows", "valid_rows", "by_repo", "by_level"):
        for row in plain[name]:
            row.update(row.pop("figures"), **row.pop("repeated"))
    return plain


def to_markdown(document: Document) -> str:
    """A title, a text, and a heading for each section."""
    lines = [f"# {document.title}", "", document.text]
    for section in document.sections:
        lines += ["", f"## {section.title}", ""]
        if section.text:
            lines += [section.text, ""]
        if section.table is not None:
            rows = (section.table.head, tuple("---" for _ in section.table.head), *section.table.rows)
            lines += [f"| {' | '.join(row)} |" for row in rows]
        lines += [f"- {item}" for item in section.items]
    return "\n".join(lines) + "\n"


def to_latex(document: Document) -> str:
    """Each table as a `table` of booktabs, each text and list as paragraphs, to be taken into a paper with \\input."""
    lines = [f"% {document.title}; needs \\usepackage{{booktabs}}, and \\usepackage{{graphicx}} for wide tables"]
    lines += ["", _latex(document.text)]
    for section in document.sections:
        lines += ["", f"\\paragraph{{{_latex(section.title)}}}"]
        if section.text:
            lines.append(_latex(section.text))
        if section.table is not None:
            lines += _latex_table(section.title, section.table)
        if section.items:
            lines += ["\\begin{itemize}", *(f"\\item {_latex(item)}" for item in section.items), "\\end{itemize}"]
    return "\n".join(lines) + "\n"


def _latex_table(title: str, table: TextTable) -> list[str]:
    columns = "l" * table.labels + "r" * (len(table.head) - table.labels)
    rows = [" & ".join(map(_latex, row)) + r" \\" for row in (table.head, *table.rows)]
    return [
        r"\begin{table}",
        r"\centering",
        f"\\caption{{{_latex(title)}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        rows[0],
        r"\midrule",
        *rows[1:],
        r"\bottomrule",
        r"\end{tabular}}",
        r"\end{table}",
    ]


_LATEX = {
    **{ord(sign): f"\\{sign}" for sign in "&%$#_{}"},
    ord("\\"): r"\textbackslash{}",
    ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}",
    ord("<"): r"\textless{}",
    ord(">"): r"\textgreater{}",
    ord("["): "{[}",  # behind a line's end it would be an option
}


def _latex(text: str) -> str:
    """The text as LaTeX shows it: code as code, and the sign of a number as a minus, not a hyphen."""
    plain = re.sub(r"(?<![\w.-])-(?=\d)", "$-$", text.translate(_LATEX))
    return re.sub(r"`([^`]*)`", r"\\texttt{\1}", plain)


def print_report(console: Console, report: Report, *, levels: bool = False) -> None:
    """The report in brief; `levels` adds its table by level. Without headings: a terminal holds few lines."""
    whole = document(report)
    console.print(whole.brief, markup=False)
    for section in whole.sections:
        if section.title != "By level" or levels:
            _print_section(console, section)
    if report.model_errors:
        console.print(
            f"{report.model_errors} samples ended in a model error and count as failed;"
            " graft run ... --retry-errors does them again"
        )
    listed = " (report.md lists those that aren't valid)" if report.not_valid else ""
    console.print(f"Intervals: 95 % over tasks, by Wilson's method with clusters{listed}.", style="dim")
    console.print(f"Full record: {report.run} (report.md, report.json, journal.jsonl; graft show {report.run} TASK)")


def print_table(console: Console, table: TextTable, *, wrap: bool = False) -> None:
    """As `rich_table`."""
    console.print(rich_table(table, wrap=wrap), markup=False)


def rich_table(table: TextTable, *, wrap: bool = False, caption: str | None = None) -> Table:
    """Text columns to the left, figures to the right, no borders. `wrap`: a cell too wide is broken, not cut."""
    shown = Table(box=None, pad_edge=False, caption=caption, caption_justify="left")
    for place, title in enumerate(table.head):
        shown.add_column(title, justify="left" if place < table.labels else "right", no_wrap=not wrap)
    for row in table.rows:
        shown.add_row(*row)
    return shown


def _print_section(console: Console, section: Section) -> None:
    if section.brief is None and section.table is not None:
        print_table(console, section.table)
    for line in section.items if section.brief is None else section.brief:
        console.print(line, markup=False)
