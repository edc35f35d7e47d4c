"""graft mcp: one task's hidden view for a client, and the judgement of what it hands in.

The session runs as an ordinary run of one sample, in a process of its own: a client ends its server as soon as it has
handed in, and the judging must not end with it.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from agent.tools.specs import draft_tool_specs
from agent.tools.tool_answer import ToolAnswer
from agent.tools.toolbox import MEANING, WORDS, list_lookup_tools
from agent.values import ToolSpec
from executor.cache import cache_root
from executor.values import Outcome
from experiments.arms.arm import parse_arm
from experiments.consoles import get_shared_stderr_console, set_up_stderr_logging
from experiments.mcp.client_model import READ_TASK, ClientCallsModel, ClientReply
from experiments.mcp.protocol import serve_tools
from experiments.progress import ConsoleProgress
from experiments.report.run_end import write_report_json_and_markdown
from experiments.report.run_report import make_report
from experiments.run.config import RunConfig, choose_default_run_folder, override_config
from experiments.run.experiment import GivenAnswers, RunEnd, run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, SampleKey, locate_story, read_journal
from experiments.run.resolve import Job, RunParts, resolve_config_parts
from experiments.run.workspace import Workspace
from index.errors import ConfigError, GraftError

log = logging.getLogger(__name__)

INSTRUCTIONS = (
    "Write one function of a C or C++ repository whose body was removed. Call `task` first: it says which. Look"
    " things up with the other tools, compile drafts with `check`, and hand the function in with `submit`: that ends"
    " the work."
)
AGENT = "experiments.mcp.client_model:run_client_agent"
# A client makes one call a turn, where a model makes several.
CLIENT_STEPS = 100
_NO_PROCESS = "error: the session's process has ended; its messages stand on the server's stderr"


def make_session_config(task_id: str, client: str, overrides: Sequence[str]) -> RunConfig:
    """The run's configuration, with the `key=value` words laid over it. Raises ConfigError."""
    config = override_config(
        RunConfig(
            model=f"mcp:{client}",
            arms=("agentic+compile",),
            agent=AGENT,
            agent_steps=CLIENT_STEPS,
            protocol="native",
        ),
        overrides,
    )
    if len(config.arms) != 1 or parse_arm(config.arms[0]).kind != "tools":
        raise ConfigError(f"arms={','.join(config.arms)}: graft mcp needs one arm with tools, as agentic+compile")
    out = config.out or choose_default_run_folder("mcp", client)
    return config.model_copy(update={"tasks": (task_id,), "out": out.absolute()})


def serve_task(config: RunConfig, *, tells_verdict: bool) -> int:
    """Serve the configuration's one task until the client leaves, then wait for the verdict. Returns the exit code.
    Raises UserError for a mistake in the configuration, before anything is served."""
    parts = resolve_config_parts(config)
    if len(parts.tasks.chosen) != 1:
        raise ConfigError(f"--task {config.tasks[0]}: name one task")
    session = TaskSession(config, tells_verdict=tells_verdict)

    async def call(name: str, arguments: Mapping[str, object] | None) -> ToolAnswer:
        from anyio import to_thread

        return await to_thread.run_sync(partial(session.call_tool, name, arguments), abandon_on_cancel=True)

    try:
        serve_tools("graft mcp", INSTRUCTIONS, _list_tools(parts), call)
    finally:
        code = session.leave_and_wait_for_exit()
    return code


def _list_tools(parts: RunParts) -> list[ToolSpec]:
    ways = [WORDS] if parts.config.meaning is None else [WORDS, MEANING]
    several = len(parts.tasks.chosen[0].target.holes) > 1
    return [
        READ_TASK,
        *list_lookup_tools(ways),
        *draft_tool_specs(checked=parts.arms[0].compiles, several=several),
    ]


