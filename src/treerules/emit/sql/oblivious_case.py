"""Oblivious trees as SQL: a list of the leaves, and the position of a row's leaf in it.

    ([
      0.1e0, 0.2e0, 0.3e0, 0.4e0
    ])[
      1
      + CASE WHEN "x" <= 1e0 THEN 0 ELSE 2 END
      + CASE WHEN "y" <= 3e0 THEN 0 ELSE 1 END
    ]

Each test stands there once, where a nested CASE has it once for each node of its level.
"""

from collections.abc import Mapping, Sequence
from textwrap import wrap

from treerules.data.schema import Schema
from treerules.emit.layout import CodeLine
from treerules.emit.sql.case_lines import WIDTH
from treerules.emit.template_records import printed_tests
from treerules.rules.compile import branch_condition_of
from treerules.sql.language import Language
from treerules.trees.nodes import Split
from treerules.trees.oblivious import oblivious_levels
from treerules.trees.tree import Tree

#: Trees of fewer levels are nested CASEs, which are as fast.
LEAST_LEVELS = 3


def list_levels(language: Language, tree: Tree) -> tuple[Split, ...]:
    """Return the levels of a tree that is written as a list, from the root; none where it is a nested CASE."""
    levels = oblivious_levels(tree.root) if language.element is not None else None
    return levels if levels is not None and len(levels) >= LEAST_LEVELS else ()


def list_lines(
    language: Language, schema: Schema, levels: Sequence[Split], literals: Sequence[str], rename: Mapping[str, str]
) -> list[str]:
    """Return the lines of the expression.

    Args:
        language: the dialect, which has lists.
        schema: the features.
        levels: a split of each level, from the root.
        literals: the value of each leaf as a literal, in the order of the leaves.
        rename: the names of features in the database.
    """
    condition_of = branch_condition_of(schema)
    sides = [1 - split.missing for split in levels]  # the test of the child without missing values is the shorter one
    lines = [
        CodeLine(0, "when", ((schema.features[split.test.feature].name, condition_of(split, side)),))
        for split, side in zip(levels, sides, strict=True)
    ]
    places = [2 ** (len(levels) - level) for level in range(1, len(levels) + 1)]
    digits = [
        f"+ CASE WHEN {line.test} THEN {place * side} ELSE {place * (1 - side)} END"
        for line, side, place in zip(printed_tests(language, schema, lines, rename=rename), sides, places, strict=True)
    ]
    before, between, after = (language.element or "").split("{}")
    values = wrap(", ".join(literals), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [before, *_indented(values), between, *_indented(["1", *digits]), after]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]
