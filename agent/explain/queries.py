"""A compiler's message -> what to look up in the repository, for messages of gcc and clang on C and C++."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from index.cpp.keywords import PRIMITIVE_TYPES, TYPE_TAGS, word_set
from index.source_text import split_lines_without_ends
from index.values import Diagnostic

# name: something that isn't declared; type: the definition of a type; member: a member of the type `owner`, or of any
# type when that is ""; call: what a function or macro takes; returns: what the target must return; word: a word at a
# syntax error, which may be a misspelt name.
QueryKind = Literal["name", "type", "member", "call", "returns", "word"]


@dataclass(frozen=True, slots=True)
class Query:
    """`called`: a bracket follows the name, where the kind is "name". `hint` is the compiler's own guess, "" when it
    has none; `owner` is a type as the compiler writes it."""

    kind: QueryKind
    name: str
    owner: str = ""
    hint: str = ""
    called: bool = False


# Lines before and after a message that its statement may reach.
_STATEMENT_LINES = 6
_NO_CALLS = frozenset({"if", "while", "for", "switch", "return", "sizeof", "defined", "alignof", "typeof", "catch"})
_NO_TYPES = PRIMITIVE_TYPES | TYPE_TAGS | word_set("const volatile auto static inline restrict std string this")
_QUOTED = r"'([^']*(?:'\w[^']*)*)'"
_WORD = re.compile(r"[A-Za-z_]\w*")
_HINT = re.compile(r"did you mean '?(?:struct |class |enum |union )?([A-Za-z_][\w:]*)'?")
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_MEMBER = re.compile(r"(?:->|\.)\s*([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class _MessagePlace:
    """The diagnostic, and the draft around it."""

    diagnostic: Diagnostic
    statement: str
    enclosing: str

    @property
    def name_suggested_by_compiler(self) -> str:
        found = _HINT.search(self.diagnostic.message)
        return found[1].rpartition("::")[2] if found else ""

    def is_called(self, name: str) -> bool:
        return re.search(rf"\b{re.escape(name)}\s*\(", self.statement) is not None


def make_lookup_queries(diagnostic: Diagnostic, notes: Sequence[Diagnostic], code: str) -> tuple[Query, ...]:
    """What to look up for a message, the most useful first, each once. `notes` are the message's own."""
    where = _MessagePlace(diagnostic, *_find_statement_and_enclosing_call(diagnostic, code))
    for pattern, steps in _RULES:
        match = pattern.search(diagnostic.message)
        if match is not None:
            found = [query for step in steps for query in _make_queries_of_step(step, match, where)]
            found += _query_callees_in_notes(notes)
            return tuple(dict.fromkeys(query for query in found if query.name or query.kind == "returns"))
    return ()


def _find_statement_and_enclosing_call(diagnostic: Diagnostic, code: str) -> tuple[str, str]:
    """The statement at the message's place, and the name of the call around the place, or ""."""
    lines = split_lines_without_ends(code)
    if not diagnostic.in_candidate or not 1 <= diagnostic.line <= len(lines):
        return "", ""
    row = diagnostic.line - 1
    first = last = row
    while (
        first > 0 and row - first < _STATEMENT_LINES - 1 and not re.search(r"[;{}:]\s*(?:/[/*].*)?$", lines[first - 1])
    ):
        first -= 1
    while last + 1 < len(lines) and last - row < _STATEMENT_LINES + 1 and not re.search(r"[;{}]", lines[last]):
        last += 1
    before = "\n".join([*lines[first:row], lines[row][: max(diagnostic.column - 1, 0)]])
    return "\n".join(lines[first : last + 1]), _find_enclosing_call(before)


def _find_enclosing_call(before: str) -> str:
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[at], 0)
        if depth < 0:
            found = re.search(r"([A-Za-z_]\w*)\s*$", before[:at])
            if found and found[1] not in _NO_CALLS:
                return found[1]
            depth = 0
    return ""


