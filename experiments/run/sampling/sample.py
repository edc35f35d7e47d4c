"""One sample: make the context, run the agent, build and test the answer by both readings, write the record."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from agent.answer.multi_function import list_missing_functions, prepend_used_helpers
from agent.values import Round, Trajectory, Usage
from executor.grading.exact_match import TextMatch, compare_text_tokens_and_edit_similarity
from executor.grading.official import (
    OfficialRules,
    has_text_for_official_splice,
    is_officially_exact,
    official_gold,
    parse_generation,
    wrap_code_in_line_ends,
)
from executor.manifest.false_passes import count_passing_held_back_bodies
from executor.tasks.suite_members import is_suite_dataset_name
from executor.values import Outcome, Task, Tier, Verdict
from experiments.arms.arm import Arm
from experiments.arms.context import ArmContext, Reading
from experiments.files import write_atomically
from experiments.run.pass_rule import PassRule, apply_pass_rule
from experiments.run.records import Execution, SampleRecord, Scored, Story, encode_json_value, locate_story
from experiments.run.sample_facts import HoleFacts
from experiments.run.sampling.attribution import collect_callee_facts, read_build_error_lines
from experiments.run.sampling.conversation import (
    AskedSample,
    Asker,
    Keep,
    ask_agent,
    find_tasks_read_by_tools,
    make_sample_context,
)
from experiments.run.sampling.executions import (
    INFRA_PAUSES,
    ExecutionFolder,
    Executions,
    collect_control_run_state_and_costs,
    describe_plus_test_result_or_empty,
    grade_execution,
    list_steps_without_controls,
    sum_build_cpu_s,
)
from experiments.run.sampling.recitation import measure_recitation
from experiments.run.sampling.rounds import list_round_costs
from experiments.run.workspace import Repo
from index.errors import GraftError, InfraError
from index.function_texts import join_present_functions_under_heads, split_functions
from retrieval.names.needed_names import find_missing_names, find_needed_names_of_holes, join_prompt_text
from retrieval.values import Context

log = logging.getLogger(__name__)


_FAULT_CHARS = 300
NO_OFFICIAL = "the official rules know one function a task"


@dataclass(frozen=True, slots=True)
class Bench:
    """What every sample of a run shares. `official`: the rules of the official reading; `tasks` are all tasks of the
    run."""

    run: Path
    repos: Mapping[str, Repo]
    executions: Executions
    asker: Asker
    official: OfficialRules
    pass_rule: PassRule
    tasks: Sequence[Task] = ()


def ask_and_judge_sample(bench: Bench, task: Task, arm: Arm, sample: int) -> SampleRecord:
    """Do one sample. Every failure becomes an outcome, except CeilingReached and AnswerPending, which are raised
    before the call to the model. A fault in Graft's own code, met by an odd answer, fails this sample alone."""
    made = make_sample_context(bench.asker, task, arm)
    try:
        return _ask_and_judge_with_context(bench, task, arm, sample, made)
    except (GraftError, OSError):
        raise
    except Exception as error:
        log.debug(f"{task.id} ({arm.name}, sample {sample})", exc_info=True)
        problem = f"a fault in Graft: {type(error).__name__}: {str(error)[:_FAULT_CHARS]}"
        return _make_early_failure_record(task, arm, sample, made, problem)


