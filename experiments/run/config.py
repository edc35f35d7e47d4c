"""A run's configuration: one YAML file, overridden by `key=value` words; a misspelt key is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import yaml
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from agent.values import ToolProtocol
from executor.grading.official import OfficialName
from executor.manifest.variant.spec import parse_renamed_variant_setting
from executor.sandbox.choose import AUTO, list_auto_and_built_in_sandboxes, list_sandbox_names
from executor.tasks.suite_members import SUITE
from executor.values import Audit, Level
from experiments.arms.arm import list_built_in_context_sources, parse_arm
from experiments.arms.retrievers import list_retrievers
from experiments.run.sample_facts import Compare
from index.errors import ConfigError
from index.plugins import is_import_path
from index.user_files import (
    StrictModel,
    explain_first_validation_problem,
    make_spelling_hint,
    parse_yaml_up_to_size_limit,
    read_yaml,
)
from index.values import Masking
from retrieval.context.assembly import RETRIEVED_GROUPS
from retrieval.values import Bodies, SnippetGroup


def _make_listed_name_validator(
    kind: str, list_names: Callable[[], Iterable[str]], *, or_import_path: bool = False
) -> AfterValidator:
    """Refuses a name that isn't listed. `or_import_path`: an import path, `module:attribute`, will do too."""

    def require_known(name: str) -> str:
        known = list(list_names())
        if name not in known and not (or_import_path and is_import_path(name)):
            raise ValueError(f"unknown {kind} {name!r}{make_spelling_hint(name, known)} (known: {', '.join(known)})")
        return name

    return AfterValidator(require_known)


def _spell_out_variant(text: str) -> str:
    """The variant in full, so that `renamed` and `renamed:seed=1` are the same run."""
    try:
        return str(parse_renamed_variant_setting(text))
    except ConfigError as error:
        raise ValueError(str(error).removeprefix("variant: ")) from error


GROUPS = tuple(group.value for group in SnippetGroup if group in RETRIEVED_GROUPS)
ArmName = Annotated[str, AfterValidator(lambda name: parse_arm(name).name)]
RetrieverName = Annotated[str, _make_listed_name_validator("retriever", list_retrievers, or_import_path=True)]
SandboxName = Annotated[str, _make_listed_name_validator("sandbox", list_sandbox_names, or_import_path=True)]
GroupName = Annotated[str, _make_listed_name_validator("group", lambda: GROUPS)]
VariantName = Annotated[str, AfterValidator(_spell_out_variant)]

# Keys that choose among the tasks of one data set.
_CHOSEN_IN_DATA_SET = frozenset({"oracle_file", "repos", "tasks", "levels"})
# Keys that may differ when a run is resumed: they choose how much is done and how, not what an answer is worth.
FREE_KEYS = frozenset(
    {"repos", "tasks", "levels", "limit", "arms", "samples", "concurrency", "executor", "ray", "workers",
     "max_cost", "max_tokens", "out", "mirror", "timeout_s", "max_attempts"}
)  # fmt: skip

Generation = Literal["graft", "mera"]

# How MERA Code lets a model generate: greedy decoding, and at most this many tokens.
_MERA_SETTINGS: Mapping[str, Any] = {"temperature": 0.0, "answer_tokens": 2048}
# Its stop texts: plain texts to every server, though some look like patterns.
STOPS = (
    "<|endoftext|>",
    "<|im_end|>",
    "\n\n\n",
    r"\sclass\s",
    r"\sdef\s",
    r"^def\s",
    r"^class\s",
    r"^if\s",
    "@",
    r"^#",
)
# OpenAI takes four. lm-eval, by which MERA asks, sends the first four to every chat server; a server of one's own
# takes all ten, as lm-eval's other clients send them.
_MOST_STOPS = 4
_SECRET_ENDINGS = ("api_key", "access_key", "credentials", "password", "secret", "token")
_FEW_STOPS = ("openai/", "azure/", "gpt-")


