"""Prevents: tests of automake that are started without their runner, or with a wrong variable, and so are left out;
groups of Autotest that nobody sees."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from executor.repository.recipe import RecipeSource
from executor.sandbox.contract import Command, ExecResult
from lab.making.settings import BuildSettings, MakeSettings
from lab.making.suites.exit_library import wrap_command_with_exit_library, write_library_build_command
from lab.making.suites.list_tests import list_tests_and_summarize


@dataclass
class Tree:
    """Runs the lister's commands in a folder."""

    root: str

    def run(self, command: Command) -> ExecResult:
        done = subprocess.run(command.argv, cwd=Path(self.root, command.cwd), capture_output=True)
        return ExecResult(done.returncode, done.stdout, False, False, 0.0)


SETTINGS = MakeSettings(
    name="x",
    languages=("c",),
    source=RecipeSource(directory="/x"),
    build=BuildSettings(system="autotools", commands=("make",)),
)
_RUN = '#!/bin/sh\ntest "$MODE" = fast || exit 77\necho "runs $1"\n'


@pytest.mark.parametrize(
    ("environment", "printed"),
    [
        ("MODE=fast $(srcdir)/run", "runs ./space"),
        ('MODE=fast "$(CURDIR)/run"', "runs ./space"),
        ("MODE=fast; export MODE;", ""),
    ],
)
def test_what_starts_automakes_tests_is_kept(tmp_path: Path, environment: str, printed: str) -> None:
    (tmp_path / ".graft").mkdir()
    (tmp_path / "Makefile").write_text(
        f"srcdir = .\nTESTS = space{'' if printed else '.sh'}\nTESTS_ENVIRONMENT = {environment}\ncheck-TESTS:\n"
    )
    for name, text in {"run": _RUN, "space.sh": '#!/bin/sh\necho "mode $MODE"\n'}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (test,), _ = list_tests_and_summarize(SETTINGS, Tree(str(tmp_path)))  # type: ignore[arg-type]
    assert test.name == "space"
    subprocess.run(["sh", "-c", write_library_build_command()], cwd=tmp_path, check=True)
    done = subprocess.run(
        wrap_command_with_exit_library(test.cwd, test.argv, test.shell), cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.startswith(printed or "mode fast"), done


# As autom4te writes it: the head, and the two ways in which it is asked.
_TESTSUITE = """\
#! /bin/sh
# Generated from testsuite.at by GNU Autoconf 2.71.
case $1 in
--list) cat <<'END'
GNU toy 1.0 test suite test groups:

 NUM: FILE-NAME:LINE     TEST-GROUP-NAME
      KEYWORDS

   1: lex.at:32          quoted string
      lex
  12: legacy/env.at:5    env: unset
      legacy
END
;;
*) echo "$1: ok" ;;
esac
"""


def test_the_groups_of_autotest_are_tests(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "testsuite").write_text(_TESTSUITE)
    (tmp_path / "testsuite").write_text("#!/bin/sh\necho another program of this name\n")
    found, _ = list_tests_and_summarize(SETTINGS, Tree(str(tmp_path)))  # type: ignore[arg-type]
    assert [(test.name, test.cwd) for test in found] == [
        ("tests-1-quoted-string", "tests"),
        ("tests-12-env-unset", "tests"),
    ]
    done = subprocess.run(found[1].argv, cwd=tmp_path / "tests", capture_output=True, text=True)
    assert done.stdout == "12: ok\n"
