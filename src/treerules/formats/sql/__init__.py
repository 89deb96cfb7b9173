"""CASE expressions of existing SQL as rule lists."""
