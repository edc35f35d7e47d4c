"""Prompts out, answers in: for batch APIs, and for models without an API (docs/how-to/run-with-batch-apis.md).

Two arms with the same prompt share a line, as they share a stored response. An error in a batch's output, or a status
that isn't 200, is a model error. Answers are put into the run's store, and the run goes on as any other. Requests that
need a further answer (a repair, a tool's result) have "/TURN" added to their ids.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.model.batch_wire import (
    choose_provider_or_openai_batch_form,
    make_anthropic_or_gemini_request_body,
    read_batch_answer,
)
from agent.model.litellm_model import BrokenOffError, make_completion_arguments
from agent.model.response_store import find_response, request_key, store_response_if_missing, wrap_in_store
from agent.values import ModelRequest, ModelResponse
from executor.tasks.task_row import read_json_lines_with_origins
from experiments.files import write_atomically
from experiments.run.config import RunConfig
from experiments.run.records import encode_json_value, read_json_file
from experiments.run.reference_models import ModelFor, make_stub_model
from experiments.run.resolve import Job, resolve_config_parts
from experiments.run.sample_facts import Input
from experiments.run.sampling.conversation import Asker, make_asker, make_first_request_if_it_fits
from experiments.run.workspace import prepare_tasks_for_prompts
from index.errors import AnswerPending, ModelError, TaskError
from index.user_files import make_spelling_hint

log = logging.getLogger(__name__)

URL = "/v1/chat/completions"
FURTHER = "further.jsonl"
# Beside the batch lines the requests as we hold them: an answer is stored under its request.
_REQUESTS = "further-requests.json"
# litellm's prefixes of providers that batch files don't know.
_PROVIDERS = ("openai/", "azure/", "hosted_vllm/", "openrouter/")


@dataclass(frozen=True, slots=True)
class Pending:
    """Requests without an answer, by custom_id."""

    requests: Mapping[str, ModelRequest]


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One line of the answers' file: the provider's answer, or as `error` why there is none."""

    custom_id: str
    body: Mapping[str, Any]
    error: str
    origin: str


def collect_distinct_first_requests(asker: Asker, jobs: Iterable[Job]) -> dict[str, ModelRequest]:
    """custom_id -> the first request of each job, in order; equal requests once, under the first job's id."""
    found: dict[str, tuple[str, ModelRequest]] = {}
    for task, arm, sample in jobs:
        request = make_first_request_if_it_fits(asker, task, arm, sample)
        if request is not None:
            found.setdefault(request_key(request), (f"{task.id}/{arm.name}/{sample}", request))
    return dict(found.values())


def write_prompts(config: RunConfig, cache: Path, out: Path, rerun_command: str = "graft run CONFIG ...") -> None:
    """Write the prompts to `out`. No model is asked, nothing is built, and no sandbox is needed. `rerun_command`: the
    command that runs this configuration. Raises UserError for a mistake in the configuration."""
    parts = resolve_config_parts(config)
    bound, readings = prepare_tasks_for_prompts(parts, cache)
    for line in bound.left_out:
        log.warning(line)
    jobs = parts.list_jobs(bound.tasks)
    requests = collect_distinct_first_requests(make_asker(parts, readings, make_stub_model), jobs)
    write_atomically(out, encode_batch_lines(requests))
    answers = out.with_name(f"{out.stem}-answers.jsonl")
    shared = f" for {len(jobs)} samples; equal prompts are asked once" if len(requests) < len(jobs) else ""
    log.info(f"{out}: {len(requests)} requests{shared}. Next, with the answers: {rerun_command} --responses {answers}")


def encode_batch_lines(requests: Mapping[str, ModelRequest]) -> bytes:
    """The requests as their provider's batch input, JSON lines."""
    return b"".join(json.dumps(_make_batch_line(name, request)).encode() + b"\n" for name, request in requests.items())


def _make_batch_line(custom_id: str, request: ModelRequest) -> dict[str, Any]:
    form = choose_provider_or_openai_batch_form(request.model)
    if form == "anthropic":
        return {"custom_id": _make_anthropic_id(custom_id), "params": make_anthropic_or_gemini_request_body(request)}
    if form == "gemini":
        return {"key": custom_id, "request": make_anthropic_or_gemini_request_body(request)}
    return {"custom_id": custom_id, "method": "POST", "url": URL, "body": _make_openai_request_body(request)}


