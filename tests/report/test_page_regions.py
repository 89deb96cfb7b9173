"""The script of a page: the regions that it makes of a table of nodes, in words, are the rules of treerules."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paths import EXAMPLES
from profiles import examples
from treerules import Tree, cart, compile_rules, learn, read
from treerules.emit.lookup_nodes import lookup_nodes
from treerules.rendering.templates import render_template
from treerules.report.page.page_columns import page_columns
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.rules.wording import rule_texts, word
from treerules.testing import schemas, trees
from treerules.trees import CategoryTest, Split, preorder
from treerules.trees.training_values import TrainingValues

pytestmark = pytest.mark.engine

if not shutil.which("node"):
    pytest.skip("node is not installed", allow_module_level=True)


def script_of(tree: Tree, phrasing: Phrasing) -> str:
    """Return a script that prints the sentence of each rule by its number; null where no row reaches the leaf."""
    nodes = lookup_nodes(tree.schema, [tree])
    constants = {
        "NODES": [number for node in nodes.nodes for number in node],
        "COLUMNS": list(page_columns(nodes, phrasing)),
        "WORDS": attrs.asdict(phrasing.words),
        "MOST_MEMBERS": phrasing.most_members,
        "TARGET": word(tree.schema.target.name) if tree.schema.target else "value",
    }
    lines = [f"const {name} = {json.dumps(value)};" for name, value in constants.items()]
    parts = [render_template(f"page/{part}.js.j2") for part in ("regions", "words")]
    ask = f"""
    const {"{ leaves }"} = regionsOf({nodes.roots[0]});
    console.log(JSON.stringify(leaves.map((region) => isReached(region) ? ruleText(region, "?") : null)));
    """
    return "\n".join([*lines, *parts, ask])


def sentences(tree: Tree, phrasing: Phrasing, folder: Path) -> list[str | None]:
    """Return what the script prints, from rule 1."""
    file = folder / "page.cjs"
    file.write_text(script_of(tree, phrasing), encoding="utf-8")
    done = subprocess.run(["node", str(file)], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    printed: list[str | None] = json.loads(done.stdout)
    return [*printed[1:], *[None] * (tree.n_leaves + 1 - len(printed))]  # leaves that no node leads to


def expected(tree: Tree, phrasing: Phrasing) -> list[str | None]:
    """Return the sentences of treerules with the prediction left out; None for leaves without a rule."""
    rules = compile_rules(tree)
    texts: list[str | None] = [None] * tree.n_leaves
    for rule, text in zip(rules.rules, rule_texts(rules.schema, rules.rules, phrasing=phrasing), strict=True):
        texts[rule.number - 1] = text
    return texts


def phrasings(tree: Tree) -> st.SearchStrategy[Phrasing]:
    """Return phrasings in both languages: in full, and short for training rows of any kind."""
    names = [feature.name for feature in tree.schema.features]
    zero_one = [feature.name for feature in tree.schema.features if feature.kind in ("number", "integer")]
    some = st.lists(st.sampled_from(names), unique=True) if names else st.just([])
    some_zero_one = st.lists(st.sampled_from(zero_one), unique=True) if zero_one else st.just([])
    training = st.none() | st.builds(TrainingValues, missing=some, unseen=some, zero_one=some_zero_one)
    return st.builds(phrasing_for, training, st.sampled_from(["en", "zh"]), exact=st.booleans(), full=st.booleans())


def is_divided(split: Split) -> bool:
    """Return whether a split sends values to more than one child, which makes it a node that asks something."""
    if not isinstance(split.test, CategoryTest):
        return True
    taken = {child for child, group in enumerate(split.test.groups) if group}
    return len(taken | {split.missing, split.unseen or 0}) > 1


#: What stands between conditions, in place of a word that names may hold too.
AND = "\x1f"


@settings(max_examples=examples(60))
@given(st.data())
def test_the_page_words_each_rule_as_treerules_does(tmp_path_factory: Any, data: st.DataObject) -> None:
    """For every kind of test and every phrasing; a leaf that no row reaches has no sentence.

    The order of the conditions is that of the path's tests, but for tests that send all values to one child: nodes ask
    nothing there. Columns without any category are left out, as treerules names their only values.
    """
    tree = data.draw(trees(schemas(task="regression"), max_splits=20))
    assume(all(feature.is_ordered or feature.categories for feature in tree.schema.features))
    phrasing = data.draw(phrasings(tree))
    phrasing = attrs.evolve(
        phrasing, words=attrs.evolve(phrasing.words, and_=AND, if_then=f"{{conditions}}{AND}{{prediction}}")
    )
    in_order = list if all(is_divided(node) for node in preorder(tree) if isinstance(node, Split)) else sorted
    said = sentences(tree, phrasing, tmp_path_factory.mktemp("page"))
    for found, wanted in zip(said, expected(tree, phrasing), strict=True):
        assert (found is None) == (wanted is None), (found, wanted)
        if found is not None and wanted is not None:
            assert in_order(found.split(AND)[:-1]) == in_order(wanted.split(AND)[:-1])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sentences_of_learned_rules(tmp_path: Path, lang: str) -> None:
    """Whole sentences, in the short form in which people read them."""
    table = read(EXAMPLES / "loan.csv")
    tree = learn(table, target="类别", recipe=cart())
    phrasing = phrasing_for(compile_rules(tree).training, lang)
    for found, wanted in zip(sentences(tree, phrasing, tmp_path), expected(tree, phrasing), strict=True):
        assert found is not None and wanted is not None
        assert found.removesuffix("?") == wanted[:-1]  # the prediction is one character
