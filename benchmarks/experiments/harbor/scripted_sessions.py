"""What a scripted model does in an agent's place: a small session a task, half of them with a wrong body.

It looks at the file, writes the body, compiles, and ends. The same script serves agents that call a tool `bash` (as
mini-swe-agent does) and terminus-2, which takes JSON with keystrokes. A task is known by the heading of its
instruction.
"""

from __future__ import annotations

import base64
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.function.stub import make_stub
from executor.values import Task
from experiments.demo.scripted_server import Script, ScriptCall, ScriptRule
from experiments.run.config import RunConfig
from experiments.run.workspace import read_tasks

DATASET = "example"
_END = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
# Seconds that terminus-2 waits for a command's output.
_WAIT_S = {"look": 1.0, "write": 1.0, "compile": 10.0}


@dataclass(frozen=True, slots=True)
class Session:
    """`is_right`: the body is the true one, else a stub that compiles. `commands`: what is typed, by its purpose."""

    task: str
    heading: str
    is_right: bool
    commands: dict[str, str]


def plan_sessions(count: int, cache: Path) -> list[Session]:
    """Sessions for the first tasks of the example, every other one wrong."""
    tasks = read_tasks(RunConfig(dataset=DATASET, model="gold"), cache).tasks[:count]
    return [_plan_session(task, is_right=number % 2 == 0) for number, task in enumerate(tasks)]


def _plan_session(task: Task, *, is_right: bool) -> Session:
    (hole,) = task.target.holes
    text = task.gold if is_right else make_stub(task.target, task.gold)
    file = shlex.quote(hole.path)
    if hole.language == "c":
        # In the function's place in the tree.
        text = "{" + text.partition("{")[2]
        place, put = "/tmp/body", f" && sed -i -e '/^{{ .* body hidden .* }}$/{{r /tmp/body' -e 'd}}' {file}"
        build = "compile-task && test-task | tail -n 3"
    else:
        place, put, build = "/answer.c", "", "compile-task --check"
    coded = base64.b64encode(text.encode()).decode()
    commands = {
        "look": f"grep -n -B 6 'body hidden' {file}",
        "write": f"echo {coded} | base64 -d > {place}{put}",
        "compile": build,
    }
    return Session(task.id, f"## `{hole.name}` in `{hole.path}`", is_right, commands)


def write_script(sessions: Sequence[Session]) -> Script:
    """The rules that play the sessions."""
    rules: list[ScriptRule] = []
    for session in sessions:
        match = re.escape(session.heading)
        for turn, (purpose, command) in enumerate(session.commands.items(), 1):
            call = ScriptCall(name="bash", arguments={"command": command})
            text = f"I {purpose} first." if turn == 1 else f"Now I {purpose}."
            rules += [
                ScriptRule(match=match, turn=turn, when_tools=True, answer=text, calls=(call,)),
                ScriptRule(match=match, turn=turn, when_tools=False, answer=_type_keys(text, purpose, command)),
            ]
        end = ScriptCall(name="bash", arguments={"command": _END})
        rules += [
            ScriptRule(match=match, when_tools=True, answer="It is done.", calls=(end,)),
            ScriptRule(match=match, when_tools=False, answer=_type_keys("It is done.")),
        ]
    return Script(rules=tuple(rules))


def _type_keys(text: str, purpose: str = "", command: str = "") -> str:
    """An answer as terminus-2 wants it; without a command the task is done."""
    keys = [{"keystrokes": f"{command}\n", "duration": _WAIT_S[purpose]}] if command else []
    return json.dumps({"analysis": text, "plan": text, "commands": keys, "task_complete": not command})
