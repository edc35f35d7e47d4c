"""Prevents: the body that a model has to write reaching it through the index, and hiding so much that it has
nothing left to work with. tests/retrieval/test_leak.py holds rule 1 as a whole; here are its parts."""

from __future__ import annotations

import re

import pytest

from index.errors import TaskError
from index.hiding.hidden_view import find_ids_overlapping_holes
from index.hiding.holes import (
    PLACEHOLDER,
    Hole,
    has_overlapping_hole,
    locate_span_without_last_line_end,
    replace_holes_by_placeholder,
)
from index.values import Span, SymbolKind, Target
from tests.support.indexes import Indexed, TargetAt

HIDDEN = PLACEHOLDER.decode()

CLASS = """\
struct Other { int v; };
class Box {
public:
    // how big
    int size(int k) const {
        int total = secret(k);
        struct Local { int q() { return hush(); } };
        return total + offset;
    }
    int after() { return size(2); }
};
int user(Box b) { return b.size(1); }
"""


def names(symbols: object) -> list[str]:
    return [s.qualified_name for s in symbols]  # type: ignore[attr-defined]


def test_the_class_keeps_a_hole_and_what_lies_in_the_body_is_gone(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"box.cpp": CLASS})
    view = index.hide(target_at(index, "box.cpp", "Box::size"), "strict")
    assert names(view.symbols(SymbolKind.FUNCTION)) == ["Box::after", "user"]
    assert names(view.symbols(SymbolKind.TYPE)) == ["Other", "Box"]
    box = view.symbols(SymbolKind.TYPE)[1]
    assert f"    // how big\n    int size(int k) const {HIDDEN}\n    int after() {{ return size(2); }}" in view.text(
        box
    )
    assert "secret" not in view.file_text("box.cpp")
    assert "hush" not in view.file_text("box.cpp")
    assert view.file_text("box.cpp").startswith("struct Other { int v; };\nclass Box {\n")
    user = view.symbols(SymbolKind.FUNCTION)[1]
    assert view.called_names(user) == ("size",)


def test_calls_that_start_in_the_body_are_gone(indexed: Indexed, target_at: TargetAt) -> None:
    source = (
        "int outer(void) {\n  auto f = [] { return before(); };\n"
        "  struct L { int in() {\n return secret(); } };\n  return last();\n}\n"
    )
    index = indexed({"a.cpp": source})
    target = target_at(index, "a.cpp", "L::in")
    view = index.hide(target, "strict")
    (outer,) = view.symbols(SymbolKind.FUNCTION)
    assert view.called_names(outer) == ("before", "last")
    symbol = next(e.symbol for e in index.functions if e.symbol.name == "in")
    assert view.called_names(symbol) == ()


@pytest.mark.parametrize(
    "body",
    [
        "MACRO_THAT(BREAKS {{{ the parser)",
        'if (x) { return ")}"; } else { return "{("; }',
        "#if A\n if (x) {\n#else\n if (y) {\n#endif\n secret(); }",
        "}}}} secret();",
    ],
)
def test_a_body_that_the_parser_cannot_read_is_gone_all_the_same(indexed: Indexed, body: str) -> None:
    lines = body.count("\n")
    before, after = "int before(void) { return 0; }\n\nstatic int f(int x) ", "int after(void) { return 1; }\n"
    source = f"{before}{{\n  top();\n  {body}\n  secret(x);\n}}\n{after}"
    index = indexed({"a.c": source})
    view = index.hide(Target("t", "a.c", Span(3, 7 + lines), "f", "", "", "c"), "strict")
    assert (
        view.file_text("a.c")
        == f"int before(void) {{ return 0; }}\n\nstatic int f(int x) {HIDDEN}\nint after(void) {{ return 1; }}\n"
    )
    for kind in SymbolKind:
        for symbol in view.symbols(kind):
            assert "secret" not in view.text(symbol) + symbol.signature + symbol.docstring + " ".join(
                view.called_names(symbol)
            )


