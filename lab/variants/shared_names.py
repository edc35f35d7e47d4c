"""Names that the repository defines and that occur outside too: the compiler tells which of them its code needs.

A field `type` is renamed although a system header has one as well, unless the code uses the header's.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from executor.manifest.variant.renamed_text import IDENTIFIER
from executor.repository.build.command_line import detect_compiled_language
from executor.repository.build.graph import BuildStep
from executor.sandbox.contract import Session
from index.progress import SILENT, Progress
from index.values import SymbolKind
from lab.variants.external_names import BYTE_WORD, run_unit_compilers
from lab.variants.identifier_inventory import METHOD, NAMESPACE
from lab.variants.macro_expansion import Expansions, RenamedUnits, Unit

log = logging.getLogger(__name__)

# A function or a global of an outside name may be called from outside, a macro may be read there.
FREE_KINDS = frozenset({METHOD, NAMESPACE, SymbolKind.FIELD.value, SymbolKind.ENUMERATOR.value})
_UNITS_AT_ONCE = 12
# A unit that names nothing more after so many attempts is given up.
_MOST_TRIES_PER_UNIT = 8
_REASON_LENGTH = 100
_ERROR = re.compile(r"^(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)
_QUOTED = re.compile(r"[‘'`\"]([^’'`\"]*)[’'\"]")
# A part of an expansion, by its digest, and a name in it.
_Place = tuple[bytes, str]


def find_borrowed_names_to_keep(
    renamed: RenamedUnits,
    steps: Sequence[BuildStep],
    units: Sequence[Unit],
    old: Expansions,
    names: Mapping[str, str],
    borrowed: Mapping[str, str],
    progress: Progress = SILENT,
) -> tuple[dict[str, str], list[BuildStep]]:
    """Those of `borrowed` (name -> new name, part of `names`) that must stay, as `steps` don't compile without, each
    with the reason; and the steps that fail all the same. `units`: what the steps expand to under the old names, in
    `old`. A unit isn't compiled if each of its parts that holds such a name was compiled in another unit, to which
    files from outside gave that name as well.

    Raises SandboxError when the session fails."""
    left = dict(borrowed)
    needed: dict[str, str] = {}
    renamed.rename_files(names)
    questions = _find_places_shared_with_outside(units, old, borrowed)
    known: set[_Place] = set()
    stuck, tries = list[BuildStep](), Counter[str]()
    waiting = list(steps)
    with progress.open_count("units compiled", len(steps)) as advance:
        while waiting and left:
            before = len(waiting)
            batch, waiting = _choose_next_batch(waiting, questions, known, left)
            failed = _find_failed_units(renamed.session, batch)
            found: dict[str, str] = {}
            for output in failed.values():
                found = _find_quoted_names(output, left) | found
            for step in batch:
                tries[step.outputs[0]] += 1
                if step.outputs[0] not in failed:
                    known |= questions.get(step.outputs, set())
                elif found and tries[step.outputs[0]] < _MOST_TRIES_PER_UNIT:
                    waiting.insert(0, step)
                else:
                    stuck.append(step)
            advance(before - len(waiting))
            needed |= found
            left = {name: new for name, new in left.items() if name not in found}
            if found:
                renamed.rename_files({name: new for name, new in names.items() if name not in needed})
    log.info(f"{len(needed)} names stay as units don't compile without; {len(stuck)} units fail all the same")
    return needed, stuck


def _find_places_shared_with_outside(
    units: Sequence[Unit], old: Expansions, borrowed: Collection[str]
) -> dict[tuple[str, ...], set[_Place]]:
    """A unit's outputs -> the names of its own parts that a file from outside gives it as well."""
    asked = {name.encode() for name in borrowed}
    words = {digest: asked & set(BYTE_WORD.findall(text)) for digest, text in old.texts.items()}
    return {
        unit.step.outputs: {
            (digest, name.decode()) for _, digest in unit.parts for name in words[digest] & unit.foreign
        }
        for unit in units
    }


def _choose_next_batch(
    waiting: Sequence[BuildStep],
    questions: Mapping[tuple[str, ...], set[_Place]],
    known: Collection[_Place],
    left: Collection[str],
) -> tuple[list[BuildStep], list[BuildStep]]:
    """Units to compile now, and those that wait; left out are those in which nothing is in question any more. A
    header's names fail in each unit that reads it, so that a few units show most of them. A unit that wasn't expanded
    has no questions and is compiled."""
    batch: list[BuildStep] = []
    later: list[BuildStep] = []
    chosen: set[_Place] = set()
    for number, step in enumerate(waiting):
        if len(batch) == _UNITS_AT_ONCE:
            return batch, [*later, *waiting[number:]]
        if step.outputs not in questions:
            batch.append(step)
            continue
        open_ = {place for place in questions[step.outputs] if place not in known and place[1] in left}
        if not open_ <= chosen:
            chosen |= open_
            batch.append(step)
        elif open_:
            later.append(step)
    return batch, later


def _find_failed_units(session: Session, steps: Sequence[BuildStep]) -> dict[str, str]:
    """Output's path -> the messages, of the units that don't compile."""
    found: dict[str, str] = {}
    for language, strict in (("c", ("-Werror=implicit-function-declaration",)), ("c++", ())):
        units = [step for step in steps if detect_compiled_language(step.argv) == language]
        for unit, status, output in run_unit_compilers(session, units, "-fsyntax-only", *strict, errors=True):
            if status:
                found[unit.outputs[0]] = output.decode("utf-8", "replace")
    return found


def _find_quoted_names(output: str, borrowed: Mapping[str, str]) -> dict[str, str]:
    """The names in question, by their old or new spelling, that the errors quote, with the first such error."""
    old = {new: name for name, new in borrowed.items()}
    found: dict[str, str] = {}
    for match in _ERROR.finditer(output):
        quoted = {word for text in _QUOTED.findall(match[3]) for word in IDENTIFIER.findall(text)}
        spelled = (quoted & borrowed.keys()) or {old[word] for word in quoted & old.keys()}
        for name in spelled - found.keys():
            found[name] = f"comes from outside as well: {match[3][:_REASON_LENGTH]}"
    return found
