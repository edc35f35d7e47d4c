"""The `learned` arm: a ranker that the repository teaches with its own functions, beside one that others taught.

Two rankers see the same signals and their scores are added. The *generic* one was taught by repositories that no
benchmark asks about (`benchmarks/retrieval/generic_ranker.py` makes its file) and is there at once; the *local* one is
taught by this repository's other functions, whose calls are known: by `prepare`, or by the first question.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from index.hiding.view import HiddenView
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.lessons import LESSONS, SEED, lessons
from retrieval.ranker.ranker import Ranker, load_ranker, teach
from retrieval.structure.signaller import Signaller, Signals
from retrieval.structure.structural import best_of, hits_of
from retrieval.structure.tables.lists import Floats
from retrieval.values import Hit

GENERIC = Path(__file__).with_name("generic_ranker.txt")
LOCAL_SHARE = 1.0
"""Weight of the local ranker's score beside the generic one's."""
LOOKED_AT = 300
"""Candidates that the local ranker orders: the development split's figures are the same to the last callee from 300
on, and trees cost as much for a hopeless candidate as for a good one."""
FEWEST_LESSONS = 200
"""Below this a repository teaches noise, and the generic ranker serves alone."""
TREES, LEAVES, FORESTS = 120, 15, 3
"""Three local forests that differ by their seed, and whose mean counts: on 1,200 functions of the development split
the local ranker alone went from 0.626 to 0.636 @10, both together from 0.641 to 0.646."""
GENERIC_TREES, GENERIC_LEAVES = 100, 31
VERSION = f"3 {LESSONS} {SEED} {TREES} {LEAVES} {FORESTS}"
"""Changes with whatever changes the local ranker."""
REASON = "functions like this one call it"
_MODEL = "ranker.txt"
_NONE = "nothing to learn from\n"


log = logging.getLogger(__name__)


class LearnedRetriever:
    """Ranks by both rankers. `held_out` are targets that the local one mustn't learn from, nor from their clones:
    all that a run or an evaluation asks about. It is made once per build of the index and set of targets (seconds
    to a minute), and kept in the index's folder. Safe to share between threads."""

    name = "learned"

    def __init__(
        self,
        index: RepoIndex,
        held_out: Sequence[Target] = (),
        progress: Progress = SILENT,
        signaller: Signaller | None = None,
    ) -> None:
        self._index = index
        self._held_out = tuple(sorted(set(held_out), key=_key))
        self._progress = progress
        self._signaller = signaller or Signaller(index)

    def prepare(self) -> None:
        """Teach the local ranker, unless this build of the index has it for these targets: a minute of work that
        would else fall on the first question, while others wait."""
        _ = self.local

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `Retriever`. Ties go by path and place."""
        signals = self._signaller.of(view, target)
        scores = self.scores(signals)
        best = best_of(scores, limit)
        return hits_of(self._index, view, self._signaller, signals.rows[best], scores[best], [REASON] * len(best))

    def scores(self, signals: Signals) -> Floats:
        """One score per candidate. The local ranker is asked about the generic one's best; the others follow in
        the generic one's order."""
        total = self._generic.scores(signals)
        if self.local is None or not len(total):
            return total
        best = best_of(total, LOOKED_AT)
        local = self.local.scores(signals._replace(rows=signals.rows[best], table=signals.table[best]))
        added = np.full(len(total), local.min())
        added[best] = local
        return total + LOCAL_SHARE * added

    @cached_property
    def _generic(self) -> Ranker:
        return load_ranker(GENERIC)

    @cached_property
    def local(self) -> Ranker | None:
        """What this repository teaches; None when it is too small to teach."""
        text = f"{VERSION}\n" + "\n".join(map(_key, self._held_out))
        key = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        return self._index.derived(f"ranker-{key}", self._make, _load)

    def _make(self, folder: Path) -> None:
        log.info("learned: the repository's own functions teach its ranker, once for this build of the index")
        learnt = list(lessons(self._index, self._signaller, self._held_out, progress=self._progress))
        text = teach(learnt, TREES, LEAVES, FORESTS).text if len(learnt) >= FEWEST_LESSONS else _NONE
        (folder / _MODEL).write_text(text, encoding="ascii")


def make_learned(index: RepoIndex, settings: RetrieverSettings) -> LearnedRetriever:
    """The `learned` retriever, its local ranker trained."""
    retriever = LearnedRetriever(index, settings.held_out, settings.progress)
    retriever.prepare()
    return retriever


def _load(folder: Path) -> Ranker | None:
    text = (folder / _MODEL).read_text(encoding="ascii")
    return None if text == _NONE else Ranker(text)


def _key(target: Target) -> str:
    return f"{target.path}\t{target.span.first}\t{target.span.last}\t{target.name}\t{target.signature}"
