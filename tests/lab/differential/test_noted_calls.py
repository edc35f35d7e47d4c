"""Which functions of the repository a body calls. Prevents: a call left out whose effect no memory in reach shows, an
argument that reaches the callee damaged, and a right body that is told to call otherwise because it calls in another
order, with other memory, or other functions."""

from __future__ import annotations

import pytest

from lab.differential.noted_calls import find_called_names
from tests.lab.differential.case_tables import read_cases

# What a callee changes lies where no argument and no variable of the unit leads to.
SINK = """#include <stdarg.h>
extern char **environ;
void note ( int n ) { }
void keep ( const char *s ) { }
void keep_length ( const char *s, int n ) { }
int take ( void *p ) { return 1; }
int size ( void ) { return 7; }
int many ( char a, short b, int c, long d, unsigned e, float f, double g, const char *h, unsigned char i, void *j,
    int k, double l ) { return a == 1 && b == -2 && c == 3 && d == -4 && e == 5 && f == 6 && g == 7.5 && !j && i == 9
    && *h == 'h' && k == -11 && l == 12; }
int sum ( int n, ... ) { va_list all; va_start(all, n); double s = 0; while (n--) s += va_arg(all, double); return s; }
struct wide { long a, b, c; };
long wide ( int n, struct wide w, int m ) { return n + w.c + m; }
"""

# title: what is told; gold, candidate
OTHERWISE = read_cases(
    """
another number: a call was note(3), is note(4)
    void f(int a) { note(a); }
    void f(int a) { note(a + 1); }
another text: a call was keep("one"), is keep("two")
    void f(int a) { keep("one"); }
    void f(int a) { char *t = malloc(9); strcpy(t, "two"); keep(t); free(t); }
a shorter text: a call was keep_length("abc", 3), is keep_length("ab", 2)
    void f(int a) { keep_length("abc", 3); }
    void f(int a) { keep_length("abc", 2); }
the last of several: a call was note(3), is note(9)
    void f(int a) { note(1); note(a); keep(0); note(2); }
    void f(int a) { note(1); note(a * 3); keep(0); note(2); }
an ignored pointer: a call was take(new memory), is take(NULL)
    void f(int a) { int *p = malloc(4); take(p); free(p); }
    void f(int a) { int *p = malloc(4); take(0); free(p); }
""",
    2,
)


@pytest.mark.parametrize("case", OTHERWISE)
def test_other_calls_are_told_apart_from_what_they_leave_behind(compare, case):
    words, _, texts = OTHERWISE[case]
    found = compare(*texts, "f(3);", SINK)
    assert found.difference_agreement_or_not_applicable_line == "same on 1 call"
    assert found.first_callee_difference_line_or_empty == f"calls otherwise on call 1 (program): {words}"


ALIKE = read_cases(
    """
in another order:
    void f(int a) { note(a); note(0); }
    void f(int a) { note(0); note(a); }
an argument made otherwise:
    void f(int a) { note(a * 2); take(malloc(8)); }
    void f(int a) { int b = a; b += a; char *p = malloc(99); p = malloc(16); free(p); p = malloc(8); note(b);
        take(p); }
a text from elsewhere:
    void f(int a) { keep("abc"); }
    void f(int a) { char *t = strdup("abc"); keep(t); free(t); }
a value that is asked for again:
    void f(int a) { note(size() + size()); }
    void f(int a) { note(2 * size()); }
by a helper of its own:
    void f(int a) { note(a); }
    static void help(int a) { note(a); } void f(int a) { help(a); }
a local variable's address:
    void f(int a) { int x; take(&x); }
    void f(int a) { int y[9], x[3]; take(y); take(x); }
another function, or none:
    void f(int a) { note(a); keep(0); size(); }
    void f(int a) { keep_length(0, a); }
one more call:
    void f(int a) { note(a); }
    void f(int a) { note(a); note(a + 1); }
by a pointer to it:
    void f(int a) { note(a); }
    void f(int a) { void (*by)(int) = note; note(a); if (by != note) abort(); }
""",
    2,
)


@pytest.mark.parametrize("case", ALIKE)
def test_what_nobody_could_tell_is_the_same_call(compare, case):
    found = compare(*ALIKE[case].parts, "f(3);", SINK)
    assert (found.difference_agreement_or_not_applicable_line, found.first_callee_difference_line_or_empty) == (
        "same on 1 call",
        "",
    )


def test_all_arguments_reach_the_callee_and_are_told(compare):
    """Six registers, eight more for real numbers, and the stack; any number of arguments; a structure by value."""
    gold = (
        'int f(int a) { return many(1, -2, 3, -4, 5, 6, 7.5, "h", 9, 0, -11, 12) + sum(3, 1.0, 2.0, a + .0)'
        " + wide(1, (struct wide){1, 2, 3}, 4); }"
    )
    found = compare(gold, gold.replace("-11, 12", "-11, 12.5"), "if (f(3) != 15) return 1;", SINK)
    numbers = '1, -2, 3, -4, 5, 6, 7.5, "h", 9, NULL, -11'
    assert f"a call was many({numbers}, 12), is many({numbers}, 12.5)" in found.first_callee_difference_line_or_empty
    assert "returned value was 15, is 14" in found.difference_agreement_or_not_applicable_line


def test_what_a_member_or_a_macro_calls_is_no_function_of_the_repository(compare):
    """A member has the name of a function; a macro hides one."""
    before = SINK + "struct s { void (*note)(int); }; static struct s s = {note};\n#define keep(text) note(8)\n"
    gold = "void f(int a) { struct s *p = &s; s.note(a); p->note(a); keep(0); take(&s); }"
    found = compare(gold, gold.replace("note(a)", "note(7)").replace("keep(0)", "keep(1)"), "f(3);", before)
    assert (found.difference_agreement_or_not_applicable_line, found.first_callee_difference_line_or_empty) == (
        "same on 1 call",
        "",
    )


def test_calls_on_a_changed_state_are_told(compare):
    gold = "void f(int a) { note(a > 40); }"
    found = compare(gold, "void f(int a) { note(a >= 40); }", "for (int i = 0; i < 9; i++) f(i + 20);", SINK)
    assert "with a = 40: a call was note(0), is note(1)" in [told.words for told in found.called]


@pytest.mark.parametrize("header", ["int f(int (*note)(int)) {", "int f(int (*g)(int)) { int (*note)(int) = g;"])
def test_a_pointer_of_a_callee_s_name_is_called_itself(compare, header):
    """The program ended, as it called the repository's function instead."""
    gold = f"{header} return note(-3); }}"
    found = compare(gold, gold.replace("-3", "- 3"), "if (f(abs) != 3) abort();", SINK)
    assert found.difference_agreement_or_not_applicable_line == "same on 1 call"


def test_a_keyword_or_a_function_of_the_library_is_no_callee():
    """`if` stood among a repository's names, so that no function was asked for beside it."""
    body = "int f(int a) { if (g(a)) return sizeof(int) + strlen(h(a)) + x->k(a); return f(a - 1); }"
    assert find_called_names([body], {"if", "g", "h", "k", "f", "strlen", "return"}, "f") == ("g", "h")
