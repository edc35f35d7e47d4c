"""Publishes warm images in a store and fetches them: the built tree, what the host knows of it (its baselines among
them), the base that it stands on, and its source.

STORE/images/BACKEND/KEY/MACHINE.json   what belongs to an image, by the digests of its archives
STORE/sources/NAME.json                 the same of a source tree
STORE/archives/AB/ABCD....graft         an archive, named by its content

What is fetched is checked against these digests, file by file. They say that nothing was damaged or mixed up on the
way; they don't say who wrote it. Whoever can write to the store decides what its readers run.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, ValidationError

from executor.cache import hold_file_lock, replace_file
from executor.published.archive import ArchiveIndex, pack_tree, read_archive_index, unpack_tree, verify_archive_files
from executor.published.image_budget import (
    read_budget_mb,
    record_image_fetched_from_store,
    remove_unused_fetched_images_for_room,
)
from executor.published.machine import detect_cpu_and_kernel_type
from executor.published.store_place import StorePlace
from executor.sandbox.contract import Backend
from executor.sandbox.scheduled import unwrap_folder_backend
from executor.sandbox.store import Store, measure_free_mb, name_this_process
from executor.sandbox.tree_files import remove_tree
from index.errors import ConfigError, InfraError, SandboxError
from index.user_files import StrictModel

log = logging.getLogger(__name__)

# Raised when a record or an archive changes its meaning.
FORMAT = 1
# What the host knows of an image, but for logs of the build and programs that the sandbox makes for itself.
_KNOWN = ("graph.json", "image.json", "expected-*.json", "baseline-*.log", "confinement-*.json", "outside-*.json")


class ImagePart(StrictModel):
    """An archive by its digest, and how much it holds."""

    archive: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    unpacked_bytes: int


class BaseRecord(StrictModel):
    """The root file system below an image. `digest` is that of its list of packages; `tree` is None for one that a
    user gave by its path, which isn't published."""

    name: str
    digest: str
    tree: ImagePart | None


class ImageRecord(StrictModel):
    format: int
    key: str
    backend: str
    machine: str
    graft: str
    created: str
    labels: dict[str, str]
    tree: ImagePart
    known: ImagePart
    base: BaseRecord


class SourceRecord(StrictModel):
    format: int
    name: str
    record: str
    tree: ImagePart


Record = TypeVar("Record", ImageRecord, SourceRecord)


def publish_image(
    backend: Backend, key: str, host_facts: Path, source: Path, cache: Path, place: StorePlace
) -> ImageRecord:
    """Publish the image `key`. `host_facts`: the folder with what the host knows of it; `source`: its source tree.
    What the store has already isn't sent again. Raises ConfigError for a sandbox whose images can't travel,
    StoreError."""
    keeper = unwrap_folder_backend(backend)
    if keeper is None:
        raise ConfigError(
            f"sandbox {backend.name}: its images can't be published; --sandbox bwrap, or the engine's own registry"
        )
    labels = dict(keeper.read_image_info(key).labels)
    with _make_scratch_folder(cache) as scratch:
        copies = scratch / "known"
        copies.mkdir()
        for path in (found for pattern in _KNOWN for found in host_facts.glob(pattern)):
            shutil.copy2(path, copies)
        record = ImageRecord(
            format=FORMAT,
            key=key,
            backend=backend.name,
            machine=detect_cpu_and_kernel_type(),
            graft=version("graft"),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            labels=labels,
            tree=_pack_and_upload_tree(keeper.find_image_tree(key), scratch, place),
            known=_pack_and_upload_tree(copies, scratch, place),
            base=_upload_base_if_in_cache(keeper.find_rootfs_under_image(labels), cache, scratch, place),
        )
        _upload_source_and_record(source, scratch, place)
        _write_stored_record(record, _image_record_name_for_this_machine(backend.name, key), place)
    return record


def publish_source_if_missing(source: Path, cache: Path, place: StorePlace) -> None:
    """Publish a source tree of Graft's cache unless the store has it. Raises StoreError, OSError."""
    if not place.has_file(_source_record_name(source.name)):
        with _make_scratch_folder(cache) as scratch:
            _upload_source_and_record(source, scratch, place)


