"""Classifies a function in a header, because its kind decides which units a change of its body reaches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from executor.function.definition import read_tokens_without_literals_and_directives, split_definition
from index.source_text import split_lines_keeping_ends
from index.values import Span

HeaderKind = Literal["inline", "copied", "folded"]

_BLANKED = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
# A conditional is part of the body; these reach beyond it.
_DIRECTIVE = re.compile(r"^\s*#\s*(?:define|undef|include|pragma|line)\b", re.MULTILINE)
_TEMPLATE = re.compile(r"\btemplate\s*<")
_FOLDED = re.compile(r"\b(?:constexpr|consteval|always_inline|__forceinline|auto)\b")
_CLASS = re.compile(r"\b(?:class|struct|union)\b[\s)]*(\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.DOTALL)
_ANY_CLASS = re.compile(r"\b(?:class|struct|union)\b")
_BLOCK = re.compile(r"\b(?:class|struct|union|namespace|extern)\b")
_ATTRIBUTES = re.compile(r"\b(?:__attribute__|__declspec|alignas)\s*\((?:[^()]|\([^()]*\))*\)|\[\[.*?\]\]", re.DOTALL)
# `END_PACK()` alone on a line above the declaration: no semicolon ends it, and its brackets aren't the parameters'.
_MACRO_LINE = re.compile(r"^[ \t]*[A-Z_][A-Z0-9_]*[ \t]*\([^()\n]*\)[ \t]*$", re.MULTILINE)
_UNNAMED = re.compile(r"\bnamespace\s*$")
_DECLARATOR = re.compile(r"~?\s*(\w+)\s*$")


@dataclass(frozen=True, slots=True)
class HeaderFunction:
    """`inline`: one weak definition serves the whole program, and the linker takes the first. `copied`: a template,
    or local to each unit; every unit that uses it holds its own. `folded`: its body may be part of its callers.
    `names` are identifiers that each of its demangled symbols contains."""

    kind: HeaderKind
    names: tuple[str, ...]


def classify_function_by_compiled_copies(source: str, span: Span, code: str | None = None) -> HeaderFunction:
    """Classify the function that is defined at `span`, by the declarations around it. It works on tokens alone, so a
    keyword that a macro hides (a forced inline) isn't seen.

    `code` is the text that takes its place. Where more than the body differs (another parameter type, a helper beside
    it, a `#define`), the callers may compile to something else or keep calling the original: the kind is `folded`.
    """
    text = _BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    start = len("".join(split_lines_keeping_ends(text)[: span.first - 1]))
    outer, own = _find_open_block_heads_and_declaration_start(text[:start])
    own = _MACRO_LINE.sub("", own)
    while (body := text.find("{", start)) >= 0:
        own += text[start:body]
        start = body + 1
        if "(" in _ATTRIBUTES.sub(" ", own) or not _BLOCK.search(own):
            break
        # The line opens a class or namespace before it comes to the function.
        outer.append(own)
        own = ""
    classes = [found[1] for head in outer if (found := _CLASS.search(head))]
    names = tuple(dict.fromkeys((*classes, *_split_declared_name(own))))
    original = "".join(split_lines_keeping_ends(source)[span.first - 1 : span.last])
    if _FOLDED.search(own) or (code is not None and not _is_same_outside_body(original, code)):
        return HeaderFunction("folded", names)
    in_class = any(_ANY_CLASS.search(head) for head in outer)
    local = any(_UNNAMED.search(head) for head in outer) or (not in_class and re.search(r"\bstatic\b", own))
    if local or any(_TEMPLATE.search(head) for head in (*outer, own)):
        return HeaderFunction("copied", _split_declared_name(own) if "friend" in own else names)
    return HeaderFunction("inline", names)


def _is_same_outside_body(original: str, code: str) -> bool:
    if original.strip() == code.strip():
        return True
    head, theirs = _read_words_before_sole_body(original), _read_words_before_sole_body(code)
    return head is not None and head == theirs and not _DIRECTIVE.search(code)


def _read_words_before_sole_body(text: str) -> list[str] | None:
    """The words before the body, without a constructor's initialisers; None when something follows the body."""
    parts = split_definition(text)
    if (
        parts is None
        or read_tokens_without_literals_and_directives(parts.tail)
        or not _is_one_braced_block(parts.body)
    ):
        return None
    return re.findall(r"\w+|[^\w\s]", _COMMENT.sub(" ", parts.header))


def _is_one_braced_block(body: str) -> bool:
    pieces = read_tokens_without_literals_and_directives(body)
    depths = list(accumulate({"{": 1, "}": -1}.get(piece.text, 0) for piece in pieces))
    return 0 not in depths[:-1] and depths[-1] == 0


def _find_open_block_heads_and_declaration_start(text_before: str) -> tuple[list[str], str]:
    """The heads of the blocks that are open at the end of `text_before`, and the start of the declaration that
    follows."""
    heads: list[str] = []
    begun = 0
    for match in re.finditer(r"[{};]", text_before):
        if match[0] == "{":
            heads.append(text_before[begun : match.start()].rstrip())
        elif match[0] == "}" and heads:
            heads.pop()
        begun = match.end()
    return heads, text_before[begun:]


def _split_declared_name(declaration: str) -> tuple[str, ...]:
    """The declared name with its qualifiers: Box and fill for `Box<T>::fill`. Empty where no name is found."""
    declaration = _ATTRIBUTES.sub(" ", declaration)
    operator = re.search(r"\boperator\b", declaration)
    head = declaration[: operator.start()] if operator else declaration.partition("(")[0]
    words = re.sub(r"<[^<>]*>", "", head).rstrip()
    if operator:
        last = ("operator",)
    else:
        match = _DECLARATOR.search(words)
        if match is None:
            return ()
        last = (match[1],)
        words = words[: match.start()].rstrip()
    qualifiers = re.search(r"((?:\w+\s*::\s*)+)$", words)
    parts = re.findall(r"\w+", qualifiers[1]) if qualifiers else []
    return (*parts, *last)
