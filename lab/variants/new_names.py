"""New identifiers for old ones, word part by word part, so that `dictFind` and `dictAdd` stay related.

Each part has one new part in all identifiers of a repository, whatever its case. Case, digits and underscores stay.
Nothing here depends on the order of a set or on Python's random numbers: all choices are made by hashes.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from executor.manifest.variant.values import VariantSpec
from index.cpp.keywords import word_set
from index.cpp.tokens import split_identifier, split_identifier_into_words_and_gaps

_LISTS = Path(__file__).parent / "words"

_KEYWORD_VERBS = word_set(
    "break case catch continue default delete do export goto import new register requires return switch throw try"
)
C_AND_CPP_KEYWORDS = _KEYWORD_VERBS | word_set(
    "alignas alignof and and_eq asm auto bitand bitor bool char char8_t char16_t char32_t class co_await co_return "
    "co_yield compl concept const consteval constexpr constinit const_cast decltype double dynamic_cast else enum "
    "explicit extern false final float for friend if inline int long module mutable namespace noexcept not not_eq "
    "nullptr operator or or_eq override private protected public reinterpret_cast restrict short signed sizeof static "
    "static_assert static_cast struct template this thread_local true typedef typeid typename typeof typeof_unqual "
    "union unsigned using virtual void volatile wchar_t while xor xor_eq"
)
"""Words that C or C++ gives a meaning."""
_KEYWORDS = C_AND_CPP_KEYWORDS | word_set("far huge i386 linux main near std unix")
"""Words that can't be an identifier, or that mean something without being declared."""

# Conventions that carry no memory: the `_t` of types, `m_`, `g_`, `k` and `p` before a name, axes and counters.
_LETTERS_THAT_STAY = "gijkmnptwxyz"
_LETTERS = "abcdefhloqrsuv"

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"
_OFFENSIVE_PIECES = word_set(
    "anal anus dik fag fuk homo kok kum kun naz neg nig ped pis pus rap sem sod sut tit tot vag"
)
"""Pieces of words that no made-up word may hold."""

_SWAP_BLOCK = 24
"""So many words, about equally frequent ones, change places with each other in the style `swapped`."""


def make_new_names(vocabulary: Collection[str], taken: Collection[str], spec: VariantSpec) -> dict[str, str]:
    """A new identifier for each of `vocabulary`: none is in `vocabulary` or `taken`, no two are the same, none is a
    keyword or a name of the C library. A pure function of its arguments."""
    pieces = {name: split_identifier_into_words_and_gaps(name) for name in sorted(vocabulary)}
    counts = Counter(
        part.lower() for cut in pieces.values() for part in cut[1::2] if part.isascii() and part.isalpha()
    )
    parts = _map_parts_to_new_parts(counts, taken, spec)
    closed = {*vocabulary, *taken, *_KEYWORDS, *_read_word_list("library")}
    result: dict[str, str] = {}
    clashes = []
    for name, cut in pieces.items():
        new = "".join(_replace_pieces_keeping_case(cut, parts))
        if new in closed:
            clashes.append(name)
        else:
            closed.add(new)
            result[name] = new
    # Names that clash come last: none of them takes the name that is another's by rule.
    endings = _make_clash_ending_chooser(parts, spec)
    for name in clashes:
        tries = (
            _make_new_name_with_ending(pieces[name], parts, endings(name, attempt), spec)
            for attempt in itertools.count()
        )
        new = next(text for text in tries if text not in closed)
        closed.add(new)
        result[name] = new
    return result


