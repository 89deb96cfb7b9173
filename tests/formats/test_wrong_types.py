"""Arguments of the wrong type: readers and writers of rules refuse them with errors of ours."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import pandas as pd
import pytest

from golden_tree import golden_tree
from treerules import Table, TreeRulesError, compile_rules, read_rules, to_dmn
from treerules.errors import OptionError
from treerules.formats import (
    decision_table_text,
    rewrite_case,
    rules_from_csv,
    rules_from_dmn,
    rules_from_markdown,
    rules_from_sql,
    rules_from_text,
    rules_to_text,
)

TREE = golden_tree()
RULES = compile_rules(TREE)
(CASE,) = rules_from_sql("CASE WHEN x > 1 THEN 'a' ELSE 'b' END", dialect="duckdb")
#: Each public function of the package with arguments that it takes.
FUNCTIONS: dict[Callable[..., Any], dict[str, Any]] = {
    decision_table_text: {"rules": RULES},
    read_rules: {"path": "no such file.rules"},
    rewrite_case: {next(iter(signature(rewrite_case).parameters)): CASE, "dialect": "duckdb"},
    rules_from_csv: {"text": "x,y\n<=1,a\n"},
    rules_from_dmn: {"text": to_dmn(RULES)},
    rules_from_markdown: {"text": "|x|y|\n|-|-|\n|<=1|a|\n"},
    rules_from_sql: {"text": "CASE WHEN x > 1 THEN 'a' END"},
    rules_from_text: {"text": "ALWAYS a"},
    rules_to_text: {"rules": RULES},
    to_dmn: {"rules": RULES},
}
TABLE = Table.from_columns({"x": [1.0, 2.0]})
WRONG: tuple[Any, ...] = (TREE, RULES, TABLE, "text", None, pd.DataFrame({"x": [1]}), 3, ["a list"], {1: 2}, b"bytes")


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_wrong_values_of_any_argument_are_errors_of_ours(function: Callable[..., Any]) -> None:
    """A tree, rules, a table, text, None, a frame, a number, a list, a mapping, bytes: an answer, or such an error."""
    for name in signature(function).parameters:
        for value in WRONG:
            try:
                function(**{**FUNCTIONS[function], name: value})
            except TreeRulesError as error:
                assert str(error)


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f is not read_rules], ids=lambda f: f.__name__)
@pytest.mark.parametrize("value", [None, 3, ["a list"], TABLE, pd.DataFrame()], ids=lambda value: type(value).__name__)
def test_the_error_names_function_and_argument(function: Callable[..., Any], value: Any) -> None:
    """Of the first argument: what is read or written."""
    name = next(iter(FUNCTIONS[function]))
    with pytest.raises(OptionError, match=rf"^{function.__name__}\({name}=.*\): expected "):
        function(**{**FUNCTIONS[function], name: value})
