"""The store: a folder, or any URL that fsspec can write (s3://, gs://, memory://, ...)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from executor.sandbox.store import name_this_process
from index.errors import ConfigError, GraftError, InfraError

VARIABLE = "GRAFT_STORE"


class StoreError(InfraError):
    """A store can't be read or written, or what lies in it is refused."""


@dataclass(frozen=True, slots=True)
class StorePlace:
    """A store by its URL. `files` is its fsspec file system, `root` the path there. Every method raises StoreError."""

    url: str
    files: Any
    root: str

    def put_file(self, name: str, local: Path) -> None:
        """Copy the file into the store. It is whole there, or it isn't there."""
        from fsspec.implementations.local import LocalFileSystem

        target = f"{self.root}/{name}"
        with self._turn_failures_into_store_errors(name):
            self.files.makedirs(target.rpartition("/")[0], exist_ok=True)
            if isinstance(self.files, LocalFileSystem):
                part = f"{target}.{name_this_process()}.part"
                self.files.put_file(str(local), part)
                Path(part).replace(target)
            else:
                # An object store shows an object when all of it has arrived.
                self.files.put_file(str(local), target)

    def read_file(self, name: str) -> bytes | None:
        """The whole file; None when it isn't there."""
        with self._turn_failures_into_store_errors(name):
            try:
                data: bytes = self.files.cat_file(f"{self.root}/{name}")
            except FileNotFoundError:
                return None
            return data

    def make_error(self, what: str) -> StoreError:
        return StoreError(f"store {self.url}: {what}")

    @contextmanager
    def open_file(self, name: str) -> Iterator[IO[bytes]]:
        with self._turn_failures_into_store_errors(name), self.files.open(f"{self.root}/{name}", "rb") as file:
            yield file

    def has_file(self, name: str) -> bool:
        with self._turn_failures_into_store_errors(name):
            return bool(self.files.exists(f"{self.root}/{name}"))

    def list_names(self, folder: str) -> list[str]:
        """The names in a folder, sorted; none when it isn't there."""
        with self._turn_failures_into_store_errors(folder):
            try:
                found = self.files.ls(f"{self.root}/{folder}", detail=False)
            except FileNotFoundError:
                return []
            return sorted(str(path).rstrip("/").rpartition("/")[2] for path in found)

    @contextmanager
    def _turn_failures_into_store_errors(self, name: str) -> Iterator[None]:
        try:
            yield
        except GraftError:
            raise
        # Each file system has errors of its own: botocore's aren't OSErrors.
        except Exception as error:
            raise self.make_error(f"{name}: {error}") from error


def open_store(url: str) -> StorePlace:
    """Raises ConfigError for a URL that fsspec doesn't know or whose library isn't installed."""
    import fsspec.core

    try:
        # A listing that is kept would hide for ever what another machine has pushed since.
        files, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
    except (ImportError, ValueError) as error:
        raise ConfigError(
            f"store {url}: {error}; name a folder, or a URL whose fsspec library is installed"
        ) from error
    return StorePlace(url, files, str(root).rstrip("/"))


def store_from_env() -> StorePlace | None:
    """The store that GRAFT_STORE names; None without it. Raises ConfigError."""
    url = os.environ.get(VARIABLE)
    return open_store(url) if url else None


def require_store() -> StorePlace:
    """As `store_from_env`. Raises ConfigError without a store."""
    place = store_from_env()
    if place is None:
        raise ConfigError(f"{VARIABLE} isn't set: give the store's folder or URL, as {VARIABLE}=/nfs/graft")
    return place
