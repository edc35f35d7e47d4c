"""Prevents: a name that nobody declared, answered with names that merely look alike, although one symbol in sight has
the type that fits the place.

The compiler is gcc; the index is the real one, over a small tree.
"""

from __future__ import annotations

import re
import time

import pytest

from index.cpp.keywords import word_set
from index.values import Span, Target
from tests.agent.explain.test_declarations import asker

TREE = {
    "ring.h": """\
#ifndef RING_H
#define RING_H
#define RING_OPEN (1<<0)
#define RING_SHUT (1<<1)
#define RING_LIMIT 64
enum ringState { STATE_IDLE, STATE_BUSY };
typedef struct slot { long stamp; char *label; struct slot *after; } slot;
typedef struct ring { slot *front; unsigned mode; enum ringState state; double load; long used; } ring;
typedef void (*visit)(slot *one, void *with);
struct settings { int verbosity; long quota; char *banner; };
extern struct settings conf;
slot *grab(ring *r, const char *label);
int shrink(ring *r, long to);
void scan(ring *r, visit each, void *with);
double weigh(const slot *one);
void tint(char *shade);
#endif
""",
    "use.c": """\
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "ring.h"

static volatile sig_atomic_t stopped;
static ring *theRing;
static void takeNote(int sig) { stopped = sig; }
static void countOne(slot *one, void *with) { *(long *)with += one->stamp; }
static int byStamp(const void *a, const void *b) { return *(const long *)a < *(const long *)b; }
static void name(slot *s) { memcpy(s->label, "slot", 5); }
static long other(ring *r) { if (r->mode & RING_OPEN) r->mode = RING_SHUT; return shrink(r, RING_LIMIT); }

long target(ring *r, const char *key)
{
    enum { SECRET_LIMIT = 7 };
    struct sigaction act;
    act.sa_handler = takeNote;
    long secretSum = SECRET_LIMIT;
    scan(r, countOne, &secretSum);
    return secretSum + other(r);
}

static void below(int sig) { stopped = sig; }
void last(void) { below(1); }
""",
    "ring_test.c": '#include "ring.h"\nint checks(ring *r) { return shrink(r, 3); }\n',
}
SPAN = Span(14, 22)
HEAD = "long target(ring *r, const char *key)\n{\n"

CPP = {
    "shape.h": """\
struct Point { double m_x; double m_y; Point(double x, double y); };
struct Ring { struct Make { int m_sides; }; };
struct Cube { struct Make { double m_edge; int m_faces; int *m_order; }; };
class Body;
class World {
public:
    void addBody(Body *body, short group);
    int  countOf() const;
    Body *m_first;
    Point m_origin;
};
class Solid { public: double volumeIn(const World &world) const; double m_mass; };
class Body : public Solid {
public:
    void moveBy(const Point &way); void moveBy(double x, double y);
    double target(World *world);
    Point m_place;
private:
    World *m_world;
};
namespace geo { double gap(const Point &from, const Point &to); }
""",
    "shape.cpp": """\
#include "shape.h"

static int depthLimit = 4;

double Body::target(World *world)
{
    m_world = world;
    return geo::gap(m_place, world->m_origin) * volumeIn(*world);
}
""",
}
CPP_SPAN = Span(5, 9)
CPP_HEAD = "double Body::target(World *world)\n{\n"


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    target = Target("tiny", "use.c", SPAN, "target", "long target(ring *r, const char *key)", "", "c")
    return asker(tmp_path_factory.mktemp("c"), TREE, target)


@pytest.fixture(scope="module")
def ask_cpp(tmp_path_factory):
    target = Target("tiny", "shape.cpp", CPP_SPAN, "Body::target", "double Body::target(World *world)", "", "cpp")
    return asker(tmp_path_factory.mktemp("cpp"), CPP, target)


# Names that the C library and the language have, and that stay.
OUTSIDE = word_set(
    "target include define ifndef endif typedef struct enum void const char long unsigned double float return static "
    "volatile extern short sizeof default switch case else break sigaction sa_handler sig_atomic_t memcpy qsort"
)


def renamed(text, names):
    """The text in other names; lines of `#include` stay."""
    word = re.compile(r"^\s*#include.*$|\b[A-Za-z_]\w*", re.MULTILINE)
    return word.sub(lambda found: names.get(found[0], found[0]), text)


