"""Which of the two grammars a file wants: by its name, and for `.h` and `.inc` by its content."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from index.values import Language

C_SUFFIXES = frozenset({".c"})
CPP_SUFFIXES = frozenset(
    [
        ".cc",
        ".cpp",
        ".cxx",
        ".c++",
        ".hh",
        ".hpp",
        ".hxx",
        ".h++",
        ".inl",
        ".ipp",
        ".tpp",
        ".tcc",
        ".txx",
        ".ixx",
        ".cppm",
        ".cu",
        ".cuh",
    ]
)
INCLUDED_SUFFIXES = frozenset({".inc", ".def"})
"""Sources that others include, or lists of a macro's uses, or no C at all: the content tells."""
SUFFIXES = C_SUFFIXES | CPP_SUFFIXES | INCLUDED_SUFFIXES | {".h"}
TEMPLATE = ".in"
"""`err.h.in`: a source that a configuration step fills in; most of it is code as it is (openssl's headers)."""

# What only C++ has, at the start of a line; the code that a C header keeps for C++ compilers is cut out first.
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


_BODY = re.compile(rb"\)\s*(?:const\b\s*|override\b\s*|noexcept\b\s*)*\{")


def is_source(path: str) -> bool:
    """Whether the file's name says C or C++."""
    # By hand: an update asks this of every file of the tree.
    stem, dot, suffix = path.removesuffix(TEMPLATE).rpartition(".")
    return dot + suffix.lower() in SUFFIXES and bool(stem) and not stem.endswith("/")


def holds_code(path: str, data: bytes) -> bool:
    """Whether a source is to be parsed: of the files that are often lists, those with something like a body."""
    return not path.endswith(tuple(INCLUDED_SUFFIXES)) or _BODY.search(data) is not None


def language_of(path: str, data: bytes) -> Language:
    """`.C` is C++ and `.c` is C, as compilers have it."""
    suffix = PurePosixPath(path.removesuffix(TEMPLATE)).suffix
    if suffix in C_SUFFIXES:
        return "c"
    if suffix.lower() in CPP_SUFFIXES or suffix == ".C":
        return "cpp"
    if _CPP_LINE.search(data) is None:
        return "c"
    own = _COMMENT.sub(b" ", _FOR_CPP_ONLY.sub(b"", data) if b"__cplusplus" in data else data)
    return "cpp" if _CPP_LINE.search(own) else "c"
