"""The behaviour that rule sets and rule lists share: a sequence of rules, the rules that fire for a row, and edits.

Edits are carried out by `proof/edit.py`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Self, SupportsIndex, overload

from treerules._internal.notebook import Shown
from treerules.data.domain import Domain
from treerules.data.new_values import converted_value, new_value
from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError, UnknownNameError, shortened
from treerules.rules.rule import Condition, Rule


class RuleCollection(Shown):
    """Rules over one schema, in some order. An edit returns new rules, which remember no tree.

    `len(rules)` counts the rules, `for rule in rules` iterates over them, `rules[0]` is the first of them, and
    `rules.by_number(3)` the one whose number is 3.
    """

    __slots__ = ()

    schema: Schema
    rules: tuple[Rule, ...]
    domain: Domain

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @overload
    def __getitem__(self, position: int) -> Rule: ...

    @overload
    def __getitem__(self, position: slice) -> tuple[Rule, ...]: ...

    def __getitem__(self, position: int | slice) -> Rule | tuple[Rule, ...]:
        return self.rules[position]

    def __repr__(self) -> str:
        target = self.schema.target.name if self.schema.target else ""
        return f"<{type(self).__name__} {shortened(target)} rules={len(self.rules)}>"

    def by_number(self, number: int) -> Rule:
        """Return the rule of a number.

        Args:
            number: the number of a rule; that of a rule of a tree is the position of its leaf, from 1.

        Returns:
            The rule.

        Raises:
            OptionError: the number is no integer.
            UnknownNameError: no rule has this number.

        Examples:
            >>> from treerules.formats import rules_from_text
            >>> rules_from_text("IF x < 3 THEN a  IF x >= 3 THEN b").rules.by_number(2).value
            'b'
        """
        if not isinstance(number, SupportsIndex) or isinstance(number, bool):  # integers of numpy are accepted
            raise OptionError("number", number, "the number of a rule, an integer")
        for rule in self.rules:
            if rule.number == number:
                return rule
        raise UnknownNameError("rule", str(number), [str(rule.number) for rule in self.rules])

    def firing(self, row: Mapping[str, Any]) -> tuple[Rule, ...]:
        """Return the rules that fire for a row, in their order; of a rule list the first of them decides.

        Args:
            row: a mapping from the names of columns to values. A missing key is a missing value, as are None and NaN;
                keys that are no column of the schema are ignored.

        Returns:
            The rules all of whose conditions the row meets.

        Raises:
            CellError: a value is of the wrong kind.
            OptionError: the row is no mapping.
        """
        if not isinstance(row, Mapping):
            raise OptionError("row", row, "a mapping from names of columns to values")
        return self._firing({f.name: (f, new_value(f, row.get(f.name))) for f in self.schema.features})

    def _firing_of_values(self, row: Mapping[str, Any]) -> tuple[Rule, ...]:
        """Return the rules that fire for a witness of a proof, whose values are read already: no word is missing."""
        return self._firing({f.name: (f, converted_value(f, row.get(f.name))) for f in self.schema.features})

    def _firing(self, cells: Mapping[str, tuple[Feature, Any]]) -> tuple[Rule, ...]:
        return tuple(
            rule for rule in self.rules if all(condition.holds(*cells[name]) for name, condition in rule.conditions)
        )

    # ---- edits

    def replace(
        self,
        number: int,
        rule: Rule | str | None = None,
        *,
        conditions: Mapping[str, Condition | None] | None = None,
        value: Any = ...,
    ) -> Self:
        """Return the rules with one of them replaced: by another rule, or by itself with changes.

        Args:
            number: the number of the rule that is replaced.
            rule: the new rule, or its text (`"IF age < 30 THEN no"`), which gets the same number. None to change the
                rule that is there by `conditions` and `value`.
            conditions: new conditions by the name of their column; None removes the condition on a column.
            value: the new prediction, a class or a number.

        Returns:
            Rules of the same type. A rule that changed has no figures.

        Raises:
            UnknownNameError: there is no such rule or column.
            OptionError: the number is no integer; the rule is neither a rule nor the text of one; the conditions are
                invalid; or both a rule and changes are given.
            ParseError: the text cannot be parsed.
            InvalidTreeError: the new rule does not fit the schema, or has the number of another rule.

        Examples:
            >>> from treerules.formats import rules_from_text
            >>> rules = rules_from_text("IF age < 30 THEN no IF age >= 30 THEN yes").rules
            >>> rules.replace(2, "IF age >= 20 THEN yes").firing({"age": 25})[1].value
            'yes'
            >>> rules.replace(1, value="yes")[0].value
            'yes'
        """
        edited: Self = _edits().replace_rule(self, number, rule, conditions, value)
        return edited

    def merge(self, first: int, second: int, *others: int) -> Self:
        """Return the rules with some of them merged into one, which has the first one's number and position.

        The rules must predict the same value, and one conjunction must take the rows of all of them, which is decided
        exactly. Figures add up where no row fires two of the rules; otherwise the merged rule has none. Rules of a list
        must be neighbours.

        Args:
            first: the number of the rule that the others are merged into.
            second: the number of another rule.
            others: the numbers of more rules.

        Returns:
            Rules of the same type.

        Raises:
            UnknownNameError: there is no such rule.
            OptionError: the numbers name one rule, or one of them is no integer.
            DataError: the rules predict different values, do not make up one rule, or are no neighbours in a list.

        Examples:
            >>> from treerules.formats import rules_from_text
            >>> rules = rules_from_text("IF x < 3 THEN a  IF 3 <= x < 5 THEN a  IF x >= 5 THEN b").rules
            >>> [rule.number for rule in rules.merge(1, 2)]
            [1, 3]
            >>> rules.merge(1, 3)
            Traceback (most recent call last):
            treerules.errors.DataError: rules 1 and 3 predict 'a', 'b'; merge rules that predict the same value
        """
        edited: Self = _edits().merge_rules(self, (first, second, *others))
        return edited

    def without(self, *numbers: int) -> Self:
        """Return the rules without those of some numbers.

        Args:
            numbers: the numbers of rules.

        Returns:
            Rules of the same type.

        Raises:
            UnknownNameError: there is no such rule.
            OptionError: a number is no integer.
        """
        edited: Self = _edits().remove_rules(self, numbers)
        return edited


def _edits() -> Any:
    from treerules.proof import edit  # late: methods of rules, carried out by a stage that needs rules

    return edit
