"""Trees and names for the tests of plain modules."""

from typing import Any

from treerules import Table, Tree, cart, learn

#: Names of columns: keywords, functions and tables of modules, builtins, and names that become one identifier.
COLLIDING = (
    "class",
    "__debug__",
    "row",
    "value",
    "explain",
    "ANSWERS",
    "G1",
    "D20240301",
    "a b",
    "a_b",
    "a-b",
    "ａ_b",
    "1",
    "_",
    "COLUMN_1",
    "annual income of the whole household",
    "float",
    "INF",
    "missing",
    "names",
)


def three_rules() -> list[Tree]:
    """Return trees of three rules on three columns: text, numbers, and mixtures of kinds."""
    columns: dict[str, list[Any]] = {
        "有自己的房子": ["否", "否", "否", "是"],
        "有工作": ["否", "否", "是", "是"],
        "信贷情况": ["一般", "好", "好", "好"],
        "Start": [3.5, 8.0, 12.0, 18.0],
        "Age": [20, 60, 61, 90],
        "Number": [2.25, 7.5, 7.75, 9.0],
        "Sex": ["male", "female", "female", "female"],
        "Pclass": [1, 3, 2, 1],
        "is_child": [False, False, True, True],
    }
    trees = []
    for names in (
        ("有自己的房子", "有工作", "信贷情况"),
        ("Start", "Age", "Number"),
        ("Sex", "Pclass", "is_child"),
        ("Sex", "Age", "信贷情况"),
        ("is_child", "Start", "Number"),
        ("Pclass", "is_child", "Age"),
    ):
        table = Table.from_columns({**{name: columns[name] * 3 for name in names}, "y": ["a", "b", "c", "c"] * 3})
        trees.append(learn(table, target="y", recipe=cart(max_leaves=3), keep=list(names)))
    return trees