class TaskSession:
    """The server's end of a session. Its process starts at the first call: a client that only asks which tools there
    are leaves nothing behind."""

    def __init__(self, config: RunConfig, *, tells_verdict: bool) -> None:
        self._config = config
        self._tells_verdict = tells_verdict
        self._lock = threading.Lock()
        self._running: tuple[SpawnProcess, Connection] | None = None
        self._over = ""

    def call_tool(self, name: str, arguments: Mapping[str, object] | None) -> ToolAnswer:
        """The session's answer. Calls are answered one after the other."""
        with self._lock:
            if self._over:
                return ToolAnswer(self._over, mistake=True)
            if self._running is None:
                self._running = self._start_process()
            _, channel = self._running
            reply: ClientReply = ToolAnswer(_NO_PROCESS, mistake=True), True
            with suppress(EOFError, OSError):
                channel.send((name, json.dumps(arguments or {})))
                reply = channel.recv()
            answer, is_last = reply
            if is_last:
                self._over = answer.text if answer.mistake else "error: the session is over: a function was handed in"
            return answer

    def leave_and_wait_for_exit(self) -> int:
        """Tell the process that the client has left, and wait until it has judged. Returns its exit code."""
        if self._running is None:
            return 0
        process, channel = self._running
        with suppress(OSError):  # it has ended
            channel.send(None)
        process.join()
        return process.exitcode or 0

    def _start_process(self) -> tuple[SpawnProcess, Connection]:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        level = logging.getLogger(__package__).getEffectiveLevel()
        process = context.Process(target=_run_session, args=(self._config, theirs, self._tells_verdict, level))
        process.start()
        theirs.close()
        return process, ours


def _run_session(config: RunConfig, channel: Connection, tells_verdict: bool, level: int) -> None:
    """The process: a run of one sample, whose model is at the channel's other end."""
    # A group of its own isn't killed with the server's; the client reads what the server prints on stdout.
    os.setsid()
    os.dup2(2, 1)
    set_up_stderr_logging(level)
    model = ClientCallsModel(channel, tells_verdict=tells_verdict)
    job: list[Job] = []

    def choose_job(space: Workspace) -> Sequence[Job]:
        if config.out is None:
            raise ValueError("a session has a run's folder")
        (task,), arm = space.tasks, parse_arm(config.arms[0])
        job.append((task, arm, _choose_next_sample_number(config.out, arm.name, task.id)))
        return job

    try:
        answers = GivenAnswers(lambda task, sample: model, choose_job)
        end = run_experiment(config, cache_root(), ConsoleProgress(get_shared_stderr_console()), answers=answers)
        write_report_json_and_markdown(end.run, make_report(end.run, read_manifest(end.run), end.records))
    except GraftError as error:
        log.error(f"graft: {error}")
        model.send_last_reply_once(f"error: the session can't go on: {error}")
        sys.exit(error.exit_code)
    ((task, arm, sample),) = job
    model.send_last_reply_once(_describe_session_verdict(end, (arm.name, task.id, sample)))
    log.info(f"{end.run}: sample {sample} of {task.id}: graft show {end.run} {task.id} --sample {sample}")


def _choose_next_sample_number(run: Path, arm: str, task_id: str) -> int:
    """How many sessions of the task the run's folder has, one that was cut short too."""
    known = [key[2] for key in read_journal(run / JOURNAL) if key[:2] == (arm, task_id)]
    stories = locate_story(run, arm, task_id, 0).parent.glob("[0-9]*.json")
    return 1 + max([*known, *(int(path.stem) for path in stories)], default=-1)


def _describe_session_verdict(end: RunEnd, key: SampleKey) -> str:
    verdict = next((record.graft.verdict for record in end.records if record.key == key), None)
    if verdict is None:
        return f"error: the session wasn't judged: {end.stopped}"
    text = f"{verdict.outcome.value}: {verdict.reason}" if verdict.reason else verdict.outcome.value
    return f"error: {text}" if verdict.outcome is Outcome.INFRA_ERROR else f"Your function is judged: {text}"
