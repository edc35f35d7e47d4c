"""`graft make` with a model that changes make.yaml as long as the build or the tests fail."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.loop import run_conversation
from agent.model.capabilities import choose_tool_protocol, context_window_of, make_ollama_window_arguments
from agent.model.conversation_limits import ConversationLimits
from agent.model.litellm_model import LiteLLMModel
from agent.model.response_store import sum_stored_usage, wrap_in_store
from agent.model.spending_ceiling import SpendingLimitedModel
from agent.request import AgentSettings
from agent.tools.name_table import NameTable
from agent.tools.scope import Scope
from agent.tools.toolbox import WORDS, Toolbox
from executor.cache import replace_file
from executor.repository.source import checkout_source
from executor.sandbox.contract import Backend
from experiments.files import lock_folder
from experiments.indexing.index_place import make_view_hiding_nothing
from index.build import build_index
from index.errors import CeilingReached, ConfigError, ModelError, RecipeError, UserError
from index.progress import SILENT, Progress
from index.repo_index import open_index
from lab.making.build_failures import SetupError
from lab.making.build_image import make_draft_recipe
from lab.making.finish_data_set import MadeDataSet
from lab.making.make_benchmark import make_benchmark
from lab.making.settings import MAKE_FILE, SETUP_FOLDER, MakeRequest, MakeSettings, parse_settings
from lab.setup.conversation import RecipeConversation
from lab.setup.file_tools import FileTools, list_tree_files
from lab.setup.setup_rounds import (
    SetupRound,
    diff_lines,
    read_rounds,
    save_new_round,
    save_round_conversation,
    save_round_proposal,
)
from retrieval.text.lexical import LexicalRetriever

log = logging.getLogger(__name__)

_STORE = "responses.sqlite"
_STEPS = 20
_OUTPUT_CHARS = 12_000
# The model decides how the tree is built and tested; not what is built, what is asked for, nor how long it may take.
_CHANGEABLE_SECTIONS = ("build", "tests")
_FIXED_IN_BUILD = ("jobs", "timeout_s")


@dataclass(frozen=True, slots=True)
class SetupModel:
    """Who repairs, and how far. `url`: as `api_base` of a run. `max_cost` is in USD; None: no ceiling."""

    name: str
    url: str | None = None
    rounds: int = 5
    max_cost: float | None = None


def make_benchmark_with_repairs(
    wanted: MakeRequest,
    backend: Backend,
    cache: Path,
    setup: SetupModel,
    progress: Progress = SILENT,
    *,
    trusted: bool = False,
) -> MadeDataSet:
    """`make_benchmark`; where the build or its tests fail, the model changes make.yaml and it begins again. Each round
    is kept in the folder `setup`, so that the same command goes on. Raises as `make_benchmark` does, ModelError and
    CeilingReached. `trusted`: the commands are Graft's own, so they may run without isolation."""
    if not backend.isolated and not trusted:
        raise ConfigError(
            f"--setup-model: sandbox {backend.name} doesn't isolate, and the model writes commands; use --sandbox auto"
        )
    folder, path = wanted.out / SETUP_FOLDER, wanted.out / MAKE_FILE
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        while True:
            waiting = _find_waiting_round_of_unchanged_recipe(folder, path)
            if waiting is None:
                try:
                    made = make_benchmark(wanted, backend, cache, progress)
                except SetupError as error:
                    waiting = _open_round_after_failure(folder, path, error, setup)
                else:
                    _log_model_cost(folder, setup)
                    return made
            log.info(f"setup {waiting.number}/{setup.rounds}: {waiting.problem}")
            proposed = _ask_for_proposal(waiting, wanted, cache, setup, progress)
            for line in diff_lines(waiting.recipe, proposed):
                log.info(f"setup {waiting.number}/{setup.rounds}: {line}")
            replace_file(path, proposed.encode())
            save_round_proposal(waiting, proposed)


def _find_waiting_round_of_unchanged_recipe(folder: Path, path: Path) -> SetupRound | None:
    """The round in which the model was still asked when the command ended, where make.yaml is the same since."""
    last = next(reversed(read_rounds(folder)), None)
    if last is None or last.proposed is not None or not path.is_file():
        return None
    return last if path.read_text(encoding="utf-8") == last.recipe else None