def _make_anthropic_id(custom_id: str) -> str:
    """Anthropic takes 64 letters, digits, - and _; the hash keeps two ids apart whose other signs differ."""
    digest = hashlib.sha256(custom_id.encode()).hexdigest()[:12]
    return f"{re.sub(r'[^A-Za-z0-9_-]', '-', custom_id)[:51]}-{digest}"


def _make_openai_request_body(request: ModelRequest) -> dict[str, Any]:
    model = request.model
    for prefix in _PROVIDERS:
        model = model.removeprefix(prefix)
    arguments = {**make_completion_arguments(request), "model": model}
    del arguments["drop_params"]  # litellm's own
    return arguments


def read_batch_answers(path: Path) -> list[AnswerLine]:
    """The file's lines. Raises TaskError that names the line: not JSON, no custom_id, neither answer nor error, an
    id given twice."""
    found: dict[str, AnswerLine] = {}
    for where, value in read_json_lines_with_origins(path):
        answer = _parse_answer_line(value, where)
        if answer.custom_id in found:
            first = found[answer.custom_id].origin
            raise TaskError(f"{where}: custom_id {answer.custom_id!r} was already answered at {first}")
        found[answer.custom_id] = answer
    if not found:
        raise TaskError(f"{path}: no answers")
    return list(found.values())


def _parse_answer_line(value: Mapping[str, Any], where: str) -> AnswerLine:
    custom_id = value.get("custom_id") or value.get("key")
    if not isinstance(custom_id, str) or not custom_id:
        raise TaskError(f"{where}: custom_id is missing; a line is one answer of a batch, or custom_id and text")
    if isinstance(value.get("text"), str):
        message = {"role": "assistant", "content": value["text"]}
        return AnswerLine(custom_id, {"choices": [{"message": message, "finish_reason": "stop"}]}, "", where)
    body, failed = _find_answer_or_error(value)
    if body is not None:
        return AnswerLine(custom_id, body, "", where)
    if not failed:
        raise TaskError(f"{where}: neither response, nor result, nor text, nor error is there")
    while isinstance(failed, dict) and ("message" in failed or "error" in failed):
        failed = failed.get("message") or failed.get("error")
    return AnswerLine(custom_id, {}, str(failed), where)


def _find_answer_or_error(value: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Any]:
    """The provider's answer in a line of a batch's output, or why there is none."""
    result, response, failed = value.get("result"), value.get("response"), value.get("error")
    if isinstance(result, dict):  # Anthropic: succeeded, errored, canceled, expired
        message = result.get("message")
        if result.get("type") == "succeeded" and isinstance(message, dict):
            return message, None
        return None, result.get("error") or f"the batch says: {result.get('type')}"
    if not isinstance(response, dict):
        return None, failed
    if "candidates" in response and not failed:  # Gemini
        return response, None
    status, body = response.get("status_code", 200), response.get("body")
    if status == 200 and isinstance(body, dict) and not failed:
        return body, None
    return None, failed or (body.get("error") if isinstance(body, dict) else None) or f"status {status}"


@dataclass(frozen=True, slots=True)
class Offline:
    """Answers without any model: those of `responses`, a file of answers, or of `replay`, another run's folder."""

    responses: Path | None = None
    replay: Path | None = None

    def make_replay_input_or_empty(self) -> dict[str, Input]:
        """What the verdicts hang on: whose answers are replayed. A file of answers may grow, so each of its lines is
        compared with the stored answer."""
        if self.replay is None:
            return {}
        return {"the replayed run": Input("--replay", str(self.replay.resolve()))}

    def make_stored_answer_model_for(
        self, asker: Asker, jobs: Sequence[Job], todo: Sequence[Job], store: Path
    ) -> ModelFor:
        """Raises TaskError for an unknown id, and when a first prompt of `todo` has no answer."""
        errors: dict[str, str] = {}
        if self.replay is not None:
            store = self.replay / store.name
            if not store.is_file():
                raise TaskError(f"{self.replay}: holds no responses to replay (it has no {store.name})")
        elif self.responses is not None:
            errors = _store_answers_and_map_errors_by_request(self.responses, asker, jobs, todo, store)
        model = wrap_in_store(_ErrorOrPendingModel(errors), store)
        return lambda task, sample: model


