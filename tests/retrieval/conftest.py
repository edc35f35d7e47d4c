"""Trees for the tests of retrieval: a small one with every trap of hiding, and the real ones from a mirror."""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from index.build import build_index
from index.cpp.language import is_source
from index.repo_index import RepoIndex, open_index
from index.values import Span, Target
from retrieval.ranker.training_groups import make_target
from tests.support.indexes import Indexed

BENCHMARK = Path(__file__).parents[2] / "executor" / "data" / "yabloco" / "bench-v0.8.csv"
COMMITS = {
    "redis": "493e31e3ad299c99cbb96b8581b7598b19b23892",
    "bullet3": "6bb8d1123d8a55d407b19fd3357c724d0f5c9d3c",
    "openssl": "d597b46f9bdb533761e36fcf1d96ce83f3f6f04d",
}

TRAPS: dict[str, str] = {
    # A class with the methods inline, one calling another, and a class inside.
    "vec.h": """\
#ifndef VEC_H
#define VEC_H
#define FORCE_INLINE static inline
#define SWAP(a, b) do { float swap_keep = (a); (a) = (b); (b) = swap_keep; } while (0)
// A vector of three.
class btVec {
public:
    float m_f[3];
    // Rotate the coordinates by one place and scale them.
    FORCE_INLINE float spin(float by) {
        float keep = m_f[0] * by;
        m_f[0] = m_f[1] * by + length(by);
        m_f[1] = m_f[2] * by - length(keep);
        m_f[2] = keep;
        return keep > 0 ? keep : -keep;
    }
    struct Walker {
        int place;
        int step(int n) {
            // walk on until the end is met
            while (place < n && !blocked(place, n)) place += stride(place) + 1;
            return place >= n ? finish(place, n) : wait_for(place);
        }
    };
    float length(float x) const;
};
float btVec::length(float x) const {
    float sum = m_f[0] * m_f[0] + m_f[1] * m_f[1];
    sum += m_f[2] * m_f[2] + x * x;
    return root_of(sum);
}
#endif
""",
    # The twin, under another prefix, with another parameter name.
    "b3vec.cpp": """\
#include "vec.h"
float b3Vec::spin(float by) {
    float keep = m_f[0] * by;
    m_f[0] = m_f[1] * by + length(by);
    m_f[1] = m_f[2] * by - length(keep);
    m_f[2] = keep;
    return keep > 0 ? keep : -keep;
}
float b3Vec::length(float v) const {
    float sum = m_f[0] * m_f[0] + m_f[1] * m_f[1];
    sum += m_f[2] * m_f[2] + v * v;
    return root_of(sum);
}
""",
    "list.h": """\
struct node { struct node *next; int value; };
/* Take the node with `value` out of the list. */
struct node *list_remove(struct node *head, int value);
int list_sum(const struct node *head);
""",
    "list.c": """\
#include "list.h"
#define WALK(n, head) for (struct node *n = (head); n; n = n->next)
/* Take the node with `value` out of the list. */
struct node *list_remove(struct node *head, int value) {
    struct node *before = 0;
    WALK(n, head) {
        if (n->value != value) { before = n; continue; }
        if (before) before->next = n->next; else head = n->next;
        node_free(n);
        break;
    }
    return head;
}
#if WIDE
long list_total(const struct node *head) {
    long total = 0; WALK(n, head) total += n->value * scale_of(n) + bias_of(n, head); return total;
}
#else
int list_total(const struct node *head) {
    int total = 0; WALK(n, head) total += n->value * scale_of(n) + bias_of(n, head); return total;
}
#endif
int list_sum(const struct node *head) {
    UNBALANCED( { int sum = 0;
    while (head) { sum += head->value; head = head->next; note(sum, head); }
    return sum; }
}
int last(void) { return list_sum(0); }
""",
}


class IndexedTargets(NamedTuple):
    index: RepoIndex
    targets: list[Target]


@pytest.fixture
def traps(indexed: Indexed) -> IndexedTargets:
    """The small tree, every function of it a target, and one that the parser doesn't find."""
    index = indexed(TRAPS)
    targets = [make_target(entry.symbol, "traps") for entry in index.functions]
    lines = TRAPS["list.c"].splitlines()
    first = lines.index("int list_sum(const struct node *head) {") + 1
    signature = "int list_sum(const struct node *head)"
    targets.append(Target("traps", "list.c", Span(first, first + 4), "list_sum", signature, "", "c"))
    return IndexedTargets(index, targets)


def _export(mirror: Path, repo: str, root: Path) -> None:
    """The C and C++ files of the benchmark's commit; the mirror may be a bare or an ordinary clone."""
    git = mirror / repo
    git_dir = git / ".git" if (git / ".git").is_dir() else git
    env = {**os.environ, "GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(root), "GIT_INDEX_FILE": f"{root}.git-index"}
    root.mkdir()
    subprocess.run(["git", "read-tree", COMMITS[repo]], env=env, check=True, cwd=root)
    listed = subprocess.run(["git", "ls-files", "-z"], env=env, check=True, cwd=root, capture_output=True).stdout
    wanted = [p for p in listed.split(b"\0") if is_source(os.fsdecode(p))]
    subprocess.run(
        ["git", "checkout-index", "-f", "-z", "--stdin"], env=env, check=True, cwd=root, input=b"\0".join(wanted)
    )


@pytest.fixture(scope="session", params=sorted(COMMITS))
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedTargets]:
    """A repository of the benchmark at its commit, from GRAFT_MIRROR, and the benchmark's functions in it."""
    mirror = os.environ.get("GRAFT_MIRROR")
    repo = str(request.param)
    if not mirror or not Path(mirror, repo).exists():
        pytest.skip(f"GRAFT_MIRROR names no folder with {repo}")
    folder = tmp_path_factory.mktemp(repo)
    _export(Path(mirror), repo, folder / "tree")
    build_index(folder / "tree", folder / "index")
    index = open_index(folder / "index", folder / "tree")
    with BENCHMARK.open(newline="", encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["repository"] == repo]
    targets = [
        Target(
            repo,
            row["file"].split("/", 1)[1],
            Span(int(row["pos"]), int(row["pos"]) + int(row["code_length"])),
            row["fname"],
            row["code"].split("{")[0],
            row["doc"],
            "cpp" if repo == "bullet3" else "c",
        )
        for row in rows
    ]
    yield IndexedTargets(index, targets)
    index.close()
