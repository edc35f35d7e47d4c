"""The languages that the index reads, and which one a file is in: by its name, and for headers by their content."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from index.cpp.keywords import word_set
from index.cpp.syntax_queries import C_QUERY, CPP_QUERY
from index.values import Language

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar


class SourceLanguage(NamedTuple):
    """A language that the index reads. To add one, add it to `LANGUAGES`.

    `title` is how people write its name. `suffixes` of file names mean this language. `grammar` is the Python package
    of its tree-sitter grammar. `query` captures the nodes that symbols and call sites are read from. A header that
    parses badly is tried as `header_alternative`.
    """

    name: Language
    title: str
    suffixes: frozenset[str]
    grammar: str
    query: str
    header_alternative: Language | None = None


_C = SourceLanguage("c", "C", frozenset({".c"}), "tree_sitter_c", C_QUERY, header_alternative="cpp")
_CPP_SUFFIXES = word_set(
    ".cc .cpp .cxx .c++ .C .hh .hpp .hxx .h++ .inl .ipp .tpp .tcc .txx .ixx .cppm .cu .cuh",
)
_CPP = SourceLanguage("cpp", "C++", _CPP_SUFFIXES, "tree_sitter_cpp", CPP_QUERY)
LANGUAGES = {language.name: language for language in (_C, _CPP)}

INCLUDED_SUFFIXES = frozenset({".inc", ".def"})
"""Sources that others include, or lists of a macro's uses, or no C at all: their content decides."""
_SUFFIXES = INCLUDED_SUFFIXES.union({".h"}, *(language.suffixes for language in LANGUAGES.values()))
TEMPLATE_SUFFIX = ".in"
"""`err.h.in`: a source that a configuration step fills in; most of it is code as it is (openssl's headers)."""

# What only C++ has. The code that a C header keeps for C++ compilers is cut out first.
_CPP_LINE = re.compile(
    rb"^[ \t]*(?:class\s+[\w:\s]+[{;:]|namespace\b|template\s*<|using\s+[\w:]+|(?:public|private|protected)\s*:"
    rb"|virtual\b|explicit\b|constexpr\b|friend\b|enum\s+class\b)"
    rb"|\bconst\s+\w+\s*&\s*\w|\)\s*const\s*[{;]"
    rb"|\bstd::|\boperator\s*(?:[-+*/=<>!\[(]|new|delete)|\b(?:static|const|dynamic|reinterpret)_cast<",
    re.MULTILINE,
)
_FOR_CPP_ONLY = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus\b.*?^[ \t]*#[ \t]*(?:endif|else|elif)",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\\\n]|\\.)*", re.MULTILINE | re.DOTALL)

_BODY = re.compile(rb"\)\s*(?:const\b\s*|override\b\s*|noexcept\b\s*)*\{")


@cache
def load_tree_sitter_grammar(language: Language) -> Grammar:
    """The language's tree-sitter grammar, which takes longer to make than a function to parse."""
    from tree_sitter import Language as Grammar

    return Grammar(import_module(LANGUAGES[language].grammar).language())


def is_source(path: str) -> bool:
    # By hand: an update asks this of every file of the tree.
    stem, dot, suffix = path.removesuffix(TEMPLATE_SUFFIX).rpartition(".")
    return dot + suffix.lower() in _SUFFIXES and bool(stem) and not stem.endswith("/")


def has_ordinary_suffix_or_function_body(path: str, data: bytes) -> bool:
    """Whether a source is to be parsed: of the files that are often lists, those with something like a body."""
    return not path.endswith(tuple(INCLUDED_SUFFIXES)) or _BODY.search(data) is not None


def detect_language(path: str, data: bytes) -> Language:
    """The language of a source: by its suffix (`.C` is C++ and `.c` is C, as for compilers), else by its content."""
    suffix = PurePosixPath(path.removesuffix(TEMPLATE_SUFFIX)).suffix
    for spelling in (suffix, suffix.lower()):
        for language in LANGUAGES.values():
            if spelling in language.suffixes:
                return language.name
    return "cpp" if _has_cpp_code(data) else "c"


def _has_cpp_code(data: bytes) -> bool:
    """Whether a header's own code, without what it keeps for C++ compilers only, has a sign of C++."""
    if _CPP_LINE.search(data) is None:
        return False
    own = _COMMENT.sub(b" ", _FOR_CPP_ONLY.sub(b"", data) if b"__cplusplus" in data else data)
    # A header that is for C++ compilers as a whole has no code left.
    return _CPP_LINE.search(own) is not None or b";" not in _DIRECTIVE.sub(b"", own)
