"""`graft make` on source packages of Debian that nobody chose for it.

    python -m benchmarks.executor.making.made WORK --pick N       # draw packages by the rule until N are written down
    python -m benchmarks.executor.making.made WORK --count        # count the documented functions of those drawn
    python -m benchmarks.executor.making.made WORK [--only NAME]  # make a benchmark of each that isn't recorded yet
    python -m benchmarks.executor.making.made WORK --drawing documented ...    # the same of the second drawing
    python -m benchmarks.executor.making.made WORK --drawing tested ...        # and of the third

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

Each gets one command, `graft make debian:NAME --tasks 24`, no line by hand, and at most 30 minutes by the clock. On a
busy machine, which gives a fraction of two cores, `--only NAME` goes on with one whose time was over; its minutes, by
the clock and of CPU, add up. Every task's figures come from the manifest that the doctor wrote. Both files are written
after each package, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.record import commit
from executor.build.graph import BuildGraph, BuildStep
from executor.cache import cache_root, write_whole
from executor.doctor.manifest import load_manifest
from executor.making.build import bare_recipe
from executor.making.detect import detect, source_files
from executor.making.functions.choose import choose, is_test_code
from executor.making.settings import ChooseSettings
from executor.making.source.debian import names_in
from executor.making.source.origin import find_origin
from executor.repository.apt import fetch_source, package_names, source_lists
from executor.repository.source import checkout
from executor.tasks.folder import read_folder
from experiments.consoles import log_to_stderr
from index.build import build_index
from index.errors import GraftError
from index.repo_index import open_index

log = logging.getLogger(__name__)

WANTED = 20
SECONDS = 1800
_OVER = f"{SECONDS // 60} minutes were over"
TASKS = 24
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
    Build-Depends; `tests`: the fewest files of test code, where Debian's build has to run them too."""

    results: Path
    archive: range
    documented: int = 0
    others: tuple[Path, ...] = ()
    depends: int = 2
    tests: int = 0


FIRST = Drawing(Path("docs/measured/json/made.json"), range(100_000, 1_500_001))
_SECOND = Drawing(
    Path("docs/measured/json/made_documented.json"), range(200_000, 4_000_001), 100, others=(FIRST.results,)
)
_THIRD = Drawing(
    Path("docs/measured/json/made_tested.json"),
    _SECOND.archive,
    200,
    others=(FIRST.results, _SECOND.results),
    depends=4,
    tests=10,
)
DRAWINGS = {"first": FIRST, "documented": _SECOND, "tested": _THIRD}


def main() -> int:
    options = _options()
    log_to_stderr(logging.INFO)
    drawing = DRAWINGS[options.drawing]
    record = json.loads(drawing.results.read_text()) if drawing.results.is_file() else {"result": {}}
    result = record["result"]
    if options.pick:
        result.setdefault("packages", {})
        for _ in _pick(result, options.pick, drawing):
            _save(record, options.drawing)
        return 0
    if options.count:
        documented = result.setdefault("documented", {})
        for name in result["picked"]:
            if name not in documented:
                documented[name] = _documented(name)
                log.info(f"{name}: {documented[name]}")
                _save(record, options.drawing)
        return 0
    for name in result["picked"]:
        if (options.only and name not in options.only) or (not options.only and name in result["packages"]):
            continue
        last = result["packages"].get(name, {})
        before = last if (options.work / name).is_dir() else {}
        if last and not before:
            result.setdefault("earlier", {})[name] = last
        result["packages"][name] = _made(name, options.work, before)
        log.info(f"{name}: {json.dumps(result['packages'][name])}")
        _save(record, options.drawing)
    return 0


def _save(record: dict[str, Any], drawing: str) -> None:
    from datetime import UTC, datetime

    record["date"] = datetime.now(UTC).date().isoformat()
    record["machine"] = f"{os.cpu_count()} cores, {os.uname().machine}"
    record["commit"] = commit()
    words = "" if DRAWINGS[drawing] == FIRST else f" --drawing {drawing}"
    record["command"] = f"python -m benchmarks.executor.making.made WORK{words}"
    write_whole(DRAWINGS[drawing].results, (json.dumps(record, indent=1) + "\n").encode())


def _pick(result: dict[str, Any], wanted: int, drawing: Drawing) -> Iterator[str]:
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
        why = _unfit(name, drawing.tests)
        if drawing.documented and not why:
            documented = result.setdefault("documented", {})
            documented[name] = _documented(name)
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


def _unfit(name: str, tests: int) -> str:
    """Why the package isn't taken, or "". `tests`: the fewest files of test code; 0: they aren't asked for."""
    try:
        package = fetch_source(name, cache_root())
        if tests and not runs_tests(package.debian):
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
    if of_tests < tests:
        return f"{of_tests} files of test code"
    try:
        reasons = detect(root).reasons
    except GraftError as error:
        return str(error).partition(": ")[2]
    seen = any(re.search(r"adds tests|has tests|, target \w", reason) for reason in reasons)
    return "" if seen else "no test is seen in its build system"


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


