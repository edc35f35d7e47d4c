"""Prevents: a table whose heading, figure or label a narrow terminal cuts, a row that does not say which it is, a
column that is gone without a word, and a line that is longer than the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from agent.values import Usage
from executor.manifest.variant.values import VariantSpec
from executor.values import Outcome
from experiments.arms.retrievers import RETRIEVERS, ListedRetriever
from experiments.report.run_progress import watch_run
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import CalleeFacts, Recitation
from experiments.tables import MAIN, Column, Table, draw_table, make_label_column
from tests.support.runs import Graft, make_run, record

WIDTHS = (60, 80, 100, 160)
SHORT = ("none", "oracle", "lexical", "oracle+compile", "agentic")
LONG = ("distant-similarities+compile10", "agentic-file+compile10", "structural+compile10", "oracle", "none")
MODELS = {SHORT: "openai/scripted", LONG: "openrouter/some-company/a-model-with-a-long-name-2026-11-22-instruct"}
TASKS = ("a", "reservation-available-for-customers", "redis/dictFindByHashAndPointer", "c", "d")


def samples(arms: Sequence[str], shift: int = 0) -> list[SampleRecord]:
    """Each arm fails one task more than the one before, and `shift` more; every figure has a value."""
    ends = (Outcome.TESTS_FAILED, Outcome.BUILD_FAILED, Outcome.TIMEOUT, Outcome.MODEL_ERROR, Outcome.TO_REVIEW)
    facts = Recitation(gold=40, run=9, original_run=4, names=("dictFind",), new_names=3)
    return [
        record(
            task,
            Outcome.PASSED if row >= place + shift else ends[row],
            arm,
            number,
            recitation=facts,
            callees=CalleeFacts(("f",)),
            usage=Usage(calls=1, prompt_tokens=12345, completion_tokens=678, cost=0.0123 * (row + 1)),
            level=("none", "file", "package")[row % 3],
            build_cpu_s=0.68,
        )
        for place, arm in enumerate(arms)
        for row, task in enumerate(TASKS)
        for number in (0, 1)
    ]


@pytest.fixture(autouse=True)
def _long_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A retriever of one's own, whose name is longer than any of Graft's."""
    monkeypatch.setitem(RETRIEVERS, "distant-similarities", ListedRetriever("my.module:make", "mine"))


