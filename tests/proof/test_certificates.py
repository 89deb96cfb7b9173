"""Certificates of optimal trees: each proves its claim, none proves more, and none is taken on trust."""

import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from brute_force_trees import least_cost
from growing_cases import tables
from treerules import Table, Tree, cart, learn, optimal, prune, read
from treerules.errors import DataError, ModelFileError, OptionError
from treerules.growing.optimal import search
from treerules.proof import Certificate, certify, load_certificate, prove_optimal, save_certificate
from treerules.proof.certificate import BoundProof, ProvedCut
from treerules.proof.certificate_files import certificate_from_json, certificate_to_json, claim_text

LABELS = st.sampled_from(["p", "q", "q", "r"])
WEIGHTS = st.sampled_from([1, 1, 2, 3])


def drawn(n: int, seed: int, labels: str = "pqr") -> Table:
    """Return a table of a number, a category and a column of few values, all with missing values."""
    draw = random.Random(seed)
    columns = {
        "a": [draw.choice([None, *map(float, range(6))]) for _ in range(n)],
        "c": [draw.choice([None, "x", "y", "z"]) for _ in range(n)],
        "b": [draw.choice([1.5, 2.5, 4.0]) for _ in range(n)],
        "y": [draw.choice(labels) for _ in range(n)],
    }
    return Table.from_columns(columns, types={"a": "number", "b": "number"})


def learned(table: Table, **options: Any) -> Tree:
    """Return the optimal tree of a table whose target is "y"."""
    features = [column.feature.name for column in table.columns[:-1]]
    recipe = optimal(**{"leaf_penalty": 0, "time_limit": None, **options})
    return learn(table, target="y", recipe=recipe, features=features)


@given(
    table=tables(LABELS),
    depth=st.integers(0, 3),
    penalty=st.sampled_from([0, 0, 1, 0.25]),
    least=st.sampled_from([1, 1, 2, 3]),
)
def test_a_certificate_proves_its_claim_and_no_more(table: Table, depth: int, penalty: float, least: float) -> None:
    """The tree is proved optimal, and the same proof does not show that one unit less of cost is impossible."""
    tree = learned(table, max_depth=depth, leaf_penalty=penalty, min_samples_leaf=least)
    certificate = prove_optimal(tree, table)
    check = certify(certificate, table, tree=tree)
    assert check.problem is None
    assert check.is_optimal
    more = evolve(certificate, lower=certificate.lower + 1, cost=certificate.cost + 1)
    assert not certify(more, table).is_valid


def test_columns_of_one_value_are_no_columns() -> None:
    """A category or a missing value in each row divides nothing, whatever other columns hold."""
    table = Table.from_columns(
        {"flag": [False, False, False], "colour": ["a", None, "a"], "z": ["u", "u", "u"], "y": ["p", "q", "q"]}
    )
    tree = learned(table, max_depth=3)
    assert certify(prove_optimal(tree, table), table, tree=tree).is_optimal


@cache
def nested() -> tuple[Tree, Table, Certificate]:
    """Return a tree of depth 4, its table and its certificate, whose proofs hold further ones."""
    table = drawn(22, 1, "pq")
    tree = learned(table, max_depth=4, leaf_penalty=0.5)
    return tree, table, prove_optimal(tree, table)


def test_depth_four_has_proofs_within_proofs() -> None:
    """The bounds beside a cut are of depth 3, so each has cuts of its own."""
    tree, table, certificate = nested()
    assert any(cut.proof_below is not None for cut in certificate.proof.cuts)
    assert certify(certificate, table, tree=tree).is_optimal
    without = [evolve(cut, proof_below=None, proof_above=None) for cut in certificate.proof.cuts]
    check = certify(evolve(certificate, proof=evolve(certificate.proof, cuts=without)), table)
    assert "has no proof" in check.problem


