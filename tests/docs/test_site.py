"""The built site: links and anchors lead somewhere, nothing is loaded from another host, search works from a disk.

The site is built by `python docs/build.py --output FOLDER`; TREERULES_SITE names the folder.
"""

import os
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from browser import chromium
from paths import ROOT

SITE = os.environ.get("TREERULES_SITE", "")
pytestmark = pytest.mark.engine


class Page(HTMLParser):
    """The names, links and loaded files of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what an element names, loads and leads to."""
        attributes = {name: value or "" for name, value in attrs}
        self.names |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.add(attributes["href"])
        elif "src" in attributes:
            self.loaded.add(attributes["src"])
        elif tag == "link" and attributes.get("rel") != "canonical":
            self.loaded.add(attributes["href"])


@cache
def parsed(path: Path) -> Page:
    """Return what a page names and leads to."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


@pytest.fixture(scope="module")
def site() -> Path:
    """Return the folder of the site."""
    if not SITE:
        (pytest.fail if os.environ.get("TREERULES_ENGINES") == "required" else pytest.skip)("TREERULES_SITE is not set")
    return Path(SITE)


def pages(site: Path) -> list[Path]:
    """Return the pages of the site."""
    return sorted(site.rglob("*.html"))


def test_every_link_and_file_inside_the_site_exists(site: Path) -> None:
    """Each `href`, `src` and `#anchor` of each page resolves."""
    broken = []
    for path in pages(site):
        for link in parsed(path).links | parsed(path).loaded:
            target, _, anchor = unquote(link).partition("#")
            target = target.partition("?")[0]
            if re.match(r"[a-z]+:", link):
                continue
            file = (path.parent / target).resolve() if target else path
            if not file.is_file() or (anchor and file.suffix == ".html" and anchor not in parsed(file).names):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert len(pages(site)) > 80
    assert not broken


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    """Pages load files of the site alone; so do their style sheets."""
    assert not [(path, link) for path in pages(site) for link in parsed(path).loaded if re.match(r"(https?:)?//", link)]
    assert not [path for path in site.rglob("*.css") if re.search(r"url\(['\"]?(https?:)?//", path.read_text("utf-8"))]


def test_each_page_leads_to_its_twin(site: Path) -> None:
    """A page that both languages have leads to the page of the same name in the other one."""
    for language, other in (("en", "zh"), ("zh", "en")):
        for source in (ROOT / "docs" / language).rglob("*.md"):
            name = source.relative_to(ROOT / "docs" / language).with_suffix("").as_posix()
            twin = name if (ROOT / "docs" / other / f"{name}.md").exists() else "index"
            link = "../" * (name.count("/") + 1) + f"{other}/{twin}.html"
            assert link in parsed(site / language / f"{name}.html").links, name


def test_formulas_are_mathml(site: Path) -> None:
    """The formulas of the books need no script."""
    for language in ("en", "zh"):
        page = site / language / "books" / "li_hang.html"
        assert page.read_text(encoding="utf-8").count("<math") >= 5
        assert not [file for file in parsed(page).loaded if "mathjax" in file.lower()]


@pytest.mark.parametrize(
    ("language", "query", "page"),
    [
        ("en", "mutually exclusive", "explanations/proof.html"),
        ("en", "TR102", "reference/codes.html"),
        ("zh", "规则互斥", "explanations/proof.html"),
        ("zh", "信息增益比", "books/li_hang.html"),
        ("zh", "CASE 表达式", "guides/checking_sql.html"),
    ],
)
def test_search_works_from_a_disk(site: Path, tmp_path: Path, language: str, query: str, page: str) -> None:
    """In a browser, without a server, a phrase finds its page; also a Chinese one without blanks."""
    with chromium(tmp_path) as browser:
        browser.get((site / language / "search.html").as_uri() + f"?q={quote(query)}")
        found = wait_for_results(browser)
        assert page in found, found
        assert not [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def wait_for_results(browser: Any) -> list[str]:
    """Return the pages that a search finds, once it has ended."""
    from selenium.webdriver.support.ui import WebDriverWait

    script = "return [...document.querySelectorAll('ul.search li a')].map(a => a.getAttribute('href').split(/[?#]/)[0])"
    ended = (
        "return !/Searching|正在搜索/.test(document.querySelector('#search-results h2')?.textContent ?? 'Searching')"
    )
    WebDriverWait(browser, 20).until(lambda driver: driver.execute_script(ended))
    WebDriverWait(browser, 20).until(lambda driver: driver.execute_script(script))
    return list(dict.fromkeys(browser.execute_script(script)))
