"""The table of gains as text, Markdown, CSV and JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.errors import OptionError
from treerules.evaluation.gain_records import FeatureGain, FeatureGains, GainBranch
from treerules.rendering.headings import heading
from treerules.rendering.output_formats import json_text, require_format
from treerules.rendering.text_tables import TextTable, finite, table_text
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Members
from treerules.rules.wording import condition_text, figure_text, word

#: What a regression has instead of the columns of a classification.
_OF_CLASSES = ("H(D|A)", "gain", "H_A(D)", "gain ratio", "Gini")
_OF_MEANS = ("squared error", "decrease")


def gains_text(
    gains: FeatureGains, *, format: str = "text", lang: str = "en", digits: int = 3, templates: str | Path | None = None
) -> str:
    """Return the table of gains as people read it: D, then the features, then their values with class counts.

    Figures of a classification have so many `digits` after the point, as the books print them; CSV (the features
    alone) and JSON are exact. `lang` is that of headings: en or zh. The JSON is {"format": "treerules.gains",
    "version": 1, "target", "n", "counts": {class: n}, "entropy", "gini", "mean", "squared_error", "features":
    [{"feature", "known", "cut", "conditional_entropy", "gain", "split_information", "gain_ratio", "gini",
    "squared_error", "decrease", "best", "chosen", "values": [{"value", "n", "counts", "entropy", "gini", "mean"}]}]}.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if not isinstance(digits, int) or isinstance(digits, bool) or not 0 <= digits <= 17:
        raise OptionError("digits", digits, "a whole number from 0 to 17")
    if format == "json":
        return json_text(_record(gains))
    if format == "csv":
        return table_text(features_table(gains, lang, None), "csv")
    tables = [table_text(table, format, templates) for table in gains_tables(gains, lang, digits)]
    return "\n".join([summary(gains, lang, digits) + "\n", *tables])


def gains_tables(gains: FeatureGains, lang: str = "en", digits: int = 3) -> tuple[TextTable, TextTable]:
    """Return the table of the features, and that of their values."""
    return features_table(gains, lang, digits), values_table(gains, lang, digits)


def summary(gains: FeatureGains, lang: str = "en", digits: int = 3) -> str:
    """Return the line that says what D is: its rows, class counts, H(D) and Gini(D), or its mean and squared error."""
    rows = heading("{n} row" if gains.n == 1 else "{n} rows", lang, n=gains.n)
    if gains.is_regression:
        shown = (("mean", gains.mean), ("squared error", gains.squared_error))
        figures = [f"{heading(name, lang)} {figure_text(value)}" for name, value in shown]
    else:
        form = gains.target.form
        figures = [f"{word(label, form)} {n}" for label, n in zip(gains.classes, gains.counts, strict=True)]
        figures += [f"H(D) {_figure(gains.entropy, digits)}", f"Gini(D) {_figure(gains.gini, digits)}"]
    return f"D: {rows}, {word(gains.target.name)}: {', '.join(figures)}"


def features_table(gains: FeatureGains, lang: str, digits: int | None) -> TextTable:
    """Return a row a feature; the chosen one is marked with *. Exact without `digits`."""
    has_cuts = any(gain.cut is not None for gain in gains.features)
    has_missing = any(gain.n_known < gains.n for gain in gains.features)
    names = _OF_MEANS if gains.is_regression else _OF_CLASSES
    headings = ["", "feature", *(["known"] if has_missing else []), *(["cut"] if has_cuts else []), *names, "best"]
    rows = []
    for gain in gains.features:
        left = ["*" if gain.chosen else "", word(gain.feature.name)]
        left += [str(gain.n_known)] if has_missing else []
        left += [_cut(gain)] if has_cuts else []
        rows.append([*left, *_figures(gain, gains.is_regression, digits), _values(gain.feature, gain.best)])
    right = [name not in ("", "feature", "best") for name in headings]
    shown = [heading(name, lang) if name else heading("chosen", lang) if digits is None else "" for name in headings]
    return TextTable(shown, rows, right, [gain.chosen for gain in gains.features])


