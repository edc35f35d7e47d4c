"""The check of a map by the preprocessor: what the build's units become under the new names, token by token, shows the
names that `##` makes and the texts that `#` makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, groupby, pairwise
from operator import itemgetter

from executor.manifest.variant.renamed_text import join_renamed_parts, split_source_at_identifiers
from executor.repository.build.graph import BuildStep
from executor.sandbox.contract import Session
from index.cpp.tokens import tokenize_bytes_with_comments
from index.progress import Progress
from index.source_text import decode_source
from lab.variants.external_names import (
    PREPROCESS,
    find_identifiers_except_parameter_names,
    is_own_file,
    run_unit_compilers,
    split_preprocessed_by_file,
)

OriginalNameAndRestoredParts = tuple[str, list[str]]

# Of more renamed parts than this no macro makes a name.
_MOST_PASTED_PARTS = 3
_NAME = re.compile(rb"[^\W\d]\w*")
_TEXT = re.compile(rb'"([^"\\]*)"')


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's expansion: the own files that it reads one after the other, each with what it becomes. `foreign`: the
    words that were asked for and that files from outside give it."""

    step: BuildStep
    parts: tuple[tuple[str, bytes], ...]
    foreign: frozenset[bytes] = frozenset()


def read_unit_expansions(
    session: Session,
    steps: Sequence[BuildStep],
    leave: Sequence[str],
    shared: dict[bytes, bytes],
    progress: Progress,
    asked_words: frozenset[bytes] = frozenset(),
) -> Iterator[Unit]:
    """The expansion of each unit in this session; units that can't be preprocessed are left out. `shared` holds each
    part once, as a header's is the same in most units. `asked_words`: words that are looked for in the files from
    outside as well."""
    own: dict[str, bool] = {}
    given: dict[bytes, frozenset[bytes]] = {}
    with progress.open_count("units expanded", len(steps)) as advance:
        for step, status, text in run_unit_compilers(session, steps, *PREPROCESS):
            advance()
            if status:
                continue
            parts: list[tuple[str, bytes]] = []
            others: set[bytes] = set()
            for path, part in split_preprocessed_by_file(text, session.root, step.cwd):
                if path not in own:
                    own[path] = is_own_file(path, leave)
                if own[path]:
                    parts.append((path, part))
                elif asked_words:
                    others.add(part)
            given |= {
                part: asked_words & find_identifiers_except_parameter_names(part) for part in others - given.keys()
            }
            joined = [(path, b"\n".join(part for _, part in same)) for path, same in groupby(parts, itemgetter(0))]
            yield Unit(
                step,
                tuple((path, shared.setdefault(part, part)) for path, part in joined),
                frozenset[bytes]().union(*(given[part] for part in others)),
            )


