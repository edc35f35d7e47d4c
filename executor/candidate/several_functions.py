"""The compiler for a task of several functions: each of their files is checked with all of the draft in place."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType

from executor.candidate.compiler import SessionCompiler
from executor.candidate.draft_refusals import EnclosedDraft, restore_macros_after_draft, why_draft_is_refused
from executor.candidate.execute import read_unmodified_file
from executor.candidate.precompiled import HeaderStore
from executor.function.sabotage import read_definition_at
from executor.function.splice import Edit, apply_edits
from executor.function.stub import make_stub
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from index.function_texts import FunctionPiece, locate_functions
from index.values import Diagnostic, Span, Target


class SeveralCompiler:
    """`check` compiles a joined draft (see `index.function_texts`); satisfies agent's Compiler, and a message's line
    is one of the joined text. A function that the draft lacks is a stub meanwhile, never the gold. Each file has a
    session of its own, in which the lines from its first function to its last are one candidate. A context manager.
    Raises as `SessionCompiler` does."""

    def __init__(self, image: Image, backend: Backend, target: Target, headers: HeaderStore | None = None) -> None:
        self._holes = target.holes
        self._files: dict[str, list[int]] = {}
        for number, hole in enumerate(self._holes):
            self._files.setdefault(hole.path, []).append(number)
        self._originals = {path: read_unmodified_file(image, path) for path in self._files}
        self._golds = [read_definition_at(self._originals[hole.path], hole.span) for hole in self._holes]
        self._stubs = [make_stub(hole, gold) for hole, gold in zip(self._holes, self._golds, strict=True)]
        self._compilers = {
            path: SessionCompiler(image, backend, path, self._find_span_of_holes(path), headers)
            for path in self._files
        }
        self._stack = ExitStack()

    def __enter__(self) -> SeveralCompiler:
        for compiler in self._compilers.values():
            self._stack.enter_context(compiler)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def check(self, code: str) -> list[Diagnostic]:
        """The compiler's messages on all files, errors first."""
        drafted = locate_functions(code, len(self._holes))
        refused = list(self._find_refusals(drafted))
        if refused:
            return refused
        # Each draft's macros end with it: between two drafts, and in the other files, stands text that isn't theirs.
        drafts = [
            restore_macros_after_draft(stub if piece is None else piece.text, gold)
            for piece, stub, gold in zip(drafted, self._stubs, self._golds, strict=True)
        ]
        texts = [draft.text for draft in drafts]
        files = {
            path: apply_edits(self._originals[path], [Edit(path, self._holes[n].span, texts[n]) for n in numbers])
            for path, numbers in self._files.items()
        }
        found: list[Diagnostic] = []
        for path, compiler in self._compilers.items():
            for other, data in files.items():
                if other != path:
                    compiler.place_text(other, data)
            region, starts = self._join_drafts_of_file(path, texts)
            found += (
                placed
                for each in compiler.check_accepted_draft(region)
                if (placed := self._place_diagnostic_in_joined_draft_or_drop(each, path, starts, drafted, drafts))
                is not None
            )
        return sorted(found, key=lambda each: each.severity != "error")

    def _find_refusals(self, drafted: Sequence[FunctionPiece | None]) -> Sequence[Diagnostic]:
        found = []
        for piece, gold, hole in zip(drafted, self._golds, self._holes, strict=True):
            why = None if piece is None else why_draft_is_refused(piece.text, gold)
            if piece is not None and why is not None:
                found.append(Diagnostic("error", why, hole.path, piece.before + 1, 1, True))
        return found

    def _find_span_of_holes(self, path: str) -> Span:
        spans = [self._holes[number].span for number in self._files[path]]
        return Span(min(span.first for span in spans), max(span.last for span in spans))

    def _join_drafts_of_file(self, path: str, texts: Sequence[str]) -> tuple[str, dict[int, int]]:
        """The lines from the file's first function to its last as drafted; how many of them stand before each."""
        original, region = self._originals[path], self._find_span_of_holes(path)
        parts: list[str] = []
        starts: dict[int, int] = {}
        at = region.first
        for number in sorted(self._files[path], key=lambda n: self._holes[n].span.first):
            span = self._holes[number].span
            if at < span.first:
                parts.append(read_definition_at(original, Span(at, span.first - 1)))
            starts[number] = sum(part.count("\n") + 1 for part in parts)
            parts.append(texts[number].removesuffix("\n"))
            at = span.last + 1
        return "\n".join(parts), starts

    def _place_diagnostic_in_joined_draft_or_drop(
        self,
        diagnostic: Diagnostic,
        path: str,
        starts: dict[int, int],
        drafted: Sequence[FunctionPiece | None],
        drafts: Sequence[EnclosedDraft],
    ) -> Diagnostic | None:
        """The message with its line in the joined text. None for one that another file's check gives as well, or that
        is only a warning on what isn't the draft's."""
        if not diagnostic.in_candidate:
            return None if diagnostic.path in self._files and diagnostic.path != path else diagnostic
        for number, start in starts.items():
            draft = drafts[number]
            line = diagnostic.line - start - draft.before
            last = draft.text.removesuffix("\n").count("\n") + 1 - draft.before - draft.after
            piece = drafted[number]
            if 1 <= line <= last and piece is not None:
                return replace(diagnostic, line=piece.before + line)
        if diagnostic.severity == "warning":
            return None
        # Between two functions: a line of the original file, as far as lines before it haven't moved.
        above = [(drafts[n].text, self._holes[n].span) for n, start in starts.items() if start < diagnostic.line]
        grown = sum(text.removesuffix("\n").count("\n") - (span.last - span.first) for text, span in above)
        return replace(
            diagnostic, line=self._find_span_of_holes(path).first + diagnostic.line - 1 - grown, in_candidate=False
        )


def open_compiler(
    image: Image, backend: Backend, target: Target, headers: HeaderStore | None = None
) -> SessionCompiler | SeveralCompiler:
    """The compiler for a task of one function, or of several."""
    if len(target.holes) == 1:
        return SessionCompiler(image, backend, target.path, target.span, headers)
    return SeveralCompiler(image, backend, target, headers)
