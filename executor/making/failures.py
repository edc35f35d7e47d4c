"""What a failed build says of its cause, and what to write into make.yaml."""

from __future__ import annotations

import re

from executor.making.settings import System
from executor.repository.images import BuildError

_NETWORK = re.compile(
    r"(?i)could not resolve host|failed to connect|unable to access 'http|temporary failure in name resolution|"
    r"network is unreachable|failed to download|error downloading|connection timed out"
)
_HEADER = re.compile(r"fatal error: (\S+): No such file")
_PACKAGE = re.compile(
    r"(?i)package '([^']+)'.{0,40}not found|No package '([^']+)' found|"
    r"Could NOT find (\w+)|Dependency \"([^\"]+)\" not found"
)
_TOOL = re.compile(r"(?m)(?:^|: )(?:\d+: )?([\w.+-]+): (?:command )?not found$")
_ADD, _THERE = "add the Debian package", "to `build: packages`"


def no_tests(system: System) -> str:
    """What to write where the build system lists no test."""
    hints = {
        "cmake": "ctest lists none: switch the option on that adds them (build.commands)",
        "meson": "meson introspect lists none: switch the option on that adds them (build.commands)",
        "autotools": "no Makefile has automake's TESTS, and no target runs tests: name one (tests: target: check)",
        "make": "no target runs tests: name one (tests: target: check)",
    }
    return f"no tests: {hints[system]}, or write the tests into `tests: suites`"


def explained(error: BuildError) -> str:
    """What the build's output says of the failure, and what to write into make.yaml."""
    text = error.log.read_text(encoding="utf-8", errors="replace")[-200_000:]
    if _NETWORK.search(text):
        return (
            "build: it wants the network, which a build in the sandbox doesn't have: put what it fetches into the"
            f" tree, or add the Debian package that has it to `build: packages`; {error}"
        )
    if header := _HEADER.findall(text):
        return f"build: the header {header[-1]} is missing: {_ADD} that has it {_THERE}; {error}"
    if package := _PACKAGE.findall(text):
        name = next(filter(None, package[-1]))
        near = f"lib{name.lower().removeprefix('lib')}-dev"
        return f"build: {name} is missing: {_ADD} that has it, as {near}, {_THERE}; {error}"
    if tool := _TOOL.findall(text):
        return f"build: the program {tool[-1]} is missing: {_ADD} that has it {_THERE}; {error}"
    return f"build: {error}; correct `build: commands`"
