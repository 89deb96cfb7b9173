"""Rules as SQL: a CASE expression, a statement around one, and tables of rules."""
