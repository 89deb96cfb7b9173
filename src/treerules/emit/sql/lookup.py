"""DuckDB's third layout: a tree as arrays that a query walks level by level.

    SELECT nexts[2 * node - CASE WHEN numbers[asked[node]] <= thresholds[node] THEN 1 ELSE 0 END] AS node FROM (...)

A row stands at a node, at first the root; a level of the query moves all rows one step. A negative node is minus the
number of a rule, or of a prediction where nothing else is asked for. The few cuts that most rows meet are one CASE
before the first step. A CASE of many thousand branches takes DuckDB long to plan, and each branch is asked of a handful
of rows; an array is read at the speed of memory.
"""

import re
from collections import Counter
from collections.abc import Sequence
from heapq import heappop, heappush

from attrs import frozen

from treerules.data.schema import Feature, Kind
from treerules.emit.numeric_cuts import Asked, Cut, Cuts, cuts_of
from treerules.emit.predicates import reference
from treerules.emit.sql.identifiers import NO_RENAME, Rename, renamed
from treerules.emit.sql.result_columns import Output
from treerules.errors import OptionError, UnsupportedError
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language
from treerules.trees.tree import Tree

#: So many cuts stand in a CASE before the first step.
FIRST = 32
#: More queries are not put into one another.
MOST_STEPS = 400
#: `auto` takes it for more leaves than these (a million rows of 20 columns take half the time of the guarded layout at
#: 1,000 leaves, twice at 100), where there are `LEAVES_A_STEP` to each level of the tree: a CASE is faster where rows
#: fall out of a long path early.
MOST_GUARDED = 500
LEAVES_A_STEP = 10
#: Text of more categories than these is looked up as an ENUM: slower for a few, but no slower for many.
_MANY = 100
_NUMERAL = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


@frozen
class PrintedCut:
    """A line of the CASE before the first step: a test, an ELSE or an END, or the node that a row stands at."""

    depth: int
    text: str


@frozen
class Answer:
    """A column of the result: its quoted name, its values, and the array of their places by the rule's number.

    Without places the end that a row reached is the place; without values too it is the answer.
    """

    name: str
    values: str | None = None
    places: str | None = None


@frozen
class Lookup:
    """What the template of this layout is given. All is SQL text but the number of steps."""

    table: str
    keys: tuple[str, ...]
    #: the columns as numbers, and those that are asked, some negated
    numbers: tuple[str, ...]
    asked: tuple[str, ...]
    first: tuple[PrintedCut, ...]
    steps: int
    #: the arrays of the cuts: which number each asks, its threshold, and where rows go that meet it and that fail it
    asked_of: str
    thresholds: str
    nexts: str
    answers: tuple[Answer, ...]


def is_worth_lookup(language: Language, tree: Tree | None) -> bool:
    """Return whether `auto` takes this layout for a query."""
    if tree is None or not language.has_lookup:
        return False
    return tree.n_leaves > MOST_GUARDED and tree.depth < min(MOST_STEPS, tree.n_leaves / LEAVES_A_STEP)