CASES = [
    # assigned to a field of the system's, the case that was seen
    ("struct sigaction act; act.sa_handler = invoke_callback; return 0;", "invoke_callback", "takeNote"),
    # passed to a function of the repository, and of the system
    ("long n = 0; scan(r, g_callback, &n); return n;", "g_callback", "countOne"),
    ("qsort(r, 1, 8, process_entry); return 0;", "process_entry", "byStamp"),
    # called with these arguments, for a value of this type
    ("slot *s = fetch_entry(r, key); return s->stamp;", "fetch_entry", "grab"),
    ("return invoke_value(r, 12L);", "invoke_value", "shrink"),
    ("double much = quux(r->front); return much > 1;", "quux", "weigh"),
    # called for nothing
    ("handle_item(r->front->label); return 0;", "handle_item", "tint"),
    # returned, dereferenced, read from, through a pointer or not
    ("return global_state.quota;", "global_state", "conf"),
    ("return main_context->used;", "main_context", "theRing"),
    ("ring *q = main_context; return q != r;", "main_context", "theRing"),
    # compared, masked, a case
    ("if (r->mode & KIND_NORMAL) return 1; return 0;", "KIND_NORMAL", "RING_"),
    ("return r->state == KIND_NORMAL;", "KIND_NORMAL", "STATE_"),
    ("switch (r->state) { case KIND_NORMAL: return 1; default: return 0; }", "KIND_NORMAL", "STATE_"),
    ("return shrink(r, MAX_ITEMS);", "MAX_ITEMS", "RING_LIMIT"),
]


@pytest.fixture
def ask_in(tmp_path):
    """ask_in(files, include, body, more) -> what is told of a draft with this body, in a use.c that includes one
    header and has `more` below the function."""

    def ask(files, include, body, more="", signature="int target(int x)"):
        use = f"#include {include}\n\n{signature}\n{{\n    return 0;\n}}\n{more}"
        target = Target("tiny", "use.c", Span(3, 6), "target", signature, "", "c")
        return asker(tmp_path, files | {"use.c": use}, target)(f"{signature}\n{{\n    {body}\n}}")[1]

    return ask


def lines_on(found, name):
    """The lines of the answer on `name`."""
    about = [each for each in found if each.reason.startswith(f"nothing in this repository is called {name}")]
    assert about, found
    return about[0].text.splitlines()


def first_lines(ask, head, body, name):
    return lines_on(ask(f"{head}    {body}\n}}")[1], name)


@pytest.fixture(scope="module")
def in_other_names(tmp_path_factory):
    """The same tree with every name of its own replaced: the names, and the look-up in it."""
    own = [word for path in ("ring.h", "use.c") for word in re.findall(r"\b[A-Za-z_]\w{3,}", TREE[path])]
    names = {word: f"v{n}{'oku' * (n % 4)}" for n, word in enumerate(sorted(set(own) - OUTSIDE))}
    names |= {word: word.replace("RING", "QUAM").replace("STATE", "VELT") for word in names if word.isupper()}
    tree = {path: renamed(text, names) for path, text in TREE.items()}
    signature = renamed("long target(ring *r, const char *key)", names)
    target = Target("tiny", "use.c", SPAN, "target", signature, "", "c")
    return names, asker(tmp_path_factory.mktemp("renamed"), tree, target)


@pytest.mark.parametrize(("body", "name", "expected"), CASES)
def test_the_symbol_that_fits_comes_first_and_with_other_names_too(ask, in_other_names, body, name, expected):
    """What is offered first has the same type and place there."""
    here = first_lines(ask, HEAD, body, name)[0]
    assert expected in here
    names, other = in_other_names
    there = first_lines(other, renamed(HEAD, names), renamed(body, names), name)[0]
    # The comment behind it names its file, which keeps its name.
    assert there.split("  /*")[0] == renamed(here.split("  /*")[0], names)


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        ("return checkEntry(*world);", "checkEntry", "volumeIn(const World &world)"),
        ("return geo::computeData(m_place, m_place);", "computeData", "gap(const Point &from, const Point &to)"),
        ("innerData = world; return 0;", "innerData", "World *m_world"),
        ("processItem(m_place); return 0;", "processItem", "moveBy(const Point &way)"),
        ("processItem(1.0, 2.0); return 0;", "processItem", "moveBy(double x, double y)"),
        ("return globalState - 1;", "globalState", "depthLimit"),
        # a constructor, an overload for each use, a class inside a class
        ("Point p = makeItem(1.0, m_mass); return p.m_x;", "makeItem", "Point(double x, double y)"),
        ("applyEntry(m_place); applyEntry(1.0, 2.0); return 0;", "applyEntry", "moveBy"),
    ],
)
def test_cpp_too(ask_cpp, body, name, expected):
    lines = first_lines(ask_cpp, CPP_HEAD, body, name)
    assert any(expected in line for line in lines[:3]), lines


