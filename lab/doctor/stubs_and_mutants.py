"""The wrong bodies that are tried on a task: in each one of its functions is wrong, the others are the gold's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from executor.function.mutants import make_mutants
from executor.function.stub import make_trivial_definitions
from executor.manifest.health import Variant
from executor.values import Task
from index.errors import TaskError
from index.function_texts import join_present_functions_under_heads

PLAIN_STUB = "zero"
_OF = " of "


def is_plain_zero_stub(kind: str, name: str) -> bool:
    """Whether it is the plain stub of a function: these decide a task's health."""
    return kind == "stub" and name.partition(_OF)[0] == PLAIN_STUB


def make_plain_stub_variant_per_hole(task: Task) -> tuple[Variant, ...]:
    """The plain stub of each function, the others' golds beside it. Raises TaskError where one can't be made."""
    return tuple(
        _make_variant_filling_hole(task, number, "stub", PLAIN_STUB, text)
        for number, text in enumerate(make_plain_stub_text_per_hole(task))
    )


def make_plain_stub_text_per_hole(task: Task) -> tuple[str, ...]:
    """The plain stub of each function alone. Raises TaskError where one can't be made."""
    return tuple(
        make_trivial_definitions(hole, gold)[PLAIN_STUB]
        for hole, gold in zip(task.target.holes, task.golds, strict=True)
    )


def join_with_stubs_of_other_functions(task: Task, first_text: str) -> str:
    """The text `first_text` in the place of the first function, with plain stubs for all others: what a model hands in
    that cheats in one function and leaves the others empty."""
    return (
        first_text
        if len(task.target.holes) == 1
        else join_present_functions_under_heads([first_text, *make_plain_stub_text_per_hole(task)[1:]])
    )


def make_stub_variants(task: Task) -> list[Variant]:
    """All trivial bodies, the plain ones of all functions first. None where one function has none: nothing could show
    then that the tests judge it."""
    try:
        plain = make_plain_stub_variant_per_hole(task)
    except TaskError:
        return []
    further = [
        _make_variant_filling_hole(task, number, "stub", name, text)
        for number, (hole, gold) in enumerate(zip(task.target.holes, task.golds, strict=True))
        for name, text in make_trivial_definitions(hole, gold).items()
        if name != PLAIN_STUB
    ]
    return [*plain, *further]


def make_mutant_variants(task: Task, limit_per_function: int) -> list[Variant]:
    """At most `limit_per_function` mutants of each function, the functions in turn."""
    each: list[Sequence[Variant]] = [
        [
            _make_variant_filling_hole(task, number, "mutant", m.name, m.text, m.detail)
            for m in make_mutants(gold, hole.language, limit_per_function)
        ]
        for number, (hole, gold) in enumerate(zip(task.target.holes, task.golds, strict=True))
    ]
    return [variant for variant in chain.from_iterable(zip_longest(*each)) if variant is not None]


def _make_variant_filling_hole(task: Task, number: int, kind: str, name: str, text: str, detail: str = "") -> Variant:
    texts = list(task.golds)
    texts[number] = text
    return Variant(kind, name_variant_in_hole(task, number, name), join_present_functions_under_heads(texts), detail)


def name_variant_in_hole(task: Task, number: int, name: str) -> str:
    """What a variant of this name is called in the place of the task's function `number`, which counts from 0."""
    holes = task.target.holes
    return name if len(holes) == 1 else f"{name}{_OF}{number + 1} {holes[number].name}"
