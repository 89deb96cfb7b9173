"""The tree in a page, and what else a page shows of a model, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from browser import chromium
from command_line import printed, run
from paths import EXAMPLES
from report_pages import large, loan, mixed_table, no_messages, opened
from treerules import (
    Table,
    cart,
    compile_rules,
    cross_validate,
    evaluate,
    id3,
    learn,
    permutation_importances,
    read,
    render,
    save,
    to_python,
    to_sql,
)
from treerules.errors import NotAPartitionError, OptionError
from treerules.formats import rules_from_text
from treerules.report import report_page
from treerules.trees import tested_columns

pytestmark = [pytest.mark.process, pytest.mark.engine]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a browser."""
    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


#: Of the items that are drawn: the text of the box, the level, whether it is unfolded, and whether it is marked.
_ITEMS = """
const own = (item, selector) => item.querySelector(`:scope > ${selector}`)?.textContent ?? "";
return [...document.querySelectorAll("#tree li")].map((item) => [
  own(item, ".condition"), own(item, ".box > strong"), own(item, ".box > .note"),
  Number(item.getAttribute("aria-level")),
  item.getAttribute("aria-expanded"), item.classList.contains("on"),
]);
"""


def test_the_tree_is_drawn_as_in_the_book(driver: Any, tmp_path: Path) -> None:
    """The loan table's tree (Li Hang, 2nd edition, figure 5.4); the path of the row of missing values is marked."""
    tree = learn(read(EXAMPLES / "loan.csv"), target="类别", recipe=id3())
    opened(driver, tmp_path, report_page(tree, lang="zh"))
    assert driver.execute_script(_ITEMS) == [
        ["", "有自己的房子?", "", 1, "true", True],
        ["= 否", "有工作?", "", 2, "true", True],
        ["= 否", "否", "规则 1", 3, None, True],
        ["= 是", "是", "规则 2", 3, None, False],
        ["= 是", "是", "规则 3", 2, None, False],
    ]
    no_messages(driver)


def test_arrow_keys_reach_every_node(driver: Any, tmp_path: Path) -> None:
    """Down from the root over all drawn boxes, each unfolded on the way: every rule is met once, in order."""
    from selenium.webdriver.common.keys import Keys

    tree = learn(mixed_table(1500), target="answer", recipe=cart(max_leaves=80))
    opened(driver, tmp_path, report_page(tree))
    assert any(item[4] == "false" for item in driver.execute_script(_ITEMS))
    root = driver.find_element("css selector", "#tree > li")
    root.send_keys(Keys.HOME)
    focused = "return [document.activeElement.querySelector('.note').textContent, document.activeElement.ariaExpanded];"
    met = []
    for _ in range(10 * tree.n_leaves):
        item = driver.switch_to.active_element
        note, expanded = driver.execute_script(focused)
        if expanded == "false":
            assert note.startswith("… ")
            item.send_keys(Keys.ARROW_RIGHT)
            assert driver.execute_script(focused) == ["", "true"]
        if note.startswith("rule "):
            met.append(int(note.removeprefix("rule ")))
        item.send_keys(Keys.ARROW_DOWN)
        if driver.switch_to.active_element == item:
            break
    assert met == [rule.number for rule in compile_rules(tree).rules]
    assert len(driver.find_elements("css selector", '#tree [tabindex="0"]')) == 1
    for _ in range(40):
        driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert driver.execute_script(_ITEMS)[0][2:5] == [f"… {tree.n_leaves} leaves", 1, "false"]
    no_messages(driver)


