"""DuckDB's third layout: a tree as arrays that a query walks level by level.

    SELECT nexts[2 * node - CASE WHEN numbers[asked[node]] <= thresholds[node] THEN 1 ELSE 0 END] AS node FROM (...)

Each row has a current node, at first the root; each level of the query moves all rows one step. A negative node is the
negative number of a rule, or of a prediction if the query returns nothing else. The few cuts that most rows pass are
one CASE before the first step.

DuckDB takes long to plan a CASE of many thousand branches, and only a handful of rows reach each branch. An array is
read at the speed of memory.
"""

from collections import Counter
from collections.abc import Sequence
from heapq import heappop, heappush

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.numeric_cuts import CutGraph, CutOperand, cut_graph
from treerules.emit.sql.identifiers import NO_RENAME, Rename, renamed_feature
from treerules.emit.sql.lookup_numbers import number_array, operand_number, value_list
from treerules.emit.sql.result_columns import Output
from treerules.errors import OptionError, UnsupportedError
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language
from treerules.trees.tree import Tree

#: The number of cuts in the CASE before the first step.
N_FIRST = 32
#: The largest number of steps: each nests the query once more.
MOST_STEPS = 400
#: layout="auto" takes this layout for more than `MOST_GUARDED` leaves, if the tree has `LEAVES_PER_LEVEL` for each of
#: its levels. A million rows of 20 columns take half the time of the guarded layout at 1,000 leaves, twice at 100. A
#: CASE is faster where most rows leave a long path early.
MOST_GUARDED = 500
LEAVES_PER_LEVEL = 10


@short_repr
@frozen
class PrintedCut:
    """A line of the CASE before the first step: a test, an ELSE or an END, or the current node of a row."""

    depth: int
    text: str


@short_repr
@frozen
class Answer:
    """A column of the result: its quoted name, its values, and the array of their positions by the number of the end.

    Without `places` the number of the end is the position; without `values` too it is the value.
    """

    name: str
    values: str | None = None
    places: str | None = None


@short_repr
@frozen
class Lookup:
    """The arrays and columns of this layout, for its template. Each field is SQL text, apart from `steps`."""

    table: str
    keys: tuple[str, ...]
    #: the features as numbers, and the operands of cuts: names of numbers, some with a minus sign
    numbers: tuple[str, ...]
    asked: tuple[str, ...]
    first: tuple[PrintedCut, ...]
    steps: int
    #: the arrays of the cuts: position of the operand, threshold, and the next nodes: of rows that pass a cut, then of
    #: rows that fail it
    asked_of: str
    thresholds: str
    nexts: str
    answers: tuple[Answer, ...]


def is_worth_lookup(language: Language, tree: Tree | None) -> bool:
    """Return whether layout="auto" takes this layout for a query."""
    if tree is None or language.lookup is None:
        return False
    if language.lookup == "expression":
        return tree.n_leaves > language.most_branches and tree.depth < MOST_STEPS / 2
    return tree.n_leaves > MOST_GUARDED and tree.depth < min(MOST_STEPS, tree.n_leaves / LEAVES_PER_LEVEL)


def lookup_of(
    language: Language,
    checked: CheckedRules,
    *,
    table: str,
    keys: Sequence[str],
    outputs: Sequence[Output],
    rename: Rename = NO_RENAME,
) -> Lookup:
    """Return the values for the template of this layout.

    Args:
        language: the dialect.
        checked: the rules, with their tree.
        table: the quoted table that is read.
        keys: the quoted columns that pass through.
        outputs: the other columns of the result.
        rename: the names of features in the database.

    Raises:
        OptionError: the rules have no tree.
        UnsupportedError: the language has no such layout or cannot hold a name or value, or the tree is too deep.
    """
    tree = require_lookup_tree(language, checked)
    answers, ends = _answers(outputs)
    graph = cut_graph(tree, ends)
    first = _most_visited(graph)
    walked = [position for position in range(len(graph.cuts)) if position not in first]
    n_steps = _longest_walk(graph, walked)
    if n_steps > MOST_STEPS:
        problem = f"the lookup layout would walk {n_steps} steps; the limit is {MOST_STEPS}"
        raise UnsupportedError(language.name, problem, "use the guarded layout")
    operands = sorted({cut.operand for cut in graph.cuts})
    sources = sorted({operand._replace(negated=False) for operand in operands})
    names = {source: f"number_{index}" for index, source in enumerate(sources, 1)}
    features = [renamed_feature(feature, rename) for feature in tree.schema.features]
    nodes = {old: new for new, old in enumerate(walked, 1)}
    cuts = [graph.cuts[position] for position in walked]
    return Lookup(
        table=table,
        keys=tuple(keys),
        numbers=tuple(operand_number(language, features[source.feature], source) for source in sources),
        asked=tuple(_signed_name(names, operand) for operand in operands),
        first=tuple(_first_case(language, graph, first, nodes, names)),
        steps=n_steps,
        asked_of=number_array("BIGINT", [operands.index(cut.operand) + 1 for cut in cuts]),
        thresholds=number_array("DOUBLE", [cut.threshold for cut in cuts]),
        nexts=number_array("BIGINT", [nodes.get(target, target) for cut in cuts for target in (cut.met, cut.failed)]),
        answers=tuple(answers),
    )


