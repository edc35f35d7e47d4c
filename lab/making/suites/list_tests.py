"""Lists the tests of a tree that was just built, by asking its build system."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from executor.sandbox.contract import Builder, Command, CommandLimits, ExecResult
from lab.making.settings import MakeSettings

_LIMITS = CommandLimits(wall_s=300.0, output_bytes=32 * 1024 * 1024)
_MARK = "graft-list"
_PLAIN_WORD = re.compile(r"[\w./+=:,@%-]+")
# What automake's own harness gives to each test, by the names of the variables.
_AUTOMAKE = ("TESTS", "XFAIL_TESTS", "AM_TESTS_ENVIRONMENT", "TESTS_ENVIRONMENT", "LOG_COMPILER", "srcdir")


@dataclass(frozen=True, slots=True)
class FoundTest:
    """A test as the build system runs it. `cwd` is relative to the root. `shell`: shell text that goes before, with
    the variables that the test needs. `driver`: the build system itself runs it, and starts its programs."""

    name: str
    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str] = field(default_factory=dict)
    shell: str = ""
    driver: bool = False
    parser: str = ""


def list_tests_and_summarize(settings: MakeSettings, builder: Builder) -> tuple[tuple[FoundTest, ...], str]:
    """The tests in the build system's order, and one line that says what was found."""
    system, folder = settings.build.system, settings.build.folder
    if system == "cmake":
        found = _list_ctest_tests(folder, builder)
    elif system == "meson":
        found = _list_meson_tests(folder, builder)
    else:
        found = [*_list_automake_tests(builder), *_list_autotest_groups(builder)] if system == "autotools" else []
        if not found and settings.tests.target:
            argv = ("make", "-s", "--no-print-directory", settings.tests.target)
            found = [FoundTest(settings.tests.target, argv, folder, driver=True)]
    skipped = [t for t in found if any(re.search(pattern, t.name) for pattern in settings.tests.skip)]
    kept = _make_names_valid_and_unique([test for test in found if test not in skipped])
    tail = f", {len(skipped)} skipped" if skipped else ""
    return tuple(kept), f"tests found by {system}: {len(kept)}{tail}"


def find_existing_files(paths: Sequence[str], builder: Builder) -> tuple[str, ...]:
    script = 'for path; do test -f "$path" && echo "$path"; done'
    found = set(_run_command_in_builder(builder, "sh", "-c", script, "sh", *paths).text.split("\n"))
    return tuple(path for path in paths if path in found)


def _make_names_valid_and_unique(tests: list[FoundTest]) -> list[FoundTest]:
    """The tests, each with a name that can be a suite's and is its own."""
    seen: set[str] = set()
    out: list[FoundTest] = []
    for test in tests:
        plain = re.sub(r"[^A-Za-z0-9._+-]+", "-", test.name).strip("-")[:80] or "test"
        name, number = plain, 2
        while name in seen:
            name, number = f"{plain}-{number}", number + 1
        seen.add(name)
        out.append(replace(test, name=name))
    return out


def _run_command_in_builder(builder: Builder, *argv: str, cwd: str = ".") -> ExecResult:
    return builder.run(Command(argv, cwd=cwd, limits=_LIMITS))


def _make_path_relative(path: str, root: str) -> str:
    return posixpath.relpath(path, root) if path.startswith("/") else posixpath.normpath(path)


def _make_word_relative(word: str, cwd: str, root: str) -> str:
    """A word of a command with the tree's own place, which differs from session to session, taken out."""
    if word == root or word.startswith(root + "/"):
        path = posixpath.relpath(word, posixpath.join(root, cwd))
        return path if path.startswith(".") else f"./{path}"
    return word


def _read_printed_json_or_none(done: ExecResult, opening: bytes) -> Any:
    """The JSON behind whatever the program printed first; None where it failed or printed none."""
    start = done.output.find(opening)
    return json.loads(done.output[start:]) if done.ok and start >= 0 else None


def _list_ctest_tests(folder: str, builder: Builder) -> list[FoundTest]:
    done = _run_command_in_builder(builder, "ctest", "--test-dir", folder, "--show-only=json-v1")
    listed = _read_printed_json_or_none(done, b"{")
    found: list[FoundTest] = []
    for entry in listed["tests"] if listed else ():
        facts = {item["name"]: item["value"] for item in entry.get("properties", ())}
        argv = entry.get("command", [])
        if not argv or facts.get("DISABLED"):
            continue
        cwd = _make_path_relative(str(facts.get("WORKING_DIRECTORY", folder)), builder.root)
        judged = {"WILL_FAIL", "PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION", "SKIP_RETURN_CODE"} & set(facts)
        fixture = {"FIXTURES_REQUIRED", "DEPENDS"} & set(facts)
        name = str(entry["name"])
        if judged or fixture or cwd.startswith(".."):
            words = ("ctest", "--test-dir", folder, "-R", f"^{re.escape(name)}$")
            found.append(FoundTest(name, words, ".", driver=True, parser="ctest"))
            continue
        env = dict(pair.split("=", 1) for pair in facts.get("ENVIRONMENT", ()) if "=" in pair)
        found.append(FoundTest(name, tuple(_make_word_relative(w, cwd, builder.root) for w in argv), cwd, env))
    return found


