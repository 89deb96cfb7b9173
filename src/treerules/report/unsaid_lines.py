"""The lines below short rules: where rows with missing and unseen values go, such as "missing Age: as Age > 6.5"."""

from collections.abc import Collection
from typing import Any

from treerules.data.schema import Feature
from treerules.data.value_set import ValueSet
from treerules.proof.assumption import assuming_line, assumption_of
from treerules.rendering.headings import heading
from treerules.rules.conditions import to_conditions
from treerules.rules.phrasing import Phrasing
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.unsaid_values import UnsaidValues, unsaid_values, zero_one_limits
from treerules.rules.wording import condition_text, word

#: At most so many columns have a line, unless everything is printed, and a line names at most so many rules.
_MOST_LINES, _MOST_RULES = 20, 10
_SUBJECTS = {(True, True): "missing or unseen", (True, False): "missing", (False, True): "unseen"}


def unsaid_lines(
    rules: RuleSet | RuleList, phrasing: Phrasing, lang: str, columns: Collection[str] | None = None
) -> list[str]:
    """Return a line for each column of which a phrasing leaves out missing or unseen values that the rules take.

    `columns` are the names of the columns that may have a line; None for all.
    """
    if phrasing.training is None:
        return []
    is_full = phrasing.most_members is None
    lines = [
        _line(unsaid, phrasing, lang, is_full=is_full)
        for unsaid in unsaid_values(rules, phrasing)
        if columns is None or unsaid.feature.name in columns
    ]
    lines += [
        _line_on_numbers(feature, limit, lang)
        for feature, limit in zero_one_limits(rules, phrasing)
        if columns is None or feature.name in columns
    ]
    n_more = 0 if is_full else len(lines) - _MOST_LINES
    if n_more > 0:
        lines = [*lines[:_MOST_LINES], heading("… {n} more (--full)", lang, n=n_more)]
    return lines


def lines_below_rules(rules: RuleSet | RuleList, phrasing: Phrasing, lang: str) -> list[str]:
    """Return the lines of `unsaid_lines`, and the line that says what is assumed of the columns, if anything is."""
    line = assuming_line(assumption_of(rules, rules.domain, lang), lang)
    return [*unsaid_lines(rules, phrasing, lang), *([line] if line else [])]


def _line(unsaid: UnsaidValues, phrasing: Phrasing, lang: str, *, is_full: bool) -> str:
    column = word(unsaid.feature.name)
    subject = f"{heading(_SUBJECTS[unsaid.missing, unsaid.unseen], lang)} {column}"
    if unsaid.values.has_known:
        return heading("{subject}: as {values}", lang, subject=subject, values=_range_text(unsaid.values, phrasing))
    numbers = [str(number) for number in unsaid.rules]
    shown = numbers if is_full else numbers[:_MOST_RULES]
    n_more = len(numbers) - len(shown)
    rules = ", ".join([*shown, *([heading("… {n} more", lang, n=f"{n_more:,}")] if n_more else [])])
    noun = "rule" if len(numbers) == 1 else "rules"
    text = f"{{subject}}: {noun} {{rules}} (of those with a condition on {{column}})"
    return heading(text, lang, subject=subject, rules=rules, column=column)


def _line_on_numbers(feature: Feature, limit: Any, lang: str) -> str:
    column = word(feature.name)
    text = "other {column}: up to {limit} as {column} = 0, above as {column} = 1"
    return heading(text, lang, column=column, limit=word(limit))


def _range_text(values: ValueSet, phrasing: Phrasing) -> str:
    """Return values in words; of several intervals one without bounds on one side, or the first."""
    conditions = to_conditions(values)
    unbounded = (
        condition for condition, interval in zip(conditions, values.intervals, strict=False)
        if interval.above is None or interval.upto is None
    )  # fmt: skip
    return condition_text(values.feature, next(unbounded, conditions[0]), phrasing)
