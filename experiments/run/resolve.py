"""The one step that turns a configuration's names into things: data set, tasks, recipes, arms, retrievers, agent and
prompts. After it no name is looked up again, and a misspelt one is found before anything is built or asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.loop import run_agent
from agent.prompts import PromptSet, load_prompts
from agent.request import Agent
from executor.repository.recipe import Recipe, find_recipe
from executor.tasks.datasets import load_rows, select_rows
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes
from executor.tasks.task_row import TaskRow
from executor.values import Task
from experiments.arms.arm import Arm, parse_arm
from experiments.arms.retrievers import find_retriever
from experiments.run.config import RunConfig
from experiments.run.validity import VALID, expand_valid_into_task_ids
from index.errors import ConfigError, RecipeError
from index.plugins import find_plugin, list_plugins_rejecting_name_clashes
from index.user_files import make_spelling_hint
from retrieval.protocol import MakeRetriever

_OWN_AGENT = "graft"

Job = tuple[Task, Arm, int]
"""A sample: its task, its arm and its number."""


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """`rows`: the whole data set, and `chosen` those of it that the configuration asks for. `recipes`: of their
    repositories, by name; `missing`: why a repository has none, by name. `by_name`: the user named repositories or
    tasks, so that one which can't be had is an error."""

    rows: tuple[TaskRow, ...]
    chosen: tuple[TaskRow, ...]
    recipes: Mapping[str, Recipe]
    missing: Mapping[str, str]
    by_name: bool


@dataclass(frozen=True, slots=True)
class RunParts:
    """What the names of `config` stand for. `retrievers`: the factories of those that the arms need, by name."""

    config: RunConfig
    tasks: TaskChoice
    arms: tuple[Arm, ...]
    retrievers: Mapping[str, MakeRetriever]
    agent: Agent
    prompts: PromptSet

    def list_jobs(self, tasks: Sequence[Task]) -> list[Job]:
        """All samples, task by task: a run that is cut short has compared the arms on the same tasks."""
        return [(task, arm, sample) for task in tasks for arm in self.arms for sample in range(self.config.samples)]


def resolve_config_parts(config: RunConfig) -> RunParts:
    """Raises UserError for a name that nothing has, and for a plug-in or an encoder that can't be loaded."""
    arms = tuple(parse_arm(name) for name in config.arms)
    return RunParts(
        config=config,
        prompts=load_prompts(config.prompts),
        arms=arms,
        retrievers=_load_retriever_factories(config, arms),
        agent=load_named_or_graft_agent(config.agent),
        tasks=choose_tasks(config),
    )


def choose_tasks(config: RunConfig) -> TaskChoice:
    """The rows that the configuration asks for, and the recipes of their repositories.

    A repository that merely occurs in the data set may lack a recipe or a source, or be one that takes hours to build
    (`on_request`): it is `missing`. Raises ConfigError, TaskError or RecipeError."""
    rows = add_copies_for_rebinding_recipes(
        load_rows(config.dataset, config.oracle_file, repos=config.repos or None, mirror=config.mirror), config.repos
    )
    # On a variant some of the plus tests hold, which is known only later.
    plus = config.plus and config.variant is None
    ids = expand_valid_into_task_ids(config.tasks, config.repos, rows, plus=plus)
    chosen = select_rows(rows, config.repos, ids, None, config.levels)
    by_name = bool(config.repos or (config.tasks and config.tasks != (VALID,)))
    recipes: dict[str, Recipe] = {}
    unread = {row.repository: row.unread for row in chosen if row.unread}
    missing: dict[str, str] = {}
    for name in dict.fromkeys(row.repository for row in chosen):
        try:
            recipe = find_recipe(name)
            if name in unread:
                raise RecipeError(unread[name])
            if recipe.on_request and not by_name:
                raise RecipeError(f"only when asked for: repos={name}")
            recipes[name] = recipe
        except RecipeError as error:
            if by_name:
                raise
            missing[name] = str(error)
    return TaskChoice(rows, chosen, recipes, missing, by_name)


def _load_retriever_factories(config: RunConfig, arms: Sequence[Arm]) -> dict[str, MakeRetriever]:
    """The factories that the arms need, each imported once, and the encoder where one of them takes it."""
    meant = [config.meaning] if config.meaning and any(arm.kind == "tools" for arm in arms) else []
    names = dict.fromkeys([*(name for arm in arms for name in arm.list_needed_retrievers(config.draft_base)), *meant])
    listed = {name: find_retriever(name) for name in names}
    if config.encoder is not None and any(found.takes_encoder for found in listed.values()):
        from retrieval.vectors.encoders import load_encoder

        load_encoder(config.encoder)
    return {name: found.load_factory() for name, found in listed.items()}


def load_named_or_graft_agent(name_or_import_path: str | None) -> Agent:
    """The agent that a configuration names, by a plug-in's name or its import path; None is Graft's own.

    Raises ConfigError for an unknown name, and when the plug-in can't be imported."""
    if name_or_import_path is None:
        return run_agent
    plugin = find_plugin("graft.agents", name_or_import_path, (_OWN_AGENT,))
    if plugin is None:
        known = [*list_plugins_rejecting_name_clashes("graft.agents", (_OWN_AGENT,))]
        tail = f"installed: {', '.join(known)}" if known else "none is installed"
        raise ConfigError(
            f"agent: no plug-in {name_or_import_path!r}{make_spelling_hint(name_or_import_path, known)}"
            f" ({tail}; or say module:attribute)"
        )
    agent: Agent = plugin.load()
    return agent
