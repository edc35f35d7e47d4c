"""Prevents: a signal that doesn't say what it is named for, that follows the hidden body, or that moves a ranker which
was trained before there was such a signal.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index.repo_index import RepoIndex
from retrieval.ranker.generic_ranker import load_generic_ranker
from retrieval.ranker.training_groups import find_sure_callees
from retrieval.structure.evidence.word_meanings import (
    MEANING_SIGNALS,
    READ,
    SPEAKERS,
    KnownMeanings,
    Meanings,
    load_meanings,
    save_meanings,
)
from retrieval.structure.likely_callees import LIKELY_SIGNALS
from retrieval.structure.signal_maker import Signaller, Signals
from retrieval.structure.signals import SIGNAL_NAMES
from retrieval.text.terms import hash_term
from tests.support.indexes import Indexed
from tests.support.targets import compute_signals, find_target

TREE = {
    "db.c": """
static int rdb_load_len(int n) { return n; }
static int rdb_save_len(int n) { return n + 1; }
static int alone(int n) { return n * 3; }
static int in_table(int n) { return n * 4; }
int (*table[])(int) = { in_table };
/* alone() and "alone" in comments and strings are no use of it. */
const char *text = "alone";
int module_load_unsigned(int n) { return rdb_load_len(n); }
int module_save_unsigned(int n) { return alone(n); }
int report(int n) { return n; }
#define RAISE(n) report(n)
int noisy(int n) { return RAISE(n); }
""",
    "a.cpp": """
class A { public: int size() const; int rows() const; };
class B { public: int size() const; int rows() const; };
int A::rows() const { return 1; }
int B::rows() const { return 2; }
int A::size() const { return rows() * 2; }
int B::size() const { return 7; }
""",
}


@pytest.fixture
def index(indexed: Indexed) -> RepoIndex:
    return indexed(TREE)


def test_a_siblings_callee_is_renamed_as_the_sibling_is(index: RepoIndex) -> None:
    signals, place = compute_signals(index, "module_save_unsigned")
    column = signals.find_column("analogous")
    assert column[place["rdb_save_len"]] > 0
    assert np.count_nonzero(column) == 1


def test_a_namesake_leads_to_the_method_of_the_own_class(index: RepoIndex) -> None:
    signals, place = compute_signals(index, "B::size")
    column = signals.find_column("analogous")
    assert column[place["B::rows"]] > 0
    assert column[place["A::rows"]] == 0


def test_an_orphan_is_named_nowhere_outside_bodies(index: RepoIndex) -> None:
    signals, place = compute_signals(index, "module_save_unsigned")
    orphan, outside = signals.find_column("orphan"), signals.find_column("outside")
    assert orphan[place["alone"]] == 1
    assert outside[place["alone"]] == 0
    assert outside[place["in_table"]] == 1
    assert orphan[place["rdb_load_len"]] == 0


def test_what_a_macro_calls_is_no_call(index: RepoIndex) -> None:
    signaller = Signaller(index)
    noisy = next(e for e in index.functions if e.symbol.name == "noisy")
    assert not len(find_sure_callees(signaller, int(signaller.tables.row_of[noisy.id])))
    signals, place = compute_signals(index, "module_load_unsigned")
    assert signals.find_column("implied")[place["report"]] > 0
    assert signals.find_column("called")[place["report"]] == 0


CUES = (*LIKELY_SIGNALS, *MEANING_SIGNALS)


def meanings() -> Meanings:
    """`release` in a comment says what `unlock` and, half as loud, `free` in a name answer to; `drop` in a name says
    something else, to which `free` answers."""
    words = np.sort(np.array([hash_term(word) for word in ("release", "drop", "unlock", "free")], dtype=np.uint64))
    place = {word: int(np.searchsorted(words, np.uint64(hash_term(word)))) for word in ("release", "drop", "unlock")}
    says, hears = (np.zeros((len(kinds), 4, 2), dtype=np.float32) for kinds in (SPEAKERS, READ))
    free = int(np.searchsorted(words, np.uint64(hash_term("free"))))
    says[SPEAKERS.index("doc"), place["release"]] = (4, 0)
    says[SPEAKERS.index("name"), place["drop"]] = (0, 3)
    hears[READ.index("name"), place["unlock"]] = (1, 0)
    hears[READ.index("name"), free] = (0.5, 1)
    return Meanings(words, says, hears)


BODY = """
    int freed = 0;
    while (freed < 9 && item_free(store_pool(s)) < 0) freed += 3 << far_alone(freed);
    forget(s);
    return freed ^ 5;
"""
OTHER_BODY = """
    for (int i = 0; i < 9; i++) { finish(s); forget(s); }
    if (!item_free(store_pool(s))) goto end;
    pool_unlock(0);
end:
    return complain("nothing") + alone(3);
"""


def tree(body: str) -> dict[str, str]:
    """A store with a pool. `store_drop` is the target; `store_take` and `store_give` are like it."""
    return {
        "store.h": """
struct store { int n; }; struct pool { int n; };
struct pool *store_pool(struct store *s);
int pool_lock(struct pool *p); void pool_unlock(struct pool *p);
int item_free(struct pool *p); int item_take(struct pool *p); int item_give(struct pool *p);
int finish(struct store *s); void forget(struct store *s); void complain(const char *why);
int store_drop(struct store *s); int store_take(struct store *s); int store_give(struct store *s);
""",
        "tools.c": """
