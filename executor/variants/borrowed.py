"""Names that the repository defines and that occur outside too: the compiler tells which of them its code needs.

A field `type` is renamed although a system header has one as well, unless the code uses the header's.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence

from executor.build.command_line import compiled_language
from executor.build.graph import BuildStep
from executor.sandbox.contract import Session
from executor.variants.inventory import METHOD, NAMESPACE
from executor.variants.outside import run_units
from executor.variants.rewrite import IDENTIFIER, renamed_source
from index.progress import SILENT, Progress
from index.values import SymbolKind

log = logging.getLogger(__name__)

# A function or a global of an outside name may be called from outside, a macro may be read there.
FREE_KINDS = frozenset({METHOD, NAMESPACE, SymbolKind.FIELD.value, SymbolKind.ENUMERATOR.value})
_ROUNDS = 6
_REASON_LENGTH = 100
_ERROR = re.compile(r"^(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)
_QUOTED = re.compile(r"[‘'`\"]([^’'`\"]*)[’'\"]")


def needed_names(
    session: Session,
    steps: Sequence[BuildStep],
    texts: Mapping[str, str],
    names: Mapping[str, str],
    borrowed: Mapping[str, str],
    progress: Progress = SILENT,
) -> dict[str, str]:
    """Those of `borrowed` (name -> new name, part of `names`) that must stay, as the units don't compile without, each
    with the reason.

    `texts`: path -> original text of the own files that the units read; they are overwritten in `session`, a session
    of the original's image. Raises SandboxError when the session fails.
    """
    left = dict(borrowed)
    needed: dict[str, str] = {}
    written: dict[str, str] = {}
    asked = list(steps)
    for number in range(1, _ROUNDS + 1):
        now = {name: new for name, new in names.items() if name not in needed}
        for path, text in texts.items():
            changed = renamed_source(path, text, now)
            if written.get(path) != changed:
                session.write(path, changed.encode("utf-8", "surrogateescape"))
                written[path] = changed
        failed = _failed(session, asked, progress)
        found: dict[str, str] = {}
        for output in failed.values():
            found = _named(output, left) | found
        log.info(f"compilation {number}: {len(failed)} of {len(asked)} units fail; {len(found)} more names stay")
        asked = [step for step in asked if step.outputs[0] in failed]
        if not asked:
            return needed
        if not found or number == _ROUNDS:
            break
        needed |= found
        for name in found:
            del left[name]
    # What the messages don't name: all that stand in the units that still fail.
    words = {word for step in asked for word in IDENTIFIER.findall(texts.get(step.sources[0], ""))}
    return needed | dict.fromkeys(left.keys() & words, "comes from outside as well, in a unit that failed to compile")


def _failed(session: Session, steps: Sequence[BuildStep], progress: Progress) -> dict[str, str]:
    found: dict[str, str] = {}
    with progress.counting("units compiled", len(steps)) as advance:
        for language, strict in (("c", ("-Werror=implicit-function-declaration",)), ("c++", ())):
            units = [step for step in steps if compiled_language(step.argv) == language]
            for unit, status, output in run_units(session, units, "-fsyntax-only", *strict, errors=True):
                advance()
                if status:
                    found[unit.outputs[0]] = output.decode("utf-8", "replace")
    return found


def _named(output: str, borrowed: Mapping[str, str]) -> dict[str, str]:
    """The names in question, by their old or new spelling, that the errors quote, with the first such error."""
    old = {new: name for name, new in borrowed.items()}
    found: dict[str, str] = {}
    for match in _ERROR.finditer(output):
        quoted = {word for text in _QUOTED.findall(match[3]) for word in IDENTIFIER.findall(text)}
        spelled = (quoted & borrowed.keys()) or {old[word] for word in quoted & old.keys()}
        for name in spelled - found.keys():
            found[name] = f"comes from outside as well: {match[3][:_REASON_LENGTH]}"
    return found
