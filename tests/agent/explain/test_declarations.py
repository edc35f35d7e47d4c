"""Prevents: a compiler's message that goes back to the model without the one line of the repository that would settle
it, with something that the hidden body tells, or with a quotation of a hidden twin's body or of a test.

The compiler is gcc; the index is the real one, over a small tree.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.explain.declarations import DeclarationLookup
from agent.explain.queries import make_lookup_queries
from agent.explain.redaction import IN_A_HIDDEN_BODY, IN_A_TEST, RedactingCompiler
from executor.candidate.diagnostics import CandidatePlace, read_root_cause_diagnostics
from executor.function.splice import splice_function
from index.values import Diagnostic, Span, Target
from tests.support.indexes import index_files

TREE = {
    "dict.h": """\
#ifndef DICT_H
#define DICT_H
#define DICT_OK 0
#define DICT_ERR_FULL 1
#define dict_slots(d) ((d)->size + (d)->spare)
typedef struct dictEntry { void *key; long hits; struct dictEntry *next; } dictEntry;
typedef struct dict {
    long size; /* used slots */
    long spare;
    dictEntry *first;
} dict;
dict *dictCreate(long size);
dictEntry *dictFind(dict *d, const void *key);
int dictDelete(dict *d, const void *key);
long dictGetHits(const dictEntry *de);
#endif
""",
    "other.h": "int faraway(int a, int b);\n",
    "other.c": "static int hiddenAway(int a) { return a; }\nint faraway(int a, int b) { return a + b; }\n",
    "use.c": """\
#include "dict.h"

static int localHelper(dict *d, int deep) { return deep + (int)d->size; }

long target(dict *d, const char *key)
{
    enum { SECRET_LIMIT = 7 };
    dictEntry *de = dictFind(d, key);
    return de ? de->hits + localHelper(d, SECRET_LIMIT) : DICT_ERR_FULL;
}
""",
}
SPAN = Span(5, 10)
HEAD = "long target(dict *d, const char *key)\n{\n"

CPP = {
    "shape.h": """\
class Base { public: int commonArea(int scale) const; protected: int m_scale; };
class Shape : public Base {
public:
    int sideLength(int number, bool round) const;
    double m_width;
    double target(int n);
};
class Vec {
public:
    Vec(); ~Vec();
    Vec &operator+=(const Vec &other); Vec &operator*=(double by); double operator[](int at) const;
    double lengthOf(int from, int to) const; double areaOf(int from, int to) const; double sumOf(int from) const;
FILLERS};
class ShapeCallback {
public:
    ShapeCallback(int depth); virtual ~ShapeCallback();
    void run(const Shape &shape);
};
namespace geo { int distanceBetween(const Shape &a, const Shape &b); }
""".replace(
        "FILLERS",
        "".join(f"    double filler{n}(int from, int to, double scale, bool round) const;\n" for n in range(14)),
    ),
    "shape.cpp": """\
#include "shape.h"

