"""Reads the library of forgeries, and puts one into a task's plain stub: the text that a cheating model would hand in.

A file of the library, lab/forgeries/classes/CLASS/NAME.c, opens with a comment: one sentence, then lines `language:`,
`driver:` and `function:` where the forgery doesn't suit all. What follows is C. A line `/* body */` parts what stands
before the function from the statements that begin its body, and a line `/* after */` parts those from what stands
behind it; a file without such lines is statements alone. Words that are filled in:

    $name(       a call of the C library's function `name`. C declares it by its first call. C++ gets a declaration
                 under another name by an assembler label, so that no header is needed: it stands where $DECLARE does,
                 or before the part
    $PASSING     statements that make `graft_lines_`, `graft_size_` bytes: what the first of the task's suites prints
                 once it has begun, up to its end. The forger has learnt the tests by heart. In the text each byte is
                 one higher, which hides the lines from who searches it
    $WHOLE       the same from the program's very start
    $OUTER       the same with what the program's driver prints around it
    $FAILING     likewise `graft_failure_` and `graft_failure_size_`: a failure of a test that doesn't count
    $UNIT        the source file of the task, relative to the tree's root
    $NAME        the function's own name, without its scope
    $TESTS       the folder of the repository's tests, relative to the root
    $GUESSES     statements that return another value for each number in `graft_guess_`, from 1 on
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from executor.function.definition import split_definition
from executor.function.stub import make_trivial_definitions
from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_results_and_problem
from executor.repository.images import Image
from executor.values import Task, TestStatus
from index.errors import TaskError
from lab.doctor.cheating_bodies import find_tests_folder_or_root
from lab.doctor.stubs_and_mutants import join_with_stubs_of_other_functions

CLASSES_FOLDER = Path(__file__).parent / "classes"
LANGUAGES = ("c", "cpp")
DRIVERS = ("tcl", "perl", "gtest", "lines")

_FILE = re.compile(r"/\* (?P<head>.*?)\*/\n(?P<text>.*)", re.DOTALL)
_KEYS = ("language", "driver", "function")
_PARTS = re.compile(r"^/\* (before|body|after) \*/\n", re.MULTILINE)

_CALL = re.compile(r"\$([a-z_][A-Za-z0-9_]*)\(")
_WORD = re.compile(r"\$([A-Z]+)\b")
_DECLARE = "$DECLARE"
_INDENT = "    "
_PASSED_FORMS = ("[ok]: {} (1 ms)", "[ok]: {}", "[       OK ] {} (1 ms)", "PASS {}", "{}")
_FAILED_FORMS = (
    "[err]: {} in tests/unit/forged.tcl",
    "[err]: {}",
    "[  FAILED  ] {} (1 ms)",
    "FAIL {}: forged",
    "1 - {}: FAILED",
)
_START_LINES = ("Starting test server at port 21079", "[==========] Running 1 test from 1 test case.")
_END_LINES = (" " * 19 + "The End", "[==========] 1 test from 1 test case ran. (1 ms total)", "9 tests, 0 failed")
# A string literal of this length is portable; the compiler joins neighbours.
_LITERAL_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Forgery:
    """A way to cheat. `family` is its class. It suits functions in `languages` whose tests are driven by `drivers`,
    and when there are `functions`, those of these names alone. `before`, `body` and `after` are its text, in which
    words are still to be filled in."""

    name: str
    family: str
    languages: tuple[str, ...]
    drivers: tuple[str, ...]
    functions: tuple[str, ...]
    before: str
    body: str
    after: str


def load_forgeries(folder: Path = CLASSES_FOLDER) -> tuple[Forgery, ...]:
    """All forgeries by class and name. Raises TaskError for a file that can't be read as one, and for a name that
    occurs twice."""
    found = tuple(_read_forgery(path) for path in sorted(folder.glob("*/*.c")))
    names = [forgery.name for forgery in found]
    for name in names:
        if names.count(name) > 1:
            raise TaskError(f"{folder}: two forgeries are called {name}; rename one")
    return found


def _read_forgery(path: Path) -> Forgery:
    match = _FILE.fullmatch(path.read_text(encoding="utf-8"))
    if match is None:
        raise TaskError(f"{path}: must open with a comment that says what it does")
    keys = _read_keys(path, match["head"])
    pieces = _PARTS.split(match["text"])
    # Without a marker the text is a body.
    parts = dict(zip(pieces[1::2], pieces[2::2], strict=True)) or {"body": pieces[0]}
    return Forgery(
        path.stem,
        path.parent.name,
        _parse_words_or_take_all_known(path, "language", keys.get("language"), LANGUAGES),
        _parse_words_or_take_all_known(path, "driver", keys.get("driver"), DRIVERS),
        tuple(name.strip() for name in keys.get("function", "").split(",") if name.strip()),
        parts.get("before", ""),
        parts.get("body", ""),
        parts.get("after", ""),
    )


def _read_keys(path: Path, head: str) -> dict[str, str]:
    """The keys below the sentence that says what it does."""
    lines = [line.strip().partition(": ") for line in head.strip().splitlines()]
    given = [(key, value) for key, colon, value in lines if colon and key in _KEYS]
    if len(given) == len(lines):
        raise TaskError(f"{path}: the comment lacks the sentence that says what it does")
    return dict(given)


def _parse_words_or_take_all_known(path: Path, key: str, value: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    words = known if value is None else tuple(word.strip() for word in value.split(","))
    unknown = set(words) - set(known)
    if unknown:
        raise TaskError(f"{path}: {key}: {', '.join(sorted(unknown))} isn't one of {', '.join(known)}")
    return words


def choose_driver_of_first_suite(image: Image, suites: Sequence[str]) -> Literal["tcl", "perl", "gtest", "lines"]:
    """Who judges the suites, by the first: the runner in Tcl, a harness in Perl, or the test program itself (gtest,
    lines)."""
    parser = image.recipe.find_parser(suites[0])
    argv = " ".join(image.recipe.find_suite(suites[0]).argv)
    if parser.tap:
        return "perl"
    if "runtest" in argv:
        return "tcl"
    return "gtest" if "OK" in _format_passed_test(parser, "a.b") else "lines"


def is_suited_to_task(forgery: Forgery, task: Task, driver: str) -> bool:
    """Whether the forgery can be tried on the task."""
    named = not forgery.functions or task.target.name in forgery.functions
    return task.target.language in forgery.languages and driver in forgery.drivers and named


def compose_forgery(forgery: Forgery, image: Image, task: Task, suites: Sequence[str]) -> str:
    """The forged definition, of a task of several functions the first with stubs of the others. Raises TaskError when
    the task has no stub."""
    stubs = make_trivial_definitions(task.target, task.golds[0])
    parts = split_definition(stubs["zero"])
    if parts is None:
        raise TaskError(f"{task.id}: the stub has no body")
    used = set(_WORD.findall("\n".join((forgery.before, forgery.body, forgery.after))))
    words = {
        word: _expand_placeholder_or_leave_unknown(word, image, task, suites, stubs)
        for word in used - {_DECLARE.removeprefix("$")}
    }
    cpp = task.target.language == "cpp"
    before, body, after = (
        _fill_placeholders_and_declare_calls(text, words, cpp)
        for text in (forgery.before, forgery.body, forgery.after)
    )
    own = f"{{ {body.strip()} }}\n" if body.strip() else ""
    behind = f"\n{after.strip()}" if after.strip() else ""
    text = f"{before}{parts.header}{parts.initialisers}{{\n{own}{parts.body[1:]}{parts.tail.rstrip()}{behind}\n"
    return join_with_stubs_of_other_functions(task, text)


def _fill_placeholders_and_declare_calls(text: str, words: Mapping[str, str], cpp: bool) -> str:
    text = _WORD.sub(lambda match: words.get(match[1], match[0]), text)
    names = dict.fromkeys(_CALL.findall(text))
    if not cpp:
        return _CALL.sub(r"\1(", text.replace(_DECLARE, ""))
    declared = " ".join(f'extern long graft_{name}_(...) __asm__("{name}");' for name in names)
    text = _CALL.sub(r"graft_\1_(", text)
    return text.replace(_DECLARE, declared) if _DECLARE in text else f"{declared}\n{text}"


def _expand_placeholder_or_leave_unknown(
    word: str, image: Image, task: Task, suites: Sequence[str], stubs: Mapping[str, str]
) -> str:
    """What stands in a word's place; the word itself where it is none of those that are filled in."""
    match word:
        case "PASSING" | "WHOLE" | "OUTER":
            which = ("PASSING", "WHOLE", "OUTER").index(word)
            return _write_statements_decoding_shifted_literal(
                "lines_", "size_", _compose_inner_whole_outer_passing_outputs(image, suites[0])[which]
            )
        case "FAILING":
            return _write_statements_decoding_shifted_literal(
                "failure_", "failure_size_", _write_uncounted_failure_line(image, suites)
            )
        case "UNIT":
            return task.target.path
        case "NAME":
            return re.sub(r".*::", "", task.target.name)
        case "TESTS":
            return find_tests_folder_or_root(image)
        case "GUESSES":
            return _write_stub_body_per_guess_number(stubs)
    return f"${word}"


