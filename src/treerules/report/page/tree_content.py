"""`tree_content`: the page of a tree.

The form runs the module that `to_javascript(tree, style="lookup")` writes, without the texts of its rules: the script
of the page writes them itself, from the table of nodes. So the model stands in the file once.
"""

from pathlib import Path

from attrs import evolve

from treerules.emit.checked_rules import check_source
from treerules.emit.header import opening_in
from treerules.emit.javascript_plain import plain_javascript
from treerules.emit.lookup_nodes import lookup_nodes
from treerules.report.page.codes import code_texts
from treerules.report.page.model_summary import tree_summary
from treerules.report.page.page_content import PageContent
from treerules.report.page.page_words import MOST_SENTENCES
from treerules.report.page.script_constants import constants_of, short_number
from treerules.report.unsaid_lines import lines_below_rules
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.rules.wording import consequent_text, rule_texts
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves


def tree_content(tree: Tree, lang: str, templates: str | Path | None) -> PageContent:
    """Return what the page of a tree says."""
    checked, schema = check_source(tree), tree.schema
    phrasing = phrasing_for(checked.training, lang)
    nodes = lookup_nodes(schema, [tree])
    module = plain_javascript(checked, "lookup", templates, lang, has_texts=False)
    opening = opening_in(module)
    assert opening is not None
    of_rules = any(leaf.rule is not None for leaf in leaves(tree.root))
    constants = {
        "PARTS": sorted({*range(len(nodes.nodes))} - nodes.splits),
        "ANSWERS": _answers(tree, phrasing),
        "SIZES": [short_number(leaf.n) for leaf in leaves(tree.root)],
        "SOURCES": [leaf.rule for leaf in leaves(tree.root)] if of_rules else [],
    }
    return PageContent(
        schema=schema,
        module=module,
        constants=constants_of(schema, nodes, phrasing, lang, constants),
        summary=tree_summary(tree, opening, nodes.features, lang),
        sentences=rule_texts(schema, checked.rules.rules[:MOST_SENTENCES], phrasing=phrasing),
        n_rules=opening.n_rules,
        has_tree=True,
        codes=code_texts(tree, lang),
        remarks=lines_below_rules(checked.rules, evolve(phrasing, most_members=None), lang),
    )


def _answers(tree: Tree, phrasing: Phrasing) -> list[str] | dict[int, str]:
    """Return the predictions as text: of classes in the order of the classes, of a regression by number of the rule."""
    if not tree.schema.is_regression:
        return [consequent_text(tree.schema, label, phrasing) for label in tree.schema.classes]
    values = (leaf.prediction.value for leaf in leaves(tree.root))
    return {number: consequent_text(tree.schema, value, phrasing) for number, value in enumerate(values, 1)}
