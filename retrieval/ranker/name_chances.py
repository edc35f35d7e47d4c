"""How likely a missing body needs each name: trees that are fitted on the repository's own other functions.

Each of those functions is hidden as a target would be; its own body then says which candidates it needs. A repository
with too few functions is served by trees that ship with Graft and were fitted on repositories that no benchmark uses
(benchmarks/retrieval/name_chances.py).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from index.hiding.hidden_view import HiddenView
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.values import Entry, Symbol, Target
from retrieval.names.name_evidence import FEATURE_NAMES, FeatureTable, collect_name_candidates_with_features
from retrieval.names.name_tables import open_or_make_name_tables
from retrieval.names.name_votes import MOST_HITS, NameEvidence
from retrieval.names.needed_names import find_needed_names
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.forest_ranker import REPRODUCIBLE_SETTINGS, write_forest_as_text
from retrieval.ranker.generic_ranker import load_generic_ranker
from retrieval.ranker.training_groups import find_target_and_clone_rows, load_or_train_model, query_training_functions
from retrieval.structure.fused_retriever import choose_best_places, make_hits
from retrieval.structure.signal_maker import Signaller
from retrieval.structure.tables.compressed_lists import Mask
from retrieval.structure.tables.vocabulary import find_word_numbers
from retrieval.values import Hit, NameChance

if TYPE_CHECKING:
    from lightgbm import Booster

GENERIC_FILE = Path(__file__).with_name("name_chances.txt")
MOST_NAMES = 1000
"""Names that are found: a budget of 6,000 tokens shows some 400."""
TRAINING_FUNCTIONS = 400
FEWEST_TRAINING_FUNCTIONS = 100
"""With fewer the trees learn noise, and the generic ones serve."""
TREES = 80
KEPT_OTHERS = 250
"""Candidates that a function doesn't need, of those that teach: drawn by chance, each standing for several."""
SEED = 20
SETTINGS = {
    **REPRODUCIBLE_SETTINGS,
    "seed": SEED,
    "objective": "binary",
    "learning_rate": 0.08,
    "num_leaves": 31,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
}
VERSION = f"4 {TRAINING_FUNCTIONS} {TREES} {KEPT_OTHERS} {SEED}"
"""Changes with whatever changes the trees."""

log = logging.getLogger(__name__)


class Lesson(NamedTuple):
    """Some candidates of one function: their features, which of them its body needs, and for how many each stands."""

    table: FeatureTable
    needed: Mask
    weight: FeatureTable


class NameFinder:
    """Finds the names that a target's body may need. `held_out` are the targets of a run or an evaluation: nothing is
    learned from them or from their clones. Safe to share between threads."""

    def __init__(self, index: RepoIndex, held_out: Sequence[Target], progress: Progress = SILENT) -> None:
        self._index = index
        self._signaller = Signaller(index)
        self._tables = open_or_make_name_tables(index)
        version = f"{VERSION}\n{' '.join(FEATURE_NAMES)}"

        def fit_local_trees() -> str | None:
            log.info("names: learning from the repository's own functions, once for this build of the index")
            lessons = list(make_lessons(self._signaller, held_out, progress))
            return fit_name_chance_trees(lessons) if len(lessons) >= FEWEST_TRAINING_FUNCTIONS else None

        local = load_or_train_model(index, "name-chances", version, held_out, fit_local_trees, _open_booster)
        self._model = local or _open_booster(GENERIC_FILE.read_text(encoding="ascii"))

    def find_names(self, view: HiddenView, target: Target, hits: Sequence[Hit]) -> list[NameChance]:
        """The names that may be needed, the likeliest first, each with its nearest declaration."""
        evidence = self._signaller.make_evidence(view, target)
        symbols = [hit.symbol for hit in hits]
        found = collect_name_candidates_with_features(NameEvidence(self._tables, evidence, target, symbols))
        if not len(found.uses):
            return []
        chances = np.asarray(self._model.predict(found.table, num_threads=1))
        likeliest = np.argsort(-chances, kind="stable")[:MOST_NAMES]
        ids = self._tables.symbol[found.declared[likeliest]]
        entries = {entry.id: entry for entry in self._index.read_entries_sorted_by_place(ids.tolist())}
        best: dict[str, NameChance] = {}
        for place, number in zip(likeliest.tolist(), ids.tolist(), strict=True):
            symbol = _find_shown_symbol_or_namesake(view, entries[number])
            if symbol is not None and symbol.name not in best:
                best[symbol.name] = NameChance(symbol, float(chances[place]))
        return list(best.values())


