"""CASE expressions drawn at random over typed columns, and rows at their bounds: what reading is compared on."""

from datetime import date, datetime, timedelta
from itertools import product
from math import inf, nextafter
from random import Random
from typing import Any

from attrs import define, field

from engines.storing import Stored
from treerules import Feature, Kind, Schema

NUMBERS = ("0", "1", "2.5", "-3", "0.1", "1e-1", "30", "-0.0", ".5", "100000000000000000000")
INTEGERS = ("0", "1", "-2", "2.5", "7", "7.0", "-0.5", "9007199254740993", "99999999999999999999")
TEXTS = ("'a'", "'A'", "'it''s'", "'年'", "''", "' '", "'1'")
DATES = ("2024-02-29", "1999-12-31", "0001-01-01", "9999-12-31")
MOMENTS = ("2024-02-29 00:00:00", "2024-02-29 12:30:00.000001", "1970-01-01 00:00:00")

KINDS = Schema([
    Feature("x", Kind.NUMBER), Feature("n", Kind.INTEGER), Feature("b", Kind.BOOLEAN), Feature("d", Kind.DATE),
    Feature("t", Kind.TIMESTAMP),
])  # fmt: skip

#: With the column of texts: in Postgres a column that is not declared may be a CHAR, where '' is ' '.
KINDS_AND_TEXTS = Schema([*KINDS.features, Feature("s", Kind.CATEGORY, ["", " ", "1", "A", "a", "it's", "年"])])


