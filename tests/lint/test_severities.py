"""Findings on drawn CASEs against brute force: three-valued logic over a grid that has a value for every region."""

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from attrs import evolve, frozen

from treerules.cli import main
from treerules.lint.lint_file import LintOptions, lint_sql

#: Literals, and the values that stand for all others: between them, beyond them, and NULL.
LITERALS: dict[str, list[Any]] = {"x": [1.5, 2.5, 3.5], "y": [10.5, 20.5], "s": ["a", "b"]}
GRID: dict[str, list[Any]] = {
    "x": [None, 0.0, 1.5, 2.0, 2.5, 3.0, 3.5, 9.0],
    "y": [None, 0.0, 10.5, 15.0, 20.5, 99.0],
    "s": [None, "a", "b", "another"],
}
ROWS = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
COMPARED = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}
Row = dict[str, Any]


@frozen
class Atom:
    """A comparison of a column with a literal, or IS NULL where the operator is empty."""

    column: str
    operator: str
    literal: Any

    def sql(self) -> str:
        """Return it in SQL."""
        return f"{self.column} {self.operator} {self.literal!r}" if self.operator else f"{self.column} IS NULL"

    def truth(self, row: Row) -> bool | None:
        """Return whether it holds; None is unknown."""
        value = row[self.column]
        if not self.operator:
            return value is None
        return None if value is None else COMPARED[self.operator](value, self.literal)


@frozen
class Compound:
    """AND, OR or NOT of conditions, as SQL's three-valued logic says."""

    word: str
    parts: tuple[Any, ...]

    def sql(self) -> str:
        """Return it in SQL."""
        shown = [f"({part.sql()})" for part in self.parts]
        return f"NOT {shown[0]}" if self.word == "NOT" else f" {self.word} ".join(shown)

    def truth(self, row: Row) -> bool | None:
        """Return whether it holds; None is unknown."""
        truths = [part.truth(row) for part in self.parts]
        if self.word == "NOT":
            return None if truths[0] is None else not truths[0]
        decisive = self.word == "OR"
        return decisive if decisive in truths else None if None in truths else not decisive


def drawn_condition(random: Random, depth: int) -> Any:
    """Return a condition drawn at random."""
    word = random.choice(("AND", "OR", "NOT", "", "")) if depth else ""
    if word:
        return Compound(word, tuple(drawn_condition(random, depth - 1) for _ in range(1 if word == "NOT" else 2)))
    column = random.choice(list(LITERALS))
    operators = ["=", "<>", ""] if column == "s" else [*COMPARED, ""]
    return Atom(column, random.choice(operators), random.choice(LITERALS[column]))


@frozen
class DrawnCase:
    """A CASE: its conditions, their answers, and what ELSE gives; None without ELSE."""

    conditions: tuple[Any, ...]
    answers: tuple[str, ...]
    otherwise: str | None

    def sql(self, end: str = "\n") -> str:
        """Return it in SQL, each WHEN in a line of its own."""
        whens = [f"WHEN {c.sql()} THEN {a}" for c, a in zip(self.conditions, self.answers, strict=True)]
        last = [] if self.otherwise is None else [f"ELSE {self.otherwise}"]
        return end.join(["SELECT CASE", *whens, *last, "END AS z"])

    def holding(self, row: Row) -> list[int]:
        """Return the WHENs that hold for a row, from 1."""
        return [number for number, condition in enumerate(self.conditions, 1) if condition.truth(row) is True]


def drawn_cases(seed: int, n: int) -> Iterator[DrawnCase]:
    """Yield CASEs drawn at random."""
    random = Random(seed)
    for _ in range(n):
        n_whens = random.randint(1, 4)
        conditions = tuple(drawn_condition(random, random.randint(0, 2)) for _ in range(n_whens))
        answers = tuple(f"'{random.choice('pqr')}'" for _ in conditions)
        yield DrawnCase(conditions, answers, random.choice((None, None, "NULL", "'e'")))


def expected(case: DrawnCase) -> set[tuple[str, str]]:
    """Return the codes of TR0, TR1 and order with their WHENs, found by trying all rows of the grid."""
    holding = [case.holding(row) for row in ROWS]
    firsts = {held[0] for held in holding if held}
    found = set()
    for number in range(1, len(case.conditions) + 1):
        if number not in firsts:
            is_met = any(number in held for held in holding)
            found.add(("TR001" if is_met else "TR002", f"WHEN {number}"))
    gaps = [row for row, held in zip(ROWS, holding, strict=True) if not held]
    if case.otherwise == "'e'":
        return found if gaps else found | {("TR104", "ELSE")}
    if gaps:
        used = {column for column in GRID for condition in case.conditions if f"{column} " in condition.sql()}
        only_null = all(any(row[column] is None for column in used) for row in gaps)
        found.add(("gap, NULL only" if only_null else "gap", ""))
    return found


def reported(case: DrawnCase, end: str = "\n") -> tuple[set[tuple[str, str]], list[Any]]:
    """Return the same of what is reported, and all findings."""
    linted = lint_sql(case.sql(end).encode(), "a.sql", LintOptions())
    assert not linted.problem, linted.problem
    found = {(each.code, each.when) for each in linted.findings if each.code in ("TR001", "TR002", "TR104")}
    return found, linted.findings


