"""Reads command lines of compilers (gcc, clang) and binutils: which files a call reads and writes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from index.cpp.keywords import word_set

ToolKind = Literal["compiler", "ar", "ranlib", "ld", "copy"]
Mode = Literal["compile", "assemble", "preprocess", "depend", "link", "info"]

SOURCE_SUFFIXES = word_set(".c .i .ii .cc .cp .cxx .cpp .CPP .c++ .C .m .mm .s .S .sx .f .F .for .f90 .F90 .cu")
# Assembly that isn't preprocessed: `-M` and -fsyntax-only print nothing about it.
PLAIN_ASSEMBLY = frozenset({".s"})
# Options whose value is the next argument (gcc's and clang's manuals; attached forms need no entry).
_SEPARATE = word_set(
    "-o -I -isystem -iquote -idirafter -include -imacros -iprefix -iwithprefix -iwithprefixbefore -isysroot "
    "-imultilib -D -U -MF -MT -MQ -MJ -x -L -l -T -u -z -e -h -m -Xlinker -Xassembler -Xpreprocessor -Xclang "
    "-mllvm -B --sysroot --param -aux-info -dumpbase -dumpbase-ext -dumpdir -wrapper -arch -target -framework "
    "-include-pch -soname -rpath -rpath-link --version-script -Map -dynamic-linker -R -G"
)
# They write files, or are the linker's.
_BEHIND_FRONT_END = word_set(
    "-o -c -S -E -M -MM -MD -MMD -MP -MG -MV -MF -MT -MQ -MJ -L -l -T -u -z -e -Xlinker -rpath -soname"
)
_WRITE_FILES = ("-Wl,", "-Wp,-M", "-MF", "-save-temps")

_TOOLS: Mapping[ToolKind, re.Pattern[str]] = {
    "compiler": re.compile(r"^(?:.*-)?(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+)(?:-\d+(?:\.\d+)*)?$"),
    "ar": re.compile(r"^(?:.*-)?ar(?:-\d+(?:\.\d+)*)?$"),
    "ranlib": re.compile(r"^(?:.*-)?ranlib(?:-\d+(?:\.\d+)*)?$"),
    "ld": re.compile(r"^(?:.*-)?ld(?:\.(?:bfd|gold|lld))?(?:-\d+)?$"),
    "copy": re.compile(r"^(?:cp|install|mv|ln)$"),
}


def classify_tool(tool: str) -> ToolKind | None:
    """The kind of the program that `tool` (a path or a name) names, None for a program that isn't recorded."""
    name = posixpath.basename(tool)
    return next((kind for kind, pattern in _TOOLS.items() if pattern.match(name)), None)


@dataclass(frozen=True, slots=True)
class Arg:
    """One option with its value, or one positional argument (`value` holds it and `option` is "")."""

    option: str
    value: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompilerCall:
    """A parsed call of a compiler driver or linker. `mode` is the stage at which the driver stops."""

    tool: str
    args: tuple[Arg, ...]
    mode: Mode
    sources: tuple[str, ...]
    objects: tuple[str, ...]
    output: str | None

    def output_of(self, source: str) -> str:
        """The file that this call makes from `source`, by the driver's rule when there is no -o."""
        if self.output is not None:
            return self.output
        return posixpath.splitext(posixpath.basename(source))[0] + (".s" if self.mode == "assemble" else ".o")


@dataclass(frozen=True, slots=True)
class ArchiveCall:
    """A parsed call of ar or ranlib. `operation` is ar's key letter: r, q, s..."""

    operation: str
    archive: str
    members: tuple[str, ...]


class CopyOperands(NamedTuple):
    sources: tuple[str, ...]
    destination: str


def _split_arguments(arguments: Sequence[str]) -> list[Arg]:
    found: list[Arg] = []
    position = 0
    while position < len(arguments):
        word = arguments[position]
        if word in _SEPARATE and position + 1 < len(arguments):
            value = arguments[position + 1]
            found.append(Arg(word, value, (word, value)))
            position += 2
            continue
        position += 1
        if not word.startswith("-") or word == "-":
            found.append(Arg("", word, (word,)))
        elif word[:2] in ("-o", "-L", "-l", "-x", "-T") and len(word) > 2 and not word.startswith("-objc"):
            found.append(Arg(word[:2], word[2:], (word,)))
        else:
            found.append(Arg(word, "", (word,)))
    return found


