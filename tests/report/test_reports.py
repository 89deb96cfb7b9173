"""Each format of each result in REPORTS renders, another one is an error, and a new row works like the others."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from attrs import evolve, frozen

import treerules
from paths import ROOT
from treerules import (
    CrossValidation,
    Ensemble,
    Predictions,
    Table,
    cart,
    check,
    check_list,
    compare_recipes,
    compile_rules,
    cost_complexity_path,
    cross_validate,
    diff,
    evaluate,
    explain,
    feature_gains,
    importances,
    learn,
    optimal,
    permutation_importances,
    predict_table,
    render,
    review,
    rule_metrics,
    to_python,
    verify,
)
from treerules.errors import FileError, OptionError, UnknownNameError
from treerules.formats import rules_from_text
from treerules.proof import certify, prove_optimal
from treerules.proof.diff_parts import FileDiffs, diff_parts
from treerules.rendering.text_tables import TextTable
from treerules.report import FORMATS, REPORTS, Heading, Report, ReportOption, Reviews, render_result, tables_report

TABLE = Table.from_columns(
    {
        "年龄": [20, 30, 40, 50, 60, 70, 25, 35, 45, None],
        "<b>": ["a", "b|c", "a", 'd"e', "a", "b|c", "a", 'd"e', "b|c", "a"],
        "y": ["no", "no", "yes", "yes", "no", "yes", "no", "no", "yes", "no"],
    }
)
NUMBERS = Table.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.5, 2.5, 8.0, 9.0]})
TREE = learn(TABLE, target="y", recipe=cart(min_samples_leaf=2), features=["年龄", "<b>"])
OPTIMAL = learn(TABLE, target="y", recipe=optimal(max_depth=1, leaf_penalty=1), features=["年龄", "<b>"])
CERTIFICATE = prove_optimal(OPTIMAL, TABLE)
RULES = compile_rules(TREE)
OVERLAPPING = rules_from_text("IF x < 3 THEN a\nIF x < 5 THEN b\nIF x = 9 THEN b")
ORDERED = rules_from_text("ordered\nIF x < 3 THEN a\nIF x < 2 THEN b\nOTHERWISE c")


class Elements(HTMLParser):
    """Reads HTML: tags that are opened must be closed in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Remember a tag."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last tag."""
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return results of every type, with and without findings, for both tasks."""
    module = tmp_path_factory.mktemp("reports") / "rules.py"
    module.write_text(to_python(TREE), encoding="utf-8")
    numbers = learn(NUMBERS, target="y", recipe=cart())
    old = rules_from_text("IF x < 3 THEN a\nIF x >= 3 OR x IS missing THEN b")
    new = rules_from_text("IF x < 4 THEN a\nIF x >= 4 OR x IS missing THEN b")
    ensemble = Ensemble(TREE.schema, [TREE] * 40, [0.25, 0.0], average=True)
    return [
        *(TREE, ensemble, Ensemble(numbers.schema, [numbers])),
        *(numbers, RULES, compile_rules(numbers), ORDERED.rules),
        *(evaluate(TREE, TABLE), evaluate(numbers, NUMBERS)),
        *(feature_gains(TABLE, target="y"), feature_gains(NUMBERS, target="y")),
        *(importances(TREE), permutation_importances(TREE, TABLE)),
        *(learn(TABLE, target="y").estimate, learn(NUMBERS, target="y").estimate),
        *(rule_metrics(RULES, TABLE), rule_metrics(compile_rules(numbers), NUMBERS)),
        predict_table(TREE, TABLE, keys=["<b>"], rule=True, proba=True),
        cross_validate(TABLE, target="y", folds=2),
        compare_recipes(TABLE, [cart(), cart(max_depth=1)], target="y", folds=2),
        cost_complexity_path(TREE),
        *(check(RULES), check(OVERLAPPING.rules), check_list(ORDERED), review(OVERLAPPING), review(ORDERED)),
        Reviews([("a <b>.rules", [review(OVERLAPPING), review(ORDERED)]), ("", [review(RULES)])]),
        *(diff(old, new), diff(old, old), explain(TREE, {"年龄": 33}), explain(OVERLAPPING.rules, {"x": 10.0})),
        explain(Ensemble(TREE.schema, [TREE] * 40, [0.25, 0.0], average=True), {"年龄": 33}),
        explain(Ensemble(numbers.schema, [numbers]), {}),
        *(diff(ensemble, TREE, table=TABLE), diff(ensemble, ensemble)),
        FileDiffs([("<b>", diff_parts([old, ORDERED], [new, OVERLAPPING])), ("", diff_parts([old], [])), ("c", ())]),
        verify(TREE, module, most=5),
        certify(CERTIFICATE, TABLE, tree=OPTIMAL),
        certify(evolve(CERTIFICATE, lower=CERTIFICATE.lower + 1, cost=CERTIFICATE.cost + 1), TABLE),
        *(TABLE, Table.from_columns({f"c<{number}>": [None] * 3 for number in range(9)})),
    ]


def test_each_format_of_each_result_renders(results: list[Any]) -> None:
    """In both languages: JSON parses, CSV has rows of one length, tags of HTML are closed; a newline ends the text."""
    assert {type(result) for result in results} == set(REPORTS)
    for result in results:
        for format in REPORTS[type(result)].formats:
            for lang in ("en", "zh"):
                text = render(result, format=format, lang=lang)
                assert text.endswith("\n") and not text.endswith("\n\n\n"), (result, format)
                if format in ("json", "sarif"):
                    json.loads(text)
                if format == "csv":
                    rows = list(csv.reader(io.StringIO(text, newline="")))
                    assert len({len(row) for row in rows}) == 1 and rows[0], (result, format)
                if format == "html":
                    elements = Elements()
                    elements.feed(text)
                    assert not elements.open and "<b>\n" not in text
                    # static, and safe beside other outputs of a notebook: no script, no name of an element
                    assert not elements.attributes & {"style", "id", "href", "src"} and "script" not in elements.tags
                    assert not [name for name in elements.attributes if name.startswith("on")]


def test_the_documented_formats_are_those_of_the_reports() -> None:
    """The table in docs/en/reference/formats.md lists each type of result with its formats."""
    page = (ROOT / "docs" / "en" / "reference" / "formats.md").read_text(encoding="utf-8")
    table = page[page.index("| result | formats |") :].split("\n\n")[0].splitlines()[2:]
    documented = {}
    for row in table:
        names, formats = row.strip("| ").split(" | ")
        documented.update(dict.fromkeys(names.split(", "), tuple(re.findall(r"`(\w+)`", formats))))
    assert documented == {kind.__name__: report.formats for kind, report in REPORTS.items()}


def test_lists_of_markdown_have_no_blocks_of_code_and_a_difference_is_in_chinese() -> None:
    """Five blanks after the dash of a list would make a block of code; a Chinese report has no English sentence."""
    table = Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "a"]})
    equivalence = verify(learn(table, target="y", recipe=cart()), lambda row: "b")
    lines = render(equivalence, format="md").splitlines()
    assert len(lines) > 2 and all(re.match(r"- \S", line) for line in lines)
    chinese = render(equivalence, lang="zh")
    assert "此行的结果不同" in chinese and "树 得到 'a' (规则 1: 若 " in chinese
    assert not re.search("compared|rule|IF", chinese)
    assert "无差异" in render(verify(TREE, TREE), lang="zh")


def test_a_format_that_a_result_lacks_is_an_error(results: list[Any]) -> None:
    """The error names the formats that the result has; so does that of an unknown language, option or folder."""
    for result in results:
        report = REPORTS[type(result)]
        for format in {*FORMATS, "svg", ""} - set(report.formats):
            with pytest.raises(OptionError, match=r"format.*a format that .* has: 'text'") as error:
                render(result, format=format)
            assert all(repr(known) in str(error.value) for known in report.formats)
        with pytest.raises(OptionError):
            render(result, format=None)  # type: ignore[arg-type]
        with pytest.raises(UnknownNameError, match="'fr'"):
            render(result, lang="fr")
        with pytest.raises(OptionError, match="no such option"):
            render(result, colour="red")


def test_names_with_lone_surrogates_are_rendered_as_text_that_a_file_can_hold() -> None:
    """Each format is UTF-8; in JSON the escape reads back as the name."""
    table = Table.from_columns({"a\ud800": [1, 1, 2, 2], "y": ["p\udc00", "p\udc00", "q", "q"]})
    rules = compile_rules(learn(table, target="y", recipe=cart()))
    for format_ in ("text", "md", "csv", "json", "html"):
        assert render(rules, format=format_).encode("utf-8")
    assert "a\ud800" in json.loads(render(rules, format="json"))["rules"][0]["if"]


@pytest.mark.parametrize(("name", "heading"), [("=1+1", '"=1+1"'), ("-y", '"-y"'), ("@y", '"@y"'), ("y", "y")])
def test_the_csv_of_rules_has_no_formula(name: str, heading: str) -> None:
    """A spreadsheet computes what starts so; the name of the target stands in quotes there, as labels do."""
    rules = compile_rules(learn(Table.from_columns({"a": [1, 2], name: ["p", "q"]}), target=name, recipe=cart()))
    assert next(csv.reader(io.StringIO(render(rules, format="csv"))))[2] == heading


def test_what_cannot_be_rendered_is_named() -> None:
    """An error lists the results that can be rendered."""
    for nothing in (None, 3, "text", [TREE]):
        with pytest.raises(OptionError, match="a result that can be rendered: Tree, Ensemble, RuleSet"):
            render(nothing)
    with pytest.raises(FileError):
        render(evaluate(TREE, TABLE), templates="no such folder")


def test_options_belong_to_their_results() -> None:
    """The depth of a tree, the digits of gains; each refuses values that it does not accept."""
    assert render(TREE, depth=0).count("\n") == 1
    assert "0.97\n" not in render(feature_gains(TABLE, target="y"), digits=1)
    for result, options in (
        (TREE, {"depth": -1}),
        (TREE, {"depth": True}),
        (TREE, {"digits": 0}),
        (TREE, {"exact": 1}),
        (feature_gains(TABLE, target="y"), {"digits": 18}),
        (check(RULES), {"depth": 1}),
    ):
        with pytest.raises(OptionError):
            render(result, **options)  # type: ignore[arg-type]


def test_print_and_notebooks_show_every_result(results: list[Any]) -> None:
    """`print` shows the text and a notebook the HTML."""
    for result in results:
        assert str(result) + "\n" == render(result) or str(result) == render(result).rstrip("\n"), type(result)
        assert result._repr_html_() == render(result, format="html")


def test_reprs_are_short(results: list[Any]) -> None:
    """A repr names the class and fits on two lines."""
    for result in results:
        assert repr(result).startswith(f"<{type(result).__name__}") and len(repr(result)) < 200, repr(result)


def test_a_subclass_is_shown_like_its_class() -> None:
    """A result whose class derives from a type of REPORTS has the report of that type."""

    class Mine(CrossValidation):
        pass

    found = cross_validate(TABLE, target="y", folds=2)
    assert render(Mine(found.rows, found.tree, found.n_folds, found.root_risk)) == render(found)


@frozen
class Weather:
    """A result that treerules does not know."""

    days: tuple[str, ...]


def test_a_new_row_works_like_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A row with tables, a record, an option and a format of its own is all that a new type of result needs."""

    def table(weather: Weather, lang: str, limit: int) -> TextTable:
        return TextTable(["day"], [[day] for day in weather.days[:limit]])

    def parts(weather: Weather, lang: str, limit: int) -> list[Any]:
        return [Heading("Weather"), "two\nlines", table(weather, lang, limit)]

    def record(weather: Weather, lang: str, limit: int) -> dict[str, Any]:
        return {"days": weather.days[:limit]}

    limit = ReportOption("limit", 9, lambda value: type(value) is int, "a whole number")
    report: Report = tables_report(Weather, parts=parts, table=table, record=record, options=[limit], sarif=record)
    monkeypatch.setattr(render_result, "REPORTS", MappingProxyType({**REPORTS, Weather: report}))
    weather = Weather(("rain", "sun"))
    assert render(weather) == "== Weather\ntwo\nlines\n\nday\nrain\nsun\n"
    assert render(weather, format="md") == "## Weather\n\n- two\n- lines\n\n| day |\n|---|\n| rain |\n| sun |\n"
    assert render(weather, format="csv", limit=1) == "day\nrain\n"
    assert json.loads(render(weather, format="json")) == json.loads(render(weather, format="sarif"))
    assert "<h3>Weather</h3>" in render(weather, format="html") and "two<br>lines" in render(weather, format="html")
    with pytest.raises(OptionError, match="a Weather has"):
        render(weather, format="dot")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "table.md.j2").write_text("{{ rows | length }} rows\n", encoding="utf-8")
    assert render(weather, format="md", templates=tmp_path).endswith("2 rows\n")


