"""Equivalences of code and its model: the number of rows compared, what ran the code, and the difference, if any.

CSV    one row: file, engine, rows, rows_of_data, rows_left_out, equal, difference
JSON   {"format": "treerules.equivalence", "version": 1, "file", "engine", "rows", "rows_of_data", "rows_left_out",
       "equal", "difference": {"row", "expected", "rule", "answer", "raised", "paste"} or null, and
       "assuming", what is assumed of the columns, if anything is, and "notes" on the columns of a table, if any}
"""

from typing import Any

from treerules.rendering.text_tables import TextTable, json_number
from treerules.report.report import Part, ReportOption, tables_report
from treerules.verification.answers import RaisedError
from treerules.verification.equivalence import Difference, Equivalence, difference_text, equivalence_text

_COUNTS = ("engine", "rows", "rows_of_data", "rows_left_out", "equal")


def _parts(equivalence: Equivalence, lang: str, file: str) -> list[Part]:
    return [equivalence_text(equivalence, lang, file)]


def _table(equivalence: Equivalence, lang: str, file: str) -> TextTable:
    record = _record(equivalence, lang, file)
    difference = "" if equivalence.difference is None else difference_text(equivalence.difference, lang)
    return TextTable(["file", *_COUNTS, "difference"], [[file, *(str(record[key]) for key in _COUNTS), difference]])


def _record(equivalence: Equivalence, lang: str, file: str) -> dict[str, Any]:
    difference = equivalence.difference
    return {
        "format": "treerules.equivalence",
        "version": 1,
        "file": file or None,
        "engine": equivalence.engine,
        "rows": equivalence.n_rows,
        "rows_of_data": equivalence.n_data,
        "rows_left_out": equivalence.n_left_out,
        "equal": bool(equivalence),
        "difference": None if difference is None else _difference_record(difference),
        **({"assuming": str(equivalence.assumption)} if equivalence.assumption else {}),
        **({"notes": list(map(str, equivalence.notes))} if equivalence.notes else {}),
    }


def _difference_record(difference: Difference) -> dict[str, Any]:
    is_raised = isinstance(difference.answer, RaisedError)
    return {
        "row": {name: _plain(value) for name, value in difference.row.items()},
        "expected": _plain(difference.expected),
        "rule": difference.rule,
        "answer": None if is_raised else _plain(difference.answer),
        "raised": str(difference.answer) if is_raised else None,
        "paste": difference.paste,
    }


def _plain(value: Any) -> Any:
    return "nan" if value != value else json_number(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


EQUIVALENCE = tables_report(
    Equivalence,
    parts=_parts,
    table=_table,
    record=_record,
    options=[ReportOption("file", "", _is_text, "the name of the file of code, as text")],
)
