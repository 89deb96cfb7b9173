"""`ensemble_content`: the page of an ensemble.

The form runs the module that `to_javascript(ensemble, style="lookup")` writes: the margin is that of the library, and
beside it stands what each tree adds.
"""

from collections.abc import Iterator
from itertools import accumulate, islice
from pathlib import Path

from treerules.emit.header import opening_in
from treerules.emit.javascript import to_javascript
from treerules.emit.lookup_nodes import lookup_nodes
from treerules.proof.ensemble_explanation import exact_base, exact_factor
from treerules.rendering.headings import heading
from treerules.report.page.model_summary import ensemble_summary
from treerules.report.page.page_content import PageContent
from treerules.report.page.page_words import MOST_SENTENCES
from treerules.report.page.script_constants import constants_of, short_number
from treerules.rules.compile import compile_rules
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text
from treerules.trees.ensemble import Ensemble
from treerules.trees.training_values import TrainingValues
from treerules.trees.walkers import leaves


def ensemble_content(ensemble: Ensemble, lang: str, templates: str | Path | None) -> PageContent:
    """Return what the page of an ensemble says."""
    schema, trees = ensemble.schema, ensemble.trees
    phrasing = phrasing_for(TrainingValues(), lang)
    nodes = lookup_nodes(schema, trees)
    module = to_javascript(ensemble, style="lookup", lang="zh" if lang == "zh" else "en", templates=templates)
    opening = opening_in(module)
    assert opening is not None
    outputs = range(len(ensemble.base))
    n_leaves = [tree.n_leaves for tree in trees]
    constants = {
        "ANSWERS": [consequent_text(schema, label, phrasing) for label in schema.classes],
        "SIZES": [short_number(leaf.n) for tree in trees for leaf in leaves(tree.root)],
        "FIRST_LEAVES": [0, *accumulate(n_leaves[:-1])],
        "OUTPUTS": None if ensemble.adds_vectors else list(ensemble.outputs),
        "FACTORS": [float(exact_factor(ensemble, output)) for output in outputs],
        "BASES": [figure_text(float(exact_base(ensemble, output))) for output in outputs],
    }
    return PageContent(
        schema=schema,
        module=module,
        constants=constants_of(schema, nodes, phrasing, lang, constants),
        summary=ensemble_summary(ensemble, opening, nodes.features, lang),
        sentences=islice(_sentences(ensemble, lang, phrasing), MOST_SENTENCES),
        n_rules=sum(n_leaves),
        has_tree=False,
    )


def _sentences(ensemble: Ensemble, lang: str, phrasing: Phrasing) -> Iterator[str]:
    """Yield the rules of the trees, one after the other, with what each adds."""
    for number, tree in enumerate(ensemble.trees, 1):
        rules = compile_rules(tree)
        for rule, text in zip(rules.rules, antecedent_texts(rules.schema, rules.rules, phrasing=phrasing), strict=True):
            name = heading("tree {tree}, rule {number}", lang, tree=number, number=rule.number)
            yield f"{name}: {text}: {consequent_text(tree.schema, rule.value)}"
