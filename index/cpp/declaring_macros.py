"""Functions that macros make: `IMPLEMENT_ASN1_FUNCTIONS(X509)` defines d2i_X509 and five more.

A function-like macro whose replacement is made of declarations is called a maker. Its replacement is read once, by its
tokens. Where it is used at file level, the arguments are put in, and what is declared there becomes symbols.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from index.cpp.keywords import word_set
from index.cpp.tokens import (
    CLOSING_BRACKETS,
    OPENING_BRACKETS,
    find_closing_token_or_minus_one,
    split_replacement_into_pieces,
)

PartKind = Literal["function", "prototype", "use", "name", "other"]


class ReplacementPart(NamedTuple):
    """One declaration of a replacement. `text` is the header of a function or prototype, the whole of a "use" of
    another macro, a "name" (`lib_##name`), "" for "other" (a type, a variable)."""

    kind: PartKind
    text: str


class DeclaringMacro(NamedTuple):
    """A macro whose replacement declares something: its parameters, and the parts of its replacement."""

    parameters: tuple[str, ...]
    parts: tuple[ReplacementPart, ...]

    @property
    def is_expanded_to_bare_name(self) -> bool:
        """Whether a use is a name, and declares nothing by itself."""
        return bool(self.parts) and self.parts[0].kind == "name"


class MacroSymbol(NamedTuple):
    """What a use of a maker at [start, end) declares. `name` is qualified as in the header, `signature` is the
    expanded header."""

    start: int
    end: int
    function: bool
    name: str
    signature: str


MAX_REPLACEMENT = 20_000
MAX_DEPTH = 6
"""Macros in macros: openssl's ASN.1 macros are four deep."""
MAX_PARTS = 200
_WORD = re.compile(r"[A-Za-z_]\w*")
_PASTED = re.compile(r"\s*##\s*")
_PASTED_WORD = re.compile(r"\w+(?:\s*##\s*\w+)+")
_STATEMENT_WORDS = word_set(
    "do if for while switch return goto else case break continue default throw delete new sizeof"
)
_TYPE_WORDS = word_set("struct class union enum namespace typedef using")
_DECLARING_WORDS = _TYPE_WORDS | {"static_assert", "_Static_assert", "friend", "extern"}
_NOT_FUNCTION_NAMES = word_set("__attribute__ __attribute __declspec noexcept alignas _Alignas decltype sizeof throw")
_PARAMETERS = re.compile(r"^[^\"'(]*\((?:\s*\)|[^\"'\d])[^\"']*$")
_OTHER = ReplacementPart("other", "")


def parse_declaring_replacement_or_empty(replacement: str) -> tuple[ReplacementPart, ...]:
    """The declarations that a replacement (without comments and continued lines) is made of; () when there is
    anything else in it, or nothing that a use at file level would declare."""
    tokens = _split_tokens(replacement)
    if len(tokens) == 1 and _PASTED_WORD.fullmatch(tokens[0]):
        return (ReplacementPart("name", tokens[0]),)
    parts: list[ReplacementPart] = []
    head: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        closing = find_closing_token_or_minus_one(tokens, at) if token in OPENING_BRACKETS else at
        if closing < 0 or token in CLOSING_BRACKETS:
            return ()
        if _is_macro_use(head) and (_WORD.match(token) or token == "template"):
            parts.append(ReplacementPart("use", _join_tokens(head)))
            head = []
        part: ReplacementPart | None = _OTHER
        if token == "{":
            part = _read_declaration_before_braces(head)
        elif token == ";" and head:
            part = _read_declaration_part(head, ended=True)
        if part is None or len(parts) > MAX_PARTS:
            return ()
        if token == ";" or (token == "{" and (part.text or tokens[closing + 1 : closing + 2] == [";"])):
            parts.append(part)
            head = []
        else:
            # `struct a { } b`, `= { }`: the declaration goes on.
            head += ["{}"] if token == "{" else tokens[at : closing + 1]
        at = closing + 1
    if head:
        use = ReplacementPart("use", _join_tokens(head)) if _is_macro_use(head) else None
        last = use or _read_declaration_part(head, ended=False)
        if last is None:
            return ()
        parts.append(last)
    declares = any(part.text for part in parts) or (parts and not {";", "{", "="}.isdisjoint(tokens))
    return tuple(parts) if declares else ()


def _split_tokens(text: str) -> list[str]:
    return [token for token in split_replacement_into_pieces(text) if not token.isspace()]


