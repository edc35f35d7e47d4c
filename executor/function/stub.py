"""Trivial bodies of the right type for any function: `model: stub`, which a good test suite should catch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from executor.function.definition import (
    DefinitionParts,
    Token,
    find_closing_bracket_or_last_index,
    read_tokens_without_literals_and_directives,
    split_at_commas,
    split_definition,
)
from index.cpp.keywords import PRIMITIVE_TYPES
from index.errors import TaskError
from index.values import Target

# Words that stand before a type and aren't part of it. Macros are recognised by their capitals.
_SPECIFIERS = frozenset(
    {"static", "inline", "extern", "virtual", "constexpr", "consteval", "explicit", "friend", "register"}
    | {"__inline", "__inline__", "__forceinline", "__extension__", "_Noreturn"}
)
_ATTRIBUTES = frozenset({"__attribute__", "__attribute", "__declspec", "alignas", "_Alignas"})
_CV = frozenset({"const", "volatile", "__const", "__restrict", "restrict", "__restrict__"})
_ARITHMETIC = (PRIMITIVE_TYPES | {"char8_t"}) - {"void"}
_TAGS = frozenset({"struct", "class", "enum", "union"})
_MACRO = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class _Function:
    """`returns` are the tokens of the return type without specifiers; None for constructors and destructors.
    `parameters`: the name of each that has one, and its words. `owner` is the class's own name or "". `static` is also
    True for a friend, `const` for a const member."""

    definition: DefinitionParts
    cpp: bool
    returns: tuple[str, ...] | None
    parameters: tuple[tuple[str, list[str]], ...]
    owner: str
    name: str
    static: bool
    const: bool


def make_stub(target: Target, gold: str) -> str:
    """The whole definition with the header of `gold` and a body that only returns a zero of the return type.

    Initialisers are kept, because const members and references need them. Parameters are marked as unused, so that
    -Werror=unused-parameter lets the stub pass. Raises TaskError when `gold` has no function body.
    """
    function = _analyse_definition(target, gold)
    return _write_stub(function, gold, _make_return_lines(function))


def make_zero_return_statements(target: Target, gold: str) -> str:
    """The stub's last statements on one line: what returns a zero of the return type. Raises TaskError as `make_stub`
    does."""
    return " ".join(_make_return_lines(_analyse_definition(target, gold))) or "return;"


def make_trivial_definitions(target: Target, gold: str) -> dict[str, str]:
    """Trivial definitions by name: `zero`, which is the stub itself, then `one`, `minus-one` and `first-argument`
    where the return type allows them. Raises TaskError as `make_stub` does."""
    function = _analyse_definition(target, gold)
    *before, zero = _make_return_lines(function) or [""]
    returned: dict[str, str] = {}
    if zero.startswith("return") and function.returns is not None:
        words = [word for word in function.returns if word not in _CV]
        if words[-1] not in {"*", "&"}:
            returned["one"] = "true" if words == ["bool"] else "1"
            if words != ["bool"] and "unsigned" not in words:
                returned["minus-one"] = "-1"
        plain = ((name, [word for word in spelt if word not in _CV]) for name, spelt in function.parameters)
        if same := next((name for name, spelt in plain if spelt == [*words, name]), None):
            returned["first-argument"] = same
    others = {name: _write_stub(function, gold, [*before, f"return {text};"]) for name, text in returned.items()}
    return {"zero": make_stub(target, gold), **others}


def _write_stub(function: _Function, gold: str, statements: Sequence[str]) -> str:
    definition = function.definition
    # The white space before the closing brace; for a body on one line, before the first line.
    last = definition.body if "\n" in definition.body else gold.lstrip("\n").partition("\n")[0]
    last = last.rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip())]
    step = "\t" if "\t" in indent else "    "
    unused = [f"(void){name};" for name, _ in function.parameters]
    lines = "".join(f"{indent}{step}{statement}\n" for statement in (*unused, *statements))
    return f"{definition.header}{definition.initialisers}{{\n{lines}{indent}}}{definition.tail}"


def _analyse_definition(target: Target, gold: str) -> _Function:
    definition = split_definition(gold)
    if definition is None:
        raise TaskError(f"{target.path}:{target.span.first}: no function body found in {target.name}")
    pieces = read_tokens_without_literals_and_directives(definition.header)
    # `S::operator std::string` ends in the type that it converts to.
    conversion = re.search(r"\boperator\b.*", target.name)
    simple = conversion[0] if conversion else target.name.rpartition("::")[2] or target.name
    name_tokens = read_tokens_without_literals_and_directives(simple)
    at, opening = _find_name_and_parameter_bracket(pieces, [token.text for token in name_tokens], target)
    closing = find_closing_bracket_or_last_index(pieces, opening)
    parameters = [[piece.text for piece in part] for part in split_at_commas(pieces[opening + 1 : closing])]
    after = [piece.text for piece in pieces[closing + 1 :]]
    start, owner = _find_qualifier_start_and_class_or_empty(pieces, at)
    if not owner and "::" in target.name:
        owner = re.sub(r"<.*", "", target.name.removesuffix(simple).removesuffix("::").rpartition("::")[2])
    before = _select_type_words(pieces[:start])
    returns: tuple[str, ...] | None = tuple(before)
    if "->" in "".join(after):
        arrow = next(n for n in range(len(after) - 1) if after[n : n + 2] == ["-", ">"])
        returns = tuple(_select_type_words(pieces[closing + arrow + 3 :]))
    elif name_tokens[0].text == "operator" and not before:
        # A conversion operator's name is its return type.
        returns = tuple(_select_type_words(name_tokens[1:]))
    elif not before:
        returns = None
    # `void (*name(int))(int)`: it returns a pointer to a function.
    if returns and at >= 2 and pieces[at - 1].text == "*" and pieces[at - 2].text == "(":
        returns = (*returns, "*")
    return _Function(
        definition=definition,
        cpp=target.language == "cpp",
        returns=returns,
        parameters=tuple((name, words) for words in parameters if (name := _find_parameter_name_or_empty(words))),
        owner=owner,
        name=simple,
        static=not {"static", "friend"}.isdisjoint(piece.text for piece in pieces[:start]),
        const="const" in after,
    )


def _find_name_and_parameter_bracket(pieces: Sequence[Token], name: Sequence[str], target: Target) -> tuple[int, int]:
    """Indexes of the name's first token and of its parameter list's opening bracket."""
    for at in range(len(pieces) - len(name)):
        opening = at + len(name)
        if [piece.text for piece in pieces[at:opening]] != list(name):
            continue
        if pieces[opening].text == "<":
            # A specialisation's arguments.
            opening = find_closing_bracket_or_last_index(pieces, opening) + 1
        elif (
            pieces[opening].text == ")" and at > 1 and pieces[at - 1].text == "(" and not pieces[at - 2].text.isupper()
        ):
            # `int (name)(...)`, but not `int MACRO(name)(...)`
            opening += 1
        if [piece.text for piece in pieces[opening : opening + 1]] == ["("]:
            return at, opening
    # A macro makes the name, or it is spelt otherwise: take the first word with a bracket that isn't an attribute's.
    for at in range(len(pieces) - 1):
        word = pieces[at].text
        if pieces[at + 1].text == "(" and re.match(r"\w", word) and word not in _ATTRIBUTES and at:
            return at, at + 1
    raise TaskError(f"{target.path}:{target.span.first}: {target.name} has no parameter list before its body")


def _find_qualifier_start_and_class_or_empty(pieces: Sequence[Token], at: int) -> tuple[int, str]:
    """Index where `A::B<T>::` before the name starts, and the innermost class's name."""
    start, owner = at, ""
    if start and pieces[start - 1].text == "~":
        start -= 1
    while start >= 2 and pieces[start - 1].text == "::":
        cursor = start - 2
        if pieces[cursor].text == ">":
            depth = 0
            while cursor >= 0:
                depth += {">": 1, "<": -1}.get(pieces[cursor].text, 0)
                cursor -= 1
                if depth == 0:
                    break
        if cursor < 0 or not re.match(r"\w", pieces[cursor].text):
            break
        owner = owner or pieces[cursor].text
        start = cursor
    return start, owner


