"""Reads off a failed build, or a suite's output, which names of a renamed tree have to stay as they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from executor.manifest.variant.renamed_text import SHAPED
from lab.variants.macro_expansion import restore_renamed_parts

_WORD = re.compile(r"[A-Za-z_]\w*")
# C lets a program call what nothing declares, and warns; the linker fails in the end.
_ERROR_LINE = re.compile(
    r"^(?:(?P<file>[^\s:]+):(?:\d+:(?P<column>\d+:)?)? ?)?.*?"
    r"\b(?:(?:fatal )?error: (?P<text>.*)|warning: (?P<undeclared>implicit declaration of function.*))$"
)
# The line of code that GCC and Clang show under a message.
_SHOWN_LINE = re.compile(r" *\d+ \| (.*)")
_DEMAND = "#error "
_LINKER = re.compile(r"undefined reference to|multiple definition of|undefined symbol|duplicate symbol")
# lld quotes nothing.
_LLD_SYMBOL = re.compile(r"((?:undefined|duplicate) symbol): (.+)")
# Both ends of what compilers and linkers quote, in ASCII and in UTF-8.
_QUOTED = re.compile("[`'‘\"]([^`'’‘\"]+)['’\"]")
# What a message is about, where it quotes more than that.
_SUBJECT = re.compile(
    r"(?:no member named|implicit declaration of function|undefined reference to|multiple definition of"
    r"|undefined symbol|duplicate symbol"
    r"|unknown type name|undeclared identifier|conflicting types for|redefinition of|No such file or directory) *"
    "[`'‘]([^`'’]+)['’]|[`'‘]([^`'’]+)['’] (?:undeclared|was not declared|does not name a type|is not a member)"
)
# A compiler's later errors in a file mostly follow from its first, unless they name what no place defines any more.
_FIRST_ERRORS = 3
# Without a compiler's or a linker's message there may be one of a generator.
_GENERATOR_COMPLAINT = re.compile(r"error|exception|unknown|undefined|missing|not found|no such", re.IGNORECASE)
# `make` prints the commands that it runs, whose options may complain as well.
_COMMAND = re.compile(r"(?:make|echo|cc|gcc|g\+\+|c\+\+|clang|ar|cd|sh|rm|perl|python3?)\b|/usr/")
_PLAIN_WORD = re.compile("[A-Za-z]{4}")
_REASON_LENGTH = 120
# A name shorter than this occurs inside other words by chance.
_SHORTEST_PART = 4
# A mangled name or a line of data is longer, and to look for names in each of its parts takes minutes.
_LONGEST_GLUED = 500


@dataclass(frozen=True, slots=True)
class _Complaint:
    """`late`: not one of its file's first. `before`: the code that stands before the place, where that is shown."""

    text: str
    late: bool = False
    before: str = ""


def find_names_breaking_build(output: str, names: Mapping[str, str], kept: Iterable[str] = ()) -> dict[str, str]:
    """Original name -> the message that shows that it must stay. `names` is the map that was built, `kept` are the
    names that stay already.

    A message that quotes an original name shows a place that wasn't renamed. Where none does, the new names that it is
    about go back; a name that a macro glued together from a new one goes back with that one. Of an original name that
    no place defines any more the parts go back from which a macro made it. A message that quotes none of these is
    about the last word before its place. Where an `#error` names macros, that is all: the rest follows from it.
    """
    back = {new: name for name, new in names.items()}
    found: dict[str, str] = {}
    stay = frozenset(kept)
    complaints = list(_list_errors_marking_later_ones(output))
    for complaint in complaints:
        if complaint.text.startswith(_DEMAND):
            for name in _WORD.findall(complaint.text):
                if name in names and SHAPED.fullmatch(name):
                    found.setdefault(name, _shorten_reason(complaint.text))
    for complaint in complaints if not found else ():
        kept_names = _find_names_to_keep(complaint.text, names, back, stay, late=complaint.late)
        if not kept_names and not complaint.late:
            kept_names = [back[word] for word in _WORD.findall(complaint.before)[-1:] if word in back]
        for name in kept_names:
            found.setdefault(name, _shorten_reason(complaint.text))
    return found


def _shorten_reason(message: str) -> str:
    return message if len(message) <= _REASON_LENGTH else message[: _REASON_LENGTH - 1] + "…"


def find_names_changing_output(printed: str, original_output: str, names: Mapping[str, str]) -> dict[str, str]:
    """Original name -> the line that prints its new one, for lines of a suite's output that would be the original's
    if these names had stayed; and names that are printed under both, as by a test that compares `__func__` with a
    text: words that no text holds by chance, or any between the same two neighbours."""
    back = {new: name for name, new in names.items()}
    known = {_mask_numbers(line) for line in original_output.splitlines()}
    found: dict[str, str] = {}
    for line in dict.fromkeys(printed.splitlines()):
        words = {word for word in _WORD.findall(line) if word in back}
        if not words or _mask_numbers(line) in known:
            continue
        if _mask_numbers(_WORD.sub(lambda match: back.get(match[0], match[0]), line)) in known:
            for word in sorted(words):
                found.setdefault(back[word], f"printed: {line.strip()[:_REASON_LENGTH]}")
    strange = [_WORD.findall(line) for line in printed.splitlines() if _mask_numbers(line) not in known]
    other = {word for words in strange for word in words}
    alike = {name for words in strange for name in _find_names_printed_both_ways(words, back)}
    for name in sorted(back[word] for word in other & back.keys()):
        if name in other and (SHAPED.fullmatch(name) or name in alike):
            found.setdefault(name, f"printed beside {names[name]}")
    return found


