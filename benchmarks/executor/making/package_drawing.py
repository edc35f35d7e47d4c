"""The rule by which source packages of Debian are drawn for `benchmarks.executor.making.made_packages`, and the
drawing.

The rule, written before any package was looked at: source packages of bookworm's main section in format 3.0 (quilt),
for any architecture, whose upstream archive has 200 kB to 4 MB, and whose Build-Depends name at most four packages
that neither pack nor document nor are in Graft's base. They are ordered by the SHA-256 of their names. Taken are the
first 20 whose archive holds 5,000 to 500,000 lines of C and C++, more than of any other language; a build system in
which `graft make` sees tests; at least 200 documented functions (of 5 to 60 lines, no test code, no near-copies); at
least ten files of test code; and a debian/rules by which Debian's own build runs the tests and is stopped by one that
fails. Left out beforehand: redis, openssl and bullet3, the packages on which `graft make` was developed, and those of
two drawings before, by rules that asked for less.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from executor.cache import cache_root
from executor.repository.apt import (
    fetch_package_and_unpack_debian_folder,
    list_binary_package_names,
    read_source_package_list,
)
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.repository.source import checkout_source
from index.build import build_index
from index.errors import GraftError
from index.repo_index import open_index
from lab.making.build_image import make_draft_recipe
from lab.making.detect_build import detect_build, list_files_except_version_control
from lab.making.functions.choose_functions import choose_functions, is_test_or_vendored_path
from lab.making.make_benchmark import make_settings_with_unwritten_build
from lab.making.settings import ChooseSettings
from lab.making.source.debian import read_package_names
from lab.making.source.origin import find_or_fetch_origin

log = logging.getLogger(__name__)

NOT_THESE = frozenset({"redis", "openssl", "bullet", "cjson", "jansson", "libyaml", "expat", "zlib"})
ARCHIVE_BYTES = range(200_000, 4_000_001)
LINES = range(5_000, 500_001)
MOST_DEPENDS = 4
LEAST_DOCUMENTED = 200
LEAST_TEST_FILES = 10
CODE_SUFFIXES = {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl"}
# Of other languages, to see which one has most lines.
OTHER_SUFFIXES = {
    ".py", ".java", ".go", ".rs", ".js", ".ts", ".pl", ".pm", ".rb", ".php", ".hs", ".ml", ".cs", ".f90", ".f",
    ".vala",
}  # fmt: skip


def draw_packages(result: dict[str, Any], wanted: int) -> Iterator[str]:
    """Draws packages until so many are taken, and for those that were looked at and not taken the reason. Goes on
    after those known."""
    taken: list[str] = result.setdefault("picked", [])
    passed_over: dict[str, str] = result.setdefault("passed_over", {})
    documented: dict[str, int] = result.setdefault("documented", {})
    for name in sorted(list_candidates(), key=lambda name: hashlib.sha256(name.encode()).hexdigest()):
        if len(taken) >= wanted:
            return
        if name in taken or name in passed_over:
            continue
        why = find_misfit(name)
        if not why:
            documented[name] = count_documented_functions(name)
            if documented[name] < LEAST_DOCUMENTED:
                why = f"{documented.pop(name)} documented functions"
        log.info(f"{name}: {why or 'taken'}")
        if why:
            passed_over[name] = why
        else:
            taken.append(name)
        yield name


def list_candidates() -> set[str]:
    found: set[str] = set()
    known = list_binary_package_names(cache_root())
    for paragraph in read_source_package_list(cache_root()).split("\n\n"):
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
        if len(sizes) == 1 and sizes[0] in ARCHIVE_BYTES and len(read_package_names(depends, known)) <= MOST_DEPENDS:
            found.add(name)
    return found


def find_misfit(name: str) -> str:
    """Why the package isn't taken, or ""."""
    try:
        package = fetch_package_and_unpack_debian_folder(name, cache_root())
        if not does_build_run_tests(package.debian):
            return "Debian's build doesn't run its tests"
        root = check_out_package(name)
    except GraftError as error:
        return "its source can't be fetched here" if "Failed to fetch" in str(error) else str(error)
    lines: Counter[str] = Counter()
    of_tests = 0
    for path in list_files_except_version_control(root):
        suffix = path.suffix.lower()
        of_tests += suffix in CODE_SUFFIXES and is_test_or_vendored_path(path.relative_to(root).as_posix())
        if (suffix in CODE_SUFFIXES or suffix in OTHER_SUFFIXES) and not path.is_symlink():
            lines["C" if suffix in CODE_SUFFIXES else suffix] += path.read_bytes().count(b"\n")
    if lines["C"] not in LINES:
        return f"{lines['C']:,} lines of C and C++"
    if lines.most_common(1)[0][0] != "C":
        return "another language has more lines"
    if of_tests < LEAST_TEST_FILES:
        return f"{of_tests} files of test code"
    try:
        reasons = detect_build(root).reasons
    except GraftError as error:
        return str(error).partition(": ")[2]
    seen = any(re.search(r"adds tests|has tests|, target \w", reason) for reason in reasons)
    return "" if seen else "no test is seen in its build system"


def check_out_package(name: str) -> Path:
    """The root of the source package's tree."""
    origin = find_or_fetch_origin(f"debian:{name}", None, None, cache_root())
    recipe = make_draft_recipe(make_settings_with_unwritten_build(origin, ChooseSettings()))
    return checkout_source(recipe, None, cache_root()).root


def does_build_run_tests(debian: Path) -> bool:
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


def count_documented_functions(name: str) -> int:
    """How many functions would fit if the build compiled every file and a test entered each: no tree gives more."""
    root = check_out_package(name)
    folder = cache_root() / "indexes" / root.name
    build_index(root, folder)
    every = tuple(path.relative_to(root).as_posix() for path in list_files_except_version_control(root))
    graph = BuildGraph((BuildStep("compile", (), ".", ("all.o",), every),))
    with closing(open_index(folder, root)) as index:
        return len(choose_functions(index, graph, ChooseSettings(), name, None).candidates)