def _select_type_words(pieces: Sequence[Token]) -> list[str]:
    """The type's own tokens: without `template<...>`, attributes, specifiers, macros and declarator brackets."""
    kept: list[str] = []
    number = 0
    while number < len(pieces):
        word = pieces[number].text
        following = pieces[number + 1].text if number + 1 < len(pieces) else ""
        if word == "[" and following == "[":
            number = find_closing_bracket_or_last_index(pieces, number)
        elif (word == "template" and following == "<") or (
            (word in _ATTRIBUTES or _MACRO.fullmatch(word)) and following == "("
        ):
            number = find_closing_bracket_or_last_index(pieces, number + 1)
        elif word in _SPECIFIERS or word in _ATTRIBUTES:
            pass
        elif word not in {"(", ")"} or kept.count("<") > kept.count(">"):
            # The type `std::function<int(int)>` keeps its brackets.
            kept.append(word)
        number += 1
    # A macro in capitals is a specifier where another word is left to be the type: SIMD_FORCE_INLINE btVector3.
    types = [word for word in kept if re.match(r"\w", word) and word not in _CV]
    if not all(_MACRO.fullmatch(word) for word in types):
        kept = [word for word in kept if not _MACRO.fullmatch(word)]
    return kept


def _find_parameter_name_or_empty(words: Sequence[str]) -> str:
    """The declared name, or "" for an unnamed parameter, a pack, `void` and `...`."""
    words = list(takewhile(lambda word: word != "=", words))
    if "..." in words:
        return ""
    for number in range(len(words) - 2):
        if words[number] == "(" and words[number + 1] in {"*", "&"}:
            inner = [word for word in words[number + 2 : words.index(")", number)] if re.match(r"[A-Za-z_]", word)]
            inner = [word for word in inner if word not in _CV]
            return inner[-1] if inner else ""
    while words and words[-1] == "]":
        words = words[: len(words) - 1 - words[::-1].index("[")]
    if not words or not re.match(r"[A-Za-z_]", words[-1]) or words[-1] in _ARITHMETIC | _CV | {"void"}:
        return ""
    before = [word for word in words[:-1] if word not in _CV]
    if not before or before[-1] in _TAGS or before[-1] == "::":
        return ""
    return words[-1]


