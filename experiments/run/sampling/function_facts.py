"""What an answer is worth function by function, in a task of several."""

from __future__ import annotations

from statistics import fmean

from executor.grading.exact_match import TextMatch, compare_code
from executor.values import Outcome, Task
from experiments.run.sample_facts import HoleFacts
from experiments.run.sampling.executions import Executions, grade_execution
from experiments.run.workspace import Repo
from index.function_texts import join_functions, split_functions


def match_golds(code: str | None, task: Task) -> tuple[bool, float]:
    """Whether every function is its gold to the letter, and how similar they are on average."""
    if code is None:
        return False, 0.0
    found = [
        TextMatch(strict=False, tokens=False, edit_similarity=0.0) if text is None else compare_code(text, gold)
        for text, gold in zip(split_functions(code, len(task.target.holes)), task.golds, strict=True)
    ]
    return all(match.strict for match in found), fmean(match.edit_similarity for match in found)


def collect_hole_facts(executions: Executions, repo: Repo, task: Task, code: str | None) -> tuple[HoleFacts, ...]:
    """Each function of a task of several, built and tested with the others' golds; none for a task of one. Raises
    InfraErrors never: a trial that Graft itself failed isn't known."""
    holes = task.target.holes
    if len(holes) == 1:
        return ()
    texts = split_functions(code, len(holes)) if code is not None else (None,) * len(holes)
    found = []
    for number, (hole, text, gold) in enumerate(zip(holes, texts, task.golds, strict=True)):
        if text is None:
            found.append(HoleFacts(hole.name, hole.path, given=False, exact_match=False))
            continue
        alone = join_functions([text if number == other else kept for other, kept in enumerate(task.golds)])
        folder, execution = executions.execute_once(repo, task, alone)
        outcome = grade_execution(execution, repo.image.expected).outcome
        passed = None if outcome is Outcome.INFRA_ERROR else outcome is Outcome.PASSED
        exact = compare_code(text, gold).strict
        found.append(HoleFacts(hole.name, hole.path, given=True, exact_match=exact, alone=passed, execution=folder))
    return tuple(found)