def lookup_of(
    language: Language,
    rules: RuleSet,
    *,
    table: str,
    keys: Sequence[str],
    outputs: Sequence[Output],
    rename: Rename = NO_RENAME,
) -> Lookup:
    """Return what the template prints; table and keys are quoted already, and outputs hold the guarded layout's lines.

    Raises:
        OptionError: the rule set was edited, so that it has no tree.
        UnsupportedError: the language has no such layout, or cannot hold a name or value, or the tree is too deep.
    """
    if not language.has_lookup:
        having = ", ".join(name for name, dialect in DIALECTS.items() if dialect.spelling.has_lookup)
        raise UnsupportedError(language.name, f"the lookup layout is for {having} alone", "use the guarded layout")
    if rules.tree is None:
        raise OptionError(
            "layout",
            "lookup",
            "flat, or emit tree_from_rules(rules): this rule set was edited, so it has no tree to walk",
        )
    answers, ends = _answers(outputs)
    found = cuts_of(rules.tree, ends)
    first = _first(found)
    walked = [place for place in range(len(found.cuts)) if place not in first]
    steps = _n_steps(found, walked)
    if steps > MOST_STEPS:
        problem = f"the lookup layout would walk {steps} steps, and it takes {MOST_STEPS}"
        raise UnsupportedError(language.name, problem, "use the guarded layout")
    asked = sorted({cut.asked for cut in found.cuts})
    sources = sorted({each._replace(negated=False) for each in asked})
    names = {source: f"number_{place}" for place, source in enumerate(sources, 1)}
    features = [renamed(feature, rename) for feature in rules.schema.features]
    nodes = {old: new for new, old in enumerate(walked, 1)}
    cuts = [found.cuts[place] for place in walked]
    return Lookup(
        table=table,
        keys=tuple(keys),
        numbers=tuple(_number(language, features[source.feature], source) for source in sources),
        asked=tuple(_signed(names, each) for each in asked),
        first=tuple(_printed(language, found, first, nodes, names)),
        steps=steps,
        asked_of=_array("BIGINT", [asked.index(cut.asked) + 1 for cut in cuts]),
        thresholds=_array("DOUBLE", [cut.threshold for cut in cuts]),
        nexts=_array("BIGINT", [nodes.get(below, below) for cut in cuts for below in (cut.met, cut.failed)]),
        answers=tuple(answers),
    )


def _array(kind: str, values: Sequence[float]) -> str:
    """Return a constant list of numbers. In a text it is planned in no time."""
    return f"CAST('[{', '.join(map(repr, values))}]' AS {kind}[])"


def _signed(names: dict[Asked, str], asked: Asked) -> str:
    name = names[asked._replace(negated=False)]
    return f"-{name}" if asked.negated else name


# ---- the cuts before the first step


def _first(found: Cuts) -> set[int]:
    """Return the places of the cuts that most training rows meet; of those that two lead to none is among them."""
    parents = Counter(below for cut in found.cuts for below in (cut.met, cut.failed))
    first: set[int] = set()
    waiting = [(0.0, found.start)] if found.start >= 0 else []
    while waiting and len(first) < FIRST:
        _, place = heappop(waiting)
        first.add(place)
        for below in (found.cuts[place].met, found.cuts[place].failed):
            if below >= 0 and parents[below] == 1:
                heappush(waiting, (-found.cuts[below].n, below))
    return first


def _n_steps(found: Cuts, walked: Sequence[int]) -> int:
    """Return the greatest number of cuts on the way from one of these to a leaf."""
    levels = dict.fromkeys(walked, 1)
    for place in walked:  # those that a cut leads to come after it
        for below in (found.cuts[place].met, found.cuts[place].failed):
            if below >= 0:
                levels[below] = max(levels[below], levels[place] + 1)
    return max(levels.values(), default=0)


def _printed(
    language: Language, found: Cuts, first: set[int], nodes: dict[int, int], names: dict[Asked, str]
) -> list[PrintedCut]:
    """Return the lines of the CASE that says where a row stands before the first step."""
    lines: list[PrintedCut] = []
    waiting: list[tuple[int, int | str]] = [(0, found.start)]
    while waiting:
        depth, place = waiting.pop()
        if isinstance(place, str):
            lines.append(PrintedCut(depth, place))
        elif place not in first:
            lines.append(PrintedCut(depth, str(nodes.get(place, place))))
        else:
            cut: Cut = found.cuts[place]
            test = language.at_most.format(_signed(names, cut.asked), language.literal(cut.threshold))
            lines.append(PrintedCut(depth, f"CASE WHEN {test} THEN"))
            waiting += [(depth, "END"), (depth + 1, cut.failed), (depth, "ELSE"), (depth + 1, cut.met)]
    return lines


# ---- columns as numbers


