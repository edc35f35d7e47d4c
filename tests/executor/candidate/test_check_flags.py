"""The flags of a check. Prevents: messages in a format that nobody reads, and an added -Werror that fails what the
build lets pass."""

from __future__ import annotations

import pytest

from executor.candidate.check_flags import detect_diagnostic_format, make_check_arguments, make_flow_check_arguments
from executor.candidate.diagnostics import CandidatePlace, read_diagnostics
from index.values import Span

# As clang 18.1.8 and gcc 15 print them, shortened to what is read.
CLANG_SARIF = b"""clang: warning: formatting in SARIF mode is currently unstable [-Wsarif-format-unstable]

{"$schema":"s","runs":[{"results":[
{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///r/a.c"},"region":
{"endColumn":4,"startColumn":3,"startLine":6}}},{"physicalLocation":{"artifactLocation":{"uri":"file:///r/a.c"},
"region":{"endColumn":6,"startColumn":6,"startLine":6}}}],"message":{"text":"no member named 'f' in 'struct S'"},
"ruleId":"3811"},
{"level":"note","locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///r/b%20c.h"},"region":
{"startColumn":5,"startLine":3}}}],"message":{"text":"'helper' declared here"},"ruleId":"5717"}]}]}
1 error generated.
"""
GCC_SARIF = b"""{"$schema": "s", "runs": [{"results": [{"ruleId": "-Wreturn-type", "level": "warning",
"message": {"text": "control reaches end of non-void function"}, "locations": [{"physicalLocation":
{"artifactLocation": {"uri": "a.c"}, "region": {"startLine": 7, "startColumn": 1}}}], "relatedLocations":
[{"physicalLocation": {"artifactLocation": {"uri": "a.h"}, "region": {"startLine": 2, "startColumn": 5}},
"message": {"text": "declared here"}}]}]}]}
"""
PLACE = CandidatePlace("/r", "/r", "a.c", Span(6, 9), 4)


@pytest.mark.parametrize(
    ("version", "dialect"),
    [
        ("cc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022", "gcc json"),
        ("g++ (GCC) 15.1.0", "gcc sarif"),
        ("Debian clang version 18.1.8 (18+b1)\nTarget: x86_64", "clang"),
        ("Apple clang version 15.0.0", "clang"),
        ("", "gcc json"),
    ],
)
def test_each_compiler_is_asked_for_what_it_can(version: str, dialect: str) -> None:
    assert detect_diagnostic_format(version) == dialect


def test_the_units_own_strictness_stands() -> None:
    strict = make_check_arguments(("cc", "-fsyntax-only", "-Werror", "a.c"), "gcc json", cpp=False)
    assert strict == ("cc", "-fsyntax-only", "-Werror", "a.c", "-fdiagnostics-format=json")
    loose = make_check_arguments(("cc", "-fsyntax-only", "-w", "a.c"), "gcc json", cpp=False)
    assert "-w" not in loose
    assert "-Wimplicit-function-declaration" in loose
    assert "-Wint-conversion" not in make_check_arguments(("c++", "a.cc"), "gcc json", cpp=True)
    assert make_flow_check_arguments(loose)[:2] == ("cc", "a.c")


def test_sarif_of_both_compilers_is_read() -> None:
    found = read_diagnostics(CLANG_SARIF, PLACE)
    assert [(item.severity, item.path, item.line, item.column, item.in_candidate) for item in found] == [
        ("error", "a.c", 1, 6, True),
        ("note", "b c.h", 3, 5, False),
    ]
    found = read_diagnostics(GCC_SARIF, PLACE)
    assert [(item.severity, item.path, item.line, item.option) for item in found] == [
        ("warning", "a.c", 2, "-Wreturn-type"),
        ("note", "a.h", 2, ""),
    ]


@pytest.mark.parametrize("text", [b'{"runs": [{"results": [3, {}]}, 7]}\n', b'{"runs": 1}\n', b'{"a', b'{"": []}\n'])
def test_sarif_that_is_none_is_no_failure(text: bytes) -> None:
    assert all(item.severity == "error" for item in read_diagnostics(text, PLACE))
