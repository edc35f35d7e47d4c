"""An arm of an experiment: where the context comes from, and whether the compiler answers back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from index.strict import did_you_mean

Source = Literal["none", "oracle", "lexical", "dense"]
RETRIEVED: frozenset[Source] = frozenset({"lexical", "dense"})

COMPILE = "+compile"


@dataclass(frozen=True, slots=True)
class Arm:
    """`source`: none (signature and docstring alone), oracle (the true body's callees), lexical and dense
    (retrieved)."""

    name: str
    source: Source
    compiles: bool


def arm_names() -> tuple[str, ...]:
    sources = get_args(Source)
    return (*sources, *(source + COMPILE for source in sources))


def parse_arm(name: str) -> Arm:
    """Raises ValueError, with the nearest right name, for the configuration's reader to turn into its error."""
    if name not in arm_names():
        raise ValueError(f"unknown arm {name!r}{did_you_mean(name, arm_names())} (known: {', '.join(arm_names())})")
    source = name.removesuffix(COMPILE)
    return Arm(name, next(s for s in get_args(Source) if s == source), name.endswith(COMPILE))
