"""Prevents: a retriever or an agent of one's own that needs a change to Graft, and a plug-in that fails without a
name or a reason."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import graft
from agent.prompts import load_prompts
from executor.sandbox.choose import choose_backend, list_sandbox_names
from executor.tasks.datasets import load_rows
from experiments.arms.arm import list_context_sources_with_plugins, parse_arm
from experiments.arms.retrievers import find_retriever
from experiments.run.resolve import load_named_or_graft_agent
from index.errors import ConfigError, UserError
from index.plugins import find_plugin, list_plugins_rejecting_name_clashes
from tests.support.projects import write_files

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "extend"
INVENTORY = Path(__file__).parents[2] / "examples" / "inventory"

pytestmark = pytest.mark.xdist_group("door")


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory from which modules can be imported; what the test imports or adds to the path is undone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def install(workplace: Path, distribution: str, group: str, **names: str) -> None:
    """A distribution that is installed in `workplace`, with entry points in one group."""
    folder = workplace / f"{distribution.replace('-', '_')}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    lines = "\n".join(f"{name.replace('_', '-')} = {target}" for name, target in names.items())
    (folder / "entry_points.txt").write_text(f"[{group}]\n{lines}\n")
    sys.path.append(str(workplace))
    # Which distributions there are is read once for each state of the path.
    sys.path.append(str(folder))


def python_blocks(page: str) -> list[str]:
    text = (HOW_TO / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def run_example(**keys: object) -> graft.RunReport:
    task = {"dataset": "example", "repos": "example", "tasks": "date-plus-months", "model": "gold"}
    return graft.run("oracle", **{**task, "sandbox": "process", "out": "run", **keys})  # type: ignore[arg-type]


@pytest.mark.usefixtures("used_cache")
def test_the_retriever_of_the_docs_runs_as_an_arm(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module, trial = python_blocks("own-retriever.md")
    (workplace / "my_retriever.py").write_text(module)
    (workplace / "src").symlink_to(INVENTORY / "src")
    exec(compile(module + trial, "own-retriever.md", "exec"), {"__name__": "__main__"})
    assert "date_" in capsys.readouterr().out
    done = run_example(arms=["my_retriever:SharedWords"])
    assert [(sample.arm, sample.outcome) for sample in done.samples] == [("my_retriever:SharedWords", "passed")]
    (story,) = (workplace / "run" / "samples").rglob("*.json")
    assert {s["source"] for s in json.loads(story.read_text())["context"]["snippets"]} >= {"my_retriever:SharedWords"}


@pytest.mark.usefixtures("used_cache")
def test_the_agent_of_the_docs_writes_the_answers(workplace: Path) -> None:
    (module,) = python_blocks("own-agent.md")
    (workplace / "my_agent.py").write_text(module)
    install(workplace, "second-thoughts", "graft.agents", second_look="my_agent:second_look")
    done = run_example(arms=["oracle"], agent="second-look")
    assert [sample.outcome for sample in done.samples] == ["passed"]
    (story,) = (workplace / "run" / "samples").rglob("*.json")
    messages = json.loads(story.read_text())["trajectory"]["messages"]
    assert [message["role"] for message in messages][-4:] == ["user", "assistant", "user", "assistant"]
    assert messages[-2]["content"].startswith("Check this function for mistakes at its edges")
    assert json.loads((workplace / "run" / "manifest.json").read_text())["versions"]["second-thoughts"] == "1.0"


@pytest.mark.usefixtures("used_cache")
def test_an_agent_of_ones_own_is_handed_nothing_of_the_true_body(workplace: Path) -> None:
    (workplace / "nosy.py").write_text(
        "from graft.agents import run_agent\n\nSEEN = []\n\n"
        "def agent(request):\n    SEEN.append(request)\n    return run_agent(request)\n"
    )
    run_example(arms=["lexical+compile"], agent="nosy:agent")
    (request,) = sys.modules["nosy"].SEEN
    handed = (request.target, request.context, request.instruction, request.context_text, request.settings)
    rows = {row.id: row for row in load_rows("example")}
    row = rows["date-plus-months"]
    lines = (INVENTORY / row.path).read_text().splitlines()[row.span.first : row.span.last]
    body = [line.strip() for line in lines if len(line.strip()) > 20]
    assert len(body) == 3
    assert not [line for line in body if line in repr(handed)]


def test_what_is_installed_goes_by_its_name(workplace: Path) -> None:
    install(workplace, "words", "graft.retrievers", shared_words="my_retriever:SharedWords")
    install(workplace, "second-thoughts", "graft.agents", second_look="my_agent:second_look")
    install(
        workplace, "podman", "graft.sandboxes", podman="executor.sandbox.process:open_process_and_remove_leftovers"
    )
    assert parse_arm("shared-words+compile2").list_needed_retrievers("lexical") == ("shared-words",)
    assert list_context_sources_with_plugins()["shared-words"].meaning == "plug-in of words"
    with pytest.raises(ConfigError, match="no plug-in 'second-lok'; did you mean 'second-look'"):
        load_named_or_graft_agent("second-lok")
    # A sandbox is never taken by `auto`.
    assert list_sandbox_names()[-1] == "podman"
    assert choose_backend("podman", workplace).reason == "podman: asked for"


def test_a_plug_in_with_the_name_of_a_built_in_or_of_another_is_refused(workplace: Path) -> None:
    install(workplace, "greedy", "graft.retrievers", oracle="my_retriever:SharedWords")
    with pytest.raises(ConfigError, match=r"distribution greedy has a plug-in 'oracle' in graft\.retrievers"):
        parse_arm("none")
    install(workplace, "first", "graft.agents", mine="first:agent")
    install(workplace, "second", "graft.agents", mine="second:agent")
    with pytest.raises(ConfigError, match="called 'mine': that of first and that of second; uninstall one of them"):
        list_plugins_rejecting_name_clashes("graft.agents", ())


def test_a_plug_in_that_does_not_import_names_its_distribution_and_the_reason(workplace: Path) -> None:
    write_files(workplace, {"broken.py": "import a_library_that_is_missing\n", "empty.py": ""})
    install(workplace, "fragile", "graft.retrievers", fragile="broken:Retriever")
    with pytest.raises(ConfigError) as caught:
        find_retriever("fragile").load_factory()
    assert str(caught.value) == (
        "plug-in broken:Retriever of the distribution fragile can't be imported: "
        "ModuleNotFoundError: No module named 'a_library_that_is_missing'"
    )
    plugin = find_plugin("graft.agents", "empty:nothing", ())
    assert plugin is not None
    with pytest.raises(ConfigError, match=r"plug-in empty:nothing can't be imported: AttributeError: .*nothing"):
        plugin.load()


def test_a_data_set_and_prompts_of_a_plug_in(workplace: Path) -> None:
    tasks = f"from pathlib import Path\n\ndef tasks():\n    return Path({str(INVENTORY / 'tasks')!r})\n"
    module = f"{tasks}\nPROMPTS = {str(workplace / 'prompts')!r}\nNOWHERE = '/no/such/folder'\n"
    prompts = {"prompts/first.j2": "{{ signature }}", "prompts/repair.j2": "{{ code }}"}
    write_files(workplace, {"shop.py": module, **prompts})
    install(workplace, "shop", "graft.datasets", shop="shop:tasks")
    assert len(load_rows("shop")) == 18
    assert dict(load_prompts("shop:PROMPTS").files)["first.j2"] == "{{ signature }}"
    with pytest.raises(UserError, match="plug-in shop:NOWHERE must name a path that exists, not '/no/such/folder'"):
        load_rows("shop:NOWHERE")
