"""The first stages of the recipe `llvm` as a recipe of their own, over 18.1.8's source package: what can be held
against real sources on two cores, of a build of two to four CPU-hours, where the benchmark's commit can't be had.

    .venv/bin/python -m benchmarks.executor.making.llvm_stages FOLDER
    GRAFT_RECIPES=FOLDER .venv/bin/graft images build llvm-stages --sandbox bwrap
    GRAFT_RECIPES=FOLDER .venv/bin/graft run experiments/oracle.yaml model=gold arms=none repos=llvm-stages

Configuration, llvm-tblgen, lit's tools and DemangleTests, with that recipe's own commands, goals and suites; tasks
are found by their text, as `llvm-prebuilt` does. Those of lib/Support are judged by TableGen's lit tests, since
every tool that lit starts is linked with them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from executor.repository.recipe import BUILT_IN, RECIPE_FILE, load_recipe

NAME = "llvm-stages"
# Two unit programs of the third stage are left out: 200 test files, which take longer than all the rest.
LEFT_OUT = ("SupportTests", "ADTTests")
STAGES = 3
COVERS = ["llvm/utils/TableGen/*", "llvm/include/llvm/Demangle/*", "llvm/lib/Support/*"]


def main() -> int:
    if len(sys.argv) != 2:
        sys.stderr.write(f"{(__doc__ or '').strip()}\n")
        return 2
    place = Path(sys.argv[1]) / NAME
    place.mkdir(parents=True, exist_ok=True)
    (place / RECIPE_FILE).write_text(yaml.safe_dump(stages(), sort_keys=False, width=200))
    load_recipe(place / RECIPE_FILE)
    sys.stdout.write(f"{place / RECIPE_FILE}\n")
    return 0


def stages() -> dict[str, Any]:
    whole = load_recipe(BUILT_IN / "llvm" / RECIPE_FILE)
    package = load_recipe(BUILT_IN / "llvm-prebuilt" / RECIPE_FILE).source
    recipe: dict[str, Any] = whole.model_dump(mode="json", exclude={"folder"}, exclude_defaults=True)
    commands = [
        " ".join(word for word in line.split(" ") if word not in LEFT_OUT) for line in whole.build.commands[:STAGES]
    ]
    made = {word for line in commands for word in line.split()}
    goals = [goal for goal in whole.build.goals if goal.rpartition("/")[2] in made]
    suites = [suite for suite in recipe["suites"] if set(suite["goals"]) <= set(goals)]
    names = {suite["name"] for suite in suites}
    tasks = {task: list(judges) for task, judges in whole.tests.tasks.items() if set(judges) <= names}
    return recipe | {
        "name": NAME,
        "display": "LLVM 18.1.8, the first stages from source",
        "rebinds": "llvm",
        "covers": COVERS,
        "source": {
            "package": package.package,
            "version": package.version,
            "sha256": package.sha256,
            "paths": ["llvm", "cmake", "third-party"],
        },
        "build": recipe["build"] | {"commands": commands, "goals": goals, "jobs": 2, "memory_mb": 12288},
        "suites": suites,
        "tests": {"default": ["tablegen"], "tasks": tasks},
    }


if __name__ == "__main__":
    sys.exit(main())
