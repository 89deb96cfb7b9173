"""`report_page`: a page about a model, in one file: a form that predicts, and the rules.

The form runs the module that `to_javascript(tree, style="lookup")` writes, without the texts of its rules: the script
of the page writes them itself, from the table of nodes. So the model stands in the file once.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from treerules._internal.arguments import require_type
from treerules.data.schema import Feature
from treerules.data.table_data import TableLike, table_of
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.header import opening_in
from treerules.emit.javascript_language import javascript_text
from treerules.emit.javascript_plain import COLUMN_LOADS, plain_javascript
from treerules.emit.lookup_nodes import lookup_nodes
from treerules.emit.lookup_nodes import require_tree as tree_of
from treerules.proof.to_tree import tree_from_rules
from treerules.rendering.headings import heading, require_lang
from treerules.rendering.page_contexts import PageScriptContext, ReportPageContext
from treerules.rendering.templates import render_template
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.content_policy import content_policy
from treerules.report.page.codes import codes_of
from treerules.report.page.data_parts import DataPart, data_parts
from treerules.report.page.model_summary import model_summary
from treerules.report.page.page_columns import page_columns
from treerules.rules.parsed import ParsedRules
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.rules.rule_set import RuleSet
from treerules.rules.wording import KEYWORDS, consequent_text, figure_text, rule_texts, word
from treerules.trees.ensemble import one_tree_of
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: Without a script the page shows the first rules, and counts the others.
MOST_SENTENCES = 500
#: The words of the script and of the template, by the names under which they use them.
_SCRIPT_WORDS = {
    "missing": "missing",
    "rule": "rule {number}",
    "source": "rule {number}, from rule {source}",
    "column": "column",
    "value": "value",
    "condition": "condition",
    "more": "show {n} more rules",
    "refused": "{column} does not take {value}",
    "change": "nearest change: {changes} would give {answer} ({rule})",
    "changed": "{column} {before} -> {after}",
    "no_change": "no change of the row gives another answer",
    "path": "path ({n})",
    "leaves": "… {n} leaves",
    "above": "above {value}",
    "below": "below {value}",
}
_PAGE_WORDS = {
    "no_script": "This page predicts by a script, which this browser does not run. The rules are:",
    "what_if": "What if?",
    "rules": "Rules",
    "tree": "Tree",
    "larger": "larger",
    "smaller": "smaller",
    "natural": "natural size",
    "key_help": "Arrow keys go to each box; Enter folds and unfolds; + and - zoom.",
    "filter": "Show rules with",
    "sort": "Sort by",
    "form": "Show as",
    "table": "table",
    "number": "rule",
    "if": "if",
    "n": "n",
}


def report_page(
    model: Tree | RuleSet | ParsedRules,
    *,
    data: TableLike | None = None,
    lang: str = "en",
    templates: str | Path | None = None,
) -> str:
    """Return a page about a model: HTML in one file, which needs no network and opens from a disk.

    It says what is known of the model: its data, recipe and errors, and the verdict of the check. Its form has a field
    for each column that the model tests, and shows the prediction, the rule that fires, its conditions beside the
    values of the row, its path, and the nearest change that gives another prediction. Below it are the tree, whose
    boxes fold and unfold, and all rules, which can be filtered and sorted; the address `report.html#rule=12` is that of
    rule 12. Up to 200 rules are shown as SQL and Python too. Without a script the page shows the first 500 rules.

    A Content-Security-Policy allows the page's own script and style and nothing else, by their hashes.

    Args:
        model: a tree, or rules that are exclusive and complete, of which a tree is made.
        data: rows with the target, as `evaluate` takes them, or None: the page then has their confusion matrix, the cp
            table by cross-validation of the model's recipe, and importances by shuffling.
        lang: the language of the page: "en" or "zh".
        templates: a folder of your own templates, searched before those of treerules, such as `page/style.css.j2`.

    Returns:
        The text of the page.

    Raises:
        OptionError: `model` is neither a Tree nor rules; of an Ensemble give one of its trees.
        NotAPartitionError: the rules are not exclusive and complete.
        DataError, ColumnError: `data` lacks the target, or a column that the model tests.
        UnknownNameError: there are no headings in this language.
        FileError: `templates` is not a folder.
        TemplateFailedError: a template has an error.

    Examples:
        >>> from treerules import Table, cart, learn
        >>> tree = learn(Table.from_columns({"age": [20, 30, 40], "y": ["no", "no", "yes"]}), target="y", recipe=cart())
        >>> report_page(tree).splitlines()[1]
        '<html lang="en">'
    """
    tree = model_of_page(model)
    require_lang(lang)
    checked = check_source(tree)
    phrasing = phrasing_for(checked.training, lang)
    parts = [] if data is None else list(data_parts(tree, table_of(data), lang, templates))
    script = "\n" + render_template("page/script.js.j2", templates, _script(checked, phrasing, lang, templates))
    style = "\n" + render_template("page/style.css.j2", templates)
    return render_template("page/report.html.j2", templates, _page(checked, phrasing, lang, script, style, parts))


def model_of_page(model: Any) -> Tree:
    """Return a tree, or the one that rules are made into; its leaves name the rules that they come from."""
    require_type("model", model, Tree | RuleSet | ParsedRules, one_tree_of(model, "a Tree, a RuleSet or ParsedRules"))
    if isinstance(model, Tree):
        return model
    checked = check_source(model)
    return checked.tree or tree_from_rules(checked.rules)


# ---- the script


def _script(checked: CheckedRules, phrasing: Phrasing, lang: str, templates: str | Path | None) -> PageScriptContext:
    """Return the module that predicts, and the constants of the script of the page."""
    tree, schema = tree_of(checked), checked.schema
    nodes = lookup_nodes(schema, [tree])
    constants = {
        "PARTS": sorted({*range(len(nodes.nodes))} - nodes.splits),
        "COLUMNS": list(page_columns(nodes, phrasing)),
        "WORDS": asdict(phrasing.words),
        "KEYWORDS": sorted(KEYWORDS),
        "MOST_MEMBERS": phrasing.most_members,
        "TARGET": word(schema.target.name) if schema.target else "value",
        "ANSWERS": _answers(tree, phrasing),
        "SIZES": [_short_number(leaf.n) for leaf in leaves(tree.root)],
        "SOURCES": [leaf.rule for leaf in leaves(tree.root)] if _is_of_rules(tree) else [],
        "TEXTS": _words(_SCRIPT_WORDS, lang),
    }
    module = plain_javascript(checked, "lookup", templates, lang, has_texts=False)
    return PageScriptContext(
        module=_inside_html(module.rstrip("\n")),
        constants=[
            *(f"const {name} = {_inside_html(_json(value))};" for name, value in constants.items()),
            f"const TABLES = [{', '.join(nodes.table_names)}];",
            f"const LOADS = [{', '.join(map(_load, nodes.features))}];",
        ],
    )


def _is_of_rules(tree: Tree) -> bool:
    return any(leaf.rule is not None for leaf in leaves(tree.root))


def _load(feature: Feature) -> str:
    """Return the function that reads the cell of a row as the module does."""
    name = _inside_html(javascript_text(feature.name))
    return f"(row) => {COLUMN_LOADS[feature.scalar].format(name)}"


def _answers(tree: Tree, phrasing: Phrasing) -> list[str] | dict[int, str]:
    """Return the predictions as text: of classes in the order of the classes, of a regression by number of the rule."""
    if not tree.schema.is_regression:
        return [consequent_text(tree.schema, label, phrasing) for label in tree.schema.classes]
    values = (leaf.prediction.value for leaf in leaves(tree.root))
    return {number: consequent_text(tree.schema, value, phrasing) for number, value in enumerate(values, 1)}


def _short_number(n: float) -> float | str:
    return int(n) if n == int(n) else figure_text(n)


def _words(words: Mapping[str, str], lang: str) -> dict[str, str]:
    return {name: heading(text, lang) for name, text in words.items()}


def _json(value: Any) -> str:
    """Return a value as JSON, which JavaScript reads too; lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return "".join(c if c.isprintable() or c == " " else json.dumps(c)[1:-1] for c in text)


