"""Our surroundings fail for real in the middle of a run: the engine is killed, the disk is full, the image is
removed, file handles run out, or Graft itself is killed. Prevents: our own trouble scored as a model's failure, a
traceback where a line should say what to mend, a resumed run that lost or repeated what was finished, pays for answers
twice, or whose table then differs from an undisturbed one."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from executor.cache import cache_root
from executor.repository.images import image_key
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.base import DEFAULT_SUITE, base_rootfs_path
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.docker.backend import open_docker_and_remove_leftovers
from executor.values import Task
from experiments.demo.scripted_server import ScriptRule
from experiments.report.run_report import ReportRow, make_report
from experiments.run.experiment import RESPONSES
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, SampleRecord, read_journal
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.engines import unavailable
from tests.support.scripts import fence, match_prompt

pytestmark = pytest.mark.slow

# One of C++, whose units take seconds to compile, beside C: what breaks doesn't hang on the language.
TASKS = ("array-reserve", "check-digit", "date-plus-months", "date-read", "map-remove", "text-fits", "text-trim")
STOPPED = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A cache with the example built, and a run's folder; `env` goes to every graft."""

    cache: Path
    run: Path
    sandbox: str
    env: dict[str, str]

    def start(self) -> subprocess.Popen[str]:
        config = self.cache / "gold.yaml"
        config.write_text(f"{{dataset: example, model: gold, arms: [none], sandbox: {self.sandbox}, audit: none}}")
        words = [f"out={self.run}", f"tasks={','.join(TASKS)}", "concurrency=1"]
        argv = [sys.executable, "-m", "graft", "run", str(config), *words]
        env = {**os.environ, "GRAFT_CACHE": str(self.cache), "COLUMNS": "400", **self.env}
        return subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def finish(self, graft: subprocess.Popen[str]) -> tuple[int, str]:
        """The program's exit code, and its last line on stderr."""
        stderr = graft.communicate(timeout=200)[1]
        assert "Traceback" not in stderr, stderr
        return graft.returncode, (stderr.splitlines() or [""])[-1]

    def break_run(self, act: Callable[[int], None], codes: Sequence[int], *says: str) -> list[tuple[str, str]]:
        """Start, and call `act` with the process's id once two samples are finished. Gives the samples at the end of
        the run, which has one of the codes and says this."""
        graft = self.start()
        deadline = time.monotonic() + 150
        while len(self.outcomes()) < 2 and graft.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        act(graft.pid)
        code, last = self.finish(graft)
        assert code in codes and all(part in last for part in says), (code, last)
        return self.outcomes()

    def outcomes(self) -> list[tuple[str, str]]:
        """(task, outcome) of each journalled sample, in order; both readings must agree."""
        path = self.run / "journal.jsonl"
        found = []
        for line in path.read_text().splitlines() if path.exists() else []:
            with contextlib.suppress(ValueError):
                one = json.loads(line)
                found.append((one["task_id"], one["graft"]["verdict"]["outcome"]))
                assert one["official"]["verdict"]["outcome"] == found[-1][1]
        return found

    def check_resumed(self, before: list[tuple[str, str]]) -> None:
        """Resume: what was finished stays, nothing but passes and our own errors was ever written, all tasks pass."""
        # Where the image was new, the first run's verdicts came before the last round of suites: they are given again.
        has_early = any((self.run / "expected").glob("*.early.json"))
        early = [task for task, outcome in before if outcome == "passed" and has_early]
        assert self.finish(self.start())[0] == 0
        after = self.outcomes()
        assert after[: len(before)] == before
        assert {outcome for _, outcome in after} <= {"passed", "infra_error"}
        passed = [task for task, outcome in after if outcome == "passed"]
        assert sorted(passed) == sorted([*TASKS, *early])
        report = json.loads((self.run / "report.json").read_text())
        assert (report["rows"][0]["outcomes"], report["infra"]) == ({"passed": len(TASKS)}, [])


@pytest.fixture
def bwrap_place(bwrap_cache: Path, tmp_path: Path) -> Place:
    return Place(bwrap_cache, tmp_path / "run", "bwrap", {})


