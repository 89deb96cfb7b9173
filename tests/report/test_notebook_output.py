"""What notebooks show: static HTML of bounded size, of which twenty may stand on one page, light or dark."""

import re
from pathlib import Path
from typing import Any

import pytest

from browser import chromium
from paths import EXAMPLES
from report_pages import large
from treerules import (
    Ensemble,
    Table,
    cart,
    check,
    compile_rules,
    cross_validate,
    diff,
    evaluate,
    explain,
    feature_gains,
    learn,
    read,
)

#: A browser shows so many bytes at once.
MOST_BYTES = 400_000


def outputs() -> list[Any]:
    """Return a result of each kind that a notebook shows, small and large."""
    table = read(EXAMPLES / "kyphosis.csv")
    tree = learn(table, target="Kyphosis", recipe=cart())
    other = learn(table, target="Kyphosis", recipe=cart(max_depth=2))
    many = large()
    wide = Table.from_columns({f"column {number}": ["x" * 5_000] * 200 for number in range(500)})
    return [
        *(tree, many, Ensemble(tree.schema, [tree] * 300, [0.0, 0.0], average=True)),
        *(compile_rules(tree), compile_rules(many), check(compile_rules(tree)), check(compile_rules(many))),
        *(diff(tree, other), cross_validate(table, target="Kyphosis"), feature_gains(table, target="Kyphosis")),
        *(evaluate(tree, table), explain(tree, {"Age": 30}), explain(many, {"age": 30})),
        *(table, wide, other, learn(table, target="Kyphosis").estimate, learn(table, target="Number", recipe=cart())),
        *(feature_gains(table, target="Number"), cross_validate(table, target="Number")),
    ]


def test_outputs_are_static_and_bounded() -> None:
    """No script, no id, no style of one element, nothing to load; large results are cut."""
    found = outputs()
    assert len(found) == 20
    for result in found:
        html = result._repr_html_()
        assert not re.search(r"<script| id=| style=| on\w+=| href=| src=|@import|url\(", html), type(result)
        assert len(html.encode()) < MOST_BYTES, (type(result), len(html))


@pytest.mark.process
@pytest.mark.engine
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_twenty_outputs_stand_on_one_page(scheme: str, tmp_path: Path) -> None:
    """In a notebook's page: no message, and every text has the colour of the page around it."""
    cells = "".join(f"<section>{result._repr_html_()}</section>" for result in outputs())
    colours = {"light": ("#fff", "rgb(17, 17, 17)"), "dark": ("#111", "rgb(238, 238, 238)")}
    background, colour = colours[scheme]
    page = f'<!DOCTYPE html><meta charset="utf-8"><body style="background: {background}; color: {colour}">{cells}'
    (tmp_path / "notebook.html").write_text(page, encoding="utf-8")
    with chromium(tmp_path / "profile") as driver:
        driver.get((tmp_path / "notebook.html").as_uri())
        assert len(driver.find_elements("tag name", "section")) == 20
        assert len(driver.find_elements("tag name", "svg")) == 4
        script = (
            "return [...document.querySelectorAll('section td, section svg text')].map((e) => getComputedStyle(e).%s);"
        )
        assert set(driver.execute_script(script % "color")) == {colour}
        assert set(driver.execute_script(script.replace("td, section ", "") % "fill")) <= {colour, "rgb(0, 0, 0)"}
        assert driver.get_log("browser") == []
