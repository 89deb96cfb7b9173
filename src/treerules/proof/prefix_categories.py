"""Two CASEs that ask what a text begins with (LIKE 'ab%'), each with the categories that the prefixes of both make."""

from collections.abc import Collection

from attrs import evolve

from treerules.data.schema import Feature, Kind
from treerules.data.value_set import ValueSet
from treerules.errors import DataError
from treerules.rules.conditions import to_condition
from treerules.rules.parsed import ParsedRules
from treerules.rules.prefixes import Prefixes
from treerules.rules.rule import Condition


def with_prefixes_of_both(one: ParsedRules, other: ParsedRules) -> tuple[ParsedRules, ParsedRules]:
    """Return two parts in which a column whose prefixes are asked for has the categories of both.

    A text that only one part names is to the other one of its category "a%", if it begins with a, else unseen.

    Raises:
        DataError: it is not known which texts of the two begin alike: `LIKE 'ab%'` in one, `= 'ab%'` in the other.

    >>> from treerules.formats import rules_from_sql
    >>> (old,) = rules_from_sql("CASE WHEN url LIKE '/blog%' THEN 1 END")
    >>> (new,) = rules_from_sql("CASE WHEN url LIKE '/blog/x%' THEN 1 END")
    >>> [sorted(part.rules.schema.features[0].categories) for part in with_prefixes_of_both(old, new)]
    [['/blog%', '/blog/x%'], ['/blog%', '/blog/x%']]
    """
    for name in {*_prefixes(one), *_prefixes(other)}:
        features = [part.rules.schema.feature(name) for part in (one, other) if name in part.rules.schema.indices]
        if len(features) == 2 and all(feature.kind is Kind.CATEGORY for feature in features):
            _require_told_apart(name, one, other)
            categories = sorted({category for feature in features for category in feature.categories})
            one, other = _divided(one, name, categories), _divided(other, name, categories)
    return one, other


def _require_told_apart(name: str, one: ParsedRules, other: ParsedRules) -> None:
    """Raise DataError if a text of one may be, or begin with, a text of the other though it is written otherwise."""
    prefixes = [_prefixes(part).get(name, Prefixes(())) for part in (one, other)]
    literals = {
        category
        for part, own in zip((one, other), prefixes, strict=True)
        for category in {*part.rules.schema.feature(name).categories} - {*own.categories}
    }
    both = Prefixes({*prefixes[0].texts, *prefixes[1].texts}, any(own.ignores_case for own in prefixes))
    if not both.tell(literals):
        texts = ", ".join(map(repr, sorted({*literals, *both.categories})[:4]))
        problem = f"it is not known which texts of {name} begin alike in both ({texts})"
        raise DataError(problem, "compare them by eye")


def _prefixes(part: ParsedRules) -> dict[str, Prefixes]:
    return {} if part.sql is None else dict(part.sql.prefixes)


def _divided(part: ParsedRules, name: str, categories: Collection[str]) -> ParsedRules:
    """Return a part whose column of a name has other categories, among which are all of its own."""
    schema = part.rules.schema
    own = schema.feature(name)
    feature = evolve(own, categories=categories)
    known = {category: _category_of(category, own, _prefixes(part).get(name, Prefixes(()))) for category in categories}

    def divided(condition: Condition) -> Condition:
        taken = [category for category in categories if condition.holds(own, known[category])]
        return to_condition(ValueSet(feature, (), taken, condition.missing, condition.unseen))

    rules = [
        evolve(rule, conditions=[(at, divided(held) if at == name else held) for at, held in rule.conditions])
        for rule in part.rules.rules
    ]
    features = [feature if each.name == name else each for each in schema.features]
    return evolve(part, rules=evolve(part.rules, schema=evolve(schema, features=features), rules=rules))


def _category_of(text: str, feature: Feature, prefixes: Prefixes) -> str:
    """Return the category of a text in a part: its own, that of the longest prefix, or itself, which is unseen."""
    return text if feature.position(text) is not None else prefixes.category_of(text)
