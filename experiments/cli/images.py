"""graft images: the base root file system and the warm images; whether a cluster's nodes can work for this machine."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import (
    Mirror,
    Repos,
    Sandbox,
    Workers,
    check_out_sources,
    choose_sandbox,
    find_recipes,
    split_comma_list_without_repeats,
)
from experiments.consoles import make_stdout_console
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import GraftError
from index.progress import SILENT

if TYPE_CHECKING:
    from executor.repository.images import Image

log = logging.getLogger(__name__)

images_app = typer.Typer(
    help="Build, share and remove warm images; list a cluster's nodes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Names = Annotated[list[str], typer.Argument(help="Names of recipes: redis, bullet3, openssl, graft-suite, ...")]


@images_app.command("nodes")
def print_nodes_and_what_they_lack(
    ray: Annotated[str, typer.Option(help="The address of the cluster, as for the key `ray` of a run.")] = "auto",
    repos: Repos = "",
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """List the nodes of a Ray cluster and what each lacks.

    Compared are cores, memory, sandbox, versions, images and clocks. With --repos a node must have that
    repository's image, or be able to take it from the store. The exit status is 1 when something is missing."""
    from executor.repository.images import require_image
    from executor.workers.cluster import check_cluster
    from executor.workers.identity import hash_image_graph_or_empty
    from executor.workers.ray_workers import connect_ray

    connect_ray(ray)
    backend = choose_sandbox(sandbox)
    images: dict[str, str] = {}
    for recipe, source in check_out_sources(split_comma_list_without_repeats(repos), mirror):
        image = require_image(recipe, source, backend, None, cache_root())
        images[image.key] = hash_image_graph_or_empty(image)
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
    print_rows_as_wrapped_table(("node", "address", "cores", "free memory", "free disk", "machine", "images"), rows)
    for line in lacking or ["nothing is missing" if rows else "no node has a core: ray start there"]:
        make_stdout_console().print(line, soft_wrap=True)
    raise typer.Exit(1 if lacking or not rows else 0)


@images_app.command("base")
def make_base_file_system(
    sandbox: Annotated[str, typer.Option(help="Also hand the base to this sandbox.")] = "auto",
    suite: Annotated[str, typer.Option(help="The Debian suite.")] = "bookworm",
) -> None:
    """Make the root file system that all images start from.

    debootstrap makes it from this machine's apt sources. No image registry is needed."""
    from executor.sandbox.base import make_base
    from executor.sandbox.choose import open_unscheduled_backend

    backend = open_unscheduled_backend(sandbox, cache_root())
    rootfs = make_base(cache_root(), suite, progress=ConsoleProgress())
    backend.import_base(rootfs, suite)
    log.info(f"base ready: {rootfs}")


