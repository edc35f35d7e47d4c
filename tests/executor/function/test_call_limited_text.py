"""Prevents: an answer whose text doesn't take the change `after-N` and so goes without a control; a change that
strikes another function than the task's; one that takes forever on a hostile text."""

from __future__ import annotations

import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from executor.function.call_limited_text import (
    insert_declarations_marking_calls_internal,
    make_secret_identifier_prefix,
    make_text_stubbed_after_calls,
)
from index.errors import TaskError
from index.values import Language, Span, Target

GOLD = "int count(int size, int most)\n{\n    return size + most;\n}\n"
C = {
    "plain": GOLD,
    "helpers before and behind": (
        "static int half(int count) { return count / 2; }\nstatic int twice(int x);\n"
        "int count(int size, int most)\n{\n    return twice(half(size)) + most;\n}\n"
        "static int twice(int x) { int count = x * 2; return count; }\n"
    ),
    "old definition": "int count(size, most)\nint size, most;\n{\n    return size + most;\n}\n",
    "prototype first": "int count(int, int);\nint count(int size, int most) { return size + most; }",
    "dead definition": f"#if 0\nint count(int size, int most) {{ return 9; }}\n#endif\n{GOLD}",
    "two heads, one body": (
        "#ifdef OTHER\nint count(long size, int most)\n#else\nint count(int size, int most)\n#endif\n"
        "{ return size + most; }"
    ),
    "two heads, two braces": (
        "#ifdef OTHER\nint count(long size, int most) {\n    size++;\n#else\nint count(int size, int most) {\n#endif\n"
        "    return size + most;\n}"
    ),
    "two bodies": f"#ifdef OTHER\n{GOLD}#else\n{GOLD}#endif\n",
    "condition inside": "int count(int size, int most)\n{\n#ifdef OTHER\n    if (size) {\n#else\n    {\n#endif\n"
    "    return size + most; }\n}\n",
    "attributes": "__attribute__((noinline)) int __attribute__((cold)) count(int size, int most)"
    " { return size + most; }",
    "name in brackets": "int (count)(int size, int most) { return size + most; }",
    "macros around": "#define API(type) type\n#define BODY return size + most\n"
    "API(int) count(int size, int most) { BODY; }",
    "return type by a macro": "#define RESULT int\nRESULT count(int size, int most) { return size + most; }",
    "typeof": "__typeof__(1 + 1) count(int size, int most) { return size + most; }",
    "our name": "int count(int size, int most) { int graft_calls_ = size, graft_calls_gone = most;"
    " return graft_calls_ + graft_calls_gone; }",
    "statement before declarations": "int count(int size, int most) { int sum = size; { sum += most; } return sum; }",
    "struct of that name": "struct count { int count; };\nint count(int size, int most)"
    " { struct count it = { .count = size }; return it.count + most; }",
    "comments and strings": "/* int count(int a) { */ int count(int size, int most) // {\n"
    '{ return "{"[0] - 123 + size + most; }',
}
CPP = {
    "template": (
        "template<class T> T add(T a, T b) { return a + b; }",
        "template<typename Other>\nOther add(Other a, Other b) { return b + a; }",
        "add",
        'printf("%d;", add<int>(2, 3));',
        "5;5;0;0;",
    ),
    "method with a class for a value": (
        "Vector Vector::operator+(const Vector &other) const { return Vector(x + other.x); }",
        "Vector Vector::operator + (const Vector &rhs) const\n{\n    const Vector sum(x + rhs.x);\n    return sum;\n}",
        "ns::Vector::operator+",
        'printf("%d;", (Vector(2) + Vector(3)).x);',
        "5;5;0;0;",
    ),
    "constructor": (
        "Vector::Vector(int first, int second) : x(first), y{0} { x += second; }",
        "Vector::Vector(int a, int b)\n    : x{a}, y(int{0})\n{\n    x = x + b;\n}",
        "ns::Vector::Vector",
        'printf("%d;", Vector(2, 3).x);',
        "5;5;2;2;",
    ),
    "reference": (
        "Vector &Vector::operator+=(int by) { x += by; return *this; }",
        "auto Vector::operator+=(int by) -> Vector & { x = x + by; return *this; }",
        "ns::Vector::operator+=",
        'Vector v(1); v += 4; printf("%d;", v.x);',
        "5;5;1;1;",
    ),
    "own namespace for a helper": (
        "int Vector::sum() const { return x + y; }",
        "namespace { int plus(int a, int b) { return a + b; } }\nint Vector::sum() const noexcept(true)"
        " { auto f = [this]() { return plus(x, y); }; return f(); }",
        "ns::Vector::sum",
        'printf("%d;", Vector(5).sum());',
        "5;5;0;0;",
    ),
}
VECTOR = (
    "#include <stdio.h>\nstruct Vector { int x, y; Vector() : x(0), y(0) {} explicit Vector(int a) : x(a), y(0) {}\n"
    "Vector(int a, int b); Vector operator+(const Vector &) const; Vector &operator+=(int);\n"
    "int sum() const noexcept(true); };\n"
)


