# treerules 0.1.0 python flat: 2 rules, schema 329863e3870abaca, model 1971d53d964ae719
"""A decision tree as if-then rules, exclusive and complete.

It needs nothing but Python's standard library.

predict(row), rule(row) and explain(row) take a mapping from column names to values. A
missing key, None or NaN is a missing value, extra keys are ignored, dates may be ISO
text, and a value of the wrong kind is a TypeError that names its column.

    python THIS.py rows.csv      scores a CSV file; without a name, what is piped in
    python THIS.py --selftest    checks the module by rows that it carries
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

__all__ = [
    "CLASSES",
    "FEATURES",
    "MODEL",
    "RULES",
    "SCHEMA",
    "TARGET",
    "explain",
    "predict",
    "predict_many",
    "predict_proba",
    "predict_values",
    "rule",
]

NAN, INF = float("nan"), float("inf")
MODEL = "1971d53d964ae719"
TARGET = "t"
CLASSES: tuple[int, ...] = (0, 1)
SCHEMA: list[dict[str, Any]] = [{"name": "a", "kind": "integer", "type": "integer"}]
FEATURES: tuple[str, ...] = tuple(feature["name"] for feature in SCHEMA)
_ASKED: tuple[int, ...] = (0,)

# A rule a line: compilers are slow with literals of many rules.
_TABLE = """\
rule class n coverage support confidence lift text
1 0 35 0.5833333333333334 0.5833333333333334 1.0 1.7142857142857142 IF (a <= 4 or missing) THEN t = 0
2 1 25 0.4166666666666667 0.4166666666666667 1.0 2.4 IF a > 4 THEN t = 1
"""
_SHARES_TABLE = """\
1 1.0 0.0
2 0.0 1.0
"""


def _rule(line: str) -> dict[str, Any]:
    """Return the rule of a line of the table."""
    number, value, n, coverage, support, confidence, lift, text = line.split(" ", 7)
    return {
        "rule": int(number),
        "text": text,
        "value": _ANSWERS[int(value)],
        "n": float(n),
        "coverage": float(coverage),
        "support": float(support),
        "confidence": float(confidence),
        "lift": float(lift),
    }


_ANSWERS = CLASSES
RULES = [_rule(line) for line in _TABLE.split("\n")[1:-1]]
_TEXTS: dict[int, str] = {rule["rule"]: rule["text"] for rule in RULES}
_VALUES: list[int] = [RULES[0]["value"]] * 3
for _found in RULES:
    _VALUES[_found["rule"]] = _found["value"]
_SHARES = {
    int(number): tuple(map(float, shares))
    for number, *shares in map(str.split, _SHARES_TABLE.split("\n")[:-1])
}


def predict(row: Mapping[str, Any]) -> int:
    """Return the class that the rule of a row predicts."""
    return _VALUES[rule(row)]


def rule(row: Mapping[str, Any]) -> int:
    """Return the number of the rule that fires for a row."""
    get: Any = row.get
    f0 = get("a")
    if f0.__class__ is not int or not -(2**63) <= f0 < 2**63:
        f0 = known(integer(f0, FEATURES[0]), NAN)
    if not f0 > 4:
        return 1
    if f0 > 4:
        return 2
    raise AssertionError("no rule fires")


def predict_proba(row: Mapping[str, Any]) -> dict[int, float]:
    """Return the share of each class where a row's rule was learned."""
    return dict(zip(CLASSES, _SHARES[rule(row)]))


def explain(row: Mapping[str, Any]) -> tuple[int, str]:
    """Return the number and the text of the rule that fires for a row."""
    number = rule(row)
    return number, _TEXTS[number]


def predict_many(rows: Iterable[Mapping[str, Any]]) -> Iterator[int]:
    """Return an iterator over the predictions for rows, made as they are asked for."""
    return map(predict, rows)


def predict_values(
    f0: Any,
    /,
) -> int:
    """Return the prediction for values in the order of FEATURES."""
    values = [
        f0,
    ]
    return predict(dict(zip(FEATURES, values)))


def refused(value: Any, column: str, wanted: str) -> TypeError:
    """Return the error for a value that is of the wrong kind."""
    try:
        shown = repr(value)
    except ValueError:  # an int of more digits than Python prints
        shown = "a value too long to show"
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    kind = type(value).__name__
    return TypeError(f"column {column!r} takes {wanted}, not {shown} ({kind})")


def plain(value: Any) -> Any:
    """Return the Python value of a numpy scalar, None of a missing one, else the value."""
    kind = type(value)
    name = kind.__name__
    if name in ("NAType", "NaTType", "MaskedConstant"):
        return None
    if kind.__module__ == "numpy" and not getattr(value, "shape", ()):
        value = float(value) if name == "longdouble" else unpacked(value, name)
    if isinstance(value, Decimal):
        return None if value.is_nan() else value
    return None if isinstance(value, float) and math.isnan(value) else value


