# ruff: noqa: E501 - a table
"""The choice of a sandbox. Prevents: an untrusted candidate in `process` because nothing better was there, and a
traceback where one line should say what to install."""

from __future__ import annotations

import os

import pytest

from executor.sandbox.base import base_rootfs_path
from executor.sandbox.bwrap.backend import open_bwrap_and_remove_leftovers
from executor.sandbox.choose import choose_backend, list_auto_and_built_in_sandboxes, open_unscheduled_backend
from executor.sandbox.docker.backend import open_docker_and_remove_leftovers
from index.errors import ConfigError, SandboxError


@pytest.fixture
def no_engine(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")


def test_an_unknown_name_is_told_the_nearest(tmp_path):
    with pytest.raises(ConfigError, match=r"'dokcer'.*'docker'"):
        open_unscheduled_backend("dokcer", tmp_path)
    with pytest.raises(ConfigError, match=", ".join(list_auto_and_built_in_sandboxes())):
        open_unscheduled_backend("xyz", tmp_path)


def test_process_is_taken_only_when_asked_for_and_bwrap_has_a_base_where_its_folder_is(
    tmp_path, no_engine, monkeypatch
):
    backend = open_bwrap_and_remove_leftovers(tmp_path)
    assert not backend.has_base()
    base_rootfs_path(tmp_path, "bookworm").mkdir(parents=True)
    assert backend.has_base()
    assert choose_backend("process", tmp_path).backend.name == "process"
    monkeypatch.setattr("executor.sandbox.bwrap.backend.BwrapBackend.problem", lambda _: "bwrap isn't installed")
    with pytest.raises(ConfigError, match=r"docker: .*bwrap: bwrap isn't installed"):
        choose_backend("auto", tmp_path)


@pytest.mark.bwrap
def test_auto_falls_back_to_bwrap_and_says_why(tmp_path, no_engine):
    try:
        choice = choose_backend("auto", tmp_path)
    except ConfigError as error:
        if os.environ.get("GRAFT_CI") == "1":
            raise
        pytest.skip(str(error))
    assert choice.backend.name == "bwrap"
    assert "no docker" in choice.reason


@pytest.mark.parametrize(
    ("usable", "based", "chosen", "reason"),
    [
        ("docker bwrap", "docker bwrap", "docker", "docker: it works here and has a base"),
        ("docker bwrap", "bwrap", "bwrap", "no docker (it works, but has no base yet: `graft images base --sandbox docker` makes one)"),
        ("docker bwrap", "docker", "docker", "docker: it works here and has a base"),
        ("docker bwrap", "", "docker", "no bwrap (it works, but has no base yet"),
        ("docker", "", "docker", "no bwrap (broken); it works, but has no base yet"),
        ("bwrap", "", "bwrap", "no docker (broken); it works, but has no base yet"),
        ("bwrap", "bwrap", "bwrap", "bwrap: no docker (broken)"),
        ("docker", "docker", "docker", "docker: it works here and has a base"),
        ("bwrap", "docker bwrap", "bwrap", "bwrap: no docker (broken)"),
        ("docker", "bwrap", "docker", "no bwrap (broken)"),
    ],
)  # fmt: skip
def test_auto_takes_the_first_that_a_run_can_start_in(tmp_path, monkeypatch, usable, based, chosen, reason):
    for name, backend in {"docker": "docker.backend.DockerBackend", "bwrap": "bwrap.backend.BwrapBackend"}.items():
        problem = None if name in usable.split() else "broken"
        monkeypatch.setattr(f"executor.sandbox.{backend}.problem", lambda _, problem=problem: problem)
        monkeypatch.setattr(f"executor.sandbox.{backend}.has_base", lambda _, name=name: name in based.split())
    choice = choose_backend("auto", tmp_path)
    assert choice.backend.name == chosen
    assert reason in choice.reason


def test_an_absent_engine_is_one_line(tmp_path, no_engine):
    with pytest.raises(ConfigError, match="is the engine running") as raised:
        open_unscheduled_backend("docker", tmp_path)
    assert "\n" not in str(raised.value)
    backend = open_docker_and_remove_leftovers(tmp_path)
    for call in (backend.images, backend.session("key").__enter__, backend.builder(None).__enter__):
        with pytest.raises(SandboxError):
            call()
