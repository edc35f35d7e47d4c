"""Prevents: a command that passes over a body that doesn't compile, or judges by a manifest of another image."""

from __future__ import annotations

import re
from dataclasses import replace
from unittest.mock import Mock

import pytest
import yaml

from executor.manifest.health import Fate
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import BUILT_IN
from lab.doctor import data_set_examination
from lab.doctor.manifest import update_health_by_plus_tests_and_save

# Slow: each wrong body is built and judged.
pytestmark = pytest.mark.slow

ONE = ("--dataset", "example", "--repos", "example", "--tasks", "money-quotient")
BODIES = """\
money-quotient:
  - kind: missing-check
    why: A half goes to the even neighbour, and this cuts it off.
    edits: [{old: "quotient += sign", new: "quotient += sgn"}]
"""


def test_own_bodies_compile_and_a_bad_one_is_named(graft, used_cache, tmp_path):
    code, out, _ = graft("audit", "wrong", "check", *ONE, "--sandbox", "process")
    assert code == 0, out
    assert out.startswith("example: ")
    (tmp_path / "example.yaml").write_text(BODIES)
    code, out, _ = graft("audit", "wrong", "check", *ONE, "--sandbox", "process", "--bodies", tmp_path)
    assert code == 1
    assert "money-quotient money_quotient: 1 bodies; write 5, and at least 3" in out
    assert "body 1 (missing-check): doesn't compile: " in out
    # The shipped manifest knows these fates already: the folder's own was then never written.
    for unknown in (False, True):
        code, out, _ = graft("audit", "wrong", "judge", *ONE, "--sandbox", "process", "--out", tmp_path)
        assert code == 0
        assert out.splitlines()[1].split()[:2] == ["money-quotient", "money_quotient"]
        kept = load_manifest(tmp_path / "example.json")
        assert kept is not None and kept.wrong["money-quotient"].bodies
        if not unknown:
            update_health_by_plus_tests_and_save(tmp_path / "example.json", replace(kept, wrong={}))
    assert set(kept.wrong) == {"money-quotient"}
    manifest = (tmp_path / "example.json").read_text()
    (tmp_path / "example.json").write_text(re.sub(r'"image": *"', '"image":"other-', manifest))
    code, _, err = graft("audit", "wrong", "judge", *ONE, "--sandbox", "process", "--out", tmp_path)
    assert code == 2
    assert "run graft doctor first" in err


@pytest.mark.parametrize("command", ["check", "judge"])
def test_a_bad_file_is_named_before_an_image_is_built(graft, tmp_path, monkeypatch, command):
    """Prevents: minutes of a build, and then a line about a misspelt kind."""
    monkeypatch.setattr(data_set_examination, "build_image", Mock(side_effect=AssertionError))
    bodies = ("audit", "wrong", command, *ONE, "--sandbox", "process", "--bodies", tmp_path)
    code, _, err = graft(*bodies)
    assert (code, "example.yaml: no such file" in err) == (2, True)
    (tmp_path / "example.yaml").write_text(BODIES.replace("missing-check", "mising-check"))
    code, _, err = graft(*bodies)
    assert code == 2
    assert "example.yaml: money-quotient: body 1: kind: " in err


def test_what_the_manifest_keeps_is_shown(graft, tmp_path):
    code, out, _ = graft("audit", "wrong", "show", "--dataset", "example", "--repos", "example")
    assert code == 0
    assert "kinds that pass" in out
    code, _, err = graft("audit", "wrong", "show", "--dataset", "example", "--repos", "example", "--out", tmp_path)
    assert code == 2
    assert "no manifest at" in err


def test_a_body_of_two_functions_is_compiled_and_judged(graft, used_cache, tmp_path):
    """Tasks of several functions had no bodies: the command refused them, and knew the tasks of one data set alone."""
    pair = ("--dataset", "example-pairs", "--repos", "example", "--tasks", "hold-and-workdays", "--sandbox", "process")
    # One is wrong in the first function, the other in the second.
    two = yaml.safe_load((BUILT_IN / "example" / "wrong.yaml").read_text())["hold-and-workdays"][1:3]
    (tmp_path / "example.yaml").write_text(yaml.safe_dump({"hold-and-workdays": two}))
    code, out, _ = graft("audit", "wrong", "check", *pair, "--bodies", tmp_path)
    assert (code, "2 bodies; write 5, and at least 3" in out, "compile" in out) == (1, True, False)
    known = load_manifest(BUILT_IN / "example" / "manifest.json")
    update_health_by_plus_tests_and_save(tmp_path / "example.json", replace(known, wrong={}))
    assert graft("audit", "wrong", "judge", *pair, "--bodies", tmp_path, "--out", tmp_path)[0] == 0
    kept = load_manifest(tmp_path / "example.json")
    bodies = kept.wrong["hold-and-workdays"].bodies
    assert {body.fate for body in bodies} == {Fate.KILLED}
    assert bodies == known.wrong["hold-and-workdays"].bodies[1:3]
