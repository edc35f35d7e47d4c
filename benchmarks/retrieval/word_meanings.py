"""Learn what words of functions say of the functions that they call, as vectors, on the trees of a training set.

    python -m benchmarks.retrieval.word_meanings WORK --encoder MODEL [--ship]

WORK is the folder of `benchmarks.retrieval.training_set`, whose files FUNCTIONS have every function's words and calls.
MODEL is a sentence-transformers model, by name or folder: it knows what words mean in English. The shipped vectors are
of all-MiniLM-L6-v2. Trees that are held out, and copies under other names, teach nothing.

What is learnt are five linear maps of the encoder's vectors: what a word says of callees in a comment, in a name and
in a parameter, and what a candidate with that word in its name or comment answers. Of a tree's functions those that a
function calls are to come before those that others call, and before some that are drawn at random; how often a
candidate is called is given, so that the maps don't learn it. How often the trees are read is found on those that say
when to stop.

WORK/meanings/all.npz gets the vectors of all words that two trees have, and with `--ship` Graft gets them. A ranker
mustn't learn on a tree how far to trust maps that come of that tree: the trees are dealt into folds, and `fold-K.npz`
comes of all folds but K.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.retrieval.training.candidate_rows import FUNCTIONS
from benchmarks.retrieval.training.set_arrays import Question, find_folders, read_questions
from benchmarks.retrieval.training.set_record import Record, load_record
from executor.cache import short_digest
from experiments.consoles import set_up_stderr_logging
from index.arrays import find_positions_or_minus_one
from index.cpp.declarators import unqualified_name
from retrieval.structure.evidence.word_meanings import (
    READ,
    SHIPPED,
    SPEAKERS,
    KnownMeanings,
    Meanings,
    Vectors,
    compute_meaning_signals,
    load_meanings,
    save_meanings,
)
from retrieval.structure.signals import RANKED_FORMS, RANKED_SIGNALS
from retrieval.structure.signature import list_parameter_types_and_names, parse_signature
from retrieval.structure.tables.compressed_lists import Lists, Rows, make_lists
from retrieval.structure.tables.vocabulary import (
    Hashes,
    cut_ending,
    number_words_in_columns,
    split_name_into_stems,
    split_text_into_stems,
)
from retrieval.text.terms import hash_term, split_words

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

FOLDS = 4
LEAST_TREES = 2
DIMENSIONS = 64
MOST_EPOCHS = 6
BATCH, OTHERS = 64, 384
"""Functions whose callees are ordered at once, and functions drawn at random beside all their callees."""
SILENT = 0.25
"""How often a speaker says nothing, so that no other leans on it."""
RATE, RATE_OF_CALLS = 1e-3, 1e-2
SCALES = (1.5, 0.5)
"""Of a candidate's name and comment, before anything is learnt: comments are longer, and say less."""
SEED = 20


class TreeWords(NamedTuple):
    """What can be called in a tree: words in `vocabulary`, by where they stand, and calls, all over rows. `teaching`:
    rows that call something and are no test code; `callable`: rows that are no test code."""

    vocabulary: Hashes
    spoken: Mapping[str, Lists]
    calls: Lists
    teaching: Rows
    callable: Rows


def read_tree_words(folder: Path) -> TreeWords:
    """Those of the folder's file FUNCTIONS."""
    import pyarrow.parquet as pq

    columns = ["name", "signature", "docstring", "test", "calls"]
    rows = pq.read_table(folder / FUNCTIONS, columns=columns).to_pylist()
    last = [unqualified_name(row["name"]) for row in rows]
    parsed = [parse_signature(row["signature"], name) for row, name in zip(rows, last, strict=True)]
    found = number_words_in_columns(
        {
            "doc": (split_text_into_stems(split_words(row["docstring"])) for row in rows),
            "name": (split_name_into_stems(name) for name in last),
            "offered": (split_text_into_stems(list_parameter_types_and_names(signature)) for signature in parsed),
        }
    )
    calls = make_lists([row["calls"] for row in rows])
    usual = ~np.array([row["test"] for row in rows], dtype=bool)
    return TreeWords(
        found.vocabulary,
        found.lists,
        calls,
        np.flatnonzero(usual & (calls.measure_lengths() > 0)).astype(np.int32),
        np.flatnonzero(usual).astype(np.int32),
    )


