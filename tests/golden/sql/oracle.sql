--# text: SQL*Plus would end the statement at an empty line within it, so it is divided there
--# number: a bare literal is a decimal NUMBER; without a decimal point it reads alike in every locale
--# timestamp: the zone stands after a blank
--# true, false: BOOLEAN came with 23ai; before, 1 and 0 stand for it
--# always, never: a truth value is no predicate before 23ai
--# infinity: a constant of BINARY_DOUBLE
--# is_number: NaN is above infinity, so that this asks for NULL and NaN in one comparison
--# empty_text_is_missing: '' is NULL: as a category it goes where missing values go
-- treerules 0.1.0 oracle flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE "predictions" AS
SELECT
  "id",
  CASE
    WHEN ("x" <= CAST('30000000000000004e-17' AS BINARY_DOUBLE) OR "x" IS NULL
        OR NOT ("x" <= BINARY_DOUBLE_INFINITY))
    THEN 'it''s'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND "count" <= 9007199254740993
    THEN '否'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = 0 OR "is it" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND "年龄" NOT IN ('it''s', '青年')
    THEN '否'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size" IN ('S', 'M') OR "size" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND "rate" = CAST('1e-1' AS BINARY_DOUBLE)
    THEN '否'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN '否'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND ("seen" <= TIMESTAMP '2024-03-21 20:21:09 +00:00' OR "seen" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND "seen" > TIMESTAMP '2024-03-21 20:21:09 +00:00'
    THEN '否'
  END AS "prediction",
  CASE
    WHEN ("x" <= CAST('30000000000000004e-17' AS BINARY_DOUBLE) OR "x" IS NULL
        OR NOT ("x" <= BINARY_DOUBLE_INFINITY))
    THEN 1
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND "count" <= 9007199254740993
    THEN 2
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = 0 OR "is it" IS NULL)
    THEN 3
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND "年龄" NOT IN ('it''s', '青年')
    THEN 4
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size" IN ('S', 'M') OR "size" IS NULL)
    THEN 5
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND "rate" = CAST('1e-1' AS BINARY_DOUBLE)
    THEN 6
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 7
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN 8
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND ("seen" <= TIMESTAMP '2024-03-21 20:21:09 +00:00' OR "seen" IS NULL)
    THEN 9
    WHEN "x" > CAST('30000000000000004e-17' AS BINARY_DOUBLE) AND "x" <= BINARY_DOUBLE_INFINITY
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = 1
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('1e-1' AS BINARY_DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND "seen" > TIMESTAMP '2024-03-21 20:21:09 +00:00'
    THEN 10
  END AS "rule"
FROM "data"
