"""How emitted code adds trees: as the model does, in doubles that are proved exact, or in doubles with a bound."""

import random
import re
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engines
from command_line import printed
from drawn_ensembles import ensembles
from ensemble_outputs import filled, n_different, of_arrays, of_ensemble, of_python, of_sql
from profiles import examples
from treerules import Ensemble, Feature, Kind, Schema, Tree, predict, save, to_javascript, to_python, to_sql
from treerules.emit import estimate
from treerules.emit.accumulation import accumulation_of, difference_bound
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.testing import boundary_rows
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest, leaves, predict_margin

SCHEMA = Schema([Feature("x", Kind.NUMBER)], Feature("margin", Kind.NUMBER))


def single_trees(n: int, *, unit: float = 2.0**-30) -> Ensemble:
    """Return n trees whose leaves are float32 numbers, whole multiples of a unit; their float32 sums are rounded."""
    generator = random.Random(7)
    members = []
    for number in range(n):
        values = [float(np.float32(generator.uniform(-0.3, 0.4))) for _ in range(2)]
        values = [float(np.float32(round(value / unit) * unit)) for value in values]
        low, high = (Leaf(MeanPrediction(value), (1,)) for value in values)
        members.append(Tree(SCHEMA, Split(ThresholdTest(0, float(number)), [low, high])))
    target = Feature("y", Kind.CATEGORY, ("no", "yes"))
    return Ensemble(Schema(SCHEMA.features, target), members, [0.125], sum_type="float32", link="sigmoid", cut=9.0)


@pytest.mark.parametrize("dialect", engines.parameters(engines.ENGINES))
def test_three_hundred_trees_are_added_in_float32(dialect: str) -> None:
    """By each engine the margins of the model to the bit; added in doubles they would be others."""
    ensemble = single_trees(300)
    rows = filled(ensemble, boundary_rows(ensemble, 80))
    rows = [row for row in rows if engines.opened(dialect).holds(row["x"])]
    expected = of_ensemble(ensemble, rows)
    assert n_different(expected, of_sql(ensemble, rows, dialect)) == 0
    assert n_different(expected, of_ensemble(evolve(ensemble, sum_type="float64"), rows)) > 0
    assert estimate(ensemble, dialect)


def exact_sums(ensemble: Ensemble, rows: list[dict[str, Any]]) -> list[Fraction]:
    """Return the sums of the leaves of rows without rounding."""
    return [Fraction(ensemble.base[0]) + sum(Fraction(predict(tree, row)) for tree in ensemble.trees) for row in rows]


def test_exact_sums_are_those_without_rounding() -> None:
    """In each language, and the difference from the model is within the bound that the code names."""
    ensemble = single_trees(60)
    rows = filled(ensemble, boundary_rows(ensemble, 200))
    expected = exact_sums(ensemble, rows)
    assert expected != [Fraction(margins[0]) for margins in of_ensemble(ensemble, rows).margins]
    text = to_sql(ensemble, dialect="duckdb", kind="select", accumulate="exact")
    (bound,) = re.findall(r"exact in float64, in any order; .* differ by at most (\S+)\n", text)
    for outputs in (
        of_python(ensemble, rows, accumulate="exact"),
        of_arrays(ensemble, rows, accumulate="exact"),
        of_sql(ensemble, rows, "duckdb", accumulate="exact"),
        of_sql(ensemble, rows, "sqlite", accumulate="exact"),
    ):
        assert [Fraction(margins[0]) for margins in outputs.margins] == expected
        differences = [
            abs(Fraction(predict_margin(ensemble, row)) - found) for row, found in zip(rows, expected, strict=True)
        ]
        assert 0 < max(differences) <= Fraction(bound)


@settings(max_examples=examples(40))
@given(st.data())
def test_margins_in_doubles_are_within_the_bound(data: st.DataObject) -> None:
    """Of drawn ensembles of every kind; exact ones give the same margins in every order of the trees."""
    ensemble = data.draw(ensembles())
    assume(ensemble.sum_type == "float32")
    rows = boundary_rows(ensemble, 40)
    double = accumulation_of(ensemble, "double").ensemble
    bound = difference_bound(ensemble, is_exact=False)
    for row in rows:
        pair = (np.atleast_1d(predict_margin(model, row)) for model in (ensemble, double))
        for single, other in zip(*(margins.tolist() for margins in pair), strict=True):
            assert abs(Fraction(single) - Fraction(other)) <= bound
    try:
        exact = accumulation_of(ensemble, "exact").ensemble
    except OptionError:
        return
    turned = evolve(exact, trees=exact.trees[::-1], outputs=exact.outputs[::-1])
    assert [predict_margin(exact, row) for row in rows] == [predict_margin(turned, row) for row in rows]


def test_sums_that_a_double_may_round_are_not_called_exact() -> None:
    """One leaf of 2^-60 beside others near 1: the error says how many digits are needed."""
    ensemble = single_trees(20)
    tiny = Tree(SCHEMA, Leaf(MeanPrediction(2.0**-60), (1,)))
    with pytest.raises(
        OptionError, match=r"accumulate='exact'.* need up to \d+ binary digits; a double has 53"
    ) as error:
        to_python(evolve(ensemble, trees=[*ensemble.trees, tiny], outputs=()), accumulate="exact")
    digits = int(re.findall(r"up to (\d+)", str(error.value))[0])
    most = sum(max(abs(leaf.prediction.value) for leaf in leaves(tree)) for tree in ensemble.trees) + 0.125
    assert digits == int(Fraction(most) * 2**60).bit_length()


