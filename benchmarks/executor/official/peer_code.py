"""The peers' own functions, taken from clones of their repositories, to run beside ours.

GRAFT_PEERS names a folder with clones (bare ones too), `yabloco-benchmark` with the branches mera_code and main, and
`MERA_CODE`. Only the functions below are run, without Docker: what a container would do is handed in.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from glob import glob
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from executor.grading.official import OfficialName

PEERS_VARIABLE = "GRAFT_PEERS"
_YABLOCO, _MERA = "yabloco-benchmark", "MERA_CODE"

# Built and passed, by task, sample and try.
Container = Callable[[str, int, int], tuple[bool, bool]]


class PeersMissingError(Exception):
    """GRAFT_PEERS isn't set (`unset`), or its folder lacks something."""

    def __init__(self, reason: str, *, unset: bool = False) -> None:
        super().__init__(reason)
        self.unset = unset


@dataclass(frozen=True, slots=True)
class Peers:
    """`parsers` give what each harness splices for a raw answer, `exact` its exact match. `processes` are what a
    container runs: row, code -> built, passed and an error, where `files` holds the row's file and gets the new one.
    `commits` say which versions these are; `harness` and `task` hold all names of YABLoCo's and of MERA's code."""

    parsers: Mapping[OfficialName, Callable[[str], str]]
    exact: Mapping[OfficialName, Callable[[str, str], bool]]
    files: dict[str, bytes]
    processes: Mapping[OfficialName, Callable[[Mapping[str, Any], str], tuple[bool, bool, str]]]
    commits: Mapping[str, str]
    harness: Mapping[str, Any]
    task: Mapping[str, Any]


def load_peers() -> Peers:
    """Raises PeersMissingError."""
    named = os.environ.get(PEERS_VARIABLE)
    if not named:
        raise PeersMissingError(f"{PEERS_VARIABLE} names no folder with clones of {_YABLOCO} and {_MERA}", unset=True)
    yabloco, mera = Path(named) / _YABLOCO, Path(named) / _MERA
    files: dict[str, bytes] = {}
    harness = {"json": json, "os": os, "shutil": shutil, "glob": glob, "datetime": datetime, "timedelta": timedelta}
    compute = _load_functions(yabloco, "mera_code", "compute.py", {**harness, "subprocess": None})
    metrics = _load_functions(yabloco, "mera_code", "metrics.py", {"re": re, "np": np})
    container = _load_functions(yabloco, "mera_code", "results/run_single_example.py", _make_container_imports(files))
    readers = _load_functions(
        yabloco, "mera_code", "read_data.py", {"json": json, "os": os, "defaultdict": defaultdict}
    )
    compute.update({name: readers[name] for name in ("read_results", "get_result_from_disk")})
    compute.update({name: metrics[name] for name in ("exact_match", "estimate_pass_at_k")})
    old = _load_functions(yabloco, "main", "streamlit_app/utils.py", {})
    old_metrics = _load_functions(yabloco, "main", "streamlit_app/metrics.py", {"re": re}, only=("exact_match_score",))
    old_container = _load_functions(
        yabloco, "main", "streamlit_app/results/run_single_example.py", _make_container_imports(files)
    )
    world = {"Filter": object, "register_filter": lambda name: lambda kind: kind, "json": json, "os": os, "sys": sys}
    world |= {"Dict": dict, "List": list}
    task = _load_functions(mera, "main", "code_tasks/yabloco/utils.py", world)
    for each in (container, old_container):
        # What the container's build and tests would say.
        each["run"] = lambda build, test: (True, True, "")
    parse, parse_first, parse_old = (found["parse_generation"] for found in (compute, task, old))

    def matches(candidate: str, gold: str) -> bool:
        return bool(metrics["exact_match"](candidate, gold))

    def process(world: Mapping[str, Any], row: Mapping[str, Any], code: str) -> tuple[bool, bool, str]:
        built, passed, error = world["process_fn"](row, code, "", "")
        return built, passed, error

    return Peers(
        parsers={"yabloco": parse, "yabloco-paper": parse_old, "mera": lambda text: str(parse(parse_first(text)))},
        exact={
            "yabloco": matches,
            "mera": matches,
            "yabloco-paper": lambda left, right: old_metrics["exact_match_score"]([left], [right]) == 100,
        },
        files=files,
        processes={
            "yabloco": partial(process, container),
            "yabloco-paper": partial(process, old_container),
            "mera": partial(process, container),
        },
        commits={
            f"{_YABLOCO} mera_code": _read_commit(yabloco, "mera_code"),
            f"{_YABLOCO} main": _read_commit(yabloco, "main"),
            f"{_MERA} main": _read_commit(mera, "main"),
        },
        harness={**compute, "process_fn": container["process_fn"]},
        task=task,
    )


