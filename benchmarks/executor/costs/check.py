"""What one check of a draft costs: its unit parsed with its exact flags, and compiled where warnings need that.

    .venv/bin/python -m benchmarks.executor.costs.check redis openssl bullet3
    .venv/bin/python -m benchmarks.executor.costs.check llvm-prebuilt --units

Each task's gold is checked in a warm session, and the gold with an undeclared name in it, which ends after the
parse. CPU-s are user and system of what ran in the sandbox, as the sandbox counts them. Goals: under 1 for C, under
3 for C++. Exit status 1 when not even 95 % of a repository's checks are.

`--units` takes one task of each unit that is compiled by itself, checks both texts without a precompiled header,
has the headers of the slow ones made in a folder of its own, and checks again with them; a text whose messages
differ is named, and counts as a failure.
"""

from __future__ import annotations

import argparse
import logging
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.executor.output import add_json_option, write_json
from executor.cache import cache_root
from executor.candidate.compiler import SessionCompiler
from executor.candidate.precompiled import HeaderStore
from executor.repository.images import Image, build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from executor.tasks.load import bind, load_rows, select
from executor.tasks.rebind import rebound, with_stand_ins
from executor.values import Task
from experiments.consoles import log_to_stderr, say
from index.errors import RecipeError
from index.values import Diagnostic

log = logging.getLogger(__name__)

GOALS = {"c": 1.0, "cpp": 3.0}


@dataclass(slots=True)
class Counting:
    """A backend whose sessions add up what their commands cost."""

    inner: Backend
    spent: list[float] = field(default_factory=list)

    @contextmanager
    def session(self, key: str) -> Iterator[Session]:
        with self.inner.session(key) as session:
            yield _CountingSession(session, self.spent)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(slots=True)
class _CountingSession:
    inner: Session
    spent: list[float]

    def run(self, command: Command) -> ExecResult:
        done = self.inner.run(command)
        self.spent.append(done.cost_s)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def main() -> int:
    options = _options()
    late = False
    results: dict[str, object] = {}
    for repo in options.repo:
        cache = cache_root()
        recipe = find_recipe(repo)
        backend = choose_backend(options.sandbox, cache).backend
        source = checkout(recipe, mirror_from_env(None), cache)
        image = build_image(recipe, source, backend, None, cache)
        rows = rebound(with_stand_ins(load_rows("yabloco"), [repo]), recipe, source.root).rows
        tasks = [bind(row, source.root) for row in select(rows, limit=options.limit)]
        measure = _units if options.units else _tasks
        too_late, results[repo] = measure(image, backend, tasks)
        late |= too_late
    write_json(options.json, results)
    return int(late)


def _tasks(image: Image, backend: Backend, tasks: Sequence[Task]) -> tuple[bool, object]:
    """Whether a check was too slow, and the CPU seconds of all checks by kind."""
    by_kind: dict[tuple[str, str], list[float]] = {}
    for task in tasks:
        counting = Counting(backend)
        try:
            with SessionCompiler(image, counting, task.target.path, task.target.span) as compiler:
                compiler.check(task.gold)  # the first asks the compiler for its version, too
                for kind, code in (("whole", task.gold), ("broken", _broken(task))):
                    by_kind.setdefault((task.target.language, kind), []).append(_checked(compiler, counting, code)[0])
        except RecipeError as error:
            log.info(f"{task.id} left out: {error}")
    late = False
    for (language, kind), costs in sorted(by_kind.items()):
        ordered = sorted(costs)
        high = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
        late |= high >= GOALS[language]
        summary = f"median {statistics.median(costs):.2f}, 95 % {high:.2f}, most {ordered[-1]:.2f}"
        say(f"{image.recipe.name:10} {language:4} {kind:7} {len(costs):4} checks, CPU-s: {summary}")
    return late, {f"{language}, {kind}": costs for (language, kind), costs in by_kind.items()}


def _units(image: Image, backend: Backend, tasks: Sequence[Task]) -> tuple[bool, object]:
    """Whether a check was too slow, and a row for each unit: both texts without a header, the cost and size of the
    header, both texts with it."""
    late = False
    rows: dict[str, Sequence[float]] = {}
    say("| unit | whole | broken | header made | packed MiB | whole with it | broken with it | unpacked in |")
    say("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    own = {task.target.path: task for task in tasks if not task.target.path.endswith((".h", ".hpp"))}
    with TemporaryDirectory(dir=cache_root()) as folder:
        store = HeaderStore(Path(folder))
        for path, task in sorted(own.items()):
            span, counting = task.target.span, Counting(backend)
            texts = (task.gold, _broken(task))
            with SessionCompiler(image, counting, path, span) as compiler:
                compiler.check(task.gold)
                plain = [_checked(compiler, counting, code) for code in texts]
            if max(plain[0][0], plain[1][0]) < store.slow_s:
                late |= max(plain[0][0], plain[1][0]) >= GOALS[task.target.language]
                rows[path] = (plain[0][0], plain[1][0])
                say(f"| {path} | {plain[0][0]:.2f} | {plain[1][0]:.2f} | | | | | |")
                continue
            before = set(store.folder.iterdir())
            counting.spent.clear()
            with SessionCompiler(image, counting, path, span, store) as compiler:
                checked = compiler.prepare()
            # The version and the plain check come first, in whatever order the rest is counted.
            made = sum(counting.spent) - checked
            size = sum(file.stat().st_size for file in set(store.folder.iterdir()) - before) / 2**20
            with SessionCompiler(image, counting, path, span, store) as compiler:
                started = time.process_time()
                compiler.check(task.gold)
                unpacked = time.process_time() - started
                again = [_checked(compiler, counting, code) for code in texts]
            late |= max(again[0][0], again[1][0]) >= GOALS[task.target.language]
            costs = (plain[0][0], plain[1][0], made, size, again[0][0], again[1][0], unpacked)
            rows[path] = costs
            say(f"| {path} | {' | '.join(f'{cost:.2f}' for cost in costs)} |")
            if [messages for _, messages in again] != [messages for _, messages in plain]:
                say(f"{path}: other messages with the header ({checked:.1f} CPU-s without)")
                late = True
    return late, rows


def _broken(task: Task) -> str:
    head, brace, body = task.gold.partition("{")
    return f"{head}{brace} no_such_name; {body}"


def _checked(compiler: SessionCompiler, counting: Counting, code: str) -> tuple[float, Sequence[Diagnostic]]:
    """CPU-s of one check, and what it said."""
    counting.spent.clear()
    found = compiler.check(code)
    return sum(counting.spent), found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", nargs="+")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--units", action="store_true", help="a row for each unit, with precompiled headers")
    add_json_option(parser)
    return parser.parse_args()


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
