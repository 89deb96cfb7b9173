-- treerules 0.1.0 duckdb flat: 1 rule, schema 8bc187bdb635c961, model fc2aadf57738a0c2
'y'