def fetch_image(backend: Backend, key: str, host_facts: Path, cache: Path, place: StorePlace) -> bool:
    """Fetch the image `key` into the sandbox and what is known of it into the folder `host_facts`. False when the
    store hasn't it for this type of machine. The caller holds the image's lock.

    Raises StoreError or ArchiveError, which name what was refused and why, and SandboxError when there is no room."""
    keeper = unwrap_folder_backend(backend)
    if keeper is None:
        return False
    record = _read_stored_record(ImageRecord, _image_record_name_for_this_machine(backend.name, key), place)
    if record is None:
        if others := ", ".join(list_machine_types_of_stored_image(place, backend.name, key)):
            log.info(f"image {key}: the store has it for {others}, and this machine is {detect_cpu_and_kernel_type()}")
        return False
    if (record.key, record.backend, record.machine) != (key, backend.name, detect_cpu_and_kernel_type()):
        wanted = f"image {key} for {backend.name} on {detect_cpu_and_kernel_type()}"
        found = f"{record.key} for {record.backend} on {record.machine}"
        raise place.make_error(f"{wanted}: refused: what lies there is {found}")
    started = time.monotonic()
    remove_unused_fetched_images_for_room(host_facts.parent, backend, record.tree.unpacked_bytes, read_budget_mb())
    _log_fetch(f"image {key}", record.tree, place)
    _ensure_matching_base(keeper.find_rootfs_under_image(record.labels), record.base, cache, place)
    try:
        with keeper.open_scratch_folder() as home:
            tree, facts = home / "tree", home / "known"
            for part, folder in ((record.tree, tree), (record.known, facts)):
                folder.mkdir()
                _fetch_and_unpack_part(part, folder, place, owner=keeper.owner if folder == tree else None)
            # The image's record comes last: with it the image is whole.
            files = sorted(facts.iterdir(), key=lambda path: path.name == "image.json")
            for path in files:
                if path.is_symlink() or not path.is_file() or not any(map(path.match, _KNOWN)):
                    raise place.make_error(f"image {key}: refused: {path.name!r} is no part of an image")
            if keeper.owner:
                shutil.chown(tree, *keeper.owner)
            keeper.keep_image(tree, key, record.labels)
            host_facts.mkdir(parents=True, exist_ok=True)
            for path in files:
                replace_file(host_facts / path.name, path.read_bytes())
            record_image_fetched_from_store(host_facts, record.tree.archive, record.tree.unpacked_bytes)
    except OSError as error:
        raise SandboxError(f"image {key}: can't be kept: {error.strerror or error}") from error
    log.info(f"image {key}: fetched in {time.monotonic() - started:.0f} s")
    return True


def pull_source(name: str, sources: Path, place: StorePlace) -> bool:
    """Fetch a source tree and its record. False: the store has none. Raises StoreError, ArchiveError, OSError."""
    record = _read_stored_record(SourceRecord, _source_record_name(name), place)
    if record is None:
        return False
    if record.name != name:
        raise place.make_error(f"source {name}: refused: what lies there is {record.name}")
    _log_fetch(f"source {name}", record.tree, place)
    sources.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(sources / f".{name}.lock", f"source {name}"):
        if (sources / name).is_dir():
            return True
        with _make_folder_whole_or_not_at_all(sources / name) as fresh:
            _fetch_and_unpack_part(record.tree, fresh, place)
            if path := _find_link_leading_out_or_empty(fresh):
                raise place.make_error(f"source {name}: refused: the link {path!r} leads out of the tree")
            replace_file(sources / f"{name}.json", record.record.encode())
    return True


def _log_fetch(what: str, tree: ImagePart, place: StorePlace) -> None:
    log.info(f"{what}: fetching {tree.unpacked_bytes / 2**20:.0f} MiB from {place.url}")


