"""The type that a declaration's text gives a name, and how well two types fit. This is no type checker."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from index.cpp.keywords import word_set
from index.cpp.type_text import extract_text_in_brackets_or_empty, find_word_or_minus_one, split_at_outer_commas

_WORD = re.compile(r"[A-Za-z_]\w*|\*|&|\[|<|>|::|\(|\)|\.\.\.|,")
_NUMBER_NAMES = {
    word: base
    for base, line in {
        "int": "int short long unsigned signed size_t ssize_t int16_t int32_t int64_t uint16_t uint32_t uint64_t"
        " uintptr_t intptr_t ptrdiff_t off_t mode_t time_t pid_t socklen_t bool _Bool mstime_t ustime_t wchar_t"
        " uint int_fast32_t off64_t uid_t gid_t",
        "char": "char int8_t uint8_t u_char byte",
        "float": "float double",
    }.items()
    for word in line.split()
}
NUMBER_BASES = frozenset(_NUMBER_NAMES.values())
_SKIPPED = word_set(
    "const volatile static inline extern virtual constexpr explicit friend register restrict __restrict struct class "
    "union enum typename typedef mutable final override noexcept __inline __inline__ thread_local _Atomic"
)
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type. `base` is what its name stands for (`char`, `int` and `float` for all numbers, a struct's tag, "null");
    `written` is the name as code writes it; `function` is the signature of a function or a pointer to one."""

    base: str
    pointers: int = 0
    written: str = ""
    function: Signature | None = None

    @property
    def is_number(self) -> bool:
        return self.pointers == 0 and self.base in NUMBER_BASES and self.function is None


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function returns and takes; None is a type that isn't known. `least` arguments must be given; with
    `more` there may be more than the parameters."""

    returns: ValueType | None
    takes: tuple[ValueType | None, ...]
    least: int
    more: bool = False

    def accepts_argument_count(self, count: int) -> bool:
        return self.least <= count and (self.more or count <= len(self.takes))


INT = ValueType("int", written="int")
FLOAT = ValueType("float", written="double")
STRING = ValueType("char", 1, "char")
NULL = ValueType("null")

UNKNOWN_TYPE_FIT = 0.35
"""How well a type fits that isn't known, on either side."""


def score_type_fit(have: ValueType | None, want: ValueType | None) -> float:
    """0 to 1: how well a value of one type stands where another is wanted."""
    if have is None or want is None:
        return UNKNOWN_TYPE_FIT
    if have.function is not None or want.function is not None:
        return _score_signature_fit(have, want)
    if have == NULL or want == NULL:
        other = want if have == NULL else have
        return 0.6 if other.pointers or other == NULL else 0.3 if other.is_number else 0.0
    if have.is_number and want.is_number:
        return 1.0 if have.written == want.written else 0.8
    if have.base == "void" and have.pointers == 0:
        return 0.0
    if have.pointers == want.pointers and have.base == want.base:
        return 1.0 if have.written == want.written or have.base not in NUMBER_BASES else 0.9
    if have.pointers and want.pointers and "void" in (have.base, want.base):
        return 0.6
    is_template_parameter = len(want.base) == 1 and want.base.isupper()
    return 0.4 if have.pointers == want.pointers and is_template_parameter else 0.0


def _score_signature_fit(have: ValueType, want: ValueType) -> float:
    one, other = have.function, want.function
    if one is None or other is None:
        plain = want if other is None else have
        return 0.5 if plain == NULL else 0.4 if plain.base == "void" and plain.pointers == 1 else 0.0
    if len(one.takes) != len(other.takes):
        return 0.0
    pairs = [(one.returns, other.returns), *zip(one.takes, other.takes, strict=True)]
    return min(1.0 if a == b else score_type_fit(a, b) for a, b in pairs)