def run_yabloco_harness(
    peers: Peers,
    generations: Mapping[str, Sequence[str]],
    golds: Mapping[str, str],
    container: Container,
    folder: Path,
) -> dict[str, tuple[float, float]]:
    """pass@1 and exact match of each task by YABLoCo's own `run_tests`, with `container` in Docker's place."""
    world = peers.harness
    (folder / "results").mkdir(parents=True, exist_ok=True)
    (folder / "results" / "run_single_example.py").touch()
    tries: dict[str, int] = defaultdict(int)

    def run_example(row: Any, code: str, repo: str, results: str, identifier: str, prefix: str) -> None:
        task, _, sample = identifier.partition("/")[2].partition("-")
        built, passed = container(task, int(sample), tries[identifier])
        if not code.strip():
            # As its container says of such a text; the same function runs in the test of the splice.
            built, passed, _ = world["process_fn"](row, code, "", "")
        tries[identifier] += 1
        place = Path(results) / identifier
        place.parent.mkdir(exist_ok=True)
        config = {"generated_code": code, "repo": repo}
        place.with_name(f"{place.name}.json").write_text(json.dumps(config))
        place.with_name(f"{place.name}-res.json").write_text(json.dumps({"built": built, "passed": passed}))

    rows = {task: {"id": task, "repository": "redis", "file": "f", "pos": 1, "code_length": 0} for task in golds}
    table = SimpleNamespace(iterrows=lambda: rows.items(), loc=rows)
    clock = iter(range(1, 1_000_000_000, 3))
    world["run_tests"].__globals__.update(
        run_single_example=run_example,
        docker_build=lambda path: None,
        docker_ps=list,
        read_bench_df=lambda path: (table, {task: {"code": gold} for task, gold in golds.items()}),
        time=SimpleNamespace(time=lambda: next(clock), sleep=lambda seconds: None),
        print=lambda *words: None,
    )
    found = world["run_tests"]({task: list(texts) for task, texts in generations.items()}, str(folder), "v0.8")
    return {task: (float(m["pass@1"]), float(m["exact_match"])) for task, (m,) in zip(generations, found, strict=True)}


def run_mera_task(
    peers: Peers,
    generations: Mapping[str, Sequence[str]],
    golds: Mapping[str, str],
    container: Container,
    folder: Path,
) -> dict[str, tuple[float, float]]:
    """The same by MERA's task: its filters, then the harness."""
    found: dict[str, tuple[float, float]] = {}

    def run_tests(texts: Mapping[str, str], working_dir: str, version: str) -> list[list[dict[str, float]]]:
        scores = run_yabloco_harness(peers, {task: [text] for task, text in texts.items()}, golds, container, folder)
        found.update(scores)
        return [[{"pass@1": scores[task][0], "exact_match": scores[task][1]}] for task in texts]

    class Scoring(peers.task["ScoringFilter"]):  # type: ignore[misc]
        def load_config(self) -> None:
            self.working_dir, self.bench_version = str(folder), "v0.8"
            self.generations_output_filepath = self.metrics_output_filepath = str(folder / "kept.json")

    docs = [{"meta": {"original_id": task}} for task in generations]
    parsed = peers.task["FromTagExtractor"]().apply([list(texts) for texts in generations.values()], docs)
    with _stand_in_module("compute", run_tests=run_tests):
        Scoring().apply(parsed, docs)
    return found


@contextmanager
def _stand_in_module(name: str, **members: object) -> Any:
    before, path = sys.modules.get(name), list(sys.path)
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__dict__.update(members)
    try:
        yield
    finally:
        sys.path[:] = path
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before


def _make_container_imports(files: dict[str, bytes]) -> dict[str, Any]:
    """What the container's functions see: their files are those of `files`, read and written as Python's text files
    are."""

    class Kept(BytesIO):
        def __init__(self, path: str, data: bytes, *, keep: bool) -> None:
            super().__init__(data)
            self.path, self.keep = path, keep

        def close(self) -> None:
            if self.keep and not self.closed:
                files[self.path] = self.getvalue()
            super().close()

    def opened(path: str, mode: str = "r", encoding: str = "utf-8") -> TextIOWrapper:
        name = path.removeprefix("/")
        writes = mode == "w"
        return TextIOWrapper(Kept(name, b"" if writes else files[name], keep=writes), encoding=encoding)

    return {"open": opened, "json": json, "os": os, "subprocess": None, "sys": sys}


def _load_functions(
    clone: Path, branch: str, path: str, world: dict[str, Any], only: Sequence[str] = ()
) -> dict[str, Any]:
    """The names that the file's functions, classes and constants have; its imports aren't run, `world` stands in."""
    source = _run_git(clone, "show", f"{_find_ref(clone, branch)}:{path}")
    module = ast.parse(source)
    kinds = (ast.FunctionDef, ast.ClassDef) if only else (ast.FunctionDef, ast.ClassDef, ast.Assign)
    module.body = [
        node for node in module.body if isinstance(node, kinds) and (not only or getattr(node, "name", "") in only)
    ]
    names = dict(world)
    exec(compile(module, f"{clone.name}/{path}", "exec"), names)
    return names


def _find_ref(clone: Path, branch: str) -> str:
    for ref in (branch, f"origin/{branch}"):
        try:
            _run_git(clone, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        except PeersMissingError:
            continue
        return ref
    raise PeersMissingError(f"{clone}: no git clone with the branch {branch}; {PEERS_VARIABLE} names the folder above")


def _read_commit(clone: Path, branch: str) -> str:
    return _run_git(clone, "rev-parse", f"{_find_ref(clone, branch)}^{{commit}}").strip()[:12]


def _run_git(clone: Path, *words: str) -> str:
    command = ["git", "-c", "safe.directory=*", "-C", str(clone), *words]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise PeersMissingError(f"{clone}: git {words[0]}: {done.stderr.strip() or 'nothing there'}")
    return done.stdout
