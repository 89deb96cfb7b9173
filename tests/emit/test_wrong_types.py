"""Arguments of the wrong type: each emitter refuses them with an error of ours that names function and argument."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import pandas as pd
import pytest

from golden_tree import golden_tree
from treerules import RuleList, Table, compile_rules, to_dbt, to_javascript, to_python, to_sql
from treerules.emit import Language, rules_table_sql, rules_table_statements, to_code
from treerules.errors import OptionError, TreeRulesError

TREE = golden_tree()
RULES = compile_rules(TREE)
TABLE = Table.from_columns({"x": [1.0, 2.0], "y": ["a", "b"]})
#: Each public emitter with the arguments that it needs besides the source.
EMITTERS: dict[Callable[..., Any], dict[str, Any]] = {
    to_python: {},
    to_javascript: {},
    to_sql: {"dialect": "duckdb"},
    to_dbt: {},
    to_code: {"language": Language("mine"), "template": "sql/none.j2"},
    rules_table_sql: {"dialect": "duckdb", "keys": ["id"]},
    rules_table_statements: {"dialect": "duckdb", "keys": ["id"]},
}
WRONG: tuple[Any, ...] = (TABLE, None, "text", 3, ["a list"], pd.DataFrame({"x": [1]}), {}, b"bytes")


@pytest.mark.parametrize("emit", EMITTERS, ids=lambda emit: emit.__name__)
@pytest.mark.parametrize(
    "source", [*WRONG, RuleList(RULES.schema, RULES.rules)], ids=lambda source: type(source).__name__
)
def test_what_is_no_tree_and_no_rule_set_is_refused(emit: Callable[..., Any], source: Any) -> None:
    """The error names the function and `source`, and says what is accepted."""
    with pytest.raises(OptionError, match=rf"^{emit.__name__}\(source=.*\): expected a Tree, a RuleSet or ParsedRules"):
        emit(source, **EMITTERS[emit])


def test_the_error_shows_the_way_from_a_rule_list() -> None:
    """A list of rules is not emitted, but the rule set that it becomes."""
    with pytest.raises(OptionError, match=r"to_exclusive\(rules\)\.rules"):
        to_python(RuleList(RULES.schema, RULES.rules))  # type: ignore[arg-type]


@pytest.mark.parametrize("emit", EMITTERS, ids=lambda emit: emit.__name__)
def test_wrong_values_of_any_argument_are_errors_of_ours(emit: Callable[..., Any]) -> None:
    """A table, None, text, a number, a list, a frame, a mapping or bytes: an answer, or an error of ours."""
    for name, parameter in signature(emit).parameters.items():
        if parameter.kind is Parameter.VAR_KEYWORD or name == "source":
            continue
        for value in WRONG:
            try:
                emit(TREE, **{**EMITTERS[emit], name: value})
            except TreeRulesError:
                continue
