"""Answers drawn by a seeded rule, with all that the published parsers stumble over: fences of all kinds, prose around
the code, several functions, a main function, includes, tags and letters that are cut off, missing bodies, blank texts,
and the gold with changes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

TAGS = (
    *("", "c", "cpp", "c++", "C", "C++", "CPP", "Cpp", "cc", "cxx", "ccc", "cpp++", "c++c", "h", "hpp", "diff", "sh"),
    *(" c", "c ", "C ", "C/C++", "c,cpp", "cpp title=a.cpp", "cpp\r", "Cc", "++", "objective-c", "text", "-"),
)
PROSE = (
    *("Here is the function:", "Sure!", "The code below compiles.", "Certainly, c is below.", "C code follows."),
    *("Note `x` and ``y``.", "Функция:", "int main( is left out.", "#include lines are needed.", "\u2028", "é\ufffd"),
)
MAINS = (
    *("int main(void)\n{\n    return 0;\n}", "void main() { }", "int main(int argc, char **argv) { return f(); }"),
    *("    int main(void) { return 0; }", "/* int main( */", "int  main(void) { }", "static int main(void) { }"),
    *("int main\n(void) { }", "\tvoid main(void) {}", "extern int domain(int);", "int main() // void main("),
)
INCLUDES = ("#include <stdio.h>", '#include "a.h"', " #include <b.h>", "# include <c.h>", "#includes", "#define X 1")
HELPERS = ("static int helper(int a)\n{\n    return a + 1;\n}", "char *g(void);", "C *make(void) { return nullptr; }")
BLANKS = (
    *("", " ", "\n\n", "\t \r\n", "-", "```", "``````", "```c\n```", "```cpp```", "``` ```"),
    *("```c++\n\n```", "`", "\f"),
)
BEGINNINGS = (
    *("c", "C", "cpp", "c++", "++", "C++", "const ", "char ", "CURL ", "class "),
    *("constexpr ", "cc", "cpp\n", "\ufeff"),
)


def draw_answers(golds: Sequence[str], each: int, seed: int = 0) -> Iterator[tuple[int, str]]:
    """`each` answers to every gold: its index, and the answer."""
    for number, gold in enumerate(golds):
        rng = random.Random(f"{seed}/{number}")
        yield number, _fence_code(gold, "c", rng, closed=True)
        yield number, gold
        for _ in range(each - 2):
            yield number, _draw_answer(gold, rng)


def _draw_answer(gold: str, rng: random.Random) -> str:
    if rng.random() < 0.05:
        return rng.choice(BLANKS)
    code = _draw_code(gold, rng)
    kind = rng.random()
    if kind < 0.2:
        text = code
    elif kind < 0.75:
        text = _fence_code(code, rng.choice(TAGS), rng, closed=rng.random() < 0.9)
    elif kind < 0.95:
        parts = [code, rng.choice(HELPERS), rng.choice(("make -j2", gold, "", rng.choice(MAINS)))]
        rng.shuffle(parts)
        text = rng.choice(("\n", "\n\nor\n\n", " ")).join(
            _fence_code(part, rng.choice(TAGS), rng, closed=rng.random() < 0.95) for part in parts
        )
    else:
        text = f"~~~c\n{code}\n~~~" if rng.random() < 0.5 else f"<code>{code}</code>"
    if rng.random() < 0.5:
        text = f"{rng.choice(PROSE)}{rng.choice(('', ' ', chr(10)))}{text}"
    if rng.random() < 0.4:
        text = f"{text}{rng.choice(('', chr(10)))}{rng.choice(PROSE)}"
    return text.replace("\n", "\r\n") if rng.random() < 0.05 else text


def _draw_code(gold: str, rng: random.Random) -> str:
    code = rng.choice((gold, gold, _change_gold(gold, rng), gold.partition("{")[0], gold.strip(), rng.choice(HELPERS)))
    if rng.random() < 0.15:
        code = f"{rng.choice(BEGINNINGS)}{code.lstrip()}"
    parts = [code]
    if rng.random() < 0.25:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(HELPERS))
    if rng.random() < 0.25:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(MAINS))
    if rng.random() < 0.25:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(INCLUDES))
    return rng.choice(("\n", "\n\n")).join(parts)


def _change_gold(gold: str, rng: random.Random) -> str:
    """The gold with one to three changes: of layout, of a sign, of a word, of a line."""
    text = gold
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            text = re.sub(r"[ \t]+", " ", text)
        elif kind == 1:
            text = f"{text[:at]}{rng.choice(('+', '-', ' ', chr(10), ';', '// x', 'é'))}{text[at:]}"
        elif kind == 2:
            text = f"{text[:at]}{text[at + 1 :]}"
        elif kind == 3:
            text = f"{text[:at]}{rng.choice('abc_09')}{text[at:]}"
        elif kind == 4:
            lines = text.split("\n")
            del lines[rng.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            text = text.replace(rng.choice("+-*<>"), rng.choice("+-*<>"))
    return text


def _fence_code(code: str, tag: str, rng: random.Random, *, closed: bool) -> str:
    ticks = "````" if rng.random() < 0.05 else "```"
    inner = f"{tag} {code}" if rng.random() < 0.05 else f"{tag}\n{code}\n"
    return f"{ticks}{inner}{ticks if closed else ''}"
