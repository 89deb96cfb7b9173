--# number: a number with a point is a double there, which needs no exponent
--# quotes: its own way, which every version reads
--# escapes_names: backslashes escape in quoted names as in text
--# text: backslashes escape in text
--# date: Date ends in 2149, Date32 in 2299
--# timestamp: there is no literal of microseconds but this cast
--# infinity: inf is a literal
--# is_number: NaN compares as in IEEE 754: it is not at most infinity
--# number_member: IN casts what it names to the type of the column, and 1e300 is no DECIMAL
--# table.sql.j2: a table needs an engine
-- treerules 0.1.0 clickhouse flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE `predictions` ENGINE = MergeTree ORDER BY tuple() AS
SELECT
  `id`,
  CASE
    WHEN (`x` <= 0.30000000000000004 OR `x` IS NULL OR NOT (`x` <= inf)) THEN 'it''s'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf AND `count` <= 9007199254740993 THEN '否'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = FALSE OR `is it` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND `年龄` NOT IN ('it''s', '青年')
    THEN '否'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND (`size` IN ('S', 'M') OR `size` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND toFloat64(`rate`) = 0.1
    THEN '否'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND (`day` <= CAST('2024-02-29' AS Date32) OR `day` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND `day` > CAST('2024-02-29' AS Date32)
      AND `at` <= CAST('2024-03-21 20:21:09.000001' AS DateTime64(6))
    THEN '否'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND `day` > CAST('2024-02-29' AS Date32)
      AND (NOT (`at` <= CAST('2024-03-21 20:21:09.000001' AS DateTime64(6))) OR `at` IS NULL)
      AND (`seen` <= CAST('2024-03-21 20:21:09' AS DateTime64(6, 'UTC')) OR `seen` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND `day` > CAST('2024-02-29' AS Date32)
      AND (NOT (`at` <= CAST('2024-03-21 20:21:09.000001' AS DateTime64(6))) OR `at` IS NULL)
      AND `seen` > CAST('2024-03-21 20:21:09' AS DateTime64(6, 'UTC'))
    THEN '否'
  END AS `prediction`,
  CASE
    WHEN (`x` <= 0.30000000000000004 OR `x` IS NULL OR NOT (`x` <= inf)) THEN 1
    WHEN `x` > 0.30000000000000004 AND `x` <= inf AND `count` <= 9007199254740993 THEN 2
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = FALSE OR `is it` IS NULL)
    THEN 3
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND `年龄` NOT IN ('it''s', '青年')
    THEN 4
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND (`size` IN ('S', 'M') OR `size` IS NULL)
    THEN 5
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND toFloat64(`rate`) = 0.1
    THEN 6
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND (`day` <= CAST('2024-02-29' AS Date32) OR `day` IS NULL)
    THEN 7
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND `day` > CAST('2024-02-29' AS Date32)
      AND `at` <= CAST('2024-03-21 20:21:09.000001' AS DateTime64(6))
    THEN 8
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND `day` > CAST('2024-02-29' AS Date32)
      AND (NOT (`at` <= CAST('2024-03-21 20:21:09.000001' AS DateTime64(6))) OR `at` IS NULL)
      AND (`seen` <= CAST('2024-03-21 20:21:09' AS DateTime64(6, 'UTC')) OR `seen` IS NULL)
    THEN 9
    WHEN `x` > 0.30000000000000004 AND `x` <= inf
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (`年龄` IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` NOT IN ('S', 'M')
      AND (toFloat64(`rate`) <> 0.1 OR `rate` IS NULL)
      AND `day` > CAST('2024-02-29' AS Date32)
      AND (NOT (`at` <= CAST('2024-03-21 20:21:09.000001' AS DateTime64(6))) OR `at` IS NULL)
      AND `seen` > CAST('2024-03-21 20:21:09' AS DateTime64(6, 'UTC'))
    THEN 10
  END AS `rule`
FROM `data`
