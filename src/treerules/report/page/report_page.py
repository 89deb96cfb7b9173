"""`report_page`: a page about a model, in one file: a form that predicts, and the rules."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treerules._internal.arguments import require_type
from treerules.data.table_data import TableLike, table_of
from treerules.proof.to_tree import tree_from_rules
from treerules.rendering.headings import heading, require_lang
from treerules.rendering.page_contexts import PageScriptContext, ReportPageContext
from treerules.rendering.templates import render_template
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.content_policy import content_policy
from treerules.report.page.data_parts import DataPart, data_parts
from treerules.report.page.ensemble_content import ensemble_content
from treerules.report.page.page_content import PageContent
from treerules.report.page.page_words import PAGE_WORDS, translated
from treerules.report.page.script_constants import inside_html
from treerules.report.page.tree_content import tree_content
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList, RuleSet, figure_names
from treerules.rules.sources import Source, all_rules_of
from treerules.rules.wording import word
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree


def report_page(
    model: Tree | RuleSet | RuleList | ParsedRules | Ensemble,
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
        model: a tree; rules that are exclusive and complete, or a complete list of rules of which the first decides: a
            tree is made of them; or an ensemble, of which the page shows the margin and what each tree adds.
        data: rows with the target, as `evaluate` takes them, or None: the page then has their confusion matrix, the cp
            table by cross-validation of the model's recipe, and importances by shuffling.
        lang: the language of the page: "en" or "zh".
        templates: a folder of your own templates, searched before those of treerules, such as `page/style.css.j2`.

    Returns:
        The text of the page.

    Raises:
        OptionError: `model` is neither a Tree nor rules nor an Ensemble.
        NotAPartitionError: the rules contradict each other, or are not complete.
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
    tree_or_ensemble = model_of_page(model)
    require_lang(lang)
    parts = [] if data is None else list(data_parts(tree_or_ensemble, table_of(data), lang, templates))
    build = ensemble_content if isinstance(tree_or_ensemble, Ensemble) else tree_content
    return _page(build(tree_or_ensemble, lang, templates), parts, lang, templates)  # type: ignore[arg-type]


def model_of_page(model: Any) -> Tree | Ensemble:
    """Return a tree or an ensemble, or the tree that rules are made into; its leaves name the rules they come from."""
    wanted = "a Tree, an Ensemble, a RuleSet, a RuleList or ParsedRules"
    require_type("model", model, Tree | Ensemble | Source, wanted)
    if isinstance(model, (Tree, Ensemble)):
        return model
    tree = getattr(all_rules_of(model, "model"), "tree", None)
    return tree if isinstance(tree, Tree) else tree_from_rules(model)


def _page(content: PageContent, parts: Sequence[DataPart], lang: str, templates: str | Path | None) -> str:
    """Return the text of the page."""
    constants, module = content.constants, inside_html(content.module.rstrip("\n"))
    script = render_template("page/script.js.j2", templates, PageScriptContext(module, content.has_tree, constants))
    script, style = f"\n{script}", "\n" + render_template("page/style.css.j2", templates)
    target = content.schema.target
    name = word(target.name) if target else "value"
    counted = figure_names(content.schema)[0]
    orders = {"rule": "rule", "rows": counted, "prediction": "prediction"}
    n_more = content.n_rules - len(content.sentences)
    context = ReportPageContext(
        lang=lang,
        title=escape_unprintable(heading("Rules for {target}", lang, target=name)),
        policy=content_policy(scripts=[script], styles=[style]),
        has_tree=content.has_tree,
        style=style,
        script=script,
        summary=[(title, tuple(map(escape_unprintable, lines))) for title, lines in content.summary],
        texts=translated({**PAGE_WORDS, "n": counted}, lang),
        codes=content.codes,
        parts=parts,
        orders=[(value, heading(text, lang)) for value, text in orders.items()],
        target=escape_unprintable(name),
        sentences=map(escape_unprintable, content.sentences),
        more=heading("{n} more rules", lang, n=n_more) if n_more else "",
        remarks=map(escape_unprintable, content.remarks),
    )
    return render_template("page/report.html.j2", templates, context)