def test_a_class_inside_a_class_is_the_right_one(ask_cpp):
    _, found = ask_cpp(f"{CPP_HEAD}    Cube::Make make; return make.currentValue;\n}}")
    assert "m_edge" in found[0].text


def test_what_other_code_writes_there_is_told_although_no_header_of_it_is_known(ask_in):
    more = "void more(int fd) { if (fcntl(fd, F_GETFL) == -1) fcntl(fd, F_SETFL, O_NONBLOCK); }\n"
    found = ask_in({}, "<fcntl.h>", "return fcntl(x, RESULT_CODE);", more)
    assert lines_on(found, "RESULT_CODE") == ["/* other code writes there: F_GETFL, F_SETFL */"]


def test_constants_of_one_family_stand_together(ask_in):
    many = "".join(f"#define OTHER_{n} {n}\n" for n in range(50))
    flags = f"{many}#define NOTE_A 1\n#define NOTE_B 2\n#define NOTE_NEW 4\nvoid note(int type);\n"
    found = ask_in({"f.h": flags}, '"f.h"', "note(RESULT_CODE); return x;", "void more(void) { note(NOTE_A); }\n")
    lines = lines_on(found, "RESULT_CODE")
    assert "NOTE_A" in lines[0]
    assert {"NOTE_B", "NOTE_NEW"} <= {line.split()[1] for line in lines[1:3]}


def test_what_only_looks_alike_is_left_out(ask):
    """`theRang` is misspelt and stays first; `ringer` only shares letters with the type `ring`."""
    _, found = ask(f"{HEAD}    return theRang->used;\n}}")
    assert "theRing" in found[0].text
    lines = first_lines(ask, HEAD, "scan(r, scanTint, 0); return 0;", "scanTint")
    assert not any("tint(" in line or "scan(" in line for line in lines), "their types don't fit"


def test_what_doesnt_fit_is_left_out(ask):
    lines = first_lines(ask, HEAD, "slot *s = fetch_entry(r, key); return s->stamp;", "fetch_entry")
    assert len(lines) == 1, "nothing else takes a ring and a string"
    assert "below" not in " ".join(first_lines(ask, HEAD, "struct sigaction a; a.sa_handler = cb; return 0;", "cb"))


GROW = {"use.h": "int grow(int by);\n"}


def test_a_static_function_of_another_file_is_followed_by_what_fits(ask_in):
    away = "static int faraway(int a) { return a; }\nint near(void) { return faraway(1); }\n"
    found = ask_in(GROW | {"away.c": away}, '"use.h"', "return faraway(x);")
    assert "static in another file" in found[0].reason
    assert found[1].reason.startswith("nothing usable here is called faraway")
    assert "grow" in found[1].text


def test_a_name_without_a_like_is_called_unknown(ask):
    _, found = ask(f"{HEAD}    return absent_thing(r, r, r, r, r, r);\n}}")
    assert [each.reason for each in found] == ["nothing in this repository is called absent_thing"]


def test_neither_the_hidden_body_nor_a_test_is_shown(ask):
    for body in ("long n = 0; scan(r, g_callback, &n); return n;", "return MAX_ITEMS;", "return absent(r);"):
        _, found = ask(f"{HEAD}    {body}\n}}")
        for declaration in found:
            assert "SECRET" not in declaration.text
            assert "secret" not in declaration.text
            assert "checks" not in declaration.text


def test_members_that_fit_come_first(ask_in):
    fields = "".join(f"    int filler{n};\n    char *name{n};\n" for n in range(60))
    big = f"typedef struct part {{ int a; }} part;\nstruct big {{\n{fields}    part *piece;\n}};\n"
    body = "part *p = b->current_value;\n    return p->a;"
    found = ask_in({"big.h": big}, '"big.h"', body, signature="int target(struct big *b)")
    assert found[0].text.splitlines()[0] == "part *piece;"
    assert sum(len(each.text) for each in found) <= 7000


def test_odd_text_costs_no_time(ask_in):
    """A blob in a string and comments that never end: a search that tries each of their characters takes minutes."""
    odd = f'const char *blob = "{"a" * 400_000}";\n#if 0\n"{"/* " * 100_000}\n#endif\n'
    start = time.process_time()
    found = ask_in(GROW, '"use.h"', "if (x == MAX_ITEMS) x = get_value(x);\n    return x;", odd)
    assert any("grow" in each.text for each in found)
    assert time.process_time() - start < 5
