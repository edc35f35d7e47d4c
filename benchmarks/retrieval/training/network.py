"""Trains the network that orders candidates (retrieval/ranker/network_ranker.py) on a sample of the set, by torch."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.retrieval.training.set_arrays import Sample
from retrieval.ranker.network_ranker import Array, NetworkWeights, squash_long_tails, standardise_inputs
from retrieval.structure.signal_maker import SignalTable

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

WIDTHS = (128, 64, 32)
BATCH = 24
"""Functions."""
RATE, DECAY = 2e-3, 1e-4
DROPPED = 0.15
SEED = 20
_GLANCE = 0.5
"""Weight of the loss of the first look."""


class Batch(NamedTuple):
    """(functions, candidates, inputs), which candidates are called, and which are there: shorter lists are padded."""

    inputs: Array
    called: np.ndarray
    there: np.ndarray


class Lessons:
    """A sample's functions, one by one."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self._ends = np.cumsum(sample.sizes)
        self._table_ends = np.cumsum([len(table) for table in sample.tables])

    def __len__(self) -> int:
        return len(self.sample.sizes)

    def read_table(self, number: int) -> SignalTable:
        """The tamed signals of a function's candidates."""
        end = int(self._ends[number])
        begin = end - int(self.sample.sizes[number])
        tree = int(np.searchsorted(self._table_ends, begin, "right"))
        skipped = int(self._table_ends[tree - 1]) if tree else 0
        return squash_long_tails(np.asarray(self.sample.tables[tree][begin - skipped : end - skipped]))

    def read_called(self, number: int) -> np.ndarray:
        """Which of them it calls."""
        end = int(self._ends[number])
        return self.sample.called[end - int(self.sample.sizes[number]) : end]

    def compute_moments(self) -> Array:
        """(2, signals): mean and standard deviation over all candidates."""
        count, total, squares = 0, 0.0, 0.0
        for number in range(len(self)):
            table = self.read_table(number).astype(np.float64)
            count, total, squares = count + len(table), total + table.sum(axis=0), squares + (table**2).sum(axis=0)
        mean = total / count
        deviation = np.sqrt(np.maximum(squares / count - mean**2, 0.0))
        return np.stack([mean, np.maximum(deviation, 1e-3)]).astype(np.float32)

    def make_batches(self, overall: Array, order: np.ndarray) -> Iterator[Batch]:
        """The functions in this order."""
        for first in range(0, len(order), BATCH):
            numbers = order[first : first + BATCH].tolist()
            most = int(self.sample.sizes[numbers].max())
            inputs = np.zeros((len(numbers), most, 2 * overall.shape[1]), dtype=np.float32)
            called, there = (np.zeros((len(numbers), most), dtype=bool) for _ in range(2))
            for place, number in enumerate(numbers):
                size = int(self.sample.sizes[number])
                inputs[place, :size] = standardise_inputs(
                    self.read_table(number), overall, self.sample.moments[number]
                )
                called[place, :size] = self.read_called(number)
                there[place, :size] = True
            yield Batch(inputs, called, there)


def train_network(taught: Sample, epochs: int, asked: Sample | None = None) -> tuple[NetworkWeights, list[float]]:
    """The network that learnt from `taught`, and after each epoch the loss on the sample `asked`, which teaches
    nothing."""
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    lessons = Lessons(taught)
    overall = lessons.compute_moments()
    net = _make_net(2 * len(taught.names))
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = epochs * -(-len(lessons) // BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=RATE, total_steps=steps)
    random = np.random.default_rng(SEED)
    losses = []
    for epoch in range(epochs):
        net.train()
        total, count = 0.0, 0
        for batch in lessons.make_batches(overall, random.permutation(len(lessons))):
            optimizer.zero_grad()
            loss = _compute_loss(net, batch, _GLANCE)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            pace.step()
            total, count = total + float(loss.detach()), count + 1
        shown = f"epoch {epoch + 1} of {epochs}: loss {total / count:.3f}"
        if asked is not None:
            net.eval()
            others = Lessons(asked)
            with torch.no_grad():
                found = [
                    float(_compute_loss(net, b, 0.0)) for b in others.make_batches(overall, np.arange(len(others)))
                ]
            losses.append(float(np.mean(found)))
            shown += f", on trees that teach nothing {losses[-1]:.3f}"
        log.info(shown)
    return _read_weights(taught.names, overall, net), losses


def _make_net(inputs: int) -> torch.nn.ModuleDict:
    from torch import nn

    one, two, three = WIDTHS
    return nn.ModuleDict(
        {
            "first": nn.Linear(inputs, one),
            "second": nn.Linear(one, two),
            "glance": nn.Linear(two, 1, bias=False),
            "third": nn.Linear(3 * two, three),
            "last": nn.Linear(three, 1, bias=False),
            "dropped": nn.Dropout(DROPPED),
        }
    )


def _compute_loss(net: torch.nn.ModuleDict, batch: Batch, glance: float) -> torch.Tensor:
    """The mean over callees of how unlikely they are among the candidates, at last and by `glance` at first."""
    import torch

    there, called = torch.from_numpy(batch.there), torch.from_numpy(batch.called)
    hidden = torch.relu(net["first"](torch.from_numpy(batch.inputs)))
    hidden = torch.relu(net["second"](net["dropped"](hidden)))
    at_first = net["glance"](hidden).squeeze(2).masked_fill(~there, -torch.inf)
    seen = (torch.softmax(at_first, dim=1).unsqueeze(2) * hidden).sum(dim=1, keepdim=True)
    beside = torch.cat([hidden, hidden * seen, seen.expand_as(hidden)], dim=2)
    scores = at_first + net["last"](torch.relu(net["third"](net["dropped"](beside)))).squeeze(2)

    def unlikely(values: torch.Tensor) -> torch.Tensor:
        return -torch.log_softmax(values, dim=1)[called].mean()

    return unlikely(scores) + glance * unlikely(at_first) if glance else unlikely(scores)


def _read_weights(names: tuple[str, ...], overall: Array, net: torch.nn.ModuleDict) -> NetworkWeights:
    def of(layer: str, part: str = "weight") -> Any:
        found: Any = getattr(net[layer], part).detach().numpy()
        return found.T.copy() if part == "weight" else found.copy()

    return NetworkWeights(
        names,
        np.array([1.0, 1.0], dtype=np.float32),
        overall,
        *(of(layer, part) for layer in ("first", "second") for part in ("weight", "bias")),
        of("glance")[:, 0],
        *(of("third", part) for part in ("weight", "bias")),
        of("last")[:, 0],
    )
