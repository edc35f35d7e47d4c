"""Reads a compiler's output into Diagnostics whose lines are those of the candidate, not of the spliced file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from executor.candidate.draft_refusals import NOT_SHOWN
from executor.candidate.root_causes import find_root_causes
from index.values import Diagnostic, Severity, Span

# A model reads the first few; a missing brace can give hundreds.
MAX_DIAGNOSTICS = 20
# A message quotes names, and a name can be as long as the answer. A prompt shows the first 400 characters.
_MOST_CHARS = 2000
# No file has as many lines, and no line as many columns.
_MOST_LINES = 10**9
# So many are searched for their causes: each is compared with all names that an earlier one didn't know.
_MOST_GROUPS = 200

# A quoted line of source begins with a space or a number and a bar.
_TEXT = re.compile(
    r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<kind>(?:fatal |internal compiler )?error|sorry, unimplemented|warning|note): (?P<message>.*)$",
    re.MULTILINE,
)
_MILD: dict[str, Severity] = {"warning": "warning", "note": "note"}
_QUOTES = str.maketrans("\u2018\u2019", "''")
_RANK = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class CandidatePlace:
    """The place of a candidate: `path` in the tree at `root`, over `span` of the original file. The compiler runs in
    `cwd`. `lines`: how many lines the candidate has; `before` and `after`: lines of ours around it. `reads`: the files
    of the tree that the unit reads by itself; None: not known."""

    root: str
    cwd: str
    path: str
    span: Span
    lines: int
    before: int = 0
    after: int = 0
    reads: frozenset[str] | None = None


def read_root_cause_diagnostics(output: bytes, place: CandidatePlace, code: str = "") -> list[Diagnostic]:
    """Errors first, then the candidate's own warnings, each with its notes, in the compiler's order. Messages that
    only follow from another are left out (see `root_causes`). `code` is the candidate's text.

    Reads the plain text of gcc and clang. Quotes become plain ones, whatever the locale. Warnings elsewhere are left
    out, because the unmodified tree gives them too. Of a message on a file of the tree that the unit doesn't read by
    itself only the place is left. At most MAX_DIAGNOSTICS.
    """
    groups = _read_diagnostic_groups(output.decode("utf-8", "replace"), place)
    kept = [group for group in groups if _is_error_or_candidate_warning(group)][:_MOST_GROUPS]
    causes = sorted(find_root_causes(kept, code, place.path), key=lambda group: _RANK[group[0].severity])
    return [diagnostic for group in causes for diagnostic in group][:MAX_DIAGNOSTICS]


def _is_error_or_candidate_warning(group: Sequence[Diagnostic]) -> bool:
    is_warning = group[0].severity == "warning" and any(diagnostic.in_candidate for diagnostic in group)
    return group[0].severity == "error" or is_warning


def _read_diagnostic_groups(text: str, place: CandidatePlace) -> Iterator[list[Diagnostic]]:
    group: list[Diagnostic] = []
    for match in _TEXT.finditer(text):
        diagnostic = _make_placed_diagnostic(match, place)
        if diagnostic.severity != "note" and group:
            yield group
            group = []
        group.append(diagnostic)
    if group:
        yield group


def _make_placed_diagnostic(match: re.Match[str], place: CandidatePlace) -> Diagnostic:
    severity = _MILD.get(match["kind"], "error")
    line, column = (min(int(digits[:20]), _MOST_LINES) for digits in (match["line"], match["column"] or "0"))
    message, _, option = match["message"].rpartition(" [")
    if not (message and option.startswith(("-W", "-f")) and option.endswith("]")):
        message, option = match["message"], ""
    path = posixpath.normpath(posixpath.join(place.root, place.cwd, match["path"]))
    path = path.removeprefix(place.root.rstrip("/") + "/")
    first = place.span.first + place.before
    inside = path == place.path and first <= line < first + place.lines
    if inside:
        line -= first - 1
    elif path == place.path and line >= first + place.lines:
        # Behind the candidate: the line of the original file, which a reader of the tree can look up.
        line += (place.span.last - place.span.first + 1) - place.before - place.lines - place.after
    if _is_pulled_in_by_draft(path, place):
        message = NOT_SHOWN
    return Diagnostic(
        severity, message[:_MOST_CHARS].translate(_QUOTES), path, line, column, inside, option.rstrip("]")
    )


def _is_pulled_in_by_draft(path: str, place: CandidatePlace) -> bool:
    """Whether a file of the tree takes part only because of the draft. Files outside the tree hide nothing."""
    known = place.reads is None or path in place.reads
    return path != place.path and not path.startswith("/") and not known
