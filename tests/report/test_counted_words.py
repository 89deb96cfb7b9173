"""Models that count the weight of rows say "weight" wherever others say "n": learned by weights, and imported ones."""

import json
import re
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Table, cart, compile_rules, learn, load, render, save, to_javascript, to_python, to_sql
from treerules.emit import rules_table_sql
from treerules.errors import UnknownNameError
from treerules.importers import import_model
from treerules.report.page.report_page import report_page
from treerules.sklearn import TreeRulesClassifier

ROWS, LABELS, NUMBERS = np.arange(6.0)[:, None], list("aababb"), [1.5, 2, 3, 4, 5.5, 9]
FRACTIONS, WHOLE = [0.5, 1.5, 2.25, 0.75, 1.0, 1.0], [1, 3, 2, 1, 1, 1]


def table(target: list[Any]) -> Table:
    """Return the rows as a table."""
    return Table.from_columns({"x0": ROWS[:, 0].tolist(), "y": target})


_SCRIPT = re.compile("<(script|style).*?</", re.DOTALL)

WEIGHED: dict[str, Any] = {
    "learned": lambda: learn(table(LABELS), target="y", recipe=cart(max_depth=2), weight=FRACTIONS),
    "regression": lambda: learn(table(NUMBERS), target="y", recipe=cart(max_depth=1), weight=FRACTIONS),
    "estimator": lambda: TreeRulesClassifier(recipe=cart(max_depth=2)).fit(ROWS, LABELS, sample_weight=WHOLE).tree_,
    "imported": lambda: import_model(DecisionTreeClassifier(max_depth=2).fit(ROWS, LABELS, sample_weight=WHOLE)),
    "imported_regression": lambda: import_model(DecisionTreeRegressor(max_depth=2).fit(ROWS, NUMBERS, FRACTIONS)),
}
COUNTED: dict[str, Any] = {
    "learned": lambda: learn(table(LABELS), target="y", recipe=cart(max_depth=2)),
    "copies": lambda: learn(table(LABELS), target="y", recipe=cart(max_depth=2), weight=WHOLE),
    "classes": lambda: import_model(DecisionTreeClassifier(max_depth=2, class_weight="balanced").fit(ROWS, LABELS)),
    "regression": lambda: import_model(DecisionTreeRegressor(max_depth=2).fit(ROWS, NUMBERS)),
}


def texts(model: Any, lang: Any) -> dict[str, str]:
    """Return what reports and drawings say of a model's figures."""
    rules = compile_rules(model)
    pages = {form: render(rules, format=form, lang=lang) for form in ("text", "md", "html", "csv")}
    return {
        **pages,
        "drawing": render(model, format="text", lang=lang),
        "page": _SCRIPT.sub("", report_page(model, lang=lang)),
    }


@pytest.mark.parametrize("name", WEIGHED)
def test_weights_are_called_weights(name: str) -> None:
    """In text, Markdown, HTML, CSV, JSON, drawings, the page, SQL, Python and JavaScript, in English and in Chinese."""
    model = WEIGHED[name]()
    rules = compile_rules(model)
    for lang, counted, weight in (("en", "n", "weight"), ("zh", "样本数", "权重")):
        for form, text in texts(model, lang).items():
            assert weight in text, form
            assert re.search(rf"(?<!\w){counted} \d|>{counted}<|,{counted},", text) is None, form
    for record in json.loads(render(rules, format="json"))["rules"]:
        assert record["weight"] == rules.by_number(record["rule"]).figures.n and "n" not in record
    assert "-- rule 1: weight " in to_sql(model, dialect="duckdb", comments=True)
    emitted: dict[str, Any] = {}
    exec(to_python(model, style="full"), emitted)
    assert [rule["weight"] for rule in emitted["RULES"]] == [rule.figures.weight for rule in rules.rules]
    assert ", weight: " in to_javascript(model, style="full") and '"weight"' in rules_table_sql(
        model, dialect="duckdb", keys=["x0"]
    )
    assert rules.where("weight", least=1.1) == rules.where("n", least=1.1)


@pytest.mark.parametrize("name", COUNTED)
def test_rows_are_called_rows(name: str) -> None:
    """Also copies of rows, and rows of classes that weigh; there is no figure "weight"."""
    model = COUNTED[name]()
    pages = texts(model, "en")
    assert all(" weight" not in pages[form] for form in ("text", "csv", "drawing"))
    with pytest.raises(UnknownNameError, match="weight"):
        compile_rules(model).sorted_by("weight")


def test_a_model_file_keeps_what_is_counted(tmp_path: Any) -> None:
    """The words are the same after `save` and `load`."""
    model = WEIGHED["learned"]()
    save(model, tmp_path / "m.model")
    assert render(load(tmp_path / "m.model"), format="text") == render(model, format="text")
