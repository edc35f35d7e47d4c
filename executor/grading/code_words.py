"""Reads what a candidate's text calls, names, defines and declares, in one pass over its tokens: linear in the text,
whatever it holds, and not put off by what a parser can't read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from executor.grading.library_functions import can_reach_outside_process
from executor.grading.token_patterns import (
    find_defined_operators,
    find_lambda_names_only_called_or_passed,
    find_library_callback_names_or_empty,
    find_names_run_before_main,
    find_preprocessor_condition_names,
    find_qualifier_and_namespace_names,
)
from index.cpp.keywords import FUNDAMENTAL_TYPES, SPECIFIERS, STANDARD_TYPES, TYPE_TAGS
from index.cpp.keywords import word_set as words_of
from index.cpp.tokens import tokenize

_WORD = re.compile(r"[^\W\d]\w*")
# Before a call's name or in its place; `sizeof (x)` calls nothing.
_STATEMENTS = words_of(
    "if else for while do switch case default return goto break continue sizeof alignof _Alignof alignas _Alignas"
    " typeof __typeof__ __typeof decltype throw try catch new delete operator using namespace template typename"
    " co_return co_await co_yield noexcept requires static_assert _Static_assert _Generic __extension__ typeid and or"
    " not xor constexpr consteval this defined public private protected friend explicit __alignof__"
)
_TYPE_WORDS = FUNDAMENTAL_TYPES | STANDARD_TYPES | SPECIFIERS | TYPE_TAGS | {"auto", "thread_local", "_Thread_local"}
_ATTRIBUTES = ("__attribute__", "__attribute", "__declspec")
_ASSEMBLY = frozenset({"asm", "__asm__", "__asm"})
_TRIGRAPHS = {"=": "#", "/": "\\", "'": "^", "(": "[", ")": "]", "!": "|", "<": "{", ">": "}", "-": "~"}
_DIGRAPHS = {"%:": "#", "<%": "{", "%>": "}"}
_STRING = re.compile(r'(?:u8|[uUL])?(?:R"([^()\\\s"]{0,16})\((.*)\)\1"|"(.*)"?)', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,8})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_STATIC = words_of("static thread_local _Thread_local __thread")
_TAGS = words_of("struct union class enum")
_NO_VARIABLE = _STATIC | words_of("typedef using extern template friend namespace")
# More than a declaration has before its name.
_MOST_WORDS = 24
_ASSIGNS = words_of("= += -= *= /= %= &= |= ^= <<= >>= ++ --")
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


@dataclass(slots=True)
class Words:
    """What was read. `called`: names before `(` that are no member's and no declaration's; `members`: members before
    `(`; `named`: other uses of a name that could be a function's. `standard`: those called as `std::name`. `defined`:
    functions with a body, `exported` those of them that are seen outside. `external`: names declared `extern`.
    `variables`: declared here. `listed`: behind a comma, declared or an argument. `written`: assigned to, but declared
    elsewhere: `name` or `name.member`; with `&` before it where the address of the whole is taken. `lasting`:
    variables that live from one call to the next and aren't constants. `strings` and `characters` hold the literals.
    `constructs`: assembly, function pointer, computed jump, and function inside a function, which makes the stack
    executable when its address is taken. `early`: what of the text's own runs before main, to make a variable. For
    the four behind it see executor.grading.token_patterns. `lambdas`: names that stand for lambda expressions of the
    text alone."""

    called: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    standard: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    exported: list[str] = field(default_factory=list)
    external: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    lasting: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    attributes: list[str] = field(default_factory=list)
    directives: set[str] = field(default_factory=set)
    strings: str = ""
    characters: str = ""
    constructs: set[str] = field(default_factory=set)
    pragma: bool = False
    indirect: bool = False
    early: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    conditions: set[str] = field(default_factory=set)
    operators: set[str] = field(default_factory=set)
    callbacks: set[str] = field(default_factory=set)
    lambdas: set[str] = field(default_factory=set)


# A candidate is read for what is known of its names and for each verdict on it, its gold and its file beside it.
@lru_cache(maxsize=8)
def read_code_words(code: str) -> Words:
    """Everything that `Words` holds, which nobody changes. No text makes it fail."""
    joined = _replace_digraphs_trigraphs_and_join_lines(code)
    found = tokenize(joined)
    words = Words()
    pairs = _pair_brackets(found)
    skipped = _gather_attribute_words_and_token_places(found, pairs, words)
    depth = start = 0
    for place, token in enumerate(found):
        before = found[place - 1] if place else ";"
        after = found[place + 1] if place + 1 < len(found) else ";"
        if place in skipped:
            continue
        if token in "{}":
            depth += 1 if token == "{" else -1
        if depth == 0 and token in ";}":
            start = place + 1
        if token == "(" and before in (")", "]"):
            words.indirect |= _is_indirect_call(found, pairs, place)
        elif token == "#" and _WORD.fullmatch(after):
            words.directives.add(after)
        elif token == "*" and before == "(" and after == ")" and found[place + 2 : place + 3] == ["("]:
            words.constructs.add("function pointer")
        elif token == "goto" and after == "*":
            words.constructs.add("computed jump")
        elif token == "_Pragma":
            words.pragma = True
        elif token in _ASSEMBLY:
            words.constructs.add("assembly")
        elif token in _ASSIGNS:
            behind = place > 0 and before not in ";{}()"
            words.written.add(_read_name_and_first_member_or_empty(found, pairs, place, -1 if behind else 1))
        elif token == "&" and _takes_address(before):
            path = _read_name_and_first_member_or_empty(found, pairs, place, 1)
            words.written.add(path if "." in path else path and f"&{path}")
        elif _WORD.fullmatch(token):
            _classify_word_by_neighbours(found, pairs, place, depth, start, words)
    words.written = {path for path in words.written if _is_declared_elsewhere(path, words)}
    words.lasting = _find_lasting_variables(found)
    words.early = find_names_run_before_main(found, words.defined)
    words.scopes, words.operators = find_qualifier_and_namespace_names(found), find_defined_operators(found)
    words.conditions = find_preprocessor_condition_names(joined)
    words.callbacks = find_library_callback_names_or_empty(found, pairs)
    words.lambdas = find_lambda_names_only_called_or_passed(found, pairs)
    _set_string_and_character_texts(found, words)
    return words


def _find_lasting_variables(tokens: list[str]) -> set[str]:
    """The variables that are declared static or for each thread, or outside any function, and aren't constants."""
    kept: set[str] = set()
    # For each open brace: whether what stands in it is outside any function, and the first word before it.
    open_braces: list[tuple[bool, str]] = []
    outside, start, led = True, 0, ""
    for place, token in enumerate(tokens):
        statement = tokens[start : min(place, start + _MOST_WORDS)]
        if token in _STATIC:
            kept.add(
                _find_non_constant_variable_or_empty(tokens[place + 1 : place + 1 + _MOST_WORDS], inside=not outside)
            )
        elif token == "{":
            first = statement[0] if statement else ""
            if outside and statement and statement[-1] == "=" and first not in _NO_VARIABLE:
                kept.add(_find_non_constant_variable_or_empty(statement))
            open_braces.append((outside, first))
            outside = outside and ("namespace" in statement[:2] or first == "extern")
            start, led = place + 1, ""
        elif token == "}":
            outside, led = open_braces.pop() if open_braces else (True, "")
            start = place + 1
        elif token == ";":
            if outside and statement and statement[0] not in _NO_VARIABLE and "#" not in statement:
                # `struct { int n; } counter;` has its name alone behind the brace.
                kept.add(_find_non_constant_variable_or_empty([*([led] if led in _TAGS else []), *statement, ";"]))
            start, led = place + 1, ""
    return kept - {""}


