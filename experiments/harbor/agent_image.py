"""The image in which an agent works: the built tree without the function's body, and without anything made from it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from executor.cache import short_digest
from executor.repository.build.graph import GRAFT_FOLDER, BuildStep, bind_step
from executor.repository.build.plan import list_files_made_from_changed, plan_rebuild_of_files
from executor.repository.images import Image
from executor.sandbox.contract import ROOT
from executor.sandbox.docker.engine import find_image_id
from executor.sandbox.docker.image_maker import open_image_maker
from executor.values import Task
from index.hiding.hidden_view import HiddenView

AGENT = "graft-agent"
COMPILE = "/usr/local/bin/compile-task"
TEST = "/usr/local/bin/test-task"
CHANGED = "/logs/artifacts/changed-files.txt"
_MARK = "/usr/local/share/task-start"
# The task's files and what the build makes from them, which an agent changes as it should.
_OWN = "/usr/local/share/task-files"
# What the agent changed in the tree, for the verifier's notes. It may lie; nothing hangs on it.
LIST_CHANGED = (
    f"cd {ROOT} && find . -type f -newer {_MARK} ! -name '*.o' ! -name '*.d' ! -name '*.a' 2>/dev/null"
    f" | sed 's,^./,,' | grep -vxFf {_OWN} | head -n 200 > {CHANGED} || true"
)
_FORMAT = 4
# The recorder's notes and what was made from the function's files: none of it is needed to build.
_REMOVE = f"cd {ROOT} && rm -rf {GRAFT_FOLDER} && xargs -0 rm -rf -- < /tmp/gone && rm -f /tmp/gone"
# What tools leave beside sources and may hold a function's text or code.
_LEFT_FOLDERS = (".git", ".ccache", ".cache")
# Files alone: a folder may be called `core`.
_LEFT_FILES = (
    *("tags", "TAGS", "cscope.out", "core", "core.*", "compile_commands.json"),
    *("*.gcda", "*.gcno", "*.gch", "*.pch", "*.i", "*.ii", "*.s"),
)


def _make_find_name_expression(names: Sequence[str]) -> str:
    return f"\\( {' -o '.join(f'-name {shlex.quote(name)}' for name in names)} \\)"


_LEFT = (
    f"cd {ROOT} && find . {_make_find_name_expression(_LEFT_FOLDERS)} -prune -print"
    f" -o ! -type d {_make_find_name_expression(_LEFT_FILES)} -print"
)


def ensure_agent_image(image: Image, task: Task, view: HiddenView, suites: Sequence[str], prefix: str) -> str:
    """The name of the image for the task, which is made unless it is there. `view` hides the task's functions,
    `suites` judge it, `prefix` begins the name. Raises SandboxError, RecipeError for a file that no goal is built
    from."""
    files = view.cut_files_that_have_holes()
    key = short_digest(
        {"format": _FORMAT, "image": image.key, **{path: data.decode("latin-1") for path, data in files.items()}}
    )
    name = f"{prefix}{AGENT}:{task.target.repo}-{task.id}-{key}"
    if find_image_id(name) is not None:
        return name
    products = list(list_files_made_from_changed(image.graph, files))
    plan = plan_rebuild_of_files(
        image.graph, [hole.path for hole in task.target.holes], image.recipe.find_goals(suites)
    )
    with open_image_maker(f"graft/warm:{image.key}") as maker:
        maker.put_files({f"{ROOT}/{path}": data for path, data in files.items()}, owner=1000)
        left = [path.removeprefix("./") for path in maker.run_script(_LEFT).splitlines()]
        gone = [*products, *(path for path in left if not (image.source_root / path).exists())]
        maker.put_files({"/tmp/gone": b"".join(path.encode() + b"\0" for path in gone if not path.startswith("/"))})
        maker.run_script(_REMOVE)
        own = [*(hole.path for hole in task.target.holes), *products]
        maker.put_files({_OWN: "".join(f"{path}\n" for path in own).encode()})
        compiling = _make_compile_script_text((plan.check, *plan.further_checks), plan.steps)
        testing = _make_test_script_text(image, suites)
        maker.put_files({COMPILE: compiling.encode(), TEST: testing.encode()}, mode=0o755)
        maker.run_script(f"touch {_MARK}")
        maker.keep_image(name, ROOT, {"graft.task": task.id, "graft.image": image.key})
    return name


def _make_compile_script_text(checks: Sequence[BuildStep], steps: Sequence[BuildStep]) -> str:
    """Compiles and links what is made from the task's files, with the build's own flags; `--check` only parses."""
    lines = ["#!/bin/sh", "# Compile what the task's file is part of. With --check: only look for errors.", "set -e"]
    lines += [_format_step_for_shell(step) for step in checks]
    lines += ['[ "$1" = --check ] && exit 0', *(_format_step_for_shell(step) for step in steps)]
    return "\n".join(lines) + "\n"


def _format_step_for_shell(step: BuildStep) -> str:
    argv, cwd = bind_step(step, ROOT)
    folder = cwd if cwd.startswith("/") else f"{ROOT}/{cwd}"
    return f"(cd {shlex.quote(folder)} && {shlex.join(argv)})"


def _make_test_script_text(image: Image, suites: Sequence[str]) -> str:
    """Runs the repository's tests that enter the function."""
    lines = ["#!/bin/sh", "# Run the tests that enter the task's function. Compile first.", "failed=0"]
    for name in suites:
        suite = image.recipe.find_suite(name)
        env = " ".join(f"{key}={shlex.quote(value)}" for key, value in suite.env.items())
        folder = shlex.quote(suite.cwd if suite.cwd.startswith("/") else f"{ROOT}/{suite.cwd}")
        lines.append(
            f"(cd {folder} && {env} {shlex.join(suite.argv_with_suite_name)}) || failed=1".replace("&&  ", "&& ")
        )
    return "\n".join([*lines, "exit $failed"]) + "\n"
