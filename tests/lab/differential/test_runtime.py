"""Prevents: a candidate that does something else and is called the same, and a right one that is called different."""

from __future__ import annotations

import pytest

from executor.grading.differential import Differential, NotApplicableError
from lab.differential import compare_with_gold as comparing
from lab.differential.build_programs import RUNTIME, is_header
from lab.differential.c_unit import explain_body_unusable_beside_others, find_constants_and_compared_names
from tests.lab.differential.case_tables import Case, read_cases

PAIR = "struct pair { char kind; int value; struct pair *next; unsigned low : 3, high : 5; };"

# title: what is told; what stands before; gold, candidate, what main does
DIFFERENT = read_cases(
    r"""
returned value: returned value was 4, is 5
    int f(int a) { return a + 1; }
    int f(int a) { return a + 2; }
    f(3);
a later call: call 2 (program): the returned value was 0, is 1
    int f(int a) { return a > 2; }
    int f(int a) { return a >= 2; }
    f(1); f(2);
real number: was 0.5, is 1
    double f(double a) { return a / 2; }
    double f(double a) { return a; }
    f(1);
structure: the returned value.value was 7, is 1
    struct pair f(int a) { struct pair p = {1, a}; return p; }
    struct pair f(int a) { struct pair p = {1, 1}; return p; }
    f(7);
errno: errno was 34, is 0
    #include <errno.h>
    int f(int a) { errno = ERANGE; return a; }
    int f(int a) { return a; }
    f(1);
out parameter: *out was 3, is 4
    void f(int *out) { *out = 3; }
    void f(int *out) { *out = 4; }
    int x; f(&x);
elements: out[3] was 1, is 0
    void f(int *out, size_t n) { for (size_t i = 0; i < n; i++) out[i] = 1; }
    void f(int *out, size_t n) { for (size_t i = 1; i < n; i++) out[i - 1] = 1; }
    int x[4] = {0}; f(x, 4);
arguments behind brackets: returned value was 2, is 1
    int f(int (*call)(int), unsigned n[2]) { return call(n[1]); }
    int f(int (*call)(int), unsigned n[2]) { return call(n[0]); }
    unsigned n[2] = {1, 2}; f(abs, n);
bytes of a buffer: out (its text) was "xxxxxxxx", is "xxxxxxx"
    void f(char *out, int size) { memset(out, 'x', size); }
    void f(char *out, int size) { memset(out, 'x', size - 1); }
    char b[8] = {0}; f(b, 8);
a field behind two pointers: p->next->value was 6, is 4
    void f(struct pair *p) { p->next->value++; }
    void f(struct pair *p) { p->next->value--; }
    struct pair b = {0, 5}, a = {0, 1, &b}; f(&a);
a bit field: p->high was 9, is 8
    void f(struct pair *p) { p->high = 9; }
    void f(struct pair *p) { p->high = 8; }
    struct pair a = {0}; f(&a);
new memory: the returned value->value was 1, is unset
    struct pair *f(int a) { struct pair *p = malloc(sizeof *p); p->value = a; p->next = 0; return p; }
    struct pair *f(int a) { struct pair *p = malloc(sizeof *p); p->next = 0; return p; }
    f(1);
a string: the returned value (its text) was "abc", is "ab"
    char *f(const char *s) { return strdup(s); }
    char *f(const char *s) { return strndup(s, 2); }
    f("abc");
a string's own length: the returned value (what stands before it) was
    char *make(int size) { unsigned char *b = malloc(43); b[0] = size; b[1] = 40; b[2] = 0; memcpy(b + 3, "abc", 4);
        return (char *)b + 3; }
    char *f(int a) { return make(a); }
    char *f(int a) { return make(a + 1); }
    f(3);
a leak: new blocks of memory that stay was 0, is 1
    int f(int a) { char *p = malloc(9); p[0] = a; a = p[0]; free(p); return a; }
    int f(int a) { char *volatile p = malloc(9); p[0] = a; return p[0]; }
    f(1);
nothing is freed: p was memory that was freed, is
    void f(char *p) { free(p); }
    void f(char *p) { }
    f(malloc(3));
a variable of the unit: count was 1, is 0
    static int count; int seen[3];
    void f(void) { count++; seen[1] = 2; }
    void f(void) { seen[1] = 2; }
    f();
untyped memory: b->what->{8} was 2, is 3
    struct box { void *what; };
    void f(struct box *b) { long *p = malloc(16); p[0] = 1; p[1] = 2; b->what = p; }
    void f(struct box *b) { long *p = malloc(16); p[0] = 1; p[1] = 3; b->what = p; }
    struct box b; f(&b);
its end: it returns; now it ends by signal 11
    int f(int *p) { return p ? *p : 0; }
    int f(int *p) { return *p; }
    f(0);
the process's end: ends the process with status 4
    int f(int a) { return a; }
    int f(int a) { exit(a); }
    f(4);
what is printed: what is written
    #include <stdio.h>
    void f(int a) { printf("%d\n", a); }
    void f(int a) { printf("%d\n", a + 1); }
    f(1);
a blocked signal: what signal 12 does was 1, is 1, blocked
    #include <signal.h>
    void f(void) { signal(SIGUSR2, SIG_IGN); }
    void f(void) { sigset_t s; signal(SIGUSR2, SIG_IGN); sigemptyset(&s); sigaddset(&s, SIGUSR2);
        sigprocmask(SIG_BLOCK, &s, 0); }
    f();
what was never set: was 12, is 1.27777
    #include <stdlib.h>
    double f(const char *s) { char b[64]; memcpy(b, s, 2); b[2] = 0; return strtod(b, 0); }
    double f(const char *s) { char b[64]; memcpy(b, s, 2); return strtod(b, 0); }
    f("12");
an input: now it makes system call
    #include <unistd.h>
    int f(int a) { return a; }
    int f(int a) { char b; read(0, &b, 1); return a; }
    f(1);
""",
    3,
)