@dataclass(frozen=True, slots=True)
class _ErrorOrPendingModel:
    """Stands in for the model. A request without a stored answer is either an error of the batch, or still pending."""

    errors: Mapping[str, str] = field(default_factory=dict)

    def complete(self, request: ModelRequest) -> ModelResponse:
        failed = self.errors.get(request_key(request))
        if failed is not None:
            raise ModelError(f"{request.model}: {failed}")
        raise AnswerPending(request)


def _store_answers_and_map_errors_by_request(
    path: Path, asker: Asker, jobs: Sequence[Job], todo: Sequence[Job], store: Path
) -> dict[str, str]:
    """Store the answers. Returns the errors among them, by their request's key."""
    answers = read_batch_answers(path)
    first = collect_distinct_first_requests(asker, jobs)
    known = {**first, **_read_further_requests(store.parent)}
    known |= {_make_anthropic_id(name): request for name, request in known.items()}
    for answer in answers:
        if answer.custom_id not in known:
            near = make_spelling_hint(answer.custom_id, known)
            raise TaskError(
                f"{answer.origin}: custom_id {answer.custom_id!r} is none of this run's{near}; graft run"
                " --prompts-only, with the same configuration, lists them"
            )
    given = {answer.custom_id for answer in answers}
    # Two jobs with one prompt share its line, whichever of them is still to be done.
    wanted = {request_key(request) for request in collect_distinct_first_requests(asker, todo).values()}
    missing = [
        name
        for name, request in first.items()
        if request_key(request) in wanted
        and not given & {name, _make_anthropic_id(name)}
        and find_response(store, request) is None
    ]
    if missing:
        raise TaskError(
            f"{path}: {len(missing)} of {len(first)} first prompts have no answer, the first is {missing[0]!r}; add"
            " their lines (an error will do), or choose fewer with tasks= or limit="
        )
    errors: dict[str, str] = {}
    for answer in answers:
        request = known[answer.custom_id]
        if answer.error:
            errors[request_key(request)] = answer.error
            continue
        try:
            response = read_batch_answer(request, answer.body)
        except BrokenOffError as error:
            errors[request_key(request)] = str(error).removeprefix(f"{request.model}: ")
            continue
        except ModelError as error:
            raise TaskError(f"{answer.origin}: {error}") from error
        before = find_response(store, request)
        if before is not None and (before.text, before.calls) != (response.text, response.calls):
            raise TaskError(
                f"{answer.origin}: custom_id {answer.custom_id!r} was answered otherwise before, and that answer is"
                f" stored in {store}; put the old line back, or name another folder with out="
            )
        store_response_if_missing(store, request, response)
    return errors


def write_further_requests_and_advise(run: Path, pending: Sequence[tuple[Job, ModelRequest]]) -> str:
    """Write the pending requests to RUN/further.jsonl. Returns one line that says what to do with them."""
    # Earlier ones stay known: a file of answers may be given again, and drafts count no turns, so an id could recur.
    known = dict(_read_further_requests(run))
    requests: dict[str, ModelRequest] = {}
    sent: set[ModelRequest] = set()
    for (task, arm, sample), request in pending:
        turn = sum(message.role == "assistant" for message in request.messages) + 1
        while known.get(name := f"{task.id}/{arm.name}/{sample}/{turn}", request) != request:
            turn += 1
        known[name] = request
        if request not in sent:
            requests[name] = request
            sent.add(request)
    write_atomically(run / FURTHER, encode_batch_lines(requests))
    write_atomically(run / _REQUESTS, encode_json_value(Pending(known)))
    return (
        f"{len(pending)} samples need a further answer: {run / FURTHER} holds their prompts; run again with"
        " --responses and the answers"
    )


def _read_further_requests(run: Path) -> Mapping[str, ModelRequest]:
    path = run / _REQUESTS
    return read_json_file(Pending, path).requests if path.is_file() else {}
