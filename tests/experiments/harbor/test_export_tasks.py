"""Prevents: a folder that Harbor refuses; an agent's image that holds the true body; a reward for an agent that wrote
nothing, since the verifier took its own copy of the file for the answer; containers that the next Graft removes; a
variant whose agent reads an old name, or whose answers are judged on the original tree."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.values import Outcome, Task
from experiments.harbor.agent_image import CHANGED, LIST_CHANGED
from experiments.harbor.export_tasks import HarborExport, HarborSettings, export_harbor_tasks, write_harbor_task
from experiments.harbor.jobs.import_jobs import import_jobs
from experiments.harbor.verifier_image import list_distribution_and_dependency_paths
from experiments.run.config import RunConfig
from index.errors import ConfigError
from tests.support.engines import unavailable
from tests.support.variants import renamed_example

TASK = "text-trim"
CONFIG = RunConfig(dataset="example", model="gold", tasks=(TASK,), sandbox="docker", arms=("none",))
RIGHT = """INV_API char *text_trim(char *text)
{
    while (*text != '\\0' && isspace((unsigned char)*text))
        ++text;
    size_t n = strlen(text);
    while (n != 0 && isspace((unsigned char)text[n - 1]))
        --n;
    text[n] = 0;
    return text;
}
"""
# Leaves a process that writes a reward again and again, then answers wrongly.
LASTING = """INV_API char *text_trim(char *text)
{
    if (system("setsid sh -c 'while :; do echo {\\\\\\"reward\\\\\\": 1} > /logs/verifier/reward.json; done' &"))
        return text;
    return text;
}
"""


def test_the_task_file_says_what_the_agent_reaches_and_what_a_verdict_takes(task: Task, tmp_path: Path) -> None:
    recipe = find_recipe("example")
    suites = [recipe.suites[0].name]
    image = SimpleNamespace(key='quo"te', suite_seconds={suites[0]: 100.0}, suite_cpu_s={suites[0]: 1.234})
    judged_by = {"list_judging_suites": lambda task_id: suites, "list_plus_tests_gold_passes": lambda task_id: []}
    repo: Any = SimpleNamespace(recipe=recipe, image=image, variant=None, **judged_by)
    for network, hosts in (("none", None), ("a.example,b.example", ["a.example", "b.example"])):
        settings = HarborSettings(network=network)
        folder = write_harbor_task(tmp_path / network, repo, task, settings, "agent:1", "verifier:1", "example")
        found = tomllib.loads((folder / "task.toml").read_text())
        assert found["environment"].get("allowed_hosts") == hosts
        assert (found["environment"]["docker_image"], found["metadata"]["graft_image"]) == ("agent:1", 'quo"te')
        assert (found["verifier"]["timeout_sec"], found["metadata"]["suites_cpu_sec"]) == (1200.0, 1.23)
        assert [entry["command"] for entry in found["verifier"]["collect"]] == [LIST_CHANGED]
    # The verifier brings each library with all that it needs.
    names = {path.name for path in list_distribution_and_dependency_paths(["pydantic", "numpy"])}
    assert {"pydantic", "pydantic_core", "typing_extensions.py", "numpy"} <= names


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> HarborExport:
    return export_harbor_tasks(CONFIG, HarborSettings(), tmp_path_factory.mktemp("harbor") / "tasks", cache_root())


def read_task(exported: HarborExport) -> dict[str, dict[str, object]]:
    (folder,) = exported.folders
    return tomllib.loads((folder / "task.toml").read_text())


def docker(*argv: str) -> str:
    done = subprocess.run(["docker", *argv], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def run_verifier(exported: HarborExport) -> Iterator[str]:
    """A running container of the verifier's image, as Harbor leaves it before it starts the tests."""
    image = str(read_task(exported)["verifier"]["environment"]["docker_image"])  # type: ignore[index]
    name = docker("run", "-d", "--network", "none", "-e", f"GRAFT_TASK={TASK}", image, "sleep", "1800").strip()
    try:
        # Harbor opens all folders above an artifact, and those of its logs, to everybody.
        docker("exec", name, "sh", "-c", "mkdir -p /logs/verifier /logs/artifacts; chmod 777 / /logs /logs/*")
        yield name
    finally:
        docker("rm", "-f", name)


def judge(container: str, answer: str | None, place: str = "/answer.c") -> dict[str, float]:
    """The rewards of an answer in the container, in which nothing is left of an earlier one."""
    docker("exec", container, "sh", "-c", "rm -rf /answer.c /graft/verifier/run /logs/verifier/*")
    if answer is not None:
        command = ["docker", "exec", "-i", container, "sh", "-c", f"cat > {place}"]
        subprocess.run(command, input=answer.encode(), check=True, timeout=60)
    docker("exec", container, "/tests/test.sh")
    rewards: dict[str, float] = json.loads(docker("exec", container, "cat", "/logs/verifier/reward.json"))
    return rewards