def _target(name: str, language: Language) -> Target:
    return Target("", "a.c", Span(1, 4), name, "", "", language)


def _limit(code: str, calls: int, gold: str = GOLD, name: str = "count") -> str:
    return make_text_stubbed_after_calls(code, _target(name, "c" if gold == GOLD else "cpp"), calls, gold, "word")


def _output(compiler: str, text: str, folder: Path, *flags: str) -> str:
    source, program = folder / "a.txt", folder / "a"
    source.write_text(text)
    command = [*compiler.split(), "-Wall", "-Werror", *flags, "-o", str(program), str(source)]
    subprocess.run(command, check=True)
    return subprocess.run([program], capture_output=True, check=True, text=True).stdout


def test_a_body_in_c_wears_out_whatever_stands_around_it(tmp_path: Path) -> None:
    """All of them in one program, each in a file's scope of its own name."""
    parts, expected = ["#include <stdio.h>"], ""
    for number, code in enumerate(C.values()):
        text = _limit(code, 2)
        assert text.count("\n") == code.count("\n"), code
        # One translation unit: each case's names are its own.
        names = " ".join(f"\n#define {name} {name}{number}" for name in ("count", "half", "twice"))
        gone = " ".join(f"\n#undef {name}" for name in ("count", "half", "twice", "API", "BODY", "RESULT"))
        parts.append(f"{names}\n{text}\n{gone}\n")
        shown = f'printf("%d;", count{number}(8, 4));'
        parts.append(f"static void show{number}(void) {{ for (int n = 0; n < 4; n++) {shown} }}")
        expected += "12;12;0;0;"
    calls = " ".join(f"show{number}();" for number in range(len(C)))
    text = "\n".join([*parts, f"int main(void) {{ {calls} return 0; }}"])
    flags = ("-std=gnu99", "-Wextra", "-Wdeclaration-after-statement", "-Wno-old-style-definition")
    assert _output("cc -x c", text, tmp_path, *flags) == expected


def test_a_body_in_cpp_wears_out(tmp_path: Path) -> None:
    parts, expected = [VECTOR], ""
    for number, (gold, code, name, statement, shown) in enumerate(CPP.values()):
        parts.append(_limit(code, 2, gold, name))
        parts.append(f"static void show{number}() {{ for (int n = 0; n < 4; n++) {{ {statement} }} }}")
        expected += shown
    calls = " ".join(f"show{number}();" for number in range(len(CPP)))
    assert _output("c++ -x c++", "\n".join([*parts, f"int main() {{ {calls} }}"]), tmp_path) == expected


MAKER = "Vector::Vector(int first, int second) : x(first), y{int(0)} { x += second; }"


