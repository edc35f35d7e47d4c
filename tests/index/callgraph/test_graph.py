"""Prevents: a call graph that names the wrong callee (a static of another file, another class's method, the
overload of another arity), that loses the calls which macros make, and that tells by an edge what a hidden body
says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index.callgraph.graph import CallGraph, EdgeColumns, EdgeKind, build_call_graph
from index.repo_index import RepoIndex, open_index
from index.store.derived_arrays import load_columns, save_columns
from index.values import Entry, SymbolKind
from tests.support.indexes import Files, Indexed, TargetAt


def callees(index: RepoIndex, caller: str, least: float = 0.5) -> list[str]:
    """`path:qualified name` of what a function calls."""
    ids = index.graph.callees(find_entry(index, caller).id, least).tolist()
    found = {e.id: f"{e.symbol.path}:{e.symbol.qualified_name}" for e in index.read_entries_sorted_by_place(ids)}
    return [found[i] for i in ids]


def find_entry(index: RepoIndex, name: str) -> Entry:
    return next(e for e in index.functions if e.symbol.qualified_name == name)


STEPS = [f"step_{i}" for i in range(12)]
CALLEES: dict[str, tuple[Files, float, dict[str, list[str]]]] = {
    "a file's static is its own": (
        {
            "a.c": "static int help(int x) { return x; }\nint one(void) { return help(1); }\n",
            "b.c": "static int help(int x) { return -x; }\nint two(void) { return help(2); }\n",
            "c.c": "int three(void) { return help(3); }\n",
        },
        0.0,
        {"one": ["a.c:help"], "two": ["b.c:help"], "three": []},
    ),
    "a prototype leads to the definition": (
        {
            "api.h": "int work(int x);\nint gone(int x);\n",
            "work.c": '#include "api.h"\nint work(int x) { return x; }\n',
            "main.c": '#include "api.h"\nint main(void) { return work(1) + gone(2); }\n',
        },
        0.5,
        {"main": ["work.c:work", "api.h:gone"]},
    ),
    "a macro defined in a body makes no edge of another function": (
        {
            "a.c": "int deep(void) { return 1; }\nint one(void) {\n#define STEP() deep()\n  return STEP();\n}\n"
            "int two(void) { return STEP(); }\n"
        },
        0.0,
        {"two": []},
    ),
    "a class behind a macro around its keyword keeps its methods": (
        {
            "vec.h": "#define ALIGNED16(a) __declspec(align(16)) a\nALIGNED16(class)\nVec\n{\npublic:\n"
            "  int x() { return 1; }\n};\nint use(Vec& v) { return v.x(); }\n"
        },
        0.9,
        {"use": ["vec.h:Vec::x"]},
    ),
    "a friend defined in a class is a function of the namespace around it": (
        {
            "box.h": "namespace n {\nstruct Box {\n  // Empties it.\n  friend void touch(Box& b) { b.x = size(b); }\n"
            "  friend int peek(const Box& b);\n  static int size(Box& b) { return b.x; }\n"
            "  friend bool operator==(Box const& a, Box const& b) { return peek(a) == peek(b); }\n  int x;\n};\n}\n",
            "a.cpp": '#include "box.h"\nint n::peek(const Box& b) { return b.x; }\n'
            "bool use(n::Box& b) { touch(b); return b == b; }\n",
        },
        0.5,
        {
            "use": ["box.h:n::Box::touch", "box.h:n::Box::operator=="],
            "n::Box::touch": ["box.h:n::Box::size"],
            "n::Box::operator==": ["a.cpp:n::peek"],
        },
    ),
    "what _Generic chooses from is called where it is called": (
        {
            "a.c": "int of_int(int x) { return x; }\nint of_any(char *x) { return 2; }\n"
            "#define OF(x) _Generic((x), int: of_int, default: (of_any))(x)\n"
            "int one(int x) { return _Generic((x), int: /* it */ of_int, default: (of_any))(x); }\n"
            "int two(int x) { return OF(x); }\nint (*three(int x))(int) { return _Generic(x, int: of_int); }\n"
        },
        0.5,
        {"one": ["a.c:of_int", "a.c:of_any"], "two": ["a.c:OF", "a.c:of_int", "a.c:of_any"], "three": []},
    ),
    "what a macro makes calls what its replacement says": (
        {
            "stack.h": "int OPEN_num(void *s);\nint OPEN_free(void *s);\n"
            "#define MAKE_OF(t) static int sk_##t##_num(void *s) { return OPEN_num(s); } \\\n"
            "    static int sk_##t##_free(void *s) { return OPEN_free(s) + t##_end(); }\n"
            "#define MAKE(t) MAKE_OF(t)\n",
            "a.c": '#include "stack.h"\nint one_end(void) { return 1; }\nMAKE(one)\n'
            "int count(void *s) { return sk_one_num(s); }\n",
            "b.c": "int unseen(void *s) { return sk_two_num(s) + sk_num(s); }\n",
            "open.c": "int OPEN_num(void *s) { return 1; }\nint OPEN_free(void *s) { return 2; }\n",
        },
        0.5,
        {
            "sk_one_num": ["open.c:OPEN_num"],
            "sk_one_free": ["open.c:OPEN_free", "a.c:one_end"],
            "count": ["a.c:sk_one_num"],
            "unseen": ["open.c:OPEN_num"],
        },
    ),
    "a class of the tree goes before another library's alias of its name": (
        {
            "math.h": "#ifdef OTHER\ntypedef Lib::Matrix<double, 3> Mat;\n#else\n"
            "class Mat { public: int rows() const { return 3; } };\n#endif\n"
            "class Vec { public: int rows() const { return 1; } };\n",
            "use.cpp": '#include "math.h"\nint use(const Mat& m) { return m.rows(); }\n',
        },
        0.5,
        {"use": ["math.h:Mat::rows"]},
    ),
    # It went through a set once: the same tree gave another order in each process.
    "what a macro calls comes in the order of its text": (
        {
            "a.c": "".join(f"static void {name}(void) {{}}\n" for name in STEPS)
            + f"#define ALL() do {{ {' '.join(f'{name}();' for name in STEPS)} }} while (0)\n"
            + "void run(void) { ALL(); }\n"
        },
        0.5,
        {"run": ["a.c:ALL", *(f"a.c:{name}" for name in STEPS)]},
    ),
    "an operator that no definition fits has no callee": (
        {
            "a.h": "void operator delete(char *p) { release(p); }\n",
            "b.h": "void operator delete(long *p) { release(p); }\n",
            "c.cc": '#include "a.h"\n#include "b.h"\n'
            "struct Box { int x; };\n"
            "void by_value(Box b) { ::operator delete(b); }\n"
            "void by_pointer(char *text) { ::operator delete(text); }\n",
        },
        0.0,
        {"by_value": [], "by_pointer": ["a.h:operator delete"]},
    ),
    # As busybox's xatonum_template.c: the macro would make `take_any_now`, which would call itself.
    "functions out of sight that seem to call themselves end": (
        {
            "a.c": "#define MAKE(t) int take_##t##_now(int x) { return take_##t##_now(x) + take_more_##t##_now(x); }\n"
            "MAKE(first)\n"
            "int use(int x) { return take_any_now(x); }\n"
        },
        0.0,
        {"use": []},
    ),
    "macros without parameters mean what they meant": (
        {
            "a.h": "#define SIZE 4\n#define release release_now\n"
            "# define also_release release_now\n#define WITH(x) take(x)\n",
            "b.c": '#include "a.h"\n'
            "void release_now(int x) {}\n"
            "void take(int x) {}\n"
            "void first(void) { release(SIZE); }\n"
            "void second(void) { also_release(SIZE); }\n"
            "void third(void) { WITH(SIZE); }\n",
        },
        0.0,
        {"first": ["b.c:release_now"], "second": ["b.c:release_now"], "third": ["a.h:WITH", "b.c:take"]},
    ),
    "a method is found by the receiver's declared type": (
        {
            "box.h": "struct Point {\n    int x;\n    int length() const { return x; }\n"
            "    int add(int a) { return a; }\n    int add(int a, int b) { return b; }\n};\n"
            "struct Other { int length() const { return 2; } };\n"
            "class Base { public: int area() { return 1; } virtual int name() = 0; };\n"
            "class Box : public Base {\n    Point corner; Other* other; Point many[3];\n"
            "    Point& first();\n    int name() override;\npublic:\n    int all(Point& p);\n"
            "    int chained() { return first().length(); }\n};\n",
            "box.cpp": '#include "box.h"\nint Box::all(Point& p) {\n'
            "  Other local; int n = p.length() + local.length();\n"
            "  n += other->length(); n += corner.add(1); n += p.add(1, 2);\n"
            "  return n + area() + this->chained() + many[1].length();\n}\n"
            "Point& Box::first() { return corner; }\nint Box::name() { return 0; }\n",
        },
        0.5,
        {
            "Box::all": [
                *("box.h:Point::length", "box.h:Other::length", "box.h:Point::add", "box.h:Point::add"),
                *("box.h:Base::area", "box.h:Box::chained"),
            ],
            "Box::chained": ["box.cpp:Box::first", "box.h:Point::length"],
        },
    ),
    # Another file defines the default constructor, and the caller sees its class: not the one that takes a copy.
    "a declaration without arguments calls the default constructor": (
        {
            "message.h": "class Message {\npublic:\n    Message();\n    explicit Message(int code);\n"
            "    Message(const Message &other) { text = other.text; }\n    void add(int x);\n"
            "    const char *text;\n};\n",
            "message.cpp": '#include "message.h"\nMessage::Message() {}\nvoid Message::add(int x) { (void)x; }\n',
            "use.cpp": '#include "message.h"\nstruct Log { Message *last(); void say(); };\n'
            "void Log::say() { Message m; extern Message other; m.add(1); }\n"
            "Message *first(Message *of) { Message made[2]; return of; }\n"
            "void coded() { Message m(7); }\n",
        },
        0.5,
        {
            "Log::say": ["message.cpp:Message::Message", "message.cpp:Message::add"],
            "first": ["message.cpp:Message::Message"],
            "coded": ["message.h:Message::Message"],  # declared alone, beside two that are defined
        },
    ),
    # `int Node::walk()` has the class's name behind a type, as a variable would.
    "a pointer to the method's own class is no product": (
        {
            "use.cpp": "struct Node { Node *next; int size() const { return 1; } int walk(); };\n"
            "int Node::walk() { Node *at = next; return at->size(); }\n"
        },
        0.5,
        {"Node::walk": ["use.cpp:Node::size"]},
    ),
}


@pytest.mark.parametrize("name", CALLEES)
def test_calls_lead_where_the_language_leads_them(indexed: Indexed, name: str) -> None:
    files, least, expected = CALLEES[name]
    index = indexed(files)
    assert {caller: callees(index, caller, least) for caller in expected} == expected


def test_programs_that_define_a_name_each_are_both_kept_and_neither_is_certain(indexed: Indexed) -> None:
    index = indexed(
        {
            "server/log.c": "void report(int x) { (void)x; }\n",
            "client/log.c": "void report(int x) { (void)x; }\n",
            "client/run.c": "void report(int);\nvoid run(void) { report(1); }\n",
        }
    )
    edges = index.graph.edges_from(find_entry(index, "run").id)
    paths = {e.id: e.symbol.path for e in index.read_entries_sorted_by_place(edges.ids.tolist())}
    by_path = {paths[i]: c for i, c in zip(edges.ids.tolist(), edges.confidence.tolist(), strict=True)}
    assert by_path["client/log.c"] > by_path["server/log.c"] >= 0.5
    assert by_path["client/log.c"] < 0.9


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return add(1);", ["int add(int a)"]),
        ("return add(1, 2);", ["int add(int a, int b)"]),
        ("Vec v; return pick(v);", ["int pick(const Vec& v)"]),
        ("return pick(3);", ["int pick(int v)"]),
        ("Vec v, w; v + w; return 0;", ["Vec operator+(const Vec& a, const Vec& b)"]),
        ("int v = 1, w = 2; return v + w;", []),
        ("return Vec(3).x;", ["Vec(int x)"]),
        ("return ns::deep();", ["int deep()"]),
    ],
)
def test_overloads_are_told_apart(indexed: Indexed, body: str, wanted: list[str]) -> None:
    index = indexed(
        {
            "a.cpp": "struct Vec { int x; Vec(int x) : x(x) {} Vec(int x, int y) : x(y) {} };\n"
            "Vec operator+(const Vec& a, const Vec& b) { return a; }\n"
            "Vec operator+(const Vec& a, int b) { return a; }\n"
            "int add(int a) { return a; }\nint add(int a, int b) { return b; }\n"
            "int pick(const Vec& v) { return v.x; }\nint pick(int v) { return v; }\n"
            "namespace ns { int deep() { return 1; } }\nnamespace other { int deep() { return 2; } }\n"
            f"int test() {{ {body} }}\n"
        }
    )
    ids = index.graph.callees(find_entry(index, "test").id, 0.5).tolist()
    found = index.read_entries_sorted_by_place(ids)
    assert [e.symbol.signature for e in found if "x" not in e.symbol.name] == wanted


def test_a_macro_is_a_callee_and_so_is_what_it_calls(indexed: Indexed) -> None:
    index = indexed(
        {
            "log.h": "void write_log(int level);\n#define LOG(x) do { if (x) NOTE(x); } while (0)\n"
            "#define NOTE(x) write_log(x)\n#define alias write_log\n",
            "log.c": '#include "log.h"\nvoid write_log(int level) { (void)level; }\n',
            "use.c": '#include "log.h"\nvoid use(void) { LOG(1); }\nvoid renamed(void) { alias(1); }\n',
        }
    )
    edges = index.graph.edges_from(find_entry(index, "use").id)
    names = {e.id: (e.symbol.kind, e.symbol.name) for e in index.read_entries_sorted_by_place(edges.ids.tolist())}
    kinds = {names[i]: EdgeKind(k) for i, k in zip(edges.ids.tolist(), edges.kind.tolist(), strict=True)}
    assert kinds[SymbolKind.MACRO, "LOG"] == EdgeKind.MACRO
    assert kinds[SymbolKind.FUNCTION, "write_log"] == EdgeKind.THROUGH_MACRO
    assert callees(index, "renamed") == ["log.c:write_log"]


TABLE = """\
typedef struct ops { int (*open)(int); int (*close)(int); int (*flush)(int); } ops;
static int file_open(int x) { return x; }
static int file_close(int x) { return x; }
int file_flush(int x) { return x; }
static ops file_ops = { file_open, .close = file_close };
"""


def test_a_call_through_a_field_reaches_what_the_field_is_assigned(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed(
        {
            "ops.c": TABLE + "void setup(ops *o) { o->flush = file_flush; }\n"
            "int run(ops *o) { return o->open(1) + o->close(2) + o->flush(3); }\n"
        }
    )
    assert callees(index, "run") == []  # none of them is a claim
    assert callees(index, "run", 0.0) == ["ops.c:file_open", "ops.c:file_close", "ops.c:file_flush"]
    run = find_entry(index, "run").symbol
    # Only the body of `setup` tells that `flush` may be `file_flush`.
    view = index.hide(target_at(index, "ops.c", "setup"), "strict")
    assert [s.name for s in view.callees(run)] == ["file_open", "file_close"]
    assert view.callers(index.entries_named("file_flush")[0].symbol) == ()


@pytest.mark.parametrize("masking", ["strict", "realistic"])
def test_no_edge_starts_in_a_hole(indexed: Indexed, target_at: TargetAt, masking: str) -> None:
    body = "{ int i, s = 0; for (i = 0; i < n; i++) { s += helper(i); s -= i * 3; if (s > 99) s = 7; } return s; }"
    index = indexed(
        {
            "a.c": f"int helper(int i) {{ return i; }}\nint target(int n) {body}\n"
            "int user(void) { return target(1); }\n",
            "b.c": f"int helper(int i);\nint target_copy(int n) {body}\n",
        }
    )
    view = index.hide(target_at(index, "a.c", "target"), masking)  # type: ignore[arg-type]
    target, helper, user = (find_entry(index, name).symbol for name in ("target", "helper", "user"))
    assert view.callees(target) == ()
    left = ["target_copy"] if masking == "realistic" else []
    assert [s.name for s in view.callers(helper)] == left
    assert [s.name for s in view.callers(target)] == ["user"]
    assert view.callees(user) == ()  # its callee is hidden: no symbol of it is shown


def test_the_graph_is_kept_with_the_build_and_made_again_after_damage(indexed: Indexed) -> None:
    index = indexed({"a.c": "int g(void) { return 1; }\nint f(void) { return g(); }\n"})
    assert callees(index, "f") == ["a.c:g"]
    index = open_index(index.folder, index.root)
    column = next((index.folder / "derived").glob("graph-*/callee.npy"))
    column.write_bytes(b"not an array")
    assert callees(index, "f") == ["a.c:g"]


def test_equal_edges_are_one_and_keep_the_order_of_the_calls() -> None:
    edges = [(1, 5, 0.4, 0, -1), (1, 3, 0.9, 0, -1), (1, 5, 0.8, 2, -1), (2, 3, 0.5, 0, 7)]
    graph = build_call_graph(EdgeColumns(*(np.array(column) for column in zip(*edges, strict=True))), 8)
    assert graph.callees(1).tolist() == [5, 3]
    assert graph.edges_from(1).confidence.tolist() == pytest.approx([0.8, 0.9])
    assert graph.callers(3).tolist() == [1, 2]
    assert graph.edges_to(3).witness.tolist() == [-1, 7]
    assert graph.callees(99).tolist() == graph.callees(-1).tolist() == []


def test_an_empty_graph_is_a_graph(tmp_path: Path) -> None:
    save_columns(build_call_graph(EdgeColumns(*np.zeros((5, 0), dtype=np.int32)), 3), tmp_path)
    graph = load_columns(CallGraph, tmp_path)
    assert graph.callees(0).tolist() == []
    assert isinstance(graph.starts.base, np.memmap)


CLASSES = """
class Wheel { public: void turn(); double operator()(int i) { return i; } };
class Cart { public: void turn(); Wheel wheel; void roll(); };
void Wheel::turn() {}
void Cart::turn() {}
const Cart* as_cart(const Wheel* w);
Cart* as_cart(Wheel* w);
class Timer { public: Timer(const char* what) {} };
#define TIMED(what) Timer timer(what)
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("// the weight of a Wheel\n  it.turn();\n", []),  # the comment's last word is no type
        ("// to be turned.\n  Wheel it;\n  it.turn();\n", ["Wheel::turn"]),
        ("/* turned */ Wheel it;\n  it.turn();\n", ["Wheel::turn"]),
        ("// all, then\n  Wheel one, it;\n  it.turn();\n", ["Wheel::turn"]),
        ("// it\n  Cart it;\n  it.turn();\n", ["Cart::turn"]),
        ("int weight = 2; int sum = (weight * wheel); wheel.turn();\n", ["Wheel::turn"]),
        ("wheel(1);\n", ["Wheel::operator()"]),
        ("Wheel it; it(1);\n", ["Wheel::operator()"]),
        ("Wheel* it = 0; as_cart(it);\n", ["Cart* as_cart(Wheel* w);"]),
        ("const Wheel* it = 0; as_cart(it);\n", ["const Cart* as_cart(const Wheel* w);"]),
        ('TIMED("x");\n', ["Timer::Timer"]),
    ],
)
def test_the_declaration_is_found_behind_comments_products_and_macros(
    indexed: Indexed, body: str, wanted: list[str]
) -> None:
    index = indexed({"a.cpp": f"{CLASSES}\nvoid Cart::roll() {{\n  {body}}}\n"})
    edges = index.graph.edges_from(find_entry(index, "Cart::roll").id)
    ids = edges.ids[(edges.confidence >= 0.5) & (edges.kind & EdgeKind.MACRO == 0)].tolist()
    symbols = {e.id: e.symbol for e in index.read_entries_sorted_by_place(ids)}
    found = [symbols[i].signature if symbols[i].name == "as_cart" else symbols[i].qualified_name for i in ids]
    assert [f.rstrip(";") for f in found] == [w.rstrip(";") for w in wanted]