def test_a_span_without_any_function_is_hidden_whole(indexed: Indexed) -> None:
    index = indexed({"a.c": "int a;\nint gold = secret;\nint b;\n"})
    view = index.hide(Target("t", "a.c", Span(2, 2), "gold", "", "", "c"), "strict")
    assert view.file_text("a.c") == f"int a;\n{HIDDEN}\nint b;\n"


def test_a_body_whose_braces_are_macros_is_gone_from_its_first_statement_on(indexed: Indexed) -> None:
    index = indexed(
        {"a.c": "int f(int a)\nBEGIN\n  first(a);\n  if (a) { second(); }\nEND\nint g(void) { return 1; }\n"}
    )
    text = index.hide(Target("t", "a.c", Span(1, 5), "f", "int f(int a)", "", "c"), "strict").file_text("a.c")
    assert not re.search("first|second", text)
    assert "int g(void)" in text


def test_initializers_belong_to_the_body(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"a.cpp": "struct A {\n  A(int x)\n  : v(secret(x)) { run(); }\n  int v;\n};\n"})
    view = index.hide(target_at(index, "a.cpp", "A::A"), "strict")
    assert view.file_text("a.cpp") == f"struct A {{\n  A(int x)\n  {HIDDEN}\n  int v;\n}};\n"


TWIN = """\
float b3Quat::dot(const b3Quat& q) const {
    float sum = m_x * q.getX() + m_y * q.getY();
    sum += m_z * q.getZ() + m_w * q.getW();
    return sum;
}
int b3Getter() { return m_x; }
"""


def test_a_twin_is_hidden_in_strict_and_kept_and_counted_in_realistic(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"b3.cpp": TWIN, "bt.cpp": TWIN.replace("b3", "bt") + "int last() { return 7; }\n"})
    target = target_at(index, "bt.cpp", "btQuat::dot")
    strict, realistic = index.hide(target, "strict"), index.hide(target, "realistic")
    assert names(strict.clones) == names(realistic.clones) == ["b3Quat::dot"]
    assert names(strict.symbols(SymbolKind.FUNCTION)) == ["b3Getter", "btGetter", "last"]
    assert strict.file_text("b3.cpp").startswith(f"float b3Quat::dot(const b3Quat& q) const {HIDDEN}\n")
    assert names(realistic.symbols(SymbolKind.FUNCTION)) == ["b3Quat::dot", "b3Getter", "btGetter", "last"]
    assert realistic.file_text("b3.cpp") == TWIN
    assert "getX" not in realistic.file_text("bt.cpp")


def test_an_idiom_is_a_clone_only_under_the_same_name_or_when_all_of_it_is(
    indexed: Indexed, target_at: TargetAt
) -> None:
    index = indexed(
        {
            "a.cpp": "int btA::size() const { return m_data.size() - 1; }\n",
            "b.cpp": "int b3A::size() { return m_data.size() - 1; }\nint other() { return m_data.size() - 1; }\n",
            "c.cpp": "int big() { if (p) return m_data.size() - 1; log(p); log(q); return m_other; }\n",
        }
    )
    view = index.hide(target_at(index, "a.cpp", "btA::size"), "strict")
    assert names(view.clones) == ["b3A::size", "other"]


def test_many_views_of_one_index_do_not_disturb_each_other(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"box.cpp": CLASS})
    first = index.hide(target_at(index, "box.cpp", "Box::size"), "strict")
    second = index.hide(target_at(index, "box.cpp", "user"), "strict")
    assert "secret" in second.file_text("box.cpp")
    assert "secret" not in first.file_text("box.cpp")


@pytest.mark.parametrize(
    ("path", "span", "message"),
    [
        ("no.c", Span(1, 2), "not in the index"),
        ("box.cpp", Span(1, 500), "lines"),
        ("box.cpp", Span(0, 2), "lines"),
        ("broken.c", Span(1, 1), "skipped"),
    ],
)
def test_a_target_that_cannot_be_hidden_is_an_error(indexed: Indexed, path: str, span: Span, message: str) -> None:
    index = indexed({"box.cpp": CLASS, "broken.c": b"(" * 100_000})
    with pytest.raises(TaskError, match=message):
        index.hide(Target("t", path, span, "f", "", "", "c"), "strict")


