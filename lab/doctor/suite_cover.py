"""The cheapest set of suites that together kill every variant that some suite kills (weighted set cover)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import combinations

# Up to here all subsets are tried. Above, the greedy cover costs at most ln(variants) times more (Chvatal 1979).
_EXACT_SUITES = 12


def find_cheapest_cover(
    killing_suites_by_variant: Mapping[str, Set[str]], suite_costs: Mapping[str, float]
) -> tuple[str, ...]:
    """The suites, cheapest first. `killing_suites_by_variant`: variant -> the suites known to kill it; one without any
    is ignored."""
    wanted = [frozenset(suites) for suites in killing_suites_by_variant.values() if suites]
    suites = sorted({suite for group in wanted for suite in group}, key=lambda name: (suite_costs[name], name))
    found = (
        _find_cheapest_cover_by_enumeration(wanted, suites, suite_costs)
        if len(suites) <= _EXACT_SUITES
        else _find_greedy_cover(wanted, suites, suite_costs)
    )
    return tuple(sorted(found, key=lambda name: (suite_costs[name], name)))


def _find_cheapest_cover_by_enumeration(
    killing_suite_sets: Sequence[Set[str]], suites: Sequence[str], cost: Mapping[str, float]
) -> Sequence[str]:
    best: Sequence[str] = suites
    price = sum(cost[name] for name in suites)
    for size in range(len(suites) + 1):
        for chosen in combinations(suites, size):
            total = sum(cost[name] for name in chosen)
            if total < price and all(not group.isdisjoint(chosen) for group in killing_suite_sets):
                best, price = chosen, total
    return best


def _find_greedy_cover(
    killing_suite_sets: Sequence[Set[str]], suites: Sequence[str], cost: Mapping[str, float]
) -> Sequence[str]:
    left = list(killing_suite_sets)
    chosen: list[str] = []
    while left:
        # Never 0: a suite that costs nothing measurable still costs a process.
        best = min(suites, key=lambda s: (max(cost[s], 0.001) / max(sum(s in g for g in left), 1e-9), s))
        chosen.append(best)
        left = [group for group in left if best not in group]
    # Remove what later choices made superfluous, the most expensive first.
    for name in sorted(chosen, key=lambda suite: -cost[suite]):
        rest = [suite for suite in chosen if suite != name]
        if all(not group.isdisjoint(rest) for group in killing_suite_sets):
            chosen = rest
    return chosen
