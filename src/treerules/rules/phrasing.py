"""How conditions and rules are phrased: in full, or short for people, and in which language.

full     (Age <= 6.5 or missing), IsActive <= 0, city in {...}     says every value; rule text, code, CSV and JSON
short    Age <= 6.5, IsActive = 0, city in {a, b, … 188 more}     leaves out missing and unseen values that the
                                                                   training rows did not have
"""

from collections.abc import Collection

from attrs import evolve, field, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.rules.rule import Condition, Members
from treerules.trees.training_values import TrainingValues

#: Sets of more categories than this are cut.
MOST_MEMBERS = 12
#: The number of significant digits of figures, unless told otherwise.
SIGNIFICANT = 4


@frozen
class RuleWords:
    """The words of rules in one language; `{name}` is a column, `{set}` categories in braces, `{n}` a number."""

    if_then: str
    always: str
    and_: str
    #: before the first word after values, and before another
    or_: str
    or_again: str
    #: between intervals of one feature
    or_interval: str
    missing: str
    unseen: str
    is_missing: str
    is_unseen: str
    is_known: str
    is_nothing: str
    is_in: str
    is_not_in: str
    #: the known categories but these; unseen values are not among them
    other_than: str
    #: the categories that are cut off
    more: str
    #: a rule without conditions, where only conditions are shown
    no_condition: str
    #: the number of rows, or their weight, and the standard deviation of a node
    rows: str
    weight: str
    deviation: str

    def size(self, counted: str, figure: str) -> str:
        """Return a figure of a model that counts "rows" or "weight", with the word for it."""
        return (self.rows if counted == "rows" else self.weight).format(n=figure)


_WORDS = {
    "en": RuleWords(
        if_then="IF {conditions} THEN {prediction}",
        always="ALWAYS {prediction}",
        and_=" AND ",
        or_=" or ",
        or_again=" or ",
        or_interval=" or ",
        missing="missing",
        unseen="unseen",
        is_missing="{name} is missing",
        is_unseen="{name} is unseen",
        is_known="{name} is known",
        is_nothing="{name} is nothing",
        is_in="{name} in {set}",
        is_not_in="{name} not in {set}",
        other_than="{name} other than {set}",
        more="… {n} more",
        no_condition="always",
        rows="n {n}",
        weight="weight {n}",
        deviation="sd {sd}",
    ),
    "zh": RuleWords(
        if_then="若 {conditions} 则 {prediction}",
        always="总是 {prediction}",
        and_=" 且 ",
        or_=" 或",
        or_again="或",
        or_interval=" 或 ",
        missing="缺失",
        unseen="未见",
        is_missing="{name} 缺失",
        is_unseen="{name} 未见",
        is_known="{name} 已知",
        is_nothing="{name} 无取值",
        is_in="{name} 属于 {set}",
        is_not_in="{name} 不属于 {set}",
        other_than="{name} 为 {set} 以外的类别",
        more="… 另 {n} 个",
        no_condition="总是",
        rows="样本数 {n}",
        weight="权重 {n}",
        deviation="标准差 {sd}",
    ),
}


@short_repr
@frozen
class Phrasing:
    """How conditions are phrased. The default is the full form in English, which reads back as rule text."""

    #: the special values of the training rows; None where they are unknown, and every missing and unseen value is said
    training: TrainingValues | None = None
    #: the greatest number of categories of a set that is printed whole; None for no bound
    most_members: int | None = None
    #: the number of significant digits of a predicted mean; None for all of them
    mean_digits: int | None = None
    #: the number of significant digits of figures beside the rules: shares, lift, standard deviation
    figure_digits: int = SIGNIFICANT
    words: RuleWords = field(default=_WORDS["en"], repr=False)

    def says_missing(self, feature: Feature, condition: Condition) -> bool:
        """Return whether the text of a condition names the missing value, which it takes."""
        return self._is_said(feature, condition, () if self.training is None else self.training.missing)

    def says_unseen(self, feature: Feature, condition: Condition) -> bool:
        """Return whether the text of a condition names unseen values, which it takes."""
        return self._is_said(feature, condition, () if self.training is None else self.training.unseen)

    def _is_said(self, feature: Feature, condition: Condition, columns: tuple[str, ...]) -> bool:
        return self.training is None or feature.name in columns or not _takes_known(feature, condition)

    def is_zero_one(self, feature: Feature) -> bool:
        """Return whether conditions on a column read `= 0` and `= 1`."""
        return self.training is not None and feature.name in self.training.zero_one

    def naming(self, special: Collection[str], not_zero_one: Collection[str]) -> "Phrasing":
        """Return the phrasing for a row, which is never contradicted by the row's own values.

        Args:
            special: the columns whose missing and unseen values are named.
            not_zero_one: the columns that do not read `= 0` and `= 1`.
        """
        if self.training is None:
            return self
        training = TrainingValues(
            missing=(*self.training.missing, *special),
            unseen=(*self.training.unseen, *special),
            zero_one=[name for name in self.training.zero_one if name not in not_zero_one],
        )
        return evolve(self, training=training)


def _takes_known(feature: Feature, condition: Condition) -> bool:
    values = condition.values
    return bool(condition.intervals or (isinstance(values, Members) and values.of(feature.categories)))


#: The full form in English.
EXACT = Phrasing()


def phrasing_for(
    training: TrainingValues | None,
    lang: str = "en",
    *,
    exact: bool = False,
    full: bool = False,
    digits: int | None = None,
) -> Phrasing:
    """Return how rules are phrased for people.

    Args:
        training: the special values of the rows that the rules were learned from; None where they are unknown.
        lang: the language of the words, "en" or "zh".
        exact: whether everything is said, and predictions have all their digits.
        full: whether sets of categories are printed whole.
        digits: the number of significant digits of predicted means and of figures; None for four.
    """
    shown = SIGNIFICANT if digits is None else digits
    if exact:
        return Phrasing(figure_digits=shown, words=_WORDS[lang])
    return Phrasing(training, None if full else MOST_MEMBERS, shown, shown, _WORDS[lang])
