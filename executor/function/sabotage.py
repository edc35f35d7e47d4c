"""Breaks a function on purpose: the text of a sabotage is made anew from the repository's own, by the change's name.

A change is named as what it comes from: `one`, `zero`, `minus-one` and `first-argument` let the function return at
once with that value; any other name is a mutant's (see executor.function.mutants). A task's own function breaks by
another change (see executor.function.call_limited_text).
"""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass

from executor.function.definition import insert_statement_at_body_start, split_definition
from executor.function.mutants import Mutant, make_mutants
from executor.function.stub import make_trivial_definitions
from executor.values import Sabotage
from index.errors import TaskError
from index.source_text import BOM, decode_source, encode_source
from index.values import Language, Span, Target

_ALWAYS = " if (1) "
RETURNS = ("one", "minus-one", "zero", "first-argument")


def read_definition_at(data: bytes, span: Span) -> str:
    """The text of these lines of the file, without the last line's ending."""
    lines = data.removeprefix(BOM).split(b"\n")[span.first - 1 : span.last]
    return decode_source(b"\n".join(lines)).removesuffix("\r")


def digest_definition(definition: str) -> str:
    """Names an unmodified definition."""
    return hashlib.sha256(encode_source(definition)).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Change:
    """One way to break a function: `text` is the whole definition. `mutant` is None for an early return."""

    name: str
    text: str
    mutant: Mutant | None = None


def list_sabotage_changes_latest_first(definition: str, target: Target, most_mutants: int) -> list[Change]:
    """The changes of a function, at most `most_mutants` of them mutants. What comes late in the body comes first: more
    has been done by then. Early returns and dropped calls come last."""
    try:
        bodies = make_trivial_definitions(target, definition)
    except TaskError:
        bodies = {}
    faults = sorted(
        make_mutants(definition, target.language, most_mutants),
        key=lambda m: (m.operator.startswith("drop"), -m.line, m.text),
    )
    early = [
        Change(name, text)
        for name in RETURNS
        if (text := _insert_early_return_of_stub_or_empty(definition, bodies.get(name, "")))
    ]
    return [*(Change(mutant.name, mutant.text, mutant) for mutant in faults), *early]


def make_change_conditional(definition: str, change: Change, condition: str) -> str:
    """A definition that is changed while `condition` holds, at the very expression where it can be told."""
    if change.mutant is None:
        # The body stands in it once: a label can't stand there twice.
        parts = split_definition(definition)
        at = 0 if parts is None else len(parts.header) + len(parts.initialisers)
        return change.text[:at] + change.text[at:].replace(_ALWAYS, f" if ({condition}) ", 1)
    source = encode_source(definition)
    first, last = change.mutant.place
    old, new = (decode_source(text) for text in (source[first:last], change.mutant.new))
    if change.mutant.operator.startswith("drop"):
        choice = f"{{ if (!({condition})) {{ {old} }} }}"
    else:
        choice = f"(({condition}) ? {new} : {old})"
    return decode_source(source[:first] + encode_source(choice) + source[last:])


def make_sabotaged_definition(data: bytes, sabotage: Sabotage, language: Language) -> str:
    """The broken definition, made from the file's unmodified bytes. Raises TaskError when the function isn't the one
    that the sabotage was found for."""
    span = Span(sabotage.first, sabotage.last)
    definition = read_definition_at(data, span)
    if digest_definition(definition) != sabotage.digest:
        raise TaskError(f"{sabotage.path}:{sabotage.first}: {sabotage.function} isn't the text that was examined")
    target = make_target_at(sabotage.path, span, sabotage.function, language)
    for change in list_sabotage_changes_latest_first(definition, target, sys.maxsize):
        if change.name == sabotage.change:
            return change.text
    raise TaskError(f"{sabotage.path}:{sabotage.first}: {sabotage.function} has no change {sabotage.change}")


def make_target_at(path: str, span: Span, name: str, language: Language) -> Target:
    return Target(repo="", path=path, span=span, name=name, signature="", docstring="", language=language)


def _insert_early_return_of_stub_or_empty(definition: str, stub: str) -> str:
    """The definition with the stub's statements before its own. `if (1)` keeps the compiler from warning about what
    is never reached."""
    trivial = split_definition(stub)
    if trivial is None:
        return ""
    # On one line, so that lines keep their numbers, as assertions print them.
    body = " ".join(trivial.body.split())
    # A stub that gives nothing back ends without a word.
    body = body if re.search(r"\breturn\b", body) else f"{body[:-1]}return; }}"
    return insert_statement_at_body_start(definition, f"{_ALWAYS.strip()} {body}")