@pytest.mark.docker
@pytest.mark.slow
def test_a_right_answer_has_the_reward_in_either_place_and_a_wrong_one_or_none_has_not(exported: HarborExport) -> None:
    agent = str(read_task(exported)["environment"]["docker_image"])
    shown = docker("run", "--rm", "--network", "none", agent, "cat", "src/core/text.c")
    text = shown.replace("INV_API char *text_trim(char *text)\n{ /* body hidden */ }\n", RIGHT)
    assert text != shown
    with run_verifier(exported) as verifier:
        for answer in (None, "", "int x(", RIGHT.replace("text[n] = 0;", ""), LASTING):
            assert judge(verifier, answer)["reward"] == 0, answer
            assert not docker("exec", verifier, "sh", "-c", "ps -u 1000 -o pid= || true").strip()
        assert judge(verifier, RIGHT)["reward"] == 1
        found = judge(verifier, text, "/graft/src/src/core/text.c")
        assert (found["reward"], found["control"], found["noted"]) == (1, 1, 0)
        # A failure of ours leaves no reward.
        docker("exec", verifier, "sh", "-c", "echo '{\"reward\": 1}' > /logs/verifier/reward.json")
        docker("exec", verifier, "rm", "-r", "/graft/verifier/cache/images", "/graft/verifier/run")
        done = subprocess.run(["docker", "exec", verifier, "/tests/test.sh"], capture_output=True, timeout=300)
        assert done.returncode == 3, done.stdout
        assert not docker("exec", verifier, "ls", "/logs/verifier")