def test_the_package_offers_its_names() -> None:
    """Each public name of treerules.report is there; `render` stands in treerules alone."""
    assert all(hasattr(treerules.report, name) for name in treerules.report.__all__)
    assert set(treerules.report.__all__) <= set(dir(treerules.report)) and "render" not in treerules.report.__all__
    with pytest.raises(AttributeError, match="has no attribute 'show'"):
        treerules.report.show  # noqa: B018


#: What the results of these tests are about, the symbols of the books, names of types and options, and of what SQL has.
NOT_WORDS = re.compile(
    r"(?<![A-Za-z])(yes|no|None|decision|rules|AUC|RMSE|MAE|R2|F1|Gini|log2?|exp|cp|alpha|se|min|cart|top|float64|Python)"
    r"(?![A-Za-z])"
)


def test_chinese_reports_have_no_english_words(results: list[Any]) -> None:
    """Text, Markdown, HTML and SVG in Chinese: no English word but rules to paste into a file, and messages of errors.

    Predictions are data: their columns have the names that they have in files.
    """
    for result in (result for result in results if not isinstance(result, Predictions)):
        for format in {"text", "md", "html", "svg"} & set(REPORTS[type(result)].formats):
            text = render(result, format=format, lang="zh")
            text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL) if format in ("html", "svg") else text
            text = re.sub(r"<[^>]*>", " ", text) if format in ("html", "svg") else text
            lines = [re.sub(r"补全规则.*|\bIF .*|.*both fire and predict.*", "", line) for line in text.splitlines()]
            words = re.findall(r"(?:[A-Za-z]{3,}|\b(?:n|sd) ).{0,30}", NOT_WORDS.sub("", "\n".join(lines)))
            assert not words, (type(result), format)
