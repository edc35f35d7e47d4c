"""Prevents: a page that links to a page that was moved; a page or a recorded figure that names a module which was
renamed, or a command or an option that `graft` doesn't have; a page that doesn't say which question it answers, or
that nobody finds; a table that was typed or edited by hand and isn't what its JSON gives; a tour of the code that
leads past rooms which were moved; a site with a dead link, or a page that a reader without network can't see whole."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer.main

from benchmarks.figures.pages import CHARTS, TABLES, fill_tables, find_pages
from benchmarks.record import ROOT
from lab.cli.app import app
from tests.support.projects import write_files

FRONT = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [*FRONT, *DOCS]
# Pages beside the code. That of examples/inventory belongs to a tree that is indexed and built: its text is in keys.
BESIDE_CODE = sorted(
    page
    for package in ("agent", "retrieval", "index", "executor", "experiments", "lab", "benchmarks", "examples/demo")
    for page in (ROOT / package).rglob("*.md")
)
RECORDS = sorted((ROOT / "benchmarks" / "records").glob("*.json"))
# A page says "write this file": it needn't be there.
WRITTEN_BY_THE_READER = {"retrieval/text/mine.py"}
RECORD = re.compile(r"benchmarks/records/\w+\.json")
COMMANDS = typer.main.get_command(app)
PACKAGES = "graft|agent|retrieval|index|executor|experiments|lab|recipes|benchmarks|tests|docs|examples"
LINK = re.compile(r"\]\((?!https?:|mailto:)(?P<path>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
MODULE = re.compile(rf"python3? -m (?P<name>(?:{PACKAGES})(?:\.\w+)*)")
FILE = re.compile(rf"(?<![\w./-])(?P<path>(?:{PACKAGES}|\.ci)/[\w./-]*\w\.(?:py|yaml|md|json|txt|pl|cfg))\b")
COMMAND = re.compile(r"(?:^|[`(]|\s{2,})(?:\.venv/bin/)?graft (?P<words>[a-z][^`\n]*)", re.MULTILINE)


def ids(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """GitHub's anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_relative_links_lead_to_a_page_and_a_heading(page: Path) -> None:
    broken = []
    for found in LINK.finditer(page.read_text(encoding="utf-8")):
        target = page.parent / found["path"] if found["path"] else page
        if not target.exists() or (found["anchor"] and found["anchor"] not in anchors(target)):
            broken.append(found[0])
    assert not broken


def missing_modules(text: str) -> list[str]:
    """The modules that `python -m` runs in this text and that aren't there."""
    modules = {found["name"].replace(".", "/") for found in MODULE.finditer(text)}
    return [name for name in modules if not (ROOT / f"{name}.py").exists() and not (ROOT / name).is_dir()]


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_named_modules_files_commands_and_options_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = missing_modules(text)
    # Where links lead is tested above.
    files = {found["path"] for found in FILE.finditer(LINK.sub("", text))} - WRITTEN_BY_THE_READER
    missing += [path for path in files if not (ROOT / path).exists() and not RECORD.fullmatch(path)]
    assert missing == []
    assert list(wrong_commands(text)) == []


def command_of(words: list[str]) -> tuple[Any, str] | str:
    """The command that these words begin with, and its name; or what is wrong with them."""
    command: Any = COMMANDS
    name = "graft"
    while children := getattr(command, "commands", None):
        word = words.pop(0) if words else ""
        if word not in children:
            return f"{name} has no command {word!r}"
        command, name = children[word], f"{name} {word}"
    return command, name


def shown_commands(text: str) -> Iterator[list[str]]:
    """The words behind `graft` of every command in code, joined over a line's end by a backslash."""
    joined = re.sub(r"\\\n\s*", " ", text)
    code = re.findall(r"```\w*\n(.*?)```|^( {4,}\S.*)$|`([^`\n]+)`", joined, re.DOTALL | re.MULTILINE)
    for parts in code:
        for found in COMMAND.finditer("\n".join(parts)):
            yield re.split(r"\s+#|\s*\||;", found["words"])[0].split()


