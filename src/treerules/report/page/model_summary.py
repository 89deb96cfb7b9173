"""What a page says about a model: data, recipe, errors, verdict of the check, version."""

from collections.abc import Iterator, Sequence

from treerules.data.schema import Feature
from treerules.emit.header import Opening
from treerules.errors import DataError
from treerules.proof.assumption import assuming_line, assumption_of
from treerules.proof.check import check
from treerules.recipes.recipe import Recipe
from treerules.rendering.headings import heading, row_count
from treerules.report.ensemble_report import addition_lines
from treerules.report.error_estimate_report import estimate_lines, training_lines
from treerules.report.render_report import render_report
from treerules.report.svg.node_colours import leaf_or_none
from treerules.report.verdict_report import VERDICT
from treerules.rules.compile import compile_rules
from treerules.rules.wording import word
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: So many digits of a hash tell data apart that people compare.
_DIGITS = 16


#: A name, and lines.
Entry = tuple[str, tuple[str, ...]]


def tree_summary(tree: Tree, opening: Opening, tested: Sequence[Feature], lang: str) -> Iterator[Entry]:
    """Yield what is known of a tree that tests some features."""
    yield heading("Data", lang), (_data(tree, lang),)
    if any(leaf.rule is not None for leaf in leaves(tree)):
        yield heading("Rules", lang), tree.notes[:1]
    if tree.recipe is not None:
        yield (
            heading("Recipe", lang),
            (_recipe(tree.recipe, is_regression=tree.schema.is_regression), *_pruned(tree, lang)),
        )
    if errors := _errors(tree, lang):
        yield heading("Error", lang), tuple(errors)
    yield heading("Check", lang), tuple(_verdict(tree, lang))
    yield from _of_page(opening, tested, lang)


def ensemble_summary(ensemble: Ensemble, opening: Opening, tested: Sequence[Feature], lang: str) -> Iterator[Entry]:
    """Yield what is known of an ensemble whose trees test some features."""
    yield heading("Sum", lang), (*addition_lines(ensemble, lang),)
    yield from _of_page(opening, tested, lang)


def _of_page(opening: Opening, tested: Sequence[Feature], lang: str) -> Iterator[Entry]:
    """Yield what made the page, and which values of the data stand in it."""
    text = heading("treerules {version}, model {hash}", lang, version=opening.version, hash=opening.model_hash)
    yield heading("Version", lang), (text,)
    columns = [feature for feature in tested if feature.categories]
    names = ", ".join(word(feature.name) for feature in columns)
    categories = heading("This page holds the categories of {columns}", lang, columns=names)
    yield (
        heading("Privacy", lang),
        (categories if columns else heading("This page holds no category of the data.", lang),),
    )


def _data(tree: Tree, lang: str) -> str:
    if tree.origin is None:
        return heading("unknown: the model does not say what it was learned from", lang)
    rows = row_count(tree.origin.n_rows, lang)
    return heading("{rows}, hash {hash}", lang, rows=rows, hash=tree.origin.data[:_DIGITS])


def _recipe(recipe: Recipe, *, is_regression: bool) -> str:
    """Return the recipe by its name and the options that are not its defaults; a regression has no criterion."""
    texts = [text for text in recipe.option_texts if not (is_regression and text.startswith("criterion="))]
    options = ", ".join(texts)
    return f"{recipe.name}: {options}" if options else recipe.name


def _pruned(tree: Tree, lang: str) -> Iterator[str]:
    steps = () if tree.origin is None else tree.origin.pruned
    if steps:
        yield heading("pruned by {methods}", lang, methods=", ".join(method for method, _ in steps))


def _errors(tree: Tree, lang: str) -> list[str]:
    """Return the lines on errors; none of a tree that does not know its training rows."""
    if tree.estimate is not None:
        return estimate_lines(tree.estimate, lang)
    root = leaf_or_none(tree.root)
    try:
        return training_lines(tree, lang) if root is not None and root.n else []
    except DataError as error:  # squares of numbers near the ends of float64
        return [str(error)]


def _verdict(tree: Tree, lang: str) -> Iterator[str]:
    """Yield the verdict, what it assumes, and what it means."""
    rules = compile_rules(tree)
    verdict = check(rules)
    yield render_report(VERDICT, verdict, format="text", lang=lang).partition("\n")[0]
    if line := assuming_line(assumption_of(rules, verdict.domain, lang), lang):
        yield line
    if verdict:
        yield heading("Every row meets exactly one rule: no two rules overlap, and no row falls between them.", lang)
