"""graft run --prompts-only: each first prompt of a run as a line of the batch file that the provider takes."""

from __future__ import annotations

import logging
from pathlib import Path

from experiments.files import write_atomically
from experiments.run.batch import collect_first_requests, encode_batch_lines
from experiments.run.config import RunConfig
from experiments.run.experiment import list_jobs, make_asker
from experiments.run.reference_models import make_stub_model
from experiments.run.resolve import resolve_config_parts
from experiments.run.workspace import prepare_tasks_for_prompts

log = logging.getLogger(__name__)


def write_prompts(config: RunConfig, cache: Path, out: Path) -> None:
    """Write the prompts to `out`. No model is asked, nothing is built, and no sandbox is needed. Raises UserError for
    a mistake in the configuration."""
    parts = resolve_config_parts(config)
    tasks, readings, left_out = prepare_tasks_for_prompts(parts, cache)
    for line in left_out:
        log.warning(line)
    jobs = list_jobs(parts, tasks)
    requests = collect_first_requests(make_asker(parts, readings, make_stub_model), jobs)
    write_atomically(out, encode_batch_lines(requests))
    shared = f" for {len(jobs)} samples; equal prompts are asked once" if len(requests) < len(jobs) else ""
    log.info(f"{out}: {len(requests)} requests{shared}. Next: graft run CONFIG ... --responses FILE, with the answers")
