# treerules 0.1.0 python flat: 1 rule, schema 085f05b40acb27ab, model 3f42d9d50df243bf
"""A decision tree as if-then rules, exclusive and complete.

It needs nothing but Python's standard library.

predict(row), rule(row) and explain(row) take a mapping from column names to values. A
missing key, None or NaN is a missing value, extra keys are ignored, dates may be ISO
text, and a value of the wrong kind is a TypeError that names its column.

    python THIS.py rows.csv      scores a CSV file; without a name, what is piped in
    python THIS.py --selftest    checks the module by rows that it carries
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
MODEL = "3f42d9d50df243bf"
TARGET = "t"
CLASSES: tuple[str, ...] = ("n", "y")
SCHEMA: list[dict[str, Any]] = [{"name": "a", "kind": "integer", "type": "integer"}]
FEATURES: tuple[str, ...] = tuple(feature["name"] for feature in SCHEMA)
_ASKED: tuple[int, ...] = ()

# A rule a line: compilers are slow with literals of many rules.
_TABLE = """\
rule class n coverage support confidence lift text
1 1 60 1.0 0.5166666666666667 0.5166666666666667 1.0 ALWAYS t = y
"""
_SHARES_TABLE = """\
1 0.48333333333333334 0.5166666666666667
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
_VALUES: list[str] = [RULES[0]["value"]] * 2
for _found in RULES:
    _VALUES[_found["rule"]] = _found["value"]
_SHARES = {
    int(number): tuple(map(float, shares))
    for number, *shares in map(str.split, _SHARES_TABLE.split("\n")[:-1])
}


def predict(row: Mapping[str, Any]) -> str:
    """Return the class that the rule of a row predicts."""
    return _VALUES[rule(row)]


def rule(row: Mapping[str, Any]) -> int:
    """Return the number of the rule that fires for a row."""
    return 1


def predict_proba(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the share of each class where a row's rule was learned."""
    return dict(zip(CLASSES, _SHARES[rule(row)]))


def explain(row: Mapping[str, Any]) -> tuple[int, str]:
    """Return the number and the text of the rule that fires for a row."""
    number = rule(row)
    return number, _TEXTS[number]


def predict_many(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Return an iterator over the predictions for rows, made as they are asked for."""
    return map(predict, rows)


def predict_values(
    f0: Any,
    /,
) -> str:
    """Return the prediction for values in the order of FEATURES."""
    values = [
        f0,
    ]
    return predict(dict(zip(FEATURES, values)))


# ---- the command line

_CHECKS = r"""
[]
[1]
"""
_SPELLED: dict[int, dict[str, Any]] = {}
_UNSEEN: dict[int, Any] = {}
_SHARE_NAMES: tuple[str, ...] = ("p_n", "p_y")
_MISSING = ("", "NA", "NaN", "null", "?")
_READERS: dict[str, Any] = {}


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
    for line, row in rows:
        if len(row) != len(names):
            raise ValueError(f"line {line} has {len(row)} cells, not {len(names)}")
        number = rule({})
        shares = map(repr, _SHARES[number]) if proba else ()
        said = _VALUES[number]
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
