"""A cache with the example's warm image, made once a session; runs of the example against a scripted server."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from executor.repository.recipe import find_recipe
from executor.repository.source import checkout
from executor.sandbox.choose import open_backend
from executor.tasks.load import bind, load_rows
from executor.values import Task
from experiments.demo.scripted_server import RunningServer, Script, ScriptRule, start_server
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd, run_experiment
from index.build import build_index
from index.errors import UserError
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex, open_index
from lab.cli.app import main
from tests.support.engines import cache_with_base, unavailable
from tests.support.example import example_cache
from tests.support.runs import Graft

Runner = Callable[..., RunEnd]


@pytest.fixture
def graft(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Graft:
    """The command line in this process: exit code, stdout, stderr."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["graft", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
            raise SystemExit(0)
        out, err = capsys.readouterr()
        return int(caught.value.code or 0), out, err

    return call


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """GRAFT_CACHE of these tests, with the example built in the process sandbox."""
    return example_cache(tmp_path_factory)


@pytest.fixture(scope="session")
def bwrap_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """GRAFT_CACHE with this machine's base: in it bwrap builds the example once for all tests."""
    cache = cache_with_base(tmp_path_factory.mktemp("bwrap"))
    try:
        open_backend("bwrap", cache)
    except UserError as error:
        unavailable(str(error))
    return cache


@pytest.fixture(scope="session")
def example_tasks(cache: Path) -> dict[str, Task]:
    root = checkout(find_recipe("example"), None, cache).root
    return {row.id: bind(row, root) for row in load_rows("example")}


@pytest.fixture
def progress() -> Progress:
    return SILENT


@pytest.fixture
def run_example(cache: Path, progress: Progress, tmp_path: Path) -> Runner:
    """Run the example in the process sandbox with trusted answers; keywords are configuration keys. Golds get their
    control run, which is half of their cost, where a test asks for it."""

    def run(*, out: str = "run", **keys: Any) -> RunEnd:
        own = {key: keys.pop(key) for key in ("answers", "retry_errors", "offline") if key in keys}
        config = RunConfig(
            **{
                "dataset": "example",
                "sandbox": "process",
                "model": "openai/scripted",
                "arms": ("none",),
                "audit": "none",
                "out": tmp_path / out,
                **keys,
            }
        )
        return run_experiment(config, cache, progress, trusted=True, **own)

    return run


@pytest.fixture
def serve() -> Iterator[Callable[..., RunningServer]]:
    """Start a scripted server from rules; all are stopped at the end."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def start(*rules: ScriptRule, default: ScriptRule | None = None) -> RunningServer:
            script = Script(rules=rules, **({"default": default} if default else {}))
            return stack.enter_context(start_server(script))

        yield start


@pytest.fixture
def indexed(tmp_path: Path) -> Iterator[Callable[[Mapping[str, str]], RepoIndex]]:
    """Writes files (path -> text) as a tree and opens its index."""
    with ExitStack() as stack:

        def made(files: Mapping[str, str]) -> RepoIndex:
            root = tmp_path / "tree"
            root.mkdir()
            for path, text in files.items():
                (root / path).write_text(text)
            build_index(root, tmp_path / "index", workers=1)
            return stack.enter_context(closing(open_index(tmp_path / "index", root)))

        yield made
