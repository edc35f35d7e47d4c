"""Prevents: a cue that doesn't say what it is named for, that follows the hidden body, or that moves a ranker which
was trained before there was such a signal.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from index.repo_index import RepoIndex
from retrieval.ranker.learned import GENERIC
from retrieval.ranker.ranker import load_ranker
from retrieval.ranker.training import target_of
from retrieval.structure.cues.associations import ASSOCIATIONS
from retrieval.structure.cues.flow import FLOW
from retrieval.structure.cues.likely import LIKELY
from retrieval.structure.cues.lone import LONE
from retrieval.structure.cues.order import ORDER
from retrieval.structure.cues.overloads import OVERLOADS
from retrieval.structure.cues.uses import IDIOMS, RESULTS
from retrieval.structure.evidence.associations import load_associations, made_associations, text_of
from retrieval.structure.signaller import Signaller, Signals
from retrieval.structure.signals import NAMES
from retrieval.structure.tables.uses import Use, use_of

Open = Callable[[dict[str, str]], RepoIndex]
KINDS = (FLOW, ORDER, RESULTS, IDIOMS, LONE, OVERLOADS, LIKELY, ASSOCIATIONS)

ASSOCIATED = made_associations({"release": {"unlock": 2.0, "free": 1.0}, "drop": {"free": 1.5}})
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


def asked(index: RepoIndex, name: str = "store_drop") -> Found:
    """The signals of a function, and the candidates' places by name."""
    signaller = Signaller(index, ASSOCIATED)
    target = target_of(next(e.symbol for e in index.functions if e.symbol.qualified_name == name))
    view = index.hide(target, "strict")
    assert view.clones == (), "siblings that are hidden too tell nothing"
    signals = signaller.of(view, target)
    entries = {e.id: e.symbol.qualified_name for e in index.entries_by_id(signaller.tables.ids[signals.rows].tolist())}
    return signals, {entries[int(i)]: at for at, i in enumerate(signaller.tables.ids[signals.rows])}


@pytest.fixture
def found(opened: Open) -> Found:
    return asked(opened(tree(BODY)))


def test_no_cue_follows_the_hidden_body(opened: Open, found: Found) -> None:
    """Nor does one that counts over siblings: their idioms, their order of calls, what is called together."""
    signals, place = found
    other, other_place = asked(opened(tree(OTHER_BODY)))
    assert place == other_place
    cues = [name for kind in KINDS for name in kind]
    assert len(cues) > 40
    changed = [name for name in cues if signals.column(name).tobytes() != other.column(name).tobytes()]
    assert changed == []


def test_cues_follow_visible_bodies(opened: Open, found: Found) -> None:
    """The test above can fail."""
    files = tree(BODY)
    files["store.c"] = files["store.c"].replace(
        "    item_give(pool);\n", "    if (!item_give(pool)) goto out;\nout:\n"
    )
    signals, _ = found
    other, _ = asked(opened(files))
    changed = {
        name for kind in KINDS for name in kind if signals.column(name).tobytes() != other.column(name).tobytes()
    }
    assert {"is_tested", "cleans", "file_leaves"} <= changed


def test_a_type_is_reached_by_way_of_an_accessor(found: Found) -> None:
    signals, place = found
    chain = signals.column("chain")
    assert chain[place["item_take"]] > 0 == chain[place["finish"]]
    assert signals.column("accessor")[place["store_pool"]] > 0 == signals.column("accessor")[place["finish"]]
    assert signals.column("first_kind")[[place["finish"], place["item_take"]]].tolist() == [2, 0]
    assert signals.column("unbound")[place["item_take"]] == 0


def test_siblings_tell_what_comes_first_and_last(found: Found) -> None:
    signals, place = found
    first, last = signals.column("alike_opens"), signals.column("alike_closes")
    assert first.argmax() == place["store_pool"]
    assert last.argmax() == place["finish"]


def test_what_is_called_beside_the_target_is_a_step_of_the_same_job(found: Found) -> None:
    signals, place = found
    step = signals.column("step")
    assert [step[place[name]] for name in ("store_take", "forget", "finish")] == [1, 1, 0]
    assert signals.column("steps")[place["store_pool"]] > 0


def test_a_result_is_used_as_the_targets_is(found: Found) -> None:
    signals, place = found
    same = signals.column("same_use")
    assert same[place["pool_lock"]] > same[place["finish"]]
    assert signals.column("is_returned")[place["finish"]] > 0


