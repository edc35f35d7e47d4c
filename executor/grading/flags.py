"""Flags what a reviewer should look at in a candidate's text. A flag never fails one: honest code exits and forks
too."""

from __future__ import annotations

import re
from collections.abc import Sequence

from executor.function.odd_spelling import find_lexer_misleading_spelling_or_empty
from executor.grading.code_words import Words, read_code_words
from executor.grading.library_functions import (
    COMMON,
    CORE,
    DANGEROUS,
    OUTWARD,
    has_no_outside_effect,
    normalise_library_function_name,
)
from executor.values import Known
from index.cpp.keywords import word_set as words_of

_TEXTS = (
    # Tcl's `expr` in a test runs the commands inside a value that a server sends.
    ("script", re.compile(r"\[(?:proc|exec|eval|uplevel|namespace|rename|interp|source|socket|open|puts|set|catch) ")),
    (
        "test marker",
        re.compile(
            r"\[\s{0,20}(?:ok|err|OK|PASSED|FAILED|exception|ignore)\s{0,20}\]|\b(?:PASS|FAIL|ok \d+|not ok)\b"
        ),
    ),
    ("path of the system", re.compile(r"/proc/|/dev/(?:tty|pts|fd)|/etc/|/sys/")),
)
_CALLS_BACK = frozenset({"qsort", "qsort_r", "bsearch"})
_SCOPES = frozenset({"std"})
_ASKS = frozenset({"__has_include", "__has_include_next", "__has_embed", "__INCLUDE_LEVEL__"})
_LASTING = "keeps a variable from call to call:"
_INCLUDES = frozenset({"include", "include_next", "import", "embed"})
_REDEFINES = frozenset({"define", "undef", "pragma", "line", "ident"})
_CONSTRUCTORS = frozenset({"constructor", "destructor"})
_LINKER = words_of("alias ifunc section weak weakref symver visibility naked tls_model init_priority retain")
_HARMLESS = words_of(
    "unused maybe_unused used fallthrough nodiscard warn_unused_result always_inline noinline inline gnu_inline"
    " flatten packed aligned format format_arg printf scanf nonnull returns_nonnull pure const malloc alloc_size"
    " likely unlikely hot cold deprecated may_alias noreturn nothrow leaf no_sanitize gnu clang vector_size optimize"
    " target"
)
_EXPLAINED = _HARMLESS | _LINKER | _CONSTRUCTORS


def find_flags(code: str, known: Known | None = None) -> tuple[str, ...]:
    """The flags of the text in a fixed order, each once, with the word that raised it.

    `known` is what the repository and the gold say of the candidate's names. A call is unremarkable when the
    repository defines the function, when the function's file calls it (for what ends a process, leaves it or writes
    out of it: when the gold does), or when it can only compute. So is whatever the gold itself would be flagged for.
    Without `known`, as in records of older versions, only what is dangerous anywhere is flagged.

    Time is linear in the text. String literals that follow each other are read as one.
    """
    words = read_code_words(code)
    found = [*_flag_calls(words, known), *_flag_attributes_directives_assembly_and_main(words)]
    for name, pattern in _TEXTS:
        if match := pattern.search(words.strings) or pattern.search(words.characters):
            found.append(f"{name}: {match[0]}")
    if odd := find_lexer_misleading_spelling_or_empty(code):
        found.append(f"spelling: {odd}, which hides code from a reader")
    if known is not None:
        found += _flag_definitions_writes_and_indirect_calls(words, known)
    return tuple(mark for mark in dict.fromkeys(found) if known is None or mark not in known.marks)


