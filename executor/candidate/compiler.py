"""The compiler that an agent may use: one session, kept open over all rounds of a task."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from types import TracebackType

from executor.candidate.diagnostics import CandidatePlace, read_root_cause_diagnostics
from executor.candidate.draft_refusals import restore_macros_after_draft, why_draft_is_refused
from executor.candidate.execute import plan_rebuild_after_change, read_unmodified_file, remove_outdated_files
from executor.candidate.precompiled import (
    REFUSED,
    HeaderStore,
    HeaderUnit,
    find_precompilable_unit,
    precompile_and_store_header,
)
from executor.candidate.runner import BUILD_LIMITS, CHECK_LIMITS, TOOL_MISSING
from executor.function.leading_includes import split_leading_includes
from executor.function.sabotage import read_definition_at
from executor.function.splice import splice_function
from executor.repository.build.command_line import detect_compiled_language
from executor.repository.build.graph import bind_step
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from index.errors import InfraError
from index.source_text import encode_source
from index.values import Diagnostic, Span

log = logging.getLogger(__name__)

IMPLICIT = "-Wimplicit-function-declaration"
# A unit that takes longer to parse (LLVM's) isn't compiled for its warnings as well.
_QUICK_S = 1.0
# What a compiler says about itself. Any other line without a place could be a line of a file.
_OF_THE_TOOL = re.compile(r"(?:[\w+.-]*(?:cc1\w*|gcc|g\+\+|clang|cc|c\+\+|collect2|as|ld)[\w+.-]*: )\S")
# After a header's change a hundred commands may run before something links: too many for the answer.
_MOST_STEPS = 5
# Without its quoted lines of source gcc says less in some messages.
_GCC_OUTPUT = ("-fdiagnostics-color=never", "-fdiagnostics-show-option")
_CLANG_OUTPUT = ("-fno-caret-diagnostics", "-fno-color-diagnostics", "-fdiagnostics-show-option")
# These are bugs more often than not, and the unit's own flags may leave them off.
_LIKELY_BUGS = ("-Wreturn-type", "-Wunused-result", "-Wformat", "-Wuninitialized")
_LIKELY_BUGS_C = (
    "-Wimplicit-function-declaration",
    "-Wimplicit-int",
    "-Wincompatible-pointer-types",
    "-Wint-conversion",
)


class SessionCompiler:
    """`check` compiles a draft in its place, with the unit's exact flags; satisfies agent's Compiler.

    A draft is parsed first. If it parses, it is compiled without optimisation, where that is quick, for the warnings
    that need it. If it calls undeclared functions, which C allows, it is linked to learn whether they exist. A context
    manager: the session opens on entry. No test is ever run here. Raises InfraError when the compiler can't be run,
    SandboxError when the sandbox fails.

    With `headers`, the leading includes of a C++ unit whose check is slow are precompiled in the background once a
    draft has failed. Leaving the context waits for that. The messages are the same.
    """

    def __init__(
        self, image: Image, backend: Backend, path: str, span: Span, headers: HeaderStore | None = None
    ) -> None:
        self._image = image
        self._backend = backend
        self._path = path
        self._span = span
        self._original = read_unmodified_file(image, path)
        self._replaced = read_definition_at(self._original, span)
        self._plan = plan_rebuild_after_change(image, path, span)
        self._cpp = detect_compiled_language(self._plan.check.argv) == "c++"
        self._clang: bool | None = None
        # A precompiled header is bound to one root. Without isolation each session has a root of its own.
        self._headers = headers if self._cpp and backend.isolated else None
        self._placed = False
        self._maker: threading.Thread | None = None
        self._stack = ExitStack()
        self._session: Session | None = None

    def __enter__(self) -> SessionCompiler:
        self._session = self._stack.enter_context(self._backend.session(self._image.key))
        # The compiler's error messages could show a file that is included.
        remove_outdated_files(self._session, self._plan.outdated)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = None
        try:
            if self._maker is not None:
                self._maker.join()
        finally:
            self._stack.close()

    def check(self, code: str) -> list[Diagnostic]:
        """The compiler's messages on `code`, errors first; empty when there are none.

        A call of an undeclared function is an error when nothing defines the function, else a warning. A draft that
        would read other files isn't compiled (see `draft_refusals`): an error says so.
        """
        self._require_open_session_and_make_check()
        refused = why_draft_is_refused(code, self._replaced)
        if refused is not None:
            return [Diagnostic("error", refused, self._path, 1, 1, True)]
        return self.check_accepted_draft(code)

    def check_accepted_draft(self, code: str) -> list[Diagnostic]:
        """`check` for a draft that was found to be none that is refused."""
        session, argv, cwd = self._require_open_session_and_make_check()
        lines = encode_source(code).removesuffix(b"\n").count(b"\n") + 1
        around = restore_macros_after_draft(code, self._replaced)
        reads = frozenset(self._plan.check.depends) or None
        place = CandidatePlace(session.root, cwd, self._path, self._span, lines, around.before, around.after, reads)
        spliced = splice_function(self._original, self._span, around.text)
        unit = self._find_precompilable_unit(session, argv, cwd)
        if unit is not None:
            quick = self._check_with_precompiled_header(session, unit, spliced, place, code)
            if quick is not None:
                return quick
        session.write(self._path, spliced)
        done = self._run_compiler(session, argv, cwd)
        found = read_root_cause_diagnostics(done.output, place, code)
        if unit is not None and found and done.exit_code in (0, 1):
            self._start_precompiling_once_if_slow(unit, done.cost_s)
        if done.exit_code != 0:
            explained = any(item.severity == "error" for item in found)
            return found if explained else [self._make_compiler_failure_error(done), *found]
        if not self._clang and done.cost_s < _QUICK_S:
            flow = self._run_compiler(session, turn_syntax_check_into_unoptimised_compile(argv), cwd)
            found = read_root_cause_diagnostics(flow.output, place, code)
            # Errors outside the candidate come from the changed flags.
            found = [item for item in found if item.severity != "error" or item.in_candidate]
        undeclared = [item for item in found if item.option == IMPLICIT and item.in_candidate]
        if undeclared and not any(item.severity == "error" for item in found):
            for call in self._select_calls_linker_cannot_find(session, undeclared):
                message = f"{call.message}; nothing defines it, so nothing links"
                found[found.index(call)] = replace(call, severity="error", message=message)
            found.sort(key=lambda item: item.severity != "error")
        return found

    def place_text(self, path: str, data: bytes) -> None:
        """Put a text into another file of the tree: a draft may change several."""
        session, _, _ = self._require_open_session_and_make_check()
        session.write(path, data)

    def time_first_check_and_precompile_if_slow(self) -> float | None:
        """Check the unmodified file and start making its header where the check is slow. Returns the CPU seconds of
        the check, None where the unit was checked before or no header can be made. For making headers before there is
        any draft. The header is complete when the context is left."""
        session, argv, cwd = self._require_open_session_and_make_check()
        unit = self._find_precompilable_unit(session, argv, cwd)
        if unit is None or self._headers is None or self._headers.is_stored_or_useless(unit.key):
            return None
        session.write(self._path, self._original)
        done = self._run_compiler(session, argv, cwd)
        if done.exit_code == 0 and done.cost_s < self._headers.slow_s:
            self._headers.store_header_or_mark_useless(unit.key, b"")
        elif done.exit_code == 0:
            self._start_precompiling_once_if_slow(unit, done.cost_s)
        return done.cost_s

    def _require_open_session_and_make_check(self) -> tuple[Session, Sequence[str], str]:
        """The session, and the unit's check as (argv, cwd) in it."""
        if self._session is None:
            raise InfraError("the compiler's session isn't open")
        argv, cwd = bind_step(self._plan.check, self._session.root)
        if self._clang is None:
            self._clang = "clang" in self._run_compiler(self._session, (argv[0], "--version"), ".").text.lower()
        return self._session, add_diagnostic_options_to_check(argv, clang=self._clang, cpp=self._cpp), cwd

    def _find_precompilable_unit(self, session: Session, argv: Sequence[str], cwd: str) -> HeaderUnit | None:
        if self._headers is None or self._clang:
            return None
        return find_precompilable_unit(
            self._image.key, session.root, self._path, self._span, self._original, argv, cwd
        )

    def _check_with_precompiled_header(
        self, session: Session, unit: HeaderUnit, spliced: bytes, place: CandidatePlace, code: str
    ) -> list[Diagnostic] | None:
        """Check with the unit's leading includes precompiled. None where that isn't possible or ended oddly."""
        assert self._headers is not None
        leading = split_leading_includes(spliced, self._span)
        if leading is None or leading.text != unit.text:
            return None
        if not self._placed:
            data = self._headers.read_header(unit.key)
            if data is None:
                return None
            session.write(unit.header_path, unit.text)
            session.write(f"{unit.header_path}.gch", data)
            self._placed = True
        session.write(self._path, leading.rest)
        done = self._run_compiler(session, unit.check_arguments_with_header, place.cwd)
        if REFUSED in done.output:
            # Another compiler made it: make it anew.
            self._headers.delete_header_file(unit.key)
            self._placed = False
            return None
        found = read_root_cause_diagnostics(done.output, place, code)
        explained = any(item.severity == "error" and item.in_candidate for item in found)
        return found if done.exit_code == 0 or (done.exit_code == 1 and explained) else None

    def _start_precompiling_once_if_slow(self, unit: HeaderUnit, check_cost_s: float) -> None:
        """Make the header in the background, while the model thinks. One attempt in a session."""
        store = self._headers
        if (
            store is None
            or self._maker is not None
            or check_cost_s < store.slow_s
            or store.is_stored_or_useless(unit.key)
        ):
            return

        def make_header_ignoring_failure() -> None:
            # Without a header the checks are slow, but right.
            with suppress(InfraError, OSError):
                precompile_and_store_header(unit, check_cost_s, self._backend, store)

        self._maker = threading.Thread(target=make_header_ignoring_failure, daemon=True)
        self._maker.start()

    def _run_compiler(self, session: Session, argv: Sequence[str], cwd: str) -> ExecResult:
        done = session.run(Command(tuple(argv), cwd=cwd, limits=CHECK_LIMITS))
        if done.exit_code in TOOL_MISSING:
            raise InfraError(f"{argv[0]} couldn't be run in the image {self._image.key}")
        return done

    def _select_calls_linker_cannot_find(
        self, session: Session, undeclared: Sequence[Diagnostic]
    ) -> Sequence[Diagnostic]:
        """Those whose function the linker doesn't find. All of them when nothing links within a few steps."""
        kinds = [step.kind for step in self._plan.steps[:_MOST_STEPS]]
        if "link" not in kinds:
            return undeclared
        for step in self._plan.steps[: kinds.index("link") + 1]:
            argv, cwd = bind_step(step, session.root)
            done = session.run(Command(argv, cwd=cwd, limits=BUILD_LIMITS))
            if done.exit_code != 0:
                missing = set(re.findall(r"undefined (?:reference to|symbol:) [`']?(\w+)", done.text))
                return [call for call in undeclared if missing.intersection(re.findall(r"\w+", call.message))]
        return ()

    def _make_compiler_failure_error(self, done: ExecResult) -> Diagnostic:
        """A failure without a message that has a place: an endless template, an internal compiler error."""
        if done.timed_out:
            message = f"the compiler didn't finish within {CHECK_LIMITS.wall_s:.0f} s"
        elif done.oom:
            message = "the compiler ran out of memory"
        else:
            last = done.text.strip().rsplit("\n", 1)[-1]
            of_the_tool = _OF_THE_TOOL.match(last) is not None
            message = last[:500] if of_the_tool else f"the compiler ended with status {done.exit_code}"
        return Diagnostic("error", message, self._path, 1, 1, True)


