"""What one check of a draft costs: its unit parsed with its exact flags, and compiled where warnings need that.

    .venv/bin/python -m benchmarks.check_cost redis openssl bullet3
    .venv/bin/python -m benchmarks.check_cost llvm --limit 20

Each task's gold is checked in a warm session, and the gold with an undeclared name in it, which ends after the
parse. CPU-s are user and system of what ran in the sandbox, as the sandbox counts them. Goals: under 1 for C, under
3 for C++. Exit status 1 when not even 95 % of a repository's checks are.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from executor.cache import cache_root
from executor.compiler import SessionCompiler
from executor.images import build_image
from executor.recipe import find_recipe
from executor.sandbox.choose import choose_backend
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from executor.source import checkout, mirror_from_env
from executor.tasks import bind, load_rows, select
from index.errors import RecipeError

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
        self.spent.append(done.wall_s if done.cpu_s is None else done.cpu_s)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def main() -> int:
    options = _options()
    late = False
    for repo in options.repo:
        cache = cache_root()
        recipe = find_recipe(repo)
        backend = choose_backend(options.sandbox, cache).backend
        source = checkout(recipe, mirror_from_env(None), cache, _say)
        image = build_image(recipe, source, backend, None, cache, _say)
        by_kind: dict[tuple[str, str], list[float]] = {}
        for row in select(load_rows("yabloco"), repos=[repo], limit=options.limit):
            task = bind(row, source.root)
            counting = Counting(backend)
            head, brace, body = task.gold.partition("{")
            try:
                with SessionCompiler(image, counting, task.target.path, task.target.span) as compiler:
                    compiler.check(task.gold)  # the first asks the compiler for its version, too
                    for kind, code in (("whole", task.gold), ("broken", f"{head}{brace} no_such_name; {body}")):
                        counting.spent.clear()
                        compiler.check(code)
                        by_kind.setdefault((task.target.language, kind), []).append(sum(counting.spent))
            except RecipeError as error:
                _say(f"{task.id} left out: {error}")
        for (language, kind), costs in sorted(by_kind.items()):
            ordered = sorted(costs)
            high = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
            late |= high >= GOALS[language]
            told = f"median {statistics.median(costs):.2f}, 95 % {high:.2f}, most {ordered[-1]:.2f}"
            _print(f"{repo:10} {language:4} {kind:7} {len(costs):4} checks, CPU-s: {told}")
    return int(late)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", nargs="+")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--limit", type=int)
    return parser.parse_args()


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
