"""What others make of a tree, for benchmarks.index_speed: universal-ctags and aider's repo map."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.costs import Cost, cost_of

WORKERS = 2
"""Processes that our build has, and so cores."""


def ctags(copy: Path, scratch: Path) -> Cost:
    """universal-ctags, names only, one process."""
    return cost_of(["ctags", "-R", "-f", str(scratch / "tags"), "."], copy)[0]


def aider_map(python: Path, copy: Path, paths: Sequence[str], limit: float) -> tuple[Cost, str]:
    """Aider's repo map, as its documentation has it: in a git repository, which is where it takes its list of files
    from. With a line that says of how many of `paths` the map is. `limit`: CPU-seconds."""
    git = ["git", "-c", "user.name=benchmark", "-c", "user.email=benchmark@example.invalid", "-C", str(copy)]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "the tree"]):
        subprocess.run([*git, *command], check=True, stdout=subprocess.DEVNULL)
    argv = [str(python), "-m", "aider", "--show-repo-map", "--model", "gpt-4o", "--yes-always", "--no-gitignore"]
    quiet = ["--no-check-update", "--no-show-model-warnings", "--analytics-disable", "--no-show-release-notes"]
    env = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "none", "HOME": str(copy.parent)}
    cost, output = cost_of([*argv, *quiet], copy, env, limit)
    shown = sum(1 for p in paths if f"{p}:" in output)
    if cost.stopped:
        note = f"aider had made no map after {cost.cpu:.0f} CPU-seconds, and was stopped\n"
    else:
        note = f"aider's map is of {shown} files, {len(output)} characters\n"
    shutil.rmtree(copy / ".git")
    for left in copy.glob(".aider*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    return cost, note


def compared(costs: Mapping[str, Cost]) -> Iterator[str]:
    """What the peers cost in units of ours: of the whole index, and of its names and sites alone."""
    for peer in (name for name in ("aider", "ctags") if name in costs):
        theirs = costs[peer]
        more = "more than " if theirs.stopped else ""
        for name in ("whole index", "symbols, sites"):
            ours = costs[name]
            yield (
                f"{peer} against `{name}`: {more}{theirs.wall / ours.wall:.2f} times by the clock,"
                f" {more}{theirs.cpu / ours.cpu:.2f} times the CPU"
            )
    whole = costs["whole index"]
    # Two cores that are never idle give two CPU-seconds a second.
    yield f"`whole index`: {whole.cpu / whole.wall / WORKERS:.0%} of {WORKERS} cores busy"
