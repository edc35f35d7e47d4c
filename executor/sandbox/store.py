"""Images and scratch folders on the host's disk, for the sandboxes that keep a tree as a plain folder.

Images lie in `cache/images/<backend>/<key>/{tree,image.json}`, scratch folders in
`cache/tmp/<backend>/<owner>.<random>`. A folder whose name begins with a dot is not whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from executor.sandbox.contract import ImageInfo
from executor.sandbox.tree_files import UserAndGroup, remove_tree
from index.errors import SandboxError

# Docker's rule for tags, so that a key is valid in every sandbox.
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def require_valid_key(key: str) -> str:
    """The key itself. Raises SandboxError when it isn't valid in every sandbox."""
    if not _KEY.fullmatch(key):
        raise SandboxError(f"image key {key!r}: letters, digits, '_', '.', '-' only, at most 128")
    return key


def make_missing_image_error(backend: str, key: str) -> SandboxError:
    return SandboxError(f"{backend} image {key!r} isn't there: build it with `graft images build REPO`")


def name_this_process() -> str:
    """A name for this process that no other has until the next boot: its pid, start time and pid namespace."""
    pid = os.getpid()
    return f"{pid}-{_read_start_time_or_empty(pid)}-{_read_pid_namespace()}"


def has_named_process_ended(name: str) -> bool:
    """Whether the process that `name_this_process` named so has ended. False in another pid namespace."""
    pid, _, rest = name.partition("-")
    start, _, namespace = rest.partition("-")
    return namespace == _read_pid_namespace() and pid.isdigit() and _read_start_time_or_empty(int(pid)) != start


def _read_start_time_or_empty(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _read_pid_namespace() -> str:
    return "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))  # noqa: PTH115


@dataclass(frozen=True, slots=True)
class Store:
    """The images and scratch folders of one sandbox."""

    cache: Path
    name: str

    @property
    def image_root(self) -> Path:
        return self.cache / "images" / self.name

    @property
    def scratch_root(self) -> Path:
        return self.cache / "tmp" / self.name

    @contextmanager
    def open_scratch_folder(self) -> Iterator[Path]:
        """A fresh folder on the cache's disk, removed in the end. Raises SandboxError when it can't be made."""
        path = self.scratch_root / f"{name_this_process()}.{os.urandom(5).hex()}"
        try:
            path.mkdir(parents=True)
        except OSError as error:
            raise SandboxError(f"{path}: {error.strerror or error}") from error
        try:
            yield path
        finally:
            remove_tree(path)

    def remove_leftovers(self) -> None:
        """Remove what killed processes of Graft left behind."""
        for folder in (self.scratch_root, self.image_root):
            with contextlib.suppress(OSError):
                for path in list(folder.iterdir()):
                    name = path.name.lstrip(".").partition(".")[0]
                    if (folder == self.scratch_root or path.name.startswith(".")) and has_named_process_ended(name):
                        remove_tree(path)

    def find_image_tree(self, key: str) -> Path:
        """The image's folder. Raises SandboxError when the image isn't there."""
        path = self.image_root / require_valid_key(key) / "tree"
        if not path.is_dir():
            raise make_missing_image_error(self.name, key)
        return path

    def read_image_info(self, key: str) -> ImageInfo:
        """The image's record. Raises OSError when it isn't there, SandboxError when it is damaged."""
        path = self.image_root / key / "image.json"
        try:
            data = json.loads(path.read_bytes())
            labels = {str(name): str(value) for name, value in data["labels"].items()}
            return ImageInfo(key, labels, int(data["size_bytes"]), str(data["created"]))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise SandboxError(f"{path}: damaged; delete {path.parent}, and the image is built again") from error

    def keep_image(self, tree: Path, key: str, labels: Mapping[str, str]) -> None:
        """Move `tree`, on the cache's disk, to the image `key`, replacing one of that key. Raises SandboxError."""
        home = self.image_root / require_valid_key(key)
        fresh = self.image_root / f".{name_this_process()}.{os.urandom(5).hex()}"
        size = sum(path.lstat().st_blocks * 512 for path in tree.rglob("*"))
        created = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            fresh.mkdir(parents=True)
            record = {"labels": dict(labels), "size_bytes": size, "created": created}
            (fresh / "image.json").write_text(json.dumps(record, indent=1))
            tree.rename(fresh / "tree")
            old = fresh.with_name(fresh.name + ".old")
            if home.exists():
                home.rename(old)
            fresh.rename(home)
            remove_tree(old)
        except OSError as error:
            remove_tree(fresh)
            raise SandboxError(f"image {key!r}: {error.strerror or error}") from error

    def images(self) -> Sequence[ImageInfo]:
        if not self.image_root.is_dir():
            return []
        keys = sorted(p.name for p in self.image_root.iterdir() if not p.name.startswith("."))
        return [self.read_image_info(key) for key in keys if (self.image_root / key / "image.json").is_file()]

    def remove(self, key: str) -> None:
        home = self.image_root / require_valid_key(key)
        if home.exists():
            gone = self.image_root / f".{name_this_process()}.{os.urandom(5).hex()}"
            home.rename(gone)
            remove_tree(gone)


@dataclass(frozen=True, slots=True)
class FolderBackend(Store):
    """What sandboxes have in common whose images are folders, so that they can be copied from machine to machine."""

    isolated: bool

    @property
    def owner(self) -> UserAndGroup | None:
        """The user and the group that an image's files belong to; None for whoever runs Graft."""
        return None

    def find_rootfs_under_image(self, labels: Mapping[str, str]) -> Path | None:
        """The root file system on which the image with these labels stands; None when it uses the host's own tools."""
        return None

    def import_base(self, rootfs: Path, name: str) -> None:
        """Nothing to do: where a base is needed, the folder is used as `make_base` made it."""


def measure_free_mb(path: Path) -> int:
    """MiB free on the disk that holds `path` or its nearest parent that exists."""
    while not path.exists():
        path = path.parent
    return shutil.disk_usage(path).free // (1024 * 1024)
