"""Identifiers that a repository defines and that stay under their own name, each with the reason in plain words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from executor.manifest.variant.renamed_files import is_path_matched_by_any, list_regular_files_outside_git
from executor.manifest.variant.renamed_text import (
    IDENTIFIER,
    OPERAND_IN_ASSEMBLER,
    SHAPED,
    find_renamable_words_of_non_c_file,
    split_template_at_perl_pieces,
)
from index.cpp.keywords import word_set
from index.cpp.language import TEMPLATE_SUFFIX
from index.cpp.tokens import SourcePiece, find_comments_literals_and_words
from index.source_text import decode_source
from lab.variants.external_names import ExternalNames
from lab.variants.identifier_inventory import Inventory, read_source_text_or_empty
from lab.variants.new_names import C_AND_CPP_KEYWORDS

KEYWORDS = C_AND_CPP_KEYWORDS | word_set(
    "_Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic _Imaginary _Noreturn "
    "_Pragma _Static_assert _Thread_local __asm__ __asm __attribute__ __inline __inline__ __typeof__ __volatile__ "
    "__restrict __extension__ __func__ __FUNCTION__ __PRETTY_FUNCTION__ __VA_ARGS__ __VA_OPT__ __cplusplus "
    "__FILE__ __LINE__ __DATE__ __TIME__ __COUNTER__ __STDC__ __STDC_VERSION__ defined define undef include "
    "include_next ifdef ifndef elif elifdef elifndef endif"
)
"""Words that C, C++ or their preprocessors give a meaning, in any place."""

_NameAndReason = tuple[str, str]

FROM_OUTSIDE = "comes from a header, a command line or a compiler outside the repository"

# A run-time's own entry points, what sanitizers, fuzzers and linkers look for, and what an interpreter or a service
# makes of a module's name and looks for in it.
_ENTRY_POINT = re.compile(
    r"main|wmain|WinMain|DllMain|_start|_init|_fini|environ|LLVMFuzzer\w+|__(?:asan|ubsan|msan|tsan|lsan|sanitizer)_\w+"
    r"|__(?:start|stop)_\w+|_?_?GLIBC\w*|operator\w*"
    r"|(?:PyInit|luaopen|R_init|Java|pam_sm|_nss)_\w+|JNI_On(?:Load|Unload)"
)
_LOOK_UP_FUNCTION = re.compile(r"\w*dlv?sym|GetProcAddress|DSO_bind_func|\w*[gs]et_?sym(?:bol)?")
# A function that looks up its own parameter: `dlsym(handle, name)`.
_PASSED_ON = re.compile(rf"\b(?:{_LOOK_UP_FUNCTION.pattern})\s*\([^(),;]*,\s*(\w+)\s*\)")
# One that looks up what a table says: `dlsym(handle, table[type].name)`.
_FROM_TABLE = re.compile(rf"\b(?:{_LOOK_UP_FUNCTION.pattern})\s*\([^(),;]*,[^(),;]*[\].>][^(),;]*\)")
_FUNCTION_HEAD = re.compile(r"\b(\w+)\s*\(([^(){};]*)\)\s*\{")
# What a script hands to a compiler: `$MAKE CFLAGS=-DEXP_FAIL=1 test.o`.
_OPTION_D = re.compile(r"(?<![\w-])-D ?([A-Za-z_]\w*)")
_PRAGMA = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+(?:weak|redefine_extname|omp|acc|push_macro|pop_macro)\b")
# The words before a literal that names an object for the linker or the assembler.
_FOR_LINKER = word_set(
    "asm __asm __asm__ alias __alias__ weakref __weakref__ ifunc __ifunc__ symver __symver__ _Pragma"
)
# A name as the linker or `typeid` has it: `_ZN3geo5ShapeE`, `N3geo5ShapeE`, `5Shape`.
_MANGLED = re.compile(r"\b(?:_Z|[NKPRV]|St)*[0-9]+[A-Za-z_]\w*")
_LENGTH = re.compile("[0-9]+")
_TYPE_ENDS = re.compile(r"(?:I\w+)?E*")
_ATTRIBUTES = re.compile(
    r"\b__attribute(?:__)?\s*\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)|\b__declspec\s*\(([^()]*)\)"
    r"|\[\[([^\[\]]*)\]\]"
)
# In a template such as gnulib's fcntl.in.h: `#if !@HAVE_OPENAT@`.
_PLACEHOLDER = re.compile(r"@([A-Za-z_]\w*)@")
# In one such as autoheader's config.h.in, which CMake and Meson fill in too, a line is looked for by its name.
_ANSWERED = re.compile(r"^[ \t]*#[ \t]*(?:undef|cmakedefine(?:01)?|mesondefine)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
# Where a script's pattern may begin and end: `/\s*(\w+)_main\(\s*int\s+argc\s*,/`.
_PATTERN_ENDS = re.compile("[/\"'\n]")
_ESCAPED = re.compile(r"\\.")
_HEX = re.compile("[0-9A-Fa-f]{16,}")
_TEXT_NAME_HINT = re.compile(
    rf"#[ \t]*pragma|\boperator\b|\b(?:{_LOOK_UP_FUNCTION.pattern}|{'|'.join(sorted(_FOR_LINKER))})\b"
    r'|"(?:_Z|[NKPRV]|St)*[0-9]+[A-Za-z_]|\b_Z[A-Z]*[0-9]'
)
PROSE = (".md", ".txt", ".rst", ".html", ".htm", ".pod", ".tex", ".dox", ".log", ".svg", ".css")
"""Ends of the names of files that are for people."""
# Names of functions in a documentation tool's settings mean nothing to the build.
_SETTINGS = ("doxyfile", "_clang-format", ".clang-format", ".gdbinit", "codeowners", "appveyor.yml")
_SCRIPTS = (".pl", ".pm", ".py", ".sh", ".awk", ".m4", ".rb", ".lua")
_MOST_BYTES = 4 * 1024 * 1024
_EVERY_WORD = re.compile(r"[A-Za-z_]\w*+")
# Not a file's or folder's name: most build files are lists of these.
_DATA_WORD = re.compile(
    r"[A-Za-z_]\w*+(?!\.(?:c|cc|cpp|cxx|h|hh|hpp|inl|inc|o|obj|lo|a|so|d|in|dll|lib|py|pl|pm)\b|/)"
)


def find_names_scripts_write_and_seek(
    root: Path, inventory: Inventory, outside: ExternalNames, leave: Sequence[str], follow: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Two maps of name -> why it stays, whether the repository defines it or not: of all that scripts write into files
    that the build makes, and of what a script defines for a compiler or looks for in the code, that is the words of
    its patterns that hold a bracket, as those of calls and definitions do. `leave` and `follow` (fnmatch): files that
    aren't looked at, because they are another project's, or are renamed along. A name that such data shares with a
    script stays, as the script writes it.

    What isn't C reaches the code by what the build makes of it: a name in a script matters when a file that the build
    made holds it."""
    followed: set[str] = set()
    scripted: set[str] = set()
    sought: dict[str, str] = {}
    for path in _list_other_nonprose_files(root, inventory, leave):
        if is_path_matched_by_any(path, follow):
            followed.update(find_renamable_words_of_non_c_file(path, decode_source((root / path).read_bytes())))
        elif path.endswith(_SCRIPTS):
            text = read_small_text_or_empty(root / path)
            scripted.update(_DATA_WORD.findall(text))
            for name in _OPTION_D.findall(text):
                sought.setdefault(name, f"{path} defines it for a compiler")
            for pattern in _PATTERN_ENDS.split(text):
                if "\\(" in pattern:
                    for name in IDENTIFIER.findall(_ESCAPED.sub(" ", pattern)):
                        sought.setdefault(name, f"{path} looks for it in the code")
    written: dict[str, str] = {}
    for path, made in outside.made.items():
        for name in _drop_made_names_copied_from_template(root, path, made, inventory) - (followed - scripted):
            written.setdefault(name, f"the build writes it into {path}")
    return written, sought


