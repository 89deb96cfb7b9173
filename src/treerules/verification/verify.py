"""Compare two predictors: trees and rules by proof, anything else on boundary-value rows.

tree, rules ── diff ─────────────────────────────────▶ proved, or a witness
model ── boundary_rows ──▶ rows ──▶ the first  ──▶ answers
                             └────▶ the second ──▶ answers, the same?  ──▶ no: the row, minimised, is the witness
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_whole_number
from treerules._internal.notes import Note
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.errors import NotAPartitionError, OptionError
from treerules.proof.align_schemas import other_readings
from treerules.proof.assumption import assumption_of
from treerules.proof.diff import diff
from treerules.rendering.headings import LANGS, TranslatedText
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of, domain_for, rules_of
from treerules.trees.ensemble import Ensemble
from treerules.trees.tested_columns import tested_features
from treerules.trees.tree import Tree
from treerules.verification.compared_rows import GivenRows, array_as_table, boundary_rows_of, data_rows, given_rows
from treerules.verification.comparison import PredictorPair
from treerules.verification.equivalence import Equivalence
from treerules.verification.open_predictor import (
    Answering,
    RunOptions,
    is_python,
    open_predictor,
    require_predictor,
    rules_in_file,
)
from treerules.verification.predictors import Model

Row = dict[str, Any]
#: The types of models, which boundary rows are made of.
_MODELS = (Tree, RuleSet, RuleList, Ensemble)


def verify(
    source: Tree | RuleSet | ParsedRules | Ensemble,
    against: Answering | ParsedRules,
    *,
    database: str | None = None,
    dialect: str | None = None,
    rename: Mapping[str, str] | None = None,
    data: GivenRows | None = None,
    rows: GivenRows | None = None,
    columns: Sequence[str] | None = None,
    domain: Domain | None = None,
    most: int | None = None,
    time_limit: float = 60.0,
    table: str | None = None,
) -> Equivalence:
    """Run emitted code and compare its answers with those of its model, to the first difference.

    The rows are boundary rows of the model (see `boundary_rows`) or `rows`, and those of `data`. Equal answers are the
    same value of the same type. A difference is shown by a row that is as small as is cheap, and by a call or a query
    that can be pasted. The code is run: pass no file that you would not run.

    Args:
        source: The model: a tree, an ensemble, or a rule set, also as ParsedRules. The predictions of an ensemble are
            compared; means that are the exp of a margin may differ by 4 units in the last place.
        against: The code, most often a path: a Python module with `predict(row)` (.py), an ES module that exports it
            (.js, .mjs), or an SQL expression or statement (.sql). Or whatever `treerules.testing.assert_equivalent`
            takes. Another tree, or other rules, also in a file (.rules, .csv, .md, .dmn, .json), are compared by a
            proof, without rows; ensembles on rows.
        database: For a path of SQL, the database to run on: "duckdb:PATH", "sqlite:PATH" or "postgresql://...". Only
            temporary tables are made there. By default an empty DuckDB or SQLite in memory, by the dialect.
        dialect: For a path of SQL, its dialect, as in `to_sql`. By default the one that its first line names.
        rename: For a path of SQL, the `rename` with which it was emitted: names in the database by names of the model,
            or of the result where the model has none of that name.
        data: Rows to compare on besides: a Table, a data frame, dicts, a dict of columns or a 2-D array. Their features
            alone are used.
        rows: Rows to compare on instead of boundary rows, of the same types. They are not minimised.
        columns: The names of the columns where `data` or `rows` is a 2-D array, which has none; else None.
        domain: The values that each feature has, a `ColumnDomain` by name; by default what `source` declares,
            or all values of its kind. Boundary rows are moved into it.
        most: The number of boundary rows, at most; by default as many as the tests of the model ask for, at least
            1,000 if there are so many, at most 100,000.
        time_limit: The seconds that a module may take for a batch of rows, and an SQL statement.
        table: For a path of SQL, a table or view of `database`, such as "people" or "main.people", on whose rows it is
            compared, at most `most` of them, instead of boundary rows: the SQL reads the table itself, and nothing is
            written. Notes of the result tell of columns whose type or collation is not what the SQL needs.

    Returns:
        The evidence: how many rows were compared on which engine, and the first difference. It is true where there is
        none. Rows whose text has a NUL or a lone surrogate are left out for SQL, and counted.

    Raises:
        OptionError: an argument is of a wrong type, `against` is no code of a known kind, or there is no such database.
        FileError: the file cannot be read or run, or does not come to an end.
        UnknownNameError: there is no such dialect, or no such table.
        UnsupportedError: the database cannot hold the name of a feature.
        MissingExtraError: the package of the database is not installed.
        NotAPartitionError: two rules of a rule set fire for a row, or none.
        DataError: a part of a file of rules was not parsed.
        CellError, ColumnError: the data does not fit the model.

    Examples:
        >>> from treerules import Table, learn, to_python
        >>> tree = learn(Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}), target="y")
        >>> print(verify(tree, to_python(tree)))
        compared 15 rows: no difference
        >>> print(verify(tree, lambda row: "a", most=5))
        compared 5 rows: the answers differ for this row:
            row = {'x': 3}
            the tree answers 'b' (rule 2: IF x > 2 THEN y = b)
            <lambda> answers 'a'
    """
    data, rows = (array_as_table(name, given, columns) for name, given in (("data", data), ("rows", rows)))
    domain = domain_for(source, domain) if isinstance(source, Source) else domain
    model = all_rules_of(source, "source") if isinstance(source, ParsedRules) else source
    code = all_rules_of(against, "against") if isinstance(against, ParsedRules) else against
    if not isinstance(model, (Tree, RuleSet, Ensemble)):
        raise OptionError("source", source, "a tree, an ensemble or a rule set")
    options = RunOptions(database, dialect, rename, time_limit, is_partition=True, table=table, most=most)
    return equivalence_of({"source": model, "against": code}, options, data=data, rows=rows, domain=domain, most=most)


def equivalence_of(
    sources: Mapping[str, Answering],
    options: RunOptions,
    *,
    data: GivenRows | None = None,
    rows: GivenRows | None = None,
    domain: Domain | None = None,
    schema: Schema | None = None,
    most: int | None = None,
) -> Equivalence:
    """Compare the two predictors that are passed by argument name: the engine of `verify` and `assert_equivalent`.

    Raises:
        OptionError: an argument is of a wrong type, or there are no rows to compare on.
    """
    for argument, source in sources.items():
        require_predictor(argument, source)
    options.check(sources.values())
    schema_of_model = next((s.schema for s in sources.values() if isinstance(s, _MODELS)), schema)
    sources = {argument: rules_in_file(source, schema_of_model) for argument, source in sources.items()}
    require_whole_number("most", 1 if most is None else most, 1)
    models = [source for source in sources.values() if isinstance(source, _MODELS)]
    if schema is not None and not isinstance(schema, Schema):
        raise OptionError("schema", schema, "a Schema")
    schema = models[0].schema if schema is None and models else schema
    if schema is not None:
        require_domain(schema, domain)
    if options.table is not None:
        schema, rows = _schema_of_table(options.table, models, rows, data), []
    reading = _reading_note(models)
    compared = None if rows is None else given_rows("rows", rows, schema)
    rows_of_data = [] if data is None else data_rows(data, schema, models)
    if compared is None:
        if schema is None or not models:
            raise OptionError("rows", None, "rows to compare on, or a tree or rules on one side to take them from")
        is_comparable = len(models) == 2 and not reading  # proofs hold of values that are read
        is_decided, witness = _proof(models[0], models[1], domain) if is_comparable else (False, None)
        if is_decided and witness is None:
            return Equivalence(0, 0, "", is_proved=True, assumption=_assumption(models, domain))
        has_every_key = any(map(is_python, sources.values()))
        made = boundary_rows_of(models, schema, domain, most, has_every_key=has_every_key)
        compared = list(made) if witness is None else [witness]
    with ExitStack() as stack:
        first, second = (stack.enter_context(open_predictor(n, s, schema, options)) for n, s in sources.items())
        comparison = PredictorPair(first, second, schema, shrinks=rows is None and not domain)
        equivalence = comparison.equivalence(compared if second.rows is None else second.rows, rows_of_data)
        return evolve(equivalence, assumption=_assumption(models, domain), notes=(*reading, *second.notes))


def _schema_of_table(table: str, models: Sequence[Model], *others: GivenRows | None) -> Schema:
    """Return the columns that a table must have, those that the model tests, and its target.

    Raises:
        OptionError: there are rows of another source.
    """
    if any(rows is not None for rows in others):
        raise OptionError("table", table, "no value beside rows of another source")
    model = models[0]
    tested = tested_features(model) if isinstance(model, Ensemble) else features_of_rules(rules_of(model))
    return Schema(tested, model.schema.target)


def _assumption(models: Sequence[Model], domain: Domain | None) -> str:
    """Return what is assumed of the columns, in each language; "" where nothing is."""
    rules = [rules_of(model) for model in models if not isinstance(model, Ensemble)]
    texts = {lang: assumption_of(rules[0], domain, lang) for lang in LANGS} if rules and domain else {"en": ""}
    return TranslatedText(texts) if texts["en"] else ""


def _reading_note(models: Sequence[Model]) -> list[str]:
    """Return a note where a model is compared with rules, which do not hold how it reads cells."""
    pairs = other_readings(*(model.schema for model in models)) if len(models) == 2 else {}
    others = [name for name, (one, other) in pairs.items() if one.words != other.words]  # what counts in rows
    if not others or all(isinstance(model, Tree) for model in models):
        return []
    text = "rules do not hold how the model reads {columns}: each reads the same rows in its own way"
    return [Note("rules_without_reading", text, columns=", ".join(map(repr, others)))]


def _proof(a: Model, b: Model, domain: Domain | None) -> tuple[bool, Row | None]:
    """Return whether it is proved that two models are equal, or that they differ, and then a row that shows it."""
    if isinstance(a, Ensemble) or isinstance(b, Ensemble):
        return False, None
    try:
        result = diff(a, b, domain=domain or {}, limit=1)
    except NotAPartitionError:  # rules contradict each other somewhere, which rows may show
        return False, None
    if result.disagreements and any(feature.reading.words for feature in result.schema.features):
        return False, None  # the witness is of values that are read, and may hold a word
    return result.equal is not None, result.disagreements[0].row if result.disagreements else None
