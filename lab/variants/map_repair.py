"""Mends a map until preprocessor and compiler agree with it: names follow what macros make of their parts, or stay, as
do names that the repository defines and that its code needs of outside. A field `type` is renamed although a system
header has one as well, unless the code uses the header's."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations

from executor.manifest.variant.renamed_files import is_path_matched_by_any
from executor.manifest.variant.renamed_text import IDENTIFIER
from executor.repository.build.command_line import detect_compiled_language
from executor.repository.build.graph import BuildStep
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Session
from index.cpp.language import is_source
from index.progress import SILENT, Progress
from index.source_text import decode_source
from index.values import SymbolKind
from lab.variants.external_names import BYTE_WORD, ExternalNames, list_c_and_cpp_units, run_unit_compilers
from lab.variants.identifier_inventory import METHOD, NAMESPACE, Inventory
from lab.variants.macro_expansion import Findings, RenamedUnits, Unit, compare_expansions, read_unit_expansions

log = logging.getLogger(__name__)

_MOST_ROUNDS = 24
_FOLLOWING_ROUNDS = 16
"""Rounds in which names follow what macros make. What still differs after these stays, with its parts."""
# A name that two macros make of different parts would be followed for ever.
_MOST_FOLLOWED = 3
_DIRECTIVE = re.compile(r"(?m)^[ \t]*#(?:.*\\\n)*.*$")
_DEFINED = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)")
# A function or a global of an outside name may be called from outside, a macro may be read there.
FREE_KINDS = frozenset({METHOD, NAMESPACE, SymbolKind.FIELD.value, SymbolKind.ENUMERATOR.value})
_UNITS_AT_ONCE = 12
_REASON_LENGTH = 100
_ERROR = re.compile(r"^(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)
_QUOTED = re.compile(r"[‘'`\"]([^’'`\"]*)[’'\"]")
# A part of an expansion and a name in it.
_PartAndName = tuple[bytes, str]
KeptNameReasonsAndFailingSteps = tuple[dict[str, str], list[BuildStep]]


@dataclass(frozen=True, slots=True)
class MapRules:
    """What no repair may break. `taken`: identifiers that no new name may be. `read_by_others`: texts that are
    compared with, printed or looked up. `written`: names that scripts write into the units, as they are."""

    taken: frozenset[str]
    read_by_others: frozenset[str]
    written: frozenset[str] = frozenset()


def repair_map(
    mending: MapRepair, renamed: RenamedUnits, progress: Progress = SILENT, *, rechecks_agreed_units: bool = True
) -> None:
    """Mend the map until the units expand to the same tokens under the new names. Not `rechecks_agreed_units`: units
    that agreed once aren't asked again. Raises SandboxError when a session fails."""
    mending.follows, mending.followed = True, Counter()
    before = asked = renamed.originals
    found = Findings()
    for number in range(1, _MOST_ROUNDS + 1):
        after = renamed.expand_units(asked, mending.names, progress)
        found = compare_expansions(asked, after, mending.names, mending.kept.keys() | mending.rules.written)
        log.info(
            f"round {number}: {len(found.made)} names made by macros differ, {len(found.texts)} became texts,"
            f" {len(found.unlike)} files expand otherwise"
        )
        if number == _FOLLOWING_ROUNDS:
            mending.follows = False
        is_whole = len(asked) == len(before)
        # Pasted parts may now name a wrong macro. Its value stands in the expansion, and nothing there tells its name.
        changed = mending.apply_findings(found) or (
            is_whole and mending.keep_macros_only_macros_reach(found.unlike, renamed.texts)
        )
        if not changed and (is_whole or not rechecks_agreed_units):
            mending.open_ = sorted(found.unlike)
            return
        # What was mended for these units may contradict one that agreed before: in the end all are asked.
        left = [unit for unit in before if unit.step.sources[0] in found.units]
        asked = left if changed and left else before
    mending.open_ = sorted(found.unlike | found.made.keys())