def _is_macro_use(head: Sequence[str]) -> bool:
    """`NAME(...)` and nothing else."""
    is_call = len(head) > 2 and head[1] == "(" and _WORD.fullmatch(head[0]) is not None
    return is_call and find_closing_token_or_minus_one(head, 1) == len(head) - 1


def _read_declaration_before_braces(head: Sequence[str]) -> ReplacementPart | None:
    """What `head { ... }` declares; None for a statement."""
    plain = _skip_template_head(head)
    if not plain or plain[0] in _STATEMENT_WORDS:
        return None
    if plain[0] == "namespace" or (plain[0] in _TYPE_WORDS and "(" not in plain) or "=" in plain:
        return _OTHER
    if (plain[0] == "extern" and len(plain) == 2) or _find_function_name_position_or_minus_one(plain) < 1:
        return None
    return ReplacementPart("function", _join_tokens(head))


def _read_declaration_part(head: Sequence[str], *, ended: bool) -> ReplacementPart | None:
    """What `head`, with a `;` behind it where it is `ended`, declares; None for a statement or an expression."""
    plain = _skip_template_head(head)
    if not plain or plain[0] in _STATEMENT_WORDS:
        return None
    if _is_macro_use(plain):
        return ReplacementPart("use", _join_tokens(plain))
    is_type = plain[0] in _DECLARING_WORDS and not ("(" in plain and plain[0] == "extern")
    if is_type and (ended or plain[0] == "typedef"):
        return _OTHER
    name = _find_function_name_position_or_minus_one(plain)
    if "=" in plain:
        before = plain[: plain.index("=")]
        words = [t for t in before if _WORD.match(t)]
        return _OTHER if len(words) > 1 and "." not in before and ">" not in before[-2:] else None
    if (
        _find_qualified_name_start(plain, name) >= 1
        and _WORD.match(plain[0])
        and all(_WORD.match(t) or t in ("*", "&", "::", "<", ">", ",", "(", ")") for t in plain[:name])
    ):
        return ReplacementPart("prototype", _join_tokens(head))
    words = [t for t in plain if _WORD.match(t)]
    return _OTHER if ended and len(words) > 1 and len(words) == len([t for t in plain if t != "*"]) else None


def _skip_template_head(head: Sequence[str]) -> Sequence[str]:
    if len(head) > 1 and head[0] == "template" and head[1] == "<":
        depth = 0
        for i, token in enumerate(head):
            depth += (token == "<") - (token == ">")
            if depth == 0 and i > 0:
                return _skip_template_head(head[i + 1 :])
    return head


def _find_function_name_position_or_minus_one(head: Sequence[str]) -> int:
    """Where the declared function's name stands in a header: before the first parameter list, 0 or -1 for none."""
    depth = 0
    for i, token in enumerate(head):
        if token == "(" and depth == 0 and i > 0 and head[i - 1] not in _NOT_FUNCTION_NAMES:
            closing = find_closing_token_or_minus_one(head, i)
            following = head[closing + 1] if 0 <= closing < len(head) - 1 else ""
            # `STACK_OF(x) *f(...)`: the first brackets belong to the type.
            of_type = following in ("(", "*", "&") or _WORD.match(following)
            behind = following in ("const", "noexcept", "override", "final", "__attribute__")
            if _WORD.match(head[i - 1]) and (behind or not of_type):
                return i - 1
        depth += (token in OPENING_BRACKETS) - (token in CLOSING_BRACKETS)
    return -1


def _find_qualified_name_start(head: Sequence[str], last_word_at: int) -> int:
    """Where the qualified name begins whose last word stands at `last_word_at`."""
    while last_word_at >= 2 and head[last_word_at - 1] == "::" and _WORD.fullmatch(head[last_word_at - 2]):
        last_word_at -= 2
    return last_word_at


def _join_tokens(tokens: Sequence[str]) -> str:
    out = ""
    for token in tokens:
        tight = not out or token in (",", ")", "(", ";", "::", "]", "[") or out[-1] in "([:*&~"
        out += token if tight else f" {token}"
    return out


