"""Train the generic ranker that ships with Graft, on trees that no benchmark asks about.

    python -m benchmarks.retrieval.generic_ranker TREE... [--out FILE] [--indexes FOLDER]

Each tree is indexed, and its own functions are queried as if each were hidden (`retrieval/ranker/training.py`). The
file in the repository was trained on curl, leveldb, libuv, zstd, git, mbedtls, fmt, libgit2 and JoltPhysics as of
November 2026; docs/decisions/retrieval.md has its figures. The same trees make the same file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from index.build import build_index
from index.repo_index import open_index
from retrieval.ranker.learned import GENERIC, GENERIC_LEAVES, GENERIC_TREES
from retrieval.ranker.ranker import train_ranker
from retrieval.ranker.training import TrainingGroup, training_groups
from retrieval.structure.signaller import Signaller

FUNCTIONS = 400
"""Of each tree, so that no large one drowns the others."""


def taught_by(trees: Sequence[Path], indexes: Path) -> Iterator[TrainingGroup]:
    """The training groups of all trees, in order; their indexes are kept in `indexes`, by name."""
    for root in trees:
        build_index(root, indexes / root.name, workers=1)
        index = open_index(indexes / root.name, root)
        found = list(training_groups(index, Signaller(index), (), FUNCTIONS))
        index.close()
        print(f"{root.name}: {len(found)} functions", file=sys.stderr)  # noqa: T201
        yield from found


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=GENERIC)
    parser.add_argument("--indexes", type=Path, help="where indexes are kept (default: a temporary folder)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        trees = sorted(given.trees, key=lambda root: root.name)
        taught = list(taught_by(trees, given.indexes or Path(temporary)))
    given.out.write_text(train_ranker(taught, GENERIC_TREES, GENERIC_LEAVES).text, encoding="ascii")


if __name__ == "__main__":
    main()
