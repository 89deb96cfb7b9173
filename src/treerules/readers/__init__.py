"""Files, queries and connections to a Table."""

from treerules.readers.connections import read_connection, read_sqlite
from treerules.readers.csv.reader import read_csv
from treerules.readers.duckdb import read_parquet, read_query
from treerules.readers.files import read
from treerules.readers.json_lines import read_jsonl

__all__ = ("read", "read_connection", "read_csv", "read_jsonl", "read_parquet", "read_query", "read_sqlite")
