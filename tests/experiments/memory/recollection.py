"""Two models for the scripted server: one that remembers a repository, and one that reads what it is shown.

A script can't read, so the one that reads holds the answers for every tree and picks them by the function's name in
the prompt; the one that remembers recognises the task in every tree and knows the original alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from executor.values import Task
from experiments.demo.scripted_rules import ScriptRule


def remembers(original: Sequence[Task], *trees: Sequence[Task]) -> tuple[ScriptRule, ...]:
    """Answers with the original's gold, whatever names the prompt has. `trees`: the same tasks in renamed trees."""
    golds = {task.id: task.gold for task in original}
    return tuple(_rule(task, golds[task.id]) for tree in (original, *trees) for task in tree)


def recites(original: Sequence[Task], names: Mapping[str, str], *trees: Sequence[Task]) -> tuple[ScriptRule, ...]:
    """As `remembers`, under the function's name and signature as the prompt has them: the body is the original's."""
    bodies = {task.id: task.gold[task.gold.index("{") :] for task in original}
    renamed = [_rule(task, task.gold[: task.gold.index("{")] + bodies[task.id]) for tree in trees for task in tree]
    return (*renamed, *(_rule(task, task.gold) for task in original))


def reads(original: Sequence[Task], *trees: Sequence[Task]) -> tuple[ScriptRule, ...]:
    """Answers in the names that the prompt has."""
    return tuple(_rule(task, task.gold) for tree in (original, *trees) for task in tree)


def _rule(task: Task, code: str) -> ScriptRule:
    # An operator may have the same name in every tree.
    shown = (f"The function to write: {re.escape(task.target.name)}\n", re.escape(task.target.signature))
    return ScriptRule(all=shown, answer=f"```{task.target.language}\n{code.rstrip()}\n```\n")
