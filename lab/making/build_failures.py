"""What a failed build says of its cause, and what to write into make.yaml."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Literal

from executor.repository.images import BuildError
from index.errors import RecipeError
from lab.making.settings import System

_NETWORK = re.compile(
    r"(?i)could not resolve host|failed to connect|unable to access 'http|temporary failure in name resolution|"
    r"unable to resolve host|dial tcp: lookup|network is unreachable|failed to download|"
    r"error downloading|connection timed out"
)
_HEADER = re.compile(r"fatal error: (\S+): No such file")
# CMake's own words are in capitals: "could not find git for clone" is what follows from something else.
_PACKAGE = re.compile(
    r"(?i:package '([^']+)'.{0,40}not found|No package '([^']+)' found)|"
    r"Could NOT find (\w+)|Dependency \"([^\"]+)\" not found|"
    r"Could not find a package configuration file provided by\s+\"([^\"]+)\""
)
_TOOL = re.compile(r"(?m)(?:^|: )(?:\d+: )?([\w.+-]+): (?:command )?not found$")
_ERROR = re.compile(r"(?m)^.*\b(?i:error): .*$")
_MAKE_GAVE_UP = re.compile(r"(?m)^\S*make(?:\[\d+\])?: \*\*\* ")
_MOST_QUOTED = 240
_NAME_ONE = "no target runs tests: name one (tests: target: check), and let build.commands make what it runs"


class SetupError(RecipeError):
    """The build or its tests fail by make.yaml, and another make.yaml may help. `output`: what they printed."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def explain_no_tests(system: System) -> str:
    hints = {
        "cmake": "ctest lists none: switch the option on that adds them (build.commands)",
        "meson": "meson introspect lists none: switch the option on that adds them (build.commands)",
        "autotools": f"no Makefile has automake's TESTS, and {_NAME_ONE}",
        "make": _NAME_ONE,
    }
    return f"no tests: {hints[system]}, or write the tests into `tests: suites`"


def explain_build_failure(error: BuildError, missing_submodule: str = "", other_system: str = "") -> str:
    """What the build's output says of the failure, and what to write into make.yaml. `missing_submodule`: the folder
    of one that the source lacks; `other_system`: a build system that the source has too."""
    text = read_build_output_end(error)
    if missing_submodule:
        return (
            f"build: the submodule {missing_submodule} is missing: run `git submodule update --init` in the source, or"
            f" write an option that builds without it into `build: commands`; {error}"
        )
    if _NETWORK.search(text):
        return (
            "build: it wants the network, which a build in the sandbox doesn't have: put what it fetches into the"
            f" tree, or add the Debian package that has it to `build: packages`; {error}"
        )
    # What an earlier command only warned of didn't stop the build.
    last = _find_last_command_output(text)
    if found := _find_lacking_dependency(last):
        kind, name = found
        near = f", as lib{name.lower().removeprefix('lib')}-dev," if kind == "library" else ""
        what = name if kind == "library" else f"the {kind} {name}"
        return f"build: {what} is missing: add the Debian package that has it{near} to `build: packages`; {error}"
    other = f"; the tree has {other_system} too: write `system: {other_system}` and its commands"
    # Codes for colours that a build prints aren't for the user's terminal.
    quoted = "".join(filter(str.isprintable, _quote_first_error_or_last_lines(last)))
    said = f"; it said: {quoted}" if quoted else ""
    return f"build: {error}{said}; correct `build: commands`{other if other_system else ''}"


def find_lacking_package_or_empty(error: BuildError, list_known_packages: Callable[[], Collection[str]]) -> str:
    """The package that by its name has what the failed build lacked; "" where there is none. `list_known_packages`
    gives those of the suite, which may take the network: it is asked only where something is lacking."""
    text = read_build_output_end(error)
    found = _find_lacking_dependency(_find_last_command_output(text)) or _find_lacking_dependency(text)
    if found is None:
        return ""
    kind, name = found
    known = list_known_packages()
    if kind == "program":
        return next((package for package in (name, re.sub(r"-[0-9.]+$", "", name)) if package in known), "")
    parts = [part.removesuffix(".h").lower() for part in reversed(name.split("/")[-2:])]
    stems = dict.fromkeys(plain for part in parts for plain in (part, re.sub(r"[-_]?[0-9.]+$", "", part)) if plain)
    for stem in stems:
        pattern = re.compile(rf"(lib)?{re.escape(stem.removeprefix('lib'))}[-.0-9]*[a-z]?-dev")
        if near := [package for package in known if pattern.fullmatch(package)]:
            return min(near, key=lambda package: (len(package), package))
    # CMake finds programs too, in the words in which it finds libraries, and libraries that need no header.
    plain = name.lower().replace("_", "-")
    return next((p for p in (plain, f"lib{plain}") if kind == "library" and p in known), "")


def read_build_output_end(error: BuildError) -> str:
    return error.log.read_text(encoding="utf-8", errors="replace")[-200_000:]


def _find_last_command_output(text: str) -> str:
    """What the last of the build's commands printed: the log has each behind a `$`."""
    return text[max(text.rfind("\n$ "), 0) :]


def _quote_first_error_or_last_lines(text: str) -> str:
    """What a failed command said of the cause: its first error or, without one, the lines before make gave up."""
    if error := _ERROR.search(text):
        return error[0].strip()[:_MOST_QUOTED]
    gave_up = _MAKE_GAVE_UP.search(text)
    lines = text[: gave_up.start() if gave_up else None].splitlines()
    words = [line.strip("* ") for line in lines if not line.startswith("$ ") and re.search(r"[a-z]", line)]
    return " / ".join(words[-4:])[-_MOST_QUOTED:]


def _find_lacking_dependency(text: str) -> tuple[Literal["header", "library", "program"], str] | None:
    """What the build stopped for want of, or None."""
    if header := _HEADER.findall(text):
        return "header", header[-1]
    if package := _PACKAGE.findall(text):
        return "library", next(filter(None, package[-1]))
    if tool := _TOOL.findall(text):
        return "program", tool[-1]
    return None
