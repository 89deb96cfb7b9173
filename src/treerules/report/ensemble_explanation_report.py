"""Explanations of ensembles: the answer, the sum that makes the margin, and what each tree adds, the largest first.

ill = yes: margin 1.25 >= 0; probability 0.7773
numbers above 0 speak for yes
margin 1.25 = base 0.25 + 1 from 2 trees

tree  adds   sum  rule
   1   0.5  0.75  x > 2.5
   2   0.5  1.25  x > 2.5

`sum` is the base and what the trees down to this line add. Text, Markdown and HTML have the short form, in which a
condition names the missing or unseen value only where the row has it. CSV and JSON are exact; in them `adds` is the
double that is nearest to the leaf times the factor.

    CSV    a line for each tree: its number, the rule that fires, the leaf, what it adds, the conditions
    JSON   {"format": "treerules.ensemble_explanation", "version": 1, "row", "answer", "class": whose margin it is, or
           null, "margin", "margins": by class, "probabilities": by class, or null, "base", "factor", "rounding": null
           where the margin is not finite, "others": what trees add that are not listed, "exact": {"base", "factor",
           "rounding", "others"} as texts of fractions such as "1/3", "n_trees": of all, "trees": [{"tree", "rule",
           "leaf", "adds", "conditions": [{"column", "value", "condition"}]}]};
           base + the sum of leaf * factor + others + rounding is the margin
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import copysign, inf, isfinite
from typing import Any

from treerules.proof.ensemble_explanation import Contribution, EnsembleExplanation
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, display_width, exact_text, json_number
from treerules.rendering.wrap import COMMA, SENTENCE, fold_lines
from treerules.report.ensemble_report import MEANS
from treerules.report.explanation_report import reason_record, row_record, unusual_columns
from treerules.report.phrasing_options import PHRASING_OPTIONS
from treerules.report.report import Part, tables_report
from treerules.report.table_limits import TOP, shown_count
from treerules.rules.phrasing import EXACT, Phrasing, phrasing_for
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text, word
from treerules.trees.training_values import TrainingValues
from treerules.trees.tree import target_of

#: Spells a figure.
_Spell = Callable[[float | Fraction], str]


def unfolded_parts(
    explanation: EnsembleExplanation,
    lang: str,
    exact: bool,
    full: bool,
    digits: int | None,
    top: int | None,
    before_and: str = "",
) -> list[Part]:
    """Return the lines of the answer and of the sum, the table of the trees, and the line of those not shown."""
    # what the rows of the training had is unknown, what this row has is not
    phrasing = phrasing_for(TrainingValues(), lang, exact=exact, full=full, digits=digits)
    phrasing = phrasing.naming(*unusual_columns(explanation.schema, explanation.row))
    spell = partial(_figure, digits=None if exact else phrasing.figure_digits)
    shown = shown_count(top, len(explanation.contributions))
    lines = [_answer_line(explanation, lang, phrasing, spell), *_sum_lines(explanation, lang, spell)]
    table = [_table(explanation, lang, phrasing, spell, shown, before_and)] if explanation.contributions else []
    return ["\n".join(lines), *table, *_more_line(explanation, lang, spell, shown)]


def _text_parts(explanation: EnsembleExplanation, lang: str, **options: Any) -> Iterator[Part]:
    """Yield the parts with lines and conditions folded, for text."""
    for part in unfolded_parts(explanation, lang, **options, before_and="\n"):
        if isinstance(part, TextTable):
            yield _folded(part)
        elif isinstance(part, str):
            yield "\n".join(line for text in part.split("\n") for line in fold_lines("", text, at=SENTENCE))


def _folded(table: TextTable) -> TextTable:
    """Return a table whose last column is folded, with a row for each line."""
    figures = [row[:-1] for row in (table.headings, *table.rows)]
    indent = " " * sum(max(map(display_width, column)) + 2 for column in zip(*figures, strict=True))
    rows: list[Sequence[str]] = []
    for *cells, text in table.rows:
        first, *others = _lines(indent, text)
        rows += [[*cells, first], *([*([""] * len(cells)), line] for line in others)]
    return TextTable(table.headings, rows, table.right)


def _lines(indent: str, text: str) -> Iterator[str]:
    """Yield the lines behind an indent of conditions, one a line; a long condition is folded at any blank."""
    for line in fold_lines(indent, text.split("\n"), at=COMMA):
        condition = line.removeprefix(indent)
        yield from (part.removeprefix(indent) for part in fold_lines(indent, condition, at=SENTENCE))


def _figure(value: float | Fraction, digits: int | None) -> str:
    """Return a figure with so many significant digits; with all of those of the nearest double where that is None."""
    number = _nearest(value)
    return figure_text(number, digits) if digits is not None and isfinite(number) else word(number)


def _nearest(value: float | Fraction) -> float:
    """Return the double that is nearest to a number."""
    try:
        return float(value)
    except OverflowError:
        return copysign(inf, value)


# ---- the lines above the table


def _answer_line(explanation: EnsembleExplanation, lang: str, phrasing: Phrasing, spell: _Spell) -> str:
    """Return the line of the answer and of what decides it."""
    ensemble, schema, answer = explanation.ensemble, explanation.schema, explanation.answer
    values = {"target": word(target_of(ensemble).name), "answer": consequent_text(schema, answer, phrasing)}
    if explanation.probabilities is None:
        return f"{values['target']} = {MEANS[ensemble.link].format(margin=heading('margin', lang))} = {spell(answer)}"
    position, n = schema.classes.index(answer), len(schema.classes)
    values["probability"] = spell(explanation.probabilities[position])
    if ensemble.cut is not None:
        text = "{target} = {answer}: margin {margin} {sign} {cut}; probability {probability}"
        is_above = 0 < ensemble.cut < 1e-300
        sign = (">" if is_above else ">=") if position else ("<=" if is_above else "<")
        cut = "0" if is_above else spell(ensemble.cut)
        line = heading(text, lang, **values, margin=spell(explanation.margin), sign=sign, cut=cut)
        second = consequent_text(schema, schema.classes[1], phrasing)
        return f"{line}\n{heading('numbers above 0 speak for {label}', lang, label=second)}"
    if ensemble.label_by == "probabilities" or ensemble.link == "identity":
        text = "{target} = {answer}: probability {probability}, the greatest of {n} classes"
        return heading(text, lang, n=n, **values)
    text = "{target} = {answer}: margin {margin}, the greatest of {n} classes; probability {probability}"
    return heading(text, lang, n=n, margin=spell(explanation.margins[position]), **values)


def _sum_lines(explanation: EnsembleExplanation, lang: str, spell: _Spell) -> Iterator[str]:
    """Yield the line of the sum, how a leaf is multiplied, and how the library rounds."""
    ensemble, label, added = explanation.ensemble, explanation.label, explanation.added
    n, n_trees = len(explanation.contributions), len(ensemble.trees)
    name = heading("margin", lang)
    if label is not None:
        name = heading("margin of {label}", lang, label=consequent_text(explanation.schema, label))
    trees = heading("{n} tree" if n == 1 else "{n} trees", lang, n=f"{n:,}")
    if n < n_trees:
        trees = heading("{n} of {all} trees", lang, n=f"{n:,}", all=f"{n_trees:,}")
    texts = {(True, True): "{base} {sign} {added} from {trees}", (False, True): "{all} from {trees}"}
    text = texts.get((explanation.base != 0, n > 0), "{base}")
    base = heading("base {base}", lang, base=spell(explanation.base))
    summed = heading(
        text,
        lang,
        base=base,
        sign="-" if added < 0 else "+",
        added=spell(abs(added)),
        all=spell(added),
        trees=trees,
    )
    yield f"{name} {spell(explanation.margin)} = {summed}"
    if explanation.factor != 1 and n:
        yield heading("each tree adds its leaf times {factor}", lang, factor=spell(explanation.factor))
    if explanation.rounding is None:
        yield heading("the sums overflow {type}", lang, type=ensemble.sum_type)
    elif explanation.rounding:
        rounding = spell(explanation.rounding)
        yield heading("rounding of the sums in {type}: {rounding}", lang, type=ensemble.sum_type, rounding=rounding)


def _more_line(explanation: EnsembleExplanation, lang: str, spell: _Spell, shown: int) -> list[str]:
    """Return the line of the trees that are not shown; none where all are."""
    others = explanation.contributions[shown:]
    if not others:
        return []
    text = "… {n} more tree adds {added} (--top 0 prints all)" if len(others) == 1 else _MORE
    added = sum((contribution.added for contribution in others), Fraction(0))
    return [heading(text, lang, n=f"{len(others):,}", added=spell(added))]


_MORE = "… {n} more trees add {added} (--top 0 prints all)"


# ---- tables


def _table(
    explanation: EnsembleExplanation, lang: str, phrasing: Phrasing, spell: _Spell, shown: int, before_and: str
) -> TextTable:
    """Return a row for each of the first trees."""
    shown_trees = explanation.contributions[:shown]
    rules = [tree.rule for tree in shown_trees]
    antecedents = antecedent_texts(explanation.schema, rules, phrasing=phrasing, before_and=before_and)
    sums = accumulate((tree.added for tree in shown_trees), initial=explanation.base)
    next(sums)
    rows = [
        [str(tree.tree), spell(tree.added), spell(total), text]
        for tree, total, text in zip(shown_trees, sums, antecedents, strict=True)
    ]
    headings = [heading(name, lang) for name in ("tree", "adds", "sum", "rule")]
    return TextTable(headings, rows, [True, True, True, False])


def _exact_table(explanation: EnsembleExplanation, lang: str, top: int | None, **options: Any) -> TextTable:
    shown = _first(explanation, top)
    antecedents = antecedent_texts(explanation.schema, [tree.rule for tree in shown], phrasing=EXACT)
    rows = [
        [str(tree.tree), str(tree.rule.number), exact_text(tree.leaf), exact_text(_nearest(tree.added)), text]
        for tree, text in zip(shown, antecedents, strict=True)
    ]
    return TextTable([heading(name, lang) for name in ("tree", "rule", "leaf", "adds", "if")], rows)


def _first(explanation: EnsembleExplanation, top: int | None) -> Sequence[Contribution]:
    """Return the trees of CSV and JSON: all of them unless a number is asked for."""
    return explanation.contributions[: top or len(explanation.contributions)]


# ---- JSON


def _record(explanation: EnsembleExplanation, lang: str, top: int | None, **options: Any) -> dict[str, Any]:
    shown = _first(explanation, top)
    exact = {name: getattr(explanation, name) for name in ("base", "factor", "rounding")}
    exact["others"] = sum((tree.added for tree in explanation.contributions[len(shown) :]), Fraction(0))
    return {
        "format": "treerules.ensemble_explanation",
        "version": 1,
        "row": row_record(explanation.row),
        "answer": _number(explanation.answer),
        "class": json_number(explanation.label),
        "margin": _number(explanation.margin),
        "margins": list(map(_number, explanation.margins)),
        "probabilities": None if explanation.probabilities is None else list(map(_number, explanation.probabilities)),
        **{name: None if value is None else _number(_nearest(value)) for name, value in exact.items()},
        "exact": {name: None if value is None else str(value) for name, value in exact.items()},
        "n_trees": len(explanation.contributions),
        "trees": [_tree_record(explanation, tree) for tree in shown],
    }


def _tree_record(explanation: EnsembleExplanation, tree: Contribution) -> dict[str, Any]:
    return {
        "tree": tree.tree,
        "rule": tree.rule.number,
        "leaf": tree.leaf,
        "adds": _number(_nearest(tree.added)),
        "conditions": [reason_record(explanation.schema, reason) for reason in tree.reasons],
    }


def _number(value: Any) -> Any:
    """Return a value for JSON; a number that is not finite, as of sums that overflow, is "inf", "-inf" or "nan"."""
    return str(value) if isinstance(value, float) and not isfinite(value) else value


ENSEMBLE_EXPLANATION = tables_report(
    EnsembleExplanation,
    parts=unfolded_parts,
    table=_exact_table,
    record=_record,
    options=[*PHRASING_OPTIONS, TOP],
    text=lambda explanation, lang, **options: list(_text_parts(explanation, lang, **options)),
)