@dataclass(slots=True)
class MapRepair:
    """A map under repair, and what stays and why. `open_`: what still differs after the last round."""

    names: dict[str, str]
    kept: dict[str, str]
    rules: MapRules
    open_: list[str] = field(default_factory=list)
    follows: bool = True
    followed: Counter[str] = field(default_factory=Counter)

    def apply_findings(self, found: Findings) -> bool:
        """Change the map by what a comparison shows. Returns whether anything changed."""
        before = len(self.kept), dict(self.names)
        for name, whole in sorted(found.texts):
            if name in self.names and not self.rules.read_by_others.isdisjoint((name, whole)):
                self.keep_name(name, "a macro makes a text of it that is read elsewhere")
        claimed: dict[str, str] = {new: name for name, new in self.names.items()}
        for name, spellings in sorted(found.made.items()):
            self._follow_or_keep_made_name(name, spellings, claimed)
        return before != (len(self.kept), self.names)

    def keep_macros_only_macros_reach(self, unlike: Collection[str], texts: Mapping[str, str]) -> bool:
        """Keep the macros of the files `unlike` that no line of code in `texts` spells, so that only macros reach
        them. Returns whether anything changed."""
        defined = {name for path in unlike for name in _DEFINED.findall(texts.get(path, ""))} & self.names.keys()
        for text in texts.values() if defined else ():
            defined -= set(IDENTIFIER.findall(_DIRECTIVE.sub("", text)))
        for name in sorted(defined):
            self.keep_name(name, "a macro that only macros reach, in a file that expands otherwise without it")
        return bool(defined)

    def _follow_or_keep_made_name(self, name: str, spellings: set[str], claimed: dict[str, str]) -> None:
        new = min(spellings)
        if bare := sorted(spellings & self.names.keys()):
            # A macro pastes it of parts that stay. A macro of that name would have changed it further.
            for original in bare:
                self.keep_name(original, "made by a macro of parts that stay")
            return
        if not all(IDENTIFIER.fullmatch(text) for text in spellings):
            # The parts make the name of another macro now, and its value stands there.
            for part in self._find_parts_making_clashing_name(name, claimed):
                self.keep_name(part, f"a part of {name}, which macros would make the name of another macro")
            self.keep_name(name, "made by macros in several ways")
            return
        free = claimed.get(new, name) == name and (new == name or new not in self.rules.taken)
        if len(spellings) == 1 and new == name:
            self.keep_name(name, "made by a macro of parts that stay")
        elif (
            self.follows
            and free
            and len(spellings) == 1
            and name not in self.kept
            and name not in self.rules.written
            and self.followed[name] < _MOST_FOLLOWED
        ):
            self.followed[name] += 1
            claimed.pop(self.names.get(name, ""), None)
            claimed[new] = name
            self.names[name] = new
        else:
            for part in self._find_renamed_parts(name, spellings):
                self.keep_name(part, f"a part of {name}, which a macro makes and which can't change")
            self.keep_name(name, "made by macros in several ways")

    def _find_renamed_parts(self, name: str, made: set[str]) -> list[str]:
        """The renamed identifiers of which a macro makes `name`."""
        parts = (name[start:end] for start, end in combinations(range(len(name) + 1), 2))
        return [
            part
            for part in parts
            if part != name and part in self.names and any(self.names[part] in text for text in made)
        ]

    def _find_parts_making_clashing_name(self, name: str, claimed: Collection[str]) -> list[str]:
        """The renamed parts of `name` whose new spelling turns it into a name that something else has."""
        return [
            name[start:end]
            for start, end in combinations(range(len(name) + 1), 2)
            if (new := self.names.get(name[start:end])) is not None
            and end - start < len(name)
            and (made := name[:start] + new + name[end:]) != name
            and (made in self.kept or made in claimed or made in self.rules.taken)
        ]

    def keep_name(self, name: str, reason: str) -> None:
        """Let the name stay, with the reason."""
        self.names.pop(name, None)
        self.kept.setdefault(name, reason)


def find_outside_names_to_keep_by_compiling(
    renamed: RenamedUnits,
    steps: Sequence[BuildStep],
    names: Mapping[str, str],
    borrowed: Collection[str],
    progress: Progress = SILENT,
) -> KeptNameReasonsAndFailingSteps:
    """Those of `borrowed` that must stay, as `steps` don't compile without, each with the reason; and the steps that
    fail all the same. A unit isn't compiled if each of its parts that holds such a name was compiled in another unit,
    to which files from outside gave that name as well.

    Raises SandboxError when the session fails."""
    left = {name: names[name] for name in sorted(borrowed) if name in names}
    needed: dict[str, str] = {}
    renamed.rename_identifiers_in_files(names)
    questions = _group_outside_shared_places_by_unit(renamed.originals, left)
    known: set[_PartAndName] = set()
    stuck: list[BuildStep] = []
    waiting = list(steps)
    with progress.open_count("units compiled", len(steps)) as advance:
        while waiting and left:
            before = len(waiting)
            batch, waiting = _split_units_to_compile_now_or_later(waiting, questions, known, left)
            failed = _compile_and_find_failed_units(renamed.session, batch)
            found: dict[str, str] = {}
            for output in failed.values():
                found = _find_names_quoted_by_errors(output, left) | found
            for step in batch:
                if step.outputs[0] not in failed:
                    known |= questions.get(step.outputs, set())
                elif found:
                    waiting.insert(0, step)
                else:
                    stuck.append(step)
            advance(before - len(waiting))
            needed |= found
            left = {name: new for name, new in left.items() if name not in found}
            if found:
                renamed.rename_identifiers_in_files({name: new for name, new in names.items() if name not in needed})
    log.info(f"{len(needed)} names stay as units don't compile without; {len(stuck)} units fail all the same")
    return needed, stuck


