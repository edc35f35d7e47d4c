"""Hits and oracle items -> snippets: texts that may reach a prompt, each with its group and its brief form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from index.cpp.tokens import remove_comments, tokenize_with_offsets
from index.hiding.hidden_view import HiddenView
from index.values import Symbol, SymbolKind
from retrieval.values import Hit, Snippet, SnippetGroup

SUMMARY_CHARS = 160
"""Length of a docstring's first sentence; more is for whoever reads the whole function."""
ONE_LINE_CHARS = 160
"""Of a longer macro this much is shown in brief."""

TextPathName = tuple[str, str, str]
"""An item of a data set's own context; its path or name may be ""."""

_GROUPS: Mapping[str, SnippetGroup] = {
    "function": SnippetGroup.FUNCTIONS,
    "prototype": SnippetGroup.FUNCTIONS,
    "type": SnippetGroup.TYPES,
    "field": SnippetGroup.TYPES,
    "macro": SnippetGroup.MACROS,
    "enumerator": SnippetGroup.MACROS,
    "global": SnippetGroup.GLOBALS,
}
_COMMENT_MARKS = re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*+|//[/!]*)[ \t]?|[ \t]*\*+/[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\[\s\S])*", re.MULTILINE)
_BRIEF = re.compile(r"[\\@]brief\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_CATCH = re.compile(r"\s*catch\b")
_ACCESS = frozenset({"public:", "protected:", "private:"})


def find_snippet_group(kind: SymbolKind) -> SnippetGroup:
    return _GROUPS[kind.value]


def make_snippets_from_hits(
    view: HiddenView, hits: Iterable[Hit], source: str, group: SnippetGroup | None = None
) -> list[Snippet]:
    """One snippet per hit, in order: the docstring, then the symbol's text as the view shows it; inline methods of a
    class lose their bodies. `group` overrides that of the symbol's kind."""
    out = []
    for hit in hits:
        symbol = hit.symbol
        text = view.text(symbol)
        brief = ""
        if symbol.kind is SymbolKind.TYPE:
            if symbol.language == "cpp":
                text = strip_method_bodies(text)
        elif symbol.kind is SymbolKind.FUNCTION:
            brief = format_brief_function(symbol)
        elif symbol.kind is not SymbolKind.PROTOTYPE:
            brief = shorten_to_one_line(symbol, text)
        if symbol.docstring:
            text = f"{symbol.docstring}\n{text}"
        place = group or find_snippet_group(symbol.kind)
        out.append(Snippet(symbol.qualified_name, symbol.path, symbol.span, text, source, place, brief))
    return out


def make_snippets_from_oracle(items: Sequence[TextPathName]) -> list[Snippet]:
    """Snippets of a data set's own context, in its order. Empty texts, and texts that
    repeat an earlier one but for white space, are left out."""
    out = []
    seen = set()
    for text, path, name in items:
        key = " ".join(text.split())
        if key and key not in seen:
            seen.add(key)
            out.append(Snippet(name, path, None, text, "oracle"))
    return out


def format_brief_function(symbol: Symbol) -> str:
    """The docstring's first sentence, the signature, and the full name where the signature lacks it."""
    summary = extract_summary(symbol.docstring)
    # A constructor's or a macro-made function's signature may be empty; its name still helps.
    signature = f"{symbol.signature or symbol.qualified_name};"
    if symbol.qualified_name not in signature:
        signature += f"  // {symbol.qualified_name}"
    return f"// {summary}\n{signature}" if summary else signature


def shorten_to_one_line(symbol: Symbol, text: str) -> str:
    """A macro, constant or variable on a line: without its comment, without a table's rows, without what a macro has
    on further lines."""
    if symbol.kind is SymbolKind.GLOBAL:
        return f"{symbol.signature.rstrip('; ')};" if symbol.signature else ""
    text = remove_comments(text).rstrip()
    first, _, rest = text.partition("\n")
    line = first.rstrip("\\ \t") if rest else first
    return f"{line[:ONE_LINE_CHARS]} ..." if rest or len(line) > ONE_LINE_CHARS else line


def extract_summary(docstring: str) -> str:
    """The first sentence of a comment, without its marks, on one line of at most `SUMMARY_CHARS`."""
    text = " ".join(_BRIEF.sub("", _COMMENT_MARKS.sub("", docstring)).split())
    sentence = _SENTENCE.split(text, maxsplit=1)[0]
    return sentence if len(sentence) <= SUMMARY_CHARS else sentence[: SUMMARY_CHARS - 3].rstrip() + "..."


def strip_method_bodies(text: str) -> str:
    """A class's text with `;` in place of its functions' bodies and initializer lists."""
    out: list[str] = []
    copied = 0
    depth = 0  # of braces that are kept: the class's own, those of types inside
    brackets = 0
    has_parameters = False  # a function may have been declared since the last declaration ended
    ends = -1  # where a function's declaration ends: before its initializer list or `try`
    skipped = 0  # open braces inside what is left out, or in a value
    in_body = False
    is_value = False  # a lambda
    before, last = "", 0
    # Directives are blanked: `#if defined(X)` before a brace would look like a function.
    for at, token in tokenize_with_offsets(_DIRECTIVE.sub(lambda m: " " * len(m.group()), text)):
        if skipped:
            skipped += (token == "{") - (token == "}")
            if not skipped and in_body and not _CATCH.match(text, at + 1):
                copied = at + 1
                out.append("" if text[copied:].lstrip()[:1] == ";" else ";")
                in_body = False
        elif token in ("(", "["):
            is_value = is_value or (token == "[" and brackets == 0 and before in ("=", "{"))
            brackets += 1
        elif token in (")", "]"):
            brackets -= 1
            has_parameters = has_parameters or (token == ")" and brackets == 0)
        elif brackets > 0:
            continue
        elif token == "{" and has_parameters and depth > 0:
            skipped = 1
            # `A() : x{1} {}`: the brace after a member's name is its value, not the body.
            if not in_body and not is_value and before != "requires" and (ends < 0 or before in (")", "}")):
                out.append(text[copied : last if ends < 0 else ends])
                in_body = True
                has_parameters, ends = False, -1
        elif token in ("{", "}", ";") or before + token in _ACCESS:
            depth += (token == "{") - (token == "}")
            has_parameters, ends, is_value = False, -1, False
        elif token in (":", "try") and has_parameters and ends < 0:
            ends = last
        before, last = token, at + len(token)
    out.append("" if in_body else text[copied:])
    return "".join(out)
