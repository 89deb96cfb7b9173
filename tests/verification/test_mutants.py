"""Mutants of emitted code: each that changes an answer is caught by `verify`, by every form that is emitted.

Whether a mutant changes an answer is decided by another route than the rows of `verify`: by every cell of the grid of
a small tree's bounds, by many random rows at the bounds of a large one, for SQL by reading the mutant back and a proof.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mutants import Mutant, mutants
from run_emitted import module
from selection import few
from strategies_random import a_schema, a_tree, some_rows
from treerules import Table, Tree, cart, diff, learn, to_javascript, to_python, to_sql, verify
from treerules.errors import FileError
from treerules.formats import rules_from_sql
from treerules.rules.compile import compile_rules
from treerules.rules.probe_values import probe_values_of
from treerules.testing import boundary_rows
from verified_models import needs_node

Rows = list[dict[str, Any]]
Answering = Callable[[str, Rows], list[Any]]
#: A grid of more cells is left out.
MOST_CELLS = 6_000
FAULTS = {"edge", "ulp", "missing", "category", "labels"}


def drawn(seed: int, n_splits: int) -> Tree:
    """Return a tree over two or three features of any kind."""
    random = Random(seed)
    return a_tree(random, a_schema(random, random.randint(2, 3)), n_splits)


@cache
def small_trees() -> tuple[tuple[Tree, Rows], ...]:
    """Return trees whose grid of bounds is small, with a row for each cell of it."""
    found = []
    for seed in range(400, 440):
        tree = drawn(seed, 10)
        columns = probe_values_of(compile_rules(tree))
        choices = [[*column.all_values(), *column.defaults] for column in columns.values()]
        if tree.n_leaves > 3 and prod(map(len, choices)) <= MOST_CELLS:
            found.append((tree, [dict(zip(columns, cells, strict=True)) for cells in product(*choices)]))
    return tuple(found)


def learned(n_rows: int, n_leaves: int, seed: int = 1) -> Tree:
    """Return a tree that is learned from a table of numbers, integers and categories, with noise and missing cells."""
    random = Random(seed)
    shops = [f"shop {number}" for number in range(30)]
    rows = []
    for _ in range(n_rows):
        row = {"x": round(random.uniform(0, 100), 1), "n": random.randrange(40), "shop": random.choice(shops)}
        score = row["x"] / 20 + row["n"] % 7 + shops.index(row["shop"]) % 4 + random.random() * 3
        holes = {name: None for name in row if random.random() < 0.05}
        rows.append({**row, **holes, "y": "abcde"[int(score) % 5]})
    return learn(Table.from_rows(rows), target="y", recipe=cart(max_leaves=n_leaves))


def by_python(text: str, rows: Rows) -> list[Any]:
    """Return the answers of a module to each row; an error is an answer."""
    predict, answers = module(text).predict, []
    for row in rows:
        try:
            answers.append(predict(row))
        except Exception:
            answers.append("raised")
    return answers


def by_arrays(text: str, rows: Rows) -> list[Any]:
    """Return the answers of a vectorised module to all rows at once."""
    emitted = module(text)
    found = emitted.predict({name: [row.get(name) for row in rows] for name in emitted.FEATURES})
    return list(found.tolist())


FORMS: dict[str, tuple[str, Callable[[Tree], str], Answering]] = {
    "flat": ("python", lambda tree: to_python(tree, layout="flat", style="full"), by_python),
    "guarded": ("python", lambda tree: to_python(tree, layout="guarded", style="full"), by_python),
    "plain flat": ("plain", lambda tree: to_python(tree, layout="flat"), by_python),
    "plain guarded": ("plain", lambda tree: to_python(tree, layout="guarded"), by_python),
    "arrays": ("arrays", lambda tree: to_python(tree, vectorized=True), by_arrays),
}


def share_caught(tree: Tree, form: str, most: int, rows: Rows) -> tuple[Counter[str], list[Mutant]]:
    """Return how many mutants of each fault the rows of `verify` catch, and those that only other rows tell apart."""
    language, emit, answers = FORMS[form]
    text, caught, missed = emit(tree), Counter[str](), []
    own_rows = boundary_rows(tree, None)
    expected, expected_elsewhere = answers(text, own_rows), answers(text, rows)
    for mutant in mutants(text, language, Random(7), most):
        if answers(mutant.text, own_rows) != expected:
            caught[mutant.fault] += 1
        elif answers(mutant.text, rows) != expected_elsewhere:
            missed.append(mutant)
    return caught, missed


@pytest.mark.parametrize("form", few(FORMS, 2))
def test_every_mutant_of_python_that_changes_an_answer_is_caught(form: str) -> None:
    """Of small trees every cell of the grid of bounds is asked: what none of them tells apart answers the same."""
    caught = Counter[str]()
    for tree, cells in small_trees()[:3]:
        found, missed = share_caught(tree, form, 25, cells)
        assert not missed, (missed[0].fault, missed[0].text)
        caught += found
    assert sum(caught.values()) > 12


@pytest.mark.large
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_leaves", [40, 300])
def test_every_mutant_of_learned_trees_that_random_rows_tell_apart_is_caught(form: str, n_leaves: int) -> None:
    """A tree of some hundred leaves that was learned: random rows at its bounds find nothing that was missed."""
    tree = learned(4_000, n_leaves)
    caught, missed = share_caught(tree, form, 120, some_rows(Random(1), tree, 5_000))
    assert not missed, (missed[0].fault, missed[0].text)
    assert caught.keys() >= FAULTS - ({"edge"} if form == "arrays" else set())


# ---- SQL


def changes_an_answer(tree: Tree, text: str, dialect: str) -> bool | None:
    """Return whether SQL differs from its tree for some row, by reading it back and a proof; None is unknown."""
    (parsed,) = rules_from_sql(text, dialect=dialect, schema=tree.schema)
    if parsed.unparsed:
        return None
    equal = diff(tree, parsed, limit=1).equal
    return None if equal is None else not equal


def verdicts_of_sql(tree: Tree, dialect: str, layout: Any, most: int, folder: Path) -> Counter[tuple[str, bool, Any]]:
    """Return how often each comes: the fault, whether `verify` catches it, whether a proof says that answers change."""
    found = Counter[tuple[str, bool, Any]]()
    text = to_sql(tree, dialect=dialect, layout=layout)
    for number, mutant in enumerate(mutants(text, "sql", Random(11), most)):
        path = folder / f"{dialect}{layout}{number}.sql"
        path.write_text(mutant.text, encoding="utf-8")
        is_caught, changes = not verify(tree, path), changes_an_answer(tree, mutant.text, dialect)
        assert changes is None or is_caught is changes, (mutant.fault, path, mutant.text)
        found[mutant.fault, is_caught, changes] += 1
    return found


@pytest.mark.parametrize("layout", few(["flat", "guarded"], 1))
@pytest.mark.parametrize("dialect", few(["duckdb", "sqlite"], 1))
@pytest.mark.parametrize(("n_leaves", "most"), [(8, 15), pytest.param(40, 80, marks=pytest.mark.large)])
def test_every_mutant_of_sql_that_changes_an_answer_is_caught(
    dialect: str, layout: str, n_leaves: int, most: int, tmp_path: Path
) -> None:
    """SQL that is read back tells by a proof whether a mutant changes an answer: `verify` says the same, by rows."""
    found = verdicts_of_sql(learned(600, n_leaves), dialect, layout, most, tmp_path)
    assert {fault for fault, is_caught, _ in found if is_caught} >= FAULTS
    assert sum(n for (_, _, changes), n in found.items() if changes is not None) > most // 2


def only_random_rows_tell(tree: Tree, path: Path, text: str, rows: Rows) -> bool | None:
    """Return whether a mutant is missed that random rows tell apart; None where `verify` catches it."""
    path.write_text(text, encoding="utf-8")
    return None if not verify(tree, path) else not verify(tree, path, rows=rows)


@pytest.mark.parametrize("n_leaves", few([12, 80], 1))
def test_every_mutant_of_a_lookup_that_random_rows_tell_apart_is_caught(n_leaves: int, tmp_path: Path) -> None:
    """In the lists of the lookup layout each threshold moves by one ulp, and two neighbours of a list change places."""
    tree = learned(600, n_leaves)
    text = to_sql(tree, dialect="duckdb", kind="select", layout="lookup")
    lists = [found.span(1) for found in re.finditer(r"CAST\('\[([^\]]*)\]' AS (?:DOUBLE|BIGINT|INTEGER)\[\]\)", text)]
    numbers = [found for span in lists for found in re.compile(r"-?[\d.e+-]+").finditer(text, *span)]
    rows, outcomes = some_rows(Random(1), tree, 1_000), Counter[bool | None]()
    for found in Random(5).sample(numbers, 8):
        near = str(int(found[0]) + 1) if found[0].isdigit() else repr(math.nextafter(float(found[0]), math.inf))
        mutant = text[: found.start()] + near + text[found.end() :]
        try:
            outcomes[only_random_rows_tell(tree, tmp_path / "lookup.sql", mutant, rows)] += 1
        except FileError:  # a node beyond the end of the lists
            outcomes[None] += 1
    assert not outcomes[True]
    assert outcomes[None] > 2


@pytest.mark.engine
@needs_node
@pytest.mark.parametrize("layout", ["flat", "guarded"])
@pytest.mark.parametrize("n_leaves", [12, pytest.param(120, marks=pytest.mark.large)])
def test_every_mutant_of_javascript_that_random_rows_tell_apart_is_caught(
    layout: Any, n_leaves: int, tmp_path: Path
) -> None:
    """As of Python, by node."""
    tree = learned(1_000, n_leaves)
    rows, outcomes = some_rows(Random(1), tree, 2_000), Counter[bool | None]()
    for mutant in mutants(to_javascript(tree, layout=layout, style="full"), "javascript", Random(5), 15):
        outcomes[only_random_rows_tell(tree, tmp_path / "m.mjs", mutant.text, rows)] += 1
    assert not outcomes[True]
    assert outcomes[None] > 5


@pytest.mark.large
@pytest.mark.parametrize("vectorized", [False, True])
def test_a_self_test_finds_every_bound_that_is_off(vectorized: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """The rows of a module of a hundred leaves meet both sides of each threshold; most swaps of missing values show."""
    tree, found = learned(2_000, 100), Counter[tuple[str, bool]]()
    language = "arrays" if vectorized else "python"
    text = to_python(tree, vectorized=True) if vectorized else to_python(tree, style="full")
    for mutant in mutants(text, language, Random(5), 120):
        found[mutant.fault, module(mutant.text).selftest() == 1] += 1
    missed = {fault: n for (fault, is_found), n in found.items() if not is_found}
    assert missed.keys() <= {"category", "missing", *(["labels"] if vectorized else [])}
    assert len(text) < 90_000
