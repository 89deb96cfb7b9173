"""The pictures of the documentation, made by each build: our own SVG, and screenshots of a page in Chromium.

`PICTURES` has a function for each name, from a language to the text of an SVG file. Pages show them as
`_pictures/NAME.svg`. `SCREENSHOTS` has the pages that Chromium opens, for `_pictures/NAME.png`.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from treerules import Table, Tree, auto, cart, cross_validate, feature_gains, id3, importances, learn, read, render
from treerules.report import report_page

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@cache
def table(name: str) -> Table:
    """Return a table of the examples."""
    return read(EXAMPLES / name)


@cache
def loan() -> Tree:
    """Return the tree of the loan table by ID3."""
    return learn(table("loan.csv"), target="类别", recipe=id3())


@cache
def kyphosis() -> Tree:
    """Return a tree of two features."""
    return learn(table("kyphosis.csv"), target="Kyphosis", features=["Age", "Start"], recipe=cart(max_leaves=5))


@cache
def titanic() -> Tree:
    """Return the tree of the tutorial."""
    return learn(table("titanic.csv"), target="survived", weight="n", recipe=auto())


PICTURES: Mapping[str, Callable[[str], str]] = MappingProxyType({
    "loan_tree": lambda lang: render(loan(), format="svg", lang=lang),
    "loan_path": lambda lang: render(loan(), format="svg", lang=lang, row={"有自己的房子": "否", "有工作": "是"}),
    "loan_gains": lambda lang: render(feature_gains(table("loan.csv"), target="类别"), format="svg", lang=lang),
    "kyphosis_regions": lambda lang: render(kyphosis(), format="svg", lang=lang, regions=("Age", "Start")),
    "kyphosis_sizes": lambda lang: render(
        cross_validate(table("kyphosis.csv"), target="Kyphosis", recipe=cart()), format="svg", lang=lang
    ),
    "kyphosis_importances": lambda lang: render(importances(kyphosis()), format="svg", lang=lang),
    "titanic_tree": lambda lang: render(titanic(), format="svg", lang=lang),
})  # fmt: skip

SCREENSHOTS: Mapping[str, Callable[[str], str]] = MappingProxyType({
    "report_page": lambda lang: report_page(loan(), data=table("loan.csv"), lang=lang),
})  # fmt: skip


def write_pictures(folder: Path, lang: str) -> None:
    """Write all pictures of a language into a folder, which is made anew; screenshots only where Chromium is installed.

    Raises:
        FileNotFoundError: Chromium is not installed, and TREERULES_ENGINES says that it is required.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, picture in PICTURES.items():
        (folder / f"{name}.svg").write_text(picture(lang), encoding="utf-8")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None and os.environ.get("TREERULES_ENGINES") == "required":
        raise FileNotFoundError("the screenshots of the documentation need Chromium: apt-get install chromium")
    for name, page in SCREENSHOTS.items() if program else ():
        _screenshot(program, page(lang), folder / f"{name}.png")


def _screenshot(program: str, page: str, file: Path) -> None:
    """Write what Chromium shows of a page at 1100 x 900 pixels."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
        size = ["--window-size=1100,900", f"--user-data-dir={folder}/profile"]
        command = [program, *options, *size, f"--screenshot={file}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
