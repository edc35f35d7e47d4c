"""One suite over the workers on this machine and on a Ray cluster of two nodes, each with a cache of its own.

Prevents: a verdict that hangs on where it was made, a lost machine scored as a model's failure, work done by a node
with another Graft or another image, a cluster that needs more than the store to begin, and metrics that a node counts
and nobody can scrape, or whose names and labels aren't those of the documentation."""

from __future__ import annotations

import json
import re
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client import parser

from benchmarks.executor.cluster.ray_nodes import Nodes
from executor.function.splice import Edit
from executor.grading.grade import grade
from executor.manifest.health import Health
from executor.published.store_place import open_store
from executor.repository.images import image_folder, push_image_and_get_digest
from executor.values import Outcome, TestRun
from executor.workers.candidate_work import Order, run_candidate_and_due_sabotages
from executor.workers.cluster import check_cluster
from executor.workers.contract import Needs, Workers
from executor.workers.identity import hash_image_graph_or_empty
from executor.workers.local import LocalWorkers
from executor.workers.ray_workers import RayWorkers, connect_ray
from experiments.indexing.index_builds import build_missing_indexes_at_workers, derive_call_graph
from experiments.indexing.index_place import Place
from index.build import build_index
from index.errors import ConfigError, InfraError, RecipeError
from index.repo_index import open_index
from index.values import Span
from lab.doctor.body_trial import Effort
from lab.doctor.repository_examination import OpenRepository, examine_repository
from lab.retrieval_eval.run import EvaluationRequest, run_evaluation
from tests.fixtures.calc import GOLD, add_task
from tests.fixtures.executor_fixtures import Tiny
from tests.support import work

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "inventory" / "src"

# What a candidate may do, and how it ends.
ANSWERS = {
    GOLD: Outcome.PASSED,
    "int add(int a, int b)\n{\n    return a;\n}\n": Outcome.TESTS_FAILED,
    "int add(int a, int b)\n{\n    return c;\n}\n": Outcome.BUILD_FAILED,
}