@lru_cache(maxsize=1 << 16)
def read_declared_type(text: str, name: str) -> ValueType | None:
    """The type of the variable, field or parameter `name` that a declaration's text declares; `name` may be ""."""
    text = text[:_LONGEST].split("=", 1)[0].strip().rstrip(";{ ")
    at = find_word_or_minus_one(text, name, 0) if name else -1
    if at < 0:
        inside = re.search(r"\(\s*\*\s*(?:const\s*)?(\w*)\s*\)\s*\(", text)
        if inside:
            return read_declared_type(f"{text[: inside.start()]} (*f){text[inside.end() - 1 :]}", "f")
        return _read_type_without_declared_name(text)
    # A field may be called as its type is: `client *client`.
    later = find_word_or_minus_one(text, name, at + 1)
    while later >= 0 and "(" not in text[at:later]:
        at, later = later, find_word_or_minus_one(text, name, later + 1)
    before, after = text[:at], text[at + len(name) :].strip()
    pointer = re.search(r"\(\s*(?:\w+\s*::\s*)?[*^]?\s*(?:const\s*)?$", before)
    if pointer is not None and re.match(r"(?:\[[^\]]*\])?\s*\)\s*\(", after):
        before, after = before[: pointer.start()], after[after.index("(") :]
    kind = _read_type_without_declared_name(before)
    if after.startswith("("):
        return ValueType("function", function=Signature(kind, *_read_parameter_types(after)))
    arrays = after.count("[") if after.startswith("[") else 0
    return None if kind is None else replace(kind, pointers=kind.pointers + arrays)


@lru_cache(maxsize=1 << 16)
def read_signature(text: str, name: str) -> Signature | None:
    """The signature that a function's header gives `name`; None when the text doesn't show it."""
    text = text[:_LONGEST]
    at = find_word_or_minus_one(text, name, 0) if name[-1:].isalnum() or name[-1:] == "_" else text.find(name)
    # `int (lua_next) (lua_State *L)`: brackets keep a macro of the same name away.
    while at >= 0 and not re.match(r"\s*\)?\s*\(", text[at + len(name) : at + len(name) + 40]):
        at = find_word_or_minus_one(text, name, at + 1)
    if at < 0:
        return None
    after = text[at + len(name) :].lstrip(" \t)")
    before = text[:at].rstrip(" (") if text[at + len(name) :].lstrip().startswith(")") else text[:at]
    before = re.sub(r"template\s*<[^;{}()]*?>\s*(?=\w)", " ", before)
    before = re.sub(r"(?:\w+(?:<[^<>]*>)?\s*::\s*)+$", "", before)
    before = re.sub(r"__attribute__\s*\(\(.*?\)\)|\b[A-Z_]{3,}\s*\([^()]*\)", " ", before)
    return Signature(_read_type_without_declared_name(before), *_read_parameter_types(after))


def _read_parameter_types(text: str) -> tuple[tuple[ValueType | None, ...], int, bool]:
    """The types in a parameter list that starts with `(`, how many must be given, and whether more may be."""
    inside = extract_text_in_brackets_or_empty(text, 0, _LONGEST)
    if not inside.strip() or inside.strip() == "void":
        return (), 0, False
    takes: list[ValueType | None] = []
    least = 0
    for part in split_at_outer_commas(inside):
        if part.strip().endswith("..."):
            return tuple(takes), least, True
        takes.append(_read_parameter_type(part))
        least += "=" not in part
    return tuple(takes), least, False


def _read_parameter_type(part: str) -> ValueType | None:
    part = re.sub(r"/\*.*?\*/", " ", part).split("=", 1)[0].strip()
    named = re.search(r"\(\s*\*\s*(?:const\s*)?(\w+)\s*\)\s*\(", part) or re.search(
        r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:__\w+.*)?$", part
    )
    if named is None:
        return read_declared_type(part, "")
    name = named[1]
    before = part[: named.start(1)]
    typed = [word for word in re.findall(r"[A-Za-z_]\w*", before) if word not in _SKIPPED]
    return read_declared_type(part, name if typed or "*" in before else "")


def _read_type_without_declared_name(text: str) -> ValueType | None:
    """The type that stands in a text without a name: its last type, and the stars behind it."""
    if text.count("<") != text.count(">"):
        text = text.rpartition("<")[0]
    base, number, pointers, depth = "", "", 0, 0
    for word in _WORD.findall(text):
        if word in "<>":
            depth += 1 if word == "<" else -1
        elif depth:
            continue
        elif word in "*[":
            pointers += 1
        elif word in _NUMBER_NAMES:
            if not (number and _NUMBER_NAMES[number] != "int" and word != "double"):
                number = "" if base else word
            base, pointers = "", 0
            number = number or word
        elif (word[0].isalpha() or word[0] == "_") and word not in _SKIPPED:
            base, number, pointers = (base, number, pointers) if number else (word, "", 0)
    if number:
        return ValueType(_NUMBER_NAMES[number], pointers, number)
    return ValueType(base, pointers, base) if base else None