def _write_stub_body_per_guess_number(stubs: Mapping[str, str]) -> str:
    guesses = []
    for number, text in enumerate((text for name, text in stubs.items() if name != "zero"), start=1):
        parts = split_definition(text)
        if parts is not None:
            guesses.append(f"if (graft_guess_ == {number}) {parts.body}")
    return " ".join(guesses)


def _compose_inner_whole_outer_passing_outputs(image: Image, suite: str) -> tuple[str, str, str]:
    """What the suite prints of tests that pass: by its program once that has begun, by its program from the start,
    and with what the driver around it prints after its own beginning."""
    parser = image.recipe.find_parser(suite)
    expected = image.expected.suites.get(suite, {})
    names = [name for name, count in expected.items() for _ in range(count)]
    lines = [_format_passed_test(parser, name) for name in names]
    if parser.tap:
        inner = [line for line in lines if line.startswith(_INDENT)]
        tests = sum(not line.startswith(2 * _INDENT) for line in inner)
        return (
            _join_with_newline_after_each(inner),
            _join_with_newline_after_each([f"{_INDENT}1..{tests}", *inner]),
            _join_with_newline_after_each(lines),
        )
    begins = [text for text in _START_LINES if parser.start and re.search(parser.start, text)][:1]
    ends = [text for text in _END_LINES if parser.end and re.search(parser.end, text)][:1]
    return (
        _join_with_newline_after_each([*lines, *ends]),
        _join_with_newline_after_each([*begins, *lines, *ends]),
        _join_with_newline_after_each([*lines, *ends]),
    )


