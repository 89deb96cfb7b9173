"""Decision tables in CSV and Markdown."""
