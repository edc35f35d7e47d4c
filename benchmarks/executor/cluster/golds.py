"""The golds of redis, bullet3 and openssl by the nodes of a Ray cluster and by this machine's own pool, in one run.

    .venv/bin/python -m benchmarks.executor.cluster.golds                              # all 150
    .venv/bin/python -m benchmarks.executor.cluster.golds --tasks 6 --json golds.json  # a draw of 6
    .venv/bin/python -m benchmarks.executor.cluster.golds --timed 30 --local RUN --out golds --json golds.json

Two nodes of one core and two sandboxes at once on this machine alone, the same tasks, one after the other. Each of
the three has a cache of its own, which holds the image from a store and nothing that an earlier run left. Before
either is timed, each node fetches the image, unpacks it and calibrates itself (`ready_s`). What is timed is the whole
command: `overhead` holds everything that Ray and the head add to a candidate. Needs warm images in GRAFT_CACHE and
sources in GRAFT_MIRROR. Exit status 1 when a gold doesn't pass or a journal differs.

With --timed a draw of so many golds is timed on both; the others are done by the nodes alone, and their records are
compared with those of --local, folders of runs of the golds on one machine (model=gold, arm none, the same Graft).
With --out and --json the same command goes on where it was stopped: after the repositories that it has, and in the
journal of the others.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.executor.cluster.nodes import Nodes, Records, journal, kept_folder
from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.published.place import open_store
from executor.repository.images import Image, build_image, push_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.tasks.load import load_rows
from executor.workers.contract import Needs, Site
from executor.workers.ray_workers import RayWorkers
from experiments.consoles import log_to_stderr
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.records import JOURNAL

REPOS = ("redis", "bullet3", "openssl")
NODES = 2


@dataclass(frozen=True, slots=True)
class Compared:
    """One repository. `timed` of the golds ran on both; `passed_local` are of these, `passed_ray` of all. `compared`:
    the golds of which both journals have a record; `differing`: the tasks of these whose records aren't equal but for
    times. `ready_s`: what it took until each node had the image and its calibration."""

    repo: str
    golds: int
    timed: int
    passed_local: int
    passed_ray: int
    compared: int
    differing: tuple[str, ...]
    ready_s: float
    local_s: float
    ray_s: float


def here(site: Site, image: Image, folder: Path) -> str:
    """The machine's cache. What `perform` does before is what makes the node ready."""
    del image, folder
    time.sleep(1.0)  # so that the other node gets the other piece of work
    return str(site.cache)