def add_diagnostic_options_to_check(argv: Sequence[str], *, clang: bool, cpp: bool) -> tuple[str, ...]:
    """The syntax check `argv` (see `executor.repository.build.plan.make_syntax_check`) with messages that
    `read_root_cause_diagnostics` reads.

    Where the unit makes every warning an error, none is added: it would fail what the build itself lets pass.
    """
    output = _CLANG_OUTPUT if clang else _GCC_OUTPUT
    if "-Werror" in argv:
        return (*argv, *output)
    # `-w` silences all warnings wherever it stands.
    kept = tuple(word for word in argv if word != "-w")
    return (*kept, *_LIKELY_BUGS, *(() if cpp else _LIKELY_BUGS_C), *output)


def turn_syntax_check_into_unoptimised_compile(syntax_check: Sequence[str]) -> tuple[str, ...]:
    """A check that goes on to code generation without optimisation: only there gcc notices a path without `return`, or
    a variable that is read before it is set."""
    return (*(word for word in syntax_check if word != "-fsyntax-only"), "-O0", "-S", "-o", "/dev/null")


def precompile_includes_of_slow_units(
    image: Image, backend: Backend, places: Iterable[tuple[str, Span]], store: HeaderStore
) -> None:
    """Precompile the includes of the slow C++ units among `places` (path and hole), so that even a unit's first check
    is quick. It costs one check of each unit that wasn't checked before, and three of each slow one. Raises as
    `SessionCompiler` does."""
    if "cpp" not in image.recipe.languages or not backend.isolated:
        return
    for path, span in dict(places).items():
        with SessionCompiler(image, backend, path, span, store) as compiler:
            seconds = compiler.time_first_check_and_precompile_if_slow()
            if seconds is not None and seconds >= store.slow_s:
                log.info(
                    f"{image.recipe.name}: a check of {path} takes {seconds:.1f} CPU-s, precompiling its includes"
                )
