"""The compiler that an agent may ask: one session kept open over all rounds of a task."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from types import TracebackType

from executor.build.command_line import language_of
from executor.build.graph import BuildStep, bind
from executor.candidate.check_flags import Dialect, check_argv, dialect_of, flow_argv
from executor.candidate.diagnostics import Place, read_diagnostics
from executor.candidate.execute import (
    BUILD_LIMITS,
    CHECK_LIMITS,
    TOOL_MISSING,
    plan_for,
    read_source,
    remove_outdated,
)
from executor.candidate.precompiled import REFUSED, HeaderStore, Unit, make, place, unit_of
from executor.function.leading_includes import split_leading
from executor.function.splice import encode, splice
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from index.errors import InfraError
from index.values import Diagnostic, Span

log = logging.getLogger(__name__)

IMPLICIT = "-Wimplicit-function-declaration"
# A unit that takes longer to parse (LLVM's) isn't compiled for its warnings as well.
_QUICK_S = 1.0
# A header's change may call for a hundred commands before something links; the answer then isn't worth them.
_MOST_STEPS = 5


class SessionCompiler:
    """`check` compiles a draft in its place, with the unit's exact flags; satisfies agent's Compiler.

    Parsed first; a draft that parses is, where that is quick, compiled without optimisation for the warnings that
    need it; one that calls undeclared functions, which C lets pass, is linked to learn whether they exist.
    A context manager: the session opens on entry. No test is ever run here. Raises InfraError when the compiler
    couldn't be run, SandboxError when the sandbox fails.

    With `headers` a C++ unit whose check is slow gets its leading includes precompiled, beside the checks, once a
    draft has to come back; leaving waits for that. The messages are the same.
    """

    def __init__(
        self, image: Image, backend: Backend, path: str, span: Span, headers: HeaderStore | None = None
    ) -> None:
        self._image = image
        self._backend = backend
        self._path = path
        self._span = span
        self._original = read_source(image, path)
        self._plan = plan_for(image, path, span)
        self._cpp = language_of(self._plan.check.argv) == "c++"
        self._dialect: Dialect | None = None
        # Where nothing is isolated each session has a root of its own, and a header is bound to one.
        self._headers = headers if self._cpp and backend.isolated else None
        self._placed = False
        self._maker: threading.Thread | None = None
        self._stack = ExitStack()
        self._session: Session | None = None

    def __enter__(self) -> SessionCompiler:
        self._session = self._stack.enter_context(self._backend.session(self._image.key))
        # An error message could show what is included.
        remove_outdated(self._session, self._plan.outdated)
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
        """The compiler's messages on `code`, errors first; empty when it compiles without a word.

        A call of a function that is declared nowhere is an error when nothing defines it either, else a warning.
        """
        session, argv, cwd = self._ready()
        lines = encode(code).removesuffix(b"\n").count(b"\n") + 1
        spot = Place(session.root, cwd, self._path, self._span, lines)
        spliced = splice(self._original, self._span, code)
        unit = self._unit(session, argv, cwd)
        if unit is not None:
            quick = self._by_header(session, unit, spliced, spot, code)
            if quick is not None:
                return quick
        session.write(self._path, spliced)
        done = self._run(session, argv, cwd)
        found = read_diagnostics(done.output, spot, code)
        seconds = done.cost_s
        if unit is not None and found and done.exit_code in (0, 1):
            self._begin_header(unit, seconds)
        if done.exit_code != 0:
            broken = any(one.severity == "error" for one in found)
            return found if broken else [self._unexplained(done), *found]
        if self._dialect != "clang" and seconds < _QUICK_S:
            flow = read_diagnostics(self._run(session, flow_argv(argv), cwd).output, spot, code)
            # Its errors elsewhere are of the flags that were changed.
            found = [one for one in flow if one.severity != "error" or one.in_candidate]
        undeclared = tuple(one for one in found if one.option == IMPLICIT and one.in_candidate)
        if undeclared and not any(one.severity == "error" for one in found):
            undefined = self._undefined(session, undeclared)
            found = [_undefined_error(one) if one in undefined else one for one in found]
            found.sort(key=lambda one: one.severity != "error")
        return found

    def prepare(self) -> float:
        """Check the unmodified file, and have its header made where that is slow: CPU seconds of the check, 0.0
        where the unit was looked at before or no header can be made. For those who make headers before any draft
        is there; the header is whole when the session is left."""
        session, argv, cwd = self._ready()
        unit = self._unit(session, argv, cwd)
        if unit is None or self._headers is None or self._headers.known(unit.key):
            return 0.0
        session.write(self._path, self._original)
        done = self._run(session, argv, cwd)
        seconds = done.cost_s
        if done.exit_code == 0 and seconds < self._headers.slow_s:
            self._headers.keep(unit.key, b"")
        elif done.exit_code == 0:
            self._begin_header(unit, seconds)
        return seconds

    def _ready(self) -> tuple[Session, Sequence[str], str]:
        """The session, and the unit's check as (argv, cwd) in it."""
        if self._session is None:
            raise InfraError("the compiler's session isn't open")
        argv, cwd = bind(self._plan.check, self._session.root)
        return self._session, check_argv(argv, self._speaks(self._session, argv[0]), cpp=self._cpp), cwd

    def _unit(self, session: Session, argv: Sequence[str], cwd: str) -> Unit | None:
        if self._headers is None or self._dialect == "clang":
            return None
        return unit_of(self._image.key, session.root, self._path, self._span, self._original, argv, cwd)

    def _by_header(
        self, session: Session, unit: Unit, spliced: bytes, spot: Place, code: str
    ) -> list[Diagnostic] | None:
        """The check with the unit's leading includes precompiled; None where it wasn't to be had or was odd."""
        assert self._headers is not None
        leading = split_leading(spliced, self._span)
        if leading is None or leading.text != unit.text:
            return None
        if not self._placed:
            data = self._headers.read(unit.key)
            if data is None:
                return None
            place(unit, data, session)
            self._placed = True
        session.write(self._path, leading.rest)
        done = self._run(session, unit.checking, spot.cwd)
        if REFUSED in done.output:
            # Another compiler than it was made by: it is made anew.
            self._headers.drop(unit.key)
            self._placed = False
            return None
        found = read_diagnostics(done.output, spot, code)
        if done.exit_code == 0 or (done.exit_code == 1 and any(_own_error(one) for one in found)):
            return found
        return None

    def _begin_header(self, unit: Unit, seconds: float) -> None:
        """Beside the checks, since a model thinks meanwhile; one attempt a session."""
        store = self._headers
        if store is None or self._maker is not None or seconds < store.slow_s or store.known(unit.key):
            return

        def work() -> None:
            # Without a header the checks are slow, no more.
            with suppress(InfraError, OSError):
                make(unit, self._span, self._original, seconds, self._backend, store)

        self._maker = threading.Thread(target=work, daemon=True)
        self._maker.start()

    def _speaks(self, session: Session, tool: str) -> Dialect:
        if self._dialect is None:
            self._dialect = dialect_of(self._run(session, (tool, "--version"), ".").output.decode("utf-8", "replace"))
        return self._dialect

    def _run(self, session: Session, argv: Sequence[str], cwd: str) -> ExecResult:
        done = session.run(Command(tuple(argv), cwd=cwd, limits=CHECK_LIMITS))
        if done.exit_code in TOOL_MISSING:
            raise InfraError(f"{argv[0]} couldn't be run in the image {self._image.key}")
        return done

    def _undefined(self, session: Session, undeclared: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """Those whose function the linker doesn't find; all of them when that can't be learnt quickly."""
        steps = _until_linked(self._plan.steps)
        if not steps:
            return undeclared
        for step in steps:
            argv, cwd = bind(step, session.root)
            done = session.run(Command(argv, cwd=cwd, limits=BUILD_LIMITS))
            if done.exit_code != 0:
                missing = set(re.findall(r"undefined (?:reference to|symbol:) [`']?(\w+)", _text(done)))
                return [one for one in undeclared if missing.intersection(re.findall(r"\w+", one.message))]
        return ()

    def _unexplained(self, done: ExecResult) -> Diagnostic:
        """A failure without a message that can be placed: an endless template, an internal compiler error."""
        if done.timed_out:
            message = f"the compiler didn't finish within {CHECK_LIMITS.wall_s:.0f} s"
        elif done.oom:
            message = "the compiler ran out of memory"
        else:
            last = _text(done).strip().rsplit("\n", 1)[-1]
            message = last[:500] or f"the compiler ended with status {done.exit_code}"
        return Diagnostic("error", message, self._path, 1, 1, True)


def prepare_headers(image: Image, backend: Backend, places: Iterable[tuple[str, Span]], store: HeaderStore) -> None:
    """Precompile what the slow C++ units among these (path, hole) include, so that even a unit's first check is
    quick: a check for each unit that wasn't looked at before, and what three take where it is slow. Raises as
    `SessionCompiler` does."""
    if "cpp" not in image.recipe.languages or not backend.isolated:
        return
    for path, span in dict(places).items():
        with SessionCompiler(image, backend, path, span, store) as compiler:
            seconds = compiler.prepare()
            if seconds >= store.slow_s:
                log.info(
                    f"{image.recipe.name}: a check of {path} takes {seconds:.1f} CPU-s, precompiling its includes"
                )


def _until_linked(steps: Sequence[BuildStep]) -> Sequence[BuildStep]:
    """The commands up to the first link; none when they are too many, or none links."""
    for number, step in enumerate(steps, start=1):
        if step.kind == "link":
            return steps[:number] if number <= _MOST_STEPS else ()
    return ()


def _own_error(one: Diagnostic) -> bool:
    return one.severity == "error" and one.in_candidate


def _undefined_error(one: Diagnostic) -> Diagnostic:
    return replace(one, severity="error", message=f"{one.message}; nothing defines it, so nothing links")


def _text(done: ExecResult) -> str:
    return done.output.decode("utf-8", "replace")