def _find_non_constant_variable_or_empty(declaration: list[str], *, inside: bool = False) -> str:
    """The variable that is declared here, "" for a constant and for a function; `inside` a function none is declared
    static."""
    words: list[str] = []
    for token in declaration:
        if token in ("const", "constexpr") and "<" not in declaration[: declaration.index(token)]:
            return ""
        if token in ("=", ";", "{", "[") or (token == "(" and inside):
            return words[-1] if len(words) > 1 or (words and (inside or words[0] in _TAGS)) else ""
        if token in ("(", ")", "]"):
            return ""
        if _WORD.fullmatch(token):
            words.append(token)
    return ""


def _read_name_and_first_member_or_empty(tokens: list[str], pairs: dict[int, int], place: int, direction: int) -> str:
    """The path of names before this place (`direction` -1) or after it (1): `name`, or `name.member` for whatever lies
    in that member. Empty where none stands there, as in `*(p + 1) = 1`, and for one of more than 20 names."""
    at = place + direction
    path: list[str] = []
    for _ in range(20):
        while direction < 0 and at in pairs and tokens[at] == "]":
            at = pairs[at] - 1
        if not 0 <= at < len(tokens) or not _WORD.fullmatch(tokens[at]) or tokens[at] in _STATEMENTS:
            return ""
        path.append(tokens[at])
        at += direction
        while direction > 0 and at in pairs and tokens[at] == "[":
            at = pairs[at] + 1
        if not 0 <= at < len(tokens) or tokens[at] not in (".", "->"):
            return ".".join(path[::direction][:2])
        at += direction
    return ""


