"""What a sandbox costs a candidate beside its commands: a state of its own, one file written, four commands that do
nothing (a check, a compilation, a link, a suite), the state given back.

    .venv/bin/python -m benchmarks.executor.costs.sandbox example  # every sandbox that works here
    .venv/bin/python -m benchmarks.executor.costs.sandbox redis --rounds 30 --only docker --only bwrap

Ways take turns, so that a busy machine is as busy for each. Beside Graft's: a new container and an exec for every
command by the Docker SDK, as harnesses commonly do it; and no sandbox at all, a copy of the tree and plain
subprocesses. Prints medians in ms: wall time, and the CPU time of this process and of the children that it waited
for (an engine's own is not in it). The image must have been built for each sandbox: graft images build.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.repository.images import image_key
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.bwrap.backend import open_bwrap
from executor.sandbox.contract import Backend, Command
from executor.sandbox.docker.backend import DockerBackend, open_docker
from executor.sandbox.process import open_process

COMMANDS = 4
FILE = "graft-overhead.c"
TEXT = b"int graft_overhead;\n" * 200


def main() -> int:
    options = _options()
    cache = cache_root()
    recipe = find_recipe(options.repo)
    source = checkout(recipe, mirror_from_env(options.mirror), cache)
    key = image_key(recipe, source, None)
    docker = open_docker(cache)
    backends: dict[str, Backend] = {"bwrap": open_bwrap(cache), "process": open_process(cache), "docker": docker}
    ways: dict[str, Callable[[], None]] = {}
    for name, backend in backends.items():
        problem = backend.problem() or ("" if any(i.key == key for i in backend.images()) else f"no image {key}")
        if problem:
            sys.stdout.write(f"{name}: left out: {problem}\n")
            continue
        ways[name] = _candidate(backend, key)
        if name == "docker":
            ways["docker, a new container each"] = _candidate(DockerBackend(cache, reuse=False), key)
            ways["Docker SDK: new container, exec each"] = lambda: _by_sdk(f"graft/warm:{key}")
    ways["a copy of the tree, plain subprocesses"] = lambda: _plain(source.root)
    ways = {name: way for name, way in ways.items() if not options.only or name.split(",")[0] in options.only}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for way in ways.values():
        way()  # the first one opens what the others find warm
    for _ in range(options.rounds):
        for name, way in ways.items():
            wall, cpu = time.perf_counter(), _cpu()
            way()
            found[name].append((time.perf_counter() - wall, _cpu() - cpu))
    sys.stdout.write(f"{key}, {options.rounds} rounds, load {os.getloadavg()[0]:.1f}, ms per candidate\n")
    write_json(options.json, {"image": key, "rounds": options.rounds, "wall_and_cpu_s": found})
    for name, rounds in found.items():
        wall, cpu = (statistics.median(column) * 1000 for column in zip(*rounds, strict=True))
        low = min(row[0] for row in rounds) * 1000
        sys.stdout.write(f"{name:40} wall {wall:7.1f} (least {low:6.1f})  own CPU {cpu:6.1f}\n")
    return 0


def _candidate(backend: Backend, key: str) -> Callable[[], None]:
    def way() -> None:
        with backend.session(key) as session:
            session.write(FILE, TEXT)
            for _ in range(COMMANDS):
                if not session.run(Command(["true"])).ok:
                    raise SystemExit(f"{backend.name}: `true` failed")

    return way


def _by_sdk(image: str) -> None:
    import docker

    with contextlib.closing(docker.from_env()) as client:
        container = client.containers.create(
            image, ["sleep", "600"], network_mode="none", user="1000:1000", entrypoint="", detach=True
        )
        try:
            container.start()
            container.exec_run(["sh", "-c", f"cat > /graft/src/{FILE} <<'END'\n{TEXT.decode()}END"])
            for _ in range(COMMANDS):
                container.exec_run(["true"])
        finally:
            container.remove(force=True)


def _plain(tree: Path) -> None:
    folder = Path(tempfile.mkdtemp(dir=cache_root()))
    try:
        subprocess.run(["cp", "-a", "--", str(tree), str(folder / "src")], check=True)
        (folder / "src" / FILE).write_bytes(TEXT)
        for _ in range(COMMANDS):
            subprocess.run(["true"], check=True)
    finally:
        shutil.rmtree(folder)


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repo", nargs="?", default="example")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", action="append", default=[], help="bwrap, docker, process; may be given again")
    parser.add_argument("--mirror", type=Path)
    add_json_option(parser)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
