"""What Ray's own exporter gives a Prometheus, read over HTTP. Prevents: metrics that a node counts and nobody can
scrape, and names and labels that aren't those of the documentation."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client import parser

from benchmarks.executor.cluster.ray_nodes import Nodes
from executor.workers.ray_workers import RayWorkers
from tests.support import work


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    found = Nodes(tmp_path)
    yield found
    found.close()


@pytest.mark.slow
def test_ray_s_exporter_gives_out_what_a_node_did(nodes: Nodes, tmp_path: Path) -> None:
    nodes.add_node("node1")
    tree = tmp_path / "tree"
    tree.mkdir()
    port = nodes.made["node1"].metrics_export_port
    with closing(RayWorkers(nodes.cluster.address, "process")) as workers:
        for _ in range(3):
            workers.run_work_on_tree(work.count, tree, tmp_path / "out", ".c")
        found: dict[tuple[str, str, str], float] = {}
        until = time.monotonic() + 90
        # A worker reports each ten seconds.
        while not found and time.monotonic() < until:
            time.sleep(1)
            text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
            for family in parser.text_string_to_metric_families(text):
                for sample in family.samples if family.name.startswith("ray_graft_work") else ():
                    labels = sample.labels
                    if "le" not in labels and labels["NodeAddress"]:
                        found[sample.name, labels["work"], labels.get("ended", "")] = sample.value
    assert found["ray_graft_work_total", "count", "well"] == 3
    assert found["ray_graft_work_seconds_count", "count", ""] == 3
    assert found["ray_graft_work_seconds_sum", "count", ""] > 0