def _make_queries_of_step(step: str, match: re.Match[str], where: _MessagePlace) -> Iterator[Query]:
    """What one step of a rule asks for, given the match of the rule's pattern."""
    message = where.diagnostic.message
    named = match.groupdict()
    quoted = named["name"] if named else match[1] if match.re.groups else ""
    match step:
        case "name":
            name = _drop_scope_and_template_arguments(quoted)
            yield Query("name", name, hint=where.name_suggested_by_compiler, called=where.is_called(name))
        case "type name":
            yield Query("name", _drop_scope_and_template_arguments(quoted), hint=where.name_suggested_by_compiler)
        case "member":
            yield Query(
                "member",
                _drop_scope_and_template_arguments(quoted),
                owner=named.get("owner", ""),
                hint=where.name_suggested_by_compiler,
            )
        case "callee":
            yield Query("call", _callee_name(quoted))
            yield from _query_named_types(message.replace(quoted, ""))
        case "enclosing callee":
            yield Query("call", where.enclosing)
        case "calls and members":
            yield from _query_calls_and_members(where)
        case "type":
            yield from _query_named_types(f"'{quoted}'")
        case "all types":
            yield from _query_named_types(message)
        case "returns":
            yield Query("returns", "")
        case "words":
            # An unknown macro is a syntax error to the parser, so every word of the statement may be the cause.
            words = dict.fromkeys(_WORD.findall(where.statement))
            yield from (Query("word", word) for word in words if word not in _NO_TYPES and len(word) > 3)


def _query_calls_and_members(where: _MessagePlace) -> Iterator[Query]:
    # Of the function's own header the name isn't a call.
    own_header = where.statement if where.diagnostic.line == 1 and "{" in where.statement else ""
    for name in dict.fromkeys([where.enclosing, *_CALL.findall(where.statement)]):
        if name and name not in _NO_CALLS and not re.search(rf"\b{name}\b", own_header):
            yield Query("call", name)
    for name in dict.fromkeys(_MEMBER.findall(where.statement)):
        if not where.is_called(name):
            yield Query("member", name)


def _query_named_types(message: str) -> Iterator[Query]:
    for quoted in re.findall(_QUOTED, message):
        for name in _WORD.findall(re.sub(r"\baka\b", " ", quoted)):
            if name not in _NO_TYPES:
                yield Query("type", name)


def _query_callees_in_notes(notes: Sequence[Diagnostic]) -> Iterator[Query]:
    for note in notes:
        found = re.search(
            rf"^(?:candidate(?: function)?:|(?:in passing|initializing) argument \d+ of) {_QUOTED}", note.message
        )
        if found:
            yield Query("call", _callee_name(found[1]))
        found = re.search(rf"^{_QUOTED} declared here$", note.message)
        if found and note.severity == "note":
            yield Query("call", _drop_scope_and_template_arguments(found[1]))


def _callee_name(text: str) -> str:
    """`void A<T>::f(int) const [with T = int]` -> f."""
    text = re.sub(r"\[with .*", "", text)
    depth = 0
    flat = []
    for sign in text.replace("operator<", "operator\1").replace("->", "\2"):
        depth += (sign == "<") - (sign == ">" and depth > 0)
        if depth == 0 and sign != ">":
            flat.append(sign)
    found = re.search(r"([~\w]+)\s*\(", "".join(flat))
    return found[1] if found else _drop_scope_and_template_arguments("".join(flat).strip())


def _drop_scope_and_template_arguments(name: str) -> str:
    return re.sub(r"<.*", "", name).rpartition("::")[2].strip(" ()")