def _takes_address(token_before_ampersand: str) -> bool:
    """Whether a `&` behind this token takes an address, rather than being of a type or a calculation."""
    return token_before_ampersand in _STATEMENTS or (
        token_before_ampersand in "(,=[{;?:!" or token_before_ampersand in ("&&", "||", "+", "-", "==", "!=")
    )


def _is_declared_elsewhere(path: str, words: Words) -> bool:
    """Whether what is written isn't declared here. `int a, b;` looks as an argument does, so `b` isn't sure to be."""
    name, _, member = path.removeprefix("&").partition(".")
    here = words.variables | words.defined
    return bool(name) and name not in here and (bool(member) or name not in words.listed)


def _replace_digraphs_trigraphs_and_join_lines(code: str) -> str:
    """The text after what a compiler does before it reads tokens."""
    code = re.sub(r"\?\?([=/'()!<>-])", lambda match: _TRIGRAPHS[match[1]], code)
    code = re.sub(r"\\[ \t]*\r?\n", "", code)
    return re.sub("%:|<%|%>", lambda match: _DIGRAPHS[match[0]], code)


def _pair_brackets(tokens: list[str]) -> dict[int, int]:
    """The place of the bracket that each closing bracket closes, and the other way round."""
    pairs: dict[int, int] = {}
    waiting: list[int] = []
    for place, token in enumerate(tokens):
        if token in ("(", "[", "{"):
            waiting.append(place)
        elif token in (")", "]", "}") and waiting:
            opened = waiting.pop()
            pairs[opened], pairs[place] = place, opened
    return pairs


def _gather_attribute_words_and_token_places(tokens: list[str], pairs: dict[int, int], words: Words) -> set[int]:
    """Gather the attributes' words. Returns the places of all tokens of attributes."""
    skipped: set[int] = set()
    reached = 0
    for place, token in enumerate(tokens):
        if place < reached:
            continue
        if token in _ATTRIBUTES:
            first, end = place + 1, pairs.get(place + 1, place)
        elif (
            token == "["
            and tokens[place + 1 : place + 2] == ["["]
            and pairs.get(place, -1) - 1 == pairs.get(place + 1)
        ):
            first, end = place, pairs[place]
        else:
            continue
        reached = end + 1
        skipped.update(range(place, reached))
        depth = 0
        for word in tokens[first:end]:
            depth += (word in "([") - (word in ")]")
            if depth == 2 and _WORD.fullmatch(word):
                words.attributes.append(word)
    return skipped


def _classify_word_by_neighbours(
    tokens: list[str], pairs: dict[int, int], place: int, depth: int, start: int, words: Words
) -> None:
    """Sort one word by what stands around it."""
    token = tokens[place]
    before = tokens[place - 1] if place else ";"
    after = tokens[place + 1] if place + 1 < len(tokens) else ";"
    if before in (".", "->") and after == "(":
        words.members.add(token)
    if token in _STATEMENTS or token in _TYPE_WORDS or before in (".", "->", "goto", "#"):
        return
    outward = can_reach_outside_process(token)
    of_std = before == "::" and place > 1 and tokens[place - 2] == "std"
    if outward and of_std:
        words.called.add(token)  # `std::thread t(x)`, `std::cout << x`
    elif outward and (after in ("<<", "::", "<", "->") or _WORD.fullmatch(after)):
        words.named.add(token)  # `ofstream file(x)`
    typed = before in _TYPE_WORDS or (_WORD.fullmatch(before) is not None and before not in _STATEMENTS)
    if after == "(" and depth == 0 and before in (",", ":"):
        return  # a constructor's initializer of a member
    if after == "(":
        # `NAME exit(0)` calls exit where NAME is an empty macro; `vector<int> v(3)` calls nothing.
        typed = typed and not (len(before) > 2 and before.isupper())
        typed = not outward and (typed or (before == ">" and _closes_template_arguments(tokens, place - 1)))
        end = pairs.get(place + 1, place)
        if depth == 0 and _opens_body(tokens, end):
            words.defined.add(token)
            if before != "::" and not {"static", "inline", "namespace"} & set(tokens[start : min(place, start + 40)]):
                words.exported.append(token)
        elif typed and depth and tokens[end + 1 : end + 2] == ["{"]:
            words.constructs.add("function inside a function")
        elif not typed:
            words.called.add(token)
            if of_std:
                words.standard.add(token)
        elif "extern" in tokens[max(start, place - 12) : place]:
            words.external.add(token)
        return
    if after == ")" and before == "(" and tokens[place + 2 : place + 3] == ["("]:
        words.named.add(token)
        return
    if before == "&" and _takes_address(tokens[place - 2] if place > 1 else ";"):
        words.named.add(token)
    elif (typed or before in ("*", "&", "&&", ">", ",")) and after in ("=", ";", ",", ")", "[", ":", "{"):
        if typed or before != "," or after == "=":
            words.variables.add(token)
            if "extern" in tokens[max(start, place - 12) : place]:
                words.external.add(token)
        else:
            words.named.add(token)
            words.listed.add(token)
    if after in (")", ",", ";", "}", "]") and not typed:
        words.named.add(token)