#include "store.h"
struct pool *store_pool(struct store *s) { return (struct pool *)s; }
int pool_lock(struct pool *p) { return p != 0; }
void pool_unlock(struct pool *p) { (void)p; }
int item_free(struct pool *p) { return p == 0; }
int item_take(struct pool *p) { return p != 0; }
int item_give(struct pool *p) { return p == 0; }
int finish(struct store *s) { return s ? 1 : 0; }
void forget(struct store *s) { (void)s; }
void complain(const char *why) { (void)why; }
void use(struct store *s) { if (store_take(s) < 0) return; if (store_drop(s) < 0) return; forget(s); }
""",
        "store.c": f"""
#include "store.h"
static int alone(int n) {{ return n * 3; }}
static int far_alone(int n) {{ return n * 4; }}
/* Take an item out of the store. */
int store_take(struct store *s) {{
    struct pool *pool = store_pool(s);
    if (pool_lock(pool) < 0) {{ complain("lock"); return -1; }}
    if (item_take(pool) < 0) goto out;
out:
    pool_unlock(pool);
    return finish(s);
}}
/* Give an item to the store, which is kept. */
int store_give(struct store *s) {{
    struct pool *pool = store_pool(s);
    for (int tries = 0; tries < 4; tries++) {{
        int failed = pool_lock(pool);
        if (failed < 0) {{ complain("no lock"); return tries * 2 + 1; }}
    }}
    item_give(pool);
    pool_unlock(pool);
    return finish(s) + 1;
}}
/* Release an item of the store, and drop it. */
int store_drop(struct store *s)
{{{body}}}
""",
    }


Found = tuple[Signals, dict[str, int]]


@pytest.fixture
def found(indexed: Indexed) -> Found:
    return compute_signals(indexed(tree(BODY)), "store_drop", meanings())


def test_no_cue_follows_the_hidden_body(indexed: Indexed, found: Found) -> None:
    """Nor does one that counts over siblings: what is called together."""
    signals, place = found
    other, other_place = compute_signals(indexed(tree(OTHER_BODY)), "store_drop", meanings())
    assert place == other_place
    changed = [name for name in CUES if signals.find_column(name).tobytes() != other.find_column(name).tobytes()]
    assert changed == []


def test_cues_follow_visible_bodies(indexed: Indexed, found: Found) -> None:
    """The test above can fail."""
    files = tree(BODY)
    files["store.c"] = files["store.c"].replace("    item_give(pool);\n", "    item_free(pool);\n")
    signals, _ = found
    other, _ = compute_signals(indexed(files), "store_drop", meanings())
    changed = {name for name in CUES if signals.find_column(name).tobytes() != other.find_column(name).tobytes()}
    assert {"guess", "together", "after_likely"} <= changed


def test_the_likely_ones_lead_to_what_is_called_with_them(found: Found) -> None:
    signals, place = found
    together = signals.find_column("together")
    assert together[place["pool_unlock"]] > together[place["use"]]
    assert signals.find_column("takes_likely")[place["item_free"]] > 0


def test_words_lead_to_words_of_that_meaning(found: Found) -> None:
    """The comment has two words that are known, the names two words, of which one is known: so each is a mean."""
    signals, place = found
    by_doc, by_name, meant = (signals.find_column(name) for name in ("meant_by_doc", "meant_by_name", "meant"))
    assert [by_doc[place[name]] for name in ("pool_unlock", "item_free", "finish")] == [1.0, 0.5, 0.0]
    assert [by_name[place[name]] for name in ("pool_unlock", "item_free", "finish")] == [0.0, 1.5, 0.0]
    assert [meant[place[name]] for name in ("pool_unlock", "item_free", "finish")] == [1.0, 2.0, 0.0]
    assert signals.find_column("meant_rank")[place["item_free"]] == 0


def test_the_shipped_ranker_knows_nothing_of_newer_signals(found: Found) -> None:
    ranker = load_generic_ranker()
    signals, _ = found
    assert signals.names == SIGNAL_NAMES
    alone = Signals(signals.rows, signals.select_columns(ranker.names), ranker.names)
    assert ranker.score_candidates(signals).tolist() == ranker.score_candidates(alone).tolist()


def test_only_what_is_asked_for_is_computed(indexed: Indexed) -> None:
    index = indexed(tree(BODY))
    target = find_target(index, "store_drop")
    signaller = Signaller(index)
    names = ("near_part", "pool", "together", "pool_rank")
    some = signaller.compute_signals(index.hide(target, "strict"), target, names=names)
    every = signaller.compute_signals(index.hide(target, "strict"), target)
    assert some.names == names
    assert (some.table == every.select_columns(names)).all()
    with pytest.raises(ValueError, match="other signals"):
        load_generic_ranker().score_candidates(some)


def test_vectors_of_words_are_read_as_they_were_written(tmp_path: Path) -> None:
    made = meanings()
    save_meanings(made, tmp_path / "meanings.npz")
    loaded = load_meanings(tmp_path / "meanings.npz")
    assert np.array_equal(loaded.words, made.words)
    assert np.allclose(loaded.says, made.says, atol=0.02) and np.allclose(loaded.hears, made.hears, atol=0.02)


def test_a_vocabulary_without_a_known_word_hears_nothing() -> None:
    known = KnownMeanings(meanings(), np.array([1, 2, 3], dtype=np.uint64))
    said = known.average_speaker_vectors("doc", np.array([0, 2]))
    assert not said.any() and not known.score_vocabulary_words("name", said).any()
