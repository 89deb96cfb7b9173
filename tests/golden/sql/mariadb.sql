--# quotes: double quotes are strings unless ANSI_QUOTES is on
--# text: a backslash is CHAR(92), so that text reads back whether or not NO_BACKSLASH_ESCAPES is on
--# timestamp: DATETIME has no zone: a zoned column is taken to hold UTC
--# text_column: the default collations take A for a, and text for itself with a blank at its end
-- treerules 0.1.0 mariadb flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE `predictions` AS
SELECT
  `id`,
  CASE
    WHEN (`x` <= 0.30000000000000004e0 OR `x` IS NULL) THEN 'it''s'
    WHEN `x` > 0.30000000000000004e0 AND `count` <= 9007199254740993 THEN '否'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = FALSE OR `is it` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('it''s', '青年')
    THEN '否'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND (CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('S', 'M') OR `size` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND `rate` = 0.1e0
    THEN '否'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND (`day` <= DATE '2024-02-29' OR `day` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND `at` <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN '否'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND (`seen` <= TIMESTAMP '2024-03-21 20:21:09' OR `seen` IS NULL)
    THEN 'it''s'
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND `seen` > TIMESTAMP '2024-03-21 20:21:09'
    THEN '否'
  END AS `prediction`,
  CASE
    WHEN (`x` <= 0.30000000000000004e0 OR `x` IS NULL) THEN 1
    WHEN `x` > 0.30000000000000004e0 AND `count` <= 9007199254740993 THEN 2
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND (`is it` = FALSE OR `is it` IS NULL)
    THEN 3
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('it''s', '青年')
    THEN 4
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND (CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('S', 'M') OR `size` IS NULL)
    THEN 5
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND `rate` = 0.1e0
    THEN 6
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND (`day` <= DATE '2024-02-29' OR `day` IS NULL)
    THEN 7
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND `at` <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN 8
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND (`seen` <= TIMESTAMP '2024-03-21 20:21:09' OR `seen` IS NULL)
    THEN 9
    WHEN `x` > 0.30000000000000004e0
      AND (NOT (`count` <= 9007199254740993) OR `count` IS NULL)
      AND `is it` = TRUE
      AND (CONVERT(`年龄` USING utf8mb4) COLLATE utf8mb4_nopad_bin IN ('it''s', '青年') OR `年龄` IS NULL)
      AND CONVERT(`size` USING utf8mb4) COLLATE utf8mb4_nopad_bin NOT IN ('S', 'M')
      AND (`rate` <> 0.1e0 OR `rate` IS NULL)
      AND `day` > DATE '2024-02-29'
      AND (NOT (`at` <= TIMESTAMP '2024-03-21 20:21:09.000001') OR `at` IS NULL)
      AND `seen` > TIMESTAMP '2024-03-21 20:21:09'
    THEN 10
  END AS `rule`
FROM `data`
