"""Runs commands in a session, each with its log. Steps of a build that don't need each other run side by side, in one
command: a session runs one at a time."""

from __future__ import annotations

import math
import re
import secrets
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from executor.repository.baseline import make_step_record
from executor.repository.build.graph import BuildStep, bind_step
from executor.repository.build.plan import group_independent_steps
from executor.sandbox.capacity import count_usable_cores
from executor.sandbox.contract import Command, CommandLimits, ExecResult, Session
from executor.values import Step, Tier
from index.errors import InfraError

# A unit compiles in seconds. A template that never ends, or an array of gigabytes, is the candidate's fault. Disk is
# memory in some sandboxes, so what a candidate may write is bounded as well.
CHECK_LIMITS = CommandLimits(wall_s=60.0, memory_mb=2048, disk_mb=1024, output_bytes=1024 * 1024)
BUILD_LIMITS = CommandLimits(wall_s=300.0, memory_mb=4096, disk_mb=2048, output_bytes=1024 * 1024)
# The sandbox's exit codes for a program that can't be run or isn't there. No candidate makes a compiler end so.
TOOL_MISSING = (126, 127)
# So many steps run side by side at most, and so many does one command hold.
_MOST_LANES, _MOST_TOGETHER = 4, 64
_SPARE_S = 10.0
# What coreutils' timeout ends with when it stopped a command.
_STOPPED = 124
# A command's number, its status, and what the shell's `times` says of it: minutes and seconds.
_END = re.compile(rb"(?m)^(\d+) (\d+) (.*)$")
_TIMES = re.compile(rb"(\d+)m([\d.]+)s")


class Runner:
    """Runs commands in a session and writes the output of each into a log."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.session = session
        self.folder = folder

    def run_build_steps(self, steps: Sequence[BuildStep], before: int = 0, prefix: str = "") -> list[Step]:
        """Run the steps up to the first that fails. `before`: how many were run before these; `prefix` begins the
        names of their logs. Raises InfraError where a program isn't there."""
        done: list[Step] = []
        for wave in group_independent_steps(steps):
            for group in (wave[place : place + _MOST_TOGETHER] for place in range(0, len(wave), _MOST_TOGETHER)):
                first = before + len(done) + 1
                names = [f"{prefix}{step.kind}-{number}" for number, step in enumerate(group, start=first)]
                together = self._run_side_by_side(group, names) if len(group) > 1 else []
                done += together or self._run_in_order(group, names)
                if done[-1].exit_code != 0:
                    return done
        return done

    def run_build_step(self, name: str, tier: Tier, step: BuildStep, limits: CommandLimits) -> Step:
        argv, cwd = bind_step(step, self.session.root)
        done = self.run_command(name, tier, Command(argv, cwd=cwd, limits=limits))[0]
        self._require_program_was_found(done)
        return done

    def run_command(self, name: str, tier: Tier, command: Command) -> tuple[Step, bytes]:
        done = self.session.run(command)
        return self._log_and_record_step(name, tier, command, done), done.output

    def _log_and_record_step(self, name: str, tier: Tier, command: Command, done: ExecResult) -> Step:
        log = f"{name}.log"
        (self.folder / log).write_bytes(done.output)
        return make_step_record(name, tier, command, done, log)

    def _require_program_was_found(self, step: Step) -> None:
        if step.exit_code in TOOL_MISSING:
            raise InfraError(f"{step.argv[0]} couldn't be run in the sandbox; see {self.folder / step.log}")

    def _run_in_order(self, steps: Sequence[BuildStep], names: Sequence[str]) -> list[Step]:
        done: list[Step] = []
        for name, step in zip(names, steps, strict=True):
            done.append(self.run_build_step(name, Tier.BUILD, step, BUILD_LIMITS))
            if done[-1].exit_code != 0:
                break
        return done

    def _run_side_by_side(self, steps: Sequence[BuildStep], names: Sequence[str]) -> list[Step]:
        """Run the steps in one command, up to the first in their order that fails; nothing where the memory that one
        step may take isn't enough for them. A step's seconds by the clock are its share, by CPU seconds, of the
        command's."""
        lanes = min(len(steps), count_usable_cores(), _MOST_LANES)
        limits = replace(BUILD_LIMITS, wall_s=BUILD_LIMITS.wall_s * math.ceil(len(steps) / lanes) + _SPARE_S)
        places = [bind_step(step, self.session.root) for step in steps]
        bound = [Command(argv, cwd=cwd, limits=limits) for argv, cwd in places]
        # A compiler prints a candidate's text, which mustn't tell how a step ended.
        mark = secrets.token_hex(16)
        done = self.session.run(
            Command(("/bin/sh", "-s"), stdin=_write_parallel_shell_script(bound, lanes, mark), limits=limits)
        )
        if done.oom:
            return []
        ended = dict(_read_command_results(done, mark))
        failed = any(result.exit_code != 0 for result in ended.values())
        if done.timed_out or (len(ended) < len(steps) and not failed):
            # Whatever kept steps from their end, it was in a text that they read.
            return [
                self._log_and_record_step(names[0], Tier.BUILD, bound[0], replace(done, exit_code=done.exit_code or 1))
            ]
        share = done.wall_s / max(sum(result.cpu_s or 0.0 for result in ended.values()), 1e-3)
        kept: list[Step] = []
        for number, result in sorted(ended.items()):
            timed = replace(result, wall_s=share * (result.cpu_s or 0.0))
            kept.append(self._log_and_record_step(names[number], Tier.BUILD, bound[number], timed))
            self._require_program_was_found(kept[-1])
            if kept[-1].exit_code != 0:
                break
        return kept


