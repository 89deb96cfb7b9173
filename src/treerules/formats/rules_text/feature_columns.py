"""The columns that rules use: from a schema, from declarations in the text, or inferred from the rules."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import Factory, define, frozen
from toolz import unique

from treerules._internal.articles import with_article
from treerules.data.domain import ColumnDomain
from treerules.data.schema import OPEN, Feature, Kind
from treerules.formats.notation.lexer import RuleToken, token_repr
from treerules.formats.notation.literals import (
    are_integers,
    did_you_mean_quickly,
    literal_scalar,
    literal_value,
    token_text,
)
from treerules.formats.rules_text.document import Document
from treerules.formats.rules_text.grammar import Bounds, Declaration, DeclaredKind


@define
class ColumnUsage:
    """The use of an undeclared column by the rules: first position, literals, and literals compared by order."""

    start: int
    literals: list[RuleToken] = Factory(list)
    ordered: list[RuleToken] = Factory(list)


@frozen
class DeclaredColumns:
    """The columns that are known before the rules are read, by their names.

    `features` are those that are fully declared; `incomplete` those whose kind or categories are inferred from the
    rules.
    """

    source: Document
    features: dict[str, Feature]
    incomplete: dict[str, Declaration]
    #: the names in the order of the schema, then of the declarations
    order: list[str]

    def has(self, name: str) -> bool:
        """Return whether a column is declared."""
        return name in self.features or name in self.incomplete

    def require_spelled(self, usages: Mapping[str, ColumnUsage]) -> None:
        """Raise if the name of an undeclared column is similar to that of a declared one."""
        undeclared = [name for name in usages if not self.has(name)]
        for name in undeclared:
            if hint := did_you_mean_quickly(name, self.order, len(undeclared)):
                remedy = f"{hint}if it is another one, declare it at the top: column NAME: number"
                raise self.source.error(f"no column named {name!r} is declared", remedy, usages[name].start)

    def completed(self, usages: Mapping[str, ColumnUsage]) -> dict[str, Feature]:
        """Return every column; incomplete and undeclared ones are inferred from the rules.

        Raises:
            ParseError: the kind cannot be inferred from the rules, or is ambiguous.
        """
        return {name: self._completed(name, usages) for name in unique([*self.order, *usages])}

    def _completed(self, name: str, usages: Mapping[str, ColumnUsage]) -> Feature:
        if name in self.features:
            return self.features[name]
        declaration = self.incomplete.get(name)
        usage = usages.get(name) or ColumnUsage(declaration.start.start if declaration else 0)
        return _inferred(self.source, name, declaration, usage)


def declared_columns(
    source: Document, declarations: Sequence[Declaration], features: Iterable[Feature]
) -> DeclaredColumns:
    """Return the columns of a schema and of the declarations, before the rules are read.

    Raises:
        ParseError: a declaration contradicts itself, another one, or the schema.
    """
    complete = {feature.name: feature for feature in features}
    columns = DeclaredColumns(source, complete, {}, list(complete))
    declared = set[str]()
    for declaration in declarations:
        name = token_text(source, declaration.name)
        if name in declared:
            raise source.error(f"column {name!r} is declared twice", "declare it once", declaration.name.start)
        declared.add(name)
        feature = declared_feature(source, name, declaration.kind) if declaration.kind else None
        if name not in complete:
            columns.order.append(name)
            if feature is not None:
                complete[name] = feature
            else:
                columns.incomplete[name] = declaration
        elif declaration.kind is not None and not _agree(declaration.kind, feature, complete[name]):
            problem = f"column {name!r} is declared differently in the schema"
            raise source.error(problem, "remove the declaration, or correct it", declaration.name.start)
    return columns


def _agree(kind: DeclaredKind, feature: Feature | None, in_schema: Feature) -> bool:
    return kind.kind.text.lower() == in_schema.kind if feature is None else feature == in_schema


def declared_feature(source: Document, name: str, declared: DeclaredKind) -> Feature | None:
    """Return the column that a declaration describes; None for a category whose values are inferred from the rules."""
    kind, words = declared.kind.text.lower(), declared.categories
    if kind not in OPEN:
        return Feature(name, "timestamp" if kind == "timestamp_utc" else kind, scalar=kind)
    if words is None:
        return None
    return _category_feature(source, name, Kind(kind), declared.scalar, words)


def _category_feature(
    source: Document, name: str, kind: Kind, declared_scalar: RuleToken | None, words: Sequence[RuleToken]
) -> Feature:
    scalar = declared_scalar.text.lower() if declared_scalar is not None else _common_scalar(source, words)
    values = [literal_value(source, word, scalar, name) for word in words]
    for position, word in enumerate(words):
        if kind is Kind.ORDINAL and values.index(values[position]) != position:
            raise source.error(f"{token_repr(word)} stands twice in an order", "name each level once", word.start)
    return Feature(name, kind, values if kind is Kind.ORDINAL else sorted(set(values)), scalar)


def _common_scalar(source: Document, words: Sequence[RuleToken]) -> str:
    """Return the scalar of categories: the one whose form all of them have, else text. Numbers such as 007 are text."""
    looks = {literal_scalar(source, word) for word in words}
    if looks == {"number"}:
        has_code = any(digits[:1] == "0" and digits[1:2].isdigit() for digits in (w.text.lstrip("+-") for w in words))
        return "integer" if are_integers(words) else "text" if has_code else "number"
    return looks.pop() if len(looks) == 1 else "text"


def _inferred(source: Document, name: str, declaration: Declaration | None, usage: ColumnUsage) -> Feature:
    """Return a column inferred from the rules, with the declared kind if there is one."""
    if declaration is not None and declaration.kind is not None:
        return _category_feature(source, name, Kind.CATEGORY, declaration.kind.scalar, usage.literals)
    literals = [*usage.literals, *_bound_literals(declaration)]
    if not literals:
        if declaration is not None:
            problem = f"neither this declaration nor a rule tells the kind of column {name!r}"
            raise source.error(problem, "say it, as in column NAME: number", declaration.name.start)
        return Feature(name, Kind.CATEGORY)
    _require_one_kind(source, literals, f"column {name!r} is compared with", "compare it with", "column")
    scalar = literal_scalar(source, literals[0])
    if scalar not in ("text", "boolean"):
        return Feature(name, "timestamp" if scalar == "timestamp_utc" else scalar, scalar=scalar)
    if usage.ordered:
        word = usage.ordered[0]
        problem = f"column {name!r} is ordered here, but {token_repr(word)} is {with_article(scalar)}"
        raise source.error(problem, "declare its order at the top: column NAME: ordinal S < M < L", word.start)
    if scalar == "boolean":
        return Feature(name, Kind.BOOLEAN)
    return _category_feature(source, name, Kind.CATEGORY, None, usage.literals)


def _require_one_kind(source: Document, words: Sequence[RuleToken], subject: str, verb: str, noun: str) -> None:
    """Raise unless all words look like values of one kind."""
    other = next((word for word in words if literal_scalar(source, word) != literal_scalar(source, words[0])), None)
    if other is not None:
        problem = (
            f"{subject} {token_repr(words[0])}, a {literal_scalar(source, words[0])}, and {token_repr(other)} here"
        )
        quoting = f'{verb} values of one kind; quote text that looks like a number: "5"'
        raise source.error(problem, f"{quoting}, or declare: {noun} NAME: category", other.start)


def _bound_literals(declaration: Declaration | None) -> list[RuleToken]:
    """Return the literals of the bounds among a declaration's options."""
    bounds = [option for option in declaration.options if isinstance(option, Bounds)] if declaration else []
    return [end for option in bounds for end in (option.low, option.high) if end is not None]