def test_the_tree_is_folded_and_zoomed(driver: Any, tmp_path: Path) -> None:
    """A large tree is drawn with few boxes; a click unfolds one; what is folded and drawn are all leaves."""
    tree = large()
    opened(driver, tmp_path, report_page(tree))
    items = driver.execute_script(_ITEMS)
    assert 30 < len(items) <= 130
    folded = [int(item[2].split()[1]) for item in items if item[4] == "false"]
    assert sum(folded) + sum(item[2].startswith("rule ") for item in items) == len(compile_rules(tree).rules)
    width = "return document.getElementById('tree').scrollWidth;"
    before = driver.execute_script(width)
    driver.find_element("id", "zoom-in").click()
    assert driver.execute_script(width) > 1.1 * before
    driver.find_element("id", "zoom-reset").click()
    assert driver.execute_script(width) == before
    root = driver.find_element("css selector", "#tree > li > .box")
    driver.execute_script("arguments[0].scrollIntoView({ inline: 'center' });", root)
    root.click()
    assert len(driver.execute_script(_ITEMS)) == 1
    root.click()
    assert len(driver.execute_script(_ITEMS)) == 3
    no_messages(driver)


def test_the_summary_names_data_recipe_errors_and_verdict(driver: Any, tmp_path: Path) -> None:
    """What the page says about the model; a tree of which nothing is known says so."""
    tree = loan()
    opened(driver, tmp_path, report_page(tree))
    names = "[...document.querySelectorAll('dt')]"
    summary = f"return {names}.map((name) => [name.textContent, name.nextElementSibling.innerText]);"
    found = dict(driver.execute_script(summary))
    assert tree.origin is not None
    assert found["Data"] == f"15 rows, hash {tree.origin.data[:16]}"
    assert found["Recipe"].startswith("cart: criterion='gini'")
    assert found["Error"].startswith("error on the training rows: 0; always the most frequent class: 0.4")
    assert (
        found["Check"].splitlines()[0]
        == "checked, with missing and unseen values: 3 rules, mutually exclusive and complete"
    )
    assert found["Check"].splitlines()[1].startswith("Every row meets exactly one rule")
    assert found["Privacy"] == "This page holds the categories of 有工作, 有自己的房子"
    opened(driver, tmp_path, report_page(evolve(tree, origin=None, recipe=None)))
    assert "unknown" in dict(driver.execute_script(summary))["Data"]
    chosen = learn(read(EXAMPLES / "kyphosis.csv"), target="Kyphosis")
    opened(driver, tmp_path, report_page(chosen))
    assert "10-fold cross-validation" in dict(driver.execute_script(summary))["Error"]


#: Three rules that people wrote; the second and the third have missing values.
RULES = """
column age: integer 18..120
column income: number
target ok: category {yes, no}
IF income > 8000 THEN yes
IF (age < 30 or missing) AND (income <= 8000 or missing) THEN no
IF age >= 30 AND (income <= 8000 or missing) THEN yes
"""


def test_rules_that_people_wrote_have_a_page(driver: Any, tmp_path: Path) -> None:
    """The answers are those of the rules, each rule names the one that it comes from; rules with a gap are refused."""
    rules = rules_from_text(RULES).rules
    page = report_page(rules)
    opened(driver, tmp_path, page)
    driver.find_element("id", "field-0").send_keys("40")
    assert driver.find_element("id", "prediction").text == "yes"
    assert driver.find_element("css selector", "#result a").text.endswith("from rule 3")
    rows = driver.find_elements("css selector", "#rules tr")
    sources = [row.text.split(", from rule ")[1].split()[0] for row in rows]
    assert sorted(sources) == ["1", "2", "3"]
    assert "Error" not in [name.text for name in driver.find_elements("css selector", "dt")]
    no_messages(driver)
    with pytest.raises(NotAPartitionError):
        report_page(rules_from_text(RULES.replace(">= 30", "> 30")).rules)
    (tmp_path / "ok.rules").write_text(RULES, encoding="utf-8")
    assert printed("report", str(tmp_path / "ok.rules")).partition("<main>")[2] == page.partition("<main>")[2]


