"""What a command has found, as a document: sentences first, then tables. Printed, or written as Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from experiments.files import write_atomically
from experiments.tables import Table, print_table


@dataclass(frozen=True, slots=True)
class Section:
    """A title, a sentence that says what the section answers, and a table, a list or both. `brief`: what a terminal
    says in place of a section that it doesn't show. `legend`: a column's title, and what its figures are."""

    title: str
    text: str = ""
    table: Table | None = None
    items: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    def list_legend_and_items(self, left_out_columns: Collection[str] = ()) -> tuple[str, ...]:
        """The legend of the columns that are shown, then the list."""
        titles: dict[str, list[str]] = {}
        for title, what in self.legend:
            if title not in left_out_columns and self.table is not None and title in self.table.column_titles:
                titles.setdefault(what, []).append(title)
        legend = "; ".join(f"{', '.join(alike)}: {what}" for what, alike in titles.items())
        return (*((f"{legend}.",) if legend else ()), *self.items)


@dataclass(frozen=True, slots=True)
class Document:
    """`lead`: what a reader must know first, a sentence or two. `text`: what was measured. A terminal always shows
    `sections`, the first without its title, and `details` on demand."""

    title: str
    lead: tuple[str, ...]
    text: str
    sections: tuple[Section, ...]
    details: tuple[Section, ...] = ()


def make_document_without_empty_sections(
    title: str,
    lead: Iterable[str],
    text: str,
    sections: Iterable[Section],
    details: Iterable[Section] = (),
) -> Document:
    """A document without the sections that hold nothing."""
    shown, more = (
        tuple(section for section in part if section.items or (section.table is not None and section.table.rows))
        for part in (sections, details)
    )
    return Document(title, tuple(lead), text, shown, more)


def print_document(
    console: Console, document: Document, *, details: bool = False, hint: str = "--columns all prints all"
) -> None:
    """Print it; `hint` says where the columns are that the terminal has no room for."""
    for number, line in enumerate(document.lead):
        console.print(line, markup=False, style="" if number else "bold")
    if document.text:
        console.print(document.text, style="dim", markup=False)
    for number, section in enumerate((*document.sections, *(document.details if details else ()))):
        console.print()
        if number:
            console.print(section.title, style="bold", markup=False)
            if section.text:
                console.print(section.text, style="dim", markup=False)
        left_out = print_table(console, section.table, hint) if section.table is not None else ()
        mark = "- " if number else ""
        for line in section.list_legend_and_items(left_out):
            console.print(mark + line, markup=False)
    for section in () if details else document.details:
        for line in section.brief:
            console.print(line, markup=False)


def write_markdown(path: Path, document: Document) -> None:
    write_atomically(path, format_markdown(document).encode("utf-8", "backslashreplace"))


def format_markdown(document: Document) -> str:
    """The first sentence as the title, then a heading for each section."""
    first, *others = (*document.lead, document.title)
    lines = [f"# {first}", ""]
    lines += [line for text in (*others, document.text) if text for line in (text, "")]
    for section in (*document.sections, *document.details):
        lines += [f"## {section.title}", ""]
        if section.text:
            lines += [section.text, ""]
        if section.table is not None:
            rows = (
                section.table.column_titles,
                tuple("---" for _ in section.table.column_titles),
                *section.table.rows,
            )
            lines += [*(f"| {' | '.join(row)} |" for row in rows), ""]
        if notes := section.list_legend_and_items():
            lines += [*(f"- {item}" for item in notes), ""]
    return "\n".join(lines)


def format_document_as_latex(document: Document) -> str:
    """Each table as a `table` of booktabs, each text and list as paragraphs, to be taken into a paper with \\input."""
    lines = [f"% {document.title}; needs \\usepackage{{booktabs}}, and \\usepackage{{graphicx}} for wide tables"]
    lines += ["", *map(_convert_text_to_latex, (*document.lead, document.text))]
    for section in (*document.sections, *document.details):
        lines += ["", f"\\paragraph{{{_convert_text_to_latex(section.title)}}}"]
        if section.text:
            lines.append(_convert_text_to_latex(section.text))
        if section.table is not None:
            lines += _format_latex_table(section.title, section.table)
        if notes := section.list_legend_and_items():
            items = (f"\\item {_convert_text_to_latex(item)}" for item in notes)
            lines += ["\\begin{itemize}", *items, "\\end{itemize}"]
    return "\n".join(lines) + "\n"


def _format_latex_table(title: str, table: Table) -> list[str]:
    sides = "".join("r" if column.kind == "figure" else "l" for column in table.columns)
    head, *rows = (" & ".join(map(_convert_text_to_latex, row)) + r" \\" for row in (table.column_titles, *table.rows))
    return [
        r"\begin{table}",
        r"\centering",
        f"\\caption{{{_convert_text_to_latex(title)}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        f"\\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        head,
        r"\midrule",
        *rows,
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


def _convert_text_to_latex(text: str) -> str:
    """The text as LaTeX shows it: code as code, and the sign of a number as a minus, not a hyphen."""
    plain = re.sub(r"(?<![\w.-])-(?=\d)", "$-$", text.translate(_LATEX))
    return re.sub(r"`([^`]*)`", r"\\texttt{\1}", plain)