def flatten_macro(
    name: str, makers: Mapping[str, DeclaringMacro], macros: Collection[str] = (), depth: int = 0
) -> DeclaringMacro | None:
    """The maker with the parts of other makers in place of their uses; None when it uses a macro that declares
    nothing. A header whose name is itself one of the tree's `macros` becomes what that macro expands to."""
    maker = makers.get(name)
    if maker is None or depth > MAX_DEPTH:
        return None
    parts: list[ReplacementPart] = []
    for part in maker.parts:
        if part.kind == "name":
            parts.append(part)
            continue
        before, use, behind = (
            ("", part.text, "")
            if part.kind in ("use", "other")
            else _split_around_declared_macro_name_or_empty(part.text, macros)
        )
        if not use:
            parts.append(part)
            continue
        used, arguments = split_macro_use(use)
        inner = flatten_macro(used, makers, macros, depth + 1)
        if inner is not None and inner.is_expanded_to_bare_name and part.kind != "use":
            given = dict(zip(inner.parameters, arguments, strict=False))
            made = substitute_arguments(inner.parts[0].text, given, paste=False)
            parts.append(ReplacementPart(part.kind, before + made + behind))
            continue
        if part.kind != "use" and (inner is None or [p.kind for p in inner.parts] != ["prototype"]):
            parts.append(_OTHER)
            continue
        if inner is None or len(parts) + len(inner.parts) > MAX_PARTS:
            return None
        given = dict(zip(inner.parameters, arguments, strict=False))
        for inner_part in inner.parts:
            text = substitute_arguments(inner_part.text, given, paste=False)
            parts.append(ReplacementPart(inner_part.kind if part.kind == "use" else part.kind, before + text))
    return DeclaringMacro(maker.parameters, tuple(dict.fromkeys(parts)))


_BeforeUseBehind = tuple[str, str, str]


def _split_around_declared_macro_name_or_empty(header: str, macros: Collection[str]) -> _BeforeUseBehind:
    """A header whose declared name is a macro, cut before and behind that macro's use; empty texts for an ordinary
    one."""
    tokens = _split_tokens(header)
    at = _find_function_name_position_or_minus_one(tokens)
    if at < 0 or tokens[at] not in macros:
        return "", "", ""
    closing = find_closing_token_or_minus_one(tokens, at + 1)
    behind = _join_tokens(tokens[closing + 1 :])
    return _join_tokens(tokens[:at]) + " ", _join_tokens(tokens[at : closing + 1]), behind


def split_macro_use(text: str) -> tuple[str, list[str]]:
    """`NAME(a, (b, c))` -> its name and arguments."""
    opening = text.index("(")
    return text[:opening].strip(), split_macro_arguments(text[opening + 1 : text.rindex(")")])


def split_macro_arguments(text: str) -> list[str]:
    """Arguments of a macro's use, split at the commas outside brackets."""
    out = [""]
    depth = 0
    for token in split_replacement_into_pieces(text):
        depth += (token in OPENING_BRACKETS) - (token in CLOSING_BRACKETS)
        if token == "," and depth == 0:
            out.append("")
        else:
            out[-1] += token
    return [" ".join(argument.split()) for argument in out]


def substitute_arguments(text: str, given: Mapping[str, str], *, paste: bool = True) -> str:
    """`text` with arguments for parameters; `paste` joins what stands beside `##`."""
    if given:
        text = _WORD.sub(lambda m: given.get(m.group(), m.group()), text)
    return _PASTED.sub("", text) if paste else text


def expand_macro_use(
    maker: DeclaringMacro, macro_name: str, arguments_text: str, start: int, end: int
) -> list[MacroSymbol]:
    """The functions and prototypes that a use of `maker`, the macro `macro_name`, at [start, end) declares, each name
    once: a function rather than a prototype. `arguments_text` are the arguments as written."""
    arguments = split_macro_arguments(arguments_text)
    given = dict(zip(maker.parameters, arguments, strict=False))
    if maker.parameters and maker.parameters[-1] == "...":
        given["__VA_ARGS__"] = ", ".join(arguments[len(maker.parameters) - 1 :])
    found: dict[str, MacroSymbol] = {}
    for part in maker.parts:
        if part.kind not in ("function", "prototype"):
            continue
        header = substitute_arguments(part.text, given)
        name = read_name_in_function_header_or_empty(header)
        if part.kind == "prototype" and not _PARAMETERS.search(header):
            continue  # `Timer timer("phase")` makes a variable
        if name and (name not in found or (part.kind == "function" and not found[name].function)):
            signature = f"{header} /* made by the macro {macro_name} */"
            found[name] = MacroSymbol(start, end, part.kind == "function", name, signature)
    return list(found.values())


def read_name_in_function_header_or_empty(header: str) -> str:
    """The qualified name that a function's header declares, or ""."""
    plain = _skip_template_head(_split_tokens(header))
    at = _find_function_name_position_or_minus_one(plain)
    if at < 0 or not _WORD.fullmatch(plain[at]) or plain[at] in _STATEMENT_WORDS:
        return ""
    return "".join(plain[_find_qualified_name_start(plain, at) : at + 1])
