--# number: a bare literal has at most 15 digits, and without an exponent it is a DECIMAL; what is cast has all 17
--# true, false: there is no BOOLEAN; 1 and 0 in a BYTEINT stand for it
--# always, never: a truth value is no predicate
--# table.sql.j2: CREATE TABLE AS takes a query in parentheses, and WITH DATA copies its rows
-- treerules 0.1.0 teradata flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE "predictions" AS (
SELECT
"id",
CASE
  WHEN ("x" <= CAST('0.30000000000000004e0' AS DOUBLE PRECISION) OR "x" IS NULL) THEN 'it''s'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND "count" <= 9007199254740993 THEN '否'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND ("is it" = 0 OR "is it" IS NULL) THEN 'it''s'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND "年龄" NOT IN ('it''s', '青年') THEN '否'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND ("size" IN ('S', 'M') OR "size" IS NULL) THEN 'it''s'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND "rate" = CAST('0.1e0' AS DOUBLE PRECISION) THEN '否'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND ("day" <= DATE '2024-02-29' OR "day" IS NULL) THEN 'it''s'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND "day" > DATE '2024-02-29' AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001' THEN '否'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND "day" > DATE '2024-02-29' AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL) AND ("seen" <= TIMESTAMP '2024-03-21 20:21:09+00:00' OR "seen" IS NULL) THEN 'it''s'
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND "day" > DATE '2024-02-29' AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL) AND "seen" > TIMESTAMP '2024-03-21 20:21:09+00:00' THEN '否'
END
AS "prediction",
CASE
  WHEN ("x" <= CAST('0.30000000000000004e0' AS DOUBLE PRECISION) OR "x" IS NULL) THEN 1
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND "count" <= 9007199254740993 THEN 2
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND ("is it" = 0 OR "is it" IS NULL) THEN 3
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND "年龄" NOT IN ('it''s', '青年') THEN 4
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND ("size" IN ('S', 'M') OR "size" IS NULL) THEN 5
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND "rate" = CAST('0.1e0' AS DOUBLE PRECISION) THEN 6
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND ("day" <= DATE '2024-02-29' OR "day" IS NULL) THEN 7
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND "day" > DATE '2024-02-29' AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001' THEN 8
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND "day" > DATE '2024-02-29' AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL) AND ("seen" <= TIMESTAMP '2024-03-21 20:21:09+00:00' OR "seen" IS NULL) THEN 9
  WHEN "x" > CAST('0.30000000000000004e0' AS DOUBLE PRECISION) AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL) AND "is it" = 1 AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL) AND "size" NOT IN ('S', 'M') AND ("rate" <> CAST('0.1e0' AS DOUBLE PRECISION) OR "rate" IS NULL) AND "day" > DATE '2024-02-29' AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL) AND "seen" > TIMESTAMP '2024-03-21 20:21:09+00:00' THEN 10
END
AS "rule"
FROM "data"
) WITH DATA
