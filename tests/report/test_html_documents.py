"""HTML of the command line in a real browser: a whole document, which needs nothing beside it."""

from pathlib import Path

import pytest

from browser import chromium
from command_line import printed
from paths import EXAMPLES
from treerules import cart, learn, read, save

pytestmark = [pytest.mark.process, pytest.mark.engine]


def test_documents_open_from_a_file_in_light_and_dark(tmp_path: Path) -> None:
    """Tables are laid out by the document's own style, Chinese is Chinese, and nothing is refused or asked for."""
    table = read(EXAMPLES / "loan.csv")
    old, new = str(tmp_path / "old.tree.json"), str(tmp_path / "new.tree.json")
    save(learn(table, target="类别", recipe=cart()), old)
    save(learn(table, target="类别", recipe=cart(max_depth=1)), new)
    commands = {
        "diff.html": ["diff", old, new, "--lang", "zh"],
        "show.html": ["show", old],
        "rules.html": ["rules", old, "--lang", "zh"],
        "check.html": ["check", new],
    }
    with chromium(tmp_path) as driver:
        for name, words in commands.items():
            page = tmp_path / name
            page.write_text(printed(*words, "--format", "html"), encoding="utf-8")
            for scheme in ("light", "dark"):
                features = [{"name": "prefers-color-scheme", "value": scheme}]
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
                driver.get(page.as_uri())
                assert driver.execute_script("return document.characterSet") == "UTF-8"
                assert driver.get_log("browser") == [], name
                red, *_ = (
                    driver.execute_script("return getComputedStyle(document.body).color").strip("rgb()").split(",")
                )
                assert (int(red) > 128) == (scheme == "dark"), name
            body = driver.find_element("tag name", "body").text
            assert "有自己的房子" in body or name == "check.html"
        driver.get((tmp_path / "rules.html").as_uri())
        style = "return getComputedStyle(document.querySelector('td')).textAlign"
        assert driver.execute_script(style) == "right"  # the number of the rule
        driver.get((tmp_path / "show.html").as_uri())
        lefts = "return [...document.querySelectorAll('li')].map((entry) => entry.getBoundingClientRect().left)"
        root, *others = driver.execute_script(lefts)
        assert all(left > root for left in others) and len(set(others)) == 2  # by depth
