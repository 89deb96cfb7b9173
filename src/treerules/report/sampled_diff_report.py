"""Differences of two models on rows: how many answers differ, by how much, which labels became which, where, and rows.

different answers for 4 of 81 rows of the data and 33 of 420 boundary rows
compared on sampled rows: nothing is proved of other rows
trees 1 to 10 are equal; 2 trees added

rows      compared  differing  ...

CSV    the rows that differ: rows (data or boundary), number, old, new, difference, witness
JSON   {"format": "treerules.sampled_diff", "version": 1, "equal": true, false or null, "measure", "trees": {"old",
       "new", "equal"}, "settings": {name: {"old", "new"}}, "rows": [{"kind", "n", "differing", "mean", "median",
       "quantile_90", "quantile_99", "greatest"}], "labels": [{"old", "new", "n"}], "groups": [{"if": a list of
       conditions, "n", "differing", "mean", "change"}], "witnesses": [{"kind", "number", "row", "old", "new",
       "difference"}]}
"""

from collections.abc import Callable, Sequence
from typing import Any

from treerules.formats.rules_text.text_writer import exact_condition_text
from treerules.proof.sampled_diff import ComparedRows, DifferingGroup, DifferingRow, RowKind, SampledDiff
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, exact_text, json_number
from treerules.rendering.wrap import COMMA, fold_lines
from treerules.report.report import Heading, Part, tables_report
from treerules.report.sampled_diff_summary import MEASURE_NAMES, summary_lines
from treerules.rules.phrasing import phrasing_for
from treerules.rules.row_text import row_text
from treerules.rules.wording import antecedent_texts, consequent_text

#: The figures of the compared rows: the heading, and the field of ComparedRows.
_FIGURES = (
    ("mean", "mean"),
    ("median", "median"),
    ("90%", "quantile_90"),
    ("99%", "quantile_99"),
    ("greatest", "greatest"),
)
#: The number of pairs of labels that are shown.
_MOST_LABELS = 20


def _parts(diff: SampledDiff, lang: str, *, lists: Callable[[SampledDiff, str], list[Part]]) -> list[Part]:
    """Return the summary, the tables of figures and of labels; then what `lists` makes of conditions and rows."""
    parts: list[Part] = ["\n".join(summary_lines(diff, lang))]
    if diff.compared:
        parts += [
            heading(f"absolute differences of the {MEASURE_NAMES[diff.measure]}:", lang),
            _figures_table(diff, lang),
        ]
    if diff.labels:
        parts += [heading(_kind_text(_LABELS, diff), lang), _labels_table(diff, lang)]
    n_more = len(diff.labels) - _MOST_LABELS
    parts += [heading("{n} more row" if n_more == 1 else "{n} more rows", lang, n=n_more)] if n_more > 0 else []
    return [*parts, *lists(diff, lang)]


#: Headings about rows of the data, and the same about boundary rows, for diffs in which no row of data differs.
_LABELS = ("labels that changed in the data:", "labels that changed in boundary rows:")
_WHERE = ("where the data differ", "where boundary rows differ")


def _kind_text(texts: tuple[str, str], diff: SampledDiff) -> str:
    return texts[diff.data is None or not diff.data.n_differing]


def _shown(figure: float | None) -> str:
    """Return a difference with four significant digits."""
    return "-" if figure is None else f"{figure:.4g}"


# ---- tables


def _figures_table(diff: SampledDiff, lang: str) -> TextTable:
    """Return a row for each kind of rows: how many were compared, how many differ, and by how much."""
    rows = [
        [heading(kind, lang), str(rows.n), str(rows.n_differing), *map(_shown, _figures(rows))]
        for kind, rows in diff.compared
    ]
    names = ["rows", "compared", "differing", *(name for name, _ in _FIGURES)]
    return TextTable([heading(name, lang) for name in names], rows, [False, *(True for _ in names[1:])])


def _figures(rows: ComparedRows) -> list[float | None]:
    return [getattr(rows, key) for _, key in _FIGURES]


def _labels_table(diff: SampledDiff, lang: str) -> TextTable:
    rows = [[_answer(diff, each.old), _answer(diff, each.new), str(each.n)] for each in diff.labels[:_MOST_LABELS]]
    return TextTable([heading(name, lang) for name in ("old", "new", "rows")], rows, [False, False, True])


def _answer(diff: SampledDiff, value: Any) -> str:
    return consequent_text(diff.schema, value)


# ---- conditions and rows, as lines


def _lines(diff: SampledDiff, lang: str) -> list[Part]:
    """Return the conditions and the rows as lines of at most 80 columns."""
    parts: list[Part] = []
    if diff.groups:
        lines = [
            line
            for group, text in zip(diff.groups, _conditions(diff, lang, "\n"), strict=True)
            for line in [_group_head(group, lang), *fold_lines("    ", text.split("\n"), at=COMMA)]
        ]
        parts += [Heading(heading(_kind_text(_WHERE, diff), lang)), "\n".join(lines)]
    if diff.witnesses:
        lines = [line for witness in diff.witnesses for line in _witness_lines(diff, witness, lang)]
        parts += [Heading(heading(_witness_title(diff), lang)), "\n".join(lines)]
    return parts


