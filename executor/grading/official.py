"""The scoring of YABLoCo and MERA as published, quirks included, so that our figures can be compared with theirs.

There are three versions, `OFFICIAL_RULES` by name: YABLoCo's harness as MERA uses it (`yabloco`, its repository's
branch mera_code), the one of its paper (`yabloco-paper`, branch main), and MERA's task around the former (`mera`).

Written from a description of their behaviour (docs/reference/scoring.md), not from their code; a test runs both.
Nothing here is how Graft itself finds an answer or splices it; these functions feed the `official` columns and
`graft grade --as` alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from executor.values import Outcome, Task, TestRun, Verdict

OfficialName = Literal["yabloco", "yabloco-paper", "mera"]

_FENCE = "```"
# In this order, each removed at most once. `C++` is last, after `C` has already spoilt it.
_PAPER_PREFIXES = ("cpp", "c++", "c", "++")
_PREFIXES = (*_PAPER_PREFIXES, "C", "C++")
_INCLUDE = "#include"
_MAINS = ("int main(", "void main(")
# The "code" of a response whose fence is opened and never closed.
OPEN_FENCE = "-"

_WHITE_SPACE = r"\s+"


@dataclass(frozen=True, slots=True)
class OfficialRules:
    """`parses`: the prefixes that each parse removes; MERA parses an answer, and its harness parses the result again.
    `ignored` is dropped from both texts before they are compared. `first_sample`: only a task's first sample is
    scored. `retries`: a task of which no sample passed is run once more."""

    name: OfficialName
    parses: tuple[tuple[str, ...], ...]
    ignored: str = r"\W+"
    first_sample: bool = False
    retries: bool = True


OFFICIAL_RULES: Mapping[OfficialName, OfficialRules] = {
    "yabloco": OfficialRules("yabloco", (_PREFIXES,)),
    "yabloco-paper": OfficialRules("yabloco-paper", (_PAPER_PREFIXES,), ignored=_WHITE_SPACE, retries=False),
    "mera": OfficialRules("mera", (_PAPER_PREFIXES, _PREFIXES), first_sample=True),
}


def parse_generation(text: str, rules: OfficialRules) -> str:
    """The code that the official scorer takes from a raw response. It ends in one line end for each parse.

    Known quirks: a fence tagged `C++`, `CPP` or `cxx` leaves rubbish in front of the code; code without a fence that
    begins with c or C loses that letter; an open fence gives "-"; only the first fence counts.
    """
    for prefixes in rules.parses:
        parts = text.split(_FENCE, 2)
        code = parts[0] if len(parts) == 1 else parts[1] if len(parts) == 3 else OPEN_FENCE
        code = _strip_prefixes_in_turn(code, prefixes)
        lines = [line for line in code.split("\n") if not line.startswith(_INCLUDE)]
        text = "\n".join(takewhile(lambda line: not line.startswith(_MAINS), lines)) + "\n"
    return text


def _strip_prefixes_in_turn(code: str, prefixes: Sequence[str]) -> str:
    for prefix in prefixes:
        code = code.removeprefix(prefix)
    return code


def has_text_for_official_splice(code: str) -> bool:
    """Whether the official harness puts the parsed code into its file. A blank one counts as not built."""
    return bool(code.strip())


def wrap_code_in_line_ends(code: str) -> str:
    """What takes the place of the function's lines: unlike in Graft's splice an empty line stands before the code, and
    a line end behind it."""
    return f"\n{code}\n"


def splice_officially(lines: Sequence[str], first: int, last_minus_first: int, code: str) -> str:
    """The file's new text. `lines` keep their line ends; `first` is 1-based; `last_minus_first` is last minus
    first."""
    return "".join((*lines[: first - 1], wrap_code_in_line_ends(code), *lines[first + last_minus_first :]))


def official_gold(task: Task) -> str:
    """The text that the official harness compares with."""
    return task.dataset_gold if task.official_gold is None else task.official_gold


def is_officially_exact(candidate: str, gold: str, rules: OfficialRules) -> bool:
    """Equal once what the rules ignore is dropped: all but word characters (then `a-b` equals `a+b`), or in the
    paper's version white space."""
    return re.sub(rules.ignored, "", candidate) == re.sub(rules.ignored, "", gold)


