"""This machine's apt with a configuration of Graft's own: source packages and names of packages, without a change of
the machine's settings."""

from __future__ import annotations

import logging
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.cache import hold_file_lock
from executor.sandbox.base import DEFAULT_SUITE, find_apt_source_or_raise
from index.errors import RecipeError, UserError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DebianSource:
    """A source package. `archive` is upstream's, `part` Debian's, and `debian` the folder in it (control, rules,
    copyright, patches)."""

    package: str
    version: str
    archive: Path
    part: Path
    debian: Path


def list_binary_package_names(cache: Path) -> frozenset[str]:
    """The names of all binary packages of the usual suite. Raises UserError when this machine has no such apt
    source."""
    options = _ensure_lists_and_make_apt_options(cache, DEFAULT_SUITE)
    return frozenset(_run_apt_or_raise(["apt-cache", *options, "pkgnames"], cache).split())


def find_first_providing_package_or_empty(virtual_package: str, cache: Path) -> str:
    """The binary package that provides the virtual package, the first by name; "" where there is none."""
    options = _ensure_lists_and_make_apt_options(cache, DEFAULT_SUITE)
    shown = _run_apt(["apt-cache", *options, "showpkg", virtual_package], cache).stdout
    providers = re.findall(r"(?m)^(\S+) ", shown.partition("Reverse Provides:")[2])
    return min(providers, default="")


def read_source_package_list(cache: Path) -> str:
    """The usual suite's list of source packages, a paragraph for each."""
    _ensure_lists_and_make_apt_options(cache, DEFAULT_SUITE)
    files = sorted((cache.absolute() / "apt" / DEFAULT_SUITE / "lists").glob("*_Sources*"))
    return "\n".join(_run_apt_or_raise(["/usr/lib/apt/apt-helper", "cat-file", str(path)], cache) for path in files)


def download_sources_and_describe_failures(
    packages: Sequence[str], folder: Path, cache: Path, suite: str = DEFAULT_SUITE
) -> str:
    """Download these source packages' files into `folder`, those that can be had. Returns what apt says of the others,
    "" when all came. Raises UserError when this machine has no apt."""
    words = ["source", "-qq", "--download-only", "--only-source", *packages]
    done = _run_apt(["apt-get", *_ensure_lists_and_make_apt_options(cache, suite), *words], folder)
    return done.stderr if done.returncode else ""


def fetch_package_and_unpack_debian_folder(package: str, cache: Path, suite: str = DEFAULT_SUITE) -> DebianSource:
    """Download the source package into `cache`/packages and unpack Debian's part of it. Raises RecipeError when the
    suite has no such package, or when its format has no upstream archive."""
    store = cache / "packages"
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store, prefix=".fetch-") as name:
        scratch = Path(name)
        if errors := download_sources_and_describe_failures([package], scratch, cache, suite):
            raise RecipeError(
                f"debian:{package}: apt can't fetch this source package of {suite}"
                f" ({_choose_telling_apt_error_line(errors)})"
            )
        (dsc,) = scratch.glob("*.dsc")
        fields = read_one_line_dsc_fields(dsc.read_text(errors="replace"))
        archives = [path for path in scratch.glob("*.orig.tar.*") if path.suffix != ".asc"]
        parts = list(scratch.glob("*.debian.tar.*"))
        if len(archives) != 1 or not parts:
            raise RecipeError(
                f"debian:{package}: {len(archives)} upstream archives and {len(parts)} of Debian's; one of each can be"
                f" used: unpack it with `apt-get source {package}` and give that folder"
            )
        debian = store / f"{package}_{fields['Version'].replace(':', '_')}.debian"
        if not debian.is_dir():
            with tarfile.open(parts[0]) as tar:
                tar.extractall(scratch / "unpacked", filter="data")
            (scratch / "unpacked" / "debian").rename(debian)
        archive, part = (path.replace(store / path.name) for path in (archives[0], parts[0]))
    return DebianSource(package, fields["Version"], archive, part, debian)


def read_one_line_dsc_fields(text: str) -> dict[str, str]:
    """The fields of one line of a source package's .dsc. An old signature below them has a Version of its own."""
    signed = text.partition("-----BEGIN PGP SIGNATURE-----")[0]
    return dict(line.split(": ", 1) for line in signed.splitlines() if line[:1].isalpha() and ": " in line)


def _ensure_lists_and_make_apt_options(cache: Path, suite: str) -> list[str]:
    """apt's words for lists of the suite's packages and sources that lie in the cache, fetched unless they are."""
    source = find_apt_source_or_raise(suite)
    apt = cache.absolute() / "apt" / suite
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text(
        "".join(f"{source.to_sources_line(suite, kind)}\n" for kind in ("deb", "deb-src"))
    )
    settings = {
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "APT::Sandbox::User": "root",
    }
    words = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    # apt ends with an error where another process fetches the lists.
    with hold_file_lock(apt / "lock", f"apt: the lists of {suite}"):
        if not any((apt / "lists").glob("*_Sources*")):
            log.info(f"apt: fetching the lists of {suite}")
            _run_apt_or_raise(["apt-get", *words, "update", "-qq"], apt)
    return words


def _run_apt_or_raise(argv: Sequence[str], cwd: Path) -> str:
    done = _run_apt(argv, cwd)
    if done.returncode:
        raise RecipeError(_choose_telling_apt_error_line(done.stderr))
    return done.stdout


def _run_apt(argv: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(f"{argv[0]}: {error.strerror}: source packages come through this machine's apt") from error


def _choose_telling_apt_error_line(errors: str) -> str:
    lines = errors.strip().splitlines() or ["no reason given"]
    # The last line only says that there was an error.
    return next((line for line in lines if "Failed to fetch" in line), lines[-1])