_MISMATCH = "calls and members, all types"
# clang doesn't name the callee; its caret points into the call.
_IN_A_CALL = "enclosing callee, calls and members"
_RULES = tuple(
    (re.compile(pattern), steps.split(", "))
    for pattern, steps in (
        (r"(?P<owner>'[^']*'(?: \{aka '?[^'}]*'?\})?) has no (?:non-static data )?member named '(?P<name>[^']+)'",
         "member"),
        (r"no (?:static |type )?member named '(?P<name>[^']+)' in (?P<owner>'[^']*')", "member"),
        (r"no '[^']*?(?P<name>~?\w+)\([^']*' member function declared in class (?P<owner>'[^']*')", "member"),
        # The expression before the dot has the wrong type: any type with such a member may be meant.
        (r"^request for member '([^']+)' in", "member, calls and members"),
        (r"^member reference (?:base )?type", _MISMATCH),
        # The owner may be a class or a namespace.
        (r"^'(?!struct |class |union |enum )(?P<name>[^']+)' is not a member of '(?P<owner>[^']+)'", "member, name"),
        (r"(?:implicit declaration of|call to undeclared|call to undeclared library) function '([^']+)'", "name"),
        (r"^'([^']+)' (?:undeclared|was not declared in this scope)", "name"),
        (r"use of undeclared identifier '([^']+)'", "name"),
        (r"^there are no arguments to '([^']+)'", "name"),
        (r"undefined (?:reference to|symbol:) [`']?(\w+)", "name"),
        (r"^(?:unknown type name|no type named|no template named) '([^']+)'", "type name"),
        (r"^'([^']+)' (?:does not name a type|has not been declared)", "type name"),
        (r"^'([^']+)' in .* does not name a type", "type name"),
        (r"(?:incomplete|undefined) (?:\w+ )*type '([^']+)'", "type"),
        (r"(?:incomplete definition of|forward declaration of) (?:type )?'([^']+)'", "type"),
        (r"^storage size of '", _MISMATCH),
        (r"^macro \"(\w+)\" (?:requires|passed)", "callee"),
        (r"arguments provided to function-like macro invocation", _IN_A_CALL),
        (rf"^too (?:few|many) arguments to (?:function|method|constructor) {_QUOTED}", "callee"),
        (r"^too (?:few|many) arguments to", _IN_A_CALL),
        (rf"^(?:passing|incompatible type for) argument \d+ of {_QUOTED}", "callee"),
        (r"^passing .* as 'this' argument", _MISMATCH),
        (rf"^no matching (?:member )?function for call to {_QUOTED}", "callee"),
        (r"^no matching (?:member )?(?:function|constructor)", _IN_A_CALL),
        (rf"^call (?:of|to) (?:overloaded |deleted )?{_QUOTED} is ambiguous", "callee"),
        (rf"^(?:use of deleted function|called object) {_QUOTED}", "callee"),
        (rf"^{_QUOTED} is (?:private|protected) within this context", "callee"),
        (rf"(?:conflicting types for|static declaration of|no declaration matches|redefinition of|ambiguating "
         rf"new declaration of) {_QUOTED}", "callee"),
        (r"control reaches end|non-void function does not return|no return statement|'return' with no value|"
         r"non-void function .* should return", "returns"),
        (r"^return-statement with a value|'return' with a value|void function .* should not return|"
         r"^incompatible types when returning|^returning ", f"returns, {_MISMATCH}"),
        (r"incompatible|without a cast|cannot convert|invalid conversion|could not convert|no viable|discards|"
         r"distinct pointer types|invalid initialization|comparison (?:between|of)|invalid operands|wrong type "
         r"argument|invalid type argument|void value not ignored|scalar is required|invalid initializer|"
         r"expects argument of type|no match for|subscripted value|bad_cast|invalid cast|invalid argument type|"
         r"lvalue required|conversion (?:from|to)|used where|array initializ|non-pointer|not a pointer|assigning to|"
         r"initializing|cannot bind|is not a structure or union|not assignable|is a pointer; did you mean", _MISMATCH),
        (r"^expected |^stray |^invalid suffix|was not declared|undeclared", "words"),
    )
)  # fmt: skip
