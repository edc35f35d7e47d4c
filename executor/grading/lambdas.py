"""Finds the names under which a text calls its own lambda expressions, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# What may stand before a call. Behind a name, a comma, a `*` or a `>` it may be a variable's declaration.
_BEFORE_CALL = frozenset(
    (
        ";",
        "{",
        "}",
        "(",
        "=",
        "!",
        "?",
        ":",
        "||",
        "==",
        "!=",
        "<",
        "<=",
        ">=",
        "+",
        "-",
        "/",
        "+=",
        "-=",
        "return",
        "else",
    )
)
_CONDITIONS = frozenset(("if", "for", "while"))
# More tokens before a lambda's body aren't looked at.
_MOST = 400


def own_lambdas(found: Sequence[str], pairs: Mapping[int, int]) -> set[str]:
    """The names that are declared as `auto name = [...] ... {...};` each time, and that do nothing else than be called
    or be handed on as the first or the last of several arguments. A call of such a name runs code of this text, which
    is read as the rest is; any other use may make the name stand for something else."""
    starts = range(1, len(found) - 2)
    made = {found[at] for at in starts if found[at - 1] == "auto" and found[at + 1 : at + 3] == ["=", "["]}
    return made - {token for at, token in enumerate(found) if token in made and not _is_harmless(found, pairs, at)}


def _is_harmless(found: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    before = found[at - 1] if at else ";"
    after = found[at + 1] if at + 1 < len(found) else ";"
    if before == "auto":
        return after == "=" and _is_whole(found, pairs, at + 2)
    if after == "(" and before == ")":
        return found[max(pairs.get(at - 1, 0) - 1, 0)] in _CONDITIONS
    if after == "(":
        return before in _BEFORE_CALL
    return (before, after) in (("(", ","), (",", ")"))


def _is_whole(found: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    """Whether a lambda expression begins here and is all up to the semicolon: one that is called at once may return a
    pointer."""
    last = min(at + _MOST, len(found))
    while at < last and found[at] not in (";", "{", "}"):
        at = pairs.get(at, at) + 1 if found[at] in ("[", "(") else at + 1
    return at < len(found) and found[at] == "{" and found[pairs.get(at, at) + 1 : pairs.get(at, at) + 2] == [";"]