def made_ready(address: str, sandbox: str, image: Image, folder: Path) -> float:
    """The seconds until each node has the image and its calibration."""
    began = time.monotonic()
    workers = RayWorkers(address, sandbox)
    found: set[str] = set()

    def ask() -> None:
        found.add(workers.do(here, image, folder, needs=Needs(alone=True)))

    while len(found) < NODES:
        threads = [threading.Thread(target=ask) for _ in range(NODES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return time.monotonic() - began


def timed_run(repo: str, tasks: Sequence[str], out: Path, sandbox: str, cache: Path, **more: object) -> float:
    """The seconds of a run of the golds into `out`."""
    began = time.monotonic()
    words = {"dataset": "yabloco", "repos": (repo,), "tasks": tuple(tasks), "model": "gold", "arms": ("none",)}
    config = RunConfig.model_validate(
        {**words, "sandbox": sandbox, "out": out, "concurrency": NODES, "test_jobs": NODES, **more}
    )
    end = run_experiment(config, cache)
    if end.stopped:
        sys.stderr.write(f"{out.name}: {end.stopped}\n")
    return time.monotonic() - began


def compare(
    repo: str, timed: Sequence[str], rest: Sequence[str], before: Records, sandbox: str, nodes: Nodes, folder: Path
) -> Compared:
    recipe, backend = find_recipe(repo), choose_backend(sandbox, cache_root()).backend
    image = build_image(recipe, checkout(recipe, mirror_from_env(), cache_root()), backend, None, cache_root())
    push_image(image, backend, cache_root(), open_store(str(folder / "store")))
    ready_s = made_ready(nodes.cluster.address, sandbox, image, folder / "ready")
    local, ray, others = (folder / f"{repo}-{name}" for name in ("local", "ray", "rest"))
    # Controls and compiled headers that an earlier run kept would spare the local run what nodes pay.
    own = folder / "local"
    alone = choose_backend(sandbox, own).backend
    build_image(recipe, checkout(recipe, mirror_from_env(), own), alone, None, own)
    on_ray = {"executor": "ray", "ray": nodes.cluster.address}
    # Half a run's times say nothing.
    for begun in (local, ray):
        shutil.rmtree(begun, ignore_errors=True)
    local_s = timed_run(repo, timed, local, sandbox, own)
    ray_s = timed_run(repo, timed, ray, sandbox, cache_root(), **on_ray)
    if rest:
        timed_run(repo, rest, others, sandbox, cache_root(), **on_ray)
    alone_found = journal(local / JOURNAL)
    by_ray = {**journal(ray / JOURNAL), **journal(others / JOURNAL)}
    known = {**{key: before[key] for key in by_ray.keys() & before.keys()}, **alone_found}
    passed = [
        sum(r["graft"]["verdict"]["outcome"] == "passed" for r in made.values()) for made in (alone_found, by_ray)
    ]
    differing = tuple(key[0] for key in sorted(known) if by_ray.get(key) != known[key])
    times = (round(ready_s, 1), round(local_s, 1), round(ray_s, 1))
    return Compared(repo, len(timed) + len(rest), len(timed), *passed, len(known), differing, *times)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tasks", type=int, help="so many, drawn over the repositories; default: all")
    parser.add_argument("--repo", action="append", choices=REPOS, help="only this; may be repeated")
    parser.add_argument("--timed", type=int, help="so many on this machine too, drawn; default: all")
    parser.add_argument("--local", type=Path, nargs="+", default=[], help="runs of the golds on one machine")
    parser.add_argument("--out", type=Path, help="keep runs and caches there; default: a temporary folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandbox", default="bwrap")
    add_json_option(parser)
    args = parser.parse_args()
    log_to_stderr()
    repos = args.repo or REPOS
    every = [(row.repository, row.id) for row in load_rows("yabloco") if row.repository in repos]
    drawn = every if args.tasks is None else random.Random(args.seed).sample(every, args.tasks)
    before = {key: record for run in args.local for key, record in journal(run / JOURNAL).items()}
    compared: list[Compared] = []
    if args.out and args.json and args.json.is_file():
        known = json.loads(args.json.read_text(encoding="utf-8"))["repositories"]
        compared = [Compared(**{**repo, "differing": tuple(repo["differing"])}) for repo in known]
    with kept_folder(args.out, "graft-golds-") as folder:
        os.environ["GRAFT_STORE"] = str(folder / "store")
        nodes = Nodes(folder)
        try:
            for number in range(NODES):
                nodes.add(f"node{number}", GRAFT_STORE=str(folder / "store"))
            for repo in repos:
                ids = [task_id for owner, task_id in drawn if owner == repo]
                if ids and repo not in {done.repo for done in compared}:
                    share = 1.0 if args.timed is None else args.timed / len(drawn)
                    both = random.Random(args.seed).sample(ids, max(1, round(share * len(ids))))
                    rest = [task_id for task_id in ids if task_id not in both]
                    compared.append(compare(repo, both, rest, before, args.sandbox, nodes, folder))
                    sys.stderr.write(f"{json.dumps(asdict(compared[-1]))}\n")
                    write_json(args.json, _result(compared))
        finally:
            nodes.close()
    found = _result(compared)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    good = all(
        (repo.passed_local, repo.passed_ray) == (repo.timed, repo.golds) and not repo.differing for repo in compared
    )
    return 0 if good else 1


def _result(compared: Sequence[Compared]) -> dict[str, object]:
    overhead = sum(repo.ray_s for repo in compared) / sum(repo.local_s for repo in compared) - 1
    return {"nodes": NODES, "repositories": [asdict(repo) for repo in compared], "overhead": round(overhead, 3)}


if __name__ == "__main__":
    sys.exit(main())
