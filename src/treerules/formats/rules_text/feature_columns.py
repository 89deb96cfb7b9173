"""The columns that rules ask: as a schema knows them, as the text declares them, as the rules show them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import Factory, define, frozen

from treerules.data.domain import ColumnDomain
from treerules.data.schema import OPEN, Feature, Kind
from treerules.formats.rules_text.grammar import Declared, Kinded
from treerules.formats.rules_text.lexer import Source, Token, hint_at, misnamed, shown, text_of
from treerules.formats.rules_text.word_literals import look, looks_like_integers, range_of, value_of


@define
class Use:
    """How the rules ask a column that nobody declared: the words that stand for its values, those beside < and >."""

    place: int
    words: list[Token] = Factory(list)
    ordering: list[Token] = Factory(list)


@frozen
class Columns:
    """What is known of columns beforehand, by their names: whole features, and declarations that leave something open.

    `open` are those whose kind, or whose categories, the rules tell.
    """

    source: Source
    features: dict[str, Feature]
    open: dict[str, Declared]
    domain: dict[str, ColumnDomain]
    #: in the order of the schema, then of the declarations
    order: list[str]

    def knows(self, name: str) -> bool:
        """Whether a column was declared."""
        return name in self.features or name in self.open

    def require_spelled(self, uses: Mapping[str, Use]) -> None:
        """Raise where a column that nobody declared is called almost like one that somebody did."""
        strange = [name for name in uses if not self.knows(name)]
        for name in strange:
            hint, place = hint_at(name, self.order, len(strange)), uses[name].place
            if not hint:
                continue
            remedy = f"{hint}if it is another one, declare it at the top: column NAME: number"
            raise self.source.error(place, f"no column named {name!r} is declared", remedy)

    def completed(self, uses: Mapping[str, Use]) -> dict[str, Feature]:
        """Return every column, the open ones as the rules show them.

        Raises:
            ParseError: the rules show no kind, or several.
        """
        found: dict[str, Feature] = {}
        for name in dict.fromkeys([*self.order, *uses]):
            declared = self.open.get(name)
            if name in self.features:
                found[name] = self.features[name]
            else:
                place = declared.place.start_pos if declared else uses[name].place
                found[name] = _shown_by_rules(self.source, name, declared, uses.get(name, Use(place)))
        return found


def declared_columns(
    source: Source, declarations: Sequence[Declared], features: Iterable[Feature], domain: Mapping[str, ColumnDomain]
) -> Columns:
    """Return what is known of columns before the rules are read.

    Raises:
        ParseError: a declaration contradicts itself, another one, or the schema.
    """
    known, order, met = {feature.name: feature for feature in features}, list[str](), set[str]()
    order += known
    found = Columns(source, known, {}, dict(domain), order)
    for declared in declarations:
        name = text_of(source, declared.name)
        if name in met:
            raise source.error(declared.name.start_pos, f"column {name!r} is declared twice", "declare it once")
        met.add(name)
        _require_meant(source, declared)
        feature = feature_of(source, name, declared.kind) if declared.kind else None
        if name not in known:
            order.append(name)
            if feature is not None:
                known[name] = feature
            else:
                found.open[name] = declared
        elif declared.kind is not None and not _agree(declared.kind, feature, known[name]):
            problem = f"column {name!r} is declared otherwise than the schema has it"
            raise source.error(declared.name.start_pos, problem, "take the declaration away, or mend it")
    return found


def _require_meant(source: Source, declared: Declared) -> None:
    """Raise at a word among a declaration's options that is none, before rules are read by what it says."""
    for place, option in enumerate(declared.options):
        word = option[-1]
        if len(option) == 1 and word.type == "PLAIN" and range_of(word) is None:
            raise misnamed(source, word, kinds=place == 0 and declared.kind is None)


def _agree(kind: Kinded, feature: Feature | None, known: Feature) -> bool:
    return kind.kind.lower() == known.kind if feature is None else feature == known


def feature_of(source: Source, name: str, kind: Kinded) -> Feature | None:
    """Return the column that a declaration describes; None of a category that leaves its values to the rules."""
    type, words = kind.kind.lower(), kind.categories
    if type not in OPEN:
        return Feature(name, "timestamp" if type == "timestamp_utc" else type, scalar=type)
    if words is None:
        return None
    return _category(source, name, Kind(type), kind.scalar, list(words))


def _category(source: Source, name: str, kind: Kind, scalar: Token | None, words: list[Token]) -> Feature:
    held = scalar.lower() if scalar is not None else _common(words)
    values = [value_of(source, word, held, name) for word in words]
    for place, word in enumerate(words):
        if kind is Kind.ORDINAL and values.index(values[place]) != place:
            raise source.error(word.start_pos, f"{shown(word)} stands twice in an order", "name each level once")
    return Feature(name, kind, values if kind is Kind.ORDINAL else sorted(set(values)), held)


def _common(words: list[Token]) -> str:
    """Return the scalar of categories: what all of them look like, else text."""
    looks = {look(word) for word in words}
    if looks == {"number"}:
        return "integer" if looks_like_integers(words) else "number" if _each_spelled_once(words) else "text"
    return looks.pop() if len(looks) == 1 else "text"


def _each_spelled_once(words: list[Token]) -> bool:
    """Whether no word is a number with zeros in front, such as 007, which is a code."""
    return not any(word.lstrip("+-")[:1] == "0" and word.lstrip("+-")[1:2].isdigit() for word in words)


