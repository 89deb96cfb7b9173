SELECT id,
  CASE
    WHEN age < 18 THEN 'minor'
    WHEN income > 5000 AND age < 30 THEN 'young'
    WHEN age < 18 AND income > 9000 THEN 'odd'
    WHEN age <= 65 THEN 'adult'
  END AS band
FROM people
