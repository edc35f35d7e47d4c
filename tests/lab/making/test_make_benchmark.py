"""Prevents: a repository that becomes a data set whose own functions fail, whose stubs pass, or that no run can find;
a second run that builds again; a silent test program behind which a body that exits passes, or a framework that takes
a child's exit for a pass."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from executor.manifest.health import Health
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend
from executor.tasks.datasets import load_rows
from executor.tasks.mera import read_mera
from executor.tasks.task_folders import list_problems_of_task_folders
from index.errors import ConfigError, UserError
from index.progress import SILENT
from lab.making.build_image import BuildPlace, build_image_adding_packages, make_draft_recipe
from lab.making.finish_data_set import MadeDataSet
from lab.making.functions.choose_functions import list_files_written_by_build
from lab.making.make_benchmark import make_benchmark
from lab.making.settings import ChooseSettings, MakeRequest, read_settings
from lab.making.suites.exit_library import wrap_command_with_exit_library, write_exit_library_build_command
from tests.support.projects import cmake_project, makefile_project

# Slow: `graft make` from end to end.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("make")


@pytest.fixture(scope="session")
def backend(workplace: Path) -> Backend:
    return open_unscheduled_backend("process", workplace / "cache")


@pytest.fixture(scope="session")
def make(backend: Backend, workplace: Path) -> Callable[..., MadeDataSet]:
    """make(wanted, **changes) of the request."""

    def make_changed(wanted: MakeRequest, **changes: Any) -> MadeDataSet:
        return make_benchmark(replace(wanted, **changes), backend, workplace / "cache")

    return make_changed


@pytest.fixture(scope="session")
def wanted(workplace: Path) -> MakeRequest:
    choose = ChooseSettings(tasks=2, lines=(4, 40))
    return MakeRequest(str(cmake_project(workplace / "my words")), workplace / "bench", choose=choose)


@pytest.fixture(scope="session")
def made(wanted: MakeRequest, make: Callable[..., MadeDataSet]) -> MadeDataSet:
    make(wanted, until="detect")
    # The doctor's mutants have tests of their own.
    for line in ("mutants: 4", "gold_runs: 3", "candidates: 3.0"):
        _change(wanted.out / "make.yaml", line, f"{line.partition(':')[0]}: 1")
    return make(wanted)


def _change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def _write(root: Path, **texts: str) -> Path:
    root.mkdir(parents=True)
    for name, text in texts.items():
        (root / name.replace("_txt", ".txt").replace("_c", ".c")).write_text(text)
    return root


def test_the_tasks_are_valid_and_the_datasheet_counts(made: MadeDataSet) -> None:
    assert (len(made.tasks), made.controlled) == (2, 2)
    known = load_manifest(made.out / "recipes" / made.tasks[0].target.repo / "manifest.json")
    assert known is not None
    assert {known.tasks[task.id].health for task in made.tasks} == {Health.VALID}
    text = (made.out / "README.md").read_text()
    assert "| tasks | 2, in 1 files |" in text
    assert "| tasks with a control run | 2 of 2 |" in text
    # The sandbox `process` doesn't isolate: what cheats would end the command.
    assert "the plain stub failed each time, and none that cheats was tried." in text
    assert "| licence of the source, as found | LICENSE: MIT License |" in text
    # text_words calls text_count, where it was chosen.
    assert "| calls, as gcc sees them | in 2 bodies gcc sees " in text
    assert ", and 0 that gcc doesn't see |" in text


def test_what_was_believed_is_written_with_its_reasons(made: MadeDataSet, tmp_path: Path) -> None:
    text = (made.out / "make.yaml").read_text()
    assert "# cmake: CMakeLists.txt, and CMakeLists.txt adds tests" in text
    settings = read_settings(made.out / "make.yaml")
    assert settings.build.system == "cmake"
    assert "-DWORDS_BUILD_TESTS=ON" in settings.build.commands[0]
    tests = json.loads((made.out / "tests.json").read_text())["tests"]
    assert tests["loud"] == tests["silent"] == ""
    assert "ended with status 8 on the unmodified tree" in tests["broken"]
    (tmp_path / "make.yaml").write_text(text.replace("timeout_s: 60.0", "timeout: 60.0"))
    with pytest.raises(ConfigError, match=r"make.yaml: tests.timeout: unknown key; did you mean 'timeout_s'\?"):
        read_settings(tmp_path / "make.yaml")


def test_a_file_that_the_build_writes_is_known(made: MadeDataSet, backend: Backend, workplace: Path) -> None:
    settings = read_settings(made.out / "make.yaml")
    text = "cp src/text.c src/text.c.new && mv src/text.c.new src/text.c && printf '// made' > src/made.h"
    build = settings.build.model_copy(update={"commands": (text, *settings.build.commands)})
    changed = settings.model_copy(update={"build": build})
    source = checkout_source(make_draft_recipe(changed), None, workplace / "cache")
    path = _write(workplace / "rewriting") / "make.yaml"
    place = BuildPlace(source, backend, workplace / "cache", path, SILENT)
    rewritten = list_files_written_by_build(build_image_adding_packages(changed, place)[1], backend)
    assert rewritten >= {"src/text.c", "src/made.h"}
    assert "src/text.h" not in rewritten


def _run_with_exit_library(folder: Path, *argv: str) -> tuple[int, str]:
    """The status and the output of a program beside t.c, which is compiled."""
    (folder / ".graft").mkdir(exist_ok=True)
    for line in (write_exit_library_build_command(), "gcc -o t t.c"):
        subprocess.run(["sh", "-c", line], cwd=folder, check=True)
    done = subprocess.run(wrap_command_with_exit_library(".", argv), cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout.strip()


def test_a_silent_program_that_ends_early_lacks_a_line(tmp_path: Path) -> None:
    main = "int main(int n, char **v) { (void)v; if (n > 1) _exit(0); return 0; }\n"
    (tmp_path / "t.c").write_text(f"#include <unistd.h>\n{main}")
    assert _run_with_exit_library(tmp_path, "./t") == (0, "graft: t returned 0")
    assert _run_with_exit_library(tmp_path, "./t", "early") == (0, "")


def test_a_script_that_compares_a_programs_output_finds_no_line_of_ours_in_it(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text('#include <stdio.h>\nint main(void) { puts("42"); return 0; }\n')
    script = 'test "$(./t)" = 42 || exit 1\n./t > out\nexit $(wc -l < out | grep -vc 1)\n'
    (tmp_path / "t.sh").write_text(f"#!/bin/sh\n{script}")
    (tmp_path / "t.sh").chmod(0o755)
    assert _run_with_exit_library(tmp_path, "./t.sh") == (0, "graft: sh exited 0")


def test_the_data_set_is_found_with_its_own_recipe_and_its_table_has_the_fields_of_mera(
    made: MadeDataSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFT_RECIPES", "")
    assert list_problems_of_task_folders(made.out) == []
    rows = load_rows(str(made.out))
    assert [row.dataset for row in rows] == ["bench"] * 2
    assert find_recipe(rows[0].repository).folder.parent.parent == made.out.resolve()
    table = read_mera(made.out / "tasks.parquet")
    assert {(row.id, row.dataset_gold) for row in table} == {(task.id, task.gold) for task in made.tasks}


def test_once_the_time_is_over_no_function_is_begun_and_the_command_continues(
    made: MadeDataSet, wanted: MakeRequest, make: Callable[..., MadeDataSet], workplace: Path
) -> None:
    out = _write(workplace / "hurried-bench")
    shutil.copy(made.out / "make.yaml", out)
    # Control runs have a test of their own.
    hurried = replace(wanted, out=out, deadline=time.time(), controls_end=0.0)
    with pytest.raises(UserError, match="the time was over before a task was found"):
        make(hurried)
    assert not list(out.glob("recipes/*/manifest.json"))
    patient = make(hurried, deadline=math.inf)
    assert len(patient.tasks) == 2
    # What the doctor found by then is written all the same.
    assert [task.id for task in make(hurried).tasks] == [task.id for task in patient.tasks]


def test_what_is_not_examined_in_time_is_left_and_the_datasheet_says_so(
    made: MadeDataSet,
    wanted: MakeRequest,
    make: Callable[..., MadeDataSet],
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = shutil.copytree(made.out, workplace / "late-bench")
    _change(out / "make.yaml", "tasks: 2", "tasks: 3")
    over: list[bool] = []

    def at_first_step() -> float:
        over.append(True)
        return math.inf

    with monkeypatch.context() as patched:
        # The time is over once the third function's examination has begun.
        patched.setattr("lab.doctor.body_trial.time", SimpleNamespace(time=at_first_step))
        patched.setattr("lab.making.make_benchmark.time", SimpleNamespace(time=lambda: math.inf if over else 0.0))
        late = make(wanted, out=out, deadline=1.0, controls_end=0.0)
    assert over
    assert [task.id for task in late.tasks] == [task.id for task in made.tasks]
    assert "| stopped early | the time given was over" in (out / "README.md").read_text()
    assert len(make(wanted, out=out, controls_end=0.0).tasks) == 3
    assert "stopped early" not in (out / "README.md").read_text()


def test_a_function_whose_own_body_is_not_judged_in_time_is_left_and_the_datasheet_says_so(
    made: MadeDataSet, wanted: MakeRequest, make: Callable[..., MadeDataSet], workplace: Path
) -> None:
    out = shutil.copytree(made.out, workplace / "unjudged-bench")
    judged, unjudged = made.tasks
    (kept,) = (workplace / "cache" / "doctor").glob(f"*/{unjudged.id}/gold")
    shutil.rmtree(kept)
    late = make(wanted, out=out, deadline=time.time(), controls_end=0.0)
    assert [task.id for task in late.tasks] == [judged.id]
    text = (out / "README.md").read_text()
    assert "| stopped early | the time given was over" in text
    why = "the time was over before its own body was judged as an answer"
    assert f"| {unjudged.target.name} | {unjudged.target.path} | {why} |" in text
    in_time = make(wanted, out=out, controls_end=0.0)
    assert [task.id for task in in_time.tasks] == [judged.id, unjudged.id]
    assert "stopped early" not in (out / "README.md").read_text()


def test_the_same_command_goes_on_and_builds_nothing(
    made: MadeDataSet, wanted: MakeRequest, make: Callable[..., MadeDataSet], caplog: pytest.LogCaptureFixture
) -> None:
    assert [task.id for task in make(wanted).tasks] == [task.id for task in made.tasks]
    assert "build 1/" not in caplog.text
    assert "2 known already, 0 to examine" in caplog.text


def test_a_makefile_with_one_target_and_functions_without_comments(
    workplace: Path, make: Callable[..., MadeDataSet]
) -> None:
    root, out = makefile_project(workplace / "shelf"), workplace / "shelf-bench"
    make(MakeRequest(str(root), out, choose=ChooseSettings(tasks=5, lines=(4, 40)), until="reach"))
    recipe = _read_recipe(out)
    # What the target makes beside its program is made for a candidate too, not in the midst of the tests.
    assert recipe["build"]["goals"] == ["check_stack", "libshelf.a"]
    assert [suite["name"] for suite in recipe["suites"]] == ["check"]
    expected = next((workplace / "cache" / "images" / "meta").glob("process/shelf-*/expected-*.json"))
    assert json.loads(expected.read_text())["expected"]["suites"]["check"] == {
        "2 1 2 0": 1,
        "graft: check_stack returned 0": 1,
        "graft: make exited 0": 1,
    }


def _read_recipe(out: Path) -> Any:
    (path,) = out.glob("recipes/*/recipe.yaml")
    return yaml.safe_load(path.read_text())


def _ask_for_mixing_tasks(
    workplace: Path, make: Callable[..., MadeDataSet], name: str, functions: list[str], check: str, tasks: int
) -> MakeRequest:
    """A tree with these functions, each of which is looked at only as far as `tasks` asks; `check` is the test
    program."""
    mix = ""
    # Of different lengths, for near-copies are left out.
    for number, function in enumerate(functions):
        step = function[-1] * (number + 1)
        mix += f"static int {step} = {number};\n/* The value after {number} steps of mixing. */\n"
        mix += f"int {function}(int a)\n{{\n    a += 1;\n    a *= 3 + {step};\n    return a;\n}}\n\n"
    makefile = "all:\n\t$(CC) -o check_mix check_mix.c mix.c\ncheck: all\n\t./check_mix\n"
    root = _write(workplace / name, mix_c=mix, check_mix_c=check, Makefile=makefile)
    wanted = MakeRequest(str(root), workplace / f"{name}-bench", choose=ChooseSettings(tasks=tasks))
    make(wanted, until="detect")
    _change(wanted.out / "make.yaml", "candidates: 3.0", "candidates: 1.0")
    return wanted


def test_more_functions_are_looked_at_while_tests_enter_too_few(
    workplace: Path, make: Callable[..., MadeDataSet], caplog: pytest.LogCaptureFixture
) -> None:
    names = [*(f"idle_{letter}" for letter in "abcdefgh"), "used"]
    check = "int used(int);\nint main(void) { return used(1) != 22; }\n"
    wanted = _ask_for_mixing_tasks(workplace, make, "idle", names, check, 1)
    with caplog.at_level("INFO"):
        make(wanted, until="reach")
    assert "tests enter 0 of 1 functions" in caplog.text
    assert "tests enter 1 of 9 functions" in caplog.text


def test_more_functions_are_looked_at_while_too_few_are_good_tasks(
    workplace: Path, make: Callable[..., MadeDataSet], caplog: pytest.LogCaptureFixture
) -> None:
    """Else a tree whose first functions hardly matter to its tests ends below its number, with most never tried."""
    names = [f"mixed_{letter}" for letter in "bcdefghi"]
    # All are entered, and of one of the two that are looked at first the value doesn't count.
    declared = " ".join(f"int {name}(int);" for name in names)
    checked = " || ".join(f"{name}(1) != {2 * (3 + n)}" for n, name in enumerate(names) if name != "mixed_c")
    check = f"{declared}\nint main(void) {{ mixed_c(1); return {checked}; }}\n"
    wanted = _ask_for_mixing_tasks(workplace, make, "mixed", names, check, 2)
    with caplog.at_level("INFO"):
        made = make(wanted, until="doctor")
    assert "1 tasks are still wanted, so more functions are looked at" in caplog.text
    assert len(made.tasks) == 2 and "mixed_c" not in {task.target.name for task in made.tasks}


def test_a_test_that_needs_what_another_left_is_left_out(
    workplace: Path,
    make: Callable[..., MadeDataSet],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a gold that it alone judges is called broken, for it fails without the test before it."""
    # On several cores the two may be tried in two sessions, and then the second fails at once.
    monkeypatch.setattr("lab.making.suites.try_tests.find_concurrent_command_limit", lambda backend: 1)
    root = _write(
        workplace / "chained",
        CMakeLists_txt=(
            "cmake_minimum_required(VERSION 3.16)\nproject(chained C)\nenable_testing()\nadd_executable(keep keep.c)\n"
            "add_test(NAME first COMMAND keep kept w)\nadd_test(NAME second COMMAND keep kept r)\n"
            "add_test(NAME third COMMAND keep other w)\n"
        ),
        keep_c=(
            "#include <stdio.h>\nint main(int argc, char **argv) { puts(argv[2]); return argc != 3 || !fopen(argv[1],"
            " argv[2]); }\n"
        ),
    )
    with caplog.at_level("INFO"):
        make(MakeRequest(str(root), workplace / "chained-bench", until="build"))
    assert [suite["name"] for suite in _read_recipe(workplace / "chained-bench")["suites"]] == ["first", "third"]
    assert "test second is left out: fails alone: it needs what a test before it left behind" in caplog.text


_FORKING = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    const char *fork_mode = getenv("CK_FORK"), *verbosity = getenv("CK_VERBOSITY");
    puts("100%: Checks: 1, Failures: 0, Errors: 0");
    if (verbosity && !strcmp(verbosity, "verbose"))
        puts("a.c:3:P:core:adds:0: Passed");
    return NEEDS_FORK && fork_mode && !strcmp(fork_mode, "no");
}
"""


@pytest.mark.parametrize(
    ("name", "needs_fork", "env"), [("plain", 0, {"CK_FORK": "no", "CK_VERBOSITY": "verbose"}), ("forking", 1, {})]
)
def test_a_program_of_check_runs_its_tests_in_its_own_process_where_they_pass(
    workplace: Path, make: Callable[..., MadeDataSet], name: str, needs_fork: int, env: dict[str, str]
) -> None:
    makefile = "all: a\ncheck: a\n\t./a\n"
    root = _write(workplace / name, a_c=f"#define NEEDS_FORK {needs_fork}\n{_FORKING}", Makefile=makefile)
    make(MakeRequest(str(root), workplace / f"{name}-bench", until="build"))
    assert _read_recipe(workplace / f"{name}-bench")["suites"][0].get("env", {}) == env