def test_the_idioms_of_the_file_are_seen(found: Found) -> None:
    signals, place = found
    leaves = signals.column("file_leaves")
    assert leaves[place["complain"]] > leaves[place["store_pool"]]
    assert signals.column("cleans")[place["pool_unlock"]] > 0


def test_the_nearest_orphan_above_comes_first(found: Found) -> None:
    signals, place = found
    assert [signals.column("orphan_rank")[place[name]] for name in ("far_alone", "alone", "finish")] == [0, 1, -1]
    assert np.flatnonzero(signals.column("orphan_above")).tolist() == [place["far_alone"]]
    assert signals.column("uncalled")[place["item_free"]] == 1


def test_the_likely_ones_lead_to_what_is_called_with_them(found: Found) -> None:
    signals, place = found
    together = signals.column("together")
    assert together[place["pool_unlock"]] > together[place["use"]]
    assert signals.column("takes_likely")[place["item_free"]] > 0


def test_words_lead_to_associated_words(found: Found) -> None:
    signals, place = found
    said = signals.column("said_by_doc_best")
    assert [said[place[name]] for name in ("pool_unlock", "item_free", "finish")] == [2.0, 1.0, 0.0]
    assert signals.column("said_by_name_best")[place["item_free"]] == 1.5


def test_one_of_a_group_leads(opened: Open) -> None:
    index = opened(
        {
            "a.cpp": "struct key {}; int put(key *k) { return k != 0; }\nint put(int n) { return n; }\n"
            "int far(int n) { return n + 1; }\n"
            "int keep_one(key *k) { return put(k) * 2; }\nint keep_all(key *k) { return far(1) + put(k); }\n"
        }
    )
    signals, _ = asked(index, "keep_one")
    group, lead = signals.column("group"), signals.column("group_kinds_lead")
    assert sorted(group.tolist()) == [1, 1, 2, 2]
    assert sorted(lead[group == 2].tolist()) == [-1.0, 1.0]
    assert not lead[group == 1].any()


def test_the_shipped_ranker_knows_nothing_of_newer_signals(found: Found) -> None:
    ranker = load_ranker(GENERIC)
    signals, _ = found
    assert signals.names == NAMES
    alone = Signals(signals.rows, signals.columns(ranker.names), ranker.names)
    assert ranker.scores(signals).tolist() == ranker.scores(alone).tolist()


def test_only_what_is_asked_for_is_computed(opened: Open) -> None:
    index = opened(tree(BODY))
    target = target_of(next(e.symbol for e in index.functions if e.symbol.name == "store_drop"))
    signaller = Signaller(index)
    names = ("near_part", "pool", "step", "pool_rank")
    some = signaller.of(index.hide(target, "strict"), target, names=names)
    every = signaller.of(index.hide(target, "strict"), target)
    assert some.names == names
    assert (some.table == every.columns(names)).all()
    with pytest.raises(ValueError, match="other signals"):
        load_ranker(GENERIC).scores(some)


def test_a_table_of_associations_is_read_as_it_was_written(tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = {"free": {"destroy": 1.25, "release": 0.5}, "parse": {"token": 2.0}}
    (tmp_path / "table.txt").write_text(text_of(found))
    loaded, made = load_associations(tmp_path / "table.txt"), made_associations(found)
    assert all(np.array_equal(a, b) for a, b in zip(loaded[:2], made[:2], strict=True))
    assert loaded.weights.tolist() == made.weights.tolist()


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("{ f(x); }", Use.DROPPED),
        ("{ (void)f(x); g(); }", Use.DROPPED),
        ("{ if (x) f(x); }", Use.DROPPED),
        ("{ f(x); return 1; }", Use.DROPPED | Use.LEAVES),
        ("{ return (int)f(x); }", Use.RETURNED),
        ("{ y = f(x); }", Use.STORED),
        ("{ y = f(x); if (y == NULL) g(); }", Use.STORED | Use.TESTED | Use.NULLED),
        ("{ y = f(x); if (!y) g(); }", Use.STORED | Use.TESTED | Use.NULLED),
        ("{ if (f(x, (y)) < 0) g(); }", Use.TESTED | Use.NEGATIVE),
        ("{ if (f(x) == -1) g(); }", Use.TESTED | Use.NEGATIVE),
        ("{ while (x && f(x)) g(); }", Use.TESTED),
        ("{ g(1, f(x)); }", Use.PASSED),
    ],
)
def test_what_becomes_of_a_result(text: str, use: Use) -> None:
    at = text.index("f(x")
    assert Use(use_of(text.encode(), at, at + 1)) == use