@pytest.mark.docker
@pytest.mark.slow
def test_the_agents_image_holds_nothing_of_the_body_and_compiles_an_answer(exported: HarborExport) -> None:
    agent = str(read_task(exported)["environment"]["docker_image"])
    assert '"graft.owner":""' in docker("inspect", "--format", "{{json .Config.Labels}}", agent)
    script = (
        r"""
grep -rlaF 'text[length - 1]' / --exclude-dir=proc --exclude-dir=sys && exit 1
find . -name text.o -o -name libcore.a -o -name .git | grep . && exit 1
compile-task --check || exit 1
cat > body && sed -i -e '/^{ .* body hidden .* }$/{r body' -e 'd}' src/core/text.c && compile-task && test-task
[ $? = 0 ] && touch Makefile tests/new.c && mkdir -p /logs/artifacts || exit 1
"""
        + f"({LIST_CHANGED}) && cat {CHANGED}"
    )
    body = RIGHT.partition("\n")[2]
    command = ["docker", "run", "-i", "--rm", "--network", "none", agent, "sh", "-c", script]
    done = subprocess.run(command, input=body, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    # What it compiled isn't noted; its own copy of the body is.
    assert sorted(done.stdout.splitlines()[-3:]) == ["Makefile", "body", "tests/new.c"]


@pytest.mark.docker
@pytest.mark.slow
def test_a_proved_variant_is_exported_and_judged_in_its_own_names(tmp_path: Path) -> None:
    config = CONFIG.model_copy(update={"variant": "renamed:style=nonsense,seed=1", "repos": ("example",)})
    settings = HarborSettings(registry="registry.example/team/")
    with pytest.raises(ConfigError, match=r"there is no renamed:style=nonsense,seed=1 of .*; make it: graft variants"):
        export_harbor_tasks(config, settings, tmp_path / "tasks", tmp_path)
    name = renamed_example(tmp_path).names["text_trim"]
    exported = export_harbor_tasks(config, settings, tmp_path / "tasks", tmp_path)
    assert exported.to_push == ("registry.example/team/graft-agent", "registry.example/team/graft-verifier")
    (folder,) = exported.folders
    written = read_task(exported)
    agent = str(written["environment"]["docker_image"])
    assert written["metadata"]["graft_variant"] == "renamed:style=nonsense,seed=1"
    assert (folder / "environment/Dockerfile").read_text() == f"FROM {agent}\n"
    assert (folder / "tests/Dockerfile").read_text().startswith("FROM registry.example/team/graft-verifier:example-")
    instruction = (folder / "instruction.md").read_text()
    assert f"## `{name}`" in instruction
    assert "The source tree of a repository lies" in instruction
    assert "text_trim" not in instruction + docker("run", "--rm", "--network", "none", agent, "cat", "src/core/text.c")
    with run_verifier(exported) as verifier:
        assert judge(verifier, RIGHT)["reward"] == 0
        docker("exec", verifier, "rm", "-rf", "/answer.c", "/graft/verifier/run")
        docker("exec", verifier, "sh", "-c", (folder / "solution/solve.sh").read_text())
        docker("exec", verifier, "/tests/test.sh")
        assert json.loads(docker("exec", verifier, "cat", "/logs/verifier/reward.json"))["reward"] == 1
        record = json.loads(docker("exec", verifier, "cat", "/logs/verifier/verdict.json"))
        assert (record["variant"], record["record"]["graft"]["exact_match"]) == (str(config.variant), True)
        assert record["map_digest"]


@contextmanager
def run_registry(folder: Path) -> Iterator[str]:
    """A real registry on loopback; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    settings = {"version": 0.1, "storage": {"filesystem": {"rootdirectory": str(folder / "images")}}}
    (folder / "registry.yml").write_text(json.dumps({**settings, "http": {"addr": address}}))
    with (folder / "registry.log").open("wb") as log:
        served = subprocess.Popen(["docker-registry", "serve", folder / "registry.yml"], stdout=log, stderr=log)
    try:
        yield address
    finally:
        served.kill()
        served.wait()


@pytest.mark.docker
@pytest.mark.slow
def test_a_registry_takes_the_images_and_gives_them_to_an_environment(tmp_path: Path) -> None:
    if shutil.which("docker-registry") is None:
        unavailable("no docker-registry: Debian's package of that name")
    with run_registry(tmp_path) as address:
        settings = HarborSettings(registry=f"{address}/team")
        exported = export_harbor_tasks(CONFIG, settings, tmp_path / "tasks", cache_root())
        (folder,), task = exported.folders, read_task(exported)
        for name in exported.to_push:
            docker("push", "--all-tags", name)
        for place in (task["environment"], task["verifier"]["environment"]):  # type: ignore[dict-item]
            docker("rmi", "--force", str(place["docker_image"]))  # type: ignore[call-overload]
        built = docker("build", "--quiet", str(folder / "environment")).strip()
        shown = docker("run", "--rm", "--network", "none", built, "cat", "src/core/text.c")
    docker("rmi", "--force", built)
    assert "body hidden" in shown


@pytest.fixture(scope="module")
def harbor() -> Path:
    """The folder of programs of an environment with the real Harbor and verifiers, which need Python 3.12."""
    place = cache_root() / "harbor-venv"
    argv = [str(Path(__file__).parents[3] / ".ci" / "harbor.sh"), str(place)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode:
        unavailable(f"Harbor can't be installed: {(done.stdout + done.stderr).strip().splitlines()[-1:]}")
    if subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
        unavailable("no docker compose 2: .ci/docker_compose.sh")
    return place / "bin"


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_harbor_and_verifiers_load_what_is_written(exported: HarborExport, harbor: Path) -> None:
    script = """
import sys
from pathlib import Path
from harbor.lint.task import lint_task
from harbor.models.task.task import Task
from verifiers.v1.tasksets.harbor.taskset import HarborConfig, parse_task
folder = Path(sys.argv[1])
task = Task(folder)
assert task.config.verifier.environment.docker_image and task.instruction.startswith("# Write a function")
# Debian's compose is too old for a flag with which the linter reads compose files.
old = "Docker Compose could not load"
found = [f for f in lint_task(folder) if f.rule not in ("unpinned-image", "root-agent") and old not in f.message]
assert not found, found
data = parse_task(folder, 0, HarborConfig())
assert data.verifier_image == task.config.verifier.environment.docker_image and len(data.artifacts) >= 2, data
"""
    (folder,) = exported.folders
    argv = [str(harbor / "python"), "-c", script, str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1), ("nop", 0)])
def test_a_real_trial(exported: HarborExport, harbor: Path, tmp_path: Path, agent: str, reward: float) -> None:
    (folder,) = exported.folders
    where = ["-p", str(folder.parent), "-a", agent, "--env", "docker", "-o", str(tmp_path)]
    env = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    argv = [str(harbor / "harbor"), "run", *where]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=900, env=env, check=False)
    (written,) = tmp_path.glob("*/*/verifier/reward.json")
    assert json.loads(written.read_text())["reward"] == reward, done.stdout
    # The way back, without a word on the data set: the task's folder names it.
    ((record,),) = (end.records for end in import_jobs(tmp_path, tmp_path / "run", [], cache_root()))
    expected = Outcome.PASSED if reward else Outcome.NO_ANSWER
    assert (record.arm, record.task_id, record.graft.verdict.outcome) == (agent, TASK, expected)