def _closes_template_arguments(tokens: list[str], place: int) -> bool:
    """Whether the `>` here closes a list of template arguments."""
    depth = 0
    for back in range(place, max(place - 40, 0), -1):
        token = tokens[back]
        depth += (token == ">") - (token == "<") + 2 * (token == ">>")
        if depth == 0:
            return _WORD.fullmatch(tokens[back - 1]) is not None
        if not _WORD.fullmatch(token) and token not in ("<", ">", ">>", "::", ",", "*", "&"):
            return False
    return False


def _opens_body(tokens: list[str], end: int) -> bool:
    """Whether a body begins behind the parameters that end here, after `const`, `noexcept` or initializers."""
    return next((token in "{:" for token in tokens[end + 1 : end + 40] if token in ("{", ":", ";", "=", ")")), False)


def _is_indirect_call(tokens: list[str], pairs: dict[int, int], place: int) -> bool:
    """Whether the `(` here, behind `)` or `]`, calls what stands before it, rather than casting or declaring."""
    opened = pairs.get(place - 1)
    if opened is None:
        return False
    lead = tokens[opened - 1] if opened else ";"
    follows = _WORD.fullmatch(lead) is not None and lead not in ("return", "case", "else", "throw", "do", "goto")
    if tokens[place - 1] == "]":
        return follows or lead in (")", "]")
    # A type has few tokens, and a copy of all that is nested would take quadratic time.
    inside = tokens[opened + 1 : min(place - 1, opened + 62)]
    if follows:
        # `f(x)(y)`, but neither `if (x) (y)` nor a declarator `int (*f)(int)`.
        return lead not in _STATEMENTS and inside[:1] != ["*"]
    names = [token for token in inside[:12] if _WORD.fullmatch(token)]
    is_type = all(token in "*&::<>,const" or _WORD.fullmatch(token) for token in inside) and bool(
        inside and (tokens[place - 2] in ("*", "&", ">") or len(names) > 1 or len(inside) == 1)
    )
    return not is_type


def _set_string_and_character_texts(tokens: list[str], words: Words) -> None:
    texts: list[str] = []
    letters: list[str] = []
    joined = False
    for token in tokens:
        match = _STRING.fullmatch(token) if token[-1] == '"' or '"' in token[:4] else None
        if match:
            text = match[2] if match[2] is not None else _decode_escapes((match[3] or "").removesuffix('"'))
            texts.append(text if joined or not texts else "\n" + text)
        elif token[0] == "'" or token[1:2] == "'":
            letters.append(_decode_escapes(token.lstrip("uUL8").strip("'")))
        joined = match is not None
    words.strings = "".join(texts)
    words.characters = "".join(letters)


def _decode_escapes(text: str) -> str:
    def decode_escape_match(match: re.Match[str]) -> str:
        digits = match[1] or match[3] or match[4]
        if digits or match[2]:
            number = int(digits, 16) if digits else int(match[2], 8)
            return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "?"
        return _PLAIN_ESCAPES.get(match[5], match[5])

    return _ESCAPE.sub(decode_escape_match, text) if "\\" in text else text
