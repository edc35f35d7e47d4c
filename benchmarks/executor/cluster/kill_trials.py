"""Runs on a Ray cluster of this machine in which something is killed at a random moment: is the table the same?

    python -m benchmarks.executor.cluster.kill_trials --runs 10 --limit 6

The tasks are the example's, under the arms none and oracle. A scripted model on loopback answers each request with the
gold, a body that fails or one that doesn't compile, by a draw over task and arm, and counts the requests. One run on
this machine alone says what the table should be. In each trial a node is killed once so many samples are in the
journal (a draw, with some time behind it), and another one joins; in every third its processes are stopped for a
minute instead, as a network that is cut stops its words. In the first trial the process `graft run` is killed too, in
the second all of Ray, head and nodes; the command is then started again. Needs the example's warm image in
GRAFT_CACHE; nodes fetch it from a store.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.executor.cluster.ray_nodes import Nodes, read_timeless_journal
from executor.cache import cache_root
from executor.function.stub import make_stub
from executor.published.store_place import open_store
from executor.repository.images import build_image, push_image_and_get_digest
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import choose_backend
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Task
from experiments.demo.scripted_server import RunningServer, Script, ScriptRule, start_server
from experiments.run.records import JOURNAL

ARMS = ("none", "oracle")
HEADS = ("graft", "ray")
NODES = ("node", "node's network")
# After so long a node that was cut off hears again, and that it counts as dead.
_CUT_S = 60.0
_MOST_S = 1200.0
_NODE_COUNT = 2
# Up to so many seconds lie between a sample and the kill.
_PAUSE_S = 2.0
_SEED = 1
_SANDBOX = "bwrap"


@dataclass(frozen=True, slots=True)
class Trial:
    """One run. `killed`: what, when (samples in the journal). `repeated`: requests that the model got twice. `ours`:
    samples that ended in an infrastructure failure; `differing`: samples whose record isn't the one of the run on one
    machine, but for times."""

    number: int
    killed: tuple[str, ...]
    samples: int
    requests: int
    repeated: int
    ours: int
    differing: tuple[str, ...]
    seconds: float

    @property
    def lost_nothing(self) -> bool:
        return not (self.repeated or self.ours or self.differing)


def make_script(tasks: Sequence[Task]) -> Script:
    """One answer for each task and arm. The oracle's prompt alone holds the text of a callee."""
    draw = random.Random(_SEED)
    rules = []
    for task in tasks:
        texts = (task.gold, make_stub(task.target, task.gold), task.gold.replace("{", "{ no_such_name;", 1))
        place = re.escape(task.target.signature)
        callees = [re.escape(item.text.strip().splitlines()[0]) for item in task.oracle[:1]]
        for marks in ([place, *callees], [place])[0 if callees else 1 :]:
            rules.append(ScriptRule(all=tuple(marks), answer=f"```c\n{draw.choice(texts)}\n```\n"))
    return Script(rules=tuple(rules))