def column_domain(source: Document, feature: Feature, declaration: Declaration, limits: ColumnDomain) -> ColumnDomain:
    """Return the domain of a column: as declared, else as in `limits`.

    Raises:
        ParseError: an option does not fit the column, or no value lies between the bounds.
    """
    lowest, highest, missing, unseen = limits.lowest, limits.highest, limits.missing, limits.unseen
    bounds = declaration.kind.bounds if declaration.kind is not None else None
    for option in (*((bounds,) if bounds else ()), *declaration.options):
        if isinstance(option, Bounds):
            low, high = _bound_values(source, feature, option)
            lowest, highest = (lowest if low is None else low), (highest if high is None else high)
        elif option.type == "NEVER":
            missing = False
        else:
            _require_fitting(source, feature.is_open, option, feature, "have values that are not named")
            unseen = option.type == "OPEN"
    if lowest is not None and highest is not None and lowest > highest:
        problem = f"the lowest value of column {feature.name!r} is above the highest"
        raise source.error(problem, "write the lower bound first, as in 0..120", declaration.name.start)
    return ColumnDomain(lowest, highest, missing=missing, unseen=unseen)


def _require_fitting(source: Document, fits: bool, word: RuleToken, feature: Feature, capability: str) -> None:
    if not fits:
        problem = f"column {feature.name!r} of kind {feature.kind} does not {capability}"
        raise source.error(problem, f"remove {token_repr(word)}, or declare another kind", word.start)


def _bound_values(source: Document, feature: Feature, bounds: Bounds) -> tuple[Any, Any]:
    _require_fitting(source, feature.is_ordered, bounds.word, feature, "have bounds")
    low, high = (
        None if end is None else literal_value(source, end, feature.scalar, feature.name)
        for end in (bounds.low, bounds.high)
    )
    return low, high


def inferred_target(source: Document, name: str, declared: DeclaredKind | None, words: list[RuleToken]) -> Feature:
    """Return the target from its declaration, or inferred from the values of the rules.

    Raises:
        ParseError: the values are of several kinds.
    """
    kind = declared.kind.text.lower() if declared is not None else None
    if declared is not None and declared.categories is not None:
        return declared_feature(source, name, declared) or Feature(name, Kind.CATEGORY)
    if declared is not None and declared.bounds:
        raise source.error("a target has no bounds", "take them away", declared.bounds.word.start)
    if kind in ("number", "integer"):
        return Feature(name, kind)
    if kind == "category":
        return _category_feature(source, name, Kind.CATEGORY, declared.scalar if declared else None, words)
    if kind is None:
        _require_one_kind(source, words, f"target {name!r} is", "predict", "target")
    scalar = kind or _inferred(source, name, None, ColumnUsage(0, words)).scalar
    if scalar == "number":
        return Feature(name, Kind.NUMBER)
    values = {literal_value(source, word, scalar, name) for word in words}
    return Feature(name, Kind.CATEGORY, (False, True) if kind == "boolean" else sorted(values), scalar)