@given(data=st.data(), seed=st.integers(0, 50))
def test_a_changed_certificate_proves_nothing_that_is_not_so(data: st.DataObject, seed: int) -> None:
    """Whatever number of a proof is changed: what is still accepted is true, as all trees show, tried one by one."""
    table = drawn(10, seed)
    tree = learned(table, max_depth=3)
    certificate = changed(prove_optimal(tree, table), data)
    check = certify(certificate, table)
    if check.is_valid:
        labels = [table.column("y").value(row) for row in range(10)]
        names = sorted(set(labels))

        def leaf_cost(rows: Any) -> float:
            return min(sum(labels[row] != name for row in rows) for name in names)

        least = least_cost(table, tree.recipe, penalty=0, weights=[1] * 10, leaf_cost=leaf_cost)
        assert certificate.lower <= least


def changed(certificate: Certificate, data: st.DataObject) -> Certificate:
    """Return a certificate with one number changed: a bound, a cut, a column, or the claim."""
    step = data.draw(st.sampled_from([-1, 1, 2]))
    cuts = () if certificate.proof is None else certificate.proof.cuts
    if not cuts or data.draw(st.booleans()):
        name = data.draw(st.sampled_from(["lower", "cost", "penalty"]))
        return evolve(certificate, **{name: max(getattr(certificate, name) + step, 0)})
    number = data.draw(st.integers(0, len(cuts) - 1))
    name = data.draw(st.sampled_from(["cut", "cost_below", "cost_above"]))
    cut = evolve(cuts[number], **{name: max(getattr(cuts[number], name) + step, 0)})
    more = evolve(certificate, lower=certificate.lower + 1, cost=certificate.cost + 1)
    whole = data.draw(st.sampled_from([certificate, more]))
    return evolve(whole, proof=evolve(certificate.proof, cuts=[*cuts[:number], cut, *cuts[number + 1 :]]))


TABLE = drawn(60, 7, "pq")
TREE = learned(TABLE, max_depth=3)
CERTIFICATE = prove_optimal(TREE, TABLE)


def test_a_cut_that_is_left_out_can_only_make_the_check_fail() -> None:
    """Some cuts are needed: without them a cut is not excluded."""
    cuts = CERTIFICATE.proof.cuts
    checks = [
        certify(evolve(CERTIFICATE, proof=evolve(CERTIFICATE.proof, cuts=cuts[:n] + cuts[n + 1 :])), TABLE)
        for n in range(0, len(cuts), 3)
    ]
    assert not all(check.is_valid for check in checks)
    assert all(check.is_valid or "is not excluded" in check.problem for check in checks)


def other_cell(table: Table, name: str, row: int, value: Any) -> Table:
    """Return a table with another value in one cell."""
    columns = {c.feature.name: [c.value(n) for n in range(table.n_rows)] for c in table.columns}
    columns[name][row] = value
    return Table.from_columns(columns, types={"a": "number", "b": "number"})


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (other_cell(TABLE, "b", 0, 4.5), "the values of the column b are not those of the certificate"),
        (other_cell(TABLE, "c", 5, None), "the values of the column c are not those of the certificate"),
        (drawn(59, 7, "pq"), "the certificate is about 60 rows; the table has 59"),
    ],
)
def test_other_rows_are_refused(table: Table, problem: str) -> None:
    """The problem says in what they differ."""
    assert certify(CERTIFICATE, table).problem == problem


def test_columns_and_rows_belong_together() -> None:
    """The same values in each column, but in other rows, are other rows."""
    columns = {c.feature.name: [c.value(n) for n in range(TABLE.n_rows)] for c in TABLE.columns}
    columns["a"].reverse()
    table = Table.from_columns(columns, types={"a": "number", "b": "number"})
    assert "in other rows" in certify(CERTIFICATE, table).problem
    columns = {c.feature.name: [c.value(n) for n in range(TABLE.n_rows)][::-1] for c in TABLE.columns}
    assert certify(CERTIFICATE, Table.from_columns(columns, types={"a": "number", "b": "number"})).is_valid


