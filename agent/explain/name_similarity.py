"""How similar two identifiers are: by their letters, and by what their words mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from index.cpp.tokens import split_identifier

# Words that programmers and models use for the same thing; each project has settled on one of each line.
_SYNONYM_LINES = (
    "get fetch find lookup search read load retrieve query",
    "set put store assign write save update",
    "add insert append push register attach",
    "del delete remove erase drop unlink pop",
    "free release destroy dispose cleanup close finish deinit",
    "create new alloc allocate make init initialize setup build construct",
    "reset clear empty flush zero",
    "len length size count num number total n cnt",
    "val value data content",
    "str string text",
    "obj object",
    "ptr pointer addr address",
    "buf buffer",
    "err error fail failure",
    "msg message",
    "ctx context",
    "pos position offset off",
    "idx index",
    "cmp compare equal equals eq match",
    "dup copy clone duplicate",
    "ret result res",
    "max maximum",
    "min minimum",
    "cur current",
    "prev previous",
    "tmp temp",
    "arg argument param parameter",
    "is has can",
    "print show dump display",
    "start begin first head",
    "end stop last tail",
    "key name id",
    "cb callback handler hook",
    "conn connection",
    "cfg conf config",
    "time timestamp",
    "ms millis milliseconds msec",
    "us micros microseconds usec",
)
_SYNONYM_GROUP = {word: number for number, line in enumerate(_SYNONYM_LINES) for word in line.split()}
# Below this the names have so few letters in common that their words needn't be compared.
_LEAST_LETTER_SIMILARITY = 30.0
_SYNONYM_WEIGHT = 0.9
_LEAST_WORD_SIMILARITY = 0.7
# The same words in another order, or words of the same meaning, count a little less than the same letters.
_WORD_SIMILARITY_WEIGHT = 95.0


def name_similarity_percent(left: str, right: str) -> float:
    """0 to 100. Case and underscores don't count; `fetchDictLength` and `dict_get_size` are nearly the same."""
    from rapidfuzz import fuzz

    letters = fuzz.ratio(left.replace("_", "").lower(), right.replace("_", "").lower())
    if letters < _LEAST_LETTER_SIMILARITY:
        return letters
    a, b = _name_words(left), _name_words(right)
    share = (
        (_sum_best_word_similarities(a, b) / len(a) + _sum_best_word_similarities(b, a) / len(b)) / 2
        if a and b
        else 0.0
    )
    return max(letters, _WORD_SIMILARITY_WEIGHT * share)


@lru_cache(maxsize=65536)
def _name_words(name: str) -> tuple[str, ...]:
    return tuple(split_identifier(name))


def _sum_best_word_similarities(some: Sequence[str], others: Sequence[str]) -> float:
    return sum(max(_score_word_or_synonym_similarity(word, other) for other in others) for word in some)


@lru_cache(maxsize=65536)
def _score_word_or_synonym_similarity(word: str, other: str) -> float:
    from rapidfuzz import fuzz

    if word == other:
        return 1.0
    if word in _SYNONYM_GROUP and _SYNONYM_GROUP.get(other) == _SYNONYM_GROUP[word]:
        return _SYNONYM_WEIGHT
    ratio = fuzz.ratio(word, other) / 100
    return ratio if ratio >= _LEAST_WORD_SIMILARITY else 0.0
