"""The command that feeds every reader with damaged inputs, and prints what crashed or hung."""

from __future__ import annotations

import argparse
import logging
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.fuzz.reader_trials import Finding, play_readers
from benchmarks.fuzz.readers import BOUND_S, list_readers
from benchmarks.fuzz.sample_damage import MOST_BYTES
from benchmarks.tables import render_cells
from experiments.consoles import print_line
from index.errors import GraftError

HEAD = (
    "readers", "samples", "damaged inputs", "seconds", "CPU-s", "seed", "bytes at most", "CPU-s allowed each",
    "crashes and hangs",
)  # fmt: skip


def main() -> int:
    """Play for as long as asked. Returns 1 when something was found."""
    given = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    given.add_argument("folders", nargs="*", type=Path, help="runs and caches whose files are samples too")
    given.add_argument("--minutes", type=float, default=10.0)
    given.add_argument("--seed", type=int, default=None, help="default: another each time")
    given.add_argument("--keep", type=Path, default=None, help="folder for the inputs of what was found")
    options = given.parse_args()
    # A reader may warn of damage; here that is all the time.
    logging.disable(logging.CRITICAL)
    seed = options.seed if options.seed is not None else time.time_ns() % 1_000_000
    chosen = list_readers(options.folders)
    with TemporaryDirectory(prefix="graft-fuzz") as scratch:
        # What a reader imports when it is first called isn't the input's fault: litellm alone takes up to 5 CPU-s.
        for reader in chosen:
            with suppress(GraftError):
                reader.read(reader.samples[0], Path(scratch))
        began = time.monotonic()
        counts, found = play_readers(chosen, Path(scratch), random.Random(seed), seconds=options.minutes * 60)
    spent = time.monotonic() - began
    inputs = sum(len(reader.samples) for reader in chosen)
    times = (f"{spent:.0f}", f"{time.process_time():.0f}")
    facts = (len(chosen), inputs, sum(counts.values()), *times, seed, MOST_BYTES, f"{BOUND_S:g}", len(found))
    print_line(render_cells(HEAD, [facts], left=0))
    rows = [[name, count, sum(f.reader == name for f in found)] for name, count in counts.items()]
    print_line("\n" + render_cells(("reader", "damaged inputs", "crashes and hangs"), rows))
    for number, finding in enumerate(found):
        print_line(f"\n{finding.reader}: {finding.problem}\n{finding.trace}")
        if options.keep is not None:
            _keep_input(options.keep / f"{number}.bin", finding)
    return 1 if found else 0


def _keep_input(path: Path, finding: Finding) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(finding.data)
    print_line(f"input: {path}")


if __name__ == "__main__":
    sys.exit(main())
