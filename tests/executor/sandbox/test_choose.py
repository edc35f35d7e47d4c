# ruff: noqa: E501 - a table
"""The choice of a sandbox. Prevents: an untrusted candidate in `process` because nothing better was there, a traceback
where one line should say what to install, and a name or an engine that is spelt out outside `executor.sandbox.choose`,
so that a sandbox of one's own would need a change in five places."""

from __future__ import annotations

import os

import pytest

from executor.repository.images import own_base_name
from executor.repository.recipe import Base
from executor.sandbox import choose
from executor.sandbox.base import base_rootfs_path
from executor.sandbox.bwrap.backend import open_bwrap_and_remove_leftovers
from executor.sandbox.choose import choose_backend, list_auto_and_built_in_sandboxes, open_unscheduled_backend
from executor.sandbox.contract import Command
from executor.sandbox.docker.backend import open_docker_and_remove_leftovers
from experiments.run.config import RunConfig, override_config
from index.errors import ConfigError, SandboxError
from tests.executor.sandbox.conftest import SOURCE, Place

# The contract's cheap promises, kept in the `place` below.
from tests.executor.sandbox.test_conformance import (  # noqa: F401
    test_a_replaced_file_keeps_its_mode_and_belongs_to_the_commands_user,
    test_an_image_is_whole_or_not_there,
    test_cwd_and_env_reach_the_command,
    test_files_go_in_and_out,
    test_stderr_is_merged_in_the_order_written,
    test_stdin_is_given_whole_and_may_be_ignored,
)


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


# Stands for the engine: runs the command on the host, in the folder and with the variables that it is given.
FAKE_PODMAN = """\
#!/bin/sh
for word; do
  case $word in
    --env=*) export "${word#--env=}" ;;
    --workdir=*) folder=${word#--workdir=} ;;
    localhost/*) shift; break ;;
  esac
  shift
done
cd "$folder" || exit 126
exec /usr/bin/env "$@"
"""


@pytest.fixture
def podman(tmp_path, monkeypatch):
    """The example's backend, registered by its one line, over an engine that stands for Podman."""
    program = tmp_path / "bin" / "podman"
    program.parent.mkdir()
    program.write_text(FAKE_PODMAN)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setitem(choose._BUILT_IN, "podman", "tests.executor.sandbox.podman:open_podman")
    return open_unscheduled_backend("podman", tmp_path / "cache")


@pytest.fixture
def place(podman, tmp_path):
    with podman.builder(None) as builder:
        builder.put_tree(SOURCE)
        builder.write("kept.txt", b"kept\n")
        assert builder.run(Command(["gcc", "-o", "attack", "attack.c"])).ok
        builder.commit("own", {})
    return Place(podman, None, "own", tmp_path / "cache")


def test_its_name_is_known_wherever_a_user_may_give_one(podman):
    config = RunConfig(model="gold")
    assert override_config(config, ["sandbox=podman"]).sandbox == "podman"
    with pytest.raises(ConfigError, match=r"did you mean 'podman'"):
        override_config(config, ["sandbox=podmann"])


def test_auto_takes_it_when_no_other_can_be_used(podman, no_engine, tmp_path, monkeypatch):
    monkeypatch.setattr("executor.sandbox.bwrap.backend.BwrapBackend.problem", lambda _: "bwrap isn't installed")
    choice = choose_backend("auto", tmp_path / "cache")
    assert choice.backend.name == "podman"
    assert "no bwrap (bwrap isn't installed)" in choice.reason


def test_a_recipes_own_base_has_its_name_in_the_sandbox(podman, tiny_recipe):
    recipe = tiny_recipe.model_copy(update={"base": Base(suite="trixie")})
    assert recipe.base is not None
    assert own_base_name(recipe, podman) == f"localhost/graft-base:{recipe.base.name}"
