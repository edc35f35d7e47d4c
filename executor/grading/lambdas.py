"""Finds the names under which a text calls its own lambda expressions, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from index.cpp.keywords import word_set

# What may stand before a call. Behind a name, a comma, a `*` or a `>` it may be a variable's declaration.
_BEFORE_CALL = word_set("; { } ( = ! ? : || == != < <= >= + - / += -= return else")
_CONDITIONS = frozenset(("if", "for", "while"))
# More tokens before a lambda's body aren't looked at.
_MOST = 400


def find_harmless_own_lambdas(found: Sequence[str], pairs: Mapping[int, int]) -> set[str]:
    """The names that are declared as `auto name = [...] ... {...};` each time, and that do nothing else than be called
    or be handed on as the first or the last of several arguments, where a declaration holds. A call of such a name
    runs code of this text, which is read as the rest is; any other use may make the name stand for something else."""
    starts = range(1, len(found) - 2)
    made = {found[at] for at in starts if found[at - 1] == "auto" and found[at + 1 : at + 3] == ["=", "["]}
    others: set[str] = set()
    held: Counter[str] = Counter()
    scopes: list[list[str]] = [[]]
    for at, token in enumerate(found):
        if token in ("{", "("):
            scopes.append([])
        elif token in ("}", ")") and len(scopes) > 1:
            held.subtract(scopes.pop())
        elif token in made:
            if _is_declared_lambda(found, pairs, at):
                held[token] += 1
                scopes[-1].append(token)
            elif not held[token] or not _is_harmless_use(found, pairs, at):
                others.add(token)
    return made - others


def _is_declared_lambda(found: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    """Whether the declaration of a lambda here holds to the end of the block: `if (a) auto f = ...;` ends with it."""
    if (
        at == 0
        or found[at - 1] != "auto"
        or found[at + 1 : at + 2] != ["="]
        or not _is_whole_lambda(found, pairs, at + 2)
    ):
        return False
    first = at - 1
    while first and found[first - 1] in ("const", "constexpr"):
        first -= 1
    return first == 0 or found[first - 1] in (";", "{", "}")


def _is_harmless_use(found: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    before = found[at - 1] if at else ";"
    after = found[at + 1] if at + 1 < len(found) else ";"
    if after == "(" and before == ")":
        return found[max(pairs.get(at - 1, 0) - 1, 0)] in _CONDITIONS
    if after == "(":
        return before in _BEFORE_CALL
    return (before, after) in (("(", ","), (",", ")"))


def _is_whole_lambda(found: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    """Whether a lambda expression begins here and is all up to the semicolon: one that is called at once may return a
    pointer."""
    last = min(at + _MOST, len(found))
    while at < last and found[at] not in (";", "{", "}"):
        at = pairs.get(at, at) + 1 if found[at] in ("[", "(") else at + 1
    return at < len(found) and found[at] == "{" and found[pairs.get(at, at) + 1 : pairs.get(at, at) + 2] == [";"]
