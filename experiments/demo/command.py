"""The demo: a scripted model behind a real HTTP server on loopback; the rest is an ordinary run."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path

from executor.cache import cache_root
from experiments.demo.scripted_server import load_script, start_server
from experiments.progress import ConsoleProgress
from experiments.report.run_end import write_and_print_report
from experiments.run.config import load_config
from experiments.run.experiment import run_experiment
from experiments.run.manifest import MANIFEST
from index.errors import ConfigError

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parents[2] / "examples" / "demo"


def read_scripted_answers() -> frozenset[str]:
    """Every answer that the demo's model gives: written by us, so it may run without isolation."""
    script = load_script(FOLDER / "script.yaml")
    rules = [*script.rules, *([] if script.default is None else [script.default])]
    calls = [call.arguments for rule in rules for call in rule.calls if isinstance(call.arguments, dict)]
    # Code that a call hands in is kept in a fence.
    codes = [str(arguments["code"]) for arguments in calls if "code" in arguments]
    submitted = [f"```{tag}\n{code}\n```\n" for code in codes for tag in ("c", "cpp")]
    return frozenset([rule.answer * rule.repeat for rule in rules] + submitted)


def run_demo(out: Path, overrides: Sequence[str] = (), *, fresh: bool) -> int:
    """Run the example's five arms into the folder `out`; `fresh` removes an earlier demo there. `overrides`: KEY=VALUE
    of a run. Returns the exit code.

    Raises ConfigError when `out` is a folder of something else."""
    if fresh and out.exists():
        if not (out / MANIFEST).is_file():
            raise ConfigError(f"--out {out}: exists and isn't a run folder; name another")
        shutil.rmtree(out)
    with start_server(load_script(FOLDER / "script.yaml")) as server:
        log.info(f"scripted model at {server.base_url}")
        config = load_config(FOLDER / "demo.yaml", [*overrides, f"api_base={server.base_url}", f"out={out}"])
        # The answers are the script's, written by us: that is what lets them run without isolation.
        end = run_experiment(config, cache_root(), ConsoleProgress(), trusted=True)
    return write_and_print_report(end)
