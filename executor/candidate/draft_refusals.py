"""What a draft may make the compiler read. Compiler messages reach a prompt, so a draft must not bring other text of
the tree into them: a test's, or that of a function that is hidden as a twin of the target.

A draft is refused before any compiler sees it when its preprocessor lines read files, or act on the lines after it.
Grading isn't concerned: there no text goes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from index.cpp.keywords import word_set
from index.cpp.tokens import remove_comments

NOT_SHOWN = "a message on a file that this unit doesn't read by itself; its text is not shown"

# Headers of C and POSIX, without their `.h`.
_STANDARD_HEADERS = word_set(
    "assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef "
    "stdint stdio stdlib string strings time wchar wctype unistd fcntl pthread poll dirent dlfcn sys/types sys/stat "
    "sys/time sys/socket sys/un sys/wait sys/mman sys/select sys/ioctl sys/resource sys/uio netdb netinet/in "
    "netinet/tcp arpa/inet"
)
_STANDARD_CPP_HEADERS = word_set(
    "algorithm any array atomic bit bitset cassert cctype cerrno cfloat chrono cinttypes climits cmath complex "
    "condition_variable csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception filesystem "
    "forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator limits list "
    "map memory mutex new numeric optional ostream queue random ratio regex set span sstream stack stdexcept string "
    "string_view system_error thread tuple type_traits typeinfo unordered_map unordered_set utility valarray variant "
    "vector"
)

_CONDITIONS = word_set("if ifdef ifndef elif elifdef elifndef else endif")
_HARMLESS = _CONDITIONS | word_set("define undef error warning pragma")
_READS = word_set("include include_next import embed")

# A directive may begin behind a comment, after a lone carriage return (clang), with a digraph, and with a NUL between
# (gcc passes over it).
_SPACE = r"[ \t\f\v\r\0]"
_DIRECTIVE = re.compile(rf"(?:^|[\r]|\*/){_SPACE}*(?:#|%:){_SPACE}*(?P<word>\w+|/[*/])?(?P<rest>[^\n]*)", re.MULTILINE)
_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")
_STANDARD = re.compile(r"<(?:(?P<c>[a-z/]+)\.h|(?P<cpp>[a-z_]+))>")
_PROBE = re.compile(r"\b__has_(?:include|include_next|embed)\b|\b__has_\w*\s*(?:##|%:%:)")
_PRAGMA = re.compile(
    r"\s*(?:(?:GCC|clang)\s+(?:diagnostic|ivdep|unroll|optimize|push_options|pop_options|target|loop|fp|visibility)"
    r"|unroll|nounroll|omp|STDC|pack|message|ivdep)\b"
)
_PRAGMA_OPERATOR = re.compile(r'\b_Pragma\b(?P<operand>\s*\(\s*L?"(?P<text>(?:[^"\\\n]|\\.)*)")?')
_JOINED_STRINGS = re.compile(r'"\s*"')
_ASSEMBLED = re.compile(r"\.\s*inc(?:bin|lude)\b", re.IGNORECASE)
_ASM = re.compile(r"\b(?:asm|__asm|__asm__)\b")
_NAME = re.compile(r"\s*(\w+)")
_END = "graft_end_of_draft"
_RAW_STRING = re.compile(r'\b(?:u8|[uUL])?R"')


class _Directive(NamedTuple):
    word: str
    rest: str

    @property
    def normalised_text(self) -> str:
        return f"#{self.word} {' '.join(self.rest.split())}"


def why_draft_is_refused(code: str, original: str) -> str | None:
    """Why the draft isn't compiled for its messages, or None. What the `original` text reads, a draft may read."""
    variants = {code, code.replace("??/", "\\").replace("??=", "#")}  # only some standards know trigraphs
    return next((problem for text in variants if (problem := _find_refusal_reason(text, original)) is not None), None)


