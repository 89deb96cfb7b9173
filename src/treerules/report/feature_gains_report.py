"""Feature gains: the table of the features, then that of their values with class counts, as the books print them.

CSV    the features alone
JSON   {"format": "treerules.gains", "version": 1, "target", "n", "counts": {class: n}, "entropy", "gini", "mean",
       "squared_error", "features": [{"feature", "known", "cut", "conditional_entropy", "gain", "split_information",
       "gain_ratio", "gini", "squared_error", "decrease", "best", "chosen", "values": [{"value", "n", "counts",
       "entropy", "gini", "mean"}]}]}
"""

from collections.abc import Callable, Sequence
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.evaluation.gain_records import FeatureGain, FeatureGains, GainBranch
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, exact_text, json_number
from treerules.report.report import Part, ReportOption, tables_report
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Members
from treerules.rules.wording import condition_text, figure_text, word

#: The headings of the figures of each task.
_CLASSIFICATION_FIGURES = ("H(D|A)", "gain", "H_A(D)", "gain ratio", "Gini")
_REGRESSION_FIGURES = ("squared error", "decrease")
#: Spells a figure of a classification.
_Shown = Callable[[float | None], str]


def _parts(gains: FeatureGains, lang: str, digits: int) -> list[Part]:
    shown = _rounded_to(digits)
    return [_summary(gains, lang, shown), _features_table(gains, lang, shown), _values_table(gains, lang, shown)]


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


def _exact_table(gains: FeatureGains, lang: str, digits: int) -> TextTable:
    return _features_table(gains, lang, exact_text)


def _features_table(gains: FeatureGains, lang: str, shown: _Shown) -> TextTable:
    """Return a row for each feature; the chosen one is marked with *."""
    has_cuts = any(gain.cut is not None for gain in gains.features)
    has_missing = any(gain.n_known < gains.n for gain in gains.features)
    figures = _REGRESSION_FIGURES if gains.is_regression else _CLASSIFICATION_FIGURES
    names = ["", "feature", *(["known"] if has_missing else []), *(["cut"] if has_cuts else []), *figures, "best"]
    rows = []
    for gain in gains.features:
        row = ["*" if gain.chosen else "", word(gain.feature.name)]
        row += [str(gain.n_known)] if has_missing else []
        row += [_cut(gain)] if has_cuts else []
        rows.append([*row, *_figures(gain, gains.is_regression, shown), _values_text(gain.feature, gain.best)])
    right = [name not in ("", "feature", "best") for name in names]
    first = heading("chosen", lang) if shown is exact_text else ""
    headings = [first, *(heading(name, lang) for name in names[1:])]
    return TextTable(headings, rows, right, [gain.chosen for gain in gains.features])


def _cut(gain: FeatureGain) -> str:
    return "" if gain.cut is None else f"<= {word(gain.cut, gain.feature.form)}"


def _figures(gain: FeatureGain, is_regression: bool, shown: _Shown) -> list[str]:
    if is_regression:
        spelled = exact_text if shown is exact_text else figure_text
        return [spelled(figure) for figure in (gain.squared_error, gain.decrease)]
    figures = (gain.conditional_entropy, gain.gain, gain.split_information, gain.gain_ratio, gain.gini)
    return [shown(figure) for figure in figures]


def _values_text(feature: Feature, values: Interval | Members | None) -> str:
    """Return the values of a branch in words: `<= 5`, `是`, `{a, b}`."""
    if values is None:
        return ""
    if isinstance(values, Members):
        words = [word(value, feature.form) for value in values.values]
        return words[0] if len(words) == 1 else "{" + ", ".join(words) + "}"
    name = word(feature.name)
    return condition_text(feature, Condition(values)).removeprefix(name).strip()


# ---- values


def _values_table(gains: FeatureGains, lang: str, shown: _Shown) -> TextTable:
    """Return a row for each value, or branch of a cut, of each feature, with its class counts."""
    classes = [word(label, gains.target.form) for label in gains.classes]
    names = ["mean"] if gains.is_regression else ["H(D_i)", "Gini(D,A=a)"]
    headings = [heading("feature", lang), heading("value", lang), heading("n", lang), *classes]
    rows = [
        [
            word(gain.feature.name),
            _values_text(gain.feature, branch.values),
            str(branch.n),
            *_branch_figures(branch, shown),
        ]
        for gain in gains.features
        for branch in gain.sides
    ]
    right = [False, False, *(True for _ in range(1 + len(classes) + len(names)))]
    return TextTable([*headings, *(heading(name, lang) for name in names)], rows, right)


def _branch_figures(branch: GainBranch, shown: _Shown) -> list[str]:
    if branch.mean is not None:
        return [figure_text(branch.mean)]
    return [*map(str, branch.counts), shown(branch.entropy), shown(branch.gini)]


# ---- JSON


def _record(gains: FeatureGains, lang: str, digits: int) -> dict[str, Any]:
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
        "features": [_feature_record(gains, gain) for gain in gains.features],
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
FEATURE_GAINS = tables_report(FeatureGains, parts=_parts, table=_exact_table, record=_record, options=[_DIGITS])
