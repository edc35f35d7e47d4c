"""Prevents: an index that ordinary trees break: a call that fits no overload, a file that the parser gives up on,
headers that include each other in circles, a tree without a function, a tree without a file."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from index.callgraph.include_closure import IncludeClosure
from index.cpp.declaring_macros import DeclaringMacro, ReplacementPart
from index.cpp.macros import Definition, LearntMacros, MacroForm, learn_macros, prepare_parser_text
from index.cpp.type_text import find_word
from index.repo_index import RepoIndex
from index.symbols.source_parser import MAX_DEPTH

Files = dict[str, str | bytes]
Indexed = Callable[[Files], RepoIndex]


def callees(index: RepoIndex, name: str) -> set[str]:
    """The paths of what a function calls."""
    (caller,) = (entry for entry in index.functions if entry.symbol.name == name)
    return {entry.symbol.path for entry in index.read_sorted_entries(index.graph.callees(caller.id).tolist())}


def test_an_operator_that_no_definition_fits_has_no_callee(indexed: Indexed) -> None:
    index = indexed(
        {
            "a.h": "void operator delete(char *p) { release(p); }\n",
            "b.h": "void operator delete(long *p) { release(p); }\n",
            "c.cc": '#include "a.h"\n#include "b.h"\n'
            "struct Box { int x; };\n"
            "void by_value(Box b) { ::operator delete(b); }\n"
            "void by_pointer(char *text) { ::operator delete(text); }\n",
        }
    )
    assert callees(index, "by_value") == set()
    assert callees(index, "by_pointer") == {"a.h"}


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
    assert callees(index, "two") == {"a.h"}


def test_a_library_in_one_file_is_indexed(indexed: Indexed) -> None:
    remark = "/* " + 100 * "What follows is a part of the library, and all parts are in one file. " + "*/\n"
    functions = [f"{remark}static int part_{n}(int x) {{ return x + {n}; }}\n" for n in range(800)]
    text = "".join(functions)
    assert len(text) > 5 * 2**20
    assert len(indexed({"amalgamation.c": text}).functions) == len(functions)


def test_functions_out_of_sight_that_seem_to_call_themselves_end(indexed: Indexed) -> None:
    """As busybox's xatonum_template.c: the macro would make `take_any_now`, which would call itself."""
    index = indexed(
        {
            "a.c": "#define MAKE(t) int take_##t##_now(int x) { return take_##t##_now(x) + take_more_##t##_now(x); }\n"
            "MAKE(first)\n"
            "int use(int x) { return take_any_now(x); }\n",
        }
    )
    assert callees(index, "use") == set()


def test_a_field_without_a_name_is_found_nowhere() -> None:
    """Boost's build went on for ever: `find_word` stood at the same place of such a field's text again and again."""
    assert find_word("BOOST_CONCEPT_ASSERT((boost::EqualityComparable<int>));", "", 0) == -1


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


def test_macros_without_parameters_mean_what_they_meant(indexed: Indexed) -> None:
    index = indexed(
        {
            "a.h": "#define SIZE 4\n#define release release_now\n"
            "# define also_release release_now\n#define WITH(x) take(x)\n",
            "b.c": '#include "a.h"\n'
            "void release_now(int x) {}\n"
            "void take(int x) {}\n"
            "void first(void) { release(SIZE); }\n"
            "void second(void) { also_release(SIZE); }\n"
            "void third(void) { WITH(SIZE); }\n",
        }
    )
    called = {
        entry.symbol.name: {e.symbol.name for e in index.read_sorted_entries(index.graph.callees(entry.id).tolist())}
        for entry in index.functions
    }
    assert called["first"] == {"release_now"}
    assert called["second"] == {"release_now"}
    assert called["third"] == {"WITH", "take"}
