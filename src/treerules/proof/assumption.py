"""What a proof assumes: the declared domain, and the rules that answer for the rows outside of it.

assuming: x in 0..10, never missing. Outside this, rule 1 answers for missing, NaN and below 0, rule 2 for above 10
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from treerules.data.domain import Domain, narrowing
from treerules.regions.covered_rules import find_free_box
from treerules.regions.space import Space, space_of_regions
from treerules.regions.subtract import Budget, BudgetExceeded
from treerules.rendering.headings import heading
from treerules.rules.outside_values import OutsideValues, domain_words, outside_values
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.wording import word

#: The greatest number of rules that the line names for the same values; of more it says how many there are.
MOST_NAMED = 5
#: The steps for finding which rules of a list decide for some row outside; those without an answer are named.
_BUDGET = 10_000


def assumption_of(
    rules: RuleSet | RuleList,
    domain: Domain,
    lang: str = "en",
    *,
    names: Mapping[int, str] | None = None,
    is_answered: bool = True,
) -> str:
    """Return what is assumed of the columns, and which rules answer where it does not hold; "" where nothing is.

    Args:
        rules: the rules that the proof is about.
        domain: the domain over which it holds.
        lang: the language of the words.
        names: the names of rules, by their numbers.
        is_answered: whether rows outside get an answer, so that the rules for them are named.

    >>> from treerules.formats import rules_from_text
    >>> text = "column x: number 0..9  IF x < 5 OR missing THEN a  IF x >= 5 THEN b"
    >>> assumption_of(rules_from_text(text).rules, rules_from_text(text).domain)
    'x in 0..9. Outside this, rule 1 answers for below 0, rule 2 for above 9'
    """
    words = domain_words(rules.schema, domain, lang)
    answers = _answers(rules, domain, names or {}, lang) if words and is_answered else ""
    return heading("{domain}. Outside this, {answers}", lang, domain=words, answers=answers) if answers else words


def assuming_line(assumption: str, lang: str = "en") -> str:
    """Return the line that says what is assumed; "" where nothing is."""
    return heading("assuming: {assumption}", lang, assumption=assumption) if assumption else ""


def rules_outside(rules: RuleSet | RuleList, domain: Domain) -> list[tuple[OutsideValues, tuple[int, ...]]]:
    """Return the values outside a domain, and the numbers of the rules that answer for some row with them.

    The other columns of the row may have any value, also one outside.
    """
    schema, regions = rules.schema, [rule.conditions for rule in rules.rules]
    outside = [values for name in narrowing(schema, domain) for values in outside_values(schema.feature(name), domain)]
    parts = [((values.feature.name, values.condition),) for values in outside]
    space = space_of_regions(schema, [*regions, *parts], None)
    numbers, steps = [rule.number for rule in rules.rules], Budget(_BUDGET)
    return [
        (values, tuple(numbers[at] for at in _deciding(rules, space, len(regions) + part, steps)))
        for part, values in enumerate(outside)
    ]


def _deciding(rules: RuleSet | RuleList, space: Space, part: int, steps: Budget) -> list[int]:
    """Return the positions of the rules that answer for some row of a box of the space."""
    firing: list[int] = space.inside(space.every[: len(rules)], space.box(part)).tolist()
    if isinstance(rules, RuleSet):
        return firing
    box_of, deciding = cache(space.box), list[int]()
    for position in firing:
        box = space.intersection(box_of(position), box_of(part))
        try:
            is_free = box is not None and find_free_box(space, box_of, box, deciding, steps)[0] is not None
        except BudgetExceeded:
            is_free = True
        deciding += [position] if is_free else []
    return deciding


def _answers(rules: RuleSet | RuleList, domain: Domain, names: Mapping[int, str], lang: str) -> str:
    """Return which rules answer for which values: the first with a verb, the others without.

    A column that no rule tests is left out, since its values decide nothing.
    """
    tested = {name for rule in rules.rules for name, _ in rule.conditions}
    by_rules: dict[tuple[str, bool], list[OutsideValues]] = {}
    for values, numbers in rules_outside(rules, domain):
        if numbers and values.feature.name in tested:
            by_rules.setdefault(_rules_text(numbers, names, lang), []).append(values)
    is_one_column = len(narrowing(rules.schema, domain)) == 1
    texts: list[str] = []
    for (named, is_one), outside in by_rules.items():
        verb = "" if texts else "answers " if is_one else "answer "
        values_text = _values_text(outside, lang, is_one_column=is_one_column)
        texts.append(heading(f"{{rules}} {verb}for {{values}}", lang, rules=named, values=values_text))
    return heading(", ", lang).join(texts)


def _rules_text(numbers: Sequence[int], names: Mapping[int, str], lang: str) -> tuple[str, bool]:
    """Return rules by their names in a file, or by their numbers, "rules 1 and 2", and whether it is one."""
    texts = list(dict.fromkeys(names.get(number) or str(number) for number in numbers))
    n_more = len(texts) - MOST_NAMED
    shown = [*texts[:MOST_NAMED], heading("{n} more", lang, n=n_more)] if n_more > 0 else texts
    if names:
        return _listed(shown, lang), len(texts) == 1
    text = "rule {number}" if len(texts) == 1 else "rules {number}"
    return heading(text, lang, number=_listed(shown, lang)), len(texts) == 1


def _values_text(outside: Iterable[OutsideValues], lang: str, *, is_one_column: bool) -> str:
    """Return values in words: "missing, NaN and below 0"; of several columns with their names."""
    by_column: dict[str, list[str]] = {}
    for values in outside:
        by_column.setdefault(word(values.feature.name), []).extend(values.words(lang))
    if is_one_column:
        return _listed(next(iter(by_column.values())), lang)
    return _listed([f"{name} ({_listed(words, lang)})" for name, words in by_column.items()], lang)


def _listed(texts: Sequence[str], lang: str) -> str:
    """Return texts with commas, and "and" before the last."""
    first = heading("{item}, ", lang, item="").join(texts[:-1])
    return heading("{first} and {last}", lang, first=first, last=texts[-1]) if first else texts[-1]
