"""The check of a map by the preprocessor: what the build's units become under the new names, token by token, shows the
names that `##` makes and the texts that `#` makes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations, groupby, pairwise
from operator import itemgetter

from executor.manifest.variant.renamed_text import join_renamed_parts, split_source_at_identifiers
from executor.repository.build.graph import BuildStep
from executor.sandbox.contract import Session
from index.cpp.tokens import tokenize_bytes
from index.progress import Progress
from index.source_text import decode_source
from lab.variants.external_names import find_public_words, is_own_file, preprocess_units, split_preprocessed_by_file

# Of more renamed parts than this no macro makes a name.
_MOST_PASTED_PARTS = 3
_NAME = re.compile(rb"[^\W\d]\w*")
_TEXT = re.compile(rb'"([^"\\]*)"')


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's expansion: the own files that it reads one after the other, each with the digest of its part.
    `foreign`: the words that were asked for and that files from outside give it."""

    step: BuildStep
    parts: tuple[tuple[str, bytes], ...]
    foreign: frozenset[bytes] = frozenset()


@dataclass(slots=True)
class Expansions:
    """Parts of expansions by their digests: a header's part is the same in most units."""

    texts: dict[bytes, bytes] = field(default_factory=dict)

    def read_unit_expansions(
        self,
        session: Session,
        steps: Sequence[BuildStep],
        leave: Sequence[str],
        progress: Progress,
        asked: frozenset[bytes] = frozenset(),
    ) -> Iterator[Unit]:
        """The expansion of each unit in this session; units that can't be preprocessed are left out. `asked`: words
        that are looked for in the files from outside as well."""
        own: dict[str, bool] = {}
        given: dict[bytes, frozenset[bytes]] = {}
        with progress.open_count("units expanded", len(steps)) as advance:
            for step, text in preprocess_units(session, steps):
                advance()
                if text is not None:
                    parts: list[tuple[str, bytes]] = []
                    others: set[bytes] = set()
                    for path, part in split_preprocessed_by_file(text, session.root, step.cwd):
                        if path not in own:
                            own[path] = is_own_file(path, leave)
                        if own[path]:
                            parts.append((path, part))
                        elif asked:
                            others.add(part)
                    given |= {part: asked & find_public_words(part) for part in others - given.keys()}
                    yield Unit(
                        step,
                        tuple(
                            (path, self._store_text_by_digest(list(same)))
                            for path, same in groupby(parts, itemgetter(0))
                        ),
                        frozenset[bytes]().union(*(given[part] for part in others)),
                    )

    def forget_other_parts(self, units: Iterable[Unit]) -> None:
        """Forget all parts but those of these units."""
        used = {digest for unit in units for _, digest in unit.parts}
        self.texts = {digest: text for digest, text in self.texts.items() if digest in used}

    def _store_text_by_digest(self, parts: Sequence[tuple[str, bytes]]) -> bytes:
        text = b"\n".join(part for _, part in parts)
        digest = blake2b(text, digest_size=16).digest()
        self.texts.setdefault(digest, text)
        return digest


@dataclass(slots=True)
class RenamedUnits:
    """The units under new names. `session`: one of the original's image, whose files are overwritten. `texts`: path ->
    original text of the own files that the units may read; `parts`: the expansions. A file is renamed again only
    once a name in it has changed, and a unit is expanded again only once a file that it reads has."""

    session: Session
    texts: Mapping[str, str]
    leave: Sequence[str]
    parts: Expansions = field(default_factory=Expansions)
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

    def rename_files(self, names: Mapping[str, str]) -> None:
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
        self.parts.forget_other_parts(self.known.values())

    def expand_units(self, asked: Sequence[Unit], names: Mapping[str, str], progress: Progress) -> list[Unit]:
        """Those of `asked` that can be preprocessed under these names. Raises SandboxError as above."""
        self.rename_files(names)
        steps = [unit.step for unit in asked if unit.step.outputs not in self.known]
        self.known |= {
            u.step.outputs: u for u in self.parts.read_unit_expansions(self.session, steps, self.leave, progress)
        }
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
    before: Sequence[Unit],
    after: Sequence[Unit],
    old: Expansions,
    new: Expansions,
    names: Mapping[str, str],
    kept: Collection[str] = (),
) -> Findings:
    """Compare each unit's expansion with that of the same unit under the new names; `kept` are those that stay,
    those that scripts write among them."""
    found = Findings()
    originals = _OriginalNames(names, kept)
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
                if not _compare_parts(old.texts[one], new.texts[two], originals, path, found):
                    found.units.add(title)
    return found