def run_trial(number: int, limit: int | None, tasks: Sequence[Task], whole: Path, folder: Path) -> Trial:
    draw = random.Random(f"{_SEED} {number}")
    out = folder / f"trial-{number}"
    planned = len(read_timeless_journal(whole / JOURNAL))
    heads = HEADS[number : number + 1]
    moments = sorted(draw.randrange(1, max(2, planned - 1)) for _ in (0, *heads))
    kills = list(zip(moments, draw.sample((NODES[number % 3 == 2], *heads), 1 + len(heads)), strict=True))
    began = time.monotonic()
    done: list[str] = []
    cut: list[threading.Timer] = []
    with start_server(make_script(tasks)) as server:
        nodes = _start_cluster(folder)
        try:
            graft = _start_run(limit, out, server, nodes.cluster.address)
            for moment, what in kills:
                _wait_for_samples(out, graft, moment)
                time.sleep(draw.random() * _PAUSE_S)
                if graft.poll() is not None:
                    break
                done.append(f"{what} at {len(read_timeless_journal(out / JOURNAL))}")
                if what in NODES:
                    name = draw.choice(sorted(nodes.made))
                    if what == "node":
                        nodes.kill_node(name)
                    else:
                        cut.append(threading.Timer(_CUT_S, nodes.suspend_node(name)))
                        cut[-1].start()
                    nodes.add_node(f"{name}-again", GRAFT_STORE=str(folder / "store"))
                    continue
                os.killpg(graft.pid, signal.SIGKILL)
                graft.wait()
                if what == "ray":
                    nodes.close()
                    nodes = _start_cluster(folder)
                graft = _start_run(limit, out, server, nodes.cluster.address)
            if graft.wait(_MOST_S):
                sys.stderr.write(f"trial {number}: graft run ended with status {graft.returncode}\n")
        finally:
            for timer in cut:
                timer.join()
            nodes.close()
        bodies = Counter(served.body for served in server.log.requests)
    found, wanted = read_timeless_journal(out / JOURNAL), read_timeless_journal(whole / JOURNAL)
    differing = [" ".join(map(str, key)) for key in sorted(wanted) if found.get(key) != wanted[key]]
    return Trial(
        number,
        tuple(done),
        len(found),
        bodies.total(),
        bodies.total() - len(bodies),
        sum(record["graft"]["verdict"]["outcome"] == "infra_error" for record in found.values()),
        tuple(differing),
        round(time.monotonic() - began, 1),
    )


def _start_cluster(folder: Path) -> Nodes:
    nodes = Nodes(folder)
    for number in range(_NODE_COUNT):
        nodes.add_node(f"node{number}", GRAFT_STORE=str(folder / "store"))
    return nodes


def _start_run(limit: int | None, out: Path, server: RunningServer, address: str) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own; `address` is "" for this machine alone."""
    words = [
        "dataset=example",
        "repos=example",
        "model=openai/scripted",
        f"api_base={server.base_url}",
        f"arms={','.join(ARMS)}",
        f"sandbox={_SANDBOX}",
        f"out={out}",
        f"concurrency={_NODE_COUNT + 1}",
        *([f"limit={limit}"] if limit else []),
        *(["executor=ray", f"ray={address}"] if address else []),
    ]
    env = {**os.environ, "OPENAI_API_KEY": "none", "GRAFT_STORE": str(out.parent / "store")}
    with out.with_suffix(".log").open("ab") as log:
        command = [sys.executable, "-m", "graft", "run", "oracle", *words]
        return subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)


def _wait_for_samples(out: Path, graft: subprocess.Popen[bytes], samples: int) -> None:
    """Wait until the journal has so many samples, or the run has ended."""
    while graft.poll() is None and len(read_timeless_journal(out / JOURNAL)) < samples:
        time.sleep(0.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--limit", type=int, help="so many tasks; default: all of the example's")
    args = parser.parse_args()
    recipe, backend = find_recipe("example"), choose_backend(_SANDBOX, cache_root()).backend
    source = checkout_source(recipe, None, cache_root())
    image = build_image(recipe, source, backend, None, cache_root())
    tasks = [make_task_from_row(row, source.root) for row in load_rows("example")]
    trials: list[Trial] = []
    with tempfile.TemporaryDirectory(prefix="graft-trials-") as scratch:
        folder = Path(scratch)
        push_image_and_get_digest(image, backend, cache_root(), open_store(str(folder / "store")))
        whole = folder / "whole"
        with start_server(make_script(tasks)) as server:
            if _start_run(args.limit, whole, server, "").wait(_MOST_S):
                sys.stderr.write(f"the run on this machine failed: {whole.with_suffix('.log').read_text()[-2000:]}\n")
                return 1
        for number in range(args.runs):
            trials.append(run_trial(number, args.limit, tasks, whole, folder))
            sys.stderr.write(f"{json.dumps(asdict(trials[-1]))}\n")
    found = {"nodes": _NODE_COUNT, "sandbox": _SANDBOX, "trials": [asdict(trial) for trial in trials]}
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if all(trial.lost_nothing for trial in trials) else 1


if __name__ == "__main__":
    sys.exit(main())