def wrong_commands(text: str) -> Iterator[str]:
    """What is wrong with the commands that this text shows."""
    for words in shown_commands(text):
        # "graft COMMAND --help" and lists such as "show, callers" aren't commands to run.
        if words[0] in {"index,"} or words == ["index"] or words == ["images"] or words == ["tasks"]:
            continue
        whole = " ".join(words)
        found = command_of(words)
        if isinstance(found, str):
            yield f"{whole}: {found}"
            continue
        command, name = found
        known = {"--help", *(flag for option in command.params for flag in (*option.opts, *option.secondary_opts))}
        options = [word.split("=")[0] for word in words if word.startswith("--")]
        yield from (f"{whole}: {name} has no option {option}" for option in options if option not in known)


@pytest.mark.parametrize("record", RECORDS, ids=ids)
def test_recorded_commands_can_be_given_today(record: Path) -> None:
    command = json.loads(record.read_text(encoding="utf-8")).get("command", "")
    assert missing_modules(command) == []
    assert list(wrong_commands(f"`{command}`")) == []


@pytest.mark.parametrize("page", [*PAGES, *BESIDE_CODE], ids=ids)
def test_lines_are_short(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    long = [number for number, line in enumerate(lines, 1) if len(line) > 119 and not line.lstrip().startswith("|")]
    assert not long


@pytest.mark.parametrize("page", DOCS, ids=ids)
def test_a_page_opens_with_its_question(page: Path) -> None:
    title, opening, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert "?" in title + opening


def test_docs_stay_short_and_the_index_leads_to_every_page() -> None:
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in DOCS) < 55_000
    docs = ROOT / "docs"
    index = (docs / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(docs) for page in DOCS if docs / "measured" not in page.parents]
    assert [str(page) for page in pages if f"({page})" not in index and page.name != "README.md"] == []


# Figures


@pytest.mark.parametrize("page", find_pages(), ids=ids)
def test_tables_are_what_their_json_gives(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert fill_tables(text) == text, "run `make figures`"


@pytest.mark.parametrize("file", CHARTS, ids=lambda file: file.name)
def test_charts_are_what_their_json_gives(file: Path) -> None:
    assert file.read_bytes() == CHARTS[file](), "run `make figures`"


def test_every_table_stands_on_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in find_pages())
    assert [name for name in TABLES if f"<!-- figures: {name} -->" not in text] == []


# The tour of the code

STOPS = re.findall(r"^\d+\. `([\w.]+)`", (ROOT / "docs/explanation/tour.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_tour_can_be_walked_in_one_sitting() -> None:
    assert 15 <= len(STOPS) <= 25


@pytest.mark.parametrize("stop", STOPS)
def test_each_stop_is_there(stop: str) -> None:
    names = stop.split(".")
    found: Any = None
    for number, name in enumerate(names, start=1):
        found = getattr(found, name, None) or importlib.import_module(".".join(names[:number]))
    assert callable(found)


# The site

# What a browser fetches by itself; an <a> is fetched by its reader.
FETCHED = re.compile(r"<(?:link|script|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//")


@pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs-material isn't installed: make setup-dev")
def test_the_pages_are_a_site_that_fetches_nothing_and_a_dead_link_ends_its_build(tmp_path: Path) -> None:
    checkout, site = tmp_path / "checkout", tmp_path / "site"
    for name in ("mkdocs.yml", ".ci/link_site_pages.py", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        write_files(checkout, {name: (ROOT / name).read_bytes()})
    for name in ("docs", "examples/cluster"):
        shutil.copytree(ROOT / name, checkout / name)

    def build() -> subprocess.CompletedProcess[str]:
        argv = [sys.executable, "-m", "mkdocs", "build", "--config-file", "mkdocs.yml", "--site-dir", str(site)]
        env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        return subprocess.run(argv, cwd=checkout, env=env, capture_output=True, text=True)

    done = build()
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}
    title = (ROOT / "README.md").read_text().split("\n", 1)[0].removeprefix("# ")
    assert title in pages["index.html"]
    assert "docs/how-to/read-a-failure.html" in pages
    assert [name for name, text in pages.items() if FETCHED.search(text)] == []
    # Of the pages one is enough now: each takes its time.
    shutil.rmtree(checkout / "docs")
    pages = {
        "docs/README.md": "# Pages\n",
        "README.md": "[a page](docs/README.md#nowhere), [a file](docs/missing.md)\n",
    }
    write_files(checkout, pages | dict.fromkeys(("CONTRIBUTING.md", "CHANGELOG.md"), "# Other\n"))
    done = build()
    assert done.returncode != 0
    assert "docs/missing.md" in done.stderr
    assert "#nowhere" in done.stderr