class RunConfig(StrictModel):
    """All that a run depends on. Every key can stand in the file or on the command line as `key=value`."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    dataset: str = "yabloco"
    """yabloco, graft-suite (or graft-suite/NAME, or the name of one of its packages alone), example, example-pairs,
    redis-hard, openssl-hard, bullet3-hard, cppunit, a plug-in, or a path (docs/reference/tasks.md)"""
    oracle_file: Path | None = None
    """the oracle file that belongs to a YABLoCo CSV given by its path"""
    repos: tuple[str, ...] = ()
    """only tasks of these repositories; empty: all"""
    tasks: tuple[str, ...] = ()
    """only these task ids, or valid for the tasks that graft doctor found valid; empty: all"""
    levels: tuple[Level, ...] = ()
    """only tasks of these levels: none, stdlib, file, package, project; empty: all"""
    limit: int | None = Field(default=None, ge=1)
    """only the first this many of the chosen tasks"""
    variant: VariantName | None = None
    """the repositories under other names, as graft variants made them: renamed, or renamed:style=plausible,seed=2;
    null: as they are"""

    model: str
    """a litellm model name; gold or stub check the harness without a model"""
    api_base: str | None = None
    """base URL of the model's server; null: the provider's own"""
    api_key_env: str | None = None
    """environment variable that holds the API key"""
    temperature: float | None = Field(default=0.0, ge=0)
    """sampling temperature; null leaves the parameter out"""
    answer_tokens: int | None = Field(default=4096, ge=1)
    """longest answer of a model call in tokens; null leaves the parameter out"""
    generation: Generation = "graft"
    """mera: as MERA Code generates, that is temperature=0, answer_tokens=2048 and its ten stop texts in model_args;
    graft: as these keys say"""
    seed: int | None = 0
    """sample n is drawn with seed + n; null leaves the parameter out"""
    samples: int = Field(default=1, ge=1)
    """samples per task and arm"""
    model_args: Mapping[str, Any] = Field(default_factory=dict)
    """further parameters for litellm"""
    timeout_s: float = Field(default=600, gt=0)
    """time limit of a model call in seconds"""
    max_attempts: int = Field(default=6, ge=1)
    """attempts at a model call before it counts as a model error"""

    arms: tuple[ArmName, ...] = Field(
        default=("oracle",),
        min_length=1,
        description=f"{', '.join(list_built_in_context_sources())}, a plug-in or a retriever's module:attribute; each"
        " also with +compile or +compileN (docs/reference/arms.md)",
    )
    context_tokens: int = Field(default=6000, ge=0)
    """token budget of the context"""
    hits: int = Field(default=50, ge=1)
    """how many functions a retriever proposes for the context"""
    bodies: Bodies = "auto"
    """functions shown whole: all that fit, none (signatures), auto (the best, signatures of the rest)"""
    groups: tuple[GroupName, ...] = Field(default=GROUPS, min_length=1)
    """kinds of snippets in a retrieved context"""
    show_tests: bool = True
    """whether a context may show code of the repository's own tests"""
    draft_rounds: int = Field(default=1, ge=1)
    """drafts of an iterative arm before its answer"""
    draft_base: RetrieverName = "hybrid"
    """the retriever of an iterative arm's first context"""
    encoder: str | None = None
    """sentence-transformers model of the dense arm, by name or path; null: trained on the repository"""
    masking: Masking = "strict"
    """strict hides twins of the target, realistic keeps them"""
    repair_rounds: int = Field(default=2, ge=0)
    """rounds of compiler feedback in a +compile arm; an arm named +compile3 has three"""
    lookup: bool = True
    """whether compiler messages come with the repository's declarations that they are about"""
    agent_steps: int = Field(default=20, ge=1)
    """most answers of the model in a sample of an arm with tools"""
    agent_tokens: int | None = Field(default=None, ge=1)
    """most tokens of such a sample, in and out; null: no limit"""
    agent_cost: float | None = Field(default=None, gt=0)
    """highest cost of such a sample in USD; null: no limit"""
    agent_seconds: float | None = Field(default=None, gt=0)
    """most seconds of model time in such a sample; null: no limit"""
    protocol: ToolProtocol = "auto"
    """tool calls: native, text, or auto (native until the server refuses them)"""
    meaning: RetrieverName | None = "meaning"
    """the retriever behind the agent's search by meaning; null: no such search"""
    window: int | None = Field(default=None, ge=1)
    """the model's context window in tokens; null: what litellm knows"""
    prompts: str = "graft"
    """graft, mera, a plug-in, or a folder of templates"""
    agent: str | None = None
    """the agent that writes the function: a plug-in or module:attribute; null: Graft's own"""

    sandbox: SandboxName = Field(
        default=AUTO,
        description=f"where candidates run: {', '.join(list_auto_and_built_in_sandboxes())}, or a plug-in"
        " (docs/tutorials/redis.md)",
    )
    suite: Literal["chosen", "official"] = "chosen"
    """which tests judge: chosen for the task (chosen), and the repository's own as well (official)"""
    official: OfficialName = "yabloco"
    """whose rules the official score follows: YABLoCo's harness (yabloco), the one of its paper (yabloco-paper), or
    MERA's task (mera) (docs/reference/scoring.md)"""
    audit: Audit = "all"
    """which answers that pass run their suites once more with another function broken: all that aren't the gold's own
    text (all), those with a flag (flagged), none"""
    differential: Compare = "none"
    """compares answers that pass with the gold at each call that their suites make: not at all (none), kept beside the
    verdict (passed), or an answer that differs fails (strict)"""
    plus: bool = True
    """whether answers must pass Graft's own further tests of their task too; false: pass@1 is by the suites alone"""
    base: str | None = None
    """the base for warm images: an image's name (docker) or a folder (bwrap)"""
    mirror: Path | None = None
    """folder with the repositories' sources; null: $GRAFT_MIRROR"""
    executor: Literal["local", "ray"] = "local"
    """what runs the sandboxes: this machine (local), or a Ray cluster's nodes (ray)"""
    ray: str = "auto"
    """the Ray cluster: auto for the one on this machine, HOST:PORT, or ray://HOST:PORT"""
    concurrency: int | None = Field(default=None, ge=1)
    """samples to work on at once; null: as many as sandboxes' commands may run at once"""
    workers: int | None = Field(default=None, ge=1)
    """sandboxes' commands to run at once; null: as many as keep the cores busy and fit into memory; 1: in order"""
    max_cost: float | None = Field(default=None, gt=0)
    """the run stops at this cost in USD; null: no limit"""
    max_tokens: int | None = Field(default=None, ge=1)
    """the run stops after this many tokens, in and out; null: no limit"""
    out: Path | None = None
    """the run's folder; null: runs/CONFIGURATION-MODEL, and -VARIANT"""

    @model_validator(mode="before")
    @classmethod
    def _write_mera_settings_into_keys(cls, given: Any) -> Any:
        # So that the run's record names them. Stop texts of its own stay.
        if not isinstance(given, Mapping) or given.get("generation") != "mera":
            return given
        for key, value in _MERA_SETTINGS.items():
            if given.get(key, value) != value:
                raise ValueError(f"generation: mera means {key}={value}, not {given[key]!r}; leave {key} out")
        arguments = given.get("model_args") or {}
        if not isinstance(arguments, Mapping):
            return given
        stop = list(_limit_stop_texts_to_provider(given))
        return {**given, **_MERA_SETTINGS, "model_args": {"stop": stop, **arguments}}

    @field_validator("arms", "repos", "tasks", "levels", "groups", mode="before")
    @classmethod
    def _wrap_text_in_list(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @field_validator("arms", "groups")
    @classmethod
    def _require_each_once(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if len(set(value)) != len(value):
            raise ValueError("an arm is named twice" if info.field_name == "arms" else "a group is named twice")
        return value

    @field_validator("model_args")
    @classmethod
    def _refuse_secrets(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        # The run's folder holds its configuration, and is published.
        if secret := next((key for key in value if key.lower().endswith(_SECRET_ENDINGS)), None):
            raise ValueError(
                f"{secret} would stand in the run's folder; set the provider's environment variable, or name another"
                " with api_key_env=NAME"
            )
        return value

    def select_keys_fixed_on_resume(self) -> dict[str, Any]:
        """The part that must be equal for a run to be resumed."""
        return {key: value for key, value in self.model_dump(mode="json").items() if key not in FREE_KEYS}


def _limit_stop_texts_to_provider(given: Mapping[str, Any]) -> tuple[str, ...]:
    model = str(given.get("model", ""))
    if model.startswith("anthropic/"):
        # Its server refuses a stop text of white space alone.
        return tuple(text for text in STOPS if text.strip())
    own_server = given.get("api_base") is not None
    return STOPS[:_MOST_STOPS] if model.startswith(_FEW_STOPS) and not own_server else STOPS


class ConfigKey(NamedTuple):
    """A key, its default as YAML writes it, and its meaning."""

    name: str
    default: str
    meaning: str


def describe_config_keys() -> list[ConfigKey]:
    """Each key of a configuration, its default as YAML writes it, and its meaning."""

    def format_default(value: object) -> str:
        if isinstance(value, tuple):
            return f"[{', '.join(map(str, value))}]"
        return str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)

    return [
        ConfigKey(
            name,
            "needed" if field.is_required() else format_default(field.get_default(call_default_factory=True)),
            " ".join((field.description or "").split()),
        )
        for name, field in RunConfig.model_fields.items()
    ]


BUILT_IN = Path(__file__).parents[1]


def load_config(path: Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Read the file `path`, or the configuration of that name which comes with Graft, and lay the `key=value` words
    over it. Raises ConfigError: one line with file, key and fix."""
    path = find_config_file(path)
    config = validate_config(read_yaml(path, ConfigError), overrides, str(path))
    if config.out is None:
        # Of one file for any data set, each data set has its own run.
        dataset = Path(config.dataset.replace(f"{SUITE}/", f"{SUITE}-"))
        stem = dataset.name if path == BUILT_IN / "dataset.yaml" else path.stem
        config = config.model_copy(update={"out": choose_default_run_folder(stem, config.model, config.variant)})
    return config


def find_config_file(path: Path) -> Path:
    """The file itself, or the configuration of that name which comes with Graft. Raises ConfigError."""
    if path.exists():
        return path
    names = sorted(path.stem for path in BUILT_IN.glob("*.yaml"))
    if str(path) not in names:
        raise ConfigError(
            f"{path}: can't be read: there is no such file{make_spelling_hint(path.stem, names)}"
            f" (configurations that come with Graft: {', '.join(names)})"
        )
    return BUILT_IN / f"{path}.yaml"


def override_config(config: RunConfig, overrides: Sequence[str]) -> RunConfig:
    """`config` with the `key=value` words laid over it. Raises ConfigError."""
    return validate_config(config.model_dump(exclude_unset=True), overrides, "configuration")


def validate_config(given: Mapping[str, Any], overrides: Sequence[str], origin: str) -> RunConfig:
    """The keys and values `given`, which come from `origin`, with the `key=value` words laid over them. Another data
    set on the command line has other tasks, so what `given` chooses among its own goes. Raises ConfigError."""
    words = dict(read_override(word) for word in overrides)
    if "dataset" in words and words["dataset"] != given.get("dataset"):
        given = {key: value for key, value in given.items() if key not in _CHOSEN_IN_DATA_SET}
    try:
        return RunConfig.model_validate({**given, **words})
    except ValidationError as error:
        blamed = str(error.errors()[0]["loc"][0]) if error.errors()[0]["loc"] else ""
        source = "command line" if blamed in words else origin
        raise ConfigError(f"{source}: {explain_first_validation_problem(error, RunConfig)}") from error


def choose_default_run_folder(stem: str, model: str, variant: str | None = None) -> Path:
    """The same command finds the same folder again: that is what resuming hangs on. A run on a variant stands beside
    the one on the original, which it is compared with."""
    renamed = "" if variant is None else f"-renamed-{parse_renamed_variant_setting(variant).slug}"
    return Path("runs") / f"{stem}-{re.sub(r'[^A-Za-z0-9.]+', '-', model).strip('-')}{renamed}"


def read_override(word: str) -> tuple[str, Any]:
    """The key and the value of a `key=value` word. Raises ConfigError."""
    key, sign, text = word.partition("=")
    known = list(RunConfig.model_fields)
    if not sign:
        raise ConfigError(f"command line: {word!r} isn't key=value{make_spelling_hint(word, known)}")
    if not key.strip():
        raise ConfigError(f"command line: {word!r}: the key is missing; write key=value")
    key = key.strip().replace("-", "_")
    if key not in known:
        raise ConfigError(f"command line: {key}: unknown key{make_spelling_hint(key, known)}")
    try:
        value = parse_yaml_up_to_size_limit(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"command line: {key}: {text!r} isn't a value: {' '.join(str(error).split())}") from error
    if key in {"arms", "repos", "tasks", "levels", "groups"}:
        # Bare comma lists are what people type; ids like 1234 or 1E5 must stay text.
        return key, [part.strip() for part in text.strip("[] ").split(",") if part.strip()]
    if (
        key in {"model", "dataset", "prompts", "out", "mirror", "base", "api_base", "encoder", "variant"}
        and value is not None
    ):
        return key, text
    return key, value
