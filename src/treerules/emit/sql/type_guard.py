"""A test in front of a CASE that refuses values of another type than the model's, for engines whose columns hold any.

    CASE
      WHEN `age` >= '' OR `fare` >= '' THEN JSON_EXTRACT('{}', 'a value of another type')
      WHEN `age` <= 7.5 THEN ...

SQLite compares a text with a number by their types: any text is above any number. A column that `.import --csv` made is
one of texts, where `age <= 7.5` would compare texts. The engine ends the statement with an error instead.
"""

from collections.abc import Iterable

from treerules.data.schema import Schema
from treerules.emit.predicates import column_reference
from treerules.emit.sql.identifiers import Rename, renamed_feature
from treerules.emit.template_records import PrintedLine
from treerules.sql.language import Language


def type_guard(language: Language, schema: Schema, used: Iterable[str], rename: Rename) -> PrintedLine | None:
    """Return the WHEN that refuses values of another type; None where columns have types, or only texts are tested.

    Args:
        language: the dialect.
        schema: the features of the model.
        used: the names of the features that are tested.
        rename: the names of features in the database.
    """
    features = [renamed_feature(schema.feature(name), rename) for name in used]
    return guard_of(language, [(feature.scalar, column_reference(language, feature, 0)) for feature in features])


def guard_of(language: Language, columns: Iterable[tuple[str, str]]) -> PrintedLine | None:
    """Return the WHEN for columns by the scalar and the SQL of each; None as above."""
    tests = [language.of_other_type[s].format(column) for s, column in columns if s in language.of_other_type]
    test = language.either.join(tests)
    return PrintedLine(1, "when", test, language.refusal, None, tests=(test,)) if tests else None
