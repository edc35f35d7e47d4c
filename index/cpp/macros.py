"""Macros that stand where the grammar has no place for them, learnt from the repository's own `#define`s.

`SIMD_FORCE_INLINE btVector3 f()`, `class LLVM_ABI Foo`, `ATTRIBUTE_ALIGNED16(class) btVector3`: tree-sitter sees
no preprocessor and loses the definition. A macro whose every definition in the tree is made of specifiers and
attributes is replaced by blanks before parsing; lengths are kept, so every offset and line survives.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from functools import cache, cached_property
from typing import NamedTuple

from index.cpp.conditional_branches import BlankedHeader, blank_function_splitting_branches
from index.cpp.declaring_macros import (
    MAX_REPLACEMENT,
    DeclaringMacro,
    MacroSymbol,
    flatten_macro,
    parse_declaring_replacement_or_empty,
)
from index.cpp.initializer_directives import (
    HiddenDefine,
    blank_constructor_initializer_directives,
    blank_initializer_directives,
)
from index.cpp.keywords import word_set
from index.cpp.macro_uses import Spans, blank_macro_uses, find_directives, is_inside
from index.cpp.mending.headers import blank_macros_in_declarations
from index.cpp.mending.made_names import write_macro_made_names_or_stand_ins
from index.cpp.mending.spellings import replace_digraphs_and_join_continued_names
from index.cpp.tokens import blank_bytes_except_line_ends


class MacroForm(StrEnum):
    """What a definition expands to, as far as it matters for blanking its uses."""

    EMPTY = "empty"
    """Nothing, or its only parameter unchanged. It agrees with any other definition, and proves nothing by itself."""
    ATTRIBUTE = "attribute"
    """Specifiers, attributes, calling conventions."""
    ATTRIBUTE_CALL = "attribute_call"
    """Function-like, with no parameter outside attributes: a use is blanked whole."""
    WRAPPER = "wrapper"
    """Function-like, a parameter beside attributes: `(a) a __attribute__((aligned(16)))`. The argument stays."""
    OPENING = "opening"
    """`extern "C" {`."""
    CLOSING = "closing"
    """`}`, which ends what an `OPENING` macro opens."""
    DECLARES = "declares"
    """Function-like, with a replacement made of declarations; see `declaring_macros.py`."""
    OTHER = "other"


class Definition(NamedTuple):
    """One `#define` and its form."""

    name: str
    form: MacroForm
    words: tuple[str, ...] = ()
    """Names in the replacement that the form depends on: it holds only if they are attribute macros themselves."""
    maker: DeclaringMacro | None = None
    """What it declares."""


class LearntMacros(dict[str, "MacroForm | DeclaringMacro"]):
    """Name -> how its uses are read: blanked by form, or as what they declare. Not changed once it is made: every
    file of a tree is read by the same one, and the kernel's holds tens of thousands of macros."""

    @cached_property
    def makers(self) -> Mapping[str, DeclaringMacro]:
        """The macros whose uses declare something."""
        return {
            n: how for n, how in self.items() if isinstance(how, DeclaringMacro) and not how.is_expanded_to_bare_name
        }

    @cached_property
    def name_making_macros(self) -> Mapping[str, DeclaringMacro]:
        """The macros whose uses are names."""
        return {n: how for n, how in self.items() if isinstance(how, DeclaringMacro) and how.is_expanded_to_bare_name}

    @cached_property
    def forms(self) -> Mapping[str, MacroForm]:
        """The macros whose uses are blanked."""
        return {name: how for name, how in self.items() if isinstance(how, MacroForm)}


_DEFINE = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^()\n]*\))?((?:[^\\\n]|\\\r?\n|\\.)*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"/\*.*?\*/|//.*", re.DOTALL)
# `JEMALLOC_ATTR(x)` is defined in a file that configure makes: its name is evidence enough.
_ATTRIBUTE_HEAD = re.compile(
    r"__attribute__|__attribute|__declspec|alignas|_Alignas|_Pragma|__pragma|\[\[|\b[A-Z_]*ATTR[A-Z_]*(?=\()"
    r"|\bnoexcept\s*(?=\()|\bthrow\s*(?=\()"
)
_SPECIFIERS = word_set(
    "inline __inline __inline__ __forceinline _inline static extern const constexpr consteval "
    "constinit volatile register restrict __restrict __restrict__ noexcept explicit virtual override "
    "final _Noreturn _Thread_local thread_local __thread __cdecl __stdcall __fastcall __vectorcall "
    "__thiscall _cdecl _stdcall __extension__ WINAPI APIENTRY CALLBACK __host__ __device__ __global__ "
    "__forceinline__ __noinline__ __regparm__ __pascal"
)
# A macro may redefine a keyword (`#define inline __inline`); the keyword means what it says either way.
_KEYWORDS = _SPECIFIERS | word_set(
    "if else for while do switch case default break continue return goto sizeof typedef struct union "
    "enum class void char short int long float double signed unsigned bool auto namespace template "
    "typename using public private protected operator new delete this throw try catch friend mutable "
    "nullptr true false"
)
_NEWLINE = ord("\n")
_NAMES_ONLY = re.compile(r"(?:\s|[A-Za-z_]\w*+)*+")
_LONGEST_REPLACEMENT = 300


