"""Arguments of a wrong type: the public functions of treerules.testing and `verify` refuse them by errors of ours."""

import inspect
from pathlib import Path
from typing import Any

import pandas
import pytest

import treerules.testing
from treerules import (
    Table,
    Tree,
    TreeRulesError,
    cart,
    compile_rules,
    learn,
    to_python,
    to_sql,
    verify,
)

TREE: Tree = learn(Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}), target="y", recipe=cart())
RULES = compile_rules(TREE)
#: Arguments with which each function gives a result.
VALID: dict[str, tuple[Any, dict[str, Any]]] = {
    "verify": (verify, {"source": TREE, "against": to_python(TREE)}),
    "assert_equivalent": (treerules.testing.assert_equivalent, {"a": TREE, "b": to_python(TREE)}),
    "assert_exclusive": (treerules.testing.assert_exclusive, {"rules": RULES}),
    "assert_complete": (treerules.testing.assert_complete, {"rules": RULES}),
    "check_rules": (treerules.testing.check_rules, {"rules": RULES}),
    "parametrize_rules": (treerules.testing.parametrize_rules, {"rules": {"a": RULES}}),
    "schemas": (treerules.testing.schemas, {}),
    "tables": (treerules.testing.tables, {}),
    "trees": (treerules.testing.trees, {}),
    "rule_sets": (treerules.testing.rule_sets, {}),
    "rows": (treerules.testing.rows, {"source": TREE}),
}
ODD = (TREE, RULES, Table.from_columns({"x": [1]}), "x", None, 3, pandas.DataFrame({"x": [1]}), [1])


@pytest.mark.parametrize("name", VALID)
def test_every_odd_argument_is_refused_by_an_error_of_ours(name: str, tmp_path: Path) -> None:
    """For each parameter a tree, rules, a table, text, None, a number, a data frame and a list."""
    function, valid = VALID[name]
    n_refused = 0
    for parameter in inspect.signature(function).parameters:
        for value in ODD:
            try:
                function(**{**valid, parameter: value})
            except TreeRulesError as error:
                n_refused += 1
                assert str(error)
    assert n_refused > 5


def test_sql_of_files_too(tmp_path: Path) -> None:
    """The options of SQL files are checked where there is such a file."""
    path = tmp_path / "rules.sql"
    path.write_text(to_sql(TREE, dialect="sqlite"), encoding="utf-8")
    assert verify(TREE, path)
    for option in ("database", "dialect", "rename"):
        for value in (TREE, 3, [1], "nonsense"):
            with pytest.raises(TreeRulesError):
                verify(TREE, path, **{option: value})  # type: ignore[arg-type]
