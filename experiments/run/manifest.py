"""What a run is made of: written before its first sample, and compared when the run is resumed."""

from __future__ import annotations

import contextlib
import hashlib
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from agent.prompts import PromptSet
from executor.values import Task
from experiments.arms.budget import TaskBudget
from experiments.files import write_atomically
from experiments.run.config import RunConfig
from experiments.run.pass_rule import SUITES_ALONE, WITH_PLUS, PassRule
from experiments.run.records import encode_json_value, read_json_file
from experiments.run.resolve import Job, RunParts
from experiments.run.sample_facts import Input
from experiments.run.sampling.early_verdicts import Confirmation
from experiments.run.validity import RepoHealth, collect_repo_health
from experiments.run.variant_source import VariantFacts, collect_variant_facts
from experiments.run.workspace import Workspace
from index.errors import ConfigError, InfraError
from index.plugins import list_plugin_distribution_names
from index.user_files import make_spelling_hint

MANIFEST = "manifest.json"
# The input that `graft grade FILE` has.
ANSWERS = "the file of answers"
# As many changed inputs are named in an error; it is one line.
_MOST_NAMED = 3
FileName = str
Digest = str
LIBRARIES = (
    "graft", "litellm", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp", "numpy", "pydantic", "docker",
    "faiss-cpu", "sentence-transformers", "torch",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RepoFacts:
    """`image`, `suites` and `expected_tests` are empty where nothing was built. `plus_tasks`: the tasks whose answers
    must pass plus tests too. `early`: how many verdicts were given while the repository's suites had passed only once
    on the unmodified tree. Further rounds confirmed all of them but those on the tasks `taken_back`, which were judged
    again."""

    commit: str
    origin: str
    notes: tuple[str, ...]
    image: str = ""
    suites: tuple[str, ...] = ()
    expected_tests: int = 0
    health: RepoHealth | None = None
    variant: VariantFacts | None = None
    plus_tasks: tuple[str, ...] = ()
    early: int = 0
    taken_back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunManifest:
    """`identity` is the part of the configuration that must stay the same when the run is resumed; `tasks` are the ids
    chosen so far; `prompts` are pairs of file and SHA-256; `graft_commit` is "" outside a checkout and ends in
    `+changes` when files were edited.

    inputs    what the verdicts hang on, by name: each task's text and suites, the file of answers that is graded
    planned   arm -> task -> how many samples the run is to have
    places    task -> its repository and level
    isolated  whether the sandbox isolates; None in a run of an older version
    budgets   what tasks may spend, by their number of functions; none where the answers were made elsewhere
    pass_rule what an answer must pass; a run keeps the rule that it began with, until `graft grade` changes it
    """

    created: str
    identity: Mapping[str, Any]
    config: Mapping[str, Any]
    dataset: str
    dataset_version: str
    tasks: tuple[str, ...]
    repos: Mapping[str, RepoFacts]
    left_out: tuple[str, ...]
    sandbox: str
    sandbox_reason: str
    prompts: tuple[tuple[str, str], ...]
    versions: Mapping[str, str]
    graft_commit: str
    machine: str
    task_notes: Mapping[str, tuple[str, ...]]
    inputs: Mapping[str, Input] = field(default_factory=dict)
    planned: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    places: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    isolated: bool | None = None
    pass_rule: PassRule = SUITES_ALONE
    budgets: Mapping[int, TaskBudget] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return str(self.config.get("model", ""))


def make_manifest(
    parts: RunParts,
    space: Workspace,
    jobs: Sequence[Job],
    inputs: Mapping[str, Input],
    budgets: Mapping[int, TaskBudget],
) -> RunManifest:
    """The manifest of a run that is to do `jobs`. `inputs`: what its verdicts hang on beside the tasks."""
    config = parts.config
    repos = {
        name: RepoFacts(
            commit=repo.source.commit,
            origin=repo.source.origin,
            notes=repo.source.notes,
            image=repo.image.key,
            suites=tuple(repo.image.expected.suites),
            expected_tests=sum(sum(tests.values()) for tests in repo.image.expected.suites.values()),
            health=collect_repo_health(repo.health, plus=config.plus),
            variant=None if repo.variant is None else collect_variant_facts(repo.variant),
            plus_tasks=tuple(
                task.id
                for task in space.tasks
                if task.target.repo == name and config.plus and repo.list_plus_tests_gold_passes(task.id)
            ),
        )
        for name, repo in space.repos.items()
    }
    bare = make_bare_manifest(config, space.tasks, repos, space.left_out)
    return replace(
        bare,
        sandbox=space.sandbox.backend.name,
        sandbox_reason=space.sandbox.reason,
        prompts=_digest_prompt_template_files(parts.prompts, space.tasks),
        inputs={**_make_task_and_suite_inputs(config, space, parts.prompts), **inputs},
        planned=_count_samples_by_arm_and_task(jobs),
        isolated=space.sandbox.backend.isolated,
        budgets=budgets,
    )


def make_bare_manifest(
    config: RunConfig, tasks: Sequence[Task], repos: Mapping[str, RepoFacts], left_out: Sequence[str]
) -> RunManifest:
    """What holds of a run wherever its answers are judged: without sandbox, prompts, inputs and plan."""
    return RunManifest(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        identity=config.select_keys_fixed_on_resume(),
        config=config.model_dump(mode="json"),
        dataset=config.dataset,
        dataset_version=tasks[0].dataset_version,
        tasks=tuple(task.id for task in tasks),
        repos=repos,
        left_out=tuple(left_out),
        sandbox="",
        sandbox_reason="",
        prompts=(),
        versions=_collect_library_versions(),
        graft_commit=_find_own_commit_or_empty(),
        machine=f"{platform.machine()} {platform.system()} {platform.release()}",
        task_notes={task.id: task.notes for task in tasks if task.notes},
        places={task.id: (task.target.repo, task.level.value) for task in tasks},
        pass_rule=WITH_PLUS,
    )


def read_manifest(run: Path) -> RunManifest:
    """Raises ConfigError when `run` isn't a run folder."""
    path = run / MANIFEST
    if not path.is_file():
        known = [path.parent.name for path in run.parent.glob(f"*/{MANIFEST}")]
        if inside := sorted(str(path.parent) for path in run.glob(f"*/{MANIFEST}")):
            # As of an import of several agents, or of an experiment with several values of a key.
            raise ConfigError(f"{run}: a folder of runs; name one of them: {', '.join(inside)}")
        raise ConfigError(f"{run}: not a run folder (it has no {MANIFEST}){make_spelling_hint(run.name, known)}")
    try:
        return read_json_file(RunManifest, path)
    except InfraError as error:
        raise ConfigError(
            f"{path}: damaged, so nothing says what this run was made of: {error}; put a copy back, or give the run's"
            f" command with out=ANOTHER --replay {run}, which takes the stored answers"
        ) from error


def join_and_write_manifest(run: Path, manifest: RunManifest) -> RunManifest:
    """Write the manifest, joined with the one that is there, and return it. Raises ConfigError that names what
    differs."""
    if (run / MANIFEST).is_file():
        old = read_manifest(run)
        _refuse_other_run(run, old, manifest)
        tasks = tuple(dict.fromkeys((*old.tasks, *manifest.tasks)))
        manifest = replace(
            manifest,
            created=old.created,
            tasks=tasks,
            repos={**old.repos, **manifest.repos},
            task_notes={**old.task_notes, **manifest.task_notes},
            inputs={**old.inputs, **manifest.inputs},
            planned={
                arm: {**old.planned.get(arm, {}), **manifest.planned.get(arm, {})}
                for arm in dict.fromkeys((*old.planned, *manifest.planned))
            },
            places={**old.places, **manifest.places},
            pass_rule=old.pass_rule,
            budgets={**old.budgets, **manifest.budgets},
        )
    write_manifest(run, manifest)
    return manifest


def record_last_measurement_round_in_manifest(run: Path, found: Confirmation) -> None:
    """Write down what the suites' last round said: see `RepoFacts`."""
    manifest = read_manifest(run)
    known, suites = manifest.repos[found.repo], found.expected.suites
    facts = replace(
        known,
        suites=tuple(suites),
        expected_tests=sum(sum(tests.values()) for tests in suites.values()),
        early=known.early + found.early,
        taken_back=tuple(dict.fromkeys((*known.taken_back, *(task for _, task, _ in found.taken_back)))),
    )
    write_manifest(run, replace(manifest, repos={**manifest.repos, found.repo: facts}))


def write_manifest(run: Path, manifest: RunManifest) -> None:
    """Put it in the place of the one that is there."""
    write_atomically(run / MANIFEST, encode_json_value(manifest, indent=1))


def _refuse_other_run(run: Path, old: RunManifest, new: RunManifest) -> None:
    # A key that an older Graft didn't have meant what its default means.
    earlier = {**RunConfig(model="").select_keys_fixed_on_resume(), **old.identity}
    differing = [
        f"{key} was {earlier.get(key)!r}, is {new.identity.get(key)!r}"
        for key in dict.fromkeys((*earlier, *new.identity))
        if earlier.get(key) != new.identity.get(key)
    ]
    if old.sandbox != new.sandbox:
        differing.append(f"sandbox was {old.sandbox}, is {new.sandbox}")
    if old.prompts != new.prompts:
        differing.append("the prompts' texts changed")
    for name in set(old.repos) & set(new.repos):
        before, now = old.repos[name].variant, new.repos[name].variant
        if before is not None and now is not None and before.digest != now.digest:
            differing.append(f"the map of {name}'s variant was {before.digest}, is {now.digest}")
        elif old.repos[name].image != new.repos[name].image:
            differing.append(f"the image of {name} was {old.repos[name].image}, is {new.repos[name].image}")
    if differing:
        raise ConfigError(f"{run}: it holds another run: {'; '.join(differing)}; name another folder with out=")
    changed = [
        f"{name} was {known.origin}, is {given.origin}, which holds something else"
        if known.origin != given.origin
        else f"{name} ({given.origin}) changed"
        for name, given in new.inputs.items()
        if (known := old.inputs.get(name, given)).content != given.content
    ]
    if ANSWERS in new.inputs and ANSWERS not in old.inputs:
        changed.append(f"an older Graft made it, and kept no hash of {new.inputs[ANSWERS].origin}")
    if changed:
        more = f" (and {len(changed) - _MOST_NAMED} more)" if len(changed) > _MOST_NAMED else ""
        raise ConfigError(
            f"{run}: its scores were made from other inputs: {'; '.join(changed[:_MOST_NAMED])}{more};"
            " put the old ones back, or name another folder with out="
        )


def make_file_input(path: Path, data: bytes) -> Input:
    """A file that a run is made from, as it is now."""
    return Input(str(path), hashlib.sha256(data).hexdigest())


def _make_task_and_suite_inputs(config: RunConfig, space: Workspace, prompts: PromptSet) -> dict[str, Input]:
    """What is asked, with what oracle, against which gold; and which suites judge the answer."""
    found: dict[str, Input] = {}
    for task in space.tasks:
        # Only prompts in MERA's form show the white space around a signature.
        bare = replace(task.target, signature=task.target.signature.strip())
        target = task.target if prompts.templates else bare
        asked = (target, task.gold, task.dataset_gold, task.oracle, task.oracle_text, task.instruction)
        text = "\0".join(encode_json_value(part).decode("ascii") for part in asked)
        found[f"task {task.id}"] = Input(f"data set {config.dataset}", hashlib.sha256(text.encode()).hexdigest())
        suites = " ".join(space.repos[task.target.repo].list_judging_suites(task.id))
        found[f"the suites that judge {task.id}"] = Input("the recipe and the doctor's manifest", suites)
    return found


def _digest_prompt_template_files(prompts: PromptSet, tasks: Sequence[Task]) -> tuple[tuple[FileName, Digest], ...]:
    """The templates of the run: those for several functions too where a task asks for several."""
    sets = dict.fromkeys(prompts.select_set_for_hole_count(task.target).name for task in tasks)
    several = prompts.several
    more = several.file_digests() if several is not None and several.name in sets else ()
    return (*prompts.file_digests(), *((f"several/{file}", digest) for file, digest in more))


def _count_samples_by_arm_and_task(jobs: Sequence[Job]) -> dict[str, dict[str, int]]:
    planned: dict[str, dict[str, int]] = {}
    for task, arm, _ in jobs:
        tasks = planned.setdefault(arm.name, {})
        tasks[task.id] = tasks.get(task.id, 0) + 1
    return planned


def _collect_library_versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in (*LIBRARIES, *list_plugin_distribution_names()):
        # Extras needn't be installed.
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _find_own_commit_or_empty() -> str:
    """The commit of the checkout that this code is in; "" when it was installed otherwise."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return ""
    words = ("describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+changes")
    try:
        done = subprocess.run(("git", "-C", str(root), *words), capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
