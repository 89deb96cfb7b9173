"""Rules as SQL: a CASE expression, or a statement around one."""
