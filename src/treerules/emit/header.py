"""The first line of every emitted file: version, language, and hashes of the schema and of the model; no time."""

import re
from collections.abc import Mapping

from attrs import frozen

from treerules._internal.version import __version__
from treerules.emit.hashed_text import hash_of_text, schema_text
from treerules.emit.layout import digest_of
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import Asked


@frozen
class Opening:
    """What an emitted file says of itself. As text it is one line without any text of the user's.

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
    #: 16 hexadecimal digits of a hash of the columns: names, kinds, categories and the target
    schema_hash: str
    #: 16 hexadecimal digits of a hash of the columns and of what the rules ask and predict
    model_hash: str

    def __str__(self) -> str:
        rules = f"{self.n_rules} rule{'s' if self.n_rules != 1 else ''}"
        hashes = f"schema {self.schema_hash}, model {self.model_hash}"
        return f"treerules {self.version} {self.language} {self.layout}: {rules}, {hashes}"


_OPENING = re.compile(
    r"\W* treerules (\S+) (\S+) (\S+): (\d+) rules?, schema ([0-9a-f]{16}), model ([0-9a-f]{16})", re.ASCII
)


def opening_in(text: str) -> Opening | None:
    """Return what an emitted file says of itself in its first line; None where that says nothing."""
    found = _OPENING.match(text.split("\n", 1)[0])
    if found is None:
        return None
    version, language, layout, n_rules, schema_hash, model_hash = found.groups()
    return Opening(version, language, layout, int(n_rules), schema_hash, model_hash)


def opening_of(
    rules: RuleSet, language: str, asked: Mapping[int, Asked] | None = None, *, layout: str = "flat"
) -> Opening:
    """Return the opening of a file in some language and layout. `asked` is `asked_of` the rules."""
    schema_hash = hash_of_text(schema_text(rules.schema))
    return Opening(__version__, language, layout, len(rules), schema_hash, digest_of(rules, asked))