def _map_parts_to_new_parts(counts: Counter[str], taken: Collection[str], spec: VariantSpec) -> dict[str, str]:
    """Part -> new part, injective."""
    ranked = sorted((part for part in counts if len(part) > 1), key=lambda part: (-counts[part], part))
    plurals = [part for part in ranked if _make_singular_or_empty(part) in counts]
    bases = [part for part in ranked if _make_singular_or_empty(part) not in counts]
    verbs, things = _read_word_list("verbs"), _read_word_list("things")
    closed = {*counts, *_KEYWORDS}
    match spec.style:
        case "nonsense":
            closed |= {*verbs, *things}
            closed.update(part for name in taken for part in split_identifier(name) if len(part) > 3)
            result = _make_nonsense_words(bases, closed, spec)
        case "plausible":
            result = _choose_plausible_words(bases, closed, verbs, things, spec)
        case "swapped":
            result = _swap_words(bases, {*plurals}, {*verbs, *_KEYWORD_VERBS}, spec)
    used = {*result.values()} | (closed if spec.style != "swapped" else set())
    for part in plurals:
        single = result[_make_singular_or_empty(part)]
        word = f"{single}s" if spec.style == "swapped" else _make_plural(single)
        while word in used:
            word += "es" if word.endswith("s") else "s"
        used.add(word)
        result[part] = word
    circle = _shuffle_by_hash(_LETTERS, spec)
    letters = dict(zip(circle, circle[1:] + circle[:1], strict=True))
    return result | letters | {letter: letter for letter in _LETTERS_THAT_STAY}


def _make_singular_or_empty(part: str) -> str:
    """What `part` would be the plural of, empty when it looks like none."""
    return part[:-1] if len(part) > 3 and part[-1] == "s" and part[-2] not in "su" else ""