@pytest.mark.parametrize("case", DIFFERENT)
def test_a_difference_is_told_in_words(compare, case):
    told, before, texts = DIFFERENT[case]
    assert told in compare(*texts, f"{PAIR}\n{before}").difference_agreement_or_not_applicable_line


# Blocks of eight bytes lie side by side, as jemalloc's do.
ALIKE = read_cases(
    r"""
small blocks in another order: same on 1 call
    #include <stdint.h>
    #include <sys/mman.h>
    #define ROOM ((uint64_t *)0x10000000)
    void *je_malloc(size_t size) { return &ROOM[++*ROOM]; }
    size_t je_malloc_usable_size(void *block) { return 8; }
    void *__wrap_je_malloc(size_t);
    struct two { long *first, *second; };
    void f(struct two *p) { p->first = __wrap_je_malloc(8); p->second = __wrap_je_malloc(8); *p->first = 1;
        *p->second = 2; }
    void f(struct two *p) { p->second = __wrap_je_malloc(8); p->first = __wrap_je_malloc(8); *p->first = 1;
        *p->second = 2; }
    mmap(ROOM, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); struct two p; f(&p);
an address among bytes: same on 1 call
    unsigned char *f(void) { long *a = malloc(8), *b = malloc(8); *a = *b = 1; unsigned char *p = malloc(24);
        memset(p, 1, 24); memcpy(p + 8, &a, 8); return p; }
    unsigned char *f(void) { long *a = malloc(8), *b = malloc(8); *a = *b = 1; unsigned char *p = malloc(24);
        memset(p, 1, 24); memcpy(p + 8, &b, 8); return p; }
    f();
room that a string has left: same on 1 call
    char *make(int size, int room) { unsigned char *b = malloc(43); b[0] = size; b[1] = room; b[2] = 0;
    memset(b + 3, 'x', 9); b[12] = 0; return (char *)b + 3; }
    char *f(int a) { return make(a, 9); }
    char *f(int a) { return make(a, 20); }
    f(9);
other words: same on 2 calls
    int f(int a) { return a * 2; }
    int f(int b) { int c = b; c += b; return c; }
    f(1); f(9);
a table of constants is no state: same on 2 calls
    int f(int a) { static const int n[] = {1, 2}; return n[a]; }
    int f(int a) { return a + 1; }
    f(0); f(1);
a function above that calls it: same on 3 calls
    int f(int a); static int g(int a) { return f(a); }
    int f(int a) { return a ? f(0) : 4; }
    int f(int a) { return 4; }
    f(0); g(1);
it calls itself: same on 3 calls
    int f(int a) { return a ? f(a - 1) + 1 : 0; }
    int f(int a) { int n = 0; while (a--) n++; return n; }
    f(2);
memory from other places: same on 1 call
    struct pair *f(void) { struct pair *a = calloc(1, sizeof *a); a->next = calloc(1, sizeof *a); return a; }
    struct pair *f(void) { char *t = malloc(99); struct pair *b = calloc(1, sizeof *b), *a = calloc(1, sizeof *a);
        a->next = b; free(t); return a; }
    f();
padding, and memory that nobody sets: same on 1 call
    struct pair *f(void) { struct pair *a = malloc(sizeof *a); a->next = 0; return a; }
    struct pair *f(void) { struct pair *a = malloc(sizeof *a); memset(a, 1, 4); a->next = 0; return a; }
    f();
a clock: same on 1 call
    #include <time.h>
    void f(struct timespec *t) { clock_gettime(CLOCK_REALTIME, t); }
    void f(struct timespec *when) { clock_gettime(CLOCK_REALTIME, when); }
    struct timespec t; f(&t);
a signal's handler that changes a variable: same on 20 calls
    #include <signal.h>
    #include <sys/time.h>
    int ticks; static void tick(int s) { ticks++; }
    int f(int a) { return a; }
    int f(int a) { return a + 0; }
    signal(SIGALRM, tick); struct itimerval soon = {{0, 500}, {0, 500}}; setitimer(ITIMER_REAL, &soon, 0); for (int
        i = 0; i < 20; i++) f(i);
its own name: same on 1 call
    const char *f(void) { return __func__; }
    const char *f(void) { return (__func__); }
    f();
errno that the gold leaves: same on 1 call
    #include <errno.h>
    int f(int a) { return a; }
    int f(int a) { errno = 3; return a; }
    f(1);
""",
    3,
)
ALIKE["a helper and a macro beside"] = Case(
    "same on 1 call",
    "",
    [
        "int f(int a) { return a + 1; }",
        "#define return_ return\nstatic int more(int a) { return a + 1; }\nint f(int a) { return_ more(a); }",
        "f(1);",
    ],
)