def parse_compiler(argv: Sequence[str]) -> CompilerCall:
    """Parse the command line of a gcc-like driver or of ld. `@file` arguments must have been expanded."""
    args = _split_arguments(argv[1:])
    options = {arg.option for arg in args}
    sources: list[str] = []
    objects: list[str] = []
    language = "none"
    output = None
    for arg in args:
        if arg.option == "-x":
            language = arg.value
        elif arg.option == "-o":
            output = arg.value
        elif not arg.option:
            is_source = language != "none" or posixpath.splitext(arg.value)[1] in SOURCE_SUFFIXES
            (sources if is_source else objects).append(arg.value)
    mode: Mode = "link"
    if options & {"-M", "-MM"}:
        mode = "depend"
    elif "-E" in options:
        mode = "preprocess"
    elif "-S" in options:
        mode = "assemble"
    elif "-c" in options:
        mode = "compile"
    elif "-fsyntax-only" in options or not (sources or objects) or "-###" in options:
        mode = "info"
    return CompilerCall(argv[0], tuple(args), mode, tuple(sources), tuple(objects), output)


def parse_archive_change_or_extraction(argv: Sequence[str]) -> ArchiveCall | None:
    """Parse the command line of ar or ranlib; None for a call that neither changes an archive nor extracts from it, or
    that reads a script. The members of `ar x` are those that it names; without any it extracts all."""
    words = [word for word in argv[1:] if not word.startswith("--")]
    if classify_tool(argv[0]) == "ranlib":
        archives = [word for word in words if not word.startswith("-")]
        return ArchiveCall("s", archives[-1], ()) if archives else None
    while len(words) > 1 and words[0] in ("-X32_64", "-o"):
        words.pop(0)
    if not words:
        return None
    keys = words.pop(0).lstrip("-")
    operation = next((letter for letter in keys if letter in "dmpqrstx"), "")
    if operation == "s" or (operation in ("r", "q", "x") and words):
        if set(keys) & {"a", "b", "i"} and operation == "r":
            words.pop(0)
        if "N" in keys and words:
            words.pop(0)
        if not words:
            return None
        return ArchiveCall(operation, words[0], tuple(words[1:]))
    return None


def parse_copy_operands(argv: Sequence[str]) -> CopyOperands | None:
    """The operands of a cp, mv, ln or install, None for one with fewer than two operands or with an option
    that names a folder."""
    operands: list[str] = []
    skip = False
    for word in argv[1:]:
        if skip:
            skip = False
        elif word in ("-m", "-o", "-g", "--mode", "--owner", "--group"):
            skip = True
        elif word in ("-t", "-T", "-d", "--target-directory"):
            return None
        elif not word.startswith("-"):
            operands.append(word)
    return CopyOperands(tuple(operands[:-1]), operands[-1]) if len(operands) > 1 else None


def strip_call_to_front_end(call: CompilerCall, sources: Sequence[str], *leading_flags: str) -> tuple[str, ...]:
    """The call reduced to preprocessing and parsing `sources`, with the flags `leading_flags` first. It can be run at
    any time without changing anything."""
    words: list[str] = [call.tool]
    for arg in call.args:
        if not arg.option:
            words.extend(word for word in arg.words if word in sources)
        elif arg.option not in _BEHIND_FRONT_END and not arg.option.startswith(_WRITE_FILES):
            words.extend(arg.words)
    return (words[0], *leading_flags, *words[1:])


def list_tool_and_flags_without_files_or_language(call: CompilerCall) -> tuple[str, ...]:
    """The call's flags without source, output, dependency file and language."""
    kept = tuple(arg for arg in call.args if arg.option != "-x")
    return strip_call_to_front_end(CompilerCall(call.tool, kept, call.mode, (), (), None), ())


def may_inline(argv: Sequence[str]) -> bool:
    """Whether the command may copy a function's body into its callers.

    Without optimisation gcc and clang keep every call. With optimisation gcc does so when it builds for live patching:
    no function that isn't static is then inlined or cloned (GCC manual, -flive-patching=inline-only-static).
    """
    level = "-O0"
    for word in argv:
        if re.fullmatch(r"-O(?:\d|s|g|fast|z)?", word):
            level = word
    keeps_calls = "-flive-patching=inline-only-static" in argv and "-fno-inline" in argv
    return level != "-O0" and not keeps_calls


def detect_compiled_language(argv: Sequence[str]) -> Literal["c", "c++", "other"]:
    """The language that the call compiles, by -x, the source's suffix or the driver's name."""
    call = parse_compiler(argv)
    named = [arg.value for arg in call.args if arg.option == "-x"]
    if named:
        return "c++" if named[-1] == "c++" else "c" if named[-1] == "c" else "other"
    suffix = posixpath.splitext(call.sources[0])[1] if call.sources else ""
    if suffix in (".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii"):
        return "c++"
    if suffix in (".c", ".i"):
        return "c++" if "++" in posixpath.basename(call.tool) else "c"
    return "other"
