"""One browser and one run's folder for all tests of the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from agent.values import Message
from benchmarks.experiments.big_run import make_big_run
from experiments.page import page_file
from experiments.run.records import Story, decode_json_value, encode_json_value, locate_story
from tests.support.engines import unavailable

# On a busy machine all takes its time.
WAIT_MS = 30_000
# Where a browser would run it, it leaves a trace.
EVIL = "</pre></script><script>window.taken = 1</script><img src=x onerror='window.taken = 1'>&amp;"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Open for one module alone: while it is, no other event loop can run in this process."""
    program = shutil.which("chromium")
    if program is None:
        unavailable("there is no Chromium: apt-get install chromium")
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """90 samples of the example's 9 first tasks; in the first sample's story the model is malicious."""
    folder = tmp_path_factory.mktemp("page") / "run <b>"
    make_big_run(folder, tasks=9, samples=2, dataset="example", model=f"openai/{EVIL}")
    path = locate_story(folder, "none", next(iter(sorted((folder / "samples/none").iterdir()))).name, 0)
    story = decode_json_value(Story, path.read_bytes(), path)
    talk = story.trajectory
    answer = talk.rounds[-1]
    evil = replace(answer, response=replace(answer.response, text=EVIL + "x" * 300, reasoning=EVIL))
    candidate = replace(talk.candidate, code=f"int f(void)\n{EVIL}\n", reason=EVIL)
    talk = replace(
        talk,
        messages=(Message("user", EVIL), *talk.messages),
        rounds=(*talk.rounds[:-1], replace(evil, candidate=candidate)),
        candidate=candidate,
        error=EVIL,
    )
    path.write_bytes(encode_json_value(replace(story, trajectory=talk)))
    return folder


@pytest.fixture
def cache(page_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set for one test: one that was set for the session hid the machine's base from all later tests."""
    monkeypatch.setenv("GRAFT_CACHE", str(page_cache))
    return page_cache


@pytest.fixture(scope="session")
def page_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def html(run: Path, page_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with its stories in it."""
    file = tmp_path_factory.mktemp("inside") / "report.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAFT_CACHE", str(page_cache))
        assert page_file.write_page([str(run)], file).beside is None
    return file


Open = Callable[..., Page]


@pytest.fixture
def show(browser: Browser) -> Iterator[Open]:
    """Opens a page from its file. At the end: nothing was printed to the console (unless it is `noisy`), and nothing
    came from a network."""
    seen: list[str] = []
    contexts = []

    def opened(file: Path, place: str = "", wide: int = 1280, dark: bool = False, noisy: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": wide, "height": 900}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        if not noisy:
            page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("request", lambda request: None if request.url.startswith("file:") else seen.append(request.url))
        page.set_default_timeout(WAIT_MS)
        page.goto(file.as_uri() + place)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert seen == []