def test_a_skipped_file_has_no_text(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"box.cpp": CLASS, "broken.c": b"(" * 100_000})
    view = index.hide(target_at(index, "box.cpp", "user"), "strict")
    assert view.files() == ["box.cpp"]
    with pytest.raises(TaskError):
        view.file_text("broken.c")


def test_cutting_and_lines() -> None:
    data = b"one\ntwo\nthree"
    assert [locate_span_without_last_line_end(data, Span(a, b)) for a, b in ((1, 1), (2, 3), (1, 9), (7, 8))] == [
        Hole(0, 3),
        Hole(4, 13),
        Hole(0, 13),
        Hole(13, 13),
    ]
    holes = (Hole(2, 4), Hole(8, 10))
    assert (
        replace_holes_by_placeholder(b"0123456789ab", 0, 12, holes)
        == b"01" + PLACEHOLDER + b"4567" + PLACEHOLDER + b"ab"
    )
    assert replace_holes_by_placeholder(b"0123456789ab", 3, 9, holes) == b"4567" + PLACEHOLDER
    assert replace_holes_by_placeholder(b"0123456789ab", 2, 3, holes) == PLACEHOLDER
    assert replace_holes_by_placeholder(b"0123456789ab", 3, 4, holes) == b""


def test_the_symbols_that_a_hole_touches_are_found_by_one_query_as_by_looking_at_each(indexed: Indexed) -> None:
    index = indexed({"box.cpp": CLASS, "twin.cpp": "// how\n" + CLASS.replace("Box", "Twin")})
    for path in ("box.cpp", "twin.cpp"):
        size = len(index.read_file(path))
        entries = index.entries_in_file(path)
        starts = sorted({e.symbol.start_byte for e in entries})
        by_start = [e for start in starts for e in index.entries_at(path, start)]
        assert by_start == sorted(entries, key=lambda e: (e.symbol.start_byte, e.id))
        for start in range(0, size, 7):
            for holes in ([Hole(start, start + 9)], [Hole(start, start + 3), Hole(start + 90, start + 99)]):
                expected = {e.id for e in entries if has_overlapping_hole(e.doc, e.symbol.end_byte, holes)}
                assert set(find_ids_overlapping_holes(index, path, holes)) == expected


def test_lines_that_are_left_out_are_in_no_text_and_no_list(indexed: Indexed, target_at: TargetAt) -> None:
    source = "int a;\nint b;\nint task(void) {\n  return secret();\n}\nint c(void) {\n  one();\n  two();\n}\nint d;\n"
    index = indexed({"a.c": source, "b.h": "int e;\nint f;\n"})
    whole = index.hide(target_at(index, "a.c", "task"), "strict")
    view = whole.leave_out_lines({"a.c": [Span(2, 2), Span(7, 7), Span(10, 99)], "b.h": [Span(1, 2)]})
    assert view.file_text("a.c") == f"int a;\nint task(void) {HIDDEN}\nint c(void) {{\n  two();\n}}\n"
    assert view.lines("a.c", Span(1, 3)) == f"int a;\nint task(void) {HIDDEN}"
    assert view.file_text("b.h") == ""
    assert names(view.symbols(SymbolKind.GLOBAL)) == ["a"]
    assert view.symbols_named("b") == []
    (c,) = view.symbols_named("c")
    assert view.text(c) == "int c(void) {\n  two();\n}"
    assert view.is_left_out(index.entries_named("f")[0].symbol)
    assert not view.is_left_out(c)
    assert names(whole.symbols(SymbolKind.GLOBAL)) == ["a", "b", "d", "e", "f"]


def test_a_hole_that_is_partly_left_out_stays_hidden(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"a.c": "int task(void) {\n  one();\n  two();\n  three();\n}\nint b;\n"})
    view = index.hide(target_at(index, "a.c", "task"), "strict")
    for span in (Span(1, 1), Span(2, 3), Span(4, 6)):
        text = view.leave_out_lines({"a.c": [span]}).file_text("a.c")
        assert not {"one", "two", "three"} & set(re.findall(r"\w+", text)), (span, text)
