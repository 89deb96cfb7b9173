"""A headless Chromium for the tests of pages; a test is skipped where it is lacking."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
)


@contextmanager
def chromium(folder: Path, width: int = 1280, height: int = 900) -> Iterator[Any]:
    """Yield a driver of Chromium whose profile is a new one in a folder.

    The test is skipped where Chromium, its driver or selenium is lacking, and fails there if TREERULES_ENGINES says
    "required".
    """
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    lacking = "" if all(programs) and find_spec("selenium") else "chromium, chromedriver or selenium is not installed"
    if lacking and os.environ.get("TREERULES_ENGINES") == "required":
        pytest.fail(lacking)
    if lacking:
        pytest.skip(lacking)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for argument in (*_ARGUMENTS, f"--user-data-dir={folder / 'profile'}", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=programs[1]))
    try:
        yield driver
    finally:
        driver.quit()