@contextmanager
def _make_folder_whole_or_not_at_all(target: Path) -> Iterator[Path]:
    """A folder to fill, which takes its place at `target` when the block ends well."""
    fresh = target.with_name(f".{target.name}.{name_this_process()}")
    try:
        fresh.mkdir()
        yield fresh
        fresh.rename(target)
    finally:
        remove_tree(fresh)


def _find_link_leading_out_or_empty(tree: Path) -> str:
    """The first link that leads out of the tree, or "". A source's files are read here, outside of any sandbox."""
    root = tree.resolve()
    links = (path for path in tree.rglob("*") if path.is_symlink())
    # `Path.resolve` raises for a link to itself.
    found = (path for path in links if not Path(os.path.realpath(path)).is_relative_to(root))
    return next((path.relative_to(tree).as_posix() for path in found), "")


def list_stored_images(place: StorePlace, backend: str) -> list[str]:
    """The keys of all images that the store has for the sandbox, whatever the machine."""
    return place.list_names(f"images/{backend}")


def list_machine_types_of_stored_image(place: StorePlace, backend: str, key: str) -> list[str]:
    """The types of machines for which the store has the image."""
    return [name.removesuffix(".json") for name in place.list_names(f"images/{backend}/{key}")]


def find_image_faults(place: StorePlace, backend: str, key: str) -> Iterator[str]:
    """Read all archives of an image for all types of machine. A line for each fault; none when all is whole."""
    for name in place.list_names(f"images/{backend}/{key}"):
        where = f"{key} ({name.removesuffix('.json')})"
        try:
            record = _read_stored_record(ImageRecord, f"images/{backend}/{key}/{name}", place)
            if record is None or f"{record.key} {record.machine}.json" != f"{key} {name}":
                yield f"{where}: its record is another image's"
            else:
                _verify_archives_of_parts(filter(None, (record.tree, record.known, record.base.tree)), place)
        except InfraError as error:
            yield f"{where}: {error}"


def list_stored_sources(place: StorePlace) -> list[str]:
    """The names of all source trees that the store has."""
    return [name.removesuffix(".json") for name in place.list_names("sources")]


def find_published_source_tree_faults(place: StorePlace, name: str) -> Iterator[str]:
    """As `find_image_faults`."""
    try:
        record = _read_stored_record(SourceRecord, _source_record_name(name), place)
        if record is None or record.name != name:
            yield f"source {name}: its record is another's"
        else:
            _verify_archives_of_parts([record.tree], place)
    except InfraError as error:
        yield f"source {name}: {error}"


def _verify_archives_of_parts(parts: Iterable[ImagePart], place: StorePlace) -> None:
    for part in parts:
        with place.open_file(_archive_name(part.archive)) as file:
            _require_recorded_size(part, verify_archive_files(file, part.archive), place)


def _require_recorded_size(part: ImagePart, index: ArchiveIndex, place: StorePlace) -> None:
    """Raises StoreError: room is made for what the record says."""
    if index.unpacked_bytes != part.unpacked_bytes:
        sizes = f"it unpacks to {index.unpacked_bytes} bytes, and its record says {part.unpacked_bytes}"
        raise place.make_error(f"archive {part.archive}: refused: {sizes}")


def _digest_packages_else_host_release_or_empty(base: Path | None) -> str:
    """A short name for the tools of a root file system: its distribution's list of installed packages; None: for the
    host's own, which are told apart by its distribution's release. "" where there is no such file."""
    listed = Path("/etc/os-release") if base is None else base / "var/lib/dpkg/status"
    return hashlib.sha256(listed.read_bytes()).hexdigest()[:16] if listed.is_file() else ""


def _upload_source_and_record(source: Path, scratch: Path, place: StorePlace) -> None:
    listed = source.with_name(f"{source.name}.json").read_text(encoding="utf-8")
    tree = _pack_and_upload_tree(source, scratch, place)
    record = SourceRecord(format=FORMAT, name=source.name, record=listed, tree=tree)
    _write_stored_record(record, _source_record_name(source.name), place)