def test_a_tree_that_costs_more_is_not_proved_optimal() -> None:
    """CART's tree, and the optimal one without its last splits."""
    greedy = learn(TABLE, target="y", recipe=cart(max_depth=3), features=["a", "c", "b"])
    check = certify(CERTIFICATE, TABLE, tree=greedy)
    assert not check.is_valid
    assert check.problem.startswith("the tree costs ")
    with pytest.raises(DataError, match="was not learned by optimal"):
        prove_optimal(greedy, TABLE)
    with pytest.raises(DataError, match="was changed since"):
        prove_optimal(prune(TREE, "snip", node=1), TABLE)
    with pytest.raises(DataError, match="not those that the tree was learned from"):
        prove_optimal(TREE, drawn(60, 8, "pq"))


class Clock:
    """A clock that moves on by a second whenever it is read."""

    time = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self.time += 1.0
        return self.time


def test_the_bound_of_a_search_that_ended_early_is_proved_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate proves the lower bound; whether the tree is optimal stays open."""
    monkeypatch.setattr(search, "monotonic", Clock())
    tree = learned(TABLE, max_depth=3, time_limit=40)
    monkeypatch.setattr(search, "monotonic", Clock())
    certificate = prove_optimal(tree, TABLE)
    assert 0 < certificate.lower < certificate.cost
    check = certify(certificate, TABLE)
    assert check.is_valid
    assert not check.is_optimal


def test_weights_and_costs_are_part_of_the_claim() -> None:
    """A column of weights is found by its name; other weights, or another cost matrix, are another claim."""
    draw = random.Random(2)
    columns = {c.feature.name: [c.value(n) for n in range(30)] for c in drawn(30, 3).columns}
    columns["w"] = [draw.choice([1, 2, 5]) for _ in range(30)]
    table = Table.from_columns(columns, types={"a": "number", "b": "number"})
    recipe = optimal(max_depth=2, leaf_penalty=1, costs={("p", "q"): 4}, class_weight={"r": 2}, time_limit=None)
    tree = learn(table, target="y", recipe=recipe, features=["a", "c", "b"], weight="w")
    certificate = prove_optimal(tree, table)
    assert certify(certificate, table, tree=tree).is_optimal
    cheaper = evolve(certificate, recipe=evolve(recipe, class_weight={"r": 1}))
    assert not certify(cheaper, table, tree=tree).is_valid
    columns["w"][0] = 4
    assert "weights" in certify(certificate, Table.from_columns(columns, types={"a": "number", "b": "number"})).problem


def test_rounding_proves_nothing() -> None:
    """At a scale of 0.6 each error would count as 1 / 0.6: what rounding makes of costs is no claim about them."""
    check = certify(evolve(CERTIFICATE, scale=0.6), TABLE, tree=TREE)
    assert check.problem == "at this scale costs are rounded by too much"


def heavy_row(seed: int = 0) -> tuple[Table, list[float]]:
    """Return a row of weight 1e9 and 40 of weight 1, of which no tree of depth 1 gets ten right."""
    x = [0] + [1] * 40
    y = ["p"] + ["p"] * 10 + ["q"] * 30
    return Table.from_columns({"x": x, "y": y}), [1e9] + [1.0] * 40


def test_whole_costs_are_exact_whatever_the_scale_says() -> None:
    """Ten rows of weight 1 are wrong. At a scale of 0.6 each counts as 1 / 0.6, next to a total of 1e9."""
    table, weights = heavy_row()
    tree = learn(table, target="y", recipe=optimal(max_depth=1, leaf_penalty=0, time_limit=None), weight=weights)
    certificate = prove_optimal(tree, table, weight=weights)
    check = certify(certificate, table, tree=tree, weight=weights)
    assert check.is_optimal and certificate.lower / certificate.scale == 10
    for scale in (0.6, 0.75, 1.0000001, 3.3, 1 / 3):
        n = 10 * max(round(scale), 1)
        forged = evolve(certificate, scale=scale, lower=n, cost=n)
        check = certify(forged, table, tree=tree, weight=weights)
        assert not check.is_valid or forged.lower / scale <= 10, scale


@pytest.mark.parametrize("weights", [[1e12, 1e12, 1e-12, 1e-12], [1e12, 1.0, 1.0, 1e-12]])
def test_an_error_that_rounding_hides_is_not_called_optimal(weights: list[float]) -> None:
    """At weights of 1e12 an error of 1e-12 is lost in rounding: neither the tree nor the certificate says optimal."""
    table = Table.from_columns({"x": [1, 1, 1, 1], "y": ["p", "p", "p", "q"]})
    tree = learn(table, target="y", recipe=optimal(max_depth=1, leaf_penalty=0, time_limit=None), weight=weights)
    assert not tree.bounds.is_optimal
    assert tree.bounds.lower <= 1e-12 <= tree.bounds.cost
    check = certify(prove_optimal(tree, table, weight=weights), table, tree=tree, weight=weights)
    assert check.problem is None and not check.is_optimal


def test_a_tree_of_other_kinds_of_columns_is_not_the_one_that_the_claim_is_about() -> None:
    """As an ordinal a column has fewer splits than as a category."""
    table = Table.from_columns({"x": list("abcabc"), "y": list("pqppqp")})
    tree = learn(table, target="y", recipe=optimal(max_depth=1, leaf_penalty=0))
    ordinal = Table.from_columns({"x": list("abcabc"), "y": list("pqppqp")}, types={"x": "ordinal:a<b<c"})
    other = learn(ordinal, target="y", recipe=optimal(max_depth=1, leaf_penalty=0))
    check = certify(prove_optimal(other, ordinal), ordinal, tree=tree)
    assert check.problem == "the tree has other columns than the certificate"


def test_figures_beyond_all_costs_are_refused() -> None:
    """Neither a price nor a scale of the file reaches arithmetic that it overflows."""
    price = evolve(CERTIFICATE.recipe.optimal_search, leaf_penalty=1e308)
    huge = evolve(CERTIFICATE, scale=10.0, recipe=evolve(CERTIFICATE.recipe, optimal_search=price))
    assert not certify(huge, TABLE).is_valid
    with pytest.raises(DataError, match="too large"):
        certify(evolve(CERTIFICATE, scale=1e300), TABLE)


def test_ties_of_labels_that_rounding_decides_are_no_difference() -> None:
    """Balanced classes weigh thirds: the tree may predict another label of the same cost than the search."""
    for labels in ("ABCC", "ABBCC", "AABBBCC"):
        table = Table.from_columns({"x": [1] * len(labels), "z": list(range(len(labels))), "y": list(labels)})
        recipe = optimal(max_depth=1, leaf_penalty=0, class_weight="balanced")
        tree = learn(table, target="y", recipe=recipe, features=["x"])
        assert certify(prove_optimal(tree, table), table, tree=tree).is_optimal


def test_a_category_that_the_certificate_lacks_is_refused() -> None:
    """Taken for a missing value it would leave splits out of the claim."""
    table = Table.from_columns({"x": list("abcbccab"), "y": list("nnpnppnn")})
    tree = learn(table, target="y", recipe=optimal(max_depth=1, leaf_penalty=0))
    certificate = prove_optimal(tree, table)
    feature = evolve(certificate.schema.features[0], categories=("a",))
    forged = evolve(certificate, schema=evolve(certificate.schema, features=(feature,)))
    with pytest.raises(DataError, match="that the certificate lacks"):
        certify(forged, table)


def test_the_claim_names_the_least_rows_of_leaves() -> None:
    """Trees of smaller leaves are not compared, so the claim is not about them."""
    certificate = prove_optimal(learned(TABLE, max_depth=2, min_samples_leaf=4), TABLE)
    assert "of leaves of at least 4 rows," in claim_text(certificate)
    assert "不少于 4 行" in claim_text(certificate).texts["zh"]


def test_files_read_back_equal(tmp_path: Path) -> None:
    """A certificate of a file is equal to the one that was saved, and its text is JSON with the claim."""
    for certificate in (CERTIFICATE, prove_optimal(learned(TABLE, max_depth=2, min_samples_leaf=4), TABLE)):
        save_certificate(certificate, tmp_path / "c.certificate.json")
        assert load_certificate(tmp_path / "c.certificate.json") == certificate
    text = certificate_to_json(CERTIFICATE)
    errors = TREE.bounds.cost
    assert json.loads(text)["claim"] == f"no tree of depth 3 or less has fewer than {errors} errors on these 60 rows"
    *_, certificate = nested()
    assert certificate_from_json(certificate_to_json(certificate)) == certificate


@given(position=st.integers(0, 10_000), byte=st.integers(32, 126), cut=st.booleans())
def test_a_damaged_file_is_refused_or_proves_nothing_else(position: int, byte: int, cut: bool) -> None:
    """A truncated file, or one with another byte, raises ModelFileError, or is checked like any other certificate."""
    text = certificate_to_json(CERTIFICATE).encode()
    position %= len(text) - 2
    damaged = text[:position] if cut else text[:position] + bytes([byte]) + text[position + 1 :]
    try:
        certificate = certificate_from_json(damaged)
    except ModelFileError:
        return
    check = certify(certificate, TABLE) if set(certificate.schema.indices) == {"a", "c", "b"} else None
    assert check is None or not check.is_valid or certificate.lower <= TREE.bounds.cost or not same_rules(certificate)


def same_rules(certificate: Certificate) -> bool:
    """Whether a certificate is about trees of the same depth, costs and penalty."""
    names = ("max_depth", "costs", "class_weight", "priors", "min_samples_leaf")
    is_same = all(getattr(certificate.recipe, name) == getattr(TREE.recipe, name) for name in names)
    return is_same and certificate.penalty == CERTIFICATE.penalty and certificate.scale == CERTIFICATE.scale


def test_wrong_types_and_other_tasks_are_named() -> None:
    """A certificate is a Certificate; a regression has none."""
    with pytest.raises(OptionError, match="certificate"):
        certify(TREE, TABLE)  # type: ignore[arg-type]
    numbers = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": [0.5, 1.5, 9.0]}, types={"x": "number", "y": "number"})
    with pytest.raises(DataError, match="squared errors"):
        prove_optimal(learned(numbers, max_depth=1), numbers)


def test_the_values_of_a_proof_are_those_of_the_file() -> None:
    """A cut has ten fields, of which the file leaves out those at the end that are 0 or None."""
    assert len(fields(ProvedCut)) == 10
    assert len(fields(BoundProof)) == 3


CHECKER = """
import sys
sys.modules["numba"] = None
from treerules.proof import certify, load_certificate
from treerules.readers import read_csv
check = certify(load_certificate(sys.argv[1]), read_csv(sys.argv[2]))
print(check.is_valid, [name for name in sys.modules if name.startswith(("treerules.growing", "treerules.learning"))])
"""


@pytest.mark.process
def test_the_checker_uses_nothing_of_the_learner(tmp_path: Path) -> None:
    """A process that checks a certificate loads no module of growing/ or learning/, and no numba."""
    text = "a,b,y\n" + "".join(f"{n % 7},{n % 5},{'p' if n % 3 else 'q'}\n" for n in range(40))
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    table = read(tmp_path / "rows.csv")
    tree = learn(table, target="y", recipe=optimal(max_depth=3, leaf_penalty=0, time_limit=None))
    save_certificate(prove_optimal(tree, table), tmp_path / "c.certificate.json")
    command = [sys.executable, "-c", CHECKER, str(tmp_path / "c.certificate.json"), str(tmp_path / "rows.csv")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True []\n"
