"""The warm images that candidates are judged in, in both sandboxes: the example's is built here, the benchmark's
are taken where `graft images build` made them. Prevents: a repository whose image leaves a door open that the
attackers' image doesn't have: the gold lying somewhere, a state that isn't the image's any more, a network."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from executor.cache import cache_root
from executor.function.splice import splice_function
from executor.function.stub import make_stub
from executor.repository.images import Image, build_image, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.repository.tamper import WHOLE_TREE, Tampering, find_tampering, list_tree_state
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend, Command, CommandLimits, Session
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
from executor.values import Task
from index.errors import SandboxError, UserError

_LOOK = CommandLimits(wall_s=240, output_bytes=16 * 1024 * 1024)
# The tree's own folder is as old as the session.
_STATE = ["find", ".", "-mindepth", "1", "-printf", r"%P %y %m %s %T@ %l\n"]


@dataclass(frozen=True, slots=True)
class Warm:
    """`tasks` are the repository's, with their gold."""

    image: Image
    backend: Backend
    source: Path
    tasks: tuple[Task, ...]


def _cases() -> list[object]:
    return [
        pytest.param(
            (repo, sandbox),
            id=f"{repo}-{sandbox}",
            marks=[getattr(pytest.mark, sandbox), *([pytest.mark.real] if repo != "example" else [])],
        )
        for repo in ("example", "redis", "bullet3", "openssl", "llvm-prebuilt")
        for sandbox in ("bwrap", "docker")
    ]


@pytest.fixture(scope="module", params=_cases())
def warm(request: pytest.FixtureRequest) -> Warm:
    repo, sandbox = request.param
    recipe, cache, mirror = find_recipe(repo), cache_root(), choose_mirror_folder()
    own = repo == "example"
    # A stand-in's source is a distribution's package.
    if not own and (mirror is None or not (recipe.rebinds or (mirror / repo).exists())):
        pytest.skip(f"no mirror of {repo}: GRAFT_MIRROR names a folder that holds one")
    try:
        backend = open_unscheduled_backend(sandbox, cache)
        source = checkout_source(recipe, mirror, cache)
        if own:
            image = build_image(recipe, source, backend, None, cache)
        else:
            image = require_image(recipe, source, backend, None, cache)
    except (UserError, SandboxError) as error:
        if own and os.environ.get("GRAFT_CI") == "1":
            pytest.fail(str(error))
        pytest.skip(str(error))
    rows = add_copies_for_rebinding_recipes(load_rows("example" if own else "yabloco"), [repo])
    found = fill_item_paths_and_relocate_rows(
        [row for row in rows if row.repository == repo], recipe, source.root
    ).rows
    return Warm(image, backend, source.root, tuple(make_task_from_row(row, source.root) for row in found))


def _run(session: Session, *argv: str) -> bytes:
    return session.run(Command(argv, limits=_LOOK)).output


def test_a_session_is_the_image_whatever_was_done_to_the_last_one(warm: Warm) -> None:
    with warm.backend.session(warm.image.key) as session:
        before = _state(session)
        spoil = "find . -name '*.o' -delete; touch $(find . -name '*.c'); echo x > new; rm -rf src lib; sleep 99 &"
        _run(session, "sh", "-c", spoil)
        assert _state(session) != before
    with warm.backend.session(warm.image.key) as session:
        assert len(before) > 20
        assert _state(session) == before
        assert b"sleep" not in _run(session, "sh", "-c", "cat /proc/[0-9]*/cmdline")


def test_the_gold_is_nowhere_once_a_candidate_stands_in_its_place(warm: Warm) -> None:
    """A line of the gold that stands once in the whole repository is searched in every file that can be read. The
    objects of the warm tree were compiled from the gold, but hold no text of it."""
    task, line = _telling_line(warm)
    target = task.target
    original = (warm.source / target.path).read_bytes()
    with warm.backend.session(warm.image.key) as session:
        find = ["grep", "-srlaF", "-e", line, "/", "--exclude-dir=proc", "--exclude-dir=sys", "--exclude-dir=dev"]
        assert _run(session, *find).decode().splitlines() == [f"{session.root}/{target.path}"]
        session.write(target.path, splice_function(original, target.span, make_stub(target, task.gold)))
        assert _run(session, *find) == b""
        ours = "find / '(' -name 'expected-*.json' -o -name execution.json -o -name graph.json ')' 2>/dev/null"
        assert _run(session, "sh", "-c", ours) == b""


