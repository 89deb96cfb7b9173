"""Making text: the environment of the templates, tables, headings in two languages, JSON."""
