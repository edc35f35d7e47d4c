"""Patterns in a text's tokens that flags ask about: what it takes from outside of its own function, what of its own
runs before main to make a variable, and under which names it calls its own lambda expressions and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from index.cpp.keywords import word_set

_WORD = re.compile(r"[^\W\d]\w*")
# More tokens of a statement, of what stands before a lambda's body, and of an argument aren't looked at.
_MOST = 400
_MOST_OF_ARGUMENT = 40
# The place of the function among the arguments of the library's calls that take one, from 0.
_CALLBACK = {"qsort": 3, "qsort_r": 3, "bsearch": 4}
# They call what they are given.
_CALL_ANYTHING = frozenset({"invoke", "apply", "bind", "mem_fn", "call_once"})
_PREPROCESSOR_CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"})
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)([^\n]*)", re.MULTILINE)
_CLASS = frozenset({"struct", "class", "union"})
# A statement that begins so declares no variable, or one that the compiler knows.
_NO_VARIABLE = frozenset({"typedef", "using", "template", "friend", "extern", "static_assert", "enum", "return"})
# What may stand before a call. Behind a name, a comma, a `*` or a `>` it may be a variable's declaration.
_BEFORE_CALL = word_set("; { } ( = ! ? : || == != < <= >= + - / += -= return else")
_CONDITIONS = frozenset(("if", "for", "while"))


def find_qualifier_and_namespace_names(tokens: Sequence[str]) -> set[str]:
    """The outermost names before `::`, and those of namespaces that are opened or used."""
    named: set[str] = set()
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else ""
        if token == "::" and _WORD.fullmatch(before) and (place < 2 or tokens[place - 2] != "::"):
            named.add(before)
        elif before == "namespace" and _WORD.fullmatch(token):
            named.add(token)
    return named


def find_preprocessor_condition_names(code: str) -> set[str]:
    """The names that directives ask for. `code` is the text with lines joined."""
    named: set[str] = set()
    for word, rest in _DIRECTIVE.findall(code):
        if word in _PREPROCESSOR_CONDITIONS:
            named.update(_WORD.findall(rest))
    return named - {"defined"}


def find_defined_operators(tokens: Sequence[str]) -> set[str]:
    """The operators that are defined outside of braces, as `operator ==`."""
    named: set[str] = set()
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token == "{") - (token == "}")
        if token == "operator" and not depth:
            named.add(" ".join(("operator", *tokens[place + 1 : place + 2])))
    return named


def find_library_callback_names_or_empty(tokens: Sequence[str], pairs: Mapping[int, int]) -> set[str]:
    """What the library is told to call: the name that stands there alone, "" for anything else."""
    named: set[str] = set()
    for place, token in enumerate(tokens[:-1]):
        if token in _CALL_ANYTHING and place > 1 and tokens[place - 1] == "::" and tokens[place - 2] == "std":
            named.add("")
        elif token in _CALLBACK and tokens[place + 1] == "(":
            given = _read_argument(tokens, place + 2, pairs.get(place + 1, place + 2), _CALLBACK[token])
            named.add(given[0] if len(given) == 1 and _WORD.fullmatch(given[0]) else "")
    return named


def _read_argument(tokens: Sequence[str], first: int, end: int, argument_index: int) -> list[str]:
    """The tokens of one argument of those between these places; at most `_MOST_OF_ARGUMENT` of them."""
    given: list[str] = []
    depth = 0
    for token in tokens[first : min(end, first + 10 * _MOST_OF_ARGUMENT)]:
        depth += (token in "([{") - (token in ")]}")
        if token == "," and depth == 0:
            argument_index -= 1
        elif argument_index == 0 and len(given) < _MOST_OF_ARGUMENT:
            given.append(token)
    return given


def find_names_run_before_main(tokens: Sequence[str], defined: Collection[str]) -> set[str]:
    """The names of the text's own functions and classes that the initialisation of a variable outside of functions
    calls or makes, of `tokens`, the text's tokens. A lambda there is called `lambda`. `defined`: the text's
    functions."""
    active = set(defined) | _find_classes_with_function_bodies(tokens)
    early: set[str] = set()
    depth = start = 0
    outside = [True]
    for place, token in enumerate(tokens):
        if token == "{":
            head = tokens[start : min(place, start + 3)]
            # In a namespace; everything else in braces is of a body, a class or a value.
            inside = not outside[-1] or not ("namespace" in head or head[:1] == ["extern"])
            outside.append(not inside)
            depth += inside
            start = start if inside else place + 1
        elif token == "}":
            was_inside = not outside.pop() if len(outside) > 1 else False
            depth -= was_inside
            following = tokens[place + 1] if place + 1 < len(tokens) else ""
            if not depth and not _continues_after_brace(tokens[start : start + _MOST], following):
                start = place + 1
        elif token == ";" and not depth:
            early |= _find_names_run_by_initialisation(tokens[start : min(place, start + _MOST)], active, set(defined))
            start = place + 1
    return early


def _find_classes_with_function_bodies(tokens: Sequence[str]) -> set[str]:
    """The names of the classes with a function's body in them, or with an object of such a class."""
    names: set[str] = set()
    for place, token in enumerate(tokens[:-1]):
        if token not in _CLASS or not _WORD.fullmatch(tokens[place + 1]):
            continue
        depth, before = 0, ""
        for inner in tokens[place + 2 : place + 2 + _MOST]:
            depth += (inner == "{") - (inner == "}")
            if inner == ";" and not depth:
                break
            body = inner == "{" and depth > 1 and before in (")", "const", "noexcept", "override")
            if body or (inner in names and depth):
                names.add(tokens[place + 1])
                break
            before = inner
    return names