@define
class Drawn:
    """Draws conditions for one engine, and remembers what it drew."""

    random: Random
    dialect: str
    met: set[str] = field(factory=set)

    def case(self, depth: int = 2, *, otherwise: bool | None = None) -> str:
        """Return a CASE; a part of its outcomes are CASEs themselves."""
        whens = "".join(
            f" WHEN {self.condition(self.random.randint(0, 4))} THEN {self.outcome(depth, str(number))}"
            for number in range(self.random.randint(1, 4))
        )
        has_else = self.random.random() < 0.6 if otherwise is None else otherwise
        if self.random.random() < 0.15:
            return self._simple(depth, has_else)
        self.met.add("else" if has_else else "no else")
        last = f" ELSE {self.outcome(depth, self.random.choice('xyz'))}" if has_else else ""
        return f"CASE{whens}{last} END"

    def _simple(self, depth: int, has_else: bool) -> str:
        self.met.add("simple case")
        column, literals = self.random.choice((("x", NUMBERS), ("s", TEXTS), ("n", INTEGERS)))
        whens = "".join(f" WHEN {self.random.choice([*literals, 'NULL'])} THEN 'v{n}'" for n in range(3))
        last = " ELSE 'w'" if has_else else ""
        return f"CASE {column}{whens}{last} END"

    def outcome(self, depth: int, name: str) -> str:
        """Return what a branch gives."""
        if depth and self.random.random() < 0.2:
            self.met.add("nested case")
            return self.random.choice(("{}", "({})", "/* c */ {}")).format(self.case(depth - 1))
        if self.random.random() < 0.08:
            self.met.add("null outcome")
            return "NULL"
        return f"'{name}'"

    def condition(self, depth: int) -> str:
        """Return a condition that can be read."""
        if not depth:
            return self._atom()
        shape = self.random.choice(("and", "or", "not", "is", "paren", "leaf", "truth", "bare"))
        self.met.add(shape)
        if shape in ("and", "or"):
            parts = [f"({self.condition(depth - 1)})" for _ in range(self.random.randint(2, 3))]
            return f" {shape.upper()} ".join(parts)
        if shape == "bare":  # what binds tighter is the engine's to say
            words = [
                word for _ in range(3) for word in (self._one(["", "NOT "]), self._atom(), self._one([" AND ", " OR "]))
            ]
            return "".join(words) + self._one(["b", "NOT x = 1"])
        inner = self.condition(depth - 1)
        if shape == "not":
            return f"NOT ({inner})"
        if shape == "is":
            words = ["IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "IS NULL", "IS NOT NULL"]
            return f"({inner}) {self._one(words)}"
        if shape == "truth":
            return f"({inner}) = {self._one(self._truths())}"
        return f"({inner})" if shape == "paren" else self._atom()

    def _truths(self) -> list[str]:
        return ["TRUE", "FALSE"]

    def _one(self, words: Any) -> str:
        word = self.random.choice(list(words))
        self.met.add(word)
        return str(word)

    def _atom(self) -> str:
        kind = self._one(["number", "integer", "text", "boolean", "date", "timestamp", "constant"])
        if kind == "constant":
            return self._one(
                ["1 = 1", "1 = 0", "NULL", "TRUE", "FALSE", "'a' = 'b'", "2 > 1.5", "NULL = 1", "NULL IS NULL"]
            )
        if kind == "boolean":
            return self._one(
                ["b", "NOT b", "b = TRUE", "FALSE <> b", "b IS TRUE", "b IS NOT FALSE", "b IS NULL", "t.b"]
            )
        if kind == "text":
            return self._text()
        column = {"number": "x", "integer": "n", "date": "d", "timestamp": "t"}[kind]
        literals = {"number": NUMBERS, "integer": INTEGERS, "date": self._dates(), "timestamp": self._moments()}[kind]
        column = self._one([column, f"t.{column}", f'"{column}"'])
        return self._ordered(column, literals)

    def _dates(self) -> list[str]:
        if self.dialect == "sqlite":
            return [f"'{day}'" for day in DATES]
        return [
            f"{word}'{day}'{end}" for day in DATES for word, end in (("DATE ", ""), ("", ""), ("CAST(", " AS DATE)"))
        ]

    def _moments(self) -> list[str]:
        if self.dialect == "sqlite":
            return [f"'{moment}'" for moment in MOMENTS]
        return [f"TIMESTAMP '{moment}'" for moment in MOMENTS]

    def _ordered(self, column: str, literals: Any) -> str:
        one, two, three = (self.random.choice(list(literals)) for _ in range(3))
        shape = self._one([
            "compare", "reversed", "between", "not between", "in", "not in", "not in null", "null", "same", "differs",
            "= null",
        ])  # fmt: skip
        operator = self._one(["=", "<>", "!=", "<", "<=", ">", ">="])
        return {
            "compare": f"{column} {operator} {one}",
            "reversed": f"{one} {operator} {column}",
            "between": f"{column} BETWEEN {one} AND {two}",
            "not between": f"{column} NOT BETWEEN {one} AND {two}",
            "in": f"{column} IN ({one}, {two}, {three})",
            "not in": f"{column} NOT IN ({one}, {two})",
            "not in null": f"{column} {self._one(['IN', 'NOT IN'])} ({one}, NULL)",
            "null": f"{column} {self._one(['IS NULL', 'IS NOT NULL'])}",
            "same": f"{column} IS NOT DISTINCT FROM {self.random.choice([one, 'NULL'])}",
            "differs": f"{column} IS DISTINCT FROM {self.random.choice([one, 'NULL'])}",
            "= null": f"{column} {operator} NULL",
        }[shape]

    def _text(self) -> str:
        found = self._ordered(self._one(["s", "t.s", '"s"']), TEXTS)
        while any(f" {sign} " in found for sign in ("<", "<=", ">", ">=", "BETWEEN")):
            found = self._ordered("s", TEXTS)
        return found


#: The values of each column that rows take: the bounds of the literals and their neighbours.
CELLS: dict[str, list[Any]] = {
    "x": [
        None, 0.0, 1.0, nextafter(1, 2), nextafter(1, 0), 2.5, nextafter(2.5, 9), -3.0, 0.1, nextafter(0.1, 1),
        nextafter(0.1, 0), 30.0, 0.5, -5e-324, 5e-324, inf, -inf, 1e20, nextafter(1e20, inf), 17.0,
    ],
    "n": [None, 0, 1, -1, -2, -3, 2, 3, 7, 8, 6, 2**53, 2**53 + 1, 2**53 + 2, 2**63 - 1, -(2**63)],
    "s": [None, "a", "A", "it's", "年", "", " ", "1", "zz", "a "],
    "b": [None, True, False],
    "d": [None, *(date.fromisoformat(day) for day in DATES), date(2024, 2, 28), date(2024, 3, 1), date(9999, 12, 30)],
    "t": [
        None,
        *(datetime.fromisoformat(moment) + timedelta(microseconds=away) for moment in MOMENTS for away in (-1, 0, 1)),
        datetime.max,
    ],
}  # fmt: skip
TYPES = {"x": "number", "n": "integer", "s": "text", "b": "boolean", "d": "date", "t": "timestamp"}


def some_rows(random: Random, n: int) -> list[dict[str, Any]]:
    """Return rows, of which each value of each column is in some; neighbours in order, else at random."""
    rows = [{name: random.choice(cells) for name, cells in CELLS.items()} for _ in range(n)]
    for name, value in ((name, value) for name, cells in CELLS.items() for value in cells):
        rows.append({other: random.choice(cells) for other, cells in CELLS.items()} | {name: value})
    pairs = list(product(CELLS["x"], CELLS["s"]))
    rows += [{**random.choice(rows), "x": x, "s": s} for x, s in random.sample(pairs, 20)]
    return rows


def stored(rows: list[dict[str, Any]]) -> list[Stored]:
    """Return rows as columns of an engine's table."""
    return [Stored(name, TYPES[name], [row[name] for row in rows]) for name in CELLS]