def _make_return_lines(function: _Function) -> list[str]:
    """The return statement as lines; empty where none is needed."""
    if function.returns is None:
        return []
    words = [word for word in function.returns if word not in _CV]
    # Beside a built-in type any other word is a macro (`ossl_inline int`); inside `<...>` it is an argument.
    if "<" not in words and "::" not in words:
        built_in = [word for word in words if word in _ARITHMETIC or word in {"void", "*", "&"}]
        words = built_in if any(re.match(r"\w", word) for word in built_in) else words
    if words == ["void"] or not words:
        return []
    if words[-1] == "&":
        return _make_reference_return(function, words)
    if words[-1] == "*":
        return ["return nullptr;" if function.cpp else "return 0;"]
    if set(words) <= _ARITHMETIC:
        return ["return false;" if function.cpp and words == ["bool"] else "return 0;"]
    if function.cpp:
        return [_make_cpp_return_statement(words)]
    # A typedef may be a pointer, a number or a struct: the compound literal is right for each.
    spelt = " ".join(words[-2:]) if len(words) > 1 and words[-2] in _TAGS else words[-1]
    return [f"return ({spelt}){{0}};"]


def _join_type_words(words: Sequence[str]) -> str:
    return " ".join(words).replace(" :: ", "::")


def _make_cpp_return_statement(words: Sequence[str]) -> str:
    """A C++ value. LLVM's three result types can't be made from nothing."""
    outer = words[words.index("<") - 1] if "<" in words else ""
    if outer == "Expected":
        return f"return {_join_type_words(words[words.index('<') + 1 : -1])}();"
    if outer == "ErrorOr":
        return "return std::error_code();"
    if words == ["Error"]:
        return "return Error::success();"
    if words[0] in {"auto", "decltype"}:
        return "return 0;"
    # Not `{}`, which an explicit default constructor doesn't take. A tag can't stand in an expression.
    named = [word for word in words if word not in _TAGS]
    return f"return {_join_type_words(named if {'<', '::'}.intersection(named) else named[-1:])}();"


def _make_reference_return(function: _Function, words: Sequence[str]) -> list[str]:
    moved = list(words[-2:]) == ["&", "&"]
    value = [word for word in words if word != "&"]
    constant = "const" in (function.returns or ())
    own = bool(function.owner) and value and value[-1 if value[-1] != ">" else 0] == function.owner
    # A static member defined outside its class isn't marked static, but an operator that returns its class is none.
    member = function.name.startswith("operator") and not function.static
    if own and member and not moved and (constant or not function.const):
        return ["return *this;"]
    # Zeroed storage, because the type may be abstract or have no default constructor.
    spelt = _join_type_words(value)
    target = f"*static_cast<{spelt} *>(static_cast<void *>(storage))"
    return [
        f"alignas({spelt}) static unsigned char storage[sizeof({spelt})] = {{}};",
        f"return static_cast<{spelt} &&>({target});" if moved else f"return {target};",
    ]