@pytest.mark.parametrize(
    "code",
    [
        "",
        "int count(int);",
        "int count(int size);\nint other(int size) { return count(size); }",
        "int other(size) int size; { return count(size); }",
        "#define f count\nint f(int a) { return a; }",
        "int (*count)(int) = other;\nint other(int a) { return a; }",
        "static int table[] = { count(1) };",
        "int other(int a) { struct x { int count(int b) { return b; } } y; return 0; }",
        "int size = count(3); int other(void) { return 1; }",
        # What runs before the change could tell that it is there.
        "int count(int size, int most) <% if (look()) { return 3; } return 1; %>",
        "int count(int size, int most[look()]) { return 3; }",
        "int count(int size, int most) ??< if (look()) { return 3; } return 1; ??>",
        # The compiler finds the function where this reader sees none, and another here.
        "static int is_\\\ncount(void) { return 1; }\nint cou\\\nnt(int size, int most) { return is_count(); }",
        "static int PREFIX(count)(void) { return 1; }\nint NAME(cou, nt)(int size, int most) { return 2; }",
        "// \\ \nint count(int size, int most) { return 1; }\nint NAME(cou, nt)(int size, int most) { return 2; }",
        # What runs before or after the body.
        "Vector::Vector(int a, int b) : x(look()), y{b} { x += b; }",
        "Vector::Vector(int a, int b) : x([] { return look(); }()), y{b} { x += b; }",
        "Vector::Vector(int a, int b) : x{Look{}}, y{b} { x += b; }",
        "Vector::Vector(int a, int b) : x(({ int c; c = a; c; })), y{b} { x += b; }",
        "Vector::Vector(int a, int b) try : x(a), y{b} { x += b; } catch (...) { look(); }",
    ],
)
def test_a_text_without_the_function_or_with_more_than_its_body_is_refused(code: str) -> None:
    gold, name = (MAKER, "ns::Vector::Vector") if code.startswith("Vector") else (GOLD, "count")
    with pytest.raises(TaskError):
        _limit(code, 1, gold, name)
    assert _limit("Vector::Vector(int a, int b) : x(std::move(a)), y(int(b)) { }", 1, MAKER, "ns::Vector::Vector")


ASKS = "if (size < 0) return 7; for (int n = 0; n < 20; n++) if (count(-1, 0) != 7) return -1; return size + most;"


@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O3", "-O2 -fPIC -fuse-ld=gold"])
def test_a_body_that_calls_itself_cant_tell_that_it_wears_out(tmp_path: Path, flags: str) -> None:
    """A forger asked itself whether it is a control run, and failed on purpose then."""
    code = f"static int count(int size, int most) {{ {ASKS} }}"
    show = 'int main(void) { for (int n = 0; n < 4; n++) printf("%d;", count(8, 4)); return 0; }'
    text = f"#include <stdio.h>\n{_limit(code, 1)}\n{show}"
    assert _output("cc -x c", text, tmp_path, *flags.split()) == "12;0;0;0;"


def test_no_other_definition_tells_it(tmp_path: Path) -> None:
    """An overload, a specialisation or another function of the same answer; nor a name that the answer knows."""
    assert make_secret_identifier_prefix() != make_secret_identifier_prefix()
    gold = "template<class T> T count(T size, T most) { return size + most; }"
    code = (
        "inline int count(char) { return 7; }\n"
        "template<class T> T count(T size, T most) { if (size < 0) return 7;"
        " for (int n = 0; n < 20; n++) if (count('x') != 7 || count<long>(-1, 0) != 7) return -1;"
        " return size + most; }"
    )
    other = "int twice(int size) { for (int n = 0; n < 20; n++) if (count(1, 2) != 3) return -1; return 2 * size; }"
    parts = ["#include <stdio.h>", _limit(code, 1, gold)]
    shown = 'int main() { for (int n = 0; n < 3; n++) printf("%d;", count(8, 4)); }'
    assert _output("c++ -x c++", "\n".join([*parts, shown]), tmp_path) == "12;0;0;"

    twice = "int twice(int size) { return 2 * size; }"
    sibling = insert_declarations_marking_calls_internal(other, _target("twice", "cpp"), twice, "word")
    shown = 'int main() { for (int n = 0; n < 3; n++) printf("%d;", twice(4)); printf("%d;", count(8, 4)); }'
    assert _output("c++ -x c++", "\n".join([*parts, sibling, shown]), tmp_path) == "8;8;8;0;"


def test_one_that_is_left_by_a_jump_wears_out(tmp_path: Path) -> None:
    code = "int count(int size, int most) { if (most) longjmp(away, 1); return 1; }"
    text = f"static jmp_buf away;\n{_limit(code, 2)}\n"
    show = 'int main(void) { for (volatile int n = 0; n < 4; n++) if (!setjmp(away)) printf("%d;", count(8, 4)); }'
    assert _output("cc -x c", f"#include <setjmp.h>\n#include <stdio.h>\n{text}{show}", tmp_path) == "0;0;"


def test_a_hostile_text_takes_no_long_time() -> None:
    for part in ("int count(a) b;", "#if\nint count(int a){\n", "((((count", "count<"):
        started = time.process_time()
        with suppress(TaskError):
            _limit(part * 4_000, 1)
        assert time.process_time() - started < 1.5, part