def require_lookup_tree(language: Language, checked: CheckedRules) -> Tree:
    """Return the tree of the rules; raise if the rules have no tree, or the language has no lookup layout."""
    if language.lookup is None:
        having = ", ".join(name for name, dialect in DIALECTS.items() if dialect.spelling.lookup)
        raise UnsupportedError(language.name, f"the lookup layout is for {having} only", "use the guarded layout")
    if checked.tree is None:
        raise OptionError(
            "layout", "lookup", "'flat', or emit tree_from_rules(rules): a rule set that was edited has no tree to walk"
        )
    return checked.tree


def _signed_name(names: dict[CutOperand, str], operand: CutOperand) -> str:
    name = names[operand._replace(negated=False)]
    return f"-{name}" if operand.negated else name


# ---- the cuts before the first step


def _most_visited(graph: CutGraph) -> set[int]:
    """Return the positions of the cuts that most training rows pass.

    They form a tree: a cut to which two others lead is not among them.
    """
    n_parents = Counter(target for cut in graph.cuts for target in (cut.met, cut.failed))
    visited: set[int] = set()
    pending = [(0.0, graph.start)] if graph.start >= 0 else []
    while pending and len(visited) < N_FIRST:
        _, position = heappop(pending)
        visited.add(position)
        for target in (graph.cuts[position].met, graph.cuts[position].failed):
            if target >= 0 and n_parents[target] == 1:
                heappush(pending, (-graph.cuts[target].n, target))
    return visited


def _longest_walk(graph: CutGraph, walked: Sequence[int]) -> int:
    """Return the largest number of the `walked` cuts on a path to a leaf."""
    levels = dict.fromkeys(walked, 1)
    for position in walked:  # a cut precedes those that it leads to
        for target in (graph.cuts[position].met, graph.cuts[position].failed):
            if target >= 0:
                levels[target] = max(levels[target], levels[position] + 1)
    return max(levels.values(), default=0)


def _first_case(
    language: Language, graph: CutGraph, first: set[int], nodes: dict[int, int], names: dict[CutOperand, str]
) -> list[PrintedCut]:
    """Return the lines of the CASE that gives the node of a row before the first step."""
    lines: list[PrintedCut] = []
    pending: list[tuple[int, int | str]] = [(0, graph.start)]
    while pending:
        depth, target = pending.pop()
        if isinstance(target, str):
            lines.append(PrintedCut(depth, target))
        elif target not in first:
            lines.append(PrintedCut(depth, str(nodes.get(target, target))))
        else:
            cut = graph.cuts[target]
            test = language.at_most.format(_signed_name(names, cut.operand), language.literal(cut.threshold))
            lines.append(PrintedCut(depth, f"CASE WHEN {test} THEN"))
            pending += [(depth, "END"), (depth + 1, cut.failed), (depth, "ELSE"), (depth + 1, cut.met)]
    return lines


# ---- the result


def _answers(outputs: Sequence[Output]) -> tuple[list[Answer], list[int] | None]:
    """Return the columns of the result, and the number of the end of each leaf.

    If the prediction is the only column, leaves of one prediction share a number. Otherwise the numbers are those of
    the leaves, 1, 2, ..., and None is returned.
    """
    answers = []
    for output in outputs:
        values, positions = _numbered([literal for _, literal in sorted(output.values.items())])
        if len(outputs) == 1:
            return [Answer(output.name, values)], positions
        is_number = all(literal == str(number) for number, literal in output.values.items())
        answers.append(
            Answer(output.name) if is_number else Answer(output.name, values, number_array("BIGINT", positions))
        )
    return answers, None


def _numbered(literals: Sequence[str]) -> tuple[str, list[int]]:
    """Return the distinct literals as a list in SQL, and the position of each literal in it, from 1."""
    positions = {literal: position for position, literal in enumerate(dict.fromkeys(literals), 1)}
    return value_list(list(positions)), [positions[literal] for literal in literals]
