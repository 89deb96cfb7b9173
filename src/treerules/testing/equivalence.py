"""The assertion that two predictors give equal answers."""

from collections.abc import Mapping

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.verification.compared_rows import GivenRows
from treerules.verification.equivalence import DifferentAnswersError
from treerules.verification.open_predictor import Answering, RunOptions
from treerules.verification.verify import equivalence_of


def assert_equivalent(
    a: Answering,
    b: Answering,
    *,
    rows: GivenRows | None = None,
    data: GivenRows | None = None,
    domain: Domain | None = None,
    schema: Schema | None = None,
    database: str | None = None,
    dialect: str | None = None,
    rename: Mapping[str, str] | None = None,
    most: int | None = None,
    time_limit: float = 60.0,
) -> None:
    """Raise unless two predictors give equal answers for every row: the same value of the same type.

    Trees and rules over the same features are compared by a proof, over the whole `domain`. Everything else is compared
    on rows: the boundary rows of each model, or `rows`, and those of `data`. A rule set whose rules contradict each
    other for a row raises for it; if no rule fires the answer is None, like NULL in SQL. Two predictors that both raise
    are equal. Rows that a database cannot store are left out.

    Args:
        a: A predictor: a tree, a rule set or a rule list; a Python module with `predict(row)`, imported, or its text as
            `to_python` gives it; a path of Python, JavaScript or SQL, which is run as `treerules.verify` does;
            `Sql(text, connection)`; or any function of a row, a dict of values by feature name.
        b: The other predictor. Without a tree or rules on either side `rows` are required, and for a file of SQL or
            `Sql` their `schema`.
        rows: The rows to compare on, a Table or dicts, instead of boundary rows. A difference in one of them is shown
            by that row; other rows are first simplified.
        data: Further rows to compare on; only their features are used.
        domain: The values that each feature has, a `ColumnDomain` by name; by default all values of its kind. Boundary
            rows are moved into it.
        schema: The schema of the rows; by default that of the first model.
        database: For a path of SQL, the database to run on, as in `verify`.
        dialect: For a path of SQL, its dialect, as in `verify`.
        rename: For a path of SQL, the `rename` with which it was emitted, as in `verify`.
        most: The number of boundary rows of each model, at most; by default as many as its tests ask for, as in
            `verify`.
        time_limit: The seconds that a module may take for a batch of rows, and an SQL statement.

    Raises:
        DifferentAnswersError: some row is answered differently; an AssertionError with the row.
        OptionError: a side is not a predictor, or there are no rows to compare on.
        FileError: a file cannot be run, or a database refuses it.
        DataError: there is no connection to a database.

    Examples:
        >>> from treerules import Table, learn, to_python
        >>> tree = learn(Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}), target="y")
        >>> assert_equivalent(tree, to_python(tree))
        >>> assert_equivalent(tree, lambda row: "a")
        Traceback (most recent call last):
        treerules.verification.equivalence.DifferentAnswersError: the answers differ for this row:
            row = {'x': 3}
            the tree answers 'b' (rule 2: IF x > 2 THEN y = b)
            <lambda> answers 'a'
    """
    options = RunOptions(database, dialect, rename, time_limit)
    equivalence = equivalence_of(
        {"a": a, "b": b}, options, data=data, rows=rows, domain=domain, schema=schema, most=most
    )
    if not equivalence:
        raise DifferentAnswersError(equivalence)
