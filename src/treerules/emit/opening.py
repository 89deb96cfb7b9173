"""The first line of every emitted file: version, language, and hashes of the schema and of the model; no time."""

from collections.abc import Mapping
from hashlib import sha256

from attrs import frozen

from treerules._version import __version__
from treerules.emit.layout import digest_of
from treerules.rules import Asked, RuleSet


@frozen
class Opening:
    """What an emitted file says of itself. As text it is one line without any text of the user's.

    >>> str(Opening("1.0", "duckdb", 3, "0123456789abcdef", "fedcba9876543210"))
    'treerules 1.0 duckdb: 3 rules, schema 0123456789abcdef, model fedcba9876543210'
    """

    version: str
    language: str
    n_rules: int
    #: 16 hexadecimal digits of a hash of the columns: names, kinds, categories and the target
    schema_hash: str
    #: 16 hexadecimal digits of a hash of the columns and of what the rules ask and predict
    model_hash: str

    def __str__(self) -> str:
        rules = f"{self.n_rules} rule{'s' if self.n_rules != 1 else ''}"
        return f"treerules {self.version} {self.language}: {rules}, schema {self.schema_hash}, model {self.model_hash}"


def opening_of(rules: RuleSet, language: str, asked: Mapping[int, Asked] | None = None) -> Opening:
    """Return the opening of a file in some language. `asked` is `asked_of` the rules."""
    schema_hash = sha256(repr(rules.schema).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Opening(__version__, language, len(rules), schema_hash, digest_of(rules, asked))