class English(NamedTuple):
    """The encoder's vector of each word, by the words' sorted hashes; the rarer a word, the longer."""

    words: Hashes
    vectors: Vectors


class Word(NamedTuple):
    """A word that enough trees have, in the form in which it stands most often, and how often its stem stands."""

    form: str
    count: int


def find_common_words(folders: Sequence[Path]) -> list[Word]:
    """The words that enough of these trees have, by stem."""
    import pyarrow.parquet as pq

    forms: dict[str, Counter[str]] = defaultdict(Counter)
    trees: Counter[str] = Counter()
    for folder in folders:
        table = pq.read_table(folder / FUNCTIONS, columns=["name_words", "doc_words", "parameter_words"])
        every = (word for column in table.columns for word in column.combine_chunks().flatten().to_pylist())
        seen = Counter(word for word in every if len(word) > 1)
        for word, count in seen.items():
            forms[cut_ending(word)][word] += count
        trees.update({cut_ending(word) for word in seen})
    kept = [forms[s] for s in sorted(forms) if trees[s] >= LEAST_TREES]
    return [Word(max(found, key=lambda form: (found[form], form)), found.total()) for found in kept]


def encode_words(found: Sequence[Word], encoder: str) -> English:
    """What the sentence-transformers model `encoder` makes of these words."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(encoder)
    vectors = model.encode([word.form for word in found], normalize_embeddings=True, show_progress_bar=False)
    centred = np.asarray(vectors, dtype=np.float32) - vectors.mean(axis=0)
    counts = np.array([word.count for word in found], dtype=np.float32)
    rarity = np.log(counts.sum() / counts)
    length = rarity / rarity.mean() / np.linalg.norm(centred, axis=1)
    hashes = np.array([hash_term(cut_ending(word.form)) for word in found], dtype=np.uint64)
    order = np.argsort(hashes)
    return English(hashes[order], (centred * length[:, None])[order].astype(np.float32))


class Lesson(NamedTuple):
    """A tree as the maps see it. `says`: by SPEAKERS, (rows, encoder's dimensions), the mean of the known words there;
    `hears`: by READ, the same over all words; `popular`: (rows), the logarithm of how often each is called."""

    tree: TreeWords
    says: list[torch.Tensor]
    hears: list[torch.Tensor]
    popular: torch.Tensor


def make_lesson(tree: TreeWords, known: English) -> Lesson:
    """The lesson of a tree."""
    import torch
    from scipy import sparse

    place = find_positions_or_minus_one(known.words, tree.vocabulary)

    def average_vectors(where: str, counted: str) -> torch.Tensor:
        lists = tree.spoken[where]
        owner = np.repeat(np.arange(len(lists.starts) - 1), lists.measure_lengths())
        word = place[lists.flat]
        there = word >= 0
        each = np.ones(int(there.sum()), dtype=np.float32)
        shape = (len(lists.starts) - 1, len(known.words))
        chosen = sparse.csr_matrix((each, (owner[there], word[there])), shape=shape)
        sizes = lists.measure_lengths() if counted == "all" else np.asarray(chosen.sum(axis=1))[:, 0]
        return torch.from_numpy((chosen @ known.vectors / np.maximum(sizes, 1)[:, None]).astype(np.float32))

    called = np.bincount(tree.calls.flat, minlength=len(tree.calls.starts) - 1)
    return Lesson(
        tree,
        [average_vectors(speaker, "known") for speaker in SPEAKERS],
        [average_vectors(read, "all") for read in READ],
        torch.from_numpy(np.log1p(called).astype(np.float32)),
    )


class Batch(NamedTuple):
    """Some functions of a tree by row, candidates of all of them, and (functions, candidates) who calls whom."""

    lesson: Lesson
    callers: Rows
    candidates: Rows
    called: np.ndarray


def draw_batches(lessons: Sequence[Lesson], random: np.random.Generator) -> Iterator[Batch]:
    """All teaching functions once, in batches of one tree each, in an order drawn by `random`."""
    every = [
        (taught, part)
        for taught in lessons
        for part in np.array_split(
            random.permutation(taught.tree.teaching), max(1, len(taught.tree.teaching) // BATCH)
        )
    ]
    for place in random.permutation(len(every)):
        taught, callers = every[int(place)]
        callees, owner = taught.tree.calls.gather_lists_with_owners(callers)
        callable_ = taught.tree.callable
        drawn = random.choice(callable_, min(OTHERS, len(callable_)), replace=False)
        candidates = np.unique(np.concatenate([callees, drawn])).astype(np.int32)
        called = np.zeros((len(callers), len(candidates)), dtype=bool)
        called[owner, np.searchsorted(candidates, callees)] = True
        called &= callers[:, None] != candidates[None, :]
        yield Batch(taught, callers, candidates, called)


class Maps:
    """The five maps while they are learnt. Before that all are the same: the encoder's likeness of words."""

    def __init__(self, known: English) -> None:
        import torch

        _, _, axes = np.linalg.svd(known.vectors, full_matrices=False)
        start = torch.from_numpy(np.ascontiguousarray(axes[:DIMENSIONS].T))
        self.says = [torch.nn.Parameter(start * SCALES[0]) for _ in SPEAKERS]
        self.hears = [torch.nn.Parameter(start * scale) for scale in SCALES]
        self.of_calls = torch.nn.Parameter(torch.tensor(0.5))

    def score_batch(self, batch: Batch, random: np.random.Generator | None = None) -> torch.Tensor:
        """(functions, candidates). `random`: draws which speakers are silent."""
        import torch

        callers, candidates = torch.from_numpy(batch.callers).long(), torch.from_numpy(batch.candidates).long()
        said = torch.zeros(len(callers), self.says[0].shape[1])
        for means, of in zip(batch.lesson.says, self.says, strict=True):
            speaks = np.ones(len(callers)) if random is None else random.random(len(callers)) >= SILENT
            said = said + (means[callers] @ of) * torch.from_numpy(speaks).float()[:, None]
        heard = sum(means[candidates] @ of for means, of in zip(batch.lesson.hears, self.hears, strict=True))
        assert not isinstance(heard, int)
        return said @ heard.T + self.of_calls * batch.lesson.popular[candidates]

    def make_meanings(self, known: English) -> Meanings:
        """The vectors of all words."""
        says, hears = (
            np.stack([known.vectors @ of.detach().numpy() for of in maps]) for maps in (self.says, self.hears)
        )
        return Meanings(known.words, says, hears)


def compute_loss(scores: torch.Tensor, called: np.ndarray) -> torch.Tensor:
    """The mean over callees of how unlikely they are among all candidates."""
    import torch

    return -torch.log_softmax(scores, dim=1)[torch.from_numpy(called)].mean()


def learn_maps(
    known: English, lessons: Sequence[Lesson], epochs: int, asked: Sequence[Lesson] = ()
) -> tuple[Maps, list[float]]:
    """Maps that come of the lessons, and after each epoch the loss on those `asked`, which teach nothing."""
    import torch

    torch.set_num_threads(1)
    maps = Maps(known)
    groups = [{"params": [*maps.says, *maps.hears], "lr": RATE}, {"params": [maps.of_calls], "lr": RATE_OF_CALLS}]
    optimizer = torch.optim.Adam(groups)
    random = np.random.default_rng(SEED)
    losses = []
    for epoch in range(epochs):
        total, count = 0.0, 0
        for batch in draw_batches(lessons, random):
            optimizer.zero_grad()
            loss = compute_loss(maps.score_batch(batch, random), batch.called)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total, count = total + float(loss.detach()), count + 1
        shown = f"epoch {epoch + 1} of {epochs}: loss {total / max(count, 1):.3f}"
        if asked:
            with torch.no_grad():
                others = draw_batches(asked, np.random.default_rng(SEED))
                losses.append(
                    float(np.mean([float(compute_loss(maps.score_batch(batch), batch.called)) for batch in others]))
                )
            shown += f", on trees that teach nothing {losses[-1]:.3f}"
        log.info(shown)
    return maps, losses


def find_fold(record: Record, tree: str) -> int:
    """The fold of a tree that isn't held out."""
    taught = [known.name for known in record.taken if known.role != "held out"]
    return taught.index(tree) % FOLDS


def load_meanings_for_folder(work: Path, record: Record, folder: Path) -> Meanings:
    """The vectors by which questions of this folder of the set may be asked: those that nothing of its tree taught.
    Raises OSError when they weren't made."""
    tree = folder.name.partition("~")[0]
    held = any(known.name == tree and known.role == "held out" for known in record.taken)
    return load_meanings(work / "meanings" / ("all.npz" if held else f"fold-{find_fold(record, tree)}.npz"))


def add_meanings(question: Question, tree: TreeWords, known: KnownMeanings) -> Question:
    """The question with the signals that the vectors give, whose columns are 0 in the set. `known`: the vectors beside
    the vocabulary of `tree`, whose question it is."""
    spoken = {speaker: tree.spoken[speaker].get_list(question.row).astype(np.int64) for speaker in SPEAKERS}
    signals = question.signals
    columns = compute_meaning_signals(known, spoken, tree.spoken["name"], tree.spoken["doc"], signals.rows)
    for name in set(RANKED_SIGNALS) & set(columns):
        columns |= {f"{name}_{how}": form(columns[name]) for how, form in RANKED_FORMS.items()}
    table = signals.table.copy()
    for name, column in columns.items():
        table[:, signals.names.index(name)] = column
    return question._replace(signals=signals._replace(table=table))


def read_questions_with_meanings(work: Path, record: Record, folder: Path) -> Iterator[Question]:
    """The questions of a folder of the set with all their signals."""
    tree = read_tree_words(folder)
    known = KnownMeanings(load_meanings_for_folder(work, record, folder), tree.vocabulary)
    for question in read_questions(folder):
        yield add_meanings(question, tree, known)


def digest_meanings(work: Path) -> str:
    """Changes with the vectors."""
    files = sorted((work / "meanings").glob("*.npz"))
    return short_digest([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--encoder", required=True, metavar="MODEL", help="a sentence-transformers model")
    parser.add_argument("--ship", action="store_true", help="put the vectors into retrieval/structure/evidence")
    given = parser.parse_args()
    set_up_stderr_logging(logging.INFO)
    record = load_record(given.work / "trees.json")
    teaching, stopping = (find_folders(given.work, record, role, False) for role in ("teaches", "stops"))
    known = encode_words(find_common_words([*teaching, *stopping]), given.encoder)
    log.info(f"{len(known.words):,} words of {len(teaching) + len(stopping)} trees")
    lessons = {folder.name: make_lesson(read_tree_words(folder), known) for folder in (*teaching, *stopping)}
    of_stopping = [lessons[folder.name] for folder in stopping]
    _, losses = learn_maps(known, [lessons[folder.name] for folder in teaching], MOST_EPOCHS, of_stopping)
    epochs = int(np.argmin(losses)) + 1
    log.info(f"best after {epochs} of {MOST_EPOCHS} epochs")
    folder = given.work / "meanings"
    folder.mkdir(exist_ok=True)
    for fold in range(FOLDS):
        kept = [taught for name, taught in lessons.items() if find_fold(record, name) != fold]
        save_meanings(learn_maps(known, kept, epochs)[0].make_meanings(known), folder / f"fold-{fold}.npz")
        log.info(f"fold {fold}: {len(kept)} trees")
    save_meanings(learn_maps(known, list(lessons.values()), epochs)[0].make_meanings(known), folder / "all.npz")
    log.info(f"all {len(lessons)} trees: {(folder / 'all.npz').stat().st_size:,} bytes")
    if given.ship:
        shutil.copy(folder / "all.npz", SHIPPED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
