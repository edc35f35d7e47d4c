"""YABLoCo's scoring as published, quirks included, so that our figures can be compared with theirs.

Written from a description of its behaviour (docs/reference/scoring.md), not from its code. Nothing here is how Graft
itself finds an answer or splices it; these functions feed the `official` columns, `graft grade --as official` and
MERA's submission alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from executor.values import Outcome, TestRun, Verdict

_FENCE = "```"
# In this order, each removed at most once. `C++` is last, after `C` has already spoilt it.
_PREFIXES = ("cpp", "c++", "c", "++", "C", "C++")
_MAINS = ("int main(", "void main(")
# The "code" of a response whose fence is opened and never closed.
OPEN_FENCE = "-"


def parse_generation(text: str) -> str:
    """The code that the official scorer takes from a raw response.

    Known quirks: a fence tagged `C++`, `CPP`, `cc` or `cxx` leaves rubbish in front of the code; code without a
    fence that begins with c or C loses that letter; an open fence gives "-"; only the first fence counts.
    """
    parts = text.split(_FENCE, 2)
    if len(parts) == 2:
        return OPEN_FENCE
    code = parts[0] if len(parts) == 1 else parts[1]
    for prefix in _PREFIXES:
        code = code.removeprefix(prefix)
    code = "\n".join(line for line in code.split("\n") if not line.startswith("#include"))
    for main in _MAINS:
        code = code.partition(main)[0]
    return code


def official_splice(lines: Sequence[str], first: int, code_length: int, code: str) -> str:
    """The file's new text. `lines` keep their line ends; `first` is 1-based; `code_length` is last minus first.

    Unlike Graft's splice it puts an empty line before the code and a line end after it.
    """
    return "".join(lines[: first - 1]) + "\n" + code + "\n" + "".join(lines[first + code_length :])


def official_exact_match(candidate: str, dataset_gold: str) -> bool:
    """Equal once everything but word characters is dropped: `a-b` equals `a+b`."""
    return re.sub(r"\W+", "", candidate) == re.sub(r"\W+", "", dataset_gold)


def older_exact_match(candidate: str, dataset_gold: str) -> bool:
    """The older branch: equal once white space is dropped."""
    return re.sub(r"\s+", "", candidate) == re.sub(r"\s+", "", dataset_gold)


# What the published harness calls the build is a configuration there; compilation happens in the test step.
_CONFIGURED_ONLY = frozenset({"openssl", "llvm", "llvm-prebuilt"})


def official_passed(run: TestRun) -> bool:
    """By exit statuses only: no test is counted, so a suite that ran nothing and ended with 0 passes."""
    steps = (*run.check, *run.build, *(suite.step for suite in run.suites))
    return bool(run.suites) and all(step.exit_code == 0 for step in steps)


def official_built(run: TestRun, repository: str) -> bool:
    """For openssl and llvm every answer that could be spliced counts as built."""
    return repository in _CONFIGURED_ONLY or all(step.exit_code == 0 for step in (*run.check, *run.build))


def why_read_differently(response: str, ours: str | None) -> tuple[str, ...]:
    """The quirks by which `parse_generation` takes another text from `response` than `ours`, the function that Graft
    found (None: no function). Empty when both are the same, outer white space aside."""
    parsed = parse_generation(response)
    if ours is not None and parsed.strip() == ours.strip():
        return ()
    parts = response.split(_FENCE, 2)
    if len(parts) == 2:
        return ("a fence is left open: no answer",)
    if ours is None:
        return ("what was spliced isn't the function",)
    text = parts[0] if len(parts) == 1 else parts[1]
    found: list[str] = []
    rest = text
    for prefix in _PREFIXES:
        rest = rest.removeprefix(prefix)
    tag = text.partition("\n")[0].strip()
    left = rest.partition("\n")[0].strip()
    if len(parts) == 1 and rest != text:
        found.append(f"no fence: {text[: len(text) - len(rest)]!r} cut off the code")
    elif len(parts) > 1 and left and re.fullmatch(r"[\w+#.-]+", tag):
        found.append(f"the fence's tag {tag!r} leaves {left!r} before the code")
    if any(line.startswith("#include") for line in text.split("\n")):
        found.append("include lines dropped")
    if any(main in text for main in _MAINS):
        found.append("cut at main")
    if len(parts) == 3 and _words(ours) not in _words(parts[1]) and _words(ours) in _words(parts[2]):
        found.append("only the first fence counts")
    return tuple(found) or ("all of the text was taken, not the function alone",)


def why_judged_differently(run: TestRun, verdict: Verdict) -> str:
    """The rule by which `official_passed` and Graft's `verdict` on one run differ; "" where they agree."""
    passed = official_passed(run)
    if passed == (verdict.outcome is Outcome.PASSED):
        return ""
    if not passed:
        return "the exit status counts a quarantined test too"
    if run.changed:
        return "exit status 0; that tests changed their own files isn't looked at"
    if verdict.missing or not any(suite.results for suite in run.suites):
        return "exit status 0, though tests didn't run"
    return "exit status 0 counts, not the tests one by one"


def why_exact_differs(candidate: str, gold: str, dataset_gold: str) -> str:
    """Why the two exact matches differ although both read the same text."""
    if not official_exact_match(gold, dataset_gold) and not official_exact_match(candidate, dataset_gold):
        return "the data set's text of the gold is damaged"
    return "exact match looks at word characters alone"


def _words(text: str) -> str:
    return re.sub(r"\s+", "", text)