@pytest.fixture
def runs(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The arms; in the current folder a run of them, unfinished, and one of a renamed tree."""
    monkeypatch.chdir(tmp_path)
    arms: tuple[str, ...] = request.param
    keys = {"arms": arms, "model": MODELS[arms]}
    make_run(Path("run"), samples(arms), planned=3, **keys)
    make_run(Path("other"), samples(arms[:-1], 1), VariantSpec(), **keys)
    return arms


COMMANDS = (
    ("show", "run"),
    ("show", "run", "--details"),
    ("compare", "run", "--details"),
    ("compare", "run", "--baseline", "1", "--list-tasks"),
    ("leaderboard", "run", "other", "--details", "--by", "level"),
    ("audit", "memory", "run", "other", "--names", "--details"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("runs", [SHORT, LONG], indirect=True, ids=["five arms", "long names"])
def test_every_table_fits_and_is_whole(
    graft: Graft, monkeypatch: pytest.MonkeyPatch, runs: tuple[str, ...], words: tuple[str, ...]
) -> None:
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        code, out, err = graft(*words)
        assert (code, err) == (0, "")
        # A command is copied, so it stays whole.
        lines = [line for line in out.splitlines() if " graft show " not in line and "report.html" not in line]
        assert [line for line in lines if len(line.rstrip()) > width] == []
        require_whole(out, runs)
        assert re.search(r"passes [\d.]+ %.* points ", " ".join(" ".join(lines[:4]).split())), (
            "it opens with what was found"
        )


@pytest.mark.parametrize("runs", [SHORT, LONG], indirect=True, ids=["five arms", "long names"])
def test_the_watchers_table_fits(runs: tuple[str, ...]) -> None:
    for width in WIDTHS:
        console = Console(width=width, force_terminal=True, color_system=None)

        def stop(seconds: float) -> None:
            raise KeyboardInterrupt

        with console.capture() as printed, pytest.raises(KeyboardInterrupt):
            watch_run(Path("run"), console, sleep=stop)
        out = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", printed.get())
        assert all(len(line.rstrip()) <= width for line in out.splitlines())
        require_whole(out, runs)
        assert "50 of 75 samples" in out


def require_whole(out: str, arms: Sequence[str]) -> None:
    """No heading, label or figure is cut, and each arm's parts follow each other in the text."""
    assert "…" not in out and "..." not in out.replace("graft run ... ", "")
    for arm in arms:
        parts = [re.escape(part) for part in re.split(r"(?<=[+-])", arm) if part]
        assert re.search(r"(.|\n)*?".join(parts), out), arm
    # Behind a label stands no half figure: an interval that opens is closed on its line.
    assert all(line.count("[") == line.count("]") for line in out.splitlines())


@pytest.mark.parametrize("columns", ["", "0", "wide"])
def test_a_width_that_is_none_is_passed_over(
    graft: Graft, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: str
) -> None:
    run = make_run(tmp_path / "run", samples(SHORT), arms=SHORT)
    monkeypatch.delenv("COLUMNS")
    usual = graft("show", run)
    assert usual[0] == 0
    monkeypatch.setenv("COLUMNS", columns)
    assert graft("show", run) == usual


def test_what_is_left_out_is_named_and_all_of_it_can_be_asked_for(
    graft: Graft, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    make_run(Path("run"), samples(LONG), arms=LONG)
    monkeypatch.setenv("COLUMNS", "60")
    narrow = graft("show", "run")[1]
    left_out = re.search(r"No room for: (.*?) \(--columns", " ".join(narrow.split()))
    assert left_out is not None and "USD" in left_out[1].split(", ")
    whole = graft("show", "run", "--columns", "all")[1]
    assert "No room for" not in whole
    (head,) = [line for line in whole.splitlines() if line.startswith("arm ")]
    assert {"arm", "tasks", "pass@1", "exact", "built", "tokens", "USD", "seconds"} <= set(head.split())
    assert "tokens, seconds: mean of a sample; USD: sum of all samples." in whole
    assert "mean of a sample" not in narrow, "it has no such column"
    assert all(any(line.startswith(arm) for line in whole.splitlines()) for arm in LONG)


def drawn(table: Table, width: int) -> tuple[str, tuple[str, ...]]:
    console = Console(width=width)
    shown, left_out = draw_table(table, width)
    with console.capture() as printed:
        console.print(shown)
    return printed.get(), left_out


def test_columns_go_by_their_priority_and_the_last_of_alike_first() -> None:
    columns = (
        make_label_column("arm"),
        Column("one"),
        Column("two"),
        Column("score", priority=MAIN),
        Column("extra", priority=0),
    )
    table = Table(columns, (("oracle", "1111111111", "2222222222", "3333333333", "4444444444"),))
    gone: Callable[[int], tuple[str, ...]] = lambda width: drawn(table, width)[1]  # noqa: E731
    assert [gone(width) for width in (60, 45, 35, 25)] == [(), ("extra",), ("two", "extra"), ("one", "two", "extra")]


def test_an_id_stays_whole_and_a_place_is_broken_between_its_parts() -> None:
    columns = (Column("id", "id", MAIN), Column("place", "text", MAIN), Column("level", "text"))
    table = Table(columns, (("kway-partition-memory-3b1547", "src/store/reservation_of_items.cpp:11-16", "package"),))
    out, left_out = drawn(table, 60)
    assert "kway-partition-memory-3b1547  src/store/" in out and ":" in out and "11-16" in out
    assert left_out == ("level",)
    assert drawn(table, 30) == ("id                          \nkway-partition-memory-3b1547\n", ("place", "level"))
    assert "".join(drawn(table, 20)[0].split()[1:]) == "kway-partition-memory-3b1547"


def test_a_label_longer_than_the_terminal_is_broken_and_not_cut() -> None:
    name = "x" * 70
    out, _ = drawn(Table((make_label_column("function"), make_label_column("arm")), ((name, "oracle"),)), 40)
    assert out.count("x") == 70 and "oracle" in "".join(out.split())
    assert all(len(line) <= 40 for line in out.splitlines())
