"""Prevents: a misspelt key that is swallowed, so that a night's run uses the default."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from experiments.arms.arm import parse_arm
from experiments.arms.retrievers import RETRIEVERS, ListedRetriever
from experiments.run.config import FREE_KEYS, STOPS, RunConfig, load_config, override_config
from experiments.run.sampling.conversation import make_agent_settings
from index.errors import ConfigError


def written(folder: Path, text: str) -> Path:
    path = folder / "run.yaml"
    path.write_text(text)
    return path


def test_overrides_are_typed_as_people_type_them(tmp_path: Path) -> None:
    path = written(tmp_path, "model: gold\n")
    words = "arms=none,oracle+compile tasks=123,1E5 limit=3 temperature=null model=openai/x:7b encoder=1e5"
    config = load_config(path, words.split())
    assert config.arms == ("none", "oracle+compile")
    assert config.tasks == ("123", "1E5")
    assert (config.limit, config.temperature, config.model, config.encoder) == (3, None, "openai/x:7b", "1e5")


def test_same_command_finds_the_same_folder(tmp_path: Path) -> None:
    path = written(tmp_path, "model: openai/gpt-4o\n")
    assert load_config(path).out == load_config(path).out == Path("runs/run-openai-gpt-4o")
    assert load_config(path, ["variant=renamed"]).variant == "renamed:style=nonsense,seed=1"
    renamed = load_config(path, ["variant=renamed:style=plausible,seed=2"])
    assert renamed.out == Path("runs/run-openai-gpt-4o-renamed-plausible-2")


def test_how_much_is_done_is_no_part_of_what_a_run_is() -> None:
    base = RunConfig(model="gold")
    assert (
        override_config(base, ["limit=3", "concurrency=8", "max_cost=2"]).select_keys_fixed_on_resume()
        == base.select_keys_fixed_on_resume()
    )
    assert set(RunConfig.model_fields) >= FREE_KEYS
    assert all(field.description for field in RunConfig.model_fields.values()), "every key has a meaning"


def test_generation_mera_writes_its_settings_into_the_record(tmp_path: Path) -> None:
    given = ["generation=mera", "api_base=http://localhost:8000/v1"]
    config = load_config(written(tmp_path, "model: hosted_vllm/x\ntemperature: 0\n"), given)
    assert (config.answer_tokens, config.temperature, len(config.model_args["stop"])) == (2048, 0.0, 10)
    assert config.select_keys_fixed_on_resume()["model_args"]["stop"][2] == "\n\n\n"
    assert RunConfig.model_validate(config.model_dump(mode="json")) == config
    settings = make_agent_settings(config, ())
    assert settings.max_tokens == 2048
    # As `graft grade` and `graft mcp` begin: what nobody wrote says nothing otherwise.
    assert override_config(RunConfig(model="hosted_vllm/x"), given).answer_tokens == 2048
    assert json.loads(dict(settings.extra)["stop"]) == list(STOPS)
    assert make_agent_settings(override_config(config, ["protocol=text"]), ()).protocol == "text"


@pytest.mark.parametrize(
    ("model", "stops"),
    [("openai/gpt-4o", STOPS[:4]), ("anthropic/claude", (*STOPS[:2], *STOPS[3:])), ("ollama/qwen", STOPS)],
)
def test_a_provider_gets_the_stop_texts_that_it_takes(model: str, stops: tuple[str, ...]) -> None:
    assert tuple(RunConfig(model=model, generation="mera").model_args["stop"]) == stops
    own = RunConfig(model=model, generation="mera", model_args={"stop": ["x"], "top_p": 1})
    assert own.model_args == {"stop": ["x"], "top_p": 1}


def test_a_key_of_a_provider_never_stands_in_a_runs_folder() -> None:
    with pytest.raises(ConfigError, match=r"model_args: api_key would stand in the run's folder; .*api_key_env=NAME"):
        load_config(Path("oracle"), ["model_args={api_key: sk-1}"])
    assert load_config(Path("oracle"), ["model_args={top_p: 1}"]).model_args == {"top_p": 1}


def test_an_arm_is_read_by_its_name_and_a_retriever_is_one_by_its_registration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = [(arm.source, arm.compiles) for arm in map(parse_arm, ("oracle+", "oracle+compile", "oracle++compile"))]
    assert read == [("oracle+", False), ("oracle", True), ("oracle+", True)]
    monkeypatch.setitem(RETRIEVERS, "mine", ListedRetriever("my.module:make", "a new one"))
    assert parse_arm("mine+compile").list_needed_retrievers("lexical") == ("mine",)
    monkeypatch.setitem(RETRIEVERS, "mine", ListedRetriever("my.module:make", "not for runs", is_arm=False))
    with pytest.raises(ValueError, match="unknown arm 'mine'"):
        parse_arm("mine")


@pytest.mark.parametrize(
    ("text", "word", "message"),
    [
        ("temprature: 1", "", "run.yaml: temprature: unknown key; did you mean 'temperature'?"),
        ("samples: 0", "", "run.yaml: samples: "),
        ("arms: [orcale]", "", "unknown arm 'orcale'; did you mean 'oracle'?"),
        ("arms: [unclosed", "", "run.yaml: "),
        ("answer_tokens: 4096", "generation=mera", "mera means answer_tokens=2048, not 4096; leave answer_tokens out"),
        ("", "sampels=3", "command line: sampels: unknown key; did you mean 'samples'?"),
        ("", "gold", "isn't key=value"),
        ("", "=x", "command line: '=x': the key is missing; write key=value"),
        ("samples: 0", "samples=none", "command line: samples: "),
        ("", "arms=none,none", "an arm is named twice"),
        ("", "arms=iterativ", "unknown arm 'iterativ'; did you mean 'iterative'"),
        ("", "arms=agnetic", "did you mean 'agentic'"),
        ("", "bodies=al", "bodies: Input should be 'all', 'auto' or 'none'"),
        ("", "groups=types,macos", "unknown group 'macos'; did you mean 'macros'"),
        ("", "groups=types,types", "a group is named twice"),
        ("", "draft_base=lexicl", "unknown retriever 'lexicl'; did you mean 'lexical'"),
        ("", "meaning=dens", "did you mean 'dense'"),
        ("", "draft_rounds=0", "greater than or equal to 1"),
        ("", "agent_steps=0", "agent_steps: "),
        ("", "protocol=natvie", "protocol: "),
        ("", "show_tests=perhaps", "show_tests: Input should be a valid boolean"),
        ("", "variant=renamd", "command line: variant: unknown variant 'renamd'; did you mean 'renamed'?"),
        ("", "variant=renamed:style=nonsens", "unknown style 'nonsens'; did you mean 'nonsense'?"),
        ("", "variant=renamed:seed=two", "seed 'two' must be a whole number"),
        ("", "variant=renamed:sed=2", "give style, seed, files, locals as key=value; did you mean 'seed'"),
    ],
)
def test_a_slip_is_one_line_that_blames_the_one_who_made_it(
    tmp_path: Path, text: str, word: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as raised:
        load_config(written(tmp_path, f"model: gold\n{text}\n"), [word] if word else [])
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "word",
    ["temperature=0.7", "bodies=none", "groups=types,functions", "show_tests=false", "draft_rounds=3", "encoder=b",
     "agent_steps=3", "agent_tokens=1000", "protocol=text", "window=4096", "meaning=dense"],
)  # fmt: skip
def test_what_an_answer_depends_on_is_part_of_what_a_run_is(word: str) -> None:
    base = RunConfig(model="gold", encoder="a")
    assert override_config(base, [word]).select_keys_fixed_on_resume() != base.select_keys_fixed_on_resume()


def test_those_that_come_with_graft_go_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert all(load_config(Path(name)).arms for name in ("oracle", "retrieval", "feedback", "agentic"))
    with pytest.raises(ConfigError, match=r"orcale: can't be read: there is no such file; did you mean 'oracle'\?"):
        load_config(Path("orcale"), [])


@pytest.mark.parametrize(("word", "more"), [("arms=oracel", ""), ("groups=functon", ""), ("arms=oracel,nnone", "1")])
def test_a_list_of_one_wrong_word_has_one_mistake(tmp_path: Path, word: str, more: str) -> None:
    """Pydantic counts the list as too short besides."""
    with pytest.raises(ConfigError, match="did you mean") as raised:
        load_config(written(tmp_path, "model: gold\n"), [word])
    assert ("more)" in str(raised.value), f"(and {more} more)" in str(raised.value)) == (bool(more), bool(more))


def test_another_data_set_on_the_command_line_has_tasks_of_its_own() -> None:
    """`graft run oracle dataset=example` said `unknown repository 'redis'`, which stood in oracle.yaml alone."""
    assert load_config(Path("oracle")).repos == ("redis", "bullet3")
    assert load_config(Path("oracle"), ["dataset=example"]).repos == ()
    assert load_config(Path("oracle"), ["dataset=example", "repos=example"]).repos == ("example",)
    assert load_config(Path("oracle"), ["dataset=yabloco"]).repos == ("redis", "bullet3")
