"""Bug prevented: a set of suites that misses a variant which some suite kills, or that costs more than it must."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from executor.repository.build.graph import BuildStep
from lab.doctor.body_trial import select_steps_for_goals
from lab.doctor.suite_cover import _EXACT_SUITES, find_cheapest_cover

COST = {"a": 1.0, "b": 2.0, "c": 2.5, "d": 0.0}


def test_one_dear_suite_beats_two_cheap_ones_that_cost_more() -> None:
    kills = {"x": {"a", "c"}, "y": {"b", "c"}, "survivor": set()}
    assert find_cheapest_cover(kills, COST) == ("c",)
    assert find_cheapest_cover({**kills, "z": {"a"}}, COST) in (("a", "b"),)


def test_nothing_killed_needs_nothing() -> None:
    assert find_cheapest_cover({"x": set()}, COST) == ()


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.integers(0, 30), st.sets(st.integers(0, 25), min_size=1, max_size=4), max_size=25))
def test_every_killed_variant_stays_killed_and_no_suite_is_idle(kills: dict[int, set[int]]) -> None:
    named = {str(variant): {f"s{suite}" for suite in suites} for variant, suites in kills.items()}
    # Whole numbers: their sums are exact in any order.
    cost = {f"s{number}": float(number) for number in range(26)}
    chosen = find_cheapest_cover(named, cost)
    assert all(suites.intersection(chosen) for suites in named.values())
    for idle in chosen:
        rest = set(chosen) - {idle}
        assert cost[idle] == 0 or any(not suites & rest for suites in named.values())
    if len({suite for suites in named.values() for suite in suites}) <= _EXACT_SUITES:
        assert sum(cost[name] for name in chosen) <= sum(min(cost[s] for s in suites) for suites in named.values())


def test_a_plan_is_cut_to_the_steps_that_a_suites_goals_are_made_of() -> None:
    unit = BuildStep("compile", ("cc", "a.c"), ".", ("a.o",), ("a.c",), (), ("a.c", "a.h"))
    emptied = BuildStep("archive", ("rm", "lib.a"), ".", ("lib.a",))
    archive = BuildStep("archive", ("ar", "lib.a"), ".", ("lib.a",), (), ("a.o", "b.o"))
    one = BuildStep("link", ("cc", "one"), ".", ("one",), (), ("lib.a",))
    two = BuildStep("link", ("cc", "two"), ".", ("two",), (), ("a.o",))
    steps = (unit, emptied, archive, one, two)
    assert select_steps_for_goals(steps, ["one"]) == (unit, emptied, archive, one)
    assert select_steps_for_goals(steps, ["two"]) == (unit, two)
    assert select_steps_for_goals(steps, ["three"]) == ()
