"""Bodies that want to pass without doing the work, tried on a task's suites. None may pass:
docs/explanation/threat-model.md.

Each is the plain stub with tricks before its own statements. Two texts hold all tricks. A program reads at run time
which trick to do, from a file that the doctor writes, so that it is built twice and not eight times. Names are bound
by assembler labels, so that no header is needed. The tricks know how a suite prints its tests, but not which tests it
expects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.function.definition import insert_statement_at_body_start
from executor.grading.flags import find_flags
from executor.manifest.health import Fate, Finding
from executor.repository.images import Image
from executor.repository.tamper import list_tree_state
from executor.sandbox.contract import Backend
from executor.threads import map_in_threads
from lab.doctor.body_trial import BodyTrial, BuildPlanner, Effort, write_text_and_open_trial
from lab.doctor.stubs_and_mutants import join_with_stubs_of_other_functions

# The file whose letter chooses the trick, relative to the root.
SWITCH = ".graft/trick"
# Stands for the tree's folder in a text until its session is open.
_ROOT = "@root@"
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


def try_cheating_bodies(
    planner: BuildPlanner,
    backend: Backend,
    stub: str,
    suites: Sequence[str],
    all_suites_in_order: Sequence[str],
    folder: Path,
    effort: Effort,
) -> list[Finding]:
    """The fate of each body that cheats, made of the plain `stub` of the first function. It is killed by one of
    `suites`, by another suite in `all_suites_in_order`, or by the files that it changed; or it survives; or it can't
    be built. Logs lie in `folder`. Raises SandboxError, and TimeOver once the time of `effort` has come."""
    others = [name for name in all_suites_in_order if name not in suites]
    groups = make_cheating_texts(stub, planner.image, _ROOT)
    if effort.at_once > 1:
        # A trick that hangs takes longer than a build.
        groups = tuple(
            replace(group, name=f"{group.name}-{trick[0]}", tricks=(trick,))
            for group in groups
            for trick in group.tricks
        )

    def try_tricks(group: ForgedText) -> list[Finding]:
        # In one session, so that the text is built once.
        with backend.session(planner.image.key) as session:
            text = join_with_stubs_of_other_functions(planner.task, group.text.replace(_ROOT, session.root))
            # One unit is enough for a constructor to run. Built as a candidate is, one in btVector3.h takes 170 units,
            # and the program ends no sooner.
            place = folder / "forgery" / group.name
            trial = write_text_and_open_trial(planner, session, text, place, backend=backend, ends=effort.ends)
            if not all(trial.build_for_suite(suite) for suite in suites):
                return [Finding("forgery", name, Fate.UNBUILT, "", trial.failed) for _, name in group.tricks]
            return [_try_trick(trial, group, letter, name, (suites, others)) for letter, name in group.tricks]

    found = map_in_threads(try_tricks, groups, effort.at_once)
    return [finding for group in found for finding in group]


def _try_trick(
    trial: BodyTrial, group: ForgedText, letter: str, name: str, stages: Sequence[Sequence[str]]
) -> Finding:
    trial.session.write(SWITCH, letter.encode())
    before, ran = list_tree_state(trial.session), list[str]()
    for suites in stages:
        for suite in filter(trial.build_for_suite, suites):
            why = trial.run_suite_and_explain_failure(suite)
            ran.append(suite)
            if why:
                return Finding("forgery", name, Fate.KILLED, suite, why, "", tuple(ran))
        # A candidate runs no further than the suites that judge, and its verdict checks this as well.
        if why := trial.explain_tampering_or_empty(before):
            return Finding("forgery", name, Fate.KILLED, "", why, "", tuple(ran))
    flags = ", ".join(find_flags(group.text))
    return Finding("forgery", name, Fate.SURVIVED, "", f"passed; flagged: {flags}", "", tuple(ran))


def make_cheating_texts(stub: str, image: Image, root: str) -> tuple[ForgedText, ...]:
    """The forgeries for one task as whole definitions. `root` is the tree's folder inside the sandbox. The trick that
    destroys files comes last. Raises RecipeError when the stub has no body."""
    folder = find_tests_folder_or_root(image)
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
    body = insert_statement_at_body_start(
        stub,
        f"{{ static char graft_trick_; if (!graft_trick_) {{ {_write_statement_reading_chosen_trick(root)} }}"
        f" {chosen} }}",
    )
    handler = (
        f"static void graft_end_(void) {{ {_EXIT} graft_exit_(0); }}\n"
        "__attribute__((constructor)) static void graft_start_(void) "
        f"{{ static char graft_trick_; {_write_statement_reading_chosen_trick(root)} "
        'extern int graft_atexit_(void (*)(void)) __asm__("atexit"); '
        f"if (graft_trick_ == 'a') graft_atexit_(graft_end_); if (graft_trick_ == 'b') graft_end_(); }}\n"
    )
    before = (("a", "atexit handler from a constructor"), ("b", "constructor that exits 0"))
    return (
        ForgedText("constructors", handler + stub, before),
        ForgedText("bodies", body, tuple(zip(letters, tricks, strict=True))),
    )


def _write_statement_reading_chosen_trick(root: str) -> str:
    return (
        f'{_READ} int graft_file_ = graft_open_("{root}/{SWITCH}", 0); '
        "if (graft_file_ < 0 || graft_read_(graft_file_, &graft_trick_, 1) != 1) graft_trick_ = '?'; "
        "if (graft_file_ >= 0) graft_close_(graft_file_);"
    )


def find_tests_folder_or_root(image: Image) -> str:
    """The folder of the repository's tests, relative to the root."""
    return next((name for name in ("tests", "test") if (image.source_root / name).is_dir()), ".")
