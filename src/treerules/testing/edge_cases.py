"""Edge cases: names, texts and values that emitted code may handle wrongly.

The first element of each pool is the simplest, to which hypothesis shrinks.
"""

import math
from datetime import UTC, date, datetime
from typing import Any

NAMES = ("x", "年龄", "it's", 'a"b', "select", "two words", "{{ x }}", "%s", "back\\slash", "`tick`", "row", "f0")
TEXTS = (
    "",
    " ",
    "a",
    "A",
    "否",
    "是",
    "青年",
    "it's",
    'q"q',
    "1",
    "nan",
    "NA",
    "a\nb",
    "--",
    "'); DROP TABLE t;--",
    "é",
    "e\u0301",
)
NUMBERS = (
    0.0, 1.0, -1.0, 0.1, 0.1 + 0.2, 5e-324, -5e-324, 1.7976931348623157e308, math.inf, -math.inf,
    math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0), 2.0**53, 2.0**53 + 2, 16777217.0, 1e-9, 3.5,
)  # fmt: skip
INTEGERS = (0, 1, -1, 2, 5, 2**53 - 1, 2**53, 2**53 + 1, -(2**63), 2**63 - 1, 7)
DATES = (date.min, date(1582, 10, 15), date(1970, 1, 1), date(2024, 2, 29), date(2024, 3, 1), date.max)
MOMENTS = (
    datetime.min,
    datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime(2024, 3, 21, 20, 21, 9),
    datetime(2024, 3, 21, 20, 21, 9, 1),
    datetime.max,
)
#: The edge cases of each scalar.
POOLS: dict[str, tuple[Any, ...]] = {
    "number": NUMBERS,
    "integer": INTEGERS,
    "boolean": (False, True),
    "text": TEXTS,
    "date": DATES,
    "timestamp": MOMENTS,
    "timestamp_utc": tuple(moment.replace(tzinfo=UTC) for moment in MOMENTS),
}
#: The simplest values, where the first of a pool, the lowest one, is not.
SIMPLEST: dict[str, tuple[Any, ...]] = {
    "date": (date(2000, 1, 1),),
    "timestamp": (datetime(2000, 1, 1),),
    "timestamp_utc": (datetime(2000, 1, 1, tzinfo=UTC),),
}
#: The values that a leaf of a regression may predict.
MEANS = (0.0, 1.5, -2.5, 1e300, 0.1, 5e-324)
