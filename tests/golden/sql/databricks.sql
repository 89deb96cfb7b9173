--# quotes: double quotes are strings, as in Spark
--# text: backslashes escape, as in Spark
--# timestamp: what has no zone is TIMESTAMP_NTZ, as in Spark
--# text_column: a column may have a collation that ignores case, as in Spark
--# infinity: the standard has no infinities
--# is_number: NaN is above infinity, as in Spark
-- treerules 0.1.0 databricks flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE `predictions` AS
SELECT
  `id`,
  CASE
    WHEN (`x` <= 0.30000000000000004e0 OR `x` IS NULL OR NOT (`x` <= CAST('Infinity' AS DOUBLE)))
    THEN 'it\'s'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND `count` <= 9007199254740993
    THEN '否'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = FALSE OR `is it` IS NULL)
    THEN 'it\'s'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND CAST(`年龄` AS STRING) NOT IN ('it\'s', '青年')
    THEN '否'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND (CAST(`size` AS STRING) IN ('S', 'M') OR `size` IS NULL)
    THEN 'it\'s'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND `rate` = 0.1e0
    THEN '否'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND (`day` <= DATE '2024-02-29' OR `day` IS NULL)
    THEN 'it\'s'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND `at` <= TIMESTAMP_NTZ '2024-03-21 20:21:09.000001'
    THEN '否'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP_NTZ '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND (`seen` <= TIMESTAMP '2024-03-21 20:21:09+00:00' OR `seen` IS NULL)
    THEN 'it\'s'
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP_NTZ '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND `seen` > TIMESTAMP '2024-03-21 20:21:09+00:00'
    THEN '否'
  END AS `prediction`,
  CASE
    WHEN (`x` <= 0.30000000000000004e0 OR `x` IS NULL OR NOT (`x` <= CAST('Infinity' AS DOUBLE)))
    THEN 1
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND `count` <= 9007199254740993
    THEN 2
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = FALSE OR `is it` IS NULL)
    THEN 3
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND CAST(`年龄` AS STRING) NOT IN ('it\'s', '青年')
    THEN 4
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND (CAST(`size` AS STRING) IN ('S', 'M') OR `size` IS NULL)
    THEN 5
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND `rate` = 0.1e0
    THEN 6
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND (`day` <= DATE '2024-02-29' OR `day` IS NULL)
    THEN 7
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND `at` <= TIMESTAMP_NTZ '2024-03-21 20:21:09.000001'
    THEN 8
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP_NTZ '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND (`seen` <= TIMESTAMP '2024-03-21 20:21:09+00:00' OR `seen` IS NULL)
    THEN 9
    WHEN `x` > 0.30000000000000004e0 AND `x` <= CAST('Infinity' AS DOUBLE)
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CAST(`年龄` AS STRING) IN ('it\'s', '青年') OR `年龄` IS NULL)
      AND CAST(`size` AS STRING) NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP_NTZ '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND `seen` > TIMESTAMP '2024-03-21 20:21:09+00:00'
    THEN 10
  END AS `rule`
FROM `data`
