"""graft audit sabotage: what must make a suite fail, for the control runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from experiments.cli.options import TaskOptions, Workers, split_comma_separated_list, take_options
from experiments.consoles import get_shared_stderr_console, print_line
from lab.cli.wrong import Manifests


@dataclass(frozen=True, kw_only=True)
class SabotageOptions(TaskOptions):
    """What `graft audit sabotage` takes."""

    wanted: Annotated[int, typer.Option(min=2, help="How many to find for each task and suite.")] = 3
    budget: Annotated[float, typer.Option(help="Seconds to spend on one suite.")] = 600.0
    fresh: Annotated[bool, typer.Option(help="Search again for what the manifest already holds.")] = False
    further: Annotated[
        bool, typer.Option(help="Search also where a suite has some, but lacks some for one of its tasks.")
    ] = False
    workers: Workers = None
    out: Manifests = None


@take_options(SabotageOptions)
def sabotage(options: SabotageOptions) -> None:
    """Find functions that, when broken, make a suite fail.

    A control run breaks one of them beside an answer that passed, to see whether the suite still judges. The manifest
    keeps them."""
    from executor.cache import cache_root
    from experiments.progress import ConsoleProgress
    from lab.doctor.body_trial import Effort
    from lab.doctor.data_set_examination import DoctorRequest, search_sabotages
    from lab.doctor.manifest import summarize_sabotages
    from lab.doctor.suite_sabotages import SearchEffort

    request = DoctorRequest(
        dataset=options.dataset,
        repos=split_comma_separated_list(options.repos),
        tasks=split_comma_separated_list(options.tasks),
        effort=Effort(),
        fresh=options.fresh,
        further=options.further,
        out=options.out,
        sandbox=options.sandbox,
        mirror=options.mirror,
        workers=options.workers,
        search=SearchEffort(options.wanted, options.budget),
    )
    for manifest, ids in search_sabotages(request, cache_root(), ConsoleProgress(get_shared_stderr_console())):
        print_line(summarize_sabotages(manifest, ids))
