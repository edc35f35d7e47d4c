"""What a command does when its run has ended: keep the report, print it, and say by the exit code how it went."""

from __future__ import annotations

import logging

from experiments.consoles import stdout
from experiments.report.model import Report, make_report
from experiments.report.render import keep_report, print_report
from experiments.run.experiment import RunEnd
from experiments.run.manifest import read_manifest

log = logging.getLogger(__name__)

STOPPED = 3
"""Exit code of a run that stopped before its end (a ceiling, a missing answer, a provider or an engine that is gone).
The same command takes it up again."""


def finish(end: RunEnd) -> int:
    """Keep and print the run's report. Returns the exit code: 0, or STOPPED."""
    if end.records:
        report = report_of(end)
        keep_report(end.run, report)
        # A table of noughts would read as a score.
        if report.model_errors < len(end.records):
            print_report(stdout(), report)
    if end.stopped:
        log.warning(f"graft: stopped: {end.stopped}")
        return STOPPED
    return 0


def report_of(end: RunEnd) -> Report:
    """The report of all that the run has finished."""
    return make_report(end.run, read_manifest(end.run), end.records)
