"""Prevents: a package drawn for its tests whose own build never runs them, or goes on when they fail; tests counted
that no build knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.executor.making.drawing import named_tests, runs_tests

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
    assert runs_tests(tmp_path) == runs


def test_without_rules_nothing_runs(tmp_path: Path) -> None:
    assert not runs_tests(tmp_path)


@pytest.mark.parametrize(
    ("files", "count"),
    [
        ({"test/pa_loop.c": "int main(void);"}, 0),
        ({"CMakeLists.txt": "add_test(NAME a COMMAND a)\n  gtest_discover_tests(b)\n# add_test(c)\n"}, 2),
        ({"meson.build": "test('a', a)\nbenchmark('b', b)\n", "sub/meson.build": "test('c', c)\n"}, 2),
        (
            {"t/Makefile.am": "check_PROGRAMS = one two \\\n three # four\nTESTS = $(check_PROGRAMS) $(srcdir)/x.sh\n"
             "TESTS += last.sh\nAM_TESTS_ENVIRONMENT = A=1\n"},
            4,
        ),
        ({"Makefile.am": "TESTS = $(TESTS) a\n"}, 1),
        ({"tests/a.at": "AT_SETUP([one])\nAT_CHECK([x])\nAT_SETUP([two])\n", "Makefile.am": "TESTS = a\n"}, 2),
    ],
)  # fmt: skip
def test_how_many_tests_are_named(tmp_path: Path, files: dict[str, str], count: int) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert named_tests(tmp_path) == count