def _find_shown_symbol_or_namesake(view: HiddenView, entry: Entry) -> Symbol | None:
    """The entry's symbol, or, where the view leaves it out, another of its name and kind: in another branch of `#if`,
    if possible of the same file."""
    symbol = entry.symbol
    found = view.visible_symbol(entry)
    if found is None and view.is_left_out(symbol):
        others = [other for other in view.symbols_named(symbol.name) if other.kind is symbol.kind]
        found = min(others, key=lambda other: other.path != symbol.path, default=None)
    return found


def make_name_finder(index: RepoIndex, settings: RetrieverSettings) -> NameFinder:
    return NameFinder(index, settings.held_out, settings.progress)


def make_lessons(
    signaller: Signaller,
    held_out: Sequence[Target],
    progress: Progress = SILENT,
    count: int = TRAINING_FUNCTIONS,
    most_others: int = KEPT_OTHERS,
) -> Iterator[Lesson]:
    """What at most `count` functions teach, each with at most `most_others` of the candidates that it doesn't need.
    Functions of `held_out` and their clones teach nothing and vote nowhere.
    The functions that a body likely calls are ranked by the generic ranker, which knows none of them."""
    barred = find_target_and_clone_rows(signaller, held_out)
    random = np.random.default_rng(SEED)
    index, ranker = signaller.index, load_generic_ranker()
    tables = open_or_make_name_tables(index)
    what = "functions whose names are learnt"
    asked = query_training_functions(signaller, barred, ranker.names, count, what, progress)
    for entry, target, view, signals in asked:
        best = choose_best_places(ranker.score_candidates(signals), MOST_HITS)
        hits = make_hits(view, signaller, signals.rows[best], np.zeros(len(best)), [""] * len(best))
        evidence = signaller.make_evidence(view, target, barred)
        symbols = [hit.symbol for hit in hits]
        found = collect_name_candidates_with_features(NameEvidence(tables, evidence, target, symbols))
        text = index.read_symbol_text(entry.symbol).decode("utf-8", "replace")
        names = find_word_numbers(tables.names, (n.name for n in find_needed_names(text, target, index)))
        needed = np.isin(found.uses // 2, names)
        if needed.any():
            yield _make_lesson_with_drawn_others(found.table, needed, most_others, random)


def _make_lesson_with_drawn_others(
    table: FeatureTable, needed: Mask, most_others: int, random: np.random.Generator
) -> Lesson:
    others = np.flatnonzero(~needed)
    drawn = random.choice(others, min(most_others, len(others)), replace=False)
    kept = np.concatenate([np.flatnonzero(needed), drawn])
    weight = np.ones(len(kept), dtype=np.float32)
    weight[int(needed.sum()) :] = len(others) / max(1, len(drawn))
    return Lesson(table[kept], needed[kept], weight)


def fit_name_chance_trees(lessons: Sequence[Lesson]) -> str:
    import lightgbm

    data = lightgbm.Dataset(
        np.concatenate([lesson.table for lesson in lessons]),
        np.concatenate([lesson.needed for lesson in lessons]).astype(np.float32),
        weight=np.concatenate([lesson.weight for lesson in lessons]),
        feature_name=list(FEATURE_NAMES),
    )
    return write_forest_as_text(lightgbm.train(SETTINGS, data, TREES))


def _open_booster(text: str) -> Booster:
    import lightgbm

    return lightgbm.Booster(model_str=text)
