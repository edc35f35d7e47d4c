"""A sandbox of one's own is one file and one line. Prevents: a name or an engine that is spelt out outside
`executor.sandbox.choose`, so that a third sandbox would need a change in five places."""

from __future__ import annotations

import pytest

from executor.repository.images import own_base_name
from executor.repository.recipe import Base
from executor.sandbox import choose
from executor.sandbox.contract import Command
from experiments.run.config import RunConfig, override_config
from index.errors import ConfigError
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
    return choose.open_unscheduled_backend("podman", tmp_path / "cache")


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


def test_auto_takes_it_when_no_other_can_be_used(podman, tmp_path, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")
    monkeypatch.setattr("executor.sandbox.bwrap.backend.BwrapBackend.problem", lambda _: "bwrap isn't installed")
    choice = choose.choose_backend("auto", tmp_path / "cache")
    assert choice.backend.name == "podman"
    assert "no bwrap (bwrap isn't installed)" in choice.reason


def test_a_recipes_own_base_has_its_name_in_the_sandbox(podman, tiny_recipe):
    recipe = tiny_recipe.model_copy(update={"base": Base(suite="trixie")})
    assert recipe.base is not None
    assert own_base_name(recipe, podman) == f"localhost/graft-base:{recipe.base.name}"