def is_retried_since_none_passed(passed: Sequence[bool], rules: OfficialRules) -> bool:
    """Whether the harness runs a task once more, by what its scored samples did at first. Their second results
    count."""
    return rules.retries and not any(passed)


# What the published harness calls the build is a configuration there; compilation happens in the test step.
_CONFIGURED_ONLY = frozenset({"openssl", "llvm", "llvm-prebuilt"})


def has_passed_by_exit_statuses(run: TestRun) -> bool:
    """By exit statuses only: no test is counted, so a suite that ran nothing and ended with 0 passes."""
    steps = (*run.check, *run.build, *(suite.step for suite in run.suites))
    return bool(run.suites) and all(step.exit_code == 0 for step in steps)


def is_officially_built_or_only_configured(run: TestRun, repository: str) -> bool:
    """For openssl and llvm every answer that could be spliced counts as built."""
    return repository in _CONFIGURED_ONLY or all(step.exit_code == 0 for step in (*run.check, *run.build))


def why_official_code_differs(response: str, ours: str | None, rules: OfficialRules) -> tuple[str, ...]:
    """The quirks by which `parse_generation` takes another text from `response` than `ours`, the function that Graft
    found (None: no function). Empty when both are the same, outer white space aside."""
    parsed = parse_generation(response, rules)
    if ours is not None and parsed.strip() == ours.strip():
        return ()
    if not has_text_for_official_splice(parsed):
        return ("a blank text is never spliced",)
    parts = response.split(_FENCE, 2)
    if len(parts) == 2:
        return ("a fence is left open: no answer",)
    if ours is None:
        return ("what was spliced isn't the function",)
    text = parts[0] if len(parts) == 1 else parts[1]
    found: list[str] = []
    rest = text
    for prefixes in rules.parses:
        rest = _strip_prefixes_in_turn(rest, prefixes)
    tag = text.partition("\n")[0].strip()
    left = rest.partition("\n")[0].strip()
    if len(parts) == 1 and rest != text:
        found.append(f"no fence: {text[: len(text) - len(rest)]!r} cut off the code")
    elif len(parts) > 1 and left and re.fullmatch(r"[\w+#.-]+", tag):
        found.append(f"the fence's tag {tag!r} leaves {left!r} before the code")
    lines = text.split("\n")
    if any(line.startswith(_INCLUDE) for line in lines):
        found.append("include lines dropped")
    if any(line.startswith(_MAINS) for line in lines):
        found.append("cut at main")
    if (
        len(parts) == 3
        and "".join(ours.split()) not in "".join(parts[1].split())
        and "".join(ours.split()) in "".join(parts[2].split())
    ):
        found.append("only the first fence counts")
    return tuple(found) or ("all of the text was taken, not the function alone",)


def why_official_verdict_differs(run: TestRun, verdict: Verdict) -> str:
    """The rule by which `has_passed_by_exit_statuses` and Graft's `verdict` on one run differ; "" where they agree."""
    passed = has_passed_by_exit_statuses(run)
    if passed == (verdict.outcome is Outcome.PASSED):
        return ""
    if not passed:
        return "the exit status counts a quarantined test too"
    if run.changed:
        return "exit status 0; that tests changed their own files isn't looked at"
    if verdict.missing or not any(suite.results for suite in run.suites):
        return "exit status 0, though tests didn't run"
    return "exit status 0 counts, not the tests one by one"


def explain_differing_official_exact_match(candidate: str, gold: str, dataset_gold: str, rules: OfficialRules) -> str:
    """Why the two exact matches differ although both read the same text. `dataset_gold` is the data set's gold."""
    if not any(is_officially_exact(text, dataset_gold, rules) for text in (gold, candidate)):
        return "the data set's text of the gold is damaged"
    return f"exact match {'drops white space' if rules.ignored == _WHITE_SPACE else 'looks at word characters alone'}"