def _inside_html(script: str) -> str:
    """Return a script in which no text ends the element that it stands in, or begins a comment of HTML."""
    return script.replace("</", "<\\/").replace("<!--", "<\\!--")


# ---- the page


def _page(
    checked: CheckedRules, phrasing: Phrasing, lang: str, script: str, style: str, parts: Sequence[DataPart]
) -> ReportPageContext:
    """Return what the template of the page is given."""
    schema, target = checked.schema, checked.schema.target
    opening = opening_in(script.lstrip())
    assert opening is not None
    columns = [feature for feature in lookup_nodes(schema, [tree_of(checked)]).features if feature.categories]
    summary = list(model_summary(tree_of(checked), opening, columns, lang))
    sentences = rule_texts(schema, checked.rules.rules[:MOST_SENTENCES], phrasing=phrasing)
    n_more = opening.n_rules - len(sentences)
    name = word(target.name) if target else "value"
    orders = {"rule": "rule", "rows": "n", "prediction": "prediction"}
    return ReportPageContext(
        lang=lang,
        title=escape_unprintable(heading("Rules for {target}", lang, target=name)),
        policy=content_policy(scripts=[script], styles=[style]),
        style=style,
        script=script,
        summary=[(name, tuple(map(escape_unprintable, lines))) for name, lines in summary],
        texts=_words(_PAGE_WORDS, lang),
        codes=list(codes_of(tree_of(checked), lang)),
        parts=parts,
        orders=[(value, heading(text, lang)) for value, text in orders.items()],
        target=escape_unprintable(name),
        sentences=map(escape_unprintable, sentences),
        more=heading("{n} more rules", lang, n=n_more) if n_more else "",
    )
