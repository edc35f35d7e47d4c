"""Which source packages may be drawn, in which order, and who is taken: docs/decisions/training-set.md in code."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchmarks.index.any_tree import PACKAGES as MEASURED_ELSEWHERE
from index.cpp.keywords import word_set
from index.values import Language

SEED = "graft training set 1"
TAUGHT_BEFORE = ("git", "libgit2", "fmtlib", "joltphysics")
"""What taught the ranker before this rule."""
FAMILIES = (
    # The benchmark, and what is near it.
    *("redis", "hiredis", "valkey", "keydb", "openssl", "bullet", "llvm", "clang", "lld"),
    # What docs report on as unseen, or reserve for it.
    *("tmux", "re2", "libevent", "ninja-build", "qpdf", "tesseract", "sqlite", "jq", "zstd", "libzstd", "curl"),
    *("mbedtls", "leveldb", "nginx", "libuv", "jansson", "snappy", "libarchive"),
    *TAUGHT_BEFORE,
)
"""Packages whose names begin so are left out, and trees with such a folder."""

_BUILT_WITH = word_set("autoconf automake autotools-dev dh-autoreconf libtool cmake meson")
_OTHER_LANGUAGES = tuple(
    word_set("cargo default-jdk dh-golang fp-compiler gfortran ghc golang-any gnat mono-devel ocaml rustc valac")
)
_OTHER_SECTIONS = word_set(
    "debug doc fonts golang haskell java javascript kernel localization metapackages ocaml perl php python ruby rust"
    " tasks"
)
_NO_DOMAIN = "misc"
"""What the list of sources says of half of all packages."""
_FIELD = re.compile(r"(?m)^([\w-]+):[ \n]*((?:.*)(?:\n[ \t].*)*)")
_DEPENDS = re.compile(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)")
_ARCHIVE = re.compile(r"(?m)^ (\w{64}) (\d+) (\S+\.orig\.tar\.\w+)$")


@dataclass(frozen=True, slots=True)
class Package:
    """A source package of the lot, and its upstream archive as the list of sources has it."""

    name: str
    version: str
    section: str
    archive: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Look:
    """What a tree is like. `foreign`: a folder that may be a copy of a tree that is left out, or ""."""

    lines: int
    language: Language
    foreign: str


Role = Literal["teaches", "stops", "held out"]
"""What a tree is for: it teaches, it says when to stop, or it is held out whole."""


@dataclass(frozen=True)
class Rule:
    """The rule's numbers."""

    trees: int = 50
    tries: int = 300
    of_section: int = 5
    of_language: int = 28
    of_size: int = 22
    archive: range = range(100_000, 8_000_001)
    lines: range = range(5_000, 400_001)
    sizes: tuple[int, ...] = (25_000, 100_000)
    fitting: int = 60
    alike: float = 0.25
    every: int = 5
    renamed_every: int = 3
    styles: tuple[str, ...] = field(default=("nonsense", "plausible", "swapped"))

    def choose_role(self, place: int) -> Role:
        """What the tree taken at `place`, from 0, is for."""
        return {0: "held out", 1: "stops"}.get(place % self.every, "teaches")  # type: ignore[return-value]

    def choose_style(self, place: int) -> str:
        """The style of its copy under other names, "" where it has none."""
        if self.choose_role(place) == "held out":
            return self.styles[place // self.every % len(self.styles)]
        before = sum(self.choose_role(other) != "held out" for other in range(place))
        turn, rest = divmod(before, self.renamed_every)
        return "" if rest else self.styles[turn % len(self.styles)]

    def is_full(self, section: str, sections: Sequence[str]) -> bool:
        """Whether a Section has its fill, given those of the packages taken."""
        return section != _NO_DOMAIN and sections.count(section) >= self.of_section

    def explain_refusal(self, look: Look, looks: Sequence[Look]) -> str:
        """Why its tree isn't taken, given those of the packages taken; or ""."""
        if look.lines not in self.lines:
            return f"{look.lines:,} lines of C and C++"
        if look.foreign:
            return f"a folder {look.foreign}"
        if Counter(other.language for other in looks)[look.language] >= self.of_language:
            return f"{self.of_language} trees of its language are taken"
        if Counter(self._classify_size(other) for other in looks)[self._classify_size(look)] >= self.of_size:
            return f"{self.of_size} trees of its size are taken"
        return ""

    def _classify_size(self, look: Look) -> int:
        return sum(look.lines > most for most in self.sizes)


def draw_lot(paragraphs: str, rule: Rule) -> list[Package]:
    """The packages of the lot, in its order. `paragraphs`: the archive's list of sources."""
    found = {package.name: package for package in _list_packages(paragraphs, rule)}
    return sorted(found.values(), key=lambda p: hashlib.sha256(f"{SEED}\n{p.name}".encode()).hexdigest())


def _list_packages(paragraphs: str, rule: Rule) -> Iterator[Package]:
    for paragraph in paragraphs.split("\n\n"):
        fields = {name: value.strip() for name, value in _FIELD.findall(paragraph)}
        name = fields.get("Package", "")
        if not name or name in MEASURED_ELSEWHERE or name.startswith(FAMILIES) or "Extra-Source-Only" in fields:
            continue
        if hashlib.sha256(name.encode()).hexdigest()[0] in "01":
            continue
        section = fields.get("Section", "")
        if section in _OTHER_SECTIONS or not {"any", "linux-any"} & set(fields.get("Architecture", "").split()):
            continue
        keys = ("Build-Depends", "Build-Depends-Arch", "Build-Depends-Indep")
        depends = {package for key in keys for package in _DEPENDS.findall(fields.get(key, ""))}
        if depends.isdisjoint(_BUILT_WITH) or any(_is_other_language(package) for package in depends):
            continue
        archives = _ARCHIVE.findall(f" {fields.get('Checksums-Sha256', '')}")
        if len(archives) == 1 and int(archives[0][1]) in rule.archive:
            yield Package(name, fields["Version"], section, archives[0][2], archives[0][0])


def _is_other_language(package: str) -> bool:
    return package in _OTHER_LANGUAGES or package.startswith(tuple(f"{name}-" for name in _OTHER_LANGUAGES))
