"""Files, queries and connections to tables. Only the command line and the package itself use it."""

from treerules.read.delimited import read_csv
from treerules.read.files import read_file
from treerules.read.records import read_connection, read_jsonl, read_sqlite
from treerules.read.typed import read_parquet, read_query

__all__ = ("read_connection", "read_csv", "read_file", "read_jsonl", "read_parquet", "read_query", "read_sqlite")
