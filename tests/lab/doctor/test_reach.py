"""Bugs prevented: side by side, a unit that is compiled before the table that it includes is made, or two units
that write one object; a compilation among many that fails unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from executor.repository.build.graph import BuildStep, StepKind
from executor.repository.build.plan import group_independent_steps
from executor.repository.images import Image
from executor.values import Task
from index.errors import RecipeError
from lab.doctor.reach import _can_compile_with_probes, measure_which_suites_enter_tasks
from tests.fixtures.calc import add_task, calc_task


def _step(kind: StepKind, output: str, *depends: str, inputs: tuple[str, ...] = ()) -> BuildStep:
    return BuildStep(kind, ("true",), "", (output,), depends[:1], inputs, depends)


def test_only_what_waits_for_nothing_runs_side_by_side() -> None:
    alone = _step("compile", "a.o", "a.c", "a.h")
    after_a_table = _step("compile", "b.o", "b.c", "gen.inc")
    moved = [
        _step("compile", "tmp.o", "c.c"),
        _step("copy", "c.o", inputs=("tmp.o",)),
        _step("compile", "tmp.o", "d.c"),
    ]
    generator, table = _step("link", "gen", inputs=("gen.o",)), _step("copy", "gen.inc")
    tests = [_step("link", name, inputs=("a.o",)) for name in ("t", "u")]
    first, second, *rest = group_independent_steps([generator, table, alone, after_a_table, *moved, *tests])
    assert (first, second) == ((generator, alone), tuple(tests))
    # One by one: an object that is made twice is moved away in between.
    assert rest == [(table,), (after_a_table,), *((step,) for step in moved)]


def _add_flags(image: Image, *flags: str) -> Image:
    """The image, each file of which is compiled with these flags too."""
    steps = (replace(s, argv=(*s.argv, *flags)) if s.kind == "compile" else s for s in image.graph.steps)
    return replace(image, graph=replace(image.graph, steps=tuple(steps)))


def test_a_compilation_that_fails_ends_it_with_its_message(tiny, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    image = _add_flags(tiny.image, "-include", "nowhere.h")
    with pytest.MonkeyPatch.context() as patch:
        # Alone in its file it is held against the same command, so what fails only in the build has to be played.
        patch.setattr("lab.doctor.reach._can_compile_with_probes", lambda *_: True)
        with pytest.raises(RecipeError, match=r"tiny can't be built: compile calc\.c: .*nowhere\.h"):
            measure_which_suites_enter_tasks(image, tiny.backend, [add_task()], ["unit"], tmp_path)


def test_of_one_file_what_cannot_be_probed_is_found_and_the_others_are_measured(
    tiny,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good, bad = add_task(), calc_task("twice", "int twice(int a)\n{\n    return nothing;\n}\n")
    tried: list[int] = []

    def parses(image: object, session: object, tasks: list[Task]) -> bool:
        tried.append(len(tasks))
        return bool(_can_compile_with_probes(image, session, tasks))  # type: ignore[arg-type]

    monkeypatch.setattr("lab.doctor.reach._can_compile_with_probes", parses)
    assert measure_which_suites_enter_tasks(tiny.image, tiny.backend, [good, bad], ["unit"], tmp_path).entered == {
        "add": ("unit",)
    }
    assert measure_which_suites_enter_tasks(tiny.image, tiny.backend, [good], ["unit"], tmp_path).entered == {
        "add": ("unit",)
    }
    assert tried == [2, 1, 1, 1]


def test_functions_are_probed_once_for_all_sessions(
    tiny,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Prevents: each of openssl's four sessions compiled 913 files to find what can be probed."""
    tried: list[int] = []
    monkeypatch.setattr("lab.doctor.reach._can_compile_with_probes", lambda *words: not tried.append(len(words[2])))
    monkeypatch.setattr("lab.doctor.reach.find_concurrent_command_limit", lambda _: 3)
    slow = replace(tiny.image, suite_seconds={"unit": 500.0}, suite_cpu_s={})
    found = measure_which_suites_enter_tasks(slow, tiny.backend, [add_task()], ["unit"], tmp_path)
    assert (found.entered, tried) == ({"add": ("unit",)}, [1])
    # What an earlier call measured of a function that can't be probed any more is passed over.
    (path,) = (tmp_path / "doctor/reach").iterdir()
    path.write_text(
        json.dumps({key: [*ids, "gone"] if key else ids for key, ids in json.loads(path.read_text()).items()})
    )
    assert measure_which_suites_enter_tasks(slow, tiny.backend, [add_task()], ["unit"], tmp_path) == found


def test_a_tree_whose_warnings_are_errors_is_probed(tiny, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Prevents: no function of libssh could be probed, as its flags forbid declarations behind a statement."""
    gold = "int add(int a, int b)\n{\n    int sum = a + b;\n    return sum;\n}\n"
    image = _add_flags(tiny.image, "-Werror=declaration-after-statement")
    assert measure_which_suites_enter_tasks(image, tiny.backend, [add_task(gold)], ["unit"], tmp_path).entered == {
        "add": ("unit",)
    }
