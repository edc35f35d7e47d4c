"""What a function's signature says: what it returns, its parameters, and the scope in its name."""

from __future__ import annotations

import re
from typing import NamedTuple

from index.cpp.keywords import SPECIFIERS, TYPE_TAGS
from retrieval.text.terms import split_words

_SCOPE = re.compile(r"(?:[^\W\d]\w*(?:\s*<[^<>]*>)?\s*::\s*)+~?$")
_NOT_TYPES = TYPE_TAGS | SPECIFIERS
_OPENING, _CLOSING = "(<[{", ")>]}"


class ParsedParameter(NamedTuple):
    """`words` are those of the type. `name` is "" where none is written. `kind` is the last word of the type, with a
    `*` for a pointer."""

    words: tuple[str, ...]
    name: str
    kind: str


class ParsedSignature(NamedTuple):
    """`returns` are the words before the name, without its scope; `result` is like `ParsedParameter.kind`."""

    returns: tuple[str, ...]
    result: str
    parameters: tuple[ParsedParameter, ...]


def parse_signature(signature: str, name: str) -> ParsedSignature:
    """The parts of a signature of the function `name` (its last component). It never fails: what it doesn't
    understand is left out."""
    at = _find_name_or_bracket_offset(signature, name)
    before = _SCOPE.sub("", signature[:at])
    opening = signature.find("(", at + len(name))
    texts = _split_parameters(signature[opening + 1 :]) if opening >= 0 else []
    returns = tuple(split_words(before))
    parameters = tuple(_parse_parameter(text) for text in texts if text.strip() not in ("", "void", "..."))
    return ParsedSignature(returns, _spell_main_type(returns, "*" in before), parameters)


def list_parameter_types_and_names(signature: ParsedSignature) -> list[str]:
    """The words of a signature's parameters: types and names."""
    return [word for p in signature.parameters for word in (*p.words, p.name)]


def extract_scope(qualified_name: str) -> str:
    """What stands before the last component: `ns::Class`, or ""."""
    at = qualified_name.find("operator")
    head = qualified_name[:at] if at > 0 and qualified_name[at - 1] == ":" else qualified_name
    return head.rpartition("::")[0]


def _find_name_or_bracket_offset(signature: str, name: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(name)}\s*\(", signature) if name else None
    if found:
        return found.start()
    at = signature.find(name)
    return at if at >= 0 else max(signature.find("("), 0)


def _split_parameters(text: str) -> list[str]:
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


def _parse_parameter(text: str) -> ParsedParameter:
    text = text.split("=")[0]
    every = tuple(split_words(text))
    types = [word for word in every if word not in _NOT_TYPES]
    name = types[-1] if len(types) > 1 else ""
    kind = _spell_main_type(tuple(types[:-1] if name else types), "*" in text)
    return ParsedParameter(every[:-1] if name else every, name, kind)


def _spell_main_type(type_words: tuple[str, ...], pointer: bool) -> str:
    types = [word for word in type_words if word not in _NOT_TYPES and not word.isupper()]
    return (types[-1] if types else "") + ("*" if pointer else "")