@pytest.mark.bwrap
def test_an_image_that_is_removed_stops_the_run_which_builds_it_again(bwrap_place: Place) -> None:
    def remove(pid: int) -> None:
        source = checkout_source(find_recipe("example"), None, bwrap_place.cache)
        open_unscheduled_backend("bwrap", bwrap_place.cache).remove(image_key(find_recipe("example"), source, None))

    # It happened that the sample in work was scored as a failed build.
    before = bwrap_place.break_run(remove, (STOPPED,), "isn't there: build it with `graft images build REPO`")
    assert ("infra_error" in dict(before).values()) and len(before) < len(TASKS)
    bwrap_place.check_resumed(before)


@pytest.mark.bwrap
def test_out_of_file_handles_stops_the_run(bwrap_place: Place) -> None:
    def starve(pid: int) -> None:
        few = len(os.listdir(f"/proc/{pid}/fd")) - 2  # noqa: PTH208
        subprocess.run(["prlimit", "--pid", str(pid), f"--nofile={few}:{few}"], check=True)

    before = bwrap_place.break_run(starve, (1, STOPPED), "oo many open files")
    assert len(before) < len(TASKS) + 3
    bwrap_place.check_resumed(before)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own, 2 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "graft", str(folder)], capture_output=True)
    if mounted.returncode:
        unavailable(f"can't mount a small disk: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.bwrap
def test_a_full_disk_stops_the_run(bwrap_cache: Path, small_disk: Path) -> None:
    place = Place(bwrap_cache, small_disk / "run", "bwrap", {})
    filler = small_disk / "filler"

    def fill(pid: int) -> None:
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    before = place.break_run(fill, (1, STOPPED), "No space left on device")
    assert len(before) < len(TASKS)
    filler.unlink()
    place.check_resumed(before)


class Engine:
    """A Docker engine of the test's own: the machine's engine is never touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = f"unix://{folder}/docker.sock"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for stale in ("docker.pid", "exec/containerd/containerd.pid"):
            (self.folder / stale).unlink(missing_ok=True)
        argv = ["dockerd", "--iptables=false", "--bridge=none", "-H", self.host]
        argv += ["--data-root", f"{self.folder}/data", "--exec-root", f"{self.folder}/exec"]
        argv += ["-p", f"{self.folder}/docker.pid"]
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                argv, stdout=log, stderr=log, env={**os.environ, "PATH": path}, start_new_session=True
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            answer = subprocess.run(["docker", "-H", self.host, "version"], capture_output=True, check=False)
            if answer.returncode == 0:
                return
            time.sleep(0.2)
        lines = (self.folder / "log").read_text(errors="replace").splitlines()
        unavailable(f"no second dockerd can be started here: {lines[-1] if lines else 'it said nothing'}")

    def kill(self) -> None:
        """As a crash: neither it nor its containerd gets to clean up."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    base = base_rootfs_path(cache_root(), DEFAULT_SUITE)
    if os.getuid() != 0 or not base.is_dir():
        unavailable("a second dockerd needs root and the base: run `graft images base`")
    folder = Path(f"/tmp/graft-engine-{os.getpid()}")  # a socket's path must be short
    folder.mkdir()
    own = Engine(folder)
    try:
        own.start()
        monkeypatch.setenv("DOCKER_HOST", own.host)
        open_docker_and_remove_leftovers(folder / "cache").import_base(base, DEFAULT_SUITE)
        yield own
    finally:
        own.end()
        # What a killed engine mounted stays mounted.
        for line in reversed(Path("/proc/mounts").read_text().splitlines()):
            if line.split()[1].startswith(f"{folder}/"):
                subprocess.run(["umount", "--lazy", line.split()[1]], check=False)
        subprocess.run(["rm", "-rf", str(folder)], check=True)


@pytest.mark.docker
def test_a_killed_engine_stops_the_run(engine: Engine, bwrap_cache: Path, tmp_path: Path) -> None:
    place = Place(bwrap_cache, tmp_path / "run", "docker", {"DOCKER_HOST": engine.host})
    says = "3 samples in a row ended in infra_error", "docker"
    before = place.break_run(lambda pid: engine.kill(), (STOPPED,), *says)
    assert [outcome for _, outcome in before][-3:] == ["infra_error"] * 3
    engine.start()
    place.check_resumed(before)


# Graft itself is killed

KILLS = 10
CONCURRENCY = 2

# What `graft run` does, told that the candidates are ours: the process sandbox takes no others.
DRIVER = """
import sys
from pathlib import Path
from experiments.run.config import load_config
from experiments.run.experiment import run_experiment
config = load_config(Path(sys.argv[1]))
print("started", flush=True)
run_experiment(config, Path(sys.argv[2]), trusted=True)
"""


def answers(tasks: Sequence[Task]) -> list[ScriptRule]:
    """Every third right, every third wrong, every third broken at first and right after the compiler's word."""
    rules: list[ScriptRule] = []
    for number, task in enumerate(tasks):
        asking, right = match_prompt(task), fence(task.gold)
        broken = fence(f"{task.gold[: task.gold.index('{')]}{{ no_such_thing_{number}(); }}")
        if number % 3 == 0:
            rules.append(ScriptRule(match=asking, answer=right))
        elif number % 3 == 1:
            rules.append(ScriptRule(match=asking, answer="no code, sorry"))
        else:
            rules.append(ScriptRule(match=asking, last=f"no_such_thing_{number}", answer=right))
            rules.append(ScriptRule(match=asking, answer=broken))
    return rules


def table(run: Path, records: Sequence[SampleRecord]) -> list[ReportRow]:
    """The report's rows without what a clock measured."""
    report = make_report(run, read_manifest(run), records)
    rows = (*report.rows, *report.by_level)
    return [replace(row, figures={**row.figures, "seconds": 0.0, "build_cpu_s": None}) for row in rows]


def stored(run: Path) -> int:
    if not (run / RESPONSES).exists():
        return 0
    with contextlib.closing(sqlite3.connect(run / RESPONSES)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM responses").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("wanted", [4, pytest.param(10, marks=pytest.mark.long)])
def test_kills_change_nothing(
    wanted: int, tmp_path: Path, cache: Path, example_tasks: dict[str, Task], run_example: Runner, serve: Serve
) -> None:
    # Functions of headers take seconds to compile; few kills fall into what half of the others take.
    tasks = [task for task in example_tasks.values() if wanted == KILLS or not task.target.path.endswith(".hpp")]
    tasks = tasks if wanted == KILLS else tasks[::2]
    rules = answers(tasks)
    ids = [task.id for task in tasks]
    keys = {"arms": ("none", "oracle", "oracle+compile"), "concurrency": CONCURRENCY, "tasks": ids}
    calm_server = serve(*rules)
    calm = run_example(out="calm", api_base=calm_server.base_url, **keys)

    server = serve(*(rule.model_copy(update={"delay_s": 0.05}) for rule in rules))
    config = tmp_path / "run.yaml"
    run = tmp_path / "killed"
    config.write_text(
        f"dataset: example\nsandbox: process\nmodel: openai/scripted\napi_base: {server.base_url}\nout: {run}\n"
        f"arms: [none, oracle, oracle+compile]\nconcurrency: {CONCURRENCY}\ntasks: {json.dumps(ids)}\n"
    )
    chance = random.Random(20261121)
    lost = kills = 0
    for _ in range(wanted):
        child = start(config, cache)
        # From the first moment of work to well into it, wherever the chance falls: journal lines are no landmarks.
        time.sleep(chance.uniform(0.0, 6.0))
        kills += child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.communicate()
        time.sleep(0.2)
        now_lost = server.log.request_count - stored(run) - lost
        assert 0 <= now_lost <= CONCURRENCY, "a response that had arrived wasn't stored"
        lost += now_lost
    child = start(config, cache)
    child.communicate(timeout=300)
    assert child.returncode == 0

    records = tuple(read_journal(run / JOURNAL).values())
    assert kills >= wanted // 2, "the run ended before it could be killed: the test tests nothing"
    assert table(run, records) == table(calm.run, calm.records)
    # Only what was under way at a kill, and so never arrived, was asked again.
    assert server.log.request_count == stored(run) + lost
    assert stored(run) == stored(calm.run) == calm_server.log.request_count


def start(config: Path, cache: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(config), str(cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "started\n"
    return child
