"""The CASE expressions of SQL that already exists."""
