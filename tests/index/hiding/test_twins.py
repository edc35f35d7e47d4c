"""Prevents: a renamed twin of the target that strict masking shows, as it did with redis's streamLookupConsumer; a
pool that is emptied because every getter is like every other; and a fast look-up that misses what a full comparison
finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from index.cpp.keywords import word_set
from index.hiding.body_tokens import tokenize_bodies
from index.hiding.shape_clones import (
    LEAST_SIMILARITY,
    LEAST_TARGET_TOKENS,
    abstract_names_and_literals,
    build_table_from_stored_shapes,
    encode_kind_and_name_counts_or_empty,
    find_possible_clones,
    measure_shape_and_name_similarity,
)
from tests.support.indexes import Indexed, TargetAt
from tests.support.targets import LOOKUP, RENAMED_LOOKUP

UNLIKE = """\
int count_members(group *g, int least) {
    int count = 0;
    for (member *m = first(g); m; m = next(g, m)) {
        if (m->age < least) continue;
        count++;
    }
    return count;
}
"""
SETTERS = "void set_{0}(struct s *s, int {0}) {{ s->{0} = {0}; }}\nint get_{0}(struct s *s) {{ return s->{0}; }}\n"
CONSTRUCTOR = """\
{0} *{0}_new(void) {{
    {0} *made = allocate(sizeof(*made));
    if (made == NULL) return NULL;
    made->{1} = {2};
    made->{3} = {4};
    return made;
}}
"""


def test_a_renamed_twin_is_hidden(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"a.c": LOOKUP + UNLIKE, "b.c": RENAMED_LOOKUP})
    target = target_at(index, "a.c", "find_group")
    strict = index.hide(target, "strict")
    assert [(twin.symbol.name, twin.how) for twin in strict.twins] == [("find_member", "shape")]
    assert LEAST_SIMILARITY <= strict.twins[0].similarity < 1
    assert "tree_find" not in strict.file_text("b.c")
    assert strict.symbols_named("find_member") == []
    assert "count_members" in strict.file_text("a.c")
    realistic = index.hide(target, "realistic")
    assert realistic.twins == strict.twins
    assert "tree_find" in realistic.file_text("b.c")


def test_a_copy_with_other_prefixes_is_a_twin_by_its_text(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"a.c": LOOKUP, "b.c": LOOKUP.replace("find_group", "find_set")})
    (twin,) = index.hide(target_at(index, "a.c", "find_group"), "strict").twins
    assert (twin.symbol.name, twin.similarity, twin.how) == ("find_set", 1.0, "run")


def test_short_idioms_stay(indexed: Indexed, target_at: TargetAt) -> None:
    index = indexed({"a.c": "".join(SETTERS.format(name) for name in ("size", "age", "colour", "weight"))})
    for name in ("set_size", "get_size"):
        assert index.hide(target_at(index, "a.c", name), "strict").twins == ()


def test_a_shape_without_the_names_is_none(indexed: Indexed, target_at: TargetAt) -> None:
    """Constructors are all alike. What one sets is what is asked for, and the others don't tell that."""
    one = CONSTRUCTOR.format("window", "width", "80", "height", "default_rows()")
    other = CONSTRUCTOR.format("socket", "handle", "nothing", "peer", "INVALID").replace("made", "fresh")
    index = indexed({"a.c": one + other.replace("allocate", "zalloc")})
    assert index.hide(target_at(index, "a.c", "window_new"), "strict").twins == ()


TOKENS = st.sampled_from(sorted(word_set('a b c first second ( ) { } ; = + -> if return 0 1 "x"')))
BODIES = st.lists(TOKENS, min_size=1, max_size=40).map(lambda found: " ".join(found).encode())


@given(st.lists(BODIES, min_size=1, max_size=8), BODIES)
def test_the_fast_look_up_misses_nothing(bodies: list[bytes], target: bytes) -> None:
    wanted = tokenize_bodies([target])
    table = build_table_from_stored_shapes(enumerate(encode_kind_and_name_counts_or_empty(tokenize_bodies(bodies))))
    possible = set(find_possible_clones(table, wanted))
    for number, body in enumerate(bodies):
        found = measure_shape_and_name_similarity(wanted, tokenize_bodies([body]))
        assert number in possible or found < LEAST_SIMILARITY or len(wanted.kinds) < LEAST_TARGET_TOKENS


@given(BODIES)
def test_a_body_is_wholly_like_itself_whatever_its_names(body: bytes) -> None:
    found = tokenize_bodies([body])
    assert measure_shape_and_name_similarity(found, found) == 1.0 or not any(found.kinds <= 1)
    assert abstract_names_and_literals(found) == abstract_names_and_literals(
        tokenize_bodies([body.replace(b"first", b"other").replace(b"1", b"77")])
    )


def test_an_empty_tree_has_a_table() -> None:
    table = build_table_from_stored_shapes([])
    assert find_possible_clones(table, tokenize_bodies([LOOKUP.encode()])) == []
    assert encode_kind_and_name_counts_or_empty(tokenize_bodies([])) == []