@dataclass(slots=True)
class RenamedUnits:
    """The units under new names. `session`: one of the original's image, whose files are overwritten. `texts`: path ->
    original text of the own files that the units may read; `originals`: the units under the original names. A file is
    renamed again only once a name in it has changed, and a unit is expanded again only once a file that it reads
    has."""

    session: Session
    texts: Mapping[str, str]
    leave: Sequence[str]
    originals: Sequence[Unit]
    names: Mapping[str, str] = field(default_factory=dict)
    split: Mapping[str, tuple[str, ...]] = field(init=False)
    words: Mapping[str, frozenset[str]] = field(init=False)
    known: dict[tuple[str, ...], Unit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Words and what stands between them are the same in most files.
        same: dict[str, str] = {}
        self.split = {
            path: tuple(same.setdefault(part, part) for part in split_source_at_identifiers(path, text))
            for path, text in self.texts.items()
        }
        self.words = {path: frozenset(parts[1::2]) for path, parts in self.split.items()}

    def rename_identifiers_in_files(self, names: Mapping[str, str]) -> None:
        """Bring the session's files under these names. Raises SandboxError when the session fails."""
        other = {name for name, _ in names.items() ^ self.names.items()}
        changed = {path for path, words in self.words.items() if not words.isdisjoint(other)}
        for path in sorted(changed):
            self.session.write(path, join_renamed_parts(self.split[path], names).encode("utf-8", "surrogateescape"))
        self.names = dict(names)
        self.known = {
            key: unit
            for key, unit in self.known.items()
            if changed.isdisjoint(unit.step.depends) and changed.isdisjoint(path for path, _ in unit.parts)
        }

    def expand_units(self, asked: Sequence[Unit], names: Mapping[str, str], progress: Progress) -> list[Unit]:
        """Those of `asked` that can be preprocessed under these names. Raises SandboxError as above."""
        self.rename_identifiers_in_files(names)
        steps = [unit.step for unit in asked if unit.step.outputs not in self.known]
        shared = {part: part for unit in self.known.values() for _, part in unit.parts}
        for unit in read_unit_expansions(self.session, steps, self.leave, shared, progress):
            self.known[unit.step.outputs] = unit
        return [self.known[unit.step.outputs] for unit in asked if unit.step.outputs in self.known]


@dataclass(slots=True)
class Findings:
    """What one comparison shows. `made`: an identifier -> what stands in its place under the new names, though the map
    says otherwise. `texts`: lone identifiers that became a text. `unlike`: files whose expansion has another shape.
    `units`: units that show all of it, to be looked at again."""

    made: dict[str, set[str]] = field(default_factory=dict)
    texts: set[tuple[str, str]] = field(default_factory=set)
    unlike: set[str] = field(default_factory=set)
    units: set[str] = field(default_factory=set)


def compare_expansions(
    before: Sequence[Unit], after: Sequence[Unit], names: Mapping[str, str], kept: Collection[str] = ()
) -> Findings:
    """Compare each unit's expansion with that of the same unit under the new names; `kept` are those that stay,
    those that scripts write among them."""
    comparison = _Comparison(names, kept)
    found = comparison.found
    renamed = {unit.step.outputs: unit for unit in after}
    seen: set[tuple[bytes, bytes]] = set()
    for unit in before:
        other = renamed.get(unit.step.outputs)
        title = unit.step.sources[0]
        if other is None or [path for path, _ in unit.parts] != [path for path, _ in other.parts]:
            found.unlike.add(title)
            found.units.add(title)
            continue
        for (path, one), (_, two) in zip(unit.parts, other.parts, strict=True):
            if (one, two) not in seen:
                seen.add((one, two))
                if not comparison.compare_texts(path, one, two):
                    found.units.add(title)
    return found


class _Comparison:
    """Compares texts with what they are under the new names, and notes in `found` what differs."""

    def __init__(self, names: Mapping[str, str], kept: Collection[str]) -> None:
        self.found = Findings()
        self._names, self._kept = names, kept
        self._back = {new: name for name, new in names.items()}
        self._find_originals: Callable[[str], frozenset[str]] = cache(self._find_possible_originals)

    def compare_texts(self, path: str, original: bytes, renamed: bytes) -> bool:
        """Whether two texts of the file have the same tokens. Each line of a source is a line of its expansion: where
        one has another length, the others can be compared."""
        old_tokens, new_tokens = (
            list(tokenize_bytes_with_comments(original)),
            list(tokenize_bytes_with_comments(renamed)),
        )
        if len(old_tokens) == len(new_tokens):
            return self._match_tokens_recording_differences(old_tokens, new_tokens)
        self.found.unlike.add(path)
        lines, others = original.split(b"\n"), renamed.split(b"\n")
        if len(lines) == len(others) > 1:
            for line, other in zip(lines, others, strict=True):
                if line != other:
                    self.compare_texts(path, line, other)
        else:
            self._record_unexpanded_macros(new_tokens)
        return False

    def _match_tokens_recording_differences(self, old_tokens: Sequence[bytes], new_tokens: Sequence[bytes]) -> bool:
        same = True
        for place, (old, new) in enumerate(zip(old_tokens, new_tokens, strict=True)):
            if _NAME.fullmatch(old):
                name, spelled = decode_source(old), decode_source(new)
                if spelled == self._names.get(name, name) or (
                    old == new and _is_assembler_operand_label(old_tokens, place)
                ):
                    continue
                # Where it is no such macro's value, another macro made it of parts.
                if not self._record_unexpanded_macros([new], expected_value=name):
                    self.found.made.setdefault(name, set()).add(spelled)
                same = False
            elif _NAME.fullmatch(new):
                # A macro whose value is one token, of a name that another macro makes.
                self._record_unexpanded_macros([new])
                same = False
            elif old != new and (text := _TEXT.fullmatch(old)) and _NAME.fullmatch(text[1]):
                self.found.texts.add((decode_source(text[1]), _join_literals_around_place(old_tokens, place)))
        return same

    def _record_unexpanded_macros(self, new_tokens: Sequence[bytes], expected_value: str = "") -> bool:
        """A macro that isn't found under the name that another makes stands there unexpanded. Returns whether there is
        one; `expected_value` is what would stand there instead."""
        any_found = False
        for spelled in {decode_source(token) for token in set(new_tokens) if _NAME.fullmatch(token)}:
            originals = self._find_originals(spelled)
            if expected_value not in originals and spelled != expected_value:
                for name in originals:
                    self.found.made.setdefault(name, set()).add(spelled)
                    any_found = True
        return any_found

    def _find_possible_originals(self, spelled: str) -> frozenset[str]:
        """The original names that `spelled`, where it is no new name, may stand for."""
        if spelled in self._back:
            return frozenset()
        read = {whole for whole, _ in restore_renamed_parts(spelled, self._back)}
        return frozenset(
            name for name in {spelled, *read} if name in self._names or (name != spelled and name in self._kept)
        )


def _is_assembler_operand_label(tokens: Sequence[bytes], place: int) -> bool:
    """Whether the token is the label of an assembler's operand, which `rename_code` leaves."""
    return place > 0 and tokens[place - 1] == b"[" and b"".join(tokens[place + 1 : place + 3]).startswith(b']"')


def restore_renamed_parts(
    made: str, back: Mapping[str, str], shortest: int = 1
) -> Iterator[OriginalNameAndRestoredParts]:
    """The originals of a name that a macro made of some parts, of which one, two or three were renamed, each with the
    original parts. A part shorter than `shortest` counts only at an end, where an underscore marks it."""
    pieces = [
        (start, end)
        for start in range(len(made))
        for end in range(len(made), start, -1)
        if made[start:end] in back and (end - start >= shortest or _is_affix_with_underscore(made, start, end))
    ]
    for count in range(1, _MOST_PASTED_PARTS + 1):
        for chosen in combinations(pieces, count):
            if all(one[1] <= other[0] for one, other in pairwise(chosen)):
                parts = [back[made[start:end]] for start, end in chosen]
                ends = [0, *(end for _, end in chosen)]
                whole = "".join(
                    made[before:start] + part for before, (start, _), part in zip(ends, chosen, parts, strict=False)
                )
                yield whole + made[ends[-1] :], parts


def _is_affix_with_underscore(made: str, start: int, end: int) -> bool:
    return (start == 0 and made[end - 1] == "_") or (end == len(made) and made[start] == "_")


def _join_literals_around_place(tokens: Sequence[bytes], place: int) -> str:
    """The text that the literals beside this one make together with it."""
    first = last = place
    while first > 0 and _TEXT.fullmatch(tokens[first - 1]):
        first -= 1
    while last + 1 < len(tokens) and _TEXT.fullmatch(tokens[last + 1]):
        last += 1
    return decode_source(b"".join(token[1:-1] for token in tokens[first : last + 1]))
