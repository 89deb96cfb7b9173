"""The edits that rule sets and rule lists share, as methods; `proof/edit.py` makes them."""

from collections.abc import Mapping
from typing import Any, Self

from treerules.rules.rule import Condition, Rule


class Editable:
    """Rules that can be edited: each edit returns new rules, in their order, which remember no tree."""

    __slots__ = ()

    def replace(
        self,
        number: int,
        rule: Rule | str | None = None,
        *,
        conditions: Mapping[str, Condition | None] | None = None,
        value: Any = ...,
    ) -> Self:
        """Return the rules with one of them replaced: by a rule, by the text of one, or by itself with changes.

        A text (`"IF age < 30 THEN no"`) becomes a rule of the same number. Of `conditions`, each takes the place of
        that on its column; None takes it away. `value` is what the rule predicts from then on. A rule that is changed
        has no figures.

        >>> from treerules.formats.rules_text.text_reader import rules_from_text
        >>> rules = rules_from_text("IF age < 30 THEN no IF age >= 30 THEN yes").rules
        >>> rules.replace(2, "IF age >= 20 THEN yes").firing({"age": 25})[1].value
        'yes'
        >>> rules.replace(1, value="yes").rules[0].value
        'yes'

        Raises:
            UnknownNameError: there is no such rule or column.
            OptionError: the number is no whole one, the rule neither a rule nor text, the text of no or several
                rules, the conditions none, or both a rule and changes are given.
            ParseError: the text cannot be read.
            InvalidTreeError: the new rule does not fit the schema, or has the number of another one.
        """
        edited: Self = _edits().replaced(self, number, rule, conditions, value)
        return edited

    def merge(self, first: int, second: int, *others: int) -> Self:
        """Return the rules with some that predict the same made one, which has the first one's number and place.

        What they take must be one box, which is decided exactly. Figures add up where no row fires two of them;
        otherwise the rule has none. Rules of a list must stand beside each other.

        >>> from treerules.formats.rules_text.text_reader import rules_from_text
        >>> rules = rules_from_text("IF x < 3 THEN a  IF 3 <= x < 5 THEN a  IF x >= 5 THEN b").rules
        >>> [rule.number for rule in rules.merge(1, 2).rules]
        [1, 3]
        >>> rules.merge(1, 3)
        Traceback (most recent call last):
        treerules.errors.DataError: rules 1 and 3 predict 'a', 'b'; merge rules that predict the same value

        Raises:
            UnknownNameError: there is no such rule.
            OptionError: the numbers are of one rule, or one is no whole number.
            DataError: the rules predict different values, are not one rule together, or are no neighbours in a list.
        """
        edited: Self = _edits().merged(self, (first, second, *others))
        return edited

    def without(self, *numbers: int) -> Self:
        """Return the rules that have none of these numbers.

        Raises:
            UnknownNameError: there is no such rule.
            OptionError: one is no whole number.
        """
        edited: Self = _edits().without(self, numbers)
        return edited


def _edits() -> Any:
    from treerules.proof import edit  # late: methods of rules, carried out by a stage that needs rules

    return edit
