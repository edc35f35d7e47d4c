"""Runs a candidate beside the gold at the calls that the task's suites make."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from executor.candidate.execute import (
    plan_rebuild_after_change,
    read_unmodified_file,
    remove_outdated_files,
    run_suite,
    suite_limit_s,
)
from executor.candidate.runner import Runner
from executor.grading.differential import CallDifference, Differential, NotApplicableError
from executor.repository.images import Image
from executor.repository.known_names import load_repository_names
from executor.sandbox.contract import Backend, Command
from executor.values import Step, Task, Tier
from index.errors import RecipeError
from lab.differential.build_programs import (
    RESULTS,
    build_programs_with_compilable_bodies,
    compile_unit_for_type_shapes,
)
from lab.differential.c_unit import explain_body_unusable_beside_others

# What the forks may add to a suite's time.
_EXTRA_SUITE_S = 60.0
# CPU seconds for the forks, and more for each body beyond the first; changed states may take half as many again.
_FORKS_CPU_S = 6.0
_FORKS_CPU_S_PER_BODY = 1.2
# More than the runtime's `struct shared`.
_SHARED_BYTES = 4096
# As the runtime has room for (MOST_CANDIDATES in runtime/graft.h).
MOST_AT_ONCE = 24
_ARROW = re.compile(r"^(\S+?)->(?= |$)")
# Some calls' own names are clearer than numbers; the rest stay numbers.
_SYSTEM_CALL_NAMES = {
    "0": "read", "1": "write", "2": "open", "7": "poll", "8": "lseek", "23": "select", "41": "socket", "42": "connect",
    "45": "recvfrom", "56": "clone", "57": "fork", "62": "kill", "72": "fcntl", "82": "rename", "87": "unlink",
    "232": "epoll_wait", "257": "openat", "281": "epoll_pwait", "288": "accept4", "435": "clone3",
}  # fmt: skip


class _CpuCountingRunner(Runner):
    """Adds up the CPU seconds of what it runs."""

    cpu_s: float | None = None

    def run_command(self, name: str, tier: Tier, command: Command) -> tuple[Step, bytes]:
        step, output = super().run_command(name, tier, command)
        if step.cpu_s is not None:
            self.cpu_s = round((self.cpu_s or 0.0) + step.cpu_s, 2)
        return step, output


def compare_with_gold(
    image: Image, task: Task, candidates: Sequence[str], backend: Backend, suites: Sequence[str], folder: Path
) -> tuple[Differential, ...]:
    """Build the suites' programs with the gold's body and the candidates' in one unit, in a fresh session for each
    MOST_AT_ONCE of them, and run the suites. Returns what was found of each candidate; one that can't stand beside the
    gold is `not_applicable`. Logs lie in `folder`. Raises SandboxError."""
    found: list[Differential] = []
    for start in range(0, len(candidates), MOST_AT_ONCE):
        part = folder / f"from-{start}" if start else folder
        some = candidates[start : start + MOST_AT_ONCE]
        found += _compare_in_one_session(image, task, some, backend, suites, part)
    return tuple(found)


def _compare_in_one_session(
    image: Image, task: Task, candidates: Sequence[str], backend: Backend, suites: Sequence[str], folder: Path
) -> tuple[Differential, ...]:
    folder.mkdir(parents=True, exist_ok=True)
    target = task.target
    name = target.name.rpartition("::")[2]
    found = [Differential(not_applicable=explain_body_unusable_beside_others(text, name)) for text in candidates]
    able = [number for number, known in enumerate(found) if not known.not_applicable]
    source = read_unmodified_file(image, target.path)
    try:
        if why := explain_body_unusable_beside_others(task.gold, name):
            raise NotApplicableError(why)
        todo = plan_rebuild_after_change(image, target.path, target.span, suites=suites)
        with backend.session(image.key) as session:
            runner = _CpuCountingRunner(session, folder)
            session.write(RESULTS, b"")
            session.write(f"{RESULTS}.shared", bytes(_SHARED_BYTES))
            texts = [candidates[number] for number in able]
            unit = compile_unit_for_type_shapes(
                runner, todo.steps, task, source, texts, load_repository_names(image.source_root).names
            )
            remove_outdated_files(session, todo.outdated)
            budget_s = _FORKS_CPU_S + _FORKS_CPU_S_PER_BODY * (len(able) - 1)
            tag = f"_{secrets.token_hex(6)}"
            kept = build_programs_with_compilable_bodies(runner, image, todo.steps, unit, texts, source, tag, budget_s)
            for name in suites:
                suite = image.recipe.find_suite(name)
                run_suite(runner, image, suite, suite_limit_s(image, suite) + _EXTRA_SUITE_S, prefix="differential")
            results = session.read(RESULTS)
    except (NotApplicableError, RecipeError) as error:
        return tuple(known if known.not_applicable else Differential(not_applicable=str(error)) for known in found)
    (folder / "differential.txt").write_bytes(results)
    for number in able:
        found[number] = Differential(
            not_applicable="it doesn't compile beside the gold, or has code that no call runs"
        )
    for position, result in zip(kept, parse_comparison_lines(results, len(kept)), strict=True):
        found[able[position]] = replace(result, cpu_s=runner.cpu_s)
    return tuple(found)


def parse_comparison_lines(data: bytes, count: int = 1) -> tuple[Differential, ...]:
    """One for each of the `count` candidates. Lines that aren't a comparison's are passed over: a program may have
    damaged the file."""
    counts: dict[str, Counter[int]] = {"same": Counter(), "probed": Counter()}
    told: dict[str, dict[int, list[CallDifference]]] = {"differs": {}, "broke": {}, "calls": {}}
    left: Counter[str] = Counter()
    for line in data.decode("utf-8", "replace").split("\n"):
        match line.split("\t", 4):
            case [_, _, call, "left", words] if call.isdecimal():
                left[_explain_system_call(words)] += 1
            case [number, program, call, kind, words] if number.isdecimal() and call.isdecimal():
                if kind in counts:
                    counts[kind][int(number)] += 1
                elif kind in told:
                    # `out-> was 3, is 4` -> `*out was 3, is 4`; `list->[1].x` -> `list[1].x`.
                    plain = _ARROW.sub(r"*\1", words.replace("->[", "["))
                    plain = words.replace("*", "") if kind == "calls" else plain
                    told[kind].setdefault(int(number), []).append(CallDifference(program, int(call), plain))
    reasons = dict(left.most_common())
    return tuple(
        Differential(
            counts["same"][n],
            tuple(told["differs"].get(n, ())),
            reasons,
            probed=counts["probed"][n],
            broke=tuple(told["broke"].get(n, ())),
            called=tuple(told["calls"].get(n, ())),
        )
        for n in range(count)
    )


def _explain_system_call(words: str) -> str:
    number = re.fullmatch(r"it makes system call (\d+)", words)
    if number is None:
        return words
    return f"it does input or output ({_SYSTEM_CALL_NAMES.get(number[1], f'system call {number[1]}')})"
