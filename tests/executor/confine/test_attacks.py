"""Prevents: a candidate's program that reaches the driver which judges it: its sockets, its server, its memory, its
log, its limits, its life, the files of its tests; redis-server that answers in its test client's place. Three bodies
did, and passed: one took the client's socket and stopped it, one reported to runtest's own server, one wrote on the
driver's standard output.

Each attack works without the launcher, or else its test would prove nothing.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from executor.confine.install import POLICY, compile_launcher_once, install_launcher
from executor.confine.policy import Policy
from executor.sandbox.contract import Command, CommandLimits

Driven = Any  # conftest's
# Scratch for the program and its driver, a port of its own, and processes: what redis-server needs as well.
POLICY_OF_A_SERVER = Policy(write=("out",), bind=((7100, 7110),), connect=((7100, 7110),), free=("fork", "exec"))
ATTACKS = (
    *("steal-socket", "steal-log", "proc-fd", "memory", "vm-write", "poke", "connect", "mptcp", "fast-open", "kill"),
    *("limits", "left-open", "write", "truncate", "rename", "link", "add", "drivers-hand", "hard-link"),
)


def _output(driven: Driven, what: str, policy: Policy | None) -> str:
    with driven.backend.session(driven.image.key) as session:
        if policy is not None:
            kernel = install_launcher(session, compile_launcher_once(driven.image, driven.backend), ["build/prog"])
            if kernel.missing_features:
                pytest.skip(f"this kernel can't refuse {', '.join(kernel.missing_features)}")
            session.write(POLICY, policy.to_lines(session.root).encode())
        limits = CommandLimits(wall_s=20.0)
        return str(session.run(Command(("build/driver", what), limits=limits)).text)


@pytest.mark.bwrap
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_works_alone_and_is_refused_behind_the_launcher(driven: Driven, attack: str) -> None:
    bare = _output(driven, attack, None)
    assert "FORGED" in bare or "driver lives" not in bare
    confined = _output(driven, attack, POLICY_OF_A_SERVER)
    assert "FORGED" not in confined
    assert "driver lives" in confined
    assert not re.search("program ended with 12[67]", confined)


@pytest.mark.bwrap
@pytest.mark.parametrize("attack", ["policy", "io-uring", "namespace"])
def test_what_would_open_the_cage_is_refused(driven: Driven, attack: str) -> None:
    confined = _output(driven, attack, POLICY_OF_A_SERVER)
    assert "program ended with 0" not in confined
    assert "FORGED" not in confined


@pytest.mark.bwrap
@pytest.mark.parametrize("work", ["none", "scratch", "port", "fork"])
def test_honest_work_goes_on(driven: Driven, work: str) -> None:
    assert "program ended with 0" in _output(driven, work, POLICY_OF_A_SERVER)


@pytest.mark.bwrap
def test_a_program_that_starts_none_can_not(driven: Driven) -> None:
    assert "program ended with 0" not in _output(driven, "fork", Policy())


@pytest.mark.bwrap
def test_ptrace_of_its_own_children_alone(driven: Driven) -> None:
    """Leak checkers need ptrace; the driver stays out of reach."""
    policy = Policy(calls=("ptrace",), free=("fork",))
    assert "program ended with 0" in _output(driven, "trace", policy)
    confined = _output(driven, "poke", policy)
    assert "FORGED" not in confined
    assert "driver lives" in confined


@pytest.mark.bwrap
def test_without_a_policy_nothing_starts(driven: Driven) -> None:
    with driven.backend.session(driven.image.key) as session:
        install_launcher(session, compile_launcher_once(driven.image, driven.backend), ["build/prog"])
        assert session.run(Command(("build/prog", "none"))).exit_code == 126


@pytest.mark.docker
@pytest.mark.parametrize("attack", ["memory", "connect", "fast-open", "kill", "limits", "left-open", "link"])
def test_the_same_under_docker(driven_docker: Driven, attack: str) -> None:
    """Docker's own filter refuses some attacks already; these are left."""
    test_an_attack_works_alone_and_is_refused_behind_the_launcher(driven_docker, attack)
