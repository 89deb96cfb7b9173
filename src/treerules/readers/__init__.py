"""Readers of one kind of source to a Table: files, queries, connections. `treerules.read` reads any file."""

from treerules.readers.connections import read_connection, read_sqlite
from treerules.readers.csv.reader import read_csv
from treerules.readers.duckdb import read_parquet, read_query
from treerules.readers.json_lines import read_jsonl

__all__ = ("read_connection", "read_csv", "read_jsonl", "read_parquet", "read_query", "read_sqlite")
