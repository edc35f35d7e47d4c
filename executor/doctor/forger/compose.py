"""Puts a forgery into a task's plain stub: the text that a cheating model would hand in.

Words that are filled in:
    $name(       a call of the C library's function `name`. C declares it by its first call. C++ gets a declaration
                 under another name by an assembler label, so that no header is needed: it stands where $DECLARE does,
                 or before the part
    $PASSING     statements that make `graft_lines_`, `graft_size_` bytes: the lines that the task's suites print when
                 they pass. The forger has learnt the tests by heart. In the text each byte is one higher, which hides
                 the lines from who searches it
    $FAILING     likewise `graft_failure_` and `graft_failure_size_`: a failure of a test that doesn't count
    $UNIT        the source file of the task, relative to the tree's root
    $NAME        the function's own name, without its scope
    $TESTS       the folder of the repository's tests, relative to the root
    $GUESSES     statements that return another value for each number in `graft_guess_`, from 1 on
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from executor.doctor.forger.library import Forgery
from executor.function.definition import split_definition
from executor.function.stub import bodies_for
from executor.grading.parser import Parser
from executor.repository.images import Image
from executor.values import Task
from index.errors import TaskError

_CALL = re.compile(r"\$([a-z_][A-Za-z0-9_]*)\(")
_WORD = re.compile(r"\$([A-Z]+)\b")
_DECLARE = "$DECLARE"
_INDENT = "    "
# A string literal of this length is portable; the compiler joins neighbours.
_LITERAL = 400


def driver_of(image: Image, suites: Sequence[str]) -> str:
    """Who judges the suites: the runner in Tcl, a harness in Perl, or the test program itself (gtest, lines)."""
    parser = image.recipe.parser_of(suites[0])
    argv = " ".join(image.recipe.suite(suites[0]).argv)
    if parser.tap:
        return "perl"
    if "runtest" in argv:
        return "tcl"
    return "gtest" if "OK \\]" in (parser.passed or "") else "lines"


def suits(forgery: Forgery, task: Task, driver: str) -> bool:
    """Whether the forgery can be tried on the task."""
    return task.target.language in forgery.languages and driver in forgery.drivers


def compose(forgery: Forgery, image: Image, task: Task, suites: Sequence[str]) -> str:
    """The forged definition. Raises TaskError when the task has no stub."""
    stubs = bodies_for(task.target, task.gold)
    parts = split_definition(stubs["zero"])
    if parts is None:
        raise TaskError(f"{task.id}: the stub has no body")
    words = _words(image, task, suites, stubs)
    cpp = task.target.language == "cpp"
    before, body, after = (_filled(text, words, cpp) for text in (forgery.before, forgery.body, forgery.after))
    own = f"{{ {body.strip()} }}\n" if body.strip() else ""
    behind = f"\n{after.strip()}" if after.strip() else ""
    return f"{before}{parts.header}{parts.initialisers}{{\n{own}{parts.body[1:]}{parts.tail.rstrip()}{behind}\n"


def _filled(text: str, words: Mapping[str, str], cpp: bool) -> str:
    text = _WORD.sub(lambda match: words.get(match[1], match[0]), text)
    names = dict.fromkeys(_CALL.findall(text))
    if not cpp:
        return _CALL.sub(r"\1(", text.replace(_DECLARE, ""))
    declared = " ".join(f'extern long graft_{name}_(...) __asm__("{name}");' for name in names)
    text = _CALL.sub(r"graft_\1_(", text)
    return text.replace(_DECLARE, declared) if _DECLARE in text else f"{declared}\n{text}"


def _words(image: Image, task: Task, suites: Sequence[str], stubs: Mapping[str, str]) -> dict[str, str]:
    passing = "".join(_passing(image, name) for name in suites)
    guesses = []
    for number, text in enumerate((text for name, text in stubs.items() if name != "zero"), start=1):
        parts = split_definition(text)
        if parts is not None:
            guesses.append(f"if (graft_guess_ == {number}) {parts.body}")
    return {
        "PASSING": _hidden("lines_", "size_", passing),
        "FAILING": _hidden("failure_", "failure_size_", _failing(image, suites)),
        "UNIT": task.target.path,
        "NAME": re.sub(r".*::", "", task.target.name),
        "TESTS": _tests_folder(image),
        "GUESSES": " ".join(guesses),
    }


def _passing(image: Image, suite: str) -> str:
    """What the suite prints of tests that pass, in its parser's form."""
    parser = image.recipe.parser_of(suite)
    expected = image.expected.suites.get(suite, {})
    names = [name for name, count in expected.items() for _ in range(count)]
    return "".join(line + "\n" for line in (_passed_line(parser, name) for name in names))


def _passed_line(parser: Parser, name: str) -> str:
    pattern = parser.passed or ""
    if parser.tap:
        path = name.split(" / ")
        # Results of the same name were numbered by the reader.
        return f"{_INDENT * (len(path) - 1)}ok 1 - {re.sub(r' #[0-9]+$', '', path[-1])}"
    if pattern.startswith(r"^\[ok\]"):
        return f"[ok]: {name} (1 ms)"
    if "OK \\]" in pattern:
        return f"[       OK ] {name} (1 ms)"
    return f"PASS {name}" if pattern.startswith("^PASS") else name


def _failing(image: Image, suites: Sequence[str]) -> str:
    """A failure of a test that doesn't count; of an unknown test where all count."""
    name = min(image.expected.ignored, default="forged")
    parser = image.recipe.parser_of(suites[0])
    if parser.tap:
        return f"not ok 1 - {name}\n"
    if "[err" in (parser.failed or "") or r"\[(?:err" in (parser.failed or ""):
        return f"[err]: {name} in tests/unit/forged.tcl\n"
    return f"[  FAILED  ] {name} (1 ms)\n" if "FAILED  " in (parser.failed or "") else f"FAIL {name}: forged\n"


def _hidden(name: str, size: str, text: str) -> str:
    """Statements that make the text out of a literal whose every byte is one higher."""
    data = bytes((byte + 1) & 0xFF for byte in text.encode())
    pieces = [data[at : at + _LITERAL] for at in range(0, len(data), _LITERAL)] or [b""]
    literal = "\n".join(f'"{_escaped(piece)}"' for piece in pieces)
    return (
        f"static char graft_{name}[] = {literal}; const int graft_{size} = {len(data)}; static int graft_{name}made_; "
        f"if (!graft_{name}made_++) for (int i = 0; i < graft_{size}; i++) graft_{name}[i]--;"
    )


def _escaped(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in data)


def _tests_folder(image: Image) -> str:
    root = Path(image.source_root)
    return next((name for name in ("tests", "test") if (root / name).is_dir()), ".")
