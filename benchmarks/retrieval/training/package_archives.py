"""A package's upstream archive, and what its tree is like."""

from __future__ import annotations

import hashlib
import lzma
import re
import tarfile
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from benchmarks.retrieval.training.package_lot import FAMILIES, Look, Package
from benchmarks.retrieval.training.set_record import NOT_FETCHED
from executor.cache import cache_root
from executor.repository.apt import download_sources_and_list_failures
from executor.repository.recipe import RecipeSource
from index.cpp.keywords import word_set
from index.cpp.language import LANGUAGES, is_source
from index.errors import RecipeError
from index.symbols.source_files import find_source_paths
from index.values import Language
from lab.making.source.origin import find_source_licence

Fetch = Callable[[Package, Path], Path]
"""Puts a package's tree into an empty folder and returns its root. Raises RecipeError when it can't be had."""

MOST_BYTES = 300_000_000
"""Of one tree's sources, unpacked."""
_HEADERS = word_set(".hh .hpp .hxx .h++ .inl .ipp .tpp .tcc .txx .cuh")
_LICENCES = ("license", "licence", "copying", "copyright")
_COPYRIGHT = "debian/copyright"


def download_archives(store: Path, packages: Sequence[Package]) -> None:
    """Put the upstream archives of these packages into `store`, under their digests, unless they are there: one call
    of apt, which takes longer to begin than to fetch a package. For one that can't be had the reason is put there.
    Does nothing while the first of them is known: then there is no hurry."""
    store.mkdir(parents=True, exist_ok=True)
    wanted = [p for p in packages if not (store / p.sha256).is_file() and not _find_reason_file(store, p).is_file()]
    if packages[0] not in wanted:
        return
    with tempfile.TemporaryDirectory(dir=store, prefix=".fetch-") as name:
        errors = " ".join(
            download_sources_and_list_failures([p.name for p in wanted], Path(name), cache_root()).split()
        )
        for package in wanted:
            archive = Path(name, package.archive)
            if not archive.is_file():
                # apt's words name the archive's host, which says nothing.
                status = re.search(rf"/{re.escape(package.name)}_\S+\.orig\.tar\.\w+ (\d+ [A-Za-z ]+)", errors)
                why = f"{NOT_FETCHED} ({status[1].strip() if status else 'apt-get failed'})"
                _find_reason_file(store, package).write_text(why)
            elif hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
                _find_reason_file(store, package).write_text("its upstream archive isn't the one of the list")
            else:
                parts = sorted(Path(name).glob(f"{package.name}_*.debian.tar.*"))
                _find_copyright_file(store, package).write_bytes(_read_copyright(parts[0]) if parts else b"")
                archive.rename(store / package.sha256)


def fetch_tree(store: Path, package: Package, folder: Path) -> Path:
    """See `Fetch`. The archive is taken from `store`, where it is put first unless it is there."""
    download_archives(store, [package])
    if _find_reason_file(store, package).is_file():
        raise RecipeError(_find_reason_file(store, package).read_text())
    unpack_archive(store / package.sha256, folder)
    inside = [path for path in folder.iterdir() if path.is_dir()]
    root = inside[0] if len(inside) == 1 else folder
    if text := _find_copyright_file(store, package).read_bytes():
        (root / "debian").mkdir(exist_ok=True)
        (root / _COPYRIGHT).write_bytes(text)
    return root


def _find_reason_file(store: Path, package: Package) -> Path:
    """Where it stands why the archive can't be had."""
    return store / f"{package.sha256}.missing"


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
    return find_source_licence(RecipeSource(directory=str(root)), root, root)


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
