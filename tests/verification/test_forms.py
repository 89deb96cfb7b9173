"""Every form that is emitted can be verified: by running it, or where it is rules by a proof; what cannot says why."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from treerules import Feature, Kind, Schema, Tree, to_dbt, to_dmn, to_javascript, to_python, to_sql, verify
from treerules.emit import rules_table_sql
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.errors import FileError, OptionError
from treerules.formats import decision_table_text, rules_to_text
from treerules.testing import assert_equivalent
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest
from verified_models import a_model, database, needs_node, needs_postgres, written

PROCESS, ENGINE = pytest.mark.process, [pytest.mark.engine, needs_postgres]
NODE = [pytest.mark.engine, needs_node]
#: What is written, by the name of its file; all that is emitted and has one text.
FORMS: dict[str, Callable[[Tree], str]] = {
    "flat.py": lambda tree: to_python(tree, layout="flat", style="full"),
    "guarded.py": lambda tree: to_python(tree, layout="guarded", style="full"),
    "plain-flat.py": lambda tree: to_python(tree, layout="flat"),
    "plain-guarded.py": lambda tree: to_python(tree, layout="guarded"),
    "vectorized.py": lambda tree: to_python(tree, vectorized=True),
    "plain.mjs": to_javascript,
    "flat_plain.js": lambda tree: to_javascript(tree, layout="flat"),
    "full.js": lambda tree: to_javascript(tree, style="full"),
    "model.rules": rules_to_text,
    "table.csv": decision_table_text,
    "table.md": lambda tree: decision_table_text(tree, format="md"),
    "table.dmn": to_dmn,
}
MARKS: dict[str, Any] = {".py": PROCESS, ".js": NODE, ".mjs": NODE}


def _sql_forms() -> dict[str, Callable[[Tree], str]]:
    """Return every kind and layout of SQL on the engines that `verify` opens, and the rules as tables."""
    forms: dict[str, Callable[[Tree], str]] = {}
    for dialect in ("duckdb", "sqlite", "postgres"):
        for kind in SQL_KINDS.values():
            if kind.dialects and dialect not in kind.dialects:
                continue
            for layout in ("flat", "guarded"):
                forms[f"{dialect}-{kind.name}-{layout}.sql"] = lambda tree, d=dialect, k=kind.name, lay=layout: to_sql(
                    tree, dialect=d, kind=k, layout=lay
                )
        forms[f"{dialect}-rules-table.sql"] = lambda tree, d=dialect: rules_table_sql(
            tree, dialect=d, keys=["id", "a key"]
        )
    forms["duckdb-lookup.sql"] = lambda tree: to_sql(tree, dialect="duckdb", kind="select", layout="lookup")
    return forms


ALL = {**FORMS, **_sql_forms()}
PARAMETERS = [
    pytest.param(name, marks=ENGINE if name.startswith("postgres") else MARKS.get(Path(name).suffix, ()))
    for name in ALL
]


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_form_is_verified(name: str, tmp_path: Path) -> None:
    """What is written answers as the model; with another threshold in it, it does not."""
    tree, text = a_model(), ALL[name](a_model())
    where = database("postgres") if name.startswith("postgres") else None
    path = written(tmp_path / name, text)
    found = verify(tree, path, database=where)
    assert found and (found.is_proved or found.n_rows > 100), found
    assert "0.3" in text
    changed = verify(tree, written(path, text.replace("0.3", "0.31")), database=where)
    assert changed.difference is not None
    assert 0.3 < changed.difference.row["x"] <= 0.31, changed


def test_a_vectorised_module_is_asked_by_columns() -> None:
    """Imported or as text, with rows that it refuses among others, and a tree without splits."""
    tree, text = a_model(), to_python(a_model(), vectorized=True)
    assert_equivalent(tree, text)
    module = ModuleType("scores")
    exec(text, module.__dict__)
    assert_equivalent(tree, module)
    rows = [{"x": 0.1}, {"x": "no number"}, {"x": 0.5, "day": 7}]
    assert_equivalent(module, to_python(tree), rows=rows)  # both refuse the same rows
    module.predict = lambda columns: [None]  # type: ignore[attr-defined]
    assert "with 1 values" not in str(verify(tree, module))  # a row alone has one answer
    lone = Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER)), Leaf(MeanPrediction(2.0), [1]))
    assert_equivalent(lone, to_python(lone, vectorized=True))


def test_rules_in_a_file_are_compared_by_a_proof(tmp_path: Path) -> None:
    """A file of rules is read with the model's columns; integers stay integers, and a difference is a row."""
    root = Split(ThresholdTest(0, 3), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    tree = Tree(Schema([Feature("n", Kind.INTEGER)], Feature("y", Kind.NUMBER)), root)
    for name, text in (("t.csv", decision_table_text(tree)), ("t.dmn", to_dmn(tree)), ("t.rules", rules_to_text(tree))):
        path = written(tmp_path / name, text)
        assert verify(tree, path).is_proved
    written(path, text.replace("3", "4"))
    assert verify(tree, path).difference.row == {"n": 4}  # type: ignore[union-attr]


def test_what_cannot_be_run_says_what_to_use(tmp_path: Path) -> None:
    """Files of dbt, other endings, dialects without an engine here, and statements that change a table."""
    tree = a_model()
    for number, text in enumerate(to_dbt(tree, table="people").values()):
        path = written(tmp_path / f"{number}.sql", text)
        if "{%" in text or "{{" in text:
            with pytest.raises(FileError, match=r"is a template of dbt.*dbt compile"):
                verify(tree, path)
    with pytest.raises(OptionError, match=r"of rules: \.json, \.rules"):
        verify(tree, written(tmp_path / "schema.yml", "a: 1"))
    with pytest.raises(OptionError, match=r"the dialect that the first line of the file names is 'mysql'"):
        verify(tree, written(tmp_path / "my.sql", to_sql(tree, dialect="mysql")))
    with pytest.raises(OptionError, match="treerules diff MODEL FILE compares SQL of any dialect"):
        verify(tree, written(tmp_path / "my.sql", to_sql(tree, dialect="mysql")), dialect="mysql")
    with pytest.raises(OptionError, match=r"dialect=None"):
        verify(tree, written(tmp_path / "none.sql", "SELECT 1 AS prediction FROM data"))
    fills = "CREATE TABLE r (a INT); INSERT INTO other VALUES (1); SELECT 1 AS prediction FROM data;"
    with pytest.raises(FileError, match="several statements"):
        verify(tree, written(tmp_path / "fills.sql", fills), dialect="duckdb")