@pytest.mark.parametrize("case", ALIKE)
def test_what_nobody_could_tell_is_no_difference(compare, case):
    told, before, texts = ALIKE[case]
    found = compare(*texts, f"{PAIR}\n{before}")
    assert (found.difference_agreement_or_not_applicable_line, found.left) == (told, {})


LEFT = read_cases(
    r"""
a long jump: it leaves by a long jump
    #include <setjmp.h>
    static jmp_buf place;
    void f(int a) { longjmp(place, a); }
    if (!setjmp(place)) f(1);
an input: it does input or output (read)
    #include <unistd.h>
    void f(char *a) { read(0, a, 0); }
    char b; f(&b);
a thread: it starts a thread or a process
    #include <pthread.h>
    static void *g(void *a) { return a; }
    void f(int a) { pthread_t t; if (!pthread_create(&t, 0, g, 0)) pthread_join(t, 0); }
    f(1);
""",
    2,
)


@pytest.mark.parametrize("case", LEFT)
def test_what_can_not_run_twice_is_left_out_with_a_word(compare, case):
    words, before, (gold, calls) = LEFT[case]
    found = compare(gold, gold, calls, before)
    assert (found.same, found.differs) == (0, ())
    assert found.difference_agreement_or_not_applicable_line.startswith("not applicable: " + words)


def test_the_program_itself_goes_on_with_the_gold(compare):
    """A candidate's effects never reach the program, and no output is made twice."""
    gold = "void f(int *a) { *a += 1; }"
    found = compare(gold, "void f(int *a) { *a += 2; abort(); }", "int x = 0; f(&x); f(&x); if (x != 2) return 9;")
    assert len(found.differs) == 1


