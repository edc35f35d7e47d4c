"""graft images nodes: whether the nodes of a Ray cluster can work for this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from experiments.cli.options import Mirror, Repos, Sandbox, check_out, choose_sandbox, split_words
from experiments.consoles import stdout_console
from experiments.tables import print_rows


def list_nodes(
    ray: Annotated[str, typer.Option(help="The address of the cluster, as for the key `ray` of a run.")] = "auto",
    repos: Repos = "",
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """List the nodes of a Ray cluster and what each lacks.

    Compared are cores, memory, sandbox, versions, images and clocks. With --repos a node must have that
    repository's image, or be able to take it from the store. The exit status is 1 when something is missing."""
    from executor.cache import cache_root
    from executor.repository.images import require_image
    from executor.workers.cluster import check_cluster
    from executor.workers.identity import identify_image
    from executor.workers.ray_workers import connect_ray

    connect_ray(ray)
    backend = choose_sandbox(sandbox)
    images: dict[str, str] = {}
    for recipe, source in check_out(split_words(repos), mirror):
        image = require_image(recipe, source, backend, None, cache_root())
        images[image.key] = identify_image(image)
    rows: list[tuple[str, ...]] = []
    lacking: list[str] = []
    for node in check_cluster(ray, backend.name, images):
        facts = node.facts
        lacking += [f"{node.name}: {line}" for line in node.lacking]
        if facts is None:
            rows.append((node.name, node.address, str(node.cores), "", "", "", ""))
            continue
        have = ", ".join([*facts.images, *(f"{key} (in the store)" for key in facts.stored)])
        room = (f"{facts.memory_mb} MiB", f"{facts.free_mb} MiB")
        rows.append((node.name, node.address, str(node.cores), *room, facts.machine, have))
    print_rows(("node", "address", "cores", "free memory", "free disk", "machine", "images"), rows)
    for line in lacking or ["nothing is missing" if rows else "no node has a core: ray start there"]:
        stdout_console().print(line, soft_wrap=True)
    raise typer.Exit(1 if lacking or not rows else 0)