def _ask_and_judge_with_context(bench: Bench, task: Task, arm: Arm, sample: int, made: ArmContext) -> SampleRecord:
    repo = bench.repos[task.target.repo]
    path = locate_story(bench.run, arm.name, task.id, sample)
    told = (*made.clones, *(f"{copy.kind} ({copy.path}), by copy {copy.share:.2f}" for copy in made.copies))

    def write_story(context: Context, trajectory: Trajectory) -> None:
        write_atomically(path, encode_json_value(Story(context, told, trajectory), indent=1))

    conversation = _hold_conversation_or_explain_failure(bench, repo, task, arm, sample, made.context, write_story)
    if isinstance(conversation, str):
        return _make_early_failure_record(task, arm, sample, made, conversation)
    context, trajectory = conversation
    write_story(context, trajectory)
    ours, execution = _build_test_and_score_answer(bench, repo, task, trajectory)
    record = make_bare_record(task, arm, sample, made._replace(context=context), ours)
    exact, similarity = compute_exactness_and_mean_gold_similarity(trajectory.candidate.code, task)
    needed_names, missing_names = _find_gold_names_and_those_missing_in_prompt(task, repo.reading, context)
    complaints = ""
    if execution is not None:
        run, differential = execution.run, execution.differential
        complaints = read_build_error_lines(run, bench.run / ours.execution)
        record = replace(
            record,
            test_s=sum(step.wall_s for step in list_steps_without_controls(run)),
            build_cpu_s=sum_build_cpu_s(run),
            infra_retries=execution.retries,
            audit=collect_control_run_state_and_costs(run, ours.verdict),
            confinement=(run.confinement or "none") if run.suites else "",
            differential="" if differential is None else differential.difference_agreement_or_not_applicable_line,
            plus=describe_plus_test_result_or_empty(execution, repo.image.expected),
        )
    passed = apply_pass_rule(ours.verdict, record.plus, bench.pass_rule).outcome is Outcome.PASSED
    return replace(
        record,
        graft=replace(ours, exact_match=exact),
        official=_score_by_official_rules(bench, repo, task, trajectory, ours),
        edit_similarity=similarity,
        usage=trajectory.usage,
        rounds=list_round_costs(trajectory),
        callees=collect_callee_facts(task, repo.reading.index, context, trajectory, complaints),
        read_tasks=find_tasks_read_by_tools(bench.tasks, task, trajectory),
        recitation=measure_recitation(task, trajectory, None if repo.variant is None else repo.variant.names),
        wrong=count_passing_held_back_bodies(repo.health, task.id, repo.list_suites_answer_must_pass(task.id)),
        wrong_plus=count_passing_held_back_bodies(
            repo.health, task.id, repo.list_suites_answer_must_pass(task.id), plus=True
        )
        if bench.executions.plus and repo.list_plus_tests_gold_passes(task.id)
        else None,
        holes=_judge_each_function_alone_if_several(bench, repo, task, trajectory.candidate.code, passed=passed),
        needed_names=needed_names,
        missing_names=missing_names,
    )


def _find_gold_names_and_those_missing_in_prompt(
    task: Task, reading: Reading, context: Context
) -> tuple[tuple[str, ...], tuple[str, ...]] | tuple[None, None]:
    """Which of the repository's names the gold uses, and which of them a prompt with this context lacks (see
    `SampleRecord`); unknown without an index. Read when the answer is in: they stand in no prompt."""
    if reading.index is None:
        return None, None
    each = find_needed_names_of_holes(task.golds, task.target, reading.index, reading.uncompiled)
    needed = tuple(dict.fromkeys(name for names in each for name in names))
    missing = find_missing_names(needed, join_prompt_text(task.target, (s.text for s in context.snippets)))
    return tuple({name.name: None for name in needed}), tuple({name.name: None for name in missing})


def _hold_conversation_or_explain_failure(
    bench: Bench, repo: Repo, task: Task, arm: Arm, sample: int, first: Context, keep: Keep
) -> AskedSample | str:
    """The conversation, or the infrastructure error that prevented it. Responses are stored, so a retry pays for none
    again."""
    problem = ""
    for pause in (0.0, *INFRA_PAUSES):
        time.sleep(pause)
        try:
            workers = bench.executions.workers
            with workers.make_draft_checker(repo.image, task.target) if arm.compiles else nullcontext() as opened:
                return ask_agent(bench.asker, task, arm, sample, first, opened, keep)
        except (InfraError, OSError) as error:
            problem = f"{type(error).__name__}: {error}"
    return problem


def _build_test_and_score_answer(
    bench: Bench, repo: Repo, task: Task, trajectory: Trajectory
) -> tuple[Scored, Execution | None]:
    code = trajectory.candidate.code
    if code is None:
        outcome = Outcome.MODEL_ERROR if trajectory.error else Outcome.NO_ANSWER
        return _score_without_run(outcome, trajectory.error or trajectory.candidate.reason), None
    if missing := list_missing_functions(code, task.target):
        return _score_without_run(Outcome.NO_ANSWER, f"no definition of {', '.join(missing)}"), None
    folder, execution = bench.executions.build_and_test_once(repo, task, code)
    return Scored(grade_execution(execution, repo.image.expected), False, folder), execution


def _score_by_official_rules(bench: Bench, repo: Repo, task: Task, trajectory: Trajectory, ours: Scored) -> Scored:
    """The verdict on the raw response, parsed and spliced as YABLoCo and MERA do. Their splice only adds empty lines
    around the code, so an equal text shares our execution.
    """
    if len(task.target.holes) > 1:
        return _score_without_run(Outcome.NO_ANSWER, NO_OFFICIAL)
    answer = find_answering_or_last_round(trajectory)
    if answer is None:
        return _score_without_run(ours.verdict.outcome, ours.verdict.reason)
    code = parse_generation(answer.answer, bench.official)
    exact = is_officially_exact(code, official_gold(task), bench.official)
    if not has_text_for_official_splice(code):
        return replace(_score_without_run(Outcome.NO_ANSWER, "a blank text is never spliced"), exact_match=exact)
    if trajectory.candidate.code is not None and code.strip() == trajectory.candidate.code.strip():
        return replace(ours, exact_match=exact)
    folder, execution = bench.executions.build_and_test_once(repo, task, wrap_code_in_line_ends(code))
    return Scored(grade_execution(execution, repo.image.expected), exact, folder)