def _open_round_after_failure(folder: Path, path: Path, error: SetupError, setup: SetupModel) -> SetupRound:
    """A new round. Raises RecipeError where there were enough."""
    before = read_rounds(folder)
    if len(before) >= setup.rounds:
        _log_model_cost(folder, setup)
        raise RecipeError(
            f"{error}; {setup.name} has changed it {len(before)} times, see {folder}; raise --setup-rounds for more"
        ) from error
    # A user who corrected the file while a round waited has ended that round.
    for entry in before:
        if entry.proposed is None:
            save_round_proposal(entry, entry.recipe)
    recipe = path.read_text(encoding="utf-8")
    return save_new_round(folder, len(before) + 1, recipe, str(error), error.output[-_OUTPUT_CHARS:])


def _ask_for_proposal(
    waiting: SetupRound, wanted: MakeRequest, cache: Path, setup: SetupModel, progress: Progress
) -> str:
    """The make.yaml that the model proposes. Raises RecipeError where it proposes none, ModelError, CeilingReached."""
    before = read_rounds(waiting.folder.parent)[: waiting.number - 1]
    tried = [parse_settings(entry.recipe) for entry in (*before, waiting)]
    window = context_window_of(setup.name)
    extra = make_ollama_window_arguments(setup.name, window, {})
    settings = AgentSettings(
        setup.name,
        api_base=setup.url,
        extra=tuple(sorted((key, json.dumps(value)) for key, value in extra.items())),
        protocol=choose_tool_protocol(setup.name),
        limits=ConversationLimits(_STEPS),
        window=window,
    )
    store = waiting.folder.parent / _STORE
    real = LiteLLMModel(on_retry=log.info)
    spent = sum_stored_usage(store, known_prices_alone=True)
    model = wrap_in_store(SpendingLimitedModel(real, setup.max_cost, None, spent, log.info), store)
    with _open_lookup_tools(tried[-1], wanted, cache, progress) as tools:
        steps = RecipeConversation(
            waiting, before, tools, lambda text: _explain_unusable_proposal(text, tried), settings
        )
        try:
            trail = run_conversation(
                steps, model, settings, on_step=lambda trail: save_round_conversation(waiting, trail)
            )
        except CeilingReached as error:
            raise CeilingReached(f"{error}; raise --setup-cost, and the same command goes on") from error
    save_round_conversation(waiting, trail)
    if trail.error:
        raise ModelError(f"{setup.name}: {trail.error}; the same command goes on")
    if trail.candidate.code is None:
        _log_model_cost(waiting.folder.parent, setup)
        raise RecipeError(f"{waiting.problem}; {setup.name}: {trail.candidate.reason}; see {waiting.folder}")
    return trail.candidate.code


@contextmanager
def _open_lookup_tools(
    settings: MakeSettings, wanted: MakeRequest, cache: Path, progress: Progress
) -> Iterator[FileTools]:
    """The tools over the source as it is built: of its symbols, and of any file."""
    root = checkout_source(make_draft_recipe(settings), wanted.mirror, cache).root
    folder = cache / "indexes" / root.name
    build_index(root, folder, progress=progress)
    with closing(open_index(folder, root)) as index:
        box = Toolbox(Scope(make_view_hiding_nothing(index), NameTable(index)), {WORDS: LexicalRetriever(index)})
        yield FileTools(root, list_tree_files(root), box)


def _explain_unusable_proposal(text: str, tried: Sequence[MakeSettings]) -> str:
    """Why the text can't be the next make.yaml, or "". `tried`: those before, the present one last."""
    try:
        proposed = parse_settings(text)
    except UserError as error:
        return str(error)
    now = tried[-1]
    sections = [name for name in MakeSettings.model_fields if name not in _CHANGEABLE_SECTIONS]
    shut = [name for name in sections if getattr(now, name) != getattr(proposed, name)]
    shut += [f"build.{key}" for key in _FIXED_IN_BUILD if getattr(now.build, key) != getattr(proposed.build, key)]
    if shut:
        return f"{', '.join(shut)} can't be changed; leave it as it is"
    if proposed == now:
        return "nothing is changed"
    if proposed in tried:
        return "this was tried before, and failed"
    return ""


def _log_model_cost(folder: Path, setup: SetupModel) -> None:
    used = sum_stored_usage(folder / _STORE)
    if used.calls:
        price = "cost unknown" if used.cost is None else f"cost {used.cost:.4f} USD"
        tokens = used.prompt_tokens + used.completion_tokens
        log.info(f"setup: {setup.name}: {used.calls} calls, {tokens} tokens, {price}")