double Shape::target(int n)
{
    return m_width * sideLength(n, true);
}
""",
}
CPP_SPAN = Span(3, 6)
CPP_HEAD = "double Shape::target(int n)\n{\n"


def asker(folder, files, target):
    index = index_files(folder, files)
    lookup = DeclarationLookup(index.hide(target, "strict"), target)
    original = index.read_file(target.path)

    def ask(code):
        draft = folder / f"draft{Path(target.path).suffix}"
        draft.write_bytes(splice_function(original, target.span, code))
        argv = ["gcc", "-fsyntax-only", "-Wall", f"-I{index.root}", str(draft)]
        done = subprocess.run(argv, capture_output=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
        place = CandidatePlace(str(folder), str(folder), draft.name, target.span, code.count("\n") + 1)
        found = read_root_cause_diagnostics(done.stderr, place, code)
        return found, lookup.explain(code, found)

    return ask


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    target = Target("tiny", "use.c", SPAN, "target", "long target(dict *d, const char *key)", "", "c")
    return asker(tmp_path_factory.mktemp("c"), TREE, target)


@pytest.fixture(scope="module")
def ask_cpp(tmp_path_factory):
    target = Target("tiny", "shape.cpp", CPP_SPAN, "Shape::target", "double Shape::target(int n)", "", "cpp")
    return asker(tmp_path_factory.mktemp("cpp"), CPP, target)


@pytest.mark.parametrize(
    ("body", "text", "path"),
    [
        ("return dictFetch(d, key) != 0;", "dictFind(dict *d, const void *key)", "dict.h"),
        ("return dict_get_hits(dictFind(d, key));", "long dictGetHits(const dictEntry *de)", "dict.h"),
        ("return d->capacity_size;", "long size;", "dict.h"),
        ("return dictDelete(d);", "int dictDelete(dict *d, const void *key)", "dict.h"),
        ("return localHelper(d, 1, 2);", "static int localHelper(dict *d, int deep)", "use.c"),
        ("return dict_slots(d, d);", "#define dict_slots(d) ((d)->size + (d)->spare)", "dict.h"),
        ("return DICT_FULL_ERROR;", "#define DICT_ERR_FULL 1", "dict.h"),
        ("dictEntryy *e = 0; return e != 0;", "typedef struct dictEntry {", "dict.h"),
        ("dict *e = dictFind(d, key); return e->spare;", "dictEntry *dictFind(", "dict.h"),
        # A member's type is called as code calls it: the reason says so, too.
        ("dictEntry *e = 0; return e->spare;", "spare is a member of dict", "dict.h"),
        ("struct dictionary *x = 0; return x->size;", "typedef struct dict {", "dict.h"),
        ("return faraway(1, 2);", "int faraway(int a, int b)", "other.h"),
        ("return d.size;", "long size;", "dict.h"),
        ("return memcppy(d, key, 3) != 0;", "memcpy", "<string.h>"),
        ("memccpy(d, key, 3); return 0;", "memcpy", "<string.h>"),
        ("return DICT_ERRFULL (int) 1 2;", "#define DICT_ERR_FULL 1", "dict.h"),
    ],
)
def test_the_message_brings_the_right_line(ask, body, text, path):
    messages, found = ask(f"{HEAD}    {body}\n}}")
    assert messages
    assert any(text in f"{each.reason}\n{each.text}" and each.path == path for each in found), (messages, found)


def test_what_is_out_of_sight_says_so(ask):
    _, found = ask(f"{HEAD}    return faraway(1, 2) + hiddenAway(3);\n}}")
    reasons = {declaration.text.split("(")[0].split()[-1]: declaration.reason for declaration in found}
    assert "isn't included" in reasons["faraway"]
    assert "static in another file" in reasons["hiddenAway"]


def test_the_hidden_body_tells_nothing(ask):
    _, found = ask(f"{HEAD}    return SECRET_LIMITS + SECRET_LIMIT + de->hits;\n}}")
    own = [declaration for declaration in found if declaration.path == "use.c"]
    assert not any("SECRET" in declaration.text for declaration in own)
    assert not any("SECRET" in declaration.reason.replace("SECRET_LIMITS", "") for declaration in own)
    assert not any("= 7" in declaration.text for declaration in found)


def test_it_stays_a_screenful_and_a_clean_draft_asks_for_nothing(ask):
    lines = "".join(f"    d->field{n} = unknown{n}(d);\n" for n in range(60))
    _, found = ask(f"{HEAD}{lines}    return 0;\n}}")
    assert 0 < len(found) <= 10
    assert sum(len(declaration.text) for declaration in found) <= 7000
    assert len({(declaration.path, declaration.line, declaration.text) for declaration in found}) == len(found)
    assert ask(f"{HEAD}    return dictFind(d, key) != 0;\n}}") == ([], ())


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("return m_widht;", "double m_width;"),
        ("return this->width;", "double m_width;"),
        ("return sideLength(n);", "int sideLength(int number, bool round) const"),
        ("return common_area(n);", "commonArea(int scale) const"),
        ("Shape s; return s.sideLen(1, true);", "int sideLength(int number, bool round) const"),
        ("return geo::distance(*this, *this);", "int distanceBetween(const Shape &a, const Shape &b)"),
        ("return geo::distanceBetween(*this, n);", "int distanceBetween(const Shape &a, const Shape &b)"),
        ("Shap s; return 0;", "class Shape : public Base"),
        # Operators and constructors are members too, and no word of a line.
        ("Vec v; return v.operator_plus(v);", "double lengthOf(int from, int to) const"),
        ("Vec v; return v.length(0, 1);", "double lengthOf(int from, int to) const"),
    ],
)
def test_cpp_too(ask_cpp, body, text):
    messages, found = ask_cpp(f"{CPP_HEAD}    {body}\n}}")
    assert messages
    assert any(text in declaration.text for declaration in found), (messages, found)


def test_a_class_is_shown_before_its_constructor_and_no_destructor(ask_cpp):
    messages, found = ask_cpp(f"{CPP_HEAD}    ShapeCalback *back = 0; return 0;\n}}")
    assert messages
    assert any(declaration.text.startswith("class ShapeCallback") for declaration in found), found
    assert not any("~" in declaration.text.split("{")[0] for declaration in found), found


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("use of undeclared identifier 'x'; did you mean 'y'?", [("name", "x", "y")]),
        ("call to undeclared function 'f'; ISO C99 and later do not support", [("name", "f", "")]),
        ("no member named 'm' in 'struct S'", [("member", "m", "")]),
        ("unknown type name 'T'; did you mean 'struct Tt'?", [("name", "T", "Tt")]),
        ("no type named 'T' in namespace 'n'", [("name", "T", "")]),
        ("too few arguments to function call, expected 2, have 1", [("call", "callee", "")]),
        ("incompatible pointer types passing 'A *' to parameter of type 'B *'",
         [("call", "callee", ""), ("type", "A", ""), ("type", "B", "")]),
        ("incomplete definition of type 'struct S'", [("type", "S", "")]),
        ("expected ';' after expression", [("word", "callee", "")]),
        ("an unheard-of complaint", []),
    ],
)  # fmt: skip
def test_clangs_words_are_understood(message, expected):
    diagnostic = Diagnostic("error", message, "a.c", 3, 17, True)
    found = make_lookup_queries(diagnostic, [], "int f(void)\n{\n    a = callee(1, 2);\n}")
    assert [(query.kind, query.name, query.hint) for query in found] == expected


BODY = "{\n    int sum = 0;\n    for (int i = 0; i < n; i++) sum += weigh(list[i], n) * i;\n    return sum + n;\n}\n"
PARAMETERS = "(int *list, int n)"
FILE = f"int wanted{PARAMETERS}\n{BODY}\nint twin{PARAMETERS}\n{BODY}\nint other(int a)\n{{\n    return a;\n}}\n"


@dataclass(frozen=True)
class Says:
    """A compiler with these messages, whatever the draft."""

    found: tuple[Diagnostic, ...]

    def check(self, code):
        return self.found


def error(path, line, *, own=False):
    return Diagnostic("error", "expected ';' before 'weigh'", path, line, 1, own)


@pytest.mark.parametrize(
    ("diagnostic", "line", "message"),
    [
        pytest.param(error("a.c", 11), 5, IN_A_HIDDEN_BODY, id="in the twin"),
        pytest.param(error("a.c", 16), 8, "expected ';' before 'weigh'", id="in what the view shows"),
        pytest.param(error("a.c", 3, own=True), 3, "expected ';' before 'weigh'", id="in the draft"),
        pytest.param(error("tests/unit.c", 3), 3, IN_A_TEST, id="in a test"),
        pytest.param(error("/usr/include/stdio.h", 3), 3, "expected ';' before 'weigh'", id="in the system's headers"),
        pytest.param(error("a.c", 10_000), 9_992, "expected ';' before 'weigh'", id="behind the file's end"),
    ],
)
def test_of_a_message_on_hidden_text_the_place_is_left_as_the_view_numbers_it(tmp_path, diagnostic, line, message):
    """The line on disk told how long a hidden body above it is, and `read_lines` shows another line there."""
    index = index_files(tmp_path, {"a.c": FILE})
    view = index.hide(Target("t", "a.c", Span(1, 6), "wanted", "int wanted(int *list, int n)", "", "c"), "strict")
    assert view.file_text("a.c").split("\n")[7] == "{", "line 16 on disk"
    (found,) = RedactingCompiler(Says((diagnostic,)), view).check("...")
    assert (found.path, found.line, found.message) == (diagnostic.path, line, message)
    index.close()


def test_a_declaration_below_the_hole_has_the_line_that_the_view_shows(tmp_path):
    target = Target("t", "a.c", Span(1, 6), "wanted", "int wanted(int *list, int n)", "", "c")
    index = index_files(tmp_path, {"a.c": FILE})
    message = Diagnostic("error", "too few arguments to function 'other'", "a.c", 3, 12, True)
    draft = f"int wanted{PARAMETERS}\n{{\n    return other();\n}}"
    (found,) = DeclarationLookup(index.hide(target, "strict"), target).explain(draft, [message])
    assert (found.path, found.line) == ("a.c", 7), "15 on disk"
    index.close()


def test_symbols_that_fit_have_the_lines_that_the_view_shows(tmp_path):
    body = "{\n        int a = n;\n        int b = a;\n        return weigh(b);\n    }"
    source = f"struct Box {{\n    int wanted(int n) {body}\n    int weigh(int n);\n    int measure(int n);\n}};\n"
    target = Target("t", "a.cpp", Span(2, 6), "Box::wanted", "int wanted(int n)", "", "cpp")
    index = index_files(tmp_path, {"a.cpp": source})
    message = Diagnostic("error", "'compute_total' was not declared in this scope", "a.cpp", 2, 12, True)
    draft = "int wanted(int n)\n{ return compute_total(n); }"
    (found,) = DeclarationLookup(index.hide(target, "strict"), target).explain(draft, [message])
    assert found.text == "int measure(int n);  /* a.cpp:4 */\nint weigh(int n);  /* a.cpp:3 */", "8 and 7 on disk"
    index.close()
