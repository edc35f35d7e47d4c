"""Where a bwrap session's milliseconds go: its parts, and what each further namespace and mount of a command adds.

    .venv/bin/python -m benchmarks.executor.costs.bwrap_profile                 # the example's image
    .venv/bin/python -m benchmarks.executor.costs.bwrap_profile redis --rounds 60

Prints the median and the least of the rounds in ms of wall time: on a shared machine only the least says what the
work itself takes, and there only when it is run ahead of all others (chrt -f 10, as root). The ways take turns. The
image must have been built: graft images build REPO --sandbox bwrap.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.repository.images import image_key
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.base import DEFAULT_SUITE, base_path
from executor.sandbox.bwrap.backend import open_bwrap
from executor.sandbox.contract import Backend, Command

_COMMANDS = 4


def main() -> int:
    options = _options()
    cache = cache_root()
    recipe = find_recipe(options.repo)
    key = image_key(recipe, checkout(recipe, mirror_from_env(options.mirror), cache), None)
    backend = open_bwrap(cache)
    ways = _ways(base_path(cache, DEFAULT_SUITE))
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(options.rounds):
        _session(backend, key, found)
        for name, argv in ways.items():
            begin = time.perf_counter()
            subprocess.run(argv, check=True)
            found[name].append(time.perf_counter() - begin)
    sys.stdout.write(f"{key}, {options.rounds} rounds, load {os.getloadavg()[0]:.1f}, ms of wall time\n")
    write_json(options.json, {"image": key, "rounds": options.rounds, "seconds": found})
    for name, seconds in found.items():
        sys.stdout.write(f"{name:58} {statistics.median(seconds) * 1000:7.1f} (least {min(seconds) * 1000:5.1f})\n")
    return 0


def _session(backend: Backend, key: str, found: defaultdict[str, list[float]]) -> None:
    marks = [time.perf_counter()]
    with backend.session(key) as session:
        marks.append(time.perf_counter())
        for _ in range(_COMMANDS):
            session.run(Command(["true"]))
            marks.append(time.perf_counter())
    marks.append(time.perf_counter())
    steps = [end - begin for begin, end in pairwise(marks)]
    found["a session with four commands"].append(marks[-1] - marks[0])
    found["of it: opening (mount namespace, base, overlay)"].append(steps[0])
    found["of it: closing"].append(steps[-1])
    found["a session's command (sh, nsenter, bwrap, sh, true)"].extend(steps[1:-1])


def _ways(base: Path) -> dict[str, list[str]]:
    """From the bare program on, each with a little more of what a session's command has."""
    user = ["setpriv", "--reuid=64321", "--regid=64321", "--clear-groups"] if os.getuid() == 0 else []
    mounts = ["--ro-bind", str(base), "/", "--proc", "/proc", "--dev", "/dev"]
    mounts += ["--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    mounts += ["--perms", "1777", "--tmpfs", "/tmp", "--ro-bind", str(base), "/graft/src"]
    program = ["true"]
    bwrap = [*user, "bwrap", "--unshare-user"]
    others = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup"]
    return {
        "true": program,
        "sh, true": ["/bin/sh", "-c", "exec true"],
        "another user, true": [*user, *program],
        "bwrap: user and mount namespaces, one mount": [*bwrap, "--ro-bind", str(base), "/", *program],
        "bwrap: and a session's mounts": [*bwrap, *mounts, *program],
        "bwrap: and a pid namespace": [*bwrap, "--unshare-pid", *mounts, *program],
        "bwrap: and ipc, uts, cgroup": [*bwrap, "--unshare-pid", *others, *mounts, *program],
        "bwrap: and a network": [*bwrap, "--unshare-pid", *others, "--unshare-net", *mounts, *program],
        "bwrap: and no further user namespace": [
            *[*bwrap, "--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL"],
            *[*mounts, *program],
        ],
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repo", nargs="?", default="example")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--mirror", type=Path)
    add_json_option(parser)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
