-- treerules 0.1.0 duckdb flat: 1 rule, schema 427825251a5d7bff, model 5de3837505d1dcfa
'n'
