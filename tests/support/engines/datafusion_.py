"""DataFusion in the process, over Arrow."""

from typing import Any

from engines.storing import Answers, Stored, arrow, by_key


def ask(columns: list[Stored], queries: list[str]) -> Answers:
    """Return the rows of each query of the columns, in their order."""
    import datafusion

    context = datafusion.SessionContext()
    context.register_record_batches("t", [arrow(columns).to_batches()])
    return [by_key(_rows(context, query)) for query in queries]


def _rows(context: Any, query: str) -> list[tuple[Any, ...]]:
    batches = context.sql(query).collect()
    return [row for batch in batches for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)]