def _shown_by_rules(source: Source, name: str, declared: Declared | None, use: Use) -> Feature:
    """Return a column as the rules show it, with the kind that was declared if there was one."""
    if declared is not None and declared.kind is not None:
        return _category(source, name, Kind.CATEGORY, declared.kind.scalar, use.words)
    words = [*use.words, *_bounds(declared)]
    if not words:
        if declared is not None:
            problem = f"neither this declaration nor a rule tells the kind of column {name!r}"
            raise source.error(declared.name.start_pos, problem, "say it, as in column NAME: number")
        return Feature(name, Kind.CATEGORY)
    _require_one_kind(source, words, f"column {name!r} is compared with", "compare it with", "column")
    scalar = look(words[0])
    if scalar in ("text", "boolean"):
        return _unordered(source, name, scalar, use)
    return Feature(name, "timestamp" if scalar == "timestamp_utc" else scalar, scalar=scalar)


def _require_one_kind(source: Source, words: list[Token], said: str, remedy: str, what: str) -> None:
    """Raise unless all words look like values of one kind."""
    other = next((word for word in words if look(word) != look(words[0])), None)
    if other is not None:
        problem = f"{said} {shown(words[0])}, a {look(words[0])}, and {shown(other)} here"
        quoting = f'{remedy} values of one kind; quote text that looks like a number: "5"'
        raise source.error(other.start_pos, problem, f"{quoting}, or declare: {what} NAME: category")


def _unordered(source: Source, name: str, scalar: str, use: Use) -> Feature:
    if use.ordering:
        word = use.ordering[0]
        problem = f"column {name!r} is ordered here, but {shown(word)} is a {scalar}"
        raise source.error(word.start_pos, problem, "declare its order at the top: column NAME: ordinal S < M < L")
    if scalar == "boolean":
        return Feature(name, Kind.BOOLEAN)
    return _category(source, name, Kind.CATEGORY, None, use.words)


def _bounds(declared: Declared | None) -> list[Token]:
    """Return the words of the bounds among a declaration's options."""
    found = list[Token]()
    for option in declared.options if declared else ():
        if option[-1].type == "PLAIN":
            found += range_of(option[-1]) or (option[-1],)
    return found


def column_domain(source: Source, feature: Feature, declared: Declared, before: ColumnDomain) -> ColumnDomain:
    """Return what a column can take, as declared over what was known before.

    Raises:
        ParseError: an option does not fit the column, or the bounds leave nothing.
    """
    lowest, highest, missing, unseen = before.lowest, before.highest, before.missing, before.unseen
    for option in (*((declared.kind.bounds,) if declared.kind and declared.kind.bounds else ()), *declared.options):
        word = option[-1]
        if option[0].type == "NEVER":
            missing = False
        elif option[0].type in ("OPEN", "CLOSED"):
            _require(source, feature.is_open, word, feature, "have values that are not named")
            unseen = option[0].type == "OPEN"
        else:
            low, high = _ends(source, feature, option)
            lowest, highest = (lowest if low is None else low), (highest if high is None else high)
    if lowest is not None and highest is not None and lowest > highest:
        problem = f"the lowest value of column {feature.name!r} is above the highest"
        raise source.error(declared.name.start_pos, problem, "write the lower bound first, as in 0..120")
    return ColumnDomain(lowest, highest, missing=missing, unseen=unseen)


def _require(source: Source, fits: bool, word: Token, feature: Feature, what: str) -> None:
    if not fits:
        problem = f"column {feature.name!r} of kind {feature.kind} does not {what}"
        raise source.error(word.start_pos, problem, f"take {shown(word)} away, or declare another kind")


def _ends(source: Source, feature: Feature, option: tuple[Token, ...]) -> tuple[Any, Any]:
    """Return the bounds that an option says, None for an end that it leaves open."""
    word, ends = option[-1], range_of(option[-1])
    if len(option) == 1 and ends is None:
        raise misnamed(source, word, kinds=False)
    _require(source, feature.is_ordered, word, feature, "have bounds")
    if ends is None or len(option) == 2:
        value = value_of(source, word, feature.scalar, feature.name)
        return (value, None) if option[0].type == "LEAST" else (None, value)
    low, high = (value_of(source, end, feature.scalar, feature.name) for end in ends)
    return low, high


def target_of(source: Source, name: str, kind: Kinded | None, words: list[Token]) -> Feature:
    """Return the target that a declaration or else the rules' values describe.

    Raises:
        ParseError: they mix kinds.
    """
    type = kind.kind.lower() if kind is not None else None
    if kind is not None and kind.categories is not None:
        return feature_of(source, name, kind) or Feature(name, Kind.CATEGORY)
    if kind is not None and kind.bounds:
        raise source.error(kind.bounds[0].start_pos, "a target has no bounds", "take them away")
    if type in ("number", "integer"):
        return Feature(name, type)
    if type == "category":
        return _category(source, name, Kind.CATEGORY, kind.scalar if kind else None, words)
    if type is None:
        _require_one_kind(source, words, f"target {name!r} is", "predict", "target")
    scalar = type or _shown_by_rules(source, name, None, Use(0, words)).scalar
    if scalar == "number":
        return Feature(name, Kind.NUMBER)
    values = {value_of(source, word, scalar, name) for word in words}
    return Feature(name, Kind.CATEGORY, (False, True) if type == "boolean" else sorted(values), scalar)