def _find_refusal_reason(code: str, original: str) -> str | None:
    own = {directive.normalised_text for directive in _find_directives_even_in_comments(original)}
    for directive in _find_directives_even_in_comments(code):
        if directive.normalised_text not in own and (problem := _find_refused_directive_reason(directive)):
            return f"{problem}, and isn't compiled here"
    joined = _SPLICE.sub("", code)
    if _PROBE.search(joined) and not _PROBE.search(original):
        return "a draft may not ask which files exist (__has_include), and isn't compiled here"
    for pragma in _PRAGMA_OPERATOR.finditer(joined):
        if not pragma["operand"] or not _PRAGMA.match(pragma["text"]):
            return f"a draft may not use {pragma[0][:60]}, and isn't compiled here"
    if _ASM.search(joined) and _ASSEMBLED.search(_JOINED_STRINGS.sub("", joined)):
        return "a draft may not read a file through the assembler, and isn't compiled here"
    if _END not in remove_comments(f"{joined}\n\n{_END}"):
        return "a draft closes the comment that it opens; it isn't compiled here"
    names = {text for _, text in _find_macro_names_and_directives(code)}
    if _RAW_STRING.search(joined) and names - {text for _, text in _find_macro_names_and_directives(original)}:
        return "a draft may not have both macros and raw strings, and isn't compiled here"
    if not _has_balanced_conditionals(code, original):
        return "a draft closes the #if that it opens, and no other; it isn't compiled here"
    return None


def _find_refused_directive_reason(directive: _Directive) -> str | None:
    if directive.word in _READS:
        found = _STANDARD.fullmatch(directive.rest.strip())
        if directive.word == "include" and found:
            known = found["c"] in _STANDARD_HEADERS or found["cpp"] in _STANDARD_CPP_HEADERS
            return None if known else f"a draft may include standard headers only, not {found[0]}"
        return f"a draft may not read a file by #{directive.word}"
    if directive.word == "pragma" and not _PRAGMA.match(directive.rest):
        return f"a draft may not use {directive.normalised_text[:60]}"
    if directive.word and directive.word not in _HARMLESS:
        return f"a draft may not use {directive.normalised_text[:60]}"
    return None


def _find_directives_even_in_comments(code: str) -> Iterator[_Directive]:
    """What might be a directive, even where it stands in a comment or in a string: rather too many than too few."""
    for match in _DIRECTIVE.finditer(_SPLICE.sub("", code)):
        yield _Directive(match["word"] or "", match["rest"])


def _has_balanced_conditionals(code: str, original: str) -> bool:
    """Whether the draft opens and closes conditionals as the original does, or closes all that it opens. A directive
    in a comment may be none: the draft must be balanced with and without comments."""
    depths = {_measure_final_and_least_if_depth(code), _measure_final_and_least_if_depth(remove_comments(code))}
    if depths == {(0, 0)}:
        return _RAW_STRING.search(_SPLICE.sub("", code)) is None or not any(
            d.word in _CONDITIONS for d in _find_directives_even_in_comments(code)
        )
    return depths == {_measure_final_and_least_if_depth(original)}


def _measure_final_and_least_if_depth(code: str) -> tuple[int, int]:
    """How deep conditionals are nested at the end of the text, and the least depth on the way."""
    depth = least = 0
    for directive in _find_directives_even_in_comments(code):
        if directive.word in ("if", "ifdef", "ifndef"):
            depth += 1
        elif directive.word == "endif":
            depth -= 1
        elif directive.word in _CONDITIONS:
            least = min(least, depth - 1)
        least = min(least, depth)
    return depth, least


class EnclosedDraft(NamedTuple):
    """A draft with `before` lines of ours in front of it and `after` lines behind it."""

    text: str
    before: int
    after: int


def restore_macros_after_draft(code: str, original: str) -> EnclosedDraft:
    """The draft, with the macros that it defines or undefines put back behind it: a macro that takes the name of a
    function would print that function's arguments wherever the rest of the file calls it. What the original defines
    is defined behind the draft as the original has it."""
    names = list(dict.fromkeys(name for name, _ in _find_macro_names_and_directives(code)))
    if not names:
        return EnclosedDraft(code, 0, 0)
    kept = [text for name, text in _find_macro_names_and_directives(original) if name in names]
    before = [f'#pragma push_macro("{name}")' for name in names]
    # A last line that goes on (`// \\`) or a comment that is left open would swallow the lines behind it.
    after = ["", "/* */", *(f'#pragma pop_macro("{name}")' for name in names), *kept]
    return EnclosedDraft("\n".join((*before, code.removesuffix("\n"), *after)), len(before), len(after))


def _find_macro_names_and_directives(code: str) -> Iterator[tuple[str, str]]:
    """(name, directive) of the `#define`s and `#undef`s."""
    for directive in _find_directives_even_in_comments(code):
        name = _NAME.match(directive.rest)
        if directive.word in ("define", "undef") and name is not None:
            yield name[1], f"#{directive.word} {directive.rest.strip()}"
