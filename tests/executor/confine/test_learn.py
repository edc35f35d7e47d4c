"""Prevents: an honest program that fails behind the launcher, and a right that a suite gets without needing it."""

from __future__ import annotations

from typing import Any

import pytest

from executor.confine.confinement import Confinement
from executor.confine.install import select_executable_goals
from executor.confine.learn import Observed, make_least_policy, parse_launcher_notes, read_or_learn_policies
from executor.confine.policy import Kernel, LearntPolicy, Policy, describe_confinement_gaps
from executor.sandbox.contract import Command

Driven = Any  # conftest's
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
def test_a_suite_gets_what_it_needs(driven: Driven, suite: str, policy: Policy, given: tuple[str, ...]) -> None:
    found = read_or_learn_policies(driven.image, driven.backend, [suite])[suite]
    assert found == LearntPolicy(policy, given)
    # It is read again, not learnt again: the sandbox isn't asked.
    assert read_or_learn_policies(driven.image, _Unused(), [suite])[suite] == found


@pytest.mark.docker
def test_docker_shows_as_much(driven_docker: Driven) -> None:
    """Its filter refuses the call that reads a watched program's memory, so nothing was learnt there."""
    found = read_or_learn_policies(driven_docker.image, driven_docker.backend, ["scratch", "port"])
    assert found["scratch"] == LearntPolicy(Policy(made=("out/",)))
    assert found["port"] == LearntPolicy(Policy(bind=((7100, 7108),), connect=((7100, 7108),)))


class _Unused:
    name, isolated = "bwrap", True

    def session(self, key: str) -> object:
        raise AssertionError(key)


@pytest.mark.bwrap
def test_the_record_says_what_held(driven: Driven) -> None:
    with driven.backend.session(driven.image.key) as session:
        guard = Confinement(session, driven.image, driven.backend)
        assert guard.full_or_gaps_line == ""
        guard.install_launchers(["none", "trace"])
        guard.apply_policy("none")
        assert guard.full_or_gaps_line == "full"
        assert session.run(Command(("build/prog", "write"))).exit_code == 1
        guard.apply_policy("trace")
        assert guard.full_or_gaps_line == "trace may call ptrace"
        guard.restore_programs()
        # The program itself stands in its place again.
        assert session.run(Command(("build/prog", "write"))).exit_code == 0


@pytest.mark.bwrap
def test_a_suite_without_a_policy_meets_no_launcher_that_another_suite_left(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    with driven.backend.session(driven.image.key) as session:
        guard = Confinement(session, driven.image, driven.backend)
        guard.install_launchers(["none"])
        monkeypatch.setitem(guard._learnt, "fork", LearntPolicy(None, ("isn't confined",)))
        guard.apply_policy("none")
        guard.apply_policy("fork")
        assert session.run(Command(("build/prog", "fork"))).exit_code == 0
        guard.apply_policy("none")
        assert session.run(Command(("build/prog", "write"))).exit_code == 1


def test_without_a_folder_or_isolation_nothing_is_confined(tiny) -> None:  # type: ignore[no-untyped-def]
    assert read_or_learn_policies(tiny.image, tiny.backend, ["unit"]) == {}


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


def test_the_drivers_port_is_no_spare_one() -> None:
    seen = Observed(bind=frozenset({7000}), listening=frozenset({7000, 7003}))
    assert make_least_policy(seen).connect == ((7000, 7002), (7004, 7008))


def test_a_lesser_kernel_is_named() -> None:
    line = describe_confinement_gaps(Kernel(4, True), [("unit", LearntPolicy(Policy()))])
    assert line == "the kernel can't refuse signals and abstract sockets"
    assert describe_confinement_gaps(Kernel(7, True), [("unit", LearntPolicy(Policy()))]) == "full"


def test_only_what_is_started_gets_a_launcher(tiny) -> None:  # type: ignore[no-untyped-def]
    assert select_executable_goals(tiny.image.graph, ["build/calc.o", "build/test"]) == ("build/test",)
