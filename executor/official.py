"""YABLoCo's scoring as published, quirks included, so that our figures stand beside theirs.

Written from a description of its behaviour (docs/tasks.md), not from its code. Nothing here is how Graft itself
finds an answer or splices it; these functions feed the `official` columns and MERA's submission alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCE = "```"
# In this order, each removed at most once. `C++` is last, after `C` has already spoilt it.
_PREFIXES = ("cpp", "c++", "c", "++", "C", "C++")
_MAINS = ("int main(", "void main(")
# What stands for "no answer" when a fence is opened and never closed.
OPEN_FENCE = "-"


def parse_generation(text: str) -> str:
    """The code as the official scorer takes it out of a raw response.

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