def _cut(gain: FeatureGain) -> str:
    return "" if gain.cut is None else f"<= {word(gain.cut, gain.feature.form)}"


def _figures(gain: FeatureGain, is_regression: bool, digits: int | None) -> list[str]:
    if is_regression:
        return [_figure(figure, digits, is_regression) for figure in (gain.squared_error, gain.decrease)]
    figures = (gain.conditional_entropy, gain.gain, gain.split_information, gain.gain_ratio, gain.gini)
    return [_figure(figure, digits) for figure in figures]


def _figure(value: float | None, digits: int | None, is_regression: bool = False) -> str:
    if digits is None:
        return "" if value is None else repr(value)
    if is_regression or value is None:
        return figure_text(value)
    return f"{value:.{digits}f}"


def _values(feature: Feature, values: Interval | Members | None) -> str:
    """Return the values of a side in words: `<= 5`, `是`, `{a, b}`."""
    if values is None:
        return ""
    if isinstance(values, Members):
        words = [word(value, feature.form) for value in values.values]
        return words[0] if len(words) == 1 else "{" + ", ".join(words) + "}"
    name = word(feature.name)
    return condition_text(feature, Condition(values)).removeprefix(name).strip()


def values_table(gains: FeatureGains, lang: str, digits: int) -> TextTable:
    """Return a row for each value, or side of a cut, of each feature, with its class counts."""
    classes = [word(label, gains.target.form) for label in gains.classes]
    names = ["mean"] if gains.is_regression else ["H(D_i)", "Gini(D,A=a)"]
    headings = [heading("feature", lang), heading("value", lang), heading("n", lang), *classes]
    rows = [
        [word(gain.feature.name), _values(gain.feature, side.values), str(side.n), *_side(side, digits)]
        for gain in gains.features
        for side in gain.sides
    ]
    right = [False, False, *(True for _ in range(1 + len(classes) + len(names)))]
    return TextTable([*headings, *(heading(name, lang) for name in names)], rows, right)


def _side(side: GainBranch, digits: int) -> list[str]:
    if side.mean is not None:
        return [figure_text(side.mean)]
    return [*map(str, side.counts), _figure(side.entropy, digits), _figure(side.gini, digits)]


def _record(gains: FeatureGains) -> dict[str, Any]:
    return {
        "format": "treerules.gains",
        "version": 1,
        "target": gains.target.name,
        "n": gains.n,
        "counts": _by_class(gains, gains.counts),
        "entropy": gains.entropy,
        "gini": gains.gini,
        "mean": gains.mean,
        "squared_error": finite(gains.squared_error),
        "features": [_feature_record(gains, gain) for gain in gains.features],
    }


def _by_class(gains: FeatureGains, counts: Sequence[float]) -> dict[str, float]:
    labels = (word(label, gains.target.form) if not isinstance(label, str) else label for label in gains.classes)
    return dict(zip(labels, counts, strict=False))


def _feature_record(gains: FeatureGains, gain: FeatureGain) -> dict[str, Any]:
    return {
        "feature": gain.feature.name,
        "known": gain.n_known,
        "cut": finite(gain.cut),
        "conditional_entropy": gain.conditional_entropy,
        "gain": gain.gain,
        "split_information": gain.split_information,
        "gain_ratio": gain.gain_ratio,
        "gini": gain.gini,
        "squared_error": finite(gain.squared_error),
        "decrease": finite(gain.decrease),
        "best": _values_record(gain.best),
        "chosen": gain.chosen,
        "values": [
            {
                "value": _values_record(side.values),
                "n": side.n,
                "counts": _by_class(gains, side.counts),
                "entropy": side.entropy,
                "gini": side.gini,
                "mean": side.mean,
            }
            for side in gain.sides
        ],
    }


def _values_record(values: Interval | Members | None) -> Any:
    if values is None:
        return None
    if isinstance(values, Members):
        return {"in": [finite(value) for value in values.values]}
    return dict(zip(("above", "upto"), map(finite, bounds_of(values)), strict=True))
