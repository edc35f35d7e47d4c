"""Prevents: a candidate's program that reaches the driver which judges it: its sockets, its server, its memory, its
log, its limits, its life, the files of its tests; redis-server that answers in its test client's place. Three bodies
did, and passed: one took the client's socket and stopped it, one reported to runtest's own server, one wrote on the
driver's standard output. And an honest program that fails behind the launcher, and a right that a suite gets without
needing it. And programs with shared libraries beside them, as mbedtls', that ran unconfined."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from executor.cache import hold_file_lock
from executor.confine import learn
from executor.confine.confinement import Confinement
from executor.confine.install import HOME, POLICY, compile_launcher_once, install_launcher, select_executable_goals
from executor.confine.learn import Observed, make_least_policy, parse_launcher_notes, read_or_learn_policies
from executor.confine.policy import Kernel, LearntPolicy, Policy, describe_confinement_gaps_or_full
from executor.repository.baseline import baseline_path, rounds_path
from executor.repository.recipe import load_recipe
from executor.repository.tamper import list_tree_state
from executor.sandbox.contract import Command, CommandLimits, ExecResult
from executor.sandbox.process import ProcessBackend, ProcessSession
from executor.sandbox.scheduled import ScheduledBackend, hold_machine
from executor.sandbox.scheduler import Scheduler
from index.errors import SandboxError, UserError
from tests.fixtures.executor_fixtures import Tiny, build_recipe
from tests.support.engines import machine_base, unavailable
from tests.support.projects import write_files

HONEST = (
    *("none", "scratch", "folder", "beside", "fresh", "absent"),
    *("port", "drawn-port", "any-port", "fork", "trace", "proc", "grumble", "ask"),
)
_SUITE = """\
  - name: {0}
    argv: [sh, -c, 'build/prog {0} && echo ok {0} || echo bad {0}']
    parser: lines
    timeout_min_s: 5
"""
_RECIPE = """\
name: driven
display: a repository with a driver
languages: [c]
source: {directory: ../../tree}
build: {commands: [make], goals: [build/prog]}
suites:
%s
parsers:
  lines: {passed: '^ok (?P<name>.+)$', failed: '^bad (?P<name>.+)$'}
tests: {default: [none]}
"""
_MAKEFILE = """\
all: build/prog build/driver
# As cmake links: the program looks for the library from its own folder.
build/prog: prog.c
\tmkdir -p build lib
\techo 'int small(void) { return 1; }' | cc -shared -fPIC -x c -o lib/libsmall.so -
\tcc -O1 -o $@ $< -Llib -Wl,--no-as-needed -lsmall -Wl,-rpath,'$$ORIGIN/../lib'
build/%: %.c
\tmkdir -p build
\tcc -O1 -o $@ $<
"""


@pytest.fixture(scope="session")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    return _built(tmp_path_factory.mktemp("driven"), "bwrap", str(machine_base()))


@pytest.fixture(scope="session")
def driven_docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tiny]:
    driven = _built(tmp_path_factory.mktemp("driven-docker"), "docker", None)
    yield driven
    driven.backend.remove(driven.image.key)


def _built(folder: Path, sandbox: str, base: str | None) -> Tiny:
    source = Path(__file__).with_name("source")
    files = {name: (source / name).read_bytes() for name in ("driver.c", "prog.c")}
    write_files(folder / "tree", {**files, "Makefile": _MAKEFILE, "out/.gitignore": "*\n", "tests/t.txt": "a test\n"})
    recipe = _RECIPE % "".join(map(_SUITE.format, HONEST))
    path = write_files(folder / "recipes/driven", {"recipe.yaml": recipe}) / "recipe.yaml"
    try:
        return build_recipe(load_recipe(path), folder / "cache", sandbox, base)
    except UserError as error:
        unavailable(str(error))


ROOT = "/graft/src"


@pytest.mark.bwrap
@pytest.mark.parametrize(
    ("suite", "policy", "given"),
    [
        ("none", Policy(), ()),
        ("scratch", Policy(made=("out/",)), ()),
        ("folder", Policy(made=("results/",)), ()),
        ("beside", Policy(made=("tests/new.log",)), ()),
        # It makes a file that mustn't be there yet.
        ("fresh", Policy(write=("tests",)), ("may write below tests (1 failed: fresh)",)),
        # It expects to fail: made for it, the folder would break the test.
        ("absent", Policy(), ()),
        ("port", Policy(bind=((7100, 7108),), connect=((7100, 7108),)), ()),
        # It binds another port in each second.
        ("drawn-port", Policy(free=("connect", "bind")), ("may connect to any TCP port", "may bind any TCP port")),
        ("any-port", Policy(bind=((0, 0),), free=("connect",)), ("may connect to any TCP port",)),
        ("fork", Policy(free=("fork", "exec")), ()),
        ("trace", Policy(calls=("ptrace",), free=("fork",)), ("may call ptrace",)),
        ("proc", Policy(write=("/proc",)), ("may write to /proc (1 failed: proc)",)),
        # Refused, it passes, and says what the unmodified source doesn't say otherwise.
        (
            "grumble",
            Policy(write=("/proc",)),
            ("may write to /proc (results the unmodified source doesn't give: refused)",),
        ),
        ("ask", Policy(free=("signals",)), ("may signal any process (1 failed: ask)",)),
    ],
)
def test_a_suite_gets_what_it_needs(driven: Tiny, suite: str, policy: Policy, given: tuple[str, ...]) -> None:
    found = read_or_learn_policies(driven.image, driven.backend, [suite])[suite]
    assert found == LearntPolicy(policy, given)
    # It is read again, not learnt again: the sandbox isn't asked.
    assert read_or_learn_policies(driven.image, _Unused(), [suite])[suite] == found


@pytest.mark.docker
def test_docker_shows_as_much(driven_docker: Tiny) -> None:
    """Its filter refuses the call that reads a watched program's memory, so nothing was learnt there."""
    found = read_or_learn_policies(driven_docker.image, driven_docker.backend, ["scratch", "port"])
    assert found["scratch"] == LearntPolicy(Policy(made=("out/",)))
    assert found["port"] == LearntPolicy(Policy(bind=((7100, 7108),), connect=((7100, 7108),)))