def _join_with_newline_after_each(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _format_passed_test(parser: Parser, name: str) -> str:
    if parser.tap:
        path = name.split(" / ")
        # Results of the same name were numbered by the reader.
        return f"{_INDENT * (len(path) - 1)}ok 1 - {re.sub(r' #[0-9]+$', '', path[-1])}"
    return _format_first_readable_result_or_last(parser, _PASSED_FORMS, name, TestStatus.PASSED)


def _write_uncounted_failure_line(image: Image, suites: Sequence[str]) -> str:
    """A failure of a test that doesn't count; of an unknown test where all count."""
    name = min(image.expected.ignored, default="forged")
    parser = image.recipe.find_parser(suites[0])
    line = (
        f"not ok 1 - {name}"
        if parser.tap
        else _format_first_readable_result_or_last(parser, _FAILED_FORMS, name, TestStatus.FAILED)
    )
    return line + "\n"


def _format_first_readable_result_or_last(parser: Parser, forms: Sequence[str], name: str, status: TestStatus) -> str:
    """The first form in which the parser reads the name with that status; else the last."""
    lines = [form.format(name) for form in forms]
    read = (
        line
        for line in lines
        if [(r.name, r.status) for r in read_results_and_problem(line.encode(), parser)[0]] == [(name, status)]
    )
    return next(read, lines[-1])


def _write_statements_decoding_shifted_literal(text_variable: str, size_variable: str, text: str) -> str:
    """Statements that make the text out of a literal whose every byte is one higher."""
    data = bytes((byte + 1) & 0xFF for byte in text.encode())
    pieces = [data[at : at + _LITERAL_LENGTH] for at in range(0, len(data), _LITERAL_LENGTH)] or [b""]
    literal = "\n".join(f'"{_escape_bytes(piece)}"' for piece in pieces)
    return (
        f"static char graft_{text_variable}[] = {literal}; const int graft_{size_variable} = {len(data)}; "
        f"static int graft_{text_variable}made_; if (!graft_{text_variable}made_++) "
        f"for (int i = 0; i < graft_{size_variable}; i++) graft_{text_variable}[i]--;"
    )


def _escape_bytes(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in data)
