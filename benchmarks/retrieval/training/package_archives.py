"""A package's upstream archive, and what its tree is like."""

from __future__ import annotations

import hashlib
import lzma
import re
import tarfile
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from benchmarks.retrieval.training.package_lot import FAMILIES, Look, Package
from benchmarks.retrieval.training.set_record import NOT_FETCHED
from executor.cache import cache_root
from executor.repository.apt import download_sources_and_describe_failures
from executor.repository.recipe import RecipeSource
from index.cpp.keywords import word_set
from index.cpp.language import LANGUAGES, is_source
from index.errors import RecipeError
from index.symbols.source_files import find_source_paths
from index.values import Language
from lab.making.source.origin import describe_source_licence

Fetch = Callable[[Package, Path], Path]
"""Puts a package's tree into an empty folder and returns its root. Raises RecipeError when it can't be had."""

MOST_BYTES = 300_000_000
"""Of one tree's sources, unpacked."""
_HEADERS = word_set(".hh .hpp .hxx .h++ .inl .ipp .tpp .tcc .txx .cuh")
_LICENCES = ("license", "licence", "copying", "copyright")
_COPYRIGHT = "debian/copyright"


def fetch_tree(store: Path, package: Package, folder: Path) -> Path:
    """See `Fetch`. The archive is taken from `store`, where it is put first unless it is there."""
    archive = store / package.sha256
    if not archive.is_file():
        _download_archive(store, package)
    unpack_archive(archive, folder)
    inside = [path for path in folder.iterdir() if path.is_dir()]
    root = inside[0] if len(inside) == 1 else folder
    if text := _find_copyright_file(store, package).read_bytes():
        (root / "debian").mkdir(exist_ok=True)
        (root / _COPYRIGHT).write_bytes(text)
    return root


def _download_archive(store: Path, package: Package) -> None:
    """Put the upstream archive into `store` under its digest. Raises RecipeError when it can't be had."""
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store, prefix=".fetch-") as name:
        errors = download_sources_and_describe_failures([package.name], Path(name), cache_root())
        archive = Path(name, package.archive)
        if not archive.is_file():
            # apt's words name the archive's host, which says nothing.
            status = re.search(r"\.orig\.tar\.\w+\s+(\d+\s+[A-Za-z ]+)", errors)
            why = " ".join(status[1].split()) if status else "apt-get failed"
            raise RecipeError(f"{NOT_FETCHED} ({why})")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
            raise RecipeError("its upstream archive isn't the one of the list")
        parts = sorted(Path(name).glob("*.debian.tar.*"))
        _find_copyright_file(store, package).write_bytes(_read_copyright(parts[0]) if parts else b"")
        archive.rename(store / package.sha256)


def _find_copyright_file(store: Path, package: Package) -> Path:
    """Where Debian's notice of the licences is kept, empty where Debian's part can't be had."""
    return store / f"{package.sha256}.copyright"


def _read_copyright(part: Path) -> bytes:
    """Debian's notice of the licences, in Debian's part of the package."""
    try:
        with tarfile.open(part) as tar:
            file = tar.extractfile(_COPYRIGHT)
            return file.read() if file else b""
    except (KeyError, tarfile.TarError, OSError):
        return b""


def unpack_archive(archive: Path, folder: Path) -> None:
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


def find_licence(root: Path) -> str:
    """The tree's licences by name, as they were found."""
    return describe_source_licence(RecipeSource(directory=str(root)), root, root)


def look_at_tree(root: Path) -> Look:
    """What the tree is like."""
    lines: Counter[Language] = Counter()
    headers: Counter[Language] = Counter()
    foreign = ""
    for path in find_source_paths(root):
        place = PurePosixPath(path)
        foreign = foreign or next((part for part in place.parts[:-1] if part.lower().startswith(FAMILIES)), "")
        language: Language = "cpp" if place.suffix in LANGUAGES["cpp"].suffixes else "c"
        is_code = place.suffix in LANGUAGES[language].suffixes and place.suffix not in _HEADERS
        (lines if is_code else headers)[language] += (root / path).read_bytes().count(b"\n")
    told = lines or headers
    chosen: Language = "cpp" if told["cpp"] > told["c"] else "c"
    return Look(sum(lines.values()) + sum(headers.values()), chosen, foreign)
