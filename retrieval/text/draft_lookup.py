"""A draft -> the symbols that it names, looked up exactly in the hidden repository. Exact names find 98 % of what
redis's true bodies call, similarity to the true body a third; and a draft that is only half right still names half of
it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from index.cpp.keywords import word_set
from index.cpp.tokens import tokenize
from index.hiding.hidden_view import HiddenView
from index.values import SymbolKind, Target
from retrieval.protocol import Retriever
from retrieval.text.nearness import FUNCTIONS, MOST_SYMBOLS_OF_NAME, Nearness
from retrieval.values import Hit, drop_repeated_hits

_CALLABLE = FUNCTIONS | {SymbolKind.MACRO, SymbolKind.TYPE}
_PLAIN = frozenset({SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.ENUMERATOR, SymbolKind.GLOBAL})

_SIGNS = "+ - * / % += -= *= /= == != < > <= >= << >> [ -> ++ -- !"
_OVERLOADABLE_SIGNS = frozenset(_SIGNS.split())
MOST_OPERATORS = 50
OPERATOR_SCORE = 0.5
"""Below the score of what the draft calls by name: of a header's many operators only some are meant."""
MOST_FIELDS_OF_NAME = 99
"""Fields of a name that are looked at: all but a few names have fewer."""
FUNCTIONS_PER_MADE_UP_NAME = 2
"""Functions offered for a name that doesn't exist: a made-up name often resembles a real one (`dictFetch`)."""
MOST_MADE_UP_NAMES = 5
"""Made-up names that are followed up; a draft full of them says little."""

# Keywords of C and C++, and names of the standard library that any project uses.
_NOT_NAMES = word_set(
    "alignas alignof and asm auto bool break case catch char class const constexpr const_cast continue decltype "
    "co_await co_return co_yield "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not nullptr operator or private protected public register "
    "reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template "
    "this throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while "
    "NULL std size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"
)
_BEFORE_VALUES = word_set("return else case goto new delete throw sizeof co_await co_return co_yield")
"""Words behind which a name is used, not declared."""

_MOST_ARGUMENT_WORDS = 40

MentionForm = Literal["call", "member", "plain", "field"]


class Mention(NamedTuple):
    """A name in a draft, qualified where the draft qualifies it; `form`: how the draft uses it."""

    name: str
    form: MentionForm


def retrieve_after_draft(
    view: HiddenView,
    target: Target,
    draft: str,
    base: Retriever,
    retriever_for_unresolved_names: Retriever,
    limit: int,
) -> list[Hit]:
    """What the draft names, looked up exactly; then the functions whose names most resemble those that it made up;
    then at most `limit` of what `base` finds without a draft. A symbol may come twice."""
    named = find_symbols_named_in_draft(view, draft, target)
    near = [
        Hit(hit.symbol, hit.score, f"its name resembles {name}, which the draft calls and nothing defines")
        for name in find_unresolved_calls(view, draft, target)[:MOST_MADE_UP_NAMES]
        for hit in retriever_for_unresolved_names.retrieve(
            view, replace(target, name=name, signature=name, docstring=""), FUNCTIONS_PER_MADE_UP_NAME
        )
    ]
    return [*named, *near, *base.retrieve(view, target, limit)]


def find_symbols_named_in_draft(view: HiddenView, draft: str, target: Target) -> list[Hit]:
    """The symbols that `draft` (a whole function, or any text) names, each once: first what it calls, in order, then
    what else it names. Only what `view` shows; not the target itself, its parameters or the draft's own variables. A
    field leads to the type that has it."""
    nearness = Nearness(view)
    found = find_mentions(draft, target)
    named = [
        hit
        for number, mention in enumerate(found)
        for hit in _resolve_mention(nearness, mention, 1.0 - number / (2 * len(found)))
    ]
    if target.language == "cpp":
        named += _find_used_operators_of_named_types(nearness, draft, target)
    return drop_repeated_hits(named)


def _find_used_operators_of_named_types(nearness: Nearness, draft: str, target: Target) -> Iterator[Hit]:
    """Operators in the draft that belong to a type which the draft or the signature names. Numbers have operators
    too, so an operator alone doesn't say what is meant."""
    words = tokenize(draft)
    types = {word for word in (*find_identifiers(draft), *find_identifiers(target.signature)) if word[0] != "_"}
    types |= set(target.name.split("::")[:-1])
    for sign in dict.fromkeys(word for word in words if word in _OVERLOADABLE_SIGNS):
        operator = "operator[]" if sign == "[" else f"operator{sign}"
        found = nearness.find_equally_nearest_symbols(operator, FUNCTIONS, MOST_OPERATORS)
        fitting = [s for s in found if not types.isdisjoint(find_identifiers(f"{s.qualified_name} {s.signature}"))]
        for symbol in fitting[:MOST_SYMBOLS_OF_NAME]:
            yield Hit(symbol, OPERATOR_SCORE, f"the draft uses {sign}")


