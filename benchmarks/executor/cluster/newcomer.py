"""How long somebody who has Graft and a store, and nothing else, waits for a repository's first verdict.

    python -m benchmarks.record benchmarks/records/cluster_newcomer.json -- \\
        python -m benchmarks.executor.cluster.newcomer --repo openssl

The repository's warm image in GRAFT_CACHE is pushed into a store. Then `graft run` judges one gold with an empty cache
and without a mirror: base, source, image and what its suites printed come from the store. A second verdict with the
same cache says what of it is fetching. The store is a folder on the same disk; `store_mb` is what a network would
have to carry. Times by the clock, from the start of the command to the verdict in the journal; CPU-seconds are those
of all that the command started. Exit status 1 when a gold doesn't pass.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.costs import cost_of
from benchmarks.executor.cluster.nodes import journal
from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.published.place import open_store
from executor.repository.images import push_image, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.tasks.load import load_rows
from experiments.run.records import JOURNAL


def pushed(repo: str, sandbox: str, store: Path) -> int:
    """Publish the image. Returns its suites that were measured."""
    recipe, backend = find_recipe(repo), choose_backend(sandbox, cache_root()).backend
    image = require_image(recipe, checkout(recipe, mirror_from_env(), cache_root()), backend, None, cache_root())
    push_image(image, backend, cache_root(), open_store(str(store)))
    return len(image.suite_seconds)


def verdict(repo: str, task: str, sandbox: str, cache: Path, store: Path, out: Path) -> dict[str, object]:
    """Judge the task's gold by `graft run`, as a newcomer would."""
    env = {"GRAFT_CACHE": str(cache), "GRAFT_STORE": str(store), "GRAFT_MIRROR": ""}
    words = (f"repos={repo}", f"tasks={task}", "model=gold", "arms=none", f"sandbox={sandbox}", f"out={out}")
    began = time.time()
    cost, _ = cost_of((sys.executable, "-m", "graft", "run", "oracle", *words), env=env)
    (record,) = journal(out / JOURNAL).values()
    return {
        "outcome": record["graft"]["verdict"]["outcome"],
        "verdict_s": round((out / JOURNAL).stat().st_mtime - began, 1),
        "whole_s": round(cost.wall, 1),
        "cpu_s": round(cost.cpu, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repo", default="openssl")
    parser.add_argument("--task", help="default: the repository's first")
    parser.add_argument("--sandbox", default="bwrap")
    add_json_option(parser)
    args = parser.parse_args()
    task = args.task or next(row.id for row in load_rows("yabloco") if row.repository == args.repo)
    with tempfile.TemporaryDirectory(prefix="graft-newcomer-") as name:
        folder = Path(name)
        store, cache = folder / "store", folder / "cache"
        suites = pushed(args.repo, args.sandbox, store)
        runs = [verdict(args.repo, task, args.sandbox, cache, store, folder / what) for what in ("empty", "warm")]
        found = {
            "repo": args.repo,
            "task": task,
            "suites": suites,
            "store_mb": round(sum(path.stat().st_size for path in store.rglob("*.graft")) / 2**20),
            "cache_mb": round(sum(path.lstat().st_blocks * 512 for path in cache.rglob("*")) / 2**20),
            "load": round(os.getloadavg()[0], 1),
            "empty": runs[0],
            "warm": runs[1],
        }
    write_json(args.json, found)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if all(run["outcome"] == "passed" for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
