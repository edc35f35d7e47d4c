"""Prevents: a page that says other things than the commands do, a report that fails on a slim or a small run, and one
that leaves an earlier page's stories behind."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

from executor.values import Outcome
from experiments.page import page_file
from experiments.page.contents import Contents, gather_contents
from experiments.page.stories import pack_stories
from experiments.report.headline import describe_best
from tests.support.runs import Graft, make_run, record

# They share the run's folder with the browser's tests.
pytestmark = pytest.mark.xdist_group("browser")

PASSED, FAILED = Outcome.PASSED, Outcome.TESTS_FAILED


def unpacked(packed: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(packed)))


@pytest.mark.usefixtures("cache")
def test_a_story_has_the_repositorys_own_gold_and_each_long_text_once(run: Path) -> None:
    contents = gather_contents([str(run)])
    task = contents.tasks[0]
    assert task.gold is not None and task.gold.count("\n") > 3, "bound to the example's source"
    samples = [sample for sample in contents.samples if sample.task == 0]
    found = unpacked(pack_stories(task, samples, contents.names))
    assert len(found["stories"]) == len(samples) == 10
    assert len(set(found["texts"])) == len(found["texts"])
    told = "".join(found["stories"].values())
    assert told.count('data-text="') > len(found["texts"])
    assert "<script" not in told
    fates = re.findall(r'<li class="(\w+)">\w+ \(([\w ]+, [\w ]+)\)</li>', told)
    assert {(kind, fate.rpartition(", ")[2]) for kind, fate in fates} == {("good", "used"), ("bad", "not used")}


@pytest.mark.usefixtures("cache")
def test_a_run_without_its_stories_and_executions_still_has_a_page(run: Path, tmp_path: Path) -> None:
    slim = tmp_path / "slim"
    slim.mkdir()
    for name in ("manifest.json", "journal.jsonl"):
        shutil.copy(run / name, slim)
    file = tmp_path / "report.html"
    written = page_file.write_page([f"{slim}:oracle"], file)
    assert (written.samples, written.beside) == (18, None)
    packs = json.loads(file.read_text().split('id="packs">')[1].split("</script>")[0])
    assert "no story of it is kept" in "".join(unpacked(packs[0])["stories"].values())


def lead(contents: Contents) -> tuple[str, ...]:
    return describe_best([place.standing for place in contents.ranked.places])


@pytest.mark.usefixtures("cache")
def test_the_first_lines_name_the_winner_its_lead_and_how_sure_it_is(tmp_path: Path) -> None:
    tasks = [f"t{number}" for number in range(10)]
    records = [record(task, PASSED, "oracle") for task in tasks]
    records += [record(task, FAILED if number else PASSED) for number, task in enumerate(tasks)]
    one = gather_contents([str(make_run(tmp_path / "one", records))])
    assert lead(one) == (
        "oracle passes 100.0 % of 10 tasks, 90.0 points more than none; chance alone doesn't explain the difference.",
        "95 % interval: 66 to 100 %; p = 0.0039, corrected.",
    )
    few = [record(task, outcome, arm) for task in "ab" for arm, outcome in (("none", FAILED), ("oracle", PASSED))]
    other = gather_contents([str(make_run(tmp_path / "two", few))])
    assert lead(other)[0].endswith("; with 2 tasks chance may explain the difference.")
    equal = gather_contents([str(make_run(tmp_path / "equal", [record("a", arm=arm) for arm in ("none", "oracle")]))])
    assert lead(equal)[0] == "none passes 100.0 % of 1 task, as many as oracle."
    alone = gather_contents([str(make_run(tmp_path / "three", records[:10]))])
    assert lead(alone)[0] == "oracle passes 100.0 % of 10 tasks."


@pytest.mark.usefixtures("cache")
def test_sides_without_a_common_task_are_shown_and_not_compared(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a", arm="oracle"), record("b")])
    contents = gather_contents([str(run)])
    assert contents.ranked.comparison is None
    assert "no task in common" in contents.notes[0]
    page = page_file.render_page(contents, [], "x")
    assert "The sides aren&#39;t compared" in page


@pytest.mark.usefixtures("cache")
def test_an_earlier_pages_stories_go_and_other_files_stay(tmp_path: Path) -> None:
    beside = tmp_path / "report_files"
    beside.mkdir()
    (beside / "00007.js").write_text("old")
    (beside / "notes.txt").write_text("mine")
    page_file.write_page([str(make_run(tmp_path / "run", [record("a")]))], tmp_path / "report.html")
    assert [path.name for path in beside.iterdir()] == ["notes.txt"]


def test_the_command_says_what_it_needs_and_what_it_wrote(graft: Graft, tmp_path: Path, cache: Path) -> None:
    run = make_run(tmp_path / "run", [record("a")])
    code, _, error = graft("show", run, "--html", tmp_path)
    assert (code, "a folder; name a file" in error) == (2, True)
    code, _, error = graft("show", run, "--html", tmp_path / "new" / "report.html")
    assert (code, "holds the tasks' golds" in error) == (0, True)
    assert (tmp_path / "new" / "report.html").read_bytes().startswith(b"<!doctype html>")
