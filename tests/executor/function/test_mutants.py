"""Bugs prevented: a "mutant" that is the gold itself, that moves every later line, or that changes with each run,
so that kill scores mean nothing and can't be compared."""

from __future__ import annotations

from executor.function.mutants import make_mutants
from executor.function.stub import make_trivial_definitions
from index.values import Span, Target

GOLD = """\
static int clamp(int *counts, int size, int most)
{
    int sum = 0;
    for (int at = 0; at < size; at++)
        sum += counts[at];
    if (sum > most)
        report(sum,
               most);
#if defined(FAST) && defined(WIDE)
    return sum - most;
#endif
    return sum > most ? most : sum;
}
"""


def test_each_operator_has_its_turn_and_lines_stay() -> None:
    found = make_mutants(GOLD, "c", 50)
    texts = [mutant.text for mutant in found]
    assert GOLD not in texts
    assert len(set(texts)) == len(texts)
    assert {mutant.text.count("\n") for mutant in found} == {GOLD.count("\n")}
    assert {mutant.operator for mutant in found} == {
        "negate",
        "drop-call",
        "drop-assignment",
        "swap-operands",
        "off-by-one",
        "change-operator",
    }
    details = [mutant.detail for mutant in found]
    assert "(sum > most) -> (!(sum > most))" in details
    assert "at < size -> at <= size" in details
    assert "sum - most -> (most) - (sum)" in details
    # A directive's condition is no condition of the function.
    assert all("#if defined(FAST) && defined(WIDE)\n" in text for text in texts)


def test_a_limit_keeps_the_spread_and_the_order_is_fixed() -> None:
    few = make_mutants(GOLD, "c", 6)
    assert few == make_mutants(GOLD, "c", 50)[:6]
    assert len({mutant.operator for mutant in few}) == 6
    assert len({mutant.name for mutant in make_mutants(GOLD, "c", 50)}) == len(make_mutants(GOLD, "c", 50))


def test_a_text_without_a_body_has_none() -> None:
    assert make_mutants("int f(int);", "c", 5) == ()
    assert make_mutants(GOLD, "c", 0) == ()


def test_bodies_of_the_right_type() -> None:
    target = Target("r", "a.c", Span(1, 3), "keep", "char *keep(char *text, int size)", "", "c")
    bodies = make_trivial_definitions(target, "char *keep(char *text, int size)\n{\n    return text + size;\n}\n")
    assert list(bodies) == ["zero", "first-argument"]
    assert "return text;" in bodies["first-argument"]
    target = Target("r", "a.c", Span(1, 3), "half", "int half(int n)", "", "c")
    bodies = make_trivial_definitions(target, "int half(int n)\n{\n    return n / 2;\n}\n")
    assert list(bodies) == ["zero", "one", "minus-one", "first-argument"]
    assert [text.count("return") for text in bodies.values()] == [1, 1, 1, 1]
    target = Target("r", "a.c", Span(1, 1), "stop", "void stop(void)", "", "c")
    assert list(make_trivial_definitions(target, "void stop(void) { halt(); }")) == ["zero"]