def test_two_inline_bodies_are_not_applicable(compare):
    gold = "inline int f(void) { return 0; }"
    with pytest.raises(NotApplicableError, match="inline and not static"):
        compare(gold, gold, "f();")


def test_a_body_without_its_function_can_not_stand_beside_another():
    assert (
        explain_body_unusable_beside_others("int g(void) { return 0; }", "f")
        == "its definition can't be found in the text"
    )


@pytest.mark.parametrize(
    ("body", "keeps"),
    [
        ("static int n; return n;", True),
        ("thread_local int n; return n;", True),
        ('static const char *rest; if (!rest) rest = "abc"; return *rest++;', True),
        ("static const char *names[2]; names[a] = g(a); return 0;", True),
        ("static const char *rest = 0; return g(&rest);", True),
        ('static const char *names[] = {"a", "b"}; int rest = a == 1; return names[rest][0];', False),
        ('static const char *const text = "a"; return text[a] == text[0];', False),
        ('static const char *text = "a"; return text[a] == text[0];', False),
    ],
)
def test_a_static_variable_that_changes_lies_in_one_body_alone(body, keeps):
    """A gold with such a pointer differed from itself: the program's own is another than that of the forks."""
    why = explain_body_unusable_beside_others(f"int f(int a) {{ {body} }}", "f")
    assert why == ("it keeps a static variable of its own" if keeps else "")


@pytest.mark.parametrize(
    ("above", "keeps"),
    [
        ("static int g(int a);\nstatic int h(int a) { return g(a); }\nstatic int g(int a) { return a; }", False),
        ("static const int n[] = {1};", False),
        ("static int n;", True),
        ("static int g(int a) { static int n(1); return n++; }", True),
    ],
)
def test_of_what_stands_above_a_body_a_variable_alone_is_kept(above, keeps):
    """Two helpers were taken for variables, and a variable above wasn't seen."""
    why = explain_body_unusable_beside_others(f"{above}\nstatic int f(int a) {{ return a; }}", "f")
    assert why == ("it keeps a static variable of its own" if keeps else "")


def test_helpers_of_one_name_stay_apart(compare):
    """The second of them didn't compile beside the first, which took the comparison from all bodies."""
    help_ = "enum how {{ MORE = {0} }};\nstatic int help(int a) {{ return a + MORE; }}\n"
    right, wrong = (help_.format(more) + "int f(int a) { return help(a); }" for more in (1, 2))
    gold = "int f(int a) { return a + 1; }"
    assert (
        compare(gold, right, "f(3);", others=[wrong]).difference_agreement_or_not_applicable_line == "same on 1 call"
    )
    assert "was 4, is 5" in compare(gold, wrong, "f(3);", others=[right]).difference_agreement_or_not_applicable_line


def test_more_candidates_than_the_runtime_has_room_for_are_compared_in_turn(monkeypatch, tmp_path):
    """With 25 and more the program ended by a signal, and a wrong one was called the same."""
    most = comparing.MOST_AT_ONCE
    assert f"#define MOST_CANDIDATES {most}\n" in (RUNTIME / "graft.h").read_text()
    asked = []

    def compare_some(image, task, candidates, backend, suites, folder):
        asked.append((len(candidates), folder))
        return tuple(Differential(int(text)) for text in candidates)

    monkeypatch.setattr(comparing, "_compare_in_one_session", compare_some)
    found = comparing.compare_with_gold(None, None, [str(n) for n in range(most + 2)], None, (), tmp_path)
    assert [comparison.same for comparison in found] == list(range(most + 2))
    assert asked == [(most, tmp_path), (2, tmp_path / f"from-{most}")]


def test_only_a_header_is_without_variables():
    """All of redis was compared without them when a source file was taken for a header."""
    assert [is_header(path) for path in ("src/a.c", "src/a.cpp", "src/a.h", "b/c.inl")] == [False, False, True, True]


def test_constants_are_what_the_body_names():
    body = "char c = g(a); return a & KEEP || p->q == one || c == 'x' || LOG(\"7\", 0x1fL) || X (2.5);"
    assert find_constants_and_compared_names(f"int f(int a) {{ {body} }}", ("a",)) == ("'x'", "0x1fL", "KEEP", "one")