@pytest.fixture(scope="module")
def nodes(tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    folder = tmp_path_factory.mktemp("nodes")
    push_image_and_get_digest(tiny.image, tiny.backend, tiny.cache, open_store(str(folder / "store")))
    found = Nodes(folder)
    found.add_node("node1", GRAFT_STORE=str(folder / "store"))
    found.add_node("node2", GRAFT_STORE=str(folder / "store"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def ray_workers(nodes: Nodes) -> RayWorkers:
    return RayWorkers(nodes.cluster.address, "process")


@pytest.fixture(params=["local", "ray"])
def workers(request: pytest.FixtureRequest, tiny: Tiny) -> Workers:
    if request.param == "local":
        return LocalWorkers(tiny.backend, tiny.cache)
    found: RayWorkers = request.getfixturevalue("ray_workers")
    return found


def _order(code: str) -> Order:
    return Order("add", (Edit("calc.c", Span(5, 8), code),), code, GOLD, ("unit",), ("late",), "all", True, {})


def _timeless(run: TestRun) -> str:
    """The run without what differs from one time to the next."""
    return re.sub(r"(wall|cpu)_s=[^,)]+", "", repr(run))


@pytest.mark.parametrize("code", ANSWERS)
def test_the_verdict_and_the_logs_dont_hang_on_where_they_were_made(
    code: str, tiny: Tiny, ray_workers: RayWorkers, tmp_path: Path
) -> None:
    local = LocalWorkers(tiny.backend, tiny.cache)
    runs = [
        made.run_work_in_sandbox(run_candidate_and_due_sabotages, tiny.image, tmp_path / name, _order(code))
        for name, made in (("local", local), ("ray", ray_workers))
    ]
    assert grade(runs[0], tiny.image.expected, code).outcome is ANSWERS[code]
    assert _timeless(runs[0]) == _timeless(runs[1])
    logs = [{path.name for path in (tmp_path / name).iterdir()} for name in ("local", "ray")]
    assert logs[0] == logs[1] != set()


def test_the_compilers_messages_are_the_same(tiny: Tiny, ray_workers: RayWorkers) -> None:
    local = LocalWorkers(tiny.backend, tiny.cache)
    found = []
    for made in (local, ray_workers):
        with made.make_draft_checker(tiny.image, add_task().target) as compiler:
            found.append([list(compiler.check(code)) for code in ANSWERS])
    assert found[0] == found[1]
    assert found[0][2] != []


def test_what_work_writes_returns_and_raises_comes_back(workers: Workers, tiny: Tiny, tmp_path: Path) -> None:
    _, *has_image_and_source = workers.run_work_in_sandbox(work.where, tiny.image, tmp_path)
    assert has_image_and_source == [True, True]
    for alone in (False, True):
        out, needs = tmp_path / str(alone), Needs(alone=alone)
        assert workers.run_work_in_sandbox(work.write, tiny.image, out, "hello", needs=needs) == 5
        assert (out / "deep" / "log").read_text() == "hello"
    errors = {"disk": (OSError, InfraError), "memory": (MemoryError, InfraError)}
    for kind, error in {"sandbox": InfraError, "recipe": RecipeError, **errors}.items():
        with pytest.raises(error, match=r"engine is gone|no such suite|No space left|MemoryError"):
            workers.run_work_in_sandbox(work.fail, tiny.image, tmp_path, kind)


def test_a_source_in_the_cache_is_found_on_each_machine_and_others_by_their_path(
    workers: Workers, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFT_CACHE", str(tiny.cache))
    found, cache = workers.run_work_on_tree(work.count, tiny.image.source_root, tmp_path / "out", ".c")
    assert (tmp_path / "out" / "list").read_text().split() == ["calc.c", "test.c"] and found == 2
    assert (cache == str(tiny.cache)) is isinstance(workers, LocalWorkers)
    own = tmp_path / "own"
    own.mkdir()
    (own / "a.c").touch()
    assert workers.run_work_on_tree(work.count, own, tmp_path / "out", ".c")[0] == 1


def test_a_tree_that_a_node_doesnt_see_is_named(ray_workers: RayWorkers, tmp_path: Path) -> None:
    with pytest.raises(InfraError, match=r"refused: it has no folder .*/gone; put the tree where every node sees it"):
        ray_workers.run_work_on_tree(work.count, tmp_path / "gone", tmp_path, ".c")


def test_an_examination_finds_the_same_everywhere(workers: Workers, tiny: Tiny, tmp_path: Path) -> None:
    effort = Effort(budget_s=60, gold_runs=1, mutants=1, forgeries=False)
    found = examine_repository(
        OpenRepository(tiny.image, tiny.backend, [add_task()], ["add"], tmp_path / "manifest.json", tiny.cache),
        effort,
        places=workers,
    )
    health = found.tasks["add"]
    assert (health.health, health.reached_by, health.stubs_killed) == (Health.VALID, ("unit", "late"), 4)
    assert list((tiny.cache / "doctor" / tiny.image.key / "add").rglob("*.log"))


def test_indexes_and_evaluations_of_many_trees_are_made_by_the_workers(
    workers: Workers, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    place = Place(tmp_path / "index", tiny.image.source_root)
    build_missing_indexes_at_workers(workers, [place], 1, (derive_call_graph,))
    again = build_index(place.root, place.folder, workers=1)
    # The head reads no file again.
    assert (again.functions, again.reparsed) == (4, 0)
    assert open_index(place.folder, place.root).graph.callers
    request = EvaluationRequest(
        "example", (), (EXAMPLE,), (), ("bm25",), "strict", "dev", "graph", None, None, 2, contexts=False
    )
    evaluation = run_evaluation(request, workers=workers)
    (repo,) = evaluation.repos
    assert repo.name == EXAMPLE.name
    assert [len(score.ranks) for score in evaluation.scores] == [len(t.truth.callees) for t in repo.targets] != []


def test_a_killed_worker_is_retried_and_one_that_always_dies_is_ours(
    ray_workers: RayWorkers, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("executor.workers.ray_workers._RETRIES", 1)
    for name in ("once", "ever"):
        (tmp_path / name).mkdir()
    assert ray_workers.run_work_in_sandbox(work.die, tiny.image, tmp_path / "a", tmp_path / "once", 1) == 2
    with pytest.raises(InfraError, match="Ray: "):
        ray_workers.run_work_in_sandbox(work.die, tiny.image, tmp_path / "b", tmp_path / "ever", 99)


def test_another_graft_and_another_image_are_refused_by_name(
    ray_workers: RayWorkers, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "meta"
    other.mkdir()
    (other / "graph.json").write_text("{}")
    with pytest.raises(InfraError, match=f"refused: its image {tiny.image.key} is .*, the head's is"):
        ray_workers.run_work_in_sandbox(work.where, replace(tiny.image, folder=other), tmp_path)
    monkeypatch.setattr("executor.workers.ray_workers.format_version_with_code_hash", lambda: "0.0.1 (abc)")
    with pytest.raises(InfraError, match=r"refused: it runs Graft .*, the head 0.0.1 \(abc\)"):
        ray_workers.run_work_in_sandbox(work.where, replace(tiny.image), tmp_path)


def test_a_node_that_refuses_harms_no_work(ray_workers: RayWorkers, tiny: Tiny, tmp_path: Path) -> None:
    # It has the image warm, and failing fast it would get all of the work.
    warm = ray_workers.run_work_in_sandbox(work.where, tiny.image, tmp_path)[0]
    graph = image_folder(Path(warm), tiny.backend, tiny.image.key) / "graph.json"
    whole = graph.read_bytes()
    graph.write_text("{}")
    try:
        caches = [ray_workers.run_work_in_sandbox(work.where, tiny.image, tmp_path)[0] for _ in range(2)]
    finally:
        graph.write_bytes(whole)
    assert warm not in caches and len(set(caches)) == 1


def test_a_second_node_that_fails_takes_no_stragglers_work(
    ray_workers: RayWorkers, nodes: Nodes, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: work of minutes that is stopped where it is done, since another machine has a full disk."""
    monkeypatch.setattr("executor.workers.ray_workers._STRAGGLER_LEAST_S", 0.5)
    marks = tmp_path / "marks"
    marks.mkdir()
    # Of its own, for the node that fails rests.
    own = RayWorkers(nodes.cluster.address, "process")
    cache = own.run_work_in_sandbox(work.linger, tiny.image, tmp_path, marks, 60.0, "the engine is gone")
    first, second = [path.read_text() for path in sorted(marks.iterdir())]
    assert cache == first != second


def test_a_straggler_is_done_twice_and_the_first_result_stands(
    ray_workers: RayWorkers, tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("executor.workers.ray_workers._STRAGGLER_LEAST_S", 0.5)
    marks = tmp_path / "marks"
    marks.mkdir()
    cache = ray_workers.run_work_in_sandbox(work.linger, tiny.image, tmp_path, marks, 60.0)
    assert {cache} < {path.read_text() for path in marks.iterdir()}


def test_a_check_of_the_cluster_names_what_a_node_lacks(
    ray_workers: RayWorkers, nodes: Nodes, tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = nodes.cluster.address
    whole = list(check_cluster(address, "process", {tiny.image.key: hash_image_graph_or_empty(tiny.image)}))
    assert [(node.cores, node.lacking) for node in whole] == [(1, ()), (1, ())]
    other = {tiny.image.key: "feed", "tiny-0000": "feed"}
    for node in check_cluster(address, "process", other):
        first, second = node.lacking
        assert f"image {tiny.image.key}: it has " in first
        assert "image tiny-0000: not there, and the store" in second
    for node in check_cluster(address, "nosuch", {}):
        assert node.lacking[0].startswith("sandbox nosuch: sandbox 'nosuch' is not known")

    # Clocks hours apart are named.
    real = time.time
    monkeypatch.setattr("executor.workers.cluster.time", SimpleNamespace(time=lambda: real() + 7200))
    for node in check_cluster(address, "process", {}):
        assert node.lacking == ("its clock is 7200 s behind (no verdict hangs on it)",)


def test_rays_exporters_give_out_what_the_nodes_did(ray_workers: RayWorkers, nodes: Nodes, tmp_path: Path) -> None:
    for _ in range(3):
        ray_workers.run_work_on_tree(work.do_nothing, tmp_path, tmp_path / "out")
    found = Counter[tuple[str, str]]()
    until = time.monotonic() + 90
    # A worker reports each ten seconds.
    while found["ray_graft_work_total", "well"] < 3 and time.monotonic() < until:
        time.sleep(1)
        found.clear()
        for node in nodes.made.values():
            address = f"http://127.0.0.1:{node.metrics_export_port}/metrics"
            text = urllib.request.urlopen(address, timeout=10).read().decode()
            for family in parser.text_string_to_metric_families(text):
                for sample in family.samples if family.name.startswith("ray_graft_work") else ():
                    labels = sample.labels
                    if labels["work"] == "do_nothing" and "le" not in labels and labels["NodeAddress"]:
                        found[sample.name, labels.get("ended", "")] += sample.value
    assert found["ray_graft_work_total", "well"] == found["ray_graft_work_seconds_count", ""] == 3
    assert found["ray_graft_work_seconds_sum", ""] > 0


def test_the_work_of_a_lost_node_is_done_by_another_and_what_ray_says_of_it_breaks_no_json(
    ray_workers: RayWorkers,
    nodes: Nodes,
    tiny: Tiny,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    # A second try isn't what saves it.
    monkeypatch.setattr("executor.workers.ray_workers._STRAGGLER_LEAST_S", 600.0)
    marks = tmp_path / "marks"
    marks.mkdir()
    with ThreadPoolExecutor(1) as pool:
        doing = pool.submit(ray_workers.run_work_in_sandbox, work.linger, tiny.image, tmp_path / "out", marks, 600.0)
        while not (lost := next((path.read_text() for path in marks.iterdir()), "")):
            time.sleep(0.1)
        nodes.kill_node(Path(lost).name)
        # No sooner: on a busy machine a worker takes minutes to start.
        done = doing.result(250)
    assert done != lost
    sys.stdout.write(json.dumps(done))
    printed = [capfd.readouterr()]
    until = time.monotonic() + 60
    while "marked dead" not in "".join(part.err for part in printed) and time.monotonic() < until:
        time.sleep(0.2)
        printed.append(capfd.readouterr())
    assert "marked dead" in "".join(part.err for part in printed)
    assert json.loads("".join(part.out for part in printed)) == done


def test_without_ray_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install 'graft\[ray\]'"):
        connect_ray("auto")
