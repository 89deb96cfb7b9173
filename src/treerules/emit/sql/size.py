"""How large the SQL of a model is, before it is sent to a database."""

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.emit.accumulation import Accumulate, accumulation_of, require_accumulate
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.layout import lines_of
from treerules.emit.sql.case import Kinds, SqlLayout, to_sql
from treerules.emit.sql.ensemble_statement import trees_a_stage
from treerules.emit.sql.oblivious_case import list_levels
from treerules.emit.sql.statement import nesting
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.errors import UnsupportedError
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import dialect_to_emit
from treerules.sql.language import Language
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree


@short_repr
@frozen
class SqlSize:
    """The size of a query that predicts by a model, as `to_sql(model, kind="select")` writes it.

    Args:
        dialect: the name of the dialect.
        n_bytes: the length of the query in bytes of UTF-8; 0 where the dialect cannot hold it, whatever its length.
        n_trees: the number of trees; 1 for rules.
        n_rules: the number of leaves of all trees, or of rules.
        depth: how deep CASEs are nested in the guarded layout; 1 for rules without a tree, and for trees of an
            ensemble that are written as lists.
        n_stages: the number of queries in WITH that add trees; 0 for a tree and for rules.
        problems: sentences on limits of the engine that the query exceeds, with what to do; empty if there are none.
    """

    dialect: str
    n_bytes: int
    n_trees: int
    n_rules: int
    depth: int
    n_stages: int
    problems: tuple[str, ...] = field(default=(), converter=as_tuple)

    def __bool__(self) -> bool:
        """Return whether the engine takes the query, as far as its limits are known."""
        return not self.problems


def estimate(
    model: Tree | Ensemble | RuleSet | ParsedRules,
    dialect: str,
    *,
    layout: SqlLayout = "auto",
    kind: Kinds = "select",
    keys: Sequence[str] = (),
    proba: bool = False,
    margin: bool = False,
    accumulate: Accumulate = "library",
) -> SqlSize:
    """Return how long and how deep the SQL of a model is, and which limits of the engine it exceeds.

    The query is written and measured, not run. Warehouses have limits of their own too, such as 1 MB for a query of
    Snowflake: compare `n_bytes` with yours.

    Args:
        model: a Tree, an Ensemble, or rules, as in `to_sql`.
        dialect: the name of the SQL dialect, as in `to_sql`.
        layout: the layout of the CASE, as in `to_sql`.
        kind: the kind of SQL, as in `to_sql`; "select" by default.
        keys: the columns of the table that the query returns besides; none by default.
        proba: whether the query also returns the probability of each class.
        margin: whether the query of an ensemble also returns its margins.
        accumulate: how the trees of an ensemble are added, as in `to_sql`.

    Returns:
        A SqlSize. It is true where no known limit is exceeded.

    Raises:
        UnknownNameError: there is no such dialect, layout or kind.
        OptionError: `model` is no tree, ensemble or rule set, or arguments contradict each other.

    Examples:
        >>> from treerules import Table, cart, learn
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> size = estimate(tree, "duckdb")
        >>> size.n_rules, size.depth, bool(size)
        (2, 1, True)
    """
    language = dialect_to_emit(dialect).spelling
    require_accumulate(accumulate, is_ensemble=isinstance(model, Ensemble))
    if isinstance(model, Ensemble):
        model, accumulate = accumulation_of(model, accumulate).ensemble, "library"
    sources = [check_source(tree) for tree in (model.trees if isinstance(model, Ensemble) else [model])]
    n_bytes, problems = 0, list[str]()
    try:
        columns: dict[str, Any] = {"keys": keys, "proba": proba, "margin": margin}
        text = to_sql(model, dialect=dialect, layout=layout, kind=kind, **columns)
        n_bytes = len(text.encode())
        if language.longest_statement is not None and n_bytes > language.longest_statement:
            setting = f"set {language.size_setting} above its default"
            problems.append(f"{n_bytes} bytes; the limit is {language.longest_statement}: {setting}")
    except UnsupportedError as error:
        n_bytes, problems = error.n_bytes, [error.sentence()]
    return SqlSize(
        dialect=language.name,
        n_bytes=n_bytes,
        n_trees=len(sources),
        n_rules=sum(len(source.rules) if source.tree is None else source.tree.n_leaves for source in sources),
        depth=max(_nesting(source, language, is_summed=isinstance(model, Ensemble)) for source in sources),
        n_stages=-(-len(sources) // trees_a_stage(language, model))
        if isinstance(model, Ensemble) and SQL_KINDS[kind].reads
        else 0,
        problems=problems,
    )


def _nesting(source: CheckedRules, language: Language, *, is_summed: bool) -> int:
    if source.tree is None or (is_summed and list_levels(language, source.tree)):
        return 1
    return nesting(lines_of(source, "guarded"))
