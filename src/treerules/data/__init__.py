"""Tables: schema, columns, kinds, domains, sample weights."""
