"""Prevents: a page that a browser refuses, shows wrongly or can't be used in without a mouse; a candidate's text that
becomes a part of the page; a story that isn't found."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from experiments.page import page_file
from tests.experiments.page.conftest import EVIL, Open

# One browser for all of them.
# Slow: a real Chromium.
pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


def violations(page: Page) -> list[Any]:
    return [
        (found["id"], [node["html"] for node in found["nodes"]]) for found in Axe().run(page).response["violations"]
    ]


def open_first_failure(page: Page) -> None:
    page.locator("#list a.m:not(.good)").first.click()
    expect(page.locator("#told h1")).to_be_focused()


def evil_story(page: Page) -> None:
    page.locator("#list tbody tr").first.get_by_role("link", name="none, sample 0").click()
    expect(page.locator("#told h1")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_the_report_a_story_and_the_keys(show: Open, html: Path, dark: bool) -> None:
    page = show(html, dark=dark)
    page.locator("figure summary").first.click()
    assert violations(page) == []
    evil_story(page)
    page.keyboard.press("o")
    assert violations(page) == []
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert violations(page) == []


def test_what_a_model_wrote_is_shown_and_never_becomes_a_part_of_the_page(show: Open, html: Path) -> None:
    page = show(html)
    assert EVIL in page.locator("h1").inner_text()
    evil_story(page)
    told = page.locator("#told")
    assert told.locator("script, img").count() == 0
    assert told.evaluate("(told, text) => told.textContent.split(text).length - 1", EVIL) >= 5
    assert page.evaluate("window.taken") is None
    # Were one ever to become a part of it, no browser would run it.
    policy = page.locator("meta[http-equiv]").get_attribute("content") or ""
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy


def test_all_is_reached_by_keys(show: Open, html: Path) -> None:
    page = show(html)
    page.keyboard.press("/")
    expect(page.locator("#query")).to_be_focused()
    page.keyboard.type("date")
    expect(page.locator("#list tbody tr")).to_have_count(page.locator("#list tbody th", has_text="date").count())
    assert 0 < page.locator("#list tbody tr").count() < 9
    links = page.locator("#list tbody a.m")
    links.nth(1).focus()
    page.keyboard.press("Enter")
    heading = page.locator("#told h1")
    expect(heading).to_be_focused()
    first = page.url
    page.keyboard.press("j")
    page.wait_for_function("before => location.href !== before", arg=first)
    page.keyboard.press("k")
    page.wait_for_function("before => location.href === before", arg=first)
    expect(page.locator("#others a[aria-current]")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("#overview")).to_be_visible()
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("t")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    # Keys that come faster than the browser tells of a change are all followed.
    links.nth(1).click()
    expect(heading).to_be_focused()
    press = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
    page.evaluate(f"keys => keys.forEach({press})", ["j", "j", "k", "u"])
    expect(page.locator("#overview")).to_be_visible()
    expect(links.nth(2)).to_be_focused()


def test_tables_sort_and_filter(show: Open, html: Path) -> None:
    page = show(html)

    def passed() -> list[float]:
        return [float(text.split()[0]) for text in page.locator("#arms tbody td.strong").all_inner_texts()]

    assert passed() == sorted(passed(), reverse=True)
    page.locator("#arms thead button", has_text="pass@1").click()
    assert passed() == sorted(passed())
    expect(page.locator("#arms th[aria-sort]")).to_have_text("pass@1")
    page.locator("#why tbody a").last.click()
    expect(page.locator("#by-sample")).to_have_attribute("aria-pressed", "true")
    rows = page.locator("#list tbody tr")
    wanted = page.locator("#why tbody a").last.inner_text().split()[0]
    expect(page.locator("#count")).to_contain_text(f", {wanted} sample")
    expect(rows).to_have_count(int("".join(filter(str.isdigit, wanted))))
    page.locator("#filters button[type=reset]").click()
    expect(rows).to_have_count(90)
    page.locator("#list thead button", has_text="tokens").click()
    tokens = [int(text) for text in page.locator("#list tbody td:nth-child(9)").all_inner_texts()]
    assert tokens == sorted(tokens)
    page.locator("#solved").select_option("none")
    assert 0 <= rows.count() < 90


def test_a_link_opens_its_story_and_the_way_back_is_the_browsers(show: Open, html: Path) -> None:
    page = show(html)
    open_first_failure(page)
    told = page.locator("#told h1").inner_text()
    again = show(html, "#" + page.url.partition("#")[2])
    expect(again.locator("#told h1")).to_have_text(told)
    page.go_back()
    expect(page.locator("#overview")).to_be_visible()


def test_stories_that_are_too_large_load_from_the_folder_beside_the_page(
    show: Open, run: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_file, "MOST_IN_PAGE", 1000)
    file = tmp_path / "r s.html"
    written = page_file.write_page([str(run)], file)
    assert written.beside == tmp_path / "r s_files"
    page = show(file)
    open_first_failure(page)
    expect(page.locator("#told .verdict")).to_be_visible()
    link = page.url.partition("#")[2]
    shutil.rmtree(written.beside)
    again = show(file, noisy=True)
    again.evaluate("hash => { location.hash = hash }", link)
    expect(again.locator("#told .flag")).to_contain_text("belongs beside this page")


def test_it_fits_a_narrow_screen_and_paper(show: Open, html: Path) -> None:
    page = show(html, wide=390)
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(width) <= 390
    open_first_failure(page)
    assert page.evaluate(width) <= 390
    page.emulate_media(media="print")
    expect(page.locator(".top")).to_be_hidden()
    closed = "document.querySelectorAll('#told details:not([open])').length"
    before = page.evaluate(closed)
    page.evaluate(f"() => addEventListener('beforeprint', () => {{ window.onPaper = {closed}; }})")
    assert page.pdf()[:4] == b"%PDF"
    assert (page.evaluate("window.onPaper"), page.evaluate(closed)) == (0, before)
    assert before > 0