def read_and_classify_macro_definitions(data: bytes) -> list[Definition]:
    """The `#define`s of one file, except of keywords."""
    found = []
    for match in _DEFINE.finditer(data):
        name = match[1].decode("ascii", "replace")
        if name in _KEYWORDS or not has_only_blanks_before(data, match.start()):
            continue
        parameters, replacement = (match[2] or b"").decode("ascii", "replace"), match[3].decode("latin-1")
        form, words = _classify_replacement(parameters, replacement)
        macro = None
        declares = form is MacroForm.OTHER and parameters and ("(" in replacement or "##" in replacement)
        if declares and len(replacement) <= MAX_REPLACEMENT:
            parts = parse_declaring_replacement_or_empty(_normalise_replacement(replacement))
            if parts:
                form, macro = MacroForm.DECLARES, DeclaringMacro(_split_parameters(parameters), parts)
        found.append(Definition(name, form, words, macro))
    return found


def _split_parameters(parameters: str) -> tuple[str, ...]:
    return tuple(p.strip() for p in parameters.strip("()").split(",") if p.strip())


def _normalise_replacement(replacement: str) -> str:
    return " ".join(_COMMENT.sub(" ", replacement.replace("\\\r\n", " ").replace("\\\n", " ")).split())


def has_only_blanks_before(data: bytes, at: int) -> bool:
    """Whether only blanks stand before `at` in its line. (A regular expression for it would be tried at every line;
    one that begins with `#` is tried only where a `#` is.)"""
    while at > 0 and data[at - 1] in b" \t":
        at -= 1
    return at == 0 or data[at - 1] == _NEWLINE


_FormAndNeededNames = tuple[MacroForm, tuple[str, ...]]


def _classify_replacement(parameters: str, replacement: str) -> _FormAndNeededNames:
    """What a replacement expands to, as far as its own text tells, and the names that this depends on."""
    if len(replacement) > _LONGEST_REPLACEMENT:
        return MacroForm.OTHER, ()
    text = _normalise_replacement(replacement)
    if not text or text == parameters.strip("()").strip():
        return MacroForm.EMPTY, ()
    if text in ('extern "C" {', "}") and not parameters:
        return MacroForm.CLOSING if text == "}" else MacroForm.OPENING, ()
    rest = _remove_attributes(text.replace('extern "C"', " extern "))
    if rest is None or not _NAMES_ONLY.fullmatch(rest):
        return MacroForm.OTHER, ()
    words, names = _WORD.findall(rest), _split_parameters(parameters)
    own = [w for w in words if w in names]
    unknown = tuple(w for w in words if w not in names and w not in _SPECIFIERS)
    if not parameters:
        return MacroForm.ATTRIBUTE, unknown
    if len(own) > 1 or rest == text:
        return MacroForm.OTHER, ()
    return MacroForm.WRAPPER if own else MacroForm.ATTRIBUTE_CALL, unknown


def _remove_attributes(text: str) -> str | None:
    """`text` without its `__attribute__((...))`, `[[...]]` and the like; None where their brackets don't close."""
    out = []
    position = 0
    while match := _ATTRIBUTE_HEAD.search(text, position):
        out.append(text[position : match.start()])
        start = match.start() if match.group() == "[[" else match.end()
        end = _find_end_of_first_brackets(text, start)
        if end is None:
            return None
        position = end
    return " ".join((*out, text[position:]))


def _find_end_of_first_brackets(text: str, start: int) -> int | None:
    depth = 0
    for i in range(start, len(text)):
        if text[i] in "([":
            depth += 1
        elif text[i] in ")]":
            depth -= 1
            if depth == 0:
                return i + 1
        elif depth == 0 and not text[i].isspace():
            return None
    return None


