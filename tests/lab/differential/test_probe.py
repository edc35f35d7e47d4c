"""States that no suite makes. Prevents: a wrong body that is the same only because nobody asks, and a right one that
is accused on states where the gold itself breaks."""

from __future__ import annotations

from typing import Any

Compare = Any  # conftest's


def broke(found: Any) -> str:
    return "; ".join(difference.words for difference in found.broke)


def test_a_missing_check_shows_where_the_suite_never_goes(compare: Compare) -> None:
    gold = "int f(const int *p, int n) { return p && n < 9 ? *p + n : -1; }"
    found = compare(
        gold, "int f(const int *p, int n) { return n < 9 ? *p + n : -1; }", "int x = 1; f(&x, 2); f(&x, 3);"
    )
    assert found.line == "same on 2 calls"
    assert "with p = NULL: its end: it returns; now it ends by signal 11" in broke(found)
    assert found.perturbed_line.startswith("perturbed: same on ")


def test_a_bound_shows_by_its_neighbours(compare: Compare) -> None:
    gold = "int f(unsigned char n) { return n < 8; }"
    found = compare(gold, "int f(unsigned char n) { return n <= 8; }", "for (int i = 0; i < 8; i++) f(i);")
    assert found.line == "same on 8 calls"
    assert set(broke(found).split("; ")) == {"with n = 8: the returned value was 0, is 1"}


def test_states_on_which_the_gold_breaks_do_not_count(compare: Compare) -> None:
    """The other body ends well on all of them."""
    before = "struct s { int *p; unsigned n; };"
    gold = "int f(struct s *s) { int t = 0; for (unsigned i = 0; i < s->n; i++) t += s->p[i]; return t; }"
    checks = "if (!s || !s->p) return 0;"
    other = f"int f(struct s *s) {{ int t = 0; unsigned i = 0; {checks} while (i < s->n) t += s->p[i++]; return t; }}"
    found = compare(
        gold, other, "int x[3] = {1, 2, 3}; struct s s = {x, 3}; for (int i = 0; i < 4; i++) f(&s);", before
    )
    assert found.line == "same on 4 calls"
    assert found.broke == ()
    assert 0 < found.probed < 4 * 40


def test_a_literal_is_changed_too(compare: Compare) -> None:
    gold = "int f(const char *s) { return *s == 'a' || *s == 0; }"
    found = compare(gold, "int f(const char *s) { return *s == 'a'; }", 'for (int i = 0; i < 6; i++) f("a");')
    assert found.line == "same on 6 calls"
    assert "with character 0 of s = 0: the returned value was 1, is 0" in broke(found)


def test_a_variable_that_the_body_mentions_is_changed(compare: Compare) -> None:
    before = "struct s { int other[50], most, policy; } server;\nenum { KEEP = 64 };"
    gold = "int f(int a) { return server.most && server.policy & KEEP ? a : 0; }"
    found = compare(
        gold, "int f(int a) { return server.most ? a : 0; }", "for (int i = 0; i < 9; i++) f(i + 1);", before
    )
    assert found.line == "same on 9 calls"
    assert "server.most = " in broke(found)


def test_a_value_becomes_what_the_gold_compares_with(compare: Compare) -> None:
    before = (
        "typedef void call(void); static void one(void) {} static void two(void) {} struct s { call *made; int n; };"
    )
    gold = "int f(struct s *s) { return s->made == one || s->n == 4711; }"
    calls = "struct s s = {two, 1}; for (int i = 0; i < 30; i++) f(&s);"
    assert "s->made = " in broke(compare(gold, "int f(struct s *s) { return s->n == 4711; }", calls, before))
    assert "s->n = 4711" in broke(compare(gold, "int f(struct s *s) { return s->made == one; }", calls, before))


def test_random_numbers_are_drawn_anew(compare: Compare) -> None:
    gold = "int f(void) { int n = 1; while (random() % 2) n++; return n; }"
    found = compare(gold, "int f(void) { return 1 + random() % 2; }", "srandom(6); f(); f();")
    assert "with other random numbers: " in broke(found)


def test_a_pointer_to_a_text_leads_to_the_text(compare: Compare) -> None:
    found = compare(
        'int f(char **s) { return !strcmp(*s, "abcd"); }',
        'int f(char **s) { return !strncmp(*s, "abcd", strlen(*s)); }',
        'char t[] = "abcd", *s = t; for (int i = 0; i < 9; i++) f(&s);',
    )
    assert "of s = 0" in broke(found)