def find_unresolved_calls(view: HiddenView, draft: str, target: Target) -> list[str]:
    """Names that the draft calls and nothing visible has: from the standard library, or made up."""
    nearness = Nearness(view)
    calls = [m for m in find_mentions(draft, target) if m.form == "call"]
    return [m.name for m in calls if not nearness.find_equally_nearest_symbols(m.name, _CALLABLE)]


def find_identifiers(text: str) -> list[str]:
    """The identifiers of a text that the repository may define, in order: no keywords, no literals."""
    return [word for word in tokenize(text) if _is_non_keyword_identifier(word)]


def _is_non_keyword_identifier(word: str) -> bool:
    return (word[0].isalpha() or word[0] == "_") and word[-1] not in "\"'" and word not in _NOT_NAMES


def find_mentions(draft: str, target: Target) -> list[Mention]:
    """The names in a draft: calls, then plain names, then fields; each once per form, in order."""
    words = tokenize(draft)
    given = _find_declared_names(tokenize(target.signature))
    own = _find_declared_names(words, given) | {target.name, target.name.rpartition("::")[2]}
    seen: dict[Mention, None] = {}
    for place, word in enumerate(words):
        if not _is_non_keyword_identifier(word):
            continue
        before = words[place - 1] if place else ""
        behind = _skip_template_arguments(words, place + 1)
        after = words[behind] if behind < len(words) and (behind == place + 1 or words[behind] == "(") else ""
        if after == "::":
            continue
        name = _join_qualified_name(words, place)
        form: MentionForm
        if before in (".", "->"):
            form = "member" if after == "(" else "field"
        else:
            form = "call" if after == "(" else "plain"
        if name not in own or form in ("member", "field"):
            seen.setdefault(Mention(name, form))
    order = {"call": 0, "member": 0, "plain": 1, "field": 2}
    return sorted(seen, key=lambda m: order[m.form])


def _resolve_mention(nearness: Nearness, mention: Mention, score: float) -> list[Hit]:
    name, form = mention
    if form == "field":
        found = nearness.find_types_of_distinctive_field(name, MOST_FIELDS_OF_NAME)
        return [Hit(symbol, score, f"has the field {name}, which the draft uses") for symbol in found]
    kinds = {"call": _CALLABLE, "member": FUNCTIONS, "plain": _PLAIN}[form]
    reason = "the draft names it" if form == "plain" else "the draft calls it"
    return [Hit(symbol, score, reason) for symbol in nearness.find_equally_nearest_symbols(name, kinds)]


def _join_qualified_name(words: Sequence[str], place: int) -> str:
    first = place
    while first >= 2 and words[first - 1] == "::" and (words[first - 2][0].isalpha() or words[first - 2][0] == "_"):
        first -= 2
    return "".join(words[first : place + 1])


def _find_declared_names(words: Sequence[str], parameters: Collection[str] = ()) -> set[str]:
    """Variables and parameters, those of `parameters` too, by their form: `type name` or `type *name` before one of
    `= ; , ) [ : {`. A mistake (`a * b;`) costs one look-up."""
    out = set(parameters)
    unsure = []  # (typed, word) of what is a product or a parameter: `(a * b)`
    for place in range(1, len(words) - 1):
        word, after = words[place], words[place + 1]
        if not _is_non_keyword_identifier(word):
            continue
        if after not in ("=", ";", ",", ")", "[", ":", "{"):
            continue
        first = place - 1
        while first > 0 and words[first] in ("*", "&", "&&", "const"):
            first -= 1
        typed = words[first]
        starred = first < place - 1
        is_type = typed[-1].isalnum() or typed[-1] == "_" or _closes_template(words, first)
        if is_type and typed not in _BEFORE_VALUES:
            # `x = a * b;` is a product; `a * b;` at the start of a statement declares.
            statement = words[first - 1] if first > 0 else ";"
            if not starred or statement in (";", "{", "}", "const", "struct", "enum", "union", "static"):
                out.add(word)
            elif statement in ("(", ","):
                unsure.append((typed, word))
    return out.union(word for typed, word in unsure if typed not in out)


def _skip_template_arguments(words: Sequence[str], place: int) -> int:
    """Behind the template arguments that begin at a place; the place itself where none do: `a < b && c > (d)`."""
    depth = 0
    for at in range(place, min(len(words), place + _MOST_ARGUMENT_WORDS)):
        word = words[at]
        depth += (word == "<") - (len(word) if word in (">", ">>") else 0)
        if depth <= 0:
            return at + 1 if depth == 0 and at > place else place
        if word not in ("<", ">", ">>", "::", ",", "*", "&", "...") and not (word[0].isalnum() or word[0] == "_"):
            return place
    return place


def _closes_template(words: Sequence[str], place: int) -> bool:
    """Whether the sign at a place ends a list of template arguments; else it compares or shifts."""
    depth = 0
    for at in range(place, 0, -1):
        word = words[at]
        if word in (">", ">>"):
            depth += len(word)
        elif word == "<":
            depth -= 1
            if depth == 0:
                return _is_non_keyword_identifier(words[at - 1])
        elif depth == 0 or not (word[0].isalnum() or word[0] == "_" or word in ("::", ",", "*", "&")):
            return False
    return False
