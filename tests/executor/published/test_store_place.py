"""A node that had listed a store once never saw what others pushed to it later: fsspec keeps listings, so for that
node the image wasn't there until it was started again. And a store that couldn't be reached ended in a traceback: an
object store's library has errors of its own, which aren't OSErrors.
"""

from __future__ import annotations

from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from executor.published.store_place import StoreError, open_store


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


def test_an_error_of_the_stores_own_library_is_the_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bytes:
        raise _RefusedError("403")

    monkeypatch.setattr(MemoryFileSystem, "cat_file", refuse)
    with pytest.raises(StoreError, match="store memory://store: record: 403"):
        open_store("memory://store").read_file("record")
