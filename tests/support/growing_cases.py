"""Tables, recipes and problems on which growers are compared."""

from math import inf, nextafter
from typing import Any

import numpy as np
from hypothesis import strategies as st

from reference_growth import reference
from treerules import Recipe, Table, Tree, cart
from treerules.growing.growers import grow
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import Problem, problem_of

#: Values that a column may hold beside missing ones.
VALUES: dict[str, Any] = {
    "number": st.one_of(st.floats(-2, 2), st.sampled_from([inf, -inf, -0.0, 1.0, nextafter(1.0, 2.0), 5e-324, 1e308])),
    "half": st.integers(-4, 4).map(lambda value: value / 2),
    "integer": st.integers(-3, 3),
    "large": st.integers(2**53 - 2, 2**53 + 3),
    "flag": st.booleans(),
    "colour": st.sampled_from("abcdefghijklmn"),
    "level": st.sampled_from(["low", "middle", "high"]),
    "day": st.dates(),
    "moment": st.datetimes(),
}
TYPES = {
    "number": "number",
    "half": "number",
    "integer": "integer",
    "large": "integer",
    "day": "date",
    "moment": "timestamp",
}


@st.composite
def tables(draw: st.DrawFn, target: Any) -> Table:
    """Draw a table of up to 40 rows whose columns tie, repeat each other and miss values."""
    n = draw(st.integers(2, 40))
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4, unique=True))
    columns = {name: draw(st.lists(VALUES[name], min_size=n, max_size=n)) for name in names}
    for name in names:
        if draw(st.booleans()):
            holes = draw(st.lists(st.booleans(), min_size=n, max_size=n))
            columns[name] = [None if hole else value for hole, value in zip(holes, columns[name], strict=True)]
    types: dict[str, Any] = {name: kind for name, kind in TYPES.items() if name in names}
    if draw(st.booleans()):
        columns["twin"], types["twin"] = columns[names[0]], types.get(names[0], "category")
    if "level" in names:
        types["level"] = "ordinal:low<middle<high"
    columns["y"] = draw(st.lists(target, min_size=n, max_size=n))
    return Table.from_columns(columns, types={name: kind for name, kind in types.items() if kind != "category"})


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    """Draw a recipe that the kernels cover, with every stop."""
    return cart(
        criterion=draw(st.sampled_from(["gini", "entropy"])),
        categories=draw(st.sampled_from(["subset", "one_against_rest"])),
        missing=draw(st.sampled_from(["larger", "learned"])),
        thresholds=draw(st.sampled_from(["midpoint", "short", "data"])),
        base=draw(st.sampled_from(["2", "e"])),
        max_depth=draw(st.sampled_from([None, None, 0, 1, 3])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 3.5])),
        min_samples_split=draw(st.sampled_from([2, 2, 5])),
        min_gain=draw(st.sampled_from([0, 0, 0.02, 0.125])),
        min_impurity=draw(st.sampled_from([0, 0, 0.2])),
    )


def problem_for(table: Table, recipe: Recipe) -> Problem:
    """Return the problem of a table whose target is "y", with all its columns."""
    return problem_of(table, target="y", recipe=recipe, features=[c.feature.name for c in table.columns[:-1]])


def both(problem: Problem, recipe: Recipe) -> tuple[Tree, Tree]:
    """Return the tree of the kernels, which must cover the recipe, and that of the reference."""
    assert kernel_refusal(problem, recipe, None) is None
    return grow(problem, recipe, compiled=True), reference(problem, recipe)


def many(n: int, *, is_regression: bool, holes: float = 0.0) -> Table:
    """Return a table of lists, tables and bits, some cells of which are missing."""
    random = np.random.default_rng(5)
    columns: dict[str, Any] = {
        "normal": random.normal(size=n),
        "rounded": random.normal(size=n).round(1),
        "flag": random.integers(0, 2, size=n),
        "few": random.integers(0, 9, size=n),
        "colour": random.choice(list("abcdef"), size=n),
    }
    signal = columns["normal"] * (columns["flag"] + 1) + columns["few"] / 4 + random.normal(size=n)
    lists = {name: column.tolist() for name, column in columns.items()}
    for name in lists:
        lists[name] = [None if random.random() < holes else value for value in lists[name]]
    return Table.from_columns({**lists, "y": (signal if is_regression else signal > 1).tolist()})
