"""Rules with an overlap and a gap, in every form that can be read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

#: Rules with an overlap and a gap, as Python says them: from an age and an income, either of which may be missing.
Predicate = Callable[[Any, Any], bool]
REFERENCE: tuple[Predicate, ...] = (
    lambda age, income: age is not None and age <= 30,
    lambda age, income: age is not None and 30 < age <= 50 and income is not None and income > 3000,
    lambda age, income: age is not None and age > 45,
)
TEXT = """# 贷款
column 年龄: integer
target 类别: category {批准, 拒绝}

IF 年龄 <= 30 THEN 类别 = 拒绝
IF 年龄 > 30 AND 年龄 <= 50 AND income > 3000 THEN 类别 = 批准
IF 年龄 > 45 THEN 类别 = 批准
"""
QUERY = """SELECT id,
  CASE WHEN age < 18 THEN 'minor'
       WHEN age < 10 THEN 'child'
       WHEN city IN ('北京', '上海') AND age >= 60 THEN 'senior here'
       WHEN age BETWEEN 50 AND 70 THEN 'senior'
       ELSE 'adult' END AS band,
  CASE WHEN age > 3 THEN 1 WHEN city = '北京' THEN 2 END AS z
FROM people
"""


def written(tmp_path: Path, name: str, text: str) -> Path:
    """Return the path of a file with that text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def fired(row: dict[str, Any]) -> set[int]:
    """Return the numbers of the rules that fire, as Python says them."""
    return {number for number, rule in enumerate(REFERENCE, 1) if rule(row.get("年龄"), row.get("income"))}


def asked(column: str, row: dict[str, Any], query: str = QUERY) -> Any:
    """Return what DuckDB answers for a row."""
    return answered(column, [row], query)[0]


def answered(column: str, rows: list[dict[str, Any]], query: str = QUERY) -> list[Any]:
    """Return what DuckDB answers for each row."""
    with duckdb.connect() as database:
        database.execute("CREATE TABLE people (id INTEGER, age DOUBLE, city VARCHAR)")
        cells = [(number, row.get("age"), row.get("city")) for number, row in enumerate(rows)]
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", cells)
        found = database.execute(f"SELECT {column} FROM ({query}) ORDER BY id").fetchall()
    return [answer for (answer,) in found]
