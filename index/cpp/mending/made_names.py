"""Names that macros make: `#define F77(name) name##_` makes `scale_` of `F77(scale)`, in headers and in calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from itertools import product

from index.cpp.declaring_macros import DeclaringMacro, split_macro_arguments, substitute_arguments

_NAME = re.compile(r"[A-Za-z_]\w*")
_ARGUMENTS = re.compile(rb"[ \t]*\(([\w \t\n,]{0,300})\)")
_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"


def write_macro_made_names_or_stand_ins(
    out: bytearray, data: bytes, makers: Mapping[str, DeclaringMacro], words: Set[str]
) -> dict[str, str]:
    """Put the names that uses of `makers` make in their places in `out`, whose text is `data` with the identifiers
    `words`. Returns the names that are too long for that, by the words that stand for them."""
    too_long: dict[str, str] = {}
    standing: dict[tuple[str, int], str] = {}
    for start, end, name in _find_name_making_uses(data, makers):
        # The lines of what follows stay where they are.
        lines = data.count(b"\n", start, end)
        length = end - start - lines
        written = name
        if len(name) > length:
            written = standing.get((name, length), "") or _choose_unused_word(length, too_long.keys() | words)
            standing[name, length] = written
            too_long[written] = name
        out[start:end] = written.encode().ljust(length) + b"\n" * lines
    return too_long


_StartEndName = tuple[int, int, str]


def _find_name_making_uses(data: bytes, makers: Mapping[str, DeclaringMacro]) -> Iterator[_StartEndName]:
    """(start, end, name made) of the uses of these macros that make a name, outside directives."""
    for match in re.finditer(rb"\b(?:%s)\b" % "|".join(sorted(makers)).encode(), data):
        arguments = _ARGUMENTS.match(data, match.end())
        before = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if arguments is None or before.lstrip(b" \t").startswith(b"#"):
            continue
        maker = makers[match.group().decode()]
        given = dict(zip(maker.parameters, split_macro_arguments(arguments[1].decode()), strict=False))
        made = substitute_arguments(maker.parts[0].text, given)
        if _NAME.fullmatch(made):
            yield match.start(), arguments.end(), made


def _choose_unused_word(length: int, taken: Set[str]) -> str:
    words = (f"Z{''.join(reversed(digits))}" for digits in product(_DIGITS, repeat=length - 1))
    return next(word for word in words if word not in taken)
