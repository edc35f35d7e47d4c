"""The index on trees that nobody chose for it: Debian's C and C++ source packages, one after the other.

    python -m benchmarks.index.any_tree WORK

Each package is fetched by apt into WORK, unpacked without its patches, and asked through the command
line: build, search by words and by name, callers, update after one file was touched. WORK is emptied after each
package. A package that the record holds isn't run again, so a run that was stopped goes on.

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
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.costs import Ended, Limits, run_measured
from benchmarks.index.coverage import measure_coverage
from benchmarks.record import load_result_or_empty, save_result
from executor.cache import cache_root
from executor.repository.apt import download_sources_and_describe_failures
from experiments.consoles import set_up_stderr_logging
from index.errors import RecipeError
from index.repo_index import open_index

log = logging.getLogger(__name__)

LARGE = {"linux": 4096}
"""MB that a package's build may hold where that isn't `MOST_MB`."""
MOST_MB = 2048
MOST_SECONDS = 3600.0
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
    """The package's source, unpacked in `work`. Raises RecipeError and CalledProcessError."""
    work.mkdir(parents=True)
    if errors := download_sources_and_describe_failures([package], work, cache_root()):
        raise RecipeError(errors)
    (dsc,) = work.glob("*.dsc")
    argv = ["dpkg-source", "--no-check", "--skip-patches", "-x", dsc.name, "tree"]
    subprocess.run(argv, cwd=work, check=True, capture_output=True)
    for archive in work.glob("*.tar.*"):
        archive.unlink()
    return work / "tree"


def measure_package(package: str, work: Path) -> dict[str, object]:
    """What the package's tree gave: a row of the JSON."""
    tree = fetch_source(package, work)
    (dsc,) = work.glob("*.dsc")
    folder = work / "index"
    limits = Limits(wall_s=MOST_SECONDS, memory_mb=LARGE.get(package, MOST_MB))
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
        "cpu_seconds": round(built.cost.cpu, 1),
        "peak_mb": round(built.cost.peak),
    }
    if not built.failure:
        report = json.loads(built.out)
        row |= {key: report[key] for key in ("files", "functions", "parse_error_share")}
        row |= ask_index(run_graft, folder, tree)
    row["failures"] = failures
    return row


def ask_index(graft: Callable[..., Ended], folder: Path, tree: Path) -> dict[str, object]:
    """What the other commands, the lines and ctags say of a tree that was built."""
    with closing(open_index(folder, tree)) as index:
        agreement = measure_coverage(index)
        lines = sum(index.read_file(file.path).count(b"\n") for file in index.source_files)
        functions = index.functions
        called = functions[len(functions) // 2].symbol if functions else None
    found: dict[str, object] = {"lines": lines, "ctags": agreement.tags, "ctags_share": agreement.share}
    found["words_seconds"] = round(graft("search", "read the next line of a file").cost.cpu, 1)
    graft("search", called.name if called else "main", "--by", "name")
    if called:
        graft("callers", f"{called.path}:{called.span.first}")
        with (tree / called.path).open("a") as file:
            file.write("\n/* touched */\n")
        found["update_seconds"] = round(graft("update").cost.cpu, 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="a folder for sources and indexes, made and emptied")
    args = parser.parse_args()
    set_up_stderr_logging()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for package in PACKAGES:
        kept = load_result_or_empty("any_tree")
        if package in kept["packages"]:
            continue
        log.info(package)
        work = args.work / package
        shutil.rmtree(work, ignore_errors=True)
        try:
            row = measure_package(package, work.absolute())
        except (RecipeError, subprocess.CalledProcessError) as error:
            row = {"failures": [f"not fetched: {type(error).__name__}"]}
        finally:
            shutil.rmtree(work, ignore_errors=True)
        log.info(f"  {row}")
        kept["packages"][package] = row
        kept["not_run"] = [name for name in PACKAGES if name not in kept["packages"]]
        save_result("any_tree", "python -m benchmarks.index.any_tree WORK", kept)


if __name__ == "__main__":
    main()