def _group_outside_shared_places_by_unit(
    units: Sequence[Unit], borrowed: Collection[str]
) -> dict[tuple[str, ...], set[_PartAndName]]:
    """A unit's outputs -> the names of its own parts that a file from outside gives it as well."""
    asked = {name.encode() for name in borrowed}
    words = {part: asked & set(BYTE_WORD.findall(part)) for part in {part for unit in units for _, part in unit.parts}}
    return {
        unit.step.outputs: {(part, name.decode()) for _, part in unit.parts for name in words[part] & unit.foreign}
        for unit in units
    }


def _split_units_to_compile_now_or_later(
    waiting: Sequence[BuildStep],
    questions: Mapping[tuple[str, ...], set[_PartAndName]],
    known: Collection[_PartAndName],
    left: Collection[str],
) -> tuple[list[BuildStep], list[BuildStep]]:
    """Units to compile now, and those that wait; left out are those in which nothing is in question any more. A
    header's names fail in each unit that reads it, so that a few units show most of them. A unit that wasn't expanded
    has no questions and is compiled."""
    batch: list[BuildStep] = []
    later: list[BuildStep] = []
    chosen: set[_PartAndName] = set()
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


def _compile_and_find_failed_units(session: Session, steps: Sequence[BuildStep]) -> dict[str, str]:
    """Output's path -> the messages, of the units that don't compile."""
    found: dict[str, str] = {}
    for language, strict in (("c", ("-Werror=implicit-function-declaration",)), ("c++", ())):
        units = [step for step in steps if detect_compiled_language(step.argv) == language]
        for unit, status, output in run_unit_compilers(session, units, "-fsyntax-only", *strict, with_stderr=True):
            if status:
                found[unit.outputs[0]] = output.decode("utf-8", "replace")
    return found


def _find_names_quoted_by_errors(output: str, borrowed: Mapping[str, str]) -> dict[str, str]:
    """The names in question, by their old or new spelling, that the errors quote, with the first such error."""
    old = {new: name for name, new in borrowed.items()}
    found: dict[str, str] = {}
    for match in _ERROR.finditer(output):
        quoted = {word for text in _QUOTED.findall(match[3]) for word in IDENTIFIER.findall(text)}
        spelled = (quoted & borrowed.keys()) or {old[word] for word in quoted & old.keys()}
        for name in spelled - found.keys():
            found[name] = f"comes from outside as well: {match[3][:_REASON_LENGTH]}"
    return found


def repair_map_with_compiler(
    image: Image,
    backend: Backend,
    inventory: Inventory,
    outside: ExternalNames,
    mending: MapRepair,
    borrowed: AbstractSet[str],
    progress: Progress,
) -> None:
    """Mend the map until preprocessor and compiler agree with it. `borrowed`: names that are outside names as well, of
    which it isn't known whether they can be renamed."""
    root, leave = image.source_root, image.recipe.variants.leave
    own = frozenset(inventory.files)
    with backend.session(image.key) as original, backend.session(image.key) as variant:
        steps = list_c_and_cpp_units(image.graph)
        # A header of which nothing is left after its conditions is in no expansion, and may be under new names.
        read = outside.read.union(*((*step.sources, *step.depends) for step in steps))
        texts = {path: decode_source((root / path).read_bytes()) for path in sorted(own & read)}
        for path in sorted(outside.read - own):
            if is_source(path) and not (root / path).exists() and not is_path_matched_by_any(path, leave):
                # Made by the build, which will make it of renamed parts.
                texts[path] = decode_source(original.read(path))
        asked = frozenset(map(str.encode, borrowed))
        renamed = RenamedUnits(
            variant, texts, leave, list(read_unit_expansions(original, steps, leave, {}, progress, asked))
        )
        stuck: Sequence[BuildStep] = steps if borrowed else ()
        # Names that macros make may be wrong in a few units until all units have been asked once more.
        for for_good in (False, True):
            if stuck:
                repair_map(mending, renamed, progress, rechecks_agreed_units=for_good)
                needed, stuck = find_outside_names_to_keep_by_compiling(
                    renamed, stuck, mending.names, borrowed, progress
                )
                for name, reason in needed.items():
                    mending.keep_name(name, reason)
        # What the messages don't name: all that stand in the units that still fail.
        spelled = {word for step in stuck for word in renamed.words.get(step.sources[0], ())}
        for name in spelled & mending.names.keys() & borrowed:
            mending.keep_name(name, "comes from outside as well, in a unit that failed to compile")
        # A macro may have made names of those that stay now, and make others.
        repair_map(mending, renamed, progress)
