"""The page about a model in a real browser: what it shows is what `predict` and `explain` answer."""

import csv
import html
import json
import os
import random
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from browser import chromium
from command_line import printed
from hostile_names import ATTACKS, UNSTORABLE
from paths import LOAN
from report_pages import (
    FILL,
    assert_answers,
    fields_of,
    large,
    loan,
    mixed,
    mixed_table,
    moments,
    no_messages,
    opened,
    regression,
    shown_for,
    text_of,
    thousand,
)
from treerules import Ensemble, Table, cart, compile_rules, id3, learn, read, save, to_python
from treerules.report.page.report_page import report_page
from treerules.rules.phrasing import phrasing_for
from treerules.rules.wording import antecedent_texts, consequent_text, rule_texts
from treerules.testing import boundary_rows

pytestmark = [pytest.mark.process, pytest.mark.engine]


#: By name: what learns the model, the language of its page, and the number of rows.
MODELS = {
    "loan": (loan, "zh", 2000),
    "mixed": (mixed, "en", 2000),
    "regression": (regression, "en", 2000),
    "moments": (moments, "zh", 400),
    "thousand": (thousand, "en", 2000),
    "large": (large, "en", 100),
}


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a browser."""
    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.mark.parametrize("model", MODELS)
def test_the_page_answers_as_predict_and_explain_do(model: str, driver: Any, tmp_path: Path) -> None:
    """Prediction, rule, its sentence and the nearest change. A field is one line, so no row has a line break."""
    learned, lang, n = MODELS[model]
    assert_answers(learned(), report_page(learned(), lang=lang), lang, n, driver, tmp_path)


@pytest.mark.skipif("TREERULES_DATA" not in os.environ, reason="TREERULES_DATA does not name the folder of real data")
@pytest.mark.parametrize(
    ("file", "target", "lang"),
    [
        ("titanic", "Survived", "en"),
        ("adult_train", "c15", "zh"),
        ("penguins", "species", "zh"),
        ("diamonds", "price", "en"),
    ],
)
def test_pages_of_real_tables(file: str, target: str, lang: str, driver: Any, tmp_path: Path) -> None:
    """2,000 rows each: missing values, sets of categories, a regression."""
    table = read(Path(os.environ["TREERULES_DATA"]) / f"{file}.csv")
    tree = learn(table, target=target, recipe=cart(max_leaves=300))
    assert_answers(tree, report_page(tree, lang=lang), lang, 2000, driver, tmp_path)


def test_names_and_categories_are_only_text(driver: Any, tmp_path: Path) -> None:
    """Whatever columns, categories and classes are named, the page answers, asks for nothing and reports nothing."""
    for name in [*ATTACKS, *UNSTORABLE]:
        columns = {name: [name, "other", "a"] * 3, f"n{name}": [1, 2, 3] * 3, "target": [f"x{name}", "y", "z"] * 3}
        tree = learn(Table.from_columns(columns), target="target", recipe=cart())
        opened(driver, tmp_path, report_page(tree))
        rows = [{}, {name: name, f"n{name}": 1}, {name: "other"}][:: 1 if name.isprintable() else 2]
        cells = [[text_of(row.get(field)) for field in fields_of(tree)] for row in rows]
        assert driver.execute_script(FILL, json.dumps(cells)) == [shown_for(tree, row, "en") for row in rows], name
        no_messages(driver)


#: Cells of four columns as people type them; months and town have words for missing values.
TYPED = [
    ["-999", " Ulm", "2024-01-05", "true"],
    ["-999.0", "Ulm\t", "2024-02-05", "false"],
    ["-99", "Bonn", "-", "true"],
    ["-", " - ", "2024-03-05", "-"],
    ["12.5", "Bonn ", "2024-04-05", "false"],
    ["30", "  ", "2024-05-05", "true"],
    ["x y", "Ulm", "2024-06-05", "perhaps"],
    ["44", "Bonn", "soon", "false"],
]


@pytest.mark.parametrize("seed", range(4))
def test_typed_cells_are_read_as_those_of_a_file(seed: int, driver: Any, tmp_path: Path) -> None:
    """Words for missing values, trimmed text and cells that cannot be read: as `predict` reads them in a file."""
    draw = random.Random(seed)
    lines = [",".join(f'"{draw.choice(cells)}"' for cells in zip(*TYPED, strict=True)) for _ in range(60)]
    lines = [f"{line},{draw.choice('ab')}" for line in [*map(",".join, TYPED), *lines]]
    (tmp_path / "rows.csv").write_text("\n".join(["months,town,day,member,y", *lines]))
    choices = {"missing": ["-999", "-"], "trim": True, "unreadable": dict.fromkeys(("months", "day"), "missing")}
    table = read(tmp_path / "rows.csv", types={"months": "number", "day": "date", "member": "category"}, **choices)
    tree = learn(table, target="y", recipe=cart())
    opened(driver, tmp_path, report_page(tree))
    typed = [next(csv.reader([line])) for line in lines]
    places = [table.schema.indices[name] for name in fields_of(tree)]
    cells = [[row[place] for place in places] for row in typed]
    shown = driver.execute_script(FILL, json.dumps(cells))
    rows = read(tmp_path / "rows.csv", schema=tree.schema).rows()
    assert shown == [shown_for(tree, {name: row[name] for name in fields_of(tree)}, "en") for row in rows]
    no_messages(driver)


def test_ratios_of_large_integers_are_rounded_once(driver: Any, tmp_path: Path) -> None:
    """The change of one column is a whole one, as that of a category, where the ratio is nearest to 1: a tie."""
    columns = {"class": [1, 2, 3, 1, 2, 3], "sex": [*"fffmmm"], "y": [*"110000"]}
    tree = learn(Table.from_columns(columns), target="y", recipe=cart())
    opened(driver, tmp_path, report_page(tree))
    cells = {"class": -9007199254740991, "sex": "f"}
    (shown,) = driver.execute_script(FILL, json.dumps([[text_of(cells[name]) for name in fields_of(tree)]]))
    assert shown == shown_for(tree, cells, "en")
    assert "class -9007199254740991 -> 3" in shown[4]


def test_keys_change_the_answer(driver: Any, tmp_path: Path) -> None:
    """Thirty rows typed by keys, each cleared by keys before the next; a value that is none is an error by name."""
    from selenium.webdriver.common.keys import Keys

    tree = mixed()
    opened(driver, tmp_path, report_page(tree))
    fields = fields_of(tree)
    typed = [row for row in boundary_rows(tree, 300) if all(row.get(name) is not None for name in fields)]
    typed = [row for row in typed if all(str(value).isprintable() and value == value for value in row.values())][:30]
    assert len(typed) == 30
    for row in typed:
        for at, name in enumerate(fields):
            field = driver.find_element("id", f"field-{at}")
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(Keys.BACKSPACE, text_of(row[name]) or "", Keys.TAB)
            if driver.find_element("id", f"missing-{at}").is_selected():  # an empty text, where nothing was typed
                driver.find_element("id", f"missing-{at}").send_keys(Keys.SPACE)
        shown = [driver.find_element("id", name).text for name in ("prediction", "sentence", "change")]
        wanted = shown_for(tree, row, "en")
        assert shown == [wanted[0], wanted[2], wanted[4]], row
    field = driver.find_element("id", f"field-{fields.index('fare')}")
    field.send_keys("x")
    assert driver.find_element("id", "result").text.startswith("fare does not take")
    driver.find_element("id", f"missing-{fields.index('fare')}").click()
    assert driver.find_element("id", "prediction").text in tree.schema.classes
    no_messages(driver)


def changed(page: str, old: str, new: str) -> str:
    """Return a page with another script, which its policy allows."""
    script = page[page.index('<script type="module">') + 22 : page.index("</script>\n</body>")]
    assert old in script
    other = script.replace(old, new)
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script, other)]
    return page.replace(script, other).replace(*hashes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("codes[NODES[at]] <= NODES[at + 1]", "codes[NODES[at]] < NODES[at + 1]"),
        ("compared(cost, best.cost) < 0", "compared(cost, best.cost) > 0"),
        ("size = 3", "size = 0"),
        ("nextPlace(placeOf(TABLES[at][from - 1]))", "placeOf(TABLES[at][from - 1])"),
    ],
)
def test_a_wrong_script_is_found(old: str, new: str, driver: Any, tmp_path: Path) -> None:
    """Another comparison in the table of nodes, or in the search for the change, gives other answers."""
    with pytest.raises(AssertionError):
        assert_answers(mixed(), changed(report_page(mixed()), old, new), "en", 400, driver, tmp_path)


def test_the_policy_refuses_another_script(driver: Any, tmp_path: Path) -> None:
    """A page whose script was changed does nothing, and the console says why."""
    opened(driver, tmp_path, report_page(loan()).replace("const TEXTS", "let TEXTS"))
    assert driver.find_elements("id", "prediction") == []
    assert "Content Security Policy" in driver.get_log("browser")[0]["message"]


def test_rules_are_filtered_sorted_and_linked(driver: Any, tmp_path: Path) -> None:
    """The table holds the rules with a text, the largest first where that is asked; an address shows its rule."""
    from selenium.webdriver.support.select import Select

    tree = mixed()
    opened(driver, tmp_path, report_page(tree))
    rules = compile_rules(tree)
    texts = antecedent_texts(rules.schema, rules.rules, phrasing=phrasing_for(rules.training))
    rows = "return [...document.querySelectorAll('#rules tr')].map((row) => [...row.cells].map((c) => c.textContent));"
    answers = [consequent_text(rules.schema, rule.value) for rule in rules.rules]
    numbers = [str(rule.number) for rule in rules.rules]
    sizes = [f"{rule.figures.n:g}" for rule in rules.rules]
    whole = [list(cells) for cells in zip(numbers, texts, answers, sizes, strict=True)]
    assert driver.execute_script(rows) == whole
    driver.find_element("id", "filter").send_keys("bonn")
    assert driver.execute_script(rows) == [cells for cells in whole if "bonn" in "".join(cells).lower()]
    Select(driver.find_element("id", "sort")).select_by_value("rows")
    shown = [float(cells[3]) for cells in driver.execute_script(rows)]
    assert shown == sorted(shown, reverse=True) and len(set(shown)) > 3
    opened(driver, tmp_path, report_page(large()))
    driver.get(f"{(tmp_path / 'report.html').as_uri()}#rule=900")
    driver.refresh()
    assert driver.execute_script("return document.querySelector('tr:target').cells[0].textContent") == "900"
    no_messages(driver)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_cut_at_200_percent(lang: str, driver: Any, tmp_path: Path) -> None:
    """A window of half the width shows the page without scrolling sideways, but for the drawn tree."""
    opened(driver, tmp_path, report_page(mixed(), lang=lang))
    size = {"width": 640, "height": 450, "deviceScaleFactor": 2, "mobile": False}  # 1280 x 900 at 200 %
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wide = driver.execute_script("const page = document.documentElement; return page.scrollWidth - page.clientWidth;")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide <= 0


def test_every_rule_is_printed(driver: Any, tmp_path: Path) -> None:
    """The printed pages hold the conditions of each rule, also of those that the screen does not show at first."""
    if not shutil.which("pdftotext"):
        pytest.skip("pdftotext is not installed")
    tree = large()
    opened(driver, tmp_path, report_page(tree))
    printed_page = driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    (tmp_path / "report.pdf").write_bytes(b64decode(printed_page))
    done = subprocess.run(["pdftotext", "-raw", str(tmp_path / "report.pdf"), "-"], capture_output=True, check=True)
    text = "".join(done.stdout.decode().split())
    rules = compile_rules(tree)
    texts = antecedent_texts(rules.schema, rules.rules, phrasing=phrasing_for(rules.training))
    missing = [found for found in texts if "".join(found.split()) not in text]
    assert len(texts) > 900
    assert len(missing) < len(texts) / 50, missing[:3]  # a page break may divide a sentence


def axe() -> str:
    """Return axe-core, which finds what keeps people with disabilities from a page; the test is skipped without it."""
    folders = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    found = next((folder / "axe-core/axe.min.js" for folder in folders if (folder / "axe-core").is_dir()), None)
    if found is None:
        pytest.skip("NODE_PATH names no folder with axe-core")
    return found.read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["tree", "data", "ensemble"])
def test_the_page_is_accessible(kind: str, lang: str, scheme: str, driver: Any, tmp_path: Path) -> None:
    """axe-core finds no violation: labels, contrast, landmarks, names of controls."""
    script = axe()
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    table = mixed_table(600)
    model: Any = learn(table, target="answer", recipe=cart(max_leaves=20))
    if kind == "ensemble":
        model = Ensemble(model.schema, [model] * 3, [0.0, 0.0], average=True)
    opened(driver, tmp_path, report_page(model, data=table if kind == "data" else None, lang=lang))
    driver.execute_script(script)
    found = driver.execute_async_script("axe.run().then(arguments[0])")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert len(found["passes"]) > 10


def test_without_a_script_the_rules_are_listed(tmp_path: Path) -> None:
    """The first 500 sentences, and the number of the others; names are text."""
    page = report_page(large())
    rules = compile_rules(large())
    sentences = rule_texts(rules.schema, rules.rules, phrasing=phrasing_for(rules.training))
    assert page.count("<li>") == 500
    assert all(
        f"<li>{html.escape(sentence)}" in page.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")
        for sentence in sentences[:500]
    )
    assert f"{len(sentences) - 500} more rules" in page
    assert len(page.encode()) < 800_000
    assert page.count("</script") == 1


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    """`treerules report` writes what `report_page` returns."""
    save(loan(), tmp_path / "loan.tree.json")
    printed("report", str(tmp_path / "loan.tree.json"), "--lang", "zh", "-o", str(tmp_path / "report.html"))
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report_page(loan(), lang="zh")


def test_the_python_of_a_chinese_page_is_in_chinese() -> None:
    """The code that a page shows is that of `to_python` in the language of the page."""
    tree = learn(read(LOAN), target="类别", recipe=id3())
    page = html.unescape(report_page(tree, lang="zh"))
    assert to_python(tree, lang="zh").rstrip() in page
    assert "THEN 类别" not in page
