"""The page about a model in a headless Chromium: time to first paint, beside a plain page of the same bytes.

The two take turns in one browser. `a key` is the time from a key in a field of the form until the page shows the new
answer. Larger ratios are better; 1 would mean that the script costs nothing.
"""

import argparse
import shutil
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from treerules import Table, Tree, cart, learn
from treerules.report import report_page

#: Leaves, and the greatest size of the page in kB.
SIZES = ((50, 150), (1_000, None), (5_000, 800), (10_000, 1_600))
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null;"
KEY = """
const field = document.getElementById("field-0");
field.value = String(arguments[0]);
document.getElementById("missing-0").checked = false;
const start = performance.now();
field.dispatchEvent(new Event("input", { bubbles: true }));
return performance.now() - start;
"""


def tree_of(n_leaves: int) -> Tree:
    """Return a tree of so many leaves over ten numbers, some missing, and a column of 20 categories."""
    draw = np.random.default_rng(n_leaves)
    n = 12 * n_leaves + 500
    columns: dict[str, Any] = {f"number {k}": draw.normal(size=n).round(3).tolist() for k in range(10)}
    columns["number 0"] = [None if draw.random() < 0.1 else value for value in columns["number 0"]]
    columns["town"] = draw.choice([f"town {k}" for k in range(20)], size=n).tolist()
    columns["label"] = draw.choice(["a", "b", "c"], size=n).tolist()
    tree = learn(Table.from_columns(columns), target="label", recipe=cart(max_leaves=n_leaves))
    assert tree.n_leaves == n_leaves
    return tree


def plain_page(n_bytes: int) -> str:
    """Return a page of text without a script or a style, of so many bytes."""
    line = "<p>IF number 0 &lt;= 0.123 AND town in {town 1, town 2} THEN label = a</p>\n"
    start = '<!DOCTYPE html>\n<meta charset="utf-8"><title>plain</title>\n'
    return (start + line * (n_bytes // len(line) + 1))[:n_bytes]


def browser() -> Any:
    """Return a headless Chromium, or None where it or selenium is lacking."""
    try:
        from selenium.webdriver import Chrome, ChromeOptions, ChromeService
    except ImportError:
        return None
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        return None
    options = ChromeOptions()
    options.binary_location = program
    for argument in ARGUMENTS:
        options.add_argument(argument)
    return Chrome(options=options, service=ChromeService(driver))


def first_paint(driver: Any, path: Path) -> float:
    """Return the milliseconds from the start of a page until its first content is painted."""
    driver.get("about:blank")
    driver.get(path.as_uri())
    for _ in range(200):
        if (found := driver.execute_script(PAINT)) is not None:
            return float(found)
    raise AssertionError("the page was not painted")


def measure(driver: Any, n_leaves: int, most: int | None, rounds: int, folder: Path) -> str:
    """Return the line of a tree of so many leaves."""
    page = report_page(tree_of(n_leaves))
    size = len(page.encode())
    paths = [folder / "page.html", folder / "plain.html"]
    for path, text in zip(paths, (page, plain_page(size)), strict=True):
        path.write_text(text, encoding="utf-8")
    paints = [[first_paint(driver, path) for path in paths] for _ in range(rounds)]
    ours, plain = (median(column) for column in zip(*paints, strict=True))
    driver.get(paths[0].as_uri())
    keys = [driver.execute_script(KEY, number / 7) for number in range(-10, 11)]
    goal = "" if most is None else f"{most:7} {'met' if size <= most * 1_000 else 'missed'}"
    figures = f"{ours:9.0f} {plain:9.0f} {plain / ours:7.2f} {median(keys):9.0f}"
    return f"    {n_leaves:6} {size / 1000:9.0f} {goal:14} {figures}"


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two sizes, two rounds")
    quick = parser.parse_args().quick
    driver = browser()
    if driver is None:
        print("left out: chromium, chromedriver or selenium is not installed")
        return
    print("    leaves        kB  goal            page ms  plain ms   ratio  a key ms")
    with tempfile.TemporaryDirectory() as folder:
        for n_leaves, most in SIZES[:2] if quick else SIZES:
            print(measure(driver, n_leaves, most, 2 if quick else 7, Path(folder)), flush=True)
    driver.quit()


if __name__ == "__main__":
    main()
