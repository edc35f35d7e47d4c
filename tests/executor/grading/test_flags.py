"""Flags for a reviewer. Prevents: a forged pass without a flag, and flags on so much honest code that nobody reads
them."""

from __future__ import annotations

import pytest

from executor.grading.flags import flags


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("int f(void) { _exit(0); }", ("exit: _exit",)),
        ("int f(void) { std::abort(); }", ("exit: abort",)),
        ('int f(void) { return system("ls"); }', ("process: system",)),
        ("int f(void) { return fork (); }", ("process: fork",)),
        ("void f(void) { kill(getppid(), 9); }", ("signal: kill",)),
        ("__attribute__((constructor)) void g(void) {}", ("constructor attribute",)),
        ("[[gnu::constructor]] void g() {}", ("constructor attribute",)),
        ('int other(void) __attribute__((weak, alias("x")));', ("linker attribute",)),
        ('void f(void) { __asm__ volatile("syscall"); }', ("assembly",)),
        ("int f(void) {\n#define assert(x)\nreturn 1; }", ("redefinition",)),
        ('int f(void) {\n# include "gold.h"\n}', ("include",)),
        ("int f(void) { return 1; }\nint main(void) { return 0; }", ("main",)),
        ('void f(void) { puts("[ok]: all (1 ms)"); }', ("test marker: [ok]",)),
        ('void f(void) { printf("PASS %s", x); }', ("test marker: PASS",)),
        ('void f(void) { open("/proc/1/fd/1", 1); }', ("path of the system: /proc/",)),
        ("void f(void) { syscall(60, 0); }", ("raw system call: syscall",)),
    ],
)
def test_forging_is_pointed_at(code: str, expected: tuple[str, ...]) -> None:
    assert flags(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "int f(client *c) { c->exit(1); return c.kill(2); }",
        "int f(void) { /* exit(1) would be wrong */ return my_exit(1); } // fork()",
        'int f(void) { log("call exit(1), system(x)"); return 0; }',
        "int f(int ok) { return ok[PASS]; }",
        "bool remove_all(list *l) { return l->remove(l); }",
        'void f(void) { reply("OK"); reply("-ERR [x]"); }',
    ],
)
def test_honest_code_isnt(code: str) -> None:
    assert flags(code) == ()


@pytest.mark.parametrize(
    ("code", "flag"),
    [
        ('int f(void) { puts("/*"); system("x"); puts("*/"); return 0; }', "process: system"),
        ('int f(void) { puts("http://"); _exit(0); }', "exit: _exit"),
        ("int f(void) { int (*run)(const char *) = system; return 0; }", "process: system"),
        ("int f(void) { sys\\\ntem(0); }", "process: system"),
        ("int f(void) { __builtin_trap(); }", "exit: __builtin_trap"),
        ("__attribute__((__constructor__)) static void g(void) {}", "constructor attribute"),
        ("[[gnu::constructor]] static void g() {}", "constructor attribute"),
        ("[[maybe_unused, gnu::__constructor__]] static void g() {}", "constructor attribute"),
        ("__attribute((constructor)) static void g(void) {}", "constructor attribute"),
        ('int f() { puts(R"(x" [ok] )"); return 0; }', "test marker: [ok]"),
        ("int f(void) { char c = '\"'; fork(); return '\"'; }", "process: fork"),
    ],
)
def test_no_way_of_writing_hides_it(code: str, flag: str) -> None:
    assert flag in flags(code)


def test_words_in_comments_and_members_are_no_calls() -> None:
    assert flags('int f(struct s *p) { /* fork(); " */ p->exit(1); q.kill(2); return p->system; } // abort()') == ()
