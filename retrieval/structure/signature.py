"""What a function's signature says: what it returns, and its parameters."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d]\w*")
_SCOPE = re.compile(r"(?:[^\W\d]\w*(?:\s*<[^<>]*>)?\s*::\s*)+~?$")
_NOT_TYPES = frozenset(
    re.findall(
        r"\w+",
        "const struct union enum class typename volatile static inline extern virtual constexpr explicit friend"
        " register unsigned signed template restrict",
    )
)
_OPENING, _CLOSING = "(<[{", ")>]}"


class Parameter(NamedTuple):
    """`name` is "" where none is written; `kind` the last word of the type, with a `*` for a pointer."""

    words: tuple[str, ...]
    name: str
    kind: str


class Parts(NamedTuple):
    """`returns` are the words before the name, its scope excluded; `result` as `Parameter.kind`."""

    returns: tuple[str, ...]
    result: str
    parameters: tuple[Parameter, ...]


def parts(signature: str, name: str) -> Parts:
    """The parts of a signature of the function `name` (its last component). Never fails: what isn't understood is
    an empty list."""
    at = _name_at(signature, name)
    before = _SCOPE.sub("", signature[:at])
    opening = signature.find("(", at + len(name))
    parameters = _split(signature[opening + 1 :]) if opening >= 0 else []
    returns = tuple(_WORD.findall(before))
    found = tuple(_parameter(text) for text in parameters if text.strip() not in ("", "void", "..."))
    return Parts(returns, _kind(returns, "*" in before), found)


def offered_words(signature: Parts) -> list[str]:
    """The words that a signature's parameters are made of."""
    return [word for p in signature.parameters for word in (*p.words, p.name)]


def scope_of(qualified_name: str) -> str:
    """What stands before the last component: `ns::Class`, or ""."""
    at = qualified_name.find("operator")
    head = qualified_name[:at] if at > 0 and qualified_name[at - 1] == ":" else qualified_name
    return head.rpartition("::")[0]


def _name_at(signature: str, name: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(name)}\s*\(", signature) if name else None
    if found:
        return found.start()
    at = signature.find(name)
    return at if at >= 0 else max(signature.find("("), 0)


def _split(text: str) -> list[str]:
    """The parameters' texts, up to the bracket that closes the list."""
    depth = 0
    out = [""]
    for char in text:
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
            if depth < 0 and char == ")":
                break
        if char == "," and depth <= 0:
            out.append("")
        else:
            out[-1] += char
    return out


def _parameter(text: str) -> Parameter:
    text = text.split("=")[0]
    words = tuple(_WORD.findall(text))
    telling = [w for w in words if w not in _NOT_TYPES]
    name = telling[-1] if len(telling) > 1 else ""
    kind = _kind(tuple(telling[:-1] if name else telling), "*" in text)
    return Parameter(words[:-1] if name else words, name, kind)


def _kind(words: tuple[str, ...], pointer: bool) -> str:
    telling = [w for w in words if w not in _NOT_TYPES and not w.isupper()]
    return (telling[-1] if telling else "") + ("*" if pointer else "")
