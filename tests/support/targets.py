"""Functions of a small index as targets, their signals, and the same tree with another body."""

from __future__ import annotations

from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Span, Symbol, Target
from retrieval.ranker.training_groups import make_target
from retrieval.structure.evidence.word_meanings import Meanings
from retrieval.structure.signal_maker import Signaller, Signals

TABLE_SOURCE = """\
/* Free every entry of the hash table. */
void table_free(struct table *t) {
    for (int i = 0; i < t->size; i++) entry_free(t->entries[i]);
}
/* Release one entry of the table. */
void entry_free(struct entry *e) { heap_release(e); }
void draw_line(int x, int y) { plot(x, y); }
void draw_box(int x, int y) { outline(x, y); }
"""
"""A file for what finds functions by their words: `entry_free` is what `table_free` calls."""

LOOKUP = """\
group *find_group(stream *s, text name) {
    if (s->groups == NULL) return NULL;
    void *found = NULL;
    tree_find(s->groups, (unsigned char *)name, text_length(name), &found);
    return found;
}
"""
RENAMED_LOOKUP = """\
member *find_member(group *g, text name) {
    if (g == NULL) return NULL;
    void *who = NULL;
    tree_find(g->members, (unsigned char *)name, text_length(name), &who);
    return who;
}
"""
"""As in redis: the answer but for names, over other functions and fields."""


def table_target() -> Target:
    """The target `table_free` of TABLE_SOURCE, which stands in `a.c`."""
    signature = "void table_free(struct table *t)"
    return Target("t", "a.c", Span(2, 4), "table_free", signature, "/* Free every entry of the hash table. */", "c")


def find_function(index: RepoIndex, name: str) -> Symbol:
    """The first function of that name, qualified or not."""
    return next(e.symbol for e in index.functions if name in (e.symbol.name, e.symbol.qualified_name))


def find_target(index: RepoIndex, name: str) -> Target:
    return make_target(find_function(index, name))


def compute_signals(index: RepoIndex, name: str, meanings: Meanings | None = None) -> tuple[Signals, dict[str, int]]:
    """The signals of a function, and its candidates' places by qualified name."""
    signaller, target = Signaller(index, meanings), find_target(index, name)
    signals = signaller.compute_signals(index.hide(target, "strict"), target)
    ids = [int(i) for i in signaller.tables.ids[signals.rows]]
    names = {e.id: e.symbol.qualified_name for e in index.read_entries_sorted_by_place(ids)}
    return signals, {names[number]: at for at, number in enumerate(ids)}


def replace_body(index: RepoIndex, target: Target, body: str) -> RepoIndex:
    """The same tree, its target with another body on the same lines. To be closed by who asked."""
    path = index.root / target.path
    text = path.read_text().split("\n")
    gold = "\n".join(text[target.span.first - 1 : target.span.last])
    other = gold[: gold.index("{")] + "{ " + body
    other += "\n" * (gold.count("\n") - other.count("\n")) + "}"
    path.write_text(path.read_text().replace(gold, other))
    build_index(index.root, index.folder, workers=1)
    return open_index(index.folder, index.root)
