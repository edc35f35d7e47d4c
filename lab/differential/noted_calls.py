"""Which of the repository's functions a body's own text calls: the compiler is asked what they take, and the calls
are led through stubs that note them. In C, on x86-64."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.function.definition import read_tokens_without_literals_and_directives
from executor.grading.code_words import read_code_words
from index.source_text import BOM, encode_source, split_byte_lines_keeping_ends
from index.values import Span

_C_LIBRARY_NAMES = Path(__file__).parents[1] / "variants" / "words" / "library.txt"
PROBE_PREFIX = "graft_callee_"
MOST_CALLEES = 64


@dataclass(frozen=True, slots=True)
class NotedFunction:
    """`taken`: a letter for each parameter, up to the first that isn't passed in a register or a word of the stack:
    b h i l a whole number of 1, 2, 4, 8 bytes (capitals: unsigned), f d a real number, t a text that isn't changed, s
    a text, x a function, p any other pointer. `is_void`: it returns nothing."""

    name: str
    taken: str
    is_void: bool


def find_called_names(texts: Sequence[str], known: Collection[str], own_name: str) -> tuple[str, ...]:
    """The `known` names that the texts call, without the function's `own_name`, the C library's, and those that a text
    gives to a parameter or a variable."""
    words = [read_code_words(text) for text in texts]
    called = {name for each in words for name in each.called}
    variables = {name for each in words for name in each.variables}
    library = _C_LIBRARY_NAMES.read_text(encoding="ascii").split()
    return tuple(sorted((called & set(known)) - {own_name, *library, *variables}))[:MOST_CALLEES]


def declare_callee_probes(source: bytes, span: Span, names: Sequence[str]) -> bytes:
    """The file with a variable for each name before the function at `span`, whose type tells what the name takes. A
    macro gets none."""
    asked = "".join(
        f"#ifndef {name}\n__typeof__({name}) *{PROBE_PREFIX}{number};\n#endif\n" for number, name in enumerate(names)
    )
    mark = BOM if source.startswith(BOM) else b""
    lines = split_byte_lines_keeping_ends(source.removeprefix(mark))
    before, rest = lines[: span.first - 1], lines[span.first - 1 :]
    return b"".join([mark, *before, encode_source(f"{asked}#line {span.first}\n"), *rest])


def redirect_calls_to_stubs(text: str, callees: Sequence[NotedFunction], tag: str) -> str:
    """The text, whose calls of the callees go to their stubs: where the name stands before a bracket and isn't a
    member."""
    number_of = {callee.name: number for number, callee in enumerate(callees)}
    pieces = read_tokens_without_literals_and_directives(text)
    words = [piece.text for piece in pieces]
    for place in reversed(range(len(words) - 1)):
        number = number_of.get(words[place])
        is_member = words[max(place - 1, 0) : place] == ["."] or words[max(place - 2, 0) : place] == ["-", ">"]
        if number is not None and words[place + 1] == "(" and not is_member:
            text = f"{text[: pieces[place].at]}graft_call{number}{tag}{text[pieces[place].end :]}"
    return text


def make_call_stubs(callees: Sequence[NotedFunction], tag: str) -> str:
    """What stands before the bodies: a stub for each callee, which notes the call in the runtime and then jumps to
    the callee, with all arguments where they were. A compiler's own call of the stub converts them."""
    if not callees:
        return ""
    names = ", ".join(f"(void *){callee.name}" for callee in callees)
    declared = "\n".join(
        f"extern __typeof__({callee.name}) graft_call{number}{tag};" for number, callee in enumerate(callees)
    )
    code = "\n".join(
        f'"graft_call{number}{tag}: pushq ${number}; call graft_noted{tag}@PLT; leaq 8(%rsp), %rsp; '
        f'jmp *graft_callees{tag}+{8 * number}(%rip)\\n"'
        for number in range(len(callees))
    )
    plain = "\n".join(f"#define graft_call{number}{tag} {callee.name}" for number, callee in enumerate(callees))
    return f"""#if defined(__x86_64__) && !defined(__ILP32__)
static void *const graft_callees{tag}[] __attribute__((used)) = {{{names}}};
{declared}
__asm__(".pushsection .text\\n"
{code}
".popsection");
#else
{plain}
#endif"""
