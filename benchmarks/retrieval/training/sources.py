"""A package's upstream archive, and what its tree is like."""

from __future__ import annotations

import hashlib
import lzma
import tarfile
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from benchmarks.retrieval.training.lot import FAMILIES, Look, Package
from executor.cache import cache_root
from executor.making.source.origin import licence_of
from executor.repository.apt import download_source
from executor.repository.recipe import RecipeSource
from index.cpp.keywords import words
from index.cpp.language import LANGUAGES, is_source
from index.errors import RecipeError
from index.symbols.scan import source_paths
from index.values import Language

Fetch = Callable[[Package, Path], Path]
"""Puts a package's tree into an empty folder and returns its root. Raises RecipeError when it can't be had."""

MOST_BYTES = 300_000_000
"""Of one tree's sources, unpacked."""
_HEADERS = words(".hh .hpp .hxx .h++ .inl .ipp .tpp .tcc .txx .cuh")
_LICENCES = ("license", "licence", "copying", "copyright")
_COPYRIGHT = "debian/copyright"


def fetched(store: Path, package: Package, folder: Path) -> Path:
    """See `Fetch`. Archives are kept in `store` under their digests."""
    store.mkdir(parents=True, exist_ok=True)
    archive, notice = store / package.sha256, store / f"{package.sha256}.copyright"
    if not archive.is_file():
        with tempfile.TemporaryDirectory(dir=store, prefix=".fetch-") as name:
            _download(package, Path(name))
            parts = sorted(Path(name).glob("*.debian.tar.*"))
            notice.write_bytes(_copyright(parts[0]) if parts else b"")
            Path(name, package.archive).rename(archive)
    unpack(archive, folder)
    inside = [path for path in folder.iterdir() if path.is_dir()]
    root = inside[0] if len(inside) == 1 else folder
    if text := notice.read_bytes():
        (root / "debian").mkdir(exist_ok=True)
        (root / _COPYRIGHT).write_bytes(text)
    return root


def _download(package: Package, scratch: Path) -> None:
    """Upstream's archive, and what else of the package can be had. Raises RecipeError without the archive."""
    reason = ""
    try:
        download_source(package.name, scratch, cache_root())
    except RecipeError as error:
        reason = str(error)
    archive = scratch / package.archive
    if not archive.is_file():
        raise RecipeError(f"its upstream archive can't be fetched ({' '.join(reason.split())[-120:]})")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise RecipeError("its upstream archive isn't the one of the list")


def _copyright(part: Path) -> bytes:
    """Debian's notice of the licences, in Debian's part of the package."""
    try:
        with tarfile.open(part) as tar:
            file = tar.extractfile(_COPYRIGHT)
            return file.read() if file else b""
    except (KeyError, tarfile.TarError, OSError):
        return b""


def unpack(archive: Path, folder: Path) -> None:
    """The archive's sources and licences, and no other file. Raises RecipeError when it is damaged or too large."""
    total = 0
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = PurePosixPath(member.name).name
                if not member.isfile() or not (is_source(name) or name.lower().startswith(_LICENCES)):
                    continue
                total += member.size
                if total > MOST_BYTES:
                    raise RecipeError(f"more than {MOST_BYTES / 1e6:.0f} MB of sources")
                tar.extract(member, folder, filter="data")
    except (tarfile.TarError, OSError, EOFError, lzma.LZMAError, zlib.error, UnicodeError) as error:
        raise RecipeError(f"its archive can't be unpacked ({type(error).__name__}: {error})"[:200]) from error


def licence(root: Path) -> str:
    """The tree's licences by name, as they were found."""
    return licence_of(RecipeSource(directory=str(root)), root, root)


def look_at(root: Path) -> Look:
    """What the tree is like."""
    lines: Counter[Language] = Counter()
    headers: Counter[Language] = Counter()
    foreign = ""
    for path in source_paths(root):
        place = PurePosixPath(path)
        foreign = foreign or next((part for part in place.parts[:-1] if part.lower().startswith(FAMILIES)), "")
        language: Language = "cpp" if place.suffix in LANGUAGES["cpp"].suffixes else "c"
        is_code = place.suffix in LANGUAGES[language].suffixes and place.suffix not in _HEADERS
        (lines if is_code else headers)[language] += (root / path).read_bytes().count(b"\n")
    told = lines or headers
    chosen: Language = "cpp" if told["cpp"] > told["c"] else "c"
    return Look(sum(lines.values()) + sum(headers.values()), chosen, foreign)
