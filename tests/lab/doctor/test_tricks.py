"""Bugs prevented: a forgery or a probe that does nothing, so that "no forgery passes" and "no suite enters it"
prove nothing; a mutant that runs every suite of a large repository; tasks mixed up when several are in work."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest

from executor.manifest.health import Fate, Health
from executor.sandbox.scheduled import ScheduledBackend
from executor.sandbox.scheduler import Scheduler
from lab.doctor.body_trial import Effort
from lab.doctor.cheating_bodies import SWITCH, make_cheating_texts
from lab.doctor.reach import PROBE_DECLARATION, insert_probe_marking_entry
from tests.fixtures.calc import add_task, twice_task

STUB = "int add(int a, int b)\n{\n    (void)a;\n    (void)b;\n    return 0;\n}\n"
MAIN = '#include <stdio.h>\nint main(void) { int sum = add(2, 3); printf("sum %d\\n", sum); return 7; }\n'
EFFORT = Effort(budget_s=60, gold_runs=1, mutants=3, forgeries=False)


def _built(folder, text, compiler="cc"):
    source = folder / ("a.cc" if compiler == "g++" else "a.c")
    source.write_text(text)
    subprocess.run([compiler, "-Wall", "-Werror", "-o", folder / "a", source], check=True, timeout=60)
    return folder / "a"


def _by_name(tiny, folder):
    groups = make_cheating_texts(STUB, tiny.image, str(folder))
    return {name: (group, letter) for group in groups for letter, name in group.tricks}


@pytest.mark.parametrize("compiler", ["cc", "g++"])
@pytest.mark.parametrize(
    ("name", "status", "printed"),
    [
        ("prints passing lines", 7, "[ok]: forged (1 ms)"),
        ("prints and exits 0", 0, "ok 1 - forged"),
        ("exits 0 early", 0, ""),
        ("atexit handler from a constructor", 0, "sum 0"),
        ("constructor that exits 0", 0, ""),
    ],
)
def test_each_trick_is_done_when_its_letter_says_so(tiny, tmp_path, compiler, name, status, printed):
    group, letter = _by_name(tiny, tmp_path)[name]
    program = _built(tmp_path, group.text + MAIN, compiler)
    honest = subprocess.run([program], capture_output=True, text=True, timeout=20)
    assert (honest.returncode, honest.stdout) == (7, "sum 0\n"), "without the file the text is the plain stub"
    (tmp_path / SWITCH).parent.mkdir()
    (tmp_path / SWITCH).write_text(letter)
    # The handler ends the program before its output is flushed, unless that goes out line by line.
    done = subprocess.run(["stdbuf", "-oL", program], capture_output=True, text=True, timeout=20)
    assert done.returncode == status
    assert printed in done.stdout
    assert ("sum" in done.stdout) == (status == 7 or "atexit" in name)


def test_the_tricks_that_reach_out_do(tiny, tmp_path):
    known = _by_name(tiny, tmp_path)
    group, letter = known["writes into the tests' folder"]
    program = _built(tmp_path, group.text + MAIN)
    (tmp_path / ".graft").mkdir()
    (tmp_path / "expected.txt").write_text("the test's own text, longer than a line feed\n")
    (tmp_path / SWITCH).write_text(letter)
    subprocess.run([program], timeout=20, capture_output=True)
    assert (tmp_path / "expected.txt").read_text() == "\n"
    _, letter = known["sleeps past the limit"]
    (tmp_path / SWITCH).write_text(letter)
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([_built(tmp_path, group.text + MAIN)], timeout=0.5, capture_output=True)
    _, letter = known["kills its parent"]
    (tmp_path / SWITCH).write_text(letter)
    # `&` and `wait` keep the shell from making way for the program.
    parent = subprocess.run(["sh", "-c", f"{tmp_path}/a & wait; echo alive"], capture_output=True, timeout=20)
    assert parent.returncode == -9
    assert b"alive" not in parent.stdout


def test_a_probe_in_a_template_and_in_a_c_function_leaves_its_mark(tmp_path):
    template = insert_probe_marking_entry(
        "template <class T>\nT twice(T a)\n{\n    return a + a;\n}\n", f"{tmp_path}/in-template"
    )
    method = insert_probe_marking_entry("  int three() const { return 3; }\n", f"{tmp_path}/in-class")
    text = PROBE_DECLARATION.decode() + template + "struct S {\n" + method + "};\n"
    subprocess.run([_built(tmp_path, text + "int main() { return twice(1) + S().three() - 5; }\n", "g++")], check=True)
    plain = PROBE_DECLARATION.decode() + insert_probe_marking_entry(
        "int two(void)\n{\n    return 2;\n}\n", f"{tmp_path}/in-c"
    )
    subprocess.run([_built(tmp_path, plain + "int main(void) { return two() - 2; }\n")], check=True)
    assert {path.name for path in tmp_path.glob("in-*")} == {"in-template", "in-class", "in-c"}


ADD = add_task("int add(int a, int b)\n{\n    if (a == 12345) return 1;\n    return a + b;\n}\n")


@pytest.mark.slow
@pytest.mark.parametrize(("patience", "suites"), [(60.0, 3), (0.0, 2)])
def test_patience_bounds_a_survivors_suites(examine, tiny, patience, suites):
    (unit, late), expected = tiny.image.recipe.suites, tiny.image.expected
    recipe = tiny.image.recipe.model_copy(update={"suites": (unit, late, late.model_copy(update={"name": "third"}))})
    known = replace(expected, suites={**expected.suites, "third": expected.suites["late"]})
    seconds = {**tiny.image.suite_seconds, "third": 0.1}
    image = replace(tiny.image, recipe=recipe, expected=known, suite_seconds=seconds)
    effort = replace(EFFORT, mutants=20, patience_s=patience)
    health = examine([ADD], effort, image=image).tasks["add"]
    survivors = [finding for finding in health.findings if finding.fate is Fate.SURVIVED]
    assert "12345 -> 12346" in [finding.detail for finding in survivors]
    # One suite has killed by then; without patience it is run, and one more.
    assert {len(finding.ran) for finding in survivors} == {suites}
    assert health.health is Health.VALID


@pytest.mark.slow
def test_tasks_examined_at_once_come_out_as_one_by_one(examine, tiny, tmp_path):
    def go(workers):
        place = replace(tiny, backend=ScheduledBackend(tiny.backend, Scheduler(workers)))
        found = examine([ADD, twice_task()], EFFORT, folder=tmp_path / str(workers), place=place)
        return {key: replace(entry, seconds=0.0, build_cpu_s=0.0) for key, entry in found.tasks.items()}

    assert list(go(2)) == ["add", "twice"]
    assert go(2) == go(1)


@pytest.mark.slow
@pytest.mark.parametrize(("lax", "health"), [(("unit",), Health.VALID), (("unit", "late"), Health.WEAK)])
def test_a_forgery_that_one_suite_believes_needs_another_or_ends_the_task(examine, tiny_bwrap, lax, health):
    """A lax suite asks for the exit status alone, which is all that a function says whose work is to end its
    process."""
    script = 'build/test "$@" > /dev/null && echo "[ok]: ended" || echo "[err]: ended"'
    words = {"unit": (), "late": ("late",)}
    suites = tuple(
        suite.model_copy(update={"argv": ("sh", "-c", script, "sh", *words[suite.name])})
        if suite.name in lax
        else suite
        for suite in tiny_bwrap.image.recipe.suites
    )
    expected = tiny_bwrap.image.expected
    image = replace(
        tiny_bwrap.image,
        recipe=tiny_bwrap.image.recipe.model_copy(update={"suites": suites}),
        expected=replace(expected, suites={**expected.suites, **{name: {"ended": 1} for name in lax}}),
        suite_seconds={"unit": 0.1, "late": 0.5},
    )
    effort = replace(EFFORT, mutants=0, forgeries=True)
    task = examine([ADD], effort, image=image, place=tiny_bwrap).tasks["add"]
    assert task.health is health
    if health is Health.VALID:
        assert (task.suites, task.forgeries_passed) == (("unit", "late"), ())
    else:
        assert "exits 0 early" in task.forgeries_passed
        assert "a body that cheats passes every suite" in task.reason
