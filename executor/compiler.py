"""The compiler that an agent may ask: one session kept open over all rounds of a task."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType

from executor.build_graph import bind
from executor.diagnostics import JSON_FLAG, Place, read_diagnostics
from executor.execute import CHECK_LIMITS, TOOL_MISSING, plan_for, read_source
from executor.images import Image
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from executor.splice import encode, splice
from index.errors import InfraError
from index.values import Diagnostic, Span


class SessionCompiler:
    """`check` compiles (syntax only, with the unit's exact flags) a draft in its place; satisfies agent's Compiler.

    A context manager: the session opens on entry. No test is ever run here. Raises InfraError when the compiler
    couldn't be run, SandboxError when the sandbox fails.
    """

    def __init__(self, image: Image, backend: Backend, path: str, span: Span) -> None:
        self._image = image
        self._backend = backend
        self._path = path
        self._span = span
        self._original = read_source(image, path)
        self._step = plan_for(image, path, span).check
        self._stack = ExitStack()
        self._session: Session | None = None

    def __enter__(self) -> SessionCompiler:
        self._session = self._stack.enter_context(self._backend.session(self._image.key))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = None
        self._stack.close()

    def check(self, code: str) -> list[Diagnostic]:
        """The compiler's messages on `code`, errors first; empty when it compiles without a word."""
        if self._session is None:
            raise InfraError("the compiler's session isn't open")
        session = self._session
        session.write(self._path, splice(self._original, self._span, code))
        argv, cwd = bind(self._step, session.root)
        done = session.run(Command((*argv, JSON_FLAG), cwd=cwd, limits=CHECK_LIMITS))
        if done.exit_code in TOOL_MISSING:
            raise InfraError(f"{argv[0]} couldn't be run in the image {self._image.key}")
        lines = encode(code).removesuffix(b"\n").count(b"\n") + 1
        found = read_diagnostics(done.output, Place(session.root, cwd, self._path, self._span, lines))
        if done.exit_code != 0 and not any(one.severity == "error" for one in found):
            return [self._unexplained(done), *found]
        return found

    def _unexplained(self, done: ExecResult) -> Diagnostic:
        """A failure without a message that can be placed: an endless template, an internal compiler error."""
        if done.timed_out:
            message = f"the compiler didn't finish within {CHECK_LIMITS.wall_s:.0f} s"
        elif done.oom:
            message = "the compiler ran out of memory"
        else:
            last = done.output.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
            message = last[:500] or f"the compiler ended with status {done.exit_code}"
        return Diagnostic("error", message, self._path, 1, 1, True)
