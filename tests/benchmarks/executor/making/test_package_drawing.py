"""Prevents: a package drawn for its tests whose own build never runs them, or goes on when they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.executor.making.package_drawing import does_build_run_tests

DH = "%:\n\tdh $@ --parallel\n"


@pytest.mark.parametrize(
    ("rules", "runs"),
    [
        (DH, True),
        (f"{DH}\noverride_dh_auto_test:\n\noverride_dh_auto_install:\n\tmake check\n", False),
        (f"{DH}\noverride_dh_auto_test:\n\t# they need a network\n", False),
        (f"{DH}\noverride_dh_auto_test:\nifeq (,$(X))\n\tLC_ALL=C \\\n\t$(MAKE) check\nendif\n", True),
        (f"{DH}\noverride_dh_auto_test:\n\t-dh_auto_test\n", False),
        (f"{DH}\noverride_dh_auto_test:\n\tdh_auto_test || true\n", False),
        (f"export DEB_BUILD_OPTIONS += nocheck\n{DH}", False),
        ("build:\n\t$(MAKE)\n\t$(MAKE) test\n", True),
        ("build:\n\t$(MAKE)\n", False),
    ],
)
def test_whether_debians_build_runs_the_tests(tmp_path: Path, rules: str, runs: bool) -> None:
    (tmp_path / "rules").write_text(f"#!/usr/bin/make -f\n{rules}")
    assert does_build_run_tests(tmp_path) == runs


def test_without_rules_nothing_runs(tmp_path: Path) -> None:
    assert not does_build_run_tests(tmp_path)