@dataclass(slots=True)
class _OriginalNames:
    """Reads back what a macro made of new names."""

    names: Mapping[str, str]
    kept: Collection[str]
    back: Mapping[str, str] = field(init=False)
    known: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.back = {new: name for name, new in self.names.items()}

    def find_originals(self, spelled: str) -> frozenset[str]:
        """The original names that `spelled`, which is no new name, may stand for."""
        if spelled in self.back:
            return frozenset()
        if spelled not in self.known:
            read = {spelled, *_restore_renamed_parts(spelled, self.back)}
            self.known[spelled] = frozenset(name for name in read if name in self.names) | frozenset(
                name for name in read if name != spelled and name in self.kept
            )
        return self.known[spelled]


def _compare_parts(one: bytes, two: bytes, originals: _OriginalNames, path: str, found: Findings) -> bool:
    olds, news = list(tokenize_bytes(one)), list(tokenize_bytes(two))
    if len(olds) == len(news):
        return _compare_tokens(olds, news, originals, found)
    found.unlike.add(path)
    # Each line of the source is a line of its expansion: what stands on the others can be compared.
    lines = one.split(b"\n"), two.split(b"\n")
    alike = len(lines[0]) == len(lines[1])
    for line, other in zip(*lines, strict=True) if alike else ((one, two),):
        if line != other:
            olds, news = list(tokenize_bytes(line)), list(tokenize_bytes(other))
            if len(olds) == len(news):
                _compare_tokens(olds, news, originals, found)
            else:
                _record_unexpanded_macros(news, originals, found)
    return False


def _compare_tokens(olds: Sequence[bytes], news: Sequence[bytes], originals: _OriginalNames, found: Findings) -> bool:
    same = True
    for place, (old, new) in enumerate(zip(olds, news, strict=True)):
        if _NAME.fullmatch(old):
            name = decode_source(old)
            if decode_source(new) != originals.names.get(name, name) and not (
                old == new and _is_assembler_label(olds, place)
            ):
                # Where it is no such macro's value, another macro made it of parts.
                if not _record_unexpanded_macros([new], originals, found, value=name):
                    found.made.setdefault(name, set()).add(decode_source(new))
                same = False
        elif _NAME.fullmatch(new):
            # A macro whose value is one token, of a name that another macro makes.
            _record_unexpanded_macros([new], originals, found)
            same = False
        elif old != new:
            text = _TEXT.fullmatch(old)
            if text is None or not _NAME.fullmatch(text[1]):
                continue
            found.texts.add((decode_source(text[1]), _join_literals(olds, place)))
    return same


def _record_unexpanded_macros(
    news: Sequence[bytes], originals: _OriginalNames, found: Findings, value: str = ""
) -> bool:
    """A macro that isn't found under the name that another makes stands there unexpanded. Returns whether there is
    one; `value` is what would stand there instead."""
    any_found = False
    for spelled in {decode_source(token) for token in set(news) if _NAME.fullmatch(token)}:
        read = originals.find_originals(spelled)
        if value not in read and spelled != value:
            for name in read:
                found.made.setdefault(name, set()).add(spelled)
                any_found = True
    return any_found


def _is_assembler_label(tokens: Sequence[bytes], place: int) -> bool:
    """Whether the token is the label of an assembler's operand, which `rename_code` leaves."""
    return place > 0 and tokens[place - 1] == b"[" and b"".join(tokens[place + 1 : place + 3]).startswith(b']"')


def _restore_renamed_parts(made: str, back: Mapping[str, str]) -> Iterator[str]:
    """The originals of a name that a macro made of some parts, of which one, two or three were renamed."""
    pieces = [
        (start, end)
        for start in range(len(made))
        for end in range(start + 1, len(made) + 1)
        if made[start:end] in back
    ]
    for count in range(1, _MOST_PASTED_PARTS + 1):
        for chosen in combinations(pieces, count):
            if all(one[1] <= other[0] for one, other in pairwise(chosen)):
                ends = [0, *(end for _, end in chosen)]
                yield (
                    "".join(
                        made[before:start] + back[made[start:end]]
                        for before, (start, end) in zip(ends, chosen, strict=False)
                    )
                    + made[ends[-1] :]
                )


def _join_literals(tokens: Sequence[bytes], place: int) -> str:
    """The text that the literals beside this one make together with it."""
    first = last = place
    while first > 0 and _TEXT.fullmatch(tokens[first - 1]):
        first -= 1
    while last + 1 < len(tokens) and _TEXT.fullmatch(tokens[last + 1]):
        last += 1
    return decode_source(b"".join(token[1:-1] for token in tokens[first : last + 1]))
