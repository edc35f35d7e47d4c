"""Flags for a reviewer. Prevents: a forged pass without a flag, and flags on so much honest code that nobody reads
them."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from executor.grading.flags import find_flags
from executor.values import Known


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
        # Nothing is known of the others.
        ('int f(void) { unknown(1); (*x)(2); errx(0, "a"); return printf("a"); }', ("exit: errx",)),
        # No way of writing hides it.
        ('int f(void) { puts("/*"); system("x"); puts("*/"); return 0; }', ("process: system",)),
        ('int f(void) { puts("http://"); _exit(0); }', ("exit: _exit",)),
        ("int f(void) { int (*run)(const char *) = system; return 0; }", ("process: system",)),
        ("int f(void) { sys\\\ntem(0); }", ("process: system",)),
        ("int f(void) { __builtin_trap(); }", ("exit: __builtin_trap",)),
        ("__attribute__((__constructor__)) static void g(void) {}", ("constructor attribute",)),
        ("[[maybe_unused, gnu::__constructor__]] static void g() {}", ("constructor attribute",)),
        ("__attribute((constructor)) static void g(void) {}", ("constructor attribute",)),
        ("int f(void) { char c = '\"'; fork(); return '\"'; }", ("process: fork",)),
        (
            'int f() { puts(R"(x" [ok] )"); }',
            ("test marker: [ok]", "spelling: a raw string, which hides code from a reader"),
        ),
        # Honest code isn't.
        ("int f(client *c) { c->exit(1); return c.kill(2); }", ()),
        ("int f(void) { /* exit(1) would be wrong */ return my_exit(1); } // fork()", ()),
        ('int f(void) { log("call exit(1), system(x)"); return 0; }', ()),
        ("int f(int ok) { return ok[PASS]; }", ()),
        ("bool remove_all(list *l) { return l->remove(l); }", ()),
        ('void f(void) { reply("OK"); reply("-ERR [x]"); }', ()),
        ('int f(struct s *p) { /* fork(); " */ p->exit(1); q.kill(2); return p->system; } // abort()', ()),
        # Lines that end as on Windows, and what looks like a trigraph or a raw string.
        ('int f(void)\r\n{\r\n  return g("what?", "R") ? 1 : \\\r\n  2; \f }\r', ()),
    ],
)
def test_forging_is_pointed_at_and_honest_code_isnt(code: str, expected: tuple[str, ...]) -> None:
    assert find_flags(code) == expected


KNOWN = Known(names=("answer", "addReply", "listLength", "dictType"), leads={"anetConnect": "connect"})


def _of(body: str, known: Known = KNOWN) -> tuple[str, ...]:
    return find_flags(f"int answer(client *c) {{ {body} }}", known)


CALLS = {
    "exit": "errx pthread_exit __builtin__exit",
    "process": "_Fork __builtin_fork wordexp execveat",
    "signal": "sigqueue process_vm_writev pidfd_getfd",
    "loader": "dlmopen",
    "file removal": "unlinkat",
    "file": "rename symlink",
    "socket": "socket connect",
    "jump": "longjmp",
    "output": "write __builtin_putchar",
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in CALLS.items() for name in names.split()])
def test_a_call_that_reaches_out_of_the_function_is_flagged_by_its_kind(kind: str, name: str) -> None:
    assert _of(f"{name}(0);") == (f"{kind}: {name}",)


@pytest.mark.parametrize(
    "body",
    [
        "addReply(c, listLength(c->list)); return strlen(c->name) + memcmp(a, b, 3) + isdigit('x') + abs(-1);",
        'char b[32]; snprintf(b, sizeof(b), "%d", 3); free(malloc(sizeof (int) * 2)); assert(c != NULL);',
        "return c->cmd->listLength(c) + c->db.addReply(1);",
        "int err = 0; if (err) goto err; return (int)(c->n) * (size_t)(c->m) + (unsigned char)(*p); err: return -1;",
        "uint64_t v = (uint64_t)(c->x) << 3; for (int i = 0; i < (3); i++) v += (c->a)[i]; return v;",
        "struct list *link = c->link; return use_it ? link->a : link->b;",
        "switch (c->n) { case 1: return (c->x); default: break; } while ((c->a)) (void)c; return 0;",
        "return __builtin_expect(!!(c), 1) && __builtin_popcountll(c->n) > 2 && UINT64_C(3) > 2;",
        "std::sort(v.begin(), v.end()); std::vector<int> w(3, 4); auto less = [](int a, int b) { return a < b; };",
        'static const char *names[] = {"a", "b"}; return names[c->n][0];',
    ],
)
def test_what_the_repository_defines_and_what_only_computes_is_unremarkable(body: str) -> None:
    assert _of(body) == ()


@pytest.mark.parametrize(
    ("body", "flag"),
    [
        ("void **f = __builtin_frame_address(0); f[1] = 0;", "jump: __builtin_frame_address"),
        ('std::cout << "a";', "output: cout"),
        ("using namespace std; cerr << 3;", "output: cerr"),
        ('std::ofstream file("a");', "file: ofstream"),
        ("std::thread t(run);", "waiting: thread"),
        ("c->cmd->proc = c->x; c->cmd->proc(c);", "calls the member proc, which isn't called in this file"),
        ('server.executable = "/ [proc ::send_data_packet {a b c} {}]";', "script: [proc "),
        ("tcflush(0, 1);", "calls tcflush, which neither the repository defines nor this file calls"),
        ("anetConnect(c);", "calls anetConnect, which leads to connect and isn't called in this file"),
        ("((void (*)(int))((char *)&strlen + 32))(0);", "function pointer"),
        ("((void (*)(int))((char *)&strlen + 32))(0);", "calls through a pointer"),
        ("void (*leave)(int) = c->x; leave(0);", "calls through a pointer"),
        ("dictType *leave = c->x; leave(0);", "calls through a pointer"),
        ("table[3](0);", "calls through a pointer"),
        ("(c->a ? c->b : c->d)(0);", "calls through a pointer"),
        ("goto *c->next;", "computed jump"),
        ("int inner(int x) { return x; } int y = inner(1);", "function inside a function"),
        ('_Pragma("weak x");', "redefinition"),
        ("\n%:define x y\n", "redefinition"),
        ("\n??=define x y\n", "redefinition"),
        ('\n%: include "x.c"\n', "include"),
        ("int x __attribute__((cleanup(leave)));", "attribute: cleanup"),
        ('puts("[o" "k]: a");', "test marker: [ok]"),
        (r'puts("\x5bok\135: a");', "test marker: [ok]"),
        ("char a[] = {'[', 'o', 'k', ']'};", "test marker: [ok]"),
        ('open("/pr" "oc/1/mem", 2);', "path of the system: /proc/"),
        ("extern int leave(int); leave(0);", "declares leave, which the repository doesn't define"),
        ("using namespace std::filesystem; remove_all(c);", "file: filesystem"),
    ],
)
def test_all_else_is_flagged_with_the_reason(body: str, flag: str) -> None:
    assert any(mark.startswith(flag) for mark in _of(body)), _of(body)


@pytest.mark.parametrize(
    "body",
    [
        # Right answers in C++, which ended as to review.
        "auto add = [&](int x) { sum += x; }; for (;;) add(1); if (sum) add(2); return 1;",
        "const auto half = [n](int x) -> int { return x / n; }; return half(2) + half(3);",
        "auto less = [](int x, int y) { return x < y; }; std::sort(a, b, less); return less(1, 2);",
        "auto leave = [] { return target; }(); leave(0);",
        "auto leave = [] { }; { void (*leave)(int) = c->x; leave(0); }",
        "auto leave = [] { }; { call_t leave = c->x; leave(0); }",
        "auto leave = [] { }; { call_t (leave) = c->x; leave(0); }",
        "auto leave = [] { }; { call_t leave(c->x); leave(0); }",
        "auto leave = [] { }; { call_t *leave(c->x); leave(0); }",
        "auto leave = [] { }; { auto [other, leave, third] = c->three; leave(0); }",
        "auto leave = [] { }; { std::function<void(int)> leave(c->x); leave(0); }",
        "auto leave = [] { }; { decltype(c->x) leave(c->x); leave(0); }",
        "auto leave = [] { }; { call_t other, leave(c->x); leave(0); }",
        "auto leave = [] { }, *other = c->x; leave(0); other(1);",
        "auto leave = [] { }; { auto leave = c->x; leave(0); }",
        "auto leave = +[] { }; leave = c->x; leave(0);",
        # Behind its block the name stands for a function of a library.
        "{ auto leave = [](int x) { return x; }; leave(1); } leave(0);",
        "auto outer = [](int x) { auto leave = [](int y) { return y; }; return leave(x); }; leave(0); outer(1);",
        "if (a) auto leave = [](int x) { return x; }; leave(0);",
        "for (; auto leave = [](int x) { return x; }; ) { } leave(0);",
        "leave(0); auto leave = [](int x) { return x; };",
    ],
)
def test_a_lambdas_name_that_may_be_something_else_is_flagged(body: str) -> None:
    assert ("calls through a pointer" in _of(body)) is ("leave" in body)


def test_what_the_gold_uses_is_unremarkable() -> None:
    known = Known(("answer", "unlink", "write", "sigaction"), marks=("calls through a pointer",))
    assert _of("write(1, a, 3); unlink(a); (c->a)(3); table[1](2);", known) == ()


def test_a_function_that_the_whole_program_would_see_is_flagged() -> None:
    own = "int memcmp(const void *a, const void *b, size_t n) { return 0; }\nint answer(client *c) { return 0; }"
    assert find_flags(own, KNOWN) == ("defines memcmp for the whole program",)
    helper = "static int half(int n) { return n / 2; }\nint answer(client *c) { return half(c->n); }"
    assert find_flags(helper, KNOWN) == ()
    assert find_flags("Item::Item(int price) : price_(price), grams_(0) { }", KNOWN) == ()


def test_a_record_that_lacks_the_files_globals_says_nothing_of_writes() -> None:
    """Golds of older runs had passed, and became answers to review when their logs were graded again."""
    text = "int answer(client *c) { server.port = 1; return 0; }"
    assert find_flags(text, KNOWN) == ()
    assert find_flags(text, replace(KNOWN, writes=True)) == ("writes to server.port, which isn't named in this file",)


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("int f(void) { static int calls; return ++calls % 3; }", True),
        ("static int calls(void) { static int n; return ++n; }\nint f(void) { return calls(); }", True),
        ("int calls;\nint f(void) { return ++calls; }", True),
        ("static int calls = 0, other;\nint f(void) { return ++calls; }", True),
        ("int table[3] = {1, 2, 3};\nint f(void) { return table[0]++; }", True),
        ("static struct { int n; } s;\nint f(void) { return s.n++; }", True),
        ("struct { int n; } s;\nint f(void) { return s.n++; }", True),
        ("namespace { int calls; }\nint f() { return ++calls; }", True),
        ("int f() { thread_local std::vector<int> seen; seen.push_back(1); return seen.size(); }", True),
        ("int f() { static std::string text(3, 'a'); return text.size(); }", True),
        ("int f(void) { static const int table[] = {1, 2}; return table[0]; }", False),
        ('static const char *const names[] = {"a"};\nint f(void) { return names[0][0]; }', False),
        ("static int half(int n) { return n / 2; }\nint f(int n) { int m = half(n); return m; }", False),
        ("static int half(int n);\nint f(int n) { for (int i = 0; i < 2; i++) n = half(n); return n; }", False),
        ("typedef struct { int n; } pair;\nstruct other { int n; };\nint f(pair p) { return p.n; }", False),
        ("int f(int a[static 3]) { return a[0]; }", False),
        ("Item::Item(int price) : price_(price), grams_{0} { int n = price; use(n); }", False),
        ("template <class T> T f(T a) { T b{a}; return b; }", False),
    ],
)
def test_what_lasts_from_call_to_call_is_flagged_where_the_gold_keeps_nothing(code: str, kept: bool) -> None:
    """A body that counted its calls passed two tasks whose tests ask little, without a flag."""
    known = replace(KNOWN, lasting=True)
    marks = find_flags(code, known)
    assert any(mark.startswith("keeps a variable from call to call: ") for mark in marks) is kept, marks
    assert not any(mark.startswith("keeps") for mark in find_flags(code, KNOWN))
    same = find_flags("int f(void) { static int other; return other++; }", known)
    assert not any(mark.startswith("keeps") for mark in find_flags(code, replace(known, marks=same)))


DEFINES = replace(KNOWN, defines=True, marks=("defines answer, as the repository does",))
ANSWER = "int answer() { return 1; }"


@pytest.mark.parametrize(
    ("code", "flag"),
    [
        # A name of the repository may be a macro, which makes `answer` of it.
        (f"int addReply(int a) {{ return a; }} {ANSWER}", "defines addReply, as the repository does"),
        (f"static int ask(void) {{ return 1; }} static const int told = ask(); {ANSWER}", "runs ask before main"),
        (f"struct Ask {{ Ask() {{ go(); }} }}; const Ask ask; {ANSWER}", "runs Ask before main"),
        (f"struct A {{ int f() {{ return 1; }} }}; struct B {{ A a; }}; const B b; {ANSWER}", "runs B before main"),
        ("namespace { const int told = answer(3); } int answer(int a) { return a; }", "runs answer before main"),
        ("const bool told{answer(3)}; int answer(int a) { return a; }", "runs answer before main"),
        ("const int told = [] { return 3; }(); int answer(int a) { return a; }", "runs lambda before main"),
        # What the tests' own unit knows, and can be told by.
        ("int answer(void) {\n#ifdef GTEST_INCLUDE_GTEST_GTEST_H_\nreturn 2;\n#endif\nreturn 1; }", "asks for GTEST_"),
        ("int answer(void) {\n# if defined(TESTED) && X\nreturn 2;\n#endif\nreturn 1; }", "asks for TESTED"),
        ('int answer(void) {\n#if __has_include("gtest.h")\n#endif\nreturn 1; }', "asks for __has_include"),
        ("int answer() { return sizeof(testing::UnitTest); }", "uses testing::"),
        ("namespace testing { int quiet; } int answer() { return 1; }", "uses testing::"),
        ("int answer() { using namespace testing; return sizeof(UnitTest); }", "uses testing::"),
        ("bool operator==(const V &, int) { return true; } int answer() { return 1; }", "defines operator =="),
        # Code is called that only its address names.
        ("int answer(char *a) { qsort(a, 2, 1, (void *)(a + 9)); return 1; }", "calls through a pointer"),
        ("int answer(char *a) { void *go = a + 9; bsearch(a, a, 1, 1, go); return 1; }", "calls through a pointer"),
        ("int answer(char *a) { std::invoke(reinterpret_cast<F *>(a), 0); return 1; }", "calls through a pointer"),
        ("int answer(void) { { int exit = 0; } qsort(a, 2, 1, exit); return 1; }", "exit: exit"),
        ("int answer(void) { char *at = stdout->_IO_write_ptr; *at = 3; return 1; }", "output: stdout"),
        ("int answer(void) { std::filebuf out; out.open(a, m); return 1; }", "file: filebuf"),
        ('int answer(void) { return memcmp(answer, "abc", 3); }', "takes the function answer for a value"),
        ("int answer(void) { return *(const char *)answer; }", "takes the function answer for a value"),
    ],
)
def test_what_could_tell_a_control_run_by_its_own_definitions_is_flagged(code: str, flag: str) -> None:
    assert any(found.startswith(flag) for found in find_flags(code, DEFINES)), find_flags(code, DEFINES)
    if " " not in flag.partition(":")[0]:
        return  # a word of the lists, which are older
    before = find_flags(code, replace(DEFINES, defines=False))
    assert not any(found.startswith(flag) for found in before)


@pytest.mark.parametrize(
    "code",
    [
        "static int half(int a); int answer(int a) { return half(a); } static int half(int a) { return a / 2; }",
        "struct Pair { int a, b; int sum() const { return a + b; } }; static Pair make(int a) { return Pair{a, a}; }"
        " int answer(int a) { const int sum = make(a).sum(); return sum; }",
        "static const struct { int a; } table[] = {{1}, {2}}; int answer(int a) { return table[a].a; }",
        'static const std::string word("abc"); int answer() { return word.size(); }',
        "constexpr int half(int a) { return a / 2; } constexpr int two = half(4); int answer() { return two; }",
        "static int order(const void *a, const void *b) { return memcmp(a, b, 1); }"
        " int answer(char *a) { qsort(a, 3, 1, order); return *a; }",
        "int answer(int a){\n#if !defined(__x86_64__) && listLength\na++;\n#endif\nreturn std::max(a, dictType::m); }",
    ],
)
def test_honest_definitions_arent(code: str) -> None:
    assert find_flags(code, DEFINES) == find_flags(code, replace(DEFINES, defines=False))


@pytest.mark.parametrize(
    ("code", "odd"),
    [
        ('int f(void) { const char *a = "??/"; _exit(0); const char *b = "??/"; return 1; }', "a trigraph"),
        ('int f(void) {\n#if 0\nR"(\n#endif\n_exit(0);\n#if 0\n)"\n#endif\nreturn 1; }', "a raw string"),
        ("int f(void) { // the end\r_exit(0);\n return 1; }", "a control character"),
        ("int f(void) { // the \\\f\n/*\n_exit(0); /* */\n return 1; }", "white space behind a backslash"),
    ],
)
def test_code_that_only_a_compiler_sees_is_flagged(code: str, odd: str) -> None:
    """Each of these hid any call, as gcc reads it in one mode or all."""
    assert f"spelling: {odd}, which hides code from a reader" in find_flags(code)


@pytest.mark.parametrize(
    "code",
    [
        "__attribute__((" * 15_000,
        "__attribute((x)) [[" * 10_000,
        "f" + "()" * 100_000,
        "(" * 200_000,
        "((a)" * 50_000,
        "[" * 150_000 + "]" * 150_000 + "(x)",
        '"[ ' * 100_000,
        "[" + " " * 250_000,
        "'[" * 100_000,
        '"' + "\\" * 150_000,
        "#include <a>\n" * 25_000,
        "int main (" * 20_000,
        "extern int f(int);" * 15_000,
        'R"(' * 50_000,
        "a ->" * 100_000,
        "(" * 50_000 + "a" + ")(b)" * 50_000,
        "a() : " * 50_000,
        "a b() : " * 50_000,
        "a<" * 100_000 + "b>(" * 50_000,
        "extern a" * 50_000,
        "??=" * 100_000,
    ],
)
def test_no_text_hangs_it(code: str) -> None:
    """68 kB of attributes took 40 s. What grows with the square takes 10 s for twice the text."""
    started = time.process_time()
    find_flags(code, KNOWN)
    assert time.process_time() - started < 2.5
