"""Models for the tests of pages, and what a page shows for rows of their tables."""

import json
import random
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import evolve

from paths import EXAMPLES
from treerules import Table, Tree, cart, explain, learn, predict, read
from treerules.data.value_format import value_text
from treerules.report.explanation_report import change_text, unusual_columns
from treerules.rules.phrasing import phrasing_for
from treerules.rules.wording import condition_text, consequent_text, rule_texts
from treerules.testing import boundary_rows
from treerules.trees import walkers


def loan() -> Tree:
    """Return the tree of Li Hang's loan table."""
    return learn(read(EXAMPLES / "loan.csv"), target="类别", recipe=cart())


def mixed(n: int = 1500) -> Tree:
    """Return a tree over numbers, integers, categories and booleans, with missing values and hostile names."""
    return learn(mixed_table(n), target="answer", recipe=cart())


def mixed_table(n: int) -> Table:
    """Return the table of `mixed`."""
    draw = random.Random(5)
    columns: dict[str, list[Any]] = {
        "age": [draw.choice([None, *range(18, 90)]) for _ in range(n)],
        "fare": [draw.choice([None, round(draw.gauss(30, 20), 2)]) for _ in range(n)],
        "town <b>": [draw.choice(["Ulm", "Bonn", "</script>", "", None, "上海"]) for _ in range(n)],
        "member": [draw.choice([True, False, None]) for _ in range(n)],
    }
    scores = zip(columns["age"], columns["fare"], columns["town <b>"], strict=True)
    columns["answer"] = [
        draw.choice("ab") if draw.random() < 0.2 else "ab"[((age or 40) + (fare or 20) > 70) ^ (town == "Ulm")]
        for age, fare, town in scores
    ]
    return Table.from_columns(columns)


def thousand() -> Tree:
    """Return a tree of 1,000 leaves, the most for which the page searches the nearest change."""
    tree = learn(mixed_table(9000), target="answer", recipe=cart(max_leaves=1000))
    assert tree.n_leaves == 1000
    return tree


def large() -> Tree:
    """Return a tree of some thousand leaves."""
    return mixed(4800)


def regression() -> Tree:
    """Return a regression over the ages and starts of the kyphosis table."""
    return learn(read(EXAMPLES / "kyphosis.csv"), target="Number", task="regression", recipe=cart(min_samples_leaf=4))


def moments() -> Tree:
    """Return a tree over dates, timestamps, an ordinal, integers beyond 2**53 and numbers near the ends of doubles."""
    draw = random.Random(7)
    start = datetime(2024, 1, 1)
    columns = {
        "day": [date(2024, 1, 1) + timedelta(draw.randrange(900)) for _ in range(400)],
        "时刻": [start + timedelta(microseconds=draw.randrange(10**12)) for _ in range(400)],
        "zoned": [(start + timedelta(seconds=draw.randrange(10**6))).replace(tzinfo=UTC) for _ in range(400)],
        "id": [2**53 + draw.randrange(100) for _ in range(400)],
        "x": [draw.choice([-1e308, -1e-320, 0.1 + 0.2, 1e16, 1e22, 123456789.125]) for _ in range(400)],
        "size": [draw.choice(["S", "M", "L", "XL"]) for _ in range(400)],
        "y": [draw.choice("pqr") for _ in range(400)],
    }
    table = Table.from_columns(columns, types={"size": "ordinal:S<M<L<XL"})
    tree = learn(table, target="y", recipe=cart())
    forms = {"day": "y/m/d", "时刻": "T", "zoned": " +08:00"}
    features = [evolve(feature, form=forms.get(feature.name, feature.form)) for feature in tree.schema.features]
    return evolve(tree, schema=evolve(tree.schema, features=features))


def shown_for(tree: Tree, row: Mapping[str, Any], lang: str) -> list[str]:
    """Return the prediction, the sentence of the rule, the path and the nearest change, as treerules words them."""
    found = explain(tree, row)
    assert found.rule is not None and found.answer == predict(tree, row)
    phrasing = phrasing_for(found.training, lang).naming(*unusual_columns(found.schema, found.row))
    (sentence,) = rule_texts(found.schema, [found.rule], phrasing=phrasing)
    change = change_text(found, lang, phrasing)
    features = {feature.name: feature for feature in found.schema.features}
    path = "; ".join(condition_text(features[step.column], step.condition, phrasing) for step in found.path)
    return [consequent_text(found.schema, found.answer, phrasing), f"#rule={found.rule.number}", sentence, path, change]


#: Sets the fields to each row, with an event as a key press gives it, and returns what the page shows.
FILL = """
const shown = [];
for (const cells of JSON.parse(arguments[0])) {
  cells.forEach((text, at) => {
    document.getElementById(`missing-${at}`).checked = text === null;
    document.getElementById(`field-${at}`).value = text ?? "";
  });
  document.getElementById("fields").dispatchEvent(new Event("input", { bubbles: true }));
  const text = (id) => document.getElementById(id)?.textContent ?? null;
  const link = document.querySelector("#result a")?.getAttribute("href") ?? text("result");
  const path = [...document.querySelectorAll("#path li")].map((step) => step.textContent).join("; ");
  shown.push([text("prediction"), link, text("sentence"), path, text("change")]);
}
return shown;
"""


def fields_of(tree: Tree) -> list[str]:
    """Return the columns that the page asks for: those that some split tests."""
    return [tree.schema.features[index].name for index in walkers.tested_indices([tree])]


def text_of(value: Any) -> str | None:
    """Return what a person types for a value."""
    return None if value is None or value != value else value_text(value, "")


def opened(driver: Any, folder: Path, page: str) -> None:
    """Open a page from the disk."""
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    driver.get(file.as_uri())


def no_messages(driver: Any) -> None:
    """Assert that the console is empty, and that the page asked for nothing: no error, nothing that was refused."""
    assert driver.get_log("browser") == []
    assert driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name);") == []
    assert driver.current_url.startswith("file:")


def assert_answers(tree: Tree, page: str, lang: str, n: int, driver: Any, folder: Path) -> None:
    """Assert that a page shows what treerules answers for rows at all thresholds and beside them."""
    opened(driver, folder, page)
    rows = [row for row in boundary_rows(tree, n) if not any("\n" in str(value) for value in row.values())]
    fields = fields_of(tree)
    cells = json.dumps([[text_of(row.get(name)) for name in fields] for row in rows])
    found = driver.execute_script(FILL, cells)
    for row, shown in zip(rows, found, strict=True):
        assert shown == shown_for(tree, row, lang), row
    no_messages(driver)