def test_a_model_of_doubles_is_added_as_it_is() -> None:
    """`double` is its own way, without a remark; `exact` is proved or refused."""
    ensemble = evolve(single_trees(20), sum_type="float64")
    assert to_python(ensemble, accumulate="double") == to_python(ensemble)
    first, second, *_ = to_javascript(ensemble, accumulate="exact").split("\n")
    assert first == to_javascript(ensemble).split("\n")[0]
    assert second == "// sums of trees are exact in float64, in any order"
    assert "# 各树之和在 float64 中是精确的" in to_python(single_trees(20), accumulate="exact", lang="zh")


def test_wrong_ways_to_accumulate_are_errors() -> None:
    """A name that there is not, and a tree, whose leaves are not added."""
    ensemble = single_trees(3)
    for emit in (to_python, to_javascript):
        with pytest.raises(UnknownNameError, match="way to accumulate named 'doubles'; did you mean 'double'"):
            emit(ensemble, accumulate="doubles")  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="only the trees of an Ensemble are added"):
            emit(ensemble.trees[0], accumulate="exact")
    with pytest.raises(OptionError, match="only the trees of an Ensemble are added"):
        to_sql(ensemble.trees[0], dialect="duckdb", accumulate="double")
    with pytest.raises(UnsupportedError, match="accumulate 'exact' or 'double'"):
        to_sql(ensemble, dialect="snowflake", kind="select")
    assert estimate(ensemble, "snowflake", accumulate="exact")


def test_the_command_line_has_the_option(tmp_path: Path) -> None:
    """`--accumulate` of emit sql, python and javascript."""
    model = tmp_path / "m.ensemble.json"
    save(single_trees(9), model)
    for command, *options in (("sql", "--dialect", "snowflake", "--kind", "select"), ("python",), ("javascript",)):
        assert "differ by at most" in printed("emit", command, model, *options, "--accumulate", "exact")


def stump(low: float, high: float) -> Tree:
    """Return a tree of one split at 0.5."""
    return Tree(SCHEMA, Split(ThresholdTest(0, 0.5), [Leaf(MeanPrediction(value), (1,)) for value in (low, high)]))


def test_sums_that_may_be_infinite_have_no_bound() -> None:
    """In float32 this model is infinite, and in doubles it would be 0: so it is refused."""
    big = float(np.float32(3e38))
    number = Schema(SCHEMA.features, Feature("y", Kind.NUMBER))
    ensemble = Ensemble(number, [*[stump(big, 0.0)] * 2, *[stump(-big, 0.0)] * 2], sum_type="float32")
    assert predict(ensemble, {"x": 0.0}) == float("inf")
    with pytest.raises(OptionError, match="may be infinite in float32"):
        to_python(ensemble, accumulate="double")


def test_the_bound_holds_below_the_normal_numbers() -> None:
    """Half of three times the least float32 is rounded there by half of that number."""
    least = 2.0**-149
    number = Schema(SCHEMA.features, Feature("y", Kind.NUMBER))
    ensemble = Ensemble(number, [stump(3 * least, least)], sum_type="float32", scale=0.5)
    exact = accumulation_of(ensemble, "exact").ensemble
    difference = abs(Fraction(predict_margin(ensemble, {"x": 0.0})) - Fraction(predict_margin(exact, {"x": 0.0})))
    assert 0 < difference <= difference_bound(ensemble, is_exact=True)


def test_sqlite_takes_the_expressions_and_deep_trees_that_are_written_for_it() -> None:
    """Each rounding is a query within another, so that few fit: others are refused before."""
    with pytest.raises(OptionError, match="an expression adds at most 1 tree in float32 here"):
        to_sql(single_trees(8), dialect="sqlite")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE data (id INTEGER, x REAL)")
        connection.execute("EXPLAIN SELECT " + to_sql(single_trees(1), dialect="sqlite") + " FROM data")
        for depth in (5, 8, 9, 11, 12):
            for options in ({}, {"average": True}, {"average": True, "scale": 0.5}):
                ensemble = evolve(single_trees(2), trees=[complete(depth)] * 2, **options)
                try:
                    text = to_sql(ensemble, dialect="sqlite", kind="select", keys=["id"])
                except UnsupportedError:
                    assert options
                else:
                    connection.execute("EXPLAIN " + text)


def complete(depth: int) -> Tree:
    """Return a tree of one column whose leaves all have one depth."""
    nodes: list[Any] = [Leaf(MeanPrediction(number / 1024), (1,)) for number in range(2**depth)]
    width = 1.0
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=True)
        cuts = ((2 * number + 1) * width for number in range(len(nodes) // 2))
        nodes = [Split(ThresholdTest(0, cut), pair) for cut, pair in zip(cuts, pairs, strict=True)]
        width *= 2
    return Tree(SCHEMA, nodes[0])