def _continues_after_brace(statement: Sequence[str], following: str) -> bool:
    """Whether a `}` doesn't end the statement: a value in braces, or a class whose variable follows."""
    return following in (";", ",", "(", ")", "=", ".") or (bool(_CLASS & set(statement[:2])) and following != "")


def _find_names_run_by_initialisation(statement: Sequence[str], active: set[str], defined: set[str]) -> set[str]:
    if not statement or statement[0] in _NO_VARIABLE or "constexpr" in statement or "operator" in statement:
        return set()
    value = statement.index("=") if "=" in statement else None
    opening = next((place for place, token in enumerate(statement) if token in "({"), len(statement))
    if value is None and opening < len(statement) and statement[opening - 1] in defined:
        return set()  # a function is declared
    is_class = statement[-1] == "}" and not _CLASS.isdisjoint(statement[:2]) and value is None
    if is_class or (len(statement) < 3 and not _CLASS.isdisjoint(statement[:1])):
        return set()
    found = {token for token in statement if token in active}
    tail = statement[value + 1 :] if value is not None else ()
    if any(first == "[" and second in ("]", "&", "=") for first, second in pairwise(tail)):
        found.add("lambda")
    return found


def find_lambda_names_only_called_or_passed(tokens: Sequence[str], pairs: Mapping[int, int]) -> set[str]:
    """The names that are declared as `auto name = [...] ... {...};` each time, and that do nothing else than be called
    or be handed on as the first or the last of several arguments, where a declaration holds. A call of such a name
    runs code of this text, which is read as the rest is; any other use may make the name stand for something else."""
    starts = range(1, len(tokens) - 2)
    made = {tokens[at] for at in starts if tokens[at - 1] == "auto" and tokens[at + 1 : at + 3] == ["=", "["]}
    others: set[str] = set()
    held: Counter[str] = Counter()
    scopes: list[list[str]] = [[]]
    for at, token in enumerate(tokens):
        if token in ("{", "("):
            scopes.append([])
        elif token in ("}", ")") and len(scopes) > 1:
            held.subtract(scopes.pop())
        elif token in made:
            if _is_lambda_declared_to_block_end(tokens, pairs, at):
                held[token] += 1
                scopes[-1].append(token)
            elif not held[token] or not _is_harmless_lambda_use(tokens, pairs, at):
                others.add(token)
    return made - others


def _is_lambda_declared_to_block_end(tokens: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    """Whether the declaration of a lambda here holds to the end of the block: `if (a) auto f = ...;` ends with it."""
    if (
        at == 0
        or tokens[at - 1] != "auto"
        or tokens[at + 1 : at + 2] != ["="]
        or not _is_lambda_up_to_semicolon(tokens, pairs, at + 2)
    ):
        return False
    first = at - 1
    while first and tokens[first - 1] in ("const", "constexpr"):
        first -= 1
    return first == 0 or tokens[first - 1] in (";", "{", "}")


def _is_harmless_lambda_use(tokens: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    before = tokens[at - 1] if at else ";"
    after = tokens[at + 1] if at + 1 < len(tokens) else ";"
    if after == "(" and before == ")":
        return tokens[max(pairs.get(at - 1, 0) - 1, 0)] in _CONDITIONS
    if after == "(":
        return before in _BEFORE_CALL
    return (before, after) in (("(", ","), (",", ")"))


def _is_lambda_up_to_semicolon(tokens: Sequence[str], pairs: Mapping[int, int], at: int) -> bool:
    """Whether a lambda expression begins here and is all up to the semicolon: one that is called at once may return a
    pointer."""
    last = min(at + _MOST, len(tokens))
    while at < last and tokens[at] not in (";", "{", "}"):
        at = pairs.get(at, at) + 1 if tokens[at] in ("[", "(") else at + 1
    return at < len(tokens) and tokens[at] == "{" and tokens[pairs.get(at, at) + 1 : pairs.get(at, at) + 2] == [";"]
