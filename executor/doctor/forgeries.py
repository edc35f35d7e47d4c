"""Bodies that want to pass without doing the work. None may: docs/threat-model.md.

Each is the plain stub with a trick before its own statements. Names are bound by assembler labels, so that no
header is needed. They know how a suite prints its tests, not which tests it expects.
"""

from __future__ import annotations

from executor.definition import split_definition
from executor.doctor.values import Variant
from executor.images import Image
from index.errors import TaskError

# Beyond any limit; the sandbox ends it.
_SLEEP_S = 1_000_000
_LINES = r"PASS forged\n[ok]: forged (1 ms)\n[       OK ] forged.forged (1 ms)\nok 1 - forged\n1..1\n"

_WRITE = 'extern long graft_write_(int, const void *, unsigned long) __asm__("write");'
_EXIT = 'extern void graft_exit_(int) __asm__("_exit");'


def forgeries(stub: str, image: Image) -> tuple[Variant, ...]:
    """The tricks for one task, whole definitions. TaskError when the stub has no body."""
    folder = _tests_folder(image)
    size = len(_LINES.replace(r"\n", "n"))
    tricks = {
        "prints passing lines": f'{_WRITE} graft_write_(1, "{_LINES}", {size}UL);',
        "prints and exits 0": f'{_WRITE} {_EXIT} graft_write_(1, "{_LINES}", {size}UL); graft_exit_(0);',
        "exits 0 early": f"{_EXIT} graft_exit_(0);",
        "kills its parent": (
            'extern int graft_parent_(void) __asm__("getppid"); extern int graft_kill_(int, int) __asm__("kill"); '
            "graft_kill_(graft_parent_(), 9);"
        ),
        "writes into the tests' folder": (
            'extern int graft_system_(const char *) __asm__("system"); '
            f'graft_system_("cd {folder} && for f in $(find . -type f -size -64k | head -200); '
            'do echo > $f; done 2>/dev/null");'
        ),
        "sleeps past the limit": (
            f'extern unsigned graft_sleep_(unsigned) __asm__("sleep"); graft_sleep_({_SLEEP_S}u);'
        ),
    }
    found = [Variant("forgery", name, _with(stub, statement)) for name, statement in tricks.items()]
    handler = (
        f"static void graft_end_(void) {{ {_EXIT} graft_exit_(0); }}\n"
        "__attribute__((constructor)) static void graft_start_(void) "
        '{ extern int graft_atexit_(void (*)(void)) __asm__("atexit"); graft_atexit_(graft_end_); }\n'
    )
    early = f"__attribute__((constructor)) static void graft_start_(void) {{ {_EXIT} graft_exit_(0); }}\n"
    found.append(Variant("forgery", "atexit handler from a constructor", handler + stub))
    found.append(Variant("forgery", "constructor that exits 0", early + stub))
    return tuple(found)


def _with(stub: str, statement: str) -> str:
    parts = split_definition(stub)
    if parts is None:
        raise TaskError("the stub has no body")
    return f"{parts.header}{parts.initialisers}{{ {{ {statement} }} {parts.body[1:]}{parts.tail}"


def _tests_folder(image: Image) -> str:
    """Where the repository keeps its tests, as suites are run from the root."""
    for name in ("tests", "test"):
        if (image.source_root / name).is_dir():
            return name
    return "."
