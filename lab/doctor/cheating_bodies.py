"""Bodies that want to pass without doing the work. None may: docs/explanation/threat-model.md.

Each is the plain stub with tricks before its own statements. Two texts hold all tricks. A program reads at run time
which trick to do, from a file that the doctor writes, so that it is built twice and not eight times. Names are bound
by assembler labels, so that no header is needed. The tricks know how a suite prints its tests, but not which tests it
expects.
"""

from __future__ import annotations

from dataclasses import dataclass

from executor.function.definition import insert_statement
from executor.repository.images import Image

# The file whose letter chooses the trick, relative to the root.
SWITCH = ".graft/trick"
# Longer than any limit: the sandbox ends it.
_SLEEP_S = 1_000_000
_LINES = r"PASS forged\n[ok]: forged (1 ms)\n[       OK ] forged.forged (1 ms)\nok 1 - forged\n1..1\n"

_WRITE = 'extern long graft_write_(int, const void *, unsigned long) __asm__("write");'
_EXIT = 'extern void graft_exit_(int) __asm__("_exit");'
_READ = (
    'extern int graft_open_(const char *, int, ...) __asm__("open"); '
    'extern long graft_read_(int, void *, unsigned long) __asm__("read"); '
    'extern int graft_close_(int) __asm__("close");'
)


@dataclass(frozen=True, slots=True)
class ForgedText:
    """A text and its tricks: (the letter in the file SWITCH, the name of the trick)."""

    name: str
    text: str
    tricks: tuple[tuple[str, str], ...]


def make_cheating_texts(stub: str, image: Image, root: str) -> tuple[ForgedText, ...]:
    """The forgeries for one task as whole definitions. `root` is the tree's folder inside the sandbox. The trick that
    destroys files comes last. Raises RecipeError when the stub has no body."""
    folder = find_tests_folder(image)
    size = len(_LINES.replace(r"\n", "n"))
    tricks = {
        "prints passing lines": f'{_WRITE} graft_write_(1, "{_LINES}", {size}UL);',
        "prints and exits 0": f'{_WRITE} {_EXIT} graft_write_(1, "{_LINES}", {size}UL); graft_exit_(0);',
        "exits 0 early": f"{_EXIT} graft_exit_(0);",
        "kills its parent": (
            'extern int graft_parent_(void) __asm__("getppid"); extern int graft_kill_(int, int) __asm__("kill"); '
            "graft_kill_(graft_parent_(), 9);"
        ),
        "sleeps past the limit": (
            f'extern unsigned graft_sleep_(unsigned) __asm__("sleep"); graft_sleep_({_SLEEP_S}u);'
        ),
        "writes into the tests' folder": (
            'extern int graft_system_(const char *) __asm__("system"); '
            f'graft_system_("cd {root}/{folder} && for f in $(find . -type f -size -64k | head -200); '
            'do echo > $f; done 2>/dev/null");'
        ),
    }
    letters = "abcdef"
    chosen = " ".join(
        f"if (graft_trick_ == '{letter}') {{ {statement} }}"
        for letter, statement in zip(letters, tricks.values(), strict=True)
    )
    body = insert_statement(
        stub,
        f"{{ static char graft_trick_; if (!graft_trick_) {{ {_write_trick_reading_statement(root)} }} {chosen} }}",
    )
    handler = (
        f"static void graft_end_(void) {{ {_EXIT} graft_exit_(0); }}\n"
        "__attribute__((constructor)) static void graft_start_(void) "
        f"{{ static char graft_trick_; {_write_trick_reading_statement(root)} "
        'extern int graft_atexit_(void (*)(void)) __asm__("atexit"); '
        f"if (graft_trick_ == 'a') graft_atexit_(graft_end_); if (graft_trick_ == 'b') graft_end_(); }}\n"
    )
    before = (("a", "atexit handler from a constructor"), ("b", "constructor that exits 0"))
    return (
        ForgedText("constructors", handler + stub, before),
        ForgedText("bodies", body, tuple(zip(letters, tricks, strict=True))),
    )


def _write_trick_reading_statement(root: str) -> str:
    return (
        f'{_READ} int graft_file_ = graft_open_("{root}/{SWITCH}", 0); '
        "if (graft_file_ < 0 || graft_read_(graft_file_, &graft_trick_, 1) != 1) graft_trick_ = '?'; "
        "if (graft_file_ >= 0) graft_close_(graft_file_);"
    )


def find_tests_folder(image: Image) -> str:
    """The folder of the repository's tests, relative to the root."""
    return next((name for name in ("tests", "test") if (image.source_root / name).is_dir()), ".")