def _flag_calls(words: Words, known: Known | None) -> list[str]:
    kinds: dict[str, str] = {}
    others: list[str] = []
    allowed = frozenset(known.names) if known else frozenset[str]()
    leads = dict(known.leads) if known else {}
    for name in sorted(words.called):
        kind = _describe_dangerous_or_outward_call(name, known)
        if name in allowed or (name in words.defined and not kind):
            continue
        if kind:
            kinds.setdefault(kind, name)
        elif name in leads:
            others.append(f"calls {name}, which leads to {leads[name]} and isn't called in this file")
        elif known and name not in words.variables and not has_no_outside_effect(name) and name not in words.standard:
            others.append(f"calls {name}, which neither the repository defines nor this file calls")
    for name in sorted(words.named):
        kind = _describe_dangerous_or_outward_call(name, known)
        # A variable of another block may have the name of a function.
        is_variable = name in words.variables and name not in CORE and not name.startswith("_")
        if kind and name not in allowed and normalise_library_function_name(name) not in COMMON and not is_variable:
            kinds.setdefault(kind, name)
    order = list(dict.fromkeys((*DANGEROUS.values(), *OUTWARD.values())))
    return [f"{kind}: {kinds[kind]}" for kind in order if kind in kinds] + others


def _describe_dangerous_or_outward_call(name: str, outward_only_with: Known | None) -> str | None:
    """What a call of the name can do that a reviewer should look at."""
    plain = normalise_library_function_name(name)
    return DANGEROUS.get(plain) or (OUTWARD.get(plain) if outward_only_with else None)


def _flag_attributes_directives_assembly_and_main(words: Words) -> list[str]:
    found = []
    attributes = [word.strip("_") for word in words.attributes]
    if not _CONSTRUCTORS.isdisjoint(attributes):
        found.append("constructor attribute")
    if not _LINKER.isdisjoint(attributes):
        found.append("linker attribute")
    found += [f"attribute: {word}" for word in attributes if word not in _EXPLAINED]
    if "assembly" in words.constructs:
        found.append("assembly")
    if words.directives & _REDEFINES or words.pragma:
        found.append("redefinition")
    if words.directives & _INCLUDES:
        found.append("include")
    if "main" in words.defined:
        found.append("main")
    return found


def _flag_definitions_writes_and_indirect_calls(words: Words, known: Known) -> Sequence[str]:
    found = []
    names = set(known.names)
    own = [name for name in words.exported if name not in names and name != "main"]
    found += [f"defines {name} for the whole program" for name in own]
    found += [f"declares {name}, which the repository doesn't define" for name in sorted(words.external - names)]
    calls_back = bool(words.callbacks & (words.variables | {""})) and known.defines
    if words.indirect or words.called & (words.variables - words.lambdas) or calls_back:
        found.append("calls through a pointer")
    members = (name for name in sorted(words.members - names) if not has_no_outside_effect(name))
    found += [f"calls the member {name}, which isn't called in this file" for name in members]
    found += [
        f"takes {path}, which isn't taken in this file"
        if path[0] == "&"
        else f"writes to {path}, which isn't named in this file"
        for path in sorted(words.written - names)
        if known.writes
    ]
    if known.lasting and words.lasting and not any(mark.startswith(_LASTING) for mark in known.marks):
        # Who answers by a table of what the tests ask counts the calls.
        found.append(f"{_LASTING} {min(words.lasting)}, which the gold doesn't do")
    if known.defines:
        found += _flag_definitions_scopes_and_conditions(words, names)
    kinds = ("function pointer", "computed jump", "function inside a function")
    return [*found, *(kind for kind in kinds if kind in words.constructs)]


def _flag_definitions_scopes_and_conditions(words: Words, names: set[str]) -> list[str]:
    """What the text's own definitions may be for. The gold defines its function, and so is marked for that."""
    found = [f"runs {name} before main" for name in sorted(words.early)]
    # A macro of that name may make the task's own function of it, and leave a decoy for the control run.
    found += [f"defines {name}, as the repository does" for name in sorted(words.defined & names)]
    if not words.called & _CALLS_BACK and not words.standard:
        # Its code may be read, to see whether it is changed.
        found += [f"takes the function {name} for a value" for name in sorted(words.defined & words.named)]
    found += [f"defines {name}, which the gold doesn't" for name in sorted(words.operators)]
    found += [f"uses {name}::, which this file doesn't name" for name in sorted(words.scopes - names - _SCOPES)]
    # The tests' own units define words by which they can be told from others.
    asked = (name for name in words.conditions - names if name[0] != "_" or name in _ASKS)
    found += [f"asks for {name}, which this file doesn't name" for name in sorted(asked)]
    return found
