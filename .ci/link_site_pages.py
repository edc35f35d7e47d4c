"""Gives mkdocs the pages as they stand in the checkout: README.md is the first, and what a page links to lies where
the link says. Nothing else of the checkout becomes part of the site."""

from __future__ import annotations

import shutil
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

_PARTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "examples/cluster")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Called by mkdocs before it looks for pages."""
    checkout = Path(config.docs_dir).parent
    folder = checkout / "build" / "site-pages"
    shutil.rmtree(folder, ignore_errors=True)
    for name in _PARTS:
        link = folder / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(checkout / name)
    config.docs_dir = str(folder)
    return config