def _state(session: Session) -> list[str]:
    return sorted(_run(session, *_STATE).decode(errors="replace").splitlines())


def _telling_line(warm: Warm) -> tuple[Task, str]:
    texts = [path.read_text(errors="replace") for path in warm.source.rglob("*") if path.is_file()]
    for task in warm.tasks:
        body = task.gold.partition("{")[2].splitlines()
        for line in sorted((text.strip() for text in body), key=len, reverse=True)[:3]:
            if len(line) > 25 and sum(text.count(line) for text in texts) == 1:
                return task, line
    raise AssertionError("no task's gold has a line of its own")


# Each is given a source file of the tests and a build product.
_TAMPERING = {
    "writes": 'for f; do cp -p "$f" /tmp/k; echo >> "$f"; touch -r /tmp/k "$f"; done',
    "links": 'for f; do cp -p "$f" /tmp/k; ln -sf /tmp/k "$f"; done',
    "moves away": 'for f; do mv "$f" /tmp; done',
    "removes": 'rm -f "$@"',
    "mode": 'chmod 700 "$@"',
    "pipe": 'for f; do rm -f "$f"; mkfifo "$f"; done',
    "folder": 'for f; do rm -f "$f"; mkdir "$f"; done',
    "same bytes": 'for f; do cp -p "$f" /tmp/k; rm "$f"; cp -p /tmp/k "$f"; done',
}


@contextmanager
def _tampered(warm: Warm, *argv: str) -> Iterator[Callable[..., Tampering]]:
    """A session in which the command was run. Gives what finds its traces."""
    with warm.backend.session(warm.image.key) as session:
        find = partial(find_tampering, session, list_tree_state(session), warm.image.graph, warm.source)
        assert find() == Tampering((), ())
        assert session.run(Command(argv)).ok
        yield find


@pytest.mark.parametrize("how", _TAMPERING)
def test_a_test_file_that_a_candidate_changes_is_seen_whatever_time_it_sets(warm: Warm, how: str) -> None:
    """Sources and build products alike."""
    name, product = _test_file(warm), warm.image.graph.steps[-1].outputs[0]
    with _tampered(warm, "sh", "-c", _TAMPERING[how], "sh", name, product) as find:
        assert find() == Tampering(tuple(sorted({name, product})), ())
        assert find({name, product}) == Tampering((), ())


@pytest.mark.parametrize("how", ['mv "$1" moved && ln -s moved "$1"', 'rm -r "$1"', 'mv "$1" x && cp -rp x "$1"'])
def test_a_folder_of_tests_that_a_candidate_replaces_is_seen(warm: Warm, how: str) -> None:
    name = _test_file(warm)
    folder = name.rpartition("/")[0]
    with _tampered(warm, "sh", "-c", how, "sh", folder) as find:
        # The folder itself where it is gone, else what was in it.
        assert {folder, name}.intersection(find().changed)


def test_new_files_beside_the_source_are_named(warm: Warm) -> None:
    folder = _test_file(warm).rpartition("/")[0]
    forge = 'touch "$1/new"; ln -s /tmp "$1/link"; mkdir scratch; touch scratch/own'
    with _tampered(warm, "sh", "-c", forge, "sh", folder) as find:
        assert find() == Tampering((), (f"{folder}/link", f"{folder}/new"))


def test_a_tree_that_nobody_can_list_was_tampered_with(warm: Warm) -> None:
    """Not the sandbox's failure: the candidate would run again and again."""
    # 150 MB of paths: folders within folders, then names of 240 bytes.
    flood = 'my $d = "x" x 240; for (1..60) { mkdir $d; chdir $d } for (1..11000) { open(F, ">", $d . $_); close F }'
    with _tampered(warm, "perl", "-e", flood) as find:
        assert find().changed == (WHOLE_TREE,)


def _test_file(warm: Warm) -> str:
    files = (path.relative_to(warm.source).as_posix() for path in sorted(warm.source.rglob("*")) if path.is_file())
    return next(path for path in files if "test" in path and "/" in path)