def find_names_in_texts_alike(texts: Collection[str], found: Collection[str], names: Mapping[str, str]) -> set[str]:
    """The names in those of the `texts` that differ from a text with a `found` name in names alone, as `Invalid
    argument ctx (ly_up())` and `Invalid argument set (ly_add())`. A suite that ends at its first such text shows no
    other."""
    shapes: dict[str, set[str]] = {}
    for text in texts:
        words = set(_WORD.findall(text))
        shape = _WORD.sub(lambda match: "\0" if match[0] in names else match[0], text)
        if _PLAIN_WORD.search(shape):
            shapes.setdefault(shape, set()).update(words & names.keys())
    return {name for alike in shapes.values() if not alike.isdisjoint(found) for name in alike}


def _find_names_printed_both_ways(words: Sequence[str], back: Mapping[str, str]) -> Iterator[str]:
    """The names that a line prints under both, each time between the same words."""
    places = set(zip(words, words[1:], words[2:], strict=False))
    for first, word, last in places:
        if word in back and (first, back[word], last) in places:
            yield back[word]


def _mask_numbers(line: str) -> str:
    """The line without what differs from run to run: times, addresses, process numbers."""
    return re.sub(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)?", "0", line.strip())


def _list_errors_marking_later_ones(output: str) -> Iterator[_Complaint]:
    """The errors of compilers and linkers; where there are none, other lines that quote something and complain. C's
    warnings of undeclared functions come first."""
    errors: list[_Complaint] = []
    warnings: list[_Complaint] = []
    seen: Counter[str] = Counter()
    lines = output.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        match = _ERROR_LINE.match(line)
        if _LINKER.search(line):
            errors.append(_Complaint(_LLD_SYMBOL.sub(r"\1 `\2'", line.strip())))
        elif match is not None and match["undeclared"]:
            warnings.append(_Complaint(match["undeclared"].split("; did you mean")[0]))
        elif match is not None and not match["text"].startswith("ld returned"):
            file = match["file"] or ""
            seen[file] += 1
            shown = _SHOWN_LINE.match(following)
            before = shown[1][: int(match["column"][:-1]) - 1] if shown and match["column"] else ""
            text = match["text"].split("; did you mean")[0]
            errors.append(_Complaint(text, seen[file] > _FIRST_ERRORS, before))
    others = (
        line.strip() for line in output.splitlines() if _GENERATOR_COMPLAINT.search(line) and _QUOTED.search(line)
    )
    yield from warnings
    yield from errors or [_Complaint(line) for line in others if not _COMMAND.match(line)]


def _find_names_to_keep(
    message: str, names: Mapping[str, str], back: Mapping[str, str], kept: frozenset[str], *, late: bool
) -> list[str]:
    quoted = " ".join(_QUOTED.findall(message))
    words = list(dict.fromkeys(_WORD.findall(quoted)))
    if originals := [word for word in words if word in names]:
        return originals
    glued = [part for word in words if word not in back for part in _find_glued_names_to_keep(word, back, names, kept)]
    subject = _SUBJECT.search(message)
    about = _WORD.findall((subject[1] or subject[2]).partition("(")[0]) if subject else []
    if late and (glued or any(word in back for word in words)):
        return glued
    if renamed := [back[word] for word in about if word in back]:
        # `undefined reference to Type::member(Other const&)`: the member is what is missing.
        return renamed[-1:]
    if found := glued or [back[word] for word in words if word in back]:
        return found
    # No place defines the word any more, so a late message says as much as a first one.
    if pasted := [part for word in about for part in _find_named_prefix_and_suffix(word, names)]:
        # A generator wrote the word as it was, and the macro that defines it now pastes another.
        return pasted
    # Nothing knows the word: a macro pasted it of new names, of a generator's that had others.
    return [back[part] for word in about for part in _find_named_prefix_and_suffix(word, back)]


def _find_glued_names_to_keep(
    word: str, back: Mapping[str, str], names: Mapping[str, str], kept: frozenset[str]
) -> list[str]:
    """The names that have to stay for `word`, which a macro made of a new name, to be an original name again."""
    if len(word) > _LONGEST_GLUED:
        return []
    for whole, parts in restore_renamed_parts(word, back, _SHORTEST_PART):
        if whole in names or whole in kept:
            return [*parts, whole] if whole in names else parts
    return []


def _find_named_prefix_and_suffix(word: str, names: Mapping[str, str]) -> list[str]:
    """The beginning and the end of `word` that `names` has, the longest of each, up to and from an underscore."""
    cuts = [place for place, letter in enumerate(word) if letter == "_"]
    first = next((word[: cut + 1] for cut in reversed(cuts) if word[: cut + 1] in names), "")
    last = next((word[cut:] for cut in cuts if cut >= len(first) and word[cut:] in names), "")
    return [part for part in (first, last) if part]
