-- treerules 0.1.0 duckdb flat: 1 rule, schema a57c50334cbc5924, model 1782d68e24af247b
'y'
