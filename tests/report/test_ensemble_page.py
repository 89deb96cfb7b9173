"""The page of an ensemble in a real browser: margin and contributions are those of `explain`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import chromium
from command_line import printed
from paths import EXAMPLES
from report_pages import mixed_table, no_messages, opened, regression, text_of
from treerules import Ensemble, cart, explain, learn, save
from treerules.importers import import_model
from treerules.report import report_page
from treerules.report.explanation_report import unusual_columns
from treerules.rules.phrasing import phrasing_for
from treerules.rules.wording import antecedent_texts, consequent_text
from treerules.testing import boundary_rows
from treerules.trees import tested_columns
from treerules.trees.training_values import TrainingValues

pytestmark = [pytest.mark.process, pytest.mark.engine]

#: Sets the fields to each row, and returns what the page shows.
_FILL = """
return JSON.parse(arguments[0]).map((cells) => {
  cells.forEach((text, at) => {
    document.getElementById(`missing-${at}`).checked = text === null;
    document.getElementById(`field-${at}`).value = text ?? "";
  });
  document.getElementById("fields").dispatchEvent(new Event("input", { bubbles: true }));
  const text = (id) => document.getElementById(id)?.textContent ?? document.getElementById("result").textContent;
  const rows = [...document.querySelectorAll("#trees tr")].slice(1);
  return [text("prediction"), text("margin"), rows.map((row) => [...row.cells].map((cell) => cell.textContent))];
});
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a browser."""
    with chromium(tmp_path_factory.mktemp("browser")) as opened_browser:
        yield opened_browser


def boosted() -> Ensemble:
    """Return a model of XGBoost, which adds in float32."""
    return import_model(EXAMPLES / "kyphosis.xgboost.json", labels=["absent", "present"])


def forest() -> Ensemble:
    """Return an average of trees of classes over numbers, categories and booleans, with missing values."""
    trees = [learn(mixed_table(900 + 50 * number), target="answer", recipe=cart(max_leaves=12)) for number in range(5)]
    schema = trees[0].schema
    return Ensemble(schema, [tree for tree in trees if tree.schema == schema], [0.0, 0.0], average=True)


def sum_of_numbers() -> Ensemble:
    """Return a sum of more trees than the page shows."""
    return Ensemble(regression().schema, [regression()] * 37, [0.5], scale=0.25)


MODELS = {"boosted": (boosted, "en"), "forest": (forest, "zh"), "sum_of_numbers": (sum_of_numbers, "en")}


@pytest.mark.parametrize("name", MODELS)
def test_the_page_shows_what_explain_answers(name: str, driver: Any, tmp_path: Path) -> None:
    """The prediction, the margin to the last digit, and the 30 largest contributions with their rules."""
    ensemble, lang = MODELS[name][0](), MODELS[name][1]
    opened(driver, tmp_path, report_page(ensemble, lang=lang))
    fields = [feature.name for feature in tested_columns.tested_features(ensemble)]
    rows = [row for tree in ensemble.trees[:6] for row in boundary_rows(tree, 60)]
    cells = json.dumps([[text_of(row.get(field)) for field in fields] for row in rows])
    found = driver.execute_script(_FILL, cells)
    for row, (prediction, margin, trees) in zip(rows, found, strict=True):
        wanted = explain(ensemble, row)
        assert prediction == consequent_text(ensemble.schema, wanted.answer), row
        assert float(margin) == wanted.margin, row
        shown = wanted.contributions[:30]
        phrasing = phrasing_for(TrainingValues(), lang).naming(*unusual_columns(ensemble.schema, wanted.row))
        texts = antecedent_texts(ensemble.schema, [tree.rule for tree in shown], phrasing=phrasing)
        assert [cells[2] for cells in trees] == texts, row
        assert [int(cells[0]) for cells in trees] == [tree.tree for tree in shown], row
        added = [float(cells[1]) for cells in trees]
        assert added == pytest.approx([float(tree.added) for tree in shown], rel=1e-3), row
    no_messages(driver)


def test_rules_of_all_trees_are_listed(driver: Any, tmp_path: Path) -> None:
    """Each with its tree; the command writes the same page, and without a script the rules are there too."""
    ensemble = boosted()
    page = report_page(ensemble)
    opened(driver, tmp_path, page)
    rows = [row.text for row in driver.find_elements("css selector", "#rules tr")]
    assert len(rows) == ensemble.n_leaves
    assert rows[4].startswith("tree 2, rule 1 ")
    assert page.count("<li>") == ensemble.n_leaves
    assert driver.find_elements("id", "tree") == []
    save(ensemble, tmp_path / "m.ensemble.json")
    assert printed("report", str(tmp_path / "m.ensemble.json")) == page
    assert "Tree" in printed("report", str(tmp_path / "m.ensemble.json"), "--tree", "2")
    no_messages(driver)
