"""What Debian's files say of a source package: the packages that its build needs, and the words for its configure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from lab.making.settings import System

# They pack, sign or document, and neither the programs nor the tests need them. gtk-doc-tools isn't among them:
# autoreconf reads its macros. Nor is groff: its programs make man pages within a plain `make`.
_NOT_NEEDED = re.compile(
    r"^(debhelper|dh-|dpkg-dev|dpkg-build|lintian|quilt|cdbs|pkg-kde-tools|doxygen|graphviz|texlive|latex|texinfo|"
    r"docbook|xsltproc|xmlto|asciidoc|asciidoctor|pandoc|help2man|po4a|ghostscript|sphinx|python3-sphinx|"
    r"python3-breathe|ronn|ruby-ronn|go-md2man|valac|gem2deb|javahelper|default-jdk|openjdk|bnd|maven|ant$|"
    r"abi-|mingw|gcc-mingw|fonts-|imagemagick|inkscape|w3m|lynx|hevea|rst2pdf|lcov|valgrind)"
)
# Part of every base.
_IN_EVERY_BASE = frozenset(
    {"gcc", "g++", "make", "cmake", "tcl", "perl", "python3", "procps", "pkg-config", "libc6-dev"}
)
_OUR_MACHINE = frozenset({"amd64", "any", "linux-any", "any-amd64", "linux-amd64"})
# Words for configure that leave the tree's own tests out, or ask for documents, whose tools aren't installed.
_NOT_WANTED = re.compile(
    r"--(?:disable|without)-(?!gnulib)(?:\w+-)*(?:\w*tests?|testing|regress|checks?)$"
    r"|--(?:enable|with)-(?:\w+-)*(?:\w*docs?|documentation|doxygen|dot|man|manuals?|manpages?)(?:=(?!no).*)?$"
)

_DEBHELPER: Mapping[str, System] = {"autoconf": "autotools", "cmake": "cmake", "meson": "meson", "makefile": "make"}


def find_build_packages(debian: Path, known: Collection[str], provider: Callable[[str], str] = str) -> list[str]:
    """The binary packages that Build-Depends and Build-Depends-Arch name, of those `known` to the suite: of `a | b`
    the first; for a virtual package its `provider`. Left out are those for other machines and profiles than an
    ordinary build's, what only packs or documents, and what every base has."""
    source = re.sub(r"(?m)^#.*\n", "", _read_text_or_empty(debian / "control")).split("\n\n", 1)[0]
    fields = re.findall(r"(?mi)^Build-Depends(?:-Arch)?:((?:.*\n?)(?:[ \t].*\n?)*)", source)
    return read_package_names(",".join(fields), known, provider)


def read_package_names(depends: str, known: Collection[str], provider: Callable[[str], str] = str) -> list[str]:
    """The packages that the text of such a field names, as `find_build_packages` takes them."""
    found: dict[str, None] = {}
    for clause in depends.split(","):
        choices = [name for choice in clause.split("|") if (name := _read_ordinary_build_package_or_empty(choice))]
        names = [name for name in choices if name in known]
        names = names or [name for name in map(provider, choices) if name in known]
        if names and names[0] not in _IN_EVERY_BASE and not _NOT_NEEDED.match(names[0]):
            found[names[0]] = None
    return list(found)


def _read_ordinary_build_package_or_empty(choice: str) -> str:
    """The package of `libfoo-dev:native (>= 2) [linux-any] <!nocheck>`, "" when it isn't for an ordinary build."""
    match = re.match(r"\s*([a-z0-9][a-z0-9+.-]+)", choice)
    machines = re.search(r"\[([^]]*)\]", choice)
    profiles = re.findall(r"<([^>]*)>", choice)
    if match is None or (profiles and not any(all(w[:1] == "!" for w in terms.split()) for terms in profiles)):
        return ""
    words = machines[1].split() if machines else ["any"]
    is_named = not _OUR_MACHINE.isdisjoint(word.lstrip("!") for word in words)
    return match[1] if is_named != words[0].startswith("!") else ""


def find_configure_options(debian: Path) -> list[str]:
    """The literal options that debian/rules gives to configure, by `dh_auto_configure --` or itself, without what a
    variable of make holds, without what leaves tests out and what makes documents."""
    text = _read_text_or_empty(debian / "rules").replace("\\\n", " ")
    found: dict[str, None] = {}
    for line in re.findall(r"(?m)^\t(?:[-@+]*\s*dh_auto_configure\b.*?--|[^#\n]*\./configure)\s(.*)$", text):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        for word in words:
            if re.fullmatch(r"--?[A-Za-z][\w:=./+,-]*", word) and not _NOT_WANTED.match(word):
                found[word] = None
    return list(found)


def find_build_system_or_autotools(debian: Path) -> System:
    """The build system that debian/rules names, else the first in debhelper's own order."""
    named = re.search(r"(?m)^\t.*\bdh.*\s(?:--buildsystem[= ]|-S\s*)(\w+)", _read_text_or_empty(debian / "rules"))
    return _DEBHELPER.get(named[1], "autotools") if named else "autotools"


def join_licence_names_or_empty(debian: Path) -> str:
    """The short names of the licences in a machine-readable debian/copyright, or ""."""
    names = re.findall(r"(?m)^License:\s*(\S.*)$", _read_text_or_empty(debian / "copyright"))
    return ", ".join(dict.fromkeys(name.strip() for name in names))


def _read_text_or_empty(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