def _write_parallel_shell_script(commands: Sequence[Command], lanes: int, mark: str) -> bytes:
    """A shell program that runs the commands in so many lanes. It prints a line for each that ended, and then what
    each printed. None begins once one before it in their order has failed."""
    # Within braces: the shell reads all of it first. What is left of it in the pipe a compiler could be made to read.
    lines = ["{ dir=$(mktemp -d) || exit 1"]
    for number, command in enumerate(commands):
        call = f"cd -- {shlex.quote(command.cwd)} && timeout {BUILD_LIMITS.wall_s:.0f} {shlex.join(command.argv)}"
        lines.append(
            f"step_{number}() {{ ({call}; code=$?; times > $dir/{number}.times; echo $code > $dir/{number}.code;"
            f" [ $code = 0 ] || echo {number} >> $dir/failed) < /dev/null > $dir/{number}.log 2>&1; }}"
        )
    lines += [
        "is_due() { for failed in $(cat $dir/failed 2> /dev/null); do [ $failed -gt $1 ] || return 1; done; }",
        "run_lane() { for number; do is_due $number && step_$number; done; }",
    ]
    numbers = [str(number) for number in range(len(commands))]
    lines += [f"run_lane {' '.join(numbers[lane::lanes])} &" for lane in range(lanes)]
    each = f"for n in {' '.join(numbers)}; do [ ! -e $dir/$n.code ] ||"
    lines += [
        "wait",
        f'{each} echo "$n $(cat $dir/$n.code) $(tail -n 1 $dir/$n.times)"; done',
        f"{each} {{ echo {mark}; cat $dir/$n.log; }}; done",
        "rm -rf $dir; }",
    ]
    return "\n".join([*lines, ""]).encode()


def _read_command_results(done: ExecResult, mark: str) -> Iterator[tuple[int, ExecResult]]:
    """(number, how it ended) of each command of the program that printed this."""
    ends, *logs = done.output.split(f"{mark}\n".encode())
    for end, log in zip_longest(_END.finditer(ends), logs):
        if end is not None:
            code = None if int(end[2]) == _STOPPED else int(end[2])
            cpu_s = sum(60 * int(minutes) + float(seconds) for minutes, seconds in _TIMES.findall(end[3]))
            yield int(end[1]), replace(done, exit_code=code, output=log or b"", cpu_s=cpu_s, timed_out=code is None)