def find_fixed_names(
    root: Path, inventory: Inventory, outside: ExternalNames, keep: Mapping[str, str]
) -> dict[str, str]:
    """Name -> why it stays, of those that `inventory` defines. `keep`: what the recipe and the caller know must stay,
    with the reason."""
    reasons = dict(keep)
    for path in inventory.files:
        for name, reason in _find_names_fixed_by_source(path, read_source_text_or_empty(root, path)):
            reasons.setdefault(name, reason)
    kept: dict[str, str] = {}
    for name in (*inventory.defined, *inventory.fragments):
        if name in KEYWORDS:
            kept[name] = "a word of C or C++"
        elif _ENTRY_POINT.fullmatch(name):
            kept[name] = "the system or a tool looks for it"
        elif name in reasons and name not in outside.firm:
            kept[name] = reasons[name]
        elif name in outside.names:
            kept[name] = FROM_OUTSIDE
    return kept


def collect_words_of_other_files(
    root: Path, inventory: Inventory, leave: Sequence[str], read_by_units: Collection[str]
) -> set[str]:
    """Every word in files that aren't the repository's own C, tests in other languages among them. A file that `leave`
    names is another project's code if it is among the files `read_by_units`; else a test may compare with it."""
    found: set[str] = set()
    for path in _list_other_nonprose_files(root, inventory, ()):
        if path not in read_by_units or not is_path_matched_by_any(path, leave):
            found.update(_DATA_WORD.findall(read_small_text_or_empty(root / path)))
    return found


