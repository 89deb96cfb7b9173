"""Rules that people write, read and written: text, decision tables, DMN, SQL."""