def _make_plural(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if word.endswith("y") and word[-2:-1] not in tuple(_VOWELS) else word + "s"


def _make_nonsense_words(parts: Iterable[str], closed: set[str], spec: VariantSpec) -> dict[str, str]:
    """Made-up words that can be pronounced, each about as long as the part."""
    used = set(closed)
    result = {}
    for part in sorted(parts):
        for attempt in itertools.count():
            # A word of a full length has little chance: the next ones are longer.
            word = _spell_number_in_syllables(_hash_to_number(spec, part, attempt), len(part) + attempt // 12)
            if word not in used and not any(unfit in word for unfit in _OFFENSIVE_PIECES):
                break
        used.add(word)
        result[part] = word
    return result


def _spell_number_in_syllables(number: int, length: int) -> str:
    """Consonants and vowels in turn. `number` chooses; a word of four letters and more may end in two consonants."""
    number, vowel = divmod(number, 2)
    letters = ""
    while len(letters) < length:
        kinds = _VOWELS if vowel else _CONSONANTS
        number, place = divmod(number, len(kinds))
        letters += kinds[place]
        if vowel and 1 < len(letters) < length - 1:
            number, place = divmod(number, 12)
            letters += "lnrs"[place] if place < 4 else ""
        vowel = not vowel
    return letters


def _choose_plausible_words(
    parts: Sequence[str], closed: set[str], verbs: Sequence[str], things: Sequence[str], spec: VariantSpec
) -> dict[str, str]:
    """Other English words: verbs for verbs, about as long, the frequent parts first; then two words together."""
    action = {*verbs, *_KEYWORD_VERBS}
    kinds = {True: verbs, False: things}
    free = {
        kind: _shuffle_and_group_by_length([word for word in kinds[kind] if word not in closed], spec)
        for kind in kinds
    }
    short = {kind: [word for word in kinds[kind] if len(word) in (3, 4, 5)] for kind in kinds}
    used = set(closed)
    result = {}
    for part in parts:
        kind = part in action
        word = _take_word_near_length_or_empty(free[kind], len(part))
        for attempt in itertools.count():
            if word and word not in used:
                break
            number, place = divmod(_hash_to_number(spec, part, attempt), len(short[kind]))
            word = short[kind][place] + short[False][number % len(short[False])]
        used.add(word)
        result[part] = word
    return result


def _shuffle_and_group_by_length(candidates: Sequence[str], spec: VariantSpec) -> dict[int, list[str]]:
    result: dict[int, list[str]] = {}
    for word in _shuffle_by_hash(candidates, spec):
        result.setdefault(len(word), []).append(word)
    return result


def _take_word_near_length_or_empty(free: Mapping[int, list[str]], length: int) -> str:
    """Takes a word of about this length out of `free`; empty when there is none."""
    for near in (length, length + 1, length - 1, length + 2, length - 2, length + 3, length - 3):
        if free.get(near):
            return free[near].pop()
    return ""


def _swap_words(
    parts: Sequence[str], plurals: Collection[str], verbs: Collection[str], spec: VariantSpec
) -> dict[str, str]:
    """The parts themselves, in other places: verbs change with verbs, frequent ones with frequent ones, and one that
    has a plural with another that has."""
    result: dict[str, str] = {}
    for kind in itertools.product((True, False), repeat=2):
        same = [part for part in parts if (part in verbs, f"{part}s" in plurals) == kind]
        starts = range(0, max(1, len(same) - 1), _SWAP_BLOCK)
        for start in starts:
            # The last block takes a single rest, which has none to change with.
            end = len(same) if start == starts[-1] else start + _SWAP_BLOCK
            block = _shuffle_by_hash(same[start:end], spec)
            result.update(zip(block, block[1:] + block[:1], strict=True))
    return result


def _replace_pieces_keeping_case(cut: Sequence[str], parts: Mapping[str, str]) -> list[str]:
    return [_copy_case(parts.get(piece.lower(), piece), piece) if at % 2 else piece for at, piece in enumerate(cut)]


def _copy_case(new: str, part: str) -> str:
    if part.isupper():
        return new.upper()
    return new.capitalize() if part[0].isupper() else new


def _make_clash_ending_chooser(parts: Mapping[str, str], spec: VariantSpec) -> Callable[[str, int], str]:
    """What to add to a name that clashes, at each attempt: a syllable, or a word."""
    if spec.style == "nonsense":
        return lambda name, attempt: _spell_number_in_syllables(
            _hash_to_number(spec, name, attempt), 2 + attempt // 12
        )
    own = sorted(part for part in parts if len(part) > 2) if spec.style == "swapped" else []
    choice = own or [word for word in _read_word_list("things") if len(word) < 7]

    def choose_ending(name: str, attempt: int) -> str:
        word = choice[_hash_to_number(spec, name, attempt) % len(choice)]
        return word if attempt < 50 else choose_ending(name, attempt // 50) + word

    return choose_ending


def _make_new_name_with_ending(cut: Sequence[str], parts: Mapping[str, str], ending: str, spec: VariantSpec) -> str:
    """The new name with `ending` behind its last word, before `_t` and digits, in the name's own style."""
    name = "".join(cut)
    at = max(
        (at for at in range(1, len(cut), 2) if cut[at].isalpha()), key=lambda at: (len(cut[at]) > 1, at), default=0
    )
    upper = cut[at].isupper() and (len(cut[at]) > 1 or (name.isupper() and len(name) > 1))
    ending = ending.upper() if upper else ending
    if spec.style != "nonsense" and at:
        mixed = not name.islower() and (not name.isupper() or len(name) == 1)
        ending = ending.capitalize() if mixed else f"_{ending}"
    new = _replace_pieces_keeping_case(cut, parts)
    return "".join((*new[: at + 1], ending, *new[at + 1 :]))


def _shuffle_by_hash(items: Iterable[str], spec: VariantSpec) -> list[str]:
    return sorted(items, key=lambda item: _hash_to_number(spec, item, 0))


def _hash_to_number(spec: VariantSpec, text: str, attempt: int) -> int:
    key = f"{spec.style}\0{spec.seed}\0{text}\0{attempt}"
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogateescape"), digest_size=16).digest(), "big")


def _read_word_list(name: str) -> list[str]:
    """A packaged list, in its own order."""
    return (_LISTS / f"{name}.txt").read_text(encoding="ascii").split()