@images_app.command()
def build(
    repos: Names,
    base: Annotated[
        str | None,
        typer.Option(help="The base: an image (docker) or a folder (bwrap). Default: what `graft images base` made."),
    ] = None,
    workers: Workers = None,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """Build the warm images of repositories.

    Their tests run on the unmodified source, to learn what they print. What is done already is kept, so the
    command can be repeated. Of several, one that fails doesn't stop the others."""
    from executor.repository.images import build_image, is_measured
    from executor.sandbox.choose import choose_backend
    from executor.sandbox.scheduled import log_machine_use

    choice = choose_backend(sandbox, cache_root(), workers)
    log.info(f"sandbox {choice.reason}")
    count, failed = len(find_recipes(repos)), dict[str, GraftError]()
    todo = list(check_out_sources(repos, mirror, failed if count > 1 else None))
    if count > 1:
        todo = [tree for tree in todo if not is_measured(*tree, choice.backend, base, cache_root())]
        log.info(f"{count - len(todo) - len(failed)} of {count} images are ready already")
    progress = ConsoleProgress() if count > 1 else SILENT
    with progress.open_count("images", count) as advance:
        advance(count - len(todo))
        for recipe, source in todo:
            started = time.monotonic()
            try:
                image = build_image(recipe, source, choice.backend, base, cache_root())
            except GraftError as error:
                if count == 1:
                    raise
                failed[recipe.name] = error
                log.error(f"graft: {error}; the others go on")
            else:
                log.info(f"{recipe.name}: {_describe_built_image(image, time.monotonic() - started)}")
            advance()
    log_machine_use(choice.backend)
    if failed:
        raise GraftError(f"{len(failed)} of {count} failed: {', '.join(failed)}; what is done is kept, run it again")


def _describe_built_image(image: Image, seconds: float) -> str:
    tests = sum(sum(names.values()) for names in image.expected.suites.values())
    cpu = f", {sum(image.suite_cpu_s.values()):.1f} s CPU" if image.suite_cpu_s else ""
    return (
        f"image {image.key} is ready after {seconds:.0f} s; {tests} tests, which take"
        f" {sum(image.suite_seconds.values()):.1f} s wall{cpu}"
    )


@images_app.command("branches")
def record_uncompiled_lines(repos: Names, sandbox: Sandbox = "auto", mirror: Mirror = None) -> None:
    """Find the lines that no unit of a repository's build compiles.

    They are written beside its recipe, and contexts leave them out: other platforms' branches of #if, headers that
    nothing includes. For a recipe that builds the whole repository; its warm image must stand."""
    from executor.repository.images import require_image
    from executor.repository.uncompiled import find_uncompiled_lines, save_uncompiled_lines

    backend = choose_sandbox(sandbox)
    for recipe, source in check_out_sources(repos, mirror):
        image = require_image(recipe, source, backend, None, cache_root())
        found = find_uncompiled_lines(image, backend, ConsoleProgress())
        lines = sum(last - first + 1 for file in found.files.values() for first, last in file.lines)
        log.info(f"{save_uncompiled_lines(found, recipe)}: {lines} lines of {len(found.files)} files aren't compiled")


@images_app.command("headers")
def precompile_slow_headers(
    repo: Annotated[str, typer.Argument(help="The recipe's name.")],
    dataset: Annotated[str, typer.Option(help="The data set that holds the tasks: a name or a path.")] = "yabloco",
    base: Annotated[str | None, typer.Option(help="As for `graft images build`.")] = None,
    sandbox: Sandbox = "auto",
    mirror: Mirror = None,
) -> None:
    """Precompile the headers of slow C++ tasks.

    Compiler checks are quicker then. Runs with a +compile arm do this themselves, for their own tasks, before the
    first sample (docs/explanation/compiler-feedback.md)."""
    from executor.candidate.compiler import precompile_includes_of_slow_units
    from executor.candidate.precompiled import open_header_store
    from executor.repository.images import require_image
    from executor.tasks.datasets import load_rows
    from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows

    backend = choose_sandbox(sandbox)
    ((recipe, source),) = check_out_sources([repo], mirror)
    image = require_image(recipe, source, backend, base, cache_root())
    rows = fill_item_paths_and_relocate_rows(
        add_copies_for_rebinding_recipes(load_rows(dataset, mirror=mirror), [repo]), recipe, source.root
    ).rows
    precompile_includes_of_slow_units(
        image, backend, [(row.path, row.span) for row in rows], open_header_store(cache_root())
    )
    log.info(f"{repo}: all slow units' includes are precompiled, as far as they can be")


@images_app.command()
def push(repos: Names, sandbox: Sandbox = "auto", mirror: Mirror = None) -> None:
    """Publish warm images in the store that GRAFT_STORE names.

    With them go their base, source and measured suites. What is already there isn't sent again."""
    from executor.published.store_place import require_store
    from executor.repository.images import push_image_and_get_digest, require_image

    place, backend = require_store(), choose_sandbox(sandbox)
    for recipe, source in check_out_sources(repos, mirror):
        started = time.monotonic()
        image = require_image(recipe, source, backend, None, cache_root())
        digest = push_image_and_get_digest(image, backend, cache_root(), place)
        log.info(f"{image.key}: {digest[:16]} is in {place.url} after {time.monotonic() - started:.0f} s")


@images_app.command()
def pull(repos: Names, sandbox: Sandbox = "auto", mirror: Mirror = None) -> None:
    """Fetch warm images from the store that GRAFT_STORE names. Every file is checked against its hash.

    Runs do this themselves when they first need an image."""
    from executor.published.store_place import require_store
    from executor.repository.images import pull_image_and_get_key

    place, backend = require_store(), choose_sandbox(sandbox)
    for recipe, source in check_out_sources(repos, mirror):
        log.info(f"{pull_image_and_get_key(recipe, source, backend, None, cache_root(), place)}: ready")


@images_app.command("verify")
def verify_stored_images_and_sources(
    keys: Annotated[list[str] | None, typer.Argument(help="The images to check. Default: all in the store.")] = None,
    sandbox: Sandbox = "auto",
) -> None:
    """Check every hash of the images in the store, and of the sources.

    GRAFT_STORE names the store. It may hold images of other sandboxes, which aren't checked."""
    from executor.published.images import (
        find_image_faults,
        find_published_source_tree_faults,
        list_stored_images,
        list_stored_sources,
    )
    from executor.published.store_place import require_store
    from index.errors import ConfigError
    from index.user_files import make_spelling_hint

    place, backend = require_store(), choose_sandbox(sandbox)
    known = list_stored_images(place, backend.name)
    for key in keys or ():
        if key not in known:
            raise ConfigError(f"store {place.url}: no image {key!r}{make_spelling_hint(key, known)}")
    faults = 0
    checks = [(key, find_image_faults(place, backend.name, key)) for key in keys or known]
    checks += [
        (f"source {name}", find_published_source_tree_faults(place, name))
        for name in (() if keys else list_stored_sources(place))
    ]
    for name, lines in checks:
        found = list(lines)
        faults += len(found)
        for line in found or [f"{name}: whole"]:
            make_stdout_console().print(line)
    raise typer.Exit(1 if faults else 0)


@images_app.command("list")
def list_images(sandbox: Sandbox = "auto") -> None:
    """List a sandbox's warm images."""
    images = choose_sandbox(sandbox).images()
    rows = [(image.key, f"{image.size_bytes / 2**20:.0f}", image.created) for image in images]
    print_rows_as_wrapped_table(("image", "MiB", "created"), rows)


@images_app.command("prune")
def remove_images(
    keys: Annotated[
        list[str] | None, typer.Argument(help="The images to remove, as `graft images list` shows them.")
    ] = None,
    all_images: Annotated[bool, typer.Option("--all", help="Remove all warm images of the sandbox.")] = False,
    sandbox: Sandbox = "auto",
) -> None:
    """Remove warm images. `graft images build` makes them again."""
    from index.errors import ConfigError
    from index.user_files import make_spelling_hint

    backend = choose_sandbox(sandbox)
    known = [info.key for info in backend.images()]
    if not keys and not all_images:
        raise ConfigError("name the images to remove, or use --all")
    chosen = known if all_images else list(keys or [])
    for key in chosen:
        if key not in known:
            raise ConfigError(f"no image {key!r}{make_spelling_hint(key, known)}")
    for key in chosen:
        backend.remove(key)
        make_stdout_console().print(f"removed {key}")
