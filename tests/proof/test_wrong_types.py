"""Arguments of the wrong type: each function about rules gives a result or an error that names the argument."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import polars as pl
import pytest

from treerules import (
    RuleList,
    Table,
    cart,
    check,
    check_list,
    compile_rules,
    diff,
    explain,
    learn,
    review,
    rule_metrics,
    to_exclusive,
    tree_from_rules,
)
from treerules.errors import OptionError, TreeRulesError

TABLE = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
TREE = learn(TABLE, target="y", recipe=cart())
RULES = compile_rules(TREE)
RULE_LIST = RuleList(RULES.schema, RULES.rules)
ARGUMENTS: dict[Callable[..., Any], dict[str, Any]] = {
    check: {"rules": RULES},
    check_list: {"rules": RULE_LIST},
    diff: {"old": RULES, "new": TREE},
    explain: {"rules": RULES, "row": {"x": 1}},
    review: {"rules": RULES},
    rule_metrics: {"rules": RULES, "table": TABLE},
    to_exclusive: {"rules": RULE_LIST},
    tree_from_rules: {"rules": RULES},
}
VALUES = {
    "tree": TREE,
    "rule set": RULES,
    "rule list": RULE_LIST,
    "rule": RULES.rules[0],
    "table": TABLE,
    "string": "abc",
    "None": None,
    "number": 3,
    "dict": {"x": 1},
    "list": [1],
    "array": np.array([[1.0, 2.0]]),
    "frame": pl.DataFrame({"x": [1, 2]}),
}
#: Values that a parameter does not take.
WRONG = {
    "rules": ("rule", "table", "string", "None", "number", "dict", "list", "array", "frame"),
    "old": ("rule", "table", "string", "None", "number", "dict", "list", "array", "frame"),
    "new": ("rule", "table", "string", "None", "number", "dict", "list", "array", "frame"),
    "table": ("tree", "rule set", "rule", "string", "number", "dict", "list", "array"),
    "row": ("tree", "rule set", "rule", "table", "string", "None", "number", "list", "array", "frame"),
    "domain": ("tree", "rule set", "rule", "table", "string", "number", "list", "array", "frame"),
    "limit": ("tree", "rule set", "rule", "table", "string", "dict", "list", "array", "frame"),
    "budget": ("tree", "rule set", "rule", "table", "string", "dict", "list", "array", "frame"),
    "drop_missing_target": ("tree", "rule set", "table", "string", "None", "number", "dict", "list"),
}


@pytest.mark.parametrize("function", ARGUMENTS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("value", VALUES)
def test_every_parameter_takes_a_value_or_raises_an_error_of_ours(function: Callable[..., Any], value: str) -> None:
    """Values that the parameter does not take are errors that name the function and the parameter."""
    for name in signature(function).parameters:
        arguments = {**ARGUMENTS[function], name: VALUES[value]}
        if value not in WRONG.get(name, ()):
            try:
                function(**arguments)
            except TreeRulesError:
                continue
            continue
        with pytest.raises(OptionError) as caught:
            function(**arguments)
        assert function.__name__ in str(caught.value) and name in str(caught.value)
