"""A small real repository end to end, from nothing: cJSON from Debian's source packages, its tasks made on the fly,
the warm image, the gold that must pass and the stub that must fail.

    .venv/bin/python .ci/debian_package.py FOLDER [--sandbox docker]

FOLDER takes the package, the recipe, the tasks and the runs; GRAFT_CACHE the image. The package comes from the apt
source that this machine has for the base's suite. Exit status 1 with one
line when the package can't be had, or when anything ends otherwise than it must.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import yaml

from executor.cache import cache_root
from executor.repository.apt import fetch_package_and_unpack_debian_folder
from index.build import build_index
from index.errors import UserError
from index.repo_index import open_index
from index.values import Symbol, SymbolKind

PACKAGE = "cjson"
FUNCTIONS = {
    "cJSON_AddNullToObject": "Make a null item and add it to `object` under `name`; the item, or NULL.",
    "cJSON_Compare": "Whether two items are equal; `case_sensitive` is about the names in objects.",
    "cJSON_DetachItemViaPointer": "Take `item` out of `parent` without freeing it; NULL when that can't be done.",
    "cJSON_ReplaceItemViaPointer": "Put `replacement` at the place of `item`, which is freed.",
    "parse_hex4": "The value of four hexadecimal digits, 0 for anything else.",
}
SUITES = ("misc_tests", "compare_tests", "parse_hex4", "parse_array", "cjson_add")


def main() -> int:
    options = _options()
    work: Path = options.folder.absolute()
    work.mkdir(parents=True, exist_ok=True)
    try:
        tree = _unpacked(fetch_package_and_unpack_debian_folder(PACKAGE, cache_root()).archive, work)
    except (UserError, OSError) as error:
        sys.stdout.write(f"source package {PACKAGE} can't be had: {error}\n")
        return 1
    _write_recipe(work / "recipes" / PACKAGE, tree)
    os.environ["GRAFT_RECIPES"] = str(work / "recipes")
    tasks = _write_tasks(work / "tasks", tree, work / "index")
    _graft("tasks", "check", "--dataset", str(tasks))
    _graft("images", "build", PACKAGE, "--sandbox", options.sandbox)
    for model, wanted in (("gold", {"passed"}), ("stub", {"tests_failed", "timeout"})):
        config = work / f"{model}.yaml"
        config.write_text(f"{{dataset: {tasks}, model: {model}, arms: [none], sandbox: {options.sandbox}}}\n")
        run = work / f"run-{model}-{options.sandbox}"
        _graft("run", str(config), f"out={run}")
        ends = json.loads((run / "report.json").read_text())["rows"][0]["outcomes"]
        sys.stdout.write(f"{PACKAGE}, {options.sandbox}, {model}: {ends}\n")
        if set(ends) - wanted or sum(ends.values()) != len(FUNCTIONS):
            sys.stdout.write(f"{model}: {len(FUNCTIONS)} of {', '.join(sorted(wanted))} were expected; see {run}\n")
            return 1
    return 0


def _unpacked(archive: Path, work: Path) -> Path:
    folder = work / "source"
    folder.mkdir(exist_ok=True)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    return tree


def _write_recipe(folder: Path, tree: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    recipe = {
        "name": PACKAGE,
        "display": "cJSON, Debian's source package",
        "languages": ["c"],
        "source": {"directory": str(tree)},
        "build": {
            "commands": [
                "cmake -S . -B build -DBUILD_SHARED_LIBS=OFF -DENABLE_CUSTOM_COMPILER_FLAGS=OFF",
                f"make -C build -j$JOBS {' '.join(SUITES)}",
            ],
            "goals": [f"build/tests/{name}" for name in SUITES],
        },
        "suites": [
            {
                "name": name,
                "argv": [f"./{name}"],
                "cwd": "build/tests",
                "parser": "unity",
                "timeout_min_s": 20,
                "goals": [f"build/tests/{name}"],
            }
            for name in SUITES
        ],
        "parsers": {
            "unity": {"passed": r"^[^:\n]+:\d+:(?P<name>\w+):PASS$", "failed": r"^[^:\n]+:\d+:(?P<name>\w+):FAIL"}
        },
        "tests": {"default": list(SUITES)},
    }
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe, sort_keys=False))


def _write_tasks(folder: Path, tree: Path, index: Path) -> Path:
    """One task folder for each function, placed by Graft's own index."""
    build_index(tree, index)
    symbols = open_index(index, tree)
    for name, docstring in FUNCTIONS.items():
        symbol = next(entry.symbol for entry in symbols.entries_named(name) if _wanted(entry.symbol))
        task = {
            "id": name,
            "repository": PACKAGE,
            "path": symbol.path,
            "first": symbol.span.first,
            "last": symbol.span.last,
            "name": symbol.qualified_name,
            "signature": symbol.signature,
            "docstring": docstring,
            "level": "none",
        }
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "task.yaml").write_text(yaml.safe_dump(task, sort_keys=False))
    return folder


def _wanted(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.FUNCTION and symbol.path == "cJSON.c"


def _graft(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "graft", *words], check=False)
    if done.returncode:
        sys.exit(f"graft {' '.join(words)} ended with status {done.returncode}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sandbox", default="docker")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
