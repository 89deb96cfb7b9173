"""The option --dialect: a name of an SQL dialect or an alias, in any case."""

from typing import Any

import click

from treerules.sql.dialects import DIALECTS, dialect_named


class DialectName(click.Choice[str]):
    """The name of a dialect; `PostgreSQL`, `pg` and other aliases are taken for it."""

    def __init__(self) -> None:
        super().__init__(list(DIALECTS))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of the dialect, a key of DIALECTS."""
        return super().convert(dialect_named(value) or value, param, ctx)