def test_the_rows_are_answered_as_duckdb_answers_them() -> None:
    """The three-valued logic of these tests is that of an engine: the same WHEN is the first to hold for each row."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (n INTEGER, x DOUBLE, y DOUBLE, s VARCHAR)")
    rows = [(number, row["x"], row["y"], row["s"]) for number, row in enumerate(ROWS)]
    marks = ", ".join(["(?, ?, ?, ?)"] * len(rows))
    connection.execute(f"INSERT INTO t VALUES {marks}", [value for row in rows for value in row])
    for case in drawn_cases(400, 25):
        numbered = evolve(case, answers=tuple(str(number) for number in range(1, len(case.answers) + 1)), otherwise="0")
        found = connection.execute(f"{numbered.sql()} FROM t ORDER BY n").fetchall()
        assert [z for (z,) in found] == [(case.holding(row) or [0])[0] for row in ROWS], case.sql()


@pytest.mark.parametrize("seed", range(12))
def test_findings_are_those_of_brute_force(seed: int) -> None:
    """Errors, and gaps by the number of WHENs, ELSE and NULL, are exactly those that the rows of the grid show."""
    for case in drawn_cases(seed, 12):
        wanted = expected(case)
        gaps = {code for code, _ in wanted if code.startswith("gap")}
        found, findings = reported(case)
        assert found == {pair for pair in wanted if not pair[0].startswith("gap")}, case.sql()
        codes = {each.code for each in findings} & {"TR101", "TR102", "TR103", "TR201", "TR202"}
        if not gaps:
            assert not codes, case.sql()
        elif len(case.conditions) == 1:
            assert codes == {"TR202" if case.otherwise else "TR201"}, case.sql()
        elif case.otherwise:
            assert codes <= {"TR202", "TR102"} and codes, case.sql()
        elif gaps == {"gap, NULL only"}:
            assert codes == {"TR103"}, case.sql()
        else:
            assert codes & {"TR101", "TR102"} and codes <= {"TR101", "TR102", "TR103"}, case.sql()


@pytest.mark.parametrize("seed", range(6))
def test_witnesses_of_gaps_are_taken_by_no_when(seed: int) -> None:
    """Each row that is shown for a gap is met by no condition, as three-valued logic says."""
    for case in drawn_cases(100 + seed, 12):
        for each in reported(case)[1]:
            if each.finding.kind == "gap" and each.finding.row is not None:
                row = {"x": None, "y": None, "s": None, **each.finding.row}
                assert not case.holding(row), (case.sql(), row)


@pytest.mark.parametrize("seed", range(6))
def test_one_line_names_all_whens_whose_order_decides(seed: int) -> None:
    """The WHENs of one note are those of all pairs with different answers of which a row meets both, one deciding."""
    for case in drawn_cases(200 + seed, 12):
        held = [case.holding(row) for row in ROWS]
        firsts = {each[0] for each in held if each}
        pairs = {
            (first, second)
            for first, second in combinations(range(1, len(case.conditions) + 1), 2)
            if case.answers[first - 1] != case.answers[second - 1]
            and {first, second} <= firsts
            and any(each and each[0] == first and second in each for each in held)
        }
        notes = [each for each in reported(case)[1] if each.code == "TR203"]
        assert len(notes) == bool(pairs), case.sql()
        for note in notes:
            named = {note.when, *(label.partition(" (")[0] for _, label in note.others)}
            assert named == {f"WHEN {number}" for pair in pairs for number in pair}, case.sql()


@pytest.mark.parametrize("seed", range(3))
def test_line_ends_change_nothing(seed: int) -> None:
    """With CRLF each finding has the code, the line and the hash of its CASE that it has with LF."""
    for case in drawn_cases(300 + seed, 10):
        places = []
        for end in ("\n", "\r\n"):
            linted = lint_sql(case.sql(end).encode(), "a.sql", LintOptions())
            places.append([(c.hash, [(f.code, f.line, f.when) for f in c.findings]) for c in linted.cases])
        assert places[0] == places[1]
        for found in places[0][0][1]:
            if found[2].startswith("WHEN"):
                assert found[1] == int(found[2].split()[1]) + 1


@pytest.mark.parametrize("low", ["<", "<="])
@pytest.mark.parametrize("high", [">", ">="])
@pytest.mark.parametrize("last", ["", " ELSE NULL", " ELSE 'e'"])
def test_bands_that_do_not_touch_leave_a_gap(low: str, high: str, last: str) -> None:
    """`x < a ... x > b`: a warning without ELSE, a note with it; nothing where the bands meet, or are points."""
    for a, b in ((30.5, 30.5), (30.5, 40.5)):
        linted = lint_sql(
            f"CASE WHEN x {low} {a} THEN 'l' WHEN x {high} {b} THEN 'h'{last} END".encode(), "a.sql", LintOptions()
        )
        has_gap = a < b or (low, high) == ("<", ">")
        codes = {each.code for each in linted.findings} & {"TR102", "TR207"}
        assert codes == ({"TR207" if "'e'" in last else "TR102"} if has_gap else set())
    points = lint_sql(f"CASE x WHEN 1.5 THEN 'l' WHEN 2.5 THEN 'h'{last} END".encode(), "a.sql", LintOptions())
    assert not {each.code for each in points.findings} & {"TR102", "TR207"}


def test_cases_that_are_not_read_are_counted(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    """The last line says how many CASEs have a part that is not read, so that no errors is not taken for a proof."""
    read, unread = "CASE WHEN a THEN 1 ELSE 0 END AS x", "CASE {% if b %} WHEN a THEN 1 {% endif %} END AS y"
    for texts, line in (((read,), None), ((read, unread), "1 CASE is"), ((unread, unread), "2 CASEs are")):
        path = tmp_path / "model.sql"
        path.write_text(f"SELECT {', '.join(texts)} FROM t", encoding="utf-8")
        assert main(["check", str(path)]) == 0
        printed = capfdbinary.readouterr().out.decode()
        assert ("not read in full" in printed) is (line is not None)
        assert line is None or printed.splitlines()[-1] == f"{line} not read in full (TR301)"
