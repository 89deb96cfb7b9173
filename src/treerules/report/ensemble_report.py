"""Ensembles: how the leaves are added, how the sum decides, and a row for each tree.

ill: 2 trees, 4 leaves, depth 1
margin: 0.25, then the leaf of each tree, added one after the other in float64
ill = yes where margin >= 0; probability 1 / (1 + exp(-margin))

tree  leaves  depth  columns
   1       2      1        1
   2       2      1        1

JSON: {"format": "treerules.ensemble_trees", "version": 1, "target", "base", "order", "sum_type", "scale", "average",
"link", "slope", "cut", "trees": [{"tree", "margin", "leaves", "depth", "columns"}]}; `margin` is the class of a tree
that is added to the margin of one class, else null.
"""

from collections.abc import Callable, Mapping
from typing import Any

from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, tables_report
from treerules.report.table_limits import TOP, more_line, shown_count
from treerules.rules.wording import consequent_text, figure_text, word
from treerules.trees.ensemble import SUM_FIELDS, Ensemble
from treerules.trees.tested_columns import tested_features
from treerules.trees.tree import Tree, target_of


def _parts(ensemble: Ensemble, lang: str, top: int | None) -> list[Part]:
    shown = shown_count(top, len(ensemble.trees))
    more = more_line(len(ensemble.trees) - shown, lang)
    return ["\n".join(addition_lines(ensemble, lang)), _table(ensemble, lang, shown), *more]


def addition_lines(ensemble: Ensemble, lang: str) -> list[str]:
    """Return the lines that say how many trees are added, how, and what follows from the margin."""
    return [_size_line(ensemble, lang), _sum_line(ensemble, lang), _answer_line(ensemble, lang)]


def _size_line(ensemble: Ensemble, lang: str) -> str:
    text = heading(
        "{n} trees, {leaves} leaves, depth {depth}",
        lang,
        n=len(ensemble.trees),
        leaves=f"{ensemble.n_leaves:,}",
        depth=ensemble.depth,
    )
    return f"{word(target_of(ensemble).name)}: {text}"


def _sum_line(ensemble: Ensemble, lang: str) -> str:
    """Return the line that says how leaves are added."""
    base = ", ".join(map(figure_text, ensemble.base))
    added = heading("the leaf of each tree, added one after the other in {type}", lang, type=ensemble.sum_type)
    first = heading("{base}, then {added}", lang, base=base, added=added)
    text = added if not any(ensemble.base) else first
    if any(ensemble.base) and ensemble.order == "base last":
        text = heading("{added}; then {base}", lang, base=base, added=added)
    if ensemble.scale != 1:
        text = heading("{sum}, times {scale}", lang, sum=text, scale=figure_text(ensemble.scale))
    if ensemble.average:
        text = heading("{sum}, divided by {n}", lang, sum=text, n=len(ensemble.trees))
    names = {"mean": "margin", "cut": "margin", "classes": "margin of each class"}
    return f"{heading(names[ensemble.use], lang)}: {text}"


#: Means by link function.
MEANS = {
    "identity": "{margin}",
    "exp": "exp({margin})",
    "expit": "1 / (1 + exp(-{margin}))",
    "square": "|{margin}| * {margin}",
    "softplus": "log(1 + exp({margin}))",
}


#: Labels of several classes, by what they have the greatest of.
_LABELS = {
    "margins": "{target}: the class of the greatest margin",
    "probabilities": "{target}: the class of the greatest probability, rounded",
}
#: Probabilities of several classes, by link function.
_PROBABILITIES = {
    "identity": "{label}; the margin is the probability",
    "softmax": "{label}; probability exp(margin) / sum of exp(margin)",
    "sigmoids": "{label}; probability 1 / (1 + exp(-{power})), each by itself",
}


def _answer_line(ensemble: Ensemble, lang: str) -> str:
    """Return the line that says what follows from the margins."""
    target = word(target_of(ensemble).name)
    margin = heading("margin", lang)
    if ensemble.use == "mean":
        return f"{target} = {MEANS[ensemble.link].format(margin=margin)}"
    power = margin if ensemble.slope == 1 else f"{figure_text(ensemble.slope)} * {margin}"
    if ensemble.use == "cut":
        label, cut = consequent_text(ensemble.schema, ensemble.schema.classes[1]), ensemble.cut or 0.0
        test = f"{margin} > 0" if 0 < cut < 1e-300 else f"{margin} >= {figure_text(cut)}"
        values = {"target": target, "label": label, "test": test, "power": power}
        if ensemble.link == "step":
            return heading("{target} = {label} where {test}; probability 1 there, else 0", lang, **values)
        return heading("{target} = {label} where {test}; probability 1 / (1 + exp(-{power}))", lang, **values)
    label = heading(_LABELS[ensemble.label_by], lang, target=target)
    return heading(_PROBABILITIES[ensemble.link], lang, label=label, power=power)


def _table(ensemble: Ensemble, lang: str, shown: int) -> TextTable:
    """Return a row for each of the first trees; the class is shown where trees are added to margins of classes."""
    records = [_tree_record(ensemble, number) for number in range(1, shown + 1)]
    columns: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "tree": lambda record: str(record["tree"]),
        "class": lambda record: consequent_text(ensemble.schema, record["margin"]),
        "leaves": lambda record: str(record["leaves"]),
        "depth": lambda record: str(record["depth"]),
        "columns": lambda record: str(len(record["columns"])),
    }
    if not _has_classes(ensemble):
        del columns["class"]
    rows = [[text(record) for text in columns.values()] for record in records]
    return TextTable([heading(name, lang) for name in columns], rows, [name in _RIGHT for name in columns])


_RIGHT = ("tree", "leaves", "depth", "columns")


def _has_classes(ensemble: Ensemble) -> bool:
    """Return whether each tree is added to the margin of one class."""
    return ensemble.use == "classes" and not ensemble.adds_vectors


def _tree_record(ensemble: Ensemble, number: int) -> dict[str, Any]:
    tree: Tree = ensemble.trees[number - 1]
    label = ensemble.schema.classes[ensemble.outputs[number - 1]] if _has_classes(ensemble) else None
    names = [feature.name for feature in tested_features(tree)]
    return {"tree": number, "margin": label, "leaves": tree.n_leaves, "depth": tree.depth, "columns": names}


def _exact_table(ensemble: Ensemble, lang: str, top: int | None) -> TextTable:
    return _table(ensemble, lang, min(top or len(ensemble.trees), len(ensemble.trees)))


def _record(ensemble: Ensemble, lang: str, top: int | None) -> dict[str, Any]:
    shown = min(top or len(ensemble.trees), len(ensemble.trees))
    return {
        "format": "treerules.ensemble_trees",
        "version": 1,
        "target": target_of(ensemble).name,
        **{name: getattr(ensemble, name) for name in SUM_FIELDS if name != "outputs"},
        "trees": [_tree_record(ensemble, number) for number in range(1, shown + 1)],
    }


ENSEMBLE = tables_report(Ensemble, parts=_parts, table=_exact_table, record=_record, options=[TOP])
