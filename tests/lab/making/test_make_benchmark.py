"""Prevents: a repository that becomes a data set whose own functions fail, whose stubs pass, or that no run can find;
a second run that builds again; a silent test program behind which a body that exits passes, or a framework that takes
a child's exit for a pass."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from executor.manifest.health import Health
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend
from executor.tasks.datasets import load_rows
from executor.tasks.mera import read_mera
from executor.tasks.task_folders import lint_folder
from index.build import build_index
from index.errors import ConfigError, RecipeError, UserError
from index.progress import SILENT
from index.repo_index import open_index
from lab.making.build_attempts import build_image_adding_packages
from lab.making.build_image import make_draft_recipe
from lab.making.finish_data_set import MadeDataSet
from lab.making.functions.choose_functions import choose_functions
from lab.making.functions.rewritten_files import find_rewritten_files
from lab.making.make_benchmark import MakeRequest, make_benchmark
from lab.making.settings import ChooseSettings, read_settings
from lab.making.suites.exit_library import preload_exit_library, write_library_build_command
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
def wanted(workplace: Path) -> MakeRequest:
    choose = ChooseSettings(tasks=2, lines=(4, 40))
    return MakeRequest(str(cmake_project(workplace / "my words")), workplace / "bench", choose=choose)


@pytest.fixture(scope="session")
def made(wanted: MakeRequest, backend: Backend, workplace: Path) -> MadeDataSet:
    # The doctor's mutants have tests of their own.
    make_benchmark(replace(wanted, until="detect"), backend, workplace / "cache")
    path = wanted.out / "make.yaml"
    quick = {"mutants: 4": "mutants: 1", "gold_runs: 3": "gold_runs: 1"}
    quick["candidates: 3.0"] = "candidates: 1.0"
    text = path.read_text()
    for old, new in quick.items():
        text = text.replace(old, new)
    path.write_text(text)
    return make_benchmark(wanted, backend, workplace / "cache")


def test_the_tasks_are_valid(made: MadeDataSet) -> None:
    assert len(made.tasks) == 2
    assert {made.health[task.id].health for task in made.tasks} == {Health.VALID}


def test_each_task_has_a_control_run(made: MadeDataSet) -> None:
    assert made.controlled == 2
    assert "| tasks with a control run | 2 of 2 |" in (made.out / "README.md").read_text()


def test_a_file_that_the_build_writes_is_known(made: MadeDataSet, backend: Backend, workplace: Path) -> None:
    settings = read_settings(made.out / "make.yaml")
    text = "cp src/text.c src/text.c.new && mv src/text.c.new src/text.c && printf '// made' > src/made.h"
    changed = settings.model_copy(
        update={"build": settings.build.model_copy(update={"commands": (text, *settings.build.commands)})}
    )
    source = checkout_source(make_draft_recipe(changed), None, workplace / "cache")
    path = workplace / "rewriting" / "make.yaml"
    path.parent.mkdir()
    image = build_image_adding_packages(changed, source, backend, workplace / "cache", path, SILENT)[1]
    assert find_rewritten_files(image, backend) >= {"src/text.c", "src/made.h"}
    assert "src/text.h" not in find_rewritten_files(image, backend)


def test_a_silent_program_that_ends_early_lacks_a_line(tmp_path: Path) -> None:
    (tmp_path / ".graft").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "t.c").write_text(
        "#include <unistd.h>\nint main(int n, char **v) { (void)v; if (n > 1) _exit(0); return 0; }\n"
    )
    for line in (write_library_build_command(), "gcc -o tests/t tests/t.c"):
        subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True)
    ran = [
        subprocess.run(
            preload_exit_library("tests", ("./t", *more)), cwd=tmp_path / "tests", capture_output=True, text=True
        )
        for more in ((), ("early",))
    ]
    assert [done.returncode for done in ran] == [0, 0]
    assert [done.stdout.strip() for done in ran] == ["graft: t returned 0", ""]


def test_a_script_that_compares_a_programs_output_finds_no_line_of_ours_in_it(tmp_path: Path) -> None:
    (tmp_path / ".graft").mkdir()
    (tmp_path / "t.c").write_text('#include <stdio.h>\nint main(void) { puts("42"); return 0; }\n')
    (tmp_path / "t.sh").write_text(
        '#!/bin/sh\ntest "$(./t)" = 42 || exit 1\n./t > out\nexit $(wc -l < out | grep -vc 1)\n'
    )
    (tmp_path / "t.sh").chmod(0o755)
    for line in (write_library_build_command(), "gcc -o t t.c"):
        subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True)
    done = subprocess.run(preload_exit_library(".", ("./t.sh",)), cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "graft: sh exited 0")


def test_a_comment_at_the_declaration_documents_and_a_callee_is_told(tmp_path: Path) -> None:
    root = cmake_project(tmp_path / "words")
    build_index(root, tmp_path / "index", workers=1)
    compiled = BuildGraph((BuildStep("compile", (), ".", ("text.o",), ("src/text.c",)),))
    with closing(open_index(tmp_path / "index", root)) as index:
        chosen = choose_functions(index, compiled, ChooseSettings(lines=(4, 40)), "words", None)
    by_name = {candidate.row.name: candidate.row for candidate in chosen.candidates}
    assert by_name["text_bare"].target.docstring == "How many blanks the text begins with."
    assert [item.name for item in by_name["text_words"].oracle] == ["text_count"]
    assert by_name["text_words"].level.value == "file"
    assert dict(chosen.left_out) == {"no body to write": 2}


def test_the_tests_that_fail_are_left_out_with_the_reason(made: MadeDataSet) -> None:
    tests = json.loads((made.out / "tests.json").read_text())["tests"]
    assert tests["loud"] == tests["silent"] == ""
    assert "ended with status 8 on the unmodified tree" in tests["broken"]


def test_what_was_believed_is_written_with_its_reasons(made: MadeDataSet) -> None:
    text = (made.out / "make.yaml").read_text()
    assert "# cmake: CMakeLists.txt, and CMakeLists.txt adds tests" in text
    settings = read_settings(made.out / "make.yaml")
    assert settings.build.system == "cmake"
    assert "-DWORDS_BUILD_TESTS=ON" in settings.build.commands[0]


def test_the_data_set_is_found_with_its_own_recipe(made: MadeDataSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFT_RECIPES", "")
    assert lint_folder(made.out) == []
    rows = load_rows(str(made.out))
    assert [row.dataset for row in rows] == ["bench"] * 2
    assert find_recipe(rows[0].repository).folder.parent.parent == made.out.resolve()


def test_the_table_has_the_fields_of_mera(made: MadeDataSet) -> None:
    rows = read_mera(made.out / "tasks.parquet")
    assert {row.id for row in rows} == {task.id for task in made.tasks}
    assert {row.dataset_gold for row in rows} == {task.gold for task in made.tasks}


def test_the_datasheet_counts(made: MadeDataSet) -> None:
    text = (made.out / "README.md").read_text()
    assert "| tasks | 2, in 1 files |" in text
    # The sandbox `process` doesn't isolate: what cheats would end the command.
    assert "the plain stub failed each time, and none that cheats was tried." in text
    assert "| licence of the source, as found | LICENSE: MIT License |" in text
    # text_words calls text_count, where it was chosen.
    assert "| calls, as gcc sees them | in 2 bodies gcc sees " in text
    assert ", and 0 that gcc doesn't see |" in text


def test_once_the_time_is_over_no_function_is_begun_and_the_command_continues(
    made: MadeDataSet, wanted: MakeRequest, backend: Backend, workplace: Path
) -> None:
    out = workplace / "hurried-bench"
    out.mkdir()
    (out / "make.yaml").write_bytes((made.out / "make.yaml").read_bytes())
    # Control runs have a test of their own.
    hurried = replace(wanted, out=out, deadline=time.time(), controls_end=0.0)
    with pytest.raises(UserError, match="the time was over before a task was found"):
        make_benchmark(hurried, backend, workplace / "cache")
    assert not list(out.glob("recipes/*/manifest.json"))
    patient = make_benchmark(replace(hurried, deadline=math.inf), backend, workplace / "cache")
    assert len(patient.tasks) == 2
    # What the doctor found by then is written all the same.
    again = make_benchmark(hurried, backend, workplace / "cache")
    assert [task.id for task in again.tasks] == [task.id for task in patient.tasks]


def test_what_is_not_examined_in_time_is_left_and_the_datasheet_says_so(
    made: MadeDataSet, wanted: MakeRequest, backend: Backend, workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = workplace / "late-bench"
    shutil.copytree(made.out, out)
    more = (out / "make.yaml").read_text().replace("tasks: 2", "tasks: 3")
    (out / "make.yaml").write_text(more)
    over: list[bool] = []

    def at_first_step() -> float:
        over.append(True)
        return math.inf

    with monkeypatch.context() as patched:
        # The time is over once the third function's examination has begun.
        patched.setattr("lab.doctor.body_trial.time", SimpleNamespace(time=at_first_step))
        patched.setattr("lab.making.make_benchmark.time", SimpleNamespace(time=lambda: math.inf if over else 0.0))
        late = make_benchmark(replace(wanted, out=out, deadline=1.0, controls_end=0.0), backend, workplace / "cache")
    assert over
    assert [task.id for task in late.tasks] == [task.id for task in made.tasks]
    assert "| stopped early | the time given was over" in (out / "README.md").read_text()
    in_time = make_benchmark(replace(wanted, out=out, controls_end=0.0), backend, workplace / "cache")
    assert len(in_time.tasks) == 3
    assert "stopped early" not in (out / "README.md").read_text()


def test_a_function_whose_own_body_is_not_judged_in_time_is_left_and_the_datasheet_says_so(
    made: MadeDataSet, wanted: MakeRequest, backend: Backend, workplace: Path
) -> None:
    out = workplace / "unjudged-bench"
    shutil.copytree(made.out, out)
    judged, unjudged = made.tasks
    (kept,) = (workplace / "cache" / "doctor").glob(f"*/{unjudged.id}/gold")
    shutil.rmtree(kept)
    late = make_benchmark(
        replace(wanted, out=out, deadline=time.time(), controls_end=0.0), backend, workplace / "cache"
    )
    assert [task.id for task in late.tasks] == [judged.id]
    text = (out / "README.md").read_text()
    assert "| stopped early | the time given was over" in text
    why = "the time was over before its own body was judged as an answer"
    assert f"| {unjudged.target.name} | {unjudged.target.path} | {why} |" in text
    in_time = make_benchmark(replace(wanted, out=out, controls_end=0.0), backend, workplace / "cache")
    assert [task.id for task in in_time.tasks] == [judged.id, unjudged.id]
    assert "stopped early" not in (out / "README.md").read_text()


def test_the_same_command_goes_on_and_builds_nothing(
    made: MadeDataSet, wanted: MakeRequest, backend: Backend, workplace: Path, caplog: pytest.LogCaptureFixture
) -> None:
    again = make_benchmark(wanted, backend, workplace / "cache")
    assert [task.id for task in again.tasks] == [task.id for task in made.tasks]
    assert "build 1/" not in caplog.text
    assert "2 known already, 0 to examine" in caplog.text


def test_a_makefile_with_one_target_and_functions_without_comments(workplace: Path, backend: Backend) -> None:
    root = makefile_project(workplace / "shelf")
    choose = ChooseSettings(tasks=5, lines=(4, 40))
    out = workplace / "shelf-bench"
    make_benchmark(MakeRequest(str(root), out, choose=choose, until="reach"), backend, workplace / "cache")
    recipe = yaml.safe_load((out / "recipes" / "shelf" / "recipe.yaml").read_text())
    # What the target makes beside its program is made for a candidate too, not in the midst of the tests.
    assert recipe["build"]["goals"] == ["check_stack", "libshelf.a"]
    assert [suite["name"] for suite in recipe["suites"]] == ["check"]
    expected = next((workplace / "cache" / "images" / "meta").glob("process/shelf-*/expected-*.json"))
    assert json.loads(expected.read_text())["expected"]["suites"]["check"] == {
        "2 1 2 0": 1,
        "graft: check_stack returned 0": 1,
        "graft: make exited 0": 1,
    }
    path = out / "make.yaml"
    path.write_text(path.read_text().replace("words: 4", "words: 40"))
    with pytest.raises(RecipeError, match=r"no function fits .*write `choose: \{documented: false\}`"):
        make_benchmark(MakeRequest(str(root), out, until="choose"), backend, workplace / "cache")


def _detect_mixing(
    workplace: Path, backend: Backend, name: str, functions: str, check: str, tasks: int
) -> MakeRequest:
    """make.yaml of a tree with these functions, each of which is looked at only as far as `tasks` asks; `check` is
    the test program."""
    root = workplace / name
    root.mkdir()
    texts = []
    # Of different lengths, for near-copies are left out.
    for number, function in enumerate(functions.split()):
        step = function[-1] * (number + 1)
        texts.append(f"static int {step} = {number};\n/* The value after {number} steps of mixing. */\n")
        texts.append(f"int {function}(int a)\n{{\n    a += 1;\n    a *= 3 + {step};\n    return a;\n}}\n\n")
    (root / "mix.c").write_text("".join(texts))
    (root / "check_mix.c").write_text(check)
    (root / "Makefile").write_text("all:\n\t$(CC) -o check_mix check_mix.c mix.c\ncheck: all\n\t./check_mix\n")
    choose = ChooseSettings(tasks=tasks)
    wanted = MakeRequest(str(root), workplace / f"{name}-bench", choose=choose, until="detect")
    make_benchmark(wanted, backend, workplace / "cache")
    path = wanted.out / "make.yaml"
    path.write_text(path.read_text().replace("candidates: 3.0", "candidates: 1.0"))
    return wanted


def test_more_functions_are_looked_at_while_tests_enter_too_few(
    workplace: Path, backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    names = " ".join([*(f"idle_{letter}" for letter in "abcdefgh"), "used"])
    check = "int used(int);\nint main(void) { return used(1) != 22; }\n"
    wanted = _detect_mixing(workplace, backend, "idle", names, check, 1)
    with caplog.at_level("INFO"):
        make_benchmark(replace(wanted, until="reach"), backend, workplace / "cache")
    assert "tests enter 0 of 1 functions" in caplog.text
    assert "tests enter 1 of 9 functions" in caplog.text


def test_more_functions_are_looked_at_while_too_few_are_good_tasks(
    workplace: Path, backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    """Else a tree whose first functions hardly matter to its tests ends below its number, with most never tried."""
    names = [f"mixed_{letter}" for letter in "bcdefghi"]
    # All are entered, and of one of the two that are looked at first the value doesn't count.
    declared = " ".join(f"int {name}(int);" for name in names)
    checked = " || ".join(f"{name}(1) != {2 * (3 + n)}" for n, name in enumerate(names) if name != "mixed_c")
    check = f"{declared}\nint main(void) {{ mixed_c(1); return {checked}; }}\n"
    wanted = _detect_mixing(workplace, backend, "mixed", " ".join(names), check, 2)
    with caplog.at_level("INFO"):
        made = make_benchmark(replace(wanted, until="doctor"), backend, workplace / "cache")
    assert "1 tasks are still wanted, so more functions are looked at" in caplog.text
    assert len(made.tasks) == 2 and "mixed_c" not in {task.target.name for task in made.tasks}


def test_a_test_that_needs_what_another_left_is_left_out(
    workplace: Path, backend: Backend, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a gold that it alone judges is called broken, for it fails without the test before it."""
    # On several cores the two may be tried in two sessions, and then the second fails at once.
    monkeypatch.setattr("lab.making.suites.try_tests.count_concurrent_commands", lambda backend: 1)
    root = workplace / "chained"
    root.mkdir()
    (root / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(chained C)\nenable_testing()\nadd_executable(keep keep.c)\n"
        "add_test(NAME first COMMAND keep kept w)\nadd_test(NAME second COMMAND keep kept r)\n"
        "add_test(NAME third COMMAND keep other w)\n"
    )
    (root / "keep.c").write_text(
        "#include <stdio.h>\nint main(int argc, char **argv) { puts(argv[2]); return argc != 3 || !fopen(argv[1],"
        " argv[2]); }\n"
    )
    wanted = MakeRequest(str(root), workplace / "chained-bench", until="build")
    with caplog.at_level("INFO"):
        make_benchmark(wanted, backend, workplace / "cache")
    recipe = yaml.safe_load((wanted.out / "recipes" / "chained" / "recipe.yaml").read_text())
    assert [suite["name"] for suite in recipe["suites"]] == ["first", "third"]
    assert "test second is left out: fails alone: it needs what a test before it left behind" in caplog.text


def test_a_misspelt_key_of_make_yaml_is_one_line(made: MadeDataSet, tmp_path: Path) -> None:
    path = tmp_path / "make.yaml"
    path.write_text((made.out / "make.yaml").read_text().replace("timeout_s: 60.0", "timeout: 60.0"))
    with pytest.raises(ConfigError, match=r"make.yaml: tests.timeout: unknown key; did you mean 'timeout_s'\?"):
        read_settings(path)


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


def test_a_program_of_check_runs_its_tests_in_its_own_process_where_they_pass(
    workplace: Path, backend: Backend
) -> None:
    for name, needs, env in (("plain", 0, {"CK_FORK": "no", "CK_VERBOSITY": "verbose"}), ("forking", 1, {})):
        root = workplace / name
        root.mkdir()
        (root / "a.c").write_text(f"#define NEEDS_FORK {needs}\n{_FORKING}")
        (root / "Makefile").write_text("all: a\ncheck: a\n\t./a\n")
        out = workplace / f"{name}-bench"
        make_benchmark(MakeRequest(str(root), out, until="build"), backend, workplace / "cache")
        suite = yaml.safe_load((out / "recipes" / name / "recipe.yaml").read_text())["suites"][0]
        assert suite.get("env", {}) == env
