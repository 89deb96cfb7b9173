-- treerules 0.1.0 duckdb flat: 2 rules, schema 329863e3870abaca, model 1971d53d964ae719
CASE
  WHEN ("a" <= 4 OR "a" IS NULL) THEN 0
  WHEN "a" > 4 THEN 1
END
