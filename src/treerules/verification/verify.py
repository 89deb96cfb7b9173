"""Do two predictors answer alike? Trees and rules by proof, anything else on rows where answers may change.

tree, rules ── diff ─────────────────────────────────▶ proved, or a witness
model ── boundary_rows ──▶ rows ──▶ the first  ──▶ answers
                             └────▶ the second ──▶ answers, the same?  ──▶ no: the row, made small, is the witness
"""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.errors import NotAPartitionError, OptionError
from treerules.proof.diff import diff
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.tree import Tree
from treerules.verification.compared_rows import GivenRows, boundary_rows_of, data_rows_of, rows_of
from treerules.verification.comparison import Comparison
from treerules.verification.equivalence import Equivalence
from treerules.verification.open_predictor import Answering, RunOptions, is_python, open_predictor
from treerules.verification.predictors import Model

Row = dict[str, Any]


def verify(
    source: Tree | RuleSet,
    against: Answering,
    *,
    database: str | None = None,
    dialect: str | None = None,
    rename: Mapping[str, str] | None = None,
    data: GivenRows | None = None,
    rows: GivenRows | None = None,
    domain: Domain | None = None,
    most: int = 1000,
    time_limit: float = 60.0,
) -> Equivalence:
    """Run emitted code and compare its answers with the model's, to the first difference."""
    if not isinstance(source, (Tree, RuleSet)):
        raise OptionError("source", source, "a tree or a rule set")
    options = RunOptions(database, dialect, rename, time_limit, is_partition=True)
    return equivalence_of(
        {"source": source, "against": against}, options, data=data, rows=rows, domain=domain, most=most
    )


def equivalence_of(
    sources: Mapping[str, Answering],
    options: RunOptions,
    *,
    data: GivenRows | None = None,
    rows: GivenRows | None = None,
    domain: Domain | None = None,
    schema: Schema | None = None,
    most: int = 1000,
) -> Equivalence:
    """Compare two predictors, by the names of the arguments that they are. This is the engine of both public functions.

    Raises:
        OptionError: one is no predictor, or there are no rows to compare on.
    """
    options.check(sources.values())
    models = [source for source in sources.values() if isinstance(source, (Tree, RuleSet, RuleList))]
    schema = models[0].schema if schema is None and models else schema
    if schema is not None:
        require_domain(schema, domain)
    witness: list[Row] = []
    if len(models) == 2 and rows is None:
        is_decided, row = _proof(models[0], models[1], domain)
        if is_decided and row is None:
            return Equivalence(0, 0, "", is_proved=True)
        witness = [] if row is None else [row]
    if rows is not None:
        compared = rows_of(rows, schema)
    elif schema is None or not models:
        raise OptionError("rows", None, "rows to compare on, or a tree or rules on one side, whose boundaries they are")
    else:
        has_every_key = any(map(is_python, sources.values()))
        compared = witness or list(boundary_rows_of(models, schema, domain, most, has_every_key=has_every_key))
    cells = [] if data is None else data_rows_of(data, schema, models)
    with ExitStack() as stack:
        first, second = (stack.enter_context(open_predictor(n, s, schema, options)) for n, s in sources.items())
        comparison = Comparison(first, second, schema, shrinks=rows is None and not domain)
        return comparison.equivalence(compared, cells)


def _proof(a: Model, b: Model, domain: Domain | None) -> tuple[bool, Row | None]:
    """Return whether it is proved that two models are equal, or that they differ, and then a row that shows it."""
    try:
        found = diff(a, b, domain=domain, limit=1)
    except NotAPartitionError:  # rules contradict each other somewhere, which rows may show
        return False, None
    return found.equal is not None, found.disagreements[0].row if found.disagreements else None
