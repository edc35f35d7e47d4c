"""The `learned` retriever: a ranker trained on the repository's own functions, beside one trained on other
repositories.

Their scores are added. The *generic* one ships with Graft; it reads all signals and was trained on repositories that
no benchmark uses (benchmarks/retrieval/generic_ranker.py). The *local* one is trained on this repository's other
functions, whose calls are known; so few lessons do better with the usual signals alone."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from index.hiding.hidden_view import HiddenView
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.forest_ranker import ForestRanker, train_ranker
from retrieval.ranker.generic_ranker import load_generic_ranker, rescore_best_and_floor_others
from retrieval.ranker.training_groups import SEED, TRAINING_FUNCTIONS, load_or_train_model, make_training_groups
from retrieval.structure.fused_retriever import choose_best_places, make_hits
from retrieval.structure.signal_maker import Signaller, Signals
from retrieval.structure.signals import LOCAL_SIGNAL_NAMES
from retrieval.structure.tables.compressed_lists import Floats, Rows
from retrieval.values import Hit

LOCAL_SCORE_WEIGHT = 0.5
"""Weight of the local ranker's score beside the generic one's. Of 0.4 to 2 it did best on 500 functions of redis's and
openssl's development split (2026-11-25): recall@10 0.645 and @50 0.879; with 1, 0.640 and 0.878."""
FEWEST_TRAINING_GROUPS = 200
"""With fewer the local ranker learns noise, and the generic one serves alone."""
TREES, LEAVES, FORESTS = 120, 15, 3
"""Three local forests that differ by their seed, and whose mean counts: on 1,200 functions of the development split
they raised recall@10 from 0.626 to 0.636 for the local ranker alone, and from 0.641 to 0.646 for both together."""
LOCAL_RANKER_VERSION = f"3 {TRAINING_FUNCTIONS} {SEED} {TREES} {LEAVES} {FORESTS}"
"""Changes with whatever changes the local ranker."""
HIT_REASON = "functions like this one call it"

log = logging.getLogger(__name__)


class LearnedRetriever:
    """Ranks by both rankers. `held_out` are the targets of a run or an evaluation: the local ranker mustn't learn from
    them or from their clones. It is trained once for each build of the index and set of targets (seconds to a
    minute), and kept in the index's folder. Safe to share between threads."""

    name = "learned"

    def __init__(self, index: RepoIndex, held_out: Sequence[Target], progress: Progress = SILENT) -> None:
        self._signaller = Signaller(index)
        self._generic_ranker = load_generic_ranker()
        self._signal_names = tuple(dict.fromkeys((*self._generic_ranker.names, *LOCAL_SIGNAL_NAMES)))
        version = f"{LOCAL_RANKER_VERSION}\n{' '.join(LOCAL_SIGNAL_NAMES)}"

        def train_local_ranker() -> str | None:
            log.info("learned: training a ranker on the repository's own functions, once for this build of the index")
            names = LOCAL_SIGNAL_NAMES
            groups = list(make_training_groups(self._signaller, held_out, progress=progress, names=names))
            return train_ranker(groups, TREES, LEAVES, FORESTS).text if len(groups) >= FEWEST_TRAINING_GROUPS else None

        self.local_ranker = load_or_train_model(index, "ranker", version, held_out, train_local_ranker, ForestRanker)
        """The repository's own ranker; None when the repository is too small to train one."""

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. Ties go by path and place."""
        signals = self._signaller.compute_signals(view, target, names=self._signal_names)
        scores = self._score_candidates(signals)
        best = choose_best_places(scores, limit)
        reasons = [HIT_REASON] * len(best)
        return make_hits(view, self._signaller, signals.rows[best], scores[best], reasons)

    def _score_candidates(self, signals: Signals) -> Floats:
        """One score per candidate. The local ranker scores the generic one's best; the others follow in the generic
        one's order."""
        total = self._generic_ranker.score_candidates(signals)
        local = self.local_ranker
        if local is None or not len(total):
            return total

        def score_locally(best: Rows) -> Floats:
            return local.score_candidates(signals._replace(rows=signals.rows[best], table=signals.table[best]))

        return total + LOCAL_SCORE_WEIGHT * rescore_best_and_floor_others(total, score_locally)


def make_learned(index: RepoIndex, settings: RetrieverSettings) -> LearnedRetriever:
    return LearnedRetriever(index, settings.held_out, settings.progress)
