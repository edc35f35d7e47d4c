"""What a model call costs the head when 100 are under way at once: Graft's part, and litellm's.

    python -m benchmarks.record benchmarks/records/concurrent_calls.json --text -- \\
        python -m benchmarks.agent.concurrent_calls

A server of its own process on loopback answers each request after a pause, so that as many calls as there are threads
are under way. The same requests go there three times: through Graft (response store, ceiling, retries, reading the
answer, its price), through litellm alone, and through httpx alone. Figures are CPU-ms (user + system, all threads) of
the process that asks, for each call; Graft's part is the difference to litellm alone. Exit status 1 when that is above
the goal (2 ms).
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from agent.model.litellm_model import LiteLLMModel, load_litellm, make_completion_arguments
from agent.model.response_store import sum_stored_usage, wrap_in_store
from agent.model.spending_ceiling import LimitedModel
from agent.model.transport import bounded_client
from agent.values import Message, ModelRequest
from benchmarks.tables import render_cells
from experiments.demo.scripted_server import Script, ScriptRule, start_server

GOAL_MS = 2.0
_PROMPT_CHARS = 12_000
_ANSWER_CHARS = 1_500
Ask = Callable[[ModelRequest], object]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=1.0, help="seconds until the server answers")
    args = parser.parse_args()
    with _run_server_process(args.delay) as base, tempfile.TemporaryDirectory() as folder:
        ways = _make_ways_to_ask(base, Path(folder) / "responses.sqlite")
        costs: dict[str, list[float]] = {name: [] for name in ways}
        number = 0
        for round_ in range(args.rounds + 1):
            for name, ask in ways.items():
                requests = [_make_request(base, sample) for sample in range(number, number + args.calls)]
                number += args.calls
                cost = _measure_cpu_ms(ask, requests, args.threads)
                if round_:  # The first round imports and connects.
                    costs[name].append(cost)
    best = {name: min(each) for name, each in costs.items()}
    graft = best["Graft"] - best["litellm alone"]
    parts = {"Graft, without litellm": graft, "litellm, without HTTP": best["litellm alone"] - best["httpx alone"]}
    rows = [[name, f"{best[name]:.2f}", f"{statistics.median(each):.2f}"] for name, each in costs.items()]
    rows += [[name, f"{part:.2f}", ""] for name, part in parts.items()]
    table = render_cells(("a call through", "CPU-ms, best round", "median round"), rows)
    sys.stdout.write(f"{table}\n\n{args.calls} calls a round, {args.threads} at once.\n")
    return int(graft > GOAL_MS)


def _make_ways_to_ask(base: str, store: Path) -> Mapping[str, Ask]:
    graft = wrap_in_store(LimitedModel(LiteLLMModel(), 1e9, None, sum_stored_usage(store)), store)
    litellm = load_litellm()
    client = bounded_client()

    def ask_litellm(request: ModelRequest) -> object:
        return litellm.completion(
            **make_completion_arguments(request),
            api_base=base,
            api_key="none",
            timeout=300.0,
            num_retries=0,
            max_retries=0,
        )

    def ask_httpx(request: ModelRequest) -> object:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        body = {"model": "scripted", "messages": messages, "max_tokens": request.max_tokens}
        return client.post(f"{base}/chat/completions", json=body, timeout=300.0).json()

    return {"Graft": graft.complete, "litellm alone": ask_litellm, "httpx alone": ask_httpx}


def _make_request(base: str, sample: int) -> ModelRequest:
    messages = (
        Message("system", "You write one function."),
        Message("user", f"{sample} " + "int x; " * (_PROMPT_CHARS // 7)),
    )
    return ModelRequest("openai/scripted", messages, 0.2, 2048, None, sample, base)


def _measure_cpu_ms(ask: Ask, requests: list[ModelRequest], threads: int) -> float:
    """CPU-ms for each of the requests."""
    began = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(ask, requests):
            pass
    return 1000 * (time.process_time() - began) / len(requests)


@contextmanager
def _run_server_process(delay_s: float) -> Iterator[str]:
    """The address of a server in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    child = spawn.Process(target=_serve_until_told, args=(theirs, delay_s), daemon=True)
    child.start()
    try:
        yield ours.recv()
    finally:
        ours.send("stop")
        child.join()


def _serve_until_told(pipe: Connection, delay_s: float) -> None:
    rule = ScriptRule(answer="```c\n" + "int x; " * (_ANSWER_CHARS // 7) + "\n```", delay_s=delay_s)
    with start_server(Script(rules=(rule,))) as server:
        pipe.send(server.base_url)
        pipe.recv()


if __name__ == "__main__":
    sys.exit(main())
