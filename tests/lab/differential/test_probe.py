"""States that no suite makes. Prevents: a wrong body that is the same only because nobody asks, and a right one that
is accused on states where the gold itself breaks."""

from __future__ import annotations

import pytest

from tests.lab.differential.case_tables import read_cases

# title: what a changed state shows; what stands before; gold, candidate, what main does
ASKED = read_cases(
    """
a missing check where the suite never goes: with p = NULL: its end: it returns; now it ends by signal 11
    int f(const int *p, int n) { return p && n < 9 ? *p + n : -1; }
    int f(const int *p, int n) { return n < 9 ? *p + n : -1; }
    int x = 1; f(&x, 2); f(&x, 3);
a literal: with character 0 of s = 0: the returned value was 1, is 0
    int f(const char *s) { return *s == 'a' || *s == 0; }
    int f(const char *s) { return *s == 'a'; }
    for (int i = 0; i < 6; i++) f("a");
a variable that the body mentions: server.most =
    struct s { int other[50], most, policy; } server;
    enum { KEEP = 64 };
    int f(int a) { return server.most && server.policy & KEEP ? a : 0; }
    int f(int a) { return server.most ? a : 0; }
    for (int i = 0; i < 9; i++) f(i + 1);
a function that the gold compares with: s->made =
    typedef void call(void); static void one(void) {} static void two(void) {} struct s { call *made; int n; };
    int f(struct s *s) { return s->made == one || s->n == 4711; }
    int f(struct s *s) { return s->n == 4711; }
    struct s s = {two, 1}; for (int i = 0; i < 30; i++) f(&s);
a number that the gold compares with: s->n = 4711
    typedef void call(void); static void one(void) {} static void two(void) {} struct s { call *made; int n; };
    int f(struct s *s) { return s->made == one || s->n == 4711; }
    int f(struct s *s) { return s->made == one; }
    struct s s = {two, 1}; for (int i = 0; i < 30; i++) f(&s);
the text that a pointer leads to: of s = 0
    int f(char **s) { return !strcmp(*s, "abcd"); }
    int f(char **s) { return !strncmp(*s, "abcd", strlen(*s)); }
    char t[] = "abcd", *s = t; for (int i = 0; i < 9; i++) f(&s);
""",
    3,
)


def words_of(found):
    return "; ".join(difference.words for difference in found.broke)


@pytest.mark.parametrize("case", ASKED)
def test_a_changed_state_shows_what_the_calls_do_not(compare, case):
    told, before, texts = ASKED[case]
    found = compare(*texts, before)
    assert found.difference_agreement_or_not_applicable_line.startswith("same on ")
    assert found.perturbed_agreement_line_or_empty.startswith("perturbed: same on ")
    assert told in words_of(found)


def test_a_bound_shows_by_its_neighbours(compare):
    gold = "int f(unsigned char n) { return n < 8; }"
    found = compare(gold, "int f(unsigned char n) { return n <= 8; }", "for (int i = 0; i < 8; i++) f(i);")
    assert found.difference_agreement_or_not_applicable_line == "same on 8 calls"
    assert set(words_of(found).split("; ")) == {"with n = 8: the returned value was 0, is 1"}


def test_random_numbers_are_drawn_anew(compare):
    gold = "int f(void) { int n = 1; while (random() % 2) n++; return n; }"
    found = compare(gold, "int f(void) { return 1 + random() % 2; }", "srandom(6); f(); f();")
    assert "with other random numbers: " in words_of(found)


def test_states_on_which_the_gold_breaks_do_not_count(compare):
    """The other body ends well on all of them."""
    before = "struct s { int *p; unsigned n; };"
    gold = "int f(struct s *s) { int t = 0; for (unsigned i = 0; i < s->n; i++) t += s->p[i]; return t; }"
    checks = "if (!s || !s->p) return 0;"
    other = f"int f(struct s *s) {{ int t = 0; unsigned i = 0; {checks} while (i < s->n) t += s->p[i++]; return t; }}"
    calls = "int x[3] = {1, 2, 3}; struct s s = {x, 3}; for (int i = 0; i < 4; i++) f(&s);"
    found = compare(gold, other, calls, before)
    assert found.difference_agreement_or_not_applicable_line == "same on 4 calls"
    assert found.broke == ()
    assert 0 < found.probed < 4 * 40