def _number(language: Language, feature: Feature, asked: Asked) -> str:
    """Return a column as a double that cuts may ask; NULL or NaN where it is missing."""
    column = reference(language, feature, asked.feature)
    if not feature.is_ordered:
        return f"CAST({_place(language, feature, column)} AS DOUBLE)"
    if feature.scalar == "date":
        return f"CAST({column} - DATE '1970-01-01' AS DOUBLE)"
    if feature.kind is Kind.TIMESTAMP:
        return _moment(language, feature, column, asked)
    return f"CAST({column} AS DOUBLE)" if asked.part == "value" else _rest(column)


def _rest(integer: str) -> str:
    """Return what the nearest double lacks of an integer; the double may be 2^63, which is no BIGINT."""
    return f"CAST(CAST({integer} AS HUGEINT) - CAST(CAST({integer} AS DOUBLE) AS HUGEINT) AS DOUBLE)"


def _moment(language: Language, feature: Feature, column: str, asked: Asked) -> str:
    """Return the microseconds since 1970; those of DuckDB's infinite moments would be NULL."""
    moment = f"CAST({column} AS {language.types[feature.scalar]})"
    if asked.part == "rest":
        return _rest(f"epoch_us({moment})")
    zero = f"CAST('1970-01-01' AS {language.types[feature.scalar]})"
    least, most = (language.literal(sign * float("inf")) for sign in (-1, 1))
    infinite = f"CASE WHEN {moment} < {zero} THEN {least} ELSE {most} END"
    return f"CASE WHEN isinf({moment}) THEN {infinite} ELSE CAST(epoch_us({moment}) AS DOUBLE) END"


def _place(language: Language, feature: Feature, column: str) -> str:
    """Return the place of a category in the schema, the next one of what is unseen, NULL of what is missing."""
    if feature.kind is Kind.BOOLEAN:
        return f"CAST({column} AS BOOLEAN)"
    known = language.is_number if feature.scalar == "number" and language.is_number else language.known
    unseen = len(feature.categories)
    literals = [language.compared(category) for category in feature.categories]
    if feature.scalar == "text" and unseen > _MANY:
        place = f"CAST(enum_code(TRY_CAST({column} AS ENUM({', '.join(literals)}))) AS INTEGER)"
        return f"CASE WHEN {known.format(column)} THEN COALESCE({place}, {unseen}) END"
    places = "".join(f" WHEN {literal} THEN {place}" for place, literal in enumerate(literals))
    otherwise = f"CASE WHEN {known.format(column)} THEN {unseen} END"
    return f"CASE {column}{places} ELSE {otherwise} END" if places else otherwise


# ---- answers


def _answers(outputs: Sequence[Output]) -> tuple[list[Answer], list[int] | None]:
    """Return the columns of the result, and the numbers of the ends where those are not the leaves', 1, 2, ..."""
    found = []
    for output in outputs:
        literals = {line.number: str(line.value) for line in output.lines if line.number is not None}
        values, places = _numbered([literals[number] for number in sorted(literals)])
        if len(outputs) == 1:
            return [Answer(output.name, values)], places
        is_number = all(literal == str(number) for number, literal in literals.items())
        found.append(Answer(output.name) if is_number else Answer(output.name, values, _array("BIGINT", places)))
    return found, None


def _numbered(literals: Sequence[str]) -> tuple[str, list[int]]:
    """Return a list of the different ones among literals, and the place of each in it, from 1."""
    places = {literal: place for place, literal in enumerate(dict.fromkeys(literals), 1)}
    return _list_of(list(places)), [places[literal] for literal in literals]


def _list_of(literals: Sequence[str]) -> str:
    """Return a list of literals; many numbers are planned faster as a text."""
    if not all(_NUMERAL.fullmatch(literal) for literal in literals):
        return f"[{', '.join(literals)}]"
    if any("e" in literal for literal in literals):
        return f"CAST('[{', '.join(literals)}]' AS DOUBLE[])"
    kind = "INTEGER" if all(abs(int(literal)) < 2**31 for literal in literals) else "BIGINT"
    return f"CAST('[{', '.join(literals)}]' AS {kind}[])"
