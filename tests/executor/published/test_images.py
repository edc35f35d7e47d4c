"""Images in a store. Prevents: a candidate judged in a tree that was damaged or mixed up on its way, an image of
another machine taken for this one's, a disk that fetched images fill, and suites measured that no task needs; a node
that had listed a store once and never saw what others pushed to it later; a store out of reach that ended in a
traceback."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from executor.published.archive import ArchiveError, pack_tree, unpack_tree
from executor.published.image_budget import FETCHED, mark_fetched_image_in_use, remove_unused_fetched_images_for_room
from executor.published.images import find_image_faults, list_stored_images
from executor.published.machine import detect_cpu_and_kernel_type
from executor.published.store_place import StoreError, StorePlace, open_store
from executor.repository.images import build_image, image_folder, push_image_and_get_digest
from executor.repository.recipe import Recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.values import Outcome
from index.errors import ConfigError, SandboxError
from tests.fixtures.calc import GOLD, judge_text
from tests.fixtures.executor_fixtures import Tiny


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StorePlace]:
    found = open_store(str(tmp_path / "store") if request.param == "folder" else "memory://graft")
    yield found
    if request.param == "memory":
        found.files.rm(found.root, recursive=True)


def _tree(folder: Path) -> Path:
    tree = folder / "tree"
    (tree / "deep" / "er").mkdir(parents=True)
    (tree / "deep" / "er" / "empty").write_bytes(b"")
    (tree / "big").write_bytes(os.urandom(9 * 2**20))
    (tree / "run.sh").write_text("echo hi\n")
    (tree / "run.sh").chmod(0o750)
    (tree / "link").symlink_to("deep/er")
    (tree / os.fsdecode(b"odd-\xff")).write_text("no UTF-8")
    os.utime(tree / "run.sh", ns=(1, 1_600_000_000_123_456_789))
    os.utime(tree / "deep", ns=(1, 1_500_000_000_000_000_001))
    return tree


def _listed(tree: Path) -> dict[str, object]:
    return {
        path.relative_to(tree).as_posix(): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() and not path.is_symlink() else str(path.is_symlink()),
        )
        for path in tree.rglob("*")
    }


def test_an_archive_gives_back_the_tree_to_the_nanosecond(tmp_path: Path) -> None:
    tree, packed, again = _tree(tmp_path), io.BytesIO(), tmp_path / "again"
    digest = pack_tree(tree, packed)
    again.mkdir()
    unpack_tree(packed, digest, again, owner=None, keep_owners=False)
    assert _listed(again) == _listed(tree)


@pytest.mark.parametrize("at", [100, 5 * 2**20, -30])
def test_a_flipped_bit_anywhere_is_refused(tmp_path: Path, at: int) -> None:
    packed, again = io.BytesIO(), tmp_path / "again"
    digest = pack_tree(_tree(tmp_path), packed)
    packed.getbuffer()[at] ^= 1
    again.mkdir()
    with pytest.raises(ArchiveError):
        unpack_tree(packed, digest, again, owner=None, keep_owners=False)


def test_a_pushed_image_judges_on_another_machine_without_building_or_measuring(
    tiny: Tiny,
    store: StorePlace,
    machine: SimpleNamespace,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    push_image_and_get_digest(tiny.image, tiny.backend, tiny.cache, store)
    assert list_stored_images(store, "process") == [tiny.image.key]
    assert list(find_image_faults(store, "process", tiny.image.key)) == []
    monkeypatch.setattr("executor.repository.images.store_from_env", lambda: store)
    caplog.clear()
    image = build_image(tiny.image.recipe, machine.source, machine.backend, None, machine.cache)
    assert not [line for line in caplog.messages if "build" in line or "baseline" in line]
    assert (image.key, image.graph, image.expected) == (tiny.image.key, tiny.image.graph, tiny.image.expected)
    there = replace(tiny, image=image, backend=machine.backend)
    assert judge_text(there, GOLD, tmp_path / "run")[1].outcome is Outcome.PASSED


def test_an_archive_that_holds_another_tree_is_refused_and_nothing_is_kept(
    tiny: Tiny, stored: StorePlace, record: Path, machine: SimpleNamespace
) -> None:
    parts = json.loads(record.read_text())
    named, other = parts["tree"]["archive"], parts["known"]["archive"]
    archives = Path(stored.root, "archives")
    (archives / named[:2] / f"{named}.graft").write_bytes((archives / other[:2] / f"{other}.graft").read_bytes())
    assert any("refused" in line for line in find_image_faults(stored, "process", tiny.image.key))
    with pytest.raises(ArchiveError, match=f"{named}: refused: its content is that of {other}"):
        machine.pull(stored)
    assert list(machine.backend.images()) == []
    assert not list((machine.cache / "tmp" / "process").iterdir())


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("key", "tiny-0000", "what lies there is tiny-0000"),
        ("base", {"name": "", "digest": "feed", "tree": None}, "the image stands on base of its host .* feed"),
    ],
)
def test_an_image_of_another_key_or_base_is_refused_by_name(
    stored: StorePlace, record: Path, machine: SimpleNamespace, part: str, value: object, message: str
) -> None:
    record.write_text(json.dumps(json.loads(record.read_text()) | {part: value}))
    with pytest.raises(StoreError, match=f"refused: {message}"):
        machine.pull(stored)


def test_an_image_for_another_type_of_machine_is_named_and_not_taken(
    tiny: Tiny, stored: StorePlace, record: Path, machine: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    record.rename(record.with_name("riscv64-linux9.9.json"))
    caplog.clear()
    with pytest.raises(SandboxError, match=f"no image {tiny.image.key} for process on {detect_cpu_and_kernel_type()}"):
        machine.pull(stored)
    assert any("riscv64-linux9.9" in line for line in caplog.messages)


def test_fetched_images_make_room_and_one_that_is_used_or_was_built_here_stays(
    tiny: Tiny, stored: StorePlace, machine: SimpleNamespace
) -> None:
    cache, backend = machine.cache, machine.backend
    folder = image_folder(cache, backend, machine.pull(stored))
    assert (folder / FETCHED).is_file()
    mark_fetched_image_in_use(folder)
    with pytest.raises(SandboxError, match="raise GRAFT_STORE_MB"):
        remove_unused_fetched_images_for_room(folder.parent, backend, 2**20, limit_mb=1)
    for user in (folder / "users").iterdir():
        # Its process has ended: no process 1 began at that time.
        user.rename(user.with_name(f"1-0-{user.name.rpartition('-')[2]}"))
    remove_unused_fetched_images_for_room(folder.parent, backend, 2**20, limit_mb=1)
    assert list(backend.images()) == []
    built = build_image(tiny.image.recipe, machine.source, backend, None, cache)
    with pytest.raises(SandboxError):
        remove_unused_fetched_images_for_room(folder.parent, backend, 10 * 2**20, limit_mb=1)
    assert [info.key for info in backend.images()] == [built.key]


def test_only_the_suites_that_are_needed_are_measured_and_the_rest_later(
    tmp_path: Path, tiny_recipe: Recipe, caplog: pytest.LogCaptureFixture
) -> None:
    cache = tmp_path / "cache"
    backend, source = open_unscheduled_backend("process", cache), checkout_source(tiny_recipe, None, cache)
    build = partial(build_image, tiny_recipe, source, backend, None, cache)
    first = build(("late",))
    assert first.expected.suites == {"late": {"adds_negative": 1}}
    caplog.clear()
    assert (build(("late",)), caplog.messages) == (first, [])
    both = build()
    assert [line for line in caplog.messages if "baseline 1/" in line] == ["tiny: baseline 1/2: 3 results"]
    assert both.expected.suites == {"unit": {"adds": 1, "adds_zero": 1, "doubles": 1}, **first.expected.suites}
    assert both.key == first.key
    caplog.clear()
    assert (build(("unit",)), caplog.messages) == (both, [])


class _Listing(MemoryFileSystem):  # type: ignore[misc]
    """Keeps listings as fsspec's object stores do."""

    protocol = "listing"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.removeprefix("listing://")))

    def ls(self, path: str, detail: bool = True, **options: Any) -> list[Any]:
        folder = self._strip_protocol(path)
        found: list[Any] | None = self._ls_from_cache(folder)
        if found is None:
            found = self.dircache[folder] = super().ls(folder, detail=True)
        return found if detail else [entry["name"] for entry in found]


def test_what_another_machine_has_pushed_is_seen_at_once() -> None:
    fsspec.register_implementation("listing", _Listing, clobber=True)
    elsewhere = MemoryFileSystem(skip_instance_cache=True)
    elsewhere.store, elsewhere.pseudo_dirs = _Listing.store, _Listing.pseudo_dirs
    place = open_store("listing://store")
    elsewhere.pipe("/store/records/first", b"1")
    assert place.list_names("records") == ["first"]
    elsewhere.pipe("/store/records/second", b"2")
    assert place.list_names("records") == ["first", "second"]
    assert place.read_file("records/second") == b"2"


class _RefusedError(Exception):
    """As botocore's and aiohttp's errors, it is no OSError."""


def test_a_store_that_cant_be_opened_and_an_error_of_its_own_library_are_the_stores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ConfigError, match=r"store nosuch://x: .*name a folder"):
        open_store("nosuch://x")

    def refuse(*_: object) -> bytes:
        raise _RefusedError("403")

    monkeypatch.setattr(MemoryFileSystem, "cat_file", refuse)
    with pytest.raises(StoreError, match="store memory://store: record: 403"):
        open_store("memory://store").read_file("record")
