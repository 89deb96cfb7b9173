-- treerules 0.1.0 duckdb flat: 1 rule, schema 5ebd1007d1d06a52, model 60eb3c033159f5e4
'n'
