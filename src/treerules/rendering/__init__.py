"""How text is made: the environment of the templates, tables, headings in two languages, output formats."""
