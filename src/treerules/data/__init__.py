"""What a table is: schema, columns, kinds, domains, sample weights."""
