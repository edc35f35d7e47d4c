"""What differential execution finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CallDifference:
    """The first difference at the `call`-th call in a process of `program`, in words."""

    program: str
    call: int
    words: str


@dataclass(frozen=True, slots=True)
class Differential:
    """A candidate beside the gold: how many calls were the `same`, which differed, and why calls were `left` out
    (reason -> calls). `not_applicable`: why nothing could be compared, or "". `probed`: on so many states in which one
    value was changed both did the same; on those of `broke` they didn't, where a precondition may be broken. `called`:
    where it called the same functions of the repository as the gold and gave them something else. `cpu_s`: what
    building and running took for all candidates of the run together; None where that isn't known."""

    same: int = 0
    differs: tuple[CallDifference, ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)
    not_applicable: str = ""
    probed: int = 0
    broke: tuple[CallDifference, ...] = ()
    called: tuple[CallDifference, ...] = ()
    cpu_s: float | None = None

    @property
    def compared_call_count(self) -> int:
        return self.same + len(self.differs)

    @property
    def difference_agreement_or_not_applicable_line(self) -> str:
        """`same on 212 calls`, `differs on call 3: x was 3, is 4` or `not applicable: why`."""
        if self.differs:
            first = self.differs[0]
            return f"differs on call {first.call} ({first.program}): {first.words}"
        if self.same:
            return f"same on {self.same} call{'s' * (self.same != 1)}"
        why = self.not_applicable or max(self.left, key=lambda reason: self.left[reason], default="no call was made")
        return f"not applicable: {why}"

    @property
    def perturbed_agreement_line_or_empty(self) -> str:
        """`perturbed: same on 1900 of 1900`, with the first difference; "" where no state was changed."""
        every = self.probed + len(self.broke)
        first = f": {self.broke[0].words}" if self.broke else ""
        return f"perturbed: same on {self.probed} of {every}{first}" if every else ""

    @property
    def first_callee_difference_line_or_empty(self) -> str:
        """`calls otherwise on call 3 (program): a call was f(1), is f(2)`; "" where no such call is known."""
        first = self.called[0] if self.called else None
        return f"calls otherwise on call {first.call} ({first.program}): {first.words}" if first else ""


class NotApplicableError(Exception):
    """The candidate can't be compared with the gold; the message says why. It never leaves the package."""