def test_a_case_expression_has_a_page(driver: Any, tmp_path: Path) -> None:
    """Of the branches of a CASE, of which the first that holds decides, a tree is made."""
    case = "SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'middle' ELSE 'old' END AS grp FROM t"
    (tmp_path / "case.sql").write_text(case, encoding="utf-8")
    opened(driver, tmp_path, printed("report", str(tmp_path / "case.sql")))
    field = driver.find_element("id", "field-0")
    for age, group in (("29", "young"), ("30", "middle"), ("60", "old")):
        field.clear()
        field.send_keys(age)
        assert driver.find_element("id", "prediction").text == group
    (tmp_path / "gap.sql").write_text(case.replace("ELSE 'old' ", ""), encoding="utf-8")
    done = run("report", tmp_path / "gap.sql")
    assert done.returncode != 0 and "gap" in done.stderr and not done.stdout
    no_messages(driver)


def test_the_rules_are_shown_as_sql_and_python(driver: Any, tmp_path: Path) -> None:
    """The emitted texts, one at a time; a large model has none."""
    from selenium.webdriver.support.select import Select

    tree = loan()
    opened(driver, tmp_path, report_page(tree))
    form = Select(driver.find_element("id", "form"))
    shown = "return [...document.querySelectorAll('#table, .code')].filter((e) => !e.hidden).map((e) => e.id);"
    for value, code in (("sql", to_sql(tree, dialect="duckdb")), ("python", to_python(tree))):
        form.select_by_value(value)
        assert driver.execute_script(shown) == [f"code-{value}"]
        assert driver.find_element("id", f"code-{value}").get_property("textContent") == code
    form.select_by_value("table")
    assert driver.execute_script(shown) == ["table"]
    opened(driver, tmp_path, report_page(large()))
    assert driver.find_elements("id", "form") == []
    no_messages(driver)


def test_data_add_what_is_measured_on_it(driver: Any, tmp_path: Path) -> None:
    """Confusion matrix, cp table and importances are those of the functions; of an imported tree the reason is said."""
    table = read(EXAMPLES / "kyphosis.csv")
    tree = learn(table, target="Kyphosis", recipe=cart(min_samples_leaf=5))
    page = report_page(tree, data=table)
    assert render(cross_validate(table, tree=tree), format="svg") in page
    assert render(permutation_importances(tree, table), format="svg") in page
    opened(driver, tmp_path, page)
    cells = [cell.text for cell in driver.find_elements("css selector", ".part td")]
    for counts in evaluate(tree, table).confusion:
        assert {f"{count:g}" for count in counts} <= set(cells)
    no_messages(driver)
    opened(driver, tmp_path, report_page(evolve(tree, recipe=None), data=table))
    assert len(driver.find_elements("css selector", ".part")) == 2
    save(tree, tmp_path / "m.tree.json")
    written = printed("report", str(tmp_path / "m.tree.json"), "--data", str(EXAMPLES / "kyphosis.csv"))
    assert written.count("<svg") == 2
    stump = learn(table, target="Kyphosis", recipe=cart(max_leaves=2))
    save(stump, tmp_path / "m.tree.json")
    rows = (EXAMPLES / "kyphosis.csv").read_text(encoding="utf-8").splitlines()
    position = rows[0].split(",").index("Number")
    assert "Number" not in [feature.name for feature in tested_columns.tested_features(stump)]
    without = [",".join(cell for at, cell in enumerate(row.split(",")) if at != position) for row in rows]
    (tmp_path / "tested.csv").write_text("\n".join(without), encoding="utf-8")
    written = printed("report", str(tmp_path / "m.tree.json"), "--data", str(tmp_path / "tested.csv"))
    assert written.count("<svg") == 1 and "Number" in written


def test_a_regression_whose_squares_overflow_has_a_page() -> None:
    """The page says why there is no error on the training rows, and shows all else."""
    numbers = [1e308, -1e308, 1.0, 2.0] * 5
    tree = learn(Table.from_columns({"x": [1, 2, 3, 4] * 5, "y": numbers}), target="y", recipe=cart())
    page = report_page(tree)
    assert "leave the range of floats" in page
    assert "<h2>Tree</h2>" in page


def test_what_has_no_page(tmp_path: Path) -> None:
    """An ensemble without --tree, and what is no model."""
    with pytest.raises(OptionError, match="model"):
        report_page("loan.tree.json")  # type: ignore[arg-type]
    assert run("report", tmp_path / "none.tree.json").returncode == 3
