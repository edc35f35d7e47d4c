"""Mends a map until the preprocessor agrees with it: names follow what macros make of their parts, or stay."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from executor.manifest.variant.renamed_text import IDENTIFIER
from index.progress import SILENT, Progress
from lab.variants.macro_expansion import Expansions, Findings, RenamedUnits, Unit, compare_expansions

log = logging.getLogger(__name__)

_MOST_ROUNDS = 24
_FOLLOWING_ROUNDS = 16
"""Rounds in which names follow what macros make. What still differs after these stays, with its parts."""
# A name that two macros make of different parts would be followed for ever.
_MOST_FOLLOWED = 3
_DIRECTIVE = re.compile(r"(?m)^[ \t]*#(?:.*\\\n)*.*$")
_DEFINED = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)")


@dataclass(frozen=True, slots=True)
class RepairedMap:
    """A map that the expansions agree with, and what stays and why. `open_`: what still differs after the last
    round."""

    names: Mapping[str, str]
    kept: Mapping[str, str]
    open_: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapRules:
    """What no repair may break. `taken`: identifiers that no new name may be. `read_by_others`: texts that are
    compared with, printed or looked up. `written`: names that scripts write into the units, as they are."""

    taken: frozenset[str]
    read_by_others: frozenset[str]
    written: frozenset[str] = frozenset()


def repair_map(
    before: Sequence[Unit],
    old: Expansions,
    renamed: RenamedUnits,
    names: Mapping[str, str],
    kept: Mapping[str, str],
    rules: MapRules,
    progress: Progress = SILENT,
    *,
    for_good: bool = True,
) -> RepairedMap:
    """Mend the map until the units expand to the same tokens under the new names. `before`: the original's units,
    their parts in `old`. Not `for_good`: units that agreed once aren't asked again. Raises SandboxError when a session
    fails."""
    mending = MapRepair(dict(names), dict(kept), rules)
    asked = before
    found = Findings()
    for number in range(1, _MOST_ROUNDS + 1):
        after = renamed.expand_units(asked, mending.names, progress)
        stay = mending.kept.keys() | rules.written
        found = compare_expansions(asked, after, old, renamed.parts, mending.names, stay)
        log.info(
            f"round {number}: {len(found.made)} names made by macros differ, {len(found.texts)} became texts,"
            f" {len(found.unlike)} files expand otherwise"
        )
        if number == _FOLLOWING_ROUNDS:
            mending.follows = False
        is_whole = len(asked) == len(before)
        # Pasted parts may now name a wrong macro. Its value stands in the expansion, and nothing there tells its name.
        changed = mending.apply_findings(found) or (
            is_whole and mending.keep_pasted_macros(found.unlike, renamed.texts)
        )
        if not changed and (is_whole or not for_good):
            return RepairedMap(mending.names, mending.kept, tuple(sorted(found.unlike)))
        # What was mended for these units may contradict one that agreed before: in the end all are asked.
        left = [unit for unit in before if unit.step.sources[0] in found.units]
        asked = left if changed and left else before
    return RepairedMap(mending.names, mending.kept, tuple(sorted(found.unlike | found.made.keys())))


@dataclass(slots=True)
class MapRepair:
    """A map under repair."""

    names: dict[str, str]
    kept: dict[str, str]
    rules: MapRules
    follows: bool = True
    followed: Counter[str] = field(default_factory=Counter)

    def apply_findings(self, found: Findings) -> bool:
        """Change the map by what a comparison shows. Returns whether anything changed."""
        before = len(self.kept), dict(self.names)
        for name, whole in sorted(found.texts):
            if name in self.names and not self.rules.read_by_others.isdisjoint((name, whole)):
                self._keep_name(name, "a macro makes a text of it that is read elsewhere")
        claimed: dict[str, str] = {new: name for name, new in self.names.items()}
        for name, spellings in sorted(found.made.items()):
            self._adapt_macro_made_name(name, spellings, claimed)
        return before != (len(self.kept), self.names)

    def keep_pasted_macros(self, unlike: Collection[str], texts: Mapping[str, str]) -> bool:
        """Keep the macros of the files `unlike` that no line of code in `texts` spells, so that only macros reach
        them. Returns whether anything changed."""
        defined = {name for path in unlike for name in _DEFINED.findall(texts.get(path, ""))} & self.names.keys()
        for text in texts.values() if defined else ():
            defined -= set(IDENTIFIER.findall(_DIRECTIVE.sub("", text)))
        for name in sorted(defined):
            self._keep_name(name, "a macro that only macros reach, in a file that expands otherwise without it")
        return bool(defined)

    def _adapt_macro_made_name(self, name: str, spellings: set[str], claimed: dict[str, str]) -> None:
        new = min(spellings)
        if bare := sorted(spellings & self.names.keys()):
            # A macro pastes it of parts that stay. A macro of that name would have changed it further.
            for original in bare:
                self._keep_name(original, "made by a macro of parts that stay")
            return
        if not all(IDENTIFIER.fullmatch(text) for text in spellings):
            # The parts make the name of another macro now, and its value stands there.
            for part in self._find_misleading_parts(name, claimed):
                self._keep_name(part, f"a part of {name}, which macros would make the name of another macro")
            self._keep_name(name, "made by macros in several ways")
            return
        free = claimed.get(new, name) == name and (new == name or new not in self.rules.taken)
        if len(spellings) == 1 and new == name:
            self._keep_name(name, "made by a macro of parts that stay")
        elif self.follows and len(spellings) == 1 and free and self._can_remap_macro_made_name(name):
            self.followed[name] += 1
            claimed.pop(self.names.get(name, ""), None)
            claimed[new] = name
            self.names[name] = new
        else:
            for part in self._find_renamed_parts(name, spellings):
                self._keep_name(part, f"a part of {name}, which a macro makes and which can't change")
            self._keep_name(name, "made by macros in several ways")

    def _can_remap_macro_made_name(self, name: str) -> bool:
        return name not in self.kept and name not in self.rules.written and self.followed[name] < _MOST_FOLLOWED

    def _find_renamed_parts(self, name: str, made: set[str]) -> list[str]:
        """The renamed identifiers of which a macro makes `name`."""
        return [
            part
            for part in _list_substrings(name)
            if part != name and part in self.names and any(self.names[part] in text for text in made)
        ]

    def _find_misleading_parts(self, name: str, claimed: Collection[str]) -> list[str]:
        """The renamed parts of `name` whose new spelling turns it into a name that something else has."""
        return [
            name[start:end]
            for start in range(len(name))
            for end in range(start + 1, len(name) + 1)
            if (new := self.names.get(name[start:end])) is not None
            and end - start < len(name)
            and (made := name[:start] + new + name[end:]) != name
            and (made in self.kept or made in claimed or made in self.rules.taken)
        ]

    def _keep_name(self, name: str, reason: str) -> None:
        self.names.pop(name, None)
        self.kept.setdefault(name, reason)


def _list_substrings(name: str) -> Iterator[str]:
    for start in range(len(name)):
        for end in range(start + 1, len(name) + 1):
            yield name[start:end]
