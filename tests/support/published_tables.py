"""Published tables and results, from tests/tables/published.json."""

import json
from typing import Any

from paths import TABLES
from treerules import Tree
from treerules.trees import Split, ThresholdTest

CASES = {case["id"]: case for case in json.loads((TABLES / "published.json").read_text("utf-8"))}
Row = dict[str, Any]


def rows_of(name: str) -> list[Row]:
    """Return the rows of a published table."""
    case = CASES[name]
    return [dict(zip(case["columns"], row, strict=True)) for row in case["rows"]]


def target_of(name: str) -> str:
    """Return the target of a published table."""
    return str(CASES[name]["target"])


LOAN, MELON, TENNIS, GOLF, HAN = (
    "lihang_5_1",
    "watermelon_2_0",
    "mitchell_playtennis",
    "quinlan_golf",
    "han_kamber_allelectronics",
)


def outline(tree: Tree) -> Any:
    """Return a tree as nested tuples: (feature, {answer: subtree}) or (label, n)."""

    def node(at: Any) -> Any:
        if not isinstance(at, Split):
            return at.prediction.value, at.n
        feature = tree.schema.features[at.test.feature]
        if isinstance(at.test, ThresholdTest):
            return feature.name, {f"<={at.test.threshold}": node(at.children[0]), "else": node(at.children[1])}
        answers = ["/".join(str(feature.categories[p]) for p in group) for group in at.test.groups]
        return feature.name, {answer: node(child) for answer, child in zip(answers, at.children, strict=True)}

    return node(tree.root)