def compute_exactness_and_mean_gold_similarity(code: str | None, task: Task) -> tuple[bool, float]:
    """Whether every function is its gold to the letter, and how similar they are on average."""
    if code is None:
        return False, 0.0
    found = [
        TextMatch(strict=False, tokens=False, edit_similarity=0.0)
        if text is None
        else compare_text_tokens_and_edit_similarity(text, gold)
        for text, gold in zip(split_functions(code, len(task.target.holes)), task.golds, strict=True)
    ]
    return all(match.strict for match in found), fmean(match.edit_similarity for match in found)


def _judge_each_function_alone_if_several(
    bench: Bench, repo: Repo, task: Task, code: str | None, *, passed: bool
) -> tuple[HoleFacts, ...]:
    """Each function of a task of several, judged as an answer is, with the others' golds in their places; none for a
    task of one. Where all have passed together nothing is tried. Raises InfraErrors never: a trial that Graft itself
    failed isn't known."""
    holes = task.target.holes
    if len(holes) == 1:
        return ()
    texts = split_functions(code, len(holes)) if code is not None else (None,) * len(holes)
    found = []
    for number, (hole, text, gold) in enumerate(zip(holes, texts, task.golds, strict=True)):
        if text is None:
            found.append(HoleFacts(hole.name, hole.path, given=False, exact_match=False))
            continue
        alone, folder = (None, "") if passed else _try_function_alone(bench, repo, task, texts, number)
        exact = compare_text_tokens_and_edit_similarity(text, gold).strict
        found.append(HoleFacts(hole.name, hole.path, given=True, exact_match=exact, alone=alone, execution=folder))
    return tuple(found)


def _try_function_alone(
    bench: Bench, repo: Repo, task: Task, texts: Sequence[str | None], number: int
) -> tuple[bool | None, ExecutionFolder]:
    """Whether the function passes with the others' golds, and its execution's folder."""
    own = prepend_used_helpers(texts, number, task.target.holes)
    code = join_present_functions_under_heads(
        [own if number == other else gold for other, gold in enumerate(task.golds)]
    )
    folder, execution = bench.executions.build_and_test_once(repo, task, code)
    expected = repo.image.expected
    plus = describe_plus_test_result_or_empty(execution, expected)
    outcome = apply_pass_rule(grade_execution(execution, expected), plus, bench.pass_rule).outcome
    return None if outcome is Outcome.INFRA_ERROR else outcome is Outcome.PASSED, folder


def find_answering_or_last_round(trajectory: Trajectory) -> Round | None:
    """The round whose answer was taken; without one the last round."""
    for entry in reversed(trajectory.rounds):
        if trajectory.candidate.code is not None and entry.candidate.code == trajectory.candidate.code:
            return entry
    return trajectory.rounds[-1] if trajectory.rounds else None


def _score_without_run(outcome: Outcome, reason: str) -> Scored:
    return Scored(Verdict(outcome, Tier.ANSWER, False, reason), False, "")


def _make_early_failure_record(task: Task, arm: Arm, sample: int, made: ArmContext, problem: str) -> SampleRecord:
    failed = _score_without_run(Outcome.INFRA_ERROR, problem)
    return replace(make_bare_record(task, arm, sample, made, failed), infra_retries=len(INFRA_PAUSES))


def make_bare_record(task: Task, arm: Arm, sample: int, made: ArmContext, scored: Scored) -> SampleRecord:
    """What is known of a sample before anything was asked or tested, with this score by both readings."""
    return SampleRecord(
        arm=arm.name,
        task_id=task.id,
        sample=sample,
        repo=task.target.repo,
        level=task.level.value,
        graft=scored,
        official=scored,
        edit_similarity=0.0,
        usage=Usage(),
        test_s=0.0,
        build_cpu_s=None,
        context_tokens=made.context.tokens,
        dropped=len(made.context.dropped),
        clones=len(made.clones),
        infra_retries=0,
        copies=tuple(copy.kind for copy in made.copies),
        cluster=task.target.repo if is_suite_dataset_name(task.dataset) else "",
    )
