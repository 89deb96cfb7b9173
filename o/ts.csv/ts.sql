-- treerules 0.1.0 duckdb flat: 1 rule, schema 085f05b40acb27ab, model 3f42d9d50df243bf
'y'
