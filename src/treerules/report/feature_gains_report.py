"""Feature gains: the table of the features, then that of their values with class counts, as the books print them.

The feature of the greatest gain comes first. Tables for people show the first features and those that are chosen, and
of each feature the most frequent values; the others are counted.

CSV    the features alone
JSON   {"format": "treerules.gains", "version": 1, "target", "n", "counts": {class: n}, "entropy", "gini", "mean",
       "squared_error", "features": [{"feature", "known", "cut", "conditional_entropy", "gain", "split_information",
       "gain_ratio", "gini", "squared_error", "decrease", "best", "chosen", "values": [{"value", "n", "counts",
       "entropy", "gini", "mean"}]}]}
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from attrs import evolve

from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.evaluation.gain_records import FeatureGain, FeatureGains, GainBranch
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, exact_text, json_number
from treerules.report.report import Page, Part, ReportOption, tables_report
from treerules.report.svg.gains_plot import gains_plot
from treerules.report.table_limits import TOP, first_and_marked, more_line, shown_count
from treerules.rules.conditions import bounds_of
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.rules.rule import Condition, Members
from treerules.rules.wording import condition_text, figure_text, set_text, word

#: The headings of the figures of each task.
_CLASSIFICATION_FIGURES = ("H(D|A)", "gain", "H_A(D)", "gain ratio", "Gini")
_REGRESSION_FIGURES = ("squared error", "decrease")
#: Tables for people have at most so many values of a feature.
_MOST_VALUES = 12
#: Spells a figure of a classification.
_Shown = Callable[[float | None], str]


def _parts(gains: FeatureGains, lang: str, digits: int, top: int | None) -> list[Part]:
    shown, features = _rounded_to(digits), _shown_features(gains, top)
    more = more_line(len(gains.features) - len(features), lang)
    most_values = None if top == 0 else _MOST_VALUES
    return [
        _summary(gains, lang, shown),
        _features_table(gains, features, lang, shown),
        *more,
        _values_table(gains, features, lang, shown, most_values),
    ]


def _shown_features(gains: FeatureGains, top: int | None) -> list[FeatureGain]:
    """Return the features that are shown: the first ones of the greatest gains, and the chosen one."""
    ranked = _ranked(gains)
    return list(first_and_marked(ranked, shown_count(top, len(ranked)), [gain.chosen for gain in ranked]))


def _picture(gains: FeatureGains, lang: str, digits: int, top: int | None) -> Page:
    return gains_plot(gains, _shown_features(gains, top), lang)


def _ranked(gains: FeatureGains) -> list[FeatureGain]:
    """Return the features, the greatest gain (of a regression: decrease) first, ties in the order of the schema."""

    def gain_of(feature: FeatureGain) -> float:
        gain = feature.decrease if gains.is_regression else feature.gain
        return -inf if gain is None else gain

    return sorted(gains.features, key=gain_of, reverse=True)


def _rounded_to(digits: int) -> _Shown:
    return lambda value: figure_text(None) if value is None else f"{value:.{digits}f}"


def _summary(gains: FeatureGains, lang: str, shown: _Shown) -> str:
    """Return the line on D: its rows, class counts, H(D) and Gini(D), or its mean and squared error."""
    rows = row_count(gains.n, lang)
    if gains.is_regression:
        named = (("mean", gains.mean), ("squared error", gains.squared_error))
        figures = [f"{heading(name, lang)} {figure_text(value)}" for name, value in named]
    else:
        form = gains.target.form
        figures = [f"{word(label, form)} {n}" for label, n in zip(gains.classes, gains.counts, strict=True)]
        figures += [f"H(D) {shown(gains.entropy)}", f"Gini(D) {shown(gains.gini)}"]
    return f"D: {rows}, {word(gains.target.name)}: {', '.join(figures)}"


# ---- features


def _exact_table(gains: FeatureGains, lang: str, digits: int, top: int | None) -> TextTable:
    return _features_table(gains, _ranked(gains)[: top or None], lang, exact_text)


def _features_table(gains: FeatureGains, features: Sequence[FeatureGain], lang: str, shown: _Shown) -> TextTable:
    """Return a row for each of some features; the chosen one is marked with *."""
    has_cuts = any(gain.cut is not None for gain in gains.features)
    has_missing = any(gain.n_known < gains.n for gain in gains.features)
    figures = _REGRESSION_FIGURES if gains.is_regression else _CLASSIFICATION_FIGURES
    names = ["", "feature", *(["known"] if has_missing else []), *(["cut"] if has_cuts else []), *figures, "best"]
    rows, phrasing = [], _phrasing(lang, None if shown is exact_text else _MOST_VALUES)
    for gain in features:
        row = ["*" if gain.chosen else "", word(gain.feature.name)]
        row += [str(gain.n_known)] if has_missing else []
        row += [_cut(gain)] if has_cuts else []
        rows.append(
            [*row, *_figures(gain, gains.is_regression, shown), _values_text(gain.feature, gain.best, phrasing)]
        )
    right = [name not in ("", "feature", "best") for name in names]
    first = heading("chosen", lang) if shown is exact_text else ""
    headings = [first, *(heading(name, lang) for name in names[1:])]
    return TextTable(headings, rows, right, [gain.chosen for gain in features])


def _cut(gain: FeatureGain) -> str:
    return "" if gain.cut is None else f"<= {word(gain.cut, gain.feature.form)}"


def _figures(gain: FeatureGain, is_regression: bool, shown: _Shown) -> list[str]:
    if is_regression:
        spelled = exact_text if shown is exact_text else figure_text
        return [spelled(figure) for figure in (gain.squared_error, gain.decrease)]
    figures = (gain.conditional_entropy, gain.gain, gain.split_information, gain.gain_ratio, gain.gini)
    return [shown(figure) for figure in figures]


def _phrasing(lang: str, most: int | None) -> Phrasing:
    """Return how values are phrased: sets of more than `most` by the first ones, and a count."""
    return evolve(phrasing_for(None, lang, exact=True), most_members=most)


def _values_text(feature: Feature, values: Interval | Members | None, phrasing: Phrasing) -> str:
    """Return the values of a branch in words: `<= 5`, `是`, `{a, b}`."""
    if values is None:
        return ""
    if isinstance(values, Members):
        if len(values.values) == 1:
            return word(values.values[0], feature.form)
        return set_text(feature, values.values, phrasing)
    name = word(feature.name)
    return condition_text(feature, Condition(values), phrasing).removeprefix(name).strip()


# ---- values


def _values_table(
    gains: FeatureGains, features: Sequence[FeatureGain], lang: str, shown: _Shown, most: int | None
) -> TextTable:
    """Return a row for each value, or branch of a cut, of some features, with its class counts.

    Of a feature of more than `most` values the most frequent ones have a row, and the others are counted.
    """
    classes = [word(label, gains.target.form) for label in gains.classes]
    names = ["mean"] if gains.is_regression else ["H(D_i)", "Gini(D,A=a)"]
    headings = [heading("feature", lang), heading("value", lang), heading("n", lang), *classes]
    n_figures = 1 + len(classes) + len(names)
    rows, phrasing = [], _phrasing(lang, most)
    for gain in features:
        branches = _most_frequent(gain.sides, most)
        name = word(gain.feature.name)
        rows += [
            [name, _values_text(gain.feature, branch.values, phrasing), str(branch.n), *_branch_figures(branch, shown)]
            for branch in branches
        ]
        if len(branches) < len(gain.sides):
            more = heading("… {n} more", lang, n=f"{len(gain.sides) - len(branches):,}")
            rows.append([name, more, *[""] * n_figures])
    right = [False, False, *(True for _ in range(n_figures))]
    return TextTable([*headings, *(heading(name, lang) for name in names)], rows, right)


def _most_frequent(branches: Sequence[GainBranch], most: int | None) -> list[GainBranch]:
    """Return the most frequent branches in their order; ties go to the first."""
    if most is None or len(branches) <= most:
        return list(branches)
    ranked = sorted(range(len(branches)), key=lambda index: (-branches[index].n, index))
    return [branches[index] for index in sorted(ranked[:most])]


def _branch_figures(branch: GainBranch, shown: _Shown) -> list[str]:
    if branch.mean is not None:
        return [figure_text(branch.mean)]
    return [*map(str, branch.counts), shown(branch.entropy), shown(branch.gini)]


# ---- JSON


def _record(gains: FeatureGains, lang: str, digits: int, top: int | None) -> dict[str, Any]:
    return {
        "format": "treerules.gains",
        "version": 1,
        "target": gains.target.name,
        "n": gains.n,
        "counts": _by_class(gains, gains.counts),
        "entropy": gains.entropy,
        "gini": gains.gini,
        "mean": gains.mean,
        "squared_error": json_number(gains.squared_error),
        "features": [_feature_record(gains, gain) for gain in _ranked(gains)[: top or None]],
    }


def _by_class(gains: FeatureGains, counts: Sequence[float]) -> dict[str, float]:
    labels = (word(label, gains.target.form) if not isinstance(label, str) else label for label in gains.classes)
    return dict(zip(labels, counts, strict=False))


def _feature_record(gains: FeatureGains, gain: FeatureGain) -> dict[str, Any]:
    return {
        "feature": gain.feature.name,
        "known": gain.n_known,
        "cut": json_number(gain.cut),
        "conditional_entropy": gain.conditional_entropy,
        "gain": gain.gain,
        "split_information": gain.split_information,
        "gain_ratio": gain.gain_ratio,
        "gini": gain.gini,
        "squared_error": json_number(gain.squared_error),
        "decrease": json_number(gain.decrease),
        "best": _values_record(gain.best),
        "chosen": gain.chosen,
        "values": [
            {
                "value": _values_record(branch.values),
                "n": branch.n,
                "counts": _by_class(gains, branch.counts),
                "entropy": branch.entropy,
                "gini": branch.gini,
                "mean": branch.mean,
            }
            for branch in gain.sides
        ],
    }


def _values_record(values: Interval | Members | None) -> Any:
    if values is None:
        return None
    if isinstance(values, Members):
        return {"in": [json_number(value) for value in values.values]}
    return dict(zip(("above", "upto"), map(json_number, bounds_of(values)), strict=True))


def _is_digits(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 17


_DIGITS = ReportOption("digits", 3, _is_digits, "a whole number from 0 to 17")
FEATURE_GAINS = tables_report(
    FeatureGains, parts=_parts, table=_exact_table, record=_record, options=[_DIGITS, TOP], svg=_picture
)