def learn_macros(found: Iterable[Definition]) -> LearntMacros:
    """Name -> form of the macros to blank: every definition in the tree agrees, and one of them isn't empty
    (include guards, feature switches and log calls that are compiled out are empty too); or what it declares."""
    forms: dict[str, frozenset[MacroForm]] = {}
    needs: dict[str, set[str]] = {}
    makers: dict[str, DeclaringMacro] = {}
    for definition in found:
        # Shared sets: the kernel defines two million macros.
        forms[definition.name] = _unite_forms_with_new_form(forms.get(definition.name, _NO_FORMS), definition.form)
        if definition.words:
            needs.setdefault(definition.name, set()).update(definition.words)
        if definition.maker is not None:
            before = makers.get(definition.name, definition.maker)
            makers[definition.name] = _join_declaring_macros(before, definition.maker)
    agreed = {name: form for name, seen in forms.items() if (form := _agree_on_form(seen)) is not None}
    empty = {name for name, seen in forms.items() if seen == {MacroForm.EMPTY}}
    _drop_unsound_macros(agreed, needs, empty)
    parts = {n: DeclaringMacro((), ()) for n in empty} | makers
    out = LearntMacros()
    for name, form in sorted(agreed.items()):
        if form is not MacroForm.DECLARES:
            out[name] = form
        elif (maker := flatten_macro(name, parts, forms)) is not None:
            out[name] = maker
    return out


_NO_FORMS: frozenset[MacroForm] = frozenset()


@cache
def _unite_forms_with_new_form(forms: frozenset[MacroForm], form: MacroForm) -> frozenset[MacroForm]:
    return forms | {form}


def _drop_unsound_macros(
    agreed: dict[str, MacroForm], needs: Mapping[str, Collection[str]], empty: Collection[str]
) -> None:
    """Take macros out of `agreed` that are made of others which are neither in it nor empty, until none is left."""
    users: dict[str, list[str]] = {}
    for name in agreed:
        for word in needs.get(name, ()):
            if word != name:
                users.setdefault(word, []).append(name)
    gone = [word for word in users if word not in agreed and word not in empty]
    while gone:
        for name in users.get(gone.pop(), ()):
            if agreed.pop(name, None) is not None:
                gone.append(name)


def _join_declaring_macros(first: DeclaringMacro, second: DeclaringMacro) -> DeclaringMacro:
    """Definitions in different branches: the parts of both, where the parameters are the same."""
    if first.parameters != second.parameters or first.parts == second.parts:
        return first
    return DeclaringMacro(first.parameters, tuple(dict.fromkeys((*first.parts, *second.parts))))


def _agree_on_form(seen: frozenset[MacroForm]) -> MacroForm | None:
    solid = seen - {MacroForm.EMPTY}
    if solid == {MacroForm.CLOSING}:
        return MacroForm.CLOSING if MacroForm.EMPTY in seen else None
    if solid == {MacroForm.ATTRIBUTE_CALL, MacroForm.WRAPPER}:
        return MacroForm.WRAPPER
    return next(iter(solid)) if len(solid) == 1 and MacroForm.OTHER not in solid else None


class ParserText(NamedTuple):
    """A text as the parser should see it, of the same length, and what uses of macros in it declare."""

    source: bytes
    macro_symbols: list[MacroSymbol]
    other_headers: list[BlankedHeader]
    """Other headers of functions that `#if` splits."""
    macro_headers: dict[int, MacroSymbol]
    """Uses of macros that a body follows, by place: such a use is a function's header."""
    defines: list[HiddenDefine]
    """Macros whose definitions stand within initializers."""
    made_names: Mapping[str, str]
    """Names that macros make, by the words that stand for them."""


