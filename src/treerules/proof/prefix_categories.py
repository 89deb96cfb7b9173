"""Two CASEs that ask what a text begins with (LIKE 'ab%'), each with the categories that the prefixes of both make."""

from collections.abc import Collection

from attrs import evolve

from treerules.data.schema import Feature, Kind
from treerules.data.value_set import ValueSet
from treerules.rules.conditions import to_condition
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition


def with_prefixes_of_both(one: ParsedRules, other: ParsedRules) -> tuple[ParsedRules, ParsedRules]:
    """Return two parts in which a column whose prefixes are asked for has the categories of both.

    A text that only one part names is to the other one of its category "a%", if it begins with a, else unseen.

    >>> from treerules.formats import rules_from_sql
    >>> (old,) = rules_from_sql("CASE WHEN url LIKE '/blog%' THEN 1 END")
    >>> (new,) = rules_from_sql("CASE WHEN url LIKE '/blog/x%' THEN 1 END")
    >>> [sorted(part.rules.schema.features[0].categories) for part in with_prefixes_of_both(old, new)]
    [['/blog%', '/blog/x%'], ['/blog%', '/blog/x%']]
    """
    names = {*_prefixes(one), *_prefixes(other)}
    for name in names:
        features = [part.rules.schema.feature(name) for part in (one, other) if name in part.rules.schema.indices]
        if len(features) == 2 and all(feature.kind is Kind.CATEGORY for feature in features):
            categories = sorted({category for feature in features for category in feature.categories})
            one, other = _divided(one, name, categories), _divided(other, name, categories)
    return one, other


def _prefixes(part: ParsedRules) -> dict[str, tuple[str, ...]]:
    return {} if part.sql is None else dict(part.sql.prefixes)


def _divided(part: ParsedRules, name: str, categories: Collection[str]) -> ParsedRules:
    """Return a part whose column of a name has other categories, among which are all of its own."""
    schema = part.rules.schema
    own = schema.feature(name)
    feature = evolve(own, categories=categories)
    known = {category: _category_of(category, own, _prefixes(part).get(name, ())) for category in categories}

    def divided(condition: Condition) -> Condition:
        taken = [category for category in categories if condition.holds(own, known[category])]
        return to_condition(ValueSet(feature, (), taken, condition.missing, condition.unseen))

    rules = [
        evolve(rule, conditions=[(at, divided(held) if at == name else held) for at, held in rule.conditions])
        for rule in part.rules.rules
    ]
    features = [feature if each.name == name else each for each in schema.features]
    return evolve(part, rules=evolve(part.rules, schema=evolve(schema, features=features), rules=rules))


def _category_of(text: str, feature: Feature, prefixes: Collection[str]) -> str:
    """Return the category of a text: its own, that of the longest prefix with which it begins, or itself, unseen."""
    if feature.position(text) is not None:
        return text
    begun = [prefix for prefix in prefixes if text.startswith(prefix)]
    return f"{max(begun, key=len)}%" if begun else text
