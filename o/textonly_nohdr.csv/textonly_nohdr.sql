-- treerules 0.1.0 duckdb flat: 1 rule, schema 876ae5c20681f55a, model 7aad7f16eeab150e
'yes'