def _list_meson_tests(folder: str, builder: Builder) -> list[FoundTest]:
    listed = _read_printed_json_or_none(
        _run_command_in_builder(builder, "meson", "introspect", folder, "--tests"), b"["
    )
    found: list[FoundTest] = []
    for entry in listed or ():
        cwd = _make_path_relative(entry.get("workdir") or folder, builder.root)
        argv = tuple(_make_word_relative(word, cwd, builder.root) for word in entry["cmd"])
        env = {key: _make_word_relative(value, cwd, builder.root) for key, value in (entry.get("env") or {}).items()}
        found.append(FoundTest(str(entry["name"]), argv, cwd, env))
    return found


def _list_autotest_groups(builder: Builder) -> list[FoundTest]:
    """The groups of the scripts that GNU Autotest made, each of which its script runs alone."""
    line = "grep -rlE --include=testsuite '^# Generated from .*[.]at by GNU Autoconf' . | sort"
    found: list[FoundTest] = []
    for path in _run_command_in_builder(builder, "sh", "-c", line).text.splitlines():
        cwd = posixpath.normpath(posixpath.dirname(path))
        listed = _run_command_in_builder(builder, "sh", "./testsuite", "--list", cwd=cwd).text
        for number, name in re.findall(r"(?m)^ *(\d+): \S+:\d+ +(\S.*)$", listed):
            found.append(FoundTest(f"{cwd}/{number} {name.strip()}", ("sh", "./testsuite", number), cwd))
    return found


def _list_automake_tests(builder: Builder) -> list[FoundTest]:
    listed = _run_command_in_builder(builder, "sh", "-c", "grep -rl --include=Makefile '^check-TESTS:' . | sort")
    found: list[FoundTest] = []
    for path in listed.text.splitlines():
        cwd = posixpath.normpath(posixpath.dirname(path))
        facts = _read_make_variables(builder, cwd, _AUTOMAKE)
        failing = set(facts["XFAIL_TESTS"].split())
        given, wrapper = _parse_test_variables_and_wrapper(facts["TESTS_ENVIRONMENT"])
        for word in facts["TESTS"].split():
            if word in failing:
                continue
            stem, suffix = posixpath.splitext(word)
            compiler = facts["LOG_COMPILER"]
            if kind := suffix.lstrip(".").upper():
                variable = f"{kind}_LOG_COMPILER"
                compiler = _read_make_variables(builder, cwd, (variable,))[variable] or compiler
            places = (word, posixpath.join(facts["srcdir"], word))
            place = next((p for p in places if _run_command_in_builder(builder, "test", "-f", p, cwd=cwd).ok), "")
            if wrapper:
                # What starts the test may know it by its name alone.
                place = place or places[1]
            elif not place or (not compiler and not _run_command_in_builder(builder, "test", "-x", place, cwd=cwd).ok):
                continue
            started = place if "/" in place else f"./{place}"
            starting = (*wrapper, *_split_shell_words_or_at_spaces(compiler))
            argv = (*(_make_word_relative(word, cwd, builder.root) for word in starting), started)
            shell = f"srcdir={shlex.quote(facts['srcdir'])}; export srcdir\n" + "\n".join(
                text for text in (facts["AM_TESTS_ENVIRONMENT"], given) if text.strip()
            )
            name = stem if cwd == "." else f"{cwd}/{stem}"
            root = "$PWD" if cwd == "." else "${PWD%%/" + cwd + "}"
            found.append(FoundTest(name, argv, cwd, shell=shell.replace(builder.root, root)))
    return found


def _split_shell_words_or_at_spaces(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return tuple(text.split())


def _parse_test_variables_and_wrapper(text: str) -> tuple[str, tuple[str, ...]]:
    """`A=1 B=2 ./run` before a test: the variables as shell lines that hold for what follows, and the words of the
    command that starts the test. Whole statements stay as they are; other shell text is dropped."""
    if text.endswith(";"):
        return text, ()
    try:
        words = shlex.split(text)
    except ValueError:
        return "", ()
    pairs = [word.partition("=") for word in words]
    count = next(
        (at for at, (name, equals, _) in enumerate(pairs) if not equals or not name.isidentifier()), len(pairs)
    )
    shell = "\n".join(f"{name}={shlex.quote(value)}; export {name}" for name, _, value in pairs[:count])
    command = tuple(words[count:])
    return (shell, command) if all(_PLAIN_WORD.fullmatch(word) for word in command) else (shell, ())


def _read_make_variables(builder: Builder, cwd: str, names: tuple[str, ...]) -> dict[str, str]:
    infos = "".join(f"$(info {_MARK} {name}=$({name}))" for name in names)
    argv = ("make", "-s", "--no-print-directory", "--eval", f"{_MARK}:;@:{infos}", _MARK)
    done = _run_command_in_builder(builder, *argv, cwd=cwd)
    found = dict.fromkeys(names, "")
    for name, value in re.findall(rf"(?m)^{_MARK} (\w+)=(.*)$", done.text):
        found[name] = value.strip()
    return found