def _drop_made_names_copied_from_template(
    root: Path, path: str, made_names: Collection[str], inventory: Inventory
) -> set[str]:
    """Names in a file that the build made, without those that it copied from a template in C."""
    template = f"{path}{TEMPLATE_SUFFIX}"
    if template in inventory.files:
        parts = split_template_at_perl_pieces(template, read_source_text_or_empty(root, template))
        copied = {word for part in parts[::2] for word in IDENTIFIER.findall(part)}
        written = {word for part in parts[1::2] for word in IDENTIFIER.findall(part) if SHAPED.fullmatch(word)}
        return set(made_names) - (copied - written)
    return set(made_names)


def _list_other_nonprose_files(root: Path, inventory: Inventory, without: Sequence[str]) -> Iterator[str]:
    own = frozenset(inventory.files)
    for path in list_regular_files_outside_git(root):
        is_for_people = path.lower().endswith((*PROSE, *_SETTINGS)) or "/.github/" in f"/{path}"
        if path not in own and not is_for_people and not is_path_matched_by_any(path, without):
            yield path


def read_small_text_or_empty(file: Path) -> str:
    """What the file holds; "" for what is no text, is too large to be a source, or can't be read."""
    try:
        data = file.read_bytes() if file.stat().st_size <= _MOST_BYTES else b""
    except OSError:
        return ""
    return "" if b"\0" in data else decode_source(data)


def _find_names_fixed_by_source(path: str, text: str) -> Iterator[_NameAndReason]:
    for name in _find_attribute_names_without_arguments(text):
        yield name, "an attribute of the compiler"
    for name in _PLACEHOLDER.findall(text):
        yield name, "stands between @ signs, where configure writes a value"
    parts = split_template_at_perl_pieces(path, text)
    for name in _ANSWERED.findall(text) if path.endswith(TEMPLATE_SUFFIX) and len(parts) == 1 else ():
        yield name, f"configure looks for it in {path}"
    for part in parts[::2]:
        yield from _find_names_fixed_by_literals_pragmas(path, part)


def _find_attribute_names_without_arguments(text: str) -> Iterator[str]:
    """The names of attributes, without what they are given in brackets. A compiler only warns of one that it doesn't
    know."""
    for match in _ATTRIBUTES.finditer(text):
        listed = (match[1] or "").strip().removeprefix("(").removesuffix(")") or match[2] or match[3] or ""
        while listed != (listed := _IN_BRACKETS.sub(" ", listed)):
            pass
        yield from IDENTIFIER.findall(listed)


def _find_names_fixed_by_literals_pragmas(path: str, text: str) -> Iterator[_NameAndReason]:
    if not _TEXT_NAME_HINT.search(text):
        return
    before: list[SourcePiece] = []
    linked = False
    wrappers = _find_wrappers_of_look_up_functions(text)
    has_table = _FROM_TABLE.search(text) is not None
    for piece in find_comments_literals_and_words(text):
        if piece.kind == "comment":
            continue
        if piece.kind == "fixed" and _PRAGMA.match(piece.text):
            for name in IDENTIFIER.findall(piece.text):
                yield name, f"a #pragma in {path} names it"
        elif piece.kind == "literal":
            words_before = [word.text for word in before if word.kind == "word"]
            is_looked_up = any(word in wrappers or _LOOK_UP_FUNCTION.fullmatch(word) for word in words_before)
            if is_looked_up or (has_table and SHAPED.fullmatch(piece.text[1:-1])):
                yield piece.text[1:-1], f"{path} looks it up by its name at run time"
            for name in _find_identifiers_in_mangled_names(piece.text):
                yield name, f"a text in {path} holds it as compilers mangle it"
            # Literals side by side are one text.
            linked = not _FOR_LINKER.isdisjoint(words_before) or (linked and before[-1].kind == "literal")
            if linked:
                for name in _EVERY_WORD.findall(OPERAND_IN_ASSEMBLER.sub(" ", piece.text)):
                    yield name, f"a text for assembler or linker in {path} names it"
        elif [part.text for part in before[-2:]] == ["operator", '""']:
            yield piece.text, "the suffix of a literal"
        before = [*before[-3:], piece]


def _find_wrappers_of_look_up_functions(text: str) -> frozenset[str]:
    """The functions that hand one of their parameters to one that looks it up."""
    found: set[str] = set()
    for call in _PASSED_ON.finditer(text):
        heads = list(_FUNCTION_HEAD.finditer(text, 0, call.start()))
        if heads and call[1] in IDENTIFIER.findall(heads[-1][2]):
            found.add(heads[-1][1])
    return frozenset(found)


def _find_identifiers_in_mangled_names(text: str) -> Iterator[str]:
    """The identifiers of mangled names: each stands behind its length."""
    for word in _MANGLED.findall(text):
        if _HEX.fullmatch(word):
            continue
        names: list[str] = []
        place = 0
        while length := _LENGTH.search(word, place):
            place = length.end()
            name = word[place : place + int(length[0][:4])]
            if len(name) == int(length[0][:4]) and IDENTIFIER.fullmatch(name):
                names.append(name)
                place += len(name)
        # `3dimensions` is no type `dim`.
        if word.startswith("_Z") or _TYPE_ENDS.fullmatch(word, place):
            yield from names
