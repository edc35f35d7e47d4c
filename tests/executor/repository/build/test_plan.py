"""Prevents: a relink that leaves old code behind, or rebuilds the world. Every plan here is replayed in a session
of its own, in another folder than the build's, and the linked program must say that it runs the new code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from executor.candidate.execute import remove_outdated_files
from executor.function.header_function import HeaderFunction, classify_function_by_compiled_copies
from executor.repository.build import recorder
from executor.repository.build.graph import (
    BuildGraph,
    BuildStep,
    bind_step,
    read_graph_json,
    sort_steps_into_reproducible_order,
    write_graph_json,
)
from executor.repository.build.plan import HeaderMode, Plan, plan_rebuild
from executor.sandbox.contract import Command, Session
from executor.sandbox.process import ProcessBackend, open_process_and_remove_leftovers
from index.errors import RecipeError
from index.values import Span
from tests.support.projects import write_files

C_MAKEFILE = """\
all: app other
lib/libu.a: lib/a.o lib/b.o sub/a.o
\tar qc $@ lib/a.o sub/a.o
\tar q $@ lib/b.o
\tranlib $@
gone.a: g.o
\tar rc $@ g.o
\trm g.o
gen.h: gen.sh
\tsh gen.sh > $@
main.o: gen.h
app: main.o lib/libu.a gone.a
\tcc -o app.new main.o lib/libu.a gone.a
\tinstall -m 755 app.new $@
other: other.o
\tcc -o $@ other.o
%.o: %.c
\tcc -I. -c $< -o $@
"""
C_FILES = {
    "Makefile": C_MAKEFILE,
    "gen.sh": "echo '#define G 3'\n",
    "u.h": "#define U 2\nint a(void); int a2(void); int b(void); int g(void);\n",
    "lib/a.c": "int a(void) { return 1; }\n",
    "sub/a.c": "int a2(void) { return 1; }\n",
    "lib/b.c": '#include "u.h"\nint b(void) { return U; }\n',
    "g.c": "int g(void) { return 4; }\n",
    "main.c": '#include <stdio.h>\n#include "gen.h"\n#include "u.h"\n'
    'int main(void) { printf("%d%d%d%d%d\\n", a(), a2(), b(), G, g()); return 0; }\n',
    "other.c": "int main(void) { return 0; }\n",
}

BOX_H = """\
#ifndef BOX_H
#define BOX_H
struct Box
{
    int weak() const { return 1; }
    template <class T>
    T many() const { return T(1); }
};
int one();
inline int outside() { return one(); }
static inline int local() { return 1; }
constexpr int folded() { return 1; }
#endif
"""
NEW_WEAK = BOX_H.replace("int weak() const { return 1", "int weak() const { return 5")
CPP_FILES = {
    "Makefile": "all: app alone bare\n"
    "libbox.a: one.o two.o hot.o\n\tar rc $@ $^\n"
    "app: main.o libbox.a\n\tc++ -o $@ main.o libbox.a\n"
    "alone: alone.o\n\tc++ -o $@ alone.o\n"
    "bare: bare.o\n\tc++ -o $@ bare.o\n"
    "hot.o: FLAGS = -O2\n"
    "%.o: %.cpp\n\tc++ $(FLAGS) -c $< -o $@\n",
    "box.h": BOX_H,
    "one.cpp": '#include "box.h"\nint one() { return Box().weak(); }\nint many() { return Box().many<int>(); }\n',
    "two.cpp": '#include "box.h"\nint two() { return Box().weak(); }\nint loc() { return local(); }\n',
    "hot.cpp": '#include "box.h"\nint hot() { return Box().weak(); }\n',
    "main.cpp": '#include <cstdio>\n#include "box.h"\n'
    "int one(); int two(); int hot(); int many(); int loc();\n"
    'int main() { std::printf("%d%d%d%d%d%d\\n", Box().weak(), one(), two(), hot(), many(), loc()); }\n',
    "alone.cpp": "int main() { return 0; }\n",
    "bare.cpp": '#include "box.h"\nint main() { return 0; }\n',
}


@dataclass(frozen=True)
class Made:
    graph: BuildGraph
    backend: ProcessBackend
    key: str


def _made(folder: Path, files: Mapping[str, str], make: str) -> Made:
    backend = open_process_and_remove_leftovers(folder / "cache")
    with backend.builder(None) as builder:
        builder.put_tree(write_files(folder / "tree", files))
        done = builder.run(Command(("sh", "-c", make), env=recorder.install_recording_wrappers(builder)))
        assert done.ok, done.output.decode()
        graph = recorder.take_recorded_graph(builder)
        builder.commit("made", {})
    assert read_graph_json(write_graph_json(graph)) == graph
    return Made(graph, backend, "made")


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return _made(tmp_path_factory.mktemp("c"), C_FILES, "make -j2")


@pytest.fixture(scope="module")
def in_cpp(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return _made(tmp_path_factory.mktemp("cpp"), CPP_FILES, "make -j2")


def _replay(session: Session, todo: Plan) -> None:
    remove_outdated_files(session, todo.outdated)
    for step in (todo.check, *todo.steps):
        argv, cwd = bind_step(step, session.root)
        done = session.run(Command(argv, cwd=cwd))
        assert done.ok, (step.title, done.output.decode())


def _printed(made: Made, todo: Plan, path: str, text: str, script: str = "./app") -> str:
    with made.backend.session(made.key) as session:
        session.write(path, text.encode())
        _replay(session, todo)
        return session.run(Command(("sh", "-c", script))).text.strip()


def _titles(todo: Plan) -> list[str]:
    return [step.title for step in todo.steps]


_LIBU = ["archive lib/libu.a"] * 4


@pytest.mark.parametrize(
    ("path", "text", "printed", "steps"),
    [
        ("lib/a.c", "int a(void) { return 9; }\n", "91234", ["compile lib/a.c", *_LIBU]),
        # Two members of one name.
        ("sub/a.c", "int a2(void) { return 8; }\n", "18234", ["compile sub/a.c", *_LIBU]),
        # The archive's other object is gone.
        ("g.c", "int g(void) { return 7; }\n", "11237", ["compile g.c", "archive gone.a"]),
        # All that read a header are compiled, and a generated one is a file like others.
        ("u.h", C_FILES["u.h"].replace("U 2", "U 6"), "11634", ["compile lib/b.c", "compile main.c", *_LIBU]),
        ("gen.h", "#define G 5\n", "11254", ["compile main.c"]),
    ],
)
def test_what_a_change_reaches_is_built_again_and_nothing_else(
    in_c: Made, path: str, text: str, printed: str, steps: list[str]
) -> None:
    todo = plan_rebuild(in_c.graph, path, ["app"])
    assert _titles(todo) == [*steps, "link app.new", "copy app"]
    # No member stands twice in the archive.
    assert _printed(in_c, todo, path, text, "./app; ar t lib/libu.a").split() == [printed, "a.o", "a.o", "b.o"]


CONVENIENCE_MAKEFILE = """\
app: main.o all.a
\tcc -o $@ main.o all.a
all.a: sub/part.a own.o
\tmkdir -p all.lax/part.a
\tcd all.lax/part.a && ar x $(CURDIR)/sub/part.a
\tar cr $@ own.o all.lax/part.a/one.o all.lax/part.a/two.o
\tranlib $@
\trm -r all.lax
sub/part.a: sub/one.o sub/two.o
\tar cr $@ $^
%.o: %.c
\tcc -c $< -o $@
"""


def test_a_member_that_libtool_takes_from_one_archive_to_another_leads_to_the_program(tmp_path: Path) -> None:
    """Prevents: nine of ten functions of libgcrypt, which stand in convenience libraries, led to no test."""
    files = {
        "Makefile": CONVENIENCE_MAKEFILE,
        "sub/one.c": "int one(void) { return 1; }\n",
        "sub/two.c": "int two(void) { return 2; }\n",
        "own.c": "int one(void), two(void);\nint own(void) { return 10 * one() + two(); }\n",
        "main.c": '#include <stdio.h>\nint own(void);\nint main(void) { printf("%d\\n", own()); return 0; }\n',
    }
    made = _made(tmp_path, files, "make")
    todo = plan_rebuild(made.graph, "sub/two.c", ["app"])
    assert _titles(todo)[0] == "compile sub/two.c"
    assert _printed(made, todo, "sub/two.c", "int two(void) { return 7; }\n") == "17"


def test_only_what_leads_to_the_goals_and_what_was_never_built_is_named(in_c: Made) -> None:
    assert _titles(plan_rebuild(in_c.graph, "other.c", ["app", "other"])) == ["compile other.c", "link other"]
    for path, goal, message in (
        ("other.c", "app", r"other\.c: no recorded command leads from it to app"),
        ("lib/a.c", "nothing", "goal nothing: no recorded command"),
        ("gen.sh", "app", r"gen\.sh: no recorded compilation"),
    ):
        with pytest.raises(RecipeError, match=message):
            plan_rebuild(in_c.graph, path, [goal])


def test_what_was_built_from_the_original_text_is_outdated_unless_it_is_needed(in_c: Made, in_cpp: Made) -> None:
    made = ("app", "app.new", "lib/a.o", "lib/libu.a")
    assert plan_rebuild(in_c.graph, "lib/a.c", ["app"]).outdated == made
    assert plan_rebuild(in_c.graph, "lib/a.c", ["lib/libu.a"]).outdated == made
    # The old archive alone holds what else was in it.
    assert plan_rebuild(in_c.graph, "g.c", ["app"]).outdated == ("app", "app.new", "g.o")
    every = ("app", "bare", "bare.o", "hot.o", "libbox.a", "main.o", "one.o", "two.o")
    assert _header_plan(in_cpp, "int weak()", "all").outdated == every
    # Units that call the override's copy are linked as they are; a program that nothing asks for goes.
    kept = {"main.o", "one.o", "two.o"}
    assert set(_header_plan(in_cpp, "int weak()").outdated) == set(every) - kept


def test_the_check_parses_and_writes_nothing(in_c: Made) -> None:
    check = plan_rebuild(in_c.graph, "lib/a.c", ["app"]).check
    with in_c.backend.session(in_c.key) as session:
        session.write("lib/a.c", b"int a(void) { return x; }\n")
        before = session.run(Command(("find", ".", "-printf", "%p %T@\n"))).output
        argv, cwd = bind_step(check, session.root)
        done = session.run(Command(argv, cwd=cwd))
        assert done.exit_code == 1
        assert b"undeclared" in done.output
        assert session.run(Command(("find", ".", "-printf", "%p %T@\n"))).output == before


@pytest.mark.parametrize("text", ["", "[]", '{"format": 0}', '{"format": 1, "steps": 3}'])
def test_a_damaged_graph_is_an_error(text: str) -> None:
    with pytest.raises(RecipeError, match="graft images build"):
        read_graph_json(text)


def _header_plan(
    made: Made, line_of: str, mode: HeaderMode = "override", goals: Sequence[str] = ("app",), *, known: bool = True
) -> Plan:
    line = BOX_H[: BOX_H.index(line_of)].count("\n") + 1
    function = classify_function_by_compiled_copies(BOX_H, Span(line, line)) if known else None
    return plan_rebuild(made.graph, "box.h", goals, mode, function)


def _compiled(todo: Plan) -> list[str]:
    return [step.sources[0] for step in todo.steps if step.kind == "compile"]


ALL_UNITS = ["hot.cpp", "main.cpp", "one.cpp", "two.cpp"]


def test_one_override_unit_wins_over_every_weak_copy(in_cpp: Made) -> None:
    # `bare` reads the header but has no `one`, which another function of the header calls: it isn't linked again.
    for goals in (["app"], ["app", "bare"]):
        todo = _header_plan(in_cpp, "int weak()", goals=goals)
        # hot.cpp is optimised: the body is part of it, so it is compiled again.
        assert _compiled(todo) == ["box.h", "hot.cpp"]
        assert [step.outputs for step in todo.steps if step.kind == "link"] == [("app",)]
        assert _printed(in_cpp, todo, "box.h", NEW_WEAK) == "555511"


def test_without_the_override_first_the_old_copies_would_run(in_cpp: Made) -> None:
    todo = _header_plan(in_cpp, "int weak()")
    last = tuple(
        replace(step, argv=(step.argv[0], *step.argv[2:], step.argv[1])) if step.kind == "link" else step
        for step in todo.steps
    )
    assert _printed(in_cpp, Plan(todo.check, last), "box.h", NEW_WEAK) == "111511"


@pytest.mark.parametrize(
    ("line_of", "old", "new", "units", "printed"),
    [
        ("T many()", "T(1)", "T(6)", ["hot.cpp", "one.cpp"], "111161"),
        ("static inline", "local() { return 1", "local() { return 7", ["hot.cpp", "two.cpp"], "111117"),
    ],
    ids=["template", "local"],
)
def test_what_no_linker_shares_is_compiled_where_it_is_held(
    in_cpp: Made, line_of: str, old: str, new: str, units: list[str], printed: str
) -> None:
    todo = _header_plan(in_cpp, line_of)
    assert sorted(_compiled(todo)) == units
    assert _printed(in_cpp, todo, "box.h", BOX_H.replace(old, new)) == printed


@pytest.mark.parametrize(
    ("line_of", "mode", "known"),
    [("constexpr", "override", True), ("int weak()", "all", True), ("int weak()", "override", False)],
)
def test_all_units_where_less_might_not_do(in_cpp: Made, line_of: str, mode: HeaderMode, known: bool) -> None:
    todo = _header_plan(in_cpp, line_of, mode, known=known)
    assert sorted(_compiled(todo)) == ALL_UNITS


def _add_level(made: Made, level: str) -> Made:
    """As if all had been compiled with this level of optimisation."""
    steps = (replace(step, argv=(*step.argv, level), emits=step.emits or frozenset()) for step in made.graph.steps)
    return replace(made, graph=BuildGraph(tuple(steps)))


def test_all_units_where_none_seems_to_hold_the_function(in_cpp: Made) -> None:
    """A macro makes its name: `inline int NAME(add)(int a)`."""
    graph = _add_level(in_cpp, "-O0").graph
    for function in (HeaderFunction("inline", ("NAME",)), HeaderFunction("copied", ("NAME",))):
        assert sorted(_compiled(plan_rebuild(graph, "box.h", ["app"], "override", function))) == ALL_UNITS


def test_an_optimised_build_is_never_overridden(in_cpp: Made) -> None:
    assert sorted(_compiled(_header_plan(_add_level(in_cpp, "-O1"), "int weak()"))) == ALL_UNITS


def test_a_graph_doesnt_depend_on_which_job_of_the_build_was_quicker() -> None:
    def step(kind: str, out: str, *inputs: str, tool: str = "tool") -> BuildStep:
        return BuildStep(kind, (tool, out, *inputs), ".", (out,), (), inputs)  # type: ignore[arg-type]

    a, b, c = step("compile", "z.o", "z.c"), step("compile", "a.o", "a.c"), step("compile", "m.o", "m.c")
    archive, again = step("archive", "l.a", "z.o", "a.o"), step("archive", "l.a", "m.o")
    app, moved = step("link", "app.new", "l.a"), step("copy", "app", "app.new")
    expected = (b, c, a, archive, again, app, moved)
    assert sort_steps_into_reproducible_order((a, b, archive, c, again, app, moved)) == expected
    assert sort_steps_into_reproducible_order((c, b, a, archive, again, app, moved)) == expected
    # A file that is written again is read before.
    first, second = step("link", "z.new", tool="one"), step("link", "z.new", tool="two")
    twice = (first, step("copy", "y", "z.new"), second, step("copy", "b", "z.new"))
    assert sort_steps_into_reproducible_order(twice) == twice
