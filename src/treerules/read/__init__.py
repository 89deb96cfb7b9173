"""Files, queries and connections to tables. Only the command line and the package itself use it."""

from treerules.read.delimited import read_csv

__all__ = ("read_csv",)
