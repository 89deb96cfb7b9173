-- treerules 0.1.0 duckdb flat: 1 rule, schema b25e239fa4acb4e4, model 97bc431d1a8dac67
'n'
