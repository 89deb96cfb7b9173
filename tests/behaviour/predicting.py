"""Predictions, probabilities and numbers of rules; what evaluation and importances say of them."""

import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from behaviour.calls import (
    Table,
    apply,
    boundary_rows,
    compile_rules,
    descend,
    evaluate,
    find_leaf,
    fold,
    importances,
    leaves,
    of_values,
    outcome,
    paths,
    permutation_importances,
    predict,
    predict_proba,
    predict_table,
    predictions_text,
    preorder,
    read_parquet,
    rule_text,
    told,
    unfold,
    write_parquet,
)
from behaviour.growing import PLAIN
from behaviour.pruned import TREES, drop_of, tree_called
from behaviour.stored import models, rows_of, tables


def table_of(tree: Any, rows: Sequence[dict[str, Any]], *, target: bool = False) -> Any:
    """Return rows as a table of a tree's columns; with its target, labels in turn."""
    columns = [of_values(f, [f.convert(row.get(f.name)) for row in rows]) for f in tree.schema.features]
    if target:
        goal = tree.schema.target
        values = [leaf.prediction.value for leaf in leaves(tree.root)]
        cells = [values[(place * 7) % len(values)] for place in range(len(rows))]
        columns.append(of_values(goal, cells))
    return Table(columns, declared=frozenset(column.feature.name for column in columns))


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what every model predicts of its rows, one by one, as a table, and as text in every format."""
    for name, tree in models().items():
        rows = rows_of(name)
        table = table_of(tree, rows)
        yield f"{name} | rows", told([outcome(lambda tree=tree, row=row: predict(tree, row)) for row in rows])
        yield f"{name} | leaves", told([outcome(lambda tree=tree, row=row: find_leaf(tree, row)) for row in rows])
        yield f"{name} | shares", told([outcome(lambda tree=tree, row=row: predict_proba(tree, row)) for row in rows])
        yield f"{name} | table", outcome(lambda tree=tree, table=table: predict(tree, table, compiled=False))
        yield f"{name} | proba", outcome(lambda tree=tree, table=table: predict_proba(tree, table))
        yield f"{name} | numbers", outcome(lambda tree=tree, table=table: apply(tree, table, compiled=False))
        yield f"{name} | boundary rows", outcome(lambda tree=tree: boundary_rows(tree, 60))
        yield f"{name} | boundary rows of rules", outcome(lambda tree=tree: boundary_rows(compile_rules(tree), 25))
        yield f"{name} | walks", _walked(tree)
        yield from _printed(name, tree, table)
        yield from _judged(name, tree, table_of(tree, rows, target=True))
    yield from _learned()


def _walked(tree: Any) -> str:
    """Return what the public walkers see, and the rules in words."""
    depths = [depth for _, depth in descend(tree.root, 0, lambda split, depth: [depth + 1] * len(split.children))]
    n = fold(tree.root, lambda leaf: 1, lambda split, below: sum(below))
    ways = [[side for _, side in way] for _, way in paths(tree.root)]
    some = leaves(tree.root)
    grown = unfold(3, lambda left: next(iter([next(leaves(tree.root))])) if left == 0 else (
        lambda children: children[0], [left - 1]))  # fmt: skip
    rules = compile_rules(tree)
    texts = [rule_text(rules.schema, rule) for rule in rules.rules]
    numbers = [leaf.rule for leaf in some]
    return told([depths, n, ways, numbers, grown, len(list(preorder(tree.root))), tree.depth, tree.n_leaves,
                 repr(tree), texts])  # fmt: skip


def _printed(name: str, tree: Any, table: Any) -> Iterator[tuple[str, str]]:
    keys = [feature.name for feature in tree.schema.features[:2]]
    for proba in (False, True):
        for rule in (False, True):
            found = outcome(lambda tree=tree, p=proba, r=rule: _texts(tree, table, p, r, keys if r else []))
            yield f"{name} | predictions proba={proba} rule={rule} keys={rule}", found
    yield f"{name} | parquet", outcome(lambda: _parquet(tree, table))


def _texts(tree: Any, table: Any, proba: bool, rule: bool, keys: list[str]) -> str:
    found = predict_table(tree, table, proba=proba, rule=rule, keys=keys)
    return "\n".join(predictions_text(found, format) for format in ("csv", "text", "md", "json"))


def _parquet(tree: Any, table: Any) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "p.parquet"
        write_parquet(predict_table(tree, table, rule=True), path)
        return told(read_parquet(path))


def _judged(name: str, tree: Any, table: Any) -> Iterator[tuple[str, str]]:
    n = table.n_rows
    yield f"{name} | evaluate", outcome(lambda: evaluate(tree, table))
    weights = [place % 3 for place in range(n)]
    yield f"{name} | evaluate weight", outcome(lambda: evaluate(tree, table, weight=weights))
    yield f"{name} | importances", outcome(lambda: importances(tree))
    yield (
        f"{name} | permutation repeats=2 seed=3",
        outcome(lambda: permutation_importances(tree, table, repeats=2, seed=3)),
    )


def _learned() -> Iterator[tuple[str, str]]:
    """Yield the judgement of learned trees on their own rows and on others with missing targets."""
    for name, (table, _) in TREES.items():
        tree, known = tree_called(name), tables()[table]
        yield f"{name} | evaluate", outcome(lambda tree=tree, known=known: evaluate(tree, known))
        yield f"{name} | evaluate weight=w", outcome(lambda tree=tree, known=known: evaluate(tree, known, weight="w"))
        yield f"{name} | importances", outcome(lambda tree=tree: importances(tree))
        for seed in (0, 5):
            found = outcome(lambda tree=tree, known=known, seed=seed: permutation_importances(
                tree, known, repeats=3, seed=seed, weight=None if seed else "w"))  # fmt: skip
            yield f"{name} | permutation seed={seed}", found
        yield f"{name} | dropped", outcome(lambda tree=tree, known=known, table=table: _dropped(tree, known, table))


def _dropped(tree: Any, known: Any, table: str) -> str:
    """Return the judgement of a table some of whose targets are missing."""
    columns = {column.feature.name: [column.value(row) for row in range(known.n_rows)] for column in known.columns}
    columns["y"] = [None if place % 5 == 0 else value for place, value in enumerate(columns["y"])]
    types = {"x": "number", "n": "integer", "level": "ordinal:low<middle<high", "day": "date"}
    if isinstance(columns["y"][1], float):
        types["y"] = "number"
    holed = Table.from_columns(columns, types={name: kind for name, kind in types.items() if name in columns})
    refused = outcome(lambda: evaluate(tree, holed))
    heard = io.StringIO()
    found = evaluate(tree, holed, drop_missing_target=True, progress=lambda *told: heard.write(repr(told)))
    shuffled = permutation_importances(tree, holed, repeats=1, seed=1, drop_missing_target=True)
    assert drop_of(table) in ([], PLAIN["drop"])
    assert not math.isnan(found.weight)
    return told([refused, found, shuffled, heard.getvalue()])