def _conditions(diff: SampledDiff, lang: str, before_and: str = "") -> list[str]:
    """Return the conditions of each group, in short form."""
    if diff.rules is None:
        return []
    phrasing = phrasing_for(diff.rules.training, lang, exact=False, full=False, digits=None)
    rules = [group.rule for group in diff.groups]
    return antecedent_texts(diff.rules.schema, rules, phrasing=phrasing, before_and=before_and)


def _group_head(group: DifferingGroup, lang: str) -> str:
    rows, mean = row_count(group.n, lang), _shown(group.mean)
    head = heading(
        "{differing} of {rows}, mean difference {mean}", lang, differing=group.n_differing, rows=rows, mean=mean
    )
    if group.change is None:
        return head
    return f"{head}, {heading('new minus old', lang)} {_shown(group.change)}"


def _witness_title(diff: SampledDiff) -> str:
    differ = f"rows of which the {MEASURE_NAMES[diff.measure]} differ"
    return "rows that are answered differently" if diff.n_differing else differ


def _witness_lines(diff: SampledDiff, witness: DifferingRow, lang: str) -> list[str]:
    head = f"{_answer(diff, witness.old)} -> {_answer(diff, witness.new)}"
    place = _row_name(witness, lang)
    difference = heading("difference {difference}", lang, difference=_shown(witness.difference))
    return [f"{head} ({place}, {difference})", *fold_lines("    ", row_text(witness.row))]


_ROW_NAMES: dict[RowKind, str] = {"data": "row {n} of the data", "boundary": "boundary row"}


def _row_name(witness: DifferingRow, lang: str) -> str:
    return heading(_ROW_NAMES[witness.kind], lang, n=witness.number)


# ---- conditions and rows, as tables


def _tables(diff: SampledDiff, lang: str) -> list[Part]:
    """Return the conditions and the rows as tables."""
    parts: list[Part] = []
    if diff.groups:
        rows = [
            [str(group.n_differing), str(group.n), _shown(group.mean), _shown(group.change), text]
            for group, text in zip(diff.groups, _conditions(diff, lang), strict=True)
        ]
        names = [heading(name, lang) for name in ("differing", "rows", "mean difference", "new minus old", "if")]
        title = Heading(heading(_kind_text(_WHERE, diff), lang))
        parts += [title, TextTable(names, rows, [True, True, True, True, False])]
    if diff.witnesses:
        parts += [Heading(heading(_witness_title(diff), lang)), _witness_table(diff, lang, _shown)]
    return parts


def _witness_table(diff: SampledDiff, lang: str, shown: Callable[[float], str]) -> TextTable:
    rows = [
        [
            heading(witness.kind, lang),
            "" if witness.number is None else str(witness.number),
            _answer(diff, witness.old),
            _answer(diff, witness.new),
            shown(witness.difference),
            row_text(witness.row),
        ]
        for witness in diff.witnesses
    ]
    names = [heading(name, lang) for name in ("rows", "number", "old", "new", "difference", "witness")]
    return TextTable(names, rows, [False, True, False, False, True, False])


def _table(diff: SampledDiff, lang: str) -> TextTable:
    return _witness_table(diff, lang, exact_text)


# ---- JSON


def _record(diff: SampledDiff, lang: str) -> dict[str, Any]:
    old, new = diff.n_trees
    return {
        "format": "treerules.sampled_diff",
        "version": 1,
        "equal": diff.equal,
        "measure": diff.measure,
        "trees": {"old": old, "new": new, "equal": diff.n_equal_trees},
        "settings": {name: {"old": one, "new": other} for name, (one, other) in diff.settings.items()},
        "rows": [_rows_record(kind, rows) for kind, rows in diff.compared],
        "labels": [{"old": json_number(each.old), "new": json_number(each.new), "n": each.n} for each in diff.labels],
        "groups": [_group_record(diff, group) for group in diff.groups],
        "witnesses": [_witness_record(witness) for witness in diff.witnesses],
    }


def _rows_record(kind: RowKind, rows: ComparedRows) -> dict[str, Any]:
    figures = {key: json_number(getattr(rows, key)) for _, key in _FIGURES}
    return {"kind": kind, "n": rows.n, "differing": rows.n_differing, **figures}


def _group_record(diff: SampledDiff, group: DifferingGroup) -> dict[str, Any]:
    schema = diff.schema if diff.rules is None else diff.rules.schema
    conditions = [exact_condition_text(schema.feature(name), condition) for name, condition in group.rule.conditions]
    mean, change = json_number(group.mean), _plain(group.change)
    return {"if": conditions, "n": group.n, "differing": group.n_differing, "mean": mean, "change": change}


def _witness_record(witness: DifferingRow) -> dict[str, Any]:
    return {
        "kind": witness.kind,
        "number": witness.number,
        "row": {name: json_number(value) for name, value in witness.row.items()},
        "old": _plain(witness.old),
        "new": _plain(witness.new),
        "difference": json_number(witness.difference),
    }


def _plain(value: Any) -> Any:
    return "nan" if value != value else json_number(value)


def _text_parts(diff: SampledDiff, lang: str) -> Sequence[Part]:
    return _parts(diff, lang, lists=_lines)


def _table_parts(diff: SampledDiff, lang: str) -> Sequence[Part]:
    return _parts(diff, lang, lists=_tables)


SAMPLED_DIFF = tables_report(
    SampledDiff, parts=_text_parts, table=_table, record=_record, md=_table_parts, html=_table_parts
)
