"""The index on trees that nobody chose for it: Debian's C and C++ source packages, one after the other.

    python -m benchmarks.index.any_tree WORK [--only NAME...] [--json benchmarks/records/any_tree.json]

Each package is fetched by `apt-get source` into WORK, unpacked without its patches, and asked through the command
line: build, search by words and by name, callers, update after one file was touched. WORK is emptied after each
package. A package that the JSON holds isn't run again (name it with --only), so a run that was stopped goes on.

apt needs a deb-src line; the variable APT_CONFIG may name a configuration that has one.

A build may hold 2 GB at once, all its processes together (the kernel 4 GB): the sum of their proportional set sizes,
looked at ten times a second; one that holds more is killed. Seconds by the clock tell of the machine as it was, which
the load average beside them says; CPU-seconds tell of the work. Agreement with ctags is that of
`benchmarks.index.coverage`.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.costs import Ended, Limits, run_measured
from benchmarks.index.coverage import measure_coverage
from benchmarks.record import RECORDS, describe_run
from experiments.consoles import set_up_stderr_logging
from index.repo_index import open_index

log = logging.getLogger(__name__)

LARGE = {"linux": 4096}
"""MB that a package's build may hold where that isn't `MOST_MB`."""
MOST_MB = 2048
MOST_SECONDS = 3600.0
RESULTS = RECORDS / "any_tree.json"
# Small ones first: a run that is stopped has done the most.
PACKAGES = (
    *("cjson", "tinyexr", "tinyxml2", "jansson", "libyaml", "xxhash", "bzip2", "zlib", "lz4", "jq", "expat", "lua5.4"),
    *("pugixml", "snappy", "rapidjson", "libdbd-sqlite3-perl", "mawk", "bc", "leveldb", "re2", "ninja-build"),
    *("yaml-cpp", "spdlog", "fmtlib", "nlohmann-json3", "googletest", "catch2", "libuv1", "tmux", "libpng1.6"),
    *("starpu", "libzstd", "freetype", "openssh", "flex", "bison", "gawk", "bash", "curl", "nginx"),
    *("busybox", "hashcat", "gnustep-base", "redis", "sqlite3", "qtsvg-opensource-src", "abseil", "coreutils", "git"),
    *("vim", "protobuf", "eigen3", "openssl", "systemd", "python3.11", "postgresql-15", "ffmpeg"),
    *("qtdeclarative-opensource-src", "boost1.81", "linux"),
)


def fetch_source(package: str, work: Path) -> Path:
    """The package's source, unpacked in `work`. Raises CalledProcessError when apt or dpkg-source can't."""
    work.mkdir(parents=True)
    _run_command(["apt-get", "source", "-qq", "--download-only", "--only-source", package], work)
    (dsc,) = work.glob("*.dsc")
    _run_command(["dpkg-source", "--no-check", "--skip-patches", "-x", dsc.name, "tree"], work)
    for archive in work.glob("*.tar.*"):
        archive.unlink()
    return work / "tree"


def _run_command(argv: Sequence[str], folder: Path) -> None:
    subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True)


def measure_package(package: str, work: Path, most_seconds: float) -> dict[str, object]:
    """What the package's tree gave: a row of the JSON."""
    tree = fetch_source(package, work)
    (dsc,) = work.glob("*.dsc")
    folder = work / "index"
    limits = Limits(wall_s=most_seconds, memory_mb=LARGE.get(package, MOST_MB))
    row: dict[str, object] = {"version": dsc.stem.partition("_")[2], "load": round(os.getloadavg()[0], 1)}
    failures: list[str] = []

    def run_graft(*words: str) -> Ended:
        argv = [sys.executable, "-m", "graft", "index", *words, "--index", str(folder), "--json"]
        done = run_measured(argv, env={"GRAFT_CACHE": str(work / "cache")}, limits=limits)
        if done.failure:
            last = (done.errors.strip().splitlines() or [""])[-1]
            traced = ", with a traceback" if "Traceback" in done.errors else ""
            failures.append(f"{words[0]}: {done.failure}{traced}: {last}"[:300].replace(str(work), "WORK"))
        return done

    built = run_graft("build", str(tree))
    row |= {
        "seconds": round(built.cost.wall, 1),
        "cpu_seconds": round(built.cost.cpu, 1),
        "peak_mb": round(built.cost.peak),
    }
    if not built.failure:
        report = json.loads(built.out)
        row |= {key: report[key] for key in ("files", "functions", "symbols", "parse_error_share")}
        row["skipped"] = len(report["skipped"])
        row |= ask_index(run_graft, folder, tree)
    row["failures"] = failures
    return row


def ask_index(graft: Callable[..., Ended], folder: Path, tree: Path) -> dict[str, object]:
    """What the other commands, the lines and ctags say of a tree that was built."""
    index = open_index(folder, tree)
    agreement = measure_coverage("", index)
    lines = sum(index.read_file(file.path).count(b"\n") for file in index.source_files)
    functions = index.functions
    called = functions[len(functions) // 2].symbol if functions else None
    index.close()
    found: dict[str, object] = {
        "lines": lines,
        "bytes": agreement.bytes,
        "ctags": agreement.tags,
        "ctags_found": agreement.tags - len(agreement.missed),
        "ctags_macros": agreement.macros,
        "ctags_share": agreement.share_without_macros,
    }
    name = called.name if called else "main"
    for key, words in {
        "words_seconds": ("search", "read the next line of a file"),
        "name_seconds": ("search", name, "--by", "name"),
        "callers_seconds": ("callers", f"{called.path}:{called.span.first}" if called else name),
    }.items():
        if called or key != "callers_seconds":
            found[key] = round(graft(*words).cost.cpu, 1)
    if called:
        with (tree / called.path).open("a") as file:
            file.write("\n/* touched */\n")
        updated = graft("update")
        found["update_seconds"] = round(updated.cost.cpu, 1)
        found["update_reparsed"] = 0 if updated.failure else json.loads(updated.out)["reparsed"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="a folder for sources and indexes, made and emptied")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="these packages, and again")
    parser.add_argument("--json", type=Path, default=RESULTS)
    parser.add_argument("--most-seconds", type=float, default=MOST_SECONDS, help="a command's limit by the clock")
    args = parser.parse_args()
    set_up_stderr_logging()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for package in args.only or PACKAGES:
        kept = json.loads(args.json.read_text())["result"] if args.json.is_file() else {"packages": {}}
        if package in kept["packages"] and not args.only:
            continue
        log.info(package)
        work = args.work / package
        shutil.rmtree(work, ignore_errors=True)
        try:
            row = measure_package(package, work.absolute(), args.most_seconds)
        except subprocess.CalledProcessError as error:
            row = {"failures": [f"not fetched: {error.cmd[0]}: exit status {error.returncode}"]}
        finally:
            shutil.rmtree(work, ignore_errors=True)
        log.info(f"  {row}")
        kept["packages"][package] = row
        kept["not_run"] = [name for name in PACKAGES if name not in kept["packages"]]
        record = {**describe_run("python -m benchmarks.index.any_tree WORK"), "result": kept}
        args.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
