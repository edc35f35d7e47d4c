"""What a command does when its run has ended: keep the report, print it, and say by the exit code how it went."""

from __future__ import annotations

import logging
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.consoles import make_stdout_console, print_line
from experiments.documents import print_document, write_markdown
from experiments.files import write_atomically
from experiments.report.report_document import make_report_document
from experiments.report.run_report import Report, make_report
from experiments.run.experiment import RunEnd
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord, encode_json_value

log = logging.getLogger(__name__)

STOPPED = 3
"""Exit code of a run that stopped before its end (a ceiling, a missing answer, a provider or an engine that is gone).
The same command takes it up again."""

HINT = "--columns all and report.md have them"


def write_and_print_report(end: RunEnd) -> int:
    """Keep and print the run's report. Returns the exit code: 0, or STOPPED."""
    if end.records:
        report = make_report(end.run, read_manifest(end.run), end.records)
        write_report_json_and_markdown(end.run, report)
        # A table of noughts would read as a score.
        if report.model_errors < len(end.records):
            print_document(
                make_stdout_console(),
                make_report_document(report),
                hint=f"graft show {shlex.quote(str(end.run))} --columns all has them",
            )
            make_stdout_console().print()
            for line in suggest_commands(end.run, report, end.records):
                print_line(line)
    if end.stopped:
        log.warning(f"graft: stopped: {end.stopped}")
        return STOPPED
    return 0


def write_report_json_and_markdown(run: Path, report: Report) -> None:
    """Write RUN/report.json and RUN/report.md."""
    write_atomically(run / "report.json", encode_json_value(make_report_json_fields(report), indent=1))
    write_markdown(run / "report.md", make_report_document(report))


def make_report_json_fields(report: Report) -> dict[str, Any]:
    """The report's fields; each row's figures stand beside its other keys, and pass@k by k under `pass_at`."""
    plain: dict[str, Any] = {**asdict(report), "official_comparable": not report.variants}
    for name in ("rows", "valid_rows", "by_repo", "by_level"):
        for row in plain[name]:
            row.update(row.pop("figures"), **row.pop("repeated"))
    return plain


def suggest_commands(run: Path, report: Report, records: Sequence[SampleRecord]) -> tuple[str, ...]:
    """What a person types next, a line each: read a sample, one that failed if there is any; open the page; compare;
    see the details."""
    # As it was called, where a shell wouldn't find it: after `make demo` it is .venv/bin/graft.
    graft = "graft" if shutil.which("graft") or not sys.argv[0].endswith("graft") else sys.argv[0]
    failed = next((record for record in records if record.is_scored and not record.passed), None)
    told = failed or records[0]
    several = len({record.arm for record in records}) > 1
    read = f"Read a {'failure' if failed else 'sample'}:"
    compare = "Arm against arm:" if several else "Compare:"

    def format_graft_command(*words: object) -> str:
        return shlex.join(map(str, (graft, *words)))

    return (
        f"{read:16} {format_graft_command('show', run, told.task_id, '--arm', told.arm)}",
        f"In a browser:    {format_graft_command('show', run, '--html', run / 'report.html')}",
        f"{compare:16} {format_graft_command('compare', run, *(() if several else ('OTHER_RUN',)))}",
        f"All tables:      {format_graft_command('show', run, '--details')}, or {shlex.quote(str(run / 'report.md'))}",
    )
