"""Postgres's lookup layout: an expression that walks a tree as constant arrays, one query within another a level.

    (SELECT answers[-node] FROM (SELECT ..., CASE WHEN node < 0 THEN node ELSE nexts[2 * node - ...] END AS node
      FROM (SELECT ARRAY[...] AS numbers, ..., 1 AS node OFFSET 0) AS s1 OFFSET 0) AS s2 ...)

The server compiles expressions by LLVM where a query is estimated to be long (`jit`, on by default), and takes minutes
for a CASE of thousands of branches. These expressions are short whatever the tree. OFFSET 0 keeps the planner from
putting the inner queries into the outer ones, which would double the text at each level.
"""

import json
from collections.abc import Sequence

from treerules.data.schema import Feature, Kind, Schema
from treerules.emit.numeric_cuts import CutGraph, CutOperand, cut_graph
from treerules.emit.predicates import column_reference, read_cell
from treerules.emit.sql.identifiers import Rename, renamed_feature
from treerules.sql.language import Language
from treerules.trees.tree import Tree

#: Text of more categories than this is looked up as keys of a JSON object, by halves; fewer are a simple CASE.
_MANY_CATEGORIES = 30
#: The next node of a row; a leaf, which is negative, stays.
_STEP = (
    "CASE WHEN node < 0 THEN node ELSE nexts[2 * node - "
    "CASE WHEN numbers[asked[node]] <= thresholds[node] THEN 1 ELSE 0 END] END"
)


def lookup_lines(language: Language, tree: Tree, literals: Sequence[str], sql_type: str, rename: Rename) -> list[str]:
    """Return the lines of the expression.

    Args:
        language: the dialect.
        tree: the tree.
        literals: the value of each leaf as a literal, in the order of the leaves.
        sql_type: the type of the values.
        rename: the names of features in the database.
    """
    values = {literal: position for position, literal in enumerate(dict.fromkeys(literals), 1)}
    graph = cut_graph(tree, [values[literal] for literal in literals])
    answers = f"CAST(ARRAY[{', '.join(values)}] AS {sql_type}[])"
    if not graph.cuts:
        return [f"({answers})[{-graph.start}]"]
    n_steps = longest_walk(graph)
    return [
        "(",
        f"  SELECT ({answers})[-node]",
        *(f"  FROM (SELECT numbers, asked, thresholds, nexts, {_STEP} AS node" for _ in range(n_steps)),
        "  FROM (SELECT",
        *(f"    {line}" for line in _arrays(language, tree.schema, graph, rename)),
        f"    1 AS node OFFSET 0) AS s0{''.join(f' OFFSET 0) AS s{step}' for step in range(1, n_steps + 1))}",
        ")",
    ]


def longest_walk(graph: CutGraph) -> int:
    """Return the largest number of cuts that a row passes."""
    levels = [1] * len(graph.cuts)
    for position, cut in enumerate(graph.cuts):  # a cut precedes those that it leads to
        for target in (cut.met, cut.failed):
            if target >= 0:
                levels[target] = max(levels[target], levels[position] + 1)
    return max(levels, default=0)


def _arrays(language: Language, schema: Schema, graph: CutGraph, rename: Rename) -> list[str]:
    """Return the columns of the innermost query: the numbers of the row, and the cuts, of which node 1 is the first."""
    operands = sorted({cut.operand for cut in graph.cuts})
    numbers = [_signed_number(language, schema, operand, rename) for operand in operands]
    nexts = [target + 1 if target >= 0 else target for cut in graph.cuts for target in (cut.met, cut.failed)]
    asked = [operands.index(cut.operand) + 1 for cut in graph.cuts]
    return [
        "CAST(ARRAY[",
        *(f"  {number}{',' if place < len(numbers) else ''}" for place, number in enumerate(numbers, 1)),
        "] AS float8[]) AS numbers,",
        f"{_array('int4', asked)} AS asked,",
        f"{_array('float8', [cut.threshold for cut in graph.cuts])} AS thresholds,",
        f"{_array('int4', nexts)} AS nexts,",
    ]


def _array(sql_type: str, numbers: Sequence[float]) -> str:
    return f"CAST('{{{','.join(map(repr, numbers))}}}' AS {sql_type}[])"


def _signed_number(language: Language, schema: Schema, operand: CutOperand, rename: Rename) -> str:
    feature = renamed_feature(schema.features[operand.feature], rename)
    pattern = language.text_column if feature.scalar == "text" else "{}"
    column = read_cell(language, feature, column_reference(language, feature, operand.feature), pattern)
    number = _number(language, feature, column, operand)
    return f"-({number})" if operand.negated else number


def _number(language: Language, feature: Feature, column: str, operand: CutOperand) -> str:
    """Return a feature as a double that cuts compare; NULL or NaN where it is missing."""
    if not feature.is_ordered:
        return f"CAST({_category_position(language, feature, column)} AS float8)"
    if feature.scalar == "number":
        return f"CAST({column} AS float8)"
    if feature.scalar == "integer":
        return _double_of(column, operand)
    if feature.scalar == "date":
        number, first = f"({column} - DATE '1970-01-01')", "DATE '1970-01-01'"
    else:  # exact: the seconds are a NUMERIC, from Postgres 14 on
        number, first = f"CAST(EXTRACT(EPOCH FROM {column}) * 1000000 AS int8)", "TIMESTAMP '1970-01-01'"
    infinite = (
        f"CASE WHEN {column} > {first} THEN float8 'Infinity' WHEN {column} < {first} THEN float8 '-Infinity' END"
    )
    return f"CASE WHEN isfinite({column}) THEN {_double_of(number, operand)} ELSE {infinite} END"


def _double_of(integer: str, operand: CutOperand) -> str:
    """Return the double nearest to an integer, or the integer minus that double, which may be 2^63."""
    double = f"CAST({integer} AS float8)"
    if operand.part == "value":
        return double
    rest, greatest = f"{integer} - CAST({double} AS int8)", f"{integer} - 9223372036854775807 - 1"
    return f"CASE WHEN {double} < float8 '9223372036854775808' THEN {rest} ELSE {greatest} END"


def _category_position(language: Language, feature: Feature, column: str) -> str:
    """Return the position of a category in the schema; for unseen values the next one, for missing ones NULL."""
    if feature.kind is Kind.BOOLEAN:
        return f"CAST({column} AS integer)"
    unseen = len(feature.categories)
    is_known = (language.number_test(feature.name) if feature.scalar == "number" else None) or language.known
    if feature.scalar == "text" and unseen > _MANY_CATEGORIES:
        places = {category: position for position, category in enumerate(feature.categories)}
        keys = language.literal(json.dumps(places, ensure_ascii=False, separators=(",", ":")))
        position = f"CAST(CAST({keys} AS jsonb) ->> CAST({column} AS text) AS integer)"
        return f"CASE WHEN {is_known.format(column)} THEN COALESCE({position}, {unseen}) END"
    branches = "".join(
        f" WHEN {language.comparison_literal(category)} THEN {position}"
        for position, category in enumerate(feature.categories)
    )
    otherwise = f"CASE WHEN {is_known.format(column)} THEN {unseen} END"
    return f"CASE {column}{branches} ELSE {otherwise} END" if branches else otherwise
