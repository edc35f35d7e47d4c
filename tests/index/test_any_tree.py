"""Prevents: an index that ordinary trees break: a file that the parser gives up on, headers that include each other in
circles, a library in one file, macros by the thousand."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from index.callgraph.include_closure import IncludeClosure
from index.cpp.declaring_macros import DeclaringMacro, ReplacementPart
from index.cpp.macros import Definition, LearntMacros, MacroForm, learn_macros, prepare_parser_text
from index.cpp.type_text import find_word_or_minus_one
from index.symbols.source_parser import MAX_DEPTH
from tests.support.indexes import Indexed


def test_the_includes_of_a_skipped_file_are_no_part_of_the_call_graph(indexed: Indexed) -> None:
    deep = "int x = " + "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1) + ";\n"
    index = indexed(
        {
            "deep.c": f'#include "a.h"\n{deep}',
            "a.h": "static inline int one(void) { return 1; }\n",
            "b.c": '#include "a.h"\nint two(void) { return one() + one(); }\n',
        }
    )
    assert index.files["deep.c"].reason
    one, two = index.functions
    assert index.graph.callees(two.id).tolist() == [one.id]


def test_a_library_in_one_file_is_indexed(indexed: Indexed) -> None:
    remark = "/* " + 100 * "What follows is a part of the library, and all parts are in one file. " + "*/\n"
    functions = [f"{remark}static int part_{n}(int x) {{ return x + {n}; }}\n" for n in range(800)]
    text = "".join(functions)
    assert len(text) > 5 * 2**20
    assert len(indexed({"amalgamation.c": text}).functions) == len(functions)


def test_a_field_without_a_name_is_found_nowhere() -> None:
    """Boost's build went on for ever: `find_word_or_minus_one` stood at the same place of such a field's text again
    and again."""
    assert find_word_or_minus_one("BOOST_CONCEPT_ASSERT((boost::EqualityComparable<int>));", "", 0) == -1


@given(st.integers(1, 12), st.integers(0, 40), st.integers(0, 2**32))
def test_closures_of_includes_are_right_with_circles(files: int, includes: int, seed: int) -> None:
    drawn = random.Random(seed)
    direct: dict[int, list[int]] = {file: [] for file in range(files)}
    for _ in range(includes):
        direct[drawn.randrange(files)].append(drawn.randrange(files))
    found = IncludeClosure(direct)
    for file in direct:
        reached = {file}
        pending = [file]
        while pending:
            for other in direct[pending.pop()]:
                if other not in reached:
                    reached.add(other)
                    pending.append(other)
        assert [other for other, sees in enumerate(found.mark_visible_files(file)) if sees] == sorted(reached)


def test_thousands_of_macros_are_learnt_in_time_that_grows_with_their_number() -> None:
    chain = [Definition(f"LINK{n}", MacroForm.ATTRIBUTE, (f"LINK{n + 1}",)) for n in range(5_000)]
    makers = [
        Definition(
            f"MAKE{n}", MacroForm.DECLARES, (), DeclaringMacro(("t",), (ReplacementPart("function", "int f(t x)"),))
        )
        for n in range(20_000)
    ]
    began = time.process_time()
    learnt = learn_macros([*chain, *makers])
    assert time.process_time() - began < 5
    assert learnt.keys() == {definition.name for definition in makers}


def test_many_learnt_macros_cost_a_file_nothing() -> None:
    learnt = LearntMacros({f"DECORATION_{n}": MacroForm.ATTRIBUTE for n in range(20_000)})
    text = b"DECORATION_7 int f(int DECORATED) { return DECORATED; }\n"
    began = time.process_time()
    for _ in range(200):
        assert prepare_parser_text(text, learnt).source == text.replace(b"DECORATION_7", b" " * 12)
    assert time.process_time() - began < 2
