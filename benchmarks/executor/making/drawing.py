"""The rules by which source packages of Debian are drawn for `benchmarks.executor.making.made`, and the drawing.

The first rule, written before any of them was tried: source packages of bookworm's main section in format 3.0
(quilt), for any architecture, whose upstream archive has 100 kB to 1.5 MB, and whose Build-Depends name at most two
packages that neither pack nor document nor are in Graft's base. They are ordered by the SHA-256 of their names. Taken
are the first 20 whose archive holds 5,000 to 500,000 lines of C and C++, more than of any other language, and a build
system in which `graft make` sees tests. Left out beforehand: redis, openssl and bullet3, and the packages on which
`graft make` was developed.

The second rule, written on 2026-11-23, after the first drawing had shown that most small packages have too few
comments, and before any package of it was tried: the same, but an archive of 200 kB to 4 MB, at least 100 documented
functions (of 5 to 60 lines, no test code, no near-copies), and none of the first drawing's packages.

The third rule, written on 2026-11-24, after the second drawing had shown that many packages have no tests that work,
or few that enter their functions, and before any package of it was looked at: as the second, but at most four such
packages in Build-Depends, at least 200 documented functions, at least ten C or C++ files of test code, and a
debian/rules by which Debian's own build runs the tests and is stopped by one that fails.

The fourth rule, written on 2026-11-24, after the third drawing had shown that a folder of test code may hold no test
that runs by itself, and before any package of it was looked at: as the third, but an archive of 200 kB to 10 MB, at
most eight such packages in Build-Depends, and at least five tests that the build's files name one by one (`add_test`
and the like of CMake, `test` of meson, the words of automake's TESTS, Autotest's groups) in place of ten files of test
code.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from executor.cache import cache_root
from executor.repository.apt import fetch_source, package_names, source_lists
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.repository.source import checkout
from index.build import build_index
from index.errors import GraftError
from index.repo_index import open_index
from lab.making.build import bare_recipe
from lab.making.detect import detect, source_files
from lab.making.functions.choose import choose, is_test_code
from lab.making.settings import ChooseSettings
from lab.making.source.debian import names_in
from lab.making.source.origin import find_origin

log = logging.getLogger(__name__)

NOT_THESE = frozenset({"redis", "openssl", "bullet", "cjson", "jansson", "libyaml", "expat", "zlib"})
LINES = range(5_000, 500_001)
_CODE = {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl"}
_OTHER = {
    ".py",
    ".java",
    ".go",
    ".rs",
    ".js",
    ".ts",
    ".pl",
    ".pm",
    ".rb",
    ".php",
    ".hs",
    ".ml",
    ".cs",
    ".f90",
    ".f",
    ".vala",
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """What differs between the rules. `archive`: the bytes that upstream's archive may have; `documented`: the fewest
    documented functions; `others`: the drawings whose packages aren't taken again; `depends`: the most packages in
    Build-Depends; `tests`: the fewest files of test code, `listed`: the fewest tests that are named one by one; where
    either is asked for, Debian's build has to run the tests too."""

    results: Path
    archive: range
    documented: int = 0
    others: tuple[Path, ...] = ()
    depends: int = 2
    tests: int = 0
    listed: int = 0


FIRST = Drawing(Path("benchmarks/records/made.json"), range(100_000, 1_500_001))
_SECOND = Drawing(
    Path("benchmarks/records/made_documented.json"), range(200_000, 4_000_001), 100, others=(FIRST.results,)
)
_THIRD = Drawing(
    Path("benchmarks/records/made_tested.json"),
    _SECOND.archive,
    200,
    others=(FIRST.results, _SECOND.results),
    depends=4,
    tests=10,
)
_FOURTH = Drawing(
    Path("benchmarks/records/made_listed.json"),
    range(200_000, 10_000_001),
    _THIRD.documented,
    others=(*_THIRD.others, _THIRD.results),
    depends=8,
    listed=5,
)
DRAWINGS = {"first": FIRST, "documented": _SECOND, "tested": _THIRD, "listed": _FOURTH}


def pick(result: dict[str, Any], wanted: int, drawing: Drawing) -> Iterator[str]:
    """Draws packages until so many are taken, and for those that were looked at and not taken the reason. Goes on
    after those known."""
    taken: list[str] = result.setdefault("picked", [])
    passed_over: dict[str, str] = result.setdefault("passed_over", {})
    known = {name for other in drawing.others for name in json.loads(other.read_text())["result"]["picked"]}
    for name in sorted(_candidates(drawing) - known, key=lambda name: hashlib.sha256(name.encode()).hexdigest()):
        if len(taken) >= wanted:
            return
        if name in taken or name in passed_over:
            continue
        why = _unfit(name, drawing)
        if drawing.documented and not why:
            documented = result.setdefault("documented", {})
            documented[name] = documented_functions(name)
            if documented[name] < drawing.documented:
                why = f"{documented.pop(name)} documented functions"
        log.info(f"{name}: {why or 'taken'}")
        if why:
            passed_over[name] = why
        else:
            taken.append(name)
        yield name