def _upload_base_if_in_cache(base: Path | None, cache: Path, scratch: Path, place: StorePlace) -> BaseRecord:
    if base is None or not base.is_relative_to(cache):
        return BaseRecord(name=str(base or ""), digest=_digest_packages_else_host_release_or_empty(base), tree=None)
    tree = _pack_and_upload_tree(base, scratch, place)
    return BaseRecord(name=base.parent.name, digest=_digest_packages_else_host_release_or_empty(base), tree=tree)


def _ensure_matching_base(base: Path | None, record: BaseRecord, cache: Path, place: StorePlace) -> None:
    if base is not None and cache.resolve().is_relative_to(base.resolve()):
        raise place.make_error(f"refused: the image stands on {base}, which is this machine's own")
    if base is not None and not base.is_dir() and record.tree is not None:
        if not base.is_relative_to(cache):
            raise SandboxError(f"base {base}: not there, and the store's isn't for that place")
        base.parent.mkdir(parents=True, exist_ok=True)
        with hold_file_lock(base.parent / "lock", f"base {record.name}"):
            if not base.is_dir():
                _log_fetch(f"base {base.parent.name}", record.tree, place)
                with _make_folder_whole_or_not_at_all(base) as fresh:
                    _fetch_and_unpack_part(record.tree, fresh, place, keep_owners=os.getuid() == 0)
                    fresh.chmod(0o755)
    found = _digest_packages_else_host_release_or_empty(base)
    if found != record.digest:
        stands = f"the image stands on base {record.name or 'of its host'} with the packages {record.digest}"
        what_to_do = "" if base is None else f"; remove {base} and pull again, or build the image here"
        raise place.make_error(f"refused: {stands}, and here they are {found or 'missing'}{what_to_do}")


@contextmanager
def _make_scratch_folder(cache: Path) -> Iterator[Path]:
    store = Store(cache, "published")
    store.remove_leftovers()
    with store.open_scratch_folder() as home:
        yield home


def _pack_and_upload_tree(tree: Path, scratch: Path, place: StorePlace) -> ImagePart:
    packed = scratch / "archive"
    with packed.open("wb") as out:
        digest = pack_tree(tree, out)
    with packed.open("rb") as file:
        size = read_archive_index(file, digest).unpacked_bytes
    if not place.has_file(_archive_name(digest)):
        place.put_file(_archive_name(digest), packed)
    packed.unlink()
    return ImagePart(archive=digest, unpacked_bytes=size)


def _fetch_and_unpack_part(
    part: ImagePart,
    folder: Path,
    place: StorePlace,
    *,
    owner: tuple[int, int] | None = None,
    keep_owners: bool = False,
) -> None:
    with place.open_file(_archive_name(part.archive)) as file:
        _require_recorded_size(part, read_archive_index(file, part.archive), place)
        free, needed = measure_free_mb(folder), part.unpacked_bytes // 2**20
        if free < needed:
            raise SandboxError(f"{folder}: {free} MiB free, {needed} are needed")
        unpack_tree(file, part.archive, folder, owner=owner, keep_owners=keep_owners)


def _write_stored_record(record: ImageRecord | SourceRecord, name: str, place: StorePlace) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(record.model_dump_json(indent=1).encode())
        file.flush()
        place.put_file(name, Path(file.name))


def _read_stored_record(kind: type[Record], name: str, place: StorePlace) -> Record | None:
    data = place.read_file(name)
    if data is None:
        return None
    try:
        record = kind.model_validate_json(data)
    except ValidationError as error:
        raise place.make_error(f"{name}: damaged, or of another version of Graft") from error
    if record.format != FORMAT:
        raise place.make_error(f"{name}: format {record.format}, this Graft reads {FORMAT}")
    return record


def _image_record_name_for_this_machine(backend: str, key: str) -> str:
    return f"images/{backend}/{key}/{detect_cpu_and_kernel_type()}.json"


def _source_record_name(name: str) -> str:
    return f"sources/{name}.json"


def _archive_name(digest: str) -> str:
    return f"archives/{digest[:2]}/{digest}.graft"
