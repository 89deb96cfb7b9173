"""The first line of every emitted file: version, language, layout, and hashes of the schema and of the model.

It holds no date or time, so that equal models give equal files. Code calls this line the opening of the file.
"""

import re
from collections.abc import Mapping

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules._internal.version import __version__
from treerules.data.schema import Schema
from treerules.emit.hashed_text import hash_of_rules, hash_of_schema
from treerules.errors import OptionError
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import Constraint


@short_repr
@frozen
class Opening:
    """The content of the first line of an emitted file.

    As text it is one line. It holds no feature name and no label, which could end the comment in which it is written.

    >>> opening = Opening("1.0", "duckdb", "flat", 3, "0123456789abcdef", "fedcba9876543210")
    >>> str(opening)
    'treerules 1.0 duckdb flat: 3 rules, schema 0123456789abcdef, model fedcba9876543210'
    >>> opening_in(f"-- {opening}\\nCASE ...") == opening
    True
    """

    version: str
    language: str
    layout: str
    n_rules: int
    #: hash of the columns (names, kinds, categories, target): 16 hexadecimal digits
    schema_hash: str
    #: hash of the columns, the conditions and the predictions of the rules: 16 hexadecimal digits
    model_hash: str

    def __str__(self) -> str:
        rules = f"{self.n_rules} rule{'s' if self.n_rules != 1 else ''}"
        hashes = f"schema {self.schema_hash}, model {self.model_hash}"
        return f"treerules {self.version} {self.language} {self.layout}: {rules}, {hashes}"


#: The marks that begin a comment in the language, then the text of an opening.
_OPENING = re.compile(
    r"\W* treerules (\S+) (\S+) (\S+): (\d+) rules?, schema ([0-9a-f]{16}), model ([0-9a-f]{16})", re.ASCII
)


def opening_in(text: str) -> Opening | None:
    """Return the opening that the first line of an emitted file holds.

    Args:
        text: the text of an emitted file, in any language.

    Returns:
        The opening, with version, language, layout, number of rules and hashes; None if the first line holds none.

    Raises:
        OptionError: `text` is not text.

    Examples:
        >>> from treerules import Table, cart, learn, to_sql
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> opening = opening_in(to_sql(tree, dialect="duckdb"))
        >>> opening.language, opening.layout, opening.n_rules
        ('duckdb', 'flat', 2)
    """
    if not isinstance(text, str):
        raise OptionError("text", text, "the text of an emitted file")
    match = _OPENING.match(text.split("\n", 1)[0])
    if match is None:
        return None
    version, language, layout, n_rules, schema_hash, model_hash = match.groups()
    return Opening(version, language, layout, int(n_rules), schema_hash, model_hash)


def opening_of(
    rules: RuleSet, language: str, constraints: Mapping[int, Constraint] | None = None, *, layout: str = "flat"
) -> Opening:
    """Return the opening for rules that are emitted by this version of treerules.

    Args:
        rules: the rules of the file, whose hashes are computed.
        language: the name of the language or of the dialect.
        constraints: the result of `constraints_of` for the conditions of the rules, if the caller has it.
        layout: the name of the layout.
    """
    return opening_with(rules.schema, len(rules), hash_of_rules(rules, constraints), language, layout)


def opening_with(schema: Schema, n_rules: int, model_hash: str, language: str, layout: str) -> Opening:
    """Return the opening for rules whose hash is known, that are emitted by this version of treerules."""
    return Opening(__version__, language, layout, n_rules, hash_of_schema(schema), model_hash)