def unpacked(value: Any, name: str) -> Any:
    """Return what a numpy scalar holds; a datetime64 in microseconds, if at all."""
    found = value.item() if hasattr(value, "item") else value
    if isinstance(found, int) and name == "datetime64":
        found = value.astype("datetime64[us]").item()  # it was finer, or out of range
    is_raw = isinstance(found, int) and name in ("datetime64", "timedelta64")
    return value if is_raw else found


def integer(value: Any, column: str) -> Any:
    """Return an int within int64, None when missing; 3.0 is 3, 3.5 stays 3.5."""
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (float, int, Decimal)):
        raise refused(value, column, "an integer")
    if not -(2**63) <= value < 2**63:
        raise refused(value, column, "an integer of 64 bits")
    return int(value) if int(value) == value else value


def spelled_number(text: str) -> Any:
    """Return the number that text spells: decimal, scientific or inf, blanks around it."""
    digits = r"[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI]nf(inity)?)"
    found = re.fullmatch(rf"[ \t-\r]*({digits})[ \t-\r]*", text)
    return float(text) + 0.0 if found else None


def spelled_integer(text: str) -> Any:
    """Return the integer of 64 bits that text spells: 7, 007 and 7.0 are 7."""
    blank = r"[ \t-\r]*"
    found = re.fullmatch(rf"{blank}([+-]?)0*([0-9]{{1,19}})(\.0*)?{blank}", text)
    value = int(found.group(1) + found.group(2)) if found else 2**63
    return value if -(2**63) <= value < 2**63 else None


def spelled_between(text: str) -> Any:
    """Return the integer of 64 bits that text spells, or the number between two."""
    value = spelled_integer(text)
    found = None if value is not None else spelled_number(text)
    return value if found is None or not -(2.0**63) <= found < 2.0**63 else found


def known(value: Any, hole: Any) -> Any:
    """Return a converted value, or what stands for a missing one."""
    return hole if value is None or value is NAN else value


# ---- the command line

_CHECKS = r"""
["a"]
[1, 4]
[2, 5]
[1, 3]
[1, null]
[1, -9223372036854775808]
[1, -1]
[1, -9007199254740991]
[2, 9223372036854775807]
[2, 9007199254740991]
[1, -9007199254740992]
[1, 0]
[2, 9007199254740992]
[1, -9007199254740993]
[1, 1]
[2, 9007199254740993]
"""
_SPELLED: dict[int, dict[str, Any]] = {}
_UNSEEN: dict[int, Any] = {}
_SHARE_NAMES: tuple[str, ...] = ("p_0", "p_1")
_SAID: dict[Any, str] = {0: "0", 1: "1"}
_MISSING = ("", "NA", "NaN", "null", "?")
_READERS: dict[str, Any] = {
    "integer": spelled_between,
}


def _cell(cell: str, place: int, line: int) -> Any:
    """Return what a cell of a CSV file holds, None where that is missing."""
    if cell in _MISSING:
        return None
    kind: str = SCHEMA[place]["type"]
    if place in _SPELLED:
        value = _SPELLED[place].get(cell, _UNSEEN[place])
    else:
        value = _READERS[kind](cell) if kind in _READERS else cell
    if value is None:
        shown = cell if len(cell) <= 60 else cell[:57] + "..."
        column = FEATURES[place]
        raise ValueError(f"line {line}, column {column!r}: {shown!r} is no {kind}")
    return value


def _names(names: list[str]) -> list[str]:
    """Return the names of a header, those that are asked spelled so: blanks at their ends do not matter."""
    blanks = " \t\u00a0\u3000"
    bare = [name.strip(blanks) for name in names]
    found = list(names)
    for name in [FEATURES[place] for place in _ASKED]:
        if name not in names and bare.count(name.strip(blanks)) == 1:
            found[bare.index(name.strip(blanks))] = name
    return found


def _delimiter(first: str) -> str:
    """Return the delimiter that finds all columns in a header line."""
    import csv

    asked = {FEATURES[place] for place in _ASKED}
    for found in (",", ";", "\t", "|"):
        if asked <= set(_names(next(csv.reader([first], delimiter=found), []))):
            return found
    return ","


def _has_blanks(head: list[str], delimiter: str) -> bool:
    """Return whether a blank that is no part of the cells follows each delimiter."""
    import csv

    found = list(csv.reader(head, delimiter=delimiter))
    cells = [cell for row in (found[1:] or found) for cell in row[1:]]
    return bool(cells) and all(cell.startswith(" ") for cell in cells)