def prepare_parser_text(data: bytes, learnt: LearntMacros, *, is_c: bool = False) -> ParserText:
    """`data` with everything blanked that the grammar can't read: uses of learnt macros outside preprocessor lines,
    comments before a `\\` in a `#define`, and unknown macros that stand where only a macro can."""
    original = data
    data = replace_digraphs_and_join_continued_names(data)
    if b"*/" in data:
        data = _COMMENT_IN_DEFINE.sub(lambda m: bytes(c if c in b"\\\r\n" else 32 for c in m.group()), data)
    out = bytearray(data)
    # Looking the words up takes as long for a hundred thousand macros as for one, where a pattern of all their names
    # tries one after the other.
    words = {word.decode("ascii") for word in set(_IDENTIFIER.findall(data))} if learnt else set()
    # Most files use no macro that declares something: the names are looked for before each line's first word is.
    macros = {} if words.isdisjoint(learnt.makers) else learnt.makers
    directives = find_directives(data)
    symbols, headers = blank_macro_uses(out, data, macros, directives)
    defines = blank_initializer_directives(out, data)
    if not is_c:
        blank_constructor_initializer_directives(out, data)
    other_headers = blank_function_splitting_branches(out, data if not defines else bytes(out))
    forms = {word: learnt.forms[word] for word in words if word in learnt.forms}
    _blank_learnt_macro_uses(out, data, forms, directives)
    namers = {word: learnt.name_making_macros[word] for word in words if word in learnt.name_making_macros}
    made_names = write_macro_made_names_or_stand_ins(out, bytes(out), namers, words) if namers else {}
    if not is_c:
        _blank_unread_cpp_words(out)
    blank_macros_in_declarations(out, is_c=is_c)
    # Where nothing is blanked the very same text, so that nobody compares the two again.
    source = original if out == original else bytes(out)
    return ParserText(source, symbols, other_headers, headers, defines, made_names)


_UNREAD = (
    (b"export", re.compile(rb"^[ \t]*(export)(?=\s+(?!module\b|import\b)[A-Za-z_:\[{]|\s*\{)", re.MULTILINE)),
    (b"[[", re.compile(rb"\benum(?:\s+(?:class|struct))?\s*(\[\[[^\]]{0,300}\]\])(?=\s*\w)")),
    (b"<<<", re.compile(rb"(<<<[^<>;{}]*+(?:<[^<>;{}]*>[^<>;{}]*)*+>>>)(?=\s*\()")),
)
"""What a module exports, which the grammar takes for a function; attributes of an enum, which it loses; how many
threads a CUDA kernel is launched with, which it takes for shifts. Each with a text that it holds."""


def _blank_unread_cpp_words(out: bytearray) -> None:
    for held, pattern in _UNREAD:
        if held in out:
            for match in pattern.finditer(bytes(out)):
                blank_bytes_except_line_ends(out, *match.span(1), b" ")


def _blank_learnt_macro_uses(out: bytearray, data: bytes, forms: Mapping[str, MacroForm], directives: Spans) -> None:
    if forms:
        pattern = re.compile(b"|".join(map(_make_use_pattern, sorted(forms))), re.MULTILINE)
        for match in pattern.finditer(data):
            if not is_inside(match.start(), directives):
                _blank_macro_use(out, data, match.start(), match.end(), forms[match.group().strip().decode("ascii")])


_IDENTIFIER = re.compile(rb"\b[A-Za-z_]\w*")
_COMMENT_IN_DEFINE = re.compile(rb"/\*(?:[^*\n]|\*(?!/)){0,500}+\*/(?=[ \t]*\\\r?\n)")


def _make_use_pattern(name: str) -> bytes:
    # zlib's `#define local static`: elsewhere such a word is a variable, so it counts only at a line's start.
    ordinary = name.islower() and "_" not in name
    return (rb"^[ \t]*%s(?=[ \t]+[A-Za-z_])" if ordinary else rb"\b%s\b") % name.encode()


_LONGEST_ARGUMENTS = 2000


def _blank_macro_use(out: bytearray, data: bytes, start: int, end: int, form: MacroForm) -> None:
    if form in (MacroForm.ATTRIBUTE, MacroForm.OPENING, MacroForm.CLOSING):
        # An attribute becomes part of what follows it; a form feed says that a bracket doesn't.
        out[start:end] = (b" " if form is MacroForm.ATTRIBUTE else b"\f") * (end - start)
        return
    opening = end
    while data[opening : opening + 1].isspace():
        opening += 1
    close = _find_end_of_parentheses(data, opening) if data.startswith(b"(", opening) else None
    if close is None:
        return
    # An argument that is text (a message) isn't part of a declaration: then all of it goes.
    if form is MacroForm.WRAPPER and b'"' not in data[opening + 1 : close - 1]:
        out[start : opening + 1] = b" " * (opening + 1 - start)
        out[close - 1 : close] = b" "
    else:
        blank_bytes_except_line_ends(out, start, close, b" ")


def _find_end_of_parentheses(data: bytes, opening: int) -> int | None:
    depth = 0
    for i in range(opening, min(len(data), opening + _LONGEST_ARGUMENTS)):
        depth += (data[i] == 40) - (data[i] == 41)
        if depth == 0:
            return i + 1
    return None
