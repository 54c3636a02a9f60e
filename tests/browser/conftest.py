"""A server in a thread, and headless Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Error, Locator, Page, expect, sync_playwright

import cases
from tenbo.ledger.store import open_store
from tenbo.web import create_app

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_MEANT = ("net::ERR_FAILED", "net::ERR_INTERNET_DISCONNECTED", "status of 409", "status of 422")
"""What a test does to the network itself, and pages that say what is wrong: Chromium tells the console, too."""
Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/browser/" in str(item.path).replace(os.sep, "/"):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the pages are served."""
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('tables')}/tables.db")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(create_app(store, tables_per_hour=0), port=port, log_level="error", ws="none", lifespan="on")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < until, "the server did not start in time"
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    server.force_exit = True  # whoever still follows a table
    thread.join(10)
    store.close()


@pytest.fixture(scope="module")  # its event loop would be in the way of other modules' tests
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = shutil.which("chromium")
    if found is None:
        cases.not_here("no chromium: browser tests need Debian's package chromium (as root: apt-get install chromium)")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        except Error as error:
            cases.not_here(f"chromium does not start: {error}")
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Opens a page in a fresh profile: `open_page("/", width=320, height=640, dark=True)`.

    Whatever the page writes to its console as an error, and every script error, fails the test.
    """
    contexts = []
    wrong: list[str] = []

    def open_(path: str, width: int = 390, height: int = 844, *, dark: bool = False, **more: Any) -> Page:
        phone = width < 800
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=phone,
            is_mobile=phone,
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: (
                wrong.append(said.text) if said.type == "error" and not any(m in said.text for m in _MEANT) else None
            ),
        )
        page.goto(address + path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not wrong


_TARGETS = """() => [...document.querySelectorAll("a[href], button, summary, select, textarea, label, input")]
    .filter(one => one.checkVisibility({visibilityProperty: true, opacityProperty: true}))
    .filter(one => !one.matches(".skip, .hidden, #hand *, [type=hidden], [type=radio], [type=checkbox]"))
    .filter(one => one.tagName !== "LABEL" || one.querySelector("[type=radio], [type=checkbox]"))
    .filter(one => getComputedStyle(one).display !== "inline")  // a word in a sentence
    .map(one => [one.tagName, one.className, (one.textContent || one.name).trim(), one.getBoundingClientRect()])
    .filter(([, , , box]) => box.width && box.height < 43.9)
    .map(([tag, className, text, box]) => `${tag} ${className} ${text.slice(0, 30)}: ${box.height}`)"""


def too_small(page: Page) -> list[str]:
    """What is meant to be tapped and is less than 44 px high, but for tiles in the hand and words in a sentence."""
    found: list[str] = page.evaluate(_TARGETS)
    return found


def settled(page: Page) -> None:
    """Waits until the page has the answer for what was last told on it."""
    expect(page.locator("form[aria-busy=true]")).to_have_count(0)


def goes(page: Page, target: Locator) -> None:
    """Clicks what leads to another page, and waits for that page and its scripts."""
    with page.expect_navigation():
        target.click()
