--# number: a number with a point is a double there, which needs no exponent
--# quotes: in double quotes a name that is no column would be a string; in backticks it is an error
--# date: there is no type of dates: ISO text sorts as they do
--# timestamp: there is no type of moments: ISO text in UTC sorts as they do
--# true, false: TRUE is a column of that name, if there is one
--# always, never: TRUE is a column of that name, if there is one
--# text_column: a column may be declared with the collation NOCASE or RTRIM
--# of_other_type, refusal: a column holds values of any type, and compares a text with a number by their types
--# infinity: CAST('Infinity' AS REAL) would be 0
-- treerules 0.1.0 sqlite flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE `predictions` AS
SELECT
  `id`,
  CASE
    WHEN `x` >= '' OR `count` >= '' OR `is it` >= '' OR `rate` >= '' OR `day` < '' OR `at` < ''
        OR `seen` < ''
    THEN JSON_EXTRACT('{}', 'a value of another type')
    WHEN (`x` <= 0.30000000000000004 OR `x` IS NULL) THEN 'it''s'
    WHEN `x` > 0.30000000000000004 AND `count` <= 9007199254740993 THEN '否'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = 0 OR `is it` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND `年龄` COLLATE BINARY NOT IN ('it''s', '青年')
    THEN '否'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND (`size` COLLATE BINARY IN ('S', 'M') OR `size` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND `rate` = 0.1
    THEN '否'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND (`day` <= '2024-02-29' OR `day` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND `day` > '2024-02-29'
      AND `at` <= '2024-03-21 20:21:09.000001'
    THEN '否'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND `day` > '2024-02-29'
      AND (NOT (`at` <= '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND (`seen` <= '2024-03-21 20:21:09+00:00' OR `seen` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND `day` > '2024-02-29'
      AND (NOT (`at` <= '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND `seen` > '2024-03-21 20:21:09+00:00'
    THEN '否'
  END AS `prediction`,
  CASE
    WHEN `x` >= '' OR `count` >= '' OR `is it` >= '' OR `rate` >= '' OR `day` < '' OR `at` < ''
        OR `seen` < ''
    THEN JSON_EXTRACT('{}', 'a value of another type')
    WHEN (`x` <= 0.30000000000000004 OR `x` IS NULL) THEN 1
    WHEN `x` > 0.30000000000000004 AND `count` <= 9007199254740993 THEN 2
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = 0 OR `is it` IS NULL)
    THEN 3
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND `年龄` COLLATE BINARY NOT IN ('it''s', '青年')
    THEN 4
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND (`size` COLLATE BINARY IN ('S', 'M') OR `size` IS NULL)
    THEN 5
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND `rate` = 0.1
    THEN 6
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND (`day` <= '2024-02-29' OR `day` IS NULL)
    THEN 7
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND `day` > '2024-02-29'
      AND `at` <= '2024-03-21 20:21:09.000001'
    THEN 8
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND `day` > '2024-02-29'
      AND (NOT (`at` <= '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND (`seen` <= '2024-03-21 20:21:09+00:00' OR `seen` IS NULL)
    THEN 9
    WHEN `x` > 0.30000000000000004
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = 1
      AND (`年龄` COLLATE BINARY IN ('it''s', '青年') OR `年龄` IS NULL)
      AND `size` COLLATE BINARY NOT IN ('S', 'M')
      AND (`rate` <> 0.1 OR `rate` IS NULL)
      AND `day` > '2024-02-29'
      AND (NOT (`at` <= '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND `seen` > '2024-03-21 20:21:09+00:00'
    THEN 10
  END AS `rule`
FROM `data`