def _candidates(drawing: Drawing) -> set[str]:
    found: set[str] = set()
    known = package_names(cache_root())
    for paragraph in source_lists(cache_root()).split("\n\n"):
        fields = dict(re.findall(r"(?m)^([\w-]+):[ \n]*((?:.*)(?:\n[ \t].*)*)", paragraph))
        name = fields.get("Package", "").strip()
        if not name or name in NOT_THESE or fields.get("Format", "").strip() != "3.0 (quilt)":
            continue
        if not {"any", "linux-any"} & set(fields.get("Architecture", "").split()):
            continue
        sizes = [
            int(size)
            for size in re.findall(r"(?m)^ \w{64} (\d+) \S+\.orig\.tar\.\w+$", fields.get("Checksums-Sha256", ""))
        ]
        depends = ", ".join(fields.get(key, "") for key in ("Build-Depends", "Build-Depends-Arch"))
        if len(sizes) == 1 and sizes[0] in drawing.archive and len(names_in(depends, known)) <= drawing.depends:
            found.add(name)
    return found


def _unfit(name: str, drawing: Drawing) -> str:
    """Why the package isn't taken, or ""."""
    try:
        package = fetch_source(name, cache_root())
        if (drawing.tests or drawing.listed) and not runs_tests(package.debian):
            return "Debian's build doesn't run its tests"
        origin = find_origin(f"debian:{name}", None, None, cache_root())
        root = checkout(bare_recipe(origin), None, cache_root()).root
    except GraftError as error:
        return "its source can't be fetched here" if "Failed to fetch" in str(error) else str(error)
    lines: Counter[str] = Counter()
    of_tests = 0
    for path in source_files(root):
        suffix = path.suffix.lower()
        of_tests += suffix in _CODE and is_test_code(path.relative_to(root).as_posix())
        if (suffix in _CODE or suffix in _OTHER) and not path.is_symlink():
            lines["C" if suffix in _CODE else suffix] += path.read_bytes().count(b"\n")
    if lines["C"] not in LINES:
        return f"{lines['C']:,} lines of C and C++"
    if lines.most_common(1)[0][0] != "C":
        return "another language has more lines"
    if of_tests < drawing.tests:
        return f"{of_tests} files of test code"
    if drawing.listed and (listed := named_tests(root)) < drawing.listed:
        return f"{listed} tests are named"
    try:
        reasons = detect(root).reasons
    except GraftError as error:
        return str(error).partition(": ")[2]
    seen = any(re.search(r"adds tests|has tests|, target \w", reason) for reason in reasons)
    return "" if seen else "no test is seen in its build system"


def named_tests(root: Path) -> int:
    """How many tests the files of the build name one by one, by the system that names most: `add_test` and its like of
    CMake, `test` of meson, the words of automake's TESTS with the variables of the same file, Autotest's groups."""
    counts: Counter[str] = Counter()
    for path in source_files(root):
        if path.is_symlink() or not path.is_file():
            continue
        if path.name == "CMakeLists.txt" or path.suffix == ".cmake":
            calls = r"(?im)^\s*(?:add_test|(?:gtest|catch|doctest)_(?:discover|add)_tests)\s*\("
            counts["cmake"] += len(re.findall(calls, path.read_text(errors="replace")))
        elif path.name == "meson.build":
            counts["meson"] += len(re.findall(r"(?m)^\s*test\s*\(", path.read_text(errors="replace")))
        elif path.name == "Makefile.am" or path.name.endswith(".am"):
            counts["automake"] += len(_words_of("TESTS", path.read_text(errors="replace")))
        elif path.suffix == ".at":
            counts["autotest"] += len(re.findall(r"(?m)^\s*AT_SETUP\(", path.read_text(errors="replace")))
    return max(counts.values(), default=0)


def _words_of(name: str, text: str) -> list[str]:
    """The words of a Makefile's variable, with those of the variables of the same file that it names."""
    joined = re.sub(r"(?m)#.*$", "", text).replace("\\\n", " ")
    words = " ".join(re.findall(rf"(?m)^{name}[ \t]*\+?=(.*)$", joined)).split()
    inner = {word[2:-1] for word in words if re.fullmatch(r"\$\(\w+\)", word)} - {name}
    return [word for word in words if "$" not in word] + [word for other in inner for word in _words_of(other, joined)]


def runs_tests(debian: Path) -> bool:
    """Whether debian/rules runs the package's tests, and a test that fails ends the build: by dh, which does so unless
    it is told otherwise, or by a command of its own."""
    rules = debian / "rules"
    text = rules.read_text(errors="replace") if rules.is_file() else ""
    text = re.sub(r"(?m)^[ \t]*#.*\n", "", text).replace("\\\n", " ")
    own = re.search(r"(?m)^override_dh_auto_test\S*[^\n]*\n((?:(?:\t.*|if.*|else.*|endif.*|[ ]*)\n)*)", text)
    if own is None and re.search(r"(?m)^\t.*\bdh[ ]+[^\n]*\$@", text):
        return "nocheck" not in text and "execute_before_dh_auto_test" not in text
    commands = re.findall(r"(?m)^\t(.*)$", own[1] if own else text)
    ran = [line for line in commands if re.search(r"\b(dh_auto_test|ctest|(MAKE|make)\b.*\b(check|tests?))\b", line)]
    return bool(ran) and not any(line.lstrip("@+").startswith("-") or "||" in line for line in ran)


def documented_functions(name: str) -> int:
    """How many functions would fit if the build compiled every file and a test entered each: no tree gives more."""
    root = checkout(bare_recipe(find_origin(f"debian:{name}", None, None, cache_root())), None, cache_root()).root
    folder = cache_root() / "indexes" / root.name
    build_index(root, folder)
    every = tuple(path.relative_to(root).as_posix() for path in source_files(root))
    graph = BuildGraph((BuildStep("compile", (), ".", ("all.o",), every),))
    with closing(open_index(folder, root)) as index:
        return len(choose(index, graph, ChooseSettings(), name, None).candidates)
