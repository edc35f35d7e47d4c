"""A library for LD_PRELOAD by which a test program says that it came to its end, and with which status.

Many a test program prints nothing when all is well, so that a function body which ends the process would pass. With
the library in place the program prints one more line, `graft: NAME returned 0` or `graft: NAME exited 0`, and that
line counts as a test. So does the line of the process that the suite starts, a script's shell for instance. A program
whose output a script keeps stays silent: the line would be a part of what is compared.
"""

from __future__ import annotations

from pathlib import Path

from executor.repository.build.graph import GRAFT_FOLDER

LIBRARY = f"{GRAFT_FOLDER}/ended.so"
# The first process speaks, and programs below the tree that print to where it prints; a forked child doesn't. A shell
# ends by _exit, as a body may that cheats, so that _exit counts outside the tree alone.
_SOURCE = Path(__file__).with_name("exit_library.c")


def write_exit_library_build_command() -> str:
    source = _SOURCE.read_text(encoding="ascii")
    return f"gcc -shared -fPIC -O1 -w -x c -o {LIBRARY} - <<'GRAFT_END'\n{source}GRAFT_END"


def wrap_command_with_exit_library(cwd: str, argv: tuple[str, ...], shell: str = "") -> tuple[str, ...]:
    """The command, started from the folder `cwd` relative to the root, with the library in place. `shell`: words of a
    shell to go first, as variables that the test needs."""
    up = "../" * (0 if cwd in ("", ".") else cwd.strip("/").count("/") + 1)
    given = f'LD_PRELOAD="$(cd "./{up}" && pwd)/{LIBRARY}"'
    line = f'{shell}\nexport {given}; exec "$@"' if shell else f'{given} exec "$@"'
    return ("sh", "-c", line, "sh", *argv)
