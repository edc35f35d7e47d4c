"""Prevents: a user's mistake that ends in a traceback or in exit code 0; one package of a suite that fails to build
and stops all others, or fails without a word at the end; a second call that builds again what stands; an index of a
suite that runs don't find."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import pytest

from executor.tasks.datasets import list_shipped_datasets
from executor.tasks.suite_members import SUITE, SuiteMember, load_task_suite
from experiments.cli import options
from experiments.run.config import RunConfig
from experiments.run.records import JOURNAL, read_journal
from tests.fixtures.rows import TOY_RECIPE
from tests.support.projects import write_files
from tests.support.runs import Graft, make_run, record, refuse, succeed

READY = Path(__file__).parents[3] / "experiments"


@pytest.fixture
def graft(graft: Graft, monkeypatch: pytest.MonkeyPatch, used_cache: Path, tmp_path: Path) -> Graft:
    monkeypatch.chdir(tmp_path)
    return graft


EXAMPLE = ("dataset=example", "repos=example", "sandbox=process")


def test_run_show_grade(graft: Graft, tmp_path: Path) -> None:
    words = ("run", READY / "oracle.yaml", *EXAMPLE, "model=gold", "limit=2", "out=g")
    out = succeed(graft, *words)
    assert out.startswith("none passes 100.0 % of 2 tasks")
    assert all(line in out for line in ("graft show g ", "graft show g --html g/report.html", "graft compare g"))
    journal = tmp_path / "g" / JOURNAL
    first = journal.read_bytes()
    code, _, err = graft(*words)
    assert (code, journal.read_bytes()) == (0, first)
    assert "4 of 4 samples are finished" in err

    task_id = next(iter(read_journal(journal).values())).task_id
    assert succeed(graft, "show", "g").count(task_id) == 1, "the task of the command that is shown"
    assert succeed(graft, "show", "g", "--details").count(task_id) == 3
    out = succeed(graft, "show", "g", task_id, "--arm", "oracle")
    assert "passed at tier tests" in out
    assert "the same text" in out
    assert "0 verdicts changed" in succeed(graft, "grade", "g")


def test_grading_again_reads_the_logs(graft: Graft, tmp_path: Path) -> None:
    """A plain result is all that `--quiet` prints."""
    words = ("run", "oracle", *EXAMPLE, "model=gold", "tasks=money-print", "arms=none", "out=g")
    code, out, err = graft("--quiet", *words)
    assert (code, "100.0" in out, err) == (0, True, "")
    (log,) = (tmp_path / "g").glob("executions/*/*/suite-c.log")
    log.write_text(log.read_text().replace("PASS money_print", "FAIL money_print"))
    assert "passed () -> tests_failed" in succeed(graft, "grade", "g")
    report = json.loads((tmp_path / "g" / "report.json").read_text())
    assert report["rows"][0]["pass_at_1"]["value"] == 0
    # All else that reads the run says what its report says.
    assert succeed(graft, "show", "g").startswith("none passes 0.0 % of 1 task")
    assert "0 verdicts changed" in succeed(graft, "grade", "g")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "no.yaml"), "no.yaml: can't be read"),
        (("run", READY / "oracle.yaml", "mdoel=gold"), "mdoel: unknown key; did you mean 'model'?"),
        (("run", READY / "oracle.yaml", *EXAMPLE, "tasks=money-pritn"), "did you mean 'money-print'?"),
        (
            ("run", READY / "oracle.yaml", *EXAMPLE, "model=openai/x", "api_base=http://x"),
            "doesn't isolate, so it runs",
        ),
        (("run", READY / "oracle.yaml", "repos=redsi"), "did you mean 'redis'?"),
        (("run", READY / "oracle.yaml", *EXAMPLE, "prompts=mear"), "did you mean 'mera'?"),
        (("run", "oracle", *EXAMPLE, "model=gold", "out=a-file"), "out: a-file is a file; name a folder"),
        (("run", "oracle", *EXAMPLE, "model=gold", "out=/proc/x"), "out: /proc/x can't be made or written ("),
        (("run", "oracle", *EXAMPLE, "model=openai/x"), "model: openai/x needs OPENAI_API_KEY; set it, or name"),
        (("run", "oracle", *EXAMPLE, "model=gold", "=x"), "'=x': the key is missing; write key=value"),
        (("run", "oracle", "dataset=example", "repos=exmaple"), "'exmaple'; did you mean 'example'? (known: example)"),
        (("run", "oracle", "dataset=graft-suite/ode2"), "did you mean 'ode'? (known: dev, test, "),
        (("tasks", "list", "--dataset", "a-file"), "a-file: no data set: one is a folder of task folders, a YABLoCo"),
        (("tasks", "list", "--dataset", "a-folder"), "a-folder: no task folders (a task is a folder with"),
        (("show", "nothing"), "nothing: not a run folder"),
        (("show", "nothing", "--watch"), "nothing: not a run folder"),
        (("show", "runs"), "runs: a folder of runs; name one of them: runs/aider, runs/codex"),
        # Answers from elsewhere.
        (("grade", "ours.jsonl", "dataset=example", "sandbox=process"), "doesn't isolate"),
        (("grade", "nothing.jsonl"), "neither a run's folder nor a file"),
        (("tasks", "show", "money-pritn", "--dataset", "example"), "did you mean 'money-print'?"),
        (("tasks", "list", "--dataset", "exampel"), "did you mean 'example'?"),
        (("images", "build", "exampel", "--sandbox", "process"), "did you mean 'example'?"),
        (("images", "list", "--sandbox", "dokcer"), "did you mean 'docker'?"),
        (("images", "prune", "--sandbox", "process"), "name the images to remove, or use --all"),
        (("images", "list", "--sandbx", "process"), "No such option: --sandbx"),
        (("images", "lits"), "Did you mean 'list'? (see "),
        (("mcp", "--task", "map-remvoe", "dataset=example"), "did you mean 'map-remove'?"),
        (("mcp", "--task", "map-remove", "dataset=example", "arms=oracle"), "graft mcp needs one arm with tools"),
        (("mcp", "--task", "valid", "dataset=example"), "--task valid: name one task"),
        (("mcp", "dataset=example"), "Missing option '--task'"),
    ],
)
def test_slip_is_one_line_and_exit_code_2(
    graft: Graft, words: tuple[object, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    runs = {f"runs/{name}/manifest.json": "{}" for name in ("codex", "aider")}
    ours = json.dumps({"task_id": "money-print", "completion": "I can't."})
    write_files(tmp_path, {"a-file": "x\n", "a-folder/agent/loop.py": "\n", "ours.jsonl": ours, **runs})
    code, out, err = graft(*words)
    assert (code, out, "Traceback" in err) == (2, "", False), "stdout is for results, and for the protocol of `mcp`"
    assert err.strip().splitlines()[-1].startswith("graft: ")
    assert message in err


def test_a_place_that_is_forbidden_is_one_line(graft: Graft, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_place(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/their/file")

    monkeypatch.setattr("experiments.run.batch.write_atomically", refuse_place)
    line = refuse(graft, "run", *EXAMPLE, "model=gold", "arms=none", "limit=1", "--prompts-only", "x")
    assert line.endswith("/their/file: Permission denied; name a place that you may use")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "{run}", "--out", "{run}"), "{run}: Is a directory"),
        (("export", "{run}", "--to", "latex", "--out", "{run}"), "{run}: Is a directory"),
        (("leaderboard", "{run}", "--json", "{run}"), "{run}: Is a directory"),
        (("leaderboard", "{run}", "--markdown", "{file}/x.md"), "{file}: File exists"),
        (("show", "{run}", "--html", "{file}/x.html"), "{file}: File exists"),
        (("export", "{run}", "--to", "inspect", "--out", "{file}"), "{file}: File exists"),
        (("tasks", "export", "{file}", "--dataset", "example", "--to", "hf"), "{file}: Not a directory"),
    ],
)
def test_a_folder_in_the_place_of_a_file_is_one_line(
    graft: Graft, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    run, file = make_run(tmp_path / "run", [record("a")]), tmp_path / "file"
    file.touch()
    line = refuse(graft, *(word.format(run=run, file=file) for word in words))
    assert says.format(run=run, file=file) in line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "run"], "nothing is left beside it"


def test_the_help_of_run_names_every_configuration_and_its_keys_are_listed(graft: Graft) -> None:
    told = " ".join(graft("run", "--help")[1].split())
    assert [path.stem for path in READY.glob("*.yaml") if f" {path.stem}" not in told] == []
    listed = succeed(graft, "run", "--keys")
    assert [key for key in RunConfig.model_fields if key not in listed] == []


def test_a_group_without_a_command_shows_its_help(graft: Graft) -> None:
    code, out, err = graft("images")
    assert (code, out) == (2, "")
    assert err.startswith("Usage: ")
    assert "(see " not in err


def test_a_list_of_tasks_breaks_no_id_at_80_columns(graft: Graft, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = succeed(graft, "tasks", "list").splitlines()
    assert lines[0].split() == ["id", "repository", "name", "place"]
    assert sum(bool(re.match(r"[0-9A-F]{16}  \w+  +\S+ +\S+", line)) for line in lines) == 218
    assert lines[-2] == "No room for: level (a wider terminal shows them)"
    assert lines[-1].startswith("218 tasks")


def test_tasks_commands(graft: Graft, tmp_path: Path) -> None:
    assert "money-print" in succeed(graft, "tasks", "list", "--dataset", "example")
    assert "INV_API void money_print" in succeed(graft, "tasks", "show", "money-print", "--dataset", "example")
    assert "0 with findings" in succeed(graft, "tasks", "check", "--dataset", "example")
    # Exported tasks are a data set.
    export = ("tasks", "export", "own", "--dataset", "example", "--tasks")
    assert succeed(graft, *export, "money-print,date-read").strip() == "own: 2 tasks"
    succeed(graft, "tasks", "check", "--dataset", tmp_path / "own")
    assert "exists already" in refuse(graft, *export, "money-print")


def test_prompts_and_responses_without_a_configuration(graft: Graft, tmp_path: Path) -> None:
    words = ("run", *EXAMPLE, "model=gold", "arms=none", "tasks=money-print", "out=r")
    given = (*words, "--responses", "answers.jsonl")
    _, _, told = graft(*words, "--prompts-only", "prompts.jsonl")
    again = " ".join(map(str, ("graft run dataset", *words[1:])))
    assert f"Next, with the answers: {again} --responses prompts-answers.jsonl" in told
    (line,) = [json.loads(text) for text in (tmp_path / "prompts.jsonl").read_text().splitlines()]
    assert line["custom_id"] == "money-print/none/0"
    (tmp_path / "answers.jsonl").write_text(json.dumps({"custom_id": "money-print/none/0", "text": "no code"}))
    assert "passes 0.0 % of 1 task" in succeed(graft, *given)
    assert "can't be used together" in refuse(graft, *given, "--replay", "r")


def test_images_commands(graft: Graft) -> None:
    code, _, err = graft("images", "build", "example", "--sandbox", "process")
    assert (code, "is ready" in err) == (0, True)
    assert "example-" in succeed(graft, "images", "list", "--sandbox", "process")
    code, _, err = graft("images", "headers", "example", "--dataset", "example", "--sandbox", "process")
    assert code == 0
    assert "CPU-s" not in err, "nothing of it is slow"
    assert "example: all slow units' includes are precompiled" in err


@pytest.mark.parametrize("group", ["", "tasks", "images", "index", "variants", "audit", "audit wrong", "audit plus"])
def test_the_list_of_commands_is_whole_in_a_narrow_terminal(
    graft: Graft, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = graft(*group.split(), "--help")
    shown = out.partition("Commands:" if group else "Run:")[2].splitlines()
    assert shown
    assert [line for line in shown if line.endswith("...")] == []


def test_the_first_help_has_five_panels_and_at_most_14_commands(graft: Graft) -> None:
    _, out, _ = graft("--help")
    panels = ("Run", "Results", "Data sets", "Search a tree", "Machines")
    assert re.findall(r"(?m)^(\w[\w ]*):$", out)[1:] == list(panels)
    assert 0 < len(re.findall(r"(?m)^  [a-z]+  ", out.partition("Run:")[2])) <= 14
    assert "`graft mcp`" in out.splitlines()[-2], "the commands for other agents are named below the panels"
    assert "`graft import`" in " ".join(out.split())


def test_the_help_names_every_data_set_that_comes_with_graft(graft: Graft) -> None:
    _, out, _ = graft("tasks", "list", "--help")
    told = " ".join(out.split())
    assert f"{SUITE} or the name of one of its packages," in told
    names = {*list_shipped_datasets()} - {member.name for member in load_task_suite().members}
    assert [name for name in sorted(names) if not re.search(rf"[( ]{name}( or the name|[,)])", told)] == []


# Suites


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two small projects, of which the first doesn't build, as the members of a suite."""
    main = 'int puts(const char *);\nint main(void) { return puts("ok one") < 0; }\n'
    tree = write_files(tmp_path / "tree", {"toy.c": main})
    for name, command in (("first", "false"), ("second", "gcc -o toy toy.c")):
        text = TOY_RECIPE.replace("SOURCE", f"{{directory: '{tree}'}}").replace("name: toy", f"name: {name}")
        text = text.replace("commands: [make]", f"commands: ['{command}']")
        write_files(tmp_path / "recipes" / name, {"recipe.yaml": text})
    monkeypatch.setenv("GRAFT_RECIPES", str(tmp_path / "recipes"))
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    members = tuple(SuiteMember(name=name, split="test", licence="MIT") for name in ("first", "second"))
    known = "executor.tasks.suite_members.find_suite_members_or_empty"
    monkeypatch.setattr(known, lambda name: members if name == "graft-suite" else ())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_image_that_fails_stops_no_other_and_is_named_at_the_end(graft: Graft, suite: Path) -> None:
    words = ("images", "build", "graft-suite", "--sandbox", "process")
    code, _, err = graft(*words)
    assert code == 1
    assert "recipe first: build command 'false' ended with status 1" in err and "the others go on" in err
    assert "second: image second-" in err and "2/2 images" in err
    assert err.splitlines()[-1] == "graft: 1 of 2 failed: first; what is done is kept, run it again"
    again = graft(*words)[2]
    assert "1 of 2 images are ready already" in again and "second: build" not in again


def test_the_indexes_of_a_suite_are_those_that_runs_read(graft: Graft, suite: Path) -> None:
    code, out, _ = graft("index", "build", "graft-suite")
    assert code == 0 and out.count("1 functions") == 2
    folders = [folder for folder in (suite / "cache" / "indexes").iterdir() if folder.is_dir()]
    assert {folder.name for folder in folders} <= {folder.name for folder in (suite / "cache" / "sources").iterdir()}
    assert len(folders) == 2
    refuse(graft, "index", "build", "graft-suite", "--index", "x")
    # A suite's name stands for its members, each once.
    assert [recipe.name for recipe in options.find_recipes(["second", "graft-suite"])] == ["second", "first"]