def _documented(name: str) -> int:
    """How many functions would fit if the build compiled every file and a test entered each: no tree gives more."""
    root = checkout(bare_recipe(find_origin(f"debian:{name}", None, None, cache_root())), None, cache_root()).root
    folder = cache_root() / "indexes" / root.name
    build_index(root, folder)
    every = tuple(path.relative_to(root).as_posix() for path in source_files(root))
    graph = BuildGraph((BuildStep("compile", (), ".", ("all.o",), every),))
    with closing(open_index(folder, root)) as index:
        return len(choose(index, graph, ChooseSettings(), name, None).candidates)


def _made(name: str, work: Path, before: Mapping[str, Any]) -> dict[str, Any]:
    """The row. `before`: an earlier one whose folder is still there; what its time cut off goes on, and times add
    up."""
    out = work / name
    earlier = before if before.get("why") == _OVER else {}
    started, spent = time.monotonic(), _cpu_seconds()
    argv = [sys.executable, "-m", "graft", "make", f"debian:{name}", "--out", str(out), "--tasks", str(TASKS)]
    work.mkdir(parents=True, exist_ok=True)
    with (work / f"{name}.log").open("w") as output:
        # Behind a shell's & the signal that stops it would be ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        making = subprocess.Popen([*argv, "--sandbox", "bwrap"], stdout=output, stderr=output)
        try:
            ended = "" if making.wait(SECONDS) == 0 else "failed"
        except subprocess.TimeoutExpired:
            ended = _OVER
            _stop(making)
    said = (work / f"{name}.log").read_text(errors="replace")
    error = [
        line.replace(str(work.absolute()), "WORK").replace(str(cache_root()), "CACHE")
        for line in re.findall(r"(?m)^graft: (.*)$", said)
    ]
    facts: dict[str, Any] = {
        **({key: before[key] for key in ("system", "suites", "tests") if key in before} if earlier else {}),
        "minutes": round((time.monotonic() - started) / 60 + earlier.get("minutes", 0), 1),
        "cpu_minutes": round((_cpu_seconds() - spent) / 60 + earlier.get("cpu_minutes", 0), 1),
        "load": round(os.getloadavg()[2], 1),
        "why": error[-1][:300] if error and ended else ended,
    }
    if found := re.search(r"1/6 detect: (cmake|meson|autotools|make): ", said):
        facts["system"] = found[1]
    if found := re.search(r"2/6 build: (\d+) of (\d+) tests judge", said):
        facts["suites"], facts["tests"] = int(found[1]), int(found[2])
    if found := re.search(r"3/6 choose: (\d+) functions fit", said):
        facts["fit"] = int(found[1])
    if found := re.search(r"4/6 reach: tests enter (\d+) of (\d+)", said):
        facts["reached"], facts["looked_at"] = int(found[1]), int(found[2])
    return {**facts, **_proved(out)}


def _stop(making: subprocess.Popen[bytes]) -> None:
    """By a signal that lets it end its own processes: the CPU time of those that are killed with it isn't counted."""
    making.send_signal(signal.SIGINT)
    try:
        making.wait(60)
    except subprocess.TimeoutExpired:
        making.kill()
        making.wait()


def _cpu_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _proved(out: Path) -> Mapping[str, Any]:
    """What the manifest says of the tasks that were written."""
    manifest = load_manifest(next(out.glob("recipes/*/manifest.json"), out))
    if manifest is None:
        return {}
    facts: dict[str, Any] = {"examined": len(manifest.tasks)}
    facts["health"] = dict(Counter(entry.health.value for entry in manifest.tasks.values()))
    if not (out / "tasks").is_dir():
        return facts
    entries = [manifest.tasks[row.id] for row in read_folder(out)]
    scores = [entry.kill_score for entry in entries if entry.kill_score is not None]
    return {
        **facts,
        "tasks": len(entries),
        "gold_runs": sum(entry.gold_runs for entry in entries),
        "gold_passed": sum(entry.gold_passed for entry in entries),
        "stubs": sum(entry.stubs for entry in entries),
        "plain_stubs_passed": sum(
            any(f.kind == "stub" and f.name == "zero" and f.fate.value != "killed" for f in e.findings)
            for e in entries
        ),
        "forgeries": sum(entry.forgeries for entry in entries),
        "forgeries_passed": sum(len(entry.forgeries_passed) for entry in entries),
        "kill_score": round(sum(scores) / len(scores), 2) if scores else None,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--drawing", choices=DRAWINGS, default="first", help="by which rule")
    parser.add_argument("--pick", type=int, metavar="N", help=f"{WANTED} in the end")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
