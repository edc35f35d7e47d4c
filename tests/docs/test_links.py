"""Prevents: a page that links to a page that was moved; a page or a recorded figure that names a module which was
renamed, or a command or an option that `graft` doesn't have; a page that doesn't say which question it answers,
or that nobody finds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from lab.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
FRONT = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES = [*FRONT, *sorted((ROOT / "docs").rglob("*.md"))]
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
def test_named_modules_and_files_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = missing_modules(text)
    # Where links lead is tested above.
    files = {found["path"] for found in FILE.finditer(LINK.sub("", text))} - WRITTEN_BY_THE_READER
    missing += [path for path in files if not (ROOT / path).exists() and not RECORD.fullmatch(path)]
    assert not missing


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


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_shown_commands_and_options_exist(page: Path) -> None:
    assert list(wrong_commands(page.read_text(encoding="utf-8"))) == []


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


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=ids)
def test_a_page_opens_with_its_question(page: Path) -> None:
    title, opening, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert "?" in title + opening


def test_docs_stay_short() -> None:
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in (ROOT / "docs").rglob("*.md")) < 55_000


def test_the_index_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    index = (docs / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(docs) for page in docs.rglob("*.md") if docs / "measured" not in page.parents]
    assert [str(page) for page in pages if f"({page})" not in index and page.name != "README.md"] == []
