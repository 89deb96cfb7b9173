"""Pictures in a real browser: no two labels overlap, none is small, and each stands in the box of its node."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import chromium
from paths import EXAMPLES
from treerules import Table, Tree, cart, id3, learn, read, render

#: The box of a text is that of its line, which is higher than its letters: two may share so many pixels.
_SHARED = 1.5

pytestmark = [pytest.mark.process, pytest.mark.engine]

#: The box of each text, the size of its font, and the outline of its node; None for the texts below the tree.
_MEASURE = """
const box = (element) => { const b = element.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
return [...document.querySelectorAll("text")].map((text) => {
  const outline = text.parentNode.querySelector("rect[stroke-width]");
  return [text.textContent, box(text), parseFloat(getComputedStyle(text).fontSize), outline && box(outline)];
});
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a browser for all tests of this file."""
    with chromium(tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


def drawn_tree(n_leaves: int) -> Tree:
    """Return a tree over numbers, dates and many categories, with wide, narrow and Chinese names."""
    draw = random.Random(n_leaves)
    towns = [f"{draw.choice(['Wimmelburg', 'Illi', '上海市浦东新区', 'Ωmega', 'Düsseldorf'])} {k}" for k in range(200)]
    names = ["WWWWMMMM", "iiii", "出生日期", "median_income", "a column with a very long name that is cut"]
    columns: dict[str, list[Any]] = {name: [draw.random() * 1e5 for _ in range(6000)] for name in names}
    columns["town"] = draw.choices(towns, k=6000)
    columns["label"] = draw.choices(["MMMM wide", "lil", "类别", "😀😀", "fifth class"], k=6000)
    return learn(Table.from_columns(columns), target="label", recipe=cart(max_leaves=n_leaves))


def numbers(n_leaves: int) -> Tree:
    """Return a regression with large means."""
    draw = random.Random(3)
    columns = {"x": [draw.random() for _ in range(3000)], "y": [draw.gauss(0, 1) * 1e6 for _ in range(3000)]}
    return learn(Table.from_columns(columns), target="y", recipe=cart(max_leaves=n_leaves))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("model", ["loan", "5", "50", "1000", "numbers"])
def test_a_picture_can_be_read(model: str, lang: str, browser: Any, tmp_path: Path) -> None:
    """5 and 50 leaves whole, 1,000 with the default depth: as the browser measures the texts."""
    if model == "loan":
        tree = learn(read(EXAMPLES / "loan.csv"), target="类别", recipe=id3())
    else:
        tree = numbers(50) if model == "numbers" else drawn_tree(int(model))
        assert tree.n_leaves == (50 if model == "numbers" else int(model))
    path = tmp_path / "tree.svg"
    path.write_text(render(tree, format="svg", lang=lang), encoding="utf-8")
    browser.get(path.as_uri())
    labels = browser.execute_script(_MEASURE)
    width, height = browser.execute_script(
        "const b = document.documentElement.viewBox.baseVal; return [b.width, b.height]"
    )
    assert len(labels) > 3 * min(tree.n_leaves, 30)
    for text, (left, top, right, bottom), size, outline in labels:
        assert size >= 10
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, text
        if outline is not None and top > outline[1]:
            assert left >= outline[0] and right <= outline[2] and bottom <= outline[3], text
    for index, (text, (left, top, right, bottom), *_) in enumerate(labels):
        for other, (other_left, other_top, other_right, other_bottom), *_ in labels[:index]:
            apart = (other_left - right, left - other_right, other_top - bottom, top - other_bottom)
            assert max(apart) >= -_SHARED, (text, other)
    outlines = [outline for *_, outline in labels if outline is not None]
    conditions = [(text, box) for text, box, _, outline in labels if outline is not None and box[1] < outline[1]]
    for text, (left, top, right, bottom) in conditions:
        for other_left, other_top, other_right, other_bottom in outlines:
            assert max(other_left - right, left - other_right, other_top - bottom, top - other_bottom) >= -_SHARED, text