def _rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file, each with its line."""
    import csv
    from itertools import chain, islice

    csv.field_size_limit(2**31 - 1)
    lines = iter(lines)
    head = list(islice(lines, 1000))
    if not head:
        raise ValueError("the file is empty: give it a header line and rows")
    delimiter = delimiter or _delimiter(head[0])
    blanks = _has_blanks(head, delimiter)
    rows = csv.reader(
        chain(head, lines), delimiter=delimiter, skipinitialspace=blanks, strict=True
    )
    while True:
        start = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise ValueError(f"line {start} cannot be read as CSV: {error}") from None
        if row is None:
            return
        if row:
            yield start, row


def score(
    lines: Iterable[str],
    write: Callable[[Sequence[str]], object],
    delimiter: str = "",
    proba: bool = False,
    only: bool = False,
) -> None:
    """Write the rows of a CSV file with the prediction and the number of the rule."""
    rows = _rows(lines, delimiter)
    head: list[str] = next(rows, (0, []))[1]
    names = _names(head)
    for name in [FEATURES[place] for place in _ASKED] + names:
        if names.count(name) != 1:
            count = "has two columns" if name in names else "has no column"
            raise ValueError(f"the file {count} {name!r}; its columns are {head!r}")
    more = ["prediction", *(_SHARE_NAMES if proba else ()), "rule"]
    taken = [] if only else [name for name in more if name in names]
    if taken:
        raise ValueError(f"the file has a column {taken[0]!r}: rename it, or --only")
    write((*([] if only else head), *more))
    asked = [(names.index(FEATURES[place]), place) for place in _ASKED]
    for line, row in rows:
        if len(row) != len(names):
            raise ValueError(f"line {line} has {len(row)} cells, not {len(names)}")
        number = rule({FEATURES[p]: _cell(row[at], p, line) for at, p in asked})
        shares = map(repr, _SHARES[number]) if proba else ()
        said = _SAID[_VALUES[number]]
        write((*([] if only else row), said, *shares, str(number)))


def selftest() -> int:
    """Print whether the rows that the module carries fire the tree's rules."""
    import json

    names, *checks = map(json.loads, _CHECKS.split("\n")[1:-1])
    for wanted, *values in checks:
        row = dict(zip(names, values))
        try:
            found: int | None = rule(row)
        except AssertionError:
            found = None
        if found != wanted or predict(row) != _VALUES[wanted]:
            said = "no rule" if found is None else f"rule {found}"
            print(f"{said} fires, not rule {wanted}, for {row!a}")
            return 1
    print(f"{len(checks)} rows checked: each fires the rule that it fires in the tree")
    return 0


def _scored(lines: Iterable[str], options: Any) -> None:
    """Score CSV to the standard output."""
    import csv

    with open(
        sys.stdout.fileno(),
        "w",
        encoding="utf-8",
        errors="backslashreplace",
        newline="",
        closefd=False,
    ) as out:
        usual = csv.writer(out, lineterminator="\n")
        careful = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)

        def write(row: Sequence[str]) -> None:
            (careful if "\r" in "".join(row) else usual).writerow(row)

        score(lines, write, options.delimiter, options.proba, options.only)


def main(arguments: Sequence[str]) -> int:
    """Run the command line, and return its exit code."""
    import argparse
    import codecs

    parser = argparse.ArgumentParser(
        description="Score a CSV file by the rules of a decision tree.",
    )
    add = parser.add_argument
    add(
        "file",
        nargs="?",
        default="-",
        help="CSV file; - is the standard input",
    )
    add(
        "--proba",
        action="store_true",
        help="give the share of each class too",
    )
    add(
        "--only",
        action="store_true",
        help="leave out the columns of the file",
    )
    add(
        "--selftest",
        action="store_true",
        help="check the module by rows that it carries",
    )
    add(
        "--delimiter",
        default="",
        metavar="C",
        help="what separates cells; told by the header by default",
    )
    add(
        "--encoding",
        default="utf-8-sig",
        metavar="E",
        help="of the file; UTF-8 by default",
    )
    options = parser.parse_args(arguments)
    if options.selftest:
        return selftest()
    if len(options.delimiter) > 1:
        parser.error("--delimiter takes one character")
    try:
        codecs.lookup(options.encoding)
    except LookupError:
        parser.error(f"--encoding {options.encoding!a} is none that Python knows")
    source: int | str = sys.stdin.fileno() if options.file == "-" else options.file
    try:
        with open(
            source, encoding=options.encoding, newline="", closefd=source != 0
        ) as lines:
            _scored(lines, options)
    except BrokenPipeError:  # whoever reads has gone
        return 0
    except UnicodeDecodeError:
        problem: object = f"not {options.encoding}: name it, as in --encoding gb18030"
    except OSError as error:
        problem = error.strerror or error
    except ValueError as error:
        problem = error
    else:
        return 0
    print(f"{parser.prog}: {options.file}: {problem!s}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
