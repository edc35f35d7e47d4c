"""Prevents: a --help that takes seconds to appear."""

from __future__ import annotations

import os
import subprocess
import sys


def test_help_takes_less_than_half_a_cpu_second() -> None:
    spent = []
    for _ in range(3):  # the first may have to write byte code
        words = [sys.executable, "-c", "from lab.cli.app import main; main()", "--help"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        spent.append(usage.ru_utime + usage.ru_stime)
    assert min(spent) < 0.5