class _Unused:
    name, isolated = "bwrap", True

    def session(self, key: str) -> object:
        raise AssertionError(key)


@pytest.mark.bwrap
def test_the_record_says_what_held(driven: Tiny) -> None:
    with driven.backend.session(driven.image.key) as session:
        guard = Confinement(session, driven.image, driven.backend)
        assert guard.full_or_gaps_line_or_empty == ""
        guard.learn_policies_and_install_launchers(["none", "trace"])
        guard.apply_policy("none")
        assert guard.full_or_gaps_line_or_empty == "full"
        assert session.run(Command(("build/prog", "write"))).exit_code == 1
        guard.apply_policy("trace")
        assert guard.full_or_gaps_line_or_empty == "trace may call ptrace"
        guard.restore_programs()
        # The program itself stands in its place again.
        assert session.run(Command(("build/prog", "write"))).exit_code == 0


@pytest.mark.bwrap
def test_suites_that_share_a_program_are_all_confined_or_none(driven: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevents: golds of libevent that "changed" a program, into which the launcher came between two suites."""
    known = {"none": LearntPolicy(Policy()), "fork": LearntPolicy(None, ("isn't confined",))}
    monkeypatch.setattr(
        "executor.confine.confinement.read_or_learn_policies",
        lambda image, backend, suites: {name: known[name] for name in suites},
    )
    with driven.backend.session(driven.image.key) as session:
        guard = Confinement(session, driven.image, driven.backend)
        guard.learn_policies_and_install_launchers(["none", "fork"])
        before = list_tree_state(session)
        for suite in known:
            guard.apply_policy(suite)
        assert list_tree_state(session) == before and guard.launcher_paths == ()


@pytest.mark.bwrap
def test_a_suite_without_a_policy_meets_no_launcher_that_another_suite_left(
    driven: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    with driven.backend.session(driven.image.key) as session:
        guard = Confinement(session, driven.image, driven.backend)
        guard.learn_policies_and_install_launchers(["none"])
        monkeypatch.setitem(guard._learnt, "fork", LearntPolicy(None, ("isn't confined",)))
        guard.apply_policy("none")
        guard.apply_policy("fork")
        assert session.run(Command(("build/prog", "fork"))).exit_code == 0
        guard.apply_policy("none")
        assert session.run(Command(("build/prog", "write"))).exit_code == 1


def test_without_isolation_nothing_is_confined_and_only_what_is_started_gets_a_launcher(tiny: Tiny) -> None:
    assert read_or_learn_policies(tiny.image, tiny.backend, ["unit"]) == {}
    assert select_executable_goals(tiny.image.graph, ["build/calc.o", "build/test"]) == ("build/test",)


@pytest.fixture
def unlearnt(tiny: Tiny, tmp_path: Path) -> Tiny:
    """The tiny image in a sandbox that claims isolation, with nothing learnt of it."""
    folder = tmp_path / "known"
    folder.mkdir()
    return replace(tiny, image=replace(tiny.image, folder=folder), backend=ProcessBackend(tiny.cache, isolated=True))


@pytest.fixture
def no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "compile_launcher_once", lambda image, backend: b"launcher")
    monkeypatch.setattr(learn, "install_launcher", lambda *_: None)


def test_a_launcher_that_a_busy_machine_couldnt_compile_is_compiled_later(
    unlearnt: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: an image whose candidates run unconfined for good, after one time-out."""
    image, backend = unlearnt.image, unlearnt.backend
    with monkeypatch.context() as busy:
        busy.setattr(ProcessSession, "run", lambda session, command: ExecResult(None, b"", False, True, 120.0))
        with pytest.raises(SandboxError, match="compiling the launcher was stopped after 120 s"):
            compile_launcher_once(image, backend)
    assert compile_launcher_once(image, backend)


def test_who_has_the_machine_lends_it_to_who_learns_the_suite_already(
    unlearnt: Tiny, no_launcher: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: a run that never ends. One thread waited for the other's lock, and this one for the machine."""
    image, learns, waits = unlearnt.image, threading.Event(), threading.Event()
    backend = ScheduledBackend(unlearnt.backend, Scheduler(2, 2, 10_000, lambda: 0.0))

    def learn_by_running_command(bench: object) -> LearntPolicy:
        learns.set()
        assert waits.wait(30)
        with backend.session(image.key) as session:
            assert session.run(Command(["true"])).ok
        return LearntPolicy(Policy())

    def need_suite_alone() -> dict[str, LearntPolicy]:
        with hold_machine(backend):
            waits.set()
            return read_or_learn_policies(image, backend, ["unit"])

    monkeypatch.setattr(learn, "_learn_policy_preferring_no_surplus_output", learn_by_running_command)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(read_or_learn_policies, image, backend, ["unit"])
        assert learns.wait(30)
        second = pool.submit(need_suite_alone)
        assert first.result(30) == second.result(30) == {"unit": LearntPolicy(Policy())}


def test_what_only_later_rounds_of_the_baseline_show_costs_no_rights(
    tiny: Tiny, unlearnt: Tiny, no_launcher: None
) -> None:
    """Prevents: libevent's test-ratelim unconfined for good. The first round had printed a line that no other did."""
    image, backend, folder = tiny.image, unlearnt.backend, unlearnt.image.folder
    assert image.folder is not None and folder is not None
    suites = {**image.expected.suites, "unit": {**image.expected.suites["unit"], "CPU is slow": 1}}
    early = replace(unlearnt.image, expected=replace(image.expected, suites=suites))
    rounds_path(folder, image.recipe).touch()
    with pytest.raises(SandboxError, match="unit: the run was stopped before all its rounds were measured"):
        read_or_learn_policies(early, backend, ["unit"])
    with ThreadPoolExecutor(1) as pool:
        with hold_file_lock(folder.with_suffix(".lock"), ""):
            learning = pool.submit(read_or_learn_policies, early, backend, ["unit"])
            shutil.copy(baseline_path(image.folder, image.recipe), folder)
        assert learning.result(60) == {"unit": LearntPolicy(Policy())}


def test_a_suite_that_a_busy_machine_stopped_is_learnt_alone(
    unlearnt: Tiny, no_launcher: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents: a suite that is unconfined for good, after time-outs while its rights were learnt."""
    run, stopped, image = ProcessSession.run, list[Command](), unlearnt.image

    def run_on_busy_machine(session: ProcessSession, command: Command) -> ExecResult:
        if command.argv != image.recipe.find_suite("unit").argv_with_suite_name or command.alone:
            return run(session, command)
        stopped.append(command)
        return ExecResult(None, b"", False, True, 5.0)

    monkeypatch.setattr(ProcessSession, "run", run_on_busy_machine)
    assert read_or_learn_policies(image, unlearnt.backend, ["unit"]) == {"unit": LearntPolicy(Policy())}
    assert stopped


def test_a_scratch_folder_holds_nothing_of_the_repository() -> None:
    before = {".": True, "tests": True, "tests/tmp": True, "tests/tmp/.gitignore": False, "tests/a.tcl": False}
    written = ("tests/tmp/server.1/dump.rdb", "tests/tmp/../tmp/server.2/log", "tests/a.tcl", "tests")
    notes = [f"write {ROOT}/{path}" for path in written]
    notes += ["write /tmp/x", "bind 21111", "connect 21111", "listening 21079", "listening 21111"]
    seen = parse_launcher_notes("\n".join([*notes, "call fork", "call ptrace"]), before, ROOT)
    assert (seen.folders, seen.files, seen.near) == (("tests/tmp",), ("tests/a.tcl",), ("tests",))
    assert seen.old == ("tests/a.tcl",)
    policy = make_least_policy(seen)
    assert policy.made == ("tests/tmp/", "tests/a.tcl")
    assert (policy.calls, policy.free) == (("ptrace",), ("fork",))
    # The driver's port is no spare one.
    seen = Observed(bind=frozenset({7000}), listening=frozenset({7000, 7003}))
    assert make_least_policy(seen).connect == ((7000, 7002), (7004, 7008))


def test_a_lesser_kernel_is_named() -> None:
    line = describe_confinement_gaps_or_full(Kernel(4, True), [("unit", LearntPolicy(Policy()))])
    assert line == "the kernel can't refuse signals and abstract sockets"
    assert describe_confinement_gaps_or_full(Kernel(7, True), [("unit", LearntPolicy(Policy()))]) == "full"


# Scratch for the program and its driver, a port of its own, and processes: what redis-server needs as well.
SERVER = Policy(write=("out",), bind=((7100, 7110),), connect=((7100, 7110),), free=("fork", "exec"))
# Leak checkers need ptrace of their own children; the driver stays out of reach.
LEAK_CHECKER = Policy(calls=("ptrace",), free=("fork",))
ATTACKS = (
    *("steal-socket", "steal-log", "proc-fd", "memory", "vm-write", "poke", "connect", "mptcp", "fast-open", "kill"),
    *("limits", "left-open", "write", "truncate", "rename", "link", "add", "drivers-hand", "hard-link"),
)


def _output(driven: Tiny, what: str, policy: Policy | None) -> str:
    with driven.backend.session(driven.image.key) as session:
        if policy is not None:
            kernel = install_launcher(session, compile_launcher_once(driven.image, driven.backend), ["build/prog"])
            if kernel.actions_kernel_cannot_refuse:
                pytest.skip(f"this kernel can't refuse {', '.join(kernel.actions_kernel_cannot_refuse)}")
            session.write(POLICY, policy.to_lines(session.root).encode())
        limits = CommandLimits(wall_s=20.0)
        return str(session.run(Command(("build/driver", what), limits=limits)).text)


@pytest.mark.bwrap
@pytest.mark.parametrize(("attack", "policy"), [*((attack, SERVER) for attack in ATTACKS), ("poke", LEAK_CHECKER)])
def test_an_attack_works_alone_and_is_refused_behind_the_launcher(driven: Tiny, attack: str, policy: Policy) -> None:
    bare = _output(driven, attack, None)
    assert "FORGED" in bare or "driver lives" not in bare
    confined = _output(driven, attack, policy)
    assert "FORGED" not in confined
    assert "driver lives" in confined
    assert not re.search("program ended with 12[67]", confined)


@pytest.mark.bwrap
@pytest.mark.parametrize(
    ("work", "policy", "ends_well"),
    [
        *((work, SERVER, True) for work in ("none", "scratch", "port", "fork")),
        ("trace", LEAK_CHECKER, True),
        *((opens_the_cage, SERVER, False) for opens_the_cage in ("policy", "io-uring", "namespace")),
        ("fork", Policy(), False),
    ],
)
def test_honest_work_goes_on_and_what_would_open_the_cage_is_refused(
    driven: Tiny, work: str, policy: Policy, ends_well: bool
) -> None:
    confined = _output(driven, work, policy)
    assert ("program ended with 0" in confined) is ends_well
    assert "FORGED" not in confined


@pytest.mark.bwrap
def test_without_a_policy_nothing_starts(driven: Tiny) -> None:
    with driven.backend.session(driven.image.key) as session:
        launcher = compile_launcher_once(driven.image, driven.backend)
        install_launcher(session, launcher, ["build/prog"])
        # Prevents: a launcher that takes the program's own option for its own.
        for argument in ("none", "--probe"):
            assert session.run(Command(("build/prog", argument))).exit_code == 126


@pytest.mark.bwrap
def test_a_launcher_is_moved_into_no_programs_real_place(driven: Tiny) -> None:
    """Prevents: a program that was built again and ran without its launcher, and a launcher that starts itself."""
    with driven.backend.session(driven.image.key) as session:
        launcher = compile_launcher_once(driven.image, driven.backend)
        for _ in range(2):
            install_launcher(session, launcher, ["build/prog", "./build/../build/prog", "build/gone"])
        session.run(Command(("cp", f"{HOME}/real/build/prog", "build/again")))
        session.run(Command(("mv", "-f", "build/again", "build/prog")))
        install_launcher(session, launcher, ["build/prog"])
        assert session.read("build/prog") == launcher != session.read(f"{HOME}/real/build/prog")


@pytest.mark.docker
@pytest.mark.parametrize("attack", ["memory", "connect", "fast-open", "kill", "limits", "left-open", "link"])
def test_the_same_under_docker(driven_docker: Tiny, attack: str) -> None:
    """Docker's own filter refuses some attacks already; these are left."""
    test_an_attack_works_alone_and_is_refused_behind_the_launcher(driven_docker, attack, SERVER)
