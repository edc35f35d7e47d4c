"""Prevents: a site with a dead link, one whose first page isn't the README, and a page that a reader without network
can't see whole."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="mkdocs-material isn't installed: make setup-dev")

ROOT = Path(__file__).resolve().parents[2]
# What a browser fetches by itself; an <a> is fetched by its reader.
FETCHED = re.compile(r"<(?:link|script|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//")


def build_site(checkout: Path, out: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "mkdocs", "build", "--config-file", "mkdocs.yml", "--site-dir", str(out)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(argv, cwd=checkout, env=env, capture_output=True, text=True)


def copy_checkout(folder: Path) -> Path:
    for name in ("mkdocs.yml", ".ci/link_site_pages.py", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in ("docs", "examples/cluster"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def test_the_pages_are_a_site_that_fetches_nothing(tmp_path: Path) -> None:
    done = build_site(copy_checkout(tmp_path / "checkout"), tmp_path / "site")
    assert done.returncode == 0, done.stderr
    pages = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_text() for path in tmp_path.rglob("site/**/*.html")
    }
    title = (ROOT / "README.md").read_text().split("\n", 1)[0].removeprefix("# ")
    assert title in pages["index.html"]
    assert "docs/how-to/read-a-failure.html" in pages
    assert [name for name, text in pages.items() if FETCHED.search(text)] == []


def test_a_dead_link_ends_the_build(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout")
    with (checkout / "README.md").open("a") as readme:
        readme.write("[a page](docs/README.md#nowhere), [a file](docs/missing.md)\n")
    done = build_site(checkout, tmp_path / "site")
    assert done.returncode != 0
    assert "docs/missing.md" in done.stderr
    assert "#nowhere" in done.stderr
